//! Whether play goes on in the game that ended last: behind its end, where its last position stands again, or where it is played
//! through once more.
//!
//! Circle: this is a part of what the session does with a record, and is a subject of its own.

use super::{Session, last_game::LastGame};
use crate::{
    reconstruct::{any_game::AnyGame, start, update::Update},
    record::{BoardRecord, End, GameEvent, Time},
};

impl Session {
    /// Play may go on in the game that ended last, until another has begun.
    pub(super) fn follow_last_game(&mut self, record: &BoardRecord, updates: &mut Vec<Update>) {
        let begun = self.game.as_ref().is_some_and(|game| !game.is_unpublished());
        self.last_game.take_if(|_| begun);
        let is_open = self.last_game.as_ref().is_some_and(|last| !last.end.settled);
        let at_start = is_open && start::standing(&self.board, true, &self.options).is_some();
        let Some(last) = &mut self.last_game else { return };
        if is_open && let Some(end) = last.settles(record, &self.board, at_start).cloned() {
            let end = self.rulings.of(self.games).map_or(end.clone(), |rulings| rulings.end(end));
            updates.push(Update { game: self.games, time: record.time, event: GameEvent::End(end) });
        }
        if last.is_ruled || !last.game.is_followed() {
            return self.look_for_last_game(record.time);
        }
        if !last.record(record, &self.board, updates) {
            return;
        }
        let Some(LastGame { mut game, rotated, .. }) = self.last_game.take() else { return };
        game.play_on(updates);
        (self.game, self.rotated) = (Some(game), rotated);
        (self.flag, self.old_flag, self.seen_at_start) = (None, false, None);
        self.games -= 1;
        self.closed.pop_back();
    }

    /// An arbiter ruled of the last game as a whole: no play takes that back. Gives the end that its board showed; none where the game
    /// is final.
    pub fn last_is_ruled(&mut self) -> Option<End> {
        let last = self.last_game.as_mut()?;
        last.is_ruled = true;
        Some(last.end.clone())
    }

    /// The board stands as at the end of the last game: none that may have begun since is played to there.
    pub(super) fn look_for_last_game(&mut self, time: Option<Time>) {
        let unpublished = |game: &mut AnyGame| game.is_unpublished();
        if self.is_played_through() {
            return;
        }
        if self.last_game.as_mut().is_some_and(|last| last.stands(&self.board, time)) {
            self.game.take_if(unpublished);
        }
    }

    /// Whether the last game is played through once more: positions of it may stand in it more than once.
    pub(super) fn is_played_through(&self) -> bool {
        self.game.as_ref().is_some_and(AnyGame::is_played_through)
    }
}
