//! A stream of game records, put together into the games as they now stand.
//!
//! Every move is played when it comes, and what cannot be is refused with the place of its record; those of PGN are
//! kept as the records have them (`format::pgn`), for what is illegal there is written too. So each has its own.

use std::sync::Arc;

use super::resolve;
use crate::{
    draughts::{Move, Position},
    format::game,
    record::{self, Anomaly, End, EndReason, GameEvent, GameRecord, GameStart, Rules, Time},
};

/// The games of a stream that may still change.
#[derive(Debug, Default)]
pub struct Games {
    /// In the order they began.
    open: Vec<Open>,
}

/// What a game is known by.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Key {
    line: Option<Arc<str>>,
    board: Option<u16>,
    game: u32,
}

#[derive(Debug)]
struct Open {
    key: Key,
    /// None for a game that was refused: its further records are passed over.
    game: Option<Game>,
}

/// A game as it stands.
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
    /// The plies that stand.
    pub plies: Vec<Ply>,
    /// What an arbiter should look at.
    pub anomalies: Vec<Anomaly>,
    /// How it ended.
    pub end: Option<End>,
    /// How many of the plies a writer has passed on; it falls when one of these is withdrawn or replaced.
    pub written: usize,
    /// A ply was refused; those behind it are passed over.
    broken: bool,
}

/// A ply of a game.
#[derive(Debug, Clone)]
pub struct Ply {
    /// The position before it.
    pub before: Position,
    /// The move.
    pub m: Move,
    /// All that its record says.
    pub record: record::Move,
}

/// What a record brought about.
#[derive(Debug)]
pub struct Applied<'a> {
    /// Games that no later record will name.
    pub closed: Vec<Game>,
    /// The game it is of; or what is wrong with the record, which was passed over.
    pub game: Result<Option<&'a mut Game>, String>,
}

impl Games {
    /// Applies a record.
    pub fn apply(&mut self, record: GameRecord) -> Applied<'_> {
        let key = Key { line: record.line, board: record.board, game: record.game };
        let mut closed = Vec::new();
        let game = match record.event {
            GameEvent::Game(start) => {
                // A board plays one game at a time.
                let same_board = |open: &mut Open| (&open.key.line, open.key.board) == (&key.line, key.board);
                closed.extend(self.open.extract_if(.., same_board).filter_map(|open| open.game));
                self.begin(key, record.time, start).map(Some)
            }
            event => match self.open.iter().position(|open| open.key == key) {
                Some(at) => {
                    let last = matches!(&event, GameEvent::End(end) if end.reason != EndReason::InputEnd);
                    let taken = self.open[at].apply(event);
                    if last {
                        closed.extend(self.open.remove(at).game);
                        taken.map(|()| None)
                    } else {
                        taken.map(|()| self.open[at].game.as_mut())
                    }
                }
                None => {
                    let problem = format!("{}: its beginning is missing; it is left out", key.name());
                    self.open.push(Open { key, game: None });
                    Err(problem)
                }
            },
        };
        Applied { closed, game }
    }

    fn begin(&mut self, key: Key, time: Option<Time>, start: GameStart) -> Result<&mut Game, String> {
        let begun =
            Game::begin(&key, time, start).map_err(|e| format!("{}: {e}; it is left out", key.name()));
        self.open.push(Open { key, game: None });
        let open = self.open.last_mut().expect("it has just been pushed");
        Ok(open.game.insert(begun?))
    }

    /// The input has ended: the games that are left, in the order they began.
    pub fn rest(self) -> impl Iterator<Item = Game> {
        self.open.into_iter().filter_map(|open| open.game)
    }
}

impl Open {
    fn apply(&mut self, event: GameEvent) -> Result<(), String> {
        let Some(game) = &mut self.game else { return Ok(()) };
        match event {
            GameEvent::Move(record) => {
                game.apply(*record).map_err(|e| format!("{}: {e}", self.key.name()))?
            }
            GameEvent::Takeback(back) => game.truncate(back.ply as usize),
            GameEvent::End(end) => game.end = Some(end),
            GameEvent::Anomaly(anomaly) => game.anomalies.push(anomaly),
            GameEvent::Game(_) => {}
        }
        Ok(())
    }
}

impl Key {
    fn name(&self) -> String {
        let game = self.game;
        match self.board {
            Some(board) => format!("board {board}, game {game}"),
            None => format!("game {game}"),
        }
    }
}

impl Game {
    fn begin(key: &Key, time: Option<Time>, start: GameStart) -> Result<Game, String> {
        if start.rules != Rules::Russian {
            return Err("it is a game of chess, not of Russian draughts".into());
        }
        let position = start.fen.parse().map_err(|e| format!("`{}`: {e}", start.fen))?;
        Ok(Game {
            line: key.line.clone(),
            board: key.board,
            number: key.game,
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

    /// A game as it was told, played: plies from the first one on that cannot be are left out. None where it cannot
    /// begin.
    pub fn played(told: &game::Game) -> Option<Game> {
        let key = Key { line: told.key.0.clone(), board: told.key.1, game: told.number };
        let mut game = Game::begin(&key, told.time, told.start.clone()).ok()?;
        for m in &told.moves {
            if game.apply(m.clone()).is_err() {
                break;
            }
        }
        game.anomalies = told.anomalies.clone();
        game.end = told.end.clone();
        Some(game)
    }

    /// The position as it now stands.
    pub fn now(&self) -> Position {
        self.plies.last().map_or(self.position, |ply| ply.before.play(&ply.m))
    }

    /// The game goes on after the first `plies` plies.
    fn truncate(&mut self, plies: usize) {
        self.plies.truncate(plies);
        self.written = self.written.min(plies);
        self.broken = false;
        self.end = None;
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
        // What was played after the replaced move stands as long as it still can be.
        for Ply { record, .. } in behind {
            let before = self.now();
            let Ok(found) = resolve(&before, &record) else { break };
            self.plies.push(Ply { before, m: found.m, record });
        }
        Ok(())
    }
}
