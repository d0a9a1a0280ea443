//! A line that is watched: what a make of board does for it, and what is the same for all: when to end, how a port that
//! went away is waited for, and where the records go.

use std::time::Duration;

use super::{Gone, Interrupted, Link, link};
use crate::{error::Result, record::BoardRecord, stop};

/// How to watch a line.
#[derive(Debug, Clone)]
pub struct WatchSettings {
    /// Write a setting that stays into boards whose make has one that helps.
    pub configure: bool,
    /// Write the start mark into boards that are set up for a game.
    pub start_marks: bool,
    /// How often to look for boards that were switched on since; none: never.
    pub rediscover: Option<Duration>,
    /// How long to wait for a port that went away; none: for ever.
    pub give_up: Option<Duration>,
    /// When to end; none: never.
    pub seconds: Option<Duration>,
}

/// Where the records of a line go.
pub trait RecordSink {
    /// Takes records in their order, and gives a number that grows with each call.
    ///
    /// # Errors
    /// [`Error::ReaderGone`](crate::error::Error::ReaderGone) when no more are wanted, or what hinders the writing.
    fn put(&mut self, records: Vec<BoardRecord>) -> Result<u64>;

    /// Whether what was put under this number is safe, so that its board may forget it.
    fn safe(&self, number: u64) -> bool;

    /// Whether more is wanted; if not, the watch ends.
    fn wanted(&self) -> bool;

    /// Whether what is put can be written at all by now: while it cannot, a board that remembers is better not asked.
    fn takes(&self) -> bool {
        true
    }

    /// From here on boards are watched: one alone, or those on a bus.
    fn begins(&mut self, _is_alone: bool) {}

    /// The port went away, and is waited for.
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

/// What the first search of a watch found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FirstSearch {
    /// How many boards answer.
    pub found: usize,
    /// Those expected that do not; they are asked all the same, and so found when they are switched on.
    pub missing: Vec<u16>,
    /// How many addresses two boards have, which answer for none.
    pub shared: usize,
    /// How long answers usually take, where that costs time at every question.
    pub slow: Option<Duration>,
}

/// Watches the boards of a line and publishes every change.
///
/// A make writes what it does at a time ([`step`](Watch::step)) and what it says of a port that went away; when to
/// end, and how a port is waited for, is the same for all.
pub trait Watch<L: Link> {
    /// Looks for its boards before the first step: those expected, and unless `only` them all others. None where there
    /// is nothing to search for, since there is one place on the line, and whoever comes to it is watched.
    fn look(&mut self, expected: &[u16], only: bool) -> Result<Option<FirstSearch>, Interrupted>;

    /// One question and its answer, or some listening; returns within seconds, what it published handed over.
    fn step(&mut self) -> Result<(), Interrupted>;

    /// The port went away: every board is lost, and asked as soon as it is back.
    fn port_closed(&mut self) -> Result<()>;

    /// The link, how to watch it, and where its records go.
    fn parts(&mut self) -> (&mut L, &WatchSettings, &mut dyn RecordSink);

    /// The link, when all is done.
    fn into_link(self: Box<Self>) -> L;

    /// Whether a signal, the time or the sink says that it is enough.
    fn is_over(&mut self) -> bool {
        let (link, settings, sink) = self.parts();
        is_over(settings, link.now(), sink)
    }

    /// [`look`](Watch::look)s, begins again when the port went away meanwhile. None as well when the watch is over before.
    fn find(&mut self, expected: &[u16], only: bool) -> Result<Option<FirstSearch>> {
        loop {
            match self.look(expected, only) {
                Ok(search) => return Ok(search),
                Err(interrupted) => self.recover(interrupted)?,
            }
            if self.is_over() {
                return Ok(None);
            }
        }
    }

    /// Goes on until it is over.
    ///
    /// # Errors
    /// That of the sink, or of a port that did not come back.
    fn run(&mut self) -> Result<()> {
        loop {
            self.step().or_else(|interrupted| self.recover(interrupted))?;
            if self.is_over() {
                return Ok(());
            }
        }
    }

    /// Opens a port that went away again, if the watch goes on; a link whose work has ended has not gone away.
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

/// Waits for a port that is not there yet, until it is or the watch is over.
///
/// # Errors
/// [`Error::Port`](crate::error::Error::Port) when it does not come in time.
pub fn wait_for_port(link: &mut impl Link, settings: &WatchSettings, sink: &dyn RecordSink) -> Result<()> {
    let gone = Gone("was not there".into());
    link::reopen(link, &gone, settings.give_up, |now| is_over(settings, now, sink))
}

/// Whether a signal, the time or the sink says that it is enough.
pub(super) fn is_over(settings: &WatchSettings, now: Duration, sink: &dyn RecordSink) -> bool {
    settings.seconds.is_some_and(|end| now >= end) || stop::requested().is_some() || !sink.wanted()
}
