//! A beam of hypotheses: every observation goes to all of them, children are made, and the best are kept.
//!
//! Where a change completes a legal move a child is made and the parent stays, so that a stop on the way is undone by
//! its better sibling. The beam itself never goes back; `backtrack` replays observations in another beam.

use std::rc::Rc;

use super::{
    costs::Deviation,
    hypothesis::Hypothesis,
    limits,
    observe::{BoardState, Known, Observation, clock_sides::ClockSides, event::Event, lookahead::Lookahead},
    options::{Options, Width},
    propose::{
        Boxes, Expansion, Proposer,
        dead_landing::DeadLandings,
        fetched::Fetched,
        foreseen_landing::{self, ForeseenLandings},
        hidden_capture::HiddenCaptures,
        illegal::PutBack,
        legal::LegalMoves,
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

/// The hypotheses of one game.
pub struct Beam<G: Game> {
    /// Best first; never empty.
    hypotheses: Boxes<G>,
    /// Which player sits at which side of the clock.
    pub sides: ClockSides,
    width: usize,
    expansion: Expansion<G>,
    /// The last press while the game's start stood: its side, its seconds and its time.
    press_at_start: Option<(Colour, f64, Option<Time>)>,
    /// The keys of the hypotheses kept, for [`Beam::prune`].
    distinct: Vec<Distinct>,
}

/// The key by which hypotheses with the same future are found.
struct Distinct {
    /// Its position, its ply, the mismatched squares, and those that may mismatch.
    leaves: (u64, u32, Squares, Squares),
    /// Its dead squares.
    dead: Squares,
    /// The number of its unexplained changes.
    unexplained: usize,
    /// Its rank, and its rank after the highest charge for each unexplained change.
    rank: f32,
    max_rank: f32,
}

impl Distinct {
    /// Whether `other` cannot become better than this one, which ranks better so far.
    fn has_the_future_of(&self, other: &Distinct) -> bool {
        // A hypothesis with one more dead square is not worth keeping. Unexplained changes may turn out to be on the
        // way of a move, so a hypothesis with them counts as better only if it still ranks better after paying for
        // each.
        self.leaves == other.leaves
            && self.dead & !other.dead == 0
            && (self.unexplained <= other.unexplained
                || (self.unexplained < other.unexplained + limits::MORE_UNEXPLAINED
                    && self.max_rank <= other.rank))
    }
}

impl<G: Game> Beam<G> {
    /// A game that starts now, from `game`, on a board that shows its placement; `turned` by 180°.
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

    /// A beam of these hypotheses on a board in this state, with the known later observations.
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

    /// The state of the board.
    pub fn state(&self) -> &BoardState {
        &self.expansion.state
    }

    /// These squares of the board have reported pieces.
    pub fn mark_reported(&mut self, squares: Squares) {
        self.expansion.state.reported |= squares;
    }

    /// The hypotheses, best first; never empty.
    pub fn hypotheses(&self) -> impl Iterator<Item = &Hypothesis<G>> {
        self.hypotheses.iter().map(Box::as_ref)
    }

    /// The rulings on the game.
    pub fn rulings(&self) -> &Rc<GameRulings> {
        &self.expansion.rulings
    }

    /// The best hypothesis.
    pub fn best(&self) -> &Hypothesis<G> {
        &self.hypotheses[0]
    }

    /// Takes the hypotheses of another beam on the same board.
    pub fn replace(&mut self, other: Beam<G>) {
        self.hypotheses = other.hypotheses;
        self.prune();
        // A replay computes far more moves of a position than later observations need.
        for hypothesis in &mut self.hypotheses {
            **hypothesis = hypothesis.bare();
        }
    }

    /// Adds an observation.
    pub fn observe(&mut self, observation: Observation) {
        match observation {
            Observation::Change { square, new, how, time } => self.change(square, new, how, time),
            Observation::Press { side, seconds, time } if self.start_stands() => {
                self.press_at_start = Some((side, seconds, time));
            }
            Observation::Press { side, seconds, time } => self.press(side, seconds, time),
            Observation::Clock { gone } => self.expansion.state.set_clock_removed(gone),
            Observation::Rest { part, seen, until, time } => {
                self.expansion.state.rest();
                for hypothesis in &mut self.hypotheses {
                    hypothesis.rest(part, seen);
                }
                self.look_for_dead_squares(time, |_| true);
                self.look_for_forgotten(time, |_| true);
                self.prune();
                self.drop_unpressed_at_rest(until);
            }
            Observation::PollOver { odd } => self.poll_over(odd),
            Observation::LongRest => self.rest_long(),
        }
    }

    /// A square changed.
    fn change(&mut self, square: u8, new: u8, how: Known, time: Option<Time>) {
        // A change that was found together with others completes no move: their order is unknown.
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
        self.expansion.lookahead.advance(event.index);
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
            &DeadLandings,
        ];
        for parent in self.hypotheses.iter().filter(|h| completes && h.rank() < limit) {
            for proposer in proposers {
                proposer.propose(&mut self.expansion, parent, &event);
            }
        }
        foreseen_landing::propose_from_children(&mut self.expansion, &event);
        self.prune();
    }

    /// An empty square was reported to become empty: the board overwrote the entry with the piece that came there.
    fn emptied_again(&mut self, square: u8, time: Option<Time>) {
        self.mark_reported(bit(square));
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
        self.expansion.state.set_clock_removed(false);
        self.expansion.state.pressed_last = Some(side);
        for hypothesis in &mut self.hypotheses {
            hypothesis.press(side, seconds, &self.expansion.state, time);
        }
        // Both sides are done, and one of the landings was not seen.
        self.look_for_dead_squares(time, |h| h.presses.are_both_ahead());
        self.prune();
    }

    /// The poll that reported the last press is over, or without a clock the one that reported the last changes.
    fn poll_over(&mut self, odd: f32) {
        match self.expansion.state.pressed_last.take() {
            Some(side) => {
                for hypothesis in &mut self.hypotheses {
                    hypothesis.press_poll_over(side, odd, &self.expansion.state);
                }
                self.look_for_forgotten(None, |h| h.node.game.turn() == side && h.presses.is_ahead(side));
            }
            None if self.state().clock_in_use() => return,
            None => {
                self.hypotheses.iter_mut().for_each(|hypothesis| hypothesis.change_poll_over(odd));
                self.look_for_forgotten(None, |_| true);
            }
        }
        self.prune();
    }

    /// No hypothesis explains the board: a piece may stand on a dead square, if one of `those` lacks it.
    fn look_for_dead_squares(&mut self, time: Option<Time>, those: impl Fn(&Hypothesis<G>) -> bool) {
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
            // A piece that is only missing may be in a hand.
            let missing = squares(parent.mismatched).all(|at| self.expansion.state.code(at) == 0);
            let in_hand = missing && !parent.presses.is_ahead(parent.node.game.turn());
            if !in_hand && parent.rank() <= self.expansion.best + limits::UNSEEN_MAX_DEARER {
                self.expansion.dead_square_landings(parent, &event, !0);
            }
        }
    }

    /// No hypothesis explains the board: one of `those` may lack only a part of a move that its mover forgot.
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

    /// The event that stands for an unseen change in a hypothesis.
    fn not_seen(&self, parent: &Hypothesis<G>, time: Option<Time>) -> Event {
        let BoardState { index, rests, .. } = *self.state();
        Event { index, rests, stamp: time.into(), seen: false, ..parent.node.completed_by }
    }

    /// The number of hypotheses to keep: more where the best one has dead squares.
    fn width(&self) -> usize {
        let dead = self.best().position.game.dead() != 0;
        if dead { self.width.max(limits::REPLAY_BEAM_WIDTH) } else { self.width }
    }

    /// Limits the cost of new hypotheses by the rank of the best one and the margin.
    fn limit_costs(&mut self) {
        let ranks = self.hypotheses.iter().map(|h| h.rank());
        self.expansion.begin(ranks, self.width());
    }

    /// Whether nothing is played and all pieces are on their start squares.
    fn start_stands(&self) -> bool {
        self.best().node.ply == 0 && self.best().mismatched == 0
    }

    /// Players try and start clocks before the first move. Of the presses before it only one counts: that of the side
    /// to move, made while its hand is at the first piece.
    fn press_of_the_first_move(&mut self, time: Option<Time>) {
        if let Some((side, seconds, then)) = self.press_at_start.take()
            && side == self.best().node.game.turn()
            && then
                .zip(time)
                .is_none_or(|(then, time)| then.seconds_until(time) <= limits::SEEN_AT_REST_SECONDS)
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
        self.drop_unpressed_at_rest(None);
        // A move without a press may still be withdrawn.
        for hypothesis in self.hypotheses.iter_mut().filter(|h| h.mismatched != 0) {
            hypothesis.charge_open(Deviation::LongMismatched, 1.0);
        }
        self.prune();
    }

    /// Drops the hypotheses that differ in a move which was pressed and then stood at rest: it is final. The rest must
    /// come after the press: the player who presses has let go of a piece that the scan may not have found yet.
    fn drop_unpressed_at_rest(&mut self, until: Option<Time>) {
        let best = &self.hypotheses[0];
        let pressed = |h: &Hypothesis<G>| {
            h.pressed(h.node.ply)
                .is_some_and(|press| until.is_none_or(|until| press.stamp.time() < Some(until)))
        };
        // The piece for a pawn on the last rank may still be fetched.
        if best.mismatched == 0 && pressed(best) && !best.node.is_unshown() {
            let unlikely = best.rank() + limits::UNPRESSED_MAX_DEARER;
            let meant = |h: &Hypothesis<G>| h.mismatched == 0 && (pressed(h) || h.rank() < unlikely);
            self.hypotheses.retain(|h| meant(h) || h.illegal().is_some());
        }
    }

    /// Adds a hypothesis that was found by other means.
    pub fn add(&mut self, hypothesis: Hypothesis<G>) {
        self.expansion.children.push(Box::new(hypothesis));
        self.prune();
    }

    /// The board shows the position of this node, and all other hypotheses are dropped.
    pub fn stand_at(&mut self, node: Rc<Node<G>>) {
        self.expansion.state.stand(node.game.shown());
        let best = self.best();
        let here = match best.node.line_hash == node.line_hash {
            // The presses of the best hypothesis are kept.
            true => best.back_at(node, best.account().clone()),
            false => {
                let cost = node.cost;
                Box::new(best.instead(node, cost, Deviation::StoppedAndBack, 1.0))
            }
        };
        self.hypotheses = vec![here];
    }

    /// Ranks hypotheses with mismatched squares after those without. Returns whether there are any without.
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

    /// Drops hypotheses with mismatched squares, if there are others; returns whether there are.
    pub fn keep_standing(&mut self) -> bool {
        let stands = self.hypotheses.iter().any(|h| h.mismatched == 0);
        if stands {
            self.hypotheses.retain(|h| h.mismatched == 0);
        }
        stands
    }

    /// Keeps the best of the old and new hypotheses, one for each future.
    fn prune(&mut self) {
        let mut children = std::mem::take(&mut self.expansion.children);
        self.hypotheses.extend(children.drain(..).filter_map(|child| self.expansion.as_ruled(child)));
        self.expansion.children = children;
        for hypothesis in &mut self.hypotheses {
            hypothesis.update_rank();
        }
        let best = self.hypotheses().map(Hypothesis::rank).fold(f32::INFINITY, f32::min);
        let limit = best + self.expansion.margin;
        self.hypotheses.retain(|h| h.rank() <= limit);
        self.hypotheses.sort_by(|a, b| a.rank().total_cmp(&b.rank()));
        // Two hypotheses with the same position and the same open squares have the same future: the better one is
        // enough.
        self.distinct.clear();
        let width = self.width();
        let distinct = &mut self.distinct;
        let mut merged = Vec::new();
        self.hypotheses.retain(|h| {
            let leaves = (h.node.placement_hash, h.node.ply, h.mismatched, h.captured_standing);
            let (unexplained, rank) = (h.unexplained.len(), h.rank());
            let max_rank = rank.max(h.cost() + unexplained as f32 * Deviation::AdjustOwn.price() / 2.0);
            let dead = h.position.game.dead();
            let stands = Distinct { leaves, dead, unexplained, rank, max_rank };
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
