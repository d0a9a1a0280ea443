//! `boardbus to-pgn`: game records to PGN.

use crate::error::{Done, Error, Result};

/// Game records to PGN
#[derive(Debug, clap::Args)]
pub struct ToPgn {}

impl ToPgn {
    /// Runs the command.
    pub fn run(self) -> Result<Done> {
        Err(Error::Usage("not built yet".into()))
    }
}
