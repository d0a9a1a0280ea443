//! The lines that [`super::Json`] writes for plies with nothing but names and clocks, read back by their shape.
//!
//! A reader of records may be given any JSON; this one knows a single spelling and leaves all others to the
//! general one. It is there for speed: from-pgn into to-pgn is mostly such lines, and to-pgn would take 2.7 times as
//! long without it (1.6 times for games with many comments).

use super::fen::text;
use crate::{
    format::words::all,
    record::{Move, Seconds},
};

/// No name of a move is longer, with its closing quote.
const LONGEST_NAME: usize = 16;

/// A ply of a game that a reader of files told.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct QuickPly<'a> {
    /// The number of the game.
    pub game: u32,
    /// The ply.
    pub ply: u32,
    /// The move in SAN: signs of ASCII that can be seen.
    pub san: &'a [u8],
    /// The mover's clock.
    pub seconds: Option<Seconds>,
    /// The time used.
    pub elapsed: Option<Seconds>,
    /// The line from `"ply"` on, to its closing brace: the move as JSON but for the brace it begins with.
    pub fields: &'a [u8],
}

/// What a writer of moves needs of it.
impl From<QuickPly<'_>> for Move {
    fn from(QuickPly { ply, san, seconds, elapsed, .. }: QuickPly<'_>) -> Move {
        Move { ply: Some(ply), san: Some(text(san)), seconds, elapsed, ..Move::default() }
    }
}

/// Reads such a line; none means no more than that it is another.
pub fn quick(line: &[u8]) -> Option<QuickPly<'_>> {
    let (game, rest) = number(behind(line, b"{\"type\":\"move\",\"game\":")?)?;
    let fields = behind(rest, b",")?;
    let (ply, rest) = number(behind(fields, b"\"ply\":")?)?;
    let (san, rest) = name(behind(rest, b",\"san\":\"")?)?;
    let (_, rest) = name(behind(rest, b",\"uci\":\"")?)?;
    let rest = behind(rest, b",\"fen\":\"")?;
    // Where nothing follows on the FEN its end is not looked for.
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

/// Of escapes, of what must be escaped and of what may be no UTF-8, the general reader knows more.
#[inline(always)]
fn is_plain(b: u8) -> bool {
    (b' '..=b'~').contains(&b) & (b != b'"') & (b != b'\\')
}

/// What stands behind a text that it begins with.
#[inline(always)]
fn behind<'a, const N: usize>(text: &'a [u8], begin: &[u8; N]) -> Option<&'a [u8]> {
    text.split_first_chunk().and_then(|(first, rest)| (first == begin).then_some(rest))
}

#[inline(always)]
fn number(text: &[u8]) -> Option<(u32, &[u8])> {
    let (mut number, mut length) = (0, 0);
    // Nine digits fit, and more than that is nobody's game or ply.
    while let Some(digit @ b'0'..=b'9') = text.get(length).filter(|_| length < 10) {
        number = number * 10 + u64::from(digit - b'0');
        length += 1;
    }
    let fits = (1..=9).contains(&length) && (length == 1 || text[0] != b'0');
    fits.then(|| (number as u32, &text[length..]))
}

/// The name of a move, which is short: what stands before the closing quote, and what follows it.
#[inline(always)]
fn name(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let end = text.iter().take(LONGEST_NAME).position(|&b| !is_plain(b)).filter(|&end| text[end] == b'"')?;
    Some((&text[..end], &text[end + 1..]))
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
    fn a_line_read_by_its_shape_says_what_it_says_to_all() {
        let line = r#"{"type":"move","game":12,"ply":3,"san":"Nf3","uci":"g1f3","fen":"x w","seconds":59,"elapsed":0}"#;
        let ply = quick(line.as_bytes()).unwrap();
        let Record::Game(record) = parse(line.as_bytes()).unwrap() else { panic!() };
        let GameEvent::Move(m) = record.event else { panic!() };
        assert_eq!((ply.game, Some(ply.ply), Some(text(ply.san))), (record.game, m.ply, m.san));
        assert_eq!((ply.seconds, ply.elapsed), (m.seconds, m.elapsed));
        assert_eq!((ply.game, ply.ply, ply.san), (12, 3, &b"Nf3"[..]));
    }

    #[test]
    fn every_other_spelling_is_left_to_the_general_reader() {
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
