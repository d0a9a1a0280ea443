//! The overview of games, and the data that pages poll while games are in play.

use std::{collections::BTreeMap, sync::Arc};

use serde::Serialize;

use super::{
    Look, Ply,
    data::{self, known},
    thought::{Shown, shown},
};
use crate::{
    format::game::Game,
    record::{Move, Rules, Seconds, Time},
};

/// A game in the overview.
#[derive(Debug, Serialize)]
pub struct Head<'a> {
    id: &'a str,
    white: &'a str,
    black: &'a str,
    #[serde(rename = "whiteTitle", skip_serializing_if = "str::is_empty")]
    white_title: &'a str,
    #[serde(rename = "blackTitle", skip_serializing_if = "str::is_empty")]
    black_title: &'a str,
    #[serde(rename = "whiteElo", skip_serializing_if = "str::is_empty")]
    white_elo: &'a str,
    #[serde(rename = "blackElo", skip_serializing_if = "str::is_empty")]
    black_elo: &'a str,
    /// Teams, or federations.
    #[serde(rename = "whiteFrom", skip_serializing_if = "str::is_empty")]
    white_from: &'a str,
    #[serde(rename = "blackFrom", skip_serializing_if = "str::is_empty")]
    black_from: &'a str,
    /// They are teams.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    teams: bool,
    #[serde(skip_serializing_if = "str::is_empty")]
    round: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    table: &'a str,
    /// The address of the board where it has no table.
    #[serde(skip_serializing_if = "str::is_empty")]
    board: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    date: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    event: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    eco: &'a str,
    rules: Rules,
    plies: usize,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    over: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<&'static str>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    doubt: bool,
    /// The number of parts that are uncertain, for an arbiter too.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    slight: bool,
    /// An engine's evaluation of the last position.
    #[serde(skip_serializing_if = "Option::is_none")]
    eval: Option<Shown>,
    #[serde(flatten)]
    now: Option<Now>,
}

/// The state of a game: the last move and the position after it.
#[derive(Debug, Serialize)]
struct Now {
    fen: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    uci: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    path: Vec<String>,
    #[serde(skip_serializing_if = "String::is_empty")]
    san: String,
}

impl<'a> Head<'a> {
    /// The head of a game; with its state only where that is wanted.
    pub fn new(game: &'a Game<Ply>, id: &'a str, hide_results: bool, with_position: bool) -> Head<'a> {
        let tag = |name: &str| known(game, name).unwrap_or_default();
        let [doubts, slight] = data::doubts(game);
        let (table, board) = data::place(game);
        Head {
            id,
            white: tag("White"),
            black: tag("Black"),
            white_title: tag("WhiteTitle"),
            black_title: tag("BlackTitle"),
            white_elo: tag("WhiteElo"),
            black_elo: tag("BlackElo"),
            white_from: known(game, "WhiteTeam").unwrap_or_else(|| tag("WhiteFederation")),
            black_from: known(game, "BlackTeam").unwrap_or_else(|| tag("BlackFederation")),
            round: tag("Round"),
            table,
            board,
            teams: ["WhiteTeam", "BlackTeam"].iter().all(|team| known(game, team).is_some()),
            date: game.start.tags.get("Date").filter(|date| !date.starts_with('?')).unwrap_or_default(),
            event: tag("Event"),
            eco: known(game, "ECO").or_else(|| eco(game)).unwrap_or_default(),
            rules: game.start.rules,
            plies: game.moves.len(),
            over: game.is_closed(),
            result: game.end.as_ref().filter(|_| !hide_results).map(|_| data::result(game, false)),
            doubt: doubts > 0,
            slight: slight > 0,
            eval: last_shown(game),
            now: with_position.then(|| now(game)),
        }
    }
}

/// The code of the game's opening.
fn eco(game: &Game<Ply>) -> Option<&'static str> {
    game.opening_tags().into_iter().find_map(|(name, code)| (name == "ECO").then_some(code))
}

/// An engine's evaluation of the present position.
fn last_shown(game: &Game<Ply>) -> Option<Shown> {
    game.evaluations.get(&(game.moves.len() as u32)).map(|evaluation| shown(evaluation.score))
}

fn now(game: &Game<Ply>) -> Now {
    let Some(last) = game.moves.last().map(Ply::to_move) else {
        return Now { fen: game.start.fen.clone(), uci: None, path: Vec::new(), san: String::new() };
    };
    let half = game.first_half_move() + game.moves.len() as u64 - 1;
    let dots = if half.is_multiple_of(2) { "." } else { "..." };
    let Move { san, notation, uci, path, fen, .. } = last;
    let san = san.or(notation).map(|san| format!("{}{dots} {san}", half / 2 + 1));
    // After a ply without a record the last position with one is the best there is.
    let known = || game.moves.iter().rev().map(|ply| ply.to_move().fen).find(|fen| !fen.is_empty());
    let fen = Some(fen).filter(|fen| !fen.is_empty()).or_else(known);
    Now { fen: fen.unwrap_or_else(|| game.start.fen.clone()), uci, path, san: san.unwrap_or_default() }
}

/// A game in the polled data, as a list: its id, version, last ply, White's and Black's clock in seconds, the side
/// whose clock runs, the result, since when that clock runs, and the time of the last record of its line where other
/// lines have later ones.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    line: Option<Arc<str>>,
    id: String,
    version: u64,
    plies: usize,
    white: Option<Seconds>,
    black: Option<Seconds>,
    runs: &'static str,
    result: &'static str,
    /// Milliseconds since 1970.
    at: Option<i64>,
    /// An engine's evaluation of the last position, and the number of evaluations.
    eval: Option<Shown>,
    judged: u64,
}

impl Row {
    /// The row of a game.
    pub fn new(game: &Game<Ply>, id: &str, hide_results: bool) -> Row {
        let clock = data::clock(game).unwrap_or_default();
        Row {
            line: game.key.0.clone(),
            id: id.to_owned(),
            version: data::version(game),
            plies: game.moves.len(),
            white: clock.white,
            black: clock.black,
            runs: clock.running.map_or("", |side| &side[..1]),
            result: if game.is_closed() { data::result(game, hide_results) } else { "" },
            at: clock.at,
            eval: last_shown(game),
            judged: game.evaluated,
        }
    }
}

/// The time of the last record of each line.
pub type News = BTreeMap<Option<Arc<str>>, Time>;

/// The polled data besides the rows of the games.
#[derive(Debug, Clone, Copy, Default, Serialize)]
pub struct Live {
    /// A different number means that something has changed.
    pub version: u64,
    /// The time of the last record, milliseconds since 1970.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub updated: Option<i64>,
    /// The interval of polls, in seconds; 0 for none.
    pub refresh: Seconds,
    /// The delay of all records, in whole seconds.
    pub delay: u64,
    /// The time from which the times of clocks in the rows count, in seconds since 1970: small numbers compress better.
    pub epoch: i64,
    /// A different number means that earlier games on boards have changed.
    pub past: u64,
    /// A different number means that the standings have changed; 0 where there are none.
    #[serde(skip_serializing_if = "is_zero")]
    pub standings: u64,
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}

impl Live {
    /// The number for earlier games with these rows.
    pub fn past<'r>(rows: impl Iterator<Item = &'r Row>) -> u64 {
        rows.map(|row| row.version).sum()
    }

    /// The polled data with the rows of the last game of each board; after them the evaluations of their positions with
    /// their numbers, row by row, where there are any.
    pub fn json<'r>(&self, rows: impl Iterator<Item = &'r Row> + Clone, news: &News) -> Vec<u8> {
        let mut text = self.with_rows(super::json(self), rows.clone(), Some(news));
        if rows.clone().any(|row| row.judged > 0) {
            text.pop();
            list(
                &mut text,
                "evals",
                rows.map(|row| super::json(&(&row.eval, row.judged)))
                    .collect::<Vec<_>>()
                    .iter()
                    .map(|of| &of[..]),
            );
            text.push(b'}');
        }
        text
    }

    /// The rows of earlier games, which pages fetch only when they have changed.
    pub fn past_json<'r>(&self, rows: impl Iterator<Item = &'r Row>) -> Vec<u8> {
        self.with_rows(format!("{{\"version\":{}}}", self.past).into_bytes(), rows, None)
    }

    // Without new records no clock runs.
    fn with_rows<'r>(
        &self,
        mut text: Vec<u8>,
        rows: impl Iterator<Item = &'r Row>,
        news: Option<&News>,
    ) -> Vec<u8> {
        text.pop();
        let rows: Vec<Vec<u8>> = rows.map(|row| self.row(row, news)).collect();
        list(&mut text, "games", rows.iter().map(|row| &row[..]));
        text.push(b'}');
        text
    }

    fn row(&self, row: &Row, news: Option<&News>) -> Vec<u8> {
        let Row { line, id, version, plies, white, black, runs, result, at, .. } = row;
        let since = |ms: i64| ms.div_euclid(1000) - self.epoch;
        let (Some(at), Some(news)) = (at.filter(|_| !runs.is_empty()), news) else {
            return super::json(&(id, version, plies, white, black, "", result));
        };
        let at = since(at);
        match news.get(line).filter(|Time(ms)| Some(*ms) < self.updated) {
            Some(Time(ms)) => super::json(&(id, version, plies, white, black, runs, result, at, since(*ms))),
            None => super::json(&(id, version, plies, white, black, runs, result, at)),
        }
    }
}

/// The heading over all games.
#[derive(Debug, Clone, Default)]
pub struct Summary {
    /// Event and round, as long as they are the same for all games so far.
    common: Option<[Option<String>; 2]>,
}

impl Summary {
    /// Adds a game.
    pub fn add(&mut self, game: &Game<Ply>) {
        let its = ["Event", "Round"].map(|name| known(game, name).map(str::to_owned));
        match &mut self.common {
            None => self.common = Some(its),
            Some(common) => {
                for (common, its) in common.iter_mut().zip(its) {
                    *common = common.take().filter(|common| its.as_ref() == Some(common));
                }
            }
        }
    }

    /// Event and round, each empty where games differ in it.
    pub fn event_and_round(&self) -> [String; 2] {
        self.common.clone().unwrap_or_default().map(Option::unwrap_or_default)
    }

    /// Event and round, where all games have the same.
    pub fn title(&self, look: &Look) -> String {
        match &self.common {
            Some([Some(event), Some(round)]) => look.text("$, round $", &[event, round]),
            Some([Some(event), None]) => event.clone(),
            Some([None, Some(round)]) => look.text("Round $", &[round]),
            _ => look.text("Games", &[]),
        }
    }

    /// The data of the overview: the title, the polled data (of a site; their names), and heads, all of which are JSON
    /// already.
    pub fn json<'h>(
        &self,
        look: &Look,
        asked: &[(&str, &[u8])],
        heads: impl Iterator<Item = &'h [u8]>,
    ) -> Vec<u8> {
        let mut text = b"{\"title\":".to_vec();
        text.extend(super::json(&self.title(look)));
        for (name, json) in asked {
            text.extend_from_slice(format!(",\"{name}\":").as_bytes());
            text.extend_from_slice(json);
        }
        list(&mut text, "heads", heads);
        text.push(b'}');
        text
    }
}

fn list<'a>(text: &mut Vec<u8>, name: &str, items: impl Iterator<Item = &'a [u8]>) {
    text.extend_from_slice(format!(",\"{name}\":[").as_bytes());
    for (at, item) in items.enumerate() {
        if at > 0 {
            text.push(b',');
        }
        text.extend_from_slice(item);
    }
    text.push(b']');
}

/// The title of a game's page: its table, the players or else the board, the result.
pub fn title(game: &Game<Ply>, hide_results: bool, look: &Look) -> String {
    let (table, board) = data::place(game);
    let players = match ["White", "Black"].map(|name| known(game, name)) {
        [None, None] if !table.is_empty() => String::new(),
        [None, None] if !board.is_empty() => look.text("Board $", &[board]),
        [white, black] => {
            let unknown = |name: Option<&str>, side| name.map_or_else(|| look.text(side, &[]), str::to_owned);
            format!("{} \u{2013} {}", unknown(white, "White"), unknown(black, "Black"))
        }
    };
    let table = if table.is_empty() { String::new() } else { look.text("Table $", &[table]) };
    let parts: Vec<String> = [table, players].into_iter().filter(|part| !part.is_empty()).collect();
    let result = match data::result(game, hide_results) {
        "*" => String::new(),
        result => format!(", {}", result.replace("1/2", "½").replace('-', "\u{2013}")),
    };
    parts.join(": ") + &result
}
