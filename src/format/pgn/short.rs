//! Short ASCII texts in a buffer of fixed size. The names of a ply are written millions of times, and checking for each
//! letter whether a text has to grow took a sixth of the time of `from-pgn`.

use std::ops::Deref;

/// A length fits in a byte, and after every length there is room for a piece of `PIECE` bytes: pieces up to that size,
/// of a length that is constant for the compiler, are written without checking for room.
const LONGEST: usize = u8::MAX as usize;
const PIECE: usize = 64;

/// A short text of up to 255 bytes, far more than any text here. The longest are the names of a ply with their fields
/// in JSON: a FEN has up to 103 letters, all else 45.
#[derive(Clone)]
pub(super) struct Short {
    bytes: [u8; LONGEST + PIECE],
    length: u8,
}

/// A text to which letters are added.
pub(super) trait Letters {
    /// Adds a text.
    fn put(&mut self, text: &[u8]);

    /// Adds the first of these bytes. All are copied whatever the length is, since a copy of a fixed size is fastest.
    fn put_first<const N: usize>(&mut self, length: u8, bytes: [u8; N]);
}

impl Letters for Vec<u8> {
    #[inline(always)]
    fn put(&mut self, text: &[u8]) {
        self.extend_from_slice(text);
    }

    #[inline(always)]
    fn put_first<const N: usize>(&mut self, length: u8, bytes: [u8; N]) {
        let end = self.len() + usize::from(length);
        self.extend_from_slice(&bytes);
        self.truncate(end);
    }
}

impl Letters for Short {
    #[inline(always)]
    fn put(&mut self, text: &[u8]) {
        let end = self.len() + text.len();
        if let Some(place) = self.bytes.get_mut(self.length.into()..end) {
            place.copy_from_slice(text);
            self.end_at(end);
        }
    }

    #[inline(always)]
    fn put_first<const N: usize>(&mut self, length: u8, bytes: [u8; N]) {
        let begin = self.len();
        self.put(&bytes);
        self.end_at(begin + usize::from(length));
    }
}

impl Short {
    /// An empty one.
    pub fn new() -> Short {
        Short { bytes: [0; LONGEST + PIECE], length: 0 }
    }

    /// Shortens it to this many bytes.
    pub fn truncate(&mut self, length: usize) {
        self.end_at(length.min(self.len()));
    }

    /// Adds it to a longer text, with a copy of a fixed size where that is enough, as it mostly is.
    #[inline(always)]
    pub fn add_to<const MOST: usize>(&self, text: &mut Vec<u8>) {
        match self.bytes.first_chunk::<MOST>() {
            Some(most) if self.len() <= MOST => {
                let end = text.len() + self.len();
                text.extend_from_slice(most);
                text.truncate(end);
            }
            _ => text.extend_from_slice(self),
        }
    }

    #[inline(always)]
    fn end_at(&mut self, end: usize) {
        debug_assert!(end <= LONGEST, "no short text");
        self.length = end as u8;
    }
}

impl Default for Short {
    fn default() -> Short {
        Short::new()
    }
}

impl Deref for Short {
    type Target = [u8];

    #[inline(always)]
    fn deref(&self) -> &[u8] {
        &self.bytes[..usize::from(self.length)]
    }
}

impl std::fmt::Debug for Short {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?}", self.escape_ascii().to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_added_completely_at_any_length() {
        let mut short = Short::new();
        let mut expected = Vec::new();
        for n in 0..40 {
            let piece = format!("{n},");
            short.put(piece.as_bytes());
            short.put_first(2, *b"ab345678");
            expected.extend_from_slice(piece.as_bytes());
            expected.extend_from_slice(b"ab");
            assert_eq!(*short, expected);
            let mut text = b"<".to_vec();
            short.add_to::<8>(&mut text);
            short.add_to::<128>(&mut text);
            assert_eq!(text, [b"<", &expected[..], &expected].concat());
        }
        assert!(expected.len() > 128);
        short.truncate(5);
        assert_eq!(*short, expected[..5]);
        short.truncate(0);
        assert!(short.is_empty());
    }
}
