//! What a hypothesis becomes when pieces stand beside where the game has them, and nobody meant it: one was knocked to the next
//! square, a captured one was put down on the board.
//!
//! The game goes on as if they stood right. What reads otherwise is let be until it changes, as where an arbiter ruled so.

use super::Hypothesis;
use crate::{
    reconstruct::{
        costs::Deviation,
        limits,
        observe::{BoardState, event::Event},
    },
    rules::{Game, bit, squares},
};

impl<G: Game> Hypothesis<G> {
    /// This hypothesis on a board at rest, of which all that reads otherwise means nothing; none where nothing does, where it is
    /// too much, where somebody may hold it, and where it may be of the last move.
    pub fn displaced(&self, state: &BoardState) -> Option<Hypothesis<G>> {
        let stands = squares(self.mismatched).any(|at| state.code(at) != 0);
        if !stands || self.mismatched.count_ones() > limits::DISPLACED || !self.is_apart() {
            return None;
        }
        let mut displaced = Hypothesis {
            account: self.account.at(self.rank()),
            captured_standing: self.captured_standing | self.mismatched,
            mismatched: 0,
            unexplained: Vec::new(),
            is_ranked: false,
            ..self.clone()
        };
        displaced.charge_times(Deviation::Displaced, 1.0);
        Some(displaced)
    }

    /// Whether pieces of who moved last came to what reads otherwise behind that move, or well before it.
    fn is_apart(&self) -> bool {
        let (last, pressed) = (&self.node.completed_by, self.pressed(self.node.ply));
        let long = |e: &Event| {
            let between = e.stamp.time().zip(last.stamp.time());
            between.is_some_and(|(here, there)| here.seconds_until(there).abs() >= limits::DISPLACED_APART)
        };
        let pressed = |e: &Event| pressed.is_some_and(|press| e.index > press.index);
        let apart = |e: &Event| pressed(e) || e.rests > last.rests || long(e);
        let mover = self.node.game.turn().other();
        let own = |e: &&Event| self.mismatched & bit(e.square) != 0 && e.colour() == Some(mover);
        self.unexplained.iter().filter(own).all(apart)
    }
}
