//! Follows a board that is alone on its cable.
//!
//! After UPDATE_NICE the board reports every change when it sees it, and its clock when that changes. A dump, requested
//! when the pieces have come to rest and every [`KEEP_ALIVE`], shows whether changes were missed because of noise, a cable
//! that was out, or a board without power. Missed changes are in its log, which is then published as a `history`.

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

/// How often a board that reports nothing is asked for a dump: its cable may be out, or its power off.
const KEEP_ALIVE: Duration = Duration::from_secs(5);

/// The phase of the watch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// The board has to be found and set to report its changes.
    Looking,
    /// The board reports its changes, and its position is known.
    Following {
        /// The last dump did not agree with the published position.
        disagreed: bool,
    },
}

/// Follows one board.
pub struct Watcher<L, S> {
    cable: Cable<L>,
    sink: S,
    settings: WatchSettings,
    followed: FollowedBoard,
    /// The state from earlier runs of boards that have not answered yet.
    recalled: Recalled,
    /// The changes published since a start position was last at rest, by which the game is recognised in a log. The ring of
    /// the board holds fewer.
    published: Vec<SquareChange>,
    lever: Lever,
    phase: Phase,
    /// When its last message came.
    heard: Duration,
    /// When its pieces rest.
    rest: Rest,
    /// Its dumps cannot be recorded, and that was published.
    refused: bool,
}

impl<L: Link, S: RecordSink> Watcher<L, S> {
    /// Follows the board on a link. `recalled`: the state of boards from the records of earlier runs.
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

    /// The link, so that tests can change the board on it.
    #[cfg(test)]
    pub(super) fn link_mut(&mut self) -> &mut L {
        &mut self.cable.link
    }

    /// Sets the end of the watch.
    #[cfg(test)]
    pub(super) fn until(&mut self, end: Duration) {
        self.settings.seconds = Some(end);
    }

    /// The link and the sink, after the end.
    #[cfg(test)]
    pub(in crate::bus) fn into_parts(self) -> (L, S) {
        (self.cable.link, self.sink)
    }

    fn now(&self) -> Duration {
        self.cable.link.now()
    }

    /// Finds the board, sets it to report its changes, and fetches those that were missed.
    fn find_board(&mut self) -> Result<(), Interrupted> {
        let Some(found) = self.cable.greet()? else {
            return Ok(self.wait_for_it()?);
        };
        let before = self.followed.address;
        if before != Some(found.board) {
            if before.is_some() {
                (self.lever, self.published) = (Lever::default(), Vec::new());
                self.followed.start_over();
            }
            self.followed.address = Some(found.board);
            if let Some(known) = self.recalled.remove(&found.board) {
                self.followed.resume_from(known);
            }
            let event = found.event(self.cable.link.name());
            self.publish(event);
        }
        let reason = self.followed.publish_found(self.cable.link.time());
        self.catch_up(reason.unwrap_or("watch-begins"))
    }

    /// Waits before the next search for a board that does not answer.
    fn wait_for_it(&mut self) -> Result<()> {
        self.lose("timeout");
        self.flush()?;
        self.followed.reach.missed();
        let until = self.now() + retry::wait(self.followed.reach.misses, retry::SILENT_BOARD);
        self.cable.link.pause(self.settings.seconds.map_or(until, |end| end.min(until)));
        Ok(())
    }

    /// Sets the board to report its changes, and compares a dump with the published position.
    fn catch_up(&mut self, reason: &str) -> Result<(), Interrupted> {
        self.cable.send_and_wait(SingleCommand::UpdateNice)?;
        let reply = self.cable.ask(SingleCommand::SendBoard)?;
        // Changes that came before the dump are in it; the clock is not.
        let clocks: Vec<Incoming> = reply.before.into_iter().filter(is_clock).collect();
        self.heard = self.now();
        let Some(data) = reply.answer else { return Ok(self.wait_for_it()?) };
        self.phase = Phase::Following { disagreed: false };
        self.followed.reach.answered();
        match (answers::dump(&data), self.followed.tracker.placement()) {
            (None, _) => self.refuse(&data),
            (Some(dump), Some(&placement)) if placement == dump.placement => {}
            // Before a game the log holds an earlier game and is not needed.
            (Some(dump), None) if dump.placement.is_start() || dump.placement == Placement::EMPTY => {
                self.set_placement(dump.placement);
                self.publish(BoardEvent::Position(dump));
            }
            (Some(dump), _) => self.fetch_log(reason, dump.placement)?,
        }
        clocks.into_iter().for_each(|incoming| self.take(&incoming));
        Ok(())
    }

    /// Takes the next message, or compares a dump when that is due.
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
        // A running clock sends a message every second, which must not delay the dump of a board at rest.
        if (!quiet_due || self.now() < look)
            && let Some(incoming) = self.cable.next(until)?
        {
            self.take(&incoming);
            return Ok(());
        }
        if self.now() >= look { self.compare_with_dump() } else { Ok(()) }
    }

    /// Compares a dump with the published position.
    fn compare_with_dump(&mut self) -> Result<(), Interrupted> {
        if !self.followed.quiet_due {
            // A board that was switched off and on reports nothing until this command.
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
            return self.confirmed(now, &stands);
        }
        if again {
            return self.fetch_log("position", stands);
        }
        // The dump itself may be damaged.
        self.followed.quiet_due = true;
        self.rest.dump_again(now);
        Ok(())
    }

    /// Publishes `quiet` and writes a start mark, if due, after a dump that confirmed the position.
    fn confirmed(&mut self, now: Duration, stands: &Placement) -> Result<(), Interrupted> {
        if self.followed.quiet_due && self.rest.has_begun(now) {
            self.followed.publish_quiet(self.cable.link.time());
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

    /// Writes the start mark into a board that is set up for a game, if it has a bus mode.
    fn write_mark(&mut self, stands: Placement) -> Result<(), Interrupted> {
        let mark = self.cable.start()?;
        // A board without a bus mode is not asked again in this position.
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

    /// Sends SEND_EE_MOVES and publishes the entries of this game, if they lead to the position of the board.
    fn fetch_log(&mut self, reason: &str, mut stands: Placement) -> Result<(), Interrupted> {
        for _ in 0..retry::ALONE {
            let reply = self.cable.ask(SingleCommand::SendLog)?;
            self.heard = self.now();
            // Changes between the dump and the log are in the log.
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
                self.followed.replace(&excerpt.events);
                for event in excerpt.events {
                    self.remember(&event);
                    self.publish(event);
                }
                // The history includes the presses so far.
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
        let detail = "the board's log does not lead to its position: missed changes are not recorded";
        self.fault(detail);
        self.accept(stands);
        Ok(())
    }

    /// Publishes, once, that a dump cannot be recorded.
    fn refuse(&mut self, data: &[u8]) {
        self.followed.quiet_due = false;
        if !std::mem::replace(&mut self.refused, true) {
            self.publish(answers::no_dump(data));
        }
    }

    /// Sets the position to that of a dump, and publishes it.
    fn accept(&mut self, stands: Placement) {
        self.set_placement(stands);
        self.publish(records::position(stands.codes()));
    }

    fn set_placement(&mut self, placement: Placement) {
        self.followed.set_placement(placement);
        (self.followed.quiet_due, self.rest) = (true, Rest::since(self.now()));
    }

    /// Publishes a message that answers no command.
    fn take(&mut self, incoming: &Incoming) {
        self.heard = self.now();
        match incoming.message() {
            Some(Ok(Message::Field(field, piece))) => match records::change(field, piece, false) {
                Some(event) => {
                    self.followed.apply(std::slice::from_ref(&event));
                    self.remember(&event);
                    self.rest = Rest::since(self.now());
                    self.publish(event);
                }
                None => self.fault(format!("field {field} is on no board of 64 squares")),
            },
            Some(Ok(Message::Clock(message))) => {
                self.lever.turn(message).into_iter().for_each(|press| self.publish(press));
                self.followed.publish_clock(self.cable.link.time(), message);
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

    /// Keeps a change, by which the game is recognised in the board's log.
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
    /// The cable has a single board, which is watched whenever it answers.
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
