//! `boardbus to-pgn`: game records to PGN.

use std::path::PathBuf;

use crate::{
    commands::{
        game_files::{Folders, GameFileArgs, Writer, write_games},
        input::Input,
        names::Names,
    },
    error::{Done, Result},
    format::{
        game::Game,
        pgn::{self, Style},
    },
    record::Rules,
};

/// Game records to PGN
///
/// Games read from files (from-pgn) are written one after the other. Games of boards are written in the order
/// of the boards when the input ends; with --output, --split or --livechess the files follow every move, and
/// whoever reads them finds them whole, always.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  boardbus from-pgn old.pgn | boardbus to-pgn > clean.pgn
  boardbus watch -p /dev/ttyUSB0 | boardbus reconstruct | boardbus to-pgn --output games.pgn
  boardbus reconstruct round3.jsonl | boardbus to-pgn --round 3 --roster round3.csv --delay 15m -o games.pgn
  boardbus reconstruct round3.jsonl | boardbus to-pgn --round 3 --trf open.trf --boards 1025-1032 --split web")]
pub struct ToPgn {
    #[command(flatten)]
    input: Input,

    #[command(flatten)]
    files: GameFileArgs,

    /// Keep DIR/round-R/game-N.pgn and DIR/round-R/games.pgn up to date, as LiveChess does
    #[arg(long, value_name = "DIR")]
    split: Option<PathBuf>,

    /// Keep DIR/tournament.json, DIR/round-R/index.json and DIR/round-R/game-N.json up to date
    #[arg(long, value_name = "DIR")]
    livechess: Option<PathBuf>,

    #[command(flatten)]
    names: Names,

    /// Write the time used for each move of a board, where it is known, as [%emt h:mm:ss]
    #[arg(long)]
    emt: bool,

    /// Leave out the comments that tell of illegal moves, gaps and guesses
    #[arg(long)]
    no_anomalies: bool,

    /// Judge moves by their evaluations: ?!, ? and ?? where they lost much of the chances to win, and what was better
    #[arg(long)]
    judge: bool,

    /// Write a comment behind each move of a board that is doubtful: how sure it is, and what else it may have been
    #[arg(long)]
    doubts: bool,
}

impl ToPgn {
    /// Runs the command.
    pub fn run(self) -> Result<Done> {
        let style = Style {
            elapsed: self.emt,
            no_anomalies: self.no_anomalies,
            doubts: self.doubts,
            judge: self.judge,
        };
        let folders = Folders { split: self.split, livechess: self.livechess };
        write_games(&self.input, self.files, folders, self.names, style)
    }
}

impl Writer for Style {
    type Ply = pgn::Ply;

    const EXTENSION: &'static str = "pgn";

    fn refuses(&self, rules: Rules) -> Option<&'static str> {
        (!rules.has_pgn()).then_some("a game of draughts has no PGN: use to-pdn")
    }

    fn write_standing(&self, out: &mut Vec<u8>, game: &Game) -> Result<(), String> {
        self.write(out, game);
        Ok(())
    }

    fn write_read(&self, out: &mut Vec<u8>, game: &Game<pgn::Ply>) -> Result<(), String> {
        // What a file says is kept: the times used too.
        Style { elapsed: true, ..*self }.write(out, game);
        Ok(())
    }
}
