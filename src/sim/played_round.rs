//! A round that was played: all signals that reach the board's electronics, with their times.
//!
//! A [`SimulatedDay`](super::simulated_day::SimulatedDay) makes it; a polled board, or one on a line, reports it.

use super::{Micros, clock::ClockFace, scanner::SquareChange};
use crate::record::Side;

/// A signal to a board's electronics.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Signal {
    /// The scanner found a square changed.
    Change(SquareChange),
    /// A side's clock was halted.
    Press {
        /// When.
        at: Micros,
        /// Whose clock.
        side: Side,
        /// The whole seconds that it showed then.
        seconds: f64,
    },
}

impl Signal {
    /// When it comes.
    pub fn at(&self) -> Micros {
        match *self {
            Signal::Change(SquareChange { at, .. }) | Signal::Press { at, .. } => at,
        }
    }
}

/// A round, from setting up to the last touch after the game.
#[derive(Debug, Clone, Default)]
pub struct PlayedRound {
    /// All signals, in order of time.
    pub signals: Vec<Signal>,
    /// The displays of the clock, in order of time; none without a clock.
    pub clock_faces: Vec<ClockFace>,
    /// When the clock was removed, and whether the board reports that.
    pub clock_gone: Option<(Micros, bool)>,
    /// When the pieces were set up.
    pub ready: Micros,
    /// When the last piece of each ply landed.
    pub landings: Vec<Micros>,
    /// When the clock was pressed after each ply; none without a clock, or if the board did not detect it.
    pub noticed: Vec<Option<Micros>>,
    /// When the game was over.
    pub over: Micros,
    /// When the round was over, with everything after the game.
    pub ended: Micros,
    /// How often a piece on the board was not seen, because of a fault.
    pub unseen: usize,
}
