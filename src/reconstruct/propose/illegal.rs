//! An illegal move was pressed and is put back: all squares read again as before it.
//!
//! The mismatched squares, while the clock was pressed and the arbiter came, cost no more than the price of the illegal
//! move. Neither press belongs to a move: its own, and the one by which the other player gave the move back.

use super::{Expansion, Proposer};
use crate::{
    reconstruct::{hypothesis::Hypothesis, observe::event::Event},
    rules::{Colour, Game},
};

/// See the module.
pub struct PutBack;

impl<G: Game> Proposer<G> for PutBack {
    fn propose(&self, expansion: &mut Expansion<G>, parent: &Hypothesis<G>, _: &Event) {
        let Some(paid) = parent.illegal().filter(|_| parent.mismatched == 0) else {
            return;
        };
        let mover = parent.node.game.turn();
        let own =
            |e: &&Event| e.new == 0 && Colour::of(e.old) == Some(mover) && parent.expected(e.square) == e.old;
        let Some(lift) = parent.unexplained.iter().find(own) else { return };
        let mut after = parent.unexplained.iter().filter(|e| e.index > lift.index && e.square != lift.square);
        if after.any(|e| e.new == lift.old && !parent.position.leads(lift.square, e.square)) {
            let put_back = parent.put_back(paid, lift.index);
            if !expansion.is_hopeless(put_back.cost()) {
                expansion.add(put_back);
            }
        }
    }
}
