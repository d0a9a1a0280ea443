//! Tournaments, rounds and games as LiveChess has them over HTTP, from the roster or the pairings and the current
//! games.

use std::{collections::BTreeMap, iter};

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::{
    hall::Hall,
    json::{compact, indented},
    routes::View,
};
use crate::{
    format::{
        game::{Game, Key},
        livechess::{self, places},
        pgn::Dress,
    },
    record::{GameEvent, GameRecord, Rules, Seconds, Tags},
};

/// The games of a board.
#[derive(Debug, Default)]
struct Played {
    /// The number of games that have begun.
    begun: usize,
    /// The one in play, or played last.
    game: Option<Game>,
    /// A game that has begun without a move.
    next: Option<Game>,
}

/// The games of a round.
#[derive(Debug, Default)]
pub struct Rest {
    dress: Dress,
    /// The number of the round.
    round: usize,
    boards: BTreeMap<Key, Played>,
}

impl Rest {
    /// No game yet in the round of this number, from 1.
    pub fn new(round: usize) -> Rest {
        Rest { round: round.max(1), ..Rest::default() }
    }

    /// Sets the players and their tables.
    pub fn dress(&mut self, dress: Dress) {
        self.dress = dress;
        for played in self.boards.values_mut() {
            let begun = played.begun;
            let back = usize::from(played.next.is_some());
            played.game.iter_mut().for_each(|game| self.dress.put_on(game, begun.saturating_sub(1 + back)));
            played.next.iter_mut().for_each(|game| self.dress.put_on(game, begun.saturating_sub(1)));
        }
    }

    /// Adds a game record.
    pub fn game(&mut self, record: GameRecord) {
        let played = self.boards.entry((record.line.clone(), record.board)).or_default();
        if let GameEvent::Game(start) = &record.event {
            let mut game = Game::new(&record, start.clone());
            let is_same =
                |known: &Option<Game>| known.as_ref().is_some_and(|known| known.number == game.number);
            if is_same(&played.game) {
                played.game = None;
            } else if !is_same(&played.next) {
                played.begun += 1;
            }
            self.dress.put_on(&mut game, played.begun.saturating_sub(1));
            played.next = Some(game);
            return;
        }
        if played.next.as_ref().is_some_and(|next| next.number == record.game)
            && matches!(record.event, GameEvent::Move(_))
        {
            played.game = played.next.take();
        }
        let games = played.game.iter_mut().chain(played.next.iter_mut());
        let Some(game) = games.into_iter().find(|game| game.number == record.game) else { return };
        let mut event = record.event;
        if let GameEvent::Move(mv) = &mut event
            && mv.seconds.is_none()
            && mv.elapsed.is_none()
        {
            // The format has a time for each move: without a clock it is that of the records.
            let used = game.last.zip(record.time).map(|(last, time)| last.seconds_until(time).max(0.0));
            mv.elapsed = used.map(Seconds);
        }
        if game.apply(event, record.time).is_ok() {
            game.last = record.time.or(game.last);
        }
    }

    /// The game in play on a board, or the last one.
    pub fn game_of(&self, key: &Key) -> Option<&Game> {
        let played = self.boards.get(key)?;
        played.game.as_ref().or(played.next.as_ref())
    }

    /// The games of the round, and the tables without a move yet, each at its place.
    fn with_places<T>(&self, with: impl FnOnce(&[Option<&Game>]) -> T) -> T {
        let games =
            self.boards.keys().filter_map(|key| self.game_of(key)).filter(|game| game.start.rules.has_pgn());
        let mut games: Vec<&Game> = games.collect();
        let pairings: Vec<Game> = self.dress.pairings(Rules::Chess);
        let is_awaited = |pairing: &&Game| {
            !games.iter().any(|game| game.key == pairing.key || (None, game.key.1) == pairing.key)
        };
        let awaited: Vec<&Game> = pairings.iter().filter(is_awaited).collect();
        games.extend(awaited);
        games.sort_by_key(|game| game.key.clone());
        with(&places(games.into_iter()))
    }

    /// The answer for a path below LiveChess's interface; none where there is no such path.
    pub fn answer(&self, hall: &Hall, view: &View, what: &str) -> Option<Vec<u8>> {
        let parts: Vec<&str> = what.split('/').collect();
        let value = match parts[..] {
            ["eboards"] => {
                let boards: Vec<_> = view.boards(hall).map(|(_, board)| board.as_eboard()).collect();
                return Some(indented(&boards));
            }
            ["tournaments"] => self.with_places(|places| json!([self.tournament(places)])),
            ["tournament", id] => self.with_places(|places| self.whole_tournament(hall, places, id))?,
            ["round", id, round] => {
                let round = round.parse().ok()?;
                self.with_places(|places| self.pairings(places, id, round))?
            }
            ["game", id] => self.with_places(|places| self.moves(places, id))?,
            _ => return None,
        };
        Some(indented(&value))
    }

    /// The id of the tournament, which follows from its name so that it is the same after a restart.
    fn id(&self, places: &[Option<&Game>]) -> String {
        uuid(&[tag(places, "Event").as_deref().unwrap_or_default()])
    }

    fn id_of_table(&self, places: &[Option<&Game>], table: usize) -> String {
        uuid(&[&self.id(places), &self.round.to_string(), &table.to_string()])
    }

    fn tournament(&self, places: &[Option<&Game>]) -> Value {
        let name = tag(places, "Event").unwrap_or_else(|| "boardbus".into());
        json!({"uuid": self.id(places), "description": name, "rounds": self.round})
    }

    fn whole_tournament(&self, hall: &Hall, places: &[Option<&Game>], id: &str) -> Option<Value> {
        let serial = |game: &Option<&Game>| {
            let Some(game) = game else { return String::new() };
            let board = hall.place(&game.key).map(|at| hall.boards[at].serial.clone());
            board.unwrap_or_else(|| livechess::serial(Some(game)))
        };
        (id == self.id(places)).then(|| {
            json!({
                "uuid": id,
                "name": tag(places, "Event").unwrap_or_else(|| "boardbus".into()),
                "description": tag(places, "Event").unwrap_or_else(|| "boardbus".into()),
                "location": tag(places, "Site"),
                "country": null,
                "rounds": self.round,
                "eboards": places.iter().map(serial).collect::<Vec<_>>(),
            })
        })
    }

    fn pairings(&self, places: &[Option<&Game>], id: &str, round: usize) -> Option<Value> {
        if id != self.id(places) || round >= self.round {
            return None;
        }
        let number = round + 1;
        if number != self.round {
            return Some(json!({"nr": number, "date": null, "pairings": []}));
        }
        let mut index = livechess::index(places);
        let pairings = index["pairings"].take();
        let pairings = pairings.as_array().into_iter().flatten().zip(places).zip(1..);
        let pairings = pairings.map(|((pairing, game), table)| {
            json!({
                "nr": table,
                "uuid": self.id_of_table(places, table),
                "white": pairing["white"],
                "black": pairing["black"],
                "live": pairing["live"],
                "result": livechess::game(*game)["result"],
            })
        });
        Some(json!({"nr": number, "date": index["date"], "pairings": pairings.collect::<Vec<_>>()}))
    }

    fn moves(&self, places: &[Option<&Game>], id: &str) -> Option<Value> {
        let table = (1..=places.len()).find(|&table| self.id_of_table(places, table) == id)?;
        let game = livechess::game(places[table - 1]);
        let field = |name: &str| (name.to_owned(), game[name].clone());
        let fields = ["chess960", "result", "comment", "clock", "moves"].map(field);
        Some(Value::Object(fields.into_iter().collect()))
    }

    /// The players on a board, as far as they are given.
    pub fn players(&self, key: &Key) -> String {
        let pairings = || -> Vec<Game> { self.dress.pairings(Rules::Chess) };
        let of = |tags: &Tags| {
            let name = |colour: &str| tags.get(colour).filter(|name| *name != "?").map(str::to_owned);
            iter::zip([name("White"), name("Black")], ["?", "?"])
                .map(|(name, none)| name.unwrap_or_else(|| none.into()))
                .collect::<Vec<_>>()
        };
        let names = match self.game_of(key) {
            Some(game) => of(&game.start.tags),
            None => {
                let paired = pairings()
                    .into_iter()
                    .find(|pairing| pairing.key == *key || pairing.key == (None, key.1));
                paired.map_or_else(Vec::new, |pairing| of(&pairing.start.tags))
            }
        };
        if names.iter().all(|name| name == "?") { String::new() } else { names.join(" – ") }
    }
}

/// A tag of the first game that has it.
fn tag(places: &[Option<&Game>], name: &str) -> Option<String> {
    let mut known = places.iter().flatten().filter_map(|game| game.start.tags.get(name));
    known.find(|value| *value != "?").map(str::to_owned)
}

/// An id for these words, always the same, in the form of LiveChess's ids.
fn uuid(words: &[&str]) -> String {
    let digest = Sha256::digest(compact(&words));
    let hex: String = digest.iter().take(16).map(|byte| format!("{byte:02x}")).collect();
    // As in RFC 9562 for ids from names: version 8, variant 10.
    format!("{}-{}-8{}-8{}-{}", &hex[..8], &hex[8..12], &hex[13..16], &hex[17..20], &hex[20..32])
}
