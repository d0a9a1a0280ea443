//! A hypothesis in which pieces stand beside their squares, which nobody meant: one was knocked to the next square, or
//! a captured one was put down on the board.
//!
//! The game goes on as if they stood right. The mismatched squares are ignored until they change, as after a ruling.

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
    /// This hypothesis on a board at rest with its mismatched squares ignored; none where no piece stands on one, where
    /// they are too many or too far apart, or where they may be part of the last move.
    pub fn displaced(&self, state: &BoardState) -> Option<Hypothesis<G>> {
        let stands = squares(self.mismatched).any(|at| state.code(at) != 0);
        // A piece farther away was put there on purpose.
        let is_far = self.left_and_taken().is_some_and(|(from, to)| !are_neighbours(from, to));
        if !stands || is_far || self.mismatched.count_ones() > limits::MOVE_MAX_SQUARES || !self.is_apart() {
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

    /// The game without its last move, in which a piece was only knocked to the next square, and with the later move
    /// that was pressed instead.
    pub fn swapped(&self, state: &BoardState) -> Option<Hypothesis<G>> {
        let (last_node, (from, to)) = (&self.node, self.left_and_taken()?);
        let press = self.pressed(last_node.ply)?;
        let last = self.unexplained.iter().rfind(|e| e.square == to)?;
        // The changes of one poll happened in any order.
        let later = last_node.completed_by.stamp.time().zip(last.stamp.time());
        let later =
            later.is_some_and(|(one, other)| one.seconds_until(other) >= limits::POLLED_APART_SECONDS);
        let is_later = later && last.index > last_node.completed_by.index && last.index <= press.index;
        let mut knocked = squares(last_node.changed);
        let is_knocked =
            knocked.next().zip(knocked.next()).is_some_and(|(one, other)| are_neighbours(one, other));
        if !is_later || !is_knocked || knocked.next().is_some() {
            return None;
        }
        let before = last_node.parent.as_ref()?;
        let position = Position::new(before.game.clone());
        let played = position.moves_between(bit(from), bit(to)).find(|mv| (mv.from, mv.to) == (from, to))?;
        let after = position.after(&played);
        let node = Rc::new(Node::child(before, &played, &after, *last, false));
        let mut swapped = self.back_at(node, self.account.at(last_node.cost));
        swapped.captured_standing = after.game.differing(&state.board);
        swapped.charge_times(Deviation::Displaced, 1.0);
        Some(*swapped)
    }

    /// Whether the changes of the last mover's pieces on the mismatched squares came after the last move or well before
    /// it, or the piece was knocked to the next square, where it could not move by itself.
    fn is_apart(&self) -> bool {
        let (last, pressed) = (&self.node.completed_by, self.pressed(self.node.ply));
        let long = |e: &Event| {
            let between = e.stamp.time().zip(last.stamp.time());
            between.is_some_and(|(here, there)| here.seconds_until(there).abs() >= limits::MEANT_SECONDS)
        };
        let pressed = |e: &Event| pressed.is_some_and(|press| e.index > press.index);
        let apart = |e: &Event| pressed(e) || e.rests > last.rests || long(e);
        let mover = self.node.game.turn().other();
        let own = |e: &&Event| self.mismatched & bit(e.square) != 0 && e.colour() == Some(mover);
        self.unexplained.iter().filter(own).all(apart) || self.is_knocked()
    }

    /// Whether exactly one piece is off its square, where no legal move led before the last one.
    fn is_knocked(&self) -> bool {
        let before = self.node.parent.as_ref().map(|before| Position::new(before.game.clone()));
        self.left_and_taken().zip(before).is_some_and(|((from, to), before)| !before.leads(from, to))
    }

    /// The square that a piece left and the empty square that a piece reached, if nothing else is mismatched.
    fn left_and_taken(&self) -> Option<(u8, u8)> {
        let mut otherwise = squares(self.mismatched);
        let (one, other) = (otherwise.next()?, otherwise.next()?);
        let ways = [(one, other), (other, one)].into_iter();
        let mut found = ways.filter(|&(from, to)| self.expected(from) != 0 && self.expected(to) == 0);
        found.next().filter(|_| otherwise.next().is_none())
    }
}

/// Whether two fields are neighbours.
fn are_neighbours(one: u8, other: u8) -> bool {
    (one % 8).abs_diff(other % 8) <= 1 && (one / 8).abs_diff(other / 8) <= 1
}
