//! Pages: games for a browser, live or afterwards.
//!
//! A page is markup ([`page`]), the script and the style of [`SCRIPT`] and [`STYLE`], and data: the game records
//! themselves, folded ([`game_data`]), and the overview of all boards ([`Head`], [`Live`]). Positions, notation and
//! clocks come from the records; the script only shows them. Everything in a page passes [`inert`], so that names and
//! comments stay data. The command decides which files these make.

mod data;
mod hash;
mod head;
mod look;
mod nags;
pub mod page;
mod ply;
mod thought;

pub use data::{View, game_data, version};
pub use hash::number;
pub use head::{Head, Live, News, Row, Summary, title};
pub use look::Look;
pub use ply::Ply;

use super::words::all;
use crate::record::BoardName;

/// The script of every page.
pub const SCRIPT: &str = include_str!("html/page.js");

/// The style of every page.
pub const STYLE: &str = include_str!("html/page.css");

/// The name of a game in files and links: line, board and number, as far as it has them. Other characters of a line's
/// name than letters, digits, dots and dashes are written as their codes, so that a name stays in its folder and names
/// of two games differ.
pub fn id(key: &BoardName, number: u32) -> String {
    let mut id = String::new();
    if let Some(line) = &key.0 {
        for byte in line.bytes() {
            match byte {
                b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' => id.push(byte.into()),
                _ => id.push_str(&format!("_{byte:02x}")),
            }
        }
        id.push('-');
    }
    match key.1 {
        Some(board) => id.push_str(&format!("{board}-")),
        // Otherwise a line called 7-8 would be board 8 of line 7.
        None if key.0.is_some() => id.push('-'),
        None => {}
    }
    id + &number.to_string()
}

/// JSON without anything that could be markup, and without control characters except line ends and tabs: they become
/// spaces, however the JSON spells them.
pub fn inert(json: Vec<u8>) -> Vec<u8> {
    // 0xc2 begins the characters from U+0080 on.
    if all(&json, |b| (b != b'<') & (b != b'\\') & (b != 0x7f) & (b != 0xc2)) {
        return json;
    }
    let mut text = Vec::with_capacity(json.len() + 64);
    let mut rest = &json[..];
    while let [_, behind @ ..] = rest {
        // In JSON these characters are in strings only.
        let (written, length): (&[u8], usize) = match rest {
            [b'<', ..] => (b"\\u003c", 1),
            [0x7f, ..] => (b" ", 1),
            [0xc2, 0x80..=0x9f, ..] => (b" ", 2),
            [b'\\', b'b' | b'f', ..] => (b" ", 2),
            [b'\\', b'u', b'0', b'0', high, low, ..] if is_control([*high, *low]) => (b" ", 6),
            [b'\\', _, ..] => (&rest[..2], 2),
            _ => {
                let special = |b: &u8| matches!(b, b'<' | b'\\' | 0x7f | 0xc2);
                let length = 1 + behind.iter().position(special).unwrap_or(behind.len());
                (&rest[..length], length)
            }
        };
        text.extend_from_slice(written);
        rest = &rest[length..];
    }
    text
}

/// Whether the last two digits of a character up to U+00FF are those of a control character that ends no line.
fn is_control(digits: [u8; 2]) -> bool {
    let code = std::str::from_utf8(&digits).ok().and_then(|digits| u8::from_str_radix(digits, 16).ok());
    code.is_some_and(|code| char::from(code).is_control() && !matches!(code, b'\n' | b'\r' | b'\t'))
}

/// A value as inert JSON.
pub fn json(value: &impl serde::Serialize) -> Vec<u8> {
    inert(serde_json::to_vec(value).expect("what pages hold has names for keys and so is JSON"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_are_recognised_by_line_board_and_number() {
        let id = |line: Option<&str>, board| id(&(line.map(Into::into), board), 2);
        assert_eq!(id(None, None), "2");
        assert_eq!(id(None, Some(1027)), "1027-2");
        assert_eq!(id(Some("hall-2"), Some(1027)), "hall-2-1027-2");
        assert_eq!(id(Some("7-8"), None), "7-8--2");
        assert_eq!(id(Some("../a b"), Some(1)), ".._2fa_20b-1-2");
    }

    #[test]
    fn no_markup_is_left_in_data() {
        let text = json(&["</script><!--", "a<b"]);
        assert_eq!(text, br#"["\u003c/script>\u003c!--","a\u003cb"]"#);
        assert_eq!(serde_json::from_slice::<[String; 2]>(&text).unwrap(), ["</script><!--", "a<b"]);
    }

    #[test]
    fn control_characters_are_removed_in_any_spelling() {
        let evil = "a\u{1b}]0;x\u{7}b\u{0}c\u{7f}d\u{9b}2Je\u{8}f\u{a0}½\\u001b \"q\"\n\tend";
        let clean = "a ]0;x b c d 2Je f\u{a0}½\\u001b \"q\"\n\tend";
        let spelt = r#""a\u001B]0;x\u0007b\u0000c\u007fd\u009b2Je\bf\u00a0\u00bd\\u001b \"q\"\n\tend""#;
        for json in [serde_json::to_vec(evil).unwrap(), spelt.into()] {
            let text = inert(json);
            assert!(!std::str::from_utf8(&text).unwrap().contains(char::is_control));
            assert_eq!(serde_json::from_slice::<String>(&text).unwrap(), clean);
        }
    }
}
