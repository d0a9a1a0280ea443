//! Publishes what of a game can be published by now, and withdraws what the search no longer believes.
//!
//! For the tracked game, after each record. When a move is ready says `ready`; this gathers the evidence.

use super::{
    ready::{Evidence, Verdict, verdict},
    state::TrackedGame,
};
use crate::{
    reconstruct::{hypothesis::Hypothesis, limits, tree::node::Node, update::Update},
    rules::Game,
};

impl<G: Game> TrackedGame<G> {
    /// Publishes a correction if there is one, then the moves that are ready, then clock times that became known.
    pub(super) fn publish(&mut self, updates: &mut Vec<Update>) {
        let (nodes, stand) = self.published.missing(&self.search.best().node);
        let played = nodes.len() - self.homeward(&nodes);
        let doubtful = self.published.moves.len() - stand;
        if doubtful > 0 {
            // What was more than tried is withdrawn when play goes on otherwise.
            let instead = || match nodes.first() {
                Some(node) => self.is_ready(node, played == 0),
                None => doubtful == 1 && !self.published.moves[stand].is_pressed(),
            };
            if !self.is_corrected(stand) || !instead() {
                return;
            }
            let withdrawn = self.published.withdraw(stand, self.stillness.now, updates);
            if doubtful > nodes.len() {
                self.note_went_back(stand, withdrawn);
            }
        }
        let stood = self.published.moves.len();
        for (number, node) in nodes.iter().enumerate() {
            if !self.is_ready(node, number >= played) {
                break;
            }
            self.published.publish(node, &self.search, updates);
            self.note_played();
        }
        self.published.refresh_clocks(self.search.best(), updates);
        // Not after each change: what comes of it shows when the board rests, or play has gone on.
        if self.stillness.polled_empty || self.published.moves.len() > stood {
            self.published.refresh_certainty(&self.search, updates);
        }
    }

    /// Whether the best explanation, which has only the first `stand` of the published moves, corrects them: it is
    /// much better than what was published, or nothing speaks for that any more, or the board rests.
    fn is_corrected(&self, stand: usize) -> bool {
        let best = self.search.best();
        let Some(last) = self.published.moves.last() else { return false };
        let keeps = |h: &&Hypothesis<G>| h.node.leads_from(&last.node);
        let rival = self.search.hypotheses().find(keeps);
        let better = rival.is_none_or(|h| h.rank() - best.rank() >= limits::SURE_WHEN_REPLIED);
        // What makes no sense at all is no correction: the pieces may be being set up.
        let mut doubtful = self.published.moves[stand..].iter();
        let meant = doubtful.any(|published| published.node.seen_at_rest.get() && published.is_pressed());
        let sense = best.mismatched.count_ones() < if meant { 1 } else { limits::NO_SENSE };
        (better || self.stillness.polled_empty) && sense
    }

    /// Whether the move to `node`, on the best line, can be published. `homeward`: from there on the pieces of all
    /// moves go home.
    fn is_ready(&self, node: &Node<G>, homeward: bool) -> bool {
        match verdict(&self.evidence(node, homeward)) {
            Verdict::Ready => true,
            Verdict::ReadyIfMate => node.game.ending().is_some(),
            Verdict::Wait => false,
        }
    }

    fn evidence(&self, node: &Node<G>, homeward: bool) -> Evidence {
        let (best, clock) = (self.search.best(), self.search.state().clock_in_use());
        let done = node.completed_by.stamp.time();
        let press = best.pressed(node.ply);
        // Where the piece could still go on the next look at the board decides, unless it was first seen there after
        // the press.
        let looked_at = press.is_some_and(|press| {
            self.stillness.polled_empty
                || self.stillness.now > press.stamp.time().max(done)
                || node.hand.landing.is_some_and(|landing| press.index < landing.index)
                || node.onward == 0
        });
        Evidence {
            clock,
            lead: self.search.lead(node.ply),
            age: self.stillness.since(done),
            replied: best.node.ply > node.ply && (!clock || best.pressed(node.ply + 1).is_some()),
            pressed: press.is_some(),
            looked_at,
            settled: self.stillness.settled(),
            homeward,
            explained: best.mismatched == 0,
            contradicted: best.node.ply == node.ply && best.mismatched & node.changed != 0,
        }
    }
}
