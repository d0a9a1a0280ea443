//! Who sits at which side of the clock: nothing but the presses says whether it stands the other way round.
//!
//! For the search, which asks it at every press.

use crate::{reconstruct::limits, rules::Colour};

/// See the module.
#[derive(Debug, Clone, Copy, Default)]
pub struct ClockSides {
    /// The players sit at the other sides than the presses say.
    pub swapped: bool,
    /// Whose piece the last change since the last press was about.
    moved: Option<Colour>,
    /// Presses of the side that had just moved a piece, less those of the other side.
    balance: i8,
}

impl ClockSides {
    /// A piece of this side was seen to move.
    pub fn moved(&mut self, side: Option<Colour>) {
        self.moved = side;
    }

    /// A press that is told of this side: whose it is.
    pub fn pressed(&mut self, side: Colour) -> Colour {
        if let Some(moved) = self.moved.take() {
            let step = if moved == side { 1 } else { -1 };
            self.balance = (self.balance + step).clamp(-2 * limits::SURE_OF_SIDES, 2 * limits::SURE_OF_SIDES);
        }
        if self.swapped { side.other() } else { side }
    }

    /// The presses spoke for another way than the moves do.
    pub fn undecided(&mut self) {
        self.balance = 0;
    }

    /// Whether they are swapped, as far as the presses say so.
    pub fn seem_swapped(&self) -> bool {
        match self.balance {
            limits::SURE_OF_SIDES.. => false,
            balance if balance <= -limits::SURE_OF_SIDES => true,
            _ => self.swapped,
        }
    }
}
