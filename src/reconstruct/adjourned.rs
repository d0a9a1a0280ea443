//! A game that ended without a result and whose last position is set up again: it continues from there, as a game of
//! its own.
//!
//! The game was adjourned, or its board was replaced by one with the same pieces. Pieces that are set up one by one
//! make no moves of a game. The session uses this.

use super::{
    any_game::Closed,
    limits,
    options::Start,
    start::{HeldBack, Standing},
};
use crate::{record::Placement, rules::Game as _};

/// The last positions of games that ended without a result.
#[derive(Default, Clone)]
pub struct Adjourned(Vec<Ended>);

#[derive(Clone)]
struct Ended {
    from: Standing,
    /// Whether a clock was in use.
    clock: bool,
}

impl Adjourned {
    /// Keeps the last position of a game that ended without a result and has enough plies to be recognised.
    pub fn remember(&mut self, closed: &Closed, rotated: bool) {
        let Closed { plies, end, stands: (start, set), clock, .. } = closed;
        if end.result.is_some() || *plies < limits::PLAY_PLIES {
            return;
        }
        if self.0.len() == limits::GAMES_KEPT {
            self.0.remove(0);
        }
        let from = Standing { start: start.clone(), rotated, set: *set };
        self.0.push(Ended { from, clock: *clock });
    }

    /// The game that continues from this position, if any, and whether it had a clock.
    pub fn game_at(&self, board: &Placement) -> Option<(Standing, bool)> {
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

    /// What holds back a game that begins while the last one may continue: it is published after this many plies
    /// without a press; none where no clock is in use. `clock`: whether the board reports one.
    pub fn held_back_for(&self, clock: Option<bool>) -> Option<HeldBack> {
        let had_clock = self.0.last().is_some_and(|ended| ended.clock);
        (had_clock && clock != Some(false)).then(|| HeldBack::until(limits::RESUME_MIN_PLIES))
    }
}
