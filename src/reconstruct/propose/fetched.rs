//! The piece for a pawn on the last rank is put on the board, after the promotion was published as a queen.
//!
//! A pawn that is left there may stand for a queen, and the other side may have replied by then, though a queen would
//! give mate or check. Then the reply explains nothing until the other piece is there.

use std::rc::Rc;

use super::{Expansion, Proposer};
use crate::{
    reconstruct::{
        costs::Deviation,
        hypothesis::Hypothesis,
        limits,
        observe::event::Event,
        tree::{node::Node, position::Position},
    },
    rules::{Candidate, Game, bit},
};

/// See the module.
pub struct Fetched;

impl<G: Game> Proposer<G> for Fetched {
    fn propose(&self, expansion: &mut Expansion<G>, parent: &Hypothesis<G>, event: &Event) {
        let (node, square) = (&parent.node, bit(event.square));
        if event.new == 0 || node.to != event.square || !node.is_unshown() {
            return;
        }
        let Some(before) = &node.parent else { return };
        let position = Position::new(before.game.clone());
        let fetched = |mv: &Candidate<G::Move>| {
            mv.changed == node.changed && mv.to == node.to && mv.code_at(mv.to) == Some(event.new)
        };
        let Some(other) = position.moves().find(fetched) else { return };
        if !expansion.rulings.allow_move(node.ply, &before.game, &other) {
            return;
        }
        let after = position.after(&other);
        let mut promoted = Node::child(before, &other, &after, node.completed_by, false);
        (promoted.hand, promoted.cost) = (node.hand, node.cost);
        promoted.charges.clone_from(&node.charges);
        let mut child = parent.back_at(Rc::new(promoted), parent.account().clone());
        child.charge_times(Deviation::ChangedFor, 1.0);
        child.mismatched = parent.mismatched & !square;
        child.unexplained = parent.unexplained.iter().filter(|e| e.square != event.square).copied().collect();
        if expansion.is_hopeless(child.cost()) {
            return;
        }
        // The reply may be complete.
        expansion.complete(&child, event, !0, limits::CHAIN_MAX_MOVES);
        expansion.add(child);
    }
}
