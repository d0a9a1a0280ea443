//! A gesture: which squares have what above them, when, from a hand's first lift on.
//!
//! It knows no clock and no other hand: [`SimulatedPlayer`](super::simulated_player::SimulatedPlayer) makes it, a
//! [`SimulatedGame`](super::simulated_game::SimulatedGame) sets it into the game's time.

use super::Micros;
use crate::record::{Piece, Square};

/// A square's sensor has something else above it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Touch {
    /// When.
    pub at: Micros,
    /// Where.
    pub square: Square,
    /// What stands there from now on.
    pub piece: Option<Piece>,
}

/// What a hand does from its first lift on; times count from there.
#[derive(Debug, Clone, Default)]
pub struct Gesture {
    /// In order of time.
    pub touches: Vec<Touch>,
    /// When the last piece of the move stands: the hand goes to the clock.
    pub landed: Micros,
    /// When nothing is left to be put right.
    pub free: Micros,
    /// Captured men of draughts that nobody thinks of taking off.
    pub forgotten: Vec<Square>,
}

impl Gesture {
    /// A piece is taken off the board.
    pub fn taking_off(square: Square) -> Gesture {
        let mut gesture = Gesture::default();
        gesture.put(0, square, None);
        gesture.settle(0)
    }

    /// Something comes to stand above a square, or leaves it.
    pub(super) fn put(&mut self, at: Micros, square: Square, piece: Option<Piece>) {
        self.touches.push(Touch { at, square, piece });
    }

    /// Whether the hand touches this square.
    pub(super) fn touches_square(&self, square: Square) -> bool {
        self.touches.iter().any(|t| t.square == square)
    }

    /// The gesture with its touches in order: the last piece of the move stands at `landed`.
    pub(super) fn settle(mut self, landed: Micros) -> Gesture {
        self.touches.sort_by_key(|t| t.at);
        self.landed = landed;
        self.free = self.touches.last().map_or(landed, |t| t.at.max(landed));
        self
    }

    /// Appends what is done after this gesture and a pause.
    pub(super) fn then(mut self, pause: Micros, next: Gesture) -> Gesture {
        let from = self.free + pause;
        self.touches.extend(next.touches.into_iter().map(|t| Touch { at: t.at + from, ..t }));
        self.landed = next.landed + from;
        self.free = next.free + from;
        self.forgotten.extend(next.forgotten);
        self
    }
}
