//! `boardbus to-pgn`: game records to PGN.

use std::{marker::PhantomData, path::PathBuf};

use crate::{
    commands::{
        game_files::{Folders, GameFileArgs, Writer, write_games},
        input::Input,
        names::Names,
    },
    error::{Done, Result},
    format::{
        game::Game,
        pgn::{self, QuickPly, Style},
    },
    record::Rules,
};

/// Game records to PGN
///
/// Games read from files (from-pgn) are written one after the other. Games of boards are written in the order of the
/// boards when the input ends; with --output, --split or --livechess the files follow every move, and are complete
/// whenever they are read.
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

    /// Leave out the comments on illegal moves, gaps and guesses
    #[arg(long)]
    no_anomalies: bool,

    /// Mark moves that lost winning chances, by their evaluations, with ?!, ? or ??, and write the better move
    #[arg(long)]
    judge: bool,

    /// Write a comment after each doubtful move of a board: its certainty, and which other moves fit
    #[arg(long)]
    doubts: bool,

    /// Write the opening as the tags ECO, Opening and Variation, if the game does not have them
    ///
    /// It is the opening of the last position that has a name, whichever moves led to it.
    #[arg(long)]
    openings: bool,
}

impl ToPgn {
    /// Runs the command.
    pub fn run(self) -> Result<Done> {
        let Self { emt: elapsed, no_anomalies, doubts, judge, openings, .. } = self;
        let style = Style { elapsed, no_anomalies, doubts, judge, openings };
        let folders = Folders { split: self.split, livechess: self.livechess };
        if openings {
            let pgn = Pgn::<pgn::Named> { style, ply: PhantomData };
            return write_games(&self.input, self.files, folders, self.names, pgn);
        }
        let pgn = Pgn::<pgn::Ply> { style, ply: PhantomData };
        write_games(&self.input, self.files, folders, self.names, pgn)
    }
}

/// The style of the PGN, and what is kept of the plies of a game from a file.
struct Pgn<P> {
    style: Style,
    ply: PhantomData<P>,
}

impl<P: pgn::Write + for<'a> From<QuickPly<'a>>> Writer for Pgn<P> {
    type Ply = P;

    const EXTENSION: &'static str = "pgn";

    fn refuses(&self, rules: Rules) -> Option<&'static str> {
        (!rules.has_pgn()).then_some("a game of draughts has no PGN: use to-pdn")
    }

    fn write_standing(&self, out: &mut Vec<u8>, game: &Game) -> Result<(), String> {
        self.style.write(out, game);
        Ok(())
    }

    fn write_read(&self, out: &mut Vec<u8>, game: &Game<P>) -> Result<(), String> {
        // The data of a file are kept, elapsed times included.
        Style { elapsed: true, ..self.style }.write(out, game);
        Ok(())
    }
}
