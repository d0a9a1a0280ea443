//! `boardbus to-bars`: game records to BARS.

use std::{path::PathBuf, time::Duration};

use crate::{
    commands::{
        arguments::span,
        game_files::{Folders, GameFileArgs, Writer, write_games},
        incoming::Delayed,
        input::{Input, Layer, Records},
        names::Names,
        settling::Results,
        summary::SummaryArgs,
    },
    error::{Done, Result},
    format::{
        bars, game,
        russian::{Applied, Game, Games},
    },
    record::{GameRecord, Move, Record, Rules},
    stdio::{self, Output},
};

/// Game records to BARS
///
/// Writes a line of JSON for each game of Russian draughts, when it is over: area_monitor, the position before the
/// first move, and go, the moves. With --output all games are kept in a file, those of boards in the order of the
/// boards. BARS has no place for tags, clocks, comments, variations and results.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  boardbus from-pdn games.pdn | boardbus to-bars > games.jsonl
  boardbus watch -p /dev/ttyUSB0 | boardbus reconstruct | boardbus to-bars --output games.jsonl
  boardbus watch -p /dev/ttyUSB0 | boardbus reconstruct | boardbus to-bars --moves")]
pub struct ToBars {
    #[command(flatten)]
    input: Input,

    /// Keep this file up to date instead of writing to standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Publish each record only when it is this old by its `time`: 500ms, 90s, 15m, 1.5h; a bare number is seconds
    #[arg(long, value_name = "TIME", value_parser = span)]
    delay: Option<Duration>,

    /// A line for each move as it is played, with the position before it; a move is written when the next one
    /// comes or the game ends
    #[arg(long, conflicts_with = "output")]
    moves: bool,
}

impl ToBars {
    /// Runs the command.
    pub fn run(self) -> Result<Done> {
        if self.output.is_some() {
            let summary = SummaryArgs { summary: false };
            let args = GameFileArgs {
                output: self.output,
                delay: self.delay,
                results: Results::AtOnce,
                finished: false,
                no_empty: true,
                summary,
            };
            return write_games(&self.input, args, Folders::default(), Names::default(), Bars);
        }
        let records = self.input.records(Layer::Game);
        let (held, games, out) = (Delayed::new(self.delay), Games::default(), Output::stdout());
        let mut stream = Stream { moves: self.moves, records, held, games, out, written: false };
        stdio::lines(
            self.input.inputs().ends_with_reader(true),
            &mut stream,
            Stream::idle,
            |stream, place, line| {
                let Some(Record::Game(record)) = stream.records.record(place, line)? else { return Ok(()) };
                stream.held.pass_game(record).map_or(Ok(()), |record| stream.take(place, record))
            },
        )?;
        stream.end()
    }
}

/// Writes games, or moves, to standard output as they come.
struct Stream {
    moves: bool,
    records: Records,
    held: Delayed<GameRecord>,
    games: Games,
    out: Output,
    /// A record came that was not delayed.
    written: bool,
}

impl Stream {
    fn take(&mut self, place: impl std::fmt::Display, record: GameRecord) -> Result<()> {
        self.written = true;
        let Applied { closed, game } = self.games.apply(record);
        closed.into_iter().try_for_each(|game| write_closed(&mut self.out, game, self.moves))?;
        match game {
            Ok(Some(game)) if self.moves => {
                // The last move may still change while the game continues.
                let settled = game.plies.len() - usize::from(game.end.is_none() && !game.plies.is_empty());
                write_moves(&mut self.out, game, settled)
            }
            Ok(_) => Ok(()),
            Err(problem) => self.records.report(place, problem),
        }
    }

    fn idle(&mut self) -> Result<Option<Duration>> {
        let (due, next) = self.held.release();
        due.into_iter().try_for_each(|record| self.take("held back", record))?;
        self.out.flush()?;
        Ok(next)
    }

    fn end(mut self) -> Result<Done> {
        self.idle()?;
        if !self.written {
            self.held.report_delayed();
        }
        self.games.rest().try_for_each(|game| write_closed(&mut self.out, game, self.moves))?;
        self.out.flush()?;
        Ok(self.records.done())
    }
}

/// Writes a game that no longer changes.
fn write_closed(out: &mut Output, mut game: Game, moves: bool) -> Result<()> {
    if moves {
        let all = game.plies.len();
        return write_moves(out, &mut game, all);
    }
    out.record(&written(&game))
}

fn written(game: &Game) -> bars::Written<Vec<Vec<u16>>> {
    let go = game.plies.iter().map(|ply| bars::numbers(&ply.before, &ply.m)).collect();
    bars::Written { area_monitor: bars::matrix(&game.position), go }
}

/// Writes those of the first `settled` moves that were not written yet.
fn write_moves(out: &mut Output, game: &mut Game, settled: usize) -> Result<()> {
    for ply in game.plies.get(game.written..settled).unwrap_or_default() {
        let go = bars::numbers(&ply.before, &ply.m);
        out.record(&bars::Written { area_monitor: bars::matrix(&ply.before), go })?;
    }
    game.written = game.written.max(settled);
    Ok(())
}

/// Writes whole games to a file.
struct Bars;

impl Writer for Bars {
    type Ply = Move;

    const EXTENSION: &'static str = "jsonl";

    fn refuses(&self, rules: Rules) -> Option<&'static str> {
        (rules != Rules::Russian)
            .then_some("a game of chess, not of Russian draughts, has no BARS: use to-pgn")
    }

    fn write_standing(&self, out: &mut Vec<u8>, standing: &game::Game) -> Result<(), String> {
        let (game, refused) = Game::played(standing).map_err(|e| format!("{e}; it is left out"))?;
        // Writing to memory does not fail, and all keys are strings.
        let _ = serde_json::to_writer(&mut *out, &written(&game));
        out.push(b'\n');
        refused.map_or(Ok(()), Err)
    }

    fn write_read(&self, out: &mut Vec<u8>, standing: &game::Game) -> Result<(), String> {
        self.write_standing(out, standing)
    }
}
