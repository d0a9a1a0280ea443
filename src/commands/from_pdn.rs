//! `boardbus from-pdn`: PDN files to game records.

use clap::ValueEnum;

use super::{arguments::FormatArgs, draughts_files, input::Input, letters::LettersArgs};
use crate::{
    draughts,
    error::{Done, Result},
    format::pdn,
};

/// PDN files to game records
///
/// Reads games of Russian draughts (GameType 25, or none given) and checks every
/// move. Where a short capture leaves its path open, the one with the nearest landings is taken and marked as
/// a guess.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  boardbus from-pdn games.pdn | boardbus to-bars > games.jsonl
  boardbus from-pdn --numbering a1 old.pdn | boardbus to-pdn > new.pdn")]
pub struct FromPdn {
    #[command(flatten)]
    input: Input,

    /// Where square 1 is when squares are numbers [default: as GameType has it, else b8]
    #[arg(long, value_name = "SQUARE")]
    numbering: Option<Numbering>,

    #[command(flatten)]
    letters: LettersArgs,

    #[command(flatten)]
    format: FormatArgs,
}

/// Where square 1 is.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum Numbering {
    /// 1 = b8, 32 = g1: what nearly all programs write
    B8,
    /// 1 = a1, 32 = h8
    A1,
    /// 1 = g1, 32 = b8
    G1,
    /// 1 = h8, 32 = a1
    H8,
}

impl FromPdn {
    /// Runs the command.
    pub fn run(self) -> Result<Done> {
        let numbering = self.numbering.map(|numbering| match numbering {
            Numbering::B8 => draughts::Numbering::B8,
            Numbering::A1 => draughts::Numbering::A1,
            Numbering::G1 => draughts::Numbering::G1,
            Numbering::H8 => draughts::Numbering::H8,
        });
        let letters = self.letters.of(&self.input.files, Some("ru"));
        draughts_files::read(&self.input, Some(letters), self.format.output(), || {
            let mut reader = pdn::Reader::new(numbering);
            move |line: Option<(&str, &[u8])>| match line {
                Some((source, line)) => reader.line(source, line),
                None => reader.end(),
            }
        })
    }
}
