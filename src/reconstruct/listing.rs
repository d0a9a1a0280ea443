//! A board's own list of its pieces, which comes in one by one behind its mark.
//!
//! For whoever needs to know how a board stands: half a list is no position.

use crate::record::{Change, MarkKind, Placement};

/// What a list has named so far.
#[derive(Debug, Clone, Copy)]
pub struct Listing {
    /// The mark behind which it stands.
    pub mark: MarkKind,
    /// The pieces that it has named.
    pub pieces: Placement,
}

impl Listing {
    /// The list behind this mark, of which nothing came in yet.
    pub fn of(mark: MarkKind) -> Listing {
        Listing { mark, pieces: Placement::EMPTY }
    }

    /// Whether a change belongs to the list, which names each square once, and no empty one.
    pub fn goes_on_with(&self, change: &Change) -> bool {
        change.piece.is_some() && self.pieces.get(change.square).is_none()
    }

    /// Takes a change in, if it belongs to the list.
    pub fn takes(&mut self, change: &Change) -> bool {
        let belongs = self.goes_on_with(change);
        if belongs {
            self.pieces.set(change.square, change.piece);
        }
        belongs
    }
}
