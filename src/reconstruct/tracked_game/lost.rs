//! A game that was lost: both players press on, and nothing that is thought of leads to what stands.
//!
//! A change that never came, or several landings in a row that nobody saw, can leave every explanation wrong, and each move after
//! that makes them worse. In slow games the board rests so for a while, which is an anomaly; in fast ones it never does. For the
//! tracked game, after each record.

use std::rc::Rc;

use super::state::TrackedGame;
use crate::{
    reconstruct::{costs::Deviation, limits, tree::node::Node, update::Update},
    record::AnomalyKind,
    rules::{Colour, Game},
};

impl<G: Game> TrackedGame<G> {
    /// Goes on from what stands where the game was lost: what is played from now on is told at least.
    pub(super) fn go_on_if_lost(&mut self, updates: &mut Vec<Update>) {
        let best = self.search.best();
        if self.presses_untold < limits::LOST || best.mismatched == 0 || !self.stillness.polled_empty {
            return;
        }
        // Who pressed last has let go of a piece since the other side last touched one.
        let Some(side) = self.last_press.map(|(side, _)| side) else { return };
        if Colour::of(self.last_landed) != Some(side) || self.is_being_set_up() {
            return;
        }
        let told = self.published.moves.last().map(|told| &told.node);
        let Some(behind) = told.or(best.node.walk_back().last()).cloned() else { return };
        let (board, event) = (self.search.state().board, self.unseen());
        let Some(node) = Node::resumed(&behind, &board, self.dead(), side.other(), event) else { return };
        let resumed = best.instead(Rc::new(node), best.rank(), Deviation::Resumed, 1.0);
        self.search.add(resumed);
        self.search.prefer_standing();
        self.presses_untold = 0;
        let detail = "the moves that led to this position were lost".to_owned();
        self.publish_anomaly(behind.ply, AnomalyKind::Gap, detail, updates);
    }
}
