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

/// How long it listens at a time.
const STEP: Duration = Duration::from_secs(1);

/// Follows one board.
pub struct Watcher<L, P, S> {
    talk: Talk<L, P>,
    sink: S,
    settings: WatchSettings,
    follower: Follower,
    /// What earlier runs published of boards that were not met yet.
    recalled: Recalled,
    /// It was spoken to since the port was opened.
    has_begun: bool,
    /// It reported before.
    is_met: bool,
    /// It reports.
    is_there: bool,
    /// The first position that it reported, while its version is waited for: not every board repeats it.
    first: Option<(Placement, Time)>,
    /// What it said besides since that.
    with_first: Vec<BoardEvent>,
}

impl<L: Link, P: Protocol, S: RecordSink> Watcher<L, P, S> {
    /// Follows the board at the other end of a link. `recalled`: what earlier runs published of it, and of others.
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

    /// The link and the sink, when all is done.
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

    /// The board reports a position for the first time, or again.
    fn meet(&mut self) {
        let Watcher { talk, follower, recalled, .. } = self;
        let (found, time) = (talk.found(), talk.link.heard());
        if !std::mem::replace(&mut self.is_met, true) {
            if let Some(known) = recalled.remove(&found.board) {
                follower.followed.go_on_from(known);
            }
            follower.followed.publish(time, found.event(talk.link.name()));
        }
        if follower.followed.find_again(time).is_some() {
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
    /// There is one place on its cable: whoever is there, or comes, is watched.
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
