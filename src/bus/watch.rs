//! The watch of a line: the operations that each make of board implements, and the parts that are the same for all: the end
//! of a watch, the wait for a port that went away, and the sink of the records.

use std::time::Duration;

use super::{Gone, Interrupted, Link, link};
use crate::{error::Result, record::BoardRecord, stop};

/// How to watch a line.
#[derive(Debug, Clone)]
pub struct WatchSettings {
    /// Whether to write a permanent setting into boards whose make has a useful one.
    pub configure: bool,
    /// Whether to write the start mark into boards that are set up for a game.
    pub start_marks: bool,
    /// How often to search for boards that were switched on since; none: never.
    pub rediscover: Option<Duration>,
    /// How long to wait for a port that went away; none: for ever.
    pub give_up: Option<Duration>,
    /// When to end; none: never.
    pub seconds: Option<Duration>,
}

/// Where the records of a line go.
pub trait RecordSink {
    /// Takes records in their order, and returns the number of their batch, which grows with each call.
    ///
    /// # Errors
    /// [`Error::ReaderGone`](crate::error::Error::ReaderGone) when no more are wanted, or the error of the write.
    fn put(&mut self, records: Vec<BoardRecord>) -> Result<u64>;

    /// Whether the batch with this number is safe, so that its board may discard it.
    fn safe(&self, number: u64) -> bool;

    /// Whether more records are wanted; if not, the watch ends.
    fn wanted(&self) -> bool;

    /// Whether records can be written now: while they cannot, boards with a memory are not polled.
    fn takes(&self) -> bool {
        true
    }

    /// Called when the watch of a single board, or of the boards on a bus, begins.
    fn begins(&mut self, _is_alone: bool) {}

    /// Called when the port went away, before the wait for it.
    fn port_gone(&mut self, _gone: &Gone) {}
}

impl<S: RecordSink + ?Sized> RecordSink for &mut S {
    fn put(&mut self, records: Vec<BoardRecord>) -> Result<u64> {
        (**self).put(records)
    }

    fn safe(&self, number: u64) -> bool {
        (**self).safe(number)
    }

    fn wanted(&self) -> bool {
        (**self).wanted()
    }

    fn takes(&self) -> bool {
        (**self).takes()
    }

    fn begins(&mut self, is_alone: bool) {
        (**self).begins(is_alone);
    }

    fn port_gone(&mut self, gone: &Gone) {
        (**self).port_gone(gone);
    }
}

/// The result of the first search of a watch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FirstSearch {
    /// How many boards answer.
    pub found: usize,
    /// Expected boards that do not answer; they are polled all the same, and so found when they are switched on.
    pub missing: Vec<u16>,
    /// How many addresses two boards have; these cannot be watched.
    pub shared: usize,
    /// The usual time of answers, if the line is so slow that this delays every exchange.
    pub slow: Option<Duration>,
}

/// Watches the boards of a line and publishes every change.
///
/// A make implements one [`step`](Watch::step) and the loss of its boards with the port; the loop, the end and the wait for a
/// port are the same for all.
pub trait Watch<L: Link> {
    /// Searches for boards before the first step: those expected and, unless `only` is set, all others. None if there is no
    /// search, because the line has a single board, which is watched whenever it answers.
    fn look(&mut self, expected: &[u16], only: bool) -> Result<Option<FirstSearch>, Interrupted>;

    /// One exchange, or a short wait; returns within seconds, with its records in the sink.
    fn step(&mut self) -> Result<(), Interrupted>;

    /// Publishes every board as lost, because the port went away; all are asked as soon as it is back.
    fn port_closed(&mut self) -> Result<()>;

    /// The link, how to watch it, and where its records go.
    fn parts(&mut self) -> (&mut L, &WatchSettings, &mut dyn RecordSink);

    /// The link, after the end.
    fn into_link(self: Box<Self>) -> L;

    /// Whether a signal, the time or the sink ends the watch.
    fn is_over(&mut self) -> bool {
        let (link, settings, sink) = self.parts();
        is_over(settings, link.now(), sink)
    }

    /// Calls [`look`](Watch::look), and again if the port went away meanwhile. None also if the watch ends before.
    fn find(&mut self, expected: &[u16], only: bool) -> Result<Option<FirstSearch>> {
        loop {
            match self.look(expected, only) {
                Ok(search) => return Ok(search),
                Err(interrupted) => self.recover(interrupted)?,
            }
            if self.is_over() || self.parts().0.is_another_device() {
                return Ok(None);
            }
        }
    }

    /// Watches until the watch is over, or the port came back as another device, to which nothing was sent.
    ///
    /// # Errors
    /// The error of the sink, or of a port that did not come back.
    fn run(&mut self) -> Result<()> {
        while !self.parts().0.is_another_device() {
            self.step().or_else(|interrupted| self.recover(interrupted))?;
            if self.is_over() {
                break;
            }
        }
        Ok(())
    }

    /// Opens a port again that went away, unless the watch is over: then the link has only ended.
    fn recover(&mut self, interrupted: Interrupted) -> Result<()> {
        let gone = match interrupted {
            Interrupted::Ended(error) => return Err(error),
            Interrupted::Gone(_) if self.is_over() => return Ok(()),
            Interrupted::Gone(gone) => gone,
        };
        self.port_closed()?;
        let (link, settings, sink) = self.parts();
        sink.port_gone(&gone);
        link::reopen(link, &gone, settings.give_up, |now| is_over(settings, now, sink))
    }
}

/// Waits for a port that does not exist yet, until it does or the watch is over.
///
/// # Errors
/// [`Error::Port`](crate::error::Error::Port) when it does not come in time.
pub fn wait_for_port(link: &mut impl Link, settings: &WatchSettings, sink: &dyn RecordSink) -> Result<()> {
    let gone = Gone("was not there".into());
    link::reopen(link, &gone, settings.give_up, |now| is_over(settings, now, sink))
}

/// Whether a signal, the time or the sink ends the watch.
pub(super) fn is_over(settings: &WatchSettings, now: Duration, sink: &dyn RecordSink) -> bool {
    settings.seconds.is_some_and(|end| now >= end) || stop::requested().is_some() || !sink.wanted()
}
