//! A game that is resumed from the position on the board, to which no known moves lead: after a gap, after an illegal
//! move, or where it was lost.
//!
//! After a gap with too many moves to be bridged, moves that fit some of the squares are no explanation: which of them
//! were played, and in which order, nobody has seen.

use std::rc::Rc;

use super::state::{Gap, TrackedGame};
use crate::{
    reconstruct::{costs::Deviation, hypothesis::Hypothesis, limits, tree::node::Node},
    rules::{Colour, Game},
};

impl<G: Game> TrackedGame<G> {
    /// Resumes one of these games of before a gap, the best one first, from the position on the board, with either side to
    /// move, where unseen moves led to it that no bridge finds (yet). Pieces that are set up, or more pieces of a side than
    /// before, are of another game, and a game without moves has not begun.
    pub(super) fn resume_after_gap(&mut self, games: Vec<Hypothesis<G>>) {
        let Some(before) = games.first().filter(|game| game.node.ply > 0 && !self.is_being_set_up()) else {
            return;
        };
        let (board, turn) = (&self.search.state().board, before.node.game.turn());
        let number =
            |codes: &[u8; 64], side| codes.iter().filter(|&&code| Colour::of(code) == Some(side)).count();
        let stood = before.node.game.placement();
        if [turn, turn.other()].into_iter().any(|side| number(board, side) > number(stood.codes(), side)) {
            return;
        }
        let turns = [turn.other(), turn].into_iter();
        let resumed: Vec<_> = turns.filter_map(|turn| self.resumed(before, &before.node, turn)).collect();
        if resumed.is_empty() {
            return;
        }
        self.gap = Some(Gap { after_ply: before.node.ply, bridged: None });
        self.before_gap = games;
        resumed.into_iter().for_each(|hypothesis| self.search.add(hypothesis));
        self.search.keep_standing();
    }

    /// The game of a hypothesis, resumed after `node` from the position on the board with this side to move; none where
    /// that is no position of the game.
    pub(super) fn resumed(
        &self,
        of: &Hypothesis<G>,
        node: &Rc<Node<G>>,
        turn: Colour,
    ) -> Option<Hypothesis<G>> {
        let node = Node::resumed(node, &self.search.state().board, self.dead(), turn, self.unseen())?;
        Some(of.instead(Rc::new(node), of.rank(), Deviation::Resumed, 1.0))
    }

    /// Notes whether the game has gone on from where it was resumed after a gap, which then stays as it is.
    pub(super) fn note_gone_on(&mut self) {
        if self.before_gap.is_empty() {
            return;
        }
        let best = self.search.best();
        let goes_on = best.node.mv.is_some() && best.mismatched == 0;
        if goes_on || self.stillness.passed(self.stillness.changed, limits::CONTINUED_WITHIN_SECONDS) {
            self.before_gap.clear();
            self.missed_changes = false;
        }
    }
}
