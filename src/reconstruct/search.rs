//! The search: what was most plausibly played on one board since the start of its game.
//!
//! A beam of hypotheses. Every change of the board is shown to all of them; where it completes a legal move,
//! a child is made and the parent stays, so that a stop on the way is undone by its better sibling.

use std::collections::HashSet;

use super::{
    costs,
    hypothesis::{Event, Hypothesis},
};
use crate::{
    record::Time,
    rules::{Colour, Game, Squares, bit},
};

/// How many further moves one change can complete.
const CHAIN: usize = 3;
/// Only hypotheses this close to the best are worth the search for moves that were not seen.
const DEBT_WITHIN: f32 = 6.0;

/// The hypotheses about one game.
pub struct Search<G: Game> {
    board: [u8; 64],
    hypotheses: Vec<Hypothesis<G>>,
    index: u32,
    rests: u32,
    presses: u32,
    fresh: Vec<Hypothesis<G>>,
}

impl<G: Game> Search<G> {
    /// A game that starts now, from `game`, on a board that shows its placement.
    pub fn new(game: G, time: Option<Time>) -> Search<G> {
        let board = *game.placement().codes();
        let start = Hypothesis::start(game, 0, time);
        Search { board, hypotheses: vec![start], index: 0, rests: 0, presses: 0, fresh: Vec::new() }
    }

    /// What stands on the board.
    pub fn board(&self) -> &[u8; 64] {
        &self.board
    }

    /// The hypotheses, best first; never empty.
    pub fn hypotheses(&self) -> &[Hypothesis<G>] {
        &self.hypotheses
    }

    /// The best hypothesis.
    pub fn best(&self) -> &Hypothesis<G> {
        &self.hypotheses[0]
    }

    /// Whether a clock is in use: the game has had a press.
    pub fn clock_in_use(&self) -> bool {
        self.presses > 0
    }

    /// How much worse than the best the best hypothesis is that does not have the best's game up to `ply`.
    pub fn lead(&self, ply: u32) -> f32 {
        let best = self.best();
        let Some(line) = best.node.at(ply).map(|node| node.line) else { return 0.0 };
        let other = |h: &&Hypothesis<G>| h.node.at(ply).is_none_or(|node| node.line != line);
        self.hypotheses.iter().find(other).map_or(f32::INFINITY, |rival| rival.rank() - best.rank())
    }

    /// A square changed. `quick`: within 250 ms of the change before; none: not said.
    pub fn change(&mut self, square: u8, new: u8, quick: Option<bool>, time: Option<Time>) {
        self.take_in(square, new, quick, time, true);
    }

    /// A square was found to have changed unseen.
    pub fn found(&mut self, square: u8, new: u8, time: Option<Time>) {
        self.take_in(square, new, None, time, false);
    }

    /// The board rests as it stands.
    pub fn rest(&mut self) {
        for hypothesis in &mut self.hypotheses {
            hypothesis.rest();
        }
        self.prune();
    }

    fn take_in(&mut self, square: u8, new: u8, quick: Option<bool>, time: Option<Time>, seen: bool) {
        let old = self.board[square as usize];
        if quick == Some(false) {
            self.rests += 1;
        }
        if old == new {
            return;
        }
        self.board[square as usize] = new;
        self.index += 1;
        let event = Event { index: self.index, square, old, new, rests: self.rests, seen, time };
        for hypothesis in &mut self.hypotheses {
            hypothesis.observe(&event);
        }
        let best = self.rank_of_best();
        for at in 0..self.hypotheses.len() {
            if self.hypotheses[at].rank() < best + costs::MARGIN {
                let parent = self.hypotheses[at].clone();
                // What was not seen to happen gives no order of several moves.
                self.expand(&parent, &event, bit(square), if seen { CHAIN } else { 0 });
            }
        }
        if self.fresh.is_empty() && seen {
            self.look_for_debts(&event, best);
        }
        self.prune();
    }

    /// A side's clock was halted and shows `seconds`.
    pub fn press(&mut self, side: Colour, seconds: f64) {
        self.presses += 1;
        for hypothesis in &mut self.hypotheses {
            hypothesis.press(side, seconds);
        }
        self.prune();
    }

    /// Puts a hypothesis that was found by other means beside the others.
    pub fn add(&mut self, hypothesis: Hypothesis<G>) {
        self.fresh.push(hypothesis);
        self.prune();
    }

    /// What stands is what counts: hypotheses that leave squares wrong give way to those that do not.
    pub fn prefer_standing(&mut self) {
        let standing = self
            .hypotheses
            .iter()
            .filter(|h| h.wrong == 0)
            .map(Hypothesis::rank)
            .fold(f32::INFINITY, f32::min);
        for hypothesis in &mut self.hypotheses {
            if hypothesis.wrong != 0 && hypothesis.rank() <= standing {
                hypothesis.cost += standing - hypothesis.rank() + 1.0;
            }
        }
        self.prune();
    }

    /// How many changes were seen.
    pub fn changes(&self) -> u32 {
        self.index
    }

    fn rank_of_best(&self) -> f32 {
        self.hypotheses.iter().map(Hypothesis::rank).fold(f32::INFINITY, f32::min)
    }

    /// Makes a child for every legal move whose squares all read right and one of which is `touched`.
    fn expand(&mut self, parent: &Hypothesis<G>, event: &Event, touched: Squares, chain: usize) {
        if parent.wrong.count_ones() < 2 {
            return;
        }
        for candidate in parent.moves().iter() {
            if candidate.own & touched != 0 && parent.complete(candidate, &self.board) {
                let child = parent.take(candidate, event, self.clock_in_use());
                if chain > 0 {
                    self.expand(&child, event, !0, chain - 1);
                }
                self.fresh.push(child);
            }
        }
    }

    /// Two plies of which the second captured where the first had landed, before the board looked: the square
    /// never showed the first capturer.
    fn look_for_debts(&mut self, event: &Event, best: f32) {
        for at in 0..self.hypotheses.len() {
            let parent = &self.hypotheses[at];
            if parent.rank() > best + DEBT_WITHIN || parent.wrong.count_ones() < 2 {
                continue;
            }
            let parent = parent.clone();
            let turn = parent.node.game.turn();
            let mut lifted = [0; 2];
            for square in squares(parent.wrong) {
                if let Some(colour) = Colour::of(parent.expected(square))
                    && self.board[square as usize] == 0
                {
                    lifted[colour.index()] |= bit(square);
                }
            }
            let (mine, theirs) = (lifted[turn.index()], lifted[turn.other().index()]);
            if mine == 0 || theirs == 0 {
                continue;
            }
            for first in parent.moves().iter() {
                let landing = bit(first.to);
                let seen = first.own & !landing;
                let stands = self.board[first.to as usize];
                let elsewhere = first.changes.iter().filter(|(at, _)| *at != first.to);
                if bit(first.from) & mine == 0
                    || seen & !parent.wrong != 0
                    || Colour::of(stands) != Some(turn.other())
                    || elsewhere.clone().any(|&(at, code)| self.board[at as usize] != code)
                {
                    continue;
                }
                let mut between = parent.take(first, event, self.clock_in_use());
                between.cost += costs::DEBT_RECAPTURE;
                // What the square shows now is not what the first move left there.
                between.wrong |= landing;
                for second in between.moves().iter() {
                    if second.to == first.to && between.complete(second, &self.board) {
                        self.fresh.push(between.take(second, event, self.clock_in_use()));
                    }
                }
            }
        }
    }

    fn prune(&mut self) {
        self.hypotheses.append(&mut self.fresh);
        self.hypotheses.sort_by(|a, b| a.rank().total_cmp(&b.rank()));
        let limit = self.hypotheses[0].rank() + costs::MARGIN;
        let mut lines = HashSet::with_capacity(self.hypotheses.len());
        self.hypotheses.retain(|h| h.rank() <= limit && lines.insert(h.node.line));
        self.hypotheses.truncate(costs::BEAM);
    }
}

/// The fields of a set.
pub fn squares(mut set: Squares) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        (set != 0).then(|| {
            let square = set.trailing_zeros() as u8;
            set &= set - 1;
            square
        })
    })
}
