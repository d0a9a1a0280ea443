//! The other side of the line: simulated boards, on which simulated players play given games.
//!
//! With it everything else can be tested without boards, for every kind of play and of fault, and with certain knowledge
//! of the moves that were played. Times and frequencies are those of real boards and hands; they are in [`profile`].
//!
//! **From games to touches.** A [`planned_game`] has for each ply the squares that it touches, and alternatives that could
//! have been played. A [`simulated_player`] plays a ply as a [`gesture`]: the touches of squares from the first lift on, with
//! slides, rests and knocked pieces at the frequencies of a [`profile`]. A [`simulated_game`] places the gestures in the time
//! of the game, by its [`clock`]; [`between_games`] sets the pieces up, shows the result and analyses the game. A
//! [`board_fault`] changes the touches before the sensors.
//!
//! **From touches to sensor changes.** The [`scanner`] samples the squares one by one, four to five times a second, so it
//! sees some touches late, some in another order and some never. A [`simulated_day`] combines all of this: it plays a
//! [`round`] and returns a [`played_round`] with every signal to the board's electronics.
//!
//! **From signals to records, or to bytes.** Without a wire, a [`polled_board`] makes the records of a host that polls it,
//! and a [`polled_hall`] merges those of many boards in order of time. With a wire, [`firmware`] answers commands and writes
//! its log into a [`ring`], with the [`marks`] that boards write by themselves; a [`reporting_board`] sends whole positions
//! like [`millennium`], [`chessnut`] or [`certabo`]. A [`simulated_board`] joins any [`electronics`] with its day, in the
//! time of the line; a [`shared_line`] transfers the bytes of all boards, with noise, losses and replies that overlap;
//! [`line_setup`] sets up a hall on it, and [`pty`] offers it on a pseudo-terminal, or on a [`hid_socket`] in place of a
//! hidraw device.
//!
//! Each step is a pure function of the one before and of a seed ([`random`]): the same arguments give the same bytes. Time
//! is simulated; only [`pty`] reads the machine's clock, and only [`pty`] and [`hid_socket`] do I/O. Only commands and the
//! project's measurements use this room. It uses `wire`, `rules`, `draughts` and `record`, never `bus`: a mistake in shared
//! code would not be found.

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

/// The length of a power cut, in seconds.
const POWER_CUT: (f64, f64) = (3.0, 8.0);

/// A number of seconds in microseconds; negative ones count as none.
pub fn seconds(s: f64) -> Micros {
    (s * SECOND as f64) as Micros
}
