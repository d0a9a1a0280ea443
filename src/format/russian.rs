//! Game records of Russian draughts: made from moves, and collected again into games.
//!
//! Readers make them with a [`GameRecorder`], writers collect them with [`Games`]; neither depends on files.

mod games;

pub use games::{Applied, Game, Games, Ply};

pub use crate::rules::russian::describe;
use crate::{
    draughts::{BadMove, Found, Move, Numbering, Position, Square},
    record::{self, End, EndReason, GameEvent, GameRecord, GameStart, Outcome, Rules, Tags},
    rules::{
        self,
        russian::{RussianGame, lost},
    },
};

/// The result of a reader of files.
#[derive(Debug, Clone, PartialEq)]
pub enum ReadItem {
    /// A game record.
    Record(Box<GameRecord>),
    /// Something was corrected, or read in one of several possible ways.
    Note(String),
    /// Something is wrong and was left out.
    Bad(String),
}

impl From<GameRecord> for ReadItem {
    fn from(record: GameRecord) -> ReadItem {
        ReadItem::Record(Box::new(record))
    }
}

/// Makes the records of one game.
#[derive(Debug, Clone)]
pub struct GameRecorder {
    game: u32,
    /// The position after each ply, from the start.
    stood: Vec<RussianGame>,
}

impl GameRecorder {
    /// Begins a game: its number in this run, its position, and the data of the file. Returns the record to write too.
    pub fn begin(
        game: u32,
        start: Position,
        tags: Tags,
        comment: Option<String>,
    ) -> (GameRecorder, GameRecord) {
        let recorder = GameRecorder { game, stood: vec![RussianGame::from_position(start)] };
        let begun = GameStart {
            rules: Rules::Russian,
            fen: start.to_string(),
            rotated: false,
            zone: None,
            tags,
            comment,
        };
        let record = recorder.record(GameEvent::Game(begun));
        (recorder, record)
    }

    /// A record of this game.
    pub fn record(&self, event: GameEvent) -> GameRecord {
        GameRecord::read_from_file(self.game, event)
    }

    /// The game's number.
    pub fn game(&self) -> u32 {
        self.game
    }

    fn now(&self) -> &RussianGame {
        &self.stood[self.stood.len() - 1]
    }

    /// The present position.
    pub fn position(&self) -> &Position {
        self.now().position()
    }

    /// Plies played so far.
    pub fn ply(&self) -> u32 {
        self.stood.len() as u32 - 1
    }

    /// The last ply with the same pieces and the same side to move.
    pub fn ply_of(&self, position: &Position) -> Option<u32> {
        self.stood.iter().rposition(|stood| stood.position() == position).map(|at| at as u32)
    }

    /// Plays a legal move: returns its record, to which a reader adds more data.
    pub fn play(&mut self, m: &Move) -> record::Move {
        let before = *self.position();
        let after = self.now().play(m);
        let claim = rules::claim(&after, self.stood.iter().rev()).map(str::to_owned);
        self.stood.push(after);
        record::Move { ply: Some(self.ply()), claim, ..describe(&before, m) }
    }

    /// Goes back to a ply that was played.
    pub fn take_back(&mut self, ply: u32) {
        self.stood.truncate(ply as usize + 1);
    }

    /// The end: by the file, or, where the file has none, by the position.
    pub fn end(&self, given: Option<Outcome>, reason: EndReason, forfeit: bool) -> GameRecord {
        let end = match (given, lost(self.position())) {
            (None, Some(outcome)) => End::of(Some(outcome), EndReason::NoMoves),
            _ => End { forfeit, ..End::of(given, reason) },
        };
        self.record(GameEvent::End(end))
    }
}

/// The legal move of a record.
pub fn resolve(position: &Position, record: &record::Move) -> Result<Found, String> {
    let found = if record.path.is_empty() {
        let notation = record.notation.as_deref().ok_or("a move without `path` and `notation`")?;
        position.read_move(notation, Numbering::default())
    } else {
        let square = |name: &String| name.parse::<Square>().map_err(|e| format!("`{name}` is {e}"));
        position.find(&record.path.iter().map(square).collect::<Result<Vec<_>, _>>()?)
    };
    let found = found.map_err(|e: BadMove| e.to_string())?;
    let captured: Vec<String> = found.m.captured().map(|square| square.to_string()).collect();
    if !record.captured.is_empty() && record.captured != captured {
        let (says, takes) = (record.captured.join(" "), captured.join(" "));
        return Err(format!("`{}` captures {takes}, the record says {says}", found.m));
    }
    Ok(found)
}
