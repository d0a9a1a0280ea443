//! A game to be played on a board: what each ply lifts and puts down, and what the clock shows after it.
//!
//! Squares are the players' (White sits at rank 1); a board that stands turned turns them. Games of chess are
//! planned in [`chess`], those of draughts in [`russian`]; whoever has moves to be played makes a plan of them there.

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
    /// As records write it: UCI, castling as e1g1, in Chess960 the king takes its rook; of draughts the whole path.
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
    /// What a pawn becomes; none for a man of draughts that is crowned and left as it stands.
    pub promotion: Option<Piece>,
    /// The pieces after it.
    pub after: Placement,
    /// What the mover's clock shows after it, increment included; none where the game does not say.
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

    /// With its result and time control where they are known; `flag` where the loser ran out of time.
    fn ended(self, result: Option<Outcome>, control: Option<(f64, f64)>, flag: bool) -> PlannedGame {
        // A game that tells its clocks but not their base began with about what they show first.
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

/// Four of these moves at most. Which follows from a hash of the position, so that a plan is the same whatever the seed.
fn four_of(moves: &[FromTo], hash: usize) -> Vec<FromTo> {
    let n = moves.len().min(4);
    (0..n).map(|i| moves[(hash % moves.len() + i * moves.len() / n) % moves.len()]).collect()
}
