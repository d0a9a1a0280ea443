//! One visit to one board: chooses its command and evaluates the answer.
//!
//! The rule that keeps every change: SEND_CHANGES is never sent while a packet is unconfirmed, nor while the board's own
//! log has yet to be compared with the published entries; the packet or the log is fetched first.

use std::time::Duration;

use super::{
    exchange::{Answer, BusLine},
    polled_board::{Fetch, LONG_ANSWER_BYTES, PolledBoard, PositionCheck, WATCH_BEGINS},
    recovery::{Copies, Repeated, repeated},
};
use crate::{
    bus::{Gone, Link, answers, retry},
    record::{BoardEvent, BoardPosition, Change, Fault, FaultKind, Mark, MarkKind, Mode, Placement},
    wire::{
        command::BusCommand,
        eeprom::CutEntries,
        frame::{BadBytes, Decoder, Frame},
        records,
    },
};

/// The result of a visit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Brought {
    /// No packet of changes.
    NoPacket,
    /// A packet, empty or not.
    Packet,
    /// An empty packet, and the board is set up for a game and has no start mark.
    MarkDue,
}

/// A visit to a board. Its records wait in the board until they are flushed.
pub struct Visit<'a, L> {
    line: &'a mut BusLine<L>,
    board: &'a mut PolledBoard,
    /// Whether start marks are written.
    start_marks: bool,
}

impl<L: Link> Visit<'_, L> {
    /// A visit to this board.
    pub fn new<'a>(line: &'a mut BusLine<L>, board: &'a mut PolledBoard, start_marks: bool) -> Visit<'a, L> {
        Visit { line, board, start_marks }
    }

    /// Sends the command of the board's fetch state, and publishes the answer.
    pub fn fetch_next(&mut self) -> Result<Brought, Gone> {
        // A lost board is only pinged, since every unanswered command delays the other boards.
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

    /// Sends SEND_CHANGES. From here on the packet is unconfirmed until it has been published.
    fn fetch_changes(&mut self) -> Result<Brought, Gone> {
        self.board.fetch = Fetch::UnconfirmedPacket(Copies::default());
        match self.ask(BusCommand::SendChanges)? {
            Answer::Whole(data) => self.packet(data),
            spoilt => {
                self.publish_spoilt(BusCommand::SendChanges, &spoilt);
                if let Answer::Garbled(bytes) = spoilt {
                    let long = bytes.len() > LONG_ANSWER_BYTES;
                    self.keep_copy(bytes);
                    if long {
                        return Ok(Brought::NoPacket);
                    }
                }
                self.fetch_again()
            }
        }
    }

    /// Sends REPEAT_CHANGES, which fetches the unconfirmed packet or the one before it.
    fn fetch_again(&mut self) -> Result<Brought, Gone> {
        let mut silent = true;
        for _ in 0..retry::REPEATS {
            let data = match self.ask(BusCommand::RepeatChanges)? {
                Answer::Whole(data) => Some(data),
                Answer::Garbled(bytes) => {
                    silent = false;
                    let long = bytes.len() > LONG_ANSWER_BYTES;
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
        // Some boards never answer REPEAT_CHANGES, and some damage a packet every time by a wrong length: then the log is
        // fetched.
        let tries = if silent { retry::IN_VAIN } else { retry::LOG_VISITS };
        if self.asked_in_vain(tries)? {
            self.board.fetch = Fetch::log("answer-lost");
        }
        Ok(Brought::NoPacket)
    }

    /// Keeps a damaged copy of the expected answer. Returns its data if the copies are enough to restore it.
    fn keep_copy(&mut self, bytes: Vec<u8>) -> Option<Vec<u8>> {
        let (copies, command) = match &mut self.board.fetch {
            Fetch::UnconfirmedPacket(copies) => (copies, BusCommand::RepeatChanges),
            Fetch::Log { copies, .. } => (copies, BusCommand::SendFromStart),
            Fetch::Introduction { .. } | Fetch::Changes => return None,
        };
        copies.add(bytes, self.board.address, command)
    }

    /// Publishes a packet of changes.
    fn packet(&mut self, data: Vec<u8>) -> Result<Brought, Gone> {
        let events = events(&self.board.cut.join(&data));
        self.board.fetch = Fetch::Changes;
        self.board.followed.tracker.last = Some(data);
        if events.is_empty() {
            return if self.board.cut.begun().is_empty() { self.empty_packet() } else { Ok(Brought::Packet) };
        }
        if events.iter().any(|event| matches!(event, BoardEvent::Fault(_))) {
            self.board.check.want();
        }
        // A list of the pieces is no move. It has no changes to empty.
        let lists = |event: &BoardEvent| matches!(event, BoardEvent::Mark(Mark { listing: true, .. }));
        let lifts = |event: &BoardEvent| matches!(event, BoardEvent::Change(Change { piece: None, .. }));
        let moved = events.iter().any(lifts) || !events.iter().any(lists);
        self.board.activity.reported(self.line.link.now(), self.line.link.heard(), moved);
        self.publish_log(events);
        Ok(Brought::Packet)
    }

    /// Publishes entries of the board's log and applies them to its state.
    fn publish_log(&mut self, events: Vec<BoardEvent>) {
        let reset = |event: &BoardEvent| {
            matches!(event, BoardEvent::Mark(Mark { mark: MarkKind::PowerUp | MarkKind::Watchdog, .. }))
        };
        if events.iter().any(reset) {
            self.board.silenced = false;
            if self.board.followed.tracker.has_start() {
                // The reset deleted the last packet, which may not have arrived.
                self.board.fetch = Fetch::log("reset");
            }
        }
        self.board.apply(&events);
        events.into_iter().for_each(|event| self.publish(event));
    }

    /// Evaluates an empty packet: the pieces may rest.
    fn empty_packet(&mut self) -> Result<Brought, Gone> {
        let (now, time) = (self.line.link.now(), self.line.link.heard());
        let board = &mut *self.board;
        if !board.activity.has_rested(time) {
            return Ok(Brought::Packet);
        }
        board.followed.publish_quiet(time);
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
                    return Ok(self.mark_due(now));
                }
            }
            PositionCheck::Wanted { .. } => {
                self.fetch_dump()?;
                if self.board.sends_no_dumps() {
                    return Ok(self.mark_due(now));
                }
            }
            PositionCheck::Confirmed => return Ok(self.mark_due(now)),
            PositionCheck::Assumed => {
                let due = self.mark_due(now);
                if self.board.dump_due && due != Brought::MarkDue {
                    self.fetch_dump()?;
                }
                return Ok(due);
            }
        }
        Ok(Brought::Packet)
    }

    /// The result of an empty packet of a board at rest: whether its start mark is due.
    fn mark_due(&mut self, now: Duration) -> Brought {
        let (tracker, mark) = (&self.board.followed.tracker, &mut self.board.followed.mark);
        let due = tracker.placement().is_some_and(|placement| mark.rested(now, placement));
        if due && self.start_marks { Brought::MarkDue } else { Brought::Packet }
    }

    /// Sends PING, for `overheard`.
    pub fn ping(&mut self) -> Result<(), Gone> {
        self.ask(BusCommand::Ping).map(|_| ())
    }

    /// Fetches a dump outside the polls, for `overheard`.
    pub fn request_dump(&mut self) -> Result<(), Gone> {
        self.board.check.want();
        self.fetch_dump()
    }

    /// Fetches a dump of a board at rest. It is compared when an empty poll has shown that nothing moved meanwhile.
    fn fetch_dump(&mut self) -> Result<(), Gone> {
        if let Some(dump) = self.dump()? {
            self.board.check.dumped(dump, self.line.link.now());
        }
        Ok(())
    }

    /// Sends SEND_BRD. Returns the position; none if it did not arrive, or if the board has not 64 squares.
    fn dump(&mut self) -> Result<Option<BoardPosition>, Gone> {
        let now = self.line.link.now();
        if self.board.sends_no_dumps() && self.board.dump_asked.is_some_and(|at| now - at < retry::NO_DUMP) {
            return Ok(None);
        }
        self.board.dump_asked = Some(now);
        Ok(match self.ask(BusCommand::SendBoard)? {
            Answer::Whole(data) => {
                self.board.dumps_in_vain = 0;
                let dump = answers::dump(&data);
                if dump.is_none() {
                    self.publish(answers::no_dump(&data));
                    self.board.check = PositionCheck::Assumed;
                    // Turns routine dumps off: they would be the same.
                    self.board.dump_asked = None;
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

    /// The first fetch from a board in this run: its last packet, and whether a game is in play.
    fn introduce(&mut self, recalled: bool) -> Result<(), Gone> {
        let answer = self.ask(BusCommand::RepeatChanges)?;
        self.publish_spoilt(BusCommand::RepeatChanges, &answer);
        match answer {
            Answer::Whole(data) => {
                self.board.cut = CutEntries::default();
                let repeated = events(&self.board.cut.join(&data));
                let tracker = &mut self.board.followed.tracker;
                let missed = tracker.unpublished(&repeated);
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
            // Some boards do not answer while they have nothing to repeat. The log has what an earlier run fetched.
            Answer::Silence if recalled => {
                self.board.fetch = Fetch::log("answer-lost");
                return Ok(());
            }
            Answer::Silence => self.board.fetch = Fetch::Changes,
        }
        // If this dump fails, another is requested when the pieces rest.
        match self.dump()? {
            // The first empty poll confirms it.
            Some(dump) if self.start_marks && begins(&dump) => {
                self.board.check.dumped(dump, self.line.link.now());
            }
            Some(_) => self.board.fetch = Fetch::log(WATCH_BEGINS),
            None => {}
        }
        Ok(())
    }

    /// Sends SEND_FROM_START and compares the board's log with the published entries.
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
                    let detail = "the board does not send its log: missed changes are not recorded";
                    self.give_up_log(FaultKind::Timeout, detail);
                }
                return Ok(());
            }
        };
        let Some(log) = log else {
            if matches!(self.board.fetch, Fetch::Log { visits: retry::LOG_VISITS.., .. }) {
                let detail = format!(
                    "the board's log did not arrive whole in {} tries: missed changes are not recorded",
                    retry::LOG_VISITS
                );
                self.give_up_log(FaultKind::Checksum, &detail);
            }
            return Ok(());
        };
        self.board.fetch = Fetch::Changes;
        self.learn_log(&log, reason);
        // If the log does not determine the position, only a dump can.
        match self.board.followed.tracker.placement() {
            Some(_) => self.board.check.want(),
            None => self.board.check.want_decisive(),
        }
        Ok(())
    }

    /// Continues without the log: the next dump replaces it.
    fn give_up_log(&mut self, kind: FaultKind, detail: &str) {
        self.board.fetch = Fetch::Changes;
        self.board.check.want_decisive();
        self.publish(answers::fault(kind, detail));
    }

    /// Publishes the entries of the board's log that were missed, or the whole log as a `history`.
    fn learn_log(&mut self, log: &[u8], reason: &str) {
        self.board.cut = CutEntries::default();
        let log = &self.board.cut.join(log);
        let logged = events(log);
        match self.board.followed.tracker.missed(&logged) {
            Some(missed) if missed.is_empty() => {}
            Some(missed) => self.publish_log(missed),
            // A log without a start mark has no entries of the game.
            None if logged.is_empty() => {}
            None => {
                let history = answers::history(log, false, reason);
                self.board.replace(&history[1..]);
                history.into_iter().for_each(|event| self.publish(event));
            }
        }
    }

    /// Writes the start mark into a board that is set up for a game, and reads its clock.
    pub fn write_mark(&mut self) -> Result<(), Gone> {
        let Some(&placement) = self.board.followed.tracker.placement() else { return Ok(()) };
        let stands = match self.board.confirmed_placement() {
            Some(placement) => Some(records::position(placement.codes())),
            None => self.dump()?.map(BoardEvent::Position),
        };
        // For a board that sends no dumps the position that follows from its changes must do.
        let published = self.board.sends_no_dumps().then(|| records::position(placement.codes()));
        let stands = stands.or(published);
        if !matches!(&stands, Some(BoardEvent::Position(position)) if position.placement == placement) {
            self.board.check.want();
            return Ok(());
        }
        let answer = self.ask(BusCommand::SetStartGame)?;
        if !matches!(answer, Answer::Whole(_)) {
            // The mark may be written all the same; then it is in the next packet.
            self.publish_spoilt(BusCommand::SetStartGame, &answer);
            return Ok(());
        }
        self.board.followed.mark.written(placement);
        // The next packet has the mark and a list of the pieces, but not of every board: then the mark is published here.
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

    /// Sends SEND_CLK and publishes the clock if it has changed.
    pub fn read_clock(&mut self) -> Result<(), Gone> {
        let answer = self.ask(BusCommand::SendClock)?;
        self.board.clock_asked = Some(self.line.link.now());
        match answer {
            Answer::Whole(data) => match answers::clock(&data) {
                Some(message) => self.board.followed.publish_clock(self.line.link.heard(), message),
                None => self.publish(answers::fault(FaultKind::Corrupt, "a clock message that cannot be")),
            },
            spoilt => self.publish_spoilt(BusCommand::SendClock, &spoilt),
        }
        Ok(())
    }

    /// Sends IGNORE_NEXT_BUS_PING, once: a board that does not answer may have received it all the same.
    pub fn silence(&mut self) -> Result<(), Gone> {
        self.board.silenced = true;
        let answer = self.ask(BusCommand::IgnoreNextPing)?;
        self.publish_spoilt(BusCommand::IgnoreNextPing, &answer);
        Ok(())
    }

    /// Sends a command and counts its answer. After any whole answer a lost board is found again.
    fn ask(&mut self, command: BusCommand) -> Result<Answer, Gone> {
        let asked = self.line.link.now();
        let answer = self.line.ask(command, self.board.address)?;
        let now = self.line.link.now();
        if let Some(answers) = self.board.tally.due(now) {
            self.publish(BoardEvent::Answers(answers));
        }
        self.board.tally.add(&answer, self.line.took(), now.saturating_sub(asked));
        match answer {
            Answer::Whole(_) => self.board.answers.whole += 1,
            Answer::Garbled(_) => self.board.answers.spoilt += 1,
            Answer::Silence => {}
        }
        if matches!(answer, Answer::Whole(_)) {
            self.board.followed.reach.answered();
            if fetches_entries(command) {
                self.board.in_vain = 0;
            }
            if self.board.followed.publish_found(self.line.link.heard()).is_some() {
                // The board has logged its changes meanwhile, and still has an unconfirmed packet. If a reset deleted
                // that, the mark of the reset is in its next packet.
                self.board.check.want();
            }
        }
        Ok(answer)
    }

    /// Counts a visit without a whole answer to its command. Returns whether to continue without one: the board answers
    /// pings, and did not answer the command in `tries` visits.
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

    /// Counts a visit without any whole answer.
    fn missed(&mut self) {
        if self.board.followed.reach.missed() {
            self.board.lose(self.line.link.heard(), "timeout");
        }
    }

    /// Publishes a fault if an answer did not arrive, or not whole; a lost board is not expected to answer.
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

    /// Publishes a record of the board; it is flushed with the others of the visit.
    fn publish(&mut self, event: BoardEvent) {
        self.board.followed.publish(self.line.link.heard(), event);
    }
}

/// The records of a packet of log entries.
fn events(log: &[u8]) -> Vec<BoardEvent> {
    records::packet(log).collect()
}

/// Whether this is a position before a game: the log then holds an earlier game and is not needed.
fn begins(dump: &BoardPosition) -> bool {
    dump.placement.is_start() || dump.placement == Placement::EMPTY
}

/// Whether the answer to a command has entries of the board's log.
fn fetches_entries(command: BusCommand) -> bool {
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
