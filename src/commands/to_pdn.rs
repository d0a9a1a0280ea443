//! `boardbus to-pdn`: game records to PDN.

use super::{
    incoming::unfit_tags,
    input::{Input, Layer},
};
use crate::{
    error::{Done, Result},
    format::{pdn::Style, russian::Games},
    record::{GameEvent, Record},
    stdio::{self, Output},
};

/// Game records to PDN
///
/// Writes games of Russian draughts as PDN 3.0, each when it is over. A capture is written by its ends where
/// these give it back when read, else with every landing.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  boardbus from-bars games.jsonl | boardbus to-pdn > games.pdn
  boardbus reconstruct hall.jsonl | boardbus to-pdn --x --points > for-lidraughts.pdn")]
pub struct ToPdn {
    #[command(flatten)]
    input: Input,

    /// Squares by number, 1 = b8 (GameType 25,W,8,8,N2,0)
    #[arg(long)]
    numeric: bool,

    /// x for captures instead of the colon
    #[arg(long)]
    x: bool,

    /// Results as 2-0, 1-1 and 0-2
    #[arg(long)]
    points: bool,

    /// Write the time used for each move, where it is known, as [%emt h:mm:ss]
    #[arg(long)]
    emt: bool,
}

impl ToPdn {
    /// Runs the command.
    pub fn run(self) -> Result<Done> {
        let style = Style {
            numeric: self.numeric,
            crosses: self.x,
            points: self.points,
            elapsed: self.emt,
            no_anomalies: false,
        };
        let mut records = self.input.records(Layer::Game);
        let mut games = Games::default();
        let mut out = Output::stdout();
        stdio::each_line(&self.input.files, &mut out, |out, place, line| {
            let Some(Record::Game(mut record)) = records.record(place, line)? else { return Ok(()) };
            if let GameEvent::Game(start) = &mut record.event {
                unfit_tags(start).iter().try_for_each(|problem| records.report(place, problem))?;
            }
            let applied = games.apply(record);
            applied.closed.iter().try_for_each(|game| out.text(style.text(game)))?;
            applied.game.map_or_else(|problem| records.report(place, problem), |_| Ok(()))
        })?;
        games.rest().try_for_each(|game| out.text(style.text(&game)))?;
        out.flush()?;
        Ok(records.done())
    }
}
