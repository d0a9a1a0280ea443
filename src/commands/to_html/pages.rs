//! The interface of the single page and the site: games are shown in them.

use std::{sync::Arc, time::Duration};

use crate::{
    error::Result,
    format::{game::Game, games::Games, html::Ply},
};

/// Pages in which games are shown.
pub trait Pages {
    /// Adds a game from a file, which is complete.
    fn read(&mut self, game: &Game<Ply>) -> Result<()>;

    /// Sets the tournament report of the event, and the current round.
    fn report(&mut self, _report: Option<(Arc<str>, u32)>) {}

    /// Updates the games of boards, some of which may have changed. Returns the time until the next call at the latest.
    fn update(&mut self, games: &mut Games<Ply>) -> Result<Option<Duration>>;

    /// The input has ended.
    fn end(&mut self, games: &mut Games<Ply>) -> Result<()>;
}
