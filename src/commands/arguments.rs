//! Arguments that several commands share, with one parser each: lists of boards, durations, the form of the output, the
//! games to look for.

use std::{
    collections::{BTreeMap, HashSet},
    str::FromStr,
    time::Duration,
};

use clap::{Args, ValueEnum};

use super::people;
use crate::{
    bus::answers,
    format::ranges,
    reconstruct::Options,
    stdio::{self, Output},
};

/// Bus addresses in the order given, each once: `1025-1060,2054`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Boards(pub Vec<u16>);

impl FromStr for Boards {
    type Err = String;

    fn from_str(text: &str) -> Result<Boards, String> {
        let mut boards = addresses(text)?;
        let mut seen = HashSet::new();
        boards.retain(|board| seen.insert(*board));
        Ok(Boards(boards))
    }
}

/// The same where each address has a meaning of its own, so that a repeated address is an error.
pub(super) fn boards_each_once(text: &str) -> Result<Boards, String> {
    let boards = addresses(text)?;
    let mut seen = HashSet::new();
    match boards.iter().find(|&board| !seen.insert(board)) {
        Some(board) => Err(format!("address {board} is there twice")),
        None => Ok(Boards(boards)),
    }
}

/// Boards that a command asks: bus addresses, and serial numbers (above 16383) of single boards, each with its number
/// on the line.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Named {
    /// In the order given, each once.
    pub boards: Vec<u16>,
    /// The boards that were named by their serial number.
    serials: BTreeMap<u16, String>,
}

impl FromStr for Named {
    type Err = String;

    fn from_str(text: &str) -> Result<Named, String> {
        let mut named = Named::default();
        for part in text.split(',') {
            let serial = part.trim();
            let is_serial = serial.parse::<u64>().is_ok_and(|number| number > 0x3fff);
            match answers::number_of_serial(serial).filter(|_| is_serial) {
                Some(number) => {
                    named.serials.insert(number, serial.to_owned());
                    named.boards.push(number);
                }
                None => named.boards.extend(addresses(part)?),
            }
        }
        let mut seen = HashSet::new();
        named.boards.retain(|board| seen.insert(*board));
        Ok(named)
    }
}

impl Named {
    /// The serial number by which a board was named.
    pub fn serial(&self, board: u16) -> Option<&str> {
        self.serials.get(&board).map(String::as_str)
    }

    /// These boards as they were named: `1025-1027, 3000147740`.
    pub fn list(&self, boards: &[u16]) -> String {
        let (by_serial, others): (Vec<u16>, Vec<u16>) =
            boards.iter().partition(|board| self.serials.contains_key(board));
        let others = (!others.is_empty()).then(|| ranges(&others));
        let serials = by_serial.iter().filter_map(|board| self.serials.get(board).cloned());
        others.into_iter().chain(serials).collect::<Vec<_>>().join(", ")
    }
}

/// One bus address.
pub(super) fn address(text: &str) -> Result<u16, String> {
    match text.trim().parse::<u16>() {
        Ok(n @ 1..=0x3fff) => Ok(n),
        _ => Err(format!("`{text}` is not an address from 1 to 16383")),
    }
}

fn addresses(text: &str) -> Result<Vec<u16>, String> {
    let mut boards = Vec::new();
    for part in text.split(',') {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let (first, last) = (address(first)?, address(last)?);
        if first > last {
            return Err(format!("`{part}` begins above its end"));
        }
        boards.extend(first..=last);
    }
    Ok(boards)
}

/// A duration from 0 up: a number, fractions allowed, with `ms`, `s`, `m` or `h`; a bare number is in seconds.
pub(super) fn span(text: &str) -> Result<Duration, String> {
    let (number, unit) = match text.find(|c: char| c.is_ascii_alphabetic()) {
        Some(at) => text.split_at(at),
        None => (text, "s"),
    };
    let unit = match unit {
        "ms" => 0.001,
        "s" => 1.0,
        "m" => 60.0,
        "h" => 3600.0,
        _ => f64::NAN,
    };
    let seconds = number.parse().map_or(f64::NAN, |number: f64| number * unit);
    // Some 30 years: a longer time is a mistake.
    if (0.0..1e9).contains(&seconds) {
        Ok(Duration::from_secs_f64(seconds))
    } else {
        Err("not a time such as 500ms, 90s, 1.5m or 2h; a bare number is seconds".into())
    }
}

/// A duration above 0.
pub(super) fn span_above_0(text: &str) -> Result<Duration, String> {
    span(text).and_then(|span| if span.is_zero() { Err("0 is no time here".into()) } else { Ok(span) })
}

/// The form of the output.
#[derive(Debug, Clone, Args)]
pub(super) struct FormatArgs {
    /// json: records; text: text for people; auto: text on a terminal, records elsewhere
    #[arg(long, value_enum, default_value = "auto")]
    format: Format,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    Auto,
    Json,
    Text,
}

impl FormatArgs {
    /// Standard output as JSON records or as text.
    pub fn output(&self) -> Output {
        let out = Output::stdout();
        if self.is_text() { out.shown_by(people::shown()) } else { out }
    }

    /// Whether the output is text for people.
    pub fn is_text(&self) -> bool {
        match self.format {
            Format::Auto => stdio::person_reads(),
            Format::Json => false,
            Format::Text => true,
        }
    }
}

/// Which games there may be where games are reconstructed.
#[derive(Debug, Clone, Copy, Args)]
pub(super) struct MidgameArgs {
    /// Where a board is found in the middle of a game, begin a game from its position: the side that moves first has
    /// the move. Without this option that needs a running clock
    #[arg(long)]
    pub midgame: bool,
}

impl MidgameArgs {
    /// The options of the reconstruction, with the usual value for all others.
    pub fn options(self) -> Options {
        Options { midgame: self.midgame, ..Options::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_of_boards_has_numbers_and_ranges() {
        assert_eq!("1025-1027,2054,1026".parse(), Ok(Boards(vec![1025, 1026, 1027, 2054])));
        assert_eq!("2054, 1025".parse(), Ok(Boards(vec![2054, 1025])));
        let named: Named = "1026,3000147740,1025,47588,20336".parse().unwrap();
        assert_eq!(named.boards, [1026, 7740, 1025, 7588, 336]);
        assert_eq!(named.list(&named.boards), "1025-1026, 3000147740, 47588, 20336");
        assert!("16384-16390".parse::<Named>().is_err() && "3000147740".parse::<Boards>().is_err());
        for wrong in ["", "0", "16384", "1027-1025", "1025,", "0x401"] {
            assert!(wrong.parse::<Boards>().is_err(), "{wrong}");
            assert!(boards_each_once(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn repeated_addresses_are_refused_where_each_has_a_meaning() {
        assert_eq!(boards_each_once("1027,1025-1026"), Ok(Boards(vec![1027, 1025, 1026])));
        let twice = Err("address 1026 is there twice".to_owned());
        assert_eq!(boards_each_once("1025-1027,2054,1026"), twice);
    }

    #[test]
    fn a_span_has_a_unit_or_is_seconds() {
        assert_eq!(span("90"), Ok(Duration::from_secs(90)));
        assert_eq!(span("1.5"), Ok(Duration::from_millis(1500)));
        assert_eq!(span("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(span("90s"), Ok(Duration::from_secs(90)));
        assert_eq!(span("0.5m"), Ok(Duration::from_secs(30)));
        assert_eq!(span("6h"), Ok(Duration::from_secs(21600)));
        assert_eq!(span("0"), Ok(Duration::ZERO));
        for wrong in ["", "-1", "5d", "m", "1e400", "inf", "NaN", "1 s", "300000h"] {
            assert!(span(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_span_is_not_0_where_0_means_nothing() {
        assert_eq!(span_above_0("1ms"), Ok(Duration::from_millis(1)));
        for wrong in ["0", "0h", "soon"] {
            assert!(span_above_0(wrong).is_err(), "{wrong}");
        }
    }
}
