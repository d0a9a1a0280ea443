//! A move was made except for a part that its mover forgot: the rook of castling, or the pawn captured en passant.
//!
//! Looked for where a board rests in that position, or where the mover has pressed and the poll that reported the press
//! is over. The forgotten square is ignored until it changes, like a captured man on the board.

use super::Expansion;
use crate::{
    reconstruct::{costs::Deviation, hypothesis::Hypothesis, limits, observe::event::Event},
    rules::{Game, bit},
};

impl<G: Game> Expansion<G> {
    /// Adds the hypotheses in which a piece of the side to move has gone where it castles or captures en passant, and
    /// nothing else of that move was done.
    pub fn forgotten(&mut self, parent: &Hypothesis<G>, event: &Event) {
        let price = Deviation::Forgotten.price();
        if G::CAPTURES_BY_JUMPING || parent.mismatched == 0 || self.is_hopeless(parent.cost() + price) {
            return;
        }
        for mv in parent.position.moves_from(self.left_by_mover(parent, parent.mismatched)) {
            let done = bit(mv.from) | bit(mv.to);
            let rest = mv.changed & !done;
            let is_done = |(at, code): (u8, u8)| {
                done & bit(at) == 0 || parent.mismatched & bit(at) != 0 && self.state.code(at) == code
            };
            if rest == 0
                || rest & (parent.mismatched | parent.captured_standing) != 0
                || !mv.changes().all(is_done)
            {
                continue;
            }
            let Some(mut child) = self.played(parent, &mv, event, price) else { continue };
            child.charge_move(&[(Deviation::Forgotten, 1.0)]);
            child.captured_standing |= rest;
            // The reply may be complete.
            self.complete(&child, event, !0, limits::CHAIN_MAX_MOVES);
            self.add(child);
        }
    }
}
