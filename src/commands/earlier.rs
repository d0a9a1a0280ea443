//! What an earlier run wrote: it stays until all has been read that was at hand at the start, so that a run that is ended
//! before leaves no less than it found.

use std::{
    fs,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use crate::{
    record::Time,
    stdio::{self, AtHand},
};

/// What was at hand in a pipe has been read when nothing has come for so long, or when for so long the records came no
/// faster than things happen.
const WHILE: Duration = Duration::from_secs(3);
/// Up to so many times as fast as it happened is no faster: the times of records are those of several boards. What is
/// reconstructed of a journal comes 20 times faster and more.
const FASTER: f64 = 4.0;

/// What has come of records.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Heard {
    /// So many lines.
    pub lines: u64,
    /// The time of the last one that has a time.
    pub time: Option<Time>,
}

/// What stood there at the start.
pub(super) struct Earlier {
    /// None when there was nothing, or nothing of it needs to stay.
    stands: Option<PathBuf>,
    pace: Option<Pace>,
}

impl Earlier {
    /// What stands at these paths, files or folders.
    pub fn new<'a>(mut paths: impl Iterator<Item = &'a PathBuf>) -> Earlier {
        Earlier { stands: paths.find(|path| holds_something(path)).cloned(), pace: None }
    }

    /// Asked whenever the input has run empty: how long it stays at least; none when it may be replaced from now on.
    pub fn stays(&mut self, heard: Heard) -> Option<Duration> {
        self.stands.as_ref()?;
        let stays = match stdio::at_hand() {
            AtHand::More => Some(WHILE),
            AtHand::Pipe => Pace::wait(&mut self.pace, heard, Instant::now()),
            AtHand::Read => None,
        };
        if stays.is_none() {
            self.stands = None;
        }
        stays
    }

    /// The reading has ended: whether what stands there is left as it was, which is said.
    pub fn is_left(&self) -> bool {
        let Some(path) = self.stands.as_ref().filter(|_| stdio::at_hand() != AtHand::Read) else {
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

/// How fast records come.
struct Pace {
    /// So many lines have come, the last of them by then.
    lines: u64,
    last: Instant,
    /// When it was last looked at how fast they come, and the time of the last record then.
    looked: (Instant, Option<Time>),
}

impl Pace {
    /// How long it may still be that they are of what was at hand; none when they are not.
    fn wait(pace: &mut Option<Pace>, heard: Heard, now: Instant) -> Option<Duration> {
        let begin = || Pace { lines: heard.lines, last: now, looked: (now, heard.time) };
        let Pace { lines, last, looked } = pace.get_or_insert_with(begin);
        // Without a game there are at most tables that wait for one, and these are no reason to give up what stands there.
        if heard.lines == 0 {
            return Some(WHILE);
        }
        if std::mem::replace(lines, heard.lines) != heard.lines {
            *last = now;
        }
        let (began, time) = *looked;
        let took = now.saturating_duration_since(began);
        if took >= WHILE {
            let as_it_happens =
                |(from, to): (Time, Time)| from.seconds_until(to).abs() <= took.as_secs_f64() * FASTER;
            if time.zip(heard.time).is_some_and(as_it_happens) {
                return None;
            }
            *looked = (now, heard.time);
        }
        let left = |since: Instant| WHILE.saturating_sub(now.saturating_duration_since(since));
        Some(left(*last)).filter(|left| !left.is_zero()).map(|rest| rest.min(left(looked.0)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether what stands there stays after each of these looks: when, how many lines have come, the time of the last.
    fn stays(looks: &[(u64, u64, Option<i64>)]) -> Vec<bool> {
        let (mut pace, began) = (None, Instant::now());
        let look = |&(second, lines, time): &(u64, u64, Option<i64>)| {
            let heard = Heard { lines, time: time.map(|second| Time(second * 1000)) };
            Pace::wait(&mut pace, heard, began + Duration::from_secs(second)).is_some()
        };
        looks.iter().map(look).collect()
    }

    #[test]
    fn what_comes_faster_than_it_happened_was_at_hand() {
        // An hour in six seconds; then a move every other second; the hall's clock is not that of this machine.
        let looks = [(0, 1, Some(0)), (3, 900, Some(1800)), (6, 1800, Some(3600)), (8, 1801, Some(3602))];
        assert_eq!(stays(&looks), [true; 4]);
        assert!(!stays(&[&looks[..], &[(9, 1802, Some(3605))]].concat())[4]);
        // Another journal behind the first goes back by an hour.
        assert_eq!(stays(&[(0, 1, Some(3600)), (3, 900, Some(0)), (4, 901, Some(1))]), [true; 3]);
        // Games of files have no times.
        assert_eq!(stays(&[(0, 1, None), (3, 900, None), (6, 1800, None)]), [true; 3]);
    }

    #[test]
    fn a_pipe_that_is_quiet_holds_no_more() {
        assert_eq!(stays(&[(0, 900, Some(0)), (2, 900, Some(0)), (3, 900, Some(0))]), [true, true, false]);
        assert_eq!(
            stays(&[(0, 0, None), (2, 9, None), (4, 9, None), (5, 9, None)]),
            [true, true, true, false]
        );
        // One of which nothing has come has not begun.
        assert_eq!(stays(&[(0, 0, None), (60, 0, None)]), [true, true]);
    }

    #[test]
    fn a_hall_at_play_is_never_quiet_and_is_written_all_the_same() {
        let looks: Vec<_> = (0..4).map(|second| (second, second * 30, Some(second as i64))).collect();
        assert_eq!(stays(&looks), [true, true, true, false]);
    }
}
