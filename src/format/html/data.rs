//! The data of a game in its page.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{
    Ply, json, nags,
    ply::Doubt,
    thought::{Thought, thoughts},
};
use crate::{
    format::{game::Game, pgn::tag_pairs, words},
    record::{Anomaly, EndReason, Outcome, Ruled, Rules, Ruling, Seconds, Time},
};

/// How a game is shown.
#[derive(Debug, Clone, Copy, Default)]
pub struct View<'a> {
    /// The name of its files.
    pub id: &'a str,
    /// Leave out the result.
    pub hide_results: bool,
    /// The game's part of the overview, as JSON; empty where it is not wanted.
    pub head: &'a [u8],
    /// The text for download: the format, `pgn` or `pdn`, and this game's text.
    pub text: Option<(&'a str, &'a str)>,
    /// There is no file of all games beside its page.
    pub is_alone: bool,
}

#[derive(Serialize)]
struct Data<'a> {
    id: &'a str,
    version: u64,
    rules: Rules,
    fen: &'a str,
    /// Half-moves from White's first move to its first ply.
    half: u64,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    rotated: bool,
    tags: Vec<(&'a str, &'a str)>,
    #[serde(skip_serializing_if = "Option::is_none")]
    comment: &'a Option<String>,
    anomalies: Vec<Remark>,
    /// The number of its uncertain parts, and the number of moves that are uncertain for an arbiter only.
    #[serde(skip_serializing_if = "is_none")]
    doubts: usize,
    #[serde(skip_serializing_if = "is_none")]
    slight: usize,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    nags: BTreeMap<u8, (String, String)>,
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<EndReason>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    over: bool,
    /// It is a pairing without a game.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pairing: bool,
    /// Its state: the result or words, and the reason.
    ending: Vec<&'static str>,
    /// The table, or the board's address where it has none.
    #[serde(skip_serializing_if = "str::is_empty")]
    table: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    board: &'a str,
    /// The evaluations of the positions after plies, the engine's name, and the number of evaluations.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    evals: BTreeMap<u32, Thought>,
    #[serde(skip_serializing_if = "Option::is_none")]
    engine: Option<&'a str>,
    judged: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    clock: Option<Clock>,
    #[serde(skip_serializing_if = "Option::is_none")]
    updated: Option<i64>,
    /// The file with all games, if there is one, and the file name for this game's text.
    #[serde(skip_serializing_if = "Option::is_none")]
    download: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pgn: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pdn: Option<&'a str>,
}

fn is_none(count: &usize) -> bool {
    *count == 0
}

/// An anomaly or ruling at a ply of the game.
#[derive(Serialize)]
struct Remark {
    /// The ply before it.
    ply: u32,
    kind: &'static str,
    /// Letters of the pages' pieces: a man of draughts is no pawn.
    #[serde(skip_serializing_if = "Option::is_none")]
    placement: Option<String>,
    #[serde(skip_serializing_if = "String::is_empty")]
    detail: String,
}

/// What the clocks showed last, in seconds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct Clock {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub white: Option<Seconds>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub black: Option<Seconds>,
    /// The side whose clock runs, in play.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub running: Option<&'static str>,
    /// When that clock was last read, from which its time counts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<i64>,
}

/// The number of records of a game, without evaluations: a different number means a changed game.
pub fn version(game: &Game<Ply>) -> u64 {
    // The record that begins it counts too.
    game.revision + 1 - game.evaluated
}

/// The table of a game, else the address of its board; for a game of a file the value of its tag.
pub(super) fn place(game: &Game<Ply>) -> (&str, &str) {
    let board = known(game, "Board").unwrap_or_default();
    if game.has_table { (board, "") } else { ("", board) }
}

/// A tag's value, unless it is the one for unknown values.
pub(super) fn known<'a>(game: &'a Game<Ply>, name: &str) -> Option<&'a str> {
    game.start.tags.get(name).filter(|value| *value != "?")
}

/// The result in the form of a game's tags.
pub(super) fn result(game: &Game<Ply>, hide: bool) -> &'static str {
    let outcome = game.end.as_ref().and_then(|end| end.result).filter(|_| !hide);
    outcome.map_or("*", Outcome::text)
}

/// The clocks of a game; none when it never had any.
pub(super) fn clock(game: &Game<Ply>) -> Option<Clock> {
    let black_begins = game.black_begins();
    let last = |white: bool| {
        let own = usize::from(white == black_begins);
        game.moves.iter().skip(own).step_by(2).rev().find_map(|ply| ply.seconds)
    };
    let (white, black) = (last(true), last(false));
    if white.is_none() && black.is_none() {
        return None;
    }
    // For a game of a file no clock runs; nor after an end of the input.
    let in_play = game.end.is_none() && game.time.is_some();
    let white_moves = game.moves.len().is_multiple_of(2) != black_begins;
    let began = game.moves.last().and_then(Ply::time).or(game.time).filter(|_| in_play);
    let running = if white_moves { "white" } else { "black" };
    Some(Clock { white, black, running: in_play.then_some(running), at: began.map(|Time(ms)| ms) })
}

/// The number of uncertain moves and other uncertain parts of a game, and of further moves that are uncertain for an
/// arbiter.
pub(super) fn doubts(game: &Game<Ply>) -> [usize; 2] {
    let of = |doubt| game.moves.iter().filter(|ply| ply.doubt == doubt).count();
    [game.anomalies.len() + of(Doubt::Plain), of(Doubt::Slight)]
}

/// Anomalies and rulings, without their places in a file.
fn remarks(game: &Game<Ply>, hide_results: bool) -> Vec<Remark> {
    let of_anomaly = |anomaly: &Anomaly| {
        let placement = anomaly.placement.as_ref().map(|placement| {
            let text = placement.to_string();
            if game.start.rules == Rules::Russian { text.replace('P', "M").replace('p', "m") } else { text }
        });
        Remark { ply: anomaly.ply, kind: anomaly.kind.name(), placement, detail: anomaly.detail.clone() }
    };
    let of_ruling = |ruling: &Ruling| {
        let Ruling { ply, ruled, note } = ruling;
        let result = match ruled {
            Ruled::Result { .. } if hide_results => return None,
            Ruled::Result { .. } => Some(ruling.words()),
            _ => None,
        };
        let detail = result.into_iter().chain(note.clone()).collect::<Vec<_>>().join(", ");
        // A ruling on the whole game is at its end.
        Some(Remark { ply: ply.unwrap_or(u32::MAX), kind: "ruling", placement: None, detail })
    };
    game.anomalies.iter().map(of_anomaly).chain(game.rulings.iter().filter_map(of_ruling)).collect()
}

/// The state of a game that is not over, in words.
fn waiting(game: &Game<Ply>) -> &'static str {
    if game.is_pairing { "Not begun" } else { "In play" }
}

/// The state of a game, in words.
fn ending(game: &Game<Ply>, hide_results: bool) -> Vec<&'static str> {
    let Some(end) = game.end.as_ref().filter(|_| !hide_results) else {
        return vec![if game.is_closed() { "The game is over" } else { waiting(game) }];
    };
    let result = end.result.map_or("No result", Outcome::text);
    let is_ruled = game.rulings.iter().any(|ruling| matches!(ruling.ruled, Ruled::Result { .. }));
    let how = match end.reason {
        _ if end.forfeit => "forfeit",
        EndReason::Tag | EndReason::InputEnd => return vec![result],
        _ if is_ruled => "ruled",
        reason => words::of_end(reason).unwrap_or("new game"),
    };
    vec![result, how]
}

/// A game as inert JSON, complete in itself.
pub fn game_data(game: &Game<Ply>, view: View<'_>) -> Vec<u8> {
    let hide = view.hide_results;
    let mut tags = tag_pairs(game, result(game, hide));
    if hide {
        tags.retain(|(name, _)| *name != "Termination");
    }
    let openings = game.opening_tags();
    tags.retain(|(name, _)| !openings.iter().any(|(other, _)| other == name));
    tags.extend(openings);
    let end = game.end.as_ref().filter(|_| !hide);
    let text_in = |format| view.text.filter(|(is, _)| *is == format).map(|(_, text)| text);
    let [doubts, slight] = doubts(game);
    let (table, board) = place(game);
    let data = Data {
        id: view.id,
        version: version(game),
        rules: game.start.rules,
        fen: &game.start.fen,
        half: game.first_half_move(),
        rotated: game.start.rotated,
        tags,
        comment: &game.start.comment,
        anomalies: remarks(game, hide),
        doubts,
        slight,
        nags: nags::in_use(&game.moves),
        result: end.map(|_| result(game, false)),
        reason: end.map(|end| end.reason),
        over: game.is_closed(),
        pairing: game.is_pairing,
        ending: ending(game, hide),
        table,
        board,
        evals: thoughts(game),
        engine: game.evaluations.values().rev().find_map(|of| of.engine.as_deref()),
        judged: game.evaluated,
        clock: clock(game),
        updated: game.last.map(|Time(ms)| ms),
        download: view.text.map(|(format, _)| {
            let all = (!view.is_alone).then(|| format!("games.{format}"));
            all.into_iter().chain([format!("{}.{format}", view.id)]).collect()
        }),
        pgn: text_in("pgn"),
        pdn: text_in("pdn"),
    };
    let mut text = json(&data);
    text.pop();
    if !view.head.is_empty() {
        text.extend_from_slice(b",\"head\":");
        text.extend_from_slice(view.head);
    }
    text.extend_from_slice(b",\"moves\":[");
    for (at, ply) in game.moves.iter().enumerate() {
        if at > 0 {
            text.push(b',');
        }
        ply.write(&mut text, at + 1);
    }
    text.extend_from_slice(b"]}");
    text
}
