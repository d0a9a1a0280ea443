//! The tables of a round, from any of the formats, and the tags of their games.

use std::{collections::HashMap, ops::Range};

use super::files::File;
use crate::format::{roster::Seat, trf};

/// The numbers that tables may have: without other data they are addresses of boards.
pub const TABLES: Range<u16> = 1..1 << 14;

/// A player, with the data in the file; unknown data are empty.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Player {
    pub name: String,
    pub title: String,
    pub rating: String,
    pub fide_id: String,
    pub federation: String,
    pub team: String,
}

/// The seat at a table, with the tags of the game.
pub(super) fn seat(table: u16, round: u32, game: &[(&str, &str)], white: &Player, black: &Player) -> Seat {
    let game = game.iter().map(|(name, value)| (name.to_string(), value.to_string()));
    let of = |player: &Player| {
        let Player { name, title, rating, fide_id, federation, team } = player.clone();
        [spaced(&name), title, rating, fide_id, federation, team]
    };
    let tags = trf::tags(game, round as usize, table.into(), [of(white), of(black)]);
    Seat { line: None, board: table, tags }
}

/// A name with a blank after its comma, as in PGN.
pub fn spaced(name: &str) -> String {
    match name.split_once(',') {
        Some((surname, given)) if !given.trim().is_empty() => {
            format!("{}, {}", surname.trim_end(), given.trim_start())
        }
        _ => name.to_owned(),
    }
}

/// The letters and digits of a name, by which files of one program are joined.
pub fn letters(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// The number of a table.
pub(super) fn table(file: &File, line: usize, text: &str) -> Result<u16, String> {
    let number = text.trim().parse().ok().filter(|number| TABLES.contains(number));
    number.ok_or_else(|| file.at(line, format_args!("`{}` is no number of a board", text.trim())))
}

/// The seats of a round: each table and each player once.
#[derive(Debug, Default)]
pub(super) struct Once<K>(HashMap<K, usize>);

impl<K: std::hash::Hash + Eq> Once<K> {
    /// Adds the seat of a line.
    pub fn take(
        &mut self,
        file: &File,
        line: usize,
        key: K,
        what: impl std::fmt::Display,
    ) -> Result<(), String> {
        match self.0.insert(key, line) {
            Some(first) => Err(file.at(line, format_args!("{what} stands in line {first} already"))),
            None => Ok(()),
        }
    }
}

/// A table, for messages.
pub(super) fn words(seat: &Seat) -> String {
    let name = |tag: &str| seat.tag(tag).unwrap_or("?").to_owned();
    let table = seat.tag("Board").map_or(String::new(), |table| format!(" (table {table})"));
    format!("{} - {}{table}", name("White"), name("Black"))
}
