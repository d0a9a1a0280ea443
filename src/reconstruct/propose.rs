//! The proposers: each file here proposes one kind of explanation of a change, as children of a hypothesis.
//!
//! - [`legal`]: a legal move is complete; the plain case, on which the others build;
//! - [`withdrawal`]: the last move was withdrawn, or its piece is to be put elsewhere;
//! - [`taken_back`]: the last moves of both sides were withdrawn by agreement;
//! - [`illegal`]: an illegal move, which was pressed, is put back;
//! - [`unseen_landing`]: an earlier move was not seen to land; [`foreseen_landing`]: the same, shown by later changes
//!   ([`following`]); [`hidden_capture`]: the same for men of draughts that are given and taken at once;
//! - [`fetched`]: the piece for a promotion, published as a queen, is put on the board;
//! - [`forgotten`]: a move is complete except for a part that its mover forgot;
//! - [`dead_landing`]: a piece is on a dead square; [`emptied_again`]: a piece was on a square, and only its leaving was
//!   reported.
//!
//! The beam calls them in turn and keeps the best results. A new kind of explanation is a file here, a [`Proposer`] and
//! a line in the beam's list.

pub mod dead_landing;
pub mod emptied_again;
pub mod fetched;
mod following;
pub mod foreseen_landing;
pub mod forgotten;
pub mod hidden_capture;
pub mod illegal;
pub mod legal;
pub mod taken_back;
pub mod unseen_landing;
pub mod withdrawal;

use std::rc::Rc;

use super::{
    hypothesis::Hypothesis,
    limits,
    observe::{BoardState, event::Event, lookahead::Lookahead},
    rulings::GameRulings,
};
use crate::rules::{Candidate, Colour, Game, Squares, set_of, squares};

/// Hypotheses are large and sorted at each change, so they are boxed.
pub type Boxes<G> = Vec<Box<Hypothesis<G>>>;

/// Proposes explanations of one kind.
pub trait Proposer<G: Game> {
    /// Adds the hypotheses in which `event`, which `parent` has observed, has a meaning of this kind.
    fn propose(&self, expansion: &mut Expansion<G>, parent: &Hypothesis<G>, event: &Event);
}

/// The input of the proposers, and the hypotheses that they found.
pub struct Expansion<G: Game> {
    /// The state of the board.
    pub state: BoardState,
    /// The later observations that are known during a replay.
    pub lookahead: Lookahead,
    /// The rank of the best hypothesis.
    pub best: f32,
    /// A hypothesis that ranks this much worse than the best is dropped.
    pub margin: f32,
    /// A hypothesis that costs more will not be kept, since costs never fall.
    pub cost_limit: f32,
    /// The ranks of all hypotheses, old and new, and how many may be kept.
    ranks: Vec<f32>,
    room: usize,
    /// The rulings on the game.
    pub rulings: Rc<GameRulings>,
    /// The new hypotheses.
    pub children: Boxes<G>,
}

impl<G: Game> Expansion<G> {
    /// Nothing found yet, on a board in this state, with these later observations.
    pub fn new(
        state: BoardState,
        lookahead: Lookahead,
        margin: f32,
        rulings: &Rc<GameRulings>,
    ) -> Expansion<G> {
        let [best, cost_limit] = [f32::INFINITY; 2];
        let (ranks, room) = (Vec::new(), usize::MAX);
        let (rulings, children) = (rulings.clone(), Vec::new());
        Expansion { state, lookahead, best, margin, cost_limit, ranks, room, rulings, children }
    }

    /// New hypotheses compete with those of these ranks, of which `kept` are kept.
    pub fn begin(&mut self, ranks: impl Iterator<Item = f32>, kept: usize) {
        self.ranks.clear();
        self.ranks.extend(ranks);
        self.ranks.sort_unstable_by(f32::total_cmp);
        self.room = kept + limits::ALIKE_MAX;
        self.best = self.ranks.first().copied().unwrap_or(f32::INFINITY);
        self.cost_limit = self.best + self.margin;
    }

    /// The hypothesis in which this move was played after `parent`, unless it costs too much to be kept, now or after
    /// paying `still`, the least that is charged for the further steps.
    pub fn played(
        &self,
        parent: &Hypothesis<G>,
        mv: &Candidate<G::Move>,
        event: &Event,
        still: f32,
    ) -> Option<Box<Hypothesis<G>>> {
        let child = parent.apply_move(mv, event, &self.state, |cost| self.is_hopeless(cost + still))?;
        (!self.is_hopeless(child.cost() + still)).then_some(child)
    }

    /// The squares `among` on which a piece of the side to move is expected and missing.
    pub fn left_by_mover(&self, parent: &Hypothesis<G>, among: Squares) -> Squares {
        let turn = parent.node.game.turn();
        let own = |&at: &u8| Colour::of(parent.expected(at)) == Some(turn);
        set_of(squares(among & !self.state.pieces(turn)).filter(own))
    }

    /// Adds a new hypothesis, and lowers the cost limit accordingly: costs never fall, so one that is so much worse
    /// than the best, or than as many as are kept, will be dropped.
    pub fn add(&mut self, mut child: Box<Hypothesis<G>>) {
        if self.rulings.leave_open() {
            child.update_rank();
            let rank = child.rank();
            self.ranks.insert(self.ranks.partition_point(|&known| known <= rank), rank);
            let last = self.ranks.get(self.room - 1).copied().unwrap_or(f32::INFINITY);
            self.cost_limit = self.cost_limit.min(rank + self.margin).min(last);
        }
        self.children.push(child);
    }

    /// Whether a hypothesis of this cost will be dropped.
    pub fn is_hopeless(&self, cost: f32) -> bool {
        cost > self.cost_limit
    }

    /// The hypothesis with the ruled move for its last one, if a ruling differs; none where an earlier move differs
    /// from a ruling.
    pub fn as_ruled(&self, child: Box<Hypothesis<G>>) -> Option<Box<Hypothesis<G>>> {
        if self.rulings.leave_open() || self.rulings.allow(&child.node) {
            return Some(child);
        }
        let parent = child.node.parent.as_ref().filter(|parent| self.rulings.allow(parent))?;
        let node = self.rulings.next(parent, child.node.completed_by)?;
        Some(child.ruled_otherwise(node, &self.state))
    }
}
