//! A piece left its square and came nowhere: it may be on a dead square, one that has never reported; or, more rarely,
//! on one that has reported and died.
//!
//! Looked for where a board rests in a position that no hypothesis explains, where both sides have pressed and neither
//! move is complete, and, without a clock, during a replay in which no such piece comes. The price is paid once: from
//! then on the square is taken for dead, and moves to and from it are handled like other legal moves (`dead_square`).

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
pub struct DeadLandings;

impl<G: Game> Proposer<G> for DeadLandings {
    fn propose(&self, expansion: &mut Expansion<G>, parent: &Hypothesis<G>, event: &Event) {
        // With a clock its presses are better evidence.
        if event.seen && event.new == 0 && expansion.lookahead.is_known() && !expansion.state.clock_in_use() {
            expansion.dead_square_landings(parent, event, bit(event.square));
        }
    }
}

impl<G: Game> Expansion<G> {
    /// Adds the hypotheses in which a piece of the side to move that has left one of the squares `left` is on a square
    /// that has never reported, or no longer reports.
    pub fn dead_square_landings(&mut self, parent: &Hypothesis<G>, event: &Event, left: Squares) {
        // On sound boards, too, men of draughts vanish from squares where they were not seen to land.
        if G::CAPTURES_BY_JUMPING || self.is_hopeless(parent.cost() + Deviation::DeadSquare.price()) {
            return;
        }
        let gone = squares(self.left_by_mover(parent, left & parent.mismatched));
        let gone = set_of(gone.filter(|&at| !self.will_come(parent.expected(at), at)));
        if gone == 0 {
            return;
        }
        for first in parent.position.moves_from(gone) {
            if !self.is_silent(parent, &first) || self.will_report(first.to) {
                continue;
            }
            let spoke = if self.state.reported & bit(first.to) != 0 { 1.0 } else { 0.0 };
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
                self.complete(&child, event, !0, limits::CHAIN_MAX_MOVES);
                self.add(child);
            }
        }
    }

    /// Whether all squares of a move read right except the one on which it ended, which never reported. A square that
    /// reported earlier is accepted only where no change was missed and no later changes are known: during a replay far
    /// more pieces seem to be nowhere.
    fn is_silent(&self, parent: &Hypothesis<G>, first: &Candidate<G::Move>) -> bool {
        let to = bit(first.to);
        let is_plain = !self.lookahead.is_known() || self.state.clock_in_use();
        let may_have_died = || is_plain && parent.unexplained.iter().all(|e| e.seen);
        (self.state.reported & to == 0 || may_have_died())
            && first.changed & to != 0
            && first.changed & !to & !parent.mismatched == 0
            && first.changes().all(|(at, code)| at == first.to || parent.read_right(at, code, &self.state))
    }

    /// Whether, as later changes show, such a piece comes soon to a square that this one may have gone to.
    fn will_come(&self, piece: u8, from: u8) -> bool {
        let mut soon = self.lookahead.within(limits::FRESH_CHANGES);
        soon.any(|(at, code)| code == piece && (at == from || G::may_go(piece, from, code, at)))
    }

    /// Whether a later change of this square is known.
    fn will_report(&self, square: u8) -> bool {
        self.lookahead.soon().any(|(at, _)| at == square)
    }
}

/// A cost, as a logarithm, for an unlikely destination: the farther from the centre, the less likely; pawns on the
/// central files go two squares from their start squares, others one.
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
