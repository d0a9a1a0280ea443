//! Men of draughts that are given and taken at once: the reply's capture hides the move before it.
//!
//! The captor lifts the man from the square on which it has just landed and may itself land where that man, or one
//! that it captured, had stood. So of the first move's squares the board need never have shown one as it left it;
//! after both moves each square reads as the second leaves it, or else as the first does.

use super::{
    costs,
    hypothesis::{Event, Hypothesis},
    search::{Search, squares},
};
use crate::rules::{Candidate, Colour, Game, bit};

/// Only hypotheses this close to the best are worth the search.
const WITHIN: f32 = 8.0;

impl<G: Game> Search<G> {
    /// Adds the hypotheses in which `event` completes a capture of a man whose own move nobody saw.
    pub(super) fn expand_exchanges(&mut self, parent: &Hypothesis<G>, event: &Event, best: f32) {
        if parent.rank() > best + WITHIN || parent.wrong.count_ones() < 2 {
            return;
        }
        let clock = self.clock_in_use();
        for first in parent.moves().iter() {
            if !first.passing || bit(first.from) & parent.wrong == 0 || !self.may_be_hidden(parent, first) {
                continue;
            }
            let mut between = parent.take(first, event, clock);
            for at in squares(first.own & !between.late) {
                if self.board[at as usize] != between.expected(at) {
                    between.wrong |= bit(at);
                }
            }
            for second in between.moves().iter() {
                if second.late & bit(first.to) != 0
                    && (first.own | second.own) & bit(event.square) != 0
                    && between.complete(second, &self.board)
                {
                    let mut child = between.take(second, event, clock);
                    child.cost += costs::EXCHANGE;
                    self.expand(&child, event, !0, 1);
                    self.fresh.push(child);
                }
            }
        }
    }

    /// Whether each square of a move reads as the move leaves it, or as a capture of the moved man may.
    fn may_be_hidden(&self, parent: &Hypothesis<G>, first: &Candidate<G::Move>) -> bool {
        let reply = parent.node.game.turn().other();
        !parent.complete(first, &self.board)
            && first.changes.iter().all(|&(at, code)| {
                let stands = self.board[at as usize];
                stands == code || at == first.to || Colour::of(stands) == Some(reply)
            })
    }
}
