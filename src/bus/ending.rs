//! A link on which work ends: at a time, or when a signal comes.
//!
//! An answer on its way is waited for half a second more, since its board may already have forgotten what it tells. From
//! then on the link counts as [`Gone`], so that whoever waits on it, however deep, ends at once and takes no missing answer
//! for a fault of a board. What a board told meanwhile it repeats to the next run.

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

/// How much longer an answer is waited for: half of the second in which a command ends.
const LAST_ANSWER: Duration = Duration::from_millis(500);
/// A signal may be taken by another thread, so waits are cut into pieces of this length.
const PIECE: Duration = Duration::from_millis(100);

/// A link, and when work on it ends.
pub struct Ending<L> {
    link: L,
    /// From here on the link is gone.
    end: Option<Duration>,
    stopped: bool,
}

impl<L: Link> Ending<L> {
    /// Work on this link ends after this time, as the link counts it (none: never), or by a signal.
    pub fn new(link: L, after: Option<Duration>) -> Ending<L> {
        Ending { link, end: after.map(|after| after + LAST_ANSWER), stopped: false }
    }

    /// The same with a link that is made of this one.
    pub fn map(self, with: impl FnOnce(L) -> L) -> Ending<L> {
        Ending { link: with(self.link), ..self }
    }

    /// What ends: until a signal, and for this much longer at most.
    fn left(&mut self) -> Result<Option<Duration>, Gone> {
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

    fn pieces(&self) -> Chips {
        self.link.pieces()
    }

    fn set_up(&mut self, setup: PortSetup) -> Result<(), Gone> {
        self.link.set_up(setup)
    }

    fn send(&mut self, bytes: &[u8]) -> Result<(), Gone> {
        self.left()?;
        self.link.send(bytes)
    }

    fn receive(&mut self, into: &mut Vec<u8>, until: Duration) -> Result<usize, Gone> {
        loop {
            let end = self.left()?;
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

    /// How long a watch of 20 s takes on this line, and what it published.
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
    fn watches_end_in_time_on_any_line() {
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
    fn lines_whose_work_ended_are_not_lost() {
        let (_, told) = watch(FakeBus::new([1025], 1), &[1025], true);
        assert!(told.iter().any(|event| event.kind() == "position"));
        let odd = |event: &&BoardEvent| matches!(event, BoardEvent::Lost(_) | BoardEvent::Fault(_));
        assert_eq!(told.iter().find(odd), None);
    }

    #[test]
    fn answers_on_their_way_are_read_without_new_questions() {
        let mut link = Ending::new(FakeBus::new([1025], 1), Some(SECOND));
        link.pause(SECOND);
        link.send(&[0x87, 0x08, 0x01, 0x10]).unwrap();
        let mut answer = Vec::new();
        while link.receive(&mut answer, 2 * SECOND).is_ok_and(|n| n > 0) {}
        assert_eq!(answer, [0x87, 0x00, 0x06, 0x08, 0x01, 0x16]);
        assert_eq!(link.send(&[0x87, 0x08, 0x01, 0x10]), Err(Gone("no longer wanted".into())));
    }
}
