//! The electronics of a board that reports whole positions: what all those makes have in common, and a [`Speech`] for what
//! differs. Written from the makers' facts, and without the master of the line.

use std::collections::VecDeque;

use super::{
    Micros,
    electronics::{Electronics, Logged, Reply},
    played_round::Signal,
    random::Random,
};
use crate::wire::eeprom::Entry;

/// What a board of a make sends, and what it makes of what it is sent.
pub trait Speech: std::fmt::Debug {
    /// Bits a second; 0 for a device that carries reports whole.
    fn baud(&self) -> u32;

    /// How long it takes to read all its sensors.
    fn scan(&self) -> Micros;

    /// When the board reports by itself.
    fn reports(&self) -> Reports;

    /// The report of these piece codes, field 0 as a8.
    fn report(&mut self, now: Micros, stands: &[u8; 64], random: &mut Random) -> Vec<u8>;

    /// Takes a byte of the host, and gives what the board answers.
    fn hear(&mut self, byte: u8) -> Option<Answer>;

    /// It was switched on, or has slept.
    fn switched_on(&mut self) {}

    /// What its USB side goes on to send, and how often, while the board itself is off.
    fn off_report(&self) -> Option<(Vec<u8>, Micros)> {
        None
    }
}

/// When a board reports by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reports {
    /// Only when it is asked.
    Asked,
    /// This often.
    Every(Micros),
    /// When what it sees has changed, and has not changed again for so long.
    Changes(Micros),
}

/// What a board answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// These bytes.
    Bytes(Vec<u8>),
    /// A report.
    Report,
    /// Nothing to anything for so long.
    Silence(Micros),
}

/// The electronics of such a board.
#[derive(Debug)]
pub struct ReportingBoard {
    number: u16,
    speech: Box<dyn Speech>,
    random: Random,
    /// How likely one square is misread in a report.
    ghosts: f64,
    stands: [u8; 64],
    powered: bool,
    /// A host reads what it sends.
    is_read: bool,
    started: Option<Micros>,
    /// When something changed last, if that was not reported since.
    changed: Option<Micros>,
    reported: Micros,
    /// When the next report is due, if it reports by itself now.
    reports_at: Option<Micros>,
    out: VecDeque<Reply>,
    logged: Vec<Logged>,
}

impl ReportingBoard {
    /// A board that has just been switched on with these piece codes standing on it.
    pub fn new(
        number: u16,
        speech: Box<dyn Speech>,
        ghosts: f64,
        stands: [u8; 64],
        random: Random,
    ) -> ReportingBoard {
        let mut board = ReportingBoard {
            number,
            speech,
            random,
            ghosts,
            stands,
            powered: true,
            is_read: false,
            started: None,
            changed: None,
            reported: 0,
            reports_at: None,
            out: VecDeque::new(),
            logged: Vec::new(),
        };
        board.plan(0);
        board
    }

    /// Plans the next report after what happened now.
    fn plan(&mut self, now: Micros) {
        self.reports_at = match (self.powered, self.speech.reports()) {
            (false, _) => self.speech.off_report().map(|(_, every)| now + every),
            (true, Reports::Asked) => None,
            (true, Reports::Every(every)) => Some(now + every),
            (true, Reports::Changes(held)) => self.changed.map(|changed| (changed + held).max(now)),
        };
    }

    fn report(&mut self, now: Micros) {
        let mut seen = self.stands;
        if self.ghosts > 0.0 && self.random.chance(self.ghosts) {
            let square = self.random.below(64);
            seen[square] = if seen[square] == 0 { 1 + self.random.below(12) as u8 } else { 0 };
        } else {
            self.changed = None;
        }
        if self.is_read {
            self.started.get_or_insert(now);
        }
        self.reported = now;
        let bytes = self.speech.report(now, &seen, &mut self.random);
        self.put(now, bytes);
    }

    fn put(&mut self, now: Micros, bytes: Vec<u8>) {
        let at = now.max(self.out.back().map_or(0, |reply| reply.at));
        self.out.push_back(Reply { at, bytes });
    }
}

impl Electronics for ReportingBoard {
    fn address(&self) -> u16 {
        self.number
    }

    fn start_marked(&self) -> Option<Micros> {
        self.started
    }

    fn log_read_at(&self) -> Option<Micros> {
        (!self.powered || self.changed.is_none()).then_some(self.reported)
    }

    fn stands(&self) -> &[u8; 64] {
        &self.stands
    }

    fn take_logged(&mut self) -> Vec<Logged> {
        std::mem::take(&mut self.logged)
    }

    fn send(&mut self, now: Micros) -> Option<Reply> {
        if self.out.front()?.at <= now { self.out.pop_front() } else { None }
    }

    fn next_at(&self) -> Option<Micros> {
        [self.out.front().map(|reply| reply.at), self.reports_at].into_iter().flatten().min()
    }

    fn advance(&mut self, now: Micros) {
        if self.reports_at.is_some_and(|at| at <= now) {
            match self.speech.off_report().filter(|_| !self.powered) {
                Some((report, _)) => self.put(now, report),
                None => self.report(now),
            }
            self.plan(now);
        }
    }

    fn signal(&mut self, now: Micros, signal: &Signal) {
        // There is no clock beside such a board.
        let Signal::Change(change) = signal else { return };
        let (field, piece) = (change.square.field(), change.piece.map_or(0, |piece| piece.code()));
        self.stands[usize::from(field)] = piece;
        if self.powered {
            self.changed = Some(now);
            self.logged.push(Logged { at: now, entry: Entry::Change { field, piece, quick: false } });
            if matches!(self.speech.reports(), Reports::Changes(_)) {
                self.plan(now);
            }
        }
    }

    fn power_off(&mut self) {
        self.powered = false;
        self.out.clear();
        self.plan(self.reported);
    }

    fn power_on(&mut self, now: Micros) {
        self.powered = true;
        self.changed = Some(now);
        self.speech.switched_on();
        self.plan(now);
    }

    fn receive(&mut self, now: Micros, bytes: &[u8]) {
        if !self.powered {
            return;
        }
        for &byte in bytes {
            let before = self.speech.reports();
            match self.speech.hear(byte) {
                Some(Answer::Bytes(bytes)) => self.put(now, bytes),
                Some(Answer::Report) => self.report(now),
                Some(Answer::Silence(long)) => {
                    self.out.clear();
                    self.reports_at = Some(now + long);
                    continue;
                }
                None => {}
            }
            if self.speech.reports() != before {
                self.plan(now);
            }
        }
    }

    fn is_read(&mut self) {
        self.is_read = true;
    }
}
