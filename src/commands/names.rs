//! Who plays: the options that give games their tags, for every writer of games of boards.

use std::path::{Path, PathBuf};

use clap::Args;

use crate::{
    commands::arguments::{Boards, boards_each_once},
    error::{Done, Result},
    format::{
        pgn::Dress,
        roster::{self, Read},
        text::{self, Text},
        trf,
    },
    record::Zone,
    stdio,
};

/// Where the tags of games come from.
#[derive(Debug, Default, Args)]
pub(super) struct Names {
    /// Who plays on which board: CSV with a header line, or JSON lines (board, white, black, white_elo, …)
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
    /// Reads what is named: what is known of games beside what boards report. Where the file cannot be used no game has a name of
    /// it, which is reported and answered: a name is missing rather than wrong.
    pub fn dress(self) -> Result<(Dress, Done)> {
        let (Read { seats, notes }, done) = self.seats()?;
        notes.iter().for_each(stdio::say);
        let event = self.event.map(|event| ("Event".to_owned(), event));
        let dress = Dress {
            seats,
            round: self.round.map(|round| round.to_string()),
            given: event.into_iter().chain(self.tags).collect(),
            zone: self.timezone,
        };
        Ok((dress, done))
    }

    /// The file that is read for it.
    pub fn file(&self) -> Option<&Path> {
        self.roster.as_deref().or(self.trf.as_deref())
    }

    fn seats(&self) -> Result<(Read, Done)> {
        let Some(path) = self.file() else { return Ok((Read::default(), Done::Yes)) };
        let Text { text, guess } = text::decode(&stdio::read_whole(path)?, self.encoding);
        let read = match (&self.boards, self.round) {
            (Some(Boards(boards)), Some(round)) => trf::seats(&text, round as usize, boards, self.order),
            _ => roster::parse(&text),
        };
        let name = path.display();
        let (Read { seats, notes }, done) = match read {
            Ok(read) => (read, Done::Yes),
            Err(problem) => {
                stdio::say(format_args!("{name}:{problem}; no name is taken from it"));
                (Read::default(), Done::BadData)
            }
        };
        let guess = guess.map(|guess| format!("{name}: {guess}"));
        let notes = guess.into_iter().chain(notes.into_iter().map(|note| format!("{name}:{note}")));
        Ok((Read { seats, notes: notes.collect() }, done))
    }
}
