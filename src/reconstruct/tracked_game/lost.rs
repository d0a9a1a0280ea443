//! A game that was lost: both players press, and no explanation leads to the position on the board.
//!
//! A change that was never reported, or several unseen landings in a row, can make every explanation wrong, and each
//! later move makes them worse. In slow games the board rests, and an anomaly is published; in fast ones it never does.
//! The tracked game calls this after each record.

use super::state::TrackedGame;
use crate::{
    reconstruct::{limits, update::Update},
    record::AnomalyKind,
    rules::{Colour, Game},
};

impl<G: Game> TrackedGame<G> {
    /// Resumes a lost game from the position on the board, so that at least the moves from now on are published.
    pub(super) fn go_on_if_lost(&mut self, updates: &mut Vec<Update>) {
        let best = self.search.best();
        if self.presses_since_published < limits::LOST_AFTER_PRESSES
            || best.mismatched == 0
            || !self.stillness.polled_empty
        {
            return;
        }
        // The side that pressed last has let go of a piece since the other side last touched one.
        let Some(side) = self.last_press.map(|(side, _)| side) else { return };
        if Colour::of(self.last_landed) != Some(side) || self.is_being_set_up() {
            return;
        }
        let published = self.published.moves.last().map(|published| &published.node);
        let Some(last) = published.or(best.node.walk_back().last()).cloned() else { return };
        let Some(resumed) = self.resumed(best, &last, side.other()) else { return };
        self.search.add(resumed);
        self.search.prefer_standing();
        self.presses_since_published = 0;
        let detail = "the moves that led to this position were lost".to_owned();
        self.publish_anomaly(last.ply, AnomalyKind::Gap, detail, updates);
    }
}
