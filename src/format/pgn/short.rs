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

    /// Begins anew with a text of which `length` bytes count.
    pub(super) fn begin<const M: usize>(&mut self, text: &[u8; M], length: usize) {
        if let Some(place) = self.bytes.first_chunk_mut() {
            *place = *text;
            self.length = length;
        }
    }

    /// A number in decimal.
    pub(super) fn number(&mut self, number: u32) {
        if number >= 100 {
            self.number(number / 10);
        } else if number >= 10 {
            self.push(b'0' + (number / 10) as u8);
        }
        self.push(b'0' + (number % 10) as u8);
    }
}
