//! The records: the contract between the commands, two layers of JSON lines (`boardbus-records(5)`).
//!
//! Board records contain what a board reported ([`BoardEvent`]), game records what was played ([`GameEvent`]). Every
//! room may depend on this one; it depends on none.

mod board;
mod by_line;
mod calibration;
mod clock;
mod delivery;
mod evaluation;
mod finding;
mod game;
mod json;
mod quick;
mod quick_write;
mod reader;
mod result;
mod ruling;
#[cfg(test)]
pub(crate) mod samples;
#[cfg(test)]
mod schema;
mod start;
mod table;
mod value;
mod written;
mod zone;

pub use board::{
    Answers, BoardEvent, BoardFound, BoardName, BoardPosition, BoardRecord, Change, Clock, ClockSide, Fault,
    FaultKind, History, LinkState, Make, Mark, MarkKind, Mode, Press, RING, Readings,
};
pub use by_line::ByLine;
pub use calibration::{Calibration, CalibrationReason, Chip, Chips};
pub use clock::ShownClock;
pub use delivery::Delivery;
pub use evaluation::{Bound, Evaluation, Score};
pub use finding::{Finding, FindingKind};
pub use game::{
    Alternative, Anomaly, AnomalyKind, End, EndReason, Explain, GameEvent, GameRecord, GameStart, Move,
    Rules, TagPlaces, Tags, Takeback, TakebackReason, Variation, ply_number,
};
pub use json::{BadRecord, Record};
pub use reader::{Label, Seen, label, parse};
pub use ruling::{Ruled, Ruling, path_of};
pub use start::{CHESS_MEN, CHESS_START, DRAUGHTS_HOME, DRAUGHTS_MEN};
pub use table::{Layer, RecordType};
pub use value::{Outcome, Piece, Placement, Seconds, Side, Square, Time, fields_that_differ};
pub use zone::{A_DAY, Zone};

use std::sync::Arc;

#[cfg(test)]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The version of this contract that this program reads and writes.
pub const VERSION: u32 = 1;

/// The JSON Schema 2020-12 of every record that this program writes, as text.
pub const SCHEMA: &str = include_str!("../man/boardbus.schema.json");

/// The record with which a source begins.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(tag = "type", rename = "stream")]
pub struct Stream {
    /// Version of the contract; 1 where it is left out.
    #[serde(default = "first_version")]
    pub records: u32,
    /// Name and version of the program.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub program: String,
    /// A name unique to this run of the source.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub run: String,
    /// The name of the line, as on the records that follow.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<Arc<str>>,
    /// The time zone of its place, by IANA name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub zone: Option<Arc<str>>,
}

fn first_version() -> u32 {
    1
}

/// Whether a name of a line, or of an event, works everywhere: letters, digits, - and _, up to 100 characters.
pub fn is_plain_name(name: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
    !name.is_empty() && name.len() <= 100 && name.bytes().all(is_plain)
}

impl Stream {
    /// The record with which our sources begin; `run` is made of the time and the process.
    pub fn begin(now: Time, line: Option<&str>) -> Stream {
        let run = format!("{}-{:x}", now.compact(), std::process::id());
        let zone = Zone::named_here().and_then(|zone| zone.name().map(Into::into));
        Stream { zone, ..Stream::of_run(run, line.map(Into::into)) }
    }

    /// In the name of a run, precedes the mark of the rulings that shaped it.
    pub const RULED: &str = "-ruled-";

    /// Whether rulings shaped the records of a run.
    pub fn is_ruled(run: &str) -> bool {
        run.contains(Stream::RULED)
    }

    /// The name of the run of games reconstructed from a line whose first run has this name.
    pub fn games_of(run: &str) -> String {
        format!("{run}-games")
    }

    /// The name of the run of records that only follow from the end of the input, after this many records of the run
    /// `games`: a longer input gives others.
    pub fn ended(games: &str, count: u64) -> String {
        format!("{games}-ended-{count}")
    }

    /// Whether a run has such a name.
    pub fn is_ended(run: &str) -> bool {
        let count = run.rsplit_once("-games-ended-").map(|(_, count)| count);
        count.is_some_and(|count| !count.is_empty() && count.bytes().all(|byte| byte.is_ascii_digit()))
    }

    /// Whether a run is one of reconstructed games.
    pub fn is_of_games(run: &str) -> bool {
        run.ends_with("-games") || Stream::is_ended(run)
    }

    /// The record with which the run of this name begins; an empty name stands for none.
    pub fn of_run(run: String, line: Option<Arc<str>>) -> Stream {
        let program = concat!("boardbus ", env!("CARGO_PKG_VERSION")).into();
        Stream { records: VERSION, program, run, line, zone: None }
    }
}
