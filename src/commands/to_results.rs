//! `boardbus to-results`: game records to the results of a round, in the format of its pairing program or for people.

mod files;

use std::{
    collections::{BTreeMap, BTreeSet},
    path::PathBuf,
    time::{Duration, Instant},
};

use crate::{
    commands::{
        earlier::Earlier,
        incoming::Incoming,
        input::Input,
        names::{Names, Raw},
        outputs::refuse_records,
        rulings::Rulings,
        settling::Results,
    },
    error::{Done, Error, Result},
    format::{
        game::Key,
        pairings::{self, Program},
        ranges,
        results::{self, Beside, Filled, Line, Shown, Verdict},
    },
    record::{GameEvent, GameRecord, Move, Ruled, Time},
    stdio::{self, Output, Place},
};
use files::Files;

/// The minimum time between two writes of the file.
const WRITE_INTERVAL: Duration = Duration::from_secs(1);

/// Game records to the results of a round, for the arbiter
///
/// Writes the file from which the pairing program imports the results: Swiss-Manager's Spielerauslosung, or a
/// tournament report (for Vega and others); or CSV, or text. A result is written when it is final: its end has stood
/// for a minute, or was ruled. A game that is open stays empty, and so does one that has to be checked; both are
/// listed, and the exit code is 1.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  boardbus reconstruct round3.jsonl | boardbus to-results --pairings Spielerdaten.txt Spielerauslosung.txt --round 3 > results.txt
  boardbus reconstruct round3.jsonl | boardbus to-results --pairings vega-open/ --round 3 --boards 1025-1088 > open.trf
  boardbus reconstruct round3.jsonl | boardbus to-results --roster round3.csv --format text")]
pub struct ToResults {
    #[command(flatten)]
    input: Input,

    /// Keep this file up to date instead of writing to standard output
    ///
    /// The players with whom each game began are kept beside it, in FILE.began.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// The format [default: that of the pairings; text on a terminal; csv]
    #[arg(long, value_enum)]
    format: Option<Format>,

    #[command(flatten)]
    names: Names,

    /// The arbiter's rulings on boards without a game, such as a forfeit; the same file as for reconstruct --rulings
    #[arg(long, value_name = "FILE")]
    rulings: Option<PathBuf>,

    /// Use only games that began at this time or later: 2026-11-21T15:00:00+01:00
    #[arg(long, value_name = "WHEN")]
    since: Option<Time>,

    /// Use only games that began before this time
    #[arg(long, value_name = "WHEN")]
    until: Option<Time>,

    /// Also write results that have to be checked, as the boards showed them
    #[arg(long)]
    include_doubtful: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// Swiss-Manager's Spielerauslosung with the results in it
    SwissManager,
    /// The tournament report with the results in it; for Vega, made from its engine26.trf
    Trf,
    /// A row for each table
    Csv,
    /// The tables that are finished, that have to be checked, and that are in play
    Text,
    /// The same as text, as a page that renews itself
    Html,
}

impl ToResults {
    /// Runs the command.
    pub fn run(self) -> Result<Done> {
        let inputs = self.names.files();
        if inputs.is_empty() {
            let what = "results need a round: --pairings (or --roster) names who plays where";
            return Err(Error::Usage(what.into()));
        }
        if let Some(output) = &self.output {
            stdio::refuse_same(&self.input.files, output)?;
            stdio::refuse_same(&inputs, output)?;
            refuse_records(output)?;
        }
        let incoming = Incoming::new(&self.input, self.names.dress()?, None, Results::Settled);
        let files = Files::new(self.output.as_deref())?;
        let mut ruled = BTreeMap::new();
        // A file of rulings may appear later where results are kept up to date.
        let live = self.input.follow || self.output.is_some();
        let rulings = self.rulings.as_deref();
        let rulings = Rulings::of_files(&[], rulings, live, self.input.bad(), |_, record| {
            take_ruling(&mut ruled, record);
            Ok(())
        })?;
        let earlier = Earlier::new(self.output.iter());
        let (format, with_doubtful, span) = (self.format, self.include_doubtful, [self.since, self.until]);
        let (out, shown, made) = (Output::stdout(), BTreeSet::new(), None);
        let mut work =
            Work { incoming, files, earlier, rulings, ruled, format, with_doubtful, span, out, shown, made };
        work.refuse_format()?;
        stdio::lines(self.input.inputs(), &mut work, Work::idle, Work::line)?;
        work.end()
    }
}

/// Adds a ruling on a whole game; the last one holds.
fn take_ruling(ruled: &mut BTreeMap<(Key, u32), Shown>, record: GameRecord) {
    let GameEvent::Ruling(ruling) = record.event else { return };
    let name = ((record.line, record.board), record.game);
    match ruling.ruled {
        _ if ruling.ply.is_some() => {}
        Ruled::Result { result: Some(outcome), forfeit } => {
            ruled.insert(name, Shown { outcome, forfeit, reason: "ruled" });
        }
        _ => drop(ruled.remove(&name)),
    }
}

struct Work {
    incoming: Incoming<Move>,
    files: Files,
    earlier: Earlier,
    rulings: Rulings,
    ruled: BTreeMap<(Key, u32), Shown>,
    format: Option<Format>,
    with_doubtful: bool,
    span: [Option<Time>; 2],
    out: Output,
    /// The messages reported so far: each is reported once.
    shown: BTreeSet<String>,
    /// When the results were last made.
    made: Option<Instant>,
}

/// The text to write, and what to report about it.
struct Made {
    text: Vec<u8>,
    lines: Vec<Line>,
    left: Vec<String>,
    /// The tables with a result in the file, whatever its source.
    has: BTreeSet<u16>,
}

impl Work {
    /// The program of the pairings; none without pairings, or while they cannot be read.
    fn program(&self) -> Option<Program> {
        let now = self.incoming.names().pairings_now().unwrap_or_default();
        let files: Vec<pairings::File> = now.into_iter().map(|(file, _)| file).collect();
        pairings::program(&files).ok()
    }

    /// Refuses a format that needs other pairings.
    fn refuse_format(&self) -> Result<()> {
        let has_pairings = self.incoming.names().options().pairings().0.any();
        let wanted = match self.format {
            Some(Format::SwissManager) => "Swiss-Manager's two text files",
            Some(Format::Trf) => "a tournament report or Vega's folder",
            _ => return Ok(()),
        };
        let fits = match self.program() {
            None => !has_pairings,
            Some(Program::SwissManager) => self.format != Some(Format::SwissManager),
            Some(Program::Vega | Program::Report) => self.format != Some(Format::Trf),
            Some(Program::Pgn) => true,
        };
        if fits { Err(Error::Usage(format!("this format wants --pairings of {wanted}"))) } else { Ok(()) }
    }

    fn line(&mut self, place: Place<'_>, line: &[u8]) -> Result<()> {
        self.incoming.line(place, line, |_, _| Ok(())).map(|_| ())
    }

    fn idle(&mut self) -> Result<Option<Duration>> {
        let due = self.incoming.release()?;
        let ruled = &mut self.ruled;
        let look = self.rulings.news(|record| {
            take_ruling(ruled, record);
            Ok(())
        })?;
        let due = due.into_iter().chain(look).min();
        if let Some(wait) = self.earlier.stays(self.incoming.so_far) {
            return Ok(due.into_iter().chain([wait]).min());
        }
        if self.files.any() {
            let rest = self.made.map_or(Duration::ZERO, |made| WRITE_INTERVAL.saturating_sub(made.elapsed()));
            if !rest.is_zero() {
                return Ok(due.into_iter().chain([rest]).min());
            }
            self.made = Some(Instant::now());
            // If nothing can be written now, it may be possible later.
            match self.make() {
                Ok(made) => {
                    // A full disk may have room again soon, and the results are made again.
                    if let Err(e) = self.files.publish(&made.text) {
                        self.report(format!("{e}; trying again"));
                    }
                    for line in made.lines.iter().filter(|line| matches!(line.verdict, Verdict::Doubtful(..)))
                    {
                        self.report(doubt(line));
                    }
                    made.left.into_iter().for_each(|left| self.report(left));
                }
                Err(problems) => problems.into_iter().for_each(|problem| self.report(problem)),
            }
        }
        Ok(due)
    }

    /// Reports something once.
    fn report(&mut self, what: String) {
        if !self.shown.contains(&what) {
            stdio::say(&what);
            self.shown.insert(what);
        }
    }

    /// The current results.
    ///
    /// # Errors
    /// The reasons why nothing may be written.
    fn make(&mut self) -> Result<Made, Vec<String>> {
        let one = |problem: String| vec![format!("{problem}: nothing is written")];
        let now = self.incoming.names().pairings_now().map_err(one)?;
        let (dress, games) = (self.incoming.dress(), &self.incoming.games);
        let young = self.incoming.unsettled().map(|(game, end)| (game, end.clone())).collect();
        let beside = Beside { young, ruled: self.ruled.clone(), span: self.span };
        let lines = results::lines(dress, games, &beside);
        let unpaired = results::without_seat(dress, games, &beside);
        if !unpaired.is_empty() {
            let boards = ranges(&unpaired);
            self.report(format!(
                "there are results of boards {boards}, and nobody is paired there: they are in no file"
            ));
        }
        let mut others = self.files.began(&lines).map_err(one)?;
        if !others.is_empty() {
            others.push(self.files.advice());
            return Err(others);
        }
        let (files, raw): (Vec<pairings::File>, Vec<Raw>) = now.into_iter().unzip();
        let program = pairings::program(&files).ok();
        let format = self.format.unwrap_or(match program {
            _ if !self.files.any() && stdio::person_reads() => Format::Text,
            Some(Program::SwissManager) => Format::SwissManager,
            Some(Program::Vega | Program::Report) => Format::Trf,
            Some(Program::Pgn) | None => Format::Csv,
        });
        let (options, round) = self.incoming.names().options().pairings();
        let order = options.order();
        let fill = |program, into: &_, sure: &_| results::filled(program, into, round, order, sure);
        let as_they_are = program.and_then(|program| fill(program, &files, &BTreeMap::new()).ok());
        let confirmed = as_they_are.unwrap_or_default().has;
        let listed = match format {
            Format::Csv => Some(results::csv(&lines, self.with_doubtful)),
            Format::Text => Some(results::text(&lines, &confirmed)),
            Format::Html => Some(results::html(&lines, &confirmed)),
            Format::SwissManager | Format::Trf => None,
        };
        if let Some(text) = listed {
            return Ok(Made { text: text.into_bytes(), lines, left: Vec::new(), has: confirmed });
        }
        let program = program.ok_or_else(|| one("no pairings of a program can be read".into()))?;
        let (sure, mut left) =
            results::by_table(&lines, &files, round, order, self.with_doubtful).map_err(one)?;
        let (into, is_utf_8) = into(program, files, raw).map_err(one)?;
        let Filled { text, left: more, has } = fill(program, &into, &sure).map_err(one)?;
        left.extend(more);
        let text = if is_utf_8 { text.into_bytes() } else { text.chars().map(|c| c as u8).collect() };
        Ok(Made { text, lines, left, has })
    }

    fn end(mut self) -> Result<Done> {
        self.incoming.end()?;
        let mut done = self.incoming.done().and(self.rulings.done());
        if self.files.any() && self.earlier.is_left() {
            return Ok(done);
        }
        match self.make() {
            Err(problems) => {
                problems.into_iter().for_each(|problem| self.report(problem));
                done = done.and(Done::No);
            }
            Ok(made) => {
                if self.files.any() {
                    self.files.publish(&made.text)?;
                } else {
                    self.out.text(&made.text)?;
                    self.out.flush()?;
                }
                done = done.and(self.report_open(made));
            }
        }
        Ok(done)
    }

    /// Reports the tables without a result.
    fn report_open(&mut self, made: Made) -> Done {
        let mut done = if made.left.is_empty() { Done::Yes } else { Done::No };
        made.left.into_iter().for_each(|left| self.report(left));
        let table = Line::number;
        let (mut playing, mut waiting) = (Vec::new(), Vec::new());
        for line in
            made.lines.iter().filter(|line| table(line).is_none_or(|table| !made.has.contains(&table)))
        {
            let number = table(line).unwrap_or(line.seat.board);
            match &line.verdict {
                Verdict::Sure(_) => continue,
                Verdict::Doubtful(shown, _) if self.with_doubtful && shown.is_some() => continue,
                Verdict::Doubtful(..) => self.report(doubt(line)),
                Verdict::Playing | Verdict::Young(_) => playing.push(number),
                Verdict::Waiting => waiting.push(number),
            }
            done = Done::No;
        }
        for (what, tables) in [("still played", playing), ("nobody has moved", waiting)] {
            if !tables.is_empty() {
                self.report(format!("no result, {what}: tables {}", ranges(&tables)));
            }
        }
        done
    }
}

/// The pairing files into which the results are written, and whether the output is UTF-8. Everything else in them stays
/// the same byte for byte.
fn into(
    program: Program,
    files: Vec<pairings::File>,
    raw: Vec<Raw>,
) -> Result<(Vec<pairings::File>, bool), String> {
    let place = results::place(program, &files).map(|file| &file.name);
    match raw.into_iter().find(|raw| Some(&raw.file.name) == place) {
        None => Ok((files, true)),
        Some(Raw { file, .. }) if file.text.contains('\0') => {
            Err(format!("{}:1: it is in UTF-16: save it as UTF-8", file.name))
        }
        Some(Raw { file, is_utf_8 }) => Ok((vec![file], is_utf_8)),
    }
}

fn doubt(line: &Line) -> String {
    let why = if let Verdict::Doubtful(_, why) = &line.verdict { why } else { "" };
    format!("{}: it needs a look: {why}", line.words())
}
