//! `boardbus schema`: the JSON Schema of the records.

use crate::{
    error::{Done, Error, Result},
    record,
    stdio::Output,
};

/// Print the JSON Schema of the records
///
/// JSON Schema 2020-12 of every record that boardbus writes, made from the types that write them. A record of a type that it
/// does not know, or a field, may come with a later version: readers pass over both.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  boardbus schema > boardbus.schema.json
  boardbus schema | jq '.\"$defs\".Move.properties | keys'")]
pub struct Schema {}

impl Schema {
    /// Runs the command.
    pub fn run(self) -> Result<Done> {
        let mut text = serde_json::to_vec_pretty(&record::schema_of_records())
            .map_err(|e| Error::io("the schema", e.into()))?;
        text.push(b'\n');
        let mut out = Output::stdout();
        out.text(&text)?;
        out.flush()?;
        Ok(Done::Yes)
    }
}
