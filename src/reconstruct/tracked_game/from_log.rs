//! Merges a game with its reconstruction from the board's own log.
//!
//! A log has every change and every press, but no rests.

use super::{published::PublishedMove, state::TrackedGame};
use crate::{
    reconstruct::update::{FinalMoves, Update},
    record::{End, EndReason, GameEvent, Move, TakebackReason, Time},
    rules::Game,
};

impl<G: Game> TrackedGame<G> {
    /// Takes the better search, that of the log, and the further moves that it could publish.
    pub fn continue_from(&mut self, mut logged: TrackedGame<G>, updates: &mut Vec<Update>) {
        self.search = logged.search;
        self.search.mark_changed();
        self.all_published = None;
        self.missed_changes = false;
        self.before_gap.clear();
        self.announced = logged.announced;
        self.examined = None;
        if logged.published.has_no_anomaly() {
            let now = self.stillness.now;
            self.published.withdraw_anomaly(self.search.best().node.ply, now, updates);
        }
        let known = self.published.moves.len();
        let more = logged.published.moves.split_off(known.min(logged.published.moves.len()));
        let mut alike = self.published.moves.iter().zip(&logged.published.moves);
        if alike.all(|(ours, theirs)| ours.node.line_hash == theirs.node.line_hash) {
            for published in more {
                self.published.republish(published, updates);
            }
        }
    }

    /// Publishes a game that was found in a log alone, under this number.
    pub fn publish_again(&mut self, number: u32, updates: &mut Vec<Update>) {
        self.went_back = None;
        self.published.publish_again(number, updates);
    }

    /// The log has this game to its end, as these updates have it: publishes what was not published.
    pub fn complete_from(mut self, logged: &[Update], end: End, updates: &mut Vec<Update>) {
        let mut logged_moves = FinalMoves::default();
        logged.iter().cloned().for_each(|update| logged_moves.add(update));
        let logged: Vec<(&Move, Option<Time>)> = logged_moves.moves().collect();
        let same = |(ours, (theirs, _)): &(&PublishedMove<G>, &(&Move, _))| {
            ours.mv().is_some_and(|ours| (&ours.uci, &ours.path) == (&theirs.uci, &theirs.path))
        };
        let common = self.published.moves.iter().zip(&logged).take_while(same).count();
        let mut stand = common;
        if end.reason == EndReason::NewGame && common == logged.len() {
            // The log may take moves that were surely played for setting up.
            let last = self.last_played();
            stand = stand.max(self.published.at(last.ply).map_or(0, |at| at + 1));
        }
        let now = self.stillness.now;
        self.published.withdraw(stand, TakebackReason::Corrected, now, updates);
        for &(mv, time) in &logged[common..] {
            self.published.event(GameEvent::Move(Box::new(mv.clone())), time, updates);
        }
        self.published.event(GameEvent::End(end), now, updates);
    }
}
