//! `boardbus reconstruct`: board records to game records.

use std::time::Duration;

use super::{
    arguments::span,
    input::{self, Input},
};
use crate::{
    error::{Done, Error, Result},
    reconstruct::{Options, Reconstructor, Start},
    record::{self, Record},
    rules::russian::sets::Set,
    stdio::{Output, each_line},
};

/// Work out what was played: board records to game records
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  boardbus watch --port /dev/ttyUSB0 --journal round3.jsonl | boardbus reconstruct | boardbus to-pgn --output games.pgn
  boardbus reconstruct --final round3.jsonl | jq -r '.san // empty'")]
pub struct Reconstruct {
    #[command(flatten)]
    input: Input,

    /// Tell each game once, when it is over or the input ends: no takebacks, each ply once
    #[arg(long = "final")]
    final_only: bool,

    /// Say of each move what it was charged with, the runner-up, and by how much that lost
    #[arg(long)]
    explain: bool,

    /// Without a clock, tell a move when its board has rested this long in record time: 500ms, 2s; a bare number is
    /// seconds
    #[arg(long, value_name = "TIME", default_value = "1.5", value_parser = span)]
    settle: Duration,

    /// Look for games of these rules only [default: what the start position shows]
    #[arg(long, value_enum)]
    rules: Option<Rules>,

    /// What the men and kings of draughts are [default: what the start position shows]
    #[arg(long, value_enum)]
    set: Option<Set>,

    /// Games start from this position, and from no other: of chess, or of draughts as in PDN (W:Wa1,Kc3:Bb8)
    #[arg(long, value_name = "FEN")]
    fen: Option<String>,
}

/// The games that boards are read for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Rules {
    /// Chess and Chess960
    Chess,
    /// Russian draughts
    Russian,
}

impl Reconstruct {
    /// Runs the command.
    pub fn run(self) -> Result<Done> {
        let start = self.fen.as_deref().map(Start::from_fen).transpose().map_err(Error::Usage)?;
        let rules = self.rules.map(|rules| match rules {
            Rules::Chess => record::Rules::Chess,
            Rules::Russian => record::Rules::Russian,
        });
        if let (Some(rules), Some(start)) = (rules, &start)
            && (rules == record::Rules::Russian) != (start.rules() == record::Rules::Russian)
        {
            return Err(Error::Usage("--fen is a position of another game than --rules".into()));
        }
        let options = Options {
            settle: self.settle.as_secs_f64(),
            final_only: self.final_only,
            explain: self.explain,
            rules,
            set: self.set,
            start,
        };
        let mut games = Reconstructor::new(options);
        let mut bad = self.input.bad();
        let mut out = Output::stdout();
        each_line(&self.input.files, &mut out, |out, place, line| {
            match input::record(&mut bad, place, line)? {
                Some(Record::Board(record)) => games.record(&record, |record| out.record(&record))?,
                Some(Record::Stream(stream)) => games.stream(&stream, |record| out.record(&record))?,
                Some(Record::Game(_) | Record::Other) | None => {}
            }
            Ok(())
        })?;
        games.finish(|record| out.record(&record))?;
        out.flush()?;
        Ok(bad.done("record"))
    }
}
