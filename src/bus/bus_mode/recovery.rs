//! Interprets repeated and damaged answers, for `visit`.
//!
//! SEND_CHANGES makes the board discard its changes, so the answer must not be lost. If it was damaged or did not come,
//! REPEAT_CHANGES fetches it again, or the packet before it if the board never received the command: [`Repeated`]
//! distinguishes the two where possible. A long answer that noise damages every time is restored from several copies
//! ([`Copies`]).

use std::collections::BTreeMap;

use crate::{
    bus::tracker::Tracker,
    record::{BoardEvent, Mode},
    wire::{command::BusCommand, frame::Decoder},
};

/// The most copies of one answer; more would not help on a line that bad.
const COPIES_MAX: usize = 9;

/// Which packet a repeated packet is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Repeated {
    /// The packet that did not arrive: it is to be published.
    Missing,
    /// One that was published already: the board never received the command.
    Old,
    /// Either; only the board's own log shows which. A dump does not, since a packet that is published twice leads to the
    /// same position as once.
    Doubtful,
}

/// Which packet REPEAT_CHANGES fetched, after an answer to SEND_CHANGES did not arrive.
pub fn repeated(tracker: &Tracker, data: &[u8], events: &[BoardEvent]) -> Repeated {
    match &tracker.last {
        None => Repeated::Doubtful,
        Some(last) if last != data => Repeated::Missing,
        // Two empty packets, or changes that cannot happen twice.
        Some(_) if events.is_empty() || !tracker.may_come_again(events) => Repeated::Old,
        // Some packets end where they began (a piece lifted and put back), and can come twice.
        Some(_) => Repeated::Doubtful,
    }
}

/// Damaged copies of one answer.
#[derive(Debug, Clone, Default)]
pub struct Copies {
    copies: Vec<Vec<u8>>,
}

impl Copies {
    /// Adds the bytes that came instead of the answer. Returns its data if the copies now make a frame with the right
    /// address and checksum.
    pub fn add(&mut self, bytes: Vec<u8>, address: u16, command: BusCommand) -> Option<Vec<u8>> {
        if self.copies.len() < COPIES_MAX {
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

    /// The number of copies.
    pub fn count(&self) -> usize {
        self.copies.len()
    }

    /// The length of the longest copy, in bytes.
    pub fn longest(&self) -> usize {
        self.copies.iter().map(Vec::len).max().unwrap_or(0)
    }

    /// The answer by the majority for each byte, if at least two copies agree on every byte. It still has to be checked as
    /// a frame.
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
    fn a_missing_packet_is_distinguished_from_the_one_before() {
        let mut tracker = Tracker::default();
        tracker.set_placement(Placement::start());
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
    fn three_damaged_copies_restore_an_answer() {
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
