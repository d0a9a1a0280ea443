//! `boardbus evaluate`: an engine's evaluation beside each position.

use std::{fs, num::NonZeroUsize, os::fd::AsFd, path::Path, thread, time::Duration};

use crate::{
    commands::{
        arguments::{FormatArgs, span_above_0},
        input::{Input, Layer, Records},
    },
    engine::{Aim, Desk, InOrder, Limit, Live, Plan, Pool, Program, Settings},
    error::{Done, Error, Result},
    record::{GameEvent, GameRecord, Record},
    stdio::{self, Output, Place},
    stop,
};

/// The interval at which the answers of engines are fetched.
const FETCH_INTERVAL: Duration = Duration::from_millis(20);
/// The depth of the search unless options give another.
const USUAL_AIM: Aim = Aim::Nodes(100_000);

/// An engine's evaluation beside each position of chess
///
/// Passes game records on and adds an engine's evaluation of the position after each move. Moves are never delayed: of
/// boards in play the newest positions are evaluated first, then evaluated more deeply, then those that were skipped,
/// and finished games last. For files each evaluation follows its move. Any UCI engine will do; Debian has it with
/// `apt-get install stockfish`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  boardbus reconstruct --follow round3.jsonl | boardbus evaluate | boardbus to-html --output /srv/www/round3 --delay 15m
  boardbus from-pgn games.pgn | boardbus evaluate --nodes 1000000 | boardbus to-pgn --judge > judged.pgn
  boardbus evaluate --engine fairy-stockfish --movetime 500ms --option 'Skill Level=20' games.jsonl")]
pub struct Evaluate {
    #[command(flatten)]
    input: Input,

    #[command(flatten)]
    format: FormatArgs,

    /// The engine: a program from the PATH or /usr/games, or its file, with its arguments after blanks
    #[arg(long, value_name = "PROGRAM", default_value = "stockfish")]
    engine: String,

    /// How many engines run at once, each with one thread [default: the cores but one]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    engines: Option<u16>,

    /// The size of each engine's hash table in megabytes
    #[arg(long, value_name = "MB", default_value_t = 16, value_parser = clap::value_parser!(i64).range(1..=1_048_576))]
    hash: i64,

    /// Have the engine search this number of positions (Stockfish, Fairy-Stockfish, Glaurung; others ignore it)
    #[arg(long, value_name = "N", group = "limit", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,

    /// Have the engine search to this depth in plies
    #[arg(long, value_name = "PLIES", group = "limit", value_parser = clap::value_parser!(u32).range(1..=245))]
    depth: Option<u32>,

    /// Have the engine search for this many milliseconds, as UCI counts; 2s is accepted too
    #[arg(long, value_name = "MS", group = "limit", value_parser = movetime)]
    movetime: Option<Duration>,

    /// Set an option of the engine
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = option)]
    options: Vec<(String, String)>,
}

fn movetime(text: &str) -> Result<Duration, String> {
    match text.parse() {
        Ok(0) => Err("no time is no limit".into()),
        Ok(milliseconds) => Ok(Duration::from_millis(milliseconds)),
        Err(_) => span_above_0(text)
            .map_err(|_| "not a time such as 500ms or 2s; a bare number is milliseconds".into()),
    }
}

fn option(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("an option is NAME=VALUE, as in Contempt=0")?;
    if text.contains(char::is_control) {
        return Err("an option has one line".into());
    }
    Ok((name.trim().to_owned(), value.trim().to_owned()))
}

impl Evaluate {
    /// Runs the command.
    pub fn run(self) -> Result<Done> {
        let asked = [self.nodes.map(Aim::Nodes), self.depth.map(Aim::Depth), self.movetime.map(Aim::Time)];
        let asked = asked.into_iter().flatten().next().map(Limit::of);
        let program = Program::find(&self.engine);
        if program.is_none() {
            stdio::say(missing(&self.engine));
        }
        let cores = thread::available_parallelism().map_or(1, NonZeroUsize::get);
        let engines = self.engines.map_or((cores - 1).max(1), usize::from);
        let work = Work {
            records: self.input.records(Layer::Game),
            out: self.format.output(),
            kind: if is_of_files(&self.input) { Kind::InOrder } else { Kind::Unknown },
            pool: None,
            program,
            engines,
            asked,
            hash: self.hash,
            options: self.options,
        };
        work.run(&self.input)
    }
}

/// The message for an engine that does not exist.
fn missing(engine: &str) -> String {
    let install = match engine {
        "stockfish" => ": apt-get install stockfish, or --engine PROGRAM",
        _ => "",
    };
    format!(
        "no engine {engine}, neither in the PATH nor in /usr/games{install}; records pass without evaluations"
    )
}

/// Whether the whole input is files that have ended.
fn is_of_files(input: &Input) -> bool {
    let is_file = |path: &Path| match path.as_os_str() == "-" {
        true => {
            let stdin = std::io::stdin().as_fd().try_clone_to_owned().map(fs::File::from);
            stdin.and_then(|file| file.metadata()).is_ok_and(|data| data.is_file())
        }
        false => path.is_file(),
    };
    let files = &input.files;
    let all = if files.is_empty() { is_file(Path::new("-")) } else { files.iter().all(|path| is_file(path)) };
    all && !input.follow
}

/// The order of the evaluations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Each after its move.
    InOrder,
    /// Each as soon as it exists.
    Live,
    /// Undecided: no game has begun yet.
    Unknown,
}

/// The records and their evaluations.
struct Work {
    records: Records,
    out: Output,
    kind: Kind,
    pool: Option<Pool>,
    program: Option<Program>,
    engines: usize,
    asked: Option<Limit>,
    hash: i64,
    options: Vec<(String, String)>,
}

impl Work {
    fn run(mut self, input: &Input) -> Result<Done> {
        stdio::lines(input.inputs().ends_with_reader(true), &mut self, Work::idle, Work::line)?;
        while stop::requested().is_none() && self.waits() {
            self.pass()?;
            self.out.flush()?;
            self.wait();
        }
        if let Some(pool) = self.pool.as_ref().filter(|_| stop::requested().is_some()) {
            // The records read so far are passed on; nothing more is evaluated.
            pool.at_desk(|desk| desk.give_up());
        }
        self.pass()?;
        self.out.flush()?;
        let has_none = self.program.is_none() || self.pool.as_ref().is_some_and(Pool::is_given_up);
        let left_out = self.pool.as_ref().map_or(0, Pool::left_out);
        // Engines end here.
        drop(self.pool.take());
        let mut done = self.records.done();
        if left_out > 0 {
            done = Done::BadData;
            let positions = if left_out == 1 { "position was" } else { "positions were" };
            stdio::say(format_args!("{left_out} {positions} left out"));
        }
        if has_none && stop::requested().is_none() {
            return Err(Error::port("engine", "none is left: later positions have no evaluations"));
        }
        Ok(done)
    }

    fn line(&mut self, place: Place<'_>, line: &[u8]) -> Result<()> {
        let Some(record) = self.records.record(place, line)? else { return Ok(()) };
        let record = match record {
            Record::Game(record) => Some(record),
            Record::Board(_) | Record::Stream(_) | Record::Other => None,
        };
        if let Some(record) = &record {
            self.decide(record);
        }
        let Some(pool) = &self.pool else {
            self.out.text(line)?;
            return self.out.text(b"\n");
        };
        pool.at_desk(|desk| desk.line(line, record.as_ref()));
        while self.pass()? && stop::requested().is_none() {
            self.wait();
        }
        Ok(())
    }

    /// Decides the order by the first game: for a game read from a file the moves may wait for their evaluations.
    fn decide(&mut self, record: &GameRecord) {
        if !matches!(record.event, GameEvent::Game(_)) {
            return;
        }
        if self.kind == Kind::Unknown {
            let is_of_file = record.board.is_none() && record.time.is_none();
            self.kind = if is_of_file { Kind::InOrder } else { Kind::Live };
        }
        let Some(program) = self.program.as_ref().filter(|_| self.pool.is_none()) else { return };
        let usual = Limit::of(USUAL_AIM);
        let desk: Box<dyn Desk> = match self.kind {
            Kind::Live => Box::new(Live::new(Plan::new(self.asked, usual, self.engines))),
            Kind::InOrder | Kind::Unknown => Box::new(InOrder::new(self.asked.unwrap_or(usual))),
        };
        let is_live = self.kind == Kind::Live;
        let settings = Settings {
            program: program.clone(),
            hash: self.hash,
            options: std::mem::take(&mut self.options),
            afresh: !is_live,
            nice: is_live,
        };
        self.pool = Some(Pool::new(desk, self.engines, settings, |words| stdio::say(words)));
    }

    fn waits(&self) -> bool {
        self.pool.as_ref().is_some_and(|pool| pool.at_desk(|desk| desk.waits()))
    }

    /// Waits up to one interval for results of the engines.
    fn wait(&self) {
        if let Some(pool) = &self.pool {
            pool.wait(FETCH_INTERVAL);
        }
    }

    /// Writes what is ready. Returns whether the buffer is so full that no more is read for now.
    fn pass(&mut self) -> Result<bool> {
        let Some(pool) = &self.pool else { return Ok(false) };
        let (ready, is_full) = pool.at_desk(|desk| (desk.take(), desk.is_full()));
        // While engines search, minutes may pass without a write, and only a write fails when the reader has gone.
        if ready.is_empty() && stdio::reader_has_gone() {
            return Err(Error::ReaderGone);
        }
        self.out.text(ready)?;
        Ok(is_full)
    }

    fn idle(&mut self) -> Result<Option<Duration>> {
        self.pass()?;
        self.out.flush()?;
        Ok(self.waits().then_some(FETCH_INTERVAL))
    }
}
