//! A game that was lost: no explanation leads to the position on the board, from which it is resumed.
//!
//! A change that was never reported, or several unseen landings in a row, can make every explanation wrong, and each
//! later move makes them worse. In slow games the board rests, and an anomaly is published; in fast ones it never does:
//! then both players press. The tracked game calls this after each record.
//!
//! After a gap with too many moves to be bridged, moves that fit some of the squares are no explanation: which of them
//! were played, and in which order, nobody has seen.

use std::rc::Rc;

use super::state::{Gap, TrackedGame};
use crate::{
    reconstruct::{costs::Deviation, hypothesis::Hypothesis, limits, tree::node::Node, update::Update},
    record::AnomalyKind,
    rules::{Colour, Game},
};

impl<G: Game> TrackedGame<G> {
    /// Resumes a lost game from the position on the board, so that at least the moves from now on are published.
    pub(super) fn go_on_if_lost(&mut self, updates: &mut Vec<Update>) {
        let best = self.search.best();
        if self.presses_since_published < limits::LOST_AFTER_PRESSES
            || best.mismatched == 0
            || !self.stillness.polled_empty
        {
            return;
        }
        // The side that pressed last has let go of a piece since the other side last touched one.
        let Some(side) = self.last_press.map(|(side, _)| side) else { return };
        if Colour::of(self.last_landed) != Some(side) || self.is_being_set_up() {
            return;
        }
        let published = self.published.moves.last().map(|published| &published.node);
        let Some(last) = published.or(best.node.walk_back().last()).cloned() else { return };
        let (board, event) = (self.search.state().board, self.unseen());
        let Some(node) = Node::resumed(&last, &board, self.dead(), side.other(), event) else { return };
        let resumed = best.instead(Rc::new(node), best.rank(), Deviation::Resumed, 1.0);
        self.search.add(resumed);
        self.search.prefer_standing();
        self.presses_since_published = 0;
        let detail = "the moves that led to this position were lost".to_owned();
        self.publish_anomaly(last.ply, AnomalyKind::Gap, detail, updates);
    }

    /// Resumes one of these games of before a gap, the best one first, from the position on the board, with either side to
    /// move, where unseen moves led to it that no bridge finds (yet). Pieces that are set up, or more pieces of a side than
    /// before, are of another game, and a game without moves has not begun.
    pub(super) fn resume_after_gap(&mut self, games: Vec<Hypothesis<G>>) {
        let Some(before) = games.first().filter(|game| game.node.ply > 0 && !self.is_being_set_up()) else {
            return;
        };
        let (board, event, dead) = (self.search.state().board, self.unseen(), self.dead());
        let turn = before.node.game.turn();
        let number =
            |codes: &[u8; 64], side| codes.iter().filter(|&&code| Colour::of(code) == Some(side)).count();
        let stood = before.node.game.placement();
        if [turn, turn.other()].into_iter().any(|side| number(&board, side) > number(stood.codes(), side)) {
            return;
        }
        let resumed = [turn.other(), turn].into_iter().filter_map(|turn| {
            let node = Node::resumed(&before.node, &board, dead, turn, event)?;
            Some(before.instead(Rc::new(node), before.rank(), Deviation::Resumed, 1.0))
        });
        let resumed: Vec<_> = resumed.collect();
        if resumed.is_empty() {
            return;
        }
        self.gap = Some(Gap { after_ply: before.node.ply, bridged: None });
        self.before_gap = games;
        resumed.into_iter().for_each(|hypothesis| self.search.add(hypothesis));
        self.search.keep_standing();
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
