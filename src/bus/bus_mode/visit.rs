//! One visit to one board: what to ask it, and what to make of the answer.
//!
//! The rules that keep every change: SEND_CHANGES is never sent while a packet is unconfirmed, nor while the board's
//! own log is still to be compared with what was published; then the packet or the log is fetched first.

use std::time::Duration;

use super::{
    exchange::{Answer, BusLine},
    polled_board::{Fetch, LONG, PolledBoard, PositionCheck, WATCH_BEGINS},
    recovery::{Copies, Repeated, repeated},
};
use crate::{
    bus::{Gone, Link, answers, retry},
    record::{BoardEvent, BoardPosition, Change, Fault, FaultKind, Mark, MarkKind, Mode, Placement},
    wire::{
        command::BusCommand,
        frame::{BadBytes, Decoder, Frame},
        records,
    },
};

/// What a visit brought.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Brought {
    /// No packet of changes.
    NoPacket,
    /// A packet, empty or not.
    Packet,
    /// An empty packet, and the board stands set up for a game without its start mark.
    MarkDue,
}

/// A visit to a board. What it publishes waits to be handed over.
pub struct Visit<'a, L> {
    line: &'a mut BusLine<L>,
    board: &'a mut PolledBoard,
    /// Whether boards in their start positions are to be marked.
    start_marks: bool,
}

impl<L: Link> Visit<'_, L> {
    /// To this board.
    pub fn new<'a>(line: &'a mut BusLine<L>, board: &'a mut PolledBoard, start_marks: bool) -> Visit<'a, L> {
        Visit { line, board, start_marks }
    }

    /// Asks the board what it has to be asked next, and publishes what it says.
    pub fn fetch_next(&mut self) -> Result<Brought, Gone> {
        // Of a board that is gone nothing is expected, and every try costs the others time.
        if self.board.followed.reach.is_lost() {
            let answer = self.ask(BusCommand::Ping)?;
            if !matches!(answer, Answer::Whole(_)) {
                self.publish_spoilt(BusCommand::Ping, &answer);
                self.missed();
                return Ok(Brought::NoPacket);
            }
        }
        match self.board.fetch {
            Fetch::Introduction { recalled } => self.introduce(recalled).map(|()| Brought::NoPacket),
            Fetch::Changes => self.fetch_changes(),
            Fetch::UnconfirmedPacket(_) => self.fetch_again(),
            Fetch::Log { reason, .. } => self.fetch_log(reason).map(|()| Brought::NoPacket),
        }
    }

    /// SEND_CHANGES: from here on the packet is unconfirmed until it has been published.
    fn fetch_changes(&mut self) -> Result<Brought, Gone> {
        self.board.fetch = Fetch::UnconfirmedPacket(Copies::default());
        match self.ask(BusCommand::SendChanges)? {
            Answer::Whole(data) => self.packet(data),
            spoilt => {
                self.publish_spoilt(BusCommand::SendChanges, &spoilt);
                if let Answer::Garbled(bytes) = spoilt {
                    let long = bytes.len() > LONG;
                    self.keep_copy(bytes);
                    if long {
                        return Ok(Brought::NoPacket);
                    }
                }
                self.fetch_again()
            }
        }
    }

    /// REPEAT_CHANGES: the packet that is unconfirmed, or the one before it.
    fn fetch_again(&mut self) -> Result<Brought, Gone> {
        let mut silent = true;
        for _ in 0..retry::REPEATS {
            let data = match self.ask(BusCommand::RepeatChanges)? {
                Answer::Whole(data) => Some(data),
                Answer::Garbled(bytes) => {
                    silent = false;
                    let long = bytes.len() > LONG;
                    let data = self.keep_copy(bytes);
                    if data.is_none() && long {
                        return Ok(Brought::NoPacket);
                    }
                    data
                }
                Answer::Silence => None,
            };
            let Some(data) = data else { continue };
            match repeated(&self.board.followed.tracker, &data, &events(&data)) {
                Repeated::Missing => return self.packet(data),
                Repeated::Old => self.board.fetch = Fetch::Changes,
                Repeated::Doubtful => {
                    self.board.followed.tracker.last = Some(data);
                    self.board.fetch = Fetch::log("answer-lost");
                }
            }
            return Ok(Brought::NoPacket);
        }
        // It does not repeat anything, but keeps a log. Nor does every packet arrive whole in the end: a board that
        // miscounts one does so each time.
        let tries = if silent { retry::IN_VAIN } else { retry::LOG_VISITS };
        if self.asked_in_vain(tries)? {
            self.board.fetch = Fetch::log("answer-lost");
        }
        Ok(Brought::NoPacket)
    }

    /// Keeps a spoilt copy of the answer that is wanted, and brings that if it can be put together now.
    fn keep_copy(&mut self, bytes: Vec<u8>) -> Option<Vec<u8>> {
        let (copies, command) = match &mut self.board.fetch {
            Fetch::UnconfirmedPacket(copies) => (copies, BusCommand::RepeatChanges),
            Fetch::Log { copies, .. } => (copies, BusCommand::SendFromStart),
            Fetch::Introduction { .. } | Fetch::Changes => return None,
        };
        copies.add(bytes, self.board.address, command)
    }

    /// A packet of changes that is to be published.
    fn packet(&mut self, data: Vec<u8>) -> Result<Brought, Gone> {
        let events = events(&self.board.whole_entries(&data, true));
        self.board.fetch = Fetch::Changes;
        self.board.followed.tracker.last = Some(data);
        if events.is_empty() {
            return if self.board.cut_off.is_empty() { self.rests() } else { Ok(Brought::Packet) };
        }
        if events.iter().any(|event| matches!(event, BoardEvent::Fault(_))) {
            self.board.check.want();
        }
        // A list of the pieces is no move; it names no empty square.
        let lists = |event: &BoardEvent| matches!(event, BoardEvent::Mark(Mark { listing: true, .. }));
        let lifts = |event: &BoardEvent| matches!(event, BoardEvent::Change(Change { piece: None, .. }));
        let moved = events.iter().any(lifts) || !events.iter().any(lists);
        self.board.activity.tells(self.line.link.now(), self.line.link.heard(), moved);
        self.publish_log(events);
        Ok(Brought::Packet)
    }

    /// Publishes entries of the board's log, and draws the conclusions.
    fn publish_log(&mut self, events: Vec<BoardEvent>) {
        let reset = |event: &BoardEvent| {
            matches!(event, BoardEvent::Mark(Mark { mark: MarkKind::PowerUp | MarkKind::Watchdog, .. }))
        };
        if events.iter().any(reset) {
            self.board.silenced = false;
            if self.board.followed.tracker.knows_start() {
                // A reset forgets the last packet, which may have been lost on its way.
                self.board.fetch = Fetch::log("reset");
            }
        }
        self.board.learn(&events);
        events.into_iter().for_each(|event| self.publish(event));
    }

    /// The board had nothing to tell: its pieces rest.
    fn rests(&mut self) -> Result<Brought, Gone> {
        let (now, time) = (self.line.link.now(), self.line.link.heard());
        let board = &mut *self.board;
        if !board.activity.rests(time) {
            return Ok(Brought::Packet);
        }
        board.followed.rests(time);
        board.followed.list_ended();
        match &board.check {
            PositionCheck::Dumped { dump, at, log_fetched, .. } => {
                let (dump, at, log_fetched) = (dump.clone(), *at, *log_fetched);
                let begins = self.start_marks && begins(&dump);
                if let Some(dump) = board.compare(dump, log_fetched, begins) {
                    self.publish(BoardEvent::Position(dump));
                }
                if matches!(self.board.check, PositionCheck::Confirmed) {
                    self.board.followed.mark.stood_since(at);
                    return Ok(self.stands_ready(now));
                }
            }
            PositionCheck::Wanted { .. } => {
                self.look()?;
                if self.board.sends_no_dumps() {
                    return Ok(self.stands_ready(now));
                }
            }
            PositionCheck::Confirmed => return Ok(self.stands_ready(now)),
            PositionCheck::Assumed => {
                let ready = self.stands_ready(now);
                if self.board.look_due && ready != Brought::MarkDue {
                    self.look()?;
                }
                return Ok(ready);
            }
        }
        Ok(Brought::Packet)
    }

    /// Whether the board, at rest, waits for its start mark.
    fn stands_ready(&mut self, now: Duration) -> Brought {
        let (tracker, mark) = (&self.board.followed.tracker, &mut self.board.followed.mark);
        let due = tracker.placement().is_some_and(|placement| mark.rested(now, placement));
        if due && self.start_marks { Brought::MarkDue } else { Brought::Packet }
    }

    /// PING: a sign of life.
    pub fn ping(&mut self) -> Result<(), Gone> {
        self.ask(BusCommand::Ping).map(|_| ())
    }

    /// A dump beside the polls, for which no doubt called.
    pub fn look_anew(&mut self) -> Result<(), Gone> {
        self.board.check.want();
        self.look()
    }

    /// A dump of a board at rest, to be compared when an empty poll has shown that nothing moved meanwhile.
    fn look(&mut self) -> Result<(), Gone> {
        if let Some(dump) = self.dump()? {
            self.board.check.dumped(dump, self.line.link.now());
        }
        Ok(())
    }

    /// SEND_BRD: what stands on the board; none when it did not arrive or is no chess board's.
    fn dump(&mut self) -> Result<Option<BoardPosition>, Gone> {
        let now = self.line.link.now();
        if self.board.sends_no_dumps() && self.board.looked.is_some_and(|at| now - at < retry::NO_DUMP) {
            return Ok(None);
        }
        self.board.looked = Some(now);
        Ok(match self.ask(BusCommand::SendBoard)? {
            Answer::Whole(data) => {
                self.board.dumps_in_vain = 0;
                let dump = answers::dump(&data);
                if dump.is_none() {
                    self.publish(answers::no_dump(&data));
                    self.board.check = PositionCheck::Assumed;
                    // Nor will it be next time.
                    self.board.looked = None;
                }
                dump
            }
            spoilt => {
                self.publish_spoilt(BusCommand::SendBoard, &spoilt);
                if spoilt == Answer::Silence && matches!(self.ask(BusCommand::Ping)?, Answer::Whole(_)) {
                    self.board.dumps_in_vain += 1;
                }
                None
            }
        })
    }

    /// A board that is new to us: what it would repeat, and whether a game is going on.
    fn introduce(&mut self, recalled: bool) -> Result<(), Gone> {
        let answer = self.ask(BusCommand::RepeatChanges)?;
        self.publish_spoilt(BusCommand::RepeatChanges, &answer);
        match answer {
            Answer::Whole(data) => {
                let told = events(&self.board.whole_entries(&data, false));
                let tracker = &mut self.board.followed.tracker;
                let missed = tracker.unpublished(&told);
                tracker.last = Some(data);
                self.board.fetch = Fetch::Changes;
                if recalled {
                    // The packet that an earlier run fetched last may never have been published.
                    self.publish_log(missed);
                    return Ok(());
                }
            }
            Answer::Garbled(_) => {
                self.missed();
                return Ok(());
            }
            Answer::Silence if !self.asked_in_vain(retry::IN_VAIN)? => return Ok(()),
            // Some boards are silent while they have nothing to repeat. What an earlier run fetched is in the log.
            Answer::Silence if recalled => {
                self.board.fetch = Fetch::log("answer-lost");
                return Ok(());
            }
            Answer::Silence => self.board.fetch = Fetch::Changes,
        }
        // A first look that fails is had when the pieces rest.
        match self.dump()? {
            // The first poll shows whether it stands so still.
            Some(dump) if self.start_marks && begins(&dump) => {
                self.board.check.dumped(dump, self.line.link.now());
            }
            Some(_) => self.board.fetch = Fetch::log(WATCH_BEGINS),
            None => {}
        }
        Ok(())
    }

    /// SEND_FROM_START: what the board logged, against what was published.
    fn fetch_log(&mut self, reason: &'static str) -> Result<(), Gone> {
        let log = match self.ask(BusCommand::SendFromStart)? {
            Answer::Whole(log) => Some(log),
            Answer::Garbled(bytes) => {
                if let Fetch::Log { visits, .. } = &mut self.board.fetch {
                    *visits += 1;
                }
                self.keep_copy(bytes)
            }
            Answer::Silence => {
                if self.asked_in_vain(retry::IN_VAIN)? {
                    let detail = "the board does not send its log: what was missed is not told";
                    self.give_up_log(FaultKind::Timeout, detail);
                }
                return Ok(());
            }
        };
        let Some(log) = log else {
            if matches!(self.board.fetch, Fetch::Log { visits: retry::LOG_VISITS.., .. }) {
                let detail = format!(
                    "the board's log did not arrive whole in {} tries: what was missed is not told",
                    retry::LOG_VISITS
                );
                self.give_up_log(FaultKind::Checksum, &detail);
            }
            return Ok(());
        };
        self.board.fetch = Fetch::Changes;
        self.learn_log(&log, reason);
        // Where the log does not say what stands there nothing else will.
        match self.board.followed.tracker.placement() {
            Some(_) => self.board.check.want(),
            None => self.board.check.want_last(),
        }
        Ok(())
    }

    /// The position alone must do.
    fn give_up_log(&mut self, kind: FaultKind, detail: &str) {
        self.board.fetch = Fetch::Changes;
        self.board.check.want_last();
        self.publish(answers::fault(kind, detail));
    }

    /// Publishes what the board's log has beyond what was published, or all of it.
    fn learn_log(&mut self, log: &[u8], reason: &str) {
        let log = &self.board.whole_entries(log, false)[..];
        let logged = events(log);
        match self.board.followed.tracker.missed(&logged) {
            Some(missed) if missed.is_empty() => {}
            Some(missed) => self.publish_log(missed),
            // Without a start mark in it the log says nothing of the game.
            None if logged.is_empty() => {}
            None => {
                let history = answers::history(log, false, reason);
                self.board.learn_anew(&history[1..]);
                history.into_iter().for_each(|event| self.publish(event));
            }
        }
    }

    /// Writes the start mark into a board that stands set up for a game, and reads its clock.
    pub fn write_mark(&mut self) -> Result<(), Gone> {
        let Some(&placement) = self.board.followed.tracker.placement() else { return Ok(()) };
        let stands = match self.board.confirmed_placement() {
            Some(placement) => Some(records::position(placement.codes())),
            None => self.dump()?.map(BoardEvent::Position),
        };
        // Of a board that sends no dumps nothing better is to be had than what it told.
        let told = self.board.sends_no_dumps().then(|| records::position(placement.codes()));
        let stands = stands.or(told);
        if !matches!(&stands, Some(BoardEvent::Position(position)) if position.placement == placement) {
            self.board.check.want();
            return Ok(());
        }
        let answer = self.ask(BusCommand::SetStartGame)?;
        if !matches!(answer, Answer::Whole(_)) {
            // Perhaps it is written: the next packet tells.
            self.publish_spoilt(BusCommand::SetStartGame, &answer);
            return Ok(());
        }
        self.board.followed.mark.written(placement);
        // The board may list its pieces in the next packet; a board that does not still has its mark.
        let brought = self.fetch_changes()?;
        let out = self.board.followed.out();
        if brought != Brought::NoPacket && !out.iter().any(|record| is_start_mark(&record.event)) {
            let mark = answers::start_mark();
            self.board.followed.tracker.apply(std::slice::from_ref(&mark));
            self.publish(mark);
            stands.into_iter().for_each(|stands| self.publish(stands));
        }
        self.read_clock()
    }

    /// SEND_CLK.
    pub fn read_clock(&mut self) -> Result<(), Gone> {
        let answer = self.ask(BusCommand::SendClock)?;
        self.board.clock_asked = Some(self.line.link.now());
        match answer {
            Answer::Whole(data) => match answers::clock(&data) {
                Some(message) => self.board.followed.clock_shows(self.line.link.heard(), message),
                None => self.publish(answers::fault(FaultKind::Corrupt, "a clock message that cannot be")),
            },
            spoilt => self.publish_spoilt(BusCommand::SendClock, &spoilt),
        }
        Ok(())
    }

    /// IGNORE_NEXT_BUS_PING; a board that does not answer may have heard it all the same, and will not be asked twice.
    pub fn silence(&mut self) -> Result<(), Gone> {
        self.board.silenced = true;
        let answer = self.ask(BusCommand::IgnoreNextPing)?;
        self.publish_spoilt(BusCommand::IgnoreNextPing, &answer);
        Ok(())
    }

    /// Asks, and takes any whole answer as a sign of life.
    fn ask(&mut self, command: BusCommand) -> Result<Answer, Gone> {
        let asked = self.line.link.now();
        let answer = self.line.ask(command, self.board.address)?;
        let now = self.line.link.now();
        if let Some(told) = self.board.tally.due(now) {
            self.publish(BoardEvent::Answers(told));
        }
        self.board.tally.add(&answer, self.line.took(), now.saturating_sub(asked));
        match answer {
            Answer::Whole(_) => self.board.answers.whole += 1,
            Answer::Garbled(_) => self.board.answers.spoilt += 1,
            Answer::Silence => {}
        }
        if matches!(answer, Answer::Whole(_)) {
            self.board.followed.reach.answered();
            if tells_changes(command) {
                self.board.in_vain = 0;
            }
            if self.board.followed.find_again(self.line.link.heard()).is_some() {
                // What it logged meanwhile it has kept, and a packet that was unconfirmed still is. Should it have lost
                // that in a reset, it will say so.
                self.board.check.want();
            }
        }
        Ok(answer)
    }

    /// A visit whose question brought no whole answer. Whether to go on without one: the board is there, since it answers
    /// pings, and was asked in so many visits.
    fn asked_in_vain(&mut self, tries: u32) -> Result<bool, Gone> {
        if !matches!(self.ask(BusCommand::Ping)?, Answer::Whole(_)) {
            self.missed();
            return Ok(false);
        }
        self.board.in_vain += 1;
        let enough = self.board.in_vain >= tries;
        if enough {
            self.board.in_vain = 0;
        }
        Ok(enough)
    }

    /// A visit without a whole answer.
    fn missed(&mut self) {
        if self.board.followed.reach.missed() {
            self.board.lose(self.line.link.heard(), "timeout");
        }
    }

    /// Publishes that an answer did not arrive, or not whole; of a lost board nothing else is expected.
    fn publish_spoilt(&mut self, command: BusCommand, answer: &Answer) {
        let name = name(command);
        match answer {
            Answer::Garbled(bytes) => {
                let mut first = None;
                let mut note = |frame: Result<Frame<'_>, BadBytes<'_>>| {
                    if let Err(bad) = frame {
                        first.get_or_insert_with(|| records::fault(&bad));
                    }
                };
                let mut decoder = Decoder::new(Mode::Bus);
                decoder.push(bytes, &mut note);
                decoder.finish(&mut note);
                let (kind, detail, bytes) = match first {
                    Some(BoardEvent::Fault(fault)) => (fault.kind, fault.detail, fault.bytes),
                    _ => {
                        (FaultKind::Framing, "the answer to something else".into(), Some(records::hex(bytes)))
                    }
                };
                let detail = format!("{detail}, in answer to {name}");
                self.publish(BoardEvent::Fault(Fault { kind, detail, bytes }));
            }
            Answer::Silence if !self.board.followed.reach.is_lost() => {
                self.publish(answers::fault(FaultKind::Timeout, format!("no answer to {name} in time")));
            }
            _ => {}
        }
    }

    /// Publishes something of the board; it goes out with the rest of the visit.
    fn publish(&mut self, event: BoardEvent) {
        self.board.followed.publish(self.line.link.heard(), event);
    }
}

/// What a piece of log says.
fn events(log: &[u8]) -> Vec<BoardEvent> {
    records::packet(log).collect()
}

/// Whether no game is in play on a board that stands so: its log is of yesterday, and the start mark to come will begin
/// it anew.
fn begins(dump: &BoardPosition) -> bool {
    dump.placement.is_start() || dump.placement == Placement::EMPTY
}

/// Whether the answer to a command is one that tells what the board logged.
fn tells_changes(command: BusCommand) -> bool {
    matches!(command, BusCommand::SendChanges | BusCommand::RepeatChanges | BusCommand::SendFromStart)
}

fn is_start_mark(event: &BoardEvent) -> bool {
    matches!(event, BoardEvent::Mark(Mark { mark: MarkKind::Start, .. }))
}

/// The makers' name of a command.
fn name(command: BusCommand) -> &'static str {
    match command {
        BusCommand::SendClock => "SEND_CLK",
        BusCommand::SendBoard => "SEND_BRD",
        BusCommand::SendChanges => "SEND_CHANGES",
        BusCommand::RepeatChanges => "REPEAT_CHANGES",
        BusCommand::SetStartGame => "SET_START_GAME",
        BusCommand::SendFromStart => "SEND_FROM_START",
        BusCommand::SendVersion => "SEND_VERSION",
        BusCommand::IgnoreNextPing => "IGNORE_NEXT_BUS_PING",
        _ => "PING",
    }
}
