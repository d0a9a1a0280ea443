//! The other side of the line: boards on which simulated people play given games.
//!
//! First the hall without its wire, each step a pure function of the one before and of a seed:
//! a [`game`] to be played, the [`hands`] that play it (after a [`profile`]), the [`scanner`] that sees them,
//! the [`clock`] beside the board; a [`table`] puts these together into what its board logs, round after round,
//! and a [`recorder`] tells that log as board records, as if polled.
//!
//! Then the wire: a [`board`] answers commands and keeps its log in a [`ring`], a [`seat`] brings its table into the
//! line's time, a [`hall`] fills a [`line`] with them, which carries the bytes of all of them, and [`pty`] plays it on a pseudo-terminal.
//!
//! Time is simulated: microseconds since the hall opened. Only [`pty`] reads the machine's clock and does I/O.
//! Only commands (and the project's own measuring) may enter. The room knows `wire` and `record`, never the
//! master of the line: a mistake shared with `bus` would hide in both.

pub mod board;
pub mod clock;
pub mod game;
pub mod hall;
pub mod hands;
pub mod line;
pub mod marks;
pub mod profile;
pub mod pty;
pub mod random;
pub mod recorder;
pub mod ring;
pub mod scanner;
pub mod seat;
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
