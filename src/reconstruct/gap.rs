//! Gaps: the moves that lead from a known position to what stands on the board.
//!
//! Used after a loss of data, and for a board at rest that no seen change explains.

use std::rc::Rc;

use super::{
    limits,
    observe::event::Event,
    rulings::GameRulings,
    tree::{node::Node, position::Position},
};
use crate::rules::{Candidate, Colour, Game, squares};

/// The moves that bridge a gap.
pub enum Bridge<G: Game> {
    /// One sequence only: its last node.
    One(Rc<Node<G>>),
    /// Several sequences of the same length: the last node of the one that shares its moves with most of them, and
    /// their number.
    Many(Rc<Node<G>>, usize),
    /// None.
    None,
}

/// The legal sequences of `plies` moves from `node`, at this position, to a position that shows exactly `board`. Up to
/// `most` are counted; the certainty of an unseen move is the share of the sequences that have it.
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
    let mut search = Ways { board, rulings, from, most, budget: limits::BRIDGE_MAX_POSITIONS, way, found };
    search.walk(position, plies);
    let (found, all) = (&search.found, search.budget > 0 && search.found.len() < most);
    let is_at = |way: &&Vec<Candidate<G::Move>>, ply: usize, mv: &G::Move| way[ply].mv == *mv;
    let mut alike: Vec<&Vec<Candidate<G::Move>>> = found.iter().collect();
    let (mut last, mut position) = (node.clone(), position.clone());
    for ply in 0..plies as usize {
        let count = |way: &&&Vec<Candidate<G::Move>>| {
            alike.iter().filter(|other| is_at(other, ply, &way[ply].mv)).count()
        };
        // Of several moves with the same count, the one found first.
        let Some(likeliest) = alike.iter().rev().max_by_key(count).map(|way| way[ply].clone()) else {
            return Bridge::None;
        };
        let have = found.iter().filter(|way| is_at(way, ply, &likeliest.mv)).count();
        alike.retain(|way| is_at(way, ply, &likeliest.mv));
        position = position.after(&likeliest);
        let mut next = Node::child(&last, &likeliest, &position, event, true);
        next.share = have as f32 / if all { found.len() } else { limits::WAYS_MAX } as f32;
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
    /// The ply before the gap.
    from: u32,
    /// The most sequences to find.
    most: usize,
    budget: u32,
    way: Vec<Candidate<G::Move>>,
    found: Vec<Vec<Candidate<G::Move>>>,
}

impl<G: Game> Ways<'_, G> {
    fn walk(&mut self, position: &Position<G>, plies: u32) {
        let wrong = position.game.differing(self.board);
        // Each piece that has to come somewhere needs a move of its side; castling brings two pieces.
        let mover = position.game.turn();
        let come = |side: Colour| {
            let comes = |&at: &u8| Colour::of(self.board[usize::from(at)]) == Some(side);
            squares(wrong).filter(comes).count() as u32
        };
        let [own, others] = [come(mover), come(mover.other())];
        if own > plies.div_ceil(2) + 1 || others > plies / 2 + 1 {
            return;
        }
        // The last move changes exactly the mismatched squares.
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
                // Its moves are not kept with the position: there are thousands of positions.
                self.walk(&Position::new(position.game.after(&candidate)), plies - 1);
            } else if candidate.changes().all(|(at, code)| self.board[at as usize] == code) {
                self.found.push(self.way.clone());
            }
            self.way.pop();
        }
    }
}
