//! A link that ends at a time, or when a signal comes.
//!
//! An answer on its way is awaited for half a second more, since its board may already have discarded the changes in it.
//! After that the link counts as [`Gone`], so that every caller that waits on it returns, and none takes a missing answer
//! for a fault of a board. A board repeats its last packet to the next run.

use std::time::Duration;

use super::{
    Gone, Link,
    link::{LinkKind, PortSetup, UsbId},
};
use crate::{
    error::Result,
    record::{Chips, Time},
    stop,
};

/// How much longer an answer is awaited: half of the second within which a command ends.
const LAST_ANSWER: Duration = Duration::from_millis(500);
/// The longest single wait: another thread may receive the signal, which then does not end a wait here.
const PIECE: Duration = Duration::from_millis(100);

/// A link with an end.
pub struct Ending<L> {
    link: L,
    /// The time from which the link counts as gone.
    end: Option<Duration>,
    stopped: bool,
}

impl<L: Link> Ending<L> {
    /// A link that ends after this time on its own clock (none: never), or by a signal.
    pub fn new(link: L, after: Option<Duration>) -> Ending<L> {
        Ending { link, end: after.map(|after| after + LAST_ANSWER), stopped: false }
    }

    /// The same end for a link that is made from this one.
    pub fn map(self, with: impl FnOnce(L) -> L) -> Ending<L> {
        Ending { link: with(self.link), ..self }
    }

    /// Returns the end, which a signal brings closer.
    ///
    /// # Errors
    /// [`Gone`] if the end has come.
    fn end(&mut self) -> Result<Option<Duration>, Gone> {
        let now = self.link.now();
        if !self.stopped && stop::requested().is_some() {
            self.stopped = true;
            let soon = now + LAST_ANSWER;
            self.end = Some(self.end.map_or(soon, |end| end.min(soon)));
        }
        if self.end.is_some_and(|end| now >= end) {
            return Err(Gone("no longer wanted".into()));
        }
        Ok(self.end)
    }
}

impl<L: Link> Link for Ending<L> {
    fn now(&self) -> Duration {
        self.link.now()
    }

    fn time(&self) -> Time {
        self.link.time()
    }

    fn heard(&self) -> Time {
        self.link.heard()
    }

    fn name(&self) -> &str {
        self.link.name()
    }

    fn patience(&self) -> Option<Duration> {
        self.link.patience()
    }

    fn number(&self, serial: Option<&str>) -> Option<u16> {
        self.link.number(serial)
    }

    fn kind(&self) -> LinkKind {
        self.link.kind()
    }

    fn usb_id(&self) -> Option<UsbId> {
        self.link.usb_id()
    }

    fn is_another_device(&self) -> bool {
        self.link.is_another_device()
    }

    fn settle(&mut self) {
        self.link.settle();
    }

    fn pieces(&self) -> Chips {
        self.link.pieces()
    }

    fn set_up(&mut self, setup: PortSetup) -> Result<(), Gone> {
        self.link.set_up(setup)
    }

    fn send(&mut self, bytes: &[u8]) -> Result<(), Gone> {
        self.end()?;
        self.link.send(bytes)
    }

    fn receive(&mut self, into: &mut Vec<u8>, until: Duration) -> Result<usize, Gone> {
        loop {
            let end = self.end()?;
            let piece = until.min(self.now() + PIECE);
            let piece = end.map_or(piece, |end| piece.min(end));
            let n = self.link.receive(into, piece)?;
            if n > 0 || piece >= until {
                return Ok(n);
            }
        }
    }

    fn pause(&mut self, until: Duration) {
        self.link.pause(self.end.map_or(until, |end| until.min(end)));
    }

    fn reopen(&mut self) -> Result<()> {
        self.link.reopen()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        bus::{
            Recalled, WatchSettings,
            bus_mode::{fake_bus::FakeBus, tests::Kept},
            detect::{self, WatchPlan},
        },
        record::{BoardEvent, Mode},
    };

    const SECOND: Duration = Duration::from_secs(1);

    /// The duration of a watch of 20 s on this line, and its records.
    fn watch(bus: FakeBus, expected: &[u16], only: bool) -> (Duration, Vec<BoardEvent>) {
        let bus = std::rc::Rc::new(std::cell::RefCell::new(bus));
        let link = Ending::new(detect::tests::Shared(bus.clone()), Some(20 * SECOND));
        let settings = WatchSettings {
            configure: false,
            start_marks: true,
            rediscover: None,
            give_up: None,
            seconds: Some(20 * SECOND),
        };
        let (make, last, expected) = (Some("bus".to_owned()), Some(Mode::Bus), expected.to_vec());
        let plan = WatchPlan { make, last, expected, only, settings };
        let mut kept = Kept::default();
        detect::watch(link, &mut kept, plan, Recalled::new(), &mut |_| ()).unwrap();
        let took = bus.borrow().now();
        (took, kept.0.into_iter().map(|record| record.event).collect())
    }

    #[test]
    fn a_watch_ends_in_time_on_any_line() {
        let babbling = || {
            let mut bus = FakeBus::new(1025..1029, 1);
            bus.never_silent = true;
            bus
        };
        let everybody: Vec<u16> = (1025..1425).collect();
        for (bus, expected, only) in [
            (babbling(), &[][..], false),
            (babbling(), &everybody, true),
            (FakeBus::new([], 1), &everybody, false),
            (FakeBus::new([], 1), &everybody, true),
            (FakeBus::new([], 1), &[], false),
            (FakeBus::new(1025..1029, 1), &[], false),
        ] {
            let (took, _) = watch(bus, expected, only);
            assert!((20 * SECOND..21 * SECOND).contains(&took), "{took:?}");
        }
    }

    #[test]
    fn the_end_of_a_watch_publishes_no_loss_or_fault() {
        let (_, events) = watch(FakeBus::new([1025], 1), &[1025], true);
        assert!(events.iter().any(|event| event.kind() == "position"));
        let odd = |event: &&BoardEvent| matches!(event, BoardEvent::Lost(_) | BoardEvent::Fault(_));
        assert_eq!(events.iter().find(odd), None);
    }

    #[test]
    fn the_last_answer_is_received_and_no_command_follows() {
        let mut link = Ending::new(FakeBus::new([1025], 1), Some(SECOND));
        link.pause(SECOND);
        link.send(&[0x87, 0x08, 0x01, 0x10]).unwrap();
        let mut answer = Vec::new();
        while link.receive(&mut answer, 2 * SECOND).is_ok_and(|n| n > 0) {}
        assert_eq!(answer, [0x87, 0x00, 0x06, 0x08, 0x01, 0x16]);
        assert_eq!(link.send(&[0x87, 0x08, 0x01, 0x10]), Err(Gone("no longer wanted".into())));
    }
}
