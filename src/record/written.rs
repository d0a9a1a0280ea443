//! A record as a line of JSON: its event between the fields common to all records.

use std::sync::Arc;

#[cfg(test)]
use schemars::JsonSchema;
use serde::{Serialize, Serializer};

use super::{board::BoardRecord, game::GameRecord, quick_write::Writer, value::Time};

/// The fields of a record of either layer, in the order of the contract; fields without a value are left out.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub(super) struct Written<'a, E> {
    /// What the record is: its event says it in the schema.
    #[cfg_attr(test, schemars(skip))]
    pub r#type: &'static str,
    /// When the host received what the record reports; none where the source had no clock, or was a file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time: Option<Time>,
    /// The name that the source was given for its line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: &'a Option<Arc<str>>,
    /// The 14-bit address of the board; none where it is not known, or in what was read from a file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub board: Option<u16>,
    /// The number of the game: 1, 2, … for each board; readers of files count through all files of a run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub game: Option<u32>,
    #[serde(flatten)]
    pub event: &'a E,
    /// The number of the record in its run, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seq: Option<u64>,
}

impl Serialize for BoardRecord {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let BoardRecord { time, line, board, seq, event } = self;
        Written { r#type: event.kind(), time: *time, line, board: *board, game: None, event, seq: *seq }
            .serialize(serializer)
    }
}

impl Serialize for GameRecord {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let GameRecord { time, line, board, game, event, seq } = self;
        Written {
            r#type: event.kind(),
            time: *time,
            line,
            board: *board,
            game: Some(*game),
            event,
            seq: *seq,
        }
        .serialize(serializer)
    }
}

impl BoardRecord {
    /// Writes it as JSON, without a line end.
    ///
    /// # Errors
    /// None that any record is known to give.
    pub fn write(&self, line: &mut Vec<u8>) -> serde_json::Result<()> {
        write(self, self.event.record_type().board_writer(), line)
    }
}

impl GameRecord {
    /// Writes it as JSON, without a line end.
    ///
    /// # Errors
    /// None that any record is known to give.
    pub fn write(&self, line: &mut Vec<u8>) -> serde_json::Result<()> {
        write(self, self.event.record_type().game_writer(), line)
    }
}

/// Writes a record field by field if that is possible, else by serialising it.
fn write<R: Serialize>(record: &R, writer: Option<Writer<R>>, line: &mut Vec<u8>) -> serde_json::Result<()> {
    let before = line.len();
    if writer.is_some_and(|write| write(record, line).is_some()) {
        return Ok(());
    }
    line.truncate(before);
    serde_json::to_writer(line, record)
}
