//! `boardbus from-pgn`: PGN files to game records.

use crate::error::{Done, Error, Result};

/// PGN files to game records
#[derive(Debug, clap::Args)]
pub struct FromPgn {}

impl FromPgn {
    /// Runs the command.
    pub fn run(self) -> Result<Done> {
        Err(Error::Usage("not built yet".into()))
    }
}
