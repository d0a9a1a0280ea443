//! Measures how long answers take to begin on a line, and sets the time-out of commands accordingly.
//!
//! A cable adds nothing to the few milliseconds that a board takes, so the makers' time-out is enough. A serial server on a
//! network, a radio link or a bad adapter add up to a second, constant or not: the time-out is the usual time of answers
//! plus four times its variation (as RFC 6298 defines for packets on a network). A time-out that the user set replaces it.

use std::{collections::BTreeMap, time::Duration};

/// The makers' time-out for the beginning of an answer on a cable.
const CABLE: Duration = Duration::from_millis(80);
/// Added to measured times: a board that writes its EEPROM takes 20 ms longer than usual; the rest is for a busy host.
const MARGIN: Duration = Duration::from_millis(40);
/// The longest time-out.
const LONGEST: Duration = Duration::from_secs(2);
/// A line whose answers usually take longer is slower than a cable.
const SLOW: Duration = Duration::from_millis(40);
/// The additional wait for answers to a broadcast ping on a line without measured times.
const UNMEASURED: Duration = Duration::from_millis(600);
/// A late answer may come for four times the time-out, and for at least this time.
const OVERDUE_MIN: Duration = Duration::from_millis(500);

/// The answer time of a line.
#[derive(Debug, Default)]
pub struct AnswerTime {
    /// The time-out that the user set.
    set: Option<Duration>,
    /// The usual time, and its variation.
    measured: Option<(Duration, Duration)>,
    /// By board: commands whose answers may still come.
    overdue: BTreeMap<u16, Overdue>,
}

/// Commands to a board that were not answered in time, and whose answers may still come.
#[derive(Debug, Clone, Copy)]
struct Overdue {
    /// When the first of them was sent.
    first: Duration,
    /// When the last of them was sent.
    last: Duration,
    count: u32,
}

impl AnswerTime {
    /// The answer time of a line; `set` is the time-out that the user set, if any.
    pub fn new(set: Option<Duration>) -> AnswerTime {
        AnswerTime { set, ..AnswerTime::default() }
    }

    /// How long to wait for the beginning of an answer.
    pub fn patience(&self) -> Duration {
        let measured = || {
            self.measured.map_or(CABLE, |(usual, varies)| (usual + varies * 4 + MARGIN).clamp(CABLE, LONGEST))
        };
        self.set.unwrap_or_else(measured)
    }

    /// How much longer than on a cable an answer may take.
    pub fn more(&self) -> Duration {
        self.patience().saturating_sub(CABLE)
    }

    /// The same for answers to a broadcast ping.
    pub fn more_for_all(&self) -> Duration {
        if self.is_known() { self.more() } else { UNMEASURED }
    }

    /// Whether a time was measured or set.
    pub fn is_known(&self) -> bool {
        self.set.is_some() || self.measured.is_some()
    }

    /// The usual time of answers, if the line is slower than a cable.
    pub fn slow(&self) -> Option<Duration> {
        self.measured.map(|(usual, _)| usual).filter(|usual| *usual > SLOW)
    }

    /// Adds the time that an answer took.
    pub fn took(&mut self, time: Duration) {
        let time = time.min(LONGEST);
        self.measured = Some(match self.measured {
            None => (time, time / 2),
            Some((usual, varies)) => ((usual * 7 + time) / 8, (varies * 3 + usual.abs_diff(time)) / 4),
        });
    }

    /// How long after its command an answer may still come.
    fn overdue_for(&self) -> Duration {
        match self.measured {
            None => LONGEST,
            Some(_) => (self.patience() * 4).clamp(OVERDUE_MIN, LONGEST),
        }
    }

    /// Notes that a board did not answer a command, which was sent at `asked`, in time.
    pub fn silent(&mut self, board: u16, asked: Duration) {
        let overdue_for = self.overdue_for();
        self.overdue.retain(|_, overdue| asked < overdue.last + overdue_for);
        let overdue = self.overdue.entry(board).or_insert(Overdue { first: asked, last: asked, count: 0 });
        (overdue.last, overdue.count) = (asked, overdue.count + 1);
    }

    /// Whether a late answer of any board may still come.
    pub fn is_any_overdue(&self) -> bool {
        !self.overdue.is_empty()
    }

    /// Returns whether an answer of a board that was not asked is a late one, and adds its time if so. Of several commands it
    /// is taken for the answer to the first: a time that is too long does no harm.
    pub fn came_late(&mut self, board: u16, now: Duration) -> bool {
        let overdue_for = self.overdue_for();
        let Some(overdue) = self.overdue.get_mut(&board) else { return false };
        if now >= overdue.last + overdue_for {
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

    /// Notes that a board has answered a command, which was sent at `asked`. Returns how many commands before it may still
    /// be answered, and when the first of them was sent; none if there are no such commands.
    pub fn answers_again(&mut self, board: u16, asked: Duration) -> Option<(u32, Duration)> {
        let overdue_for = self.overdue_for();
        let overdue = self.overdue.remove(&board).filter(|overdue| asked < overdue.last + overdue_for)?;
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
    fn on_a_cable_the_makers_time_out_holds() {
        let mut line = AnswerTime::new(None);
        for time in [2, 4, 3, 18, 2, 1, 20, 4, 2, 3] {
            assert_eq!(line.patience(), ms(80));
            line.took(ms(time));
        }
        assert_eq!((line.patience(), line.more(), line.slow()), (ms(80), ms(0), None));
    }

    #[test]
    fn the_time_out_follows_measured_times() {
        let mut line = AnswerTime::new(None);
        line.took(ms(250));
        assert_eq!(line.patience(), ms(250 + 4 * 125 + 40));
        (0..40).for_each(|_| line.took(ms(250)));
        assert!((ms(290)..ms(300)).contains(&line.patience()), "{:?}", line.patience());
        assert_eq!(line.slow(), Some(ms(250)));
        // After one long pause the time-out is longer for a while.
        line.took(ms(850));
        assert!(line.patience() > ms(850));
        (0..40).for_each(|_| line.took(ms(250)));
        assert!(line.patience() < ms(320));
    }

    #[test]
    fn a_time_out_set_by_the_user_holds() {
        let mut line = AnswerTime::new(Some(ms(30)));
        (0..10).for_each(|_| line.took(ms(250)));
        assert_eq!((line.patience(), line.more(), line.more_for_all()), (ms(30), ms(0), ms(0)));
        assert_eq!(line.slow(), Some(ms(250)));
    }

    #[test]
    fn each_missed_answer_may_come_late_for_a_time() {
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
