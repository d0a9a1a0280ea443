//! Gaps: the moves that lead from a known position to what stands on the board.
//!
//! For positions that come after a loss of data, and for boards that stand still in a way no change seen
//! explains.

use std::rc::Rc;

use super::{
    limits,
    observe::event::Event,
    rulings::GameRulings,
    tree::{node::Node, position::Position},
};
use crate::rules::{Candidate, Game};

/// What bridges a gap.
pub enum Bridge<G: Game> {
    /// One path only: its last node.
    One(Rc<Node<G>>),
    /// Several paths of the same length.
    Many,
    /// None was found.
    None,
}

/// The legal path of so many plies from `node`, whose position this is, to a position that shows exactly `board`.
pub fn bridge<G: Game>(
    node: &Rc<Node<G>>,
    position: &Rc<Position<G>>,
    board: &[u8; 64],
    event: Event,
    plies: u32,
    rulings: &GameRulings,
) -> Bridge<G> {
    let (path, found, from) = (Vec::new(), Vec::new(), node.ply);
    let mut search = Paths { board, rulings, from, budget: limits::BRIDGE_BUDGET, path, found };
    search.walk(position, plies);
    match search.found.len() {
        found if found == 0 || search.budget == 0 => Bridge::None,
        1 => {
            let start = (node.clone(), position.clone());
            let (last, _) = search.found[0].iter().fold(start, |(node, position), mv| {
                let after = position.after(mv);
                (Rc::new(Node::child(&node, mv, &after, event, true)), after)
            });
            Bridge::One(last)
        }
        _ => Bridge::Many,
    }
}

struct Paths<'a, G: Game> {
    board: &'a [u8; 64],
    rulings: &'a GameRulings,
    /// The ply that the gap begins after.
    from: u32,
    budget: u32,
    path: Vec<Candidate<G::Move>>,
    found: Vec<Vec<Candidate<G::Move>>>,
}

impl<G: Game> Paths<'_, G> {
    fn walk(&mut self, position: &Position<G>, plies: u32) {
        let wrong = position.game.differing(self.board);
        // A move mends two squares, castling four, and castling is rare.
        if self.budget == 0 || self.found.len() > 1 || wrong.count_ones() > 2 * plies + 2 {
            return;
        }
        // The last move changes what is wrong and nothing else.
        let within = if plies == 1 { wrong } else { !0 };
        for candidate in position.moves_within(within, within) {
            if candidate.changed & wrong == 0 || (plies == 1 && candidate.changed != wrong) {
                continue;
            }
            if self.budget == 0 {
                return;
            }
            let ply = self.from + self.path.len() as u32 + 1;
            if !self.rulings.allow_move(ply, &position.game, &candidate) {
                continue;
            }
            self.budget -= 1;
            self.path.push(candidate.clone());
            if plies > 1 {
                // Not kept with the position: there are thousands.
                self.walk(&Position::new(position.game.after(&candidate)), plies - 1);
            } else if candidate.changes().all(|(at, code)| self.board[at as usize] == code) {
                self.found.push(self.path.clone());
            }
            self.path.pop();
        }
    }
}
