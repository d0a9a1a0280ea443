//! The last word on a game: what stands of all that was told of it.

use super::Update;
use crate::record::{GameEvent, Move, Time};

/// What was told of a game, without what was withdrawn or replaced.
#[derive(Default)]
pub struct LastWord(Vec<Update>);

impl LastWord {
    /// Something more was told.
    pub fn add(&mut self, told: Update) {
        let ply = |told: &Update| match &told.event {
            GameEvent::Move(mv) => mv.ply,
            _ => None,
        };
        match &told.event {
            GameEvent::Takeback(back) => self.0.retain(|t| ply(t).is_none_or(|ply| ply <= back.ply)),
            GameEvent::Move(mv) => match self.0.iter_mut().rev().find(|t| ply(t) == mv.ply) {
                Some(before) => *before = told,
                None => self.0.push(told),
            },
            _ => self.0.push(told),
        }
    }

    /// The moves that stand, with their times.
    pub fn moves(&self) -> impl Iterator<Item = (&Move, Option<Time>)> {
        self.0.iter().filter_map(|told| match &told.event {
            GameEvent::Move(mv) => Some((&**mv, told.time)),
            _ => None,
        })
    }

    /// All that stands, if the game is over.
    pub fn take_if_over(&mut self) -> Option<Vec<Update>> {
        let over = matches!(self.0.last()?.event, GameEvent::End(_));
        over.then(|| std::mem::take(&mut self.0))
    }
}
