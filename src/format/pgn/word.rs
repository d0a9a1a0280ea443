//! The parts of a word of movetext: `12.e4!?` is a number, a move and a sign.

use arrayvec::ArrayVec;

use super::{
    glyph,
    lexer::{dash, space},
    san::{self, MoveText},
};

/// The first part of a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    /// The number of a move, or its dots.
    Number,
    Move(MoveText),
    /// A result, always all of a word; `*` is one that is open.
    Result(&'static str),
    Nag(u8),
    /// A sign of check and the like, which only repeats what the position shows.
    Sign,
}

/// The first part of a word and its length; none for other text.
#[inline(always)]
pub(super) fn first(word: &[u8]) -> Option<(Part, usize)> {
    if let length @ 1.. = number(word) {
        return Some((Part::Number, length));
    }
    if let Some((asked, length)) = san::at_a_glance(word) {
        return Some((Part::Move(asked), length));
    }
    first_of_others(word)
}

fn first_of_others(word: &[u8]) -> Option<(Part, usize)> {
    // After moves these are the most frequent.
    if let [b'+' | b'#'] = word {
        return Some((Part::Sign, 1));
    }
    if let Some((asked, length)) = san::parse(word) {
        return Some((Part::Move(asked), length));
    }
    if let Some(result) = result(word) {
        return Some((Part::Result(result), word.len()));
    }
    glyph::at_begin(word).map(|(nag, length)| (nag.map_or(Part::Sign, Part::Nag), length))
}

/// The move at the beginning of a word as it is quoted: with its signs, and with the following text when that is
/// unknown, since then the word may not be a move at all.
pub(super) fn whole_move(word: &[u8], length: usize) -> &[u8] {
    let mut end = length;
    while end < word.len() {
        match first(&word[end..]) {
            Some((Part::Nag(_) | Part::Sign, more)) => end += more,
            Some(_) => return &word[..end],
            None => return word,
        }
    }
    word
}

/// Whether a word could belong to a game: a number alone, a result or a move, after a number or not.
pub(super) fn is_of_a_game(word: &[u8]) -> bool {
    let rest = &word[number(word)..];
    rest.is_empty() || result(rest).is_some() || san::parse(rest).is_some()
}

/// The length of the number that a word begins with: digits and dots.
#[inline(always)]
fn number(word: &[u8]) -> usize {
    match word {
        // A quick test for most words.
        [b'a'..=b'z' | b'A'..=b'Z', ..] => 0,
        [b'1'..=b'9', b'.', b'a'..=b'z' | b'A'..=b'Z', ..] => 2,
        [b'1'..=b'9', b'0'..=b'9', b'.', b'a'..=b'z' | b'A'..=b'Z', ..] => 3,
        _ => any_number(word),
    }
}

fn any_number(word: &[u8]) -> usize {
    // Half a point is no number of a move.
    if matches!(word, [b'0', b'.', b'5', ..] | [b'.', b'5', ..]) {
        return 0;
    }
    let digits = word.iter().take_while(|b| b.is_ascii_digit()).count();
    let mut end = digits;
    loop {
        match word[end..] {
            [b'.', ..] => end += 1,
            [0xe2, 0x80, 0xa6, ..] => end += 3, // …
            _ => break,
        }
    }
    match word.get(end) {
        _ if end > digits => end,
        // `12` alone, or a dot forgotten: `12e4`, `12Nf3`. Not `0-0`, not `0000`.
        None if word != b"0000" => digits,
        Some(b'a'..=b'h' | b'N' | b'B' | b'R' | b'Q' | b'K' | b'O') => digits,
        _ => 0,
    }
}

/// The result in the tag or the last word of a game: what [`result`] accepts, `0-0`, which elsewhere is castling, and
/// the signs of tables for a forfeit, `+/-`.
pub(super) fn ending(text: &[u8]) -> Option<&'static str> {
    if let result @ Some(_) = usual(text) {
        return result;
    }
    let plain = without_blanks(text)?;
    let sides = match &plain[..] {
        [left @ (b'+' | b'-'), sign @ .., right @ (b'+' | b'-')]
            if matches!(sign, b"" | b"/" | b":") || dash(sign) == sign.len() =>
        {
            Some((left, right))
        }
        _ => None,
    };
    match sides {
        Some((b'+', b'-')) => Some("1-0F"),
        Some((b'-', b'+')) => Some("0-1F"),
        Some((b'-', b'-')) => Some("0-0F"),
        Some(_) => None,
        None => scores(text),
    }
}

/// The result in a word, if it is one: with a hyphen, any dash, or a colon, with or without blanks around it, halves in
/// any form, and a letter O for a zero. A letter F after it is a forfeit. Text that may be castling is no result.
pub(super) fn result(word: &[u8]) -> Option<&'static str> {
    scores(word).filter(|scores| !scores.starts_with("0-0") || san::parse(word).is_none())
}

/// The result in the usual spelling.
fn usual(word: &[u8]) -> Option<&'static str> {
    match word {
        b"1-0" => Some("1-0"),
        b"0-1" => Some("0-1"),
        b"1/2-1/2" => Some("1/2-1/2"),
        b"*" => Some("*"),
        _ => None,
    }
}

/// The result of two scores.
fn scores(word: &[u8]) -> Option<&'static str> {
    match word {
        [b'*']
        | [b'0' | b'1', b'-' | b':' | b'/' | b' ' | b'\t' | 0x80.., ..]
        | [0xbd | 0xc2, ..]
        | [b'0', b'.' | b',', b'5', ..]
        | [b'.', b'5', ..]
        | [b'O', b'-', b'1', ..] => {}
        _ => return None,
    }
    if let result @ Some(_) = usual(word) {
        return result;
    }
    // The longest has two signs of two bytes each for a half and one of three between them, and blanks.
    let word = without_blanks(word)?;
    let word = word.strip_suffix(b".").unwrap_or(&word);
    let played = word.strip_suffix(b"F").or_else(|| word.strip_suffix(b"f")).unwrap_or(word);
    let (is_forfeit, word) = (played.len() < word.len(), played);
    let half = |side: &[u8]| matches!(side, b"1/2" | b"0.5" | b"0,5" | b".5" | [0xbd] | [0xc2, 0xbd]);
    let (left, right) = (1..word.len())
        .find_map(|at| {
            let sign = if word[at] == b':' { 1 } else { dash(&word[at..]) };
            (sign > 0).then(|| (&word[..at], &word[at + sign..]))
        })
        .unwrap_or((word, &[]));
    match (left, right) {
        (b"1", b"0" | b"O") if is_forfeit => Some("1-0F"),
        (b"0" | b"O", b"1") if is_forfeit => Some("0-1F"),
        (b"0", b"0") if is_forfeit => Some("0-0F"),
        _ if is_forfeit => None,
        (b"1", b"0" | b"O") => Some("1-0"),
        (b"0" | b"O", b"1") => Some("0-1"),
        (b"0", b"0") => Some("0-0"),
        (left, b"0") if half(left) => Some("1/2-0"),
        (b"0", right) if half(right) => Some("0-1/2"),
        // `1/2` alone is no result, the sign ½ is.
        (b"1/2" | [0xbd] | [0xc2, 0xbd], []) => Some("1/2-1/2"),
        (left, right) if half(left) && half(right) => Some("1/2-1/2"),
        _ => None,
    }
}

/// A short word without the blanks in it; none of a longer one.
fn without_blanks(word: &[u8]) -> Option<ArrayVec<u8, 16>> {
    let mut plain = ArrayVec::new();
    let mut at = 0;
    while at < word.len() {
        match space(&word[at..]) {
            0 => {
                plain.try_push(word[at]).ok()?;
                at += 1;
            }
            length => at += length,
        }
    }
    Some(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The parts of a word, and the rest when other text follows.
    fn parts(mut word: &str) -> (Vec<&str>, &str) {
        let mut parts = Vec::new();
        while let Some((_, length)) = first(word.as_bytes()) {
            parts.push(&word[..length]);
            word = &word[length..];
        }
        (parts, word)
    }

    #[test]
    fn words_are_cut_into_numbers_moves_results_and_signs() {
        for (word, expected) in [
            ("12.e4!?", &["12.", "e4", "!?"][..]),
            ("12e4", &["12", "e4"]),
            ("1…c5", &["1…", "c5"]),
            ("0-0", &["0-0"]),
            ("0000", &["0000"]),
            ("0-1", &["0-1"]),
            ("1/2", &["1/2"]),
            ("4.½-½", &["4.", "½-½"]),
            ("exd6e.p.+-", &["exd6", "e.p.", "+-"]),
            ("--", &["--"]),
            ("-+", &["-+"]),
            ("Nf3N", &["Nf3", "N"]),
            ("5.O–O–O", &["5.", "O–O–O"]),
            ("0−0+", &["0−0", "+"]),
            ("e2–e4", &["e2–e4"]),
            ("Nf3⇆", &["Nf3", "⇆"]),
            ("e4+−", &["e4", "+−"]),
            ("e4–+", &["e4", "–+"]),
        ] {
            assert_eq!(parts(word), (expected.to_vec(), ""), "{word}");
        }
        assert_eq!(parts("e4-x9"), (vec!["e4"], "-x9"));
        assert_eq!(first(b"1-0"), Some((Part::Result("1-0"), 3)));
        for (word, result) in [
            ("1–0", "1-0"),
            ("0:1", "0-1"),
            ("½–½", "1/2-1/2"),
            ("1/2:1/2", "1/2-1/2"),
            ("½", "1/2-1/2"),
            ("0.5-0.5", "1/2-1/2"),
            ("0,5:0,5", "1/2-1/2"),
            (".5–.5", "1/2-1/2"),
            ("1/2-½", "1/2-1/2"),
            ("1 - 0", "1-0"),
            ("½\u{a0}– ½", "1/2-1/2"),
            ("1-O", "1-0"),
            ("0-1.", "0-1"),
            ("½–0", "1/2-0"),
            ("0-1/2", "0-1/2"),
            ("0 - 0", "0-0"),
            ("0:0", "0-0"),
            ("1-0F", "1-0F"),
        ] {
            assert_eq!(first(word.as_bytes()), Some((Part::Result(result), word.len())), "{word}");
        }
        for word in ["1–1", "1:2", "½½", "0.5", "0.5-1", "O-O", "0-0", "0–0+", "1 - 1", "½-½F"] {
            assert!(!matches!(first(word.as_bytes()), Some((Part::Result(_), _))), "{word}");
        }
        assert_eq!(result(b"1\x960"), Some("1-0"));
        assert_eq!(first(b"+"), Some((Part::Sign, 1)));
        assert_eq!(first("⩲".as_bytes()), Some((Part::Nag(14), 3)));
    }

    #[test]
    fn last_words_may_be_results() {
        for (text, result) in [
            ("0-0", Some("0-0")),
            ("0–0", Some("0-0")),
            ("0-0f", Some("0-0F")),
            ("+/-", Some("1-0F")),
            ("+ - -", Some("1-0F")),
            ("-:+", Some("0-1F")),
            ("-/-", Some("0-0F")),
            ("1-0", Some("1-0")),
            ("+/+", None),
            ("0-0-0", None),
            ("+", None),
        ] {
            assert_eq!(ending(text.as_bytes()), result, "{text}");
        }
    }

    #[test]
    fn words_of_games_are_distinguished_from_others() {
        for (word, expected) in
            [("12", true), ("1.", true), ("1.*", true), ("3.Kf9", false), ("!", false), ("1.1.a6", false)]
        {
            assert_eq!(is_of_a_game(word.as_bytes()), expected, "{word}");
        }
    }
}
