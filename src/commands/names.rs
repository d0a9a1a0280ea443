//! Who plays: the options that give games their tags, for every writer of games of boards.

use std::path::{Path, PathBuf};

use clap::Args;

use crate::{
    commands::arguments::{Boards, boards_each_once},
    error::{Error, Result},
    format::{
        pgn::Dress,
        roster::{self, Seat},
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

    /// The pairings of a round from a tournament report (TRF16); needs --round and --boards
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
    /// Reads what is named, and says what is known of games beside what boards say.
    pub fn dress(self) -> Result<Dress> {
        let seats = self.seats()?;
        let event = self.event.map(|event| ("Event".to_owned(), event));
        Ok(Dress {
            seats,
            round: self.round.map(|round| round.to_string()),
            given: event.into_iter().chain(self.tags).collect(),
            zone: self.timezone,
        })
    }

    /// The file that is read for it.
    pub fn file(&self) -> Option<&Path> {
        self.roster.as_deref().or(self.trf.as_deref())
    }

    fn seats(&self) -> Result<Vec<Seat>> {
        let Some(path) = self.file() else { return Ok(Vec::new()) };
        let text = match String::from_utf8(stdio::read_whole(path)?) {
            Ok(text) => text,
            // What pairing programs of old write.
            Err(e) => e.into_bytes().into_iter().map(char::from).collect(),
        };
        let seats = match (&self.boards, self.round) {
            (Some(Boards(boards)), Some(round)) => trf::seats(&text, round as usize, boards),
            _ => roster::parse(&text),
        };
        seats.map_err(|problem| Error::Data(format!("{}:{problem}", path.display())))
    }
}
