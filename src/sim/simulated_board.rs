//! A board on the line: its electronics and the day that is played on it, in the time of the line.
//!
//! `speed` accelerates the day, with hands, scanner and clocks, so that the log does not depend on it; the line is not
//! accelerated. [`LineSetup`](super::line_setup::LineSetup) makes boards for a
//! [`SharedLine`](super::shared_line::SharedLine).

use std::collections::VecDeque;

use super::{
    Micros, SECOND, clock,
    electronics::{Electronics, Reply},
    firmware::clock_message,
    played_round::PlayedRound,
    round::Round,
    seconds,
    simulated_day::SimulatedDay,
};

/// The greatest age of the clock's data on a board.
const CLOCK_AGE: Micros = SECOND / 2;

/// When play begins.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StartOfPlay {
    /// Play begins this long after the start mark was written into the board.
    pub delay: Micros,
    /// Without a start mark play begins at this time; none: only after a mark.
    pub at_latest: Option<Micros>,
}

/// A disturbance of a board.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Mishap {
    /// The power goes for this long.
    PowerCut(Micros),
    /// The watchdog resets it.
    Watchdog,
}

/// An event on a board's electronics.
type Disruption = fn(&mut dyn Electronics, Micros);

/// A board and the rest of its day.
#[derive(Debug)]
pub struct SimulatedBoard {
    /// Its electronics.
    pub electronics: Box<dyn Electronics>,
    day: SimulatedDay,
    rounds: VecDeque<Round>,
    speed: f64,
    start: StartOfPlay,
    played: PlayedRound,
    /// The index of the round's next signal.
    next_signal: usize,
    /// The times of the line and of the day when the round began; none before.
    began: Option<(Micros, Micros)>,
    clock_read: Option<Micros>,
    mishaps: Vec<(f64, Mishap)>,
    /// The remaining mishaps of this round, in the line's time, the last first.
    disruptions: Vec<(Micros, Disruption)>,
    last_signal: Micros,
    plies_before: usize,
}

impl SimulatedBoard {
    /// A board with its electronics, whose position is that of the first round; `mishaps` happen at these fractions of it.
    pub fn new(
        electronics: Box<dyn Electronics>,
        mut day: SimulatedDay,
        rounds: impl IntoIterator<Item = Round>,
        speed: f64,
        start: StartOfPlay,
        mishaps: Vec<(f64, Mishap)>,
    ) -> SimulatedBoard {
        let mut rounds: VecDeque<Round> = rounds.into_iter().collect();
        let played = rounds.pop_front().map(|round| day.play(&round)).unwrap_or_default();
        SimulatedBoard {
            electronics,
            day,
            rounds,
            speed,
            start,
            played,
            next_signal: 0,
            began: None,
            clock_read: None,
            mishaps,
            disruptions: Vec::new(),
            last_signal: 0,
            plies_before: 0,
        }
    }

    /// How many plies have landed.
    pub fn plies_landed(&self, now: Micros) -> usize {
        let here = self.day_time(now);
        self.plies_before
            + here.map_or(0, |here| self.played.landings.partition_point(|landed| *landed <= here))
    }

    /// The number of plies of all rounds.
    pub fn plies_in_all(&self) -> usize {
        let later: usize = self.rounds.iter().map(|round| round.game.plies.len()).sum();
        self.plies_before + self.played.landings.len() + later
    }

    /// When everything had been played and read; none before.
    pub fn finished_at(&self) -> Option<Micros> {
        let begun = self.began.is_some() || self.played.signals.is_empty();
        let done = self.rounds.is_empty()
            && self.next_signal == self.played.signals.len()
            && self.disruptions.is_empty();
        let read = self.electronics.log_read_at().filter(|_| begun && done)?;
        Some(read.max(self.last_signal))
    }

    /// The time of its next event.
    pub fn next_at(&self) -> Option<Micros> {
        let begins = match (self.began, self.electronics.start_marked()) {
            (Some(_), _) => None,
            (None, Some(started)) => Some(started + self.start.delay),
            (None, None) => self.start.at_latest,
        };
        let signal = self.played.signals.get(self.next_signal).and_then(|signal| self.line_time(signal.at()));
        let ends = match (signal, self.rounds.is_empty()) {
            (None, false) => self.line_time(self.played.ended),
            _ => None,
        };
        let clock =
            self.electronics.streams_clock().then(|| self.clock_read.map_or(0, |at| at + CLOCK_AGE / 2));
        let due = self.disruptions.last().map(|(at, _)| *at);
        [self.electronics.next_at(), begins, signal, ends, clock, due].into_iter().flatten().min()
    }

    /// Takes bytes that have arrived.
    pub fn receive(&mut self, now: Micros, bytes: &[u8]) {
        if self.clock_read.is_none_or(|read| now >= read + CLOCK_AGE) {
            self.read_clock(now);
        }
        self.electronics.receive(now, bytes);
    }

    /// Takes the next message that the board begins to send up to `now`.
    pub fn send(&mut self, now: Micros) -> Option<Reply> {
        self.electronics.send(now)
    }

    /// Simulates the board up to `now`.
    pub fn advance(&mut self, now: Micros) {
        if self.began.is_none() {
            let mark =
                self.electronics.start_marked().is_some_and(|started| started + self.start.delay <= now);
            if mark || self.start.at_latest.is_some_and(|at| at <= now) {
                self.begin(now, 0);
            }
        }
        self.disrupt(now);
        while let Some(signal) = self.played.signals.get(self.next_signal)
            && self.line_time(signal.at()).is_some_and(|at| at <= now)
        {
            self.electronics.signal(now, signal);
            self.next_signal += 1;
            self.last_signal = now;
        }
        let ended = self.line_time(self.played.ended).is_some_and(|ended| ended <= now);
        if self.next_signal == self.played.signals.len()
            && ended
            && let Some(round) = self.rounds.pop_front()
        {
            let day_time = self.played.ended;
            self.plies_before += self.played.landings.len();
            self.played = self.day.play(&round);
            self.next_signal = 0;
            self.begin(now, day_time);
        }
        if self.electronics.streams_clock() && self.clock_read.is_none_or(|read| now >= read + CLOCK_AGE / 2)
        {
            self.read_clock(now);
        }
        self.electronics.advance(now);
    }

    fn begin(&mut self, now: Micros, day_time: Micros) {
        self.began = Some((now, day_time));
        for (fraction, mishap) in std::mem::take(&mut self.mishaps) {
            let Some(at) = self.mishap_time(fraction, mishap) else { continue };
            match mishap {
                Mishap::Watchdog => self.disruptions.push((at, |electronics, now| electronics.watchdog(now))),
                Mishap::PowerCut(long) => {
                    self.disruptions.push((at, |electronics, _| electronics.power_off()));
                    self.disruptions.push((at + long, |electronics, now| electronics.power_on(now)));
                }
            }
        }
        self.disruptions.sort_by_key(|(at, _)| std::cmp::Reverse(*at));
    }

    /// The time of a mishap at this fraction of the round. A watchdog resets the board only while nothing moves.
    fn mishap_time(&self, fraction: f64, mishap: Mishap) -> Option<Micros> {
        let signals = &self.played.signals;
        let from = (fraction * signals.len() as f64) as usize;
        let gaps = signals.windows(2).skip(from).take(20);
        match mishap {
            Mishap::PowerCut(_) => self.line_time(signals.get(from)?.at() + 1),
            Mishap::Watchdog => {
                let longest = gaps.max_by_key(|pair| pair[1].at() - pair[0].at())?;
                self.line_time(longest[0].at().midpoint(longest[1].at()))
            }
        }
    }

    fn disrupt(&mut self, now: Micros) {
        while let Some(&(at, disruption)) = self.disruptions.last()
            && at <= now
        {
            self.disruptions.pop();
            disruption(self.electronics.as_mut(), now);
        }
    }

    fn read_clock(&mut self, now: Micros) {
        self.clock_read = Some(now);
        let shown = clock::reading(&self.played.clock_faces, self.day_time(now).unwrap_or(0));
        self.electronics.show_clock(now, clock_message(&shown));
    }

    /// The day's time at a time of the line's, once play has begun.
    fn day_time(&self, now: Micros) -> Option<Micros> {
        let (line, day) = self.began?;
        Some(day + seconds(now.saturating_sub(line) as f64 * self.speed / SECOND as f64))
    }

    /// The line's time at a time of the day's, once play has begun.
    fn line_time(&self, at: Micros) -> Option<Micros> {
        let (line, day) = self.began?;
        Some(line + seconds(at.saturating_sub(day) as f64 / self.speed / SECOND as f64))
    }
}
