//! `boardbus to-html`: game records to pages.

mod pages;
mod single;
mod site;

use std::{path::PathBuf, time::Duration};

use crate::{
    commands::{
        arguments::span,
        input::{self, Input},
    },
    error::{Done, Result},
    format::{
        game::{Game, Games},
        html::Ply,
        pgn,
    },
    record::{GameEvent, GameRecord, Move, Record},
    stdio::{self, Bad, Place},
};
use pages::Pages;
use single::Single;
use site::Site;

/// Game records to pages that people look at
///
/// Writes one page that needs nothing else, with all games of the input; with --output a folder for any web server: an
/// overview of all boards and a page for each game, which follow while the games are played.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  boardbus from-pgn games.pgn | boardbus to-html > games.html
  boardbus watch -p /dev/ttyUSB0 | boardbus reconstruct | boardbus to-html --output /srv/www/round3")]
pub struct ToHtml {
    #[command(flatten)]
    input: Input,

    /// Keep a folder of pages up to date instead of writing one page to standard output
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,

    /// How often open pages ask for news: 500ms, 2s; a bare number is seconds
    #[arg(long, value_name = "TIME", value_parser = span, default_value = "2s", requires = "output")]
    refresh: Duration,

    /// Say nothing of results, in no file
    #[arg(long)]
    hide_results: bool,
}

impl ToHtml {
    /// Runs the command.
    pub fn run(self) -> Result<Done> {
        let pages: Box<dyn Pages> = match self.output {
            None => Box::new(Single::new(self.hide_results)?),
            Some(dir) => Box::new(Site::new(dir, self.refresh, self.hide_results)?),
        };
        let mut work = Work { bad: self.input.bad(), games: Games::default(), one: None, pages };
        stdio::lines(&self.input.files, &mut work, Work::idle, Work::line)?;
        work.end()
    }
}

struct Work {
    bad: Bad,
    games: Games<Ply>,
    /// The game of a reader of files that is being read.
    one: Option<Game<Ply>>,
    pages: Box<dyn Pages>,
}

impl Work {
    fn line(&mut self, place: Place<'_>, line: &[u8]) -> Result<()> {
        if let Some(game) = &mut self.one
            && let Some(ply) = pgn::quick(line)
            && game.append(ply.game, ply.ply, || ply.into())
        {
            return Ok(());
        }
        let Some(Record::Game(record)) = input::record(&mut self.bad, place, line)? else {
            return Ok(());
        };
        if let GameEvent::Move(m) = &record.event
            && let Some(what) = without_position(m)
        {
            self.bad.report(place, format_args!("{what} without `fen`: it is shown without its position"))?;
        }
        let from_file = record.board.is_none() && record.time.is_none();
        let applied = if from_file { self.apply_one(record)? } else { self.games.apply(record).map(|_| ()) };
        applied.or_else(|problem| self.bad.report(place, problem))
    }

    /// A record of a reader of files. What is wrong with it is the inner answer.
    fn apply_one(&mut self, record: GameRecord) -> Result<Result<(), String>> {
        Ok(match (&mut self.one, record.event) {
            (_, GameEvent::Game(start)) => {
                self.finish_one()?;
                self.one =
                    Some(Game::new(&GameRecord { event: GameEvent::Game(start.clone()), ..record }, start));
                Ok(())
            }
            (Some(game), event) if game.number == record.game => game.apply(event, None),
            (_, event) => Err(format!("a {} of game {}, which has not begun", event.kind(), record.game)),
        })
    }

    fn finish_one(&mut self) -> Result<()> {
        self.one.take().map_or(Ok(()), |game| self.pages.read(&game))
    }

    fn idle(&mut self) -> Result<Option<Duration>> {
        self.pages.update(&self.games)
    }

    fn end(mut self) -> Result<Done> {
        self.finish_one()?;
        self.pages.end(&self.games)?;
        Ok(self.bad.done("record"))
    }
}

/// What of a move cannot be drawn, in words.
fn without_position(m: &Move) -> Option<String> {
    let name = || m.san.as_ref().or(m.notation.as_ref()).map_or("a move".into(), |name| format!("`{name}`"));
    if m.fen.is_empty() {
        return Some(name());
    }
    m.variations.iter().flatten().find_map(without_position)
}
