//! What the commands that talk to boards share: which line, which boards, and for whom to write.

use std::{path::PathBuf, str::FromStr, sync::Arc};

use clap::{Args, ValueEnum};

use super::people;
use crate::{
    bus::{
        capture::Capture,
        discovery::{self, Step, Trouble},
        exchange::Line,
        link::{Gone, Link},
        port::{self, Port},
    },
    error::{Error, Result},
    progress,
    record::{BoardEvent, BoardRecord, Stream, Time},
    stdio::{self, Output},
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
    pub format: FormatArgs,
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

/// A line that a command asks, and where it writes what it hears.
pub struct Talk {
    /// The line.
    pub line: Line<Port>,
    /// Standard output.
    pub out: Output,
    name: Option<Arc<str>>,
    text: bool,
}

impl LineArgs {
    /// Opens the port and begins the stream of records.
    pub fn talk(&self) -> Result<Talk> {
        let path = self.port.clone().map_or_else(port::only_adapter, Ok)?;
        let port = Port::open(&path, capture(self.capture.as_deref())?)?;
        let (name, text) = (self.line.as_deref().map(Into::into), self.format.is_text());
        let mut out = Output::live();
        if !text {
            out.record(&Stream::begin(Time::now(), self.line.as_deref()).line())?;
        }
        Ok(Talk { line: Line::new(port), out, name, text })
    }
}

/// The file that every byte goes to, if one was asked for.
pub fn capture(path: Option<&std::path::Path>) -> Result<Option<Capture>> {
    path.map(|path| Capture::append(path, Box::new(stdio::say))).transpose()
}

impl Talk {
    /// Whether a person reads.
    pub fn is_text(&self) -> bool {
        self.text
    }

    /// The port's name, for messages.
    pub fn port(&self) -> &str {
        self.line.link().name()
    }

    /// The line's name, for records.
    pub fn name(&self) -> Option<Arc<str>> {
        self.name.clone()
    }

    /// Writes a record of a board, to people as text.
    pub fn tell(&mut self, board: u16, event: BoardEvent) -> Result<()> {
        let mut record = BoardRecord::new(Some(Time::now()), Some(board), event);
        record.line = self.name.clone();
        if self.text { self.out.text(people::line(&record)) } else { self.out.record(&record) }
    }

    /// The error that the line is gone.
    pub fn gone(&self, gone: Gone) -> Error {
        Error::port(self.port(), format_args!("{gone}: plug it in again"))
    }

    /// The boards asked for, or all that are found; none of those found is told.
    pub fn boards(&mut self, asked: Option<&Boards>) -> Result<Vec<u16>> {
        if let Some(Boards(boards)) = asked {
            return Ok(boards.clone());
        }
        let mut boards = Vec::new();
        self.discover(&[], |_, found| {
            boards.push(found.board);
            Ok(())
        })?;
        boards.sort_unstable();
        if boards.is_empty() && crate::stop::requested().is_none() {
            stdio::say(format_args!(
                "{}: no board answers: are they switched on and plugged in?",
                self.port()
            ));
        }
        Ok(boards)
    }

    /// Finds all boards, with progress; `f` gets each the moment it is confirmed.
    pub fn discover(
        &mut self,
        expected: &[u16],
        mut f: impl FnMut(&mut Output, &discovery::Found) -> Result<()>,
    ) -> Result<Vec<u16>> {
        let spinner = progress::spinner("listening for boards");
        let (out, mut count) = (&mut self.out, 0);
        let found = discovery::discover(&mut self.line, [], expected, discovery::THOROUGH, &mut |step| {
            match step {
                Step::Found(found) => {
                    count += 1;
                    spinner.set_message(format!("{count} so far"));
                    progress::aside(|| f(out, found))
                }
                Step::Round(round, _) => {
                    spinner.set_message(format!("round {round}, {count} so far"));
                    Ok(())
                }
                Step::Unsettled(bytes) => {
                    stdio::say(format_args!(
                        "the line does not get quiet ({bytes} bytes that are no board's): a board may be missing"
                    ));
                    Ok(())
                }
            }
        });
        spinner.finish_and_clear();
        match found {
            Ok(found) => Ok(found.iter().map(|found| found.board).collect()),
            Err(Trouble::Ended(error)) => Err(error),
            Err(Trouble::Gone(gone)) => Err(self.gone(gone)),
        }
    }
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
