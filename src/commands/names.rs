//! The players: the options that give games their tags, for every writer of games, and the files of names, which may
//! change during the run.

use std::{
    fs, io,
    path::{Path, PathBuf},
    sync::Arc,
    time::{Duration, Instant},
};

use clap::Args;

use crate::{
    commands::pairings::PairingArgs,
    error::{Done, Result},
    format::{
        pairings::{self, File},
        pgn::Dress,
        roster::{self, Read, Seat},
        text::{self, Text},
    },
    record::Zone,
    stdio, stop,
};

/// The interval at which the files of names are read. Content that is the same twice is complete.
const LOOK_INTERVAL: Duration = Duration::from_millis(400);

/// Where the tags of games come from.
#[derive(Debug, Default, Args)]
pub(super) struct Names {
    /// Who plays on which board: CSV with a header line, or JSON lines (board, white, black, white_elo, …). It is
    /// read again when it changes. It overrides --pairings; a line without names gives only the board of a table of
    /// --pairings
    #[arg(long, value_name = "FILE")]
    roster: Option<PathBuf>,

    #[command(flatten)]
    pairings: PairingArgs,

    /// The name of the event, for the Event tag
    #[arg(long, value_name = "NAME")]
    event: Option<String>,

    /// The number of the round: for the Round tag, and to select the round of --roster and --pairings
    #[arg(long, value_name = "N")]
    round: Option<u32>,

    /// The encoding of --roster or --pairings: windows-1250, windows-1251, latin1, … [default: UTF-8 or UTF-16, else guessed]
    #[arg(long, value_name = "NAME", value_parser = text::encoding)]
    encoding: Option<&'static encoding_rs::Encoding>,

    /// The time zone of the place, for the date: Europe/Berlin [default: that of the machine that recorded]
    #[arg(long, value_name = "ZONE", value_parser = zone)]
    timezone: Option<Zone>,

    /// A tag for every game, in place of that of any other source; may be given again
    #[arg(long = "tag", value_name = "NAME=VALUE", value_parser = given_tag)]
    tags: Vec<(String, String)>,
}

fn given_tag(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("not NAME=VALUE")?;
    Ok((roster::tag_name(name)?, value.trim_matches('"').to_owned()))
}

fn zone(name: &str) -> Result<Zone, String> {
    Zone::named(name).ok_or_else(|| "not a time zone such as Europe/Berlin or UTC".into())
}

impl Names {
    /// Reads the files of names: returns what is given of games besides the boards' records, and a watcher for changes.
    /// Where a file cannot be used, no game gets a name from it, which is reported: a missing name is better than a
    /// wrong one.
    pub fn dress(self) -> Result<(Dress, Keeper)> {
        self.pairings.check()?;
        let files = self.files();
        let held = files.iter().map(|path| Ok((path.clone(), stdio::read_packed(path, usize::MAX)?)));
        let held: Files = held.collect::<Result<_>>()?;
        let is_followed = !files.is_empty() && files.iter().all(|path| path.is_file());
        let mut keeper = Keeper { names: self, is_followed, ..Keeper::default() };
        let dress = if held.is_empty() { None } else { keeper.judge(Ok(held)) };
        let dress = dress.unwrap_or_else(|| keeper.names.dress_of(Vec::new()));
        Ok((dress, keeper))
    }

    /// The files that are read for it.
    pub fn files(&self) -> Vec<PathBuf> {
        self.roster.iter().cloned().chain(self.pairings.files()).collect()
    }

    /// The pairings, and the round of them that was asked for.
    pub fn pairings(&self) -> (&PairingArgs, u32) {
        (&self.pairings, self.round.unwrap_or_default())
    }

    fn dress_of(&self, seats: Vec<Seat>) -> Dress {
        let event = self.event.iter().map(|event| ("Event".to_owned(), event.clone()));
        Dress {
            seats,
            round: self.round.map(|round| round.to_string()),
            given: event.chain(self.tags.iter().cloned()).collect(),
            zone: self.timezone.clone(),
        }
    }

    /// What the files contain, each note with the name of its file, and whether the last line of each has a line end.
    /// `had_end` requires that it has one, where it had one before.
    fn read(&self, held: &Files, had_end: bool) -> Result<(Read, bool), String> {
        let (mut files, mut notes, mut has_end) = (Vec::new(), Vec::new(), true);
        for (path, bytes) in held {
            let bytes = stdio::unpack_whole(path, bytes).map_err(|e| e.to_string())?;
            let Text { text, guess } = text::decode(&bytes, self.encoding);
            let name = path.display().to_string();
            if let (Some(_), Some(misfit)) = (self.encoding, &guess) {
                return Err(format!("{name}: {misfit}"));
            }
            notes.extend(guess.map(|guess| format!("{name}: {guess}")));
            has_end &= text.ends_with('\n');
            files.push(File { name, text });
        }
        let (rosters, paired) = files.split_at(usize::from(self.roster.is_some()).min(files.len()));
        let mut seats = Vec::new();
        if !paired.is_empty() {
            let read = self.pairings.read(paired, self.round.unwrap_or_default())?;
            seats = read.seats;
            notes.extend(read.notes);
        }
        for File { name, text } in rosters {
            let read = roster::parse(text).and_then(|read| roster::of_round(read, self.round));
            let read = read.map_err(|problem| format!("{name}:{problem}"))?;
            seats = pairings::under(seats, read.seats);
            notes.extend(read.notes.into_iter().map(|note| format!("{name}:{note}")));
        }
        if had_end && !has_end {
            let unended = |file: &&File| !file.text.ends_with('\n');
            let name = files.iter().find(unended).map_or("", |file| &file.name);
            return Err(format!("{name}: its last line has no end, as if half written: end that line"));
        }
        Ok((Read { seats, notes }, has_end))
    }
}

/// Files with their bytes.
type Files = Vec<(PathBuf, Vec<u8>)>;

/// The text and the bytes of a file.
pub(super) struct Raw {
    /// The text. Where the bytes are not UTF-8, each letter has the number of its byte.
    pub file: File,
    /// Whether the bytes are UTF-8.
    pub is_utf_8: bool,
}

/// The result of reading the files: their bytes, or why one cannot be read.
type Content = Result<Files, String>;

/// Watches the files of names while a command runs: pairings change at the last minute.
#[derive(Default)]
pub(super) struct Keeper {
    names: Names,
    /// The files can be read again: none is a pipe.
    is_followed: bool,
    /// What the files contained when they were last used or refused.
    judged: Option<Content>,
    /// What the files contained at the last look, if that was different.
    seen: Option<Content>,
    looked: Option<Instant>,
    /// Whether the last lines of all files had line ends when names were last taken from them; none before that.
    is_whole: Option<bool>,
    /// Their last content could not be used.
    is_bad: bool,
    /// The seats from the last content that was used.
    seats: Vec<Seat>,
    /// The tournament report from the last pairings that were used.
    report: Option<Arc<str>>,
}

impl Keeper {
    /// Reads the files again, where that is due. Returns the changed data of games, if any, and the time until the next
    /// look.
    pub fn look(&mut self) -> (Option<Dress>, Option<Duration>) {
        if !self.is_followed {
            return (None, None);
        }
        let rest =
            self.looked.map_or(Duration::ZERO, |looked| LOOK_INTERVAL.saturating_sub(looked.elapsed()));
        if rest.is_zero() { (self.look_now(), Some(LOOK_INTERVAL)) } else { (None, Some(rest)) }
    }

    /// Reads the files once more, at the end.
    pub fn last_look(&mut self) -> Option<Dress> {
        let dress = self.look_now();
        if !matches!(self.seen, Some(Ok(_))) {
            return dress;
        }
        let _ = stop::wait(None, Some(LOOK_INTERVAL));
        self.look_now()
    }

    /// The options.
    pub fn options(&self) -> &Names {
        &self.names
    }

    /// The current text and bytes of the files of pairings, without the roster, if the data in use came from exactly
    /// these.
    ///
    /// # Errors
    /// When they cannot be used, or have changed since.
    pub fn pairings_now(&self) -> Result<Vec<(File, Raw)>, String> {
        let files: Vec<String> = self.names.files().iter().map(|file| file.display().to_string()).collect();
        let names = files.join(" and ");
        let Some(Ok(judged)) = &self.judged else { return Err(format!("{names} cannot be read")) };
        if self.is_whole.is_none() || self.is_bad {
            return Err(format!("{names} cannot be used as they are"));
        }
        if self.is_followed && Some(&self.found()) != self.judged.as_ref() {
            return Err(format!("{names} hold something else by now"));
        }
        let paired = judged.iter().skip(usize::from(self.names.roster.is_some()));
        let paired = paired.map(|(path, bytes)| {
            let bytes = stdio::unpack_whole(path, bytes).map_err(|e| e.to_string())?;
            let name = path.display().to_string();
            let text = text::decode(&bytes, self.names.encoding).text;
            let raw = String::from_utf8(bytes).map(|text| (text, true));
            let raw = raw.unwrap_or_else(|e| (e.into_bytes().into_iter().map(char::from).collect(), false));
            let (raw, is_utf_8) = raw;
            Ok((File { name: name.clone(), text }, Raw { file: File { name, text: raw }, is_utf_8 }))
        });
        paired.collect()
    }

    /// The tournament report among the pairings in use, if there is one, and the round.
    pub fn report(&self) -> Option<(Arc<str>, u32)> {
        self.report.clone().zip(self.names.round)
    }

    /// The text of that report in the last content that was used.
    fn report_read(&self) -> Option<Arc<str>> {
        let paired =
            self.judged.as_ref()?.as_ref().ok()?.iter().skip(usize::from(self.names.roster.is_some()));
        let texts = paired.filter_map(|(path, bytes)| stdio::unpack_whole(path, bytes).ok());
        let mut texts = texts.map(|bytes| text::decode(&bytes, self.names.encoding).text);
        texts.find(|text| text.lines().any(|line| line.starts_with("001 "))).map(Into::into)
    }

    /// The result: whether the last content of the files could be used.
    pub fn done(&self) -> Done {
        if self.is_bad { Done::BadData } else { Done::Yes }
    }

    /// Content that is the same at two looks is not being written at the moment.
    fn look_now(&mut self) -> Option<Dress> {
        self.looked = Some(Instant::now());
        if !self.is_followed {
            return None;
        }
        let held = Some(self.found());
        let before = self.seen.take();
        if held != self.judged {
            if held == before {
                return self.judge(held?);
            }
            self.seen = held;
        }
        None
    }

    /// The current content of the files.
    fn found(&self) -> Content {
        let found = |path: PathBuf| {
            let found = fs::metadata(&path).and_then(|found| match found.is_file() {
                true => fs::read(&path),
                false => Err(io::Error::other("it is no plain file any more")),
            });
            let found = found.or_else(|e| self.players_of_before(&path).ok_or(e));
            found.map_err(|e| format!("{}: {e}", path.display())).map(|bytes| (path, bytes))
        };
        self.names.files().into_iter().map(found).collect()
    }

    /// What a file contained when it was last used or refused.
    fn before(&self, path: &Path) -> Option<&Vec<u8>> {
        let judged = self.judged.as_ref()?.as_ref().ok()?;
        judged.iter().find(|(known, _)| known == path).map(|(_, bytes)| bytes)
    }

    /// The earlier players, where a file of players is gone: the boards alone are enough from then on.
    fn players_of_before(&self, path: &Path) -> Option<Vec<u8>> {
        self.before(path).filter(|bytes| pairings::has_players_alone(bytes)).cloned()
    }

    /// Parses the content of the files; returns the data of games, if they can be used.
    fn judge(&mut self, held: Content) -> Option<Dress> {
        let had_end = self.is_whole == Some(true);
        let read = held.as_ref().map_err(String::clone);
        let read = read.and_then(|held| self.names.read(held, had_end));
        let changed = held.iter().flatten().filter(|(path, bytes)| self.before(path) != Some(bytes));
        let changed: Vec<String> = changed.map(|(path, _)| path.display().to_string()).collect();
        // A file that is gone leaves the state as it was.
        self.is_bad = read.is_err() && (held.is_ok() || self.is_bad);
        let is_first = self.judged.replace(held).is_none();
        match read {
            Ok((Read { seats, notes }, is_whole)) => {
                self.is_whole = Some(is_whole);
                if !is_first {
                    stdio::say(format_args!("{} was read again, for it has changed", changed.join(" and ")));
                }
                notes.iter().for_each(stdio::say);
                if !is_first && self.names.pairings.any() {
                    pairings::moved(&self.seats, &seats).iter().for_each(stdio::say);
                }
                self.seats.clone_from(&seats);
                self.report = self.report_read();
                Some(self.names.dress_of(seats))
            }
            Err(problem) => {
                let has_names = self.is_whole.is_some();
                let names = if has_names { "the names read before stay" } else { "no name is taken from it" };
                stdio::say(format_args!("{problem}; {names}"));
                None
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unfinished_files_wait_and_judged_files_are_not_reread() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("players.csv");
        let write = |text: &str| fs::write(&path, text).unwrap();
        write("board,white,black\n1,A,B\n2,C,D\n");
        let (dress, mut keeper) = Names { roster: Some(path.clone()), ..Names::default() }.dress().unwrap();
        assert_eq!(dress.seats.len(), 2);
        let mut look = || keeper.look_now().map(|dress| dress.seats.len());
        assert_eq!([look(), look()], [None, None]);
        // Written line by line: content that is the same at two looks is complete. Length and time may be the same.
        for text in ["", "board,white,black\n", "board,white,black\n1,A,C\n"] {
            write(text);
            assert_eq!(look(), None);
        }
        assert_eq!([look(), look(), look()], [Some(1), None, None]);
        write("board,white,black\n1,A,D\n");
        assert_eq!([look(), look(), look()], [None, Some(1), None]);
        // A file that comes back with the same content has not changed.
        fs::remove_file(&path).unwrap();
        assert_eq!(look(), None);
        write("board,white,black\n1,A,D\n");
        assert_eq!([look(), look()], [None, None]);
        // A pipe is not waited for.
        fs::remove_file(&path).unwrap();
        assert!(std::process::Command::new("mkfifo").arg(&path).status().unwrap().success());
        assert_eq!([look(), look(), look()], [None, None, None]);
    }

    #[test]
    fn letters_outside_the_encoding_are_no_names() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("players.csv");
        fs::write(&path, b"board,white,black\n1,M\xfcller,Lef\xe8vre\n").unwrap();
        let names = |encoding| Names {
            roster: Some(path.clone()),
            encoding: text::encoding(encoding).ok(),
            ..Names::default()
        };
        let (dress, keeper) = names("utf-8").dress().unwrap();
        assert_eq!((dress.seats.len(), keeper.done()), (0, Done::BadData));
        let (dress, keeper) = names("latin1").dress().unwrap();
        assert_eq!((dress.seats[0].tag("White"), keeper.done()), (Some("Müller"), Done::Yes));
    }
}
