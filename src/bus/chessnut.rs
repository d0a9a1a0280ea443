//! A board of Chessnut's (Air, Pro, Go) on its USB cable, a hidraw device of Linux.
//!
//! Once it is asked it reports its position every 200 ms until it is switched off, so it is asked again where no report
//! comes. Nothing else is sent but questions for its version and its battery; the command that deletes its stored games (`39`) never is.

use std::time::Duration;

use super::{
    driver::Verdict,
    whole_positions::{Protocol, Said},
};
use crate::{
    record::{BoardEvent, Fault, FaultKind, Mode},
    wire::{
        chessnut::{self as wire, Decoder, Report},
        records::hex,
    },
};

/// How often it reports.
const EVERY: Duration = Duration::from_millis(200);
/// It is asked again when so many reports in a row did not come.
const ASK: Duration = Duration::from_secs(1);

/// How such a board speaks.
#[derive(Debug, Default)]
pub struct Chessnut {
    decoder: Decoder,
    /// It is switched off, and its USB side reports that.
    is_off: bool,
}

impl Chessnut {
    /// For bytes that were kept, in which the borders of reports are lost.
    pub fn overheard() -> Chessnut {
        Chessnut { decoder: Decoder::of_stream(), is_off: false }
    }
}

impl Protocol for Chessnut {
    fn mode(&self) -> Mode {
        Mode::CHESSNUT
    }

    fn reports_every(&self) -> Duration {
        EVERY
    }

    fn start(&self) -> Vec<&'static [u8]> {
        vec![wire::REPORT_POSITIONS, wire::SEND_VERSION]
    }

    /// A board that reports changes alone (emulators do) answers what is asked of its battery, and so shows that it is there.
    fn ask(&self) -> Option<(Vec<&'static [u8]>, Duration)> {
        Some((vec![wire::REPORT_POSITIONS, wire::SEND_BATTERY], ASK))
    }

    fn reports_version(&self) -> bool {
        true
    }

    fn take(&mut self, bytes: &[u8], said: &mut Vec<Said>) {
        let Chessnut { decoder, is_off } = self;
        decoder.push(bytes, |report| match report {
            Ok(Report::Position(placement)) => {
                *is_off = false;
                said.push(Said::Position(placement));
            }
            Ok(Report::Version(version)) => said.push(Said::Version(version)),
            Ok(Report::Battery) if !*is_off => said.push(Said::Unchanged),
            Ok(Report::NoPosition) => *is_off = true,
            Ok(Report::Battery | Report::Other) => {}
            Err(bad) => {
                let detail = "bytes that are no report of a Chessnut board".into();
                let fault = Fault { kind: FaultKind::Corrupt, detail, bytes: Some(hex(&bad.0)) };
                said.push(Said::Event(BoardEvent::Fault(fault)));
            }
        });
    }

    fn forget(&mut self) {
        self.decoder.forget();
    }
}

/// What reports that came unasked show of it: another program may have asked for them.
pub fn heard(bytes: &[u8]) -> Verdict {
    if wire::is_heard(bytes) { Verdict::Yes } else { Verdict::No }
}

#[cfg(test)]
mod tests;
