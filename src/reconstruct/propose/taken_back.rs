//! The last moves of both sides were taken back by agreement: their squares read again as before them, and the last
//! move went back first.
//!
//! No clock is pressed for that: it is the turn of the side whose move was taken back last. Hands that play go in the
//! other order, since it is the other side's turn. So no position at rest is needed, and there is none where play goes
//! on at once.

use super::{Expansion, Proposer};
use crate::{
    reconstruct::{
        costs::Deviation,
        hypothesis::{Hypothesis, presses::Press},
        observe::event::Event,
        tree::node::Node,
    },
    rules::{Game, bit},
};

/// See the module.
pub struct TakenBack;

impl<G: Game> Proposer<G> for TakenBack {
    fn propose(&self, expansion: &mut Expansion<G>, parent: &Hypothesis<G>, event: &Event) {
        let last = &parent.node;
        let (Some(before), true) = (&last.parent, event.new != 0 && expansion.state.clock_in_use()) else {
            return;
        };
        if before.changed & bit(event.square) == 0 || parent.presses.is_anybody_ahead() {
            return;
        }
        let (Some(earlier), Some(press)) = (&before.parent, parent.pressed(last.ply)) else { return };
        let stands = earlier.game.differing(&expansion.state.board) == 0;
        if stands && went_back_in_turn(parent, last, before, &press) {
            let mut back = parent.instead(earlier.clone(), parent.cost(), Deviation::WentBack, 1.0);
            back.awaits_press = true;
            if !expansion.is_hopeless(back.cost()) {
                expansion.add(Box::new(back));
            }
        }
    }
}

/// Whether the piece of the last move had returned before that of the previous move was lifted, and nothing else was
/// touched since `press`, the last one.
fn went_back_in_turn<G: Game>(
    parent: &Hypothesis<G>,
    last: &Node<G>,
    before: &Node<G>,
    press: &Press,
) -> bool {
    let (Some(home), Some(home_before)) = (last.from(), before.from()) else { return false };
    let since = || parent.unexplained.iter().filter(|e| e.index > press.index);
    let came_home = since().rfind(|e| e.square == home && e.new != 0);
    // If the last move captured the piece of the previous one, that comes back from beside the board.
    let is_its =
        |e: &&Event| if before.to == last.to { e.square == home_before } else { e.square == before.to };
    let taken_up = since().find(is_its);
    let touched = since().fold(0, |squares, e| squares | bit(e.square));
    touched & !(last.changed | before.changed) == 0
        && came_home.zip(taken_up).is_some_and(|(home, up)| home.index < up.index)
}
