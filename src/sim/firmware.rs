//! The electronics of a DGT board: its answers to commands in bus mode and in single-board mode, and its log.
//!
//! A pure state machine: bytes and signals go in with their times, messages come out with the time at which the board
//! begins to send them. Behaviour that no document defines is chosen here, with a comment.
//! [`SimulatedBoard`](super::simulated_board::SimulatedBoard) converts the times to those of the line.

use std::collections::VecDeque;

use super::{
    Micros, SECOND,
    board_fault::Oddity,
    electronics::{Electronics, Logged, Reply},
    marks::Marks,
    played_round::Signal,
    random::Random,
    ring::Ring,
    scanner::SquareChange,
};
use crate::{
    record::{MarkKind, Placement, Side},
    wire::{
        clock::ClockMessage,
        command::{BROADCAST, BusCommand, SingleCommand},
        eeprom::{self, Entry, POWER_UP},
        frame::{Request, RequestDecoder},
        message::{Message, Version},
    },
};

/// The trademark text, which is ours and not the makers'.
const TRADEMARK: &[u8] = b"A simulated board of boardbus";
/// Broadcast pings are answered at a random moment within this time.
const PING_SPREAD: f64 = 1.1;
/// The start mark is confirmed after this time.
const START_WRITTEN: Micros = 70_000;
/// Seconds for which a board that resets receives nothing ("some seconds" in the header).
const RESET: (f64, f64) = (1.5, 2.5);
/// Seconds of latency while a board writes its EEPROM.
const WRITING: (f64, f64) = (0.004, 0.02);
/// Seconds of latency otherwise.
const LATENCY: (f64, f64) = (0.001, 0.004);
/// Seconds of latency of a slow board; the makers' time-out is 80 ms.
const SLOW_LATENCY: (f64, f64) = (0.05, 0.07);
/// The seconds by which a board that answers in any order delays each answer: 107, 162 and 367 ms were seen of one with
/// Bluetooth.
const ANY_ORDER: (f64, f64) = (0.1, 0.37);
/// The most commands that a board stores in single-board mode; in bus mode it stores one.
const COMMANDS: usize = 10;

/// The mode of a board, and the messages that it sends unasked in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum BoardMode {
    Bus,
    /// No messages unasked.
    Idle,
    /// Field updates and the clock every second.
    Update,
    /// Field updates.
    Fields,
    /// Field updates, and the clock when it changes.
    Nice,
}

/// The electronics of a board.
#[derive(Debug, Clone)]
pub struct Firmware {
    address: u16,
    version: Version,
    random: Random,
    /// The piece codes that the scanner saw last, also while the power is off.
    stands: [u8; 64],
    marks: Marks,
    ring: Ring,
    decoder: RequestDecoder,
    mode: BoardMode,
    powered: bool,
    /// When its start is over; until then it neither receives nor sends.
    starts_at: Option<Micros>,
    clock: ClockMessage,
    clock_sent: Micros,
    writing_until: Micros,
    ignore_ping: bool,
    last_packet: Vec<u8>,
    out: VecDeque<Reply>,
    start_marked: Option<Micros>,
    /// When entries of the log were last sent.
    log_sent: Micros,
    logged: Vec<Logged>,
    without_latency: bool,
    slow: bool,
    has_no_bus_mode: bool,
    oddities: Vec<Oddity>,
    /// Messages from before are in its buffer.
    has_stale_frames: bool,
}

impl Firmware {
    /// A board that has just been switched on with these piece codes on it, and has listed them in its log.
    pub fn new(address: u16, version: Version, stands: [u8; 64], random: Random) -> Firmware {
        let mut board = Firmware {
            address,
            version,
            random,
            stands,
            marks: Marks::default(),
            ring: Ring::default(),
            decoder: RequestDecoder::default(),
            mode: BoardMode::Bus,
            powered: true,
            starts_at: None,
            clock: ClockMessage::Absent,
            clock_sent: 0,
            writing_until: 0,
            ignore_ping: false,
            last_packet: Vec::new(),
            out: VecDeque::new(),
            start_marked: None,
            log_sent: 0,
            logged: Vec::new(),
            without_latency: false,
            slow: false,
            has_no_bus_mode: false,
            oddities: Vec::new(),
            has_stale_frames: false,
        };
        board.power_up(0, false);
        board.writing_until = 0;
        board
    }

    /// A board that answers without latency, for fast tests.
    pub fn without_latency(mut self) -> Firmware {
        self.without_latency = true;
        self
    }

    /// A board with slow answers, which still come within the makers' time-out.
    pub fn slow(mut self) -> Firmware {
        self.slow = true;
        self
    }

    /// A board with USB or Bluetooth, which has no bus mode.
    pub fn without_bus(mut self) -> Firmware {
        (self.has_no_bus_mode, self.mode) = (true, BoardMode::Idle);
        self
    }

    /// A board that answers in these unusual ways.
    pub fn with(mut self, oddities: Vec<Oddity>) -> Firmware {
        self.oddities = oddities;
        self.unplugged();
        self
    }
}

impl Electronics for Firmware {
    fn address(&self) -> u16 {
        self.address
    }

    fn start_marked(&self) -> Option<Micros> {
        self.start_marked
    }

    fn log_read_at(&self) -> Option<Micros> {
        let sent_at_once = matches!(self.mode, BoardMode::Update | BoardMode::Fields | BoardMode::Nice);
        (!self.powered || sent_at_once || !self.ring.is_pending()).then_some(self.log_sent)
    }

    fn stands(&self) -> &[u8; 64] {
        &self.stands
    }

    fn take_logged(&mut self) -> Vec<Logged> {
        let last = if self.ring.is_pending() { self.logged.pop() } else { None };
        let settled = std::mem::take(&mut self.logged);
        self.logged.extend(last);
        settled
    }

    fn send(&mut self, now: Micros) -> Option<Reply> {
        if self.out.front()?.at <= now { self.out.pop_front() } else { None }
    }

    fn streams_clock(&self) -> bool {
        self.powered && matches!(self.mode, BoardMode::Update | BoardMode::Nice)
    }

    fn next_at(&self) -> Option<Micros> {
        let update = (self.powered && self.mode == BoardMode::Update).then_some(self.clock_sent + SECOND);
        [self.out.front().map(|reply| reply.at), self.starts_at, update].into_iter().flatten().min()
    }

    fn show_clock(&mut self, now: Micros, clock: ClockMessage) {
        let changed = self.clock != clock;
        self.clock = clock;
        if changed && self.mode == BoardMode::Nice {
            self.send_clock(now);
        }
    }

    fn advance(&mut self, now: Micros) {
        if self.starts_at.is_some_and(|at| at <= now) {
            self.starts_at = None;
            self.power_up(now, false);
        }
        if self.powered && self.mode == BoardMode::Update && now >= self.clock_sent + SECOND {
            self.send_clock(now);
        }
    }

    fn signal(&mut self, now: Micros, signal: &Signal) {
        let alive = self.powered && self.starts_at.is_none();
        match *signal {
            Signal::Change(SquareChange { square, piece, quick, .. }) => {
                let field = square.field();
                let piece = piece.map_or(0, |piece| piece.code());
                self.stands[usize::from(field)] = piece;
                if alive {
                    self.log(now, Entry::Change { field, piece, quick });
                    self.log_position_mark(now);
                    if matches!(self.mode, BoardMode::Update | BoardMode::Fields | BoardMode::Nice) {
                        self.reply_at(now, Message::Field(field, piece));
                    }
                }
            }
            Signal::Press { side, seconds, .. } if alive => {
                let seconds = seconds.clamp(0.0, 35_999.0) as u16;
                self.log(now, Entry::Time { side, seconds });
            }
            Signal::Press { .. } => {}
        }
    }

    fn power_off(&mut self) {
        self.powered = false;
        self.starts_at = None;
        self.out.clear();
    }

    fn power_on(&mut self, now: Micros) {
        self.powered = true;
        self.starts_at = Some(now + self.time(RESET));
    }

    fn watchdog(&mut self, now: Micros) {
        if self.powered && self.starts_at.is_none() {
            self.power_up(now, true);
        }
    }

    fn unplugged(&mut self) {
        self.has_stale_frames = self.is_odd(Oddity::StaleFrames);
    }

    fn receive(&mut self, now: Micros, bytes: &[u8]) {
        if !self.powered || self.starts_at.is_some() {
            return;
        }
        let mut decoder = std::mem::take(&mut self.decoder);
        decoder.push(bytes, |request| match request {
            Ok(Request::Bus { byte, address, .. }) => {
                self.execute_on_bus(now, BusCommand::from_byte(byte), address);
            }
            Ok(Request::Single { byte, data }) => self.execute_single(now, byte, data.get(1).copied()),
            Err(_) => {}
        });
        self.decoder = decoder;
    }
}

impl Firmware {
    fn is_odd(&self, oddity: Oddity) -> bool {
        self.oddities.contains(&oddity)
    }

    fn execute_on_bus(&mut self, now: Micros, command: Option<BusCommand>, address: u16) {
        if self.has_no_bus_mode {
            return;
        }
        if self.mode != BoardMode::Bus {
            // The first bus command only switches the mode, whatever its address.
            self.mode = BoardMode::Bus;
            self.out.clear();
            return;
        }
        let Some(command) = command else { return };
        let mine = address == self.address;
        match command {
            BusCommand::Ping if address == BROADCAST => {
                if std::mem::take(&mut self.ignore_ping) {
                    return;
                }
                if self.out.is_empty() {
                    self.ping_at_random(now);
                }
            }
            BusCommand::Reset if mine || address == BROADCAST => self.reset(now),
            BusCommand::EndBusMode if mine || address == BROADCAST => self.mode = BoardMode::Idle,
            // No document defines the answer to a broadcast; LiveChess sends this first, and continues after one answer.
            BusCommand::SendVersion if address == BROADCAST && self.out.is_empty() => {
                self.execute(now, command)
            }
            // A board stores one command: a command before the answer to the last one is lost.
            _ if mine && self.out.is_empty() => self.execute(now, command),
            _ => {}
        }
    }

    fn execute(&mut self, now: Micros, command: BusCommand) {
        match command {
            BusCommand::Ping => self.reply(now, Message::Ping),
            BusCommand::IgnoreNextPing => {
                self.ignore_ping = true;
                self.reply(now, Message::Ping);
            }
            BusCommand::RandomPing => self.ping_at_random(now),
            BusCommand::SendClock => self.reply(now, Message::Clock(self.clock)),
            BusCommand::SendBoard => self.send_position(now),
            BusCommand::SendChanges => self.send_changes(now),
            BusCommand::RepeatChanges => {
                let packet = self.last_packet.clone();
                self.reply(now, Message::Changes(&packet));
            }
            BusCommand::SetStartGame => {
                self.start_marked = Some(now);
                self.log(now, Entry::Mark(MarkKind::Start));
                self.log_pieces(now, false);
                self.reply_at(now + START_WRITTEN, Message::StartWritten);
            }
            BusCommand::SendFromStart => {
                let log = self.ring.from_start();
                self.reply(now, Message::FromStart(&log));
            }
            BusCommand::SendVersion => {
                // Boards up to 1.2 send no numbers on the bus.
                let sent = (self.version > Version { main: 1, sub: 2 }).then_some(self.version);
                self.reply(now, Message::Version(sent));
            }
            BusCommand::SendAll => {
                self.send_changes(now);
                self.reply(now, Message::Clock(self.clock));
                self.send_position(now);
            }
            // Chess boards with the older firmware ignore the other commands.
            _ => {}
        }
    }

    fn ping_at_random(&mut self, now: Micros) {
        let spread = self.time((0.0, PING_SPREAD));
        self.reply_at(now + spread, Message::Ping);
    }

    fn send_position(&mut self, now: Micros) {
        let codes = self.stands;
        self.reply(now, Message::Board(&codes));
    }

    fn send_changes(&mut self, now: Micros) {
        let packet = self.ring.take_pending(self.is_odd(Oddity::CutEntries));
        self.reply(now, Message::Changes(&packet));
        self.last_packet = packet;
    }

    fn execute_single(&mut self, now: Micros, byte: u8, clock_command: Option<u8>) {
        // 4e starts the boot loader: the board does not answer until it is switched off and on.
        if byte == 0x4e {
            return self.power_off();
        }
        let Some(command) = SingleCommand::from_byte(byte) else { return };
        if self.mode == BoardMode::Bus {
            self.mode = BoardMode::Idle;
            self.out.clear();
        }
        if self.out.len() >= COMMANDS {
            return;
        }
        let now = now + if self.is_odd(Oddity::AnyOrder) { self.time(ANY_ORDER) } else { 0 };
        let has_short_address = self.is_odd(Oddity::ShortAddress);
        let has_long_serial = has_short_address || self.is_odd(Oddity::NoAddress);
        let digits = format!("{:05}", self.address);
        match command {
            SingleCommand::Reset => self.mode = BoardMode::Idle,
            SingleCommand::SendClock => self.send_clock(now),
            SingleCommand::SendBoard => self.send_position(now),
            SingleCommand::Update => self.start_updates(now, BoardMode::Update),
            SingleCommand::UpdateBoard => self.start_updates(now, BoardMode::Fields),
            SingleCommand::UpdateNice => self.start_updates(now, BoardMode::Nice),
            SingleCommand::SendSerial => self.reply(now, Message::Serial(digits.as_bytes())),
            SingleCommand::SendLongSerial => {
                let first = if has_long_serial { 3_000_000_000 } else { 0 };
                let digits = format!("{:010}", first + u64::from(self.address));
                self.reply(now, Message::LongSerial(digits.as_bytes()));
            }
            SingleCommand::SendAddress if has_short_address => {
                let latency = self.time(LATENCY);
                self.queue(now + latency, vec![0x90, 0, 4, self.address as u8 & 0x7f]);
            }
            SingleCommand::SendAddress if has_long_serial => {}
            SingleCommand::SendAddress => self.reply(now, Message::Address(self.address)),
            SingleCommand::SendTrademark => self.reply(now, Message::Trademark(TRADEMARK)),
            SingleCommand::SendVersion => self.reply(now, Message::Version(Some(self.version))),
            SingleCommand::SendLog => {
                let mut log = self.ring.whole();
                if self.is_odd(Oddity::EmptyLog) {
                    log.drain(..log.len() - 1);
                }
                self.reply(now, Message::Log(&log));
                self.log(now, Entry::Mark(MarkKind::Downloaded));
            }
            SingleCommand::ToBusMode if !self.has_no_bus_mode => {
                self.mode = BoardMode::Bus;
                self.out.clear();
            }
            SingleCommand::ClockMessage if matches!(self.mode, BoardMode::Update | BoardMode::Nice) => {
                let asked = clock_command.unwrap_or(0);
                // Clock commands are acknowledged; 09 asks for the clock's version, here 2.0.
                let version = if asked == 0x09 { 0x20 } else { 0 };
                self.reply(now, Message::Clock(ClockMessage::Ack([0x10, asked, version, 0])));
            }
            // The other commands are for draughts boards, Bluetooth boards and newer firmware.
            _ => {}
        }
    }

    fn start_updates(&mut self, now: Micros, mode: BoardMode) {
        self.mode = mode;
        if self.has_no_bus_mode {
            self.start_marked.get_or_insert(now);
        }
        if mode != BoardMode::Fields {
            self.send_clock(now);
        }
    }

    fn send_clock(&mut self, now: Micros) {
        self.clock_sent = now;
        self.reply(now, Message::Clock(self.clock));
    }

    fn reset(&mut self, now: Micros) {
        self.out.clear();
        self.starts_at = Some(now + self.time(RESET));
    }

    /// Starts the board: sets its mode, and lists its pieces in the log, in any order.
    fn power_up(&mut self, now: Micros, watchdog: bool) {
        self.mode = if self.has_no_bus_mode { BoardMode::Idle } else { BoardMode::Bus };
        self.decoder = RequestDecoder::default();
        self.out.clear();
        self.ignore_ping = false;
        self.last_packet.clear();
        self.marks = Marks::default();
        // The position up to which a host has read is in memory and is lost; the log is in the EEPROM.
        self.ring.forget_pending();
        if watchdog {
            self.log(now, Entry::Mark(MarkKind::Watchdog));
        }
        let (nops, mark) = POWER_UP.split_at(3);
        self.ring.append(nops);
        debug_assert_eq!(mark, [eeprom::mark_byte(MarkKind::PowerUp)]);
        self.log(now, Entry::Mark(MarkKind::PowerUp));
        self.log_pieces(now, true);
        self.log_position_mark(now);
    }

    /// Lists all pieces in the log.
    fn log_pieces(&mut self, now: Micros, in_any_order: bool) {
        let mut fields: Vec<u8> = (0..64).filter(|&field| self.stands[usize::from(field)] != 0).collect();
        if in_any_order {
            self.random.shuffle(&mut fields);
        }
        for field in fields {
            let piece = self.stands[usize::from(field)];
            self.log(now, Entry::Change { field, piece, quick: false });
        }
    }

    fn log_position_mark(&mut self, now: Micros) {
        if let Some(mark) = self.marks.see(&Placement::from_codes(self.stands)) {
            self.log(now, Entry::Mark(mark));
        }
    }

    fn log(&mut self, now: Micros, entry: Entry<'static>) {
        if !self.ring.log(&entry) {
            self.logged.pop();
        }
        self.logged.push(Logged { at: now, entry });
        self.writing_until = now + self.time(WRITING);
    }

    /// Sends an answer after the board's latency.
    fn reply(&mut self, now: Micros, message: Message<'_>) {
        let latency = self.time(if self.slow { SLOW_LATENCY } else { LATENCY });
        let at = match (self.slow, self.without_latency) {
            (true, _) => now + latency,
            (false, true) => now,
            (false, false) => (now + latency).max(self.writing_until).min(now + 20_000),
        };
        self.reply_at(at, message);
    }

    fn reply_at(&mut self, at: Micros, message: Message<'_>) {
        let mut bytes = Vec::new();
        let address = (self.mode == BoardMode::Bus).then_some(self.address);
        message.encode(address, &mut bytes);
        if matches!(message, Message::Changes([_, ..]) | Message::FromStart([_, ..]) | Message::Field(..)) {
            self.log_sent = self.log_sent.max(at);
        }
        if self.mode != BoardMode::Bus && std::mem::take(&mut self.has_stale_frames) {
            self.stale_frames().into_iter().for_each(|stale| self.queue(at, stale));
        }
        self.queue(at, bytes);
    }

    /// Queues a message. Answers are sent in the order of the commands, or in any order; messages of one kind, and those about
    /// squares, are sent in their order in any case.
    fn queue(&mut self, at: Micros, bytes: Vec<u8>) {
        let kind = |bytes: &[u8]| match bytes.first() {
            Some(0x86 | 0x8e) => Some(0x86),
            id => id.copied(),
        };
        let any_order = self.is_odd(Oddity::AnyOrder);
        let comes_before = |reply: &&Reply| !any_order || kind(&reply.bytes) == kind(&bytes);
        let at = at.max(self.out.iter().rev().find(comes_before).map_or(0, |reply| reply.at));
        let next = self.out.partition_point(|reply| reply.at <= at);
        self.out.insert(next, Reply { at, bytes });
    }

    /// Messages from before: a change, a clock and a position that are no longer true.
    fn stale_frames(&self) -> Vec<Vec<u8>> {
        let clock = ClockMessage::Absent;
        [Message::Field(36, 1), Message::Clock(clock), Message::Board(&[0; 64])]
            .iter()
            .map(|message| {
                let mut bytes = Vec::new();
                message.encode(None, &mut bytes);
                bytes
            })
            .collect()
    }

    fn time(&mut self, range: (f64, f64)) -> Micros {
        super::seconds(self.random.between(range))
    }
}

/// The message of a board for this clock record.
pub fn clock_message(clock: &crate::record::Clock) -> ClockMessage {
    use crate::wire::clock::{Dial, Reading};
    let (Some(left), Some(right)) = (clock.left, clock.right) else { return ClockMessage::Absent };
    let dial = |reading: crate::record::ClockSide| Dial {
        blocked: reading.flag,
        ..Dial::showing(reading.seconds.0.clamp(0.0, 35_999.0) as u16)
    };
    ClockMessage::Reading(Reading {
        left: dial(left),
        right: dial(right),
        running: clock.running.unwrap_or(false),
        turn: clock.turn.unwrap_or(Side::Left),
        low_battery: clock.low_battery.unwrap_or(false),
    })
}

#[cfg(test)]
mod tests;
