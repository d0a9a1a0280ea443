//! `boardbus to-pgn`: game records to PGN.

use std::{
    collections::{BTreeMap, HashMap},
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

use crate::{
    commands::{arguments::span, incoming::Incoming, input::Input, names::Names},
    error::{Done, Error, Result},
    format::{
        game::{Game, Games, Key},
        livechess,
        pgn::{self, Style, folder_and_number},
    },
    record::{GameEvent, Move, Rules, Tags},
    stdio::{self, Output, Place, Published, Seldom},
};

/// How long to wait with a file that could not be written before trying again.
const AGAIN: Duration = Duration::from_secs(1);

/// Game records to PGN
///
/// Games read from files (from-pgn) are written one after the other. Games of boards are written in the order
/// of the boards when the input ends; with --output, --split or --livechess the files follow every move, and
/// whoever reads them finds them whole, always.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  boardbus from-pgn old.pgn | boardbus to-pgn > clean.pgn
  boardbus watch -p /dev/ttyUSB0 | boardbus reconstruct | boardbus to-pgn --output games.pgn
  boardbus reconstruct round3.jsonl | boardbus to-pgn --round 3 --roster round3.csv --delay 15m -o games.pgn
  boardbus reconstruct round3.jsonl | boardbus to-pgn --round 3 --trf open.trf --boards 1025-1032 --split web")]
pub struct ToPgn {
    #[command(flatten)]
    input: Input,

    /// Keep this file up to date instead of writing to standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Keep DIR/round-R/game-N.pgn and DIR/round-R/games.pgn up to date, as LiveChess does
    #[arg(long, value_name = "DIR")]
    split: Option<PathBuf>,

    /// Keep DIR/tournament.json, DIR/round-R/index.json and DIR/round-R/game-N.json up to date
    #[arg(long, value_name = "DIR")]
    livechess: Option<PathBuf>,

    #[command(flatten)]
    names: Names,

    /// Hold everything back for this time by its own `time`: 90s, 15m, 1.5h; a bare number is seconds
    #[arg(long, value_name = "TIME", value_parser = span)]
    delay: Option<Duration>,

    /// Write the time used for each move of a board, where it is known, as [%emt h:mm:ss]
    #[arg(long)]
    emt: bool,

    /// Leave out the comments that tell of illegal moves, gaps and guesses
    #[arg(long)]
    no_anomalies: bool,

    /// Write only games that are over
    #[arg(long)]
    finished: bool,
}

impl ToPgn {
    /// Runs the command.
    pub fn run(self) -> Result<Done> {
        if let Some(output) = &self.output {
            stdio::refuse_same(&self.input.files, output)?;
        }
        let files = Files {
            output: self.output.map(Published::new).transpose()?,
            split: self.split,
            livechess: self.livechess,
            published: HashMap::new(),
            rendered: HashMap::new(),
            written: None,
            finished: self.finished,
        };
        let dress = self.names.dress()?;
        let incoming = Incoming::new(&self.input, dress, self.delay).keeping_all(files.in_folders());
        let mut work = Work {
            incoming,
            style: Style { elapsed: self.emt, no_anomalies: self.no_anomalies },
            text: Vec::new(),
            files,
            out: Output::stdout(),
            failing: Seldom::default(),
        };
        stdio::lines(&self.input.files, &mut work, Work::idle, Work::line)?;
        work.end()
    }
}

struct Work {
    incoming: Incoming<Move, pgn::Ply>,
    style: Style,
    text: Vec<u8>,
    files: Files,
    out: Output,
    failing: Seldom,
}

impl Work {
    fn line(&mut self, place: Place<'_>, line: &[u8]) -> Result<()> {
        let over = self.incoming.line(place, line, |bad, record| match &record.event {
            GameEvent::Game(start) if start.rules == Rules::Russian => {
                bad.report(place, "a game of draughts has no PGN: use to-pdn")
            }
            _ => Ok(()),
        })?;
        over.map_or(Ok(()), |game| self.write(&game))
    }

    /// Writes the game of a reader of files: no more is heard of it when the next one begins.
    fn write(&mut self, game: &Game<pgn::Ply>) -> Result<()> {
        if self.files.finished && !game.is_over() {
            return Ok(());
        }
        self.text.clear();
        // What a file says is kept: the times used too.
        Style { elapsed: true, ..self.style }.write(&mut self.text, game);
        match &mut self.files.output {
            Some(file) => file.append(&self.text),
            None => self.out.text(&self.text),
        }
    }

    fn idle(&mut self) -> Result<Option<Duration>> {
        self.out.flush()?;
        let next = self.incoming.release()?;
        // A full disk may have room again soon: the games are in hand.
        match self.files.publish(&self.incoming.games, self.style, self.incoming.given()) {
            Ok(()) => Ok(next),
            Err(e) => {
                self.failing.say(format_args!("{e}; trying again"));
                Ok(Some(next.map_or(AGAIN, |next| next.min(AGAIN))))
            }
        }
    }

    fn end(mut self) -> Result<Done> {
        if let Some(game) = self.incoming.end()? {
            self.write(&game)?;
        }
        let games = &self.incoming.games;
        if self.files.any() {
            // Whatever became of the files meanwhile: they are looked at once more.
            self.files.written = None;
            self.files.publish(games, self.style, self.incoming.given())?;
            if let Some(file) = &mut self.files.output {
                file.finish()?;
            }
        } else {
            for (_, game) in self.files.chosen(games) {
                self.text.clear();
                self.style.write(&mut self.text, game);
                self.out.text(&self.text)?;
            }
        }
        self.out.flush()?;
        Ok(self.incoming.done())
    }
}

/// The files that are kept up to date.
struct Files {
    output: Option<Published>,
    split: Option<PathBuf>,
    livechess: Option<PathBuf>,
    published: HashMap<PathBuf, Published>,
    /// Each game as it was last written, with its revision.
    rendered: HashMap<(Key, usize), (u64, Vec<u8>)>,
    /// What of the games has been written.
    written: Option<u64>,
    /// Only games that are over are.
    finished: bool,
}

impl Files {
    fn in_folders(&self) -> bool {
        self.split.is_some() || self.livechess.is_some()
    }

    fn any(&self) -> bool {
        self.output.is_some() || self.in_folders()
    }

    /// The games that are to be written.
    fn chosen<'a>(&self, games: &'a Games) -> impl Iterator<Item = (usize, &'a Game)> + use<'a> {
        let finished = self.finished;
        games.in_order().filter(move |(_, game)| !finished || game.is_over())
    }

    fn publish(&mut self, games: &Games, style: Style, given: &[(String, String)]) -> Result<()> {
        // With no game yet, what an earlier run wrote is worth more than an empty file.
        if !self.any() || self.chosen(games).next().is_none() || self.written == Some(games.records()) {
            return Ok(());
        }
        for (nth, game) in self.chosen(games) {
            let (revision, text) = self.rendered.entry((game.key.clone(), nth)).or_default();
            if text.is_empty() || *revision != game.revision {
                text.clear();
                style.write(text, game);
                *revision = game.revision;
            }
        }
        let rendered = std::mem::take(&mut self.rendered);
        let text = |nth: usize, game: &Game| &rendered[&(game.key.clone(), nth)].1[..];
        let done = self.publish_all(games, given, text);
        self.rendered = rendered;
        self.written = done.is_ok().then(|| games.records());
        done
    }

    fn publish_all<'a>(
        &mut self,
        games: &Games,
        given: &[(String, String)],
        text: impl Fn(usize, &Game) -> &'a [u8],
    ) -> Result<()> {
        let finished = self.finished;
        if let Some(file) = &mut self.output {
            let texts: Vec<&[u8]> = games
                .in_order()
                .filter(|(_, game)| !finished || game.is_over())
                .map(|(nth, game)| text(nth, game))
                .collect();
            file.publish(&texts.concat())?;
        }
        if !self.in_folders() {
            return Ok(());
        }
        // Round by round, board by board; of two games in one place the later one is meant.
        let mut rounds: BTreeMap<u32, BTreeMap<u32, (usize, &Game)>> = BTreeMap::new();
        for (nth, game) in self.chosen(games).filter(|(_, game)| game.start.rules != Rules::Russian) {
            let (round, number) = folder_and_number(game, nth);
            rounds.entry(round).or_default().insert(number, (nth, game));
        }
        if let Some(split) = self.split.clone() {
            for (round, games) in &rounds {
                let folder = split.join(format!("round-{round}"));
                let mut all = Vec::new();
                for (number, (nth, game)) in games {
                    let text = text(*nth, game);
                    all.extend_from_slice(text);
                    self.file(&folder, &format!("game-{number}.pgn"), text)?;
                }
                self.file(&folder, "games.pgn", &all)?;
            }
        }
        if let Some(livechess) = self.livechess.clone() {
            self.publish_livechess(&livechess, &rounds, given)?;
        }
        Ok(())
    }

    fn publish_livechess(
        &mut self,
        top: &Path,
        rounds: &BTreeMap<u32, BTreeMap<u32, (usize, &Game)>>,
        given: &[(String, String)],
    ) -> Result<()> {
        let mut counts = vec![(0, 0); rounds.keys().last().map_or(0, |last| *last as usize).min(1000)];
        let mut boards = Vec::new();
        for (round, games) in rounds {
            let folder = top.join(format!("round-{round}"));
            for (number, (_, game)) in games {
                self.file(&folder, &format!("game-{number}.json"), &json(&livechess::game(game)))?;
                boards.extend(game.key.1.map(|board| board.to_string()));
            }
            let games: Vec<&Game> = games.values().map(|(_, game)| *game).collect();
            self.file(&folder, "index.json", &json(&livechess::index(&games)))?;
            if let Some(count) = (*round as usize).checked_sub(1).and_then(|at| counts.get_mut(at)) {
                *count = (games.len(), games.iter().filter(|game| !game.is_closed()).count());
            }
        }
        boards.sort();
        boards.dedup();
        let mut tags = Tags::default();
        let first = rounds.values().flat_map(BTreeMap::values).next();
        for (name, value) in first.map(|(_, game)| &game.start.tags.0).map_or(given, Vec::as_slice) {
            tags.set(name, value.as_str());
        }
        self.file(top, "tournament.json", &json(&livechess::tournament(&tags, &counts, &boards)))
    }

    fn file(&mut self, folder: &Path, name: &str, content: &[u8]) -> Result<()> {
        let path = folder.join(name);
        if !self.published.contains_key(&path) {
            fs::create_dir_all(folder).map_err(|e| Error::io(folder.display(), e))?;
            self.published.insert(path.clone(), Published::new(path.clone())?);
        }
        match self.published.get_mut(&path) {
            Some(file) => file.publish(content),
            None => Ok(()),
        }
    }
}

fn json(value: &serde_json::Value) -> Vec<u8> {
    let mut text = value.to_string().into_bytes();
    text.push(b'\n');
    text
}
