//! The electronics of a board that reports whole positions: the common part of all such makes, with a [`Speech`] for the
//! differences. Written from the makers' documents, without code of `bus`.

use std::collections::VecDeque;

use super::{
    Micros,
    electronics::{Electronics, Logged, Reply},
    played_round::Signal,
    random::Random,
};
use crate::wire::eeprom::Entry;

/// The messages and commands of a make.
pub trait Speech: std::fmt::Debug {
    /// Bits a second; 0 for a device with separate reports.
    fn baud(&self) -> u32;

    /// The time of a full scan of its sensors.
    fn scan(&self) -> Micros;

    /// When the board reports.
    fn reports(&self) -> Reports;

    /// The report of these piece codes, field 0 as a8.
    fn report(&mut self, now: Micros, stands: &[u8; 64], random: &mut Random) -> Vec<u8>;

    /// Takes a byte of the host, and returns the board's answer.
    fn hear(&mut self, byte: u8) -> Option<Answer>;

    /// Resets its state, when it is switched on or wakes up.
    fn switched_on(&mut self) {}

    /// The report that its USB side sends, and how often, while the board itself is off.
    fn off_report(&self) -> Option<(Vec<u8>, Micros)> {
        None
    }
}

/// When a board reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reports {
    /// Only when it is asked.
    Asked,
    /// At this interval.
    Every(Micros),
    /// After a change, when the position has not changed again for this time.
    Changes(Micros),
}

/// The answer of a board.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// These bytes.
    Bytes(Vec<u8>),
    /// A report.
    Report,
    /// No answers and reports for this time.
    Silence(Micros),
}

/// The electronics of such a board.
#[derive(Debug)]
pub struct ReportingBoard {
    number: u16,
    speech: Box<dyn Speech>,
    random: Random,
    /// The chance that one square is misread in a report.
    ghosts: f64,
    stands: [u8; 64],
    powered: bool,
    /// A host reads its reports.
    is_read: bool,
    started: Option<Micros>,
    /// When a square changed last, if that was not reported since.
    changed: Option<Micros>,
    reported: Micros,
    /// When a host received its last change, or its first report.
    read: Micros,
    /// When the next report is due; none if it is not asked for.
    reports_at: Option<Micros>,
    out: VecDeque<Reply>,
    logged: Vec<Logged>,
}

impl ReportingBoard {
    /// A board that has just been switched on with these piece codes on it.
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
            read: 0,
            reports_at: None,
            out: VecDeque::new(),
            logged: Vec::new(),
        };
        board.plan(0);
        board
    }

    /// Sets the time of the next report after an event now.
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
        } else if self.changed.take().is_some() {
            self.read = now;
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
        (!self.powered || self.changed.is_none()).then_some(self.read)
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
        // Such a board has no clock.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        record::Placement,
        sim::{millennium::Millennium, scanner::SquareChange},
    };

    // `simulate` ends some seconds after that.
    #[test]
    fn boards_are_read_once_they_reported_their_last_change() {
        let speech = Box::new(Millennium::new([1, 4]));
        let start = *Placement::start().codes();
        let mut board = ReportingBoard::new(1, speech, 0.0, start, Random::new(1));
        Electronics::is_read(&mut board);
        let reports_until = |board: &mut ReportingBoard, end: Micros| {
            while let Some(at) = board.next_at().filter(|&at| at <= end) {
                board.advance(at);
                while board.send(at).is_some() {}
            }
        };
        reports_until(&mut board, 1_000_000);
        let at = 1_000_000;
        let change = SquareChange { at, square: "e2".parse().unwrap(), piece: None, quick: false };
        board.signal(1_000_000, &Signal::Change(change));
        assert_eq!(board.log_read_at(), None);
        reports_until(&mut board, 60_000_000);
        let read = board.log_read_at().unwrap();
        assert!((1_000_000..1_041_000).contains(&read), "{read}");
    }
}
