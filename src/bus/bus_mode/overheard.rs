//! What a watch told of a line, worked out again from the bytes that a capture kept: `decode` of a capture and the
//! journal of the same run give the same games.
//!
//! The captured commands are the script, and [`visit`](super::visit) makes of the answers what it made of them then: a
//! packet that was repeated is told once, spoilt copies are put together, a dump counts when an empty poll stands behind
//! it, and a board rests when a whole scan found nothing new. Commands of other programs are followed too; what a watch
//! never sends is told as it stands.
//!
//! For `decode`. A visit asks several questions in a row, so a board's exchanges wait until another board is asked.

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

/// A visit asks no more questions than this in a row.
const VISIT: usize = 12;
/// Where a capture has no times every question is as late as this: whatever answers it has had time for a scan.
const UNTIMED: i64 = 1000;

/// A question and what came until the next.
#[derive(Debug)]
struct Exchange {
    command: u8,
    board: u16,
    sent: Time,
    answers: VecDeque<(Time, Vec<u8>)>,
}

/// A line that was captured: whoever asks it what was asked then gets what came then; anything else ends the visit.
#[derive(Debug, Default)]
struct Tape {
    exchanges: VecDeque<Exchange>,
    /// What came after the last question.
    arriving: VecDeque<(Time, Vec<u8>)>,
    began: Option<Time>,
    now: Duration,
    heard: Time,
}

impl Tape {
    fn hear(&mut self, time: Time) {
        let began = *self.began.get_or_insert(time);
        let since = u64::try_from(time.0.saturating_sub(began.0)).unwrap_or(0);
        self.now = self.now.max(Duration::from_millis(since));
        self.heard = time;
    }

    /// Whether a question comes next that is this board's, and one of these.
    fn goes_on_with(&self, board: u16, commands: &[BusCommand]) -> bool {
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
            return Err(Gone("asked otherwise".into()));
        };
        self.hear(exchange.sent);
        self.arriving.extend(exchange.answers);
        Ok(())
    }

    fn receive(&mut self, into: &mut Vec<u8>, until: Duration) -> Result<usize, Gone> {
        let Some((time, bytes)) = self.arriving.pop_front() else {
            self.now = self.now.max(until);
            return Ok(0);
        };
        self.hear(time);
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
    /// Of answers that no watch asks for.
    recorder: Recorder,
    /// Whether the capture says when.
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
        let later = if direction == Direction::ToBoards { UNTIMED } else { 0 };
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
            self.follow(if of_another { 1 } else { VISIT });
        }
    }

    /// Nothing comes any more.
    pub fn finish(&mut self) {
        self.follow(0);
    }

    /// What was told since this was last called.
    pub fn told(&mut self) -> Vec<BoardRecord> {
        let mut told = std::mem::take(&mut self.out);
        if !self.timed {
            told.iter_mut().for_each(|record| record.time = None);
        }
        told
    }

    /// Follows the questions until so many are left.
    fn follow(&mut self, left: usize) {
        while self.line.link.exchanges.len() > left {
            let before = self.line.link.exchanges.len();
            self.visit();
            if self.line.link.exchanges.len() == before {
                self.tell_as_it_stands();
            }
            self.take_stray();
        }
    }

    /// Asks what was asked next, as a watch would have come to ask it; nothing where no watch would.
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
            BusCommand::SendBoard => visit.look_anew().map(|()| Brought::Packet),
            BusCommand::SendClock => visit.read_clock().map(|()| Brought::Packet),
            BusCommand::Ping => visit.ping().map(|()| Brought::Packet),
            BusCommand::IgnoreNextPing => visit.silence().map(|()| Brought::Packet),
            _ => return,
        };
        let to_mark = [BusCommand::SendBoard, BusCommand::SetStartGame];
        if matches!(visited, Ok(Brought::MarkDue)) && self.line.link.goes_on_with(address, &to_mark) {
            // Where it ends otherwise, what follows is a visit of its own.
            let _ = Visit::new(&mut self.line, board, true).write_mark();
        }
        // How long answers took is the host's to say: a capture has its times in milliseconds, or none.
        let told = board.followed.take_out().into_iter();
        self.out.extend(told.filter(|record| !matches!(record.event, BoardEvent::Answers(_))));
    }

    /// The answers to a question that no watch asks so, as they are.
    fn tell_as_it_stands(&mut self) {
        let Some(exchange) = self.line.link.exchanges.pop_front() else { return };
        self.line.link.hear(exchange.sent);
        // Answers to a broadcast overlap: what is spoilt there is no fault.
        let to_all = exchange.board == BROADCAST;
        let asked = (!to_all).then_some(exchange.board);
        let (recorder, out) = (&mut self.recorder, &mut self.out);
        let mut decoder = Decoder::new(Mode::Bus);
        let mut tell = |time, event: Result<Frame<'_>, BadBytes<'_>>| match event {
            Ok(frame) => recorder.record(&frame, Some(time), |board, event| {
                out.push(BoardRecord::new(Some(time), board, event));
            }),
            Err(_) if to_all => {}
            Err(bad) => out.push(BoardRecord::new(Some(time), asked, records::fault(&bad))),
        };
        let mut last = exchange.sent;
        for (time, bytes) in exchange.answers {
            last = time;
            self.line.link.hear(time);
            decoder.push(&bytes, |event| tell(time, event));
        }
        decoder.finish(|event| tell(last, event));
    }

    /// What came and answered nothing, as a watch tells it.
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

/// Brings a board into the state in which it is asked this.
fn prepare(board: &mut PolledBoard, command: BusCommand) {
    match (command, &board.fetch) {
        (BusCommand::SendChanges, Fetch::Changes)
        | (BusCommand::RepeatChanges, Fetch::Introduction { .. } | Fetch::UnconfirmedPacket(_))
        | (BusCommand::SendFromStart, Fetch::Log { .. }) => {}
        (BusCommand::SendChanges, _) => board.fetch = Fetch::Changes,
        // A watch that begins asks that first; what the one before it told is known.
        (BusCommand::RepeatChanges, _) => board.fetch = Fetch::Introduction { recalled: true },
        (BusCommand::SendFromStart, _) => board.fetch = Fetch::log("from-start"),
        _ => {}
    }
}
