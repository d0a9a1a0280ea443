//! Men of draughts that are given and taken at once: the reply's capture hides the move before it.
//!
//! The captor lifts the man from the square on which it has just landed and may itself land where that man, or one
//! that it captured, had stood. So of the first move's squares the board need never have shown one as it left it;
//! after both moves each square reads as the second leaves it, or else as the first does. In an exchange two such
//! moves may be hidden by the third, or the captor may have come to where it captured from unseen.

use super::{costs, event::Event, hypothesis::Hypothesis, search::Search};
use crate::rules::{Candidate, Colour, Game, Squares, bit, squares};

/// How many moves in a row may be hidden.
const HIDDEN: usize = 2;

impl<G: Game> Search<G> {
    /// Adds the hypotheses in which `event` completes a capture of a man whose own move nobody saw.
    pub(super) fn expand_exchanges(&mut self, parent: &Hypothesis<G>, event: &Event, best: f32) {
        if G::JUMPS && parent.rank() <= best + costs::EXCHANGE_WITHIN && parent.mismatched.count_ones() >= 2 {
            self.expand_hidden(parent, event, 0, HIDDEN);
        }
    }

    /// The first of the moves that are left: all its squares read right but those that the reply may have changed.
    /// The moves after it must account for the squares that are `open`.
    fn expand_hidden(&mut self, parent: &Hypothesis<G>, event: &Event, open: Squares, left: usize) {
        let clock = self.clock_in_use();
        for (number, first) in parent.moves().iter().enumerate() {
            if !first.vanishes_when_captured
                || bit(first.from) & parent.mismatched == 0
                || !self.may_be_hidden(parent, first)
            {
                continue;
            }
            let mut between = parent.apply_move(number, event, &self.seen.board, clock);
            between.cost += costs::EXCHANGE;
            for at in squares(first.changed & !between.captured_standing) {
                if self.seen.board[at as usize] != between.expected(at) {
                    between.mismatched |= bit(at);
                }
            }
            for (number, second) in between.moves().iter().enumerate() {
                if second.captured_standing & bit(first.to) != 0
                    && between.is_complete(second, &self.seen.board)
                {
                    let child = between.apply_move(number, event, &self.seen.board, clock);
                    if child.mismatched & (open | first.changed) == 0 {
                        self.expand(&child, event, !0, 1);
                        self.children.push(child);
                    }
                }
            }
            if left > 1 {
                self.expand_hidden(&between, event, open | bit(first.to), left - 1);
            }
        }
    }

    /// Whether each square of a move reads as the move leaves it, or as a capture of the moved man may.
    fn may_be_hidden(&self, parent: &Hypothesis<G>, first: &Candidate<G::Move>) -> bool {
        let reply = parent.node.game.turn().other();
        !parent.is_complete(first, &self.seen.board)
            && first.changes().all(|(at, code)| {
                let stands = self.seen.board[at as usize];
                stands == code || at == first.to || Colour::of(stands) == Some(reply)
            })
    }
}
