//! The operations that the master of a line needs: send bytes, receive bytes, read the time.
//!
//! [`port`](super::port) implements them for real ports; the tests of this room have implementations with simulated time,
//! so that a test can run hours in a second.

use std::time::Duration;

use super::retry;
use crate::{
    error::{Error, Result},
    record::{Chips, Time},
};

/// How long a byte takes: 10 bits at 9600 baud.
pub const BYTE: Duration = Duration::from_nanos(1_041_667);

/// The settings that a make needs of a serial port. On a network port they have no effect: its server is configured itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PortSetup {
    /// Bits a second, with 8 data bits and without parity; a make with parity handles it in the eighth bit.
    pub baud: u32,
    /// The levels of DTR and RTS, unless the user gave them.
    pub lines: Levels,
}

/// The levels of DTR and RTS.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Levels {
    /// Both low: for chains of boards on RS-232, and while a port is only listened to.
    Low,
    /// Both high: for boards alone, of which some do not answer otherwise.
    High,
}

/// How a port transfers bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LinkKind {
    /// A stream: a serial port, a pseudo-terminal, a connection.
    Stream,
    /// Separate reports: a hidraw device. Each [`send`](Link::send) writes one report, and each
    /// [`receive`](Link::receive) reads one.
    Reports,
}

/// Vendor and product of a USB device.
pub type UsbId = (u16, u16);

/// The line is gone: unplugged, or its other end was closed. The text is the error of the system.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Gone(pub String);

/// Why work on a line ended early.
#[derive(Debug)]
pub enum Interrupted {
    /// The line is gone.
    Gone(Gone),
    /// The sink wants no more records, or cannot write them.
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
    /// The time since a fixed moment of the link, which never goes back.
    fn now(&self) -> Duration;

    /// The time of day, for records.
    fn time(&self) -> Time;

    /// When the last bytes were received or sent. Records of an answer have this time, so that `decode` of a capture gives
    /// them the same.
    fn heard(&self) -> Time;

    /// The name of this line in messages.
    fn name(&self) -> &str;

    /// The time-out of answers, if the user set it; otherwise it is measured.
    fn patience(&self) -> Option<Duration> {
        None
    }

    /// The number that the user gave the board alone on this port, or the board with this serial number.
    fn number(&self, _serial: Option<&str>) -> Option<u16> {
        None
    }

    /// How it transfers bytes.
    fn kind(&self) -> LinkKind {
        LinkKind::Stream
    }

    /// The USB device that the port is, where the system reports one.
    fn usb_id(&self) -> Option<UsbId> {
        None
    }

    /// Whether the port was opened again with another device than the one that was listened to last: it has another USB
    /// id, serial number or socket, or was created since. False where devices cannot be distinguished.
    fn is_another_device(&self) -> bool {
        false
    }

    /// Notes that the make of the device on the port was detected.
    fn settle(&mut self) {}

    /// The pieces whose chips the user named, for boards that report chips.
    fn pieces(&self) -> Chips {
        Chips::default()
    }

    /// Sets the port up for a make; the settings remain after [`reopen`](Link::reopen). Does nothing on a port without a speed.
    fn set_up(&mut self, _setup: PortSetup) -> Result<(), Gone> {
        Ok(())
    }

    /// Sends bytes, and may return before the line has transferred them.
    fn send(&mut self, bytes: &[u8]) -> Result<(), Gone>;

    /// Appends bytes that arrive to `into` and returns their count: as soon as there are any, or 0 at `until`. A signal does
    /// not end it, since an answer on its way must not be lost.
    fn receive(&mut self, into: &mut Vec<u8>, until: Duration) -> Result<usize, Gone>;

    /// Appends the bytes that have arrived already; stops when `into` has more than 64 KiB.
    fn drain(&mut self, into: &mut Vec<u8>) -> Result<(), Gone> {
        let now = self.now();
        while self.receive(into, now)? > 0 && into.len() < 1 << 16 {}
        Ok(())
    }

    /// Waits until `until`, or until a signal.
    fn pause(&mut self, until: Duration);

    /// Opens the line again after it was [`Gone`].
    fn reopen(&mut self) -> Result<()>;
}

/// Tries to open a line again that went away, until it is back or `over` is true of the time.
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

    /// A line that is back after `back` tries.
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
    fn a_gone_line_is_tried_at_growing_intervals() {
        let mut link = away(7);
        reopen(&mut link, &Gone("unplugged".into()), None, |_| false).unwrap();
        let tries: Vec<u128> = link.tries.iter().map(Duration::as_millis).collect();
        assert_eq!(tries, [250, 750, 1750, 3750, 5750, 7750, 9750]);
    }

    #[test]
    fn a_line_that_stays_away_is_given_up() {
        let mut link = away(usize::MAX);
        let error = reopen(&mut link, &Gone("unplugged".into()), Some(Duration::from_secs(5)), |_| false);
        let expected = "away: unplugged, and is not back after 5 s: no such port";
        assert_eq!(error.unwrap_err().to_string(), expected);
        assert_eq!(link.now, Duration::from_secs(5));
    }

    #[test]
    fn the_end_of_a_watch_ends_the_wait() {
        let mut link = away(usize::MAX);
        reopen(&mut link, &Gone("unplugged".into()), None, |now| now > Duration::from_secs(3)).unwrap();
        assert_eq!(link.now, Duration::from_millis(3750));
    }
}
