//! A piece that is off its board, and what is reported of it if it does not come down or comes down elsewhere.
//!
//! [`pieces`](super::pieces) tracks such pieces; the search for dead squares uses the reports.

use super::{
    reach::{Walker, is_white},
    sides::{SIDES, Sides},
};
use crate::record::{Piece, Side, Square, Time};

/// A piece that is off the board.
#[derive(Debug, Clone, Copy)]
pub struct Lifted {
    /// Its type.
    pub piece: Piece,
    /// The square on which it began its game.
    pub home: Option<Square>,
    /// The square it left.
    pub from: Square,
    /// When it left.
    pub at: Option<Time>,
    /// How many pieces had landed before it was lifted.
    pub landings: u32,
    /// It was reported as vanished.
    pub reported: bool,
    /// Squares that it could reach in one move when it was lifted, bit n for field n.
    pub reach: u64,
    /// How many pieces of its colour had landed before it was lifted.
    pub own_landings: u32,
    /// How many pieces of the other colour had landed before it was lifted.
    pub others_landings: u32,
    /// How often a clock was pressed since.
    pub presses: u32,
    /// A clock was pressed before any other piece of its colour landed.
    pub pressed: bool,
    /// When that was, at each of the [`SIDES`] of the clock.
    pub pressed_at: [Option<Time>; 2],
    /// For each of the [`SIDES`]: the board rested after that press before any piece landed.
    pub rested: [bool; 2],
}

impl Lifted {
    /// The report of it when it has vanished.
    pub fn vanished(&self, sides: &Sides) -> Vanished {
        let Lifted { piece, home, from, at, reach, presses, pressed, .. } = *self;
        Vanished { piece, from, home, at, reach, presses, pressed, rested: self.has_rested(sides) }
    }

    /// Whether the board rested after its own clock was pressed; false while the sides are unknown.
    pub fn has_rested(&self, sides: &Sides) -> bool {
        let own = |side: Side| sides.is_white(side) == Some(is_white(self.piece));
        SIDES.into_iter().zip(self.rested).any(|(side, rested)| rested && own(side))
    }

    /// Its type and home, which determine its moves.
    pub fn walker(&self) -> Walker {
        Walker { piece: self.piece, home: self.home }
    }
}

/// A piece that was lifted and did not come down while the game went on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Vanished {
    /// Its type.
    pub piece: Piece,
    /// The square it left.
    pub from: Square,
    /// The square on which it began its game.
    pub home: Option<Square>,
    /// When it was lifted.
    pub at: Option<Time>,
    /// Squares that it could reach in one move then, bit n for field n.
    pub reach: u64,
    /// How often a clock was pressed between then and this report.
    pub presses: u32,
    /// A clock was pressed before any other piece of its colour landed: it had been moved.
    pub pressed: bool,
    /// Its own clock was pressed and the board then rested before a piece of the other colour landed: it stood on a square and
    /// had not been captured.
    pub rested: bool,
}

impl Vanished {
    /// Its type and home, which determine its moves.
    pub fn walker(&self) -> Walker {
        Walker { piece: self.piece, home: self.home }
    }
}

/// A piece that was lifted on one square and landed on another.
#[derive(Debug, Clone, Copy)]
pub struct Journey {
    /// The piece, and the square it left.
    pub piece: Vanished,
    /// Where it landed.
    pub to: Square,
    /// It had been reported as vanished.
    pub reported: bool,
    /// No other piece landed and no clock was pressed in between.
    pub at_once: bool,
    /// It can have gone there in one move, so recently that it may have stood there off its centre until it was read.
    pub read_late: bool,
}
