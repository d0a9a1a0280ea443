//! `boardbus from-pgn`: PGN files to game records.

use std::{
    cell::RefCell,
    collections::VecDeque,
    num::NonZeroUsize,
    sync::{Mutex, mpsc},
    thread,
};

use crate::{
    commands::{
        arguments::FormatArgs,
        input::{Input, of_records, report_if_nothing},
        letters::{FileLetters, LettersArgs},
    },
    error::{Done, Error, Result},
    format::pgn::{Cutter, GameText, Json, ReportKind},
    format::text::Letters,
    record::Stream,
    stdio::{self, Bad, Output, Piece, Place, Then},
};

/// Up to this many bytes of text are read as one batch: few enough that the records stay in a core's cache.
const BATCH_BYTES: usize = 16 * 1024;
/// More threads than a machine has cores only use memory.
const JOBS_MAX: usize = 256;

/// PGN files to game records
///
/// Every game becomes a `game` record with its tags and a `move` record for every ply, with SAN, FEN, comments,
/// glyphs and variations. What cannot be read becomes an `anomaly`; the games around it are not touched by it.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  boardbus from-pgn games.pgn | jq -r 'select(.type==\"move\") | .fen'
  boardbus from-pgn big.pgn | boardbus to-pgn > clean.pgn")]
pub struct FromPgn {
    #[command(flatten)]
    input: Input,

    /// Read on this number of cores; the order of the records stays [default: all, up to eight]
    #[arg(short, long, value_name = "N")]
    jobs: Option<NonZeroUsize>,

    #[command(flatten)]
    letters: LettersArgs,

    #[command(flatten)]
    format: FormatArgs,
}

/// Some games of one file, and the records read from them.
#[derive(Default)]
struct Batch {
    file: String,
    letters: Letters,
    text: Vec<u8>,
    /// For each game its line, where its text ends, and its number.
    games: Vec<(u64, usize, u32)>,
    json: Json,
}

impl Batch {
    /// Empties the batch, for games of this file.
    fn begin(&mut self, file: &str) {
        self.file.clear();
        self.file.push_str(file);
        self.text.clear();
        self.games.clear();
    }

    /// Reads the games.
    fn read(&mut self) {
        self.json.begin_in(&self.file, self.letters);
        let mut begin = 0;
        for &(line, end, number) in &self.games {
            self.json.read(GameText { line, text: &self.text[begin..end] }, number);
            begin = end;
        }
    }
}

/// A batch to read, and the channel on which it is returned.
type Job = (Batch, mpsc::Sender<Batch>);

impl FromPgn {
    /// Runs the command.
    pub fn run(self) -> Result<Done> {
        let jobs = self.jobs.map_or_else(cores, NonZeroUsize::get).min(JOBS_MAX);
        // No time and no run in the stream record: the same files give the same records.
        let source = Stream::of_run(String::new(), None);
        let letters = self.letters.of(&self.input.files, None);
        let mut writer = Writer {
            out: self.format.output(),
            bad: self.input.bad(),
            no_game: String::new(),
            waiting: VecDeque::new(),
            spare: Vec::new(),
        };
        writer.out.record(&source)?;
        let (sender, receiver) = mpsc::channel::<Job>();
        let receiver = Mutex::new(receiver);
        let games = thread::scope(|scope| {
            // Where the system has no threads left, the existing ones do the work.
            let spawn = |_| thread::Builder::new().spawn_scoped(scope, || work(&receiver)).is_ok();
            let working = if jobs == 1 { 0 } else { (0..jobs).take_while(|n| spawn(*n)).count() };
            // The sender is dropped with this closure, which ends the workers.
            let sender = sender;
            read(&self.input, letters, &mut writer, |writer, mut batch| {
                if working == 0 {
                    batch.read();
                    return writer.write(batch);
                }
                let (done, waiting) = mpsc::channel();
                sender.send((batch, done)).map_err(|_| died())?;
                writer.waiting.push_back(waiting);
                writer.drain(2 * jobs)
            })
        })?;
        writer.out.flush()?;
        report_if_nothing("games", games, &writer.bad);
        Ok(writer.bad.done("place"))
    }
}

/// How many threads are useful here: the thread that cuts and writes keeps only a few busy.
fn cores() -> usize {
    thread::available_parallelism().map_or(1, NonZeroUsize::get).min(8)
}

/// Reads batches until there are no more.
fn work(jobs: &Mutex<mpsc::Receiver<Job>>) {
    loop {
        // The lock is held while waiting, so the next to wait is the next to get a batch.
        let job = jobs.lock().map(|jobs| jobs.recv());
        let Ok(Ok((mut batch, done))) = job else { return };
        batch.read();
        // The receiver is gone when the command ends early.
        let _ = done.send(batch);
    }
}

fn died() -> Error {
    Error::Data("a thread that read games has died".into())
}

/// A file that is being read.
#[derive(Default)]
struct PgnFile {
    cutter: Cutter,
    begun: bool,
    /// It is no PGN file, which was reported.
    other: bool,
    /// The encoding asked for, or the one found once some text is not UTF-8.
    letters: Option<Letters>,
}

/// Cuts the input into batches of whole games; returns how many games there were.
fn read(
    input: &Input,
    mut letters: FileLetters,
    writer: &mut Writer,
    mut each: impl FnMut(&mut Writer, Batch) -> Result<()>,
) -> Result<u64> {
    let inputs = input.inputs().ends_with_reader(true);
    let file = || PgnFile { letters: letters.asked, ..PgnFile::default() };
    let mut files: Vec<PgnFile> = (0..inputs.count()).map(|_| file()).collect();
    let mut number = 0;
    let writer = RefCell::new(writer);
    stdio::each_block(
        inputs,
        || writer.borrow_mut().idle(),
        |Piece { file, nth, bytes, then }| {
            let PgnFile { cutter, begun, other, letters: known } = &mut files[nth];
            if !std::mem::replace(begun, then == Then::More) {
                let problem = of_records(bytes).map(|what| format!("this is no PGN but {what}"));
                *other = problem.is_some();
                let report = |problem| writer.borrow_mut().bad.report(Place { file, line: 1 }, problem);
                problem.map_or(Ok(()), report)?;
            }
            if *other {
                return Ok(());
            }
            let mut batch = writer.borrow_mut().batch(file);
            cutter.push(bytes, |game| {
                number += 1;
                if known.is_none() && str::from_utf8(game.text).is_err() {
                    *known = Some(letters.of(file, &[game.text, bytes].concat()));
                }
                batch.letters = known.unwrap_or_default();
                batch.text.extend_from_slice(game.text);
                batch.games.push((game.line, batch.text.len(), number));
                if batch.text.len() < BATCH_BYTES {
                    return Ok(());
                }
                let writer = &mut writer.borrow_mut();
                let whole = std::mem::replace(&mut batch, writer.batch(file));
                each(writer, whole)
            })?;
            let writer = &mut writer.borrow_mut();
            if batch.games.is_empty() {
                writer.spare.push(batch);
                return Ok(());
            }
            each(writer, batch)
        },
    )?;
    writer.into_inner().drain(0)?;
    Ok(number.into())
}

/// Writes the records in the order of the input.
struct Writer {
    out: Output,
    bad: Bad,
    /// The file that was reported as no PGN; reported once.
    no_game: String,
    /// Batches that are being read.
    waiting: VecDeque<mpsc::Receiver<Batch>>,
    /// Batches that were written, for reuse.
    spare: Vec<Batch>,
}

impl Writer {
    /// An empty batch for games of this file.
    fn batch(&mut self, file: &str) -> Batch {
        let mut batch = self.spare.pop().unwrap_or_default();
        batch.begin(file);
        batch
    }

    /// Writes the records of a batch.
    fn write(&mut self, batch: Batch) -> Result<()> {
        let json = &batch.json;
        self.out.text(json.lines())?;
        for report in json.reports() {
            let place = Place { file: json.file(), line: report.line };
            match report.kind {
                ReportKind::Doubt => stdio::say(format_args!("{place}: {}", report.problem)),
                ReportKind::NoGame
                    if std::mem::replace(&mut self.no_game, place.file.to_owned()) == place.file => {}
                _ => self.bad.report(place, &report.problem)?,
            }
        }
        self.spare.push(batch);
        Ok(())
    }

    /// Writes the oldest batches until at most `left` are outstanding.
    fn drain(&mut self, left: usize) -> Result<()> {
        while self.waiting.len() > left {
            if let Some(waiting) = self.waiting.pop_front() {
                self.write(waiting.recv().map_err(|_| died())?)?;
            }
        }
        Ok(())
    }

    fn idle(&mut self) -> Result<()> {
        self.drain(0)?;
        self.out.flush()
    }
}
