//! `boardbus discover`: find the boards on a line.

use crate::error::{Done, Error, Result};

/// Find the boards on a line
#[derive(Debug, clap::Args)]
pub struct Discover {}

impl Discover {
    /// Runs the command.
    pub fn run(self) -> Result<Done> {
        Err(Error::Usage("not built yet".into()))
    }
}
