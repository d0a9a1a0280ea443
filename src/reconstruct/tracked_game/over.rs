//! A game whose end was published. It is over for good when the next one begins; until then play can take its end back.
//!
//! Kings that stood in the centre are put back, a mate is withdrawn, time is added after a flag: the board stands as it did at
//! the end, and play goes on. From there on the search follows the board again, and nothing is published before there is proof
//! of play: a move that was pressed while the clock runs, or, where there is no clock, some plies that were not taken back.
//! Players who analyse press no clock, and they take back; where they do so later, the end stands once more. For the session.

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
    /// The game ended at this position; where players looked at it before, they still do.
    pub(super) fn end_at(&mut self, last: &Rc<Node<G>>, end: End, is_looked_at: bool) {
        let (last, furthest) = (last.clone(), last.clone());
        let ended = Ended { last, end, is_followed: false, index: 0, furthest, is_looked_at };
        self.move_on(Evidence::Ended(ended));
        // No more of it is kept than where it ended.
        self.follow_from_end(None);
    }

    /// Whether its search follows what stands after its end.
    pub fn is_followed(&self) -> bool {
        matches!(&self.phase, Phase::Over(ended) if ended.is_followed)
    }

    /// The end that was taken back, though the players only look at the game, as shows by now.
    pub(super) fn resumed_and_looked_at(&self) -> Option<&Ended<G>> {
        match &self.phase {
            Phase::Resumed(ended) => Some(ended).filter(|ended| ended.is_looked_at),
            _ => None,
        }
    }

    /// Follows the board if it stands as it did at the end of the game; gives whether it does.
    pub fn follow(&mut self, placement: &Placement, time: Option<Time>) -> bool {
        let Phase::Over(ended) = &mut self.phase else { return false };
        if ended.last.game.differing(placement.codes()) != 0 {
            return false;
        }
        (ended.is_followed, ended.index) = (true, self.search.state().index);
        self.follow_from_end(time);
        true
    }

    /// The search stands at the last position, and nothing has come after it.
    fn follow_from_end(&mut self, time: Option<Time>) {
        let Phase::Over(ended) = &self.phase else { return };
        self.search.stand_at(ended.last.clone());
        self.stillness.change(time);
        (self.announced, self.signal, self.signalled) = (None, None, None);
        (self.went_back, self.came_to, self.awaiting) = (None, None, None);
        (self.examined, self.anomalous, self.all_published, self.last_press) = (None, None, None, None);
        self.clock_state = match self.clock_state {
            ClockState::Stopped => ClockState::NotStarted,
            ClockState::Runs => ClockState::Unknown,
            other => other,
        };
        (self.poll_open, self.missed_changes) = (false, false);
        self.clock_readings = [None; 2];
        self.stood.clear();
        self.told_of.clear();
    }

    /// Notes whether moves that led on after the end were taken back, and gives up to follow a board that makes no sense.
    pub(super) fn note_course(&mut self) {
        let Some(ended) = self.phase.ended() else { return };
        // What was gone on with for so long is play.
        if ended.furthest.ply >= ended.last.ply + limits::LOOKED_BACK_LONGER as u32 {
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
            // Who touches a piece may take one move back, and who has a clock presses for what he plays instead.
            let common = best.node.walk_back().find(|node| ended.furthest.leads_from(node));
            let back = ended.furthest.ply - common.map_or(0, |node| node.ply);
            ended.is_looked_at |= back > 1 && !clock && self.stillness.settled();
            if back > 1 || best.node.ply < ended.furthest.ply {
                return;
            }
        }
        // Pieces that are pushed to and fro come back to where they stood at the end, or before a move that was withdrawn.
        let mut began = [Some(&ended.last), ended.last.parent.as_ref()].into_iter().flatten();
        let mut came_back = || began.any(|node| node.placement_hash == best.node.placement_hash);
        ended.is_looked_at |= !clock && best.node.ply > ended.last.ply && came_back();
        ended.furthest = best.node.clone();
    }

    /// Whether there is proof that play has gone on after the end.
    pub fn plays_on(&self) -> bool {
        let Phase::Over(ended) = &self.phase else { return false };
        if !ended.is_followed || ended.is_looked_at {
            return false;
        }
        let best = self.search.best();
        // The last move itself may be withdrawn, and another be played.
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
        // Who sets up the last position of a game without a result, or plays up to it once more, goes on.
        if ended.end.result.is_none() {
            !played.is_empty() && self.stillness.settled()
        } else {
            self.is_play(played)
        }
    }

    /// Play has gone on: publishes the moves after the end, which takes that back.
    pub fn play_on(&mut self, updates: &mut Vec<Update>) {
        self.move_on(Evidence::PlaysOn { clock: self.search.state().clock_in_use() });
        self.search.is_news();
        let from = updates.len();
        self.publish(updates);
        for update in &mut updates[from..] {
            if let GameEvent::Takeback(back) = &mut update.event {
                back.reason = Some(TakebackReason::Resumed);
            }
        }
    }
}
