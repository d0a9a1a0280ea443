//! The other side of the line: boards on which simulated people play given games.
//!
//! First the hall without its wire, each step a pure function of the one before and of a seed:
//! a [`game`] to be played, the [`hands`] that play it (after a [`profile`]), the [`scanner`] that sees them,
//! the [`clock`] beside the board; a [`table`] puts these together into what its board logs, round after round,
//! and a [`recorder`] tells that log as board records, as if polled.
//!
//! Time is simulated: microseconds since the hall opened. Nothing here reads the machine's clock or does I/O.
//! Only commands (and the project's own measuring) may enter. The room knows `wire` and `record`, never the
//! master of the line: a mistake shared with `bus` would hide in both.

pub mod clock;
pub mod game;
pub mod hands;
pub mod marks;
pub mod profile;
pub mod random;
pub mod recorder;
pub mod scanner;
pub mod setting;
pub mod table;

/// Microseconds since the hall opened.
pub type Instant = u64;

/// A second as [`Instant`]s count.
pub const SECOND: Instant = 1_000_000;

/// A number of seconds as [`Instant`]s count; negative ones count as none.
pub fn seconds(s: f64) -> Instant {
    (s * SECOND as f64) as Instant
}
