//! One page without other files, on standard output.

use std::time::Duration;

use super::{pages::Pages, text};
use crate::{
    error::Result,
    format::{
        game::Game,
        games::Games,
        html::{self, Head, Look, Ply, Summary, View, page},
    },
    stdio::Output,
};

/// The page: each game is written when it is complete, and the overview at the end.
pub struct Single {
    out: Output,
    hide_results: bool,
    look: Look,
    heads: Vec<Vec<u8>>,
    summary: Summary,
}

impl Single {
    pub fn new(hide_results: bool, look: Look) -> Result<Single> {
        let mut out = Output::stdout();
        out.text(page::single_begin(&look))?;
        Ok(Single { out, hide_results, look, heads: Vec::new(), summary: Summary::default() })
    }
}

impl Pages for Single {
    fn read(&mut self, game: &Game<Ply>) -> Result<()> {
        let id = html::id(&game.key, game.number);
        self.summary.add(game);
        self.heads.push(html::json(&Head::new(game, &id, self.hide_results, false)));
        let (format, text) = text::of(game, self.hide_results);
        let view = View {
            id: &id,
            hide_results: self.hide_results,
            head: &[],
            text: Some((format, &text)),
            is_alone: true,
        };
        self.out.text(page::game(&id, &html::game_data(game, view)))
    }

    fn update(&mut self, _: &mut Games<Ply>) -> Result<Option<Duration>> {
        self.out.flush().map(|()| None)
    }

    fn end(&mut self, games: &mut Games<Ply>) -> Result<()> {
        games.in_order().try_for_each(|(_, game)| self.read(game))?;
        let index = self.summary.json(&self.look, &[], self.heads.iter().map(|head| &head[..]));
        self.out.text(page::single_end(&index, &self.look))?;
        self.out.flush()
    }
}
