//! How long a line takes to begin an answer, learned from its answers, and how long a question waits for that reason.
//!
//! A cable adds nothing to the few milliseconds that a board takes, and the makers' time-out serves. A serial server on a
//! network, a radio link, an adapter in a bad mood add up to a second, evenly or not: a question waits as long as answers
//! usually take, and four times as much as they vary (after RFC 6298, which does the same for every packet on such a
//! network). What a user says holds instead.

use std::{collections::BTreeMap, time::Duration};

/// How long a board may take to begin its answer on a cable: the makers' own time-out.
const CABLE: Duration = Duration::from_millis(80);
/// A board that writes its EEPROM takes 20 ms longer than usual; the rest is for a host that is busy elsewhere.
const MARGIN: Duration = Duration::from_millis(40);
/// Nobody waits longer, whatever was measured.
const LONGEST: Duration = Duration::from_secs(2);
/// A line that takes longer is no cable.
const SLOW: Duration = Duration::from_millis(40);
/// Before anything is known of a line those who answer a ping to all are waited for so much longer.
const UNKNOWN: Duration = Duration::from_millis(600);
/// An answer that has not come after half a second, or four times as long as a question waits, will not.
const FORGOTTEN: Duration = Duration::from_millis(500);

/// The answer time of a line.
#[derive(Debug, Default)]
pub struct AnswerTime {
    /// What the user said.
    said: Option<Duration>,
    /// The usual time, and how much it varies.
    measured: Option<(Duration, Duration)>,
    overdue: BTreeMap<u16, Overdue>,
}

/// Questions to a board whose time was up, and whose answers may still come.
#[derive(Debug, Clone, Copy)]
struct Overdue {
    /// When the first was asked, and the last.
    first: Duration,
    last: Duration,
    count: u32,
}

impl AnswerTime {
    /// Of a line of which the user said how long to wait, or nothing.
    pub fn new(said: Option<Duration>) -> AnswerTime {
        AnswerTime { said, ..AnswerTime::default() }
    }

    /// How long to wait for the beginning of an answer.
    pub fn patience(&self) -> Duration {
        let learned = || {
            self.measured.map_or(CABLE, |(usual, varies)| (usual + varies * 4 + MARGIN).clamp(CABLE, LONGEST))
        };
        self.said.unwrap_or_else(learned)
    }

    /// How much longer than on a cable everything may take.
    pub fn more(&self) -> Duration {
        self.patience().saturating_sub(CABLE)
    }

    /// The same for those who answer a ping to all.
    pub fn more_for_all(&self) -> Duration {
        if self.is_known() { self.more() } else { UNKNOWN }
    }

    /// Whether it needs no finding out any more.
    pub fn is_known(&self) -> bool {
        self.said.is_some() || self.measured.is_some()
    }

    /// How long answers usually take, if this is no cable.
    pub fn slow(&self) -> Option<Duration> {
        self.measured.map(|(usual, _)| usual).filter(|usual| *usual > SLOW)
    }

    /// An answer took so long.
    pub fn took(&mut self, time: Duration) {
        let time = time.min(LONGEST);
        self.measured = Some(match self.measured {
            None => (time, time / 2),
            Some((usual, varies)) => ((usual * 7 + time) / 8, (varies * 3 + usual.abs_diff(time)) / 4),
        });
    }

    /// How long after its question an answer may still come.
    fn forgotten(&self) -> Duration {
        match self.measured {
            None => LONGEST,
            Some(_) => (self.patience() * 4).clamp(FORGOTTEN, LONGEST),
        }
    }

    /// A question to a board, asked then, has had its time and no answer.
    pub fn silent(&mut self, board: u16, asked: Duration) {
        let forgotten = self.forgotten();
        self.overdue.retain(|_, overdue| asked < overdue.last + forgotten);
        let overdue = self.overdue.entry(board).or_insert(Overdue { first: asked, last: asked, count: 0 });
        (overdue.last, overdue.count) = (asked, overdue.count + 1);
    }

    /// Whether an answer that nobody waits for any more may still come.
    pub fn is_any_overdue(&self) -> bool {
        !self.overdue.is_empty()
    }

    /// A board has answered beside a question, now; whether that was an answer too late. How late it was is learned, and
    /// where there were several questions it was the first's: a line that seems slower than it is does no harm.
    pub fn came_late(&mut self, board: u16, now: Duration) -> bool {
        let forgotten = self.forgotten();
        let Some(overdue) = self.overdue.get_mut(&board) else { return false };
        if now >= overdue.last + forgotten {
            self.overdue.remove(&board);
            return false;
        }
        let first = overdue.first;
        overdue.count -= 1;
        if overdue.count == 0 {
            self.overdue.remove(&board);
        }
        self.took(now.saturating_sub(first));
        true
    }

    /// A board has answered a question asked then. To how many questions before it answers may still come, and when the
    /// first of them was asked; none where it was not silent before, or too long ago.
    pub fn answers_again(&mut self, board: u16, asked: Duration) -> Option<(u32, Duration)> {
        let forgotten = self.forgotten();
        let overdue = self.overdue.remove(&board).filter(|overdue| asked < overdue.last + forgotten)?;
        Some((overdue.count, overdue.first))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    #[test]
    fn cable_questions_wait_as_the_makers_specify() {
        let mut line = AnswerTime::new(None);
        for time in [2, 4, 3, 18, 2, 1, 20, 4, 2, 3] {
            assert_eq!(line.patience(), ms(80));
            line.took(ms(time));
        }
        assert_eq!((line.patience(), line.more(), line.slow()), (ms(80), ms(0), None));
    }

    #[test]
    fn slow_lines_get_their_time_plus_half_at_first() {
        let mut line = AnswerTime::new(None);
        line.took(ms(250));
        assert_eq!(line.patience(), ms(250 + 4 * 125 + 40));
        (0..40).for_each(|_| line.took(ms(250)));
        assert!((ms(290)..ms(300)).contains(&line.patience()), "{:?}", line.patience());
        assert_eq!(line.slow(), Some(ms(250)));
        // One that stalls now and then waits longer for a while.
        line.took(ms(850));
        assert!(line.patience() > ms(850));
        (0..40).for_each(|_| line.took(ms(250)));
        assert!(line.patience() < ms(320));
    }

    #[test]
    fn user_options_override_measurements() {
        let mut line = AnswerTime::new(Some(ms(30)));
        (0..10).for_each(|_| line.took(ms(250)));
        assert_eq!((line.patience(), line.more(), line.more_for_all()), (ms(30), ms(0), ms(0)));
        assert_eq!(line.slow(), Some(ms(250)));
    }

    #[test]
    fn late_answers_are_recognised_for_a_limited_time() {
        let mut line = AnswerTime::new(None);
        line.silent(1025, ms(0));
        line.silent(1025, ms(84));
        assert!(!line.came_late(1026, ms(100)));
        assert!(line.came_late(1025, ms(300)) && line.came_late(1025, ms(384)));
        assert!(!line.came_late(1025, ms(400)));
        assert!(line.patience() > ms(300));
        line.silent(1025, ms(1000));
        assert!(!line.came_late(1025, ms(8000)));
        assert!(!line.is_any_overdue());
    }
}
