//! `boardbus simulate`: a virtual line of boards on which games are played.

use crate::error::{Done, Error, Result};

/// A virtual line of boards on which games are played
#[derive(Debug, clap::Args)]
pub struct Simulate {}

impl Simulate {
    /// Runs the command.
    pub fn run(self) -> Result<Done> {
        Err(Error::Usage("not built yet".into()))
    }
}
