//! The tokens of PGN. Every byte that is neither white space nor part of an escaped line belongs to a token: bytes
//! without a meaning become [`Token::Stray`], so that no caller can lose them unnoticed.

use std::borrow::Cow;

use memchr::{memchr, memchr3};

use super::eight::{self, EACH, HIGH};
use crate::format::{text::Letters, words};

/// A piece of PGN text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Token<'a> {
    /// `[Name "value"]`, with the value as it is written between the quotes.
    Tag(&'a [u8], &'a [u8]),
    /// A tag whose value has other quotes or none, before the first word.
    LooseTag(&'a [u8], &'a [u8]),
    /// `{…}` or `;…`; false when the closing brace is missing.
    Comment(&'a [u8], bool),
    /// `$` and the digits after it.
    Nag(&'a [u8]),
    /// `(`
    Open,
    /// `)`
    Close,
    /// A move, a number, a result, a glyph, or another word.
    Word(&'a [u8]),
    /// Signs without a meaning at this place.
    Stray(&'a [u8]),
}

/// Cuts a text into tokens.
pub(super) struct Lexer<'a> {
    text: &'a [u8],
    at: usize,
    /// There was no word before this; after a word, text that looks like a tag is not one.
    no_word_before: usize,
    in_moves: bool,
}

pub(super) const BOM: &[u8] = "\u{feff}".as_bytes();

impl<'a> Lexer<'a> {
    pub fn new(text: &'a [u8]) -> Lexer<'a> {
        Lexer { text, at: 0, no_word_before: 0, in_moves: false }
    }

    /// The start of the search for the next token.
    pub fn at(&self) -> usize {
        self.at
    }

    /// The next token and its start.
    #[inline(always)]
    pub fn next(&mut self) -> Option<(usize, Token<'a>)> {
        self.skip_space();
        let (at, text) = (self.at, self.text);
        let rest = &text[at..];
        let (length, token) = match *rest.first()? {
            b'{' => match memchr(b'}', rest) {
                Some(end) => (end + 1, Token::Comment(&rest[1..end], true)),
                None => (rest.len(), Token::Comment(&rest[1..], false)),
            },
            b';' => {
                let end = line_end(rest);
                (end, Token::Comment(&rest[1..end], true))
            }
            b'$' => {
                let digits = rest[1..].iter().take_while(|b| b.is_ascii_digit()).count();
                (1 + digits, Token::Nag(&rest[1..1 + digits]))
            }
            b'(' => (1, Token::Open),
            b')' => (1, Token::Close),
            b'[' => match tag(rest) {
                Some((name, value, length)) => (length, Token::Tag(name, value)),
                None => self.no_plain_tag(),
            },
            b'}' | b']' | b'"' => (1, Token::Stray(&rest[..1])),
            _ => {
                let length = word(rest);
                (length, Token::Word(&rest[..length]))
            }
        };
        self.at += length;
        Some((at, token))
    }

    /// A bracket that begins no tag with plain quotes. The test for earlier words is here because it is rarely needed.
    #[cold]
    fn no_plain_tag(&mut self) -> (usize, Token<'a>) {
        let rest = &self.text[self.at..];
        if !self.in_moves {
            let mut before =
                Lexer { text: &self.text[..self.at], at: self.no_word_before, ..Lexer::new(b"") };
            self.in_moves =
                std::iter::from_fn(|| before.next()).any(|(_, token)| matches!(token, Token::Word(_)));
            self.no_word_before = self.at;
        }
        match loose_tag(rest).filter(|_| !self.in_moves) {
            Some(tag) => {
                self.no_word_before = self.at + tag.length;
                (tag.length, Token::LooseTag(tag.name, tag.value))
            }
            None => {
                let end = line_end(rest);
                self.no_word_before = self.at + end;
                (end, Token::Stray(rest[..end].trim_ascii_end()))
            }
        }
    }

    /// White space, byte order marks, and lines that an escape hides.
    #[inline(always)]
    fn skip_space(&mut self) {
        // Nearly always only this is between two tokens.
        while let Some(b' ' | b'\n' | b'\r') = self.text.get(self.at) {
            self.at += 1;
        }
        if !matches!(self.text.get(self.at), Some(b'!'..=b'$' | b'&'..=b'~')) {
            self.skip_all_space();
        }
    }

    #[inline(never)]
    fn skip_all_space(&mut self) {
        loop {
            match self.text.get(self.at) {
                Some(b'%') if self.begins_line() => self.at += line_end(&self.text[self.at..]),
                Some(_) => match space(&self.text[self.at..]) {
                    0 => return,
                    length => self.at += length,
                },
                None => return,
            }
        }
    }

    fn begins_line(&self) -> bool {
        let before = &self.text[..self.at];
        matches!(before.strip_suffix(BOM).unwrap_or(before).last(), None | Some(b'\n'))
    }
}

/// The number of bytes to the end of the line.
fn line_end(text: &[u8]) -> usize {
    memchr(b'\n', text).unwrap_or(text.len())
}

/// The length of the white space character that a text begins with; 0 when it begins with none. No-break spaces, spaces
/// of other widths or none, byte order marks and control characters separate words as a space does.
pub(super) fn space(text: &[u8]) -> usize {
    match *text {
        [0x21..=0x7e, ..] => 0,
        [0..=0x7f, ..] => 1,
        [0xc2, 0x80..=0xa0, ..] => 2,
        [0xe2, 0x80, 0x80..=0x8d | 0xa8 | 0xa9 | 0xaf, ..]
        | [0xe2, 0x81, 0x9f | 0xa0, ..]
        | [0xe3, 0x80, 0x80, ..]
        | [0xef, 0xbb, 0xbf, ..] => 3,
        // Of Latin-1.
        [0xa0, ..] => 1,
        _ => 0,
    }
}

/// The length of the hyphen, dash or minus sign that a text begins with; 0 when there is none.
pub(super) fn dash(text: &[u8]) -> usize {
    match *text {
        // The two dashes of Windows-1252 too.
        [b'-' | 0x96 | 0x97, ..] => 1,
        [0xe2, 0x80, 0x90..=0x95, ..] | [0xe2, 0x88, 0x92, ..] => 3,
        _ => 0,
    }
}

/// The length of the white space from there on, in this line.
#[inline(always)]
fn gap(text: &[u8], from: usize) -> usize {
    match text.get(from) {
        // Mostly there is none.
        Some(b'!'..=b'~') => from,
        _ => any_gap(text, from),
    }
}

fn any_gap(text: &[u8], mut from: usize) -> usize {
    while text.get(from) != Some(&b'\n') {
        match space(text.get(from..).unwrap_or_default()) {
            0 => break,
            length => from += length,
        }
    }
    from
}

/// Whether a text is only white space.
pub(super) fn is_blank(text: &[u8]) -> bool {
    let mut at = 0;
    while at < text.len() {
        match space(&text[at..]) {
            0 => return false,
            length => at += length,
        }
    }
    true
}

/// Whether each byte ends a word, or may end one.
const ENDS_WORD: [bool; 256] = {
    let mut ends = [false; 256];
    let signs = b"{}()[];$\"\x7f\xa0\xc2\xe2\xe3\xef";
    let mut at = 0;
    while at < signs.len() {
        ends[signs[at] as usize] = true;
        at += 1;
    }
    at = 0;
    while at <= 0x20 {
        ends[at] = true;
        at += 1;
    }
    ends
};

/// The length of the text up to the first byte that ends a word, or may. Most words are short, and end within the eight
/// bytes that are tested in one step.
#[inline(always)]
fn within_word(text: &[u8]) -> usize {
    let near = text.first_chunk().map_or(0, |eight| eight::first(may_end(u64::from_le_bytes(*eight))));
    near + text[near..].iter().take_while(|&&b| !ENDS_WORD[usize::from(b)]).count()
}

/// The high bits of those of eight bytes that may end a word. Signs that are rare in moves count too: most bytes of
/// words are letters, digits and few signs from `+` on.
#[inline(always)]
fn may_end(bytes: u64) -> u64 {
    // All brackets except ( and ), and 7f, have these bits in common.
    let brackets = eight::is(bytes & (EACH * 0xd9), b'[' & 0xd9);
    (bytes & HIGH) | eight::below(bytes, b'+') | eight::is(bytes, b';') | brackets
}

/// The length of the word that a text begins with, at least 1.
pub(super) fn word(text: &[u8]) -> usize {
    let mut end = 1;
    loop {
        end += within_word(&text[end..]);
        let may_be_result = end <= 3 && matches!(text[0], b'0' | b'1' | 0xbd | 0xc2);
        if !may_be_result && matches!(text.get(end), None | Some(b' ' | b'\n')) {
            return end;
        }
        match text[end..] {
            // A promotion in brackets, `b8(Q)`, is one word.
            [b'(', b'Q' | b'R' | b'B' | b'N', b')', ..]
                if matches!(text[..end], [.., b'a'..=b'h', b'1' | b'8']) =>
            {
                end += 3;
            }
            // The first byte of some spaces is also the first byte of dashes and figurines, or a later byte of another
            // character.
            [first @ (0xa0 | 0xc2 | 0xe2 | 0xe3 | 0xef), ..]
                if space(&text[end..]) == 0 || (first == 0xa0 && text[end - 1] >= 0x80) =>
            {
                end += 1;
            }
            _ if may_be_result => {
                return spaced_result(text, end).unwrap_or(end);
            }
            _ => return end,
        }
    }
}

/// The length of a result with blanks around its sign, `1 - 0`, if a first word of this length begins one.
fn spaced_result(text: &[u8], end: usize) -> Option<usize> {
    let side = |text: &[u8]| matches!(text, b"0" | b"1" | b"1/2" | b"0.5" | b"0,5" | [0xbd] | [0xc2, 0xbd]);
    // A move number begins in the same way, and is far more frequent.
    if !side(&text[..end]) {
        return None;
    }
    let sign = gap(text, end);
    let length = match text.get(sign..)? {
        [b':', ..] => 1,
        rest => dash(rest),
    };
    let right = gap(text, sign + length);
    if sign == end || length == 0 {
        return None;
    }
    let rest = text.get(right..)?;
    let ends = rest.iter().take(4).position(|&b| ENDS_WORD[b as usize] && b != 0xc2);
    let word = ends.unwrap_or(rest.len());
    side(rest.get(..word)?).then_some(right + word)
}

/// Whether each byte may be in the name of a tag.
const IN_NAME: [bool; 256] = {
    let mut in_name = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        let sign = byte as u8;
        in_name[byte] =
            sign.is_ascii_alphanumeric() || matches!(sign, b'_' | b'+' | b'#' | b'=' | b':' | b'-');
        byte += 1;
    }
    in_name
};

/// Whether a byte may be in the name of a tag.
fn in_name(byte: u8) -> bool {
    IN_NAME[usize::from(byte)]
}

/// Whether a text may be the name of a tag: other names are not written, because no reader would find their end.
pub fn is_tag_name(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(in_name)
}

/// The beginning of a tag, `[Name "`: the name, and the start of the value.
fn tag_begin(text: &[u8]) -> Option<(&[u8], usize)> {
    let name = gap(text, 1);
    let name_end = name + text[name..].iter().take_while(|&&b| in_name(b)).count();
    let quote = gap(text, name_end);
    (name_end > name && text.get(quote) == Some(&b'"')).then(|| (&text[name..name_end], quote + 1))
}

/// Whether a text begins like a tag, in which a quote or a bracket may be missing: `[Event "x`, `[Event x]`.
pub(super) fn like_a_tag(text: &[u8]) -> bool {
    let name = gap(text, 1);
    text.starts_with(b"[") && text.get(name).is_some_and(u8::is_ascii_uppercase)
}

/// Whether a line begins with a tag that does not end in it.
pub(super) fn opens_tag(line: &[u8]) -> bool {
    tag(line).is_none() && tag_begin(line).is_some()
}

/// The tag pair that a text begins with: name, value between the quotes, length. A quote ends the value when a bracket
/// follows it, so that an unescaped quote does no harm. It is in one line, or broken once.
pub(super) fn tag(text: &[u8]) -> Option<(&[u8], &[u8], usize)> {
    // The length of the line is not computed first: for a text without line ends that would be repeated for every tag.
    let (name, value) = tag_begin(text)?;
    let closing = |end: usize| {
        let bracket = gap(text, end + 1);
        (text.get(bracket) == Some(&b']')).then(|| (name, &text[value..end], bracket + 1))
    };
    let mut at = value;
    let mut broken = false;
    while let Some(next) = memchr3(b'"', b'\\', b'\n', text.get(at..).unwrap_or_default()) {
        at += next;
        match text[at] {
            b'"' => {
                if let Some(tag) = closing(at) {
                    return Some(tag);
                }
            }
            b'\\' if text.get(at + 1) != Some(&b'\n') => at += 1,
            b'\\' => {}
            _ if broken || !goes_on(&text[at + 1..]) => break,
            _ => broken = true,
        }
        at += 1;
    }
    // `[Site "C:\"]`: the only quote that can end the value is one that looks escaped.
    let end = value + line_end(&text[value..]);
    (value..end).rev().filter(|&at| text[at] == b'"').find_map(closing)
}

/// A tag whose value is not in plain quotes.
pub(super) struct LooseTag<'a> {
    pub name: &'a [u8],
    pub value: &'a [u8],
    pub length: usize,
    /// Its value is in quotes of another kind.
    pub quoted: bool,
}

/// The tag that a text begins with although [`tag`] finds none: `[White “A”]`, `[White 'A']`, `[WhiteElo 2100]`. It is
/// in one line.
pub(super) fn loose_tag(text: &[u8]) -> Option<LooseTag<'_>> {
    let text = &text[..line_end(text)];
    let begin = gap(text, 1);
    let name_end = begin + text[begin.min(text.len())..].iter().take_while(|&&b| in_name(b)).count();
    let at = gap(text, name_end);
    let name = text.get(begin..name_end).filter(|name| name.first().is_some_and(u8::is_ascii_alphabetic))?;
    let opening = quote(text.get(at..)?);
    if opening > 0 {
        let value = at + opening;
        // The last quotation mark before the bracket ends the value: the same mark may also be in a name, `’`.
        let (end, length) = (value..text.len()).find_map(|end| {
            let closing = quote_at(text, end);
            let bracket = gap(text, end + closing);
            (closing > 0 && text.get(bracket) == Some(&b']')).then_some((end, bracket + 1))
        })?;
        return Some(LooseTag { name, value: &text[value..end], length, quoted: true });
    }
    let end = at + memchr(b']', &text[at..])?;
    let value = text[at..end].trim_ascii_end();
    let has_quotes = (0..value.len()).any(|at| value[at] != b'\'' && quote_at(value, at) > 0);
    let behind = gap(text, end + 1);
    let is_alone = matches!(text.get(behind), None | Some(b'['));
    (at > name_end && !value.is_empty() && !has_quotes && is_alone).then_some(LooseTag {
        name,
        value,
        length: end + 1,
        quoted: false,
    })
}

/// The length of the quotation mark at a place of a text; 0 within a letter of several bytes, which may contain the
/// bytes of such a mark.
fn quote_at(text: &[u8], at: usize) -> usize {
    let within = !text[at].is_ascii() && text[at] < 0xc0 && at > 0 && !text[at - 1].is_ascii();
    if within { 0 } else { quote(&text[at..]) }
}

/// The length of the quotation mark that a text begins with, of any kind; 0 when there is none. Those of Windows-1252 too.
fn quote(text: &[u8]) -> usize {
    match *text {
        [b'"' | b'\'' | 0x82 | 0x84 | 0x91..=0x94, ..] => 1,
        [0xc2, 0xab | 0xbb, ..] => 2,
        [0xe2, 0x80, 0x98..=0x9f, ..] => 3,
        _ => 0,
    }
}

/// Whether a line can be the rest of a value: it is not blank and does not begin with a tag.
fn goes_on(line: &[u8]) -> bool {
    !matches!(line.get(gap(line, 0)), None | Some(b'[' | b'\n'))
}

/// The value of a tag, without its escapes.
pub(super) fn unescape(value: &[u8]) -> Cow<'_, [u8]> {
    if memchr(b'\\', value).is_none() {
        return Cow::Borrowed(value);
    }
    let mut plain = Vec::with_capacity(value.len());
    let mut bytes = value.iter().copied().peekable();
    while let Some(byte) = bytes.next() {
        match (byte, bytes.peek()) {
            (b'\\', Some(&escaped @ (b'"' | b'\\'))) => {
                plain.push(escaped);
                bytes.next();
            }
            _ => plain.push(byte),
        }
    }
    Cow::Owned(plain)
}

/// Text of a file; control characters become spaces.
pub(super) fn decode(bytes: &[u8], letters: Letters) -> Cow<'_, str> {
    match letters.read(bytes) {
        Cow::Borrowed(text) => words::plain(text),
        Cow::Owned(text) => Cow::Owned(words::plain(&text).into_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(text: &str) -> Vec<Token<'_>> {
        let mut lexer = Lexer::new(text.as_bytes());
        std::iter::from_fn(|| Some(lexer.next()?.1)).collect()
    }

    fn value(text: &str) -> Option<String> {
        tag(text.as_bytes()).map(|(_, value, _)| decode(&unescape(value), Letters::default()).into_owned())
    }

    #[test]
    fn every_sign_of_a_text_is_in_a_token() {
        use Token::*;
        assert_eq!(
            tokens("1.e4! $1{a;b} (1...c5)} ; c } d\n[x] 2.b8(Q)+ e5(e6) 1-0[A \"b\"]"),
            [
                Word(b"1.e4!"),
                Nag(b"1"),
                Comment(b"a;b", true),
                Open,
                Word(b"1...c5"),
                Close,
                Stray(b"}"),
                Comment(b" c } d", true),
                Stray(b"[x] 2.b8(Q)+ e5(e6) 1-0[A \"b\"]"),
            ]
        );
        assert_eq!(
            tokens("2.b8(Q)+ e5(e6) 1-0[A \"b\"]{open"),
            [
                Word(b"2.b8(Q)+"),
                Word(b"e5"),
                Open,
                Word(b"e6"),
                Close,
                Word(b"1-0"),
                Tag(b"A", b"b"),
                Comment(b"open", false),
            ]
        );
    }

    #[test]
    fn escaped_lines_and_byte_order_marks_are_skipped() {
        use Token::*;
        assert_eq!(tokens("\u{feff}%a\ne4 % b\n%c"), [Word(b"e4"), Word(b"%"), Word(b"b")]);
    }

    #[test]
    fn words_end_at_the_same_signs_everywhere() {
        for byte in 0..=255_u8 {
            let ends = byte <= b' ' || b"{}()[];$\"\x7f\xa0\xc2\xe2\xe3\xef".contains(&byte);
            for at in 0..20 {
                let mut text = *b"Nbxd7+Qh4#=R!?:.N-O8";
                text[at] = byte;
                assert_eq!(within_word(&text), if ends { at } else { 20 }, "{byte} at {at}");
            }
        }
    }

    #[test]
    fn tags_may_have_other_quotes_or_none() {
        let read = |text: &[u8]| {
            loose_tag(text).map(|tag| {
                let text = |bytes| decode(bytes, Letters::default()).into_owned();
                (text(tag.name), text(tag.value), tag.length, tag.quoted)
            })
        };
        let found =
            |name: &str, value: &str, length, quoted| Some((name.into(), value.into(), length, quoted));
        assert_eq!(read("[White “Ódor’s, Ó”] x".as_bytes()), found("White", "Ódor’s, Ó", 27, true));
        assert_eq!(read(b"[White \x93A\x94]"), found("White", "A", 11, true));
        assert_eq!(read("[White Ódor]".as_bytes()), found("White", "Ódor", 13, false));
        assert_eq!(read(b"[White 'A'][Black x]"), found("White", "A", 11, true));
        assert_eq!(read(b"[White A][Black x]"), found("White", "A", 9, false));
        for none in
            ["[White]", "[White Elo \"1\"]", "[White A] e4", "[White “JÓ]", "[White A", "[%clk 1]", "[1 x]"]
        {
            assert_eq!(read(none.as_bytes()), None, "{none}");
        }
    }

    #[test]
    fn spaces_of_every_kind_and_control_characters_separate() {
        let expected = [Token::Word(b"1."), Token::Word("½-½".as_bytes()), Token::Word("♘c3…".as_bytes())];
        for space in
            ["\u{a0}", "\u{202f}", "\u{2009}", "\u{200b}", "\u{3000}", "\u{feff}", "\u{1a}", "\0", "\u{85}"]
        {
            let text = format!("{space}1.{space}½-½{space}♘c3…{space}");
            assert_eq!(tokens(&text), expected, "{text:?}");
        }
        let mut lexer = Lexer::new(b"e4\xa0e5\xa0\xe0\xa0");
        let latin: Vec<_> = std::iter::from_fn(|| Some(lexer.next()?.1)).collect();
        assert_eq!(latin, [Token::Word(b"e4"), Token::Word(b"e5"), Token::Word(b"\xe0\xa0")]);
    }

    #[test]
    fn tags_may_break_once_and_stay_separate() {
        assert_eq!(value("[Event \"a\n  b\"]").as_deref(), Some("a   b"));
        assert_eq!(value("[Event\u{a0}\"a\"\u{a0}]").as_deref(), Some("a"));
        for text in ["[Event \"a\n[Site \"b\"]", "[Event \"a\n\nb\"]", "[Event \"a\nb\nc\"]"] {
            assert_eq!(value(text), None, "{text}");
        }
        assert!(opens_tag(b"[Event \"a") && !opens_tag(b"[Event \"a\"]") && !opens_tag(b"[%clk 0:01:00]"));
    }

    #[test]
    fn a_tag_ends_with_a_quote_before_a_bracket() {
        for (text, expected) in [
            (r#"[Event "a"]"#, "a"),
            (r#"[ Event  "a" ] e4"#, "a"),
            (r#"[Event "a \"b\" \\ c"]"#, r#"a "b" \ c"#),
            (r#"[Event "a "b" c"]"#, r#"a "b" c"#),
            (r#"[Event "Club "Victory""]"#, r#"Club "Victory""#),
            (r#"[Event "Tournament \"]"#, r#"Tournament \"#),
            (r#"[Event "a ] b"]"#, "a ] b"),
            (r#"[A "1"] [B "2"]"#, "1"),
        ] {
            assert_eq!(value(text).as_deref(), Some(expected), "{text}");
        }
        assert!(
            [r#"[Event "a]"#, "[Event]", "[%clk 0:00:01]", r#"["a"]"#, "["]
                .map(value)
                .iter()
                .all(Option::is_none)
        );
    }

    #[test]
    fn bytes_not_utf_8_are_windows_1252() {
        assert_eq!(decode(b"J\xf6rg \x96 \x80 \x81\x9d", Letters::default()), "Jörg – € \u{fffd}\u{fffd}");
        assert_eq!(decode("Jörg".as_bytes(), Letters::default()), "Jörg");
        assert_eq!(decode("a\u{1b}[2J\u{9b}1m\0b\nc".as_bytes(), Letters::default()), "a [2J 1m b c");
    }
}
