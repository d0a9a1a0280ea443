//! Makes the records of a watch again from the bytes in a capture, for `decode`: the records of a capture and the journal of
//! the same run give the same games.
//!
//! A [`Tape`] replaces the line: [`visit`](super::visit) sends the commands that were captured and evaluates their
//! answers as it did in the watch. So a repeated packet is published once, damaged copies are combined, a dump counts when
//! an empty poll follows it, and a board rests after a whole scan without changes. Commands of other programs are followed
//! too; answers to commands that no watch sends are recorded without an evaluation.
//!
//! A visit sends several commands in a row, so the exchanges of a board are held until another board is asked.

use std::{collections::BTreeMap, collections::VecDeque, time::Duration};

use super::{
    exchange::BusLine,
    polled_board::{Fetch, PolledBoard},
    stray::StrayBytes,
    visit::{Brought, Visit},
};
use crate::{
    bus::{Gone, Link},
    capture::Direction,
    error::Result,
    record::{BoardEvent, BoardRecord, Mode, Time},
    wire::{
        command::{BROADCAST, BusCommand},
        frame::{BadBytes, Decoder, Frame, Request, RequestDecoder},
        records::{self, Recorder},
    },
};

/// The most commands that a visit sends in a row.
const VISIT_MAX_COMMANDS: usize = 12;
/// The assumed time between commands in a capture without times: long enough for a scan.
const UNTIMED_MILLISECONDS: i64 = 1000;

/// A command and the bytes that came until the next one.
#[derive(Debug)]
struct Exchange {
    command: u8,
    board: u16,
    sent: Time,
    answers: VecDeque<(Time, Vec<u8>)>,
}

/// A captured line. If the next captured command is sent, its answers are received; any other command ends the visit.
#[derive(Debug, Default)]
struct Tape {
    exchanges: VecDeque<Exchange>,
    /// The bytes that came after the last command and were not received yet.
    arriving: VecDeque<(Time, Vec<u8>)>,
    began: Option<Time>,
    now: Duration,
    heard: Time,
}

impl Tape {
    fn advance(&mut self, time: Time) {
        let began = *self.began.get_or_insert(time);
        let since = u64::try_from(time.0.saturating_sub(began.0)).unwrap_or(0);
        self.now = self.now.max(Duration::from_millis(since));
        self.heard = time;
    }

    /// Whether the next command is to this board, and one of these.
    fn continues_with(&self, board: u16, commands: &[BusCommand]) -> bool {
        let asks = |next: &Exchange| next.board == board && commands.iter().any(|c| c.byte() == next.command);
        self.exchanges.front().is_some_and(asks)
    }
}

impl Link for Tape {
    fn now(&self) -> Duration {
        self.now
    }

    fn time(&self) -> Time {
        self.heard
    }

    fn heard(&self) -> Time {
        self.heard
    }

    fn name(&self) -> &str {
        "capture"
    }

    fn send(&mut self, bytes: &[u8]) -> Result<(), Gone> {
        let asked = |next: &mut Exchange| {
            matches!(bytes, &[command, high, low, _]
                if next.command == command && next.board == u16::from(high) << 7 | u16::from(low))
        };
        let Some(exchange) = self.exchanges.pop_front_if(asked) else {
            return Err(Gone("another command follows in the capture".into()));
        };
        self.advance(exchange.sent);
        self.arriving.extend(exchange.answers);
        Ok(())
    }

    fn receive(&mut self, into: &mut Vec<u8>, until: Duration) -> Result<usize, Gone> {
        let Some((time, bytes)) = self.arriving.pop_front() else {
            self.now = self.now.max(until);
            return Ok(0);
        };
        self.advance(time);
        into.extend(&bytes);
        Ok(bytes.len())
    }

    fn pause(&mut self, until: Duration) {
        self.now = self.now.max(until);
    }

    fn reopen(&mut self) -> Result<()> {
        Ok(())
    }
}

/// Follows a captured bus.
pub struct Overheard {
    line: BusLine<Tape>,
    boards: BTreeMap<u16, PolledBoard>,
    stray: StrayBytes,
    commands: RequestDecoder,
    /// Records answers to commands that no watch sends.
    recorder: Recorder,
    /// Whether the capture has times.
    timed: bool,
    last: Time,
    out: Vec<BoardRecord>,
}

impl Default for Overheard {
    fn default() -> Overheard {
        Overheard {
            line: BusLine::new(Tape::default()),
            boards: BTreeMap::new(),
            stray: StrayBytes::default(),
            commands: RequestDecoder::default(),
            recorder: Recorder::new(Mode::Bus),
            timed: false,
            last: Time(0),
            out: Vec::new(),
        }
    }
}

impl Overheard {
    /// Takes traffic in the order of the line.
    pub fn traffic(&mut self, time: Option<Time>, direction: Direction, bytes: &[u8]) {
        self.timed |= time.is_some();
        let later = if direction == Direction::ToBoards { UNTIMED_MILLISECONDS } else { 0 };
        self.last = time.unwrap_or(Time(self.last.0.saturating_add(later)));
        if direction == Direction::FromBoards {
            let tape = &mut self.line.link;
            let answers = match tape.exchanges.back_mut() {
                Some(exchange) => &mut exchange.answers,
                None => &mut tape.arriving,
            };
            answers.push_back((self.last, bytes.to_owned()));
            return;
        }
        let mut asked = Vec::new();
        self.commands.push(bytes, |request| {
            if let Ok(Request::Bus { byte, address, .. }) = request {
                asked.push((byte, address));
            }
        });
        for (command, board) in asked {
            let exchanges = &mut self.line.link.exchanges;
            let of_another = exchanges.back().is_some_and(|last| last.board != board);
            exchanges.push_back(Exchange { command, board, sent: self.last, answers: VecDeque::new() });
            self.follow(if of_another { 1 } else { VISIT_MAX_COMMANDS });
        }
    }

    /// Follows the remaining commands, at the end of the capture.
    pub fn finish(&mut self) {
        self.follow(0);
        let (out, time) = (&mut self.out, self.last);
        self.recorder.finish(|board, event| out.push(BoardRecord::new(Some(time), board, event)));
    }

    /// Takes the records since the last call.
    pub fn take_records(&mut self) -> Vec<BoardRecord> {
        let mut records = std::mem::take(&mut self.out);
        if !self.timed {
            records.iter_mut().for_each(|record| record.time = None);
        }
        records
    }

    /// Follows the commands until `left` are left.
    fn follow(&mut self, left: usize) {
        while self.line.link.exchanges.len() > left {
            let before = self.line.link.exchanges.len();
            self.visit();
            if self.line.link.exchanges.len() == before {
                self.record_answers();
            }
            self.take_stray();
        }
    }

    /// Makes the visit in which a watch would have sent the next command; none if no watch sends it.
    fn visit(&mut self) {
        let Some(&Exchange { command, board: address, .. }) = self.line.link.exchanges.front() else {
            return;
        };
        let Some(command) = BusCommand::from_byte(command).filter(|_| address != BROADCAST) else { return };
        let polls = matches!(command, BusCommand::SendChanges | BusCommand::RepeatChanges);
        if polls && !self.boards.contains_key(&address) {
            let mut board = PolledBoard::new(address, None, self.line.link.now);
            board.silenced = true;
            self.boards.insert(address, board);
        }
        let Some(board) = self.boards.get_mut(&address) else { return };
        prepare(board, command);
        let followed_by_mark = self
            .line
            .link
            .exchanges
            .get(1)
            .is_some_and(|next| next.board == address && next.command == BusCommand::SetStartGame.byte());
        let mut visit = Visit::new(&mut self.line, board, true);
        let visited = match command {
            BusCommand::SendChanges | BusCommand::RepeatChanges | BusCommand::SendFromStart => {
                visit.fetch_next()
            }
            BusCommand::SetStartGame => visit.write_mark().map(|()| Brought::Packet),
            BusCommand::SendBoard if followed_by_mark => visit.write_mark().map(|()| Brought::Packet),
            BusCommand::SendBoard => visit.request_dump().map(|()| Brought::Packet),
            BusCommand::SendClock => visit.read_clock().map(|()| Brought::Packet),
            BusCommand::Ping => visit.ping().map(|()| Brought::Packet),
            BusCommand::IgnoreNextPing => visit.silence().map(|()| Brought::Packet),
            _ => return,
        };
        let to_mark = [BusCommand::SendBoard, BusCommand::SetStartGame];
        if matches!(visited, Ok(Brought::MarkDue)) && self.line.link.continues_with(address, &to_mark) {
            // If another command follows in the capture, the next visit starts with it.
            let _ = Visit::new(&mut self.line, board, true).write_mark();
        }
        // The times in a capture are too coarse for `answers` records: milliseconds, or none.
        let records = board.followed.take_out().into_iter();
        self.out.extend(records.filter(|record| !matches!(record.event, BoardEvent::Answers(_))));
    }

    /// Records the answers to a command that no watch sends, each as it is.
    fn record_answers(&mut self) {
        let Some(exchange) = self.line.link.exchanges.pop_front() else { return };
        self.line.link.advance(exchange.sent);
        // Answers to a broadcast overlap: damage there is no fault.
        let to_all = exchange.board == BROADCAST;
        let asked = (!to_all).then_some(exchange.board);
        let (recorder, out) = (&mut self.recorder, &mut self.out);
        let mut decoder = Decoder::new(Mode::Bus);
        let mut record = |time, event: Result<Frame<'_>, BadBytes<'_>>| match event {
            Ok(frame) => recorder.record(&frame, Some(time), |board, event| {
                out.push(BoardRecord::new(Some(time), board, event));
            }),
            Err(_) if to_all => {}
            Err(bad) => out.push(BoardRecord::new(Some(time), asked, records::fault(&bad))),
        };
        let mut last = exchange.sent;
        for (time, bytes) in exchange.answers {
            last = time;
            self.line.link.advance(time);
            decoder.push(&bytes, |event| record(time, event));
        }
        decoder.finish(|event| record(last, event));
    }

    /// Records bytes that answered no command, as a watch does.
    fn take_stray(&mut self) {
        let (bytes, now, time) = (self.line.stray(), self.line.link.now, self.line.link.heard);
        for address in self.stray.add(&bytes, now) {
            if let Some(board) = self.boards.get_mut(&address) {
                board.check.want();
            }
        }
        self.out.extend(self.stray.fault(now).map(|fault| BoardRecord::new(Some(time), None, fault)));
    }
}

/// Sets the state of a board in which a watch sends this command.
fn prepare(board: &mut PolledBoard, command: BusCommand) {
    match (command, &board.fetch) {
        (BusCommand::SendChanges, Fetch::Changes)
        | (BusCommand::RepeatChanges, Fetch::Introduction { .. } | Fetch::UnconfirmedPacket(_))
        | (BusCommand::SendFromStart, Fetch::Log { .. }) => {}
        (BusCommand::SendChanges, _) => board.fetch = Fetch::Changes,
        // A watch sends it first after a restart, when it has the records of the run before.
        (BusCommand::RepeatChanges, _) => board.fetch = Fetch::Introduction { recalled: true },
        (BusCommand::SendFromStart, _) => board.fetch = Fetch::log("from-start"),
        _ => {}
    }
}
