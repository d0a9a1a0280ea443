//! Events that repeat: how many, since when, and how many came close together.

use crate::record::Time;

/// How many of the latest times are kept.
const KEPT: usize = 12;

/// Events of one kind.
#[derive(Debug, Clone, Default)]
pub struct Series {
    /// How many there were.
    pub count: u32,
    /// The time of the first.
    pub first: Option<Time>,
    /// The time of the last.
    pub last: Option<Time>,
    latest: [Option<Time>; KEPT],
}

impl Series {
    /// Counts one more.
    pub fn add(&mut self, time: Option<Time>) {
        self.count = self.count.saturating_add(1);
        self.first = self.first.or(time);
        self.last = time.or(self.last);
        self.latest.rotate_right(1);
        self.latest[0] = time;
    }

    /// How many of the latest fall within this many seconds before `now`.
    pub fn within(&self, now: Time, seconds: f64) -> usize {
        let recent = |time: &&Time| (0.0..=seconds).contains(&time.seconds_until(now));
        self.latest.iter().flatten().filter(recent).count()
    }

    /// Whether one of the latest falls within this many seconds before or after `moment`.
    pub fn is_near(&self, moment: Time, seconds: f64) -> bool {
        self.latest.iter().flatten().any(|time| time.seconds_until(moment).abs() <= seconds)
    }
}

/// Events counted by the minute: in all, in the worst minute and in the worst hour.
#[derive(Debug, Clone, Default)]
pub struct Minutes {
    /// All of them, with the times of the latest.
    pub all: Series,
    /// The current minute since the epoch, and its count.
    minute: (i64, u32),
    /// When the worst minute began, and its count.
    worst: Option<(Time, u32)>,
    /// The last 60 minutes, each at index `minute % 60`.
    hour: Vec<u32>,
    /// The largest count of 60 consecutive minutes.
    worst_hour: u32,
}

/// Milliseconds in a minute.
const MINUTE: i64 = 60_000;

impl Minutes {
    /// Counts one more.
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

    /// When the worst minute began, and its count.
    pub fn worst(&self) -> Option<(Time, u32)> {
        self.worst
    }

    /// The largest count of 60 consecutive minutes.
    pub fn worst_hour(&self) -> u32 {
        self.worst_hour
    }
}
