//! Sets of squares of a board: bit n for field n.

use crate::record::Square;

/// The set of these squares.
pub fn set_of(squares: impl IntoIterator<Item = Square>) -> u64 {
    squares.into_iter().fold(0, |set, square| set | 1 << square.field())
}

/// The squares of a set, in field order.
pub fn all_of(mut set: u64) -> impl Iterator<Item = Square> {
    std::iter::from_fn(move || {
        let first = Square::from_field(set.trailing_zeros() as u8)?;
        set &= set - 1;
        Some(first)
    })
}

/// Whether a square is in a set.
pub fn holds(set: u64, square: Square) -> bool {
    set >> square.field() & 1 == 1
}
