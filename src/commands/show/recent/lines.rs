//! Searches a long file by its lines, without parsing most of them.

use std::{fs::File, io, os::unix::fs::FileExt};

use memchr::memmem;

use crate::{screen::Name, stop};

/// How many bytes are searched at a time.
pub const STEP_BYTES: u64 = 4 << 20;
/// The text before the address of a board, and before the name of a line.
pub const BOARD: &[u8] = b"\"board\":";
pub const LINE: &[u8] = b"\"line\":\"";

/// Passes the file to `take`, some whole lines at a time, from its beginning to `end`, with the byte at which they
/// begin.
pub fn whole_lines(file: &File, end: u64, mut take: impl FnMut(u64, &[u8])) -> io::Result<()> {
    let (mut from, mut block) = (0, Vec::new());
    while from < end && stop::requested().is_none() {
        block.resize(STEP_BYTES.min(end - from) as usize, 0);
        file.read_exact_at(&mut block, from)?;
        // A line longer than this block is no record.
        let whole = memchr::memrchr(b'\n', &block).map_or(block.len(), |at| at + 1);
        take(from, &block[..whole]);
        from += whole as u64;
    }
    Ok(())
}

/// The line that contains a place, and where it begins.
pub fn line_at(block: &[u8], place: usize) -> (usize, &[u8]) {
    let begins = memchr::memrchr(b'\n', &block[..place]).map_or(0, |at| at + 1);
    let ends = memchr::memchr(b'\n', &block[place..]).map_or(block.len(), |at| place + at);
    (begins, &block[begins..ends])
}

/// The board of a record's line, without parsing all of it.
pub fn board_of(line: &[u8]) -> Option<Name> {
    let value = |name: &[u8]| {
        let at = memmem::find(line, name)? + name.len();
        Some(&line[at..])
    };
    let board = address(value(BOARD)?)?;
    let named = value(LINE).and_then(|text| {
        let end = memchr::memchr(b'"', text)?;
        std::str::from_utf8(&text[..end]).ok().map(Into::into)
    });
    Some((named, Some(board)))
}

/// The address at the beginning of a text.
pub fn address(text: &[u8]) -> Option<u16> {
    let end = text.iter().position(|byte| !byte.is_ascii_digit())?;
    std::str::from_utf8(&text[..end]).ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_name_their_board() {
        let of = |line: &str| board_of(line.as_bytes());
        assert_eq!(of(r#"{"type":"quiet","board":1027,"seq":3}"#), Some((None, Some(1027))));
        assert_eq!(of(r#"{"type":"quiet","line":"b","board":7}"#), Some((Some("b".into()), Some(7))));
        assert_eq!(of(r#"{"type":"stream","records":1}"#), None);
    }
}
