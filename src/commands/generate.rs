//! `boardbus generate`: man pages and completions from the arguments' definitions.

use crate::error::{Done, Error, Result};

/// Man pages and completions from the arguments' definitions
#[derive(Debug, clap::Args)]
pub struct Generate {}

impl Generate {
    /// Runs the command.
    pub fn run(self) -> Result<Done> {
        Err(Error::Usage("not built yet".into()))
    }
}
