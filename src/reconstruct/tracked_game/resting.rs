//! A board at rest that the best explanation does not explain, or only by going back: moves taken back, others played
//! instead, and moves that were missed.
//!
//! The tracked game calls this whenever its board rests. A result is added to the search as a hypothesis.

use std::rc::Rc;

use super::state::{Gap, TrackedGame};
use crate::{
    reconstruct::{
        costs::Deviation,
        gap::{self, Bridge},
        hypothesis::Hypothesis,
        limits,
        tree::{node::Node, position::Position},
    },
    rules::{Game, squares},
};

impl<G: Game> TrackedGame<G> {
    /// The ruled ply that no explanation reaches, reported once.
    pub fn take_impossible(&mut self) -> Option<u32> {
        self.impossible_ply.take()
    }

    /// The board rests: looks for an explanation, once for each position.
    pub(super) fn explain_rest(&mut self) {
        let board = self.search.state().board;
        if self.examined == Some(board) {
            return;
        }
        if self.search.best().mismatched == 0 {
            self.look_for_unpressed_takeback(&board);
            return;
        }
        self.examined = Some(board);
        if let Some(ruled) = self.ruled() {
            self.search.add(ruled);
            return;
        }
        let explained = self.search.sound().any(|h| h.mismatched == 0);
        if let Some(back) = self.takeback(&board, explained) {
            self.search.add(back);
            if !explained {
                self.search.prefer_standing();
            }
            return;
        }
        if explained {
            // One of them explains the whole board; later evidence decides whether it is right.
            return;
        }
        let only_missing = squares(self.search.best().mismatched).all(|at| board[at as usize] == 0);
        if self.missed_changes {
            if !self.bridge() && !only_missing {
                self.resume_after_gap(self.before_gap.clone());
            }
        } else if !only_missing && !self.is_set_up_unpressed() && !self.bridge() && !self.play_otherwise() {
            self.replace_one();
        }
    }

    /// Whether pieces seem to return to their start squares for the next game. A player who has pressed meanwhile
    /// without an explained move has played.
    fn is_set_up_unpressed(&self) -> bool {
        let is_ahead = self.search.state().clock_in_use() && self.search.best().presses.is_anybody_ahead();
        self.is_being_set_up() && !is_ahead
    }

    /// The hypothesis with what an arbiter ruled for the next ply, where the board shows something else, but not
    /// disorder.
    fn ruled(&mut self) -> Option<Hypothesis<G>> {
        let (best, rulings) = (self.search.best(), self.search.rulings());
        let ply = best.node.ply + 1;
        if !rulings.rules_ply(ply) {
            return None;
        }
        let next = |h: &Hypothesis<G>| rulings.next(&h.node, self.unseen());
        let Some(node) = next(best) else {
            let mut others = self.search.hypotheses().filter(|h| h.node.ply + 1 == ply);
            if !others.any(|h| next(h).is_some()) {
                self.impossible_ply = Some(ply);
            }
            return None;
        };
        let ruled = best.ruled_at_rest(node, self.search.state());
        (ruled.captured_standing.count_ones() < limits::DISORDER_SQUARES).then_some(ruled)
    }

    /// The hypothesis in which moves were taken back until the board stood as it does. Where another explanation fits
    /// too, only moves that were surely played count as taken back.
    fn takeback(&self, board: &[u8; 64], explained: bool) -> Option<Hypothesis<G>> {
        let best = self.search.best();
        // If both sides have pressed since, they have played something that was not seen.
        let plies = if best.presses.are_both_ahead() { 2 } else { 1 };
        let nodes: Vec<_> = best.node.walk_back().take(limits::TAKEBACK_MAX_PLIES + plies).collect();
        let found = (plies..nodes.len()).find(|&back| nodes[back].game.differing(board) == 0)?;
        // A move that was seen to land and pressed, and its reply too, was surely played.
        let pressed = |node: &Node<G>| node.hand.landing.is_some() && best.pressed(node.ply).is_some();
        let replied = nodes[..found].windows(2).any(|pair| pair.iter().all(|node| pressed(node)));
        if explained && !replied && !nodes[..found].iter().any(|node| best.confirms(node)) {
            return None;
        }
        let found = nodes[found];
        Some(best.instead(found.clone(), best.node.cost, Deviation::Takeback, 1.0))
    }

    /// Moves by which both players return to an earlier position without a pause, and which neither pressed, are a
    /// takeback. With pauses they are a repetition: one player forgot the clock, and the other did not need it.
    fn look_for_unpressed_takeback(&mut self, board: &[u8; 64]) {
        if !self.search.state().clock_in_use() {
            return;
        }
        let best = self.search.best();
        let ply = best.node.ply;
        let unpressed = (0..ply).take_while(|back| best.pressed(ply - back).is_none()).count() as u32;
        if unpressed < 2 {
            return;
        }
        // A clock that reported before these moves, and not since, may have died.
        let done = best.node.at(ply + 1 - unpressed).and_then(|node| node.completed_by.stamp.time());
        if self.clock_reported.is_some() && self.clock_reported < done {
            return;
        }
        let at_once = |back: u32| {
            let landed = |ply| best.node.at(ply).and_then(|node| node.completed_by.stamp.time());
            let took = landed(ply - back + 1).zip(landed(ply)).map(|(first, last)| first.seconds_until(last));
            took.is_some_and(|took| took <= limits::POLLED_WITHIN_SECONDS * f64::from(back - 1))
        };
        // A takeback begins with the last move.
        let by_turns = |back: u32| {
            let landing = |ply| best.node.at(ply).and_then(|node| node.hand.landing).map(|event| event.index);
            (ply - back + 1..ply)
                .all(|ply| landing(ply).zip(landing(ply + 1)).is_some_and(|(one, next)| one < next))
        };
        let found = (2..=unpressed).filter(|&back| at_once(back)).find_map(|back| {
            let earlier = best.node.at(ply.checked_sub(2 * back)?)?;
            let before = best.node.at(ply - back)?.cost;
            let same = earlier.game.differing(board) == 0;
            same.then(|| {
                let mut went_back = best.instead(earlier.clone(), before, Deviation::WentBack, 1.0);
                went_back.went_back_by_turns = by_turns(back);
                went_back
            })
        });
        self.examined = Some(*board);
        if let Some(found) = found {
            self.search.add(found);
        }
    }

    /// Looks for other moves played after a takeback of the last ones; returns whether they lead to the board.
    fn play_otherwise(&mut self) -> bool {
        let (board, event) = (&self.search.state().board, self.unseen());
        let (best, rulings) = (self.search.best(), self.search.rulings());
        // Players who take back a move that was pressed and stood press again; those who analyse a finished game do
        // not.
        let clock = self.search.state().clock_in_use();
        let is_ahead = best.presses.is_anybody_ahead();
        let may_go = |node: &&Rc<Node<G>>| is_ahead || !clock || !best.confirms(node);
        let open =
            best.node.walk_back().take_while(may_go).count().max(usize::from(self.clock_state.has_run()));
        let mut budget = limits::BRIDGE_MAX_MOVES;
        let found =
            best.node.walk_back().skip(1).zip(1..=limits::BRIDGE_OTHER_MAX_PLIES).take(open).find_map(
                |(earlier, back)| {
                    let position = Position::new(earlier.game.clone());
                    (1..=back).find_map(|plies| {
                        match gap::bridge(earlier, &position, board, event, plies, rulings, &mut budget) {
                            Bridge::One(last) => Some(best.as_seen_to_land(last)),
                            Bridge::Many(..) | Bridge::None => None,
                        }
                    })
                },
            );
        let Some(last) = found else { return false };
        let otherwise = best.instead(last, best.node.cost, Deviation::Takeback, 1.0);
        self.search.add(otherwise);
        true
    }

    /// Looks for the moves from the best explanations to the board; returns whether it found any.
    pub(super) fn bridge(&mut self) -> bool {
        let (board, event) = (&self.search.state().board, self.unseen());
        let rulings = self.search.rulings();
        // Where every change was seen, a move with alternatives is not accepted.
        let longest =
            if self.missed_changes { limits::BRIDGE_MAX_PLIES } else { limits::BRIDGE_SEEN_MAX_PLIES };
        let from = if self.before_gap.is_empty() { &self.distinct_games() } else { &self.before_gap };
        let mut budget = limits::BRIDGE_MAX_MOVES;
        // The shortest sequence is the likeliest, from whichever of them.
        let ways = (1..=longest).flat_map(|plies| from.iter().map(move |h| (h, plies)));
        let found = ways.map(|(h, plies)| {
            (h, plies, gap::bridge(&h.node, &h.position, board, event, plies, rulings, &mut budget))
        });
        let mut found = found.filter(|(_, _, bridge)| match bridge {
            Bridge::One(_) => true,
            Bridge::Many(..) => self.missed_changes,
            Bridge::None => false,
        });
        let Some((hypothesis, plies, bridge)) = found.next() else { return false };
        let (node, ways) = match bridge {
            Bridge::One(node) => (self.seen_since_gap(hypothesis).as_seen_to_land(node), 1),
            Bridge::Many(node, ways) => (node, ways),
            Bridge::None => return false,
        };
        let gap = (ways > 1).then_some(Gap { after_ply: hypothesis.node.ply, bridged: Some((plies, ways)) });
        let bridged = hypothesis.instead(node, hypothesis.cost(), Deviation::Bridged, 1.0);
        self.search.add(bridged);
        self.missed_changes = false;
        let unbridged = self.gap.take().filter(|gap| gap.bridged.is_some());
        self.gap = gap.or(unbridged);
        if !std::mem::take(&mut self.before_gap).is_empty() {
            self.search.keep_standing();
        }
        true
    }

    /// The hypothesis that has the changes since a gap.
    fn seen_since_gap<'a>(&'a self, hypothesis: &'a Hypothesis<G>) -> &'a Hypothesis<G> {
        if self.before_gap.is_empty() { hypothesis } else { self.search.best() }
    }

    /// The best hypotheses with different games, from which a gap is bridged.
    pub(super) fn distinct_games(&self) -> Vec<Hypothesis<G>> {
        let mut found: Vec<Hypothesis<G>> = Vec::new();
        for hypothesis in self.search.hypotheses() {
            let other = found.iter().all(|h| h.node.line_hash != hypothesis.node.line_hash);
            if found.len() < limits::BRIDGED_FROM_HYPOTHESES && other {
                found.push(hypothesis.clone());
            }
        }
        found
    }
}
