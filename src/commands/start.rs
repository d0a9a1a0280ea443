//! `boardbus start`: write the start mark into boards and read full clock times.

use crate::error::{Done, Error, Result};

/// Write the start mark into boards and read full clock times
#[derive(Debug, clap::Args)]
pub struct Start {}

impl Start {
    /// Runs the command.
    pub fn run(self) -> Result<Done> {
        Err(Error::Usage("not built yet".into()))
    }
}
