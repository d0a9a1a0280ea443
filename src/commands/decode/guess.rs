//! Which boards sent the bytes of a capture, and so how they are read.
//!
//! Circle: what the bytes show is a mode as the command takes it.

use super::{ModeChoice, Place};
use crate::{
    bus::{certabo, chessnut, driver::Verdict, millennium},
    record::{Chips, Mode, Time},
    wire::{frame::Decoder, message::Message},
};

/// What is held back until the mode is known.
pub(super) enum Held {
    /// So many bytes that came.
    Came(usize),
    /// What the host sent.
    Asked(Vec<u8>),
}

/// Reads bytes both ways until one explains them. The ids of the two modes differ, so it soon does.
pub(super) struct Guess {
    /// What came.
    pub bytes: Vec<u8>,
    /// In their order, each with its line and time.
    pub held: Vec<(Held, u64, Option<Time>)>,
    /// For each mode its decoder and how many bytes it explains.
    ways: [(Mode, Decoder, usize); 2],
    /// The make that reports whole positions, where the bytes show one.
    whole: Option<ModeChoice>,
    /// From this length on the bytes are looked at for one again.
    look_at: usize,
    /// The pieces whose chips are known.
    pub chips: Chips,
}

/// So many bytes, explained by one mode alone, are enough; of so many in all, the better half has to do.
const SURE: usize = 64;
pub(super) const ENOUGH: usize = 64 * 1024;
/// No more bytes are looked at for boards that report whole positions: some ten reports.
const REPORTS: usize = 16 * 1024;

impl Guess {
    pub fn new(chips: &Chips) -> Guess {
        let ways = [Mode::Bus, Mode::Single].map(|mode| (mode, Decoder::new(mode), 0));
        let (bytes, held, chips) = (Vec::new(), Vec::new(), chips.clone());
        Guess { bytes, held, ways, whole: None, look_at: 0, chips }
    }

    pub fn push(&mut self, bytes: &[u8], place: &Place<'_>) {
        self.bytes.extend_from_slice(bytes);
        self.held.push((Held::Came(bytes.len()), place.line, place.time));
        for (_, decoder, explained) in &mut self.ways {
            decoder.push(bytes, |event| {
                if let Ok(frame) = event
                    && Message::decode(&frame).is_ok()
                {
                    *explained += frame.length();
                }
            });
        }
        let length = self.bytes.len();
        if length >= self.look_at {
            self.look_for_reports(bytes);
            self.look_at = length + length / 8;
        }
    }

    /// Looks for a board that reports whole positions, where no bytes are explained already. Reports of hidraw devices have
    /// borders, which are those of the lines of a capture.
    fn look_for_reports(&mut self, piece: &[u8]) {
        if self.whole.is_some()
            || self.bytes.len() > REPORTS
            || self.ways.iter().any(|(.., explained)| *explained > 0)
        {
            return;
        }
        let is = |verdict| verdict == Verdict::Yes;
        self.whole = match &self.bytes[..] {
            bytes if is(millennium::heard(bytes)) => Some(ModeChoice::Millennium),
            bytes if is(certabo::heard(bytes)) => Some(ModeChoice::Certabo),
            bytes if is(chessnut::heard(bytes)) || is(chessnut::heard(piece)) => Some(ModeChoice::Chessnut),
            _ => None,
        };
    }

    pub fn is_sure(&self) -> bool {
        let [bus, single] = [self.ways[0].2, self.ways[1].2];
        self.whole.is_some() || bus.abs_diff(single) >= SURE || self.bytes.len() >= ENOUGH
    }

    pub fn likelier(&mut self) -> ModeChoice {
        self.look_for_reports(&[]);
        let dgt = if self.ways[1].2 > self.ways[0].2 { ModeChoice::Single } else { ModeChoice::Bus };
        self.whole.unwrap_or(dgt)
    }
}
