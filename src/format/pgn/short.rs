//! Short texts of ASCII in a fixed place. The names of a ply are written millions of times, and asking at each letter
//! whether a text has to grow took a sixth of the time of `from-pgn`.

use arrayvec::ArrayVec;

/// The names of a ply with their fields in JSON have room in it: a FEN has 103 letters at most, all else 45.
pub(super) type Short = ArrayVec<u8, 256>;

/// What letters are added to.
pub(super) trait Letters {
    /// Adds a text. What has no room in a short one would be none of ours.
    fn put(&mut self, text: &[u8]);
}

impl Letters for Vec<u8> {
    #[inline(always)]
    fn put(&mut self, text: &[u8]) {
        self.extend_from_slice(text);
    }
}

impl Letters for Short {
    #[inline(always)]
    fn put(&mut self, text: &[u8]) {
        let _ = self.try_extend_from_slice(text);
    }
}
