//! The JSON files of LiveChess: `tournament.json`, `round-R/index.json`, `round-R/game-N.json`, with the field names that its
//! viewers read. These count the pairings of a round and take game 1 for the first, so a place without a game has its file too.

use serde_json::{Value, json};

use super::{game::Game, pgn::table_and_round};
use crate::record::{CHESS_START, Outcome, Rules, Seconds, Tags};

/// The position of chess among the 960.
const CHESS: u32 = 518;
/// A higher number is not that of a table: as many files would have to be written before it.
const MOST_TABLES: usize = 1000;

/// The games of a round, each at the place of its table, from the first; after the last table those without one, in
/// their order. A place may be empty.
pub fn places<'a>(games: impl Iterator<Item = &'a Game>) -> Vec<Option<&'a Game>> {
    let (mut places, mut others) = (Vec::new(), Vec::new());
    for game in games {
        match table(game) {
            Some(table) => {
                places.resize(places.len().max(table), None);
                places[table - 1] = Some(game);
            }
            None => others.push(Some(game)),
        }
    }
    places.extend(others);
    places
}

fn table(game: &Game) -> Option<usize> {
    let (table, _) = table_and_round(game);
    table.map(|table| table as usize).filter(|table| (1..=MOST_TABLES).contains(table))
}

/// The serial number of the board at a place; empty where there is none.
pub fn serial(game: Option<&Game>) -> String {
    game.and_then(|game| game.key.1).map_or_else(String::new, |board| board.to_string())
}

/// Whether it is in play.
pub fn is_live(game: Option<&Game>) -> bool {
    game.is_some_and(|game| !game.is_closed() && !game.is_pairing)
}

/// `tournament.json`: the tournament as in tags; for each round, from the first, how many games it has and how many of
/// them are in play; and whether a game begins from another position than that of chess.
pub fn tournament(tags: &Tags, rounds: &[(usize, usize)], boards: &[String], is_960: bool) -> Value {
    let rounds: Vec<Value> =
        rounds.iter().map(|(count, live)| json!({"count": count, "live": live})).collect();
    let known = |name: &str| tags.get(name).filter(|value| *value != "?");
    json!({
        "id": known("Event"),
        "name": known("Event"),
        "location": known("Site"),
        "country": null,
        "website": null,
        "rules": "STANDARD",
        "chess960": if is_960 { "ANY" } else { "STANDARD" },
        "timecontrol": known("TimeControl"),
        "rounds": rounds,
        "eboards": boards,
    })
}

/// `index.json`: the pairings of a round.
pub fn index(places: &[Option<&Game>]) -> Value {
    let date = places.iter().flatten().find_map(|game| {
        let date = game.start.tags.get("Date").filter(|date| !date.contains('?'))?;
        Some(date.replace('.', "-"))
    });
    let nobody = Tags::default();
    let pairing = |game: &Option<&Game>| {
        let tags = game.map_or(&nobody, |game| &game.start.tags);
        json!({
            "white": player(tags, "White"),
            "black": player(tags, "Black"),
            "result": game.and_then(outcome).map_or("*", Outcome::text),
            "live": is_live(*game),
        })
    };
    json!({"date": date, "pairings": places.iter().map(pairing).collect::<Vec<_>>()})
}

fn outcome(game: &Game) -> Option<Outcome> {
    game.end.as_ref().and_then(|end| end.result)
}

/// A player of a pairing; PGN has the family name before the comma.
fn player(tags: &Tags, colour: &str) -> Value {
    let known = |what: &str| tags.get(&format!("{colour}{what}")).filter(|value| *value != "?");
    let name = known("").unwrap_or_default();
    let (last, first) = name.split_once(',').unwrap_or((name, ""));
    let text = |text: &str| Some(text.trim().to_owned()).filter(|text| !text.is_empty());
    json!({
        "fname": text(first),
        "mname": null,
        "lname": text(last),
        "title": known("Title"),
        "federation": known("Federation"),
        "gender": null,
        "fideid": known("FideId").and_then(|id| id.parse::<u64>().ok()),
    })
}

/// `game-N.json` of a place without a game.
fn no_game() -> Value {
    json!({
        "live": false,
        "serialNr": "",
        "firstMove": null,
        "chess960": CHESS,
        "result": null,
        "comment": null,
        "clock": null,
        "moves": [],
    })
}

/// `game-N.json`: the moves with their times.
pub fn game(game: Option<&Game>) -> Value {
    let Some(game) = game else { return no_game() };
    let result = outcome(game).and_then(|outcome| match outcome {
        Outcome::WhiteWins => Some("WHITEWIN"),
        Outcome::BlackWins => Some("BLACKWIN"),
        Outcome::Draw => Some("DRAW"),
        // Its readers have no value for these.
        Outcome::BothLose | Outcome::HalfToWhite | Outcome::HalfToBlack => None,
    });
    let moves: Vec<String> = game
        .moves
        .iter()
        .map_while(|m| {
            let san = m.san.as_deref()?;
            let round = |time: Option<Seconds>| time.map(|Seconds(seconds)| seconds.round());
            Some(match (round(m.seconds), round(m.elapsed)) {
                (None, None) => san.to_owned(),
                (Some(clock), None) => format!("{san} {clock}"),
                (None, Some(used)) => format!("{san} +{used}"),
                (Some(clock), Some(used)) => format!("{san} {clock}+{used}"),
            })
        })
        .collect();
    let first_is_black = game.black_begins();
    // The last displays of White's clock, and of Black's (false).
    let clock = |white: bool| {
        let own = usize::from(white == first_is_black);
        game.moves
            .iter()
            .skip(own)
            .step_by(2)
            .filter_map(|m| m.seconds)
            .next_back()
            .map(|s| s.0.round() as i64)
    };
    let runs = (!game.is_closed()).then_some((game.moves.len() % 2 == 1) == first_is_black);
    // Whole seconds of both, and the time at which they were read: otherwise lila, or an older version, drops the
    // game's moves.
    let clock = clock(true).zip(clock(false)).zip(game.last);
    let clock = clock
        .map(|((white, black), time)| json!({"white": white, "black": black, "run": runs, "time": time.0}));
    json!({
        "live": is_live(Some(game)),
        "serialNr": serial(Some(game)),
        "firstMove": game.time.map(|time| time.0),
        "chess960": number_960(game),
        "result": result,
        "comment": null,
        "clock": clock,
        "moves": moves,
    })
}

/// Whether the game begins from one of the 960 positions other than that of chess.
pub fn is_960(game: &Game) -> bool {
    number_960(game).is_some_and(|number| number != CHESS)
}

/// The number of the start position among the 960, 518 for that of chess; none for any other position.
fn number_960(game: &Game) -> Option<u32> {
    if game.start.fen == CHESS_START {
        return Some(CHESS);
    }
    if game.start.rules != Rules::Chess960 {
        return None;
    }
    let row = game.start.fen.split('/').next()?.to_lowercase();
    let at = |piece: char| row.char_indices().filter(move |(_, c)| *c == piece).map(|(at, _)| at as u32);
    let bishops: Vec<u32> = at('b').collect();
    let [light, dark] = match bishops[..] {
        [a, b] if a % 2 == 1 && b % 2 == 0 => [a, b],
        [a, b] if a % 2 == 0 && b % 2 == 1 => [b, a],
        _ => return None,
    };
    // Numbered by Scharnagl: the bishops' squares, then the queen's and the knights' among those left.
    let left: String = row.chars().filter(|c| *c != 'b').collect();
    let queen = left.find('q')? as u32;
    let rest: String = left.chars().filter(|c| *c != 'q').collect();
    let knights: Vec<u32> = rest.char_indices().filter(|(_, c)| *c == 'n').map(|(at, _)| at as u32).collect();
    let pairs = [[0, 1], [0, 2], [0, 3], [0, 4], [1, 2], [1, 3], [1, 4], [2, 3], [2, 4], [3, 4]];
    let pair = pairs.iter().position(|pair| pair[..] == knights[..])? as u32;
    (row.len() == 8).then_some(light / 2 + 4 * (dark / 2) + 16 * queen + 96 * pair)
}
