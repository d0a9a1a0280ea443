//! The squares of a board that are certainly dead: the next game on the board begins with them, and so does play that
//! is resumed from a position. A square for which only one move is evidence is only assumed dead (`dead_square`).

use super::state::TrackedGame;
use crate::{
    reconstruct::limits,
    rules::{Game, Squares, bit, set_of, squares},
};

impl<G: Game> TrackedGame<G> {
    /// The squares that the best explanation takes for dead.
    pub fn takes_for_dead(&self) -> Squares {
        self.search.best().position.game.dead()
    }

    /// The squares that the game has shown to be dead, or began with, and that have not reported since.
    pub fn dead(&self) -> Squares {
        let best = self.search.best();
        let at = |square: u8| {
            let silences = best.node.walk_back().filter(|node| node.changes_dead_square(square));
            silences.take(limits::SURELY_DEAD_MOVES).count() == limits::SURELY_DEAD_MOVES
        };
        // A square that died under its piece, after which the game has gone on.
        let under = |square: u8| {
            let silent = best.node.walk_back().take_while(|node| node.game.dead() & bit(square) != 0);
            self.search.state().reported & bit(square) != 0
                && silent.count() >= limits::DIED_UNDER_PIECE_PLIES
        };
        let dead = best.position.game.dead();
        self.start.dead() & dead | set_of(squares(dead).filter(|&square| at(square) || under(square)))
    }
}
