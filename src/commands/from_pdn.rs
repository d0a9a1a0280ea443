//! `boardbus from-pdn`: PDN files to game records.

use crate::error::{Done, Error, Result};

/// PDN files to game records
#[derive(Debug, clap::Args)]
pub struct FromPdn {}

impl FromPdn {
    /// Runs the command.
    pub fn run(self) -> Result<Done> {
        Err(Error::Usage("not built yet".into()))
    }
}
