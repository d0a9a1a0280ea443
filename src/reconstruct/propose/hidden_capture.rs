//! Men of draughts that are given and taken at once: the reply's capture hides the move before it.
//!
//! The captor lifts the man from the square on which it has just landed, and may itself land where that man, or one
//! that it captured, had stood. So the board need not have shown any square of the first move as that left it; after
//! both moves each square reads as the second leaves it, or else as the first does. In an exchange two such moves may
//! be hidden by the third, or the captor may have reached its start unseen.

use super::{Expansion, Proposer};
use crate::{
    reconstruct::{costs::Deviation, hypothesis::Hypothesis, limits, observe::event::Event},
    rules::{Candidate, Colour, Game, Squares, bit, squares},
};

/// See the module.
pub struct HiddenCaptures;

impl<G: Game> Proposer<G> for HiddenCaptures {
    fn propose(&self, expansion: &mut Expansion<G>, parent: &Hypothesis<G>, event: &Event) {
        if G::CAPTURES_BY_JUMPING && event.seen && parent.mismatched.count_ones() >= 2 {
            expansion.hidden_moves(parent, event, 0, limits::HIDDEN_MAX_MOVES);
        }
    }
}

impl<G: Game> Expansion<G> {
    /// The first of the moves that are left: all its squares read right except those that the reply may have changed.
    /// The moves after it have to explain the squares `open`.
    fn hidden_moves(&mut self, parent: &Hypothesis<G>, event: &Event, open: Squares, left: usize) {
        for first in parent.position.moves_from(parent.mismatched) {
            if !first.vanishes_when_captured || !self.may_be_hidden(parent, &first) {
                continue;
            }
            let Some(mut between) = self.played(parent, &first, event, Deviation::HiddenCapture.price())
            else {
                continue;
            };
            between.charge_move(&[(Deviation::HiddenCapture, 1.0)]);
            for at in squares(first.changed & !between.captured_standing) {
                if self.state.code(at) != between.expected(at) {
                    between.mismatched |= bit(at);
                }
            }
            for second in between.nearly_complete(&self.state, !0) {
                if second.captured_standing & bit(first.to) != 0 && between.is_complete(&second, &self.state)
                {
                    let Some(child) = self.played(&between, &second, event, 0.0) else { continue };
                    if child.mismatched & (open | first.changed) == 0 {
                        self.complete(&child, event, !0, 1);
                        self.add(child);
                    }
                }
            }
            if left > 1 {
                self.hidden_moves(&between, event, open | bit(first.to), left - 1);
            }
        }
    }

    /// Whether each square of a move reads as the move leaves it, or as a capture of the moved man may.
    fn may_be_hidden(&self, parent: &Hypothesis<G>, first: &Candidate<G::Move>) -> bool {
        let reply = parent.node.game.turn().other();
        let reads = |(at, code)| {
            let stands = self.state.code(at);
            stands == code || at == first.to || Colour::of(stands) == Some(reply)
        };
        !parent.is_complete(first, &self.state) && first.changes().all(reads)
    }
}
