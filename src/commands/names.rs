//! Who plays: the options that give games their tags, for every writer of games of boards, and the file of names, which may
//! change while it writes.

use std::{
    fs, io,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use clap::Args;

use crate::{
    commands::arguments::{Boards, boards_each_once},
    error::{Done, Result},
    format::{
        pgn::Dress,
        roster::{self, Read, Seat},
        text::{self, Text},
        trf,
    },
    record::Zone,
    stdio, stop,
};

/// How often the file of names is looked at; what it held at two looks is whole.
const LOOK: Duration = Duration::from_millis(400);

/// Where the tags of games come from.
#[derive(Debug, Default, Args)]
pub(super) struct Names {
    /// Who plays on which board: CSV with a header line, or JSON lines (board, white, black, white_elo, …). While a command runs
    /// it is read again when it changes, and so is --trf
    #[arg(long, value_name = "FILE")]
    roster: Option<PathBuf>,

    /// The pairings of a round from a tournament report (TRF16, TRF26); needs --round and --boards
    #[arg(long, value_name = "FILE", requires = "round", requires = "boards", conflicts_with = "roster")]
    trf: Option<PathBuf>,

    /// The event: its Event tag
    #[arg(long, value_name = "NAME")]
    event: Option<String>,

    /// The round: its Round tag, and what of --roster and --trf is used
    #[arg(long, value_name = "N")]
    round: Option<u32>,

    /// Addresses of the boards in the order of the tables, for --trf: 1025-1032,1040
    #[arg(long, value_name = "LIST", value_parser = boards_each_once, requires = "trf")]
    boards: Option<Boards>,

    /// In which order the pairings of --trf sit at the tables [default: what the report shows]
    #[arg(long, value_enum, requires = "trf")]
    order: Option<trf::Order>,

    /// The encoding of --roster or --trf: windows-1250, windows-1251, latin1, … [default: UTF-8 or UTF-16, else guessed]
    #[arg(long, value_name = "NAME", value_parser = text::encoding)]
    encoding: Option<&'static encoding_rs::Encoding>,

    /// The time zone of the place, for the date: Europe/Berlin [default: that of the machine that recorded]
    #[arg(long, value_name = "ZONE", value_parser = zone)]
    timezone: Option<Zone>,

    /// A tag of every game, before that of any other source; may be given again
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
    /// Reads what is named: what is known of games beside what boards report, and who looks whether that changes. Where the file
    /// cannot be used no game has a name of it, which is reported and answered: a name is missing rather than wrong.
    pub fn dress(self) -> Result<(Dress, Keeper)> {
        let held = self.file().map(stdio::read_packed).transpose()?;
        let followed = self.file().filter(|path| path.is_file()).map(Path::to_owned);
        let mut keeper = Keeper { names: self, followed, ..Keeper::default() };
        let dress = held.and_then(|held| keeper.judge(Ok(held)));
        let dress = dress.unwrap_or_else(|| keeper.names.dress_of(Vec::new()));
        Ok((dress, keeper))
    }

    /// The file that is read for it.
    pub fn file(&self) -> Option<&Path> {
        self.roster.as_deref().or(self.trf.as_deref())
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

    /// What the bytes of the file say, each note with the file's name; and whether the last line has its end, as it must where it
    /// had one before.
    fn read(&self, path: &Path, bytes: &[u8], had_end: bool) -> Result<(Read, bool), String> {
        let bytes = stdio::unpack_whole(path, bytes).map_err(|e| e.to_string())?;
        let Text { text, guess } = text::decode(&bytes, self.encoding);
        let name = path.display();
        if let (Some(_), Some(misfit)) = (self.encoding, &guess) {
            return Err(format!("{name}: {misfit}"));
        }
        let read = match (&self.boards, self.round) {
            (Some(Boards(boards)), Some(round)) => trf::seats(&text, round as usize, boards, self.order),
            _ => roster::parse(&text).and_then(|read| roster::of_round(read, self.round)),
        };
        let Read { seats, mut notes } = read.map_err(|problem| format!("{name}:{problem}"))?;
        let has_end = text.ends_with('\n');
        if had_end && !has_end {
            return Err(format!("{name}: its last line has no end, as if half written: end that line"));
        }
        notes.iter_mut().for_each(|note| note.insert_str(0, &format!("{name}:")));
        notes.splice(..0, guess.map(|guess| format!("{name}: {guess}")));
        Ok((Read { seats, notes }, has_end))
    }
}

/// What a look at the file found: its bytes, or why it cannot be read.
type Held = Result<Vec<u8>, String>;

/// Looks at the file of names while a command runs: pairings change at the last minute.
#[derive(Default)]
pub(super) struct Keeper {
    names: Names,
    /// The file, if it can be looked at again: no pipe.
    followed: Option<PathBuf>,
    /// What it held when it was judged last.
    judged: Option<Held>,
    /// What it held at the last look, if that was something else.
    seen: Option<Held>,
    looked: Option<Instant>,
    /// Whether its last line had its end when it gave names last; none before it has.
    is_whole: Option<bool>,
    /// What it held last could not be used.
    is_bad: bool,
}

impl Keeper {
    /// Looks at the file, where that is due: what is known of games if it holds something else by now, and how long it is to the
    /// next look.
    pub fn look(&mut self) -> (Option<Dress>, Option<Duration>) {
        let rest = self.looked.map_or(Duration::ZERO, |looked| LOOK.saturating_sub(looked.elapsed()));
        match self.followed {
            Some(_) if rest.is_zero() => (self.look_now(), Some(LOOK)),
            Some(_) => (None, Some(rest)),
            None => (None, None),
        }
    }

    /// Looks at it once more, at the end.
    pub fn last_look(&mut self) -> Option<Dress> {
        let dress = self.look_now();
        if !matches!(self.seen, Some(Ok(_))) {
            return dress;
        }
        let _ = stop::wait(None, Some(LOOK));
        self.look_now()
    }

    /// Whether what the file held last could be used.
    pub fn done(&self) -> Done {
        if self.is_bad { Done::BadData } else { Done::Yes }
    }

    /// What is found at two looks is no file that is being written.
    fn look_now(&mut self) -> Option<Dress> {
        self.looked = Some(Instant::now());
        let path = self.followed.as_deref()?;
        let found = fs::metadata(path).and_then(|found| match found.is_file() {
            true => fs::read(path),
            false => Err(io::Error::other("it is no plain file any more")),
        });
        let held = Some(found.map_err(|e| format!("{}: {e}", path.display())));
        let before = self.seen.take();
        if held != self.judged {
            if held == before {
                return self.judge(held?);
            }
            self.seen = held;
        }
        None
    }

    /// Reads what the file holds: what is known of games by it, if it can be used.
    fn judge(&mut self, held: Held) -> Option<Dress> {
        let path = self.names.file()?;
        let had_end = self.is_whole == Some(true);
        let bytes = held.as_deref().map_err(String::clone);
        let read = bytes.and_then(|bytes| self.names.read(path, bytes, had_end));
        // One that is gone was as it was.
        self.is_bad = read.is_err() && (held.is_ok() || self.is_bad);
        let is_first = self.judged.replace(held).is_none();
        match read {
            Ok((Read { seats, notes }, is_whole)) => {
                self.is_whole = Some(is_whole);
                if !is_first {
                    stdio::say(format_args!("{} was read again, for it has changed", path.display()));
                }
                notes.iter().for_each(stdio::say);
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
    fn what_is_being_written_is_not_read_and_what_was_read_is_not_judged_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("players.csv");
        let write = |text: &str| fs::write(&path, text).unwrap();
        write("board,white,black\n1,A,B\n2,C,D\n");
        let (dress, mut keeper) = Names { roster: Some(path.clone()), ..Names::default() }.dress().unwrap();
        assert_eq!(dress.seats.len(), 2);
        let mut look = || keeper.look_now().map(|dress| dress.seats.len());
        assert_eq!([look(), look()], [None, None]);
        // Written line by line: what it holds at two looks is all of it. Its length and its time may be the same.
        for text in ["", "board,white,black\n", "board,white,black\n1,A,C\n"] {
            write(text);
            assert_eq!(look(), None);
        }
        assert_eq!([look(), look(), look()], [Some(1), None, None]);
        write("board,white,black\n1,A,D\n");
        assert_eq!([look(), look(), look()], [None, Some(1), None]);
        // One that has come back as it was is none that changed.
        fs::remove_file(&path).unwrap();
        assert_eq!(look(), None);
        write("board,white,black\n1,A,D\n");
        assert_eq!([look(), look()], [None, None]);
        // No pipe is waited for.
        fs::remove_file(&path).unwrap();
        assert!(std::process::Command::new("mkfifo").arg(&path).status().unwrap().success());
        assert_eq!([look(), look(), look()], [None, None, None]);
    }

    #[test]
    fn letters_that_the_encoding_asked_for_has_not_are_no_names() {
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
