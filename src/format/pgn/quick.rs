//! The lines that [`super::Json`] writes for plies with nothing but names and clocks, read back by their shape.
//!
//! A reader of records may be given any JSON; this one knows a single spelling and leaves all others to the
//! general one. It is there for speed: from-pgn into to-pgn is mostly such lines, and to-pgn would take 2.7 times as
//! long without it (1.6 times for games with many comments).

use crate::{
    format::words::all,
    record::{Move, Seconds},
};

/// A ply of a game that a reader of files told.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct QuickPly<'a> {
    /// The number of the game.
    pub game: u32,
    /// The ply.
    pub ply: u32,
    /// The move in SAN.
    pub san: &'a str,
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
        Move { ply: Some(ply), san: Some(san.to_owned()), seconds, elapsed, ..Move::default() }
    }
}

/// Reads such a line; none means no more than that it is another.
pub fn quick(line: &[u8]) -> Option<QuickPly<'_>> {
    // Of escapes, of what must be escaped and of what may be no UTF-8, the general reader knows more.
    if !all(line, |b| (b' '..=b'~').contains(&b) & (b != b'\\')) {
        return None;
    }
    let rest = line.strip_prefix(b"{\"type\":\"move\",\"game\":")?;
    let (game, rest) = number(rest)?;
    let fields = rest.strip_prefix(b",")?;
    let (ply, rest) = number(fields.strip_prefix(b"\"ply\":")?)?;
    let (san, rest) = string(rest.strip_prefix(b",\"san\":\"")?)?;
    let (_, rest) = string(rest.strip_prefix(b",\"uci\":\"")?)?;
    let (fen, rest) = string(rest.strip_prefix(b",\"fen\":\"")?)?;
    let (seconds, rest) = seconds(rest, b",\"seconds\":")?;
    let (elapsed, rest) = self::seconds(rest, b",\"elapsed\":")?;
    let whole = rest == b"}" && !san.is_empty() && !fen.is_empty() && ply > 0;
    whole.then_some(QuickPly { game, ply, san: std::str::from_utf8(san).ok()?, seconds, elapsed, fields })
}

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

/// What stands before the closing quote, and what follows it.
fn string(text: &[u8]) -> Option<(&[u8], &[u8])> {
    // Most are short: a search in blocks is for the others.
    let begin = &text[..text.len().min(8)];
    let end = begin.iter().position(|&b| b == b'"').or_else(|| memchr::memchr(b'"', text))?;
    Some((&text[..end], &text[end + 1..]))
}

fn seconds<'a>(text: &'a [u8], name: &[u8]) -> Option<(Option<Seconds>, &'a [u8])> {
    match text.strip_prefix(name) {
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
        assert_eq!((ply.game, Some(ply.ply), Some(ply.san)), (record.game, m.ply, m.san.as_deref()));
        assert_eq!((ply.seconds, ply.elapsed), (m.seconds, m.elapsed));
        assert_eq!((ply.game, ply.ply, ply.san), (12, 3, "Nf3"));
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
