//! `boardbus watch`: poll boards and tell every change.

use crate::error::{Done, Error, Result};

/// Poll boards and tell every change
#[derive(Debug, clap::Args)]
pub struct Watch {}

impl Watch {
    /// Runs the command.
    pub fn run(self) -> Result<Done> {
        Err(Error::Usage("not built yet".into()))
    }
}
