//! A piece that is off its board, and what is told of it when it has come down nowhere, or elsewhere. For [`pieces`], which
//! follows them, and those that look for dead squares.
//!
//! [`pieces`]: super::pieces

use super::{
    reach::{Walker, is_white},
    sides::{SIDES, Sides},
};
use crate::record::{Piece, Side, Square, Time};

/// A piece that is off the board.
#[derive(Debug, Clone, Copy)]
pub struct Lifted {
    /// What it is.
    pub piece: Piece,
    /// The square on which it began its game.
    pub home: Option<Square>,
    /// The square it left,
    pub from: Square,
    /// and when.
    pub at: Option<Time>,
    /// How many pieces had come down when it was lifted.
    pub landings: u32,
    /// It was told that it vanished.
    pub told: bool,
    /// Where it may have gone when it was lifted, bit n for field n.
    pub reach: u64,
    /// How many of its colour had come down when it was lifted.
    pub own_landings: u32,
    /// How many of the other colour had.
    pub others_landings: u32,
    /// How often a clock was pressed since.
    pub presses: u32,
    /// One was before any of its colour came down again.
    pub pressed: bool,
    /// When that was, at each of the [`SIDES`].
    pub pressed_at: [Option<Time>; 2],
    /// The board rested after that, before any piece came down.
    pub rested: [bool; 2],
}

impl Lifted {
    /// It, as it is told when it has come down nowhere.
    pub fn vanished(&self, sides: &Sides) -> Vanished {
        let Lifted { piece, home, from, at, reach, presses, pressed, .. } = *self;
        Vanished { piece, from, home, at, reach, presses, pressed, rested: self.has_rested(sides) }
    }

    /// Whether the board rested after its own clock was pressed, as far as it is known whose is whose.
    pub fn has_rested(&self, sides: &Sides) -> bool {
        let own = |side: Side| sides.is_white(side) == Some(is_white(self.piece));
        SIDES.into_iter().zip(self.rested).any(|(side, rested)| rested && own(side))
    }

    /// It, as far as that says where it may go.
    pub fn walker(&self) -> Walker {
        Walker { piece: self.piece, home: self.home }
    }
}

/// A piece that was lifted and came down nowhere, while the game went on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Vanished {
    /// What it is.
    pub piece: Piece,
    /// The square it left.
    pub from: Square,
    /// The square on which it began its game.
    pub home: Option<Square>,
    /// When it was lifted.
    pub at: Option<Time>,
    /// Where it may have gone then, bit n for field n.
    pub reach: u64,
    /// How often a clock was pressed since, until this was told.
    pub presses: u32,
    /// One was before any of its colour came down again: whoever pressed had moved it.
    pub pressed: bool,
    /// Its own clock was, and then the board rested before any of the other colour came down: it stood somewhere, and nobody
    /// had captured it.
    pub rested: bool,
}

impl Vanished {
    /// It, as far as that says where it may go.
    pub fn walker(&self) -> Walker {
        Walker { piece: self.piece, home: self.home }
    }
}

/// A piece came down elsewhere than where it was lifted.
#[derive(Debug, Clone, Copy)]
pub struct Journey {
    /// Which piece, and where it was lifted.
    pub piece: Vanished,
    /// Where it came down.
    pub to: Square,
    /// It had vanished meanwhile, and that was told.
    pub told: bool,
    /// Nothing else was played meanwhile: no other piece came down, and no clock was pressed.
    pub at_once: bool,
    /// It may have gone there in one move, so lately that it stood there, off its centre, until it was read.
    pub read_late: bool,
}
