//! A time for a line that never goes back: when the clock of its machine is put back, no piece seems to have rested for
//! an hour. Only [`super::Reconstructor`] converts, on reading and on publishing.

use crate::record::Time;

/// In seconds. Records of a board are in order, and times of boards of one line differ by less than this.
const PUT_BACK_MIN_SECONDS: f64 = 5.0;

/// The steady time of a line.
#[derive(Debug, Default)]
pub struct SteadyTime {
    /// The steady time minus the time of the clock, in milliseconds.
    offset_ms: i64,
}

impl SteadyTime {
    /// The steady time of a record with this clock time. `last` is the steady time of the last record of its board:
    /// another board of the line may be late by any time although the clock was not changed.
    pub fn read(&mut self, last: &mut Option<Time>, time: Time) -> Time {
        let steady = self.steady(time);
        if let Some(last) = last.filter(|last| steady.seconds_until(*last) > PUT_BACK_MIN_SECONDS) {
            self.offset_ms = self.offset_ms.saturating_add(last.0.saturating_sub(steady.0));
        }
        let steady = self.steady(time);
        *last = (*last).max(Some(steady));
        steady
    }

    /// The steady time of a clock time.
    pub fn steady(&self, time: Time) -> Time {
        Time(time.0.saturating_add(self.offset_ms))
    }

    /// The clock time of a steady time.
    pub fn clock_time(&self, steady: Time) -> Time {
        Time(steady.0.saturating_sub(self.offset_ms))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steady_time_never_goes_back() {
        let mut clock = SteadyTime::default();
        let (mut one, mut other) = (None, None);
        let mut read = |board: &mut Option<Time>, seconds: i64| {
            let time = Time(seconds * 1000);
            let steady = clock.read(board, time);
            assert_eq!(clock.clock_time(steady), time);
            steady.0 / 1000
        };
        let steady = [100, 110, 107, 112, -3000, -2990, 5000].map(|seconds| read(&mut one, seconds));
        assert_eq!(steady, [100, 110, 107, 112, 112, 122, 8112]);
        // Another board of the line is always reported an hour late: its records do not change the offset.
        assert_eq!([1400, 1410].map(|seconds| read(&mut other, seconds)), [4512, 4522]);
        assert_eq!(read(&mut one, 5002), 8114);
    }
}
