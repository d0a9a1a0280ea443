//! Writes changes of squares and moves of chess field by field, with the same result as serialising them, in a third of
//! the time. Most records of `decode` and `reconstruct` are such.
//!
//! All others are serialised: moves of files with comments or variations, moves of draughts, and text that JSON has to
//! escape.

use serde::Serialize;

use super::{
    board::{BoardEvent, BoardRecord, Change},
    game::{GameEvent, GameRecord, Move},
    value::Time,
};

/// Writes a record as JSON without a line end; none where it does not have this shape, and then the text written is
/// incomplete.
pub(super) type Writer<R> = fn(&R, &mut Vec<u8>) -> Option<()>;

/// Writes a change.
pub(super) fn change(record: &BoardRecord, line: &mut Vec<u8>) -> Option<()> {
    let BoardRecord { time, line: name, board, seq, event: BoardEvent::Change(change) } = record else {
        return None;
    };
    let Change { square, piece, quick } = change;
    let mut fields = Fields::begin(line, br#"{"type":"change""#, *time, name.as_deref(), *board)?;
    fields.name("square");
    fields.quoted(square.text().as_bytes());
    fields.name("piece");
    match piece {
        Some(piece) => fields.quoted(piece.text().as_bytes()),
        None => fields.0.extend_from_slice(b"null"),
    }
    if let Some(quick) = quick {
        fields.name("quick");
        fields.0.extend_from_slice(if *quick { b"true" } else { b"false" });
    }
    fields.number("seq", *seq);
    fields.0.push(b'}');
    Some(())
}

/// Writes a move.
pub(super) fn mv(record: &GameRecord, line: &mut Vec<u8>) -> Option<()> {
    let GameRecord { time, line: name, board, game, event: GameEvent::Move(mv), seq } = record else {
        return None;
    };
    let Move {
        ply,
        san,
        uci,
        notation: None,
        path,
        captured,
        fen,
        seconds,
        elapsed: None,
        guess,
        claim,
        nags,
        comment_before: None,
        comment: None,
        comment_after: None,
        variations,
        certainty,
        alternatives,
        explain: None,
    } = &**mv
    else {
        return None;
    };
    let is_bare = path.is_empty() && captured.is_empty() && nags.is_empty() && variations.is_empty();
    if fen.is_empty() || !is_bare {
        return None;
    }
    let mut fields = Fields::begin(line, br#"{"type":"move""#, *time, name.as_deref(), *board)?;
    fields.number("game", Some(u64::from(*game)));
    fields.number("ply", ply.map(u64::from));
    fields.words("san", san.as_deref())?;
    fields.words("uci", uci.as_deref())?;
    fields.words("fen", Some(fen))?;
    match seconds {
        Some(seconds) if seconds.0.fract() == 0.0 && (0.0..1e15).contains(&seconds.0) => {
            fields.number("seconds", Some(seconds.0 as u64));
        }
        seconds => fields.json("seconds", seconds.as_ref())?,
    }
    if *guess {
        fields.json("guess", Some(guess))?;
    }
    fields.words("claim", claim.as_deref())?;
    fields.json("certainty", certainty.as_ref())?;
    fields.json("alternatives", Some(alternatives).filter(|alternatives| !alternatives.is_empty()))?;
    fields.number("seq", *seq);
    fields.0.push(b'}');
    Some(())
}

/// The fields of an object; fields without a value are left out.
struct Fields<'a>(&'a mut Vec<u8>);

impl<'a> Fields<'a> {
    /// The fields common to all records, after the type.
    fn begin(
        line: &'a mut Vec<u8>,
        of_type: &[u8],
        time: Option<Time>,
        name: Option<&str>,
        board: Option<u16>,
    ) -> Option<Fields<'a>> {
        let mut fields = Fields(line);
        fields.0.extend_from_slice(of_type);
        if let Some(time) = time {
            fields.name("time");
            fields.quoted(&time.to_text()?);
        }
        fields.words("line", name)?;
        fields.number("board", board.map(u64::from));
        Some(fields)
    }

    fn name(&mut self, name: &str) {
        for part in [",\"", name, "\":"] {
            self.0.extend_from_slice(part.as_bytes());
        }
    }

    /// Text that JSON does not escape.
    fn quoted(&mut self, text: &[u8]) {
        self.0.push(b'"');
        self.0.extend_from_slice(text);
        self.0.push(b'"');
    }

    /// Returns none for text that JSON has to escape.
    fn words(&mut self, name: &str, words: Option<&str>) -> Option<()> {
        let Some(words) = words else { return Some(()) };
        let plain = |&byte: &u8| (byte >= b' ') & (byte != b'"') & (byte != b'\\');
        if !words.as_bytes().iter().all(plain) {
            return None;
        }
        self.name(name);
        self.quoted(words.as_bytes());
        Some(())
    }

    fn number(&mut self, name: &str, number: Option<u64>) {
        let Some(mut number) = number else { return };
        self.name(name);
        let (mut digits, mut first) = ([0; 20], 20);
        loop {
            first -= 1;
            digits[first] = b'0' + (number % 10) as u8;
            number /= 10;
            if number == 0 {
                break;
            }
        }
        self.0.extend_from_slice(&digits[first..]);
    }

    fn json(&mut self, name: &str, value: Option<&impl Serialize>) -> Option<()> {
        let Some(value) = value else { return Some(()) };
        self.name(name);
        serde_json::to_writer(&mut *self.0, value).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{Record, parse};

    #[test]
    fn quick_writers_agree_with_serialising() {
        let plain = r#"{"type":"move","time":"2026-11-21T10:00:07.412Z","line":"hall-1","board":1025,"game":1,"ply":1,"san":"e4","uci":"e2e4","fen":"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1","seconds":5393,"guess":true,"claim":"threefold","certainty":0.97,"alternatives":[{"san":"e3","uci":"e2e3","certainty":0.02}],"seq":18446744073709551615}"#;
        let short = r#"{"type":"move","game":4294967295,"ply":0,"fen":"8/8","seconds":0,"certainty":0.5}"#;
        let odd = [
            (r#""seconds":5393"#, r#""seconds":-3"#),
            (r#""seconds":5393"#, r#""seconds":0.5"#),
            (r#""seconds":5393"#, r#""seconds":1e300"#),
            (r#""line":"hall-1""#, r#""line":"Halle ä""#),
            (r#""guess":true"#, r#""guess":false"#),
            (r#""time":"2026-11-21T10:00:07.412Z","#, ""),
        ];
        let others = [
            (r#""line":"hall-1""#, r#""line":"a\"b""#),
            (r#""line":"hall-1""#, r#""line":"a\\b""#),
            (r#""line":"hall-1""#, "\"line\":\"a\\u0007\""),
            (r#""seconds":5393"#, r#""seconds":5393,"elapsed":7"#),
            (r#""certainty""#, r#""comment":"so","certainty""#),
            (r#""certainty""#, r#""nags":[1],"certainty""#),
            (r#""san":"e4","uci":"e2e4""#, r#""notation":"a3-b4","path":["a3","b4"]"#),
        ];
        let serialised = |line: &str, quick: bool| {
            let Ok(Record::Game(record)) = parse(line.as_bytes()) else { panic!("{line}") };
            let (mut written, mut whole) = (Vec::new(), Vec::new());
            assert_eq!(mv(&record, &mut written).is_some(), quick, "{line}");
            record.write(&mut whole).unwrap();
            let expected = serde_json::to_string(&record).unwrap();
            assert_eq!(String::from_utf8(whole).unwrap(), expected);
            assert!(!quick || written == expected.as_bytes(), "{line}");
        };
        serialised(plain, true);
        serialised(short, true);
        for (from, to) in odd {
            serialised(&plain.replace(from, to), true);
        }
        for (from, to) in others {
            serialised(&plain.replace(from, to), false);
        }
        serialised(r#"{"type":"takeback","board":1025,"game":1,"ply":3}"#, false);
    }

    #[test]
    fn quick_changes_agree_with_serialising() {
        for (fields, quick) in [
            (r#""square":"e4","piece":"P""#, true),
            (r#""board":1025,"square":"a8","piece":null,"quick":false,"seq":1"#, true),
            (r#""square":"h1","piece":"1/2-1/2""#, true),
            (r#""line":"a\"b","square":"e2","piece":null"#, false),
        ] {
            let line = format!(r#"{{"type":"change",{fields}}}"#);
            let Ok(Record::Board(record)) = parse(line.as_bytes()) else { panic!("{line}") };
            let (mut written, mut whole) = (Vec::new(), Vec::new());
            assert_eq!(change(&record, &mut written).is_some(), quick, "{line}");
            record.write(&mut whole).unwrap();
            assert_eq!(String::from_utf8(whole).unwrap(), line);
            assert!(!quick || written == line.as_bytes(), "{line}");
        }
    }
}
