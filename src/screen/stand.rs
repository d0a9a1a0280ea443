//! What stands on a board and what should: both as the players see it, so that they can be compared and drawn.

use super::ply::Game;
use crate::{
    draughts,
    record::{Placement, Rules, Square},
    rules::{Colour, russian::sets::Set},
};

/// What stands on a square, whatever the set is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Man {
    /// Its FEN letter in lower case; of draughts `m` for a man and `d` for a king.
    pub kind: char,
    /// Whether it is White's.
    pub white: bool,
}

/// The 64 squares from a8 to h1, as the players see them.
pub type Squares = [Option<Man>; 64];

/// What a board says that stands on it, with the game that is played there.
pub fn standing(placement: &Placement, game: Option<&Game>) -> Squares {
    let turned = game.is_some_and(|game| game.start.rotated);
    let placement = if turned { placement.turned() } else { *placement };
    if game.is_none_or(|game| game.start.rules != Rules::Russian) {
        return chessmen(&placement);
    }
    let set = Set::guess(&placement);
    let man = |code: u8| {
        let kind = if set.is_king(code) == Some(true) { 'd' } else { 'm' };
        (code != 0).then(|| Man { kind, white: set.colour(code) == Colour::White })
    };
    placement.codes().map(man)
}

fn chessmen(placement: &Placement) -> Squares {
    let mut squares = [None; 64];
    for (at, square) in squares.iter_mut().zip(Square::all()) {
        let letter = placement.get(square).and_then(|piece| piece.letter());
        *at = letter
            .map(|letter| Man { kind: letter.to_ascii_lowercase(), white: letter.is_ascii_uppercase() });
    }
    squares
}

/// What should stand after so many plies of a game; none where that is not told.
pub fn expected(game: &Game, plies: usize) -> Option<Squares> {
    let fen = match plies.checked_sub(1) {
        Some(last) => &*game.moves.get(last)?.stands,
        None => &game.start.fen,
    };
    if game.start.rules != Rules::Russian {
        return Placement::of_fen(fen).map(|placement| chessmen(&placement));
    }
    let position: draughts::Position = fen.parse().ok()?;
    let mut squares = [None; 64];
    for (square, piece) in position.pieces() {
        let kind = if piece.king { 'd' } else { 'm' };
        squares[usize::from(square.field())] =
            Some(Man { kind, white: piece.colour == draughts::Colour::White });
    }
    Some(squares)
}

/// The squares on which two differ, a bit each. Draughts sets do not say for sure which man is a king.
pub fn differing(a: &Squares, b: &Squares) -> u64 {
    let same = |a: Option<Man>, b: Option<Man>| match (a, b) {
        (Some(a), Some(b)) if "md".contains(a.kind) && "md".contains(b.kind) => a.white == b.white,
        (a, b) => a == b,
    };
    let differs = (0..64).filter(|&at| !same(a[at], b[at]));
    differs.fold(0, |squares, at| squares | 1 << at)
}

/// The squares that the last of so many plies of a game left and reached, a bit each.
pub fn moved(game: &Game, plies: usize) -> u64 {
    plies.checked_sub(1).and_then(|last| game.moves.get(last)).map_or(0, |ply| ply.moved)
}
