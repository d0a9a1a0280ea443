//! What the filters share: the files they read, the records in them, and how they take what is bad.

use std::path::PathBuf;

use clap::Args;

use crate::{
    error::{Error, Result},
    record::{BadRecord, Record, parse},
    stdio::{Bad, Place},
};

/// Where a filter reads from, and how it takes bad input.
#[derive(Debug, Args)]
pub(super) struct Input {
    /// Files to read; none, or `-`, is standard input
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// Stop at the first bad input instead of skipping it
    #[arg(long)]
    pub strict: bool,
}

impl Input {
    /// A counter of bad input that is as strict as the user asked.
    pub fn bad(&self) -> Bad {
        Bad::new(self.strict)
    }
}

/// The record that a line of the input is; none when it is none, which is reported. A stream of a later contract
/// ends the reading: going on would misread it.
pub(super) fn record(bad: &mut Bad, place: Place<'_>, line: &[u8]) -> Result<Option<Record>> {
    match parse(line) {
        Ok(record) => Ok(Some(record)),
        Err(error @ BadRecord::Version(_)) => Err(Error::Data(format!("{place}: {error}"))),
        Err(error) => bad.report(place, error).map(|()| None),
    }
}
