//! Gaps: the moves that lead from a known position to what stands on the board.
//!
//! Used after a loss of data, and for a board at rest that no seen change explains. The same moves in another order mostly
//! lead to the same position, so the positions after each ply are found once, and the ways through them are counted.

use std::{
    collections::{HashMap, hash_map::Entry},
    rc::Rc,
};

use super::{
    limits,
    observe::event::Event,
    rulings::GameRulings,
    tree::{node::Node, position::Position},
};
use crate::rules::{Colour, Game, squares};

/// The moves that bridge a gap.
pub enum Bridge<G: Game> {
    /// One sequence only: its last node.
    One(Rc<Node<G>>),
    /// Several sequences of the same length: the last node of the one that shares its moves with most of them, and
    /// their number, up to [`limits::WAYS_MAX`].
    Many(Rc<Node<G>>, usize),
    /// None.
    None,
}

/// The legal sequences of `plies` moves from `node`, at this position, to a position that shows exactly `board`. The
/// certainty of an unseen move is the share of the sequences that have it. Each move that is tried is taken from
/// `budget`; none are found once it is empty.
pub fn bridge<G: Game>(
    node: &Rc<Node<G>>,
    position: &Rc<Position<G>>,
    board: &[u8; 64],
    event: Event,
    plies: u32,
    rulings: &GameRulings,
    budget: &mut u32,
) -> Bridge<G> {
    let Some(layers) = layers(node.ply, position, board, plies, rulings, budget) else { return Bridge::None };
    let to = ways_to(&layers);
    let from = ways_from(&layers, &to);
    let ways = from[0][0];
    let (mut last, mut position, mut at) = (node.clone(), position.clone(), 0);
    for (ply, steps) in layers.iter().enumerate() {
        let onward = |step: &&Step<G>| from[ply + 1][step.to];
        // Of several moves with the same number of ways, the one found first.
        let next = steps.iter().filter(|step| step.from == at);
        let Some(likeliest) = next.rev().max_by(|a, b| onward(a).total_cmp(&onward(b))) else {
            return Bridge::None;
        };
        let alike = steps.iter().filter(|step| step.mv == likeliest.mv);
        let have: f64 = alike.map(|step| to[ply][step.from] * onward(&step)).sum();
        let candidate = position.game.candidate(&likeliest.mv);
        position = position.after(&candidate);
        let mut child = Node::child(&last, &candidate, &position, event, true);
        child.share =
            if ways > limits::WAYS_MAX as f64 { 1.0 / limits::WAYS_MAX as f32 } else { (have / ways) as f32 };
        (last, at) = (Rc::new(child), likeliest.to);
    }
    match ways {
        1.0 => Bridge::One(last),
        _ => Bridge::Many(last, limits::WAYS_MAX.min(ways as usize)),
    }
}

/// A move from a position of one ply to a position of the next, by their numbers there.
struct Step<G: Game> {
    from: usize,
    to: usize,
    mv: G::Move,
}

/// The steps of each ply; none if none lead to the board, or too many positions lie between.
fn layers<G: Game>(
    before: u32,
    position: &Rc<Position<G>>,
    board: &[u8; 64],
    plies: u32,
    rulings: &GameRulings,
    budget: &mut u32,
) -> Option<Vec<Vec<Step<G>>>> {
    let (mut layers, mut here) = (Vec::new(), vec![position.clone()]);
    if !may_lead(&position.game, board, plies) {
        return None;
    }
    for left in (0..plies).rev() {
        let (mut steps, mut next, mut known) = (Vec::new(), Vec::new(), HashMap::new());
        for (from, position) in here.iter().enumerate() {
            let wrong = position.game.differing(board);
            // The last move changes exactly the mismatched squares.
            let within = if left == 0 { wrong } else { !0 };
            for candidate in position.moves_within(within, within) {
                if candidate.changed & wrong == 0
                    || left == 0 && candidate.changed != wrong
                    || !rulings.allow_move(before + plies - left, &position.game, &candidate)
                {
                    continue;
                }
                *budget = budget.checked_sub(1)?;
                let game = position.game.after(&candidate);
                if may_lead(&game, board, left) {
                    let to = match known.entry(key(&game)) {
                        Entry::Occupied(known) => *known.get(),
                        Entry::Vacant(new) => {
                            next.push(Position::new(game));
                            *new.insert(next.len() - 1)
                        }
                    };
                    steps.push(Step { from, to, mv: candidate.mv });
                }
            }
        }
        layers.push(steps);
        here = next;
    }
    (!here.is_empty()).then_some(layers)
}

/// What distinguishes two positions after the same number of plies: all but the counters.
fn key<G: Game>(game: &G) -> String {
    let mut fen = game.fen();
    // That of chess has two behind placement, turn, castling and en passant.
    if let Some((at, _)) = fen.match_indices(' ').nth(3) {
        fen.truncate(at);
    }
    fen
}

/// Whether so many plies could lead to this board: each piece that has to come somewhere needs a move of its side, of
/// which castling brings two.
fn may_lead<G: Game>(game: &G, board: &[u8; 64], plies: u32) -> bool {
    let (wrong, mover) = (game.differing(board), game.turn());
    if plies == 0 {
        return wrong == 0;
    }
    let come = |side: Colour| {
        let comes = |&at: &u8| Colour::of(board[usize::from(at)]) == Some(side);
        squares(wrong).filter(comes).count() as u32
    };
    let [own, others] = [come(mover), come(mover.other())];
    own <= plies.div_ceil(2) + u32::from(game.may_castle() != 0) && others <= plies / 2 + 1
}

/// For each ply, the number of ways to each of its positions.
fn ways_to<G: Game>(layers: &[Vec<Step<G>>]) -> Vec<Vec<f64>> {
    let mut ways = vec![vec![1.0]];
    for steps in layers {
        let here = ways.last().expect("one was put there");
        let mut next = vec![0.0; steps.iter().map(|step| step.to + 1).max().unwrap_or(0)];
        steps.iter().for_each(|step| next[step.to] += here[step.from]);
        ways.push(next);
    }
    ways
}

/// For each ply, the number of ways from each of its positions to the board; `to` has the ways to as many positions.
fn ways_from<G: Game>(layers: &[Vec<Step<G>>], to: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let mut ways: Vec<Vec<f64>> = to.iter().map(|here| vec![0.0; here.len()]).collect();
    // All positions after the last step show the board.
    if let Some(ends) = ways.last_mut() {
        ends.fill(1.0);
    }
    for (ply, steps) in layers.iter().enumerate().rev() {
        for step in steps {
            let onward = ways[ply + 1][step.to];
            ways[ply][step.from] += onward;
        }
    }
    ways
}
