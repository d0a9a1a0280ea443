//! A game that continues on another board: one that broke is replaced during the game, or the players move.
//!
//! Nobody reports the moment. It is detected on the second board, whose pieces are set up as those of the first board
//! stand. Before, each board plays a game of its own; afterwards the records of the second board belong to the first
//! one's game, and later records of the first board are ignored. A game may move more than once: to a third board that
//! shows the position of the second, where it is still the first board's game; or back to the first board, once its
//! pieces are set up again.
//!
//! So each board plays one game, at first its own, or none. Two exchanged boards play each other's games: once one of
//! them shows the other's position, its own game has no board until the other one shows that game's position.

use std::sync::Arc;

use super::listing::Listing;
use crate::record::{BoardEvent, BoardRecord, Change, Placement};

/// Which games were to continue on which boards, and which have.
#[derive(Default)]
pub struct Handovers {
    /// The addresses of the first and of the second board.
    asked: Vec<(u16, u16)>,
    /// In the order in which they happened.
    done: Vec<Handover>,
}

/// A game that continued on another board.
struct Handover {
    line: Option<Arc<str>>,
    first: u16,
    second: u16,
    /// The address of the board on which the game began: the first board, or for a game that had moved before, the
    /// first board of that handover.
    begun_on: u16,
    /// Whether the second board stands turned relative to that one.
    turned: bool,
    /// The state of the first board, which has no game since; none where it had taken over another game by then.
    left: Option<Left>,
}

/// A board whose records are ignored.
struct Left {
    /// Its position.
    stands: Placement,
    /// The list of its pieces, while it is sent.
    listing: Option<Listing>,
    /// Its pieces were moved after the handover, and differed from the game.
    cleared: bool,
    /// The number of changes since it last showed the start position: more than one mean another game.
    played: Option<usize>,
}

/// The board to which a record belongs.
pub enum Whose {
    /// The board that sent it.
    Own,
    /// This board, for which the record was rewritten.
    First(BoardRecord),
    /// None: its board was replaced.
    Replaced,
}

/// A game that may continue on a board.
#[derive(Clone, Copy)]
pub struct Expected {
    /// The board named in the request.
    first: u16,
    /// The board on which the game began.
    pub begun_on: u16,
}

impl Handovers {
    /// Games on the first board of each pair are to continue on the second.
    pub fn new(asked: &[(u16, u16)]) -> Handovers {
        Handovers { asked: asked.to_vec(), ..Handovers::default() }
    }

    /// Whether any game is to continue on another board.
    pub fn may_be(&self) -> bool {
        !self.asked.is_empty()
    }

    /// The board to which a record belongs by now.
    pub fn board_for(&self, record: &BoardRecord) -> Whose {
        let Some(board) = record.board.filter(|_| !self.done.is_empty()) else { return Whose::Own };
        match self.last_of(record, board) {
            Some(Handover { second, begun_on, turned, .. }) if *second == board => {
                Whose::First(rewritten(record, *begun_on, *turned))
            }
            Some(_) => Whose::Replaced,
            None => Whose::Own,
        }
    }

    /// Reads a record of a replaced board; returns its position where its pieces were set up again.
    pub fn replaced_board_stands(&mut self, record: &BoardRecord) -> Option<Placement> {
        let of = |handover: &&mut Handover| {
            handover.line == record.line && Some(handover.first) == record.board && handover.left.is_some()
        };
        self.done.iter_mut().rfind(of)?.left.as_mut()?.record(&record.event)
    }

    /// Boards that were replaced, by which, and on which another game was played afterwards, which is not published.
    pub fn played_on(&self) -> impl Iterator<Item = (u16, u16)> {
        let is_played = |left: &Left| left.played.is_some_and(|changes| changes > 1);
        let others = self.done.iter().filter(move |handover| handover.left.as_ref().is_some_and(is_played));
        others.map(|handover| (handover.first, handover.second))
    }

    /// The games that are to continue on the board of a record and have not yet: those that a board named in the
    /// request plays, or played last.
    pub fn expected_on(&self, record: &BoardRecord) -> Vec<Expected> {
        let asked = self.asked.iter().filter(|(_, second)| Some(*second) == record.board);
        let to_come = asked.filter(|asked| !self.is_done(record, asked));
        let games = to_come.flat_map(|&(first, second)| {
            let handed_on =
                self.on_line(record).map(|handover| handover.begun_on).filter(move |&game| game != first);
            let games = std::iter::once(first).chain(handed_on);
            let expected = games.map(move |begun_on| Expected { first, begun_on });
            let may_be = move |game: &Expected| {
                self.board_of(record, game.begun_on) == first
                    && self.game_played_on(record, second) != Some(game.begun_on)
            };
            expected.filter(may_be)
        });
        games.collect()
    }

    /// The board of a record shows the position of that game: from now on it plays it. `left` is the position on the
    /// board before.
    pub fn take_over(&mut self, record: &BoardRecord, game: Expected, left: Placement, turned: bool) {
        let (Some(second), Expected { first, begun_on }) = (record.board, game) else { return };
        // As the first board itself reports it.
        let before = self.on_line(record).rfind(|handover| handover.begun_on == begun_on);
        let stands = if before.is_some_and(|handover| handover.turned) { left.turned() } else { left };
        let is_left = self.game_played_on(record, first) == Some(begun_on);
        let left = is_left.then_some(Left { stands, listing: None, cleared: false, played: None });
        self.done.push(Handover { line: record.line.clone(), first, second, begun_on, turned, left });
    }

    /// Two boards changed places: the board of a record plays the game that began on `begun_on`.
    pub fn exchange(&mut self, record: &BoardRecord, begun_on: u16, turned: bool) {
        let Some(second) = record.board else { return };
        let first = self.board_of(record, begun_on);
        self.done.push(Handover { line: record.line.clone(), first, second, begun_on, turned, left: None });
    }

    /// Whether the game of the board of a record is to continue on another, and has not yet.
    pub fn is_to_continue_elsewhere(&self, record: &BoardRecord) -> bool {
        let mut asked = self.asked.iter().filter(|(first, _)| Some(*first) == record.board);
        asked.any(|asked| !self.is_done(record, asked))
    }

    /// Whether this board plays the game of another.
    pub fn has_taken(&self, board: u16) -> bool {
        self.done.iter().any(|handover| handover.second == board)
    }

    /// The requests that were not fulfilled.
    pub fn missing(&self) -> impl Iterator<Item = (u16, u16)> {
        self.asked.iter().copied().filter(|asked| !self.done.iter().any(|done| done.is_of(asked)))
    }

    /// The board on which the game began that this one plays.
    fn game_played_on(&self, record: &BoardRecord, board: u16) -> Option<u16> {
        match self.last_of(record, board) {
            Some(handover) => (handover.second == board).then_some(handover.begun_on),
            None => Some(board),
        }
    }

    /// The board that plays a game, or played it last.
    pub fn board_of(&self, record: &BoardRecord, begun_on: u16) -> u16 {
        let last = self.on_line(record).rfind(|handover| handover.begun_on == begun_on);
        last.map_or(begun_on, |handover| handover.second)
    }

    /// The last handover of a board.
    fn last_of(&self, record: &BoardRecord, board: u16) -> Option<&Handover> {
        let is_of = |of: &&Handover| of.second == board || of.first == board && of.left.is_some();
        self.on_line(record).rfind(is_of)
    }

    fn is_done(&self, record: &BoardRecord, asked: &(u16, u16)) -> bool {
        self.on_line(record).any(|done| done.is_of(asked))
    }

    fn on_line(&self, record: &BoardRecord) -> impl DoubleEndedIterator<Item = &Handover> {
        self.done.iter().filter(|handover| handover.line == record.line)
    }
}

impl Handover {
    fn is_of(&self, asked: &(u16, u16)) -> bool {
        (self.first, self.second) == *asked
    }
}

impl Left {
    /// The position of the board, where its pieces were set up again.
    fn record(&mut self, event: &BoardEvent) -> Option<Placement> {
        match event {
            BoardEvent::Change(change) if self.listing.as_mut().is_some_and(|list| list.takes(change)) => {
                return None;
            }
            BoardEvent::Mark(mark) if mark.listing => {
                self.listing = Some(Listing::of(mark.mark));
                return None;
            }
            _ => {}
        }
        let listed = self.listing.take().map(|list| list.pieces);
        let stood = self.stands;
        let before = self.cleared;
        let is_change = match event {
            BoardEvent::Position(position) => {
                self.stands = position.placement;
                false
            }
            BoardEvent::Change(Change { square, piece, .. }) => {
                self.stands = listed.unwrap_or(stood);
                self.stands.set(*square, *piece);
                true
            }
            _ => {
                self.stands = listed?;
                false
            }
        };
        // A position without a change either confirms that nothing moved, or shows other pieces than were left.
        self.cleared |= is_change || self.stands != stood;
        match &mut self.played {
            _ if self.stands.is_start() => self.played = Some(0),
            Some(changes) if is_change => *changes += 1,
            _ => {}
        }
        (self.stands != stood && (before || !is_change)).then_some(self.stands)
    }
}

fn rewritten(record: &BoardRecord, board: u16, turned: bool) -> BoardRecord {
    let mut record = BoardRecord { board: Some(board), ..record.clone() };
    match &mut record.event {
        BoardEvent::Change(Change { square, .. }) if turned => *square = square.turned(),
        BoardEvent::Position(position) if turned => position.placement = position.placement.turned(),
        // The board's own log begins with the pieces being set up: only what joins the known changes belongs to the
        // game.
        BoardEvent::History(history) => history.complete = false,
        _ => {}
    }
    record
}
