//! The players with whom each game began: kept beside the file of results, so that a round that is paired again later
//! gives no result to other players.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::verdict::{Line, Verdict};
use crate::{format::pairings::letters, record::Time};

/// A game, and its players.
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
    /// Reads the kept file; an error contains the line.
    pub fn parse(text: &str) -> Result<Began, String> {
        let mut began = Began::default();
        for (at, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            let players: Players = serde_json::from_str(line).map_err(|e| format!("{}: {e}", at + 1))?;
            began.0.insert(name(&players), players);
        }
        Ok(began)
    }

    /// The text of the kept file, a line for each game.
    pub fn text(&self) -> String {
        let line = |players: &Players| serde_json::to_string(players).unwrap_or_default() + "\n";
        self.0.values().map(line).collect()
    }

    /// Adds the players of games that have begun since, or have a result; returns the games that have other players
    /// now, each in words.
    pub fn look(&mut self, lines: &[Line]) -> Vec<String> {
        let mut others = Vec::new();
        for now in lines.iter().filter(|line| line.verdict != Verdict::Waiting).filter_map(players) {
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

/// The players at a table by the pairings, `?` for those that are left out; none where no name is given, or the game is
/// not certain.
fn players(line: &Line) -> Option<Players> {
    let [white, black] = ["White", "Black"].map(|colour| line.seat.tag(colour));
    white.or(black)?;
    Some(Players {
        line: line.line.clone(),
        board: line.seat.board,
        game: line.game?,
        time: line.time,
        white: white.unwrap_or("?").to_owned(),
        black: black.unwrap_or("?").to_owned(),
    })
}
