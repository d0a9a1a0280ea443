//! `boardbus dump`: tell the position and clock of boards now.

use crate::error::{Done, Error, Result};

/// Tell the position and clock of boards now
#[derive(Debug, clap::Args)]
pub struct Dump {}

impl Dump {
    /// Runs the command.
    pub fn run(self) -> Result<Done> {
        Err(Error::Usage("not built yet".into()))
    }
}
