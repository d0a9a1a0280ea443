//! A game that ended without a result and whose last position is set up once more: it goes on from there, as a game of its own.
//!
//! It was adjourned, or its board was replaced by one whose pieces stood for a game. They are put over one by one, and what
//! seems to be played by that is none. For the session.

use super::{
    any_game::Closed,
    limits,
    options::Start,
    start::{HeldBack, Standing},
};
use crate::{record::Placement, rules::Game as _};

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
        let Closed { plies, end, stands: (start, set), clock, .. } = closed;
        if end.result.is_some() || *plies < limits::ADJOURNED_FROM {
            return;
        }
        if self.0.len() == limits::ADJOURNED {
            self.0.remove(0);
        }
        let from = Standing { start: start.clone(), rotated, set: *set };
        self.0.push(Ended { from, clock: *clock });
    }

    /// The game that goes on from what stands, if any, and whether it had a clock.
    pub fn stands(&self, board: &Placement) -> Option<(Standing, bool)> {
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
    pub fn held_back_for(&self, clock: Option<bool>) -> Option<HeldBack> {
        let had_clock = self.0.last().is_some_and(|ended| ended.clock);
        let plies = if clock.is_some() { limits::SURELY_ANOTHER } else { limits::SURELY_ANOTHER_UNTOLD };
        (had_clock && clock != Some(false)).then(|| HeldBack::until(plies))
    }
}
