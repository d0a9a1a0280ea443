//! Boards of Certabo's (Certabo, Cerno): they send the number of the chip on each square, all the time, and nothing is ever
//! sent to them.
//!
//! * [`filter`]: which chip stands on a square, though single dumps see ghosts and miss pieces;
//! * [`naming`]: which piece a chip is in, where that is not known: the start position shows it.
//!
//! A chip that nobody named is a piece of its own kind (`?`) in the records. Chips are named by what the user gave with the
//! port, by the journal of an earlier run, or by the start position; each is published as a `calibration`.

mod filter;
mod naming;
#[cfg(test)]
mod tests;

use std::time::Duration;

use super::{
    answers,
    driver::Verdict,
    whole_positions::{Protocol, Said},
};
use crate::{
    record::{BoardEvent, Calibration, CalibrationReason, Chip, Chips, FaultKind, Mode, Piece, Placement},
    wire::certabo::{Decoder, Dump, Squares},
};
use filter::Filter;

/// How long a dump takes: some thousand bytes at 38,400 baud.
const DUMP: Duration = Duration::from_millis(270);

/// What a board of Certabo's sends.
pub struct Certabo {
    decoder: Decoder,
    filter: Filter,
    /// The chips that are known; those that were seen and not named are among them.
    chips: Chips,
    /// What was found out of chips, and how many of these are published.
    calibrations: Vec<Calibration>,
    published: usize,
}

impl Certabo {
    /// A board whose chips are these, as far as they are known.
    pub fn new(chips: Chips) -> Certabo {
        let reason = Some(CalibrationReason::Given);
        let given = (!chips.0.is_empty()).then(|| Calibration { chips: chips.clone(), reason });
        let calibrations = given.into_iter().collect();
        Certabo { decoder: Decoder::default(), filter: Filter::default(), chips, calibrations, published: 0 }
    }

    fn dump(&mut self, squares: &Squares, said: &mut Vec<Said>) {
        let Some(stands) = self.filter.take(squares) else { return };
        let is_steady = |field: usize| self.filter.is_steady(field, stands[field]);
        if let Some(named) = naming::of_start_position(&stands, &self.chips, is_steady) {
            // What stands there stood there before.
            said.push(Said::Again);
            self.learn(named, CalibrationReason::StartPosition);
        } else {
            self.report_unknown(&stands);
        }
        let code = |chip: Option<Chip>| chip.map_or(0, |chip| self.chips.piece(chip).code());
        said.push(Said::Position(Placement::from_codes(stands.map(code))));
        let new = self.calibrations[self.published..].iter().cloned();
        said.extend(new.map(|calibration| Said::Event(BoardEvent::Calibration(calibration))));
        self.published = self.calibrations.len();
        said.extend(self.filter.due().map(|readings| Said::Event(BoardEvent::Readings(readings))));
    }

    /// Chips that no calibration has are to be named, where there is one.
    fn report_unknown(&mut self, stands: &Squares) {
        if self.chips.0.values().all(|&piece| piece == Piece::UNKNOWN) {
            return;
        }
        let is_new = |chip: &Chip| !self.chips.0.contains_key(chip);
        let new = stands.iter().enumerate().filter(|&(field, &chip)| self.filter.is_steady(field, chip));
        let new: Chips = Chips(
            new.filter_map(|(_, &chip)| chip.filter(is_new)).map(|chip| (chip, Piece::UNKNOWN)).collect(),
        );
        if !new.0.is_empty() {
            self.learn(new, CalibrationReason::Unknown);
        }
    }

    fn learn(&mut self, chips: Chips, reason: CalibrationReason) {
        self.chips.learn(&chips);
        self.calibrations.push(Calibration { chips, reason: Some(reason) });
    }
}

impl Protocol for Certabo {
    fn mode(&self) -> Mode {
        Mode::CERTABO
    }

    fn reports_every(&self) -> Duration {
        DUMP
    }

    fn take(&mut self, bytes: &[u8], said: &mut Vec<Said>) {
        let mut dumps = Vec::new();
        self.decoder.push(bytes, |dump| dumps.push(dump));
        for dump in dumps {
            match dump {
                Dump::Chips(squares) => self.dump(&squares, said),
                Dump::Occupancy => {
                    said.push(Said::Event(answers::fault(
                        FaultKind::Corrupt,
                        "a dump without chips: 8 numbers",
                    )));
                }
                Dump::Broken(numbers, why) => {
                    let detail = format!("a dump broken after {numbers} numbers: {why}");
                    said.push(Said::Event(answers::fault(FaultKind::Framing, &detail)));
                }
            }
        }
    }

    fn forget(&mut self) {
        self.decoder = Decoder::default();
        self.filter.forget();
        self.published = 0;
    }
}

/// What bytes that came unasked show of such a board.
pub fn heard(bytes: &[u8]) -> Verdict {
    let (mut decoder, mut chips, mut occupancy) = (Decoder::default(), 0, 0);
    decoder.push(bytes, |dump| match dump {
        Dump::Chips(_) => chips += 1,
        Dump::Occupancy => occupancy += 1,
        Dump::Broken(..) => {}
    });
    let is_text = |byte: &u8| matches!(byte, b'0'..=b'9' | b' ' | b':' | b'\r' | b'\n' | b'L' | b'D');
    match (chips, occupancy) {
        (1.., _) => Verdict::Yes,
        (0, 2..) => Verdict::Refused(
            "a Sentio or Tactum board: it senses where pieces stand and not which, so that it is not recorded",
        ),
        _ if bytes.len() > 8 && bytes.iter().all(is_text) => Verdict::Maybe,
        _ => Verdict::No,
    }
}
