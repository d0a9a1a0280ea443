//! The time of a line as its boards live through it: when somebody puts the clock of its machine back, no piece has rested for
//! an hour because of that. [`super::Reconstructor`] alone translates, on the way in and on the way out.

use crate::record::Time;

/// What a board says is never younger than what it said before; by less than this only its line's boards differ, seconds.
const STEP: f64 = 5.0;

/// Of a line.
#[derive(Debug, Default)]
pub struct SteadyTime {
    /// By how much the clock is behind the time that went on, milliseconds.
    behind: i64,
}

impl SteadyTime {
    /// The time that goes on, of a record that comes with this time of its clock. `last` is when its board said something
    /// last; of two boards the one may be told of later than the other, and nobody put a clock back.
    pub fn comes(&mut self, last: &mut Option<Time>, time: Time) -> Time {
        let steady = self.of(time);
        if let Some(last) = last.filter(|last| steady.seconds_until(*last) > STEP) {
            self.behind = self.behind.saturating_add(last.0.saturating_sub(steady.0));
        }
        let steady = self.of(time);
        *last = (*last).max(Some(steady));
        steady
    }

    /// The time that goes on, of one of the clock.
    pub fn of(&self, time: Time) -> Time {
        Time(time.0.saturating_add(self.behind))
    }

    /// The time of the clock, of one that goes on.
    pub fn told(&self, steady: Time) -> Time {
        Time(steady.0.saturating_sub(self.behind))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_goes_on_where_a_clock_is_put_back_and_follows_where_it_is_put_forward() {
        let mut clock = SteadyTime::default();
        let (mut one, mut other) = (None, None);
        let mut comes = |board: &mut Option<Time>, seconds: i64| {
            let time = Time(seconds * 1000);
            let steady = clock.comes(board, time);
            assert_eq!(clock.told(steady), time);
            steady.0 / 1000
        };
        let steady = [100, 110, 107, 112, -3000, -2990, 5000].map(|seconds| comes(&mut one, seconds));
        assert_eq!(steady, [100, 110, 107, 112, 112, 122, 8112]);
        // Another board of the line is told of an hour late, always: that is no clock.
        assert_eq!([1400, 1410].map(|seconds| comes(&mut other, seconds)), [4512, 4522]);
        assert_eq!(comes(&mut one, 5002), 8114);
    }
}
