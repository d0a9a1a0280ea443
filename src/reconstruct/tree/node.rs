//! A node of the tree of games: every hypothesis stands at one, and every published move has one.

use std::{
    cell::{Cell, OnceCell},
    rc::Rc,
};

use super::position::{Position, onward};
use crate::{
    reconstruct::{
        costs::Charge,
        observe::{event::Event, hand::Hand},
    },
    record::{EndReason, Outcome, Ruling, Time},
    rules::{Candidate, Colour, Game, Promotion, Squares, bit},
};

/// A position in the tree of games, with the move that led to it.
pub struct Node<G: Game> {
    /// The position before; none at the start.
    pub parent: Option<Rc<Node<G>>>,
    /// The position.
    pub game: G,
    /// The move that led here; none at the start, and where play went on from a position that no move explains.
    pub mv: Option<G::Move>,
    /// Plies since the start.
    pub ply: u32,
    /// A hash of the placement.
    pub placement_hash: u64,
    /// A hash of all moves since the start: two nodes with the same hash have the same game.
    pub line_hash: u64,
    /// The cost of the game up to here when the move was complete, without later charges of that move.
    pub cost: f32,
    /// The charges since the move before; empty where they are not itemised.
    pub charges: Vec<Charge>,
    /// The changes with which the moving piece was seen to leave and to land.
    pub hand: Hand,
    /// The event that completed the move.
    pub completed_by: Event,
    /// The squares that the move changed.
    pub changed: Squares,
    /// Where the move ended.
    pub to: u8,
    /// The last square off its way on which the piece was set down, in this move or in a withdrawn one that it
    /// replaces.
    pub last_detour: Option<u8>,
    /// Where the piece could have gone on to, computed on demand; none after a move that was not followed square by
    /// square.
    pub onward: OnceCell<Squares>,
    /// Whether the move was not seen but bridges a gap,
    pub guess: bool,
    /// and the share of the bridges that have it.
    pub share: f32,
    /// An arbiter ruled it, and the board showed something else.
    pub ruled_otherwise: Option<Rc<Ruling>>,
    /// Whether the board was seen to rest in this position,
    pub seen_at_rest: Cell<bool>,
    /// and rested there for long.
    pub stood_long: Cell<bool>,
    /// How the position ends the game by the rules, computed on demand.
    ending: OnceCell<Option<(EndReason, Option<Outcome>)>>,
}

impl<G: Game> Node<G> {
    /// The start of a game.
    pub fn root(position: &Position<G>, time: Option<Time>) -> Node<G> {
        Node {
            parent: None,
            game: position.game.clone(),
            mv: None,
            ply: 0,
            placement_hash: position.hash,
            line_hash: 0,
            cost: 0.0,
            charges: Vec::new(),
            hand: Hand::default(),
            last_detour: None,
            completed_by: Event {
                index: 0,
                square: 0,
                old: 0,
                new: 0,
                rests: 0,
                scan: 0,
                slow: false,
                seen: true,
                stamp: time.into(),
            },
            changed: 0,
            to: 0,
            onward: OnceCell::from(0),
            guess: false,
            share: 1.0,
            ruled_otherwise: None,
            seen_at_rest: Cell::new(true),
            stood_long: Cell::new(false),
            ending: OnceCell::new(),
        }
    }

    /// The next node after `parent`, with this position.
    fn follow(parent: &Rc<Node<G>>, position: &Position<G>, ply: u32, completed_by: Event) -> Node<G> {
        let mut node = Node::root(position, None);
        (node.parent, node.ply) = (Some(parent.clone()), ply);
        (node.cost, node.completed_by) = (parent.cost, completed_by);
        node
    }

    /// The square from which the move started.
    pub fn from(&self) -> Option<u8> {
        self.mv.as_ref().map(|mv| G::ends(mv).from)
    }

    /// The hash of the line of this game with one more move.
    fn extend_line(&self, candidate: &Candidate<G::Move>) -> u64 {
        // Another figure may stand for the queen, which makes no other move.
        let last = match G::promotion(&candidate.mv) {
            None => 0,
            Some(Promotion::Most | Promotion::Unshown) => 1,
            Some(Promotion::Less(code)) => code,
        };
        let what = u64::from(candidate.from) | u64::from(candidate.to) << 8 | u64::from(last) << 16;
        let squares = candidate.changed.rotate_left(29) ^ candidate.stops.rotate_left(43);
        // An odd multiplier and a rotation spread every bit.
        (self.line_hash.rotate_left(7) ^ what ^ squares).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1
    }

    /// The node after a move that was not followed square by square; `after` is the position it led to.
    pub fn child(
        parent: &Rc<Node<G>>,
        candidate: &Candidate<G::Move>,
        after: &Position<G>,
        done: Event,
        guess: bool,
    ) -> Node<G> {
        let mut node = Node::follow(parent, after, parent.ply + 1, done);
        node.line_hash = parent.extend_line(candidate);
        node.mv = Some(candidate.mv.clone());
        (node.changed, node.to, node.guess) = (candidate.changed, candidate.to, guess);
        node.seen_at_rest = Cell::new(false);
        node
    }

    /// The same node on a board that shows this, where another figure stood for a piece.
    pub fn shown_as(&self, board: &[u8; 64]) -> Option<Node<G>> {
        let parent = self.parent.as_ref()?;
        let position = Position::new(self.game.shown_as(board)?);
        let mut node = Node::follow(parent, &position, self.ply, self.completed_by);
        node.line_hash = self.line_hash;
        node.mv.clone_from(&self.mv);
        (node.changed, node.to) = (self.changed, self.to);
        (node.guess, node.share) = (self.guess, self.share);
        (node.cost, node.hand) = (self.cost, self.hand);
        node.charges.clone_from(&self.charges);
        node.ruled_otherwise.clone_from(&self.ruled_otherwise);
        Some(node)
    }

    /// A node for the position on the board, which no move explains, with this side to move. Of the dead squares of
    /// `parent` only those in `surely` remain dead.
    pub fn resumed(
        parent: &Rc<Node<G>>,
        board: &[u8; 64],
        surely: Squares,
        turn: Colour,
        completed_by: Event,
    ) -> Option<Node<G>> {
        let game = parent.game.with_dead(parent.game.dead() & surely);
        let position = Position::new(game.resumed(board, turn)?);
        let ply = parent.ply + if turn == parent.game.turn() { 2 } else { 1 };
        let mut node = Node::follow(parent, &position, ply, completed_by);
        node.line_hash = (parent.line_hash ^ u64::from(ply) << 32).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        Some(node)
    }

    /// The position that an arbiter ruled for this ply.
    pub fn ruled(parent: &Rc<Node<G>>, game: G, ply: u32, event: Event) -> Node<G> {
        let mut node = Node::follow(parent, &Position::new(game), ply, event);
        node.line_hash =
            (parent.line_hash ^ node.placement_hash ^ u64::from(ply)).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        node
    }

    /// The code on the square where the move ended.
    pub fn landed_code(&self) -> u8 {
        self.game.placement().codes()[self.to as usize]
    }

    /// Whether the move promoted a pawn that stands on the board as one: the piece may still be fetched.
    pub fn is_unshown(&self) -> bool {
        self.mv.as_ref().is_some_and(|mv| G::promotion(mv) == Some(Promotion::Unshown))
    }

    /// Whether the move came to this dead square, or left it.
    pub fn changes_dead_square(&self, square: u8) -> bool {
        let before = self.parent.as_ref().filter(|_| self.game.dead() & bit(square) != 0);
        before.is_some_and(|before| {
            let [was, is] = [before, self].map(|node| node.game.placement().codes()[square as usize]);
            was != is
        })
    }

    /// The squares that the piece could have gone on to in one move that passes the square where it ended.
    pub fn onward(&self) -> Squares {
        *self.onward.get_or_init(|| {
            let (Some(parent), Some(mv)) = (&self.parent, &self.mv) else { return 0 };
            // The squares that were dead before the move: it changes none of those.
            let dead = self.game.dead() & !self.changed;
            let shown = (parent.game.dead() != dead).then(|| parent.game.with_dead(dead));
            let before = shown.as_ref().unwrap_or(&parent.game);
            onward(before, &before.candidate(mv))
        })
    }

    /// How the position ends the game by the rules, if it does.
    pub fn ending(&self) -> Option<(EndReason, Option<Outcome>)> {
        *self.ending.get_or_init(|| self.game.ending())
    }

    /// This node and those before it, back to the start of the game.
    pub fn walk_back(self: &Rc<Self>) -> impl Iterator<Item = &Rc<Node<G>>> {
        std::iter::successors(Some(self), |node| node.parent.as_ref())
    }

    /// The node at `ply` on the way to this one.
    pub fn at(self: &Rc<Self>, ply: u32) -> Option<&Rc<Node<G>>> {
        self.walk_back().find(|node| node.ply <= ply).filter(|node| node.ply == ply)
    }

    /// Whether the game passed through an earlier node.
    pub fn leads_from(self: &Rc<Self>, earlier: &Node<G>) -> bool {
        self.at(earlier.ply).is_some_and(|node| node.line_hash == earlier.line_hash)
    }
}

impl<G: Game> Drop for Node<G> {
    fn drop(&mut self) {
        // Dropping a long game by recursion could overflow the stack.
        let mut parent = self.parent.take();
        while let Some(mut node) = parent {
            parent = Rc::get_mut(&mut node).and_then(|node| node.parent.take());
        }
    }
}
