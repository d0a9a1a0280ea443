//! The lines of the files of `reconstruct`, `show` and `check`: names given to them, and a warning about files without
//! names whose boards cannot be distinguished.

use std::{
    collections::{BTreeMap, HashMap},
    path::{Path, PathBuf},
    sync::Arc,
};

use crate::{
    error::{Error, Result},
    record::{BoardRecord, ByLine, GameRecord, Record, Stream, Time},
    stdio::{self, Inputs, Output, Place},
};

/// Two runs that report one board at the same time for longer than this, in seconds, come from two boards. Setting a
/// clock between two runs overlaps them by less.
const OVERLAP_SECONDS: f64 = 2.0;

/// A record is compared with up to this many runs of its board, the latest.
const COMPARED_RUNS_MAX: usize = 64;

/// The files to read, with the line of each.
pub(super) struct Sources {
    pub files: Vec<PathBuf>,
    lines: HashMap<String, Arc<str>>,
    runs: Runs,
    warned: bool,
    /// The stream record of each file, and the file of the last record.
    begun: HashMap<String, Stream>,
    last: String,
}

impl Sources {
    /// Takes files without names for their lines, and files with them. Files of one run are ordered by their record
    /// numbers.
    ///
    /// # Errors
    /// [`Error::Usage`] when a file has two names, or two files without names cannot be of one line.
    pub fn new(files: &[PathBuf], named: &[(String, PathBuf)]) -> Result<Sources> {
        let files = &oldest_first(files)?;
        let mut lines = HashMap::new();
        for (name, file) in named {
            let shown = stdio::name_of(file);
            if files.contains(file) || lines.insert(shown.clone(), name.as_str().into()).is_some() {
                return Err(Error::Usage(format!("{shown} is given twice")));
            }
        }
        let mut files = files.clone();
        let mut names: Vec<&str> = Vec::new();
        for (name, _) in named {
            if !names.contains(&&**name) {
                names.push(name);
            }
        }
        for name in names {
            let of_name = named.iter().filter(|(other, _)| other == name);
            files.extend(oldest_first(&of_name.map(|(_, file)| file.clone()).collect::<Vec<_>>())?);
        }
        Ok(Sources {
            files,
            lines,
            runs: Runs::default(),
            warned: false,
            begun: HashMap::new(),
            last: String::new(),
        })
    }

    /// The sources for reading the same files again, without repeating their warnings.
    pub fn again(&self) -> Sources {
        let (files, lines) = (self.files.clone(), self.lines.clone());
        Sources {
            files,
            lines,
            runs: Runs::default(),
            warned: true,
            begun: HashMap::new(),
            last: String::new(),
        }
    }

    /// Adds a stream record, with the name of its file's line.
    pub fn stream(&mut self, place: Place<'_>, stream: &mut Stream) {
        if let Some(line) = self.lines.get(place.file) {
            stream.line = Some(line.clone());
        }
        self.runs.stream(stream);
        self.begun.insert(place.file.to_owned(), stream.clone());
        place.file.clone_into(&mut self.last);
    }

    /// Where several files are followed at once, a record may be of another file than the one before: returns the
    /// stream record of its file.
    pub fn back_to(&mut self, place: Place<'_>) -> Option<&Stream> {
        if self.last == place.file {
            return None;
        }
        place.file.clone_into(&mut self.last);
        self.begun.get(place.file)
    }

    /// Gives a record of a game, a ruling for example, the name of its file's line, unless it has one.
    pub fn game(&self, place: Place<'_>, record: &mut GameRecord) {
        if let Some(line) = self.lines.get(place.file) {
            record.line.get_or_insert_with(|| line.clone());
        }
    }

    /// Gives a record the name of its file's line. Reports, once, that files seem to be of several lines.
    pub fn record(&mut self, place: Place<'_>, record: &mut BoardRecord) {
        if let Some(line) = self.lines.get(place.file) {
            record.line = Some(line.clone());
        }
        if !self.warned && self.runs.is_reported_elsewhere(record) {
            self.warned = true;
            stdio::say(format_args!(
                "{place}: board {} reported this time in an earlier run too: if journals of two lines are joined here, \
                 their games are mixed; give each its name with --line NAME=FILE",
                record.board.unwrap_or_default()
            ));
        }
    }
}

/// Parses a name for a line, and a file of it.
pub(super) fn named(text: &str) -> std::result::Result<(String, PathBuf), String> {
    match text.split_once('=') {
        Some((name, file)) if !name.is_empty() && !file.is_empty() => Ok((name.to_owned(), file.into())),
        _ => Err("not NAME=FILE".into()),
    }
}

/// For each run, the times of each board's records.
#[derive(Default)]
struct Runs {
    lines: ByLine<RunsOfLine>,
    /// The first number of each run.
    first: HashMap<(Option<Arc<str>>, Arc<str>), u64>,
}

/// The current run of a line, and for each board its runs with their first and last times.
struct RunsOfLine {
    now: Arc<str>,
    spans: BTreeMap<u16, Vec<(Arc<str>, Time, Time)>>,
}

impl Runs {
    fn stream(&mut self, stream: &Stream) {
        let now: Arc<str> = stream.run.as_str().into();
        let line =
            self.lines.number(&stream.line, || RunsOfLine { now: now.clone(), spans: BTreeMap::new() });
        self.lines[line].now = now;
    }

    /// Adds a record; returns whether another run reports its board at that time.
    fn is_reported_elsewhere(&mut self, record: &BoardRecord) -> bool {
        let (Some(time), Some(board)) = (record.time, record.board) else { return false };
        let Some(line) = self.lines.find(&record.line) else { return false };
        let RunsOfLine { now: run, spans } = &mut self.lines[line];
        let spans = spans.entry(board).or_default();
        let at = match spans.iter().rposition(|(known, ..)| known == run) {
            Some(at) => at,
            None => {
                spans.push((run.clone(), time, time));
                spans.len() - 1
            }
        };
        let (_, first, last) = &mut spans[at];
        (*first, *last) = ((*first).min(time), (*last).max(time));
        let (first, last) = (*first, *last);
        let first_compared = spans.len().saturating_sub(COMPARED_RUNS_MAX);
        let others = spans.iter().enumerate().skip(first_compared).filter(|&(other, _)| other != at);
        others.into_iter().any(|(_, &(_, begins, ends))| overlap((first, last), (begins, ends)))
    }
}

fn overlap(a: (Time, Time), b: (Time, Time)) -> bool {
    a.0.max(b.0).seconds_until(a.1.min(b.1)) > OVERLAP_SECONDS
}

/// The files, those of one run in the order of its numbers: otherwise moves would be lost. Refuses files whose runs
/// report one board at the same time: they are of two lines, each with a board of that address.
fn oldest_first(files: &[PathBuf]) -> Result<Vec<PathBuf>> {
    // A file that can be read only once is not read here.
    if files.iter().filter(|file| file.is_file()).count() < 2 {
        return Ok(files.to_vec());
    }
    let mut ordered: Vec<(&PathBuf, Runs)> = Vec::new();
    for file in files {
        let runs = if file.is_file() { runs_of(file)? } else { Runs::default() };
        for (other, others) in &ordered {
            if let Some(board) = runs.in_both(others) {
                let (a, b) = (other.display(), file.display());
                return Err(Error::Usage(format!(
                    "{a} and {b} both report board {board} at the same time: if they are of two lines, give each its \
                     name: --line hall-1={a} --line hall-2={b}"
                )));
            }
        }
        let place = ordered.iter().position(|(_, others)| runs.precede(others)).unwrap_or(ordered.len());
        ordered.insert(place, (file, runs));
    }
    Ok(ordered.into_iter().map(|(file, _)| file.clone()).collect())
}

fn runs_of(file: &Path) -> Result<Runs> {
    let (mut runs, mut out) = (Runs::default(), Output::stdout());
    stdio::each_line(Inputs::of(&[file.to_owned()]), &mut out, |_, _, line| {
        // Bad lines are reported when the file is read for its records.
        match crate::record::parse(line) {
            Ok(Record::Stream(stream)) => runs.stream(&stream),
            Ok(Record::Board(record)) => {
                runs.numbered(&record);
                runs.is_reported_elsewhere(&record);
            }
            _ => {}
        }
        Ok(())
    })?;
    Ok(runs)
}

impl Runs {
    /// Adds the number of a record.
    fn numbered(&mut self, record: &BoardRecord) {
        if let (Some(line), Some(seq)) = (self.lines.find(&record.line), record.seq) {
            self.first.entry((record.line.clone(), self.lines[line].now.clone())).or_insert(seq);
        }
    }

    /// Whether a run that begins here continues there.
    fn precede(&self, others: &Runs) -> bool {
        self.first.iter().any(|(run, seq)| others.first.get(run).is_some_and(|other| seq < other))
    }

    /// A board that a run here and another run there report at the same time.
    fn in_both(&self, others: &Runs) -> Option<u16> {
        let lines = self.lines.iter().flat_map(|(name, ours)| {
            others
                .lines
                .iter()
                .filter(move |(other, _)| *other == name)
                .map(move |(_, theirs)| (ours, theirs))
        });
        let boards = lines.flat_map(|(ours, theirs)| {
            ours.spans.iter().filter_map(|(board, spans)| Some((*board, spans, theirs.spans.get(board)?)))
        });
        let mut both = boards.filter(|(_, ours, theirs)| {
            ours.iter().any(|(run, from, to)| {
                theirs
                    .iter()
                    .any(|(other, begins, ends)| run != other && overlap((*from, *to), (*begins, *ends)))
            })
        });
        both.next().map(|(board, ..)| board)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::BoardEvent;

    fn runs(records: &[(&str, i64)]) -> (Runs, bool) {
        let (mut runs, mut mixed) = (Runs::default(), false);
        for &(run, at) in records {
            let stream =
                Stream { records: 1, program: String::new(), run: run.into(), line: None, zone: None };
            runs.stream(&stream);
            mixed |= runs.is_reported_elsewhere(&BoardRecord::new(
                Some(Time(at)),
                Some(1025),
                BoardEvent::Quiet {},
            ));
        }
        (runs, mixed)
    }

    #[test]
    fn runs_that_follow_each_other_are_of_one_line() {
        assert!(!runs(&[("a", 0), ("a", 60_000), ("b", 61_000), ("b", 90_000)]).1);
        // The order does not matter, nor does a clock that was set back by a second.
        assert!(!runs(&[("b", 61_000), ("b", 90_000), ("a", 0), ("a", 62_000)]).1);
        assert!(!runs(&[("a", 0), ("a", 60_000), ("a", 0), ("a", 60_000)]).1);
    }

    #[test]
    fn runs_at_the_same_time_are_of_two_lines() {
        assert!(runs(&[("a", 0), ("a", 60_000), ("b", 30_000), ("b", 90_000)]).1);
        assert!(runs(&[("a", 0), ("b", 100), ("a", 5000), ("b", 5100)]).1);
        let [a, b, c] = [("a", 0), ("b", 30_000), ("c", 70_000)]
            .map(|(run, at)| runs(&[(run, at), (run, at + 60_000)]).0);
        assert_eq!((a.in_both(&b), b.in_both(&c), a.in_both(&c)), (Some(1025), Some(1025), None));
    }
}
