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
use crate::rules::{Candidate, Colour, Game, squares};

/// What bridges a gap.
pub enum Bridge<G: Game> {
    /// One way only: its last node.
    One(Rc<Node<G>>),
    /// Several ways of the same length: the last node of one whose moves most of them have, and how many there are.
    Many(Rc<Node<G>>, usize),
    /// None was found.
    None,
}

/// The legal ways of so many plies from `node`, whose position this is, to a position that shows exactly `board`. No more than
/// `most` are counted: a move that nobody saw is as likely as many of them have it.
pub fn bridge<G: Game>(
    node: &Rc<Node<G>>,
    position: &Rc<Position<G>>,
    board: &[u8; 64],
    event: Event,
    plies: u32,
    most: usize,
    rulings: &GameRulings,
) -> Bridge<G> {
    let (way, found, from) = (Vec::new(), Vec::new(), node.ply);
    let mut search = Ways { board, rulings, from, most, budget: limits::BRIDGE_BUDGET, way, found };
    search.walk(position, plies);
    let (found, all) = (&search.found, search.budget > 0 && search.found.len() < most);
    let is_at = |way: &&Vec<Candidate<G::Move>>, ply: usize, mv: &G::Move| way[ply].mv == *mv;
    let mut alike: Vec<&Vec<Candidate<G::Move>>> = found.iter().collect();
    let (mut last, mut position) = (node.clone(), position.clone());
    for ply in 0..plies as usize {
        let count = |way: &&&Vec<Candidate<G::Move>>| {
            alike.iter().filter(|other| is_at(other, ply, &way[ply].mv)).count()
        };
        // Of those that as many have the first that was found.
        let Some(likeliest) = alike.iter().rev().max_by_key(count).map(|way| way[ply].clone()) else {
            return Bridge::None;
        };
        let have = found.iter().filter(|way| is_at(way, ply, &likeliest.mv)).count();
        alike.retain(|way| is_at(way, ply, &likeliest.mv));
        position = position.after(&likeliest);
        let mut next = Node::child(&last, &likeliest, &position, event, true);
        next.share = have as f32 / if all { found.len() } else { limits::WAYS } as f32;
        last = Rc::new(next);
    }
    match found.len() {
        1 if all => Bridge::One(last),
        1 => Bridge::None,
        count => Bridge::Many(last, count),
    }
}

struct Ways<'a, G: Game> {
    board: &'a [u8; 64],
    rulings: &'a GameRulings,
    /// The ply that the gap begins after.
    from: u32,
    /// So many are looked for.
    most: usize,
    budget: u32,
    way: Vec<Candidate<G::Move>>,
    found: Vec<Vec<Candidate<G::Move>>>,
}

impl<G: Game> Ways<'_, G> {
    fn walk(&mut self, position: &Position<G>, plies: u32) {
        let wrong = position.game.differing(self.board);
        // Each piece that is to come somewhere needs a move of its side; castling, with a king that is not in its place, brings two.
        let mover = position.game.turn();
        let come = |side: Colour| {
            let comes = |&at: &u8| Colour::of(self.board[usize::from(at)]) == Some(side);
            squares(wrong).filter(comes).count() as u32
        };
        let [own, others] = [come(mover), come(mover.other())];
        if own > plies.div_ceil(2) + 1 || others > plies / 2 + 1 {
            return;
        }
        // The last move changes what is wrong and nothing else.
        let within = if plies == 1 { wrong } else { !0 };
        for candidate in position.moves_within(within, within) {
            if self.budget == 0 || self.found.len() >= self.most {
                return;
            }
            if candidate.changed & wrong == 0 || (plies == 1 && candidate.changed != wrong) {
                continue;
            }
            let ply = self.from + self.way.len() as u32 + 1;
            if !self.rulings.allow_move(ply, &position.game, &candidate) {
                continue;
            }
            self.budget -= 1;
            self.way.push(candidate.clone());
            if plies > 1 {
                // Not kept with the position: there are thousands.
                self.walk(&Position::new(position.game.after(&candidate)), plies - 1);
            } else if candidate.changes().all(|(at, code)| self.board[at as usize] == code) {
                self.found.push(self.way.clone());
            }
            self.way.pop();
        }
    }
}
