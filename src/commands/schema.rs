//! `boardbus schema`: the JSON Schema of the records.

use crate::{
    error::{Done, Result},
    record,
    stdio::Output,
};

/// Print the JSON Schema of the records
///
/// JSON Schema 2020-12 of every record that boardbus writes, made from the types that write them. A later version may
/// write other types of records and other fields; readers ignore both.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  boardbus schema > boardbus.schema.json
  boardbus schema | jq '.\"$defs\".Move.properties | keys'")]
pub struct Schema {}

impl Schema {
    /// Runs the command.
    pub fn run(self) -> Result<Done> {
        let mut out = Output::stdout();
        out.text(record::SCHEMA.as_bytes())?;
        out.flush()?;
        Ok(Done::Yes)
    }
}
