//! Follows a board that is alone on its cable.
//!
//! UPDATE_NICE makes it tell every change as it sees it, and its clock when that changes. A dump, whenever the pieces
//! have come to rest and now and then besides, shows whether anything was missed: bytes that noise took, a cable
//! pulled out, a board that had no power. What was missed is in its log, published again as a `history`.

use std::time::Duration;

use super::{
    cable::{Cable, Incoming},
    log_excerpt::{self, SquareChange},
    rest::{REST, Rest},
};
use crate::{
    bus::{
        FirstSearch, Interrupted, Link, Recalled, RecordSink, Watch, WatchSettings, answers,
        followed_board::FollowedBoard, retry,
    },
    error::Result,
    record::{BoardEvent, Change, FaultKind, History, LinkState, Placement, RING},
    wire::{
        command::SingleCommand,
        message::Message,
        records::{self, Lever},
    },
};

/// How often a board that has nothing to say is asked whether it is there: its cable may be out, its power gone.
const KEEP_ALIVE: Duration = Duration::from_secs(5);

/// How far we are with the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// It has to be found, and told to tell its changes.
    Looking,
    /// It tells its changes, and we know what stands on it.
    Following {
        /// The last dump did not agree with what was published.
        disagreed: bool,
    },
}

/// Follows one board.
pub struct Watcher<L, S> {
    cable: Cable<L>,
    sink: S,
    settings: WatchSettings,
    followed: FollowedBoard,
    /// What earlier runs published of boards that were not met yet.
    recalled: Recalled,
    /// The changes published since a start position last stood at rest, to know the game again in a log; the ring
    /// holds fewer.
    published: Vec<SquareChange>,
    lever: Lever,
    phase: Phase,
    /// When it last said anything.
    heard: Duration,
    /// When its pieces rest.
    rest: Rest,
    /// It has not 64 squares, and that was published.
    refused: bool,
}

impl<L: Link, S: RecordSink> Watcher<L, S> {
    /// Follows the board at the other end of a link. `recalled`: what earlier runs published of it, and of others.
    pub fn new(link: L, sink: S, settings: WatchSettings, recalled: Recalled) -> Watcher<L, S> {
        let heard = link.now();
        Watcher {
            cable: Cable::new(link),
            sink,
            settings,
            followed: FollowedBoard::default(),
            recalled,
            published: Vec::new(),
            lever: Lever::default(),
            phase: Phase::Looking,
            heard,
            rest: Rest::since(heard),
            refused: false,
        }
    }

    /// The link, for tests to change what is at its other end.
    #[cfg(test)]
    pub(super) fn link_mut(&mut self) -> &mut L {
        &mut self.cable.link
    }

    /// Goes on until then.
    #[cfg(test)]
    pub(super) fn until(&mut self, end: Duration) {
        self.settings.seconds = Some(end);
    }

    /// The link and the sink, when all is done.
    #[cfg(test)]
    pub(in crate::bus) fn into_parts(self) -> (L, S) {
        (self.cable.link, self.sink)
    }

    fn now(&self) -> Duration {
        self.cable.link.now()
    }

    /// Finds the board, makes it tell its changes, and finds out what was missed.
    fn find_board(&mut self) -> Result<(), Interrupted> {
        let Some(found) = self.cable.greet()? else {
            return Ok(self.wait_for_it()?);
        };
        let before = self.followed.address;
        if before != Some(found.board) {
            if before.is_some() {
                (self.lever, self.published) = (Lever::default(), Vec::new());
                self.followed.give_way();
            }
            self.followed.address = Some(found.board);
            if let Some(known) = self.recalled.remove(&found.board) {
                self.followed.go_on_from(known);
            }
            let event = found.event(self.cable.link.name());
            self.publish(event);
        }
        let reason = self.followed.find_again(self.cable.link.time());
        self.catch_up(reason.unwrap_or("watch-begins"))
    }

    /// The board is silent: some time passes before it is looked for again.
    fn wait_for_it(&mut self) -> Result<()> {
        self.lose("timeout");
        self.flush()?;
        self.followed.reach.missed();
        let until = self.now() + retry::wait(self.followed.reach.misses, retry::SILENT_BOARD);
        self.cable.link.pause(self.settings.seconds.map_or(until, |end| end.min(until)));
        Ok(())
    }

    /// From here on the board tells its changes. A dump tells whether those published so far are all.
    fn catch_up(&mut self, reason: &str) -> Result<(), Interrupted> {
        self.cable.send_and_wait(SingleCommand::UpdateNice)?;
        let reply = self.cable.ask(SingleCommand::SendBoard)?;
        // Changes told before the dump are in it; the clock is not.
        let clocks: Vec<Incoming> = reply.before.into_iter().filter(is_clock).collect();
        self.heard = self.now();
        let Some(data) = reply.answer else { return Ok(self.wait_for_it()?) };
        self.phase = Phase::Following { disagreed: false };
        self.followed.reach.answered();
        match (answers::dump(&data), self.followed.tracker.placement()) {
            (None, _) => self.refuse(&data),
            (Some(dump), Some(&placement)) if placement == dump.placement => {}
            // Where no game goes on the log is of yesterday.
            (Some(dump), None) if dump.placement.is_start() || dump.placement == Placement::EMPTY => {
                self.stands(dump.placement);
                self.publish(BoardEvent::Position(dump));
            }
            (Some(dump), _) => self.fetch_log(reason, dump.placement)?,
        }
        clocks.into_iter().for_each(|incoming| self.take(&incoming));
        Ok(())
    }

    /// Listens, until it is time to look whether all is well.
    fn listen(&mut self) -> Result<(), Interrupted> {
        let FollowedBoard { quiet_due, tracker, mark, .. } = &self.followed;
        let wants_mark =
            self.settings.start_marks && tracker.placement().is_some_and(|placement| mark.wants(placement));
        let look = match (*quiet_due, wants_mark) {
            (true, _) => self.rest.begins(),
            (false, true) => self.heard + REST,
            (false, false) => self.heard + KEEP_ALIVE,
        };
        let until = self.settings.seconds.map_or(look, |end| end.min(look));
        // A clock that runs says something every second, and must not put off the look at a board at rest.
        if (!quiet_due || self.now() < look)
            && let Some(incoming) = self.cable.next(until)?
        {
            self.take(&incoming);
            return Ok(());
        }
        if self.now() >= look { self.compare_with_dump() } else { Ok(()) }
    }

    /// A dump, against what was published.
    fn compare_with_dump(&mut self) -> Result<(), Interrupted> {
        if !self.followed.quiet_due {
            // A board that was switched off and on tells nothing unless it is asked to again.
            self.cable.send_and_wait(SingleCommand::UpdateNice)?;
        }
        let reply = self.cable.ask(SingleCommand::SendBoard)?;
        reply.before.iter().for_each(|incoming| self.take(incoming));
        let now = self.now();
        let Some(data) = reply.answer else {
            self.rest = Rest::since(now);
            if self.followed.reach.missed() {
                self.lose("timeout");
            }
            return Ok(());
        };
        self.followed.reach.answered();
        self.heard = now;
        let Some(stands) = answers::dump(&data).map(|dump| dump.placement) else {
            self.refuse(&data);
            return Ok(());
        };
        let agrees = self.followed.tracker.placement() == Some(&stands);
        let again = self.phase == Phase::Following { disagreed: true };
        self.phase = Phase::Following { disagreed: !agrees && !again };
        if agrees {
            return self.rests(now, &stands);
        }
        if again {
            return self.fetch_log("position", stands);
        }
        // Perhaps the dump itself was spoilt.
        self.followed.quiet_due = true;
        self.rest.look_again(now);
        Ok(())
    }

    /// The board stands as was published.
    fn rests(&mut self, now: Duration, stands: &Placement) -> Result<(), Interrupted> {
        // Once: so long after they moved they are as good as settled.
        if self.followed.quiet_due && self.rest.has_begun(now) {
            self.followed.rests(self.cable.link.time());
        }
        if self.followed.quiet_due {
            return Ok(());
        }
        if stands.is_start() {
            self.published.clear();
        }
        let due = self.followed.mark.rested(now, stands);
        if due && self.settings.start_marks { self.write_mark(*stands) } else { Ok(()) }
    }

    /// Writes the start mark into a board that stands set up for a game, if it knows how.
    fn write_mark(&mut self, stands: Placement) -> Result<(), Interrupted> {
        let mark = self.cable.start()?;
        // A board that knows no bus is not asked again while this position stands.
        self.followed.mark.written(stands);
        self.catch_up("answer-lost")?;
        if let Some(mark) = mark
            && self.followed.tracker.placement() == Some(&stands)
        {
            self.publish(mark);
            self.publish(records::position(stands.codes()));
        }
        Ok(())
    }

    /// SEND_EE_MOVES: what the board logged of this game, where that leads to what stands on it.
    fn fetch_log(&mut self, reason: &str, mut stands: Placement) -> Result<(), Interrupted> {
        for _ in 0..retry::ALONE {
            let reply = self.cable.ask(SingleCommand::SendLog)?;
            self.heard = self.now();
            // What moved between the dump and the log is in the log.
            for incoming in &reply.before {
                if let Some(Ok(Message::Field(field, piece))) = incoming.message()
                    && let Some(BoardEvent::Change(change)) = records::change(field, piece, false)
                {
                    stands.set(change.square, change.piece);
                }
            }
            let Some(log) = reply.answer else { break };
            let excerpt = log_excerpt::read(&log, &self.published);
            if excerpt.placement.is_none_or(|placement| placement == stands) {
                self.published.clear();
                let (count, complete) = (excerpt.events.len() as u64, excerpt.complete);
                self.publish(BoardEvent::History(History { reason: reason.into(), count, complete }));
                self.followed.learn_anew(&excerpt.events);
                for event in excerpt.events {
                    self.remember(&event);
                    self.publish(event);
                }
                // Its presses were published with it.
                self.lever = Lever::default();
                self.accept(stands);
                return Ok(());
            }
            let reply = self.cable.ask(SingleCommand::SendBoard)?;
            match reply.answer.as_deref().and_then(answers::dump) {
                Some(dump) => stands = dump.placement,
                None => break,
            }
        }
        let detail = "the board's log does not lead to its position: what was missed is not told";
        self.fault(detail);
        self.accept(stands);
        Ok(())
    }

    /// A dump that records cannot hold, which is published once.
    fn refuse(&mut self, data: &[u8]) {
        self.followed.quiet_due = false;
        if !std::mem::replace(&mut self.refused, true) {
            self.publish(answers::no_dump(data));
        }
    }

    /// Takes what stands on the board for the truth, and publishes it.
    fn accept(&mut self, stands: Placement) {
        self.stands(stands);
        self.publish(records::position(stands.codes()));
    }

    fn stands(&mut self, stands: Placement) {
        self.followed.stands(stands);
        (self.followed.quiet_due, self.rest) = (true, Rest::since(self.now()));
    }

    /// What the board tells unasked.
    fn take(&mut self, incoming: &Incoming) {
        self.heard = self.now();
        match incoming.message() {
            Some(Ok(Message::Field(field, piece))) => match records::change(field, piece, false) {
                Some(event) => {
                    self.followed.learn(std::slice::from_ref(&event));
                    self.remember(&event);
                    self.rest = Rest::since(self.now());
                    self.publish(event);
                }
                None => self.fault(format!("field {field} is on no board of 64 squares")),
            },
            Some(Ok(Message::Clock(message))) => {
                self.lever.turn(message).into_iter().for_each(|press| self.publish(press));
                self.followed.clock_shows(self.cable.link.time(), message);
            }
            Some(Err(bad)) => self.fault(bad.to_string()),
            Some(Ok(_)) => {}
            None => {
                if let Incoming::Fault(event) = incoming {
                    self.publish(event.clone());
                }
            }
        }
    }

    /// Remembers a change, to know the game again in the board's log.
    fn remember(&mut self, event: &BoardEvent) {
        if let BoardEvent::Change(Change { square, piece, .. }) = event {
            if self.published.len() == RING {
                self.published.drain(..RING / 2);
            }
            self.published.push((*square, *piece));
        }
    }

    fn lose(&mut self, reason: &'static str) {
        self.phase = Phase::Looking;
        self.followed.lose(self.cable.link.time(), reason);
    }

    fn publish(&mut self, event: BoardEvent) {
        self.followed.publish(self.cable.link.time(), event);
    }

    fn fault(&mut self, detail: impl Into<String>) {
        self.publish(answers::fault(FaultKind::Corrupt, detail));
    }

    fn flush(&mut self) -> Result<()> {
        self.followed.flush(&mut self.sink).map(|_| ())
    }
}

impl<L: Link, S: RecordSink> Watch<L> for Watcher<L, S> {
    /// There is one place on its cable: whoever is there, or comes, is watched.
    fn look(&mut self, _: &[u16], _: bool) -> Result<Option<FirstSearch>, Interrupted> {
        Ok(None)
    }

    fn step(&mut self) -> Result<(), Interrupted> {
        let done = match self.phase {
            Phase::Looking => self.find_board(),
            Phase::Following { .. } => self.listen(),
        };
        self.flush()?;
        done
    }

    fn port_closed(&mut self) -> Result<()> {
        self.lose(LinkState::PORT_CLOSED);
        self.flush()
    }

    fn parts(&mut self) -> (&mut L, &WatchSettings, &mut dyn RecordSink) {
        (&mut self.cable.link, &self.settings, &mut self.sink)
    }

    fn into_link(self: Box<Self>) -> L {
        self.cable.link
    }
}

fn is_clock(incoming: &Incoming) -> bool {
    matches!(incoming.message(), Some(Ok(Message::Clock(_))))
}
