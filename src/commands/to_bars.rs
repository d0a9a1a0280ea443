//! `boardbus to-bars`: game records to BARS.

use super::input::{Input, Layer};
use crate::{
    error::{Done, Result},
    format::{
        bars,
        russian::{Game, Games},
    },
    record::Record,
    stdio::{self, Output},
};

/// Game records to BARS
///
/// Writes a line of JSON for each game of Russian draughts: area_monitor, the position before the first move,
/// and go, the moves. Tags, clocks, comments, variations and results have no place in BARS.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  boardbus from-pdn games.pdn | boardbus to-bars > games.jsonl
  boardbus watch -p /dev/ttyUSB0 | boardbus reconstruct | boardbus to-bars --moves")]
pub struct ToBars {
    #[command(flatten)]
    input: Input,

    /// A line for each move as it is played, with the position before it; a move is written when the next one
    /// comes or the game ends
    #[arg(long)]
    moves: bool,
}

impl ToBars {
    /// Runs the command.
    pub fn run(self) -> Result<Done> {
        let mut records = self.input.records(Layer::Game);
        let mut games = Games::default();
        let mut out = Output::stdout();
        stdio::each_line(&self.input.files, &mut out, |out, place, line| {
            let Some(Record::Game(record)) = records.record(place, line)? else { return Ok(()) };
            let applied = games.apply(record);
            for game in applied.closed {
                self.write_closed(out, game)?;
            }
            match applied.game {
                Ok(Some(game)) if self.moves => {
                    // The last move may still change as long as the game goes on.
                    let settled =
                        game.plies.len() - usize::from(game.end.is_none() && !game.plies.is_empty());
                    write_moves(out, game, settled)
                }
                Ok(_) => Ok(()),
                Err(problem) => records.report(place, problem),
            }
        })?;
        for game in games.rest() {
            self.write_closed(&mut out, game)?;
        }
        out.flush()?;
        Ok(records.done())
    }

    /// Writes a game that does not change any more.
    fn write_closed(&self, out: &mut Output, mut game: Game) -> Result<()> {
        if self.moves {
            let all = game.plies.len();
            return write_moves(out, &mut game, all);
        }
        let go: Vec<_> = game.plies.iter().map(|ply| bars::numbers(&ply.before, &ply.m)).collect();
        out.record(&bars::Written { area_monitor: bars::matrix(&game.position), go })
    }
}

/// Writes those of the first `settled` moves that have not been written.
fn write_moves(out: &mut Output, game: &mut Game, settled: usize) -> Result<()> {
    for ply in game.plies.get(game.written..settled).unwrap_or_default() {
        let go = bars::numbers(&ply.before, &ply.m);
        out.record(&bars::Written { area_monitor: bars::matrix(&ply.before), go })?;
    }
    game.written = game.written.max(settled);
    Ok(())
}
