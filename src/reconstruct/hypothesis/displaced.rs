//! What a hypothesis becomes when pieces stand beside where the game has them, and nobody meant it: one was knocked to the next
//! square, a captured one was put down on the board.
//!
//! The game goes on as if they stood right. What reads otherwise is let be until it changes, as where an arbiter ruled so.

use std::rc::Rc;

use super::Hypothesis;
use crate::{
    reconstruct::{
        costs::Deviation,
        limits,
        observe::{BoardState, event::Event},
        tree::{node::Node, position::Position},
    },
    rules::{Game, bit, squares},
};

impl<G: Game> Hypothesis<G> {
    /// This hypothesis on a board at rest, of which all that reads otherwise means nothing; none where nothing does, where it is
    /// too much, where somebody may hold it, and where it may be of the last move.
    pub fn displaced(&self, state: &BoardState) -> Option<Hypothesis<G>> {
        let stands = squares(self.mismatched).any(|at| state.code(at) != 0);
        // What goes farther was put there by a hand that meant it.
        let is_far = self.left_and_taken().is_some_and(|(from, to)| !are_neighbours(from, to));
        if !stands || is_far || self.mismatched.count_ones() > limits::DISPLACED || !self.is_apart() {
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

    /// The game in which the last move was none, but a piece that was knocked to the next square, and what came behind it was
    /// played: that was pressed.
    pub fn swapped(&self, state: &BoardState) -> Option<Hypothesis<G>> {
        let (told, (from, to)) = (&self.node, self.left_and_taken()?);
        let press = self.pressed(told.ply)?;
        let last = self.unexplained.iter().rfind(|e| e.square == to)?;
        // What one poll tells of happened in whatever order.
        let later = told.completed_by.stamp.time().zip(last.stamp.time());
        let later = later.is_some_and(|(one, other)| one.seconds_until(other) >= limits::POLLED_APART);
        let is_behind = later && last.index > told.completed_by.index && last.index <= press.index;
        let mut knocked = squares(told.changed);
        let is_knocked =
            knocked.next().zip(knocked.next()).is_some_and(|(one, other)| are_neighbours(one, other));
        if !is_behind || !is_knocked || knocked.next().is_some() {
            return None;
        }
        let before = told.parent.as_ref()?;
        let position = Position::new(before.game.clone());
        let played = position.moves_between(bit(from), bit(to)).find(|mv| (mv.from, mv.to) == (from, to))?;
        let after = position.after(&played);
        let node = Rc::new(Node::child(before, &played, &after, *last, false));
        let mut swapped = self.back_at(node, self.account.at(told.cost));
        swapped.captured_standing = after.game.differing(&state.board);
        swapped.charge_times(Deviation::Displaced, 1.0);
        Some(*swapped)
    }

    /// Whether pieces of who moved last came to what reads otherwise behind that move, or well before it; or one of them was
    /// knocked to the next square meanwhile, where it could not have moved itself.
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
        self.unexplained.iter().filter(own).all(apart) || self.is_knocked()
    }

    /// Whether all that reads otherwise is one piece that no move of its side led there before the last one.
    fn is_knocked(&self) -> bool {
        let before = self.node.parent.as_ref().map(|before| Position::new(before.game.clone()));
        self.left_and_taken().zip(before).is_some_and(|((from, to), before)| !before.leads(from, to))
    }

    /// The square that a piece left and the empty one that a piece came to, whichever pieces, if that is all that reads otherwise.
    fn left_and_taken(&self) -> Option<(u8, u8)> {
        let mut otherwise = squares(self.mismatched);
        let (one, other) = (otherwise.next()?, otherwise.next()?);
        let ways = [(one, other), (other, one)].into_iter();
        let mut found = ways.filter(|&(from, to)| self.expected(from) != 0 && self.expected(to) == 0);
        found.next().filter(|_| otherwise.next().is_none())
    }
}

/// Whether two fields touch.
fn are_neighbours(one: u8, other: u8) -> bool {
    (one % 8).abs_diff(other % 8) <= 1 && (one / 8).abs_diff(other / 8) <= 1
}
