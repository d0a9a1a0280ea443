//! What a change may mean: each file here proposes one kind of explanation, as children of a hypothesis.
//!
//! * [`legal`]: a legal move is complete; the plain case, which the others build on;
//! * [`withdrawal`]: the last move was withdrawn, or its piece is to be put elsewhere;
//! * [`taken_back`]: both sides' last moves were, by agreement;
//! * [`illegal`]: one that was illegal, and pressed, is put back;
//! * [`unseen_landing`]: a move before it ended where no one saw it; [`foreseen_landing`]: the same, known by what
//!   follows ([`following`]); [`hidden_capture`]: the same for men of draughts that are given and taken at once;
//! * [`fetched`]: what a pawn has become is put in its place, which was told for a queen;
//! * [`forgotten`]: it is complete but for what its mover forgot to do of it;
//! * [`silence`]: it stands on a square that is dead; [`emptied_again`]: it stood there, and the board told only that it left.
//!
//! The beam asks them in turn and keeps the best of what they find. A new kind of explanation is a file here, a
//! [`Proposer`] and a line in the beam's list.

pub mod emptied_again;
pub mod fetched;
mod following;
pub mod foreseen_landing;
pub mod forgotten;
pub mod hidden_capture;
pub mod illegal;
pub mod legal;
pub mod silence;
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

/// Hypotheses are large and sorted at each change: only their addresses are moved.
pub type Boxes<G> = Vec<Box<Hypothesis<G>>>;

/// Proposes explanations of one kind.
pub trait Proposer<G: Game> {
    /// Adds the hypotheses in which `event`, which `parent` has taken note of, means something of this kind.
    fn propose(&self, expansion: &mut Expansion<G>, parent: &Hypothesis<G>, event: &Event);
}

/// What proposals look at, and where they put what they find.
pub struct Expansion<G: Game> {
    /// What stands on the board.
    pub state: BoardState,
    /// What is known to come: only when looking again.
    pub lookahead: Lookahead,
    /// The rank of the best hypothesis.
    pub best: f32,
    /// A hypothesis so much worse than the best is given up.
    pub margin: f32,
    /// What costs more will not be kept: costs never fall.
    pub cost_limit: f32,
    /// The ranks of the hypotheses that there are and were found, and how many of them may be kept.
    ranks: Vec<f32>,
    room: usize,
    /// What arbiters ruled of the game.
    pub rulings: Rc<GameRulings>,
    /// The hypotheses found.
    pub children: Boxes<G>,
}

impl<G: Game> Expansion<G> {
    /// Nothing found yet, of a board that stands so and of which so much is known.
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

    /// What is found from here on stands beside hypotheses of these ranks, and so many of all are kept.
    pub fn begin(&mut self, ranks: impl Iterator<Item = f32>, kept: usize) {
        self.ranks.clear();
        self.ranks.extend(ranks);
        self.ranks.sort_unstable_by(f32::total_cmp);
        self.room = kept + limits::ALIKE;
        self.best = self.ranks.first().copied().unwrap_or(f32::INFINITY);
        self.cost_limit = self.best + self.margin;
    }

    /// The hypothesis that this move was played after `parent`, unless that costs more than what will be
    /// kept, or will when it has paid this too: so much at least is charged for what it is a step to.
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

    /// Those of the squares `among` on which a piece of the side to move should stand and none does.
    pub fn left_by_mover(&self, parent: &Hypothesis<G>, among: Squares) -> Squares {
        let turn = parent.node.game.turn();
        let own = |&at: &u8| Colour::of(parent.expected(at)) == Some(turn);
        set_of(squares(among & !self.state.pieces(turn)).filter(own))
    }

    /// Adds a hypothesis to those found. What is found after it has to come up to it: costs never fall, and what is so much
    /// worse than the best, or than as many as are kept, is given up in the end.
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

    /// Whether a cost is more than what will be kept.
    pub fn is_hopeless(&self, cost: f32) -> bool {
        cost > self.cost_limit
    }

    /// A hypothesis as the rulings have it: with the ruled move for its last one; none where it was wrong before that.
    pub fn hold(&self, child: Box<Hypothesis<G>>) -> Option<Box<Hypothesis<G>>> {
        if self.rulings.leave_open() || self.rulings.allow(&child.node) {
            return Some(child);
        }
        let parent = child.node.parent.as_ref().filter(|parent| self.rulings.allow(parent))?;
        let node = self.rulings.next(parent, child.node.completed_by)?;
        Some(child.ruled_otherwise(node, &self.state))
    }
}
