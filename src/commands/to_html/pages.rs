//! What the one page and the site have in common: games are shown in them.

use std::time::Duration;

use crate::{
    error::Result,
    format::{game::Game, games::Games, html::Ply},
};

/// Where games are shown.
pub trait Pages {
    /// A game of a reader of files, of which no more is heard.
    fn read(&mut self, game: &Game<Ply>) -> Result<()>;

    /// The games of boards, some of which may have changed. Gives when to ask again at the latest.
    fn update(&mut self, games: &mut Games<Ply>) -> Result<Option<Duration>>;

    /// No more will come.
    fn end(&mut self, games: &mut Games<Ply>) -> Result<()>;
}
