//! A game that goes on on another board: one that broke is replaced in the middle of it, or the players move.
//!
//! Nobody says when. It is the other board that shows it: its pieces are set up as those of the first stand, which has a
//! game in play. Up to then both are boards of their own; from then on what the second says is the first's, and the
//! first, should it speak again, is not heard. A game may go on more than once: on a third board that stands as the second
//! did, and still it is the first's; or on the first again, once its pieces were set up anew.

use std::sync::Arc;

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
    /// How the first stands, which is not heard.
    left: Placement,
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

impl Handovers {
    /// Games on the first of each two boards go on on the second.
    pub fn new(asked: &[(u16, u16)]) -> Handovers {
        Handovers { asked: asked.to_vec(), ..Handovers::default() }
    }

    /// Whose a record is by now.
    pub fn whose(&self, record: &BoardRecord) -> Whose {
        let Some(board) = record.board.filter(|_| !self.done.is_empty()) else { return Whose::Own };
        match self.on_line(record).rfind(|handover| [handover.first, handover.second].contains(&board)) {
            Some(Handover { first, .. }) if *first == board => Whose::Replaced,
            Some(Handover { begun_on, turned, .. }) => Whose::First(rewritten(record, *begun_on, *turned)),
            None => Whose::Own,
        }
    }

    /// Takes what a board says that was replaced; gives how it stands where its pieces were set up anew.
    pub fn unheard(&mut self, record: &BoardRecord) -> Option<Placement> {
        let of =
            |handover: &&mut Handover| handover.line == record.line && Some(handover.first) == record.board;
        let handover = self.done.iter_mut().rev().find(of)?;
        let Handover { left, cleared, played, .. } = handover;
        match &record.event {
            BoardEvent::Change(Change { square, piece, .. }) => left.set(*square, *piece),
            // A look by the way says that nothing was moved.
            BoardEvent::Position(position) => *left = position.placement,
            _ => return None,
        }
        let is_change = matches!(record.event, BoardEvent::Change(_));
        match played {
            _ if left.is_start() => *played = Some(0),
            Some(changes) if is_change => *changes += 1,
            _ => {}
        }
        let before = std::mem::replace(cleared, *cleared || is_change);
        (before && is_change).then_some(*left)
    }

    /// Boards that were replaced, by which, and on which another game was played afterwards, of which nothing is told.
    pub fn played_on(&self) -> impl Iterator<Item = (u16, u16)> {
        let others = self.done.iter().filter(|handover| handover.played.is_some_and(|changes| changes > 1));
        others.map(|handover| (handover.first, handover.second))
    }

    /// The board whose game is to go on on this one, where that has not happened yet.
    pub fn expected_on(&self, record: &BoardRecord) -> Option<u16> {
        let (first, _) = self.asked_for(record)?;
        let is_done = self.on_line(record).any(|handover| handover.first == first);
        (!is_done).then(|| self.begun_on(record, first))
    }

    /// The second board of a record stands as the first does, whose game this is: from now on it speaks for it.
    pub fn take_over(&mut self, record: &BoardRecord, stands: Placement, turned: bool) {
        let Some((first, second)) = self.asked_for(record) else { return };
        let begun_on = self.begun_on(record, first);
        // As the first says it itself.
        let before = self.on_line(record).rfind(|handover| handover.second == first);
        let left = if before.is_some_and(|handover| handover.turned) { stands.turned() } else { stands };
        let line = record.line.clone();
        self.done.push(Handover {
            line,
            first,
            second,
            begun_on,
            turned,
            left,
            cleared: false,
            played: None,
        });
    }

    /// Whether this board speaks for another.
    pub fn has_taken(&self, board: u16) -> bool {
        self.done.iter().any(|handover| handover.second == board)
    }

    /// Those that were asked for and did not come to pass.
    pub fn missing(&self) -> impl Iterator<Item = (u16, u16)> {
        let is_done = |asked: &(u16, u16)| self.done.iter().any(|done| (done.first, done.second) == *asked);
        self.asked.iter().copied().filter(move |asked| !is_done(asked))
    }

    /// What was asked for the board of a record.
    fn asked_for(&self, record: &BoardRecord) -> Option<(u16, u16)> {
        self.asked.iter().copied().find(|(_, second)| Some(*second) == record.board)
    }

    /// The board on which the game began that this one plays now.
    fn begun_on(&self, record: &BoardRecord, board: u16) -> u16 {
        let before = self.on_line(record).rfind(|handover| handover.second == board);
        before.map_or(board, |handover| handover.begun_on)
    }

    fn on_line(&self, record: &BoardRecord) -> impl DoubleEndedIterator<Item = &Handover> {
        self.done.iter().filter(|handover| handover.line == record.line)
    }
}

/// Whether a board stands as another does, and if so whether it is turned to it.
pub fn stands_as(board: &Placement, other: &Placement) -> Option<bool> {
    let turned = board.turned() == *other;
    (board == other || turned).then_some(board != other)
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
