//! The records: the contract between the commands, two layers of JSON lines (`boardbus-records(5)`).
//!
//! Board records say what a board reported ([`BoardEvent`]), game records say what was played
//! ([`GameEvent`]). Everybody may know this room; it knows nobody.

mod board;
mod finding;
mod game;
mod reader;
mod result;
mod ruling;
mod schema;
mod start;
mod value;
mod written;
mod zone;

pub use board::{
    Answers, BoardEvent, BoardFound, BoardPosition, BoardRecord, Change, Clock, ClockSide, Fault, FaultKind,
    History, LinkState, Mark, MarkKind, Mode, Press, RING,
};
pub use finding::{Finding, FindingKind};
pub use game::{
    Alternative, Anomaly, AnomalyKind, End, EndReason, Explain, GameEvent, GameRecord, GameStart, Move,
    Rules, TagPlaces, Tags, Takeback, Variation,
};
pub use reader::{BadRecord, Record, Seen, parse};
pub use ruling::{Ruled, Ruling};
pub use schema::schema_of_records;
pub use start::CHESS_START;
pub use value::{Outcome, Piece, Placement, Seconds, Side, Square, Time};
pub use zone::Zone;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The version of this contract that we write and read.
pub const VERSION: u32 = 1;

/// What a source begins with.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename = "stream")]
pub struct Stream {
    /// Version of the contract; a stream that does not say is of version 1.
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
    pub line: Option<std::sync::Arc<str>>,
    /// The time zone of its place, by IANA name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub zone: Option<std::sync::Arc<str>>,
}

fn first_version() -> u32 {
    1
}

impl Stream {
    /// The record a source of ours begins with; `run` is made of the time and the process.
    pub fn begin(now: Time, line: Option<&str>) -> Stream {
        Stream {
            records: VERSION,
            program: concat!("boardbus ", env!("CARGO_PKG_VERSION")).into(),
            run: format!("{}-{:x}", now.compact(), std::process::id()),
            line: line.map(Into::into),
            zone: Zone::here().name().map(Into::into),
        }
    }
}
