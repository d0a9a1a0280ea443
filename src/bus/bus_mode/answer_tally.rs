//! Counts a board's answers for an `answers` record each minute, which shows a slow board or a bad plug long before changes
//! are lost.

use std::time::Duration;

use super::exchange::Answer;
use crate::record::{Answers, Seconds};

/// The time between records.
const EVERY: Duration = Duration::from_secs(60);
/// The most answer times of a record: enough for a board that is asked twenty times a second for [`EVERY`].
const TIMES_MAX: usize = 2048;

/// Commands to a board and its answers since the last record.
#[derive(Debug, Clone)]
pub struct AnswerTally {
    since: Duration,
    asked: u32,
    missed: u32,
    spoilt: u32,
    times: Vec<Duration>,
    line: Duration,
}

impl AnswerTally {
    /// The tally of a board that was not asked yet.
    pub fn new(now: Duration) -> AnswerTally {
        AnswerTally { since: now, asked: 0, missed: 0, spoilt: 0, times: Vec::new(), line: Duration::ZERO }
    }

    /// Adds an answer, the time that it `took` to begin, and the time for which the exchange used the `line`.
    pub fn add(&mut self, answer: &Answer, took: Option<Duration>, line: Duration) {
        self.asked += 1;
        self.line += line;
        match answer {
            Answer::Whole(_) if self.times.len() < TIMES_MAX => self.times.extend(took),
            Answer::Whole(_) => {}
            Answer::Garbled(_) => self.spoilt += 1,
            Answer::Silence => self.missed += 1,
        }
    }

    /// The record, if one is due now; then the counts start again.
    pub fn due(&mut self, now: Duration) -> Option<Answers> {
        let passed = now.saturating_sub(self.since);
        if passed < EVERY || self.asked == 0 {
            return None;
        }
        let mut times = std::mem::replace(self, AnswerTally::new(now));
        times.times.sort_unstable();
        let at = |n: usize| times.times.get(n).copied().unwrap_or_default();
        let (median, worst) = (at(times.times.len() / 2), at(times.times.len().saturating_sub(1)));
        Some(Answers {
            asked: times.asked,
            missed: times.missed,
            spoilt: times.spoilt,
            median_seconds: seconds(median),
            worst_seconds: seconds(worst),
            line_seconds: seconds(times.line),
            seconds: seconds(passed),
        })
    }
}

/// A time in seconds, rounded down to milliseconds.
fn seconds(time: Duration) -> Seconds {
    Seconds(time.as_millis() as f64 / 1000.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_minute_of_answers_is_reported_once() {
        let ms = Duration::from_millis;
        let mut tally = AnswerTally::new(ms(0));
        for took in [3, 9, 4] {
            tally.add(&Answer::Whole(Vec::new()), Some(ms(took)), ms(15));
        }
        tally.add(&Answer::Silence, None, ms(85));
        tally.add(&Answer::Garbled(vec![1]), None, ms(20));
        assert_eq!(tally.due(ms(59_999)), None);
        let expected = Answers {
            asked: 5,
            missed: 1,
            spoilt: 1,
            median_seconds: Seconds(0.004),
            worst_seconds: Seconds(0.009),
            line_seconds: Seconds(0.15),
            seconds: Seconds(60.5),
        };
        assert_eq!(tally.due(ms(60_500)), Some(expected));
        assert_eq!(tally.due(ms(200_000)), None);
    }
}
