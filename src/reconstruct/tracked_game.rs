//! One tracked game: its board's records go to the search, and its moves are published.
//!
//! A move is published once it cannot reasonably be a stop on the way; when the search finds a better explanation, the
//! moves that differ are withdrawn and the new ones published. The session calls this by way of `any_game`; this file
//! reads the records and calls the parts:
//!
//! - `state` has the data of the game, `phase` its phase and its clock, `stillness` how long its board has rested,
//!   `published` its published moves;
//! - `publisher` publishes the moves that are `ready` and corrects wrong ones;
//! - `resting` finds takebacks and missed moves where a board at rest is not explained, `replaced` a published move
//!   that was another one, `anomaly` reports what nothing explains; `lost` gives up a game that nothing explains any
//!   more; `resumed` resumes one from the position on the board;
//! - `stopped` handles a stopped clock, during which nothing is play;
//! - `setting_up` detects pieces that return to their start squares, `last_move` the last position of a game, `ending`
//!   its end;
//! - `analysis` handles players who analyse their game without a clock, `over` a game after its end, which may continue
//!   until the next one begins;
//! - `known_dead` has the squares of the board that are certainly dead;
//! - `from_log` merges the same game from the board's own log.

mod analysis;
mod anomaly;
mod ending;
mod explain;
mod from_log;
mod known_dead;
mod last_move;
mod lost;
mod over;
mod phase;
mod published;
mod publisher;
mod ready;
mod replaced;
mod resting;
mod resumed;
mod setting_up;
mod state;
mod stillness;
mod stopped;

use std::rc::Rc;

pub use state::TrackedGame;

use phase::ClockState;
use published::PublishedMove;
use state::Announced;

use super::{
    costs::Deviation,
    limits,
    observe::{Known, Observation},
    update::Update,
};
use crate::{
    record::{GameStart, Move, Outcome, Placement, Time},
    rules::{Colour, Game, Squares},
};

impl<G: Game> TrackedGame<G> {
    /// The plies of the best explanation.
    pub fn plies(&self) -> u32 {
        self.search.best().node.ply
    }

    /// The start of the game, as it is published.
    pub fn beginning(&self) -> &GameStart {
        &self.published.start
    }

    /// The time at which it began.
    pub fn began(&self) -> Option<Time> {
        self.published.began
    }

    /// The published moves that remain.
    pub fn published_moves(&self) -> Vec<Move> {
        self.published.moves.iter().filter_map(PublishedMove::mv).collect()
    }

    /// The record time of the last look at it.
    pub fn now(&self) -> Option<Time> {
        self.stillness.now
    }

    /// The rank of the best explanation.
    pub fn rank(&self) -> f32 {
        self.search.best().rank()
    }

    /// Whether the best explanation leads to the position on the board.
    pub fn explains_position(&self) -> bool {
        self.search.best().mismatched == 0
    }

    /// Whether this side could still win.
    pub fn can_win(&self, side: Colour) -> bool {
        self.search.best().node.game.can_win(side)
    }

    /// Whether the game's own moves have led to the start position on the board.
    pub fn explains_board(&self) -> bool {
        let best = self.search.best();
        // The last move may lack its press.
        let played =
            !self.search.state().clock_in_use() || best.pressed(best.node.ply.saturating_sub(1)).is_some();
        best.mismatched == 0
            && best.node.ply > 0
            && played
            && best.node.game.placement() == self.start.placement()
    }

    /// Whether a start position on the board is this game taken back to its beginning.
    pub fn barely_begun(&self) -> bool {
        match self.furthest().ply.max(self.published.plies()) {
            0 => self.published.begun,
            plies => plies <= limits::BARELY_BEGUN_PLIES,
        }
    }

    /// Whether the board shows another position than this game's start, and no first move, complete or not: a start
    /// mark may come during one.
    pub fn is_another_position(&self) -> bool {
        let best = self.search.best();
        best.node.ply == 0 && best.mismatched.count_ones() > limits::MOVE_MAX_SQUARES
    }

    /// Whether a board with pieces on these squares shows a position that this game, which has begun, cannot have
    /// reached, not even with a move in progress.
    pub fn stands_otherwise(&self, occupied: Squares) -> bool {
        let game = &self.search.best().position.game;
        let otherwise = (game.placement().occupied() ^ occupied) & !game.dead();
        !self.barely_begun() && otherwise.count_ones() > limits::MOVE_MAX_SQUARES
    }

    /// See [`Search::sides_swapped`](super::backtrack::Search::sides_swapped).
    pub fn sides_swapped(&self) -> bool {
        self.search.sides_swapped()
    }

    /// Sets what earlier games have shown of the clock: whether the players sit at its other sides, and whether it is
    /// stopped.
    pub fn expect_clock(&mut self, swapped: bool, stands: bool) {
        self.search.expect_sides_swapped(swapped);
        self.clock_state = if stands { ClockState::NotStarted } else { ClockState::Unknown };
    }

    /// See [`Search::mark_reported`](super::backtrack::Search::mark_reported).
    pub fn mark_reported(&mut self, squares: Squares) {
        self.search.mark_reported(squares);
    }

    /// Whether nothing was published of this game.
    pub fn is_unpublished(&self) -> bool {
        self.published.moves.is_empty() && !self.published.begun
    }

    /// A square changed.
    pub fn change(&mut self, field: u8, code: u8, quick: Option<bool>, time: Option<Time>) {
        self.note_touched(time);
        self.note_signalled();
        self.announced.take_if(|announced| announced.on == Some(field));
        self.note_change(field, code, Known::Seen { quick }, time);
        self.signalled = self.signalled.take().filter(|signalled| !self.went_on_after(signalled));
        // Captured men of draughts stay on the board for a while, so that mismatched squares mean nothing there.
        self.poll_open |= !self.search.state().clock_in_use() && !G::CAPTURES_BY_JUMPING;
    }

    fn note_change(&mut self, square: u8, new: u8, how: Known, time: Option<Time>) {
        let best = self.search.best();
        self.start_stood |= best.node.ply == 0 && best.mismatched == 0 && self.stillness.rested();
        self.search.observe(Observation::Change { square, new, how, time });
        self.stillness.change(time);
        self.last_landed = new;
        let dead = self.search.best().position.game.dead();
        self.signal = G::signal(&self.search.state().board, dead).map(|(outcome, _)| match self.signal {
            Some((same, since)) if same == outcome => (same, since),
            _ => (outcome, time),
        });
    }

    /// The board shows this position: changes were missed.
    pub fn jump(&mut self, placement: &Placement, time: Option<Time>) {
        self.stillness.lost = false;
        let before = self.search.state().board;
        let found = (0..).zip(placement.codes()).zip(&before).filter(|((_, code), old)| code != old);
        let (lifted, landed): (Vec<_>, Vec<_>) =
            found.map(|((at, &code), _)| (at, code)).partition(|&(_, code): &(u8, u8)| code == 0);
        let missed = lifted.len() + landed.len();
        self.missed_changes |= missed > 0;
        let games = if missed > 2 { self.distinct_games() } else { Vec::new() };
        // More changes than the two of a move may be several moves, in any order: a bridge finds out whether there is
        // only one way.
        for (at, code) in lifted.into_iter().chain(landed) {
            self.note_change(at, code, Known::Found { one_move: missed <= 2 }, time);
        }
        if self.missed_changes && self.search.best().mismatched != 0 {
            if self.bridge() {
                // Later changes follow the position on the board.
                self.search.keep_standing();
            } else if missed > 2 {
                self.resume_after_gap(games);
            }
        }
    }

    /// Whether this is the last published position.
    pub fn stands_as_published(&self, placement: &Placement) -> bool {
        self.published.moves.last().is_some_and(|last| {
            let (game, to) = (&last.node.game, usize::from(last.node.to));
            let side = |on: &Placement| Colour::of(on.codes()[to]);
            // The square of the last move is compared first, since this runs at every change.
            side(placement) == side(game.placement())
                && (game.differing(placement.codes()) == 0 || game.shown_as(placement.codes()).is_some())
        })
    }

    /// The board shows the last published position again: the game continues from there.
    pub fn continue_as_published(&mut self, placement: &Placement, time: Option<Time>) {
        self.jump(placement, time);
        let Some(last) = self.published.moves.last() else { return };
        let best = self.search.best();
        let node = last.node.shown_as(placement.codes()).map_or_else(|| last.node.clone(), Rc::new);
        let again = best.instead(node, best.rank(), Deviation::StoppedAndBack, 1.0);
        self.search.add(again);
        self.search.keep_standing();
        self.missed_changes = false;
    }

    /// A side's clock was halted.
    pub fn press(&mut self, side: Colour, seconds: f64, time: Option<Time>) {
        self.play_goes_on();
        self.signalled = None;
        self.last_press = time.map(|time| (side, time));
        self.presses_since_published += 1;
        let reading = &mut self.clock_readings[side.index()];
        let (first, last) = reading.unwrap_or((seconds, seconds));
        *reading = Some((first, seconds));
        // Two presses after a result piece was reported are play: it was misread.
        self.announced.take_if(|announced| {
            announced.presses += 1;
            announced.presses == 2
        });
        // A clock that was set for another game shows as much as at the beginning of this one; one that was cleared
        // shows nothing.
        let was_reset = seconds >= first && seconds > last + limits::CLOCK_GAINED_SECONDS;
        let cleared = seconds == 0.0 && last > limits::CLOCK_GAINED_SECONDS;
        if !was_reset && !cleared {
            self.search.observe(Observation::Press { side, seconds, time });
            self.clock_state = self.clock_state.pressed();
            // A position that was rejected for lack of a press may be accepted now.
            self.examined = None;
            self.poll_open = true;
        }
    }

    /// A poll found no changes.
    pub fn quiet(&mut self) {
        self.stillness.lost = false;
        self.stillness.note_empty_poll();
        self.note_rest(true);
    }

    /// Adds the further part of a rest to the search, if any; the rest may be over by now.
    fn note_rest(&mut self, seen_now: bool) {
        if let Some(part) = self.stillness.more_rest(seen_now) {
            let until = self.stillness.still_until(seen_now);
            let (seen, time) = (self.stillness.at_rest(), self.stillness.changed);
            self.search.observe(Observation::Rest { part, seen, until, time });
        }
    }

    /// The board does not answer any more.
    pub fn note_lost(&mut self) {
        self.stillness.lost = true;
    }

    /// A result piece was put on this field.
    pub fn announce_on(&mut self, field: u8, result: Outcome) {
        self.announced = Some(Announced { result, on: Some(field), presses: 0 });
    }

    /// A position of the board has a result piece, or none.
    pub fn announce(&mut self, result: Option<Outcome>) {
        self.announced = result.map(|result| Announced { result, on: None, presses: 0 });
    }

    /// The board sent a record with time `now`.
    pub fn note_record(&mut self, now: Option<Time>) {
        self.stillness.note_record(now);
    }

    /// A record comes at time `now`: the time at which the poll before it was over, if something may be published
    /// because of that.
    pub fn poll_over_before(&self, now: Option<Time>) -> Option<Time> {
        let asks = || self.poll_open || self.published.plies() < self.plies() || self.changed_for().is_some();
        let last = self.stillness.last_record().filter(|_| asks())?;
        now.filter(|&now| now > last).map(|now| now.min(last.after(limits::SHORTEST_WAIT_SECONDS)))
    }

    /// A record comes at time `now`: whether the board had rested for long before it.
    pub fn rested_before(&mut self, now: Option<Time>) -> bool {
        self.stillness.advance(now);
        self.note_stood();
        self.note_rest(false);
        let long = self.stillness.is_long();
        if long && !std::mem::replace(&mut self.stillness.known_to_be_long, true) {
            self.search.observe(Observation::LongRest);
            self.note_stood_unpressed();
        }
        long
    }

    /// Publishes what can be published at record time `now`.
    pub fn advance(&mut self, now: Option<Time>, updates: &mut Vec<Update>) {
        self.stillness.advance(now);
        if self.stillness.poll_is_over() && std::mem::take(&mut self.poll_open) {
            let odd = self.stillness.odd_end_of_poll(self.search.state().clock_in_use());
            if odd > 0.0 {
                self.search.observe(Observation::PollOver { odd });
            }
        }
        self.look_for_changed();
        if self.stillness.all_pieces_rest() {
            match self.phase.stopped() {
                Some(stopped) => {
                    let is_followed = stopped.run.is_some();
                    self.explain_rest_of_stopped();
                    if is_followed {
                        self.explain_rest();
                    }
                }
                None => self.explain_rest(),
            }
        }
        self.note_begun();
        self.note_stood();
        self.note_moves_after_end();
        // Most records change nothing in the search.
        let known = (self.search.revision(), self.stillness.settled());
        if self.noted != Some(known) {
            self.noted = Some(known);
            self.note_moves_in_a_row();
            self.note_unpressed();
            self.note_last_pressed();
        }
        if self.phase.is_published() {
            self.go_on_if_lost(updates);
            self.note_gone_on();
            self.publish_gap(updates);
            self.publish(updates);
            self.note_awaiting();
        }
    }

    /// The record time at which something is due even without a record.
    pub fn deadline(&self) -> Option<Time> {
        let best = self.search.best();
        let unpublished = self.published.plies() < best.node.ply;
        let explained = best.mismatched == 0;
        let done = best.node.completed_by.stamp.time();
        let changed = self.stillness.changed;
        let mut earliest: Option<Time> = None;
        let mut wait = |since: Option<Time>, seconds| {
            let due = since
                .map(|since| since.after(seconds))
                .filter(|&due| self.stillness.now.is_none_or(|now| due > now));
            earliest = [earliest, due].into_iter().flatten().min();
        };
        if self.poll_open || unpublished {
            // When time goes on, the last poll of this board is over.
            wait(self.stillness.last_record(), limits::SHORTEST_WAIT_SECONDS);
        }
        if unpublished {
            wait(done, limits::PUBLISH_LATEST_SECONDS);
            wait(done, limits::CONTINUED_WITHIN_SECONDS);
        }
        if let Some((_, since)) = self.signal {
            wait(since, limits::WHOLE_REST_SECONDS);
            wait(since, limits::HALF_SIGNAL_STANDS_SECONDS);
            wait(since, limits::RESULT_STANDS_SECONDS);
        }
        if best.node.ply > 0 && explained {
            wait(done, limits::MEANT_SECONDS);
        }
        if best.mismatched | best.captured_standing != 0 {
            wait(changed, limits::ANOMALY_SECONDS);
        }
        if !explained {
            wait(changed, limits::CONTINUED_WITHIN_SECONDS);
        }
        earliest
    }
}
