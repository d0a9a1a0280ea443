//! What is published of the games of one board, and what stands of a game once it is over, for those who want each ply
//! once.

use crate::record::{GameEvent, Move, Time};

/// A game record of one board, not yet with the board's name.
#[derive(Debug, Clone)]
pub struct Update {
    /// The game, counted from 1 on its board.
    pub game: u32,
    /// When it happened.
    pub time: Option<Time>,
    /// What happened.
    pub event: GameEvent,
}

/// What was published of a game, without what was withdrawn or replaced.
#[derive(Default)]
pub struct FinalMoves(Vec<Update>);

impl FinalMoves {
    /// Something more was published.
    pub fn add(&mut self, update: Update) {
        let ply = |update: &Update| match &update.event {
            GameEvent::Move(mv) => mv.ply,
            _ => None,
        };
        match &update.event {
            GameEvent::Takeback(back) => self.0.retain(|u| ply(u).is_none_or(|ply| ply <= back.ply)),
            GameEvent::Move(mv) => match self.0.iter_mut().rev().find(|u| ply(u) == mv.ply) {
                Some(before) => *before = update,
                None => self.0.push(update),
            },
            _ => self.0.push(update),
        }
    }

    /// The moves that stand, with their times.
    pub fn moves(&self) -> impl Iterator<Item = (&Move, Option<Time>)> {
        self.0.iter().filter_map(|update| match &update.event {
            GameEvent::Move(mv) => Some((&**mv, update.time)),
            _ => None,
        })
    }

    /// All that stands, if the game is over.
    pub fn take_if_over(&mut self) -> Option<Vec<Update>> {
        let over = matches!(self.0.last()?.event, GameEvent::End(_));
        over.then(|| std::mem::take(&mut self.0))
    }
}
