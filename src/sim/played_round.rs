//! What came of a round that was played: all that reaches the board's electronics, and when.
//!
//! A [`SimulatedDay`](super::simulated_day::SimulatedDay) makes it; a board that is polled, and one on a line, tell it.

use super::{Micros, clock::ClockFace, scanner::SquareChange};
use crate::record::Side;

/// Something that reaches a board's electronics.
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
        /// The whole seconds it showed then.
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

/// A round, from the set-up to the last piece pushed about after it.
#[derive(Debug, Clone, Default)]
pub struct PlayedRound {
    /// All that reaches the board, in order of time.
    pub signals: Vec<Signal>,
    /// The clock, in order of time; none without one.
    pub clock_faces: Vec<ClockFace>,
    /// From when on there is no clock any more, and whether the board reports that.
    pub clock_gone: Option<(Micros, bool)>,
    /// When the pieces stood ready.
    pub ready: Micros,
    /// When the last piece of each ply landed.
    pub landings: Vec<Micros>,
    /// When the clock was pressed after each ply; none where there is no clock, or the board did not notice.
    pub noticed: Vec<Option<Micros>>,
    /// When the game was over.
    pub over: Micros,
    /// When nothing more happens.
    pub ended: Micros,
    /// How often something that stood on the board was not to be seen, because the board or the piece ails.
    pub unseen: usize,
}
