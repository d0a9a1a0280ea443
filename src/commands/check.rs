//! `boardbus check`: the health of every board and line.

mod hall;
mod shares;
mod table;

use std::path::PathBuf;

use super::{
    arguments::{FormatArgs, MidgameArgs},
    input::{Input, Layer, report_without_game},
    rulings::Rulings,
    sources::{self, Sources},
};
use crate::{
    error::{Done, Result},
    record::{BoardName, Finding, Record, Zone},
    stdio::{Inputs, Output, Place, each_line},
};
use hall::{Hall, Item};
use shares::Shares;

/// What is wrong with which board, since when, and what to do
///
/// Reads any journal, live or old, also while it is written; with --follow each finding is reported at once.
/// Reconstructs the games by itself, to compare the boards with them. Text has local times, records have UTC. Exit code
/// 1 when there is a finding.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  boardbus check round3.jsonl
  boardbus check round3.jsonl | jq -r '[.board, .kind, .square, .advice] | @tsv'
  boardbus check --follow round3.jsonl
  boardbus check --line hall-1=hall1.jsonl --line hall-2=hall2.jsonl
  boardbus check --no-games --format text round*.jsonl")]
pub struct Check {
    #[command(flatten)]
    input: Input,

    /// Read this journal too, and give its line this name; may be given again
    #[arg(long = "line", value_name = "NAME=FILE", value_parser = sources::named)]
    lines: Vec<(String, PathBuf)>,

    /// Do not reconstruct the games: faster, but checks neither moves nor where pieces should stand
    #[arg(long, conflicts_with = "midgame")]
    no_games: bool,

    #[command(flatten)]
    midgame: MidgameArgs,

    #[command(flatten)]
    format: FormatArgs,
}

impl Check {
    /// Runs the command.
    pub fn run(self) -> Result<Done> {
        let mut records = self.input.records(Layer::Any);
        let mut sources = Sources::new(&self.input.files, &self.lines)?;
        let files = std::mem::take(&mut sources.files);
        let inputs = Inputs::of(&files).following(self.input.follow).ends_with_reader(true);
        // Records stay in UTC.
        let zone = if self.format.is_text() { Zone::here() } else { Zone::default() };
        let mut out = Output::stdout();
        let (health, without_game) = if self.input.follow || self.no_games {
            let games = (!self.no_games).then(|| self.midgame.options());
            let mut hall = Hall::new(games, zone.clone());
            each_line(inputs, &mut out, |out, place, line| {
                let record = records.record(place, line)?;
                let Some(item) = record.and_then(|record| item_of(&mut sources, place, record)) else {
                    return Ok(());
                };
                let is_time = self.input.follow && hall.is_due(&item);
                hall.add(item);
                if is_time {
                    hall.new_findings().iter().try_for_each(|finding| self.write(out, finding, &zone))?;
                }
                Ok(())
            })?;
            let without_game = hall.without_game();
            hall.finish();
            if self.input.follow && !self.format.is_text() {
                hall.new_findings().iter().try_for_each(|finding| out.record(finding))?;
            }
            (hall.health, without_game)
        } else {
            let mut shares = Shares::new(&self.midgame.options(), &zone);
            // The rulings in the files count before anything else is read, as in `reconstruct`.
            let rulings = Rulings::of_files(&files, None, true, self.input.bad(), |place, record| {
                item_of(&mut sources, place, Record::Game(record))
                    .into_iter()
                    .for_each(|item| shares.add(item));
                Ok(())
            })?;
            let is_known = |place: Place<'_>, record: &Record| {
                matches!(record, Record::Game(game) if game.event.is_ruling()) && rulings.contains(place)
            };
            each_line(inputs, &mut out, |_, place, line| {
                // Rulings that were read already are left out unless the input has games of its own.
                let is_new = |record: &Record| shares.has_games() || !is_known(place, record);
                let record = records.record(place, line)?.filter(is_new);
                if let Some(item) = record.and_then(|record| item_of(&mut sources, place, record)) {
                    shares.add(item);
                }
                Ok(())
            })?;
            shares.finish()
        };
        let findings = health.findings();
        match (self.format.is_text(), self.input.follow) {
            (true, _) => out.text(table::table(&health.summaries(), &findings, &zone))?,
            (false, true) => {}
            (false, false) => findings.iter().try_for_each(|finding| out.record(finding))?,
        }
        out.flush()?;
        // A board with a finding does not start a game either.
        let is_found = |(line, board): &BoardName| {
            findings.iter().any(|finding| (&finding.line, &finding.board) == (line, board))
        };
        report_without_game(&without_game.into_iter().filter(|board| !is_found(board)).collect::<Vec<_>>());
        Ok(match records.done() {
            Done::Yes if !findings.is_empty() => Done::No,
            done => done,
        })
    }

    /// Writes a finding as soon as it is found.
    fn write(&self, out: &mut Output, finding: &Finding, zone: &Zone) -> Result<()> {
        if self.format.is_text() { out.text(table::finding(finding, zone)) } else { out.record(finding) }
    }
}

/// The item of the checks for a record, with the name of its file's line; none for records that need no check.
fn item_of(sources: &mut Sources, place: Place<'_>, record: Record) -> Option<Item> {
    match record {
        Record::Board(mut record) => {
            sources.record(place, &mut record);
            Some(Item::Board(record))
        }
        Record::Stream(mut stream) => {
            sources.stream(place, &mut stream);
            Some(Item::Stream(stream))
        }
        Record::Game(mut record) => {
            sources.game(place, &mut record);
            Some(Item::Game(record))
        }
        Record::Other => None,
    }
}
