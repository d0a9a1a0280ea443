//! `boardbus to-bars`: game records to BARS.

use crate::error::{Done, Error, Result};

/// Game records to BARS
#[derive(Debug, clap::Args)]
pub struct ToBars {}

impl ToBars {
    /// Runs the command.
    pub fn run(self) -> Result<Done> {
        Err(Error::Usage("not built yet".into()))
    }
}
