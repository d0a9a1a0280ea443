//! `boardbus from-bars`: BARS files to game records.

use crate::error::{Done, Error, Result};

/// BARS files to game records
#[derive(Debug, clap::Args)]
pub struct FromBars {}

impl FromBars {
    /// Runs the command.
    pub fn run(self) -> Result<Done> {
        Err(Error::Usage("not built yet".into()))
    }
}
