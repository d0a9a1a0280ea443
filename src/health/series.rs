//! Things that happen again and again: how many, since when, and whether many came close together.

use crate::record::Time;

/// So many of the latest are kept.
const KEPT: usize = 12;

/// Things that happened at these times.
#[derive(Debug, Clone, Default)]
pub struct Series {
    /// How many.
    pub count: u32,
    /// The first,
    pub first: Option<Time>,
    /// and the last.
    pub last: Option<Time>,
    latest: [Option<Time>; KEPT],
}

impl Series {
    /// It happened once more.
    pub fn add(&mut self, time: Option<Time>) {
        self.count = self.count.saturating_add(1);
        self.first = self.first.or(time);
        self.last = time.or(self.last);
        self.latest.rotate_right(1);
        self.latest[0] = time;
    }

    /// How many of the latest came within so many seconds before a moment.
    pub fn within(&self, now: Time, seconds: f64) -> usize {
        let recent = |time: &&Time| (0.0..=seconds).contains(&time.seconds_until(now));
        self.latest.iter().flatten().filter(recent).count()
    }

    /// Whether one of the latest came within so many seconds of a moment, before it or behind.
    pub fn is_near(&self, moment: Time, seconds: f64) -> bool {
        self.latest.iter().flatten().any(|time| time.seconds_until(moment).abs() <= seconds)
    }
}

/// Counts by the minute: how many in all, the worst minute, and those of the last hour.
#[derive(Debug, Clone, Default)]
pub struct Minutes {
    /// All of them, and the times of the latest.
    pub all: Series,
    /// The minute of the epoch that is counted in, and its count.
    minute: (i64, u32),
    /// The worst minute: its beginning and its count.
    worst: Option<(Time, u32)>,
    /// The last hour, a minute at `minute % 60`.
    hour: Vec<u32>,
    /// The most that there were in 60 minutes.
    worst_hour: u32,
}

/// A minute in milliseconds.
const MINUTE: i64 = 60_000;

impl Minutes {
    /// It happened once more.
    pub fn add(&mut self, time: Option<Time>) {
        self.all.add(time);
        let minute = time.map_or(self.minute.0, |time| time.0.div_euclid(MINUTE));
        if self.hour.is_empty() {
            self.hour = vec![0; 60];
        }
        if minute != self.minute.0 || self.worst.is_none() {
            let passed = minute.saturating_sub(self.minute.0).clamp(0, 60);
            for n in 0..passed {
                self.hour[(minute - n).rem_euclid(60) as usize] = 0;
            }
            self.minute = (minute, 0);
        }
        self.minute.1 += 1;
        self.hour[minute.rem_euclid(60) as usize] += 1;
        self.worst_hour = self.worst_hour.max(self.hour.iter().sum());
        if self.worst.is_none_or(|(_, count)| self.minute.1 > count) {
            self.worst = Some((Time(minute * MINUTE), self.minute.1));
        }
    }

    /// The worst minute's beginning and its count.
    pub fn worst(&self) -> Option<(Time, u32)> {
        self.worst
    }

    /// The most that there were in 60 minutes.
    pub fn worst_hour(&self) -> u32 {
        self.worst_hour
    }
}
