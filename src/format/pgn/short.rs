//! Short texts in place: no allocation, and copied whole.

/// A short ASCII text in place. More than its `N` bytes is nobody's name, and cut off.
#[derive(Debug, Clone, Copy)]
pub struct Short<const N: usize> {
    bytes: [u8; N],
    length: usize,
}

impl<const N: usize> Default for Short<N> {
    fn default() -> Short<N> {
        Short { bytes: [0; N], length: 0 }
    }
}

impl<const N: usize> Short<N> {
    /// The text.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes[..self.length]
    }

    /// All bytes, those behind the text too: copying so many is quicker than to ask how many are needed.
    pub(super) fn room(&self) -> &[u8; N] {
        &self.bytes
    }

    pub(super) fn clear(&mut self) {
        self.length = 0;
    }

    pub(super) fn push(&mut self, byte: u8) {
        if let Some(place) = self.bytes.get_mut(self.length) {
            *place = byte;
            self.length += 1;
        }
    }

    pub(super) fn extend(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.push(byte));
    }

    /// Puts down a piece of a fixed size, of which `length` bytes count.
    pub(super) fn put<const M: usize>(&mut self, piece: &[u8; M], length: usize) {
        match self.bytes.get_mut(self.length..).and_then(<[u8]>::first_chunk_mut) {
            Some(place) => {
                *place = *piece;
                self.length += length;
            }
            None => self.extend(&piece[..length]),
        }
    }

    /// Begins anew with a text of which `length` bytes count.
    pub(super) fn begin<const M: usize>(&mut self, text: &[u8; M], length: usize) {
        if let Some(place) = self.bytes.first_chunk_mut() {
            *place = *text;
            self.length = length;
        }
    }

    /// A number in decimal.
    pub(super) fn number(&mut self, number: u32) {
        if number >= 1000 {
            self.number(number / 10);
            return self.push(b'0' + (number % 10) as u8);
        }
        let digit = |unit| b'0' + (number / unit % 10) as u8;
        let three = u32::from_le_bytes([digit(100), digit(10), digit(1), 0]);
        let zeros = usize::from(number < 100) + usize::from(number < 10);
        self.put(&(three >> (8 * zeros)).to_le_bytes(), 3 - zeros);
    }
}
