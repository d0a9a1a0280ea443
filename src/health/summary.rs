//! A board in figures, for a table.

use std::sync::Arc;

use super::{
    board::{BoardHealth, Boards},
    findings,
};
use crate::record::{Time, Zone};

/// A board in figures.
#[derive(Debug, Clone, PartialEq)]
pub struct BoardSummary {
    /// The name of its line.
    pub line: Option<Arc<str>>,
    /// Its address; none of what belongs to the line alone.
    pub board: Option<u16>,
    /// Its firmware.
    pub version: Option<String>,
    /// How many games were told of.
    pub games: u32,
    /// How many changes.
    pub changes: u64,
    /// When its pieces moved last.
    pub moved: Option<Time>,
    /// Questions to it, those without an answer, and those whose answers came spoilt.
    pub asked: (u32, u32, u32),
    /// How long its answers usually take to begin, and the slowest, in seconds; none where nothing was told.
    pub answers: Option<(f64, f64)>,
    /// Its share of the time of the line, from 0 to 1.
    pub line_use: f64,
    /// Faults by kind, each with its worst minute.
    pub faults: Vec<String>,
    /// How often it was silent in a game, and the longest time in seconds.
    pub silences: (u64, f64),
    /// How often it was reset.
    pub resets: u32,
}

/// Every board there is.
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
    let told = &health.link.answers;
    let (silences, _, longest) = health.link.silences(now);
    BoardSummary {
        line,
        board,
        version: health.version.clone(),
        games: health.games.count(),
        changes: health.changes,
        moved: health.moved,
        asked: (told.asked, told.missed, told.spoilt),
        answers: health.link.median().map(|median| (median, told.worst_seconds.0)),
        line_use: if told.seconds.0 > 0.0 { told.line_seconds.0 / told.seconds.0 } else { 0.0 },
        faults: findings::faults_in_words(&health.link, zone),
        silences: (silences, longest),
        resets: health.link.resets.count,
    }
}
