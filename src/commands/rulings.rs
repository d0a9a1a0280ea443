//! The rulings for `reconstruct` and `check`: those among the records of its files, which are searched first, and those
//! in a file that may grow during the run.

use std::{
    collections::HashMap,
    path::{Path, PathBuf},
    sync::LazyLock,
    time::Duration,
};

use memchr::memmem;

use crate::{
    commands::letters::{FileLetters, LettersArgs, pieces},
    error::{Done, Result},
    record::{GameRecord, Record, Time, parse},
    stdio::{self, Bad, Followed, Inputs, Place},
};

/// Text that is in every ruling, and in hardly any other line of a journal.
static NAMED: LazyLock<memmem::Finder<'static>> = LazyLock::new(|| memmem::Finder::new("\"ruling\""));

/// The interval at which new rulings are looked for.
const LOOK_INTERVAL: Duration = Duration::from_secs(1);

/// Reads rulings from files.
pub(super) struct Rulings {
    /// For each file the last line whose rulings were read.
    known: HashMap<String, u64>,
    followed: Option<Followed>,
    letters: FileLetters,
    /// Bad lines of the file that may grow.
    bad: Bad,
}

impl Rulings {
    /// Searches the files on a disk, and the file of rulings, which may grow; passes each ruling to `rule`. Where the
    /// input is `live`, the file of rulings may appear later.
    pub fn of_files(
        files: &[PathBuf],
        followed: Option<&Path>,
        live: bool,
        mut bad: Bad,
        mut rule: impl FnMut(Place<'_>, GameRecord) -> Result<()>,
    ) -> Result<Rulings> {
        let mut known = HashMap::new();
        let mut letters =
            LettersArgs::default().of(&followed.map(Path::to_owned).into_iter().collect::<Vec<_>>(), None);
        for path in files.iter().map(PathBuf::as_path).chain(followed) {
            // A file that cannot be read is reported when its records are read.
            let needed = Some(path) == followed && !live;
            if !needed && (path.as_os_str() == "-" || !path.metadata().is_ok_and(|data| data.is_file())) {
                continue;
            }
            let last = known.entry(stdio::name_of(path)).or_insert(0);
            let mut before = Vec::new();
            let one = [path.to_owned()];
            let inputs = Inputs::of(&one);
            stdio::lines(
                if needed { inputs } else { inputs.in_silence() },
                last,
                |_| Ok(None),
                |last, place, line| {
                    *last = place.line;
                    if Some(path) == followed {
                        let line = letters.utf_8(place.file, line);
                        return rulings(&line).try_for_each(|ruling| match ruling {
                            Ok(ruling) => rule(place, ruling),
                            Err(why) => bad.report(place, why),
                        });
                    }
                    match ruling(line) {
                        Some(mut ruling) => {
                            ruling.time = ruling.time.or_else(|| time_of(&before));
                            rule(place, ruling)
                        }
                        None => {
                            before.clear();
                            before.extend_from_slice(line);
                            Ok(())
                        }
                    }
                },
            )?;
        }
        Ok(Rulings { known, followed: followed.map(Followed::new), letters, bad })
    }

    /// Whether the ruling in this line was read before.
    pub fn contains(&self, place: Place<'_>) -> bool {
        self.known.get(place.file).is_some_and(|&known| place.line <= known)
    }

    /// The result, with a message about the bad lines.
    pub fn done(&self) -> Done {
        self.bad.done("ruling")
    }

    /// Reads what was added to the file of rulings; returns the time until the next look.
    pub fn news(&mut self, mut rule: impl FnMut(GameRecord) -> Result<()>) -> Result<Option<Duration>> {
        let Rulings { known, followed: Some(followed), letters, bad } = self else { return Ok(None) };
        followed.lines(|place, line| {
            if known.get(place.file).is_some_and(|&known| place.line <= known) {
                return Ok(());
            }
            let line = letters.utf_8(place.file, line);
            rulings(&line).try_for_each(|ruling| match ruling {
                Ok(ruling) => rule(ruling),
                Err(why) => bad.report(place, why),
            })
        })?;
        Ok(Some(LOOK_INTERVAL))
    }
}

/// The rulings in a line of a file of rulings, in which CR alone may separate lines; an error gives the reason why a
/// part is none.
fn rulings(line: &[u8]) -> impl Iterator<Item = Result<GameRecord, String>> {
    let lines = pieces(line).filter(|piece| !piece.trim_ascii().is_empty());
    lines.map(|line| ruling(line).ok_or_else(|| why_none(line)))
}

/// Why a line is no ruling.
fn why_none(line: &[u8]) -> String {
    match parse(line) {
        Ok(_) => "a record, and no ruling".to_owned(),
        Err(error) => format!("no ruling: {error}"),
    }
}

/// The time of the record in a line: a ruling after it that has no time of its own gets this one.
fn time_of(line: &[u8]) -> Option<Time> {
    match parse(line).ok()? {
        Record::Board(record) => record.time,
        Record::Game(record) => record.time,
        _ => None,
    }
}

/// The ruling in a line, if it is one.
fn ruling(line: &[u8]) -> Option<GameRecord> {
    NAMED.find(line)?;
    match parse(line) {
        Ok(Record::Game(record)) if record.event.is_ruling() => Some(record),
        _ => None,
    }
}
