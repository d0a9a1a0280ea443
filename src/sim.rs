//! The other side of the line: simulated boards, on which simulated players play given games.
//!
//! It is here so that all the rest can be tried without boards, with every kind of hands and every trouble, and so
//! that what was played is known for certain. The physics are those of real boards and hands: how fast, how often and how
//! untidily stands in [`profile`].
//!
//! **A game becomes hands.** A [`planned_game`] says of each ply what is lifted and what is put down, and what might
//! have been played instead. A [`simulated_player`] plays a ply as a [`gesture`]: which square has what above it,
//! when, from the first lift on; sliding, resting, knocking over, after the figures of a [`profile`]. A
//! [`simulated_game`] sets gesture after gesture into the time of the game, by the [`clock`] beside the board;
//! [`between_games`] sets the pieces up, shows the result and looks at the game again. A [`board_fault`] is between the hands
//! and the sensors.
//!
//! **Hands become sensor changes.** The [`scanner`] samples the squares one by one, four to five times a second, and
//! so sees some visits late, some in another order and some never. A [`simulated_day`] puts all of this together:
//! a [`round`] goes in, a [`played_round`] comes out, with every signal that reaches the board's electronics.
//!
//! **Signals become records, or bytes.** The short way leaves the wire out: a [`polled_board`] records what a host
//! would that polls it, a [`polled_hall`] many of them in order of time. The long way is the wire: [`firmware`]
//! answers commands and writes its log into a [`ring`], with the [`marks`] it sets by itself; a [`reporting_board`] sends
//! whole positions as [`millennium`] or [`chessnut`] do. What all [`electronics`] do is the same for a [`simulated_board`],
//! which brings its day into the line's time; a [`shared_line`] carries the bytes of all of them, with noise, losses and
//! replies that overlap; [`line_setup`] sets a hall up on it, and [`pty`] plays it on a pseudo-terminal, or on a
//! [`hid_socket`] that stands for a hidraw device.
//!
//! Each step is a pure function of the one before and of a seed ([`random`]): the same arguments give the same bytes.
//! Time is simulated; only [`pty`] reads the machine's clock, and does I/O with [`hid_socket`]. Only commands, and the project's own
//! measuring, may enter. The room knows `wire`, `rules`, `draughts` and `record`, never the master of the line: a
//! mistake shared with `bus` would hide in both.

pub mod between_games;
pub mod board_fault;
pub mod certabo;
pub mod chessnut;
pub mod clock;
pub mod electronics;
pub mod firmware;
pub mod gesture;
pub mod hid_socket;
pub mod line_setup;
pub mod marks;
pub mod millennium;
pub mod planned_game;
pub mod played_round;
pub mod polled_board;
pub mod polled_hall;
pub mod profile;
pub mod pty;
pub mod random;
pub mod reporting_board;
pub mod ring;
pub mod round;
pub mod scanner;
pub mod shared_line;
pub mod simulated_board;
pub mod simulated_day;
pub mod simulated_game;
pub mod simulated_player;

/// Microseconds since the hall opened, or between two moments.
pub type Micros = u64;

/// A second in microseconds.
pub const SECOND: Micros = 1_000_000;

/// How long a board is without power when it loses it, in seconds.
const POWER_CUT: (f64, f64) = (3.0, 8.0);

/// A number of seconds in microseconds; negative ones count as none.
pub fn seconds(s: f64) -> Micros {
    (s * SECOND as f64) as Micros
}
