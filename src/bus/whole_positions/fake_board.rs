//! A board that reports whole positions, with simulated time, for the tests of this room. The messages of a make are its
//! [`Voice`], which does not use `wire`, so that it cannot repeat a mistake there.

use std::{collections::VecDeque, time::Duration};

use crate::{
    bus::{
        bus_mode::fake_bus::START,
        link::{Gone, Link},
    },
    error::{Error, Result},
    record::Time,
};

/// The messages of a make.
pub trait Voice: 'static {
    /// The report of these fields, field 0 as a8, with piece codes of DGT.
    fn report(&self, fields: &[u8; 64]) -> Vec<u8>;

    /// The answer to bytes of the host; if the second is true, a report follows the answer.
    fn hear(&mut self, bytes: &[u8]) -> (Vec<u8>, bool);

    /// The time between reports; none: it reports only when asked.
    fn every(&self) -> Option<Duration>;

    /// Resets its state, when it is switched on.
    fn switched_on(&mut self) {}
}

/// An event on the board.
#[derive(Debug, Clone)]
pub enum Action {
    /// A field gets this piece code, 0 for none.
    Field(u8, u8),
    /// The power is switched off or on.
    Power(bool),
    /// The board sends these bytes.
    Bytes(Vec<u8>),
    /// The next reports, this many, are damaged.
    Spoil(usize),
}

/// The board and its cable.
pub struct FakeReporter<V> {
    pub voice: V,
    pub fields: [u8; 64],
    pub script: VecDeque<(Duration, Action)>,
    /// When the cable is out.
    pub unplugged: Vec<(Duration, Duration)>,
    /// The number of bytes that arrive together.
    pub piece: usize,
    /// The bytes that the host sent, each with their time.
    pub sent: Vec<(Duration, Vec<u8>)>,
    pub now: Duration,
    powered: bool,
    spoils: usize,
    reports_at: Duration,
    way: VecDeque<Vec<u8>>,
}

impl<V: Voice> FakeReporter<V> {
    /// A board in its start position.
    pub fn new(voice: V) -> FakeReporter<V> {
        FakeReporter {
            voice,
            fields: START,
            script: VecDeque::new(),
            unplugged: Vec::new(),
            piece: usize::MAX,
            sent: Vec::new(),
            now: Duration::ZERO,
            powered: true,
            spoils: 0,
            reports_at: Duration::ZERO,
            way: VecDeque::new(),
        }
    }

    /// Adds an event at this second.
    pub fn at(&mut self, seconds: f64, action: Action) {
        self.script.push_back((Duration::from_secs_f64(seconds), action));
    }

    /// A move from this second on: lifted, and half a second later put down.
    pub fn moves(&mut self, at: f64, from: u8, to: u8, piece: u8) {
        self.at(at, Action::Field(from, 0));
        self.at(at + 0.5, Action::Field(to, piece));
    }

    fn put(&mut self, bytes: &[u8]) {
        self.way.extend(bytes.chunks(self.piece).map(<[u8]>::to_vec));
    }

    fn report(&mut self) {
        let mut report = self.voice.report(&self.fields);
        if self.spoils > 0 {
            self.spoils -= 1;
            report[20] ^= 0x18;
        }
        self.put(&report);
    }

    /// The time of the next event, if it is before `until`.
    fn next(&self, until: Duration) -> Option<Duration> {
        let reports = self.voice.every().filter(|_| self.powered).map(|_| self.reports_at);
        let happens = self.script.front().map(|(at, _)| *at);
        reports.into_iter().chain(happens).min().filter(|at| *at <= until)
    }

    fn live(&mut self, until: Duration) {
        while let Some(at) = self.next(until) {
            if self.script.front().is_some_and(|(happens, _)| *happens == at) {
                match self.script.pop_front() {
                    Some((_, Action::Field(field, code))) => self.fields[usize::from(field)] = code,
                    Some((_, Action::Power(on))) => {
                        (self.powered, self.reports_at) = (on, at);
                        self.voice.switched_on();
                    }
                    Some((_, Action::Bytes(bytes))) => self.put(&bytes),
                    Some((_, Action::Spoil(reports))) => self.spoils = reports,
                    None => {}
                }
            } else if let Some(every) = self.voice.every() {
                self.report();
                self.reports_at = at + every;
            }
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

impl<V: Voice> Link for FakeReporter<V> {
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
        self.sent.push((self.now, bytes.to_vec()));
        if self.powered {
            let (answer, reports) = self.voice.hear(bytes);
            self.put(&answer);
            if reports {
                self.report();
            }
        }
        Ok(())
    }

    fn receive(&mut self, into: &mut Vec<u8>, until: Duration) -> Result<usize, Gone> {
        loop {
            self.plugged()?;
            self.live(self.now);
            if let Some(piece) = self.way.pop_front() {
                into.extend_from_slice(&piece);
                return Ok(piece.len());
            }
            let Some(next) = self.next(until) else {
                self.now = self.now.max(until);
                self.plugged()?;
                return Ok(0);
            };
            self.now = self.now.max(next);
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
