//! A hypothesis after a ruling that differs from the board.
//!
//! The board is right in everything else: only the squares that differ because of the ruling are ignored until they
//! change.

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
    /// This hypothesis with another last node, which an arbiter ruled.
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

    /// The hypothesis in which the next ply is what an arbiter ruled, on a board at rest that shows something else.
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
