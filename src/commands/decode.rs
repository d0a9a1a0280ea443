//! `boardbus decode`: bytes of a capture to board records.

use crate::error::{Done, Error, Result};

/// Bytes of a capture to board records
#[derive(Debug, clap::Args)]
pub struct Decode {}

impl Decode {
    /// Runs the command.
    pub fn run(self) -> Result<Done> {
        Err(Error::Usage("not built yet".into()))
    }
}
