//! What the one page and the site have in common: games are shown in them.

use std::{sync::Arc, time::Duration};

use crate::{
    error::Result,
    format::{game::Game, games::Games, html::Ply},
};

/// Where games are shown.
pub trait Pages {
    /// A game of a reader of files, of which no more is heard.
    fn read(&mut self, game: &Game<Ply>) -> Result<()>;

    /// The tournament report of the event, and the round that is played.
    fn report(&mut self, _report: Option<(Arc<str>, u32)>) {}

    /// The games of boards, some of which may have changed. Gives when to ask again at the latest.
    fn update(&mut self, games: &mut Games<Ply>) -> Result<Option<Duration>>;

    /// No more will come.
    fn end(&mut self, games: &mut Games<Ply>) -> Result<()>;
}
