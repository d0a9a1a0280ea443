//! An input that is consumed piece by piece, so that its bytes choose what an attack does.

/// The rest of an input.
pub struct Bytes<'a>(&'a [u8]);

impl<'a> Bytes<'a> {
    pub fn new(data: &'a [u8]) -> Bytes<'a> {
        Bytes(data)
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The next byte; 0 after the end.
    pub fn byte(&mut self) -> u8 {
        let Some((&first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        first
    }

    /// A number below `n`, which is at least 1.
    pub fn below(&mut self, n: usize) -> usize {
        let number = if n > 256 {
            usize::from(self.byte()) << 8 | usize::from(self.byte())
        } else {
            self.byte().into()
        };
        number % n
    }

    /// Up to `n` bytes.
    pub fn take(&mut self, n: usize) -> &'a [u8] {
        let (taken, rest) = self.0.split_at(n.min(self.0.len()));
        self.0 = rest;
        taken
    }

    /// The rest of the input.
    pub fn rest(&mut self) -> &'a [u8] {
        std::mem::take(&mut self.0)
    }
}

/// Text from an input: as it is, or composed of these words and of single characters.
pub fn text(data: &[u8], words: &[&str]) -> Vec<u8> {
    let Some((how, rest)) = data.split_first() else { return Vec::new() };
    if how & 1 == 0 {
        return rest.to_vec();
    }
    let mut text = Vec::new();
    for &byte in rest {
        match words.get(usize::from(byte)) {
            Some(word) => {
                text.extend_from_slice(word.as_bytes());
                text.push(b' ');
            }
            None => text.push(byte),
        }
    }
    text
}
