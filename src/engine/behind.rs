//! The record of an evaluation, which follows that of a move.

use std::sync::Arc;

use crate::record::{BoardName, Evaluation, GameEvent, GameRecord, Time};

/// The ply that is evaluated.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Behind {
    line: Option<Arc<str>>,
    board: Option<u16>,
    pub game: u32,
    pub ply: u32,
    /// The time of the move, so that a filter that delays moves delays this as well.
    time: Option<Time>,
}

impl Behind {
    /// The place after the record of a move.
    pub fn new(mv: &GameRecord, ply: u32) -> Behind {
        Behind { line: mv.line.clone(), board: mv.board, game: mv.game, ply, time: mv.time }
    }

    /// Its board.
    pub fn board(&self) -> BoardName {
        (self.line.clone(), self.board)
    }

    /// Writes its record as a line.
    pub fn write(&self, found: &Evaluation, out: &mut Vec<u8>) {
        let evaluation = Evaluation { ply: self.ply, ..found.clone() };
        let record = GameRecord {
            time: self.time,
            line: self.line.clone(),
            board: self.board,
            game: self.game,
            event: GameEvent::Evaluation(Box::new(evaluation)),
            seq: None,
        };
        let begins = out.len();
        match record.write(out) {
            Ok(()) => out.push(b'\n'),
            Err(_) => out.truncate(begins),
        }
    }
}
