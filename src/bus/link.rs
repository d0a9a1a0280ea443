//! What the master of a line needs from it: hand over bytes, take what arrives, know the time.
//!
//! The [`port`](super::port) is one; the tests of this room have one whose time is simulated. Time is counted
//! from a moment of the link's own, so that a test can run hours in a second.

use std::time::Duration;

use super::retry;
use crate::{
    error::{Error, Result},
    record::{Chips, Time},
};

/// How long a byte takes: 10 bits at 9600 baud.
pub const BYTE: Duration = Duration::from_nanos(1_041_667);

/// How a make wants its port. A port on the network carries neither: its server has a speed of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PortSetup {
    /// Bits a second, 8 data bits without parity: what has another parity works that out itself.
    pub baud: u32,
    /// The levels of DTR and RTS, unless the user gave one.
    pub lines: Levels,
}

/// The levels of DTR and RTS.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Levels {
    /// Both low: chains of boards on RS-232, and all that is listened to.
    Low,
    /// Both high: boards alone, of which some are silent otherwise.
    High,
}

/// What carries the bytes of a port.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LinkKind {
    /// A stream: a serial port, a pseudo-terminal, a connection.
    Stream,
    /// Reports, each with a border: a hidraw device. Each [`send`](Link::send) is one, and each
    /// [`receive`](Link::receive) that brings anything brings one.
    Reports,
}

/// Vendor and product of a USB device.
pub type UsbId = (u16, u16);

/// The line is gone: unplugged, or its other end was closed. What the system said.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Gone(pub String);

/// Why work on a line ended early.
#[derive(Debug)]
pub enum Interrupted {
    /// The line is gone.
    Gone(Gone),
    /// Whoever takes our records wants no more, or cannot be written to.
    Ended(Error),
}

impl From<Gone> for Interrupted {
    fn from(gone: Gone) -> Interrupted {
        Interrupted::Gone(gone)
    }
}

impl From<Error> for Interrupted {
    fn from(error: Error) -> Interrupted {
        Interrupted::Ended(error)
    }
}

/// One serial line, as its master sees it.
pub trait Link: 'static {
    /// Time since a moment of the link's own; never goes back.
    fn now(&self) -> Duration;

    /// The time of day, for records.
    fn time(&self) -> Time;

    /// When the last bytes came or went: what is made of an answer has its time, so that a capture tells the same.
    fn heard(&self) -> Time;

    /// The name that messages give this line.
    fn name(&self) -> &str;

    /// How long to wait for an answer, if the user said so; otherwise that is to be found out.
    fn patience(&self) -> Option<Duration> {
        None
    }

    /// The number that the user gave the board alone on this port, or the board with this serial number.
    fn number(&self, _serial: Option<&str>) -> Option<u16> {
        None
    }

    /// What carries its bytes.
    fn kind(&self) -> LinkKind {
        LinkKind::Stream
    }

    /// The USB device that the port is, where the system reports one.
    fn usb_id(&self) -> Option<UsbId> {
        None
    }

    /// The pieces whose chips the user named, for boards that report chips.
    fn pieces(&self) -> Chips {
        Chips::default()
    }

    /// Sets the port up for a make; the setting outlasts [`reopen`](Link::reopen). Does nothing where bytes have no speed.
    fn set_up(&mut self, _setup: PortSetup) -> Result<(), Gone> {
        Ok(())
    }

    /// Hands bytes to the line, which carries them at its own speed.
    fn send(&mut self, bytes: &[u8]) -> Result<(), Gone>;

    /// Appends what arrives to `into` and says how many bytes that was: returns at the first of them, or with
    /// 0 at `until`. A signal does not end it, since an answer on its way must not be lost.
    fn receive(&mut self, into: &mut Vec<u8>, until: Duration) -> Result<usize, Gone>;

    /// Appends what has arrived already, as long as that is no flood.
    fn drain(&mut self, into: &mut Vec<u8>) -> Result<(), Gone> {
        let now = self.now();
        while self.receive(into, now)? > 0 && into.len() < 1 << 16 {}
        Ok(())
    }

    /// Does nothing until `until`, or until a signal asks to stop.
    fn pause(&mut self, until: Duration);

    /// Opens the line again after it was [`Gone`].
    fn reopen(&mut self) -> Result<()>;
}

/// Opens a line again that went away, as often as it takes, until it is back or `over` says at some time that nobody
/// wants it any more.
///
/// # Errors
/// [`Error::Port`] when it is not back within `give_up`.
pub fn reopen<L: Link>(
    link: &mut L,
    gone: &Gone,
    give_up: Option<Duration>,
    over: impl Fn(Duration) -> bool,
) -> Result<()> {
    let began = link.now();
    let end = give_up.map(|most| began + most);
    let mut tries = 0;
    loop {
        let until = link.now() + retry::wait(tries, retry::CLOSED_PORT);
        link.pause(end.map_or(until, |end| end.min(until)));
        tries += 1;
        if over(link.now()) {
            return Ok(());
        }
        match link.reopen() {
            Ok(()) => return Ok(()),
            Err(Error::Port { problem, .. }) if end.is_some_and(|end| link.now() >= end) => {
                let waited = (link.now() - began).as_secs();
                let problem = format!("{gone}, and is not back after {waited} s: {problem}");
                return Err(Error::port(link.name(), problem));
            }
            Err(_) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A line that is back after so many tries.
    struct Away {
        now: Duration,
        tries: Vec<Duration>,
        back: usize,
    }

    impl Link for Away {
        fn now(&self) -> Duration {
            self.now
        }

        fn time(&self) -> Time {
            Time(0)
        }

        fn heard(&self) -> Time {
            Time(0)
        }

        fn name(&self) -> &str {
            "away"
        }

        fn send(&mut self, _: &[u8]) -> Result<(), Gone> {
            unreachable!()
        }

        fn receive(&mut self, _: &mut Vec<u8>, _: Duration) -> Result<usize, Gone> {
            unreachable!()
        }

        fn pause(&mut self, until: Duration) {
            self.now = until;
        }

        fn reopen(&mut self) -> Result<()> {
            self.tries.push(self.now);
            if self.tries.len() < self.back { Err(Error::port("away", "no such port")) } else { Ok(()) }
        }
    }

    fn away(back: usize) -> Away {
        Away { now: Duration::ZERO, tries: Vec::new(), back }
    }

    #[test]
    fn lost_lines_are_retried_soon_then_every_two_seconds() {
        let mut link = away(7);
        reopen(&mut link, &Gone("unplugged".into()), None, |_| false).unwrap();
        let tries: Vec<u128> = link.tries.iter().map(Duration::as_millis).collect();
        assert_eq!(tries, [250, 750, 1750, 3750, 5750, 7750, 9750]);
    }

    #[test]
    fn lines_that_stay_away_are_given_up_in_time() {
        let mut link = away(usize::MAX);
        let error = reopen(&mut link, &Gone("unplugged".into()), Some(Duration::from_secs(5)), |_| false);
        let says = "away: unplugged, and is not back after 5 s: no such port";
        assert_eq!(error.unwrap_err().to_string(), says);
        assert_eq!(link.now, Duration::from_secs(5));
    }

    #[test]
    fn ending_watches_do_not_wait_for_their_line() {
        let mut link = away(usize::MAX);
        reopen(&mut link, &Gone("unplugged".into()), None, |now| now > Duration::from_secs(3)).unwrap();
        assert_eq!(link.now, Duration::from_millis(3750));
    }
}
