//! What a hypothesis becomes when an arbiter ruled otherwise than the board showed.
//!
//! The board is right about everything else: the squares that it shows otherwise because of the ruling, and only those, are
//! let be until they change.

use std::rc::Rc;

use super::Hypothesis;
use crate::{
    reconstruct::{
        costs::Deviation,
        observe::BoardState,
        tree::{node::Node, position::Position},
    },
    rules::Game,
};

impl<G: Game> Hypothesis<G> {
    /// This hypothesis with another node for its last ply, which an arbiter ruled.
    pub fn ruled_otherwise(&self, node: Rc<Node<G>>, state: &BoardState) -> Box<Hypothesis<G>> {
        let wrong = node.game.differing(&state.board);
        let mut ruled = Box::new(Hypothesis {
            position: Position::new(node.game.clone()),
            mismatched: self.mismatched & wrong,
            captured_standing: wrong & !self.mismatched,
            is_ranked: false,
            node,
            ..self.clone()
        });
        ruled.charge_times(Deviation::RuledOtherwise, 1.0);
        ruled
    }

    /// The hypothesis that the next ply was what an arbiter ruled, on a board at rest that shows something else, which
    /// leads there.
    pub fn ruled_at_rest(&self, node: Rc<Node<G>>, state: &BoardState) -> Hypothesis<G> {
        let standing = node.game.differing(&state.board);
        let mut presses = self.presses.clone();
        presses.count_move(self.node.game.turn());
        let mut ruled = Hypothesis {
            captured_standing: standing,
            last_change: self.last_change,
            presses,
            ..self.instead(node, self.rank(), Deviation::RuledOtherwise, 1.0)
        };
        ruled.update_rank();
        ruled
    }
}
