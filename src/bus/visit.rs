//! One visit to one board: what to ask it, and what to make of the answer.
//!
//! The rules that keep every change: SEND_CHANGES is never sent while a packet is owed, nor while the board's
//! own log is still to be compared with what was told; then the packet or the log is fetched first.

use super::{
    board::{LONG, MISSES, Need},
    discovery::Trouble,
    exchange::Answer,
    link::Link,
    marks::is_start,
    poll::{Poller, SOONEST, Sink},
    recovery::{Copies, Repeated, repeated, whole},
    tracker::Gap,
};
use crate::{
    error::Result,
    record::{
        BoardEvent, BoardRecord, Change, Fault, FaultKind, Link as LinkState, Mark, MarkKind, Mode, Placement,
    },
    wire::{clock::ClockMessage, command::BusCommand, eeprom, frame::Decoder, records},
};

/// How often a packet that is owed is asked for in one visit.
const REPEATS: usize = 3;
/// Tries to get a board's log before we go on without it.
const LOG_TRIES: u32 = 9;

impl<L: Link, S: Sink> Poller<L, S> {
    /// Asks a board what it has to be asked next, and tells what it said.
    pub(super) fn visit(&mut self, at: usize) -> Result<(), Trouble> {
        let result = self.ask_next(at);
        let now = self.line.link.now();
        let board = &mut self.boards[at];
        board.asked = now;
        board.due = now + if board.misses > 0 { Self::back_off(board.misses) } else { SOONEST };
        self.flush(at)?;
        result
    }

    fn ask_next(&mut self, at: usize) -> Result<(), Trouble> {
        if self.boards[at].owed {
            return self.fetch_again(at).map(|_| ());
        }
        match self.boards[at].need {
            Need::Introduction => self.introduce(at),
            Need::Log(reason) => self.fetch_log(at, reason),
            Need::Nothing => self.fetch(at).map(|_| ()),
        }
    }

    /// SEND_CHANGES: from here on the packet is owed until it has been told. Whether one was.
    fn fetch(&mut self, at: usize) -> Result<bool, Trouble> {
        self.boards[at].owed = true;
        match self.ask(at, BusCommand::SendChanges)? {
            Answer::Whole(data) => {
                self.took(at, data)?;
                Ok(true)
            }
            spoilt => {
                self.tell_spoilt(at, BusCommand::SendChanges, &spoilt);
                if let Answer::Garbled(bytes) = spoilt {
                    let long = bytes.len() > LONG;
                    self.boards[at].copies.add(bytes);
                    if long {
                        return Ok(false);
                    }
                }
                self.fetch_again(at)
            }
        }
    }

    /// REPEAT_CHANGES: the packet that is owed, or the one before it. Whether one was told.
    fn fetch_again(&mut self, at: usize) -> Result<bool, Trouble> {
        // Of a board that is gone nothing is expected, and every try costs the others time.
        let tries = if self.boards[at].lost { 1 } else { REPEATS };
        for _ in 0..tries {
            let data = match self.ask(at, BusCommand::RepeatChanges)? {
                Answer::Whole(data) => Some(data),
                Answer::Garbled(bytes) => {
                    let long = bytes.len() > LONG;
                    let board = &mut self.boards[at];
                    board.copies.add(bytes);
                    let data = whole(&board.copies, board.address, BusCommand::RepeatChanges);
                    if data.is_none() && long {
                        return Ok(false);
                    }
                    data
                }
                Answer::Silence => None,
            };
            let Some(data) = data else { continue };
            let board = &mut self.boards[at];
            let events = events(&data);
            match repeated(&board.tracker, &data, &events) {
                Repeated::Missing => {
                    self.took(at, data)?;
                    return Ok(true);
                }
                Repeated::Old => (board.owed, board.copies) = (false, Copies::default()),
                Repeated::Doubtful => {
                    (board.owed, board.copies) = (false, Copies::default());
                    board.tracker.set_last(data);
                    board.need = Need::Log("answer-lost");
                }
            }
            return Ok(false);
        }
        self.missed(at);
        Ok(false)
    }

    /// A packet of changes that is to be told.
    fn took(&mut self, at: usize, data: Vec<u8>) -> Result<(), Trouble> {
        let events = events(&data);
        let board = &mut self.boards[at];
        (board.owed, board.copies) = (false, Copies::default());
        board.tracker.set_last(data);
        if events.is_empty() {
            return self.rests(at);
        }
        let now = self.line.link.now();
        let board = &mut self.boards[at];
        board.told = Some(now);
        if events.iter().any(|event| matches!(event, BoardEvent::Fault(_))) {
            board.check = true;
        }
        // A list of the pieces is no move; it names no empty square.
        let lists = |event: &BoardEvent| matches!(event, BoardEvent::Mark(Mark { listing: true, .. }));
        let lifts = |event: &BoardEvent| matches!(event, BoardEvent::Change(Change { piece: None, .. }));
        if events.iter().any(lifts) || !events.iter().any(lists) {
            board.moved = Some(now);
        }
        self.told(at, events);
        Ok(())
    }

    /// Tells events of the board's log, and draws the conclusions.
    fn told(&mut self, at: usize, events: Vec<BoardEvent>) {
        let board = &mut self.boards[at];
        let reset = |event: &BoardEvent| {
            matches!(event, BoardEvent::Mark(Mark { mark: MarkKind::PowerUp | MarkKind::Watchdog, .. }))
        };
        if events.iter().any(reset) {
            board.silenced = false;
            if board.tracker.knows_start() {
                // A reset forgets the last packet, which may have been lost on its way.
                board.need = Need::Log("reset");
            }
        }
        board.learn(&events);
        for event in events {
            self.tell(at, event);
        }
    }

    /// The board had nothing to tell: its pieces rest.
    fn rests(&mut self, at: usize) -> Result<(), Trouble> {
        let now = self.line.link.now();
        if !self.boards[at].stands(now) {
            return Ok(());
        }
        if std::mem::take(&mut self.boards[at].restless) {
            self.tell(at, BoardEvent::Quiet {});
        }
        let board = &mut self.boards[at];
        board.list_ended();
        if let Some(dump) = board.dumped.take() {
            self.compare(at, dump);
            return Ok(());
        }
        if board.check {
            return self.dump(at);
        }
        let due = board.tracker.placement().is_some_and(|placement| board.mark.rested(now, placement));
        // Where others in play come first the next poll of this board is as good.
        let now_or_later = due && self.settings.start_marks && !self.others_first(now);
        if now_or_later { self.write_mark(at) } else { Ok(()) }
    }

    /// SEND_BRD: to be compared when the next poll shows that nothing moved meanwhile.
    fn dump(&mut self, at: usize) -> Result<(), Trouble> {
        self.boards[at].dumped = self.position(at)?;
        Ok(())
    }

    /// What stands on a board by a dump; none when it did not arrive or is no chess board's.
    fn position(&mut self, at: usize) -> Result<Option<BoardEvent>, Trouble> {
        Ok(match self.ask(at, BusCommand::SendBoard)? {
            Answer::Whole(data) => match <[u8; 64]>::try_from(data) {
                Ok(codes) => Some(records::position(&codes)),
                Err(data) => {
                    let detail = format!("a dump of {} squares: records hold 64", data.len());
                    self.tell(at, Self::fault(FaultKind::Corrupt, detail));
                    self.boards[at].check = false;
                    None
                }
            },
            spoilt => {
                self.tell_spoilt(at, BusCommand::SendBoard, &spoilt);
                None
            }
        })
    }

    /// A dump of a board at rest, against what was told of it.
    fn compare(&mut self, at: usize, dump: BoardEvent) {
        let BoardEvent::Position(position) = &dump else { return };
        let board = &mut self.boards[at];
        let stands = position.placement;
        board.check = false;
        if board.tracker.placement() == Some(&stands) {
            (board.doubted, board.confirmed) = (false, true);
            return;
        }
        if board.tracker.placement().is_some() && !std::mem::replace(&mut board.doubted, true) {
            // Something was missed, or never logged. The log knows.
            (board.need, board.check) = (Need::Log("position"), true);
            return;
        }
        (board.doubted, board.confirmed) = (false, true);
        board.tracker.stands(stands);
        board.mark.moved(&stands);
        self.tell(at, dump);
    }

    /// A board that is new to us: what it would repeat, and whether a game is going on.
    fn introduce(&mut self, at: usize) -> Result<(), Trouble> {
        match self.ask(at, BusCommand::RepeatChanges)? {
            Answer::Whole(data) => {
                let board = &mut self.boards[at];
                let missed = board.tracker.untold(&events(&data));
                board.tracker.set_last(data);
                if board.recalled {
                    // The packet that an earlier run fetched last may never have been told.
                    (board.need, board.check) = (Need::Nothing, true);
                    self.told(at, missed);
                    return Ok(());
                }
            }
            spoilt => {
                self.tell_spoilt(at, BusCommand::RepeatChanges, &spoilt);
                self.missed(at);
                return Ok(());
            }
        }
        let position = self.position(at)?;
        let board = &mut self.boards[at];
        if let Some(BoardEvent::Position(position)) = position {
            // Where no game goes on the log is of yesterday, and the start mark to come will begin it anew.
            let stands = &position.placement;
            let new = self.settings.start_marks && (is_start(stands) || *stands == Placement::EMPTY);
            board.need = if new { Need::Nothing } else { Need::Log("watch-begins") };
            // The first poll shows whether it stands so still.
            board.dumped = new.then_some(BoardEvent::Position(position));
        } else if !board.check {
            board.need = Need::Nothing;
        }
        Ok(())
    }

    /// SEND_FROM_START: what the board logged, against what was told.
    fn fetch_log(&mut self, at: usize, reason: &'static str) -> Result<(), Trouble> {
        let answer = self.ask(at, BusCommand::SendFromStart)?;
        let board = &mut self.boards[at];
        board.log_tries += 1;
        let log = match answer {
            Answer::Whole(log) => Some(log),
            Answer::Garbled(bytes) => {
                board.copies.add(bytes);
                whole(&board.copies, board.address, BusCommand::SendFromStart)
            }
            Answer::Silence => {
                self.missed(at);
                None
            }
        };
        let board = &mut self.boards[at];
        let Some(log) = log else {
            if board.log_tries >= LOG_TRIES {
                // On a line that bad the position alone must do.
                (board.need, board.copies, board.log_tries) = (Need::Nothing, Copies::default(), 0);
                (board.check, board.doubted) = (true, true);
                let detail =
                    "the board's log did not arrive whole in nine tries: what was missed is not told";
                self.tell(at, Self::fault(FaultKind::Checksum, detail));
            }
            return Ok(());
        };
        (board.need, board.copies, board.log_tries) = (Need::Nothing, Copies::default(), 0);
        board.check = true;
        let logged = events(&log);
        match board.tracker.gap(&logged) {
            Gap::Nothing => {}
            Gap::Missed(missed) => self.told(at, missed),
            // Without a start mark in it the log says nothing of the game.
            Gap::Elsewhere if logged.is_empty() => {}
            Gap::Elsewhere => {
                let mut history = Vec::new();
                records::history(&log, false, reason, |event| history.push(event));
                board.relearn(&history[1..]);
                for event in history {
                    self.tell(at, event);
                }
            }
        }
        Ok(())
    }

    /// Writes the start mark into a board that stands set up for a game, and reads its clock.
    fn write_mark(&mut self, at: usize) -> Result<(), Trouble> {
        let Some(&placement) = self.boards[at].tracker.placement() else { return Ok(()) };
        let stands = if self.boards[at].confirmed {
            Some(records::position(placement.codes()))
        } else {
            self.position(at)?
        };
        if !matches!(&stands, Some(BoardEvent::Position(position)) if position.placement == placement) {
            self.boards[at].check = true;
            return Ok(());
        }
        let answer = self.ask(at, BusCommand::SetStartGame)?;
        if !matches!(answer, Answer::Whole(_)) {
            // Perhaps it is written: the next packet tells.
            self.tell_spoilt(at, BusCommand::SetStartGame, &answer);
            return Ok(());
        }
        let board = &mut self.boards[at];
        board.mark.written(placement);
        // The board may list its pieces in the next packet; a board that does not still has its mark.
        let fetched = self.fetch(at)?;
        let board = &mut self.boards[at];
        if fetched && !board.out.iter().any(|record| is_start_mark(&record.event)) {
            let mark = BoardEvent::Mark(Mark { mark: MarkKind::Start, listing: false });
            board.tracker.take(std::slice::from_ref(&mark));
            self.tell(at, mark);
            stands.into_iter().for_each(|stands| self.tell(at, stands));
        }
        self.visit_clock(at)
    }

    /// SEND_CLK; a clock that shows what it showed before is not told.
    pub(super) fn visit_clock(&mut self, at: usize) -> Result<(), Trouble> {
        let answer = self.ask(at, BusCommand::SendClock)?;
        self.boards[at].clock_asked = Some(self.line.link.now());
        match answer {
            Answer::Whole(data) => match <[u8; 7]>::try_from(data).map(|data| ClockMessage::decode(&data)) {
                Ok(Ok(message)) => {
                    if let Some(clock) = records::clock(message)
                        && self.boards[at].clock.as_ref() != Some(&clock)
                    {
                        self.boards[at].clock = Some(clock.clone());
                        self.tell(at, clock);
                    }
                }
                _ => self.tell(at, Self::fault(FaultKind::Corrupt, "a clock message that cannot be")),
            },
            spoilt => self.tell_spoilt(at, BusCommand::SendClock, &spoilt),
        }
        Ok(self.flush(at)?)
    }

    /// IGNORE_NEXT_BUS_PING; a board that does not answer may have heard it all the same, and will not be asked twice.
    pub(super) fn silence(&mut self, at: usize) -> Result<(), Trouble> {
        self.boards[at].silenced = true;
        let answer = self.ask(at, BusCommand::IgnoreNextPing)?;
        self.tell_spoilt(at, BusCommand::IgnoreNextPing, &answer);
        Ok(self.flush(at)?)
    }

    /// Asks, and takes any whole answer as a sign of life.
    fn ask(&mut self, at: usize, command: BusCommand) -> Result<Answer, Trouble> {
        let answer = self.line.ask(command, self.boards[at].address)?;
        if matches!(answer, Answer::Whole(_)) {
            let board = &mut self.boards[at];
            board.misses = 0;
            if std::mem::take(&mut board.lost) {
                let reason = std::mem::take(&mut board.lost_because);
                // What it logged meanwhile it has kept, and a packet that was owed still is. Should it have lost
                // that in a reset, it will say so.
                board.check = true;
                self.tell(at, BoardEvent::Found(LinkState { reason }));
            }
        }
        Ok(answer)
    }

    /// A visit without a whole answer.
    fn missed(&mut self, at: usize) {
        let board = &mut self.boards[at];
        board.misses += 1;
        if board.misses >= MISSES {
            self.lose(at, "timeout");
        }
    }

    /// Tells that an answer did not arrive, or not whole; of a lost board nothing else is expected.
    fn tell_spoilt(&mut self, at: usize, command: BusCommand, answer: &Answer) {
        let name = name(command);
        match answer {
            Answer::Garbled(bytes) => {
                let mut fault = None;
                let mut note = |frame: Result<_, crate::wire::frame::Fault>| {
                    if let Err(bad) = frame {
                        fault.get_or_insert_with(|| records::fault(&bad));
                    }
                };
                let mut decoder = Decoder::new(Mode::Bus);
                decoder.push(bytes, |frame| note(frame.map(|_| ())));
                decoder.finish(|frame| note(frame.map(|_| ())));
                let mut fault = fault.unwrap_or_else(|| {
                    let bytes = Some(records::hex(bytes));
                    let detail = "the answer to something else".into();
                    BoardEvent::Fault(Fault { kind: FaultKind::Framing, detail, bytes })
                });
                if let BoardEvent::Fault(Fault { detail, .. }) = &mut fault {
                    *detail = format!("{detail}, in answer to {name}");
                }
                self.tell(at, fault);
            }
            Answer::Silence if !self.boards[at].lost => {
                self.tell(at, Self::fault(FaultKind::Timeout, format!("no answer to {name} in time")));
            }
            _ => {}
        }
    }

    /// A diagnosis without bytes.
    pub(super) fn fault(kind: FaultKind, detail: impl Into<String>) -> BoardEvent {
        BoardEvent::Fault(Fault { kind, detail: detail.into(), bytes: None })
    }

    /// Says something of a board; it goes out with the rest of the visit.
    pub(super) fn tell(&mut self, at: usize, event: BoardEvent) {
        let time = self.line.link.time();
        let board = &mut self.boards[at];
        board.out.push(BoardRecord::new(Some(time), Some(board.address), event));
    }

    /// Hands over what was said of a board.
    pub(super) fn flush(&mut self, at: usize) -> Result<()> {
        let board = &mut self.boards[at];
        if !board.out.is_empty() {
            board.ticket = Some(self.sink.put(std::mem::take(&mut board.out))?);
        }
        Ok(())
    }
}

/// What a piece of log says.
fn events(log: &[u8]) -> Vec<BoardEvent> {
    eeprom::entries(log).filter_map(records::entry).collect()
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
