//! The log that a board keeps in a ring of its EEPROM and sends to the host.
//!
//! A log must be read strictly in sequence, since the digits of a time can look like a change. Bytes without a meaning (NOPs,
//! the time padding of newer firmware) are skipped; invalid bytes are returned as [`Entry::Bad`], and reading continues
//! after them.

use std::borrow::Cow;

use super::{
    clock::{from_digits, to_digits},
    frame::{join14, split14},
};
use crate::record::{MarkKind, Side};

/// An entry of the log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Entry<'a> {
    /// A square changed.
    Change {
        /// Field number, 0 (a8) to 63 (h1); up to 99 on boards of 100 squares.
        field: u8,
        /// Code of the piece there now, 0 (none) to 15.
        piece: u8,
        /// Less than 250 ms since the last change; boards before 2014 never report this.
        quick: bool,
    },
    /// The lever turned: the time on the clock of the side just halted.
    Time {
        /// The side just halted.
        side: Side,
        /// 0 to 35999 (9:59:59).
        seconds: u16,
    },
    /// A code of one byte.
    Mark(MarkKind),
    /// 7c and delay bytes, a debugging aid of newer firmware; not a reset by the watchdog.
    Debug,
    /// 7e and the board's new address on the bus, which newer firmware writes.
    ///
    /// No document defines its data. It is read like any other address of the protocol: two bytes of seven bits, the higher
    /// first. Older boards write no 7e, so the bytes after one are never a change or a time.
    NewAddress(u16),
    /// 7d, and a 7e that ends the log: reserved codes without known data.
    Reserved(u8),
    /// Bytes that are no entry.
    Bad(&'a [u8]),
}

const CHANGE: u8 = 0x40;
const QUICK: u8 = 0x10;
const TIME_RIGHT: u8 = 0x60;
const TIME_LEFT: u8 = 0x70;
const NEW_ADDRESS: u8 = 0x7e;
const NOP: u8 = 0x7f;
const LAST_FIELD: u8 = 0x63;

/// The bytes that a board logs when it is switched on, before the list of its pieces.
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
    /// Appends the bytes of the entry.
    pub fn encode(&self, out: &mut Vec<u8>) {
        match *self {
            Entry::Change { field, piece, quick } => {
                out.extend([CHANGE | (u8::from(quick) * QUICK) | (piece & 0x0f), field.min(LAST_FIELD)]);
            }
            Entry::Time { side, seconds } => {
                let [hours, minutes, seconds] = to_digits(seconds);
                let first = if side == Side::Left { TIME_LEFT } else { TIME_RIGHT };
                out.extend([first | hours, minutes, seconds]);
            }
            Entry::Mark(mark) => out.push(mark_byte(mark)),
            Entry::Debug => out.extend([mark_byte(MarkKind::Watchdog), 0x03]),
            Entry::NewAddress(address) => {
                out.push(NEW_ADDRESS);
                out.extend(split14(address));
            }
            Entry::Reserved(byte) => out.push(byte),
            Entry::Bad(bytes) => out.extend_from_slice(bytes),
        }
    }
}

/// The entries of a log that begins with an entry.
pub fn entries(log: &[u8]) -> Entries<'_> {
    Entries { rest: log }
}

/// The entries of a log that may begin in the middle of an entry, whose first bytes were overwritten.
///
/// Bytes that can be the end of a torn entry are left out: to lose an old change is better than to invent one.
pub fn torn_entries(log: &[u8]) -> Entries<'_> {
    let log = &log[log.iter().position(|&byte| byte >= CHANGE).unwrap_or(log.len())..];
    let torn = match *log {
        // The minutes and seconds of a time, and then an entry.
        [minutes @ 0x40..0x60, seconds, ..]
            if from_digits([0, minutes, seconds]).is_some()
                && log.get(2).is_none_or(|&next| next >= CHANGE) =>
        {
            2
        }
        // The seconds of a time, or the field of a change on a large board.
        [0x40..0x60, CHANGE..=0xff, ..] => 1,
        _ => 0,
    };
    Entries { rest: &log[torn..] }
}

/// The number of bytes at the end of a piece of log that begin an incomplete entry, which the next piece may complete.
pub fn cut_off(log: &[u8]) -> usize {
    // Fast path: no entry is longer than three bytes, so the last two bytes of most logs decide.
    let of_two = |byte: u8| matches!(byte, 0x40..=0x5f);
    let of_three = |byte: u8| matches!(byte, 0x60..=0x69 | 0x70..=0x79 | NEW_ADDRESS);
    let last = |back: usize| log.len().checked_sub(back).map_or(NOP, |at| log[at]);
    if !of_two(last(1)) && !of_three(last(1)) && !of_three(last(2)) {
        return 0;
    }
    let mut entries = entries(log);
    loop {
        let rest = entries.rest;
        match entries.next() {
            None => return 0,
            Some(Entry::Bad(_) | Entry::Reserved(_)) if entries.rest.is_empty() => {
                return match *rest {
                    [0x40..=0x69 | 0x70..=0x79 | NEW_ADDRESS] => 1,
                    [0x60..=0x69 | 0x70..=0x79, minutes] if from_digits([0, minutes, 0x40]).is_some() => 2,
                    _ => 0,
                };
            }
            Some(Entry::Reserved(NEW_ADDRESS)) if matches!(*rest, [_, ..0x80]) => return 2,
            Some(_) => {}
        }
    }
}

/// Joins entries of a board's log that are cut across two of its packets.
#[derive(Debug, Clone, Default)]
pub struct CutEntries {
    /// The beginning of an entry at the end of the last packet.
    begun: Vec<u8>,
    /// That packet, if it began with an entry of its own.
    packet: Vec<u8>,
}

impl CutEntries {
    /// The beginning of an entry that waits for the next packet; empty if there is none.
    pub fn begun(&self) -> &[u8] {
        &self.begun
    }

    /// Returns the complete entries of a packet, with the beginning of the first from the packet before. An incomplete entry
    /// at its end waits for the next packet. A beginning that this packet does not continue is returned before it, and reads as
    /// [`Entry::Bad`].
    pub fn join<'a>(&mut self, packet: &'a [u8]) -> Cow<'a, [u8]> {
        let continues = self.is_continued_by(packet);
        let mut log = Cow::Borrowed(packet);
        if !self.begun.is_empty() {
            let gap: &[u8] = if continues { &[] } else { &[NOP] };
            log = [&self.begun, gap, packet].concat().into();
        }
        // An empty packet means that the rest of the entry will not come.
        let cut = if packet.is_empty() { 0 } else { cut_off(&log) };
        let whole = log.len() - cut;
        self.begun = log[whole..].to_vec();
        self.packet = if continues || cut == 0 { Vec::new() } else { packet.to_vec() };
        match &mut log {
            Cow::Borrowed(log) => *log = &log[..whole],
            Cow::Owned(log) => log.truncate(whole),
        }
        log
    }

    /// Whether a packet has the next byte of the entry: not if it begins with an entry of its own.
    fn is_continued_by(&self, packet: &[u8]) -> bool {
        match (&self.begun[..], packet) {
            ([], _) | (_, []) => false,
            ([CHANGE..TIME_RIGHT], [field, ..]) => *field < CHANGE,
            // Minutes and seconds from 40 on look like a change. A board sends its last packet again when it is asked to.
            (_, [next, ..]) => *next < CHANGE || packet != self.packet,
        }
    }
}

/// Iterates over the entries of a log.
#[derive(Debug, Clone)]
pub struct Entries<'a> {
    rest: &'a [u8],
}

impl<'a> Iterator for Entries<'a> {
    type Item = Entry<'a>;

    #[inline(always)]
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
                NEW_ADDRESS => match *after {
                    [high @ ..0x80, low @ ..0x80, ..] => (Entry::NewAddress(join14(high, low)), 3),
                    _ => (Entry::Reserved(first), 1),
                },
                0x7d => (Entry::Reserved(first), 1),
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

#[cfg(test)]
mod tests {
    use proptest::{collection::vec, prelude::*};

    use super::*;

    fn quick_change(field: u8, piece: u8, quick: bool) -> Entry<'static> {
        Entry::Change { field, piece, quick }
    }

    fn slow(field: u8, piece: u8) -> Entry<'static> {
        quick_change(field, piece, false)
    }

    fn time(side: Side, minutes: u16, seconds: u16) -> Entry<'static> {
        Entry::Time { side, seconds: minutes * 60 + seconds }
    }

    fn read(log: &[u8]) -> Vec<Entry<'_>> {
        entries(log).collect()
    }

    const START: Entry<'_> = Entry::Mark(MarkKind::Start);

    #[test]
    fn the_example_log_is_read_as_documented() {
        let mut log =
            vec![0x7f, 0x7f, 0x7f, 0x6a, 0x48, 0x00, 0x49, 0x01, 0x42, 0x3f, 0x6f, 0x7b, 0x48, 0x00];
        log.extend([
            0x40, 0x34, 0x41, 0x24, 0x70, 0x59, 0x58, 0x50, 0x0c, 0x57, 0x1c, 0x60, 0x59, 0x55, 0x6b,
        ]);
        assert_eq!(
            read(&log),
            [
                Entry::Mark(MarkKind::PowerUp),
                slow(0, 8),
                slow(1, 9),
                slow(63, 2),
                Entry::Mark(MarkKind::Begin),
                START,
                slow(0, 8),
                slow(52, 0),
                slow(36, 1),
                time(Side::Left, 59, 58),
                quick_change(12, 0, true),
                quick_change(28, 7, true),
                time(Side::Right, 59, 55),
                Entry::Mark(MarkKind::End),
            ]
        );
    }

    #[test]
    fn every_code_of_one_byte_has_a_meaning() {
        use MarkKind::*;
        let codes = [0x6a, 0x6b, 0x6c, 0x6d, 0x6e, 0x6f, 0x7a, 0x7b, 0x7c];
        let marks = [PowerUp, End, FourRows, Empty, Downloaded, Begin, BeginRotated, Start, Watchdog];
        assert_eq!(read(&codes), marks.map(Entry::Mark));
        assert_eq!(codes, marks.map(mark_byte));
        assert_eq!(read(&[0x7f, 0x00, 0x7d, 0x7e, 0x7f]), [Entry::Reserved(0x7d), Entry::Reserved(0x7e)]);
    }

    #[test]
    fn time_padding_of_newer_firmware_is_skipped() {
        assert_eq!(read(&[0x12, 0x03, 0x3f, 0x41, 0x24, 0x01, 0x40, 0x34]), [slow(36, 1), slow(52, 0)]);
        assert_eq!(read(&[0x7c, 0x03, 0x20, 0x11, 0x41, 0x24]), [Entry::Debug, slow(36, 1)]);
        assert_eq!(
            read(&[0x7c, 0x7f, 0x7f, 0x7f, 0x6a]),
            [Entry::Mark(MarkKind::Watchdog), Entry::Mark(MarkKind::PowerUp)]
        );
    }

    /// Addresses with bytes that look like the first of a change, a time and a start mark, and small ones.
    #[test]
    fn a_new_address_is_not_read_as_other_entries() {
        let after = [slow(52, 0), slow(36, 1), time(Side::Left, 59, 58)];
        for address in [0x48 << 7 | 0x01, 0x08 << 7 | 0x41, 0x41 << 7 | 0x24, 0x66 << 7 | 0x3c, 0x7b, 2054] {
            let mut log = vec![0x7e, (address >> 7) as u8, (address & 0x7f) as u8];
            log.extend([0x40, 0x34, 0x41, 0x24, 0x70, 0x59, 0x58]);
            assert_eq!(read(&log)[0], Entry::NewAddress(address));
            assert_eq!(read(&log)[1..], after, "{log:02x?}");
        }
        assert_eq!(read(&[0x41, 0x24, 0x7e]), [slow(36, 1), Entry::Reserved(0x7e)]);
    }

    #[test]
    fn fields_of_large_boards_go_up_to_99() {
        assert_eq!(read(&[0x41, 0x63]), [slow(99, 1)]);
        assert_eq!(read(&[0x41, 0x64]), [Entry::Bad(&[0x41]), Entry::Bad(&[0x64])]);
    }

    #[test]
    fn reading_continues_after_invalid_bytes() {
        assert_eq!(read(&[0x41, 0x7b, 0x40, 0x34]), [Entry::Bad(&[0x41]), START, slow(52, 0)]);
        assert_eq!(read(&[0x70, 0x59, 0x5c, 0x41, 0x24]), [Entry::Bad(&[0x70, 0x59, 0x5c]), slow(36, 1)]);
        assert_eq!(read(&[0x60, 0x59, 0x6f]), [Entry::Bad(&[0x60, 0x59]), Entry::Mark(MarkKind::Begin)]);
        assert_eq!(read(&[0x41, 0x24, 0x79]), [slow(36, 1), Entry::Bad(&[0x79])]);
    }

    #[test]
    fn an_incomplete_last_entry_is_counted_as_cut_off() {
        for (log, cut) in [
            (&[0x41, 0x24][..], 0),
            (&[0x41], 1),
            (&[0x41, 0x24, 0x57], 1),
            (&[0x41, 0x24, 0x60], 1),
            (&[0x41, 0x24, 0x70, 0x59], 2),
            (&[0x70, 0x59, 0x58], 0),
            (&[0x6a], 0),
            (&[0x41, 0x24, 0x6b], 0),
            (&[0x7e], 1),
            (&[0x7e, 0x08], 2),
            (&[0x41, 0x6a], 0),
            (&[], 0),
        ] {
            assert_eq!(cut_off(log), cut, "{log:02x?}");
        }
    }

    #[test]
    fn a_torn_log_begins_with_its_first_whole_entry() {
        let tail = [0x41, 0x3c, 0x6f];
        let whole = [slow(60, 1), Entry::Mark(MarkKind::Begin)];
        for torn in [&[][..], &[0x34], &[0x03, 0x12], &[0x59, 0x58], &[0x48, 0x03], &[0x58]] {
            let log = [torn, &tail].concat();
            assert_eq!(torn_entries(&log).collect::<Vec<_>>(), whole, "{torn:02x?}");
        }
        // It can be a change of e4 or 41 minutes 24.
        assert_eq!(torn_entries(&[0x41, 0x24, 0x6f]).collect::<Vec<_>>(), [Entry::Mark(MarkKind::Begin)]);
        assert_eq!(torn_entries(&[0x7b, 0x41, 0x24]).collect::<Vec<_>>(), [START, slow(36, 1)]);
        assert_eq!(torn_entries(&[0x00; 9]).count(), 0);
    }

    fn any_entry() -> impl Strategy<Value = Entry<'static>> {
        prop_oneof![
            (0..100u8, 0..16u8, any::<bool>()).prop_map(|(f, p, q)| quick_change(f, p, q)),
            (any::<bool>(), 0..36000u16).prop_map(|(left, seconds)| Entry::Time {
                side: if left { Side::Left } else { Side::Right },
                seconds
            }),
            (0..MARKS.len()).prop_map(|n| Entry::Mark(MARKS[n].1)),
            Just(Entry::Debug),
            Just(Entry::Reserved(0x7d)),
            (0..1u16 << 14).prop_map(Entry::NewAddress),
        ]
    }

    proptest! {
        #[test]
        fn a_log_is_decoded_as_it_was_encoded(written in vec(any_entry(), 0..60)) {
            let mut log = Vec::new();
            written.iter().for_each(|entry| entry.encode(&mut log));
            prop_assert_eq!(read(&log), written);
        }

        #[test]
        fn any_bytes_are_read_and_none_are_invented(log in vec(any::<u8>(), 0..300)) {
            let mut again = Vec::new();
            entries(&log).for_each(|entry| entry.encode(&mut again));
            // Only NOPs and padding are left out.
            let mut left = log.iter();
            prop_assert!(again.iter().all(|byte| left.any(|b| b == byte || (*byte == 0x03 && *b < 0x40))));
            prop_assert!(torn_entries(&log).count() <= log.len());
        }
    }
}
