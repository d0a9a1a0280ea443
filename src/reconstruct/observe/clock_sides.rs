//! Which player sits at which side of the clock: only the presses show whether it stands the other way round.
//!
//! The search asks at every press.

use crate::{reconstruct::limits, rules::Colour};

/// See the module.
#[derive(Debug, Clone, Copy, Default)]
pub struct ClockSides {
    /// The players sit at the other sides than the presses are labelled with.
    pub swapped: bool,
    /// The colour of the piece in the last change since the last press.
    moved: Option<Colour>,
    /// The number of presses by the side that had just moved, less those by the other side.
    balance: i8,
}

impl ClockSides {
    /// A piece of this side was seen to move.
    pub fn moved(&mut self, side: Option<Colour>) {
        self.moved = side;
    }

    /// The side that made a press labelled with `side`.
    pub fn pressed(&mut self, side: Colour) -> Colour {
        if let Some(moved) = self.moved.take() {
            let step = if moved == side { 1 } else { -1 };
            self.balance =
                (self.balance + step).clamp(-2 * limits::SIDES_BY_PRESSES, 2 * limits::SIDES_BY_PRESSES);
        }
        if self.swapped { side.other() } else { side }
    }

    /// Resets the balance: a replay did not confirm that the sides are swapped.
    pub fn undecided(&mut self) {
        self.balance = 0;
    }

    /// Whether the sides seem swapped, judged by the presses.
    pub fn seem_swapped(&self) -> bool {
        match self.balance {
            limits::SIDES_BY_PRESSES.. => false,
            balance if balance <= -limits::SIDES_BY_PRESSES => true,
            _ => self.swapped,
        }
    }
}
