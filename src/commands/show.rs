//! `boardbus show`: a hall on a screen.

mod desk;
mod feed;
mod live;
mod moment;
mod print;
mod recent;
mod replay;

use std::{io::IsTerminal, path::PathBuf};

use super::{
    arguments::{MidgameArgs, Named},
    input::Input,
    line::{ModeArgs, PatienceArgs},
    names::Names,
    pieces::PiecesArgs,
    sources,
    terminal::Screen,
};
use crate::{
    error::{Done, Error, Result},
    screen::Look,
    stdio,
};
pub(super) use feed::{Feed, Item};
use live::Live;

/// A hall on a screen: boards, moves, clocks, and what is wrong
///
/// Reads a journal, or records from standard input, and shows every board: its position, the players, the last moves,
/// the clocks, and the findings in words. With --follow the screen follows the journal, beside the `watch` that writes
/// it. Into a pipe, with --once, and on a terminal that draws nothing (TERM=dumb), it prints one picture as text. Press
/// ? for the keys.
#[derive(Debug, clap::Args)]
#[command(mut_arg("timezone", |timezone| timezone.help("Show times in this time zone: Europe/Berlin [default: that of this machine]")))]
#[command(after_help = "Examples:
  boardbus show --follow round3.jsonl --roster players.csv
  ssh hall boardbus show --once round3.jsonl
  boardbus show --speed 20 round2.jsonl.gz
  boardbus show --port /dev/ttyUSB0
  boardbus watch -p /dev/ttyUSB0 --journal round3.jsonl | boardbus show")]
pub struct Show {
    #[command(flatten)]
    input: Input,

    /// Read this journal too, and give its line this name; may be given again
    #[arg(long = "line", value_name = "NAME=FILE", value_parser = sources::named)]
    lines: Vec<(String, PathBuf)>,

    #[command(flatten)]
    names: Names,

    #[command(flatten)]
    midgame: MidgameArgs,

    /// Print one picture and end
    #[arg(long)]
    once: bool,

    /// Letters instead of figures
    #[arg(long)]
    ascii: bool,

    /// Play the recording at this many times its speed: 1, 20, 0.5
    #[arg(long, value_name = "N", value_parser = pace, conflicts_with_all = ["follow", "once"])]
    speed: Option<f64>,

    /// Watch the boards on this serial port instead of reading records: for a board on the desk. It writes no start
    /// marks and keeps no records; with --once each board is asked once
    #[arg(short, long, value_name = "PATH", conflicts_with_all = ["files", "lines", "follow", "speed"])]
    port: Option<PathBuf>,

    /// With --port only these boards, and no search: 1025-1060,2054
    #[arg(short, long, value_name = "LIST")]
    board: Option<Named>,

    #[command(flatten)]
    patience: PatienceArgs,

    #[command(flatten)]
    mode: ModeArgs,

    #[command(flatten)]
    pieces: PiecesArgs,
}

/// The factor of the speed.
fn pace(text: &str) -> std::result::Result<f64, String> {
    match text.parse() {
        Ok(speed) if (0.01..=10_000.0).contains(&speed) => Ok(speed),
        _ => Err("not a number from 0.01 to 10000, such as 20".into()),
    }
}

impl Show {
    /// Runs the command.
    pub fn run(self) -> Result<Done> {
        let person = stdio::person_reads() && stdio::draws() && !self.once;
        let look = Look { ascii: self.ascii || stdio::plain_signs(), colour: stdio::colour() };
        if self.board.is_some() && self.port.is_none() {
            return Err(Error::Usage(
                "--board goes with --port: of a journal all boards are shown, and `/` finds one".into(),
            ));
        }
        if self.pieces.is_given() && self.port.is_none() {
            return Err(Error::Usage("--pieces goes with --port: a journal has the pieces".into()));
        }
        if let Some(port) = self.port {
            let (feed, source) =
                (Feed::empty(self.names.dress()?, self.midgame.options())?, port.display().to_string());
            let chips = self.pieces.read()?;
            let open = || desk::line(&port, self.patience.patience, self.mode.lines(), chips);
            if !person {
                let line = open()?;
                return desk::once(line, self.mode.asked(), self.board, feed, look, source);
            }
            let plan = desk::plan(self.mode.asked(), self.board);
            let live = Live::new(feed, Screen::open()?, look, source);
            return desk::run(open()?, plan, live);
        }
        let source = match (&self.input.files[..], &self.lines[..]) {
            ([], []) if std::io::stdin().is_terminal() => {
                let what = "name a journal, or a --port, or send records through a pipe";
                return Err(Error::Usage(what.into()));
            }
            ([], []) => "standard input".to_owned(),
            (files, lines) => {
                let names =
                    files.iter().chain(lines.iter().map(|(_, file)| file)).map(|file| stdio::name_of(file));
                names.collect::<Vec<_>>().join(" ")
            }
        };
        let feed = Feed::new(&self.input, &self.lines, self.names.dress()?, self.midgame.options())?;
        if !person {
            return print::run(feed, look, source);
        }
        match self.speed {
            Some(speed) => replay::run(feed, look, source, speed),
            None => Live::new(feed, Screen::open()?, look, source).run(self.input.follow),
        }
    }
}
