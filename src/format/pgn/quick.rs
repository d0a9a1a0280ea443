//! The lines that [`super::Json`] writes for plies with nothing but names and clocks, read back by their shape.
//!
//! A reader of records accepts any JSON; this one accepts a single spelling and leaves all others to the general
//! reader. It is there for speed: most lines from from-pgn into to-pgn are such lines, and to-pgn would take 2.7 times
//! as long without it (1.6 times for games with many comments).

use std::{fmt, ops::Deref};

use super::{
    eight::{self, EACH, HIGH},
    fen::text,
};
use crate::{
    format::words::all,
    record::{Move, Seconds},
};

/// A ply of a game from a reader of files.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct QuickPly<'a> {
    /// The number of the game.
    pub game: u32,
    /// The ply.
    pub ply: u32,
    /// The move in SAN: printable ASCII.
    pub san: Name,
    /// The mover's clock.
    pub seconds: Option<Seconds>,
    /// The time used.
    pub elapsed: Option<Seconds>,
    /// The line from `"ply"` on, to its closing brace: the move as JSON without its first brace.
    pub fields: &'a [u8],
}

/// The short name of a move. Its copy has a fixed size, which makes it fast.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Name {
    /// The letters, followed by zeros, and last the number of letters.
    bytes: [u8; Name::LONGEST + 1],
}

impl Name {
    /// The number of letters.
    const LONGEST: usize = 15;

    /// The name that a text begins with, which ends at a quote; and the rest.
    #[inline(always)]
    fn at_begin(text: &[u8]) -> Option<(Name, &[u8])> {
        let bytes = text.first_chunk::<16>()?;
        let (first, last) =
            (u64::from_le_bytes(*bytes.first_chunk()?), u64::from_le_bytes(*bytes.last_chunk()?));
        let length = match (not_plain(first), not_plain(last)) {
            (0, 0) => return None,
            (0, at) => 8 + eight::first(at),
            (at, _) => eight::first(at),
        };
        let kept = u128::from_le_bytes(*bytes) & ((1 << (8 * length)) - 1);
        let bytes = (kept | ((length as u128) << (8 * Name::LONGEST))).to_le_bytes();
        (text[length] == b'"').then(|| (Name { bytes }, &text[length + 1..]))
    }

    /// Its letters, the first in the lowest byte and followed by zeros, and their number.
    #[inline(always)]
    pub(super) fn letters(&self) -> (u128, u8) {
        let [.., length] = self.bytes;
        ((u128::from_le_bytes(self.bytes) << 8) >> 8, length)
    }
}

impl Deref for Name {
    type Target = [u8];

    #[inline(always)]
    fn deref(&self) -> &[u8] {
        let [letters @ .., length] = &self.bytes;
        &letters[..usize::from(*length).min(Name::LONGEST)]
    }
}

impl fmt::Debug for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{}\"", self.escape_ascii())
    }
}

/// The high bits of those of eight bytes, the first in the lowest place, that are not plain. The bit may also be set
/// for a plain byte after the first such byte.
#[inline(always)]
fn not_plain(bytes: u64) -> u64 {
    // A byte with its high bit set is not plain.
    let is = |byte| eight::is(bytes, byte);
    (bytes & HIGH) | eight::below(bytes, b' ') | is(b'"') | is(b'\\') | is(0x7f)
}

impl QuickPly<'_> {
    /// The position after it.
    pub fn fen(&self) -> &str {
        fen_in(self.fields)
    }
}

/// The position in a move's JSON: the first field of this name, whose value contains no escapes.
pub(in crate::format) fn fen_in(fields: &[u8]) -> &str {
    const NAME: &[u8] = b"\"fen\":\"";
    let fen = memchr::memmem::find(fields, NAME).map_or(&fields[..0], |at| &fields[at + NAME.len()..]);
    str::from_utf8(fen.split(|byte| *byte == b'"').next().unwrap_or_default()).unwrap_or_default()
}

/// The data of the ply that a writer of moves needs.
impl From<QuickPly<'_>> for Move {
    fn from(QuickPly { ply, san, seconds, elapsed, .. }: QuickPly<'_>) -> Move {
        Move { ply: Some(ply), san: Some(text(&san)), seconds, elapsed, ..Move::default() }
    }
}

/// Reads such a line; none means only that it is another kind of line.
#[inline(always)]
pub fn quick(line: &[u8]) -> Option<QuickPly<'_>> {
    let (game, rest) = number(behind(line, b"{\"type\":\"move\",\"game\":")?)?;
    let fields = behind(rest, b",")?;
    let (ply, rest) = number(behind(fields, b"\"ply\":")?)?;
    let (san, rest) = Name::at_begin(behind(rest, b",\"san\":\"")?)?;
    let (_, rest) = Name::at_begin(behind(rest, b",\"uci\":\"")?)?;
    let rest = behind(rest, b",\"fen\":\"")?;
    // If nothing follows the FEN, its end is not searched.
    let (fen, rest) = match rest.strip_suffix(b"\"}") {
        Some(fen) if all(fen, is_plain) => (fen, &rest[fen.len() + 1..]),
        _ => {
            let (fen, rest) = rest.split_at(memchr::memchr(b'"', rest)?);
            (all(fen, is_plain).then_some(fen)?, &rest[1..])
        }
    };
    let (seconds, rest) = seconds(rest, b",\"seconds\":")?;
    let (elapsed, rest) = self::seconds(rest, b",\"elapsed\":")?;
    let whole = rest == b"}" && !san.is_empty() && !fen.is_empty() && ply > 0;
    whole.then_some(QuickPly { game, ply, san, seconds, elapsed, fields })
}

/// Escapes, characters that must be escaped and bytes that may not be UTF-8 are left to the general reader.
#[inline(always)]
fn is_plain(b: u8) -> bool {
    (b' '..=b'~').contains(&b) & (b != b'"') & (b != b'\\')
}

/// The text after this prefix.
#[inline(always)]
fn behind<'a, const N: usize>(text: &'a [u8], begin: &[u8; N]) -> Option<&'a [u8]> {
    text.split_first_chunk().and_then(|(first, rest)| (first == begin).then_some(rest))
}

/// The number that a text begins with: of up to seven digits, as nearly all games have. Eight bytes are tested in one
/// step.
#[inline(always)]
fn number(text: &[u8]) -> Option<(u32, &[u8])> {
    let eight = text.first_chunk().map_or_else(|| with_zeros(text), |eight| *eight);
    let digits = u64::from_le_bytes(eight) ^ (EACH * u64::from(b'0'));
    let others = (digits.wrapping_add(EACH * 0x76) | digits) & HIGH;
    let length = eight::first(others);
    if !(1..8).contains(&length) || (length > 1 && eight[0] == b'0') {
        return None;
    }
    // With leading zeros there are eight digits, which are added in pairs, fours and eights.
    let digits = digits << (64 - 8 * length);
    let pairs = (digits * 10 + (digits >> 8)) & 0x00ff_00ff_00ff_00ff;
    let fours = (pairs * 100 + (pairs >> 16)) & 0x0000_ffff_0000_ffff;
    let number = fours * 10_000 + (fours >> 32);
    Some((number as u32, &text[length..]))
}

/// A text of less than eight bytes, followed by zeros.
#[cold]
fn with_zeros(text: &[u8]) -> [u8; 8] {
    std::array::from_fn(|at| text.get(at).copied().unwrap_or(0))
}

#[inline(always)]
fn seconds<'a, const N: usize>(text: &'a [u8], name: &[u8; N]) -> Option<(Option<Seconds>, &'a [u8])> {
    match behind(text, name) {
        // A fraction is left to the general reader.
        Some(value) => number(value).map(|(n, rest)| (Some(Seconds(n.into())), rest)),
        None => Some((None, text)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{GameEvent, Record, parse};

    #[test]
    fn reading_by_shape_agrees_with_parsing() {
        let line = r#"{"type":"move","game":12,"ply":3,"san":"Nf3","uci":"g1f3","fen":"x w","seconds":59,"elapsed":0}"#;
        let ply = quick(line.as_bytes()).unwrap();
        let Record::Game(record) = parse(line.as_bytes()).unwrap() else { panic!() };
        let GameEvent::Move(m) = record.event else { panic!() };
        assert_eq!((ply.game, Some(ply.ply), Some(text(&ply.san))), (record.game, m.ply, m.san));
        assert_eq!((ply.seconds, ply.elapsed), (m.seconds, m.elapsed));
        assert_eq!((ply.game, ply.ply, &*ply.san), (12, 3, &b"Nf3"[..]));
    }

    #[test]
    fn a_name_ends_at_its_quote() {
        for length in 0..=20 {
            let name = "Nbxd2+abcdefghijklmno".get(..length).unwrap();
            let text = format!("{name}\",\"uci\":\"e2e4\",\"fen\":\"");
            match Name::at_begin(text.as_bytes()) {
                Some((read, rest)) => {
                    assert_eq!((&*read, rest), (name.as_bytes(), &text.as_bytes()[length + 1..]));
                    let (letters, length) = read.letters();
                    assert_eq!(&letters.to_le_bytes()[..length.into()], name.as_bytes());
                    assert_eq!(letters >> (8 * length), 0, "zeros behind them");
                }
                None => assert!(length > Name::LONGEST, "{name}"),
            }
        }
        for byte in 0..=255 {
            for at in 0..9 {
                let mut text = *b"abcdefghij\",\"uci\":";
                text[at] = byte;
                let plain = matches!(byte, b' '..=b'~') && byte != b'"' && byte != b'\\';
                let expected = match byte {
                    b'"' => Some(at),
                    _ if plain => Some(10),
                    _ => None,
                };
                assert_eq!(Name::at_begin(&text).map(|(name, _)| name.len()), expected, "{byte} at {at}");
            }
        }
    }

    #[test]
    fn a_number_is_read_whatever_follows_it() {
        for expected in [0, 1, 9, 10, 99, 100, 12_345, 999_999, 1_000_000, 9_999_999] {
            for behind in [",\"ply\":1", "}       ", "/:\u{ff}\u{0}....", "é.......", "}", ""] {
                let text = format!("{expected}{behind}");
                assert_eq!(number(text.as_bytes()), Some((expected, behind.as_bytes())), "{text}");
            }
        }
        for text in ["10000000,\"ply", "00,\"ply\":", "01,\"ply\":", ",\"ply\":12", "-1,\"ply\":", "", "}"] {
            assert_eq!(number(text.as_bytes()), None, "{text}");
        }
    }

    #[test]
    fn other_spellings_are_left_to_the_parser() {
        for line in [
            r#"{"type":"move","game":1,"ply":3,"san":"Nf3","uci":"g1f3","fen":"x","comment":"a"}"#,
            r#"{"type":"move","game":1,"ply":3,"san":"N\u0066","uci":"g1f3","fen":"x"}"#,
            r#"{"type":"move","game":1,"ply":3,"san":"Nf3","uci":"g1f3","fen":"x","seconds":1.5}"#,
            r#"{"type":"move","game":1,"ply":3,"san":"Nf3","uci":"g1f3","fen":"x"} "#,
            r#"{"type":"move","game":1,"ply":0,"san":"Nf3","uci":"g1f3","fen":"x"}"#,
            r#"{"type":"move","board":7,"game":1,"ply":3,"san":"Nf3","uci":"g1f3","fen":"x"}"#,
            r#"{"type":"move","game":01,"ply":3,"san":"Nf3","uci":"g1f3","fen":"x"}"#,
            r#"{"type":"move","game":1,"ply":3,"san":"Nf3","uci":"g1f3","fen":"x""#,
        ] {
            assert_eq!(quick(line.as_bytes()), None, "{line}");
        }
    }
}
