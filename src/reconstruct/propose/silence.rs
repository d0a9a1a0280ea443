//! A piece left its square and came nowhere: it may stand on a square that is dead, of which nothing was ever heard; or, which
//! is rarer, on one that was heard of and has died.
//!
//! Looked for where a board rests as no explanation has it, where both sides have pressed and neither's move is complete, and,
//! without a clock, where the search looks again and knows that no such piece will come. What it costs is paid for once: from
//! then on the square is taken for dead, and moves to it and from it are as legal moves are (`dead_square`).

use super::{Expansion, Proposer};
use crate::{
    reconstruct::{
        costs::{Deviation, price_of},
        hypothesis::Hypothesis,
        limits,
        observe::event::Event,
    },
    rules::{Candidate, Game, Squares, bit, set_of, squares},
};

/// See the module.
pub struct Silences;

impl<G: Game> Proposer<G> for Silences {
    fn propose(&self, expansion: &mut Expansion<G>, parent: &Hypothesis<G>, event: &Event) {
        // With a clock its presses say it better.
        if event.seen && event.new == 0 && expansion.lookahead.is_known() && !expansion.state.clock_in_use() {
            expansion.silent_landings(parent, event, bit(event.square));
        }
    }
}

impl<G: Game> Expansion<G> {
    /// Adds the hypotheses in which a piece of the side to move that has left one of the squares `left` stands on a square
    /// of which nothing was ever heard, or is any more.
    pub fn silent_landings(&mut self, parent: &Hypothesis<G>, event: &Event, left: Squares) {
        // Men of draughts vanish from squares that nobody saw them come to on boards that are sound.
        if G::CAPTURES_BY_JUMPING || self.is_hopeless(parent.cost() + Deviation::DeadSquare.price()) {
            return;
        }
        let gone = squares(self.left_by_mover(parent, left & parent.mismatched));
        let gone = set_of(gone.filter(|&at| !self.will_come(parent.expected(at), at)));
        if gone == 0 {
            return;
        }
        for first in parent.position.moves_from(gone) {
            if !self.is_silent(parent, &first) || self.will_speak(first.to) {
                continue;
            }
            let spoke = if self.state.spoken & bit(first.to) != 0 { 1.0 } else { 0.0 };
            let assumed = [
                (Deviation::DeadSquare, 1.0),
                (Deviation::Died, spoke),
                (Deviation::Choice, unlikely(&first)),
            ];
            let Some(mut child) = self.played(parent, &first, event, price_of(&assumed)) else { continue };
            let en_prise = (1.0 + child.node.game.en_prise(first.to)).ln();
            let [dead, died, choice] = assumed;
            child.charge_move(&[dead, died, choice, (Deviation::EnPrise, en_prise)]);
            child.take_for_dead(first.to);
            if !self.is_hopeless(child.cost()) {
                self.complete(&child, event, !0, limits::CHAIN);
                self.add(child);
            }
        }
    }

    /// Whether all squares of a move read right but the one it ended on, of which nothing was ever heard. It may be one that was
    /// heard of where nothing was missed, and what follows is not known: looked for again, far more pieces are seen nowhere.
    fn is_silent(&self, parent: &Hypothesis<G>, first: &Candidate<G::Move>) -> bool {
        let to = bit(first.to);
        let is_plain = !self.lookahead.is_known() || self.state.clock_in_use();
        let may_have_died = || is_plain && parent.unexplained.iter().all(|e| e.seen);
        (self.state.spoken & to == 0 || may_have_died())
            && first.changed & to != 0
            && first.changed & !to & !parent.mismatched == 0
            && first.changes().all(|(at, code)| at == first.to || parent.read_right(at, code, &self.state))
    }

    /// Whether it is known that such a piece comes soon to where this one may have gone.
    fn will_come(&self, piece: u8, from: u8) -> bool {
        let mut soon = self.lookahead.within(limits::LANDS_WITHIN);
        soon.any(|(at, code)| code == piece && (at == from || G::may_go(piece, from, code, at)))
    }

    /// Whether it is known that something will be heard of a square.
    fn will_speak(&self, square: u8) -> bool {
        self.lookahead.soon().any(|(at, _)| at == square)
    }
}

/// How much more seldom than to others pieces go to such a square: the farther from the centre, the seldomer; and a pawn on
/// its first square goes two there, and elsewhere one.
fn unlikely<M>(mv: &Candidate<M>) -> f32 {
    let from_centre = |line: u8| if line < 4 { 3 - line } else { line - 4 };
    let [far, off] = [mv.to >> 3, mv.to & 7].map(|line| f32::from(from_centre(line)));
    let pawn = mv.from & 7 == mv.to & 7 && matches!(mv.piece, 1 | 7);
    match pawn {
        true => {
            let two = mv.from.abs_diff(mv.to) == 16;
            if two == (off < 2.0) { 0.0 } else { 2.0 }
        }
        false => far + off,
    }
}
