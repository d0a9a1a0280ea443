//! Which squares a game is sure of that they are dead: the next game on the board begins with them, and where it goes on from what
//! stands it goes on with them. What only one move speaks for is no more than an explanation of it (`dead_square`).

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

    /// The squares that the game has shown to be dead, or began with, and that have not spoken since.
    pub fn dead(&self) -> Squares {
        let best = self.search.best();
        let at = |square: u8| {
            let silences = best.node.walk_back().filter(|node| node.is_silent_on(square));
            silences.take(limits::SURELY_DEAD).count() == limits::SURELY_DEAD
        };
        // One that died under its piece, and the game has gone on over it.
        let under = |square: u8| {
            let silent = best.node.walk_back().take_while(|node| node.game.dead() & bit(square) != 0);
            self.search.state().spoken & bit(square) != 0 && silent.count() >= limits::UNDER_ITS_PIECE
        };
        let dead = best.position.game.dead();
        self.start.dead() & dead | set_of(squares(dead).filter(|&square| at(square) || under(square)))
    }
}
