//! `boardbus reconstruct`: board records to game records.

use std::path::PathBuf;

use super::{
    arguments::{address, ranges, span},
    input::{Input, Layer},
    sources::{self, Sources},
};
use crate::{
    error::{Done, Error, Result},
    reconstruct::{Options, Reconstructor, Start},
    record::{self, Record},
    rules::russian::sets::Set,
    stdio::{self, Inputs, Output, each_line},
};

/// Work out what was played: board records to game records
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  boardbus watch --port /dev/ttyUSB0 --journal round3.jsonl | boardbus reconstruct | boardbus to-pgn --output games.pgn
  boardbus reconstruct --final round3.jsonl | jq -r '.san // empty'
  boardbus reconstruct --line hall-1=hall1.jsonl --line hall-2=hall2.jsonl | boardbus to-pgn
  boardbus reconstruct --continue 3540=8044 round3.jsonl | boardbus to-pgn")]
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
    #[arg(
        long,
        value_name = "TIME",
        default_value_t = Options::default().settle,
        value_parser = |text: &str| span(text).map(|span| span.as_secs_f64())
    )]
    settle: f64,

    /// Read this journal too, as that of a line with this name; once for each line
    #[arg(long = "line", value_name = "NAME=FILE", value_parser = sources::named)]
    lines: Vec<(String, PathBuf)>,

    /// A game on the first board went on on the second, as if that were the first: once its pieces stand there
    #[arg(long = "continue", value_name = "BOARD=BOARD", value_parser = boards)]
    continued: Vec<(u16, u16)>,

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

/// The address of a board and of the one that replaced it.
fn boards(text: &str) -> std::result::Result<(u16, u16), String> {
    let (first, second) = text.split_once('=').ok_or("not BOARD=BOARD, such as 3540=8044")?;
    match (address(first)?, address(second)?) {
        (first, second) if first == second => Err("a board does not replace itself".into()),
        both => Ok(both),
    }
}

impl Reconstruct {
    /// Runs the command.
    pub fn run(self) -> Result<Done> {
        let options = self.options()?;
        let mut games = Reconstructor::new(options);
        let mut records = self.input.records(Layer::Board);
        let mut sources = Sources::new(&self.input.files, &self.lines)?;
        let mut out = Output::stdout();
        let files = std::mem::take(&mut sources.files);
        let inputs = Inputs::of(&files).following(self.input.follow);
        each_line(inputs, &mut out, |out, place, line| {
            match records.record(place, line)? {
                Some(Record::Board(mut record)) => {
                    if let Some(stream) = sources.back_to(place) {
                        games.back_to(stream);
                    }
                    sources.record(place, &mut record);
                    games.record(&record, |record| out.record(&record))?;
                }
                Some(Record::Stream(mut stream)) => {
                    sources.stream(place, &mut stream);
                    games.stream(&stream, |record| out.record(&record))?;
                }
                Some(Record::Game(_) | Record::Other) | None => {}
            }
            Ok(())
        })?;
        let without_game = games.without_game();
        games.finish(|record| out.record(&record))?;
        out.flush()?;
        say_what_misleads(&games, &without_game);
        Ok(records.done())
    }

    fn options(&self) -> Result<Options> {
        let start = self.fen.as_deref().map(Start::from_fen).transpose().map_err(Error::Usage)?;
        let rules = self.rules.map(|rules| match rules {
            Rules::Chess => record::Rules::Chess,
            Rules::Russian => record::Rules::Russian,
        });
        if let (Some(rules), Some(start)) = (rules, &start)
            && rules.has_pgn() != start.rules().has_pgn()
        {
            return Err(Error::Usage("--fen is a position of another game than --rules".into()));
        }
        Ok(Options {
            settle: self.settle,
            final_only: self.final_only,
            explain: self.explain,
            rules,
            set: self.set,
            start,
            continued: self.continued.clone(),
        })
    }
}

/// Says why less came out than somebody may expect.
fn say_what_misleads(games: &Reconstructor, without_game: &[Option<u16>]) {
    for (first, second) in games.not_continued() {
        stdio::say(format_args!(
            "board {second} never stood as board {first} did in its game: nothing went on there"
        ));
    }
    if games.is_mixed() {
        stdio::say(
            "two sources count their records in one stream: if they are of two lines, watch each with --line NAME",
        );
    }
    let boards: Vec<u16> = without_game.iter().copied().flatten().collect();
    let of_boards = match (&boards[..], without_game) {
        (_, []) => return,
        ([], _) => String::new(),
        (boards, _) => format!(" of boards {}", ranges(boards)),
    };
    stdio::say(format_args!(
        "changes{of_boards}, but no game: they never stood in a start position here; is the beginning missing?"
    ));
}
