//! A game whose end was published. It is final when the next one begins; until then play can take its end back.
//!
//! Kings that stood in the centre are put back, a mate is withdrawn, time is added after a flag: the board shows the
//! last position, and play goes on. From there on the search follows the board again, but nothing is published before
//! there is proof of play: with a clock a move pressed while it runs, without one some plies that were not taken back.
//! Players who analyse press no clock, and they take back; when they do, the end holds again. The session uses this.

use std::rc::Rc;

use super::{
    phase::{ClockState, Ended, Evidence, Phase},
    state::TrackedGame,
};
use crate::{
    reconstruct::{limits, tree::node::Node, update::Update},
    record::{End, GameEvent, Placement, TakebackReason, Time},
    rules::Game,
};

impl<G: Game> TrackedGame<G> {
    /// The game ended at this position; `is_analysed`: players analysed it before and still do.
    pub(super) fn end_at(&mut self, last: &Rc<Node<G>>, end: End, is_analysed: bool) {
        let (last, furthest) = (last.clone(), last.clone());
        let ended = Ended { last, end, is_followed: false, index: 0, furthest, is_analysed };
        self.move_on(Evidence::Ended(ended));
        // The data of the game are reset to its last position.
        self.follow_from_end(None);
    }

    /// Whether its search follows the board after its end.
    pub fn is_followed(&self) -> bool {
        matches!(&self.phase, Phase::Over(ended) if ended.is_followed)
    }

    /// The end that was taken back, if the players turned out to be only analysing the game.
    pub(super) fn resumed_for_analysis(&self) -> Option<&Ended<G>> {
        match &self.phase {
            Phase::Resumed(ended) => Some(ended).filter(|ended| ended.is_analysed),
            _ => None,
        }
    }

    /// Follows the board if it shows the last position of the game; returns whether it does.
    pub fn follow(&mut self, placement: &Placement, time: Option<Time>) -> bool {
        let Phase::Over(ended) = &mut self.phase else { return false };
        if ended.last.game.differing(placement.codes()) != 0 {
            return false;
        }
        (ended.is_followed, ended.index) = (true, self.search.state().index);
        self.follow_from_end(time);
        true
    }

    /// Resets the search to the last position.
    fn follow_from_end(&mut self, time: Option<Time>) {
        let Phase::Over(ended) = &self.phase else { return };
        self.search.stand_at(ended.last.clone());
        self.stillness.change(time);
        (self.announced, self.signal, self.signalled) = (None, None, None);
        (self.went_back, self.first_back, self.awaiting) = (None, None, None);
        (self.examined, self.anomalous, self.all_published, self.last_press) = (None, None, None, None);
        self.clock_state = match self.clock_state {
            ClockState::Stopped => ClockState::NotStarted,
            ClockState::Runs => ClockState::Unknown,
            other => other,
        };
        (self.poll_open, self.missed_changes) = (false, false);
        self.before_gap.clear();
        self.clock_readings = [None; 2];
        self.stood.clear();
        self.anomaly_detail.clear();
    }

    /// Notes whether moves after the end were taken back, and stops following a board that is not explained.
    pub(super) fn note_moves_after_end(&mut self) {
        let Some(ended) = self.phase.ended() else { return };
        // Play that goes on for so long is no analysis.
        if ended.furthest.ply >= ended.last.ply + limits::RESUME_MIN_PLIES {
            self.move_on(Evidence::WentOnForLong);
        }
        let senseless = !self.makes_sense();
        let (best, clock) = (self.search.best(), self.search.state().clock_in_use());
        let (Phase::Over(ended) | Phase::Resumed(ended)) = &mut self.phase else { return };
        if senseless {
            ended.is_followed = false;
            return;
        }
        if best.mismatched != 0 || best.node.line_hash == ended.furthest.line_hash {
            return;
        }
        if !best.node.leads_from(&ended.furthest) {
            // A touched piece may lead to one move taken back; with a clock the move played instead is pressed.
            let common = best.node.walk_back().find(|node| ended.furthest.leads_from(node));
            let back = ended.furthest.ply - common.map_or(0, |node| node.ply);
            ended.is_analysed |= back > 1 && !clock && self.stillness.settled();
            if back > 1 || best.node.ply < ended.furthest.ply {
                return;
            }
        }
        // Pieces that are pushed to and fro return to where they stood at the end, or before a withdrawn move.
        let mut began = [Some(&ended.last), ended.last.parent.as_ref()].into_iter().flatten();
        let mut came_back = || began.any(|node| node.placement_hash == best.node.placement_hash);
        ended.is_analysed |= !clock && best.node.ply > ended.last.ply && came_back();
        ended.furthest = best.node.clone();
    }

    /// Whether there is proof that play has gone on after the end.
    pub fn plays_on(&self) -> bool {
        let Phase::Over(ended) = &self.phase else { return false };
        if !ended.is_followed || ended.is_analysed {
            return false;
        }
        let best = self.search.best();
        // The last move itself may be withdrawn and another one played.
        let from = [Some(&ended.last), ended.last.parent.as_ref()].into_iter().flatten();
        let Some(from) = from.into_iter().find(|from| best.node.leads_from(from)) else { return false };
        if best.mismatched != 0 {
            return false;
        }
        if self.search.state().clock_in_use() {
            let since = |&ply: &u32| best.pressed(ply).is_some_and(|press| press.index > ended.index);
            let pressed = (from.ply + 1..=best.node.ply).filter(since).count();
            return pressed > usize::from(self.clock_state != ClockState::Runs);
        }
        let mut nodes: Vec<_> =
            best.node.walk_back().take_while(|node| node.ply > from.ply).cloned().collect();
        nodes.reverse();
        let played = &nodes[..nodes.len() - self.homeward(&nodes)];
        // Players who set up the last position of a game without a result, or play up to it again, continue that game.
        if ended.end.result.is_none() {
            !played.is_empty() && self.stillness.settled()
        } else {
            self.is_play(played)
        }
    }

    /// Publishes the moves after the end, which takes the end back.
    pub fn play_on(&mut self, updates: &mut Vec<Update>) {
        self.move_on(Evidence::PlaysOn { clock: self.search.state().clock_in_use() });
        self.search.mark_changed();
        let from = updates.len();
        self.publish(updates);
        for update in &mut updates[from..] {
            if let GameEvent::Takeback(back) = &mut update.event {
                back.reason = Some(TakebackReason::Resumed);
            }
        }
    }
}
