//! Where `reconstruct` and `check` find what arbiters ruled: among the records of its files, which it looks through first, and in a
//! file that grows while it reads.

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

/// What stands in every ruling, and in hardly another line of a journal.
static NAMED: LazyLock<memmem::Finder<'static>> = LazyLock::new(|| memmem::Finder::new("\"ruling\""));

/// How long an arbiter waits at most until a ruling is looked for.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// What was ruled in files.
pub(super) struct Rulings {
    /// Up to which line the rulings of each file are known.
    known: HashMap<String, u64>,
    followed: Option<Followed>,
    letters: FileLetters,
    /// Lines of the one that is looked at again which are none.
    bad: Bad,
}

impl Rulings {
    /// Looks through the files that stand on a disk, and through one that holds nothing else and is looked at again;
    /// `rule` gets what is ruled there. Where the input is `live`, that one may come later.
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
            // What cannot be read is said when it is read for its records.
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

    /// Whether what stands here was found before.
    pub fn know(&self, place: Place<'_>) -> bool {
        self.known.get(place.file).is_some_and(|&known| place.line <= known)
    }

    /// What is to be said in the end of lines that were none, and the answer.
    pub fn done(&self) -> Done {
        self.bad.done("ruling")
    }

    /// What was ruled since in the file that is looked at again; gives when to ask next.
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
        Ok(Some(LOOK_EVERY))
    }
}

/// The rulings of a line of a file that holds nothing else, where old machines may have ended lines with CR alone; of what is none
/// why.
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

/// The time of the record that a line is: whoever rules behind it, and says no time, does so then.
fn time_of(line: &[u8]) -> Option<Time> {
    match parse(line).ok()? {
        Record::Board(record) => record.time,
        Record::Game(record) => record.time,
        _ => None,
    }
}

/// The ruling that a line is, if it is one.
fn ruling(line: &[u8]) -> Option<GameRecord> {
    NAMED.find(line)?;
    match parse(line) {
        Ok(Record::Game(record)) if record.event.is_ruling() => Some(record),
        _ => None,
    }
}
