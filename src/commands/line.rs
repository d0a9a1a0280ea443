//! What the commands that talk to boards share: which line, which boards, and for whom to write.

use std::{path::PathBuf, str::FromStr};

use clap::{Args, ValueEnum};

use super::talk::Talk;
use crate::{
    bus::{
        capture::Capture,
        port::{self, Port},
    },
    error::Result,
    record::Mode,
    stdio,
};

/// Which line, and for whom to write.
#[derive(Debug, Clone, Args)]
pub struct LineArgs {
    /// Serial port of the line, or a pseudo-terminal [default: the one FTDI adapter there is]
    #[arg(short, long, env = "BOARDBUS_PORT", value_name = "PATH")]
    port: Option<PathBuf>,

    /// A name for the line, put on every record
    #[arg(long, value_name = "NAME")]
    line: Option<String>,

    /// Append every byte, both ways, to this file
    #[arg(long, value_name = "FILE")]
    capture: Option<PathBuf>,

    #[command(flatten)]
    mode: ModeArgs,

    #[command(flatten)]
    pub format: FormatArgs,
}

/// How boards are spoken to.
#[derive(Debug, Clone, Args)]
pub struct ModeArgs {
    /// A bus of boards, or one board alone on its cable (USB, Bluetooth); auto looks for a bus first
    #[arg(long, value_enum, default_value = "auto")]
    mode: ModeChoice,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ModeChoice {
    Auto,
    Bus,
    Single,
}

impl ModeArgs {
    /// The mode asked for; none: it is to be found out.
    pub fn asked(&self) -> Option<Mode> {
        match self.mode {
            ModeChoice::Auto => None,
            ModeChoice::Bus => Some(Mode::Bus),
            ModeChoice::Single => Some(Mode::Single),
        }
    }
}

/// For whom to write.
#[derive(Debug, Clone, Args)]
pub struct FormatArgs {
    /// Records, text for people, or text on a terminal and records elsewhere
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
    /// Whether a person reads what we write.
    pub fn is_text(&self) -> bool {
        match self.format {
            Format::Auto => stdio::person_reads(),
            Format::Json => false,
            Format::Text => true,
        }
    }
}

/// Bus addresses: `1025-1060,2054`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Boards(pub Vec<u16>);

impl FromStr for Boards {
    type Err = String;

    fn from_str(text: &str) -> Result<Boards, String> {
        let address = |text: &str| match text.trim().parse::<u16>() {
            Ok(n @ 1..=0x3fff) => Ok(n),
            _ => Err(format!("`{text}` is not an address from 1 to 16383")),
        };
        let mut boards = Vec::new();
        for part in text.split(',') {
            let (first, last) = part.split_once('-').unwrap_or((part, part));
            let (first, last) = (address(first)?, address(last)?);
            if first > last {
                return Err(format!("`{part}` begins above its end"));
            }
            boards.extend((first..=last).filter(|board| !boards.contains(board)).collect::<Vec<_>>());
        }
        Ok(Boards(boards))
    }
}

impl LineArgs {
    /// Opens the port and begins the stream of records.
    pub fn talk(&self) -> Result<Talk> {
        let path = self.port.clone().map_or_else(port::only_adapter, Ok)?;
        let port = Port::open(&path, capture(self.capture.as_deref())?)?;
        Talk::begin(port, self.mode.asked(), self.line.as_deref(), self.format.is_text())
    }
}

/// The file that every byte goes to, if one was asked for.
pub fn capture(path: Option<&std::path::Path>) -> Result<Option<Capture>> {
    path.map(|path| Capture::append(path, Box::new(stdio::say))).transpose()
}

/// A span of time on the command line: `90`, `90s`, `10m`, `6h`.
pub fn span(text: &str) -> Result<std::time::Duration, String> {
    let (number, unit) = match text.find(|c: char| c.is_ascii_alphabetic()) {
        Some(at) => text.split_at(at),
        None => (text, "s"),
    };
    let unit = match unit {
        "ms" => 0.001,
        "s" => 1.0,
        "m" => 60.0,
        "h" => 3600.0,
        _ => return Err("not a time: 90, 90s, 10m or 6h".into()),
    };
    match number.parse::<f64>() {
        Ok(number) if number > 0.0 && number * unit < 1e9 => {
            Ok(std::time::Duration::from_secs_f64(number * unit))
        }
        _ => Err("not a time above 0: 90, 90s, 10m or 6h".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_of_boards_has_numbers_and_ranges() {
        assert_eq!("1025-1027,2054,1026".parse(), Ok(Boards(vec![1025, 1026, 1027, 2054])));
        for wrong in ["", "0", "16384", "1027-1025", "1025,", "0x401"] {
            assert!(wrong.parse::<Boards>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_span_has_a_unit_or_is_seconds() {
        assert_eq!(span("90"), Ok(std::time::Duration::from_secs(90)));
        assert_eq!(span("0.5m"), Ok(std::time::Duration::from_secs(30)));
        assert_eq!(span("6h"), Ok(std::time::Duration::from_secs(21600)));
        for wrong in ["", "0", "-1", "5d", "m", "1e400"] {
            assert!(span(wrong).is_err(), "{wrong}");
        }
    }
}
