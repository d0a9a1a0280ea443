//! What a repeated or spoilt answer is worth; what is done about it decides `visit`.
//!
//! SEND_CHANGES makes the board forget, so its answer is precious. Was it spoilt, or did nothing come, then
//! REPEAT_CHANGES brings it again, or the one before it if the board never heard the command: [`Repeated`] tells
//! the two apart where that can be told. A long answer that noise spoils every time is put together from several
//! copies ([`Copies`]).

use std::collections::BTreeMap;

use crate::{
    bus::tracker::Tracker,
    record::{BoardEvent, Mode},
    wire::{command::BusCommand, frame::Decoder},
};

/// Copies of one answer kept at most; more would not help on a line that bad.
const MOST: usize = 9;

/// What a repeated packet is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Repeated {
    /// The packet that did not arrive: it is to be published.
    Missing,
    /// One that was published already: the board never heard the command.
    Old,
    /// Either; only the board's own log can tell. A dump cannot: a packet that is published twice leaves every square as it
    /// does once.
    Doubtful,
}

/// Which packet a REPEAT brought, after an answer to SEND_CHANGES did not arrive.
pub fn repeated(tracker: &Tracker, data: &[u8], events: &[BoardEvent]) -> Repeated {
    match &tracker.last {
        None => Repeated::Doubtful,
        Some(last) if last != data => Repeated::Missing,
        // Empty both times: nothing was in it.
        Some(_) if events.is_empty() || !tracker.may_come_again(events) => Repeated::Old,
        // Some packets end where they began (a piece lifted and put back), and can come twice.
        Some(_) => Repeated::Doubtful,
    }
}

/// Spoilt copies of one answer.
#[derive(Debug, Clone, Default)]
pub struct Copies {
    copies: Vec<Vec<u8>>,
}

impl Copies {
    /// Adds the bytes that came instead of the answer, and brings its data if it can be put together now, address and
    /// checksum and all.
    pub fn add(&mut self, bytes: Vec<u8>, address: u16, command: BusCommand) -> Option<Vec<u8>> {
        if self.copies.len() < MOST {
            self.copies.push(bytes);
        }
        let mut data = None;
        Decoder::new(Mode::Bus).push(&self.together()?, |frame| {
            if let Ok(frame) = frame
                && frame.address == Some(address)
                && command.expects(frame.id)
            {
                data = Some(frame.data.to_vec());
            }
        });
        data
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.copies.len()
    }

    /// The length of the longest.
    pub fn longest(&self) -> usize {
        self.copies.iter().map(Vec::len).max().unwrap_or(0)
    }

    /// The answer, by the majority for each byte, if at least two copies stand behind every one of them. It
    /// still has to be tested as a frame.
    fn together(&self) -> Option<Vec<u8>> {
        let mut lengths = BTreeMap::new();
        for copy in &self.copies {
            *lengths.entry(copy.len()).or_insert(0) += 1;
        }
        let (&length, _) = lengths.iter().max_by_key(|&(_, &count)| count)?;
        let copies: Vec<_> = self.copies.iter().filter(|copy| copy.len() == length).collect();
        (0..length)
            .map(|at| {
                let votes = |byte: u8| copies.iter().filter(|copy| copy[at] == byte).count();
                let best = copies.iter().map(|copy| copy[at]).max_by_key(|&byte| votes(byte))?;
                (votes(best) >= 2).then_some(best)
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{Change, Placement};

    fn change(square: &str, piece: Option<&str>) -> BoardEvent {
        let piece = piece.map(|p| p.parse().unwrap());
        BoardEvent::Change(Change { square: square.parse().unwrap(), piece, quick: None })
    }

    #[test]
    fn repeated_packets_differ_from_earlier_ones() {
        let mut tracker = Tracker::default();
        tracker.stands(Placement::start());
        let (moved, bytes) = ([change("e2", None), change("e4", Some("P"))], [0x40, 0x34, 0x41, 0x24]);
        assert_eq!(repeated(&tracker, &bytes, &moved), Repeated::Doubtful);
        tracker.apply(&moved);
        tracker.last = Some(bytes.to_vec());
        assert_eq!(repeated(&tracker, &bytes, &moved), Repeated::Old);
        assert_eq!(repeated(&tracker, &[], &[]), Repeated::Missing);
        let (adjusted, bytes) = ([change("g1", None), change("g1", Some("N"))], [0x40, 0x3e, 0x43, 0x3e]);
        assert_eq!(repeated(&tracker, &bytes, &adjusted), Repeated::Missing);
        tracker.apply(&adjusted);
        tracker.last = Some(bytes.to_vec());
        assert_eq!(repeated(&tracker, &bytes, &adjusted), Repeated::Doubtful);
        tracker.last = Some(Vec::new());
        assert_eq!(repeated(&tracker, &[], &[]), Repeated::Old);
    }

    #[test]
    fn three_damaged_copies_make_a_whole_one() {
        let mut copies = Copies::default();
        assert_eq!(copies.together(), None);
        copies.copies.push(b"the quick brawn fox".to_vec());
        assert_eq!(copies.together(), None);
        copies.copies.push(b"the quick brown fux".to_vec());
        assert_eq!(copies.together(), None);
        copies.copies.push(b"the quick brown f".to_vec());
        copies.copies.push(b"thi quick brown fox".to_vec());
        assert_eq!(copies.together().unwrap(), b"the quick brown fox");
    }
}
