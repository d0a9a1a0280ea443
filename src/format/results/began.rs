//! With which players each game began: kept beside the file of results, so that a round that is paired again later gives no result
//! to others.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{
    format::{
        game::{Game, Games},
        pairings::letters,
        pgn::Dress,
    },
    record::Time,
};

/// A game, and who played it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Players {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    line: Option<String>,
    board: u16,
    game: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    time: Option<Time>,
    white: String,
    black: String,
}

/// By line, board, game and the time at which it began.
type Name = (Option<String>, u16, u32, Option<Time>);

/// The players of all games that have begun.
#[derive(Debug, Default, PartialEq)]
pub struct Began(BTreeMap<Name, Players>);

impl Began {
    /// Reads what was kept; an error names the line.
    pub fn parse(text: &str) -> Result<Began, String> {
        let mut began = Began::default();
        for (at, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            let players: Players = serde_json::from_str(line).map_err(|e| format!("{}: {e}", at + 1))?;
            began.0.insert(name(&players), players);
        }
        Ok(began)
    }

    /// What is to be kept, a line for each game.
    pub fn text(&self) -> String {
        let line = |players: &Players| serde_json::to_string(players).unwrap_or_default() + "\n";
        self.0.values().map(line).collect()
    }

    /// Takes the players of games of the round that have begun since; answers which games have others now, each in words.
    pub fn look(&mut self, dress: &Dress, games: &Games, is_of_round: impl Fn(&Game) -> bool) -> Vec<String> {
        let mut others = Vec::new();
        let has_begun = |game: &Game| !game.is_pairing && !game.moves.is_empty() && is_of_round(game);
        for (nth, game) in games.in_order().filter(|(_, game)| has_begun(game)) {
            let Some(now) = players(dress, game, nth) else { continue };
            let before = self.0.entry(name(&now)).or_insert_with(|| now.clone());
            let is_other = |before: &str, now: &str| letters(before) != letters(now);
            if is_other(&before.white, &now.white) || is_other(&before.black, &now.black) {
                others.push(format!(
                    "board {}: {} - {} by the pairings now, but its game began as {} - {}",
                    now.board, now.white, now.black, before.white, before.black
                ));
            }
        }
        others
    }
}

fn name(players: &Players) -> Name {
    (players.line.clone(), players.board, players.game, players.time)
}

/// Who plays a game by the pairings; none where not both names are known.
fn players(dress: &Dress, game: &Game, nth: usize) -> Option<Players> {
    let seat = dress.seat(game, nth)?;
    Some(Players {
        line: game.key.0.as_deref().map(str::to_owned),
        board: seat.board,
        game: game.number,
        time: game.time,
        white: seat.tag("White")?.to_owned(),
        black: seat.tag("Black")?.to_owned(),
    })
}
