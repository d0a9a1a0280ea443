//! The output of an earlier run: it is replaced only after everything that was in the input at the start has been read,
//! so that a run that ends before does not shorten it.

use std::{
    fs,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use crate::{
    record::Time,
    stdio::{self, AtHand},
};

/// The content of a pipe counts as read when nothing has come for this long, or when the records have come at about the
/// speed of the events for this long.
const QUIET_TIME: Duration = Duration::from_secs(3);
/// Up to this many times the speed of the events counts as live: the times of records are those of several boards.
/// Records that are reconstructed from a journal come 20 times as fast or faster.
const LIVE_FACTOR: f64 = 4.0;

/// What has been read so far.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct SoFar {
    /// The number of lines.
    pub lines: u64,
    /// The time of the last one that has a time.
    pub time: Option<Time>,
}

/// The output that existed at the start.
pub(super) struct Earlier {
    /// One of its paths; none when there was nothing, or it may be replaced.
    existing: Option<PathBuf>,
    pace: Option<Pace>,
}

impl Earlier {
    /// The output that exists at these paths, files or folders.
    pub fn new<'a>(mut paths: impl Iterator<Item = &'a PathBuf>) -> Earlier {
        Earlier { existing: paths.find(|path| holds_something(path)).cloned(), pace: None }
    }

    /// Returns how long the earlier output stays at least, or none when it may be replaced. Asked whenever no input is
    /// left.
    pub fn stays(&mut self, so_far: SoFar) -> Option<Duration> {
        self.existing.as_ref()?;
        let stays = match stdio::at_hand() {
            AtHand::More => Some(QUIET_TIME),
            AtHand::Pipe => Pace::wait(&mut self.pace, so_far, Instant::now()),
            AtHand::Read => None,
        };
        if stays.is_none() {
            self.existing = None;
        }
        stays
    }

    /// Reports, at the end of the input, whether the earlier output is left as it was.
    pub fn is_left(&self) -> bool {
        let Some(path) = self.existing.as_ref().filter(|_| stdio::at_hand() != AtHand::Read) else {
            return false;
        };
        stdio::say(format_args!(
            "{} is left as it was: the reading ended before all was read that was there at the start; run this again",
            path.display()
        ));
        true
    }
}

fn holds_something(path: &Path) -> bool {
    match fs::metadata(path) {
        Ok(found) if found.is_dir() => fs::read_dir(path).is_ok_and(|mut names| names.next().is_some()),
        Ok(found) => found.len() > 0,
        Err(_) => false,
    }
}

/// The speed at which records come.
struct Pace {
    /// The number of lines so far, and when the last of them came.
    lines: u64,
    last: Instant,
    /// When the speed was last measured, and the time of the last record then.
    measured: (Instant, Option<Time>),
}

impl Pace {
    /// How much longer the records may still be those that were in the pipe at the start; none when they are live.
    fn wait(pace: &mut Option<Pace>, so_far: SoFar, now: Instant) -> Option<Duration> {
        let begin = || Pace { lines: so_far.lines, last: now, measured: (now, so_far.time) };
        let Pace { lines, last, measured } = pace.get_or_insert_with(begin);
        // Without a game there are only tables that wait for one: not enough to replace the earlier output.
        if so_far.lines == 0 {
            return Some(QUIET_TIME);
        }
        if std::mem::replace(lines, so_far.lines) != so_far.lines {
            *last = now;
        }
        let (began, time) = *measured;
        let took = now.saturating_duration_since(began);
        if took >= QUIET_TIME {
            let as_it_happens =
                |(from, to): (Time, Time)| from.seconds_until(to).abs() <= took.as_secs_f64() * LIVE_FACTOR;
            if time.zip(so_far.time).is_some_and(as_it_happens) {
                return None;
            }
            *measured = (now, so_far.time);
        }
        let left = |since: Instant| QUIET_TIME.saturating_sub(now.saturating_duration_since(since));
        Some(left(*last)).filter(|left| !left.is_zero()).map(|rest| rest.min(left(measured.0)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether the earlier output stays, for each of these moments: second, number of lines so far, time of the last
    /// record.
    fn stays(looks: &[(u64, u64, Option<i64>)]) -> Vec<bool> {
        let (mut pace, began) = (None, Instant::now());
        let look = |&(second, lines, time): &(u64, u64, Option<i64>)| {
            let so_far = SoFar { lines, time: time.map(|second| Time(second * 1000)) };
            Pace::wait(&mut pace, so_far, began + Duration::from_secs(second)).is_some()
        };
        looks.iter().map(look).collect()
    }

    #[test]
    fn records_faster_than_their_times_existed_before() {
        // An hour in six seconds, then a move every other second. The hall's clock differs from that of this machine.
        let looks = [(0, 1, Some(0)), (3, 900, Some(1800)), (6, 1800, Some(3600)), (8, 1801, Some(3602))];
        assert_eq!(stays(&looks), [true; 4]);
        assert!(!stays(&[&looks[..], &[(9, 1802, Some(3605))]].concat())[4]);
        // A second journal after the first goes back by an hour.
        assert_eq!(stays(&[(0, 1, Some(3600)), (3, 900, Some(0)), (4, 901, Some(1))]), [true; 3]);
        // Games from files have no times.
        assert_eq!(stays(&[(0, 1, None), (3, 900, None), (6, 1800, None)]), [true; 3]);
    }

    #[test]
    fn a_quiet_pipe_was_read_completely() {
        assert_eq!(stays(&[(0, 900, Some(0)), (2, 900, Some(0)), (3, 900, Some(0))]), [true, true, false]);
        assert_eq!(
            stays(&[(0, 0, None), (2, 9, None), (4, 9, None), (5, 9, None)]),
            [true, true, true, false]
        );
        // Without any line nothing has begun.
        assert_eq!(stays(&[(0, 0, None), (60, 0, None)]), [true, true]);
    }

    #[test]
    fn halls_at_play_are_written_without_a_pause() {
        let looks: Vec<_> = (0..4).map(|second| (second, second * 30, Some(second as i64))).collect();
        assert_eq!(stays(&looks), [true, true, true, false]);
    }
}
