//! The tree of games: every hypothesis stands at one of its nodes, and what was told at another.

use std::{cell::Cell, rc::Rc};

use super::{event::Event, position::Position, timing::Hand};
use crate::rules::{Candidate, Colour, Game, Squares};

/// A position in the tree of games, with the move that led to it.
pub struct Node<G: Game> {
    /// The position before; none at the start.
    pub parent: Option<Rc<Node<G>>>,
    /// The position.
    pub game: G,
    /// The move that led here; none at the start, and where play went on from a position no move explains.
    pub mv: Option<G::Move>,
    /// Plies since the start.
    pub ply: u32,
    /// A hash of the placement.
    pub placement_hash: u64,
    /// A hash of all moves since the start: two nodes with the same are the same game.
    pub line_hash: u64,
    /// What the game up to here cost.
    pub cost: f32,
    /// When its piece was seen to leave its square and to stand on its new one, where they were seen.
    pub hand: Hand,
    /// The event that completed the move.
    pub completed_by: Event,
    /// The squares of the move.
    pub changed: Squares,
    /// Where the move ended.
    pub to: u8,
    /// Where the piece could have gone on to in one move that passes the square where it ended.
    pub onward: Squares,
    /// It was not seen but bridges a gap.
    pub guess: bool,
    /// The board was seen to rest in this position.
    pub seen_at_rest: Cell<bool>,
    /// It rested so for long.
    pub stood_long: Cell<bool>,
}

impl<G: Game> Node<G> {
    /// The hash of this game with one more move.
    fn extend_line(&self, candidate: &Candidate<G::Move>) -> u64 {
        let last = candidate.placed.first().map_or(0, |&(_, code)| code);
        let what = u64::from(candidate.from) | u64::from(candidate.to) << 8 | u64::from(last) << 16;
        let squares = candidate.changed.rotate_left(29) ^ candidate.stops.rotate_left(43);
        // An odd multiplier and a rotation spread every bit.
        (self.line_hash.rotate_left(7) ^ what ^ squares).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1
    }

    /// The node after a move that was not followed square by square, and which led to `after`.
    pub fn child(
        parent: &Rc<Node<G>>,
        candidate: &Candidate<G::Move>,
        after: &Position<G>,
        done: Event,
        guess: bool,
    ) -> Node<G> {
        Node {
            parent: Some(parent.clone()),
            placement_hash: after.hash,
            game: after.game.clone(),
            mv: Some(candidate.mv.clone()),
            ply: parent.ply + 1,
            line_hash: parent.extend_line(candidate),
            cost: parent.cost,
            hand: Hand::default(),
            completed_by: done,
            changed: candidate.changed,
            to: candidate.to,
            onward: 0,
            guess,
            seen_at_rest: Cell::new(false),
            stood_long: Cell::new(false),
        }
    }

    /// The position as the board shows it, which no move explains, with this side to move: the game goes on.
    pub fn resumed(parent: &Rc<Node<G>>, board: &[u8; 64], turn: Colour, done: Event) -> Option<Node<G>> {
        let game = parent.game.resumed(board, turn)?;
        let ply = parent.ply + if turn == parent.game.turn() { 2 } else { 1 };
        let line = (parent.line_hash ^ u64::from(ply) << 32).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        let cost = parent.cost;
        let (own, to, beyond, guess) = (0, 0, 0, false);
        let (rested, held) = (Cell::new(true), Cell::new(false));
        let parent = Some(parent.clone());
        let position = Position::new(game.clone()).hash;
        let (hand, mv) = (Hand::default(), None);
        Some(Node {
            parent,
            game,
            mv,
            ply,
            placement_hash: position,
            line_hash: line,
            cost,
            hand,
            completed_by: done,
            changed: own,
            to,
            onward: beyond,
            guess,
            seen_at_rest: rested,
            stood_long: held,
        })
    }

    /// The node at `ply` on the way to this one.
    pub fn at(self: &Rc<Self>, ply: u32) -> Option<Rc<Node<G>>> {
        let mut node = self.clone();
        while node.ply > ply {
            node = node.parent.clone()?;
        }
        (node.ply == ply).then_some(node)
    }

    /// Whether the game passed through an earlier node.
    pub fn leads_from(self: &Rc<Self>, earlier: &Node<G>) -> bool {
        self.at(earlier.ply).is_some_and(|node| node.line_hash == earlier.line_hash)
    }
}

impl<G: Game> Drop for Node<G> {
    fn drop(&mut self) {
        // A long game would be dropped by recursion as deep as it is long.
        let mut parent = self.parent.take();
        while let Some(node) = parent {
            parent = Rc::try_unwrap(node).ok().and_then(|mut node| node.parent.take());
        }
    }
}
