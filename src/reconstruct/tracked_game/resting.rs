//! A board at rest that the best explanation does not explain, or only by going back: moves taken back, others played
//! instead, and moves that were missed.
//!
//! For the tracked game whenever its board rests. What is found is one more hypothesis for the search.

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
    /// The ply of which something is ruled that no explanation comes to; told once.
    pub fn take_impossible(&mut self) -> Option<u32> {
        self.cannot_be.take()
    }

    /// The board rests: looks, once, for what it takes to explain it.
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
            // One of them explains all of it; which is right will show.
            return;
        }
        let only_missing = squares(self.search.best().mismatched).all(|at| board[at as usize] == 0);
        if self.missed_changes {
            self.bridge();
        } else if !only_missing && !self.is_set_up_unpressed() && !self.bridge() && !self.play_otherwise() {
            self.replace_one();
        }
    }

    /// Whether pieces come home for the next game, as it seems: who has pressed meanwhile, for nothing that is explained, has
    /// played.
    fn is_set_up_unpressed(&self) -> bool {
        let is_ahead = self.search.state().clock_in_use() && self.search.best().presses.is_anybody_ahead();
        self.is_being_set_up() && !is_ahead
    }

    /// What an arbiter ruled of the next ply, where the board shows something else: not where it shows disorder.
    fn ruled(&mut self) -> Option<Hypothesis<G>> {
        let (best, rulings) = (self.search.best(), self.search.rulings());
        let ply = best.node.ply + 1;
        if !rulings.speak_of(ply) {
            return None;
        }
        let next = |h: &Hypothesis<G>| rulings.next(&h.node, self.unseen());
        let Some(node) = next(best) else {
            let mut others = self.search.hypotheses().filter(|h| h.node.ply + 1 == ply);
            if !others.any(|h| next(h).is_some()) {
                self.cannot_be = Some(ply);
            }
            return None;
        };
        let ruled = best.ruled_at_rest(node, self.search.state());
        ((ruled.captured_standing.count_ones() as usize) < limits::DISORDER).then_some(ruled)
    }

    /// Moves were taken back until the board stood as it stands. Where something else explains it too, only what was surely
    /// played is.
    fn takeback(&self, board: &[u8; 64], explained: bool) -> Option<Hypothesis<G>> {
        let best = self.search.best();
        // Who have both pressed since have played something that was not seen.
        let plies = if best.presses.are_both_ahead() { 2 } else { 1 };
        let nodes: Vec<_> = best.node.walk_back().take(limits::TAKEBACK_PLIES + plies).collect();
        let found = (plies..nodes.len()).find(|&back| nodes[back].game.differing(board) == 0)?;
        // So was a move that was seen to land and pressed, as its reply was.
        let pressed = |node: &Node<G>| node.hand.landing.is_some() && best.pressed(node.ply).is_some();
        let replied = nodes[..found].windows(2).any(|pair| pair.iter().all(|node| pressed(node)));
        if explained && !replied && !nodes[..found].iter().any(|node| best.confirms(node)) {
            return None;
        }
        let found = nodes[found];
        Some(best.instead(found.clone(), best.node.cost, Deviation::Takeback, 1.0))
    }

    /// Moves by which both players come back to an earlier position at once, and which neither pressed, are none. With time
    /// between them they are a repetition: one player forgot the clock, and the other had no need of it.
    fn look_for_unpressed_takeback(&mut self, board: &[u8; 64]) {
        if !self.search.state().clock_in_use() {
            return;
        }
        let best = self.search.best();
        let ply = best.node.ply;
        let unpressed = (0..ply).take_while(|back| best.pressed(ply - back).is_none()).count() as u32;
        // A clock that said something before them, and nothing since, may have died.
        let done = best.node.at(ply + 1 - unpressed.min(ply)).and_then(|node| node.completed_by.stamp.time());
        if unpressed < 2 || (self.clock_reported.is_some() && self.clock_reported < done) {
            return;
        }
        let at_once = |back: u32| {
            let landed = |ply| best.node.at(ply).and_then(|node| node.completed_by.stamp.time());
            let took = landed(ply - back + 1).zip(landed(ply)).map(|(first, last)| first.seconds_until(last));
            took.is_some_and(|took| took <= limits::GOES_BACK_WITHIN * f64::from(back - 1))
        };
        // Who takes back begins with the last move.
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

    /// The last moves may have been taken back and others played; whether that leads to the board.
    fn play_otherwise(&mut self) -> bool {
        let (board, event) = (&self.search.state().board, self.unseen());
        let (best, rulings) = (self.search.best(), self.search.rulings());
        // Who takes back what was pressed, and stood, presses again; who looks at the game when it is over does not.
        let clock = self.search.state().clock_in_use();
        let is_ahead = best.presses.is_anybody_ahead();
        let may_go = |node: &&Rc<Node<G>>| is_ahead || !clock || !best.confirms(node);
        let open =
            best.node.walk_back().take_while(may_go).count().max(usize::from(self.clock_state.has_run()));
        let found = best.node.walk_back().skip(1).zip(1..=limits::BRIDGE_OTHERWISE).take(open).find_map(
            |(earlier, back)| {
                let position = Position::new(earlier.game.clone());
                (1..=back).find_map(|plies| {
                    match gap::bridge(earlier, &position, board, event, plies, 2, rulings) {
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

    /// Looks for the moves that lead from the best explanations to the board as it stands; whether there is an answer.
    pub(super) fn bridge(&mut self) -> bool {
        let (board, event) = (&self.search.state().board, self.unseen());
        let rulings = self.search.rulings();
        // Where every change was seen, no move is one of many.
        let (longest, most) = match self.missed_changes {
            true => (limits::BRIDGE_HIDDEN, limits::WAYS),
            false => (limits::BRIDGE_SEEN, 2),
        };
        let mut from: Vec<&Hypothesis<G>> = Vec::new();
        for hypothesis in self.search.hypotheses() {
            let other = from.iter().all(|h| h.node.line_hash != hypothesis.node.line_hash);
            if from.len() < limits::BRIDGED_FROM && other {
                from.push(hypothesis);
            }
        }
        // The shortest way is the likeliest, from whichever of them.
        let ways = (1..=longest).flat_map(|plies| from.iter().map(move |&h| (h, plies)));
        let found = ways.map(|(h, plies)| {
            (h, plies, gap::bridge(&h.node, &h.position, board, event, plies, most, rulings))
        });
        let mut found = found.filter(|(_, _, bridge)| match bridge {
            Bridge::One(_) => true,
            Bridge::Many(..) => self.missed_changes,
            Bridge::None => false,
        });
        let Some((hypothesis, plies, bridge)) = found.next() else { return false };
        let (node, ways) = match bridge {
            Bridge::One(node) => (hypothesis.as_seen_to_land(node), 1),
            Bridge::Many(node, ways) => (node, ways),
            Bridge::None => return false,
        };
        let gap = (ways > 1).then_some(Gap { behind: hypothesis.node.ply, plies, ways });
        let hidden = (plies as f32).min(limits::BRIDGED_AT_MOST);
        let bridged = hypothesis.instead(node, hypothesis.cost(), Deviation::Bridged, hidden);
        self.search.add(bridged);
        self.missed_changes = false;
        self.gap = gap.or(self.gap.take());
        true
    }
}
