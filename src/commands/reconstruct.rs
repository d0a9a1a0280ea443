//! `boardbus reconstruct`: board records to game records: what was played.

use crate::error::{Done, Error, Result};

/// Board records to game records: what was played
#[derive(Debug, clap::Args)]
pub struct Reconstruct {}

impl Reconstruct {
    /// Runs the command.
    pub fn run(self) -> Result<Done> {
        Err(Error::Usage("not built yet".into()))
    }
}
