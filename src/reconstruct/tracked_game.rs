//! One game that is being tracked: what its board says goes to the search, and what can be said of the game is published.
//!
//! A move is published once it cannot reasonably be a stop on the way; when the search learns better, the game is
//! taken back to where it was right and published again. For the session, by way of `any_game`; this file takes in
//! what the board says and sees to it that each part does its own:
//!
//! * `state` is the game, `phase` what it is doing and the clock beside it, `stillness` how long its board rests, `published` what the outside knows of it;
//! * `publisher` publishes what is `ready` and corrects what was wrong;
//! * `resting` looks for takebacks and missed moves where a board at rest is not explained, `anomaly` for what nothing
//!   explains; `lost` for a game of which nothing thought of explains anything any more;
//! * `stopped` is for a clock that was stopped: what hands do then is no play;
//! * `setting_up` knows pieces that go home, `last_move` the last position of a game, `ending` when it is over;
//! * `looked_at` is for players who look at their game without a clock, `over` for a game that has ended, until the next one begins: play may go on;
//! * `known_dead` tells which of its squares are dead for sure;
//! * `from_log` is for a game of which the board's own log tells as well.

mod anomaly;
mod ending;
mod explain;
mod from_log;
mod known_dead;
mod last_move;
mod looked_at;
mod lost;
mod over;
mod phase;
mod published;
mod publisher;
mod ready;
mod replaced;
mod resting;
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
    /// Plies of the best explanation.
    pub fn plies(&self) -> u32 {
        self.search.best().node.ply
    }

    /// How it begins, as it is published.
    pub fn beginning(&self) -> &GameStart {
        &self.published.start
    }

    /// When it began.
    pub fn began(&self) -> Option<Time> {
        self.published.began
    }

    /// The moves that were published and stand.
    pub fn told(&self) -> Vec<Move> {
        self.published.moves.iter().filter_map(PublishedMove::mv).collect()
    }

    /// The record time by which it was last looked at.
    pub fn now(&self) -> Option<Time> {
        self.stillness.now
    }

    /// How dear the best explanation is.
    pub fn rank(&self) -> f32 {
        self.search.best().rank()
    }

    /// Whether the best explanation leads to what stands.
    pub fn explains_position(&self) -> bool {
        self.search.best().mismatched == 0
    }

    /// Whether this side could still win.
    pub fn can_win(&self, side: Colour) -> bool {
        self.search.best().node.game.can_win(side)
    }

    /// Whether a start position that now stands belongs to this game: the moves explain it.
    pub fn explains_board(&self) -> bool {
        let best = self.search.best();
        // Its own press is still to come.
        let played =
            !self.search.state().clock_in_use() || best.pressed(best.node.ply.saturating_sub(1)).is_some();
        best.mismatched == 0
            && best.node.ply > 0
            && played
            && best.node.game.placement() == self.start.placement()
    }

    /// Whether a start position that now stands is this game taken back to its beginning.
    pub fn barely_begun(&self) -> bool {
        match self.furthest().ply.max(self.published.plies()) {
            0 => self.published.begun,
            plies => plies <= limits::BARELY_BEGUN,
        }
    }

    /// Whether the board shows another position than this game's start: not a first move, nor one in the making,
    /// which a start mark may find.
    pub fn is_another_position(&self) -> bool {
        let best = self.search.best();
        best.node.ply == 0 && best.mismatched.count_ones() >= limits::ANOTHER_POSITION
    }

    /// Whether a board with pieces on these squares shows another position than any that this game, which has begun, may have
    /// come to: no move in the making.
    pub fn stands_otherwise(&self, occupied: Squares) -> bool {
        let game = &self.search.best().position.game;
        let otherwise = (game.placement().occupied() ^ occupied) & !game.dead();
        !self.barely_begun() && otherwise.count_ones() >= limits::ANOTHER_POSITION
    }

    /// See [`Search::sides_swapped`](super::backtrack::Search::sides_swapped).
    pub fn sides_swapped(&self) -> bool {
        self.search.sides_swapped()
    }

    /// What was learned of the clock before this game: whether the players sit at its other sides, and whether it stands.
    pub fn expect_clock(&mut self, swapped: bool, stands: bool) {
        self.search.expect_sides_swapped(swapped);
        self.clock_state = if stands { ClockState::NotStarted } else { ClockState::Unknown };
    }

    /// See [`Search::have_spoken`](super::backtrack::Search::have_spoken).
    pub fn have_spoken(&mut self, squares: Squares) {
        self.search.have_spoken(squares);
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
        self.signalled = self.signalled.take().filter(|signalled| !self.goes_on_behind(signalled));
        // Captured men of draughts stand there for a while: squares that are open say nothing.
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

    /// The board was found to stand so: changes were missed.
    pub fn jump(&mut self, placement: &Placement, time: Option<Time>) {
        self.stillness.lost = false;
        let before = self.search.state().board;
        let found = (0..).zip(placement.codes()).zip(&before).filter(|((_, code), old)| code != old);
        let (lifted, landed): (Vec<_>, Vec<_>) =
            found.map(|((at, &code), _)| (at, code)).partition(|&(_, code): &(u8, u8)| code == 0);
        let missed = lifted.len() + landed.len();
        self.missed_changes |= missed > 0;
        // More than a move's two squares may hide several moves, in any order: a bridge knows whether there is but one.
        for (at, code) in lifted.into_iter().chain(landed) {
            self.note_change(at, code, Known::Found { one_move: missed <= 2 }, time);
        }
        if self.missed_changes && self.search.best().mismatched != 0 {
            self.bridge();
            if !self.missed_changes {
                // What comes later comes after what the board shows.
                self.search.keep_standing();
            }
        }
    }

    /// Whether the last position that was told stands there.
    pub fn stands_as_told(&self, placement: &Placement) -> bool {
        self.published.moves.last().is_some_and(|told| {
            let (game, to) = (&told.node.game, usize::from(told.node.to));
            let side = |on: &Placement| Colour::of(on.codes()[to]);
            // What came last is looked at first, for this is asked at every change.
            side(placement) == side(game.placement())
                && (game.differing(placement.codes()) == 0 || game.shown_as(placement.codes()).is_some())
        })
    }

    /// The board was found to stand so, as the game was told to stand last: it goes on from there.
    pub fn go_on_as_told(&mut self, placement: &Placement, time: Option<Time>) {
        self.jump(placement, time);
        let Some(told) = self.published.moves.last() else { return };
        let best = self.search.best();
        let node = told.node.shown_as(placement.codes()).map_or_else(|| told.node.clone(), Rc::new);
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
        self.presses_untold += 1;
        let reading = &mut self.clock_readings[side.index()];
        let (first, last) = reading.unwrap_or((seconds, seconds));
        *reading = Some((first, seconds));
        // Who is answered plays on.
        self.announced.take_if(|announced| {
            announced.presses += 1;
            announced.presses == 2
        });
        // Set for another game it shows as much as at the beginning of this one; cleared, nothing.
        let set_anew = seconds >= first && seconds > last + limits::CLOCK_GAINED;
        let cleared = seconds == 0.0 && last > limits::CLOCK_GAINED;
        if !set_anew && !cleared {
            self.search.observe(Observation::Press { side, seconds, time });
            self.clock_state = self.clock_state.pressed();
            // What was not played while nobody had pressed may have been.
            self.examined = None;
            self.poll_open = true;
        }
    }

    /// The board had nothing to say.
    pub fn quiet(&mut self) {
        self.stillness.lost = false;
        self.stillness.find_empty();
        self.note_rest(true);
    }

    /// What the board's rest counts for, as far as the search does not know: it may have gone on.
    fn note_rest(&mut self, seen_now: bool) {
        if let Some(part) = self.stillness.more_rest(seen_now) {
            let until = self.stillness.still_until(seen_now);
            let (seen, time) = (self.stillness.at_rest(), self.stillness.changed);
            self.search.observe(Observation::Rest { part, seen, until, time });
        }
    }

    /// The board does not answer any more.
    pub fn lose(&mut self) {
        self.stillness.lost = true;
    }

    /// A result piece was put on the board, there.
    pub fn announce_on(&mut self, field: u8, result: Outcome) {
        self.announced = Some(Announced { result, on: Some(field), presses: 0 });
    }

    /// A look at the board found a result piece, or none.
    pub fn announce(&mut self, result: Option<Outcome>) {
        self.announced = result.map(|result| Announced { result, on: None, presses: 0 });
    }

    /// The board says something at record time `now`.
    pub fn hear(&mut self, now: Option<Time>) {
        self.stillness.hear(now);
    }

    /// A record comes at record time `now`: when the board had told all that it had to say before it, if something may be
    /// published for that.
    pub fn had_told(&self, now: Option<Time>) -> Option<Time> {
        let asks = || self.poll_open || self.published.plies() < self.plies() || self.changed_for().is_some();
        let heard = self.stillness.heard().filter(|_| asks())?;
        now.filter(|&now| now > heard).map(|now| now.min(heard.after(limits::TICK)))
    }

    /// A record comes at record time `now`: whether the board had rested for long before it.
    pub fn had_rested(&mut self, now: Option<Time>) -> bool {
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

    /// Looks at what is known at record time `now` and publishes what can be published.
    pub fn advance(&mut self, now: Option<Time>, updates: &mut Vec<Update>) {
        self.stillness.advance(now);
        if self.stillness.all_is_told() && std::mem::take(&mut self.poll_open) {
            let odd = self.stillness.odd_end_of_poll(self.search.state().clock_in_use());
            if odd > 0.0 {
                self.search.observe(Observation::PollTold { odd });
            }
        }
        self.look_for_changed();
        if self.stillness.rests() {
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
        self.note_course();
        // Of most records the search learns nothing.
        let known = (self.search.learned(), self.stillness.settled());
        if self.noted != Some(known) {
            self.noted = Some(known);
            self.note_run();
            self.note_unpressed();
            self.note_last_pressed();
        }
        if self.phase.is_published() {
            self.go_on_if_lost(updates);
            self.publish_gap(updates);
            self.publish(updates);
            self.note_awaiting();
        }
    }

    /// When, in record time, something is due though nothing comes in.
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
            // When time goes on, this board has no more to say of what it said last.
            wait(self.stillness.heard(), limits::TICK);
        }
        if unpublished {
            wait(done, limits::PUBLISH_LATEST);
            wait(done, limits::PUBLISH_LATEST_AT_HOME);
        }
        if let Some((_, since)) = self.signal {
            wait(since, limits::SIGNAL_STANDS);
            wait(since, limits::HALF_SIGNAL_STANDS);
            wait(since, limits::RESULT_STANDS);
        }
        if best.node.ply > 0 && explained {
            wait(done, limits::NATURAL_END_STANDS);
        }
        if best.mismatched | best.captured_standing != 0 {
            wait(changed, limits::ANOMALY);
        }
        if !explained {
            wait(changed, limits::ANOMALY_MISSING);
        }
        earliest
    }
}
