//! How a board answered in the last minute, for a record of it: who looks after a hall sees a slow board or a bad plug long
//! before anything is lost.

use std::time::Duration;

use super::exchange::Answer;
use crate::record::{Answers, Seconds};

/// How often it is told.
const EVERY: Duration = Duration::from_secs(60);
/// So many answer times are kept: no board is asked twenty times a second for longer.
const KEPT: usize = 2048;

/// Questions to a board and its answers since this was last told.
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
    /// Of a board that nobody asked yet.
    pub fn new(now: Duration) -> AnswerTally {
        AnswerTally { since: now, asked: 0, missed: 0, spoilt: 0, times: Vec::new(), line: Duration::ZERO }
    }

    /// A question was asked, which kept the line busy for so long; its answer took so long to begin.
    pub fn add(&mut self, answer: &Answer, took: Option<Duration>, line: Duration) {
        self.asked += 1;
        self.line += line;
        match answer {
            Answer::Whole(_) if self.times.len() < KEPT => self.times.extend(took),
            Answer::Whole(_) => {}
            Answer::Garbled(_) => self.spoilt += 1,
            Answer::Silence => self.missed += 1,
        }
    }

    /// What is to be told now, if it is time; then it begins anew.
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

/// In whole milliseconds.
fn seconds(time: Duration) -> Seconds {
    Seconds(time.as_millis() as f64 / 1000.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn minutes_of_answers_are_published_once_and_restart() {
        let ms = Duration::from_millis;
        let mut tally = AnswerTally::new(ms(0));
        for took in [3, 9, 4] {
            tally.add(&Answer::Whole(Vec::new()), Some(ms(took)), ms(15));
        }
        tally.add(&Answer::Silence, None, ms(85));
        tally.add(&Answer::Garbled(vec![1]), None, ms(20));
        assert_eq!(tally.due(ms(59_999)), None);
        let told = Answers {
            asked: 5,
            missed: 1,
            spoilt: 1,
            median_seconds: Seconds(0.004),
            worst_seconds: Seconds(0.009),
            line_seconds: Seconds(0.15),
            seconds: Seconds(60.5),
        };
        assert_eq!(tally.due(ms(60_500)), Some(told));
        assert_eq!(tally.due(ms(200_000)), None);
    }
}
