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

    /// The game that goes on from what stands, if any.
    fn stands(&self, board: &Placement) -> Option<Standing> {
        let turned = board.turned();
        self.0.iter().rev().find_map(|Ended { from, .. }| {
            let shows = |placement: &Placement| match &from.start {
                Start::Chess(game) => placement == game.placement(),
                Start::Russian(game) => from.set.read_all(placement) == *game.placement(),
            };
            let rotated = [(board, false), (&turned, true)].into_iter().find(|(board, _)| shows(board))?.1;
            Some(Standing { rotated, ..from.clone() })
        })
    }

    /// Whether the last of them was played with a clock.
    pub fn with_clock(&self) -> bool {
        self.0.last().is_some_and(|ended| ended.clock)
    }
}

impl Session {
    /// What stands at rest is where a game ended, and no position of the game in play: that game goes on.
    pub(super) fn look_for_adjourned(&mut self, time: Option<Time>, updates: &mut Vec<Update>) {
        let Some(from) = self.adjourned.stands(&self.board).filter(|_| self.options.start.is_none()) else {
            return;
        };
        if let Some(game) = &self.game {
            if game.explains_position() {
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
