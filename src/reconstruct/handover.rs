//! A game that goes on on another board: one that broke is replaced in the middle of it, or the players move.
//!
//! Nobody says when. It is the other board that shows it: its pieces are set up as those of the first stand, which has a
//! game in play. Up to then both are boards of their own; from then on what the second says is the first's, and the
//! first, should it speak again, is not heard. A game may go on more than once: on a third board that stands as the second
//! did, and still it is the first's; or on the first again, once its pieces were set up anew.
//!
//! So each board speaks for one game, its own to begin with, or for none. Two boards that are exchanged for each other
//! speak for each other's: when the first of them stands as the other's game does, its own has no board until the other
//! stands as that does.

use std::sync::Arc;

use super::listing::Listing;
use crate::record::{BoardEvent, BoardRecord, Change, Placement};

/// Which games go on on which boards, and which have.
#[derive(Default)]
pub struct Handovers {
    /// The first board's address, and the other's.
    asked: Vec<(u16, u16)>,
    /// In the order in which they came to pass.
    done: Vec<Handover>,
}

/// A game that went on on another board.
struct Handover {
    line: Option<Arc<str>>,
    first: u16,
    second: u16,
    /// The board on which the game began, as which the second speaks: the first, or where that was a second once, its
    /// first.
    begun_on: u16,
    /// Whether the second stands turned to that board.
    turned: bool,
    /// The first board, where it speaks for no game since; not where it spoke for another by then.
    left: Option<Left>,
}

/// A board that is not heard.
struct Left {
    /// How it stands.
    stands: Placement,
    /// Its list of its pieces, as it comes in.
    listing: Option<Listing>,
    /// Its pieces were moved since, and stood otherwise than the game did.
    cleared: bool,
    /// Since it stood in the start position again so many changes came: another game.
    played: Option<usize>,
}

/// Whose a record is.
pub enum Whose {
    /// The board's that said it.
    Own,
    /// This board's, as whose it was rewritten.
    First(BoardRecord),
    /// Nobody's: its board was replaced.
    Replaced,
}

/// A game that may go on on a board.
#[derive(Clone, Copy)]
pub struct Expected {
    /// The board of which it was asked.
    first: u16,
    /// The board on which it began.
    pub begun_on: u16,
}

impl Handovers {
    /// Games on the first of each two boards go on on the second.
    pub fn new(asked: &[(u16, u16)]) -> Handovers {
        Handovers { asked: asked.to_vec(), ..Handovers::default() }
    }

    /// Whether any game is to go on on another board.
    pub fn may_be(&self) -> bool {
        !self.asked.is_empty()
    }

    /// Whose a record is by now.
    pub fn whose(&self, record: &BoardRecord) -> Whose {
        let Some(board) = record.board.filter(|_| !self.done.is_empty()) else { return Whose::Own };
        match self.last_of(record, board) {
            Some(Handover { second, begun_on, turned, .. }) if *second == board => {
                Whose::First(rewritten(record, *begun_on, *turned))
            }
            Some(_) => Whose::Replaced,
            None => Whose::Own,
        }
    }

    /// Takes what a board says that was replaced; gives how it stands where its pieces were set up anew.
    pub fn unheard(&mut self, record: &BoardRecord) -> Option<Placement> {
        let of = |handover: &&mut Handover| {
            handover.line == record.line && Some(handover.first) == record.board && handover.left.is_some()
        };
        self.done.iter_mut().rfind(of)?.left.as_mut()?.record(&record.event)
    }

    /// Boards that were replaced, by which, and on which another game was played afterwards, of which nothing is told.
    pub fn played_on(&self) -> impl Iterator<Item = (u16, u16)> {
        let is_played = |left: &Left| left.played.is_some_and(|changes| changes > 1);
        let others = self.done.iter().filter(move |handover| handover.left.as_ref().is_some_and(is_played));
        others.map(|handover| (handover.first, handover.second))
    }

    /// The games that are to go on on the board of a record, and have not yet: those that the boards speak for of which it was
    /// asked, or spoke for last.
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
                    && self.spoken_by(record, second) != Some(game.begun_on)
            };
            expected.filter(may_be)
        });
        games.collect()
    }

    /// The board of a record stands as that game does, whose board was left standing so: from now on it speaks for it.
    pub fn take_over(&mut self, record: &BoardRecord, game: Expected, left: Placement, turned: bool) {
        let (Some(second), Expected { first, begun_on }) = (record.board, game) else { return };
        // As the first says it itself.
        let before = self.on_line(record).rfind(|handover| handover.begun_on == begun_on);
        let stands = if before.is_some_and(|handover| handover.turned) { left.turned() } else { left };
        let is_left = self.spoken_by(record, first) == Some(begun_on);
        let left = is_left.then_some(Left { stands, listing: None, cleared: false, played: None });
        self.done.push(Handover { line: record.line.clone(), first, second, begun_on, turned, left });
    }

    /// The board of a record was put in the place of another, and that in the place of one more: it speaks for this game.
    pub fn exchange(&mut self, record: &BoardRecord, begun_on: u16, turned: bool) {
        let Some(second) = record.board else { return };
        let first = self.board_of(record, begun_on);
        self.done.push(Handover { line: record.line.clone(), first, second, begun_on, turned, left: None });
    }

    /// Whether a game of the board of a record is to go on on another, and has not yet.
    pub fn goes_on(&self, record: &BoardRecord) -> bool {
        let mut asked = self.asked.iter().filter(|(first, _)| Some(*first) == record.board);
        asked.any(|asked| !self.is_done(record, asked))
    }

    /// Whether this board speaks for another.
    pub fn has_taken(&self, board: u16) -> bool {
        self.done.iter().any(|handover| handover.second == board)
    }

    /// Those that were asked for and did not come to pass.
    pub fn missing(&self) -> impl Iterator<Item = (u16, u16)> {
        self.asked.iter().copied().filter(|asked| !self.done.iter().any(|done| done.is_of(asked)))
    }

    /// The board on which the game began for which this one speaks.
    fn spoken_by(&self, record: &BoardRecord, board: u16) -> Option<u16> {
        match self.last_of(record, board) {
            Some(handover) => (handover.second == board).then_some(handover.begun_on),
            None => Some(board),
        }
    }

    /// The board that speaks for a game, or spoke for it last.
    pub fn board_of(&self, record: &BoardRecord, begun_on: u16) -> u16 {
        let last = self.on_line(record).rfind(|handover| handover.begun_on == begun_on);
        last.map_or(begun_on, |handover| handover.second)
    }

    /// What became of a board last.
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
    /// How the board stands, where its pieces were set up anew.
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
        // A look by the way says that nothing was moved, or that other pieces stand there than were left.
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
        // Its own log begins with the pieces' being set up: only what joins what was seen is of the game.
        BoardEvent::History(history) => history.complete = false,
        _ => {}
    }
    record
}
