//! `boardbus reconstruct`: board records to game records.

use std::path::PathBuf;

use super::{
    arguments::{FormatArgs, MidgameArgs, address, span},
    input::{self, Input, Layer},
    numbered::Numbered,
    reopened::Reopened,
    rulings::Rulings,
    sources::{self, Sources},
    summary::{CountedOutput, SummaryArgs},
};
use crate::{
    error::{Done, Error, Result},
    reconstruct::{Options, Reconstructor, Refused, Show, Start},
    record::{self, BoardName, GameEvent, GameRecord, Record, Ruled},
    rules::russian::sets::Set,
    stdio::{self, Inputs, Place, lines},
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

    /// Publish each game once, when the next one has begun or the input ends: without takebacks, each ply once
    #[arg(long = "final")]
    final_only: bool,

    /// Write only what follows from records that are appended to the files from now on. The records before are read
    /// for the games in play, and nothing is written for them
    #[arg(long, requires = "follow")]
    new: bool,

    /// Add to each move why it was chosen: its charges, the second best explanation, and the lead over that
    #[arg(long)]
    explain: bool,

    /// Without a clock, publish a move when its board has rested this long by the times of the records: 500ms, 2s; a
    /// bare number is seconds
    #[arg(
        long,
        value_name = "TIME",
        default_value_t = Options::default().settle,
        value_parser = |text: &str| span(text).map(|span| span.as_secs_f64())
    )]
    settle: f64,

    /// How soon to publish a move on a board with a clock
    #[arg(long, value_enum, default_value = "usual", overrides_with = "show")]
    show: Show,

    /// Read this journal too, and give its line this name; may be given again
    #[arg(long = "line", value_name = "NAME=FILE", value_parser = sources::named)]
    lines: Vec<(String, PathBuf)>,

    /// A game of the first board continues on the second, once its position stands there; it keeps the address of the
    /// first
    #[arg(long = "continue", value_name = "BOARD=BOARD", value_parser = boards)]
    continued: Vec<(u16, u16)>,

    /// Look for games of these rules only [default: what the start position shows]
    #[arg(long, value_enum)]
    rules: Option<Rules>,

    /// What the men and kings of draughts are [default: what the start position shows]
    #[arg(long, value_enum)]
    set: Option<Set>,

    /// Read an arbiter's rulings from this file too, also those that are appended to it later
    #[arg(long, value_name = "FILE")]
    rulings: Option<PathBuf>,

    /// Games start from this position, and from no other: of chess, or of draughts as in PDN (W:Wa1,Kc3:Bb8)
    #[arg(long, value_name = "FEN", conflicts_with = "midgame")]
    fen: Option<String>,

    #[command(flatten)]
    midgame: MidgameArgs,

    #[command(flatten)]
    format: FormatArgs,

    #[command(flatten)]
    summary: SummaryArgs,
}

/// The games to look for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Rules {
    /// Chess and Chess960
    Chess,
    /// Russian draughts
    Russian,
}

/// The addresses of a board and of the one that replaced it.
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
        let mut records = self.input.records(Layer::Board);
        let mut sources = Sources::new(&self.input.files, &self.lines)?;
        let options = self.options(&sources.files)?;
        let reopened = Reopened::new(&options, &sources.files);
        let out =
            CountedOutput::new(Numbered::new(self.format.output(), &self.changing_options()), self.summary);
        let mut hall = Hall { games: Reconstructor::new(options), out, reopened };
        let files = std::mem::take(&mut sources.files);
        hall.out.numbered().numbers.withhold(self.new);
        let inputs = Inputs::of(&files).following(self.input.follow).ends_with_reader(true);
        // The rulings in the files count before anything else is read, so that no record has to be withdrawn for them.
        let live = self.input.follow || !files.iter().any(|file| file.is_file());
        let rule = |place: Place<'_>, mut ruling| {
            sources.game(place, &mut ruling);
            hall.rule_beside(&ruling, &sources)
        };
        let bad = self.input.bad();
        let mut rulings = Rulings::of_files(&files, self.rulings.as_deref(), live, bad, rule)?;
        let state = &mut (&mut hall, &mut sources, &mut rulings);
        let idle = |(hall, sources, rulings): &mut (&mut Hall, &mut Sources, &mut Rulings)| {
            hall.out.numbered().numbers.withhold(false);
            let next = rulings.news(|ruling| hall.rule_beside(&ruling, sources))?;
            hall.out.flush().map(|()| next)
        };
        lines(inputs, state, idle, |(hall, sources, rulings), place, line| {
            let Hall { games, out, .. } = &mut **hall;
            match records.record(place, line)? {
                Some(Record::Board(mut record)) => {
                    if let Some(stream) = sources.back_to(place) {
                        games.back_to(stream);
                    }
                    sources.record(place, &mut record);
                    games.record(&record, |record| publish(record, out))?;
                }
                Some(Record::Stream(mut stream)) => {
                    sources.stream(place, &mut stream);
                    out.numbered().numbers.stream(&stream);
                    games.stream(&stream, |record| publish(record, out))?;
                }
                Some(Record::Game(mut record)) if record.event.is_ruling() => {
                    if !rulings.contains(place) {
                        sources.game(place, &mut record);
                        hall.rule(&record, sources)?;
                    }
                }
                Some(Record::Game(_) | Record::Other) | None => {}
            }
            report_refused(&mut hall.games);
            Ok(())
        })?;
        let Hall { mut games, mut out, .. } = hall;
        let without_game = games.without_game();
        out.numbered().numbers.input_ended();
        games.finish(|record| publish(record, &mut out))?;
        if records.of_boards() > 0 {
            report_refused(&mut games);
        }
        out.flush()?;
        report_missing_games(&games, &without_game);
        if out.is_empty() && without_game.is_empty() && records.of_boards() > 0 {
            stdio::say("no game in the input: nothing was moved on its boards");
        }
        if self.summary.is_wanted() {
            stdio::sum_up(out.summary().with_files("journal ", &files));
        }
        Ok(match (records.done(), rulings.done()) {
            (Done::Yes, of_rulings) => of_rulings,
            (of_records, _) => of_records,
        })
    }

    /// The options by which the same records give other games, or another order; empty for none.
    fn changing_options(&self) -> String {
        let usual = Options::default();
        let mut options = Vec::new();
        options.extend(self.final_only.then(|| "final".to_owned()));
        options.extend((self.settle != usual.settle).then(|| format!("settle {}", self.settle)));
        options.extend((self.show != Show::Usual).then(|| format!("show {:?}", self.show)));
        options.extend(self.continued.iter().map(|(first, second)| format!("continue {first} {second}")));
        options.extend(self.rules.map(|rules| format!("rules {rules:?}")));
        options.extend(self.set.map(|set| format!("set {set:?}")));
        options.extend(self.midgame.midgame.then(|| "midgame".to_owned()));
        options.extend(self.fen.iter().map(|fen| format!("fen {fen}")));
        options.join(", ")
    }

    /// The options of the reconstruction, for these files.
    fn options(&self, files: &[PathBuf]) -> Result<Options> {
        if self.new {
            refuse_pipes(files)?;
        }
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
            show: self.show,
            final_only: self.final_only,
            explain: self.explain,
            rules,
            set: self.set,
            start,
            continued: self.continued.clone(),
            ..self.midgame.options()
        })
    }
}

/// Refuses --new for a pipe, since it does not show which of its records existed before.
fn refuse_pipes(files: &[PathBuf]) -> Result<()> {
    let stdin = [PathBuf::from("-")];
    let files = if files.is_empty() { &stdin[..] } else { files };
    let is_pipe = |file: &&PathBuf| file.as_os_str() == "-" || file.exists() && !file.is_file();
    files.iter().find(is_pipe).map_or(Ok(()), |pipe| {
        Err(Error::Usage(format!(
            "--new wants files to follow, and {} is a pipe: have `watch --journal FILE` write one, and give that",
            stdio::name_of(pipe)
        )))
    })
}

/// The reconstruction and its output.
struct Hall {
    games: Reconstructor,
    out: CountedOutput,
    reopened: Reopened,
}

impl Hall {
    /// Applies an arbiter's ruling that was read apart from the records.
    fn rule_beside(&mut self, record: &GameRecord, sources: &Sources) -> Result<()> {
        self.out.numbered().numbers.ruled(record);
        self.rule(record, sources)
    }

    /// Applies an arbiter's ruling; reports it where that is not possible.
    fn rule(&mut self, record: &GameRecord, sources: &Sources) -> Result<()> {
        let Hall { games, out, reopened } = self;
        let refused = match games.ruling(record, |record| publish(record, out))? {
            None => {
                reopened.hold(record);
                return Ok(());
            }
            Some(Refused::Closed) => match reopened.ruled(record, sources)? {
                Ok(changed) => return changed.into_iter().try_for_each(|record| publish(record, out)),
                Err(refused) => refused,
            },
            Some(refused) => refused,
        };
        report_why(record, refused);
        Ok(())
    }
}

/// Reports the rulings that turned out to be impossible when their games were played.
fn report_refused(games: &mut Reconstructor) {
    games.take_refused().iter().for_each(|(record, refused)| report_why(record, *refused));
}

/// Reports why a ruling does not hold.
fn report_why(record: &GameRecord, refused: Refused) {
    let GameEvent::Ruling(ruling) = &record.event else { return };
    let why = match refused {
        Refused::Closed => {
            "the game is closed, and the records of its board came from a pipe: reconstruct the journal as a file, with the \
             ruling in it or in --rulings"
        }
        Refused::Incomplete => "records of the game are missing here: reconstruct its journal",
        Refused::Impossible => {
            "nothing that the board showed leads to a position in which that could be played"
        }
        Refused::NoPly => "that game has fewer plies",
        Refused::NoGame => "there is no such game",
    };
    stdio::say(format_args!("{}: {} is ruled and does not hold: {why}", name(record), ruling.words()));
}

/// Publishes a record; reports where a ruling is followed against what the board showed.
fn publish(record: GameRecord, out: &mut CountedOutput) -> Result<()> {
    if let GameEvent::Ruling(ruling) = &record.event
        && ruling.ply.is_some()
        && ruling.ruled != Ruled::Withdraw
    {
        stdio::say(format_args!(
            "{}: {} is ruled, and holds against what the board showed",
            name(&record),
            ruling.words()
        ));
    }
    out.record(record)
}

/// The name of a record's game in messages.
fn name(record: &GameRecord) -> String {
    match record.board {
        Some(board) => format!("board {board}, game {}", record.game),
        None => format!("game {}", record.game),
    }
}

/// Reports why there is less output than a user may expect.
fn report_missing_games(games: &Reconstructor, without_game: &[BoardName]) {
    for (first, second) in games.not_continued() {
        stdio::say(format_args!(
            "board {second} never stood as board {first} did in its game: no game continues there"
        ));
    }
    for (first, second) in games.played_on() {
        stdio::say(format_args!(
            "pieces were moved on board {first} from a start position after board {second} took its place: a game there is published only without --continue"
        ));
    }
    for [first, second] in games.exchanged() {
        stdio::say(format_args!(
            "boards {first} and {second} were exchanged for each other in the midst of their games: each game continues under the \
             number under which it began"
        ));
    }
    if games.is_mixed() {
        stdio::say(
            "two sources count their records in one stream: if they are of two lines, watch each with --line NAME",
        );
    }
    input::report_without_game(without_game);
}
