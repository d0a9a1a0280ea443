//! Games as they stand after the records so far: moves replaced, taken back, ended.

use std::{collections::BTreeMap, sync::Arc};

use super::QuickPly;
use crate::record::{Anomaly, End, EndReason, GameEvent, GameRecord, GameStart, Move, Time};

/// How far beyond the last known ply a move may be: more is not a hole in a stream but a wrong number.
const LARGEST_HOLE: u32 = 600;

/// Whose games: the line's name and the board's address.
pub type Key = (Option<Arc<str>>, Option<u16>);

/// A game as it stands.
#[derive(Debug, Clone, PartialEq)]
pub struct Game {
    /// The line and the board it is played on.
    pub key: Key,
    /// Its number on that board.
    pub number: u32,
    /// When it began.
    pub time: Option<Time>,
    /// When the last thing happened in it.
    pub last: Option<Time>,
    /// How it began.
    pub start: GameStart,
    /// The plies. One that has no record is a move of nothing.
    pub moves: Vec<Move>,
    /// What an arbiter should look at, in order of arrival.
    pub anomalies: Vec<Anomaly>,
    /// How it ended, if it did.
    pub end: Option<End>,
    /// How many events it has taken: with the same number it is the same.
    pub revision: u64,
}

impl Game {
    /// A game that begins with this record.
    pub fn new(record: &GameRecord, start: GameStart) -> Game {
        Game {
            key: (record.line.clone(), record.board),
            number: record.game,
            time: record.time,
            last: record.time,
            start,
            moves: Vec::new(),
            anomalies: Vec::new(),
            end: None,
            revision: 0,
        }
    }

    /// What happened next. An event that cannot be is refused with the reason.
    pub fn apply(&mut self, event: GameEvent) -> Result<(), String> {
        self.revision += 1;
        // What was ended by the end of an input goes on with a longer one.
        if self.end.as_ref().is_some_and(|end| end.reason == EndReason::InputEnd) {
            self.end = None;
        }
        match event {
            GameEvent::Game(start) => self.start = start,
            GameEvent::Move(m) => {
                let ply = m.ply.unwrap_or(0);
                let known = self.moves.len() as u32;
                if ply == 0 || ply > known + LARGEST_HOLE {
                    return Err(format!("ply {ply} cannot follow ply {known}"));
                }
                let at = ply as usize - 1;
                if at >= self.moves.len() {
                    self.moves.resize_with(at + 1, Move::default);
                }
                self.moves[at] = *m;
            }
            GameEvent::Takeback(takeback) => {
                self.moves.truncate(takeback.ply as usize);
                self.anomalies.retain(|anomaly| anomaly.ply <= takeback.ply);
            }
            GameEvent::Anomaly(anomaly) => self.anomalies.push(anomaly),
            GameEvent::End(end) => self.end = Some(end),
        }
        Ok(())
    }

    /// Takes the next ply in its short form; false when it is not the next of this game, and nothing was done.
    pub fn append(&mut self, ply: QuickPly<'_>) -> bool {
        let is_next =
            ply.game == self.number && ply.ply as usize == self.moves.len() + 1 && self.end.is_none();
        if is_next {
            self.moves.push(Move {
                ply: Some(ply.ply),
                san: Some(ply.san.to_owned()),
                seconds: ply.seconds,
                elapsed: ply.elapsed,
                ..Move::default()
            });
        }
        is_next
    }

    /// Whether no later record will name it.
    pub fn is_closed(&self) -> bool {
        self.end.as_ref().is_some_and(|end| end.reason != EndReason::InputEnd)
    }
}

/// The games of a hall, each board's in the order in which they began.
#[derive(Debug, Default)]
pub struct Games {
    boards: BTreeMap<Key, Vec<Game>>,
}

impl Games {
    /// What happened next, on any board; gives the game it happened in, and which of its board that is, from
    /// 0. A record that cannot be is refused with the reason.
    pub fn apply(&mut self, record: GameRecord) -> Result<(usize, &mut Game), String> {
        let games = self.boards.entry((record.line.clone(), record.board)).or_default();
        let at = games.iter().rposition(|game| game.number == record.game);
        if let GameEvent::Game(start) = &record.event {
            let mut game = Game::new(&record, start.clone());
            // A stream read twice has the same game again; one that was begun anew counts from 1 again.
            let at = at.filter(|&at| games[at].time == record.time).unwrap_or(games.len());
            if let Some(same) = games.get_mut(at) {
                game.revision = same.revision + 1;
                *same = game;
            } else {
                games.push(game);
            }
            return Ok((at, &mut games[at]));
        }
        let Some(at) = at else {
            return Err(format!("a {} of game {}, which has not begun", record.event.kind(), record.game));
        };
        let game = &mut games[at];
        game.apply(record.event)?;
        game.last = record.time.or(game.last);
        Ok((at, game))
    }

    /// Whether no game has begun.
    pub fn is_empty(&self) -> bool {
        self.boards.values().all(Vec::is_empty)
    }

    /// All games: the first of every board, in the order of lines and boards, then the second, …; so a game
    /// that begins later moves no other.
    pub fn in_order(&self) -> impl Iterator<Item = (usize, &Game)> {
        let most = self.boards.values().map(Vec::len).max().unwrap_or(0);
        (0..most).flat_map(|nth| self.boards.values().filter_map(move |games| Some((nth, games.get(nth)?))))
    }
}
