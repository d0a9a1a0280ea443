//! The tokens of PGN. Every byte that is neither white space nor an escaped line belongs to one of them: what
//! has no meaning comes out as [`Token::Stray`], so that nobody can lose it by not asking.

use std::borrow::Cow;

use memchr::{memchr, memchr3};

/// A piece of PGN text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Token<'a> {
    /// `[Name "value"]`, the value as it stands between the quotes.
    Tag(&'a [u8], &'a [u8]),
    /// `{…}` or `;…`; false when the closing brace is missing.
    Comment(&'a [u8], bool),
    /// `$` and what digits follow.
    Nag(&'a [u8]),
    /// `(`
    Open,
    /// `)`
    Close,
    /// A move, a number, a result, a glyph, or nothing of the kind.
    Word(&'a [u8]),
    /// Signs that mean nothing where they stand.
    Stray(&'a [u8]),
}

/// Cuts a text into tokens.
pub(super) struct Lexer<'a> {
    text: &'a [u8],
    at: usize,
}

pub(super) const BOM: &[u8] = "\u{feff}".as_bytes();

impl<'a> Lexer<'a> {
    pub fn new(text: &'a [u8]) -> Lexer<'a> {
        Lexer { text, at: 0 }
    }

    /// Where the next token is looked for.
    pub fn at(&self) -> usize {
        self.at
    }

    /// The next token and where it begins.
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
                None => {
                    let end = line_end(rest);
                    (end, Token::Stray(rest[..end].trim_ascii_end()))
                }
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

    /// White space, byte order marks, and lines that an escape hides.
    fn skip_space(&mut self) {
        loop {
            match self.text.get(self.at) {
                Some(b) if b.is_ascii_whitespace() => self.at += 1,
                Some(b'%') if self.begins_line() => self.at += line_end(&self.text[self.at..]),
                Some(0xef) if self.text[self.at..].starts_with(BOM) => self.at += BOM.len(),
                _ => return,
            }
        }
    }

    fn begins_line(&self) -> bool {
        let before = &self.text[..self.at];
        matches!(before.strip_suffix(BOM).unwrap_or(before).last(), None | Some(b'\n'))
    }
}

/// How far it is to the end of the line.
fn line_end(text: &[u8]) -> usize {
    memchr(b'\n', text).unwrap_or(text.len())
}

/// Whether each byte ends a word.
const ENDS_WORD: [bool; 256] = {
    let mut ends = [false; 256];
    let signs = b"{}()[];$\" \t\n\x0c\r";
    let mut at = 0;
    while at < signs.len() {
        ends[signs[at] as usize] = true;
        at += 1;
    }
    ends
};

/// The length of the word that a text begins with, at least 1.
pub(super) fn word(text: &[u8]) -> usize {
    let mut end = 1;
    loop {
        end += text[end..].iter().position(|&b| ENDS_WORD[b as usize]).unwrap_or(text.len() - end);
        // A promotion in brackets, `b8(Q)`, is one word.
        match (&text[..end], &text[end..]) {
            ([.., b'a'..=b'h', b'1' | b'8'], [b'(', b'Q' | b'R' | b'B' | b'N', b')', ..]) => end += 3,
            _ => return end,
        }
    }
}

/// Whether a byte can be in the name of a tag.
fn in_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"_+#=:-".contains(&byte)
}

/// Whether a text can be the name of a tag: no other is written, for no reader would find its end.
pub fn is_tag_name(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(in_name)
}

/// The tag pair that a text begins with: name, value between the quotes, length. It stands in one line. A quote
/// ends the value when a bracket follows it, so that one that somebody forgot to escape does no harm.
pub(super) fn tag(text: &[u8]) -> Option<(&[u8], &[u8], usize)> {
    let skip =
        |from: usize, in_it: fn(u8) -> bool| from + text[from..].iter().take_while(|&&b| in_it(b)).count();
    // The line is not measured first: a text without ends of lines would be measured for every tag.
    let space = |from| skip(from, |b| b.is_ascii_whitespace() && b != b'\n');
    let name = space(1);
    let name_end = skip(name, in_name);
    let quote = space(name_end);
    if name_end == name || text.get(quote) != Some(&b'"') {
        return None;
    }
    let value = quote + 1;
    let closing = |end: usize| {
        let bracket = space(end + 1);
        (text.get(bracket) == Some(&b']')).then(|| (&text[name..name_end], &text[value..end], bracket + 1))
    };
    let mut at = value;
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
            _ => break,
        }
        at += 1;
    }
    // `[Site "C:\"]`: the only quote that can close is one that looks escaped.
    let end = value + line_end(&text[value..]);
    (value..end).rev().filter(|&at| text[at] == b'"').find_map(closing)
}

/// The value of a tag, its escapes taken away.
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

/// Text of a file: UTF-8, or else Latin-1 (with the letters that Windows puts where it has controls).
pub(super) fn decode(bytes: &[u8]) -> String {
    // Windows-1252, 80 to 9f; the five that it leaves undefined stay controls.
    const WINDOWS: [char; 32] = [
        '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}',
        '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
    ];
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => bytes
            .iter()
            .map(|&b| if (0x80..0xa0).contains(&b) { WINDOWS[b as usize - 0x80] } else { b as char })
            .collect(),
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
        tag(text.as_bytes()).map(|(_, value, _)| decode(&unescape(value)))
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
    fn an_escaped_line_and_a_byte_order_mark_are_not_there() {
        use Token::*;
        assert_eq!(tokens("\u{feff}%a\ne4 % b\n%c"), [Word(b"e4"), Word(b"%"), Word(b"b")]);
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
    fn bytes_that_are_no_utf_8_are_latin_1() {
        assert_eq!(decode(b"J\xf6rg \x96 \x80"), "Jörg – €");
        assert_eq!(decode("Jörg".as_bytes()), "Jörg");
    }
}
