//! `boardbus check`: the health of every board and line.

mod table;

use std::{collections::HashSet, convert::Infallible, sync::Arc};

use super::{
    arguments::FormatArgs,
    input::{Input, Layer},
};
use crate::{
    error::{Done, Result},
    health::Health,
    reconstruct::{Options, Reconstructor},
    record::{BoardRecord, Finding, FindingKind, GameEvent, GameRecord, Record, Square, Time},
    stdio::{Output, each_line},
};

/// The health of every board and line: what is wrong, since when, and what to do about it
///
/// Reads any journal, live or old, also while it is written; with --follow each finding is told the moment it is one. Reconstructs the games by itself, to know what should stand where.
/// Exit code 1 when something needs a hand.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  boardbus check round3.jsonl
  boardbus check round3.jsonl | jq -r '[.board, .kind, .square, .advice] | @tsv'
  boardbus check --follow round3.jsonl
  boardbus check --no-games --format text round*.jsonl")]
pub struct Check {
    #[command(flatten)]
    input: Input,

    /// Do not reconstruct the games: sooner done, and says nothing of moves and where pieces should stand
    #[arg(long)]
    no_games: bool,

    #[command(flatten)]
    format: FormatArgs,
}

impl Check {
    /// Runs the command.
    pub fn run(self) -> Result<Done> {
        let mut records = self.input.records(Layer::Board);
        let mut hall = Hall::new(!self.no_games);
        let mut out = Output::stdout();
        each_line(self.input.inputs(), &mut out, |out, place, line| {
            match records.record(place, line)? {
                Some(Record::Board(record)) => {
                    hall.board(&record);
                    if self.input.follow && hall.is_time_to_look(&record) {
                        hall.news().iter().try_for_each(|finding| self.write(out, finding))?;
                    }
                }
                Some(Record::Stream(stream)) => {
                    hall.games.iter_mut().for_each(|games| {
                        let Ok(()) = games.stream(&stream, |_| Ok::<(), Infallible>(()));
                    });
                    hall.health.stream(&stream);
                }
                Some(Record::Game(record)) if matches!(record.event, GameEvent::Ruling(_)) => {
                    hall.ruling(&record)
                }
                Some(Record::Game(record)) => {
                    // Games that come in are not made once more.
                    hall.games = None;
                    hall.health.game(&record);
                }
                Some(Record::Other) | None => {}
            }
            Ok(())
        })?;
        let findings = hall.health.findings();
        match (self.format.is_text(), self.input.follow) {
            (true, _) => out.text(table::table(&hall.health.summaries(), &findings))?,
            (false, true) => hall.news().iter().try_for_each(|finding| out.record(finding))?,
            (false, false) => findings.iter().try_for_each(|finding| out.record(finding))?,
        }
        out.flush()?;
        Ok(match records.done() {
            Done::Yes if !findings.is_empty() => Done::No,
            done => done,
        })
    }

    /// Writes a finding the moment it is one.
    fn write(&self, out: &mut Output, finding: &Finding) -> Result<()> {
        if self.format.is_text() { out.text(table::finding(finding)) } else { out.record(finding) }
    }
}

/// While a journal is followed it is looked for news so often, in seconds of record time.
const LOOK: f64 = 5.0;

/// By which a finding is known again: kind, line, board, square.
type Name = (FindingKind, Option<Arc<str>>, Option<u16>, Option<Square>);

/// The health of a hall, and the games in it.
struct Hall {
    health: Health,
    games: Option<Reconstructor>,
    /// When it was last looked at whether anything is new.
    looked: Option<Time>,
    /// What was told already.
    told: HashSet<Name>,
}

impl Hall {
    fn new(with_games: bool) -> Hall {
        let health = if with_games { Health::with_games() } else { Health::new() };
        let games = with_games.then(|| Reconstructor::new(Options::default()));
        Hall { health, games, looked: None, told: HashSet::new() }
    }

    fn board(&mut self, record: &BoardRecord) {
        let health = &mut self.health;
        health.board(record);
        if let Some(games) = &mut self.games {
            let Ok(()) = games.record(record, |game| {
                health.game(&game);
                Ok::<(), Infallible>(())
            });
        }
    }

    /// An arbiter ruled: why a ruling cannot be held is for `reconstruct` to say.
    fn ruling(&mut self, record: &GameRecord) {
        let health = &mut self.health;
        if let Some(games) = &mut self.games {
            let Ok(_) = games.ruling(record, |game| {
                health.game(&game);
                Ok::<(), Infallible>(())
            });
        }
    }

    /// Whether some time has passed since it was last looked for news.
    fn is_time_to_look(&mut self, record: &BoardRecord) -> bool {
        let due = match (self.looked, record.time) {
            (Some(looked), Some(now)) => !(0.0..LOOK).contains(&looked.seconds_until(now)),
            _ => true,
        };
        if due {
            self.looked = record.time;
        }
        due
    }

    /// What was not told yet.
    fn news(&mut self) -> Vec<Finding> {
        let (health, told) = (&self.health, &mut self.told);
        let name = |finding: &Finding| (finding.kind, finding.line.clone(), finding.board, finding.square);
        health.findings().into_iter().filter(|finding| told.insert(name(finding))).collect()
    }
}
