//! The bytes of PDN to tokens, including forms that are common in files: results as terminators, move numbers joined to
//! moves.

use super::Ending;
use crate::format::{
    pgn::glyph,
    words::{plain, short},
};

/// A part of PDN.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Token {
    Tag(String, String),
    Move(String),
    Nag(u8),
    Comment(String),
    /// `/FEN "…"/`: a new position.
    Setup(String),
    Open,
    Close,
    End(Ending),
    /// Any other text, with a reason.
    Wrong(String),
}

impl Token {
    /// The token as in the file, for a quote.
    pub(super) fn text(&self) -> String {
        match self {
            Token::Move(text) => text.clone(),
            Token::Nag(nag) => format!("${nag}"),
            Token::Comment(text) => format!("{{{text}}}"),
            Token::Setup(text) => format!("/{text}/"),
            Token::Open => "(".into(),
            Token::Close => ")".into(),
            Token::Tag(..) | Token::End(_) | Token::Wrong(_) => String::new(),
        }
    }
}

/// Cuts lines into tokens; comments may continue over several lines.
#[derive(Debug, Default)]
pub(super) struct Lexer {
    /// A comment that is not closed yet.
    comment: Option<String>,
}

impl Lexer {
    /// The tokens that are complete with this line.
    pub(super) fn line(&mut self, line: &[u8]) -> Vec<Token> {
        let line = String::from_utf8_lossy(line);
        let line = plain(&line);
        let mut rest = line.trim_start_matches('\u{feff}');
        let mut tokens = Vec::new();
        // An unclosed comment must not swallow the games after it.
        if self.comment.is_some() && rest.starts_with("[Event \"") {
            tokens.extend(self.end());
        }
        loop {
            if let Some(comment) = &mut self.comment {
                let Some((text, behind)) = rest.split_once('}') else {
                    comment.push_str(rest);
                    comment.push(' ');
                    return tokens;
                };
                comment.push_str(text);
                tokens.extend(self.comment.take().map(Token::Comment));
                rest = behind;
            }
            rest = rest.trim_start();
            let Some(first) = rest.chars().next() else { return tokens };
            match first {
                '{' => {
                    self.comment = Some(String::new());
                    rest = &rest[1..];
                }
                '%' | ';' => return tokens,
                '[' => {
                    let Some((token, behind)) = tag(rest) else {
                        let rest = short(rest);
                        tokens.push(Token::Wrong(format!("`{rest}` is no tag like [Name \"value\"]")));
                        return tokens;
                    };
                    tokens.push(token);
                    rest = behind;
                }
                '/' => {
                    let (setup, behind) = rest[1..].split_once('/').unwrap_or((&rest[1..], ""));
                    tokens.push(Token::Setup(setup.trim().to_owned()));
                    rest = behind;
                }
                _ => {
                    let (token, length) = movetext(rest);
                    tokens.extend(token);
                    rest = &rest[length..];
                }
            }
        }
    }

    /// A source has ended: a comment that was never closed.
    pub(super) fn end(&mut self) -> Option<Token> {
        self.comment.take().map(|_| Token::Wrong("a comment is not closed".into()))
    }
}

/// `[Name "value"]` and the text after it. Quotes within the value may be escaped or not.
fn tag(text: &str) -> Option<(Token, &str)> {
    let text = text.strip_prefix('[')?.trim_start();
    let length = text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').filter(|&length| length > 0)?;
    let (name, text) = text.split_at(length);
    let text = text.trim_start().strip_prefix('"')?;
    let mut value = String::new();
    let mut chars = text.char_indices();
    while let Some((at, c)) = chars.next() {
        let behind = &text[at + c.len_utf8()..];
        if c == '"'
            && let Some(behind) = behind.trim_start().strip_prefix(']')
        {
            return Some((Token::Tag(name.to_owned(), value), behind));
        }
        let escapes = c == '\\' && behind.starts_with(['"', '\\']);
        value.push(if escapes { chars.next()?.1 } else { c });
    }
    None
}

/// A token of the movetext, none for a move number, and its length.
fn movetext(text: &str) -> (Option<Token>, usize) {
    let glyphs = |text: &str| text.bytes().take_while(|b| matches!(b, b'!' | b'?')).count();
    match text.as_bytes()[0] {
        b'(' => {
            let length = glyphs(&text[1..]);
            if length > 0 && text[1 + length..].starts_with(')') {
                return (glyph(&text[1..=length]), length + 2);
            }
            return (Some(Token::Open), 1);
        }
        b')' => return (Some(Token::Close), 1),
        b'!' | b'?' => {
            let length = glyphs(text);
            return (glyph(&text[..length]), length);
        }
        b'$' => {
            let digits = text[1..].bytes().take_while(u8::is_ascii_digit).count();
            let nag = text[1..=digits].parse().map_or_else(
                |_| Token::Wrong(format!("`{}` is no glyph from $0 to $255", &text[..=digits])),
                Token::Nag,
            );
            return (Some(nag), digits + 1);
        }
        b']' | b'}' => return (Some(Token::Wrong(format!("`{}` closes nothing", &text[..1]))), 1),
        _ => {}
    }
    // `1.` and `12...` in front of a move.
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let dots = text[digits..].bytes().take_while(|&b| b == b'.').count();
    if dots > 0 {
        return (None, digits + dots);
    }
    let length = text.find(|c: char| c.is_whitespace() || "{}()[]$!?%;".contains(c)).unwrap_or(text.len());
    let word = &text[..length];
    let token = match Ending::read(word) {
        Some(ending) => Some(Token::End(ending)),
        None if digits == length && digits > 0 && digits < 4 => None,
        None => Some(Token::Move(word.to_owned())),
    };
    (token, length.max(1))
}

/// The glyph of a sign after a move; longer signs have the meaning of their beginning.
fn glyph(sign: &str) -> Option<Token> {
    glyph::at_begin(sign.as_bytes())?.0.map(Token::Nag)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(text: &str) -> Vec<Token> {
        let mut lexer = Lexer::default();
        let mut tokens: Vec<Token> = text.lines().flat_map(|line| lexer.line(line.as_bytes())).collect();
        tokens.extend(lexer.end());
        tokens
    }

    #[test]
    fn moves_come_without_their_numbers_and_with_their_signs() {
        let m = |text: &str| Token::Move(text.into());
        let expected = [m("c3-d4"), Token::Nag(1), m("d6:e5"), Token::Nag(6), m("e3-f4"), Token::Nag(14)];
        assert_eq!(tokens("1. c3-d4! d6:e5(?!) 2.e3-f4$14"), expected);
        assert_eq!(
            tokens("1... c3*e5 2 22-18 12.\n... *"),
            [m("c3*e5"), m("22-18"), Token::End(Ending::Open)]
        );
    }

    #[test]
    fn comments_span_lines_and_line_comments_end_with_theirs() {
        assert_eq!(tokens("{a (b)\n[c] % d}% e\n; f"), [Token::Comment("a (b) [c] % d".into())]);
        let event = Token::Tag("Event".into(), "b".into());
        assert_eq!(tokens("{a\n[Event \"b\"]"), [Token::Wrong("a comment is not closed".into()), event]);
        assert_eq!(tokens("{a"), [Token::Wrong("a comment is not closed".into())]);
    }

    #[test]
    fn tags_keep_escaped_and_bare_quotes() {
        let tag = |value: &str| Token::Tag("Event".into(), value.into());
        assert_eq!(
            tokens(r#"[Event "a \"b\" \\ c"] [Event "d "e" f" ]"#),
            [tag(r#"a "b" \ c"#), tag(r#"d "e" f"#)]
        );
        assert_eq!(tokens("[Event x]"), [Token::Wrong("`[Event x]` is no tag like [Name \"value\"]".into())]);
    }

    #[test]
    fn results_of_both_systems_and_setups_are_recognised() {
        use crate::record::Outcome::{BlackWins, BothLose, Draw};
        let end = |outcome| Token::End(Ending::Decided(outcome));
        assert_eq!(tokens("0-2 1-1 1/2-1/2 0-0"), [end(BlackWins), end(Draw), end(Draw), end(BothLose)]);
        assert_eq!(
            tokens("/FEN \"W:Wa1:Bb8\"/ ( )"),
            [Token::Setup("FEN \"W:Wa1:Bb8\"".into()), Token::Open, Token::Close]
        );
    }

    #[test]
    fn a_mark_of_utf_8_is_no_text() {
        let mut lexer = Lexer::default();
        assert_eq!(
            lexer.line("\u{feff}[White \"Ёж\"]".as_bytes()),
            [Token::Tag("White".into(), "Ёж".into())]
        );
    }
}
