//! One board in single-board mode: alone on its cable, USB or Bluetooth mostly, it tells of itself.
//!
//! Such a board says what it sees at once (UPDATE_NICE) and has neither address nor checksum in its messages. What
//! it said while nobody listened is in its log, as on a bus, and its position shows whether there was anything.
//!
//! * [`cable`]: commands out, answers found among what the board tells unasked.
//! * [`once`]: single questions, for commands that ask and end.
//! * [`story`]: what a log says of the game in play.
//! * [`watch`]: follows the board.

pub mod cable;
pub mod once;
pub mod story;
pub mod watch;

use super::{
    exchange::Line,
    link::{Gone, Link},
    once as bus,
};

/// Whether a board alone answers on this link, and none of those `expected` on a bus.
pub fn alone<L: Link>(link: L, expected: &[u16]) -> (L, bool) {
    let mut line = Line::new(link);
    let any = expected.iter().any(|&board| bus::answers(&mut line, board) == Ok(true));
    let mut cable = cable::Cable::new(line.link);
    let there: Result<_, Gone> = if any { Ok(None) } else { once::greet(&mut cable) };
    (cable.link, matches!(there, Ok(Some(_))))
}

#[cfg(test)]
mod desk;
#[cfg(test)]
mod tests;
