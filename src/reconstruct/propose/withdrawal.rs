//! The last move was withdrawn: its squares read again as before it.

use super::{Expansion, Proposer};
use crate::{
    reconstruct::{costs::Deviation, hypothesis::Hypothesis, observe::event::Event},
    rules::{Colour, Game, bit, squares},
};

/// See the module.
pub struct Withdrawals;

impl<G: Game> Proposer<G> for Withdrawals {
    fn propose(&self, expansion: &mut Expansion<G>, parent: &Hypothesis<G>, _: &Event) {
        expansion.children.extend(without_last_move(parent, &expansion.state.board));
    }
}

/// The hypothesis without its last move, if the board shows the squares of that as they were before. A move that was
/// pressed and stood is not withdrawn any more.
fn without_last_move<G: Game>(parent: &Hypothesis<G>, board: &[u8; 64]) -> Option<Box<Hypothesis<G>>> {
    let node = &parent.node;
    if node.changed == 0 || node.changed & !parent.mismatched != 0 || parent.is_confirmed() {
        return None;
    }
    let before = node.parent.as_ref()?;
    let codes = before.game.placement().codes();
    if squares(node.changed).any(|at| board[at as usize] != codes[at as usize]) {
        return None;
    }
    let mover = before.game.turn();
    let moved = squares(node.changed).find(|&at| Colour::of(codes[at as usize]) == Some(mover));
    // One from a dead square was seen to come only.
    let come = node.game.placement().codes()[node.to as usize];
    let piece = moved.map_or(come, |at| codes[at as usize]);
    let pressed = parent.pressed(node.ply).is_some();
    let deviation = if pressed { Deviation::WithdrawnPressed } else { Deviation::Withdrawn };
    let mut account = parent.account().clone();
    account.charge(deviation);
    let mut withdrawn = parent.back_at(before.clone(), account);
    withdrawn.mismatched = parent.mismatched & !node.changed;
    let others = |e: &&Event| node.changed & bit(e.square) == 0 && e.old != piece && e.new != piece;
    withdrawn.unexplained.extend(parent.unexplained.iter().filter(others).copied());
    withdrawn.presses.count_press(mover);
    Some(withdrawn)
}
