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
    #[arg(long, value_name = "NAME", value_parser = encoding)]
    encoding: Option<&'static encoding_rs::Encoding>,

    /// The time zone of the place, for the date: Europe/Berlin [default: that of the machine that recorded]
    #[arg(long, value_name = "ZONE", value_parser = zone)]
    timezone: Option<Zone>,

    /// A tag of every game, before that of any other source; may be given again
    #[arg(long = "tag", value_name = "NAME=VALUE", value_parser = given_tag)]
    tags: Vec<(String, String)>,
}

fn encoding(name: &str) -> Result<&'static encoding_rs::Encoding, String> {
    text::encoding(name).ok_or_else(|| "not an encoding such as windows-1250 or latin1".into())
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
        let is_plain = self.file().is_some_and(Path::is_file);
        let looked = Instant::now();
        let (judged, seen, good, done) = (None, None, None, Done::Yes);
        let mut keeper = Keeper { names: self, is_plain, judged, seen, looked, good, done };
        let dress = held.and_then(|held| keeper.judge(Held::Bytes(held)));
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

    /// What the bytes of the file say, each note with the file's name; and whether the last line has its end.
    fn read(&self, path: &Path, bytes: &[u8]) -> Result<(Read, bool), String> {
        let bytes = stdio::unpack_whole(path, bytes).map_err(|e| e.to_string())?;
        let Text { text, guess } = text::decode(&bytes, self.encoding);
        let read = match (&self.boards, self.round) {
            (Some(Boards(boards)), Some(round)) => trf::seats(&text, round as usize, boards, self.order),
            _ => roster::parse(&text).and_then(|read| roster::of_round(read, self.round)),
        };
        let name = path.display();
        let Read { seats, notes } = read.map_err(|problem| format!("{name}:{problem}"))?;
        let guess = guess.map(|guess| format!("{name}: {guess}"));
        let notes = guess.into_iter().chain(notes.into_iter().map(|note| format!("{name}:{note}"))).collect();
        Ok((Read { seats, notes }, text.ends_with('\n')))
    }
}

/// What a look at the file found.
#[derive(PartialEq)]
enum Held {
    Bytes(Vec<u8>),
    /// Why it cannot be read.
    Gone(String),
}

/// Looks at the file of names while a command runs: pairings change at the last minute.
pub(super) struct Keeper {
    names: Names,
    /// It can be looked at again: no pipe.
    is_plain: bool,
    /// What it held when it was judged last.
    judged: Option<Held>,
    /// What it held at the last look, if that was something else.
    seen: Option<Held>,
    looked: Instant,
    /// The file has given names; whether its last line had its end then.
    good: Option<bool>,
    /// What became of what it held last.
    done: Done,
}

impl Keeper {
    /// Looks at the file, where that is due: what is known of games if it holds something else by now, and how long it is to the
    /// next look.
    pub fn look(&mut self) -> (Option<Dress>, Option<Duration>) {
        if !self.is_plain {
            return (None, None);
        }
        let rest = LOOK.saturating_sub(self.looked.elapsed());
        if rest.is_zero() { (self.look_now(), Some(LOOK)) } else { (None, Some(rest)) }
    }

    /// Looks at it once more, at the end.
    pub fn last_look(&mut self) -> Option<Dress> {
        let dress = if self.is_plain { self.look_now() } else { None };
        if !matches!(self.seen, Some(Held::Bytes(_))) {
            return dress;
        }
        let _ = stop::wait(None, Some(LOOK));
        self.look_now()
    }

    /// Whether what the file held last could be used.
    pub fn done(&self) -> Done {
        self.done
    }

    /// What is found at two looks is no file that is being written.
    fn look_now(&mut self) -> Option<Dress> {
        self.looked = Instant::now();
        let path = self.names.file()?;
        let found = fs::metadata(path).and_then(|found| match found.is_file() {
            true => fs::read(path),
            false => Err(io::Error::other("it is no plain file any more")),
        });
        let held = match found {
            Ok(held) => Some(Held::Bytes(held)),
            Err(e) => Some(Held::Gone(format!("{}: {e}", path.display()))),
        };
        if held == self.judged {
            self.seen = None;
        } else if held == self.seen {
            return self.seen.take().and_then(|held| self.judge(held));
        } else {
            self.seen = held;
        }
        None
    }

    /// Reads what the file holds: what is known of games by it, if it can be used.
    fn judge(&mut self, held: Held) -> Option<Dress> {
        let path = self.names.file()?;
        let name = path.display();
        let read = match &held {
            Held::Bytes(bytes) => self.names.read(path, bytes),
            Held::Gone(why) => Err(why.clone()),
        };
        let read = read.and_then(|(read, is_whole)| match self.good {
            Some(true) if !is_whole => {
                Err(format!("{name}: its last line has no end, so it may be half written: end that line"))
            }
            _ => Ok((read, is_whole)),
        });
        let is_gone = matches!(held, Held::Gone(_));
        let is_first = self.judged.replace(held).is_none();
        match read {
            Ok((Read { seats, notes }, is_whole)) => {
                self.good = Some(is_whole);
                if !is_first {
                    stdio::say(format_args!("{name} was read again, for it has changed"));
                }
                notes.iter().for_each(stdio::say);
                self.done = Done::Yes;
                Some(self.names.dress_of(seats))
            }
            Err(problem) => {
                let then = if self.good.is_some() {
                    "the names read before stay"
                } else {
                    "no name is taken from it"
                };
                stdio::say(format_args!("{problem}; {then}"));
                if !is_gone {
                    self.done = Done::BadData;
                }
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
}
