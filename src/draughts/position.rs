//! The pieces on the board and the side to move.

use std::fmt;

use super::square::{Square, squares};
use crate::record::DRAUGHTS_MEN;

/// A side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Colour {
    /// Starts on the lower ranks and moves first.
    White,
    /// Starts on the upper ranks.
    Black,
}

/// A man or a king of either side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Piece {
    /// Its side.
    pub colour: Colour,
    /// Whether it has been crowned.
    pub king: bool,
}

/// A position. Two are equal when the same pieces stand on the same squares and the same side is to move.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Position {
    pub(super) white: u64,
    pub(super) black: u64,
    pub(super) kings: u64,
    pub(super) turn: Colour,
}

/// Why pieces make no position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum BadPosition {
    /// A game begins with twelve pieces a side, and none is ever added.
    #[error("{0} has more than twelve pieces")]
    TooMany(Colour),
    /// The man would have been crowned.
    #[error("a {0} man cannot stand on {1}: it would be a king there")]
    Uncrowned(Colour, Square),
}

impl Colour {
    /// The opponent.
    pub fn other(self) -> Colour {
        match self {
            Colour::White => Colour::Black,
            Colour::Black => Colour::White,
        }
    }

    /// The rank on which its men are crowned, as a set.
    pub(super) fn crowning_rank(self) -> u64 {
        match self {
            Colour::White => 0xff,
            Colour::Black => 0xff << 56,
        }
    }
}

impl fmt::Display for Colour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Colour::White => "white",
            Colour::Black => "black",
        })
    }
}

impl Position {
    /// Twelve men a side, White to move.
    pub fn start() -> Position {
        let [white, black] = DRAUGHTS_MEN;
        Position { white, black, kings: 0, turn: Colour::White }
    }

    /// These pieces, `turn` to move; a later piece on a square replaces an earlier one.
    pub fn new(
        pieces: impl IntoIterator<Item = (Square, Piece)>,
        turn: Colour,
    ) -> Result<Position, BadPosition> {
        let mut position = Position { white: 0, black: 0, kings: 0, turn };
        for (square, piece) in pieces {
            position.put(square, piece);
        }
        for colour in [Colour::White, Colour::Black] {
            let own = position.of(colour);
            if own.count_ones() > 12 {
                return Err(BadPosition::TooMany(colour));
            }
            if let Some(square) = squares(own & !position.kings & colour.crowning_rank()).next() {
                return Err(BadPosition::Uncrowned(colour, square));
            }
        }
        Ok(position)
    }

    fn put(&mut self, square: Square, piece: Piece) {
        let bit = square.bit();
        (self.white, self.black, self.kings) = (self.white & !bit, self.black & !bit, self.kings & !bit);
        match piece.colour {
            Colour::White => self.white |= bit,
            Colour::Black => self.black |= bit,
        }
        if piece.king {
            self.kings |= bit;
        }
    }

    /// The side to move.
    pub fn turn(&self) -> Colour {
        self.turn
    }

    /// The pieces of a side: bit n for field n.
    pub fn of(&self, colour: Colour) -> u64 {
        match colour {
            Colour::White => self.white,
            Colour::Black => self.black,
        }
    }

    /// The kings of both sides: bit n for field n.
    pub fn kings(&self) -> u64 {
        self.kings
    }

    /// All pieces: bit n for field n.
    pub fn occupied(&self) -> u64 {
        self.white | self.black
    }

    /// The piece on a square.
    pub fn get(&self, square: Square) -> Option<Piece> {
        let bit = square.bit();
        let colour = match (self.white & bit != 0, self.black & bit != 0) {
            (true, _) => Colour::White,
            (_, true) => Colour::Black,
            _ => return None,
        };
        Some(Piece { colour, king: self.kings & bit != 0 })
    }

    /// The pieces and their squares, in field order.
    pub fn pieces(&self) -> impl Iterator<Item = (Square, Piece)> + '_ {
        squares(self.occupied()).filter_map(|square| Some((square, self.get(square)?)))
    }
}

impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
