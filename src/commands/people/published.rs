//! The text published of the games in play: a move that is published again, only with more certainty, is not repeated.

use std::collections::{BTreeMap, HashMap};

use crate::record::{BoardName, GameEvent, GameRecord};

/// How many moves of a game are remembered; no game has more.
const KEPT_MOVES_MAX: usize = 4096;

/// The lines that were written of the moves of each board's game.
#[derive(Debug, Default)]
pub(super) struct Published(HashMap<BoardName, Game>);

#[derive(Debug, Default)]
struct Game {
    number: u32,
    moves: BTreeMap<u32, String>,
    /// The line of its end, while that stands.
    end: Option<String>,
}

impl Published {
    /// Whether the text of a record is new to its readers.
    pub(super) fn is_news(&mut self, record: &GameRecord, text: &str) -> bool {
        let game = self.0.entry((record.line.clone(), record.board)).or_default();
        if game.number != record.game || matches!(record.event, GameEvent::Game(_)) {
            *game = Game { number: record.game, ..Game::default() };
        }
        match &record.event {
            GameEvent::Move(m) => {
                let ply = m.ply.unwrap_or(0);
                let known = game.moves.get(&ply).is_some_and(|known| known == text);
                if !known && (game.moves.len() < KEPT_MOVES_MAX || game.moves.contains_key(&ply)) {
                    game.moves.insert(ply, text.to_owned());
                }
                game.end.take_if(|_| !known);
                !known
            }
            GameEvent::Takeback(back) => {
                game.moves.retain(|ply, _| *ply <= back.ply);
                game.end = None;
                true
            }
            GameEvent::End(_) => game.end.replace(text.to_owned()).as_deref() != Some(text),
            _ => true,
        }
    }
}
