//! The 32 dark squares and their names: algebraic, and the four ways to number them.

use std::{fmt, str::FromStr};

/// The dark squares, bit n for field n: those where row and column add up to an odd number.
pub(super) const DARK: u64 = 0x55aa_55aa_55aa_55aa;

/// A dark square.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

/// The corner of square 1; the numbers run along the ranks, away from there. PDN's GameType identifies the corner as
/// White sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Numbering {
    /// 1 = a1, 32 = h8 (corner 0, bottom left).
    A1,
    /// 1 = g1, 32 = b8 (corner 1, bottom right).
    G1,
    /// 1 = b8, 32 = g1 (corner 2, top left): what nearly all programs write.
    #[default]
    B8,
    /// 1 = h8, 32 = a1 (corner 3, top right).
    H8,
}

impl Square {
    /// All 32, in field order.
    pub fn all() -> impl Iterator<Item = Square> {
        squares(DARK)
    }

    /// The square with this field number, 0 (a8) to 63 (h1); none for a light one.
    pub fn from_field(field: u8) -> Option<Square> {
        (field < 64 && DARK >> field & 1 == 1).then_some(Square(field))
    }

    /// Field number, 0 to 63.
    pub fn field(self) -> u8 {
        self.0
    }

    /// The set of this square alone.
    pub fn bit(self) -> u64 {
        1 << self.0
    }

    /// The square with this number, 1 to 32.
    pub fn from_number(number: u8, numbering: Numbering) -> Option<Square> {
        Square::all().find(|square| square.number(numbering) == number)
    }

    /// Its number, 1 to 32.
    pub fn number(self, numbering: Numbering) -> u8 {
        let (y, x) = (self.0 / 8, self.0 % 8);
        match numbering {
            Numbering::A1 => (7 - y) * 4 + x / 2 + 1,
            Numbering::G1 => (7 - y) * 4 + (7 - x) / 2 + 1,
            Numbering::B8 => y * 4 + x / 2 + 1,
            Numbering::H8 => y * 4 + (7 - x) / 2 + 1,
        }
    }
}

/// The squares of a set, in field order; light ones are skipped.
pub fn squares(set: u64) -> impl Iterator<Item = Square> {
    bits(set & DARK).map(|bit| Square(bit.trailing_zeros() as u8))
}

/// The squares of a set, each as a set of one.
pub(super) fn bits(mut set: u64) -> impl Iterator<Item = u64> {
    std::iter::from_fn(move || {
        let bit = set & set.wrapping_neg();
        set ^= bit;
        (bit != 0).then_some(bit)
    })
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", (b'a' + self.0 % 8) as char, 8 - self.0 / 8)
    }
}

impl FromStr for Square {
    type Err = &'static str;

    /// Reads `a1` to `h8`, dark squares only.
    fn from_str(s: &str) -> Result<Square, Self::Err> {
        match s.as_bytes() {
            &[file @ b'a'..=b'h', rank @ b'1'..=b'8'] => {
                Square::from_field((b'8' - rank) * 8 + (file - b'a')).ok_or("a light square")
            }
            _ => Err("not a square from a1 to h8"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn square_one_follows_the_numbering() {
        let first = |numbering| Square::from_number(1, numbering).unwrap().to_string();
        let last = |numbering| Square::from_number(32, numbering).unwrap().to_string();
        assert_eq!(
            [Numbering::A1, Numbering::G1, Numbering::B8, Numbering::H8].map(first),
            ["a1", "g1", "b8", "h8"]
        );
        assert_eq!(
            [Numbering::A1, Numbering::G1, Numbering::B8, Numbering::H8].map(last),
            ["h8", "b8", "g1", "a1"]
        );
        assert_eq!("c3".parse::<Square>().unwrap().number(Numbering::B8), 22);
        assert_eq!("d4".parse::<Square>().unwrap().number(Numbering::B8), 18);
    }

    #[test]
    fn a_dark_square_has_its_field_number() {
        assert_eq!(Square::all().count(), 32);
        assert_eq!("a1".parse::<Square>().unwrap().field(), 56);
        assert_eq!("g7".parse::<Square>().unwrap().field(), 8 + 6);
        assert_eq!("a8".parse::<Square>(), Err("a light square"));
        assert_eq!("a9".parse::<Square>(), Err("not a square from a1 to h8"));
        assert!(Square::from_field(64).is_none() && Square::from_number(33, Numbering::B8).is_none());
    }
}
