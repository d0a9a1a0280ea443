//! Gaps: the moves that lead from a known position to what stands on the board.
//!
//! For positions that come after a loss of data, and for boards that stand still in a way no change seen
//! explains.

use std::rc::Rc;

use super::hypothesis::{Event, Node};
use crate::rules::{Game, Squares, bit};

/// The longest gap that is tried.
const LONGEST: u32 = 6;
/// How many positions are looked at before it is given up.
const BUDGET: u32 = 20_000;

/// What bridges a gap.
pub enum Bridge<G: Game> {
    /// One path only: its last node.
    One(Rc<Node<G>>),
    /// Several paths of the same length.
    Many,
    /// None was found.
    None,
}

/// The shortest legal path from `node` to a position that shows exactly `board`.
pub fn bridge<G: Game>(node: &Rc<Node<G>>, board: &[u8; 64], event: Event) -> Bridge<G> {
    let mut budget = BUDGET;
    for plies in 1..=LONGEST {
        let mut search = Paths { board, event, budget, found: Vec::new() };
        search.walk(node, plies);
        budget = search.budget;
        match search.found.len() {
            _ if budget == 0 => return Bridge::None,
            0 => continue,
            1 => return Bridge::One(search.found.remove(0)),
            _ => return Bridge::Many,
        }
    }
    Bridge::None
}

struct Paths<'a, G: Game> {
    board: &'a [u8; 64],
    event: Event,
    budget: u32,
    found: Vec<Rc<Node<G>>>,
}

impl<G: Game> Paths<'_, G> {
    fn walk(&mut self, node: &Rc<Node<G>>, plies: u32) {
        let wrong = differing(node.game.placement().codes(), self.board);
        if plies == 0 {
            if wrong == 0 {
                self.found.push(node.clone());
            }
            return;
        }
        // A move mends two squares, castling four, and castling is rare.
        if self.budget == 0 || self.found.len() > 1 || wrong.count_ones() > 2 * plies + 2 {
            return;
        }
        for candidate in node.game.moves() {
            if candidate.own & wrong == 0 {
                continue;
            }
            if self.budget == 0 {
                return;
            }
            self.budget -= 1;
            let child = Node::child(node, &candidate, self.event, true);
            self.walk(&Rc::new(child), plies - 1);
        }
    }
}

/// The squares on which two boards differ.
pub fn differing(a: &[u8; 64], b: &[u8; 64]) -> Squares {
    (0..64u8).filter(|&at| a[at as usize] != b[at as usize]).fold(0, |set, at| set | bit(at))
}
