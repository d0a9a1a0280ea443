//! One board on a cable with simulated time, for the tests of this room. It encodes every byte itself from the protocol
//! documents and does not use `wire`, so that it cannot repeat a mistake there.

use std::{collections::VecDeque, time::Duration};

use crate::{
    bus::{
        bus_mode::fake_bus::START,
        link::{BYTE, Gone, Link},
    },
    error::{Error, Result},
    record::Time,
};

/// An event on the board.
#[derive(Debug, Clone)]
pub enum Action {
    /// A field gets this piece code, 0 for none.
    Field(u8, u8),
    /// The same, and the update does not arrive.
    Unheard(u8, u8),
    /// The same, and the board does not log it.
    Unlogged(u8, u8),
    /// The clock shows these seven bytes.
    Clock([u8; 7]),
    /// These bytes enter the log.
    Log(Vec<u8>),
    /// The power is switched off or on.
    Power(bool),
}

/// The board and its cable.
pub struct LoneBoard {
    pub fields: [u8; 64],
    /// The log, from the oldest byte; an end mark is sent after it.
    pub log: Vec<u8>,
    pub clock: [u8; 7],
    pub address: u16,
    /// How many bytes of its address it sends; 0: it does not answer the question for it.
    pub address_bytes: usize,
    /// Its serial numbers, the short and the long one; it does not answer a question for an empty one.
    pub serials: [&'static str; 2],
    /// Bytes that arrive as soon as the port is opened.
    pub stale: Vec<u8>,
    /// It has a bus mode as well.
    pub has_bus_mode: bool,
    /// It has 100 squares.
    pub large: bool,
    pub script: VecDeque<(Duration, Action)>,
    /// The interval at which bytes arrive, all since the last together, as over a slow radio link.
    pub held_back: Duration,
    /// When the cable is out.
    pub unplugged: Vec<(Duration, Duration)>,
    /// The n-th answer with the log, from 0, arrives with this byte wrong.
    pub spoil_log: Option<(usize, usize)>,
    /// Commands that it executed.
    pub asked: Vec<u8>,
    pub now: Duration,
    powered: bool,
    updates: bool,
    on_bus: bool,
    heard: Vec<u8>,
    logs: usize,
    way: VecDeque<(Duration, u8)>,
}

impl LoneBoard {
    /// A board in its start position, just switched on.
    pub fn new() -> LoneBoard {
        LoneBoard {
            fields: START,
            log: vec![0x7f, 0x7f, 0x7f, 0x6a],
            clock: [0, 0, 0, 0, 0, 0, 0x20],
            address: 1025,
            address_bytes: 2,
            serials: ["01025", ""],
            stale: Vec::new(),
            has_bus_mode: false,
            large: false,
            script: VecDeque::new(),
            held_back: Duration::ZERO,
            unplugged: Vec::new(),
            spoil_log: None,
            asked: Vec::new(),
            now: Duration::ZERO,
            powered: true,
            updates: false,
            on_bus: false,
            heard: Vec::new(),
            logs: 0,
            way: VecDeque::new(),
        }
        .listed()
    }

    fn listed(mut self) -> LoneBoard {
        self.list();
        self.log.push(0x6f);
        self
    }

    fn list(&mut self) {
        for (field, &code) in self.fields.iter().enumerate() {
            if code != 0 {
                self.log.extend([0x40 | code, field as u8]);
            }
        }
    }

    /// A move at this time: lifted, and half a second later put down.
    pub fn moves(&mut self, at: f64, from: u8, to: u8, piece: u8) {
        let second = Duration::from_secs_f64;
        self.script.push_back((second(at), Action::Field(from, 0)));
        self.script.push_back((second(at + 0.5), Action::Field(to, piece)));
    }

    /// Lets time pass before the watch begins.
    pub fn pause_until(&mut self, at: f64) {
        self.live(Duration::from_secs_f64(at));
        self.now = Duration::from_secs_f64(at);
    }

    fn send_message(&mut self, at: Duration, id: u8, data: &[u8]) {
        let length = data.len() + 3;
        let frame = [&[id, (length >> 7) as u8, (length & 0x7f) as u8], data].concat();
        self.put(at, &frame);
    }

    fn put(&mut self, at: Duration, bytes: &[u8]) {
        let mut at = self.way.back().map_or(at, |&(last, _)| at.max(last));
        for &byte in bytes {
            at += BYTE;
            self.way.push_back((at, byte));
        }
    }

    /// When a byte that was sent whole at this time arrives.
    fn comes(&self, sent: Duration) -> Duration {
        match self.held_back.as_micros() {
            0 => sent,
            span => self.held_back * sent.as_micros().div_ceil(span) as u32,
        }
    }

    fn live(&mut self, until: Duration) {
        while let Some((at, _)) = self.script.front().filter(|(at, _)| *at <= until) {
            let at = *at;
            let Some((_, action)) = self.script.pop_front() else { return };
            match action {
                Action::Field(field, code) | Action::Unheard(field, code) | Action::Unlogged(field, code) => {
                    self.fields[usize::from(field)] = code;
                    if self.powered && !matches!(action, Action::Unlogged(..)) {
                        self.log.extend([0x40 | code, field]);
                        // The board marks its start position in the log.
                        if self.fields == START {
                            self.log.push(0x6f);
                        }
                    }
                    if self.powered && self.updates && !matches!(action, Action::Unheard(..)) {
                        self.send_message(at, 0x8e, &[field, code]);
                    }
                }
                Action::Clock(clock) => {
                    self.clock = clock;
                    if self.powered && self.updates {
                        self.send_message(at, 0x8d, &clock);
                    }
                }
                Action::Log(bytes) => self.log.extend(bytes),
                Action::Power(on) => {
                    if on && !self.powered {
                        self.log.extend([0x7f, 0x7f, 0x7f, 0x6a]);
                        self.list();
                    }
                    (self.powered, self.updates, self.on_bus) = (on, false, self.has_bus_mode);
                }
            }
        }
    }

    fn take_byte(&mut self, at: Duration, byte: u8) {
        self.heard.push(byte);
        if self.heard[0] < 0x80 {
            self.heard.clear();
            self.execute(at, byte);
        } else if self.heard.len() == 4 {
            let frame = std::mem::take(&mut self.heard);
            self.execute_on_bus(at, frame[0], u16::from(frame[1]) << 7 | u16::from(frame[2]));
        }
    }

    fn execute(&mut self, at: Duration, byte: u8) {
        let known = matches!(byte, 0x40..=0x4d | 0x55);
        if !self.powered || !known {
            return;
        }
        assert_ne!(byte, 0x4e, "the boot loader");
        self.asked.push(byte);
        if self.on_bus {
            (self.on_bus, self.updates) = (false, false);
        }
        let at = at + Duration::from_millis(2);
        match byte {
            0x40 => self.updates = false,
            0x41 => self.send_message(at, 0x8d, &self.clock.clone()),
            0x42 if self.large => self.send_message(at, 0x86, &[0; 100]),
            0x42 => self.send_message(at, 0x86, &self.fields.clone()),
            0x46 => {
                let address = [(self.address >> 7) as u8, (self.address & 0x7f) as u8];
                match self.address_bytes {
                    0 => {}
                    1 => self.send_message(at, 0x90, &address[1..]),
                    _ => self.send_message(at, 0x90, &address),
                }
            }
            0x49 => {
                let mut log = [&self.log[..], &[0x6b]].concat();
                if let Some((answer, byte)) = self.spoil_log
                    && answer == self.logs
                {
                    log[byte] ^= 1;
                }
                self.logs += 1;
                self.send_message(at, 0x8f, &log);
                self.log.push(0x6e);
            }
            0x4a if self.has_bus_mode => (self.on_bus, self.updates) = (true, false),
            0x4b => {
                self.updates = true;
                self.send_message(at, 0x8d, &self.clock.clone());
            }
            0x45 if !self.serials[0].is_empty() => self.send_message(at, 0x91, self.serials[0].as_bytes()),
            0x55 if !self.serials[1].is_empty() => self.send_message(at, 0xa2, self.serials[1].as_bytes()),
            0x4d => self.send_message(at, 0x93, &[1, 8]),
            _ => {}
        }
    }

    fn execute_on_bus(&mut self, at: Duration, command: u8, address: u16) {
        if !self.powered || !self.on_bus || (address != 0 && address != self.address) {
            return;
        }
        self.asked.push(command);
        let frame = |id: u8| {
            let mut frame = vec![id, 0, 6, (self.address >> 7) as u8, (self.address & 0x7f) as u8];
            frame.push(frame.iter().map(|&byte| u32::from(byte)).sum::<u32>() as u8 & 0x7f);
            frame
        };
        match command {
            0x87 => self.put(at + Duration::from_millis(700), &frame(0x87)),
            0x85 => {
                let frame = frame(0x88);
                self.log.push(0x7b);
                self.list();
                self.put(at + Duration::from_millis(70), &frame);
            }
            _ => {}
        }
    }

    fn plugged(&mut self) -> Result<(), Gone> {
        if self.unplugged.iter().any(|&(from, to)| (from..to).contains(&self.now)) {
            self.live(self.now);
            self.way.clear();
            return Err(Gone("unplugged".into()));
        }
        Ok(())
    }
}

impl Link for LoneBoard {
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
        "desk"
    }

    fn send(&mut self, bytes: &[u8]) -> Result<(), Gone> {
        self.plugged()?;
        let stale = std::mem::take(&mut self.stale);
        self.put(self.now, &stale);
        for (n, &byte) in (1..).zip(bytes) {
            let at = self.now + BYTE * n;
            self.live(at);
            self.take_byte(at, byte);
        }
        Ok(())
    }

    fn receive(&mut self, into: &mut Vec<u8>, until: Duration) -> Result<usize, Gone> {
        self.plugged()?;
        loop {
            // Events before the next byte may add bytes, but only after it.
            let happens = self.script.front().map(|&(at, _)| at);
            let byte = self.way.front().map(|&(at, _)| self.comes(at));
            let next = [happens, byte].into_iter().flatten().min();
            match next.filter(|&at| at <= until.max(self.now)) {
                Some(at) if happens == Some(at) => {
                    self.now = self.now.max(at);
                    self.live(at);
                    self.plugged()?;
                }
                Some(at) => {
                    self.now = self.now.max(at);
                    self.plugged()?;
                    let Some((_, byte)) = self.way.pop_front() else { continue };
                    into.push(byte);
                    return Ok(1);
                }
                None => {
                    self.now = self.now.max(until);
                    self.plugged()?;
                    return Ok(0);
                }
            }
        }
    }

    fn pause(&mut self, until: Duration) {
        self.now = self.now.max(until);
        self.live(self.now);
    }

    fn reopen(&mut self) -> Result<()> {
        self.plugged().map_err(|gone| Error::port("desk", gone))
    }
}
