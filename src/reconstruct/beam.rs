//! A beam of hypotheses: every observation is shown to all of them, children are made, the best are kept.
//!
//! Where a change completes a legal move a child is made and the parent stays, so that a stop on the way is undone by
//! its better sibling. The beam never goes back: `backtrack` wraps it and hears of the same again where that makes
//! sense.

use std::rc::Rc;

use super::{
    costs::Deviation,
    hypothesis::Hypothesis,
    limits,
    observe::{BoardState, Known, Observation, clock_sides::ClockSides, event::Event, lookahead::Lookahead},
    options::{Options, Width},
    propose::{
        Boxes, Expansion, Proposer,
        fetched::Fetched,
        foreseen_landing::{self, ForeseenLandings},
        hidden_capture::HiddenCaptures,
        illegal::PutBack,
        legal::LegalMoves,
        silence::Silences,
        taken_back::TakenBack,
        unseen_landing::UnseenLandings,
        withdrawal::Withdrawals,
    },
    rulings::GameRulings,
    tree::node::Node,
};
use crate::{
    record::Time,
    rules::{Colour, Game, Squares, bit, squares},
};

/// The hypotheses about one game.
pub struct Beam<G: Game> {
    /// Best first; never empty.
    hypotheses: Boxes<G>,
    /// Who sits at which side of the clock.
    pub sides: ClockSides,
    width: usize,
    expansion: Expansion<G>,
    /// The last press while the game's start stood: its side, its seconds and its time.
    press_at_start: Option<(Colour, f64, Option<Time>)>,
    /// What the hypotheses kept stand for.
    distinct: Vec<Distinct>,
}

/// What a hypothesis stands for.
struct Distinct {
    /// Its position, its ply, the squares that read otherwise, and those that may.
    leaves: (u64, u32, Squares, Squares),
    /// The squares that it takes for dead.
    dead: Squares,
    /// How many changes it has not explained.
    unexplained: usize,
    /// What it costs by now, and what it may if it has to pay for each of them.
    rank: f32,
    at_most: f32,
}

impl Distinct {
    /// Whether another may not hope for more than this, which is better so far.
    fn has_the_future_of(&self, other: &Distinct) -> bool {
        // Where another square is taken for dead it is not the same; where one more is, without need. And what has seen a piece
        // on squares of which nobody knows yet whether its move passes them may have to pay for each: there it must be the
        // better one even so.
        self.leaves == other.leaves
            && self.dead & !other.dead == 0
            && (self.unexplained <= other.unexplained
                || (self.unexplained < other.unexplained + limits::OPEN_MORE && self.at_most <= other.rank))
    }
}

impl<G: Game> Beam<G> {
    /// A game that starts now, from `game`, on a board that shows its placement.
    pub fn new(
        game: G,
        turned: bool,
        options: &Options,
        rulings: &Rc<GameRulings>,
        time: Option<Time>,
    ) -> Beam<G> {
        let state = BoardState::new(game.shown(), turned);
        let start = Hypothesis::start(game, options.explain, time);
        Beam::of(state, vec![Box::new(start)], options.width, Lookahead::default(), rulings)
    }

    /// These hypotheses of a board that stands so, and what is known to come.
    pub fn of(
        state: BoardState,
        hypotheses: Boxes<G>,
        width: Width,
        lookahead: Lookahead,
        rulings: &Rc<GameRulings>,
    ) -> Beam<G> {
        Beam {
            hypotheses,
            sides: ClockSides::default(),
            width: width.beam,
            expansion: Expansion::new(state, lookahead, width.margin, rulings),
            press_at_start: None,
            distinct: Vec::new(),
        }
    }

    /// What stands on the board.
    pub fn state(&self) -> &BoardState {
        &self.expansion.state
    }

    /// These squares of the board have told of pieces.
    pub fn have_spoken(&mut self, squares: Squares) {
        self.expansion.state.spoken |= squares;
    }

    /// The hypotheses, best first; never empty.
    pub fn hypotheses(&self) -> impl Iterator<Item = &Hypothesis<G>> {
        self.hypotheses.iter().map(Box::as_ref)
    }

    /// What arbiters ruled of the game.
    pub fn rulings(&self) -> &Rc<GameRulings> {
        &self.expansion.rulings
    }

    /// The best hypothesis.
    pub fn best(&self) -> &Hypothesis<G> {
        &self.hypotheses[0]
    }

    /// Takes the hypotheses of another beam of the same board.
    pub fn replace(&mut self, other: Beam<G>) {
        self.hypotheses = other.hypotheses;
        self.prune();
        // A look ahead works out far more of a position than what comes in will ask for.
        for hypothesis in &mut self.hypotheses {
            **hypothesis = hypothesis.bare();
        }
    }

    /// Takes in what was observed.
    pub fn observe(&mut self, observation: Observation) {
        match observation {
            Observation::Change { square, new, how, time } => self.change(square, new, how, time),
            Observation::Press { side, seconds, time } if self.start_stands() => {
                self.press_at_start = Some((side, seconds, time));
            }
            Observation::Press { side, seconds, time } => self.press(side, seconds, time),
            Observation::Clock { gone } => self.expansion.state.clock_goes(gone),
            Observation::Rest { part, seen, until, time } => {
                self.expansion.state.rest();
                for hypothesis in &mut self.hypotheses {
                    hypothesis.rest(part, seen);
                }
                self.look_for_silence(time, |_| true);
                self.look_for_forgotten(time, |_| true);
                self.prune();
                self.keep_what_was_meant(until);
            }
            Observation::PollTold { odd } => self.poll_told(odd),
            Observation::LongRest => self.rest_long(),
        }
    }

    /// A square changed.
    fn change(&mut self, square: u8, new: u8, how: Known, time: Option<Time>) {
        // With a change that is one of many that were missed, no move is known to be complete.
        let (seen, quick, completes) = match how {
            Known::Seen { quick } => (true, quick, true),
            Known::Found { one_move } => (false, None, one_move),
        };
        self.expansion.state.note_time(quick, seen);
        if self.state().code(square) == new {
            if seen && new == 0 {
                self.emptied_again(square, time);
            }
            return;
        }
        self.press_of_the_first_move(time);
        let event = self.expansion.state.set(square, new, seen, time);
        self.expansion.lookahead.hear(event.index);
        self.sides.moved(event.colour());
        for hypothesis in &mut self.hypotheses {
            hypothesis.observe(&event);
        }
        self.limit_costs();
        let limit = self.expansion.cost_limit;
        let proposers: [&dyn Proposer<G>; 9] = [
            &LegalMoves,
            &Fetched,
            &Withdrawals,
            &TakenBack,
            &PutBack,
            &UnseenLandings,
            &HiddenCaptures,
            &ForeseenLandings,
            &Silences,
        ];
        for parent in self.hypotheses.iter().filter(|h| completes && h.rank() < limit) {
            for proposer in proposers {
                proposer.propose(&mut self.expansion, parent, &event);
            }
        }
        foreseen_landing::propose_from_children(&mut self.expansion, &event);
        self.prune();
    }

    /// A square that is empty became empty: a board that writes over its last entry told of no piece that came there.
    fn emptied_again(&mut self, square: u8, time: Option<Time>) {
        self.have_spoken(bit(square));
        for hypothesis in &mut self.hypotheses {
            hypothesis.emptied_again(square);
        }
        self.limit_costs();
        let BoardState { index, rests, scan, .. } = *self.state();
        let event =
            Event { index, square, old: 0, new: 0, rests, scan, slow: false, seen: true, stamp: time.into() };
        for parent in &self.hypotheses {
            self.expansion.landed_and_left(parent, &event);
        }
        self.prune();
    }

    fn press(&mut self, side: Colour, seconds: f64, time: Option<Time>) {
        let side = self.sides.pressed(side);
        self.expansion.state.presses += 1;
        self.expansion.state.clock_goes(false);
        self.expansion.state.pressed_last = Some(side);
        for hypothesis in &mut self.hypotheses {
            hypothesis.press(side, seconds, &self.expansion.state, time);
        }
        // The reply is over, and what it replied to was not seen.
        self.look_for_silence(time, |h| h.presses.are_both_ahead());
        self.prune();
    }

    /// The poll that told of the last press is over, or where there is no clock that of the last change.
    fn poll_told(&mut self, odd: f32) {
        match self.expansion.state.pressed_last.take() {
            Some(side) => {
                for hypothesis in &mut self.hypotheses {
                    hypothesis.told_press(side, odd, &self.expansion.state);
                }
                self.look_for_forgotten(None, |h| h.node.game.turn() == side && h.presses.is_ahead(side));
            }
            None if self.state().clock_in_use() => return,
            None => {
                self.hypotheses.iter_mut().for_each(|hypothesis| hypothesis.told_changes(odd));
                self.look_for_forgotten(None, |_| true);
            }
        }
        self.prune();
    }

    /// The board stands as no hypothesis has it: a piece may stand where nothing was ever heard, if one of `those`
    /// misses it.
    fn look_for_silence(&mut self, time: Option<Time>, those: impl Fn(&Hypothesis<G>) -> bool) {
        if self.hypotheses.iter().any(|h| h.mismatched == 0) || !self.hypotheses.iter().any(|h| those(h)) {
            return;
        }
        self.limit_costs();
        for parent in self.hypotheses.iter().filter(|h| those(h)) {
            if let Some(died) = parent.died_under(&self.expansion.state).filter(|_| parent.went_on_without())
            {
                self.expansion.add(died);
            }
            let event = self.not_seen(parent, time);
            // What is only missing may be in a hand.
            let missing = squares(parent.mismatched).all(|at| self.expansion.state.code(at) == 0);
            let in_hand = missing && !parent.presses.is_ahead(parent.node.game.turn());
            if !in_hand && parent.rank() <= self.expansion.best + limits::UNSEEN_WITHIN {
                self.expansion.silent_landings(parent, &event, !0);
            }
        }
    }

    /// The board stands as no hypothesis has it: one of `those` may miss no more than what was forgotten.
    fn look_for_forgotten(&mut self, time: Option<Time>, those: impl Fn(&Hypothesis<G>) -> bool) {
        if self.hypotheses.iter().any(|h| h.mismatched == 0) {
            return;
        }
        self.limit_costs();
        for parent in self.hypotheses.iter().filter(|h| those(h)) {
            let event = self.not_seen(parent, time);
            self.expansion.forgotten(parent, &event);
        }
    }

    /// What stands for a change that nobody saw, of a hypothesis.
    fn not_seen(&self, parent: &Hypothesis<G>, time: Option<Time>) -> Event {
        let BoardState { index, rests, .. } = *self.state();
        Event { index, rests, stamp: time.into(), seen: false, ..parent.node.completed_by }
    }

    /// How many hypotheses are kept: more where the best takes squares for dead.
    fn width(&self) -> usize {
        let dead = self.best().position.game.dead() != 0;
        if dead { self.width.max(limits::BEAM_AGAIN) } else { self.width }
    }

    /// What is found from here on is kept if it costs little more than the best hypothesis ranks.
    fn limit_costs(&mut self) {
        let ranks = self.hypotheses.iter().map(|h| h.rank());
        self.expansion.begin(ranks, self.width());
    }

    /// Nothing is played and all pieces are in their places.
    fn start_stands(&self) -> bool {
        self.best().node.ply == 0 && self.best().mismatched == 0
    }

    /// Clocks are tried and started before the first move: of presses before it only one counts that the side to
    /// move makes with its hand still at the first piece.
    fn press_of_the_first_move(&mut self, time: Option<Time>) {
        if let Some((side, seconds, then)) = self.press_at_start.take()
            && side == self.best().node.game.turn()
            && then.zip(time).is_none_or(|(then, time)| then.seconds_until(time) <= limits::AT_ONCE)
        {
            self.press(side, seconds, then);
        }
    }

    fn rest_long(&mut self) {
        for hypothesis in self.hypotheses.iter().filter(|h| h.mismatched == 0) {
            hypothesis.node.stood_long.set(true);
        }
        if self.hypotheses.iter().all(|h| h.mismatched != 0) {
            return;
        }
        self.keep_what_was_meant(None);
        // Without a press to confirm it a move may still be withdrawn.
        for hypothesis in self.hypotheses.iter_mut().filter(|h| h.mismatched != 0) {
            hypothesis.charge_open(Deviation::LongMismatched, 1.0);
        }
        self.prune();
    }

    /// A pressed move that stands on a board at rest was no stop on the way, nor the one before the last. The rest has to be
    /// after the press: who presses has let go of a piece that the scan may not have found yet.
    fn keep_what_was_meant(&mut self, until: Option<Time>) {
        let best = &self.hypotheses[0];
        let pressed = |h: &Hypothesis<G>| {
            h.pressed(h.node.ply)
                .is_some_and(|press| until.is_none_or(|until| press.stamp.time() < Some(until)))
        };
        // What becomes of a pawn that stands on the last rank may be fetched yet.
        if best.mismatched == 0 && pressed(best) && !best.node.is_unshown() {
            let unlikely = best.rank() + limits::UNPRESSED_AT_REST;
            let meant = |h: &Hypothesis<G>| h.mismatched == 0 && (pressed(h) || h.rank() < unlikely);
            self.hypotheses.retain(|h| meant(h) || h.illegal().is_some());
        }
    }

    /// Puts a hypothesis that was found by other means beside the others.
    pub fn add(&mut self, hypothesis: Hypothesis<G>) {
        self.expansion.children.push(Box::new(hypothesis));
        self.prune();
    }

    /// The board stands as at this node, and nothing else is thought of.
    pub fn stand_at(&mut self, node: Rc<Node<G>>) {
        self.expansion.state.stand(node.game.shown());
        let best = self.best();
        let here = match best.node.line_hash == node.line_hash {
            // Its presses are known.
            true => best.back_at(node, best.account().clone()),
            false => {
                let cost = node.cost;
                Box::new(best.instead(node, cost, Deviation::StoppedAndBack, 1.0))
            }
        };
        self.hypotheses = vec![here];
    }

    /// What stands is what counts: hypotheses that leave squares wrong give way to those that do not. Whether there
    /// are such.
    pub fn prefer_standing(&mut self) -> bool {
        let standing = self.hypotheses().filter(|h| h.mismatched == 0);
        let standing = standing.map(Hypothesis::rank).fold(f32::INFINITY, f32::min);
        if standing == f32::INFINITY {
            return false;
        }
        for hypothesis in &mut self.hypotheses {
            if hypothesis.mismatched != 0 && hypothesis.rank() <= standing {
                hypothesis.charge_times(Deviation::PutBehind, standing - hypothesis.rank() + 1.0);
            }
        }
        self.prune();
        true
    }

    /// What leaves squares wrong is given up, if there is anything else. Whether there is.
    pub fn keep_standing(&mut self) -> bool {
        let stands = self.hypotheses.iter().any(|h| h.mismatched == 0);
        if stands {
            self.hypotheses.retain(|h| h.mismatched == 0);
        }
        stands
    }

    /// Keeps the best, old and new, of those that differ.
    fn prune(&mut self) {
        let mut children = std::mem::take(&mut self.expansion.children);
        self.hypotheses.extend(children.drain(..).filter_map(|child| self.expansion.hold(child)));
        self.expansion.children = children;
        for hypothesis in &mut self.hypotheses {
            hypothesis.update_rank();
        }
        let best = self.hypotheses().map(Hypothesis::rank).fold(f32::INFINITY, f32::min);
        let limit = best + self.expansion.margin;
        self.hypotheses.retain(|h| h.rank() <= limit);
        self.hypotheses.sort_by(|a, b| a.rank().total_cmp(&b.rank()));
        // Two ways to the same position that leave the same over have the same future: the better one is enough.
        self.distinct.clear();
        let width = self.width();
        let distinct = &mut self.distinct;
        let mut merged = Vec::new();
        self.hypotheses.retain(|h| {
            let leaves = (h.node.placement_hash, h.node.ply, h.mismatched, h.captured_standing);
            let (unexplained, rank) = (h.unexplained.len(), h.rank());
            let at_most = rank.max(h.cost() + unexplained as f32 * Deviation::AdjustOwn.price() / 2.0);
            let dead = h.position.game.dead();
            let stands = Distinct { leaves, dead, unexplained, rank, at_most };
            if let Some(at) = distinct.iter().position(|known| known.has_the_future_of(&stands)) {
                if distinct[at].dead == stands.dead {
                    merged.push((at, h.node.clone(), h.rank()));
                }
            } else if distinct.len() < width {
                distinct.push(stands);
                return true;
            }
            false
        });
        for (at, node, rank) in merged {
            let dearer = rank - self.hypotheses[at].rank();
            self.hypotheses[at].merge(node, dearer);
        }
    }
}
