//! The numbers of tries and the waits between them, all in one place, since they depend on each other: every try on a bus
//! delays all other boards.

use std::time::Duration;

use crate::stop;

/// Visits in a row without an answer after which a board counts as lost: noise sometimes destroys one answer, and a busy
/// host may miss two.
pub const LOST_AFTER: u32 = 3;

/// Tries of a ping, or of another command of a search, before the board counts as absent.
pub const DISCOVERY: usize = 3;
/// Tries of a short question by a boardbus command that asks once and ends,
pub const QUESTION: usize = 4;
/// and of one with a long answer, which noise damages more easily.
pub const LONG_QUESTION: usize = 9;
/// Tries of a question to a board alone on its cable, where no other board makes noise.
pub const ALONE: usize = 3;
/// Tries of REPEAT_CHANGES in one visit; the next visit continues.
pub const REPEATS: usize = 3;
/// Visits in a row in which a board answers a ping and not the command, after which it counts as one that never answers
/// the command: some boards do not answer when they have nothing to send.
pub const IN_VAIN: u32 = 3;
/// Visits in which the log of a board came damaged, after which only its position is used.
pub const LOG_VISITS: u32 = 9;

/// The time after which a board that sent no dumps is asked for one again, in case the line was the cause.
pub const NO_DUMP: Duration = Duration::from_secs(120);

/// A silent board is asked again after half a second, a second and so on, and every 8 s in the end.
pub const SILENT_BOARD: Duration = Duration::from_secs(8);
/// A port that went away is opened again after a quarter of a second, and every 2 s in the end.
pub const CLOSED_PORT: Duration = Duration::from_secs(2);

/// The wait after this number of failures in a row: it doubles with each, up to the longest.
pub fn wait(failures: u32, longest: Duration) -> Duration {
    const FIRST: Duration = Duration::from_millis(250);
    (FIRST * 2u32.saturating_pow(failures.min(10))).min(longest)
}

/// Asks up to `tries` times, until there is an answer or a signal.
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
