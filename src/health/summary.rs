//! The figures of a board, for a table.

use std::sync::Arc;

use super::{
    board::{BoardHealth, Boards},
    findings,
};
use crate::record::{Time, Zone};

/// The figures of one board.
#[derive(Debug, Clone, PartialEq)]
pub struct BoardSummary {
    /// The name of its line.
    pub line: Option<Arc<str>>,
    /// Its address; none for a board without one, or for the line itself.
    pub board: Option<u16>,
    /// Its firmware version.
    pub version: Option<String>,
    /// How many games it had.
    pub games: u32,
    /// How many changes it reported.
    pub changes: u64,
    /// When its pieces last moved.
    pub moved: Option<Time>,
    /// Questions to it; those without an answer; those with a spoilt answer.
    pub asked: (u32, u32, u32),
    /// The median time until its answers begin, and the longest, in seconds; none without a report of answers.
    pub answers: Option<(f64, f64)>,
    /// Its share of the line's time, from 0 to 1.
    pub line_use: f64,
    /// Faults by kind, each with its worst minute.
    pub faults: Vec<String>,
    /// How often it was silent in a game, and the longest silence in seconds.
    pub silences: (u64, f64),
    /// How often it was reset.
    pub resets: u32,
}

/// The figures of every board.
pub fn summaries(boards: &Boards, now: Option<Time>, zone: &Zone) -> Vec<BoardSummary> {
    boards.iter().map(|((line, board), health)| summary(line.clone(), *board, health, now, zone)).collect()
}

fn summary(
    line: Option<Arc<str>>,
    board: Option<u16>,
    health: &BoardHealth,
    now: Option<Time>,
    zone: &Zone,
) -> BoardSummary {
    let answers = &health.link.answers;
    let (silences, _, longest) = health.link.silences(now);
    BoardSummary {
        line,
        board,
        version: health.version.clone(),
        games: health.games.count(),
        changes: health.changes,
        moved: health.moved,
        asked: (answers.asked, answers.missed, answers.spoilt),
        answers: health.link.median().map(|median| (median, answers.worst_seconds.0)),
        line_use: if answers.seconds.0 > 0.0 { answers.line_seconds.0 / answers.seconds.0 } else { 0.0 },
        faults: findings::faults_in_words(&health.link, zone),
        silences: (silences, longest),
        resets: health.link.resets.count,
    }
}
