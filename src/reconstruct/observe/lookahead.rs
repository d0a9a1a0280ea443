//! The pieces that come to squares after what is being heard: known only when the search goes back and hears the
//! same once more.

use super::{BoardState, Observation};
use crate::reconstruct::limits;

/// See the module.
#[derive(Debug, Default)]
pub struct Lookahead {
    /// In the order in which they come.
    landings: Vec<Landing>,
    /// The number of the change that was heard last, and how many of the landings were by then.
    now: u32,
    heard: usize,
    /// So many more moves may be thought of that no one saw land.
    pub left: u32,
}

#[derive(Debug)]
struct Landing {
    /// The number of the change.
    index: u32,
    square: u8,
    code: u8,
}

impl Lookahead {
    /// What comes after `state`.
    pub fn after<'a>(state: &BoardState, observations: impl Iterator<Item = &'a Observation>) -> Lookahead {
        let (mut state, now) = (*state, state.index);
        let mut landings = Vec::new();
        for observation in observations {
            if let Observation::Change { square, new, .. } = *observation
                && state.code(square) != new
            {
                let index = state.set(square, new, true, None).index;
                if new != 0 {
                    landings.push(Landing { index, square, code: new });
                }
            }
        }
        Lookahead { landings, now, heard: 0, left: limits::SPECULATIONS }
    }

    /// The change of this number is heard.
    pub fn hear(&mut self, index: u32) {
        self.now = index;
        self.heard += self.landings[self.heard..].iter().take_while(|l| l.index <= index).count();
    }

    /// Whether anything is known to come.
    pub fn is_known(&self) -> bool {
        !self.landings.is_empty()
    }

    /// Whether this piece comes to a square soon.
    pub fn lands(&self, square: u8, code: u8) -> bool {
        self.soon().any(|(at, landing)| at == square && landing == code)
    }

    /// Whether another piece comes to a square.
    pub fn is_taken(&self, square: u8, code: u8) -> bool {
        self.soon().any(|(at, landing)| at == square && landing != code)
    }

    /// The squares that pieces come to soon, with the pieces.
    pub fn soon(&self) -> impl Iterator<Item = (u8, u8)> {
        self.within(limits::WINDOW)
    }

    /// The same within so many changes.
    pub fn within(&self, changes: u32) -> impl Iterator<Item = (u8, u8)> {
        let last = self.now + changes;
        let soon = self.landings[self.heard..].iter().take_while(move |l| l.index <= last);
        soon.map(|l| (l.square, l.code))
    }
}
