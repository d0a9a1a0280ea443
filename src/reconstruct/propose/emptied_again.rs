//! A square that is empty is reported to become empty: a piece came there and left again.
//!
//! A board overwrites its last entry where the next one is of the same square, and so reports the second change only. A
//! piece that was lifted landed there, as its move or on its way, and went on or was captured. The beam uses this
//! instead of the other proposers, since the position has not changed.

use super::Expansion;
use crate::{
    reconstruct::{costs::Deviation, hypothesis::Hypothesis, limits, observe::event::Event},
    rules::{Game, bit},
};

impl<G: Game> Expansion<G> {
    /// Adds the hypotheses in which a piece of the side to move, which has left its square, ended its move on the
    /// square of `event` and has left that too.
    pub fn landed_and_left(&mut self, parent: &Hypothesis<G>, event: &Event) {
        let price = Deviation::EmptiedAgain.price();
        // On sound boards, too, men of draughts vanish from squares where they were not seen to land.
        if G::CAPTURES_BY_JUMPING
            || parent.rank() > self.cost_limit
            || self.is_hopeless(parent.cost() + price)
        {
            return;
        }
        let gone = self.left_by_mover(parent, parent.mismatched & !bit(event.square));
        for first in parent.position.moves_from(gone) {
            let others = |(at, code): (u8, u8)| at == first.to || parent.read_right(at, code, &self.state);
            if first.to != event.square
                || first.changed & !bit(first.to) & !parent.mismatched != 0
                || !first.changes().all(others)
            {
                continue;
            }
            let Some(mut child) = self.played(parent, &first, event, price) else { continue };
            child.charge_move(&[(Deviation::EmptiedAgain, 1.0)]);
            child.mismatched |= bit(first.to);
            // The reply may be complete.
            self.complete(&child, event, !0, limits::CHAIN_MAX_MOVES);
            self.add(child);
        }
    }
}
