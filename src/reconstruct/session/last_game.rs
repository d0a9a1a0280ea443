//! The last game of a board after its end: it is final when the next one begins, and until then play may go on.
//!
//! The session passes it all records of the board meanwhile.

use std::rc::Rc;

use crate::{
    reconstruct::{any_game::AnyGame, game_line::GameLine, session::clock_sides, update::Update},
    record::{BoardEvent, BoardRecord, End, Piece, Placement, Time},
};

/// See the module.
pub struct LastGame {
    pub game: AnyGame,
    /// The board was turned by 180°.
    pub rotated: bool,
    /// Its line, where it ended without a result.
    pub open: Option<Rc<GameLine>>,
    /// Its end.
    pub end: End,
    /// The number of pieces on the board at the end.
    pub pieces: u32,
    /// Whether there was a clock at the end.
    pub has_clock: bool,
    /// An arbiter has ruled on it as a whole since: no play takes that back.
    pub is_ruled: bool,
}

impl LastGame {
    /// Starts to follow the board if it shows the last position; returns whether it does.
    pub fn follow_if_shown(&mut self, stands: &Placement, time: Option<Time>) -> bool {
        let seen = self.seen(stands);
        !self.is_ruled && !self.game.is_followed() && self.game.follow(&seen, time)
    }

    /// The end, if this record settles it: half of the pieces are gone, the pieces are set up (`at_start`), or the
    /// clock is gone.
    pub fn settles(&mut self, record: &BoardRecord, stands: &Placement, at_start: bool) -> Option<&End> {
        let is_off = matches!(&record.event, BoardEvent::Clock(clock) if !clock.connected);
        let are_put_away = at_start || stands.occupied().count_ones() * 2 <= self.pieces;
        self.end.settled = self.end.may_be_withdrawn() && (are_put_away || self.has_clock && is_off);
        Some(&self.end).filter(|end| end.settled)
    }

    /// Publishes a result that the board shows now, where the game ended without one. Unless it `waits`, the position
    /// counts at once.
    pub fn look_for_result(&mut self, waits: bool, updates: &mut Vec<Update>) {
        if self.open.is_some()
            && let Some(shown) = self.game.look_for_result(waits, updates)
        {
            (self.end, self.open) = (shown, None);
        }
    }

    fn seen(&self, stands: &Placement) -> Placement {
        if self.rotated { stands.turned() } else { *stands }
    }

    /// Reads a record of the board, which is followed and shows this position; returns whether play has gone on.
    pub fn record(&mut self, record: &BoardRecord, stands: &Placement, updates: &mut Vec<Update>) -> bool {
        let seen = self.seen(stands);
        let (game, time) = (&mut self.game, record.time);
        if let Some(over) = game.poll_over_before(time) {
            game.advance(Some(over), updates);
        }
        if matches!(record.event, BoardEvent::Change(_) | BoardEvent::Position(_)) && game.rested_before(time)
        {
            game.advance(time, updates);
        }
        game.note_record(time);
        match &record.event {
            BoardEvent::Change(change) => {
                let square = if self.rotated { change.square.turned() } else { change.square };
                game.change(square.field(), seen.get(square).map_or(0, Piece::code), change.quick, time);
                if let Some(result) = change.piece.and_then(Piece::outcome) {
                    game.announce_on(square.field(), result);
                }
            }
            BoardEvent::Position(position) => {
                game.jump(&seen, time);
                game.announce(position.result);
            }
            BoardEvent::Mark(_) => game.jump(&seen, time),
            BoardEvent::Press(press) => {
                game.press(clock_sides::player_at(press.side, self.rotated), press.seconds.0, time);
            }
            BoardEvent::Quiet {} => game.quiet(),
            BoardEvent::Clock(clock) => {
                let running = clock.running.filter(|_| clock.connected);
                game.clock(clock.connected, running, clock_sides::seconds_shown(clock, self.rotated), time);
            }
            BoardEvent::Lost(_) => game.note_lost(),
            BoardEvent::Board(_)
            | BoardEvent::Found(_)
            | BoardEvent::Fault(_)
            | BoardEvent::Answers(_)
            | BoardEvent::Calibration(_)
            | BoardEvent::Readings(_)
            | BoardEvent::History(_) => {}
        }
        game.advance(time, updates);
        self.look_for_result(true, updates);
        self.game.plays_on()
    }
}
