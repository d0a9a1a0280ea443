//! The small values that fields hold: times, squares, pieces, placements, results.

use std::{borrow::Cow, fmt, iter, str::FromStr};

#[cfg(test)]
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// The time at which the host received something: milliseconds since 1970-01-01 UTC.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Time(pub i64);

impl Time {
    /// Now, by the machine's clock: only for new records.
    pub fn now() -> Time {
        Time(jiff::Timestamp::now().as_millisecond())
    }

    /// Seconds from here to another time; negative to an earlier one.
    pub fn seconds_until(self, other: Time) -> f64 {
        other.0.saturating_sub(self.0) as f64 / 1000.0
    }

    /// The time this many seconds later.
    pub fn after(self, seconds: f64) -> Time {
        Time(self.0.saturating_add((seconds * 1000.0) as i64))
    }

    /// The form in which records have times.
    pub(super) const SHAPE: &[u8] = b"0000-00-00T00:00:00.000Z";

    /// The time of a text of this form, `2026-11-21T10:00:07.412Z`; none of any other form, nor outside the years 1970
    /// to 9998.
    pub(super) fn of_text(text: &[u8]) -> Option<Time> {
        let differ = Time::digits(text.try_into().ok()?)?;
        let digit = |at: usize| i64::from(differ[at]);
        let two = |at| 10 * digit(at) + digit(at + 1);
        let (year, month, day) = (100 * two(0) + two(2), two(5), two(8));
        let (hour, minute, second) = (two(11), two(14), two(17));
        let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
        let month_has = match month {
            2 => 28 + i64::from(leap),
            4 | 6 | 9 | 11 => 30,
            _ => 31,
        };
        let is_one =
            (1970..=9998).contains(&year) && (1..=12).contains(&month) && (1..=month_has).contains(&day);
        if !is_one || hour > 23 || minute > 59 || second > 59 {
            return None;
        }
        // With March as the first month of a year the leap day is its last day, and five months before it have 153
        // days.
        let (from_march, year) = ((month + 9) % 12, year - i64::from(month < 3));
        let days =
            365 * year + year / 4 - year / 100 + year / 400 + (153 * from_march + 2) / 5 + day - 719_469;
        Some(Time((((days * 24 + hour) * 60 + minute) * 60 + second) * 1000 + 10 * two(20) + digit(22)))
    }

    /// The digits of a text of this form, each in its place.
    fn digits(text: &[u8; Time::SHAPE.len()]) -> Option<[u8; Time::SHAPE.len()]> {
        // Where the form has a 0, the byte of any digit differs from it by up to 9.
        const MAY_DIFFER: [u8; Time::SHAPE.len()] = {
            let mut may_differ = [0; Time::SHAPE.len()];
            let mut at = 0;
            while at < Time::SHAPE.len() {
                if Time::SHAPE[at] == b'0' {
                    may_differ[at] = 9;
                }
                at += 1;
            }
            may_differ
        };
        // Without a branch, since every record has a time.
        let (mut differ, mut too_far) = (*text, false);
        for ((byte, shape), may) in differ.iter_mut().zip(Time::SHAPE).zip(&MAY_DIFFER) {
            *byte ^= shape;
            too_far |= *byte > *may;
        }
        (!too_far).then_some(differ)
    }

    /// The text of this time; none for years with more or fewer digits.
    pub(super) fn to_text(self) -> Option<[u8; Time::SHAPE.len()]> {
        let (days, of_day) = (self.0.div_euclid(86_400_000), self.0.rem_euclid(86_400_000));
        // The inverse of `of_text`: days since March 1 of the year 0, in spans of 400 years and 146,097 days.
        let since = days + 719_468;
        let (span, day) = (since.div_euclid(146_097), since.rem_euclid(146_097));
        let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
        let day = day - (365 * year + year / 4 - year / 100);
        let from_march = (5 * day + 2) / 153;
        let month = if from_march < 10 { from_march + 3 } else { from_march - 9 };
        let year = span * 400 + year + i64::from(month < 3);
        if !(1000..=9999).contains(&year) {
            return None;
        }
        let mut text = [0; Time::SHAPE.len()];
        text.copy_from_slice(Time::SHAPE);
        let mut put = |at: std::ops::Range<usize>, mut number: i64| {
            for digit in text[at].iter_mut().rev() {
                *digit = b'0' + (number % 10) as u8;
                number /= 10;
            }
        };
        put(0..4, year);
        put(5..7, month);
        put(8..10, day - (153 * from_march + 2) / 5 + 1);
        put(11..13, of_day / 3_600_000);
        put(14..16, of_day / 60_000 % 60);
        put(17..19, of_day / 1000 % 60);
        put(20..23, of_day % 1000);
        Some(text)
    }

    /// `20261121T100000`, for names.
    pub fn compact(self) -> String {
        self.to_string().chars().filter(|c| c.is_ascii_digit() || *c == 'T').take(15).collect()
    }
}

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(text) = self.to_text() {
            return f.write_str(str::from_utf8(&text).unwrap_or_default());
        }
        match jiff::Timestamp::from_millisecond(self.0) {
            Ok(stamp) => write!(f, "{stamp:.3}"),
            Err(_) => f.write_str("1970-01-01T00:00:00.000Z"),
        }
    }
}

impl FromStr for Time {
    type Err = &'static str;

    fn from_str(s: &str) -> Result<Time, Self::Err> {
        if let Some(time) = Time::of_text(s.as_bytes()) {
            return Ok(time);
        }
        let stamp: jiff::Timestamp = s.parse().map_err(|_| "not a time as RFC 3339 has it")?;
        Ok(Time(stamp.as_millisecond()))
    }
}

/// A square by the board's own numbering: field 0 is a8, 7 is h8, 63 is h1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

impl Square {
    /// All 64, in field order.
    pub fn all() -> impl DoubleEndedIterator<Item = Square> {
        (0..64).map(Square)
    }

    /// The square with this field number, 0 to 63.
    pub fn from_field(field: u8) -> Option<Square> {
        (field < 64).then_some(Square(field))
    }

    /// Field number, 0 to 63.
    pub fn field(self) -> u8 {
        self.0
    }

    /// Its name, "a1" to "h8".
    pub fn text(self) -> &'static str {
        let at = usize::from(self.0) * 2;
        &SQUARES[at..at + 2]
    }

    pub(super) fn of_text(text: &[u8]) -> Option<Square> {
        match *text {
            [file @ b'a'..=b'h', rank @ b'1'..=b'8'] => Some(Square((b'8' - rank) * 8 + (file - b'a'))),
            _ => None,
        }
    }

    /// The square that has this place on a board turned by 180°.
    pub fn turned(self) -> Square {
        Square(63 - self.0)
    }
}

/// The names of the squares in field order, two letters each.
const SQUARES: &str = "a8b8c8d8e8f8g8h8a7b7c7d7e7f7g7h7a6b6c6d6e6f6g6h6a5b5c5d5e5f5g5h5\
                       a4b4c4d4e4f4g4h4a3b3c3d3e3f3g3h3a2b2c2d2e2f2g2h2a1b1c1d1e1f1g1h1";

impl FromStr for Square {
    type Err = &'static str;

    fn from_str(s: &str) -> Result<Square, Self::Err> {
        Square::of_text(s.as_bytes()).ok_or("not a square from a1 to h8")
    }
}

/// What a board detects on a square: the codes 01 to 0f of DGT's protocol, and 10 for a piece whose kind is not known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Piece(u8);

/// The FEN letters in the order of the codes, from 0, an empty square.
const LETTERS: &str = " PRNBKQprnbkq   ?";

/// The codes of letters, 0 for others.
const CODES: [u8; 256] = {
    let mut codes = [0; 256];
    let mut code = 1;
    while code < LETTERS.len() {
        codes[LETTERS.as_bytes()[code] as usize] = code as u8;
        code += 1;
    }
    codes[b' ' as usize] = 0;
    codes
};

/// The code of a piece that a board sees and cannot name.
const UNKNOWN: u8 = 0x10;

/// The results: those that pieces announce, in the order of their codes, then those that only an arbiter gives.
const RESULTS: [Outcome; 6] = [
    Outcome::Draw,
    Outcome::WhiteWins,
    Outcome::BlackWins,
    Outcome::BothLose,
    Outcome::HalfToWhite,
    Outcome::HalfToBlack,
];

/// The code of the first result piece.
const FIRST_RESULT: u8 = 0x0d;

impl Piece {
    /// A piece that its board cannot name, `?`: what stands there is no piece of a FEN, and not nothing.
    pub const UNKNOWN: Piece = Piece(UNKNOWN);

    /// The piece with this code, 1 to 16.
    pub fn from_code(code: u8) -> Option<Piece> {
        (1..=UNKNOWN).contains(&code).then_some(Piece(code))
    }

    /// The piece with this FEN letter, or `?`.
    pub fn from_letter(letter: u8) -> Option<Piece> {
        Some(CODES[usize::from(letter)]).filter(|&code| code != 0).map(Piece)
    }

    pub(super) fn of_text(text: &[u8]) -> Option<Piece> {
        let is_result = |code: &u8| RESULTS[usize::from(code - FIRST_RESULT)].text().as_bytes() == text;
        match *text {
            [letter] => Piece::from_letter(letter),
            _ => (FIRST_RESULT..=15).find(is_result).map(Piece),
        }
    }

    /// The protocol's code, 1 to 15, or 16 of an unknown piece.
    pub fn code(self) -> u8 {
        self.0
    }

    /// The FEN letter, or `?`; a result piece has none.
    pub fn letter(self) -> Option<char> {
        LETTERS.as_bytes().get(self.0 as usize).map(|&l| l as char).filter(|&letter| letter != ' ')
    }

    /// The text in records: the FEN letter, `?`, or the result of a result piece.
    pub fn text(self) -> &'static str {
        let code = usize::from(self.0);
        self.outcome().map_or_else(|| &LETTERS[code..code + 1], Outcome::text)
    }

    /// The result that a result piece announces (codes 0d to 0f).
    pub fn outcome(self) -> Option<Outcome> {
        let result = self.0.checked_sub(FIRST_RESULT).filter(|_| self.0 < UNKNOWN)?;
        RESULTS.get(usize::from(result)).copied()
    }
}

impl FromStr for Piece {
    type Err = &'static str;

    fn from_str(s: &str) -> Result<Piece, Self::Err> {
        Piece::of_text(s.as_bytes()).ok_or("not a piece letter or a result")
    }
}

/// A result of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// 1-0
    WhiteWins,
    /// 0-1
    BlackWins,
    /// 1/2-1/2
    Draw,
    /// 0-0: both have lost.
    BothLose,
    /// 1/2-0: White has half a point, Black has lost.
    HalfToWhite,
    /// 0-1/2: Black has half a point, White has lost.
    HalfToBlack,
}

impl Outcome {
    /// The text in PGN.
    pub fn text(self) -> &'static str {
        match self {
            Outcome::WhiteWins => "1-0",
            Outcome::BlackWins => "0-1",
            Outcome::Draw => "1/2-1/2",
            Outcome::BothLose => "0-0",
            Outcome::HalfToWhite => "1/2-0",
            Outcome::HalfToBlack => "0-1/2",
        }
    }
}

impl FromStr for Outcome {
    type Err = &'static str;

    fn from_str(s: &str) -> Result<Outcome, Self::Err> {
        RESULTS
            .into_iter()
            .find(|result| result.text() == s)
            .ok_or("not 1-0, 0-1, 1/2-1/2, 0-0, 1/2-0 or 0-1/2")
    }
}

/// The pieces on the 64 squares, without result pieces.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Placement([u8; 64]);

impl Placement {
    /// No piece at all.
    pub const EMPTY: Placement = Placement([0; 64]);

    /// From 64 codes in field order: 0 for an empty square; any code that is neither a FEN piece nor an unknown one counts as
    /// empty.
    pub fn from_codes(codes: [u8; 64]) -> Placement {
        Placement(codes.map(standing))
    }

    /// The placement with other codes on some fields, each as in [`Placement::from_codes`].
    pub fn changed(&self, changes: impl Iterator<Item = (u8, u8)>) -> Placement {
        let mut codes = self.0;
        for (field, code) in changes {
            codes[field as usize] = standing(code);
        }
        Placement(codes)
    }

    /// The codes in field order, 0 for an empty square, else 1 to 12, or 16 for an unknown piece.
    pub fn codes(&self) -> &[u8; 64] {
        &self.0
    }

    /// The piece on a square.
    pub fn get(&self, square: Square) -> Option<Piece> {
        Piece::from_code(self.0[square.0 as usize])
    }

    /// Puts a piece on a square, or empties it; a result piece empties it.
    pub fn set(&mut self, square: Square, piece: Option<Piece>) {
        self.0[square.0 as usize] = piece.map_or(0, |piece| standing(piece.0));
    }

    /// The same board seen from the other side.
    pub fn turned(&self) -> Placement {
        let mut codes = self.0;
        codes.reverse();
        Placement(codes)
    }

    /// The placement of a chess FEN; none if it has none.
    pub fn of_fen(fen: &str) -> Option<Placement> {
        let end = fen.bytes().position(|letter| letter == b' ').unwrap_or(fen.len());
        fen[..end].parse().ok()
    }

    /// The squares with a piece, bit n for field n.
    pub fn occupied(&self) -> u64 {
        fields_that_differ(&self.0, &[0; 64])
    }

    /// The squares with a piece of White.
    pub fn white(&self) -> u64 {
        fields_where(|field| (1..=6).contains(&self.0[field]))
    }

    /// The squares on which two placements differ.
    pub fn differing(&self, other: &Placement) -> impl Iterator<Item = Square> {
        let mut left = fields_that_differ(&self.0, &other.0);
        iter::from_fn(move || {
            let square = (left != 0).then(|| Square(left.trailing_zeros() as u8))?;
            left &= left - 1;
            Some(square)
        })
    }

    /// The number of pieces.
    pub fn count(&self) -> usize {
        self.0.iter().filter(|&&code| code != 0).count()
    }
}

/// The fields on which two boards have different codes, bit n for field n.
pub fn fields_that_differ(one: &[u8; 64], other: &[u8; 64]) -> u64 {
    // A row at a time, since this runs at every change: of all bytes only 0 stays below 80 when 7f is added. The first
    // row becomes the lowest bit of each byte, and the last the highest.
    const MOST: u64 = 0x7f7f_7f7f_7f7f_7f7f;
    let [one, other] = [one, other].map(|board| board.as_chunks::<8>().0);
    let files = one.iter().zip(other).fold(0, |files, (one, other)| {
        let differ = u64::from_le_bytes(*one) ^ u64::from_le_bytes(*other);
        files >> 1 | (((differ & MOST) + MOST) | differ) & !MOST
    });
    // Transposes rows and files: halves, quarters and eighths of the board.
    [(28, 0xf0f0_f0f0), (14, 0xcccc_0000_cccc), (7, 0xaa_00aa_00aa_00aa)].iter().fold(
        files,
        |set, &(by, of)| {
            let moved = (set ^ set >> by) & of;
            set ^ moved ^ moved << by
        },
    )
}

/// The fields for which `is_so` holds, bit n for field n: row by row, since this runs at every change.
fn fields_where(is_so: impl Fn(usize) -> bool) -> u64 {
    let row = |first: usize| (0..8).fold(0, |set, file| set | u8::from(is_so(first + file)) << file);
    (0..64).step_by(8).rev().fold(0, |set, first| set << 8 | u64::from(row(first)))
}

/// The code of a FEN piece or of an unknown one, 0 for anything else.
fn standing(code: u8) -> u8 {
    if code <= 12 || code == UNKNOWN { code } else { 0 }
}

impl fmt::Debug for Placement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for Placement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = [0u8; 71];
        let mut n = 0;
        let mut put = |byte| {
            text[n] = byte;
            n += 1;
        };
        for (rank, row) in self.0.chunks(8).enumerate() {
            if rank > 0 {
                put(b'/');
            }
            let mut empty = 0;
            for &code in row {
                if code == 0 {
                    empty += 1;
                    continue;
                }
                if empty > 0 {
                    put(b'0' + empty);
                    empty = 0;
                }
                put(LETTERS.as_bytes()[code as usize]);
            }
            if empty > 0 {
                put(b'0' + empty);
            }
        }
        f.write_str(std::str::from_utf8(&text[..n]).expect("ASCII"))
    }
}

impl FromStr for Placement {
    type Err = &'static str;

    fn from_str(s: &str) -> Result<Placement, Self::Err> {
        const WRONG: &str = "not the piece placement of a FEN";
        let mut codes = [0; 64];
        // The next field, and the first of its row.
        let (mut at, mut row) = (0, 0);
        for letter in s.bytes() {
            match letter {
                b'/' if at == row + 8 => row = at,
                b'1'..=b'8' => at += usize::from(letter - b'0'),
                _ => {
                    *codes.get_mut(at).ok_or(WRONG)? = Piece::from_letter(letter).ok_or(WRONG)?.0;
                    at += 1;
                }
            }
            if at > row + 8 {
                return Err(WRONG);
            }
        }
        if (at, row) == (64, 56) { Ok(Placement(codes)) } else { Err(WRONG) }
    }
}

/// A side of the clock, as seen from its front; on a board that is not turned, left is White.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// The left screen.
    Left,
    /// The right screen.
    Right,
}

impl Side {
    /// The other side.
    pub fn other(self) -> Side {
        match self {
            Side::Left => Side::Right,
            Side::Right => Side::Left,
        }
    }
}

/// A number of seconds, with a fraction where the source has one; whole numbers are written as such.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Default, Deserialize)]
#[serde(transparent)]
pub struct Seconds(pub f64);

impl Serialize for Seconds {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.0.fract() == 0.0 && self.0.abs() < 1e15 {
            serializer.serialize_i64(self.0 as i64)
        } else {
            serializer.serialize_f64(self.0)
        }
    }
}

/// Values that are displayed, written and read as text: those with a `text` method, and those with a `Display` of their
/// own.
macro_rules! as_text {
    ($($constant:ident),*; $($made:ident),*) => {
        $(
            impl fmt::Display for $constant {
                fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                    f.write_str(self.text())
                }
            }

            impl Serialize for $constant {
                fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                    serializer.serialize_str(self.text())
                }
            }
        )*
        $(
            impl Serialize for $made {
                fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                    serializer.collect_str(self)
                }
            }
        )*
        as_text!(read $($constant),*, $($made),*);
    };
    (read $($name:ident),*) => {$(
        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<$name, D::Error> {
                let text = <Text<'de>>::deserialize(deserializer)?.0;
                text.parse().map_err(|e| de::Error::custom(format_args!("`{text}` is {e}")))
            }
        }
    )*};
}

/// A string that is borrowed where the input has it without escapes.
#[derive(Deserialize)]
pub(super) struct Text<'a>(#[serde(borrow)] pub Cow<'a, str>);

as_text!(Square, Piece, Outcome; Time, Placement);

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn fields_that_differ_have_different_codes(
            pairs in prop::collection::vec((0..=12u8, prop_oneof![Just(None), (0..=12u8).prop_map(Some)]), 64),
        ) {
            let board = |code: &dyn Fn(usize) -> u8| Placement::from_codes(std::array::from_fn(code));
            let one = board(&|field| pairs[field].0);
            let other = board(&|field| pairs[field].1.unwrap_or(pairs[field].0));
            let differ: Vec<u8> = (0..64).filter(|&at| one.codes()[at as usize] != other.codes()[at as usize]).collect();
            let found: Vec<u8> = one.differing(&other).map(Square::field).collect();
            prop_assert_eq!(found, differ);
            let set = (0..64).filter(|&at| one.codes()[at] != 0).fold(0u64, |set, at| set | 1 << at);
            prop_assert_eq!(one.occupied(), set);
        }
    }
}
