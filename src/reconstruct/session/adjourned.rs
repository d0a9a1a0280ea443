//! A game that ended without a result and whose last position is set up once more: it goes on from there, as a game of its own.
//!
//! It was adjourned, or its board was replaced by one whose pieces stood for a game. They are put over one by one, and what
//! seems to be played by that is none.

use super::Session;
use crate::{
    reconstruct::{any_game::Closed, limits, options::Start, start::Standing, update::Update},
    record::{End, EndReason, Placement, Time},
    rules::Game as _,
};

/// Where games ended without a result.
#[derive(Default, Clone)]
pub struct Adjourned(Vec<Ended>);

#[derive(Clone)]
struct Ended {
    from: Standing,
    /// Whether a clock was in use.
    clock: bool,
}

impl Adjourned {
    /// Keeps where a game ended, if that was without a result and may be known again.
    pub fn remember(&mut self, closed: &Closed, rotated: bool) {
        let Closed { plies, is_open, stands: (start, set), clock, .. } = closed;
        if !is_open || *plies < limits::ADJOURNED_FROM {
            return;
        }
        if self.0.len() == limits::ADJOURNED {
            self.0.remove(0);
        }
        let from = Standing { start: start.clone(), rotated, set: *set };
        self.0.push(Ended { from, clock: *clock });
    }

    /// The game that goes on from what stands, if any, and whether it had a clock.
    fn stands(&self, board: &Placement) -> Option<(Standing, bool)> {
        let turned = board.turned();
        self.0.iter().rev().find_map(|Ended { from, clock }| {
            let shown = |placement: &Placement| match &from.start {
                Start::Chess(game) => game.shown_as(placement.codes()).map(Start::Chess),
                Start::Russian(game) => {
                    let shows = from.set.read_all(placement) == *game.placement();
                    shows.then(|| Start::Russian(game.clone()))
                }
            };
            let ways = [(board, false), (&turned, true)].into_iter();
            let (start, rotated) =
                ways.filter_map(|(board, rotated)| Some((shown(board)?, rotated))).next()?;
            Some((Standing { start, rotated, set: from.set }, *clock))
        })
    }

    /// How many plies that nobody pressed say that another game has begun, and no pieces are put over to where one ended; none
    /// where nothing is to be pressed. `clock`: whether the board says that one is there.
    pub fn held_back_for(&self, clock: Option<bool>) -> Option<u32> {
        let had_clock = self.0.last().is_some_and(|ended| ended.clock);
        let plies = if clock.is_some() { limits::SURELY_ANOTHER } else { limits::SURELY_ANOTHER_UNTOLD };
        (had_clock && clock != Some(false)).then_some(plies)
    }
}

impl Session {
    /// What stands at rest is where a game ended, and no position of the game in play: that game goes on.
    pub(super) fn look_for_adjourned(&mut self, time: Option<Time>, updates: &mut Vec<Update>) {
        if self.options.start.is_some() {
            return;
        }
        let Some((from, clock)) = self.adjourned.stands(&self.board) else { return };
        if let Some(game) = &self.game {
            // Who plays to where an earlier game ended presses on the way.
            let is_played = game.plies() == 0 || game.was_pressed() || !clock;
            if game.explains_position() && is_played {
                return;
            }
            if game.was_pressed() {
                self.close_at_once(EndReason::NewGame, updates);
            } else {
                self.take_all_back(updates);
            }
        }
        self.begin(from, time);
    }

    /// What seemed to be played in the game in play is how the pieces were set up.
    pub fn take_all_back(&mut self, updates: &mut Vec<Update>) {
        let Some(mut game) = self.game.take() else { return };
        let begun = game.take_all_back(End { result: None, reason: EndReason::NewGame }, updates);
        self.games += u32::from(begun);
    }
}
