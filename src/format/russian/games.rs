//! Collects a stream of game records into the games in their present state.
//!
//! Every move is played when it is read, and an impossible one is refused with the place of its record; PGN keeps moves
//! as the records have them (`format::pgn`), since illegal ones are written too. So each has a fold of its own.

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};

use super::resolve;
use crate::{
    draughts::{Move, Position},
    format::game,
    record::{self, Anomaly, End, GameEvent, GameRecord, GameStart, Ruled, Rules, Time},
};

/// The games of a stream that may still change.
#[derive(Debug, Default)]
pub struct Games {
    boards: HashMap<game::Key, Board>,
    /// How many games have begun.
    begun: u64,
}

/// The games of a board, or of the readers of files, which have no board.
#[derive(Debug, Default)]
struct Board {
    /// The open games, in the order in which they began. A game is final when the next one has a move; a game of a file
    /// when the next one begins.
    open: Vec<Open>,
    /// The number of the last final game.
    last_final: u32,
    /// Games without a beginning, which were reported.
    unknown: HashSet<u32>,
}

#[derive(Debug)]
struct Open {
    number: u32,
    /// Its number among all games.
    nth: u64,
    /// None for a game that was refused: its further records are skipped.
    game: Option<Game>,
    /// An arbiter ruled it void.
    is_void: bool,
}

/// A game in its present state.
#[derive(Debug, Clone)]
pub struct Game {
    /// The name of the line its board is on.
    pub line: Option<Arc<str>>,
    /// Its board.
    pub board: Option<u16>,
    /// Its number.
    pub number: u32,
    /// When it began.
    pub time: Option<Time>,
    /// How it began.
    pub start: GameStart,
    /// The position it began from.
    pub position: Position,
    /// The remaining plies.
    pub plies: Vec<Ply>,
    /// Anomalies for an arbiter to check.
    pub anomalies: Vec<Anomaly>,
    /// How it ended.
    pub end: Option<End>,
    /// The number of plies that a writer has passed on; it falls when one of these is withdrawn or replaced.
    pub written: usize,
    /// A ply was refused; the later ones are skipped.
    broken: bool,
}

/// A ply of a game.
#[derive(Debug, Clone)]
pub struct Ply {
    /// The position before it.
    pub before: Position,
    /// The move.
    pub m: Move,
    /// Its complete record.
    pub record: record::Move,
}

/// The effect of a record.
#[derive(Debug)]
pub struct Applied<'a> {
    /// Games that no later record will belong to.
    pub closed: Vec<Game>,
    /// The game of the record; or what is wrong with the record, which was skipped.
    pub game: Result<Option<&'a mut Game>, String>,
}

impl Games {
    /// Applies a record.
    pub fn apply(&mut self, record: GameRecord) -> Applied<'_> {
        let GameRecord { time, line, board: address, game: number, event, seq: _ } = record;
        let key = (line, address);
        let name = name(&key, number);
        let board = self.boards.entry(key.clone()).or_default();
        let mut closed = Vec::new();
        let at = board.open.iter().rposition(|open| open.number == number);
        let game = match (event, at) {
            (GameEvent::Game(start), _) => {
                // A stream that numbers its games again has others with the same numbers.
                let again = at.is_some_and(|at| !board.open[at].began(time));
                if again || address.is_none() && time.is_none() {
                    closed.extend(board.open.drain(..).filter_map(Open::over));
                    board.last_final = 0;
                } else if let Some(at) = at {
                    board.open.remove(at);
                }
                board.unknown.clear();
                self.begun += 1;
                board.open.push(Open { number, nth: self.begun, game: None, is_void: false });
                let begun = Game::begin(key, number, time, start);
                let open = board.open.last_mut();
                begun
                    .map(|game| open.map(|open| open.game.insert(game)))
                    .map_err(|e| format!("{name}: {e}; it is left out"))
            }
            (GameEvent::Ruling(ruling), Some(at)) if ruling.ply.is_none() => {
                board.open[at].is_void = ruling.ruled == Ruled::Void;
                Ok(None)
            }
            (GameEvent::Ruling(_), _) => Ok(None),
            (event, Some(at)) => {
                let begins = matches!(event, GameEvent::Move(_));
                for before in board.open.drain(..if begins { at } else { 0 }) {
                    board.last_final = board.last_final.max(before.number);
                    closed.extend(before.over());
                }
                let open = board.open.iter_mut().find(|open| open.number == number);
                let game = open.filter(|open| !open.is_void).and_then(|open| open.game.as_mut());
                game.map(|game| game.take(event).map(|()| game))
                    .transpose()
                    .map_err(|e| format!("{name}: {e}"))
            }
            // Its result is not written here.
            (GameEvent::End(_) | GameEvent::Anomaly(_), None) if number <= board.last_final => Ok(None),
            _ if board.unknown.insert(number) => {
                Err(format!("{name}: its beginning is missing; it is left out"))
            }
            _ => Ok(None),
        };
        Applied { closed, game }
    }

    /// The input has ended: the remaining games, in the order in which they began.
    pub fn rest(self) -> impl Iterator<Item = Game> {
        let mut open: Vec<Open> = self.boards.into_values().flat_map(|board| board.open).collect();
        open.sort_by_key(|open| open.nth);
        open.into_iter().filter_map(Open::over)
    }
}

impl Open {
    /// Whether it is a game that began at this time.
    fn began(&self, time: Option<Time>) -> bool {
        self.game.as_ref().is_none_or(|game| game.time == time)
    }

    /// The game, now that it is final: none for a void one.
    fn over(self) -> Option<Game> {
        self.game.filter(|game| !self.is_void && !game.is_taken_back())
    }
}

fn name((_, board): &game::Key, number: u32) -> String {
    match board {
        Some(board) => format!("board {board}, game {number}"),
        None => format!("game {number}"),
    }
}

impl Game {
    fn begin(
        (line, board): game::Key,
        number: u32,
        time: Option<Time>,
        start: GameStart,
    ) -> Result<Game, String> {
        if start.rules != Rules::Russian {
            return Err("it is a game of chess, not of Russian draughts".into());
        }
        let position = start.fen.parse().map_err(|e| format!("`{}`: {e}", start.fen))?;
        Ok(Game {
            line,
            board,
            number,
            time,
            start,
            position,
            plies: Vec::new(),
            anomalies: Vec::new(),
            end: None,
            written: 0,
            broken: false,
        })
    }

    /// Plays a game from its records: plies from the first impossible one on are left out, and the reason is returned.
    /// An error gives the reason why it cannot begin.
    pub fn played(recorded: &game::Game) -> Result<(Game, Option<String>), String> {
        let mut game =
            Game::begin(recorded.key.clone(), recorded.number, recorded.time, recorded.start.clone())?;
        let refused = recorded.moves.iter().enumerate().find_map(|(n, m)| match m.ply {
            Some(_) => game.apply(m.clone()).err(),
            None => Some(format!("ply {} is missing; what follows is left out", n + 1)),
        });
        game.anomalies = recorded.anomalies.clone();
        game.end = recorded.end.clone();
        Ok((game, refused))
    }

    /// Applies an event.
    fn take(&mut self, event: GameEvent) -> Result<(), String> {
        match event {
            GameEvent::Move(record) => {
                // Play that continues takes an end back.
                self.end.take_if(|_| record.ply.is_some_and(|ply| ply as usize > self.plies.len()));
                self.apply(*record)?;
            }
            GameEvent::Takeback(back) => {
                let plies = back.ply as usize;
                self.end.take_if(|_| plies < self.plies.len());
                self.truncate(plies);
            }
            GameEvent::End(end) => self.end = Some(end),
            GameEvent::Anomaly(anomaly) => self.anomalies.push(anomaly),
            GameEvent::Game(_) | GameEvent::Ruling(_) | GameEvent::Evaluation(_) => {}
        }
        Ok(())
    }

    /// Whether all of it was withdrawn when the next game began.
    fn is_taken_back(&self) -> bool {
        self.plies.is_empty() && self.anomalies.is_empty() && self.end == Some(End::BY_THE_NEXT)
    }

    /// The present position.
    pub fn now(&self) -> Position {
        self.plies.last().map_or(self.position, |ply| ply.before.play(&ply.m))
    }

    /// Removes all but the first `plies` plies.
    fn truncate(&mut self, plies: usize) {
        self.plies.truncate(plies);
        self.written = self.written.min(plies);
        self.broken = false;
    }

    fn apply(&mut self, record: record::Move) -> Result<(), String> {
        let ply = record.ply.unwrap_or(0) as usize;
        let next = self.plies.len() + 1;
        if ply > next || ply == 0 {
            if self.broken {
                return Ok(());
            }
            self.broken = true;
            return Err(format!("ply {ply} follows on ply {}; it and what follows is left out", next - 1));
        }
        let before = self.plies.get(ply - 1).map_or_else(|| self.now(), |ply| ply.before);
        let found = resolve(&before, &record).map_err(|e| {
            let first = !std::mem::replace(&mut self.broken, true);
            let rest = if first { "; it and what follows is left out" } else { "" };
            format!("ply {ply}: {e}{rest}")
        })?;
        if let Some(same) = self.plies.get_mut(ply - 1).filter(|same| same.m == found.m) {
            same.record = record;
            return Ok(());
        }
        let behind = if ply < next { self.plies.split_off(ply) } else { Vec::new() };
        self.truncate(ply - 1);
        self.plies.push(Ply { before, m: found.m, record });
        // Moves after a replaced one remain as long as they are legal.
        for Ply { record, .. } in behind {
            let before = self.now();
            let Ok(found) = resolve(&before, &record) else { break };
            self.plies.push(Ply { before, m: found.m, record });
        }
        Ok(())
    }
}
