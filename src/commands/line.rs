//! Options that the commands that talk to boards share: which line, which boards, and the form of the output.

use std::{path::PathBuf, time::Duration};

use clap::{Args, ValueEnum, builder::PossibleValuesParser};

use super::{
    arguments::{FormatArgs, Named, span_above_0},
    open_line::{Answers, Line, OpenLine},
    pieces::PiecesArgs,
};
use crate::{
    bus::{
        capture::Capture,
        detect,
        ending::Ending,
        link::Levels,
        port::{self, Port},
    },
    error::Result,
    stdio,
};

/// Which line, and the form of the output.
#[derive(Debug, Clone, Args)]
pub struct LineArgs {
    /// Serial port of the line, a pseudo-terminal, or a serial server, tcp://host:port [default: the USB adapter, if
    /// there is only one]
    #[arg(short, long, env = "BOARDBUS_PORT", value_name = "PATH")]
    port: Option<PathBuf>,

    #[command(flatten)]
    patience: PatienceArgs,

    /// The name of the line, which every record gets
    #[arg(long, value_name = "NAME")]
    line: Option<String>,

    /// Append every byte, in both directions, to this file: a new one or an existing capture
    #[arg(long, value_name = "FILE")]
    capture: Option<PathBuf>,

    #[command(flatten)]
    mode: ModeArgs,

    #[command(flatten)]
    pieces: PiecesArgs,

    #[command(flatten)]
    pub format: FormatArgs,
}

/// How long a command waits for boards.
#[derive(Debug, Clone, Args)]
pub struct PatienceArgs {
    /// How long to wait for an answer to begin: 300ms, 1s; a bare number is seconds [default: 80ms, as the makers
    /// specify; longer if answers are measured to take longer]
    #[arg(long, value_name = "TIME", value_parser = span_above_0)]
    pub patience: Option<Duration>,
}

/// How a command talks to boards.
#[derive(Debug, Clone, Args)]
pub struct ModeArgs {
    /// A bus of boards, or one board alone on its cable (USB, Bluetooth); auto listens first, then looks for a bus
    #[arg(long, visible_alias = "make", value_parser = PossibleValuesParser::new(modes()), default_value = AUTO)]
    mode: String,

    /// Levels of DTR and RTS of a serial port; auto: low on a bus, high for a DGT board alone, low for boards of other makes,
    /// and low while a port is listened to
    #[arg(long, value_enum, default_value_t, value_name = "LEVEL")]
    dtr: Dtr,
}

/// Levels of DTR and RTS.
#[derive(Debug, Clone, Copy, Default, ValueEnum)]
enum Dtr {
    High,
    Low,
    #[default]
    Auto,
}

/// The value that has the mode detected.
const AUTO: &str = "auto";

/// The values of the option: `auto` and all makes of boards.
fn modes() -> impl Iterator<Item = &'static str> {
    [AUTO].into_iter().chain(detect::makes::<Line>().into_iter().map(|make| make.name))
}

impl ModeArgs {
    /// The make asked for; none where it is to be detected.
    pub fn asked(&self) -> Option<&str> {
        Some(&self.mode[..]).filter(|&mode| mode != AUTO)
    }

    /// The levels asked for; none for those of the make.
    pub fn lines(&self) -> Option<Levels> {
        match self.dtr {
            Dtr::High => Some(Levels::High),
            Dtr::Low => Some(Levels::Low),
            Dtr::Auto => None,
        }
    }
}

/// Which boards of which line.
#[derive(Debug, Clone, Args)]
pub struct BoardArgs {
    #[command(flatten)]
    line: LineArgs,

    /// Only these boards: 1025-1060,2054; a number above 16383 is the serial number of a board alone
    #[arg(short, long, visible_alias = "boards", value_name = "LIST")]
    board: Option<Named>,
}

impl BoardArgs {
    /// Opens the port, with the boards asked for or with all that are found.
    pub fn open(&self) -> Result<OpenLine> {
        let (port, answers, make) = self.line.begin()?;
        answers.open(port, make, self.board.as_ref())
    }
}

impl LineArgs {
    /// Opens the port and begins the stream of records; returns the mode asked for with it.
    pub fn begin(&self) -> Result<(Line, Answers, Option<&str>)> {
        let path = self.port.clone().map_or_else(only_adapter, Ok)?;
        let capture = capture(self.capture.as_deref())?;
        let port = Port::closed(&path, self.patience.patience, capture).with_lines(self.mode.lines());
        let port = Ending::new(port.with_pieces(self.pieces.read()?).opened()?, None);
        let answers = Answers::begin(&port, self.line.as_deref(), self.format.is_text())?;
        Ok((port, answers, self.mode.asked()))
    }
}

/// The only USB adapter; reports its path and chip.
pub fn only_adapter() -> Result<PathBuf> {
    let adapter = port::only_adapter()?;
    stdio::say(format_args!("{}: the {} adapter", adapter.path.display(), adapter.chip));
    Ok(adapter.path)
}

/// The paths of all adapters and boards; reports each.
pub fn all_ports() -> Result<Vec<PathBuf>> {
    let mut adapters = port::all_adapters()?;
    if let [only] = &mut adapters[..] {
        stdio::say(format_args!("{}: the {} adapter", only.path.display(), only.chip));
        return Ok(vec![std::mem::take(&mut only.path)]);
    }
    // The names by id stay the same when adapters are plugged in in another order.
    let path = |adapter: port::Adapter| {
        let path = port::lasting_name(&adapter.path);
        stdio::say(format_args!("{}: {}", path.display(), adapter.chip));
        path
    };
    Ok(adapters.into_iter().map(path).collect())
}

/// The capture file for every byte, if one was asked for.
pub fn capture(path: Option<&std::path::Path>) -> Result<Option<Capture>> {
    path.map(|path| Capture::append(path, Box::new(stdio::say))).transpose()
}
