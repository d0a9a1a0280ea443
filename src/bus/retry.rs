//! How often what is asked again, and how long what is silent is left alone: all of it here, so that it can be weighed
//! together. Every try on a bus is time that all other boards wait.

use std::time::Duration;

use crate::stop;

/// Visits in a row without an answer after which a board counts as lost: noise takes one now and then, and a host that
/// is busy elsewhere two.
pub const LOST_AFTER: u32 = 3;

/// How often a ping, or what is asked of a board that has just been found, is sent before the board counts as absent.
pub const DISCOVERY: usize = 3;
/// How often a command that asks and ends sends a short question,
pub const QUESTION: usize = 4;
/// and one with a long answer, which noise spoils more easily.
pub const LONG_QUESTION: usize = 9;
/// How often a board alone on its cable is asked: nobody else makes noise there.
pub const ALONE: usize = 3;
/// How often a packet of changes is asked for again in one visit; the next visit goes on.
pub const REPEATS: usize = 3;
/// Visits in a row in which a board answers a ping and not the question before it counts as one that does not answer
/// that: boards differ in what they say when they have nothing to say.
pub const IN_VAIN: u32 = 3;
/// Visits for the log of a board that did not bring it whole before its position alone must do.
pub const LOG_VISITS: u32 = 9;

/// A board that sends no dumps is asked for one again after so long: perhaps it was the line.
pub const NO_DUMP: Duration = Duration::from_secs(120);

/// A silent board is asked again after half a second, a second and so on, and every 8 s in the end.
pub const SILENT_BOARD: Duration = Duration::from_secs(8);
/// A port that went away is opened again after a quarter of a second, and every 2 s in the end.
pub const CLOSED_PORT: Duration = Duration::from_secs(2);

/// The wait after so many failures in a row: it doubles with each, up to the longest.
pub fn wait(failures: u32, longest: Duration) -> Duration {
    const FIRST: Duration = Duration::from_millis(250);
    (FIRST * 2u32.saturating_pow(failures.min(10))).min(longest)
}

/// Asks until there is an answer, a signal comes, or it was asked so many times.
pub fn until_answered<T, E>(
    tries: usize,
    mut ask: impl FnMut() -> Result<Option<T>, E>,
) -> Result<Option<T>, E> {
    for _ in 0..tries {
        if let Some(answer) = ask()? {
            return Ok(Some(answer));
        }
        if stop::requested().is_some() {
            break;
        }
    }
    Ok(None)
}
