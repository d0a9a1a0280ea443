//! A board's EEPROM: a ring in which the newest entries of its log overwrite the oldest.

use crate::{
    record::{MarkKind, RING},
    wire::eeprom::{Entry, mark_byte},
};

/// The content of cells that were never written: NOPs, which every reader skips. (No document defines it.)
const UNWRITTEN: u8 = 0x7f;

/// The ring; positions count all bytes ever written.
#[derive(Debug, Clone)]
pub struct Ring {
    cells: Vec<u8>,
    written: u64,
    /// The position of the first byte that was not sent for `SEND_CHANGES`.
    pending: u64,
    /// The position of the last start mark.
    start: Option<u64>,
    /// The last entry, while the last entries are changes of one field.
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
    /// Logs an entry. Returns false if it replaced the entry before, because a single field changes repeatedly.
    pub fn log(&mut self, entry: &Entry<'_>) -> bool {
        let mut bytes = Vec::with_capacity(3);
        entry.encode(&mut bytes);
        let again = match (*entry, self.flicker) {
            (Entry::Change { field, .. }, Some(flicker)) if flicker.field == field => Some(flicker),
            _ => None,
        };
        // An entry that a host has read is not overwritten, or the host would miss the change.
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

    /// Takes the bytes that were logged since the last call.
    ///
    /// `cut`: without the last byte, if there are several.
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

    /// A reset: pending bytes will not be sent for `SEND_CHANGES`; they remain in the log.
    pub fn forget_pending(&mut self) {
        self.pending = self.written;
        self.flicker = None;
    }

    /// The bytes from the last start mark up to the pending ones; from the oldest byte if that mark was overwritten, none if
    /// there was no mark.
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
    fn a_log_since_the_start_mark_has_no_pending_bytes() {
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
    fn an_overwritten_start_mark_leaves_the_oldest_bytes() {
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
    fn a_flickering_field_overwrites_its_last_entry() {
        let mut ring = Ring::default();
        let taken: Vec<bool> = [0, 1, 0, 1, 0].map(|piece| ring.log(&change(52, piece))).into();
        assert_eq!(taken, [true, true, false, false, false]);
        assert_eq!(ring.take_pending(false), [0x40, 0x34, 0x40, 0x34]);
        assert!(ring.log(&change(52, 1)), "what was sent stays");
    }

    #[test]
    fn the_whole_ring_ends_with_the_end_mark() {
        let mut ring = Ring::default();
        ring.log(&change(52, 0));
        let whole = ring.whole();
        assert_eq!(whole.len(), 0x1f00);
        assert_eq!(whole[0x1efc..], [0x7f, 0x40, 0x34, 0x6b]);
    }
}
