//! Findings: what is wrong with a board or a line, and what to do about it.

use std::sync::Arc;

#[cfg(test)]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::value::{Square, Time};

/// Something that needs a hand.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(tag = "type", rename = "finding")]
pub struct Finding {
    /// What it is.
    pub kind: FindingKind,
    /// The name of the line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<Arc<str>>,
    /// The board; none where it is the line's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub board: Option<u16>,
    /// The square by the board's own numbering; of a weak piece that on which it began its game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub square: Option<Square>,
    /// The squares of which one is it, this one among them, where nothing says which; each has a finding.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub one_of: Vec<Square>,
    /// Since when, or when first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since: Option<Time>,
    /// How often.
    pub count: u64,
    /// It in words.
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
    /// A square on which pieces stood and the board never said so.
    DeadSquare,
    /// A square whose piece comes and goes.
    Flicker,
    /// A piece that drops out wherever it stands.
    WeakPiece,
    /// The board does not stand as its game does.
    Mismatch,
    /// A clock runs, and nothing moves.
    NoChange,
    /// Changes came, and no game could be made of them.
    NoGame,
    /// Something that no move explains.
    Anomaly,
    /// A move of which the data do not say all.
    Guess,
    /// A move that another would explain nearly as well.
    Doubt,
    /// The clock is not connected any more.
    ClockDisconnected,
    /// The clock's battery is low.
    ClockBattery,
    /// Answers came spoilt.
    Noise,
    /// Questions were not answered.
    Unanswered,
    /// Answers take much longer than those of other boards.
    Slow,
    /// Boards are asked too seldom.
    LineFull,
}

impl FindingKind {
    /// All of them, the gravest first.
    pub const ALL: [FindingKind; 18] = [
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
            FindingKind::Unanswered => "unanswered",
            FindingKind::Slow => "slow",
            FindingKind::LineFull => "line-full",
        }
    }
}
