//! A game to be played on a board: the squares that each ply touches, and the clock after it.
//!
//! Squares are in the players' view (White sits at rank 1); they are converted for a turned board. [`chess`] plans games of
//! chess, [`russian`] those of draughts.

pub mod chess;
pub mod russian;

use crate::record::{Outcome, Piece, Placement, Square};

/// A game to be played.
#[derive(Debug, Clone)]
pub struct PlannedGame {
    /// The start position as a FEN.
    pub fen: String,
    /// Its pieces.
    pub start: Placement,
    /// The plies in order.
    pub plies: Vec<PlannedPly>,
    /// How it ends; none for `*`.
    pub result: Option<Outcome>,
    /// Base time and increment in seconds, where known.
    pub control: Option<(f64, f64)>,
    /// Whether the loser's flag falls at the end.
    pub flag: bool,
}

/// A square and where its piece goes.
pub type FromTo = (Square, Square);

/// One ply: all squares it touches.
#[derive(Debug, Clone)]
pub struct PlannedPly {
    /// Its name in records: UCI, castling as e1g1, in Chess960 the king takes its rook; in draughts the whole path.
    pub name: String,
    /// Whether White plays it.
    pub white: bool,
    /// The piece that moves; in castling the king.
    pub piece: Piece,
    /// Its square before.
    pub from: Square,
    /// Its square after.
    pub to: Square,
    /// The square of a captured piece; other than `to` only en passant. None in draughts.
    pub victim: Option<Square>,
    /// In draughts the captures in order.
    pub jumps: Vec<Jump>,
    /// In castling, the rook's squares before and after.
    pub rook: Option<(Square, Square)>,
    /// The piece that replaces a pawn; none for a man of draughts that is crowned and not replaced.
    pub promotion: Option<Piece>,
    /// The pieces after it.
    pub after: Placement,
    /// The seconds on the mover's clock after it, increment included; none if unknown.
    pub seconds: Option<f64>,
    /// A few quiet moves that could have been tried instead, from and to.
    pub quiet_alternatives: Vec<FromTo>,
    /// A few moves of own pieces to empty squares that are against the rules.
    pub illegal_alternatives: Vec<FromTo>,
}

/// A capture of draughts, or one of several in a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Jump {
    /// The square of the captured piece.
    pub over: Square,
    /// Where the captor lands.
    pub to: Square,
}

impl PlannedGame {
    /// A game without plies.
    fn new(fen: String, start: Placement) -> PlannedGame {
        PlannedGame { fen, start, plies: Vec::new(), result: None, control: None, flag: false }
    }

    /// The game with its result and time control, if known; `flag`: the loser ran out of time.
    fn ended(self, result: Option<Outcome>, control: Option<(f64, f64)>, flag: bool) -> PlannedGame {
        // If the base time is unknown, the first times on the clocks are close to it.
        let shown = self.plies.iter().take(2).filter_map(|ply| ply.seconds).reduce(f64::max);
        PlannedGame { result, control: control.or(shown.map(|base| (base, 0.0))), flag, ..self }
    }

    /// The pieces after `plies` plies.
    pub fn after(&self, plies: usize) -> Placement {
        match plies.checked_sub(1).and_then(|n| self.plies.get(n)) {
            Some(ply) => ply.after,
            None => self.start,
        }
    }

    /// The pieces at the end.
    pub fn last(&self) -> Placement {
        self.after(self.plies.len())
    }
}

/// Up to four of these moves, chosen by a hash of the position, so that a plan does not depend on the seed.
fn four_of(moves: &[FromTo], hash: usize) -> Vec<FromTo> {
    let n = moves.len().min(4);
    (0..n).map(|i| moves[(hash % moves.len() + i * moves.len() / n) % moves.len()]).collect()
}
