//! The capture format: every byte of a line, both ways, with its time, as text that a person can read.
//!
//! One line for each piece of traffic: a time (RFC 3339, UTC), `<` from the boards or `>` to them, bytes in
//! hex; `#` begins a comment. Time and direction may be left out, so plain hex reads as bytes from boards.
//!
//! ```text
//! # boardbus capture 1
//! 2026-11-21T10:00:00.120Z > 83 08 01 0c
//! 2026-11-21T10:00:00.127Z < 85 00 0a 08 01 40 34 41 24 71
//! ```
//!
//! Whoever holds a port writes it, `decode` reads it.

use std::fmt;

use crate::record::Time;

/// What a capture begins with: the version of this format.
pub const HEADER: &str = "# boardbus capture 1";

/// Which way bytes went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// Boards to host, `<`.
    FromBoards,
    /// Host to boards, `>`.
    ToBoards,
}

/// A line of a capture, its bytes apart. Its text, without bytes, is what stands in front of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Traffic {
    /// When the host received or sent the last of the bytes.
    pub time: Option<Time>,
    /// Which way they went.
    pub direction: Direction,
}

/// Why a line is none of a capture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum BadLine {
    /// A word that begins like a time and is none.
    #[error("not a time as RFC 3339 has it")]
    Time,
    /// Anything else that is no pair of hex digits.
    #[error("not bytes in hex, two digits each")]
    Hex,
}

/// Reads a line into `bytes`, which is cleared first; none where it only comments.
pub fn parse(line: &[u8], bytes: &mut Vec<u8>) -> Result<Option<Traffic>, BadLine> {
    bytes.clear();
    let text = line.split(|&byte| byte == b'#').next().unwrap_or_default();
    let mut words = text.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()).peekable();
    if words.peek().is_none() {
        return Ok(None);
    }
    let time = words.next_if(|word| word.contains(&b':')).map(time).transpose()?;
    let direction = match words.next_if(|word| matches!(word, [b'<'] | [b'>'])) {
        Some([b'>']) => Direction::ToBoards,
        _ => Direction::FromBoards,
    };
    for word in words {
        for pair in word.chunks(2) {
            let &[high, low] = pair else { return Err(BadLine::Hex) };
            bytes.push(digit(high)? << 4 | digit(low)?);
        }
    }
    Ok(Some(Traffic { time, direction }))
}

fn time(word: &[u8]) -> Result<Time, BadLine> {
    std::str::from_utf8(word).ok().and_then(|word| word.parse().ok()).ok_or(BadLine::Time)
}

fn digit(byte: u8) -> Result<u8, BadLine> {
    (byte as char).to_digit(16).map(|digit| digit as u8).ok_or(BadLine::Hex)
}

impl Traffic {
    /// The line with these bytes, to be written; no line end.
    pub fn with<'a>(&'a self, bytes: &'a [u8]) -> impl fmt::Display + 'a {
        fmt::from_fn(move |f| {
            if let Some(time) = self.time {
                write!(f, "{time} ")?;
            }
            f.write_str(if self.direction == Direction::FromBoards { "<" } else { ">" })?;
            bytes.iter().try_for_each(|byte| write!(f, " {byte:02x}"))
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::{collection::vec, prelude::*};

    use super::*;

    const FROM: Traffic = Traffic { time: None, direction: Direction::FromBoards };

    fn read(line: &str) -> Result<Option<(Traffic, Vec<u8>)>, BadLine> {
        let mut bytes = vec![0xff];
        Ok(parse(line.as_bytes(), &mut bytes)?.map(|traffic| (traffic, bytes)))
    }

    #[test]
    fn a_line_has_time_direction_and_bytes() {
        let sent = Traffic { time: Some(Time(1_795_255_200_123)), direction: Direction::ToBoards };
        let line = "2026-11-21T10:00:00.123Z > 83 08 01 0c";
        assert_eq!(sent.with(&[0x83, 0x08, 0x01, 0x0c]).to_string(), line);
        assert_eq!(read(line), Ok(Some((sent, vec![0x83, 0x08, 0x01, 0x0c]))));
    }

    #[test]
    fn plain_hex_is_bytes_from_boards() {
        for line in ["86 00 43", "860043", "\t86 0043\r", "< 86 00 43 # a dump", "86 00 43 #"] {
            assert_eq!(read(line), Ok(Some((FROM, vec![0x86, 0x00, 0x43]))), "{line}");
        }
    }

    #[test]
    fn comments_and_blank_lines_have_no_bytes() {
        for line in ["", "   ", HEADER, "  # 86 00"] {
            assert_eq!(read(line), Ok(None), "{line}");
        }
    }

    #[test]
    fn anything_else_is_refused() {
        assert_eq!(read("86 0"), Err(BadLine::Hex));
        assert_eq!(read("86 < 00"), Err(BadLine::Hex));
        assert_eq!(read("hello"), Err(BadLine::Hex));
        assert_eq!(read("10:00:00 < 86"), Err(BadLine::Time));
    }

    proptest! {
        #[test]
        fn a_line_reads_as_it_was_written(
            millis in prop::option::of(0..4_000_000_000_000i64),
            to_boards in any::<bool>(),
            bytes in vec(any::<u8>(), 0..40),
        ) {
            let direction = if to_boards { Direction::ToBoards } else { Direction::FromBoards };
            let traffic = Traffic { time: millis.map(Time), direction };
            prop_assert_eq!(read(&traffic.with(&bytes).to_string()), Ok(Some((traffic, bytes))));
        }

        #[test]
        fn any_line_is_read_or_refused(line in vec(any::<u8>(), 0..60)) {
            let mut bytes = Vec::new();
            let _ = parse(&line, &mut bytes);
            prop_assert!(bytes.len() <= line.len());
        }
    }
}
