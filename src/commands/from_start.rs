//! `boardbus from-start`: tell a board's own log since its start mark.

use crate::error::{Done, Error, Result};

/// Tell a board's own log since its start mark
#[derive(Debug, clap::Args)]
pub struct FromStart {}

impl FromStart {
    /// Runs the command.
    pub fn run(self) -> Result<Done> {
        Err(Error::Usage("not built yet".into()))
    }
}
