//! A board's EEPROM: a ring in which its whole life is logged, newest over oldest.

use crate::{
    record::{MarkKind, RING},
    wire::eeprom::{Entry, mark_byte},
};

/// What cells hold that were never written: NOPs, which every reader skips. (No source says what real ones hold.)
const UNWRITTEN: u8 = 0x7f;

/// The ring; positions count all bytes ever written.
#[derive(Debug, Clone)]
pub struct Ring {
    cells: Vec<u8>,
    written: u64,
    /// From here on nothing has been sent for `SEND_CHANGES`.
    pending: u64,
    /// Where the last start mark stands.
    start: Option<u64>,
    /// The last entries, while they are changes of one field: where they stand, newest last.
    flicker: Option<Flicker>,
}

#[derive(Debug, Clone, Copy)]
struct Flicker {
    field: u8,
    at: u64,
    changes: u32,
}

impl Default for Ring {
    fn default() -> Ring {
        Ring { cells: vec![UNWRITTEN; RING], written: 0, pending: 0, start: None, flicker: None }
    }
}

impl Ring {
    /// Logs an entry; false when it took the place of the one before, because only one field keeps changing.
    pub fn log(&mut self, entry: &Entry<'_>) -> bool {
        let mut bytes = Vec::with_capacity(3);
        entry.encode(&mut bytes);
        let again = match (*entry, self.flicker) {
            (Entry::Change { field, .. }, Some(flicker)) if flicker.field == field => Some(flicker),
            _ => None,
        };
        // What a host may have read already is not written over, or it would miss the change.
        if let Some(flicker) = again.filter(|flicker| flicker.changes >= 2 && flicker.at >= self.pending) {
            self.write(flicker.at, &bytes);
            return false;
        }
        let at = self.written;
        if matches!(entry, Entry::Mark(MarkKind::Start)) {
            self.start = Some(at);
        }
        self.flicker = match *entry {
            Entry::Change { field, .. } => {
                Some(Flicker { field, at, changes: again.map_or(1, |flicker| flicker.changes + 1) })
            }
            _ => None,
        };
        self.append(&bytes);
        true
    }

    /// Appends raw bytes of the log.
    pub fn append(&mut self, bytes: &[u8]) {
        self.write(self.written, bytes);
        self.written += bytes.len() as u64;
    }

    fn write(&mut self, at: u64, bytes: &[u8]) {
        for (n, &byte) in (at..).zip(bytes) {
            self.cells[(n % RING as u64) as usize] = byte;
        }
    }

    fn oldest(&self) -> u64 {
        self.written.saturating_sub(RING as u64)
    }

    fn read(&self, from: u64, to: u64) -> Vec<u8> {
        (from.max(self.oldest())..to).map(|at| self.cells[(at % RING as u64) as usize]).collect()
    }

    /// What has been logged since the last time; it is forgotten.
    ///
    /// `cut`: but for the last byte of several.
    pub fn take_pending(&mut self, cut: bool) -> Vec<u8> {
        let cut = cut && self.written > self.pending + 1;
        let until = self.written - u64::from(cut);
        let bytes = self.read(self.pending, until);
        self.pending = until;
        bytes
    }

    /// Whether something waits to be taken.
    pub fn is_pending(&self) -> bool {
        self.pending < self.written
    }

    /// A reset: what was pending is not told any more, it is only in the log.
    pub fn forget_pending(&mut self) {
        self.pending = self.written;
        self.flicker = None;
    }

    /// From the last start mark up to what is pending; from the oldest byte when that mark has been written over,
    /// nothing when there never was one.
    pub fn from_start(&self) -> Vec<u8> {
        self.start.map(|start| self.read(start, self.pending)).unwrap_or_default()
    }

    /// The whole ring, oldest byte first, its last byte the end mark.
    pub fn whole(&self) -> Vec<u8> {
        let unwritten = (RING as u64).saturating_sub(self.written) as usize;
        let mut bytes = vec![UNWRITTEN; unwritten];
        bytes.extend(self.read(0, self.written));
        bytes.drain(..1);
        bytes.push(mark_byte(MarkKind::End));
        bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn change(field: u8, piece: u8) -> Entry<'static> {
        Entry::Change { field, piece, quick: false }
    }

    #[test]
    fn logs_since_start_marks_leave_out_pending_changes() {
        let mut ring = Ring::default();
        ring.log(&change(52, 0));
        ring.log(&Entry::Mark(MarkKind::Start));
        ring.log(&change(36, 1));
        assert_eq!(ring.take_pending(false), [0x40, 0x34, 0x7b, 0x41, 0x24]);
        ring.log(&change(12, 0));
        assert_eq!(ring.from_start(), [0x7b, 0x41, 0x24]);
        assert_eq!(ring.take_pending(false), [0x40, 0x0c]);
        assert_eq!(ring.from_start(), [0x7b, 0x41, 0x24, 0x40, 0x0c]);
        assert!(!ring.is_pending());
    }

    #[test]
    fn a_second_start_mark_hides_the_first() {
        let mut ring = Ring::default();
        for field in [1, 2] {
            ring.log(&Entry::Mark(MarkKind::Start));
            ring.log(&change(field, 1));
        }
        ring.take_pending(false);
        assert_eq!(ring.from_start(), [0x7b, 0x41, 0x02]);
    }

    #[test]
    fn rings_wrapped_past_start_marks_give_the_rest() {
        let mut ring = Ring::default();
        ring.log(&Entry::Mark(MarkKind::Start));
        for n in 0..RING / 2 {
            ring.log(&change((n % 2) as u8, 1));
        }
        ring.take_pending(false);
        let log = ring.from_start();
        assert_eq!((log.len(), &log[..4]), (RING, &[0x41, 0x00, 0x41, 0x01][..]));
    }

    #[test]
    fn flickering_fields_overwrite_their_last_entry() {
        let mut ring = Ring::default();
        let taken: Vec<bool> = [0, 1, 0, 1, 0].map(|piece| ring.log(&change(52, piece))).into();
        assert_eq!(taken, [true, true, false, false, false]);
        assert_eq!(ring.take_pending(false), [0x40, 0x34, 0x40, 0x34]);
        assert!(ring.log(&change(52, 1)), "what was sent stays");
    }

    #[test]
    fn whole_rings_have_the_real_length_and_end_marks() {
        let mut ring = Ring::default();
        ring.log(&change(52, 0));
        let whole = ring.whole();
        assert_eq!(whole.len(), 0x1f00);
        assert_eq!(whole[0x1efc..], [0x7f, 0x40, 0x34, 0x6b]);
    }
}
