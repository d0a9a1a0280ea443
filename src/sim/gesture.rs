//! A gesture: the touches of squares by one hand, with times from its first lift on.
//!
//! It is independent of the clock and of the other hand. [`SimulatedPlayer`](super::simulated_player::SimulatedPlayer) makes
//! it, [`SimulatedGame`](super::simulated_game::SimulatedGame) places it in the time of the game.

use super::Micros;
use crate::record::{Piece, Square};

/// The piece above a square's sensor changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Touch {
    /// When.
    pub at: Micros,
    /// Where.
    pub square: Square,
    /// The piece there from now on.
    pub piece: Option<Piece>,
}

/// The touches of a hand; times count from its first lift.
#[derive(Debug, Clone, Default)]
pub struct Gesture {
    /// In order of time.
    pub touches: Vec<Touch>,
    /// When the last piece of the move is put down, and the hand goes to the clock.
    pub landed: Micros,
    /// When nothing is left to be put right.
    pub free: Micros,
    /// Captured men of draughts that are forgotten on the board.
    pub forgotten: Vec<Square>,
}

impl Gesture {
    /// A piece is taken off the board.
    pub fn taking_off(square: Square) -> Gesture {
        let mut gesture = Gesture::default();
        gesture.put(0, square, None);
        gesture.settle(0)
    }

    /// Adds a touch.
    pub(super) fn put(&mut self, at: Micros, square: Square, piece: Option<Piece>) {
        self.touches.push(Touch { at, square, piece });
    }

    /// Whether the hand touches this square.
    pub(super) fn touches_square(&self, square: Square) -> bool {
        self.touches.iter().any(|t| t.square == square)
    }

    /// The gesture with its touches in order; the last piece of the move is put down at `landed`.
    pub(super) fn settle(mut self, landed: Micros) -> Gesture {
        self.touches.sort_by_key(|t| t.at);
        self.landed = landed;
        self.free = self.touches.last().map_or(landed, |t| t.at.max(landed));
        self
    }

    /// Appends another gesture after a pause.
    pub(super) fn then(mut self, pause: Micros, next: Gesture) -> Gesture {
        let from = self.free + pause;
        self.touches.extend(next.touches.into_iter().map(|t| Touch { at: t.at + from, ..t }));
        self.landed = next.landed + from;
        self.free = next.free + from;
        self.forgotten.extend(next.forgotten);
        self
    }
}
