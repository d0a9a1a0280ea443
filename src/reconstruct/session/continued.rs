//! Whether the last game continues: after its end, where its last position is set up again, or where it is played
//! through again.
//!
//! Circle: this is a step of the session and a subject of its own.

use super::{Session, last_game::LastGame};
use crate::{
    reconstruct::{any_game::AnyGame, start, update::Update},
    record::{BoardRecord, End, GameEvent, Time},
};

impl Session {
    /// Lets the last game continue, as long as no other has begun.
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

    /// An arbiter ruled on the last game as a whole, which no play takes back. Returns the end that the board showed;
    /// none where the game is final.
    pub fn last_is_ruled(&mut self) -> Option<End> {
        let last = self.last_game.as_mut()?;
        last.is_ruled = true;
        Some(last.end.clone())
    }

    /// If the board shows the last position of the last game, moves that may have begun since only led there.
    pub(super) fn look_for_last_game(&mut self, time: Option<Time>) {
        let unpublished = |game: &mut AnyGame| game.is_unpublished();
        if self.is_being_replayed() {
            return;
        }
        if self.last_game.as_mut().is_some_and(|last| last.follow_if_shown(&self.board, time)) {
            self.game.take_if(unpublished);
        }
    }

    /// Whether the last game is being played through again: its positions may then stand more than once.
    pub(super) fn is_being_replayed(&self) -> bool {
        self.game.as_ref().is_some_and(AnyGame::is_being_replayed)
    }
}
