//! `boardbus to-html`: game records to pages.

mod folder;
mod front;
mod look;
mod pages;
mod single;
mod site;
mod spill;
mod text;

use std::{path::PathBuf, time::Duration};

use crate::{
    commands::{
        arguments::span, earlier::Earlier, incoming::Incoming, input::Input, names::Names, settling::Results,
    },
    error::{Done, Result},
    format::html::Ply,
    record::{GameEvent, Move, Rules},
    stdio::{self, Place},
};
use front::Front;
use look::LookArgs;
use pages::Pages;
use single::Single;
use site::{Options, Site};

/// Game records to pages for spectators
///
/// Writes one page that needs nothing else, with all games of the input; with --output a folder for any web server: an
/// overview of all boards and a page for each game, which follow while the games are played.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  boardbus from-pgn games.pgn | boardbus to-html > games.html
  boardbus watch -p /dev/ttyUSB0 | boardbus reconstruct | boardbus to-html --output /srv/www/round3
  boardbus reconstruct round3.jsonl | boardbus to-html --roster round3.csv --round 3 --delay 15m -o /srv/www/round3")]
pub struct ToHtml {
    #[command(flatten)]
    input: Input,

    /// Keep a folder of pages up to date instead of writing one page to standard output
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,

    /// How soon open pages show news: 500ms, 2s; a bare number is seconds
    ///
    /// Open pages ask for changes this often, and more than twice as often while there are some.
    #[arg(long, value_name = "TIME", value_parser = span, default_value = "2s", requires = "output")]
    refresh: Duration,

    #[command(flatten)]
    names: Names,

    #[command(flatten)]
    look: LookArgs,

    /// Publish each record only when it is this old by its `time`: 90s, 15m, 1.5h; a bare number is seconds
    #[arg(long, value_name = "TIME", value_parser = span)]
    delay: Option<Duration>,

    /// When to write the result of a board's game: an end may be withdrawn, but a broadcast keeps a result that it
    /// received
    #[arg(long, value_enum, value_name = "WHEN", default_value = "at-once", overrides_with = "results")]
    results: Results,

    /// Keep a front page of the event in DIR too: its rounds, which are folders of pages in DIR, and the standings
    ///
    /// It lists the rounds whose pages were made with this option.
    #[arg(long, value_name = "DIR", requires = "output")]
    event_page: Option<PathBuf>,

    /// Leave results out of every file
    #[arg(long)]
    hide_results: bool,

    /// Leave out the tables of --roster or --pairings at which nobody has moved yet
    #[arg(long)]
    no_empty: bool,
}

impl ToHtml {
    /// Runs the command.
    pub fn run(self) -> Result<Done> {
        let dress = self.names.dress()?;
        let earlier = Earlier::new(self.output.iter());
        let pages: Box<dyn Pages> = match self.output {
            None => Box::new(Single::new(self.hide_results, self.look.of_single()?)?),
            Some(dir) => {
                let (refresh, hide_results) = (self.refresh, self.hide_results);
                let delay = self.delay.unwrap_or_default();
                let (look, logo) = self.look.of_site()?;
                let front =
                    self.event_page.map(|front| Front::new(front, &look, logo.as_ref())).transpose()?;
                let options = Options { refresh, delay, hide_results, look };
                Box::new(Site::new(dir, options, logo, front)?)
            }
        };
        let incoming = Incoming::new(&self.input, dress, self.delay, self.results)
            .with_pairings((!self.no_empty).then_some(Rules::Chess));
        let mut work = Work { incoming, earlier, pages };
        stdio::lines(self.input.inputs(), &mut work, Work::idle, Work::line)?;
        if let Some(game) = work.incoming.end()? {
            work.pages.read(&game)?;
        }
        if !work.earlier.is_left() {
            work.pages.report(work.incoming.names().report());
            work.pages.end(&mut work.incoming.games)?;
        }
        Ok(work.incoming.done())
    }
}

struct Work {
    incoming: Incoming<Ply>,
    earlier: Earlier,
    pages: Box<dyn Pages>,
}

impl Work {
    fn line(&mut self, place: Place<'_>, line: &[u8]) -> Result<()> {
        let over = self.incoming.line(place, line, |bad, record| match &record.event {
            GameEvent::Move(m) => without_position(m).map_or(Ok(()), |what| {
                bad.report(place, format_args!("{what} without `fen`: it is shown without its position"))
            }),
            _ => Ok(()),
        })?;
        over.map_or(Ok(()), |game| self.pages.read(&game))
    }

    fn idle(&mut self) -> Result<Option<Duration>> {
        let due = self.incoming.release()?;
        if let Some(wait) = self.earlier.stays(self.incoming.so_far) {
            return Ok(due.into_iter().chain([wait]).min());
        }
        self.pages.report(self.incoming.names().report());
        let next = self.pages.update(&mut self.incoming.games)?;
        Ok(due.into_iter().chain(next).min())
    }
}

/// What is missing to draw a move, in words.
fn without_position(m: &Move) -> Option<String> {
    let name = || m.san.as_ref().or(m.notation.as_ref()).map_or("a move".into(), |name| format!("`{name}`"));
    if m.fen.is_empty() {
        return Some(name());
    }
    m.variations.iter().flatten().find_map(without_position)
}
