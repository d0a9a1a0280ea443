//! `boardbus to-pdn`: game records to PDN.

use crate::error::{Done, Error, Result};

/// Game records to PDN
#[derive(Debug, clap::Args)]
pub struct ToPdn {}

impl ToPdn {
    /// Runs the command.
    pub fn run(self) -> Result<Done> {
        Err(Error::Usage("not built yet".into()))
    }
}
