//! `boardbus from-bars`: BARS files to game records.

use super::{arguments::FormatArgs, draughts_files, input::Input};
use crate::{
    error::{Done, Result},
    format::{bars, russian::ReadItem},
};

/// BARS files to game records
///
/// Reads games of Russian draughts as lists of numbers, in JSON or as Python writes them, and checks every
/// number and every move. A game without an area_monitor begins from the start position.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  boardbus from-bars games.jsonl | boardbus to-pdn > games.pdn
  echo '[[156, 145], [223, 234], [145, 10234, 123]]' | boardbus from-bars
  boardbus from-bars --lenient typed-by-hand.txt | boardbus to-bars")]
pub struct FromBars {
    #[command(flatten)]
    input: Input,

    /// Take the piece from the board where a number has its colour or rank wrong, and report it
    #[arg(long)]
    lenient: bool,

    #[command(flatten)]
    format: FormatArgs,
}

impl FromBars {
    /// Runs the command.
    pub fn run(self) -> Result<Done> {
        draughts_files::read(&self.input, None, self.format.output(), || {
            let mut reader = bars::Reader::new(self.lenient);
            move |line: Option<(&str, &[u8])>| match line.map(|(at, line)| (at, std::str::from_utf8(line))) {
                Some((source, Ok(line))) => reader.line(source, line),
                Some((_, Err(_))) => vec![ReadItem::Bad("this is not UTF-8".into())],
                None => reader.end(),
            }
        })
    }
}
