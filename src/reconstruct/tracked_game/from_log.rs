//! The same game from the board's own log: what the log knows better, and what of it was not published.
//!
//! For a board whose log has come in. A log has every change and every press, but knows of no rests.

use super::{published::PublishedMove, state::TrackedGame};
use crate::{
    reconstruct::update::{FinalMoves, Update},
    record::{End, EndReason, GameEvent, Move, TakebackReason, Time},
    rules::Game,
};

impl<G: Game> TrackedGame<G> {
    /// Takes over the log's search, which is better, and the moves that it could publish beyond these.
    pub fn continue_from(&mut self, mut logged: TrackedGame<G>, updates: &mut Vec<Update>) {
        self.search = logged.search;
        self.search.is_news();
        self.all_published = None;
        self.missed_changes = false;
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

    /// Publishes under this number what was found of the game from a log alone.
    pub fn publish_anew(&mut self, number: u32, updates: &mut Vec<Update>) {
        self.went_back = None;
        self.published.publish_anew(number, updates);
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
            // It may take for setting up what is known to have been played.
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
