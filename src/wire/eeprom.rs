//! The board's own log, as it is kept in a ring of its EEPROM and sent over the wire.
//!
//! Read strictly in sequence: a time's digits can look like a change. What means nothing (NOPs, the time
//! padding of newer firmware) is skipped; what cannot be is handed on as such, and reading goes on behind it.

use super::clock::{from_digits, to_digits};
use crate::record::{MarkKind, Side};

/// The ring's size in bytes: a log in single-board mode is as long.
pub const RING: usize = 0x1f00;

/// An entry of the log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Entry<'a> {
    /// A square changed.
    Change {
        /// Field number, 0 (a8) to 63 (h1); up to 99 on boards of 100 squares.
        field: u8,
        /// Code of what stands there now, 0 (empty) to 15.
        piece: u8,
        /// Less than 250 ms since the last change; boards before 2014 never say so.
        quick: bool,
    },
    /// The lever turned: what the clock of the side just halted shows.
    Time {
        /// The side just halted.
        side: Side,
        /// 0 to 35999 (9:59:59).
        seconds: u16,
    },
    /// A code of one byte.
    Mark(MarkKind),
    /// 7c and delay bytes, which newer firmware writes for itself; not a reset by the watchdog.
    Debug,
    /// 7d, 7e: reserved codes without a known meaning.
    Reserved(u8),
    /// Bytes that are no entry.
    Bad(&'a [u8]),
}

const CHANGE: u8 = 0x40;
const QUICK: u8 = 0x10;
const TIME_RIGHT: u8 = 0x60;
const TIME_LEFT: u8 = 0x70;
const NOP: u8 = 0x7f;
const LAST_FIELD: u8 = 0x63;

/// What follows a switching on, before the list of the pieces.
pub const POWER_UP: [u8; 4] = [NOP, NOP, NOP, 0x6a];

const MARKS: [(u8, MarkKind); 9] = [
    (0x6a, MarkKind::PowerUp),
    (0x6b, MarkKind::End),
    (0x6c, MarkKind::FourRows),
    (0x6d, MarkKind::Empty),
    (0x6e, MarkKind::Downloaded),
    (0x6f, MarkKind::Begin),
    (0x7a, MarkKind::BeginRotated),
    (0x7b, MarkKind::Start),
    (0x7c, MarkKind::Watchdog),
];

/// The byte of a mark.
pub fn mark_byte(mark: MarkKind) -> u8 {
    MARKS.iter().find(|(_, kind)| *kind == mark).map_or(NOP, |(byte, _)| *byte)
}

impl Entry<'_> {
    /// Appends the entry as it stands in the log.
    pub fn encode(&self, out: &mut Vec<u8>) {
        match *self {
            Entry::Change { field, piece, quick } => {
                out.extend([CHANGE | u8::from(quick) * QUICK | piece & 0x0f, field.min(LAST_FIELD)]);
            }
            Entry::Time { side, seconds } => {
                let [hours, minutes, seconds] = to_digits(seconds);
                let first = if side == Side::Left { TIME_LEFT } else { TIME_RIGHT };
                out.extend([first | hours, minutes, seconds]);
            }
            Entry::Mark(mark) => out.push(mark_byte(mark)),
            Entry::Debug => out.extend([mark_byte(MarkKind::Watchdog), 0x03]),
            Entry::Reserved(byte) => out.push(byte),
            Entry::Bad(bytes) => out.extend_from_slice(bytes),
        }
    }
}

/// The entries of a log that begins with an entry.
pub fn entries(log: &[u8]) -> Entries<'_> {
    Entries { rest: log }
}

/// The entries of a log whose beginning may have been overwritten in the middle of an entry.
///
/// What can be the end of a torn entry is left out: better one change of long ago too few than one that
/// never was.
pub fn torn_entries(log: &[u8]) -> Entries<'_> {
    let log = &log[log.iter().position(|&byte| byte >= CHANGE).unwrap_or(log.len())..];
    let torn = match *log {
        // The minutes and seconds of a time.
        [minutes @ 0x40..0x60, seconds, ..] if from_digits([0, minutes, seconds]).is_some() => 2,
        // The seconds of a time, or the field of a change on a large board.
        [0x40..0x60, CHANGE..=0xff, ..] => 1,
        _ => 0,
    };
    Entries { rest: &log[torn..] }
}

/// Walks through a log.
#[derive(Debug, Clone)]
pub struct Entries<'a> {
    rest: &'a [u8],
}

impl<'a> Iterator for Entries<'a> {
    type Item = Entry<'a>;

    #[inline]
    fn next(&mut self) -> Option<Entry<'a>> {
        loop {
            let (&first, after) = self.rest.split_first()?;
            let (entry, length) = match first {
                0x00..=0x3f | NOP => {
                    self.rest = after;
                    continue;
                }
                0x40..=0x5f => match after.first() {
                    Some(&field) if field <= LAST_FIELD => {
                        (Entry::Change { field, piece: first & 0x0f, quick: first & QUICK != 0 }, 2)
                    }
                    _ => self.bad(1),
                },
                0x60..=0x69 | 0x70..=0x79 => {
                    let digits = match *after {
                        [minutes, seconds, ..] => from_digits([first & 0x0f, minutes, seconds]),
                        _ => None,
                    };
                    let side = if first & QUICK != 0 { Side::Left } else { Side::Right };
                    match digits {
                        Some(seconds) => (Entry::Time { side, seconds }, 3),
                        None => self.bad(1 + after.iter().take(2).take_while(|byte| **byte < 0x60).count()),
                    }
                }
                0x7c if matches!(after.first(), Some(0x01..=0x3f)) => (Entry::Debug, 2),
                0x7d | 0x7e => (Entry::Reserved(first), 1),
                _ => match MARKS.iter().find(|(byte, _)| *byte == first) {
                    Some(&(_, mark)) => (Entry::Mark(mark), 1),
                    None => self.bad(1),
                },
            };
            self.rest = &self.rest[length..];
            return Some(entry);
        }
    }
}

impl<'a> Entries<'a> {
    fn bad(&self, length: usize) -> (Entry<'a>, usize) {
        (Entry::Bad(&self.rest[..length]), length)
    }
}
