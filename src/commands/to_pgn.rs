//! `boardbus to-pgn`: game records to PGN.

use std::{path::PathBuf, time::Duration};

use crate::{
    commands::Input,
    error::{Done, Result},
    format::pgn::{Game, Games, Style},
    record::{self, GameEvent, GameRecord, Record, Rules},
    stdio::{self, Bad, Output, Place, Published},
};

/// Game records to PGN
///
/// Games read from files (from-pgn) are written one after the other. Games of boards are written in the order
/// of the boards when the input ends; with --output the file follows every move.
#[derive(Debug, clap::Args)]
pub struct ToPgn {
    #[command(flatten)]
    input: Input,

    /// Keep this file up to date, always whole, instead of writing to standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Write the time used for each move, where it is known, as [%emt h:mm:ss]
    #[arg(long)]
    emt: bool,
}

impl ToPgn {
    /// Runs the command.
    pub fn run(self) -> Result<Done> {
        let mut work = Work {
            bad: self.input.bad(),
            style: Style { elapsed: self.emt },
            games: Games::default(),
            one: None,
            bulk: Vec::new(),
            file: self.output.map(Published::new).transpose()?,
            out: Output::stdout(),
            changed: false,
        };
        stdio::lines(&self.input.files, &mut work, Work::idle, Work::line)?;
        work.end()
    }
}

struct Work {
    bad: Bad,
    style: Style,
    games: Games,
    /// The game that a reader of files is telling.
    one: Option<Game>,
    bulk: Vec<u8>,
    file: Option<Published>,
    out: Output,
    changed: bool,
}

impl Work {
    fn line(&mut self, place: Place<'_>, line: &[u8]) -> Result<()> {
        match record::parse(line) {
            Ok(Record::Game(record)) => self.take(place, record),
            Ok(_) => Ok(()),
            Err(e) => self.bad.report(place, e),
        }
    }

    fn take(&mut self, place: Place<'_>, record: GameRecord) -> Result<()> {
        if let GameEvent::Game(start) = &record.event
            && start.rules == Rules::Russian
        {
            self.bad.report(place, "a game of draughts has no PGN: use to-pdn")?;
        }
        if record.board.is_some() || record.time.is_some() {
            self.changed = true;
            return match self.games.take(record) {
                Ok(_) => Ok(()),
                Err(problem) => self.bad.report(place, problem),
            };
        }
        match (&mut self.one, record.event) {
            (_, GameEvent::Game(start)) => {
                self.finish_one()?;
                let head = GameRecord { event: GameEvent::Takeback(record::Takeback { ply: 0 }), ..record };
                self.one = Some(Game::new(&head, start));
                Ok(())
            }
            (Some(game), event) if game.number == record.game => match game.take(event) {
                Ok(()) => Ok(()),
                Err(problem) => self.bad.report(place, problem),
            },
            (_, event) => {
                let problem = format!("a {} of game {}, which has not begun", event.kind(), record.game);
                self.bad.report(place, problem)
            }
        }
    }

    /// Writes the game of a reader of files: no more is heard of it when the next one begins.
    fn finish_one(&mut self) -> Result<()> {
        let Some(game) = self.one.take() else { return Ok(()) };
        // What a file tells is kept: the times used too.
        Style { elapsed: true }.write(&mut self.bulk, &game);
        if self.file.is_none() {
            self.out.text(&self.bulk)?;
            self.bulk.clear();
        }
        Ok(())
    }

    fn idle(&mut self) -> Result<Option<Duration>> {
        self.out.flush()?;
        if self.changed {
            self.publish()?;
        }
        Ok(None)
    }

    fn publish(&mut self) -> Result<()> {
        let Some(file) = &mut self.file else { return Ok(()) };
        let mut text = self.bulk.clone();
        for game in self.games.in_order() {
            self.style.write(&mut text, game);
        }
        self.changed = false;
        file.publish(&text)
    }

    fn end(mut self) -> Result<Done> {
        self.finish_one()?;
        if self.file.is_some() {
            self.publish()?;
        } else {
            for game in self.games.in_order() {
                self.style.write(&mut self.bulk, game);
            }
            self.out.text(&self.bulk)?;
            self.out.flush()?;
        }
        Ok(self.bad.done("record"))
    }
}
