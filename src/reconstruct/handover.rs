//! A game that goes on on another board: one that broke is replaced in the middle of it, or the players move.
//!
//! Nobody says when. It is the other board that shows it: its pieces are set up as those of the first stand, which has a
//! game in play. Up to then both are boards of their own; from then on what the second says is the first's, and the
//! first, should it speak again, is not heard.

use std::{collections::HashSet, sync::Arc};

use crate::record::{BoardEvent, BoardRecord, Change, Placement};

/// The line of a board and its address.
type Address = (Option<Arc<str>>, u16);

/// Which games go on on which boards, and which have.
#[derive(Default)]
pub struct Handovers {
    /// The first board's address, and the other's.
    asked: Vec<(u16, u16)>,
    /// The first boards whose games have gone on on their others; with whether those stand turned to them.
    done: Vec<(Address, bool)>,
    /// Others that took over on some line.
    taken: HashSet<u16>,
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
        let Some(board) = record.board.filter(|_| !self.asked.is_empty()) else { return Whose::Own };
        if let Some(first) = self.first_of(board)
            && let Some(turned) = self.turned(record, first)
        {
            return Whose::First(rewritten(record, first, turned));
        }
        if self.turned(record, board).is_some() { Whose::Replaced } else { Whose::Own }
    }

    /// The board whose game is to go on on this one, where that has not happened yet.
    pub fn expected_on(&self, record: &BoardRecord) -> Option<u16> {
        let first = self.first_of(record.board?)?;
        self.turned(record, first).is_none().then_some(first)
    }

    /// The second board of a record stands as the first does: from now on it speaks for it.
    pub fn take_over(&mut self, record: &BoardRecord, first: u16, turned: bool) {
        self.done.push(((record.line.clone(), first), turned));
        self.taken.extend(record.board);
    }

    /// Whether this board speaks for another.
    pub fn has_taken(&self, board: u16) -> bool {
        self.taken.contains(&board)
    }

    /// Those that were asked for and did not come to pass.
    pub fn missing(&self) -> impl Iterator<Item = (u16, u16)> {
        self.asked.iter().copied().filter(|(_, second)| !self.has_taken(*second))
    }

    fn first_of(&self, board: u16) -> Option<u16> {
        self.asked.iter().find(|(_, second)| *second == board).map(|(first, _)| *first)
    }

    fn turned(&self, record: &BoardRecord, first: u16) -> Option<bool> {
        let done = self.done.iter().find(|((line, board), _)| *line == record.line && *board == first);
        done.map(|(_, turned)| *turned)
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
