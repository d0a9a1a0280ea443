//! A board of Millennium's with ChessLink (Exclusive, King Performance, Supreme Tournament 55, eONE), and what speaks its
//! language.
//!
//! As it is delivered it reports its position 24 times a second. One that is set to report less is asked: nothing else is
//! ever sent, but for the version. With the user's consent it is set to report changes alone, which stays in its EEPROM.

use std::time::Duration;

use super::{
    driver::Verdict,
    whole_positions::{Protocol, Said},
};
use crate::{
    record::{BoardEvent, Fault, FaultKind, Mode},
    wire::{
        millennium::{self as wire, BadBytes, Decoder, Message},
        records::{SCAN, hex},
    },
};

/// How often it reads its sensors, as delivered.
const EVERY: Duration = Duration::from_millis(41);

/// How such a board speaks.
#[derive(Debug, Default)]
pub struct Millennium {
    decoder: Decoder,
    /// It may be set to report changes alone.
    may_be_set: bool,
}

impl Protocol for Millennium {
    fn mode(&self) -> Mode {
        Mode::MILLENNIUM
    }

    fn reports_every(&self) -> Duration {
        EVERY
    }

    fn start(&self) -> Vec<&'static [u8]> {
        let set = self.may_be_set.then_some(wire::READ_REPORTS);
        [wire::SEND_VERSION].into_iter().chain(set).collect()
    }

    /// As often as a board of DGT reads its sensors: whatever it was set to report, changes and rests are seen in time.
    fn ask(&self) -> Option<(Vec<&'static [u8]>, Duration)> {
        Some((vec![wire::SEND_POSITION], SCAN))
    }

    fn reports_version(&self) -> bool {
        true
    }

    fn configure(&mut self) {
        self.may_be_set = true;
    }

    fn take(&mut self, bytes: &[u8], said: &mut Vec<Said>) {
        let may_be_set = self.may_be_set;
        self.decoder.push(bytes, |message| match message {
            Ok(Message::Position(placement)) => said.push(Said::Position(placement)),
            Ok(Message::Version([main, sub])) => said.push(Said::Version(format!("{main}.{sub}"))),
            // It is read first and written only where it differs: an EEPROM wears out.
            Ok(Message::Register(wire::REPORTS, value)) if may_be_set && value != wire::ON_CHANGES => {
                said.push(Said::Send(wire::REPORT_CHANGES));
            }
            Ok(Message::Register(..) | Message::Lamps) => {}
            Err(bad) => said.push(Said::Event(fault(&bad))),
        });
    }

    fn forget(&mut self) {
        self.decoder = Decoder::default();
    }
}

fn fault(bad: &BadBytes) -> BoardEvent {
    let (kind, detail) = match bad.is_summed {
        true => (FaultKind::Checksum, "a message with a wrong sum"),
        false => (FaultKind::Framing, "bytes that are no message of a Millennium board"),
    };
    BoardEvent::Fault(Fault { kind, detail: detail.into(), bytes: Some(hex(&bad.bytes)) })
}

/// What bytes that came unasked show of it.
pub fn heard(bytes: &[u8]) -> Verdict {
    match wire::is_heard(bytes) {
        Some(true) => Verdict::Yes,
        Some(false) => Verdict::No,
        None => Verdict::Maybe,
    }
}

#[cfg(test)]
mod tests;
