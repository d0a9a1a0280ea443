//! `boardbus to-pdn`: game records to PDN.

use std::path::PathBuf;

use crate::{
    commands::{
        game_files::{Folders, GameFileArgs, Writer, write_games},
        input::Input,
        names::Names,
    },
    error::{Done, Result},
    format::{game, pdn::Style, russian::Game},
    record::{Move, Rules},
};

/// Game records to PDN
///
/// Writes games of Russian draughts as PDN 3.0. Games read from files (from-pdn, from-bars) are written one after the
/// other. Games of boards are written in the order of the boards when the input ends; with --output or --split the
/// files follow every move, and are complete whenever they are read. A capture is written by its ends where these
/// determine it, else with every landing.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  boardbus from-bars games.jsonl | boardbus to-pdn > games.pdn
  boardbus watch -p /dev/ttyUSB0 | boardbus reconstruct | boardbus to-pdn --output games.pdn
  boardbus reconstruct round3.jsonl | boardbus to-pdn --round 3 --roster round3.csv --delay 15m -o games.pdn
  boardbus reconstruct hall.jsonl | boardbus to-pdn --x --points > for-lidraughts.pdn")]
pub struct ToPdn {
    #[command(flatten)]
    input: Input,

    #[command(flatten)]
    files: GameFileArgs,

    /// Keep DIR/round-R/game-N.pdn and DIR/round-R/games.pdn up to date
    #[arg(long, value_name = "DIR")]
    split: Option<PathBuf>,

    #[command(flatten)]
    names: Names,

    /// Squares by number, 1 = b8 (GameType 25,W,8,8,N2,0)
    #[arg(long)]
    numeric: bool,

    /// x for captures instead of the colon
    #[arg(long)]
    x: bool,

    /// Results as 2-0, 1-1 and 0-2
    #[arg(long)]
    points: bool,

    /// Write the time used for each move, where it is known, as [%emt h:mm:ss]
    #[arg(long)]
    emt: bool,

    /// Leave out the comments on illegal moves, gaps and guesses
    #[arg(long)]
    no_anomalies: bool,
}

impl ToPdn {
    /// Runs the command.
    pub fn run(self) -> Result<Done> {
        let style = Style {
            numeric: self.numeric,
            crosses: self.x,
            points: self.points,
            elapsed: self.emt,
            no_anomalies: self.no_anomalies,
        };
        let folders = Folders { split: self.split, livechess: None };
        write_games(&self.input, self.files, folders, self.names, style)
    }
}

impl Writer for Style {
    type Ply = Move;

    const EXTENSION: &'static str = "pdn";

    fn refuses(&self, rules: Rules) -> Option<&'static str> {
        (rules != Rules::Russian)
            .then_some("a game of chess, not of Russian draughts, has no PDN here: use to-pgn")
    }

    fn write_standing(&self, out: &mut Vec<u8>, standing: &game::Game) -> Result<(), String> {
        let (game, refused) = Game::played(standing).map_err(|e| format!("{e}; it is left out"))?;
        out.extend_from_slice(self.text(&game).as_bytes());
        refused.map_or(Ok(()), Err)
    }

    fn write_read(&self, out: &mut Vec<u8>, standing: &game::Game) -> Result<(), String> {
        self.write_standing(out, standing)
    }
}
