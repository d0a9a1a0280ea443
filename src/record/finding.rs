//! Findings: what is wrong with a board or a line, and what to do about it.

use std::sync::Arc;

#[cfg(test)]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::value::{Square, Time};

/// A finding: something that has to be attended to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(tag = "type", rename = "finding")]
pub struct Finding {
    /// What it is.
    pub kind: FindingKind,
    /// The name of the line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<Arc<str>>,
    /// The board; none for a finding about the line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub board: Option<u16>,
    /// The square by the board's own numbering; for a weak piece its square at the start of the game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub square: Option<Square>,
    /// The possible squares, this one among them, where the evidence does not decide; each has a finding.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub one_of: Vec<Square>,
    /// The time since when, or of the first occurrence.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since: Option<Time>,
    /// The number of occurrences.
    pub count: u64,
    /// A description in words.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub detail: String,
    /// What to do, in one sentence.
    pub advice: String,
}

/// What can be wrong, the gravest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum FindingKind {
    /// Two boards have one address.
    Twin,
    /// A board, or a whole line, did not answer for a time.
    Silent,
    /// A board was reset, or lost its power, in a game.
    Reset,
    /// A square that does not report pieces.
    DeadSquare,
    /// A square whose piece comes and goes.
    Flicker,
    /// A piece that drops out wherever it stands.
    WeakPiece,
    /// The board differs from the position of its game.
    Mismatch,
    /// A clock runs, and no square changes.
    NoChange,
    /// Changes from which no game could be reconstructed.
    NoGame,
    /// Something that no move explains.
    Anomaly,
    /// A move that was not fully seen.
    Guess,
    /// A move that another would explain nearly as well.
    Doubt,
    /// The clock is not connected any more.
    ClockDisconnected,
    /// The clock's battery is low.
    ClockBattery,
    /// Damaged answers.
    Noise,
    /// Sensors see pieces where none are, or miss some, which is set aside.
    Misread,
    /// Questions were not answered.
    Unanswered,
    /// Answers take much longer than those of other boards.
    Slow,
    /// Boards are polled too seldom.
    LineFull,
}

impl FindingKind {
    /// All of them, the gravest first.
    pub const ALL: [FindingKind; 19] = [
        FindingKind::Twin,
        FindingKind::Silent,
        FindingKind::Reset,
        FindingKind::DeadSquare,
        FindingKind::Flicker,
        FindingKind::WeakPiece,
        FindingKind::Mismatch,
        FindingKind::NoChange,
        FindingKind::NoGame,
        FindingKind::Anomaly,
        FindingKind::Guess,
        FindingKind::Doubt,
        FindingKind::ClockDisconnected,
        FindingKind::ClockBattery,
        FindingKind::Noise,
        FindingKind::Misread,
        FindingKind::Unanswered,
        FindingKind::Slow,
        FindingKind::LineFull,
    ];

    /// Its name in the records.
    pub fn name(self) -> &'static str {
        match self {
            FindingKind::Twin => "twin",
            FindingKind::Silent => "silent",
            FindingKind::Reset => "reset",
            FindingKind::DeadSquare => "dead-square",
            FindingKind::Flicker => "flicker",
            FindingKind::WeakPiece => "weak-piece",
            FindingKind::Mismatch => "mismatch",
            FindingKind::NoChange => "no-change",
            FindingKind::NoGame => "no-game",
            FindingKind::Anomaly => "anomaly",
            FindingKind::Guess => "guess",
            FindingKind::Doubt => "doubt",
            FindingKind::ClockDisconnected => "clock-disconnected",
            FindingKind::ClockBattery => "clock-battery",
            FindingKind::Noise => "noise",
            FindingKind::Misread => "misread",
            FindingKind::Unanswered => "unanswered",
            FindingKind::Slow => "slow",
            FindingKind::LineFull => "line-full",
        }
    }
}
