//! Follows a board that reports whole positions: lost when it is silent, found again by its next report.

use std::time::Duration;

use super::{
    follower::{Follower, SILENT},
    protocol::{Protocol, Said},
    talk::Talk,
};
use crate::{
    bus::{FirstSearch, Interrupted, Link, Recalled, RecordSink, Watch, WatchSettings},
    error::Result,
    record::{BoardEvent, LinkState, Placement, Time},
};

/// The longest time of a step.
const STEP: Duration = Duration::from_secs(1);

/// Follows one board.
pub struct Watcher<L, P, S> {
    talk: Talk<L, P>,
    sink: S,
    settings: WatchSettings,
    follower: Follower,
    /// The state from earlier runs of boards that have not reported yet.
    recalled: Recalled,
    /// Whether commands were sent since the port was opened.
    has_begun: bool,
    /// Whether it has reported in this run.
    is_met: bool,
    /// Whether it reports now.
    is_there: bool,
    /// Its first position, held until its version has come: not every board repeats the position.
    first: Option<(Placement, Time)>,
    /// Other events since then.
    with_first: Vec<BoardEvent>,
}

impl<L: Link, P: Protocol, S: RecordSink> Watcher<L, P, S> {
    /// Follows the board on a link. `recalled`: the state of boards from the records of earlier runs.
    pub fn new(talk: Talk<L, P>, sink: S, settings: WatchSettings, recalled: Recalled) -> Watcher<L, P, S> {
        let mut follower = Follower::default();
        follower.followed.address = Some(talk.found().board);
        Watcher {
            talk,
            sink,
            settings,
            follower,
            recalled,
            has_begun: false,
            is_met: false,
            is_there: false,
            first: None,
            with_first: Vec::new(),
        }
    }

    /// The link and the sink, after the end.
    #[cfg(test)]
    pub(in crate::bus) fn into_parts(self) -> (L, S) {
        (self.talk.link, self.sink)
    }

    fn listen(&mut self) -> Result<(), Interrupted> {
        if !self.has_begun {
            self.talk.begin()?;
            self.has_begun = true;
        }
        let until = self.talk.link.now() + STEP;
        let until = self.settings.seconds.map_or(until, |end| end.min(until));
        let mut said = Vec::new();
        let waits = self.talk.waits_for_version();
        self.talk.next(waits.map_or(until, |wait| wait.min(until)), &mut said)?;
        let time = self.talk.link.heard();
        for said in said {
            match said {
                Said::Position(placement) if !self.is_there => self.first = Some((placement, time)),
                said if self.is_there => self.follower.take(said, time),
                Said::Event(event) if self.first.is_some() && !matches!(event, BoardEvent::Fault(_)) => {
                    self.with_first.push(event);
                }
                _ => {}
            }
        }
        if let Some((placement, time)) = self.first
            && self.talk.waits_for_version().is_none()
        {
            self.first = None;
            self.meet();
            self.follower.take(Said::Position(placement), time);
            for event in self.with_first.drain(..) {
                self.follower.take(Said::Event(event), time);
            }
        }
        if self.talk.link.now() >= self.talk.reported() + SILENT {
            self.lose("timeout");
        }
        Ok(())
    }

    /// Publishes that the board reports, for the first time or again.
    fn meet(&mut self) {
        let Watcher { talk, follower, recalled, .. } = self;
        let (found, time) = (talk.found(), talk.link.heard());
        if !std::mem::replace(&mut self.is_met, true) {
            if let Some(known) = recalled.remove(&found.board) {
                follower.followed.resume_from(known);
            }
            follower.followed.publish(time, found.event(talk.link.name()));
        }
        if follower.followed.publish_found(time).is_some() {
            talk.start_again();
        }
        self.is_there = true;
    }

    fn lose(&mut self, reason: &'static str) {
        (self.is_there, self.first) = (false, None);
        self.with_first.clear();
        self.follower.missed();
        self.follower.followed.lose(self.talk.link.time(), reason);
    }

    fn flush(&mut self) -> Result<()> {
        self.follower.followed.flush(&mut self.sink).map(|_| ())
    }
}

impl<L: Link, P: Protocol, S: RecordSink> Watch<L> for Watcher<L, P, S> {
    /// The cable has a single board, which is watched whenever it reports.
    fn look(&mut self, _: &[u16], _: bool) -> Result<Option<FirstSearch>, Interrupted> {
        Ok(None)
    }

    fn step(&mut self) -> Result<(), Interrupted> {
        let done = self.listen();
        self.flush()?;
        done
    }

    fn port_closed(&mut self) -> Result<()> {
        self.has_begun = false;
        self.lose(LinkState::PORT_CLOSED);
        self.flush()
    }

    fn parts(&mut self) -> (&mut L, &WatchSettings, &mut dyn RecordSink) {
        (&mut self.talk.link, &self.settings, &mut self.sink)
    }

    fn into_link(self: Box<Self>) -> L {
        self.talk.link
    }
}
