//! A hall of boards on a line with simulated time, for the tests of this room: hours pass in a second.
//!
//! It encodes every byte itself from the protocol documents and does not use `wire`, so that it cannot repeat a mistake
//! there.

use std::{collections::VecDeque, time::Duration};

use crate::{
    bus::link::{BYTE, Gone, Link},
    error::{Error, Result},
    record::Time,
};

pub const START: [u8; 64] = {
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

/// An event on a board.
#[derive(Debug, Clone)]
pub enum Action {
    /// A field gets this piece code, 0 for none.
    Field(u8, u8),
    /// Raw bytes enter the log.
    Log(Vec<u8>),
    /// The power is switched off or on.
    Power(bool),
    /// The watchdog resets the board, which lists its pieces.
    Watchdog,
    /// Another program writes the start mark into it.
    Mark,
    /// Another program fetches its changes, unseen on this line.
    Fetched,
    /// A damaged command switches it to single-board mode.
    Single,
}

/// A board on the line.
#[derive(Debug, Clone)]
pub struct FakeBoard {
    pub address: u16,
    pub fields: [u8; 64],
    /// The whole log.
    pub log: Vec<u8>,
    /// The index in the log of the first byte that SEND_CHANGES has not fetched.
    pub pending: usize,
    /// The index in the log of the last start mark.
    pub start: Option<usize>,
    pub last: Vec<u8>,
    pub clock: [u8; 7],
    /// It has 100 squares.
    pub large: bool,
    pub version: Option<[u8; 2]>,
    pub single: bool,
    /// It answers with a wrong checksum.
    pub wrong_checksums: bool,
    pub powered: bool,
    pub silenced: bool,
    /// Commands that it never answers.
    pub ignores: Vec<u8>,
    /// It does not answer REPEAT_CHANGES while it has sent no packet.
    pub repeats_no_nothing: bool,
    /// Its packets of several bytes lack the last logged byte, which comes with the next packet.
    pub cuts_entries: bool,
    /// It ends every packet of changes and every log with the end code.
    pub ends_packets: bool,
    /// It states a wrong length in packets of more than 100 bytes.
    pub miscounts: bool,
    /// It sends each answer twice.
    pub repeats_answers: bool,
    pub script: VecDeque<(Duration, Action)>,
    /// Commands that it executed.
    pub asked: Vec<u8>,
}

impl FakeBoard {
    pub fn new(address: u16) -> FakeBoard {
        FakeBoard {
            address,
            fields: START,
            log: Vec::new(),
            pending: 0,
            start: None,
            last: Vec::new(),
            clock: [0, 0, 0, 0, 0, 0, 0x20],
            large: false,
            version: Some([1, 6]),
            single: false,
            wrong_checksums: false,
            powered: true,
            silenced: false,
            ignores: Vec::new(),
            repeats_no_nothing: false,
            ends_packets: false,
            cuts_entries: false,
            miscounts: false,
            repeats_answers: false,
            script: VecDeque::new(),
            asked: Vec::new(),
        }
    }

    pub fn moves(&mut self, from: u8, to: u8, piece: u8, at: Duration) {
        self.script.push_back((at, Action::Field(from, 0)));
        self.script.push_back((at, Action::Field(to, piece)));
    }

    pub fn list(&mut self) {
        for (field, &code) in self.fields.iter().enumerate() {
            if code != 0 {
                self.log.extend([0x40 | code, field as u8]);
            }
        }
    }

    fn until(&mut self, now: Duration) {
        while self.script.front().is_some_and(|(at, _)| *at <= now) {
            let (_, action) = self.script.pop_front().unwrap();
            match action {
                Action::Field(field, code) => {
                    self.fields[field as usize] = code;
                    if self.powered {
                        self.log.extend([0x40 | code, field]);
                    }
                }
                Action::Log(bytes) => self.log.extend(bytes),
                Action::Watchdog => {
                    self.log.push(0x7c);
                    self.log.extend([0x7f, 0x7f, 0x7f, 0x6a]);
                    self.list();
                    self.last.clear();
                    self.silenced = false;
                }
                Action::Mark => {
                    self.start = Some(self.log.len());
                    self.log.push(0x7b);
                    self.list();
                }
                Action::Fetched => {
                    self.last = self.log[self.pending..].to_vec();
                    self.pending = self.log.len();
                }
                Action::Single => self.single = true,
                Action::Power(on) => {
                    if on && !self.powered {
                        self.log.extend([0x7f, 0x7f, 0x7f, 0x6a]);
                        self.list();
                        self.last.clear();
                        self.single = false;
                        self.silenced = false;
                    }
                    self.powered = on;
                }
            }
        }
    }

    fn frame(&self, id: u8, data: &[u8]) -> Vec<u8> {
        let length = data.len() + 6;
        let mut frame = vec![id, (length >> 7) as u8, (length & 0x7f) as u8];
        frame.extend([(self.address >> 7) as u8, (self.address & 0x7f) as u8]);
        frame.extend(data);
        let sum: u32 = frame.iter().map(|&b| u32::from(b)).sum();
        frame.push((sum & 0x7f) as u8);
        frame
    }

    /// Its answer, and the time until the answer begins.
    fn answer(&mut self, command: [u8; 4], random: &mut Random) -> Option<(Duration, Vec<u8>)> {
        let sum: u32 = command[..3].iter().map(|&b| u32::from(b)).sum();
        let address = u16::from(command[1]) << 7 | u16::from(command[2]);
        if !self.powered || sum as u8 & 0x7f != command[3] {
            return None;
        }
        if std::mem::take(&mut self.single) {
            return None;
        }
        let soon = Duration::from_micros(1000 + random.below(3000));
        if address == 0 && command[0] == 0x87 {
            if std::mem::take(&mut self.silenced) {
                return None;
            }
            return Some((Duration::from_micros(random.below(1_100_000)), self.frame(0x87, &[])));
        }
        if address != self.address {
            return None;
        }
        self.asked.push(command[0]);
        let has_nothing = command[0] == 0x84 && self.repeats_no_nothing && !self.asked.contains(&0x83);
        if has_nothing || self.ignores.contains(&command[0]) {
            return None;
        }
        let end: &[u8] = if self.ends_packets { &[0x6b] } else { &[] };
        let closed = |log: &[u8]| [log, end].concat();
        let packet = |board: &FakeBoard| {
            let mut frame = board.frame(0x85, &closed(&board.last));
            if board.miscounts && frame.len() > 106 {
                frame[2] ^= 1;
            }
            frame
        };
        Some(match command[0] {
            0x81 => (soon, self.frame(0x84, &self.clock)),
            0x82 if self.large => (soon, self.frame(0x83, &[0; 100])),
            0x82 => (soon, self.frame(0x83, &self.fields)),
            0x83 => {
                let cut = usize::from(self.cuts_entries && self.log.len() > self.pending + 1);
                let end = self.log.len() - cut;
                self.last = self.log[self.pending..end].to_vec();
                self.pending = end;
                (soon, packet(self))
            }
            0x84 => (soon, packet(self)),
            0x85 => {
                self.start = Some(self.log.len());
                self.log.push(0x7b);
                self.list();
                (Duration::from_millis(70), self.frame(0x88, &[]))
            }
            0x86 => {
                let from = self.start.unwrap_or(self.pending).min(self.pending);
                (soon, self.frame(0x86, &closed(&self.log[from..self.pending])))
            }
            0x87 => (soon, self.frame(0x87, &[])),
            0x8a => {
                self.silenced = true;
                (soon, self.frame(0x87, &[]))
            }
            0x8b => (soon, self.frame(0x89, self.version.as_ref().map_or(&[], |v| &v[..]))),
            _ => return None,
        })
    }
}

/// Pseudo-random numbers, the same for the same seed.
#[derive(Debug, Clone)]
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(2).wrapping_add(0x9e37_79b9_7f4a_7c15))
    }

    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 11
    }

    pub fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }

    pub fn chance(&mut self, p: f64) -> bool {
        (self.below(1 << 30) as f64) < p * (1u64 << 30) as f64
    }
}

/// The line with its boards.
pub struct FakeBus {
    pub boards: Vec<FakeBoard>,
    pub random: Random,
    /// The chance that a byte in either direction is changed.
    pub noise: f64,
    /// The chance that an answer is not sent.
    pub dropped: f64,
    /// The range of an additional delay of answers, in milliseconds.
    pub late: Option<(u64, u64)>,
    /// The numbers of answers, counted from 0, that arrive with their last byte wrong.
    pub spoilt_answers: Vec<usize>,
    /// The first answer with changes arrives with its last byte wrong.
    pub spoil_first_changes: bool,
    /// After this time, once: a packet of changes arrives with the first of these bytes replaced by the second, and with a
    /// checksum that is right for it.
    pub forged: Option<(Duration, u8, u8)>,
    /// When answers do not arrive.
    pub answers_lost: Option<(Duration, Duration)>,
    /// When commands do not reach their boards.
    pub commands_lost: Option<(Duration, Duration)>,
    /// Whether another device sends after each broadcast.
    pub stranger_after_pings: bool,
    /// When a program for another make probes the line, soonest first.
    pub probes: VecDeque<Duration>,
    /// When another program on the line polls the first board.
    pub other_host: Option<Duration>,
    /// The time in which the line carried bytes, or a board was about to answer.
    pub used: Duration,
    /// Whether another device sends all the time.
    pub never_silent: bool,
    /// The command after the first of these does not reach its board.
    pub command_lost_after: Option<u8>,
    /// Boards write the start mark and list no pieces.
    pub marks_without_list: bool,
    /// How long our own process is suspended, once, before it sends and after.
    pub host_delayed: Option<(Duration, Duration)>,
    /// A serial server on a network: its delay, the chance that an answer and all after it stall, and the time of a stall.
    pub network: (Duration, f64, Duration),
    /// The time-out that the user set.
    pub patience: Option<Duration>,
    /// When the adapter is unplugged.
    pub unplugged: Option<(Duration, Duration)>,
    pub now: Duration,
    /// All commands, with the times at which they were sent.
    pub sent: Vec<(Duration, [u8; 4])>,
    pub broadcasts: usize,
    answers: usize,
    /// Bytes on their way to the host, each with the time at which it begins.
    way: Vec<(Duration, u8)>,
    free: Duration,
    /// Until when the network stalls.
    stalled: Duration,
}

impl FakeBus {
    pub fn new(addresses: impl IntoIterator<Item = u16>, seed: u64) -> FakeBus {
        FakeBus {
            boards: addresses.into_iter().map(FakeBoard::new).collect(),
            random: Random::new(seed),
            noise: 0.0,
            dropped: 0.0,
            late: None,
            spoilt_answers: Vec::new(),
            spoil_first_changes: false,
            forged: None,
            answers_lost: None,
            commands_lost: None,
            stranger_after_pings: false,
            probes: VecDeque::new(),
            other_host: None,
            used: Duration::ZERO,
            never_silent: false,
            command_lost_after: None,
            marks_without_list: false,
            host_delayed: None,
            network: Default::default(),
            patience: None,
            unplugged: None,
            now: Duration::ZERO,
            sent: Vec::new(),
            broadcasts: 0,
            answers: 0,
            way: Vec::new(),
            free: Duration::ZERO,
            stalled: Duration::ZERO,
        }
    }

    fn plugged(&self) -> Result<(), Gone> {
        match self.unplugged {
            Some((from, until)) if (from..until).contains(&self.now) => Err(Gone("unplugged".into())),
            _ => Ok(()),
        }
    }

    fn noisy(&mut self, byte: u8) -> u8 {
        if self.random.chance(self.noise) { self.random.below(256) as u8 } else { byte }
    }

    fn carry(&mut self, begin: Duration, bytes: &[u8]) {
        let (delay, chance, stall) = self.network;
        let mut begin = begin + delay;
        if chance > 0.0 && self.random.chance(chance) {
            self.stalled = self.stalled.max(begin + stall);
        }
        begin = begin.max(self.stalled);
        for (n, &byte) in bytes.iter().enumerate() {
            let byte = self.noisy(byte);
            self.way.push((begin + BYTE * n as u32, byte));
        }
        self.way.sort_by_key(|&(at, _)| at);
    }

    /// The next byte to arrive, and when; bytes that overlap become one.
    fn next(&mut self) -> Option<(Duration, u8)> {
        let &(begin, mut byte) = self.way.first()?;
        let mut end = begin + BYTE;
        let mut used = 1;
        while let Some(&(at, other)) = self.way.get(used).filter(|&&(at, _)| at < end) {
            let shift = ((at - begin).as_nanos() * 10 / BYTE.as_nanos()) as u32 % 8;
            byte |= other.rotate_left(shift);
            end = end.max(at + BYTE);
            used += 1;
            if used > 2 {
                break;
            }
        }
        self.way.drain(..used);
        Some((end, byte))
    }

    /// Puts a command on the line.
    fn put(&mut self, bytes: &[u8]) -> Result<(), Gone> {
        self.plugged()?;
        let command: [u8; 4] = bytes.try_into().expect("commands on the bus have four bytes");
        self.sent.push((self.now, command));
        let heard = command.map(|byte| self.noisy(byte));
        self.free = self.free.max(self.now) + BYTE * 4;
        self.used += BYTE * 4;
        if self.probes.pop_front_if(|at| *at <= self.now).is_some() {
            self.carry(self.free, &[0xdf, 0x0d, 0x12, 0x03]);
        }
        if self.other_host.take_if(|at| *at <= self.now).is_some() {
            let asked = Random::new(0);
            self.boards[0].until(self.free);
            let answer = self.boards[0].answer([0x83, 0x08, 0x01, 0x0c], &mut asked.clone());
            let frame = answer.map(|(_, frame)| frame).unwrap_or_default();
            // After our own exchange, while no command is sent.
            self.carry(self.free + Duration::from_millis(30), &frame);
        }
        if heard[0] == 0x87 && heard[1..3] == [0, 0] {
            self.broadcasts += 1;
            if self.stranger_after_pings {
                self.carry(self.free, &[0xdf, 0x0d, 0x12, 0x03]);
            }
        }
        let within =
            |span: Option<(Duration, Duration)>, now| span.is_some_and(|(a, b)| (a..b).contains(&now));
        let before = self.sent.len().checked_sub(2).map(|at| self.sent[at].1[0]);
        if before.is_some() && before == self.command_lost_after {
            self.command_lost_after = None;
            return Ok(());
        }
        if within(self.commands_lost, self.now) {
            return Ok(());
        }
        for at in 0..self.boards.len() {
            self.boards[at].until(self.free);
            let Some((wait, mut frame)) = self.boards[at].answer(heard, &mut self.random) else { continue };
            frame = frame.repeat(1 + usize::from(self.boards[at].repeats_answers));
            if self.marks_without_list && heard[0] == 0x85 {
                let board = &mut self.boards[at];
                board.log.truncate(board.start.unwrap_or(0));
            }
            let number = self.answers;
            self.answers += 1;
            if within(self.answers_lost, self.now) || self.random.chance(self.dropped) {
                continue;
            }
            let changes = frame[0] == 0x85 && frame.len() > 6;
            if changes && std::mem::take(&mut self.spoil_first_changes) {
                *frame.last_mut().unwrap() ^= 1;
            }
            if let Some((_, from, to)) = self.forged.take_if(|(at, ..)| changes && *at <= self.now) {
                let (sum, data) = frame[5..].split_last_mut().unwrap();
                let forged = data.iter_mut().find(|byte| **byte == from).unwrap();
                *forged = to;
                *sum = sum.wrapping_add(to).wrapping_sub(from) & 0x7f;
            }
            if self.spoilt_answers.contains(&number) || self.boards[at].wrong_checksums {
                *frame.last_mut().unwrap() ^= 1;
            }
            let late = self.late.map_or(0, |(from, below)| from + self.random.below(below - from));
            let wait = wait + Duration::from_millis(late);
            if heard[1..3] != [0, 0] {
                self.used += wait + BYTE * frame.len() as u32;
            }
            self.carry(self.free + wait, &frame);
        }
        Ok(())
    }
}

impl Link for FakeBus {
    fn now(&self) -> Duration {
        self.now
    }

    fn time(&self) -> Time {
        Time(self.now.as_millis() as i64)
    }

    fn heard(&self) -> Time {
        self.time()
    }

    fn name(&self) -> &str {
        "hall"
    }

    fn patience(&self) -> Option<Duration> {
        self.patience
    }

    fn send(&mut self, bytes: &[u8]) -> Result<(), Gone> {
        let (before, after) = self.host_delayed.take().unwrap_or_default();
        self.now += before;
        let sent = self.put(bytes);
        self.now += after;
        sent
    }

    fn receive(&mut self, into: &mut Vec<u8>, until: Duration) -> Result<usize, Gone> {
        if self.plugged().is_err() {
            self.way.clear();
        }
        self.plugged()?;
        if self.never_silent {
            // Its bytes overlap all others.
            self.way.clear();
        }
        if self.never_silent && until > self.now {
            self.now += BYTE;
            into.push(0x55);
            return Ok(1);
        }
        let soonest = self.way.first().map(|&(at, _)| at + BYTE);
        if soonest.is_none_or(|at| at > until.max(self.now)) {
            self.now = self.now.max(until);
            return Ok(0);
        }
        let Some((at, byte)) = self.next() else { return Ok(0) };
        self.now = self.now.max(at);
        into.push(byte);
        Ok(1)
    }

    fn pause(&mut self, until: Duration) {
        self.now = self.now.max(until);
    }

    fn reopen(&mut self) -> Result<()> {
        self.plugged().map_err(|gone| Error::port("hall", gone))
    }
}
