//! BARS: a board as eight rows of eight numbers, a game as lists of five-digit numbers.
//!
//! A number `abcyx` names a piece and its square: a is 1 for a captured piece, b is 1 for a king, c is 1 for
//! White and 2 for Black, y the row from the eighth rank down, x the file from a. A move is `[from, to]`, or
//! for a capture `[from, captured, landing, captured, … to]`.

mod parse;
mod read;

pub use read::Reader;

use serde::Serialize;

use crate::draughts::{Colour, Move, Piece, Position, Square};

/// `area_monitor`: rows from the eighth rank down, files from a: 9 a light square, 0 an empty one, 1 and 11 a
/// white man and king, 2 and 12 a black man and king.
pub type Matrix = [[u8; 8]; 8];

/// A game, or one move: the protocol's two ways to pass data.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Written<Go> {
    /// The position before the first move.
    pub area_monitor: Matrix,
    /// The moves of both sides (`Vec<Vec<u16>>`), or the one move (`Vec<u16>`).
    pub go: Go,
}

/// A position as a matrix.
pub fn matrix(position: &Position) -> Matrix {
    let mut matrix = [[9; 8]; 8];
    for square in Square::all() {
        let field = square.field() as usize;
        matrix[field / 8][field % 8] = position.get(square).map_or(0, code);
    }
    matrix
}

/// A legal move as numbers.
pub fn numbers(before: &Position, m: &Move) -> Vec<u16> {
    let colour = before.turn();
    let mut king = before.get(m.from()).is_some_and(|piece| piece.king);
    let mut captured = m.captured();
    let mut numbers = Vec::with_capacity(m.path().len() + captured.len());
    for (n, square) in m.path().enumerate() {
        if n > 0 {
            numbers.extend(captured.next().map(|at| number(true, before.get(at), at)));
        }
        king |= crowns(colour, square);
        numbers.push(number(false, Some(Piece { colour, king }), square));
    }
    numbers
}

/// Whether a man of this colour is crowned on this square.
fn crowns(colour: Colour, square: Square) -> bool {
    match colour {
        Colour::White => square.field() < 8,
        Colour::Black => square.field() >= 56,
    }
}

fn code(piece: Piece) -> u8 {
    let colour = if piece.colour == Colour::White { 1 } else { 2 };
    if piece.king { 10 + colour } else { colour }
}

fn number(captured: bool, piece: Option<Piece>, square: Square) -> u16 {
    let piece = piece.map_or(0, code);
    let field = u16::from(square.field());
    u16::from(captured) * 10_000 + u16::from(piece) * 100 + field / 8 * 10 + field % 8
}
