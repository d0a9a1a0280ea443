//! A legal move is complete: all its squares read right, and the change touched one of them.

use super::{Expansion, Proposer};
use crate::{
    reconstruct::{hypothesis::Hypothesis, limits, observe::event::Event},
    rules::{Game, Squares, bit},
};

/// See the module.
pub struct LegalMoves;

impl<G: Game> Proposer<G> for LegalMoves {
    fn propose(&self, expansion: &mut Expansion<G>, parent: &Hypothesis<G>, event: &Event) {
        // Unseen changes have no order, so no chain of moves is tried: one may have been hidden before the seen ones.
        let in_order = parent.unexplained.iter().all(|e| e.seen);
        let (touched, chain) = match in_order {
            true => (bit(event.square), limits::CHAIN_MAX_MOVES),
            false if event.seen => (!0, 1),
            false => (bit(event.square), 0),
        };
        expansion.complete(parent, event, touched, chain);
    }
}

impl<G: Game> Expansion<G> {
    /// Makes a child for every legal move whose squares all read right and one of which is `touched`, and for up to
    /// `chain` moves after it.
    pub fn complete(&mut self, parent: &Hypothesis<G>, event: &Event, touched: Squares, chain: usize) {
        // A move to or from a dead square shows on one square; so does one to a square with a captured man.
        let few = (parent.mismatched | parent.captured_standing).count_ones() < 2;
        if few && (parent.mismatched == 0 || parent.position.game.dead() == 0) {
            return;
        }
        for candidate in parent.nearly_complete(&self.state, touched) {
            // A square that is ignored after a ruling makes no move by itself.
            if candidate.changed & touched == 0 || candidate.changed & parent.mismatched == 0 {
                continue;
            }
            if parent.is_complete(&candidate, &self.state) {
                let child =
                    self.played(parent, &candidate, event, 0.0).and_then(|child| self.as_ruled(child));
                let Some(child) = child.filter(|child| !self.is_hopeless(child.cost())) else { continue };
                if chain > 0 {
                    self.complete(&child, event, !0, chain - 1);
                }
                self.add(child);
            }
        }
    }
}
