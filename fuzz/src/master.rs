//! The master of a line whose boards answer arbitrarily, in simulated time: one watch, and a second that recalls the records of
//! the first.

use std::{
    cell::RefCell,
    collections::{BTreeMap, VecDeque},
    rc::Rc,
    time::Duration,
};

use boardbus::{
    bus::{
        Gone, Link, Recalled, RecordSink, WatchSettings,
        detect::{WatchPlan, watch},
        link::BYTE,
        recall::Recall,
    },
    error::{Error, Result},
    record::{BoardEvent, BoardRecord, Record, Time},
    wire::frame::Frame,
};

use super::{bytes::Bytes, record::board_record_reads_as_written};

/// The addresses of possible boards.
const BOARDS: [u16; 4] = [1025, 1026, 1027, 6685];
/// The duration of each of the two watches, in simulated time.
const WATCHED: Duration = Duration::from_secs(25);
/// The most bytes that a line sends in that time.
const MOST_BYTES: usize = 1 << 16;

/// Watches a line with arbitrary answers.
pub fn master(data: &[u8]) {
    let mut input = Bytes::new(data);
    let how = input.byte();
    let make = [None, Some("bus"), Some("single"), None][usize::from(how & 3)].map(str::to_owned);
    let expected = if how & 4 == 0 { vec![] } else { BOARDS[..2].to_vec() };
    let plan = |last| WatchPlan {
        make: make.clone(),
        last,
        only: how & 8 != 0 && !expected.is_empty(),
        expected: expected.clone(),
        settings: WatchSettings {
            configure: false,
            start_marks: how & 16 == 0,
            rediscover: (how & 32 == 0).then_some(Duration::from_secs(10)),
            give_up: (how & 64 == 0).then_some(Duration::from_secs(5)),
            seconds: None,
        },
    };
    let kept = Rc::new(RefCell::new(Kept { slow: input.below(4), ..Kept::default() }));
    let mut line = Line::new(input.rest().to_vec(), kept.clone());
    let (mut recalled, mut last) = (Recalled::new(), None);
    for _ in 0..2 {
        let mut sink = Sink(kept.clone());
        let end = line.now + WATCHED;
        let mut plan = plan(last);
        plan.settings.seconds = Some(end);
        let shared = Shared(Rc::new(RefCell::new(line)));
        match watch(Shared(shared.0.clone()), &mut sink, plan, recalled, &mut |_| ()) {
            Ok(()) | Err(Error::Port { .. }) => {}
            Err(error) => panic!("{error}"),
        }
        line = Rc::into_inner(shared.0).expect("the watch is over").into_inner();
        // The records that a later run recalls are on the disk.
        kept.borrow_mut().not_safe.clear();
        let mut recall = Recall::default();
        for record in &kept.borrow().records {
            recall.record(Record::Board(record.clone()));
        }
        (recalled, last) = (recall.line_named(None), recall.mode_on(None, "line"));
    }
}

/// The records that were handed over, and which of them are on the disk.
#[derive(Default)]
struct Kept {
    records: Vec<BoardRecord>,
    /// For each board the number of its last records that are not yet safe.
    not_safe: BTreeMap<u16, u64>,
    number: u64,
    /// How many queries are answered with "not safe" first.
    slow: usize,
    asked: usize,
}

struct Sink(Rc<RefCell<Kept>>);

impl RecordSink for Sink {
    fn put(&mut self, records: Vec<BoardRecord>) -> Result<u64> {
        let mut kept = self.0.borrow_mut();
        kept.number += 1;
        for record in records {
            board_record_reads_as_written(&record);
            let number = kept.number;
            // Only these records are lost when a board is polled again.
            let is_forgotten =
                matches!(record.event, BoardEvent::Change(_) | BoardEvent::Press(_) | BoardEvent::Mark(_));
            if let (true, Some(board)) = (is_forgotten, record.board) {
                kept.not_safe.insert(board, number);
            }
            kept.records.push(record);
        }
        kept.asked = 0;
        Ok(kept.number)
    }

    fn safe(&self, number: u64) -> bool {
        let mut kept = self.0.borrow_mut();
        kept.asked += 1;
        let is_safe = kept.asked > kept.slow;
        if is_safe {
            kept.not_safe.retain(|_, not_safe| *not_safe > number);
        }
        is_safe
    }

    fn wanted(&self) -> bool {
        true
    }
}

/// The state of a board.
#[derive(Clone)]
struct Board {
    fields: [u8; 64],
    log: Vec<u8>,
    last: Vec<u8>,
    silenced: bool,
}

/// A line that sends what the input determines. After the end of the input its boards answer correctly and nothing moves.
struct Line {
    input: Vec<u8>,
    at: usize,
    now: Duration,
    arriving: VecDeque<(Duration, u8)>,
    boards: BTreeMap<u16, Board>,
    single: bool,
    /// How often opening it still fails.
    away: usize,
    is_gone: bool,
    sent: usize,
    kept: Rc<RefCell<Kept>>,
}

impl Line {
    fn new(input: Vec<u8>, kept: Rc<RefCell<Kept>>) -> Line {
        let board = Board { fields: START, log: Vec::new(), last: Vec::new(), silenced: false };
        let boards = BOARDS.iter().map(|&address| (address, board.clone())).collect();
        let (arriving, now) = (VecDeque::new(), Duration::ZERO);
        Line { input, at: 0, now, arriving, boards, single: false, away: 0, is_gone: false, sent: 0, kept }
    }

    fn byte(&mut self) -> u8 {
        let byte = self.input.get(self.at).copied().unwrap_or(0);
        self.at += 1;
        byte
    }

    fn take(&mut self, n: usize) -> Vec<u8> {
        (0..n).map(|_| self.byte()).collect()
    }

    fn arrive(&mut self, after: Duration, bytes: &[u8]) {
        let mut time = self.arriving.back().map_or(self.now, |(time, _)| *time).max(self.now + after);
        for &byte in bytes {
            time += BYTE;
            self.sent += 1;
            if self.sent < MOST_BYTES {
                self.arriving.push_back((time, byte));
            }
        }
    }

    /// Moves pieces on a board as the input determines.
    fn moves(&mut self, address: u16) {
        let entries = usize::from(self.byte() % 6);
        let mut packet = Vec::new();
        for _ in 0..entries {
            let (kind, field) = (self.byte(), self.byte());
            match kind {
                0..=0xdf => packet.extend([0x40 | kind & 0x1f, field & 0x3f]),
                0xe0..=0xef => packet.extend([0x60 | kind & 0xf, field & 0x5f, self.byte() & 0x5f]),
                _ => packet.push(0x60 | field & 0x1f),
            }
            if let (0..=0xdf, Some(board)) = (kind, self.boards.get_mut(&address)) {
                board.fields[usize::from(field & 0x3f)] = kind & 0xf;
            }
        }
        if let Some(board) = self.boards.get_mut(&address) {
            board.last = packet;
        }
    }

    /// The correct answer of a board on a bus: its type and content.
    fn answer(&mut self, command: u8, address: u16) -> Option<(u8, Vec<u8>)> {
        if command == 0x83 {
            self.moves(address);
        }
        let board = self.boards.get_mut(&address)?;
        Some(match command {
            0x81 => (0x84, vec![0, 0, 0, 0, 0, 0, 0x20]),
            0x82 => (0x83, board.fields.to_vec()),
            0x83 => {
                board.log.extend_from_slice(&board.last);
                (0x85, board.last.clone())
            }
            0x84 => (0x85, board.last.clone()),
            0x85 => {
                board.log = vec![0x7b];
                let pieces = board.fields.iter().zip(0..).filter(|(code, _)| **code != 0);
                board.log.extend(pieces.flat_map(|(&code, field)| [0x40 | code, field]));
                (0x88, vec![])
            }
            0x86 => (0x86, board.log.clone()),
            0x87 => (0x87, vec![]),
            0x8a => {
                board.silenced = true;
                (0x87, vec![])
            }
            0x8b => (0x89, vec![1, 6]),
            _ => return None,
        })
    }

    fn bus_command(&mut self, command: u8, address: u16) {
        if command == 0x83 {
            let kept = self.kept.borrow();
            let not_safe = kept.not_safe.get(&address);
            assert_eq!(not_safe, None, "{address} is polled before its records are safe");
        }
        let asked: Vec<u16> = if address == 0 { BOARDS.to_vec() } else { vec![address] };
        for address in asked {
            if command == 0x87
                && self.boards.get_mut(&address).is_some_and(|board| std::mem::take(&mut board.silenced))
            {
                continue;
            }
            let how = self.byte();
            let Some((mut id, mut data)) = self.answer(command, address) else { continue };
            match how % 16 {
                10 => continue,
                11 => data = self.take(usize::from(how)),
                12 => id = self.byte() | 0x80,
                13 => {
                    let stray = usize::from(self.byte() % 32);
                    let stray = self.take(stray);
                    self.arrive(Duration::ZERO, &stray);
                }
                _ => {}
            }
            let mut frame = Vec::new();
            Frame { id, address: Some(address), data: &data }.encode(&mut frame);
            let mut after = Duration::from_millis(if command == 0x85 { 70 } else { 2 });
            match how % 16 {
                14 => {
                    let at = usize::from(self.byte()) % frame.len();
                    frame[at] ^= self.byte() | 1;
                }
                15 => after += Duration::from_millis(u64::from(self.byte()) * 8),
                9 => frame.truncate(usize::from(self.byte()) % frame.len()),
                _ => {}
            }
            self.arrive(after, &frame);
            if how == 0xf8 {
                (self.is_gone, self.away) = (true, usize::from(self.byte() % 8));
            }
        }
    }

    fn single_command(&mut self, command: u8) {
        let Some(board) = self.boards.get(&BOARDS[0]) else { return };
        let (fields, log) = (board.fields.to_vec(), board.log.clone());
        let honest = match command {
            0x41 => Some((0x8d, vec![0, 0, 0, 0, 0, 0, 0x20])),
            0x42 => Some((0x86, fields)),
            0x46 => Some((0x90, vec![8, 1])),
            0x49 => Some((0x8f, log)),
            0x4d => Some((0x93, vec![1, 6])),
            _ => None,
        };
        let how = self.byte();
        let answer = match how % 8 {
            0 => None,
            1 => {
                let length = usize::from(self.byte());
                Some((how | 0x80, self.take(length)))
            }
            _ => honest,
        };
        self.single |= is_update(command);
        if let Some((id, data)) = answer {
            let mut frame = Vec::new();
            Frame { id, address: None, data: &data }.encode(&mut frame);
            if how == 7 {
                frame.truncate(usize::from(self.byte()) % frame.len());
            }
            self.arrive(Duration::from_millis(2), &frame);
        }
    }

    /// Sends the unrequested messages of a single board.
    fn send_unrequested(&mut self) {
        while self.single && self.at < self.input.len() && self.sent < MOST_BYTES {
            let (how, field, code) = (self.byte(), self.byte() & 0x3f, self.byte() & 0xf);
            match how % 8 {
                0 => return,
                1 => {
                    let clock = self.take(7);
                    self.arrive_alone(0x8d, &clock);
                }
                2 => self.arrive(Duration::ZERO, &[how, field, code]),
                _ => {
                    if let Some(board) = self.boards.get_mut(&BOARDS[0]) {
                        board.fields[usize::from(field)] = code;
                        board.log.extend([0x40 | code, field]);
                    }
                    self.arrive_alone(0x8e, &[field, code]);
                }
            }
        }
    }

    fn arrive_alone(&mut self, id: u8, data: &[u8]) {
        let mut frame = Vec::new();
        Frame { id, address: None, data }.encode(&mut frame);
        self.arrive(Duration::from_millis(5), &frame);
    }
}

fn is_update(command: u8) -> bool {
    matches!(command, 0x43 | 0x44 | 0x4b)
}

impl Link for Line {
    fn now(&self) -> Duration {
        self.now
    }

    fn time(&self) -> Time {
        Time(1_795_255_200_000 + self.now.as_millis() as i64)
    }

    fn heard(&self) -> Time {
        self.time()
    }

    fn name(&self) -> &str {
        "line"
    }

    fn send(&mut self, bytes: &[u8]) -> Result<(), Gone> {
        if self.is_gone {
            return Err(Gone("unplugged".into()));
        }
        self.now += BYTE * bytes.len() as u32;
        match *bytes {
            [command @ 0x80..=0xff, high, low, _] => {
                self.bus_command(command, u16::from(high) << 7 | u16::from(low))
            }
            _ => bytes.iter().for_each(|&command| self.single_command(command)),
        }
        Ok(())
    }

    fn receive(&mut self, into: &mut Vec<u8>, until: Duration) -> Result<usize, Gone> {
        if self.arriving.is_empty() {
            if self.is_gone {
                return Err(Gone("unplugged".into()));
            }
            self.send_unrequested();
        }
        match self.arriving.front() {
            Some(&(time, _)) if time <= until.max(self.now) => self.now = self.now.max(time),
            _ => {
                self.now = self.now.max(until);
                return Ok(0);
            }
        }
        let before = into.len();
        while let Some((_, byte)) = self.arriving.pop_front_if(|(time, _)| *time <= self.now) {
            into.push(byte);
        }
        Ok(into.len() - before)
    }

    fn pause(&mut self, until: Duration) {
        self.now = self.now.max(until);
    }

    fn reopen(&mut self) -> Result<()> {
        if self.away > 0 {
            self.away -= 1;
            return Err(Error::port("line", "no such port"));
        }
        self.is_gone = false;
        self.arriving.clear();
        Ok(())
    }
}

/// A line that can be inspected after the watch.
struct Shared(Rc<RefCell<Line>>);

impl Link for Shared {
    fn now(&self) -> Duration {
        self.0.borrow().now()
    }

    fn time(&self) -> Time {
        self.0.borrow().time()
    }

    fn heard(&self) -> Time {
        self.0.borrow().heard()
    }

    fn name(&self) -> &str {
        "line"
    }

    fn send(&mut self, bytes: &[u8]) -> Result<(), Gone> {
        self.0.borrow_mut().send(bytes)
    }

    fn receive(&mut self, into: &mut Vec<u8>, until: Duration) -> Result<usize, Gone> {
        self.0.borrow_mut().receive(into, until)
    }

    fn pause(&mut self, until: Duration) {
        self.0.borrow_mut().pause(until);
    }

    fn reopen(&mut self) -> Result<()> {
        self.0.borrow_mut().reopen()
    }
}

/// The start position of chess as codes of a board.
const START: [u8; 64] = {
    let back = [2, 3, 4, 6, 5, 4, 3, 2];
    let mut fields = [0; 64];
    let mut file = 0;
    while file < 8 {
        fields[file] = back[file] + 6;
        fields[8 + file] = 7;
        fields[48 + file] = 1;
        fields[56 + file] = back[file];
        file += 1;
    }
    fields
};
