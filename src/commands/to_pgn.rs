//! `boardbus to-pgn`: game records to PGN.

use std::{
    collections::{BTreeMap, HashMap, VecDeque},
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

use crate::{
    commands::{
        arguments::{Boards, boards_each_once, span},
        input::{self, Input},
    },
    error::{Done, Error, Result},
    format::{
        game::{Game, Games, Key},
        livechess,
        pgn::{self, Dress, Style, folder_and_number},
        roster::{self, Seat},
        trf,
    },
    record::{GameEvent, GameRecord, GameStart, Record, Rules, Tags, Time},
    stdio::{self, Bad, Output, Place, Published},
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

    /// Who plays on which board: CSV with a header line, or JSON lines (board, white, black, white_elo, …)
    #[arg(long, value_name = "FILE")]
    roster: Option<PathBuf>,

    /// The pairings of a round from a tournament report (TRF16); needs --round and --boards
    #[arg(long, value_name = "FILE", requires = "round", requires = "boards", conflicts_with = "roster")]
    trf: Option<PathBuf>,

    /// The round: its Round tag, and what of --roster and --trf is used
    #[arg(long, value_name = "N")]
    round: Option<u32>,

    /// Addresses of the boards in the order of the tables, for --trf: 1025-1032,1040
    #[arg(long, value_name = "LIST", value_parser = boards_each_once, requires = "trf")]
    boards: Option<Boards>,

    /// A tag of every game, before that of any other source; may be given again
    #[arg(long = "tag", value_name = "NAME=VALUE", value_parser = given_tag)]
    tags: Vec<(String, String)>,

    /// Hold everything back for this time by its own `time`: 90s, 15m, 1.5h; a bare number is seconds
    #[arg(long, value_name = "TIME", value_parser = span)]
    delay: Option<Duration>,

    /// Write the time used for each move of a board, where it is known, as [%emt h:mm:ss]
    #[arg(long)]
    emt: bool,
}

fn given_tag(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("not NAME=VALUE")?;
    Ok((roster::tag_name(name)?, value.trim_matches('"').to_owned()))
}

impl ToPgn {
    /// Runs the command.
    pub fn run(self) -> Result<Done> {
        let dress = Dress {
            seats: self.seats()?,
            round: self.round.map(|round| round.to_string()),
            given: self.tags.clone(),
        };
        let files = Files {
            output: self.output.map(Published::new).transpose()?,
            split: self.split,
            livechess: self.livechess,
            published: HashMap::new(),
            rendered: HashMap::new(),
        };
        let mut work = Work {
            bad: self.input.bad(),
            style: Style { elapsed: self.emt },
            dress,
            delay: self.delay,
            held: BTreeMap::new(),
            games: Games::default(),
            one: None,
            text: Vec::new(),
            files,
            out: Output::stdout(),
            changed: false,
        };
        stdio::lines(&self.input.files, &mut work, Work::idle, Work::line)?;
        work.end()
    }

    fn seats(&self) -> Result<Vec<Seat>> {
        let Some(path) = self.roster.as_ref().or(self.trf.as_ref()) else { return Ok(Vec::new()) };
        let text = match String::from_utf8(stdio::read_whole(path)?) {
            Ok(text) => text,
            // What pairing programs of old write.
            Err(e) => e.into_bytes().into_iter().map(char::from).collect(),
        };
        let seats = match (&self.boards, self.round) {
            (Some(Boards(boards)), Some(round)) => trf::seats(&text, round as usize, boards),
            _ => roster::parse(&text),
        };
        seats.map_err(|problem| Error::Data(format!("{}:{problem}", path.display())))
    }
}

struct Work {
    bad: Bad,
    style: Style,
    dress: Dress,
    delay: Option<Duration>,
    /// What is not due yet, of each board in the order it came in, each with the time from which it may be published.
    held: BTreeMap<Key, VecDeque<(Time, GameRecord)>>,
    games: Games,
    /// The game of a reader of files that is being read.
    one: Option<Game>,
    text: Vec<u8>,
    files: Files,
    out: Output,
    changed: bool,
}

impl Work {
    fn line(&mut self, place: Place<'_>, line: &[u8]) -> Result<()> {
        if let Some(game) = &mut self.one
            && let Some(ply) = pgn::quick(line)
            && game.append(ply.game, ply.ply, || ply.to_move())
        {
            return Ok(());
        }
        let Some(Record::Game(mut record)) = input::record(&mut self.bad, place, line)? else {
            return Ok(());
        };
        if let GameEvent::Game(start) = &mut record.event {
            self.refuse(place, start)?;
        }
        let from_file = record.board.is_none() && record.time.is_none();
        let applied = if from_file && !self.files.in_folders() {
            self.apply_one(record)?
        } else {
            self.hold_or_apply(record)
        };
        applied.or_else(|problem| self.bad.report(place, problem))
    }

    /// Reports what PGN cannot say of a game, and leaves it out.
    fn refuse(&mut self, place: Place<'_>, start: &mut GameStart) -> Result<()> {
        if start.rules == Rules::Russian {
            self.bad.report(place, "a game of draughts has no PGN: use to-pdn")?;
        }
        let (names, others) = start.tags.0.drain(..).partition(|(name, _)| pgn::is_tag_name(name));
        start.tags = Tags(names);
        let others: Vec<_> = others;
        others.iter().try_for_each(|(name, value)| {
            self.bad.report(
                place,
                format_args!("\"{name}\" cannot be the name of a tag: \"{value}\" is left out"),
            )
        })
    }

    /// A record of a reader of files. What is wrong with it is the inner answer.
    fn apply_one(&mut self, record: GameRecord) -> Result<Result<(), String>> {
        Ok(match (&mut self.one, record.event) {
            (_, GameEvent::Game(mut start)) => {
                self.finish_one()?;
                self.override_tags(&mut start.tags);
                self.one =
                    Some(Game::new(&GameRecord { event: GameEvent::Game(start.clone()), ..record }, start));
                Ok(())
            }
            (Some(game), event) if game.number == record.game => game.apply(event, None),
            (_, event) => Err(format!("a {} of game {}, which has not begun", event.kind(), record.game)),
        })
    }

    fn override_tags(&self, tags: &mut Tags) {
        for (name, value) in &self.dress.given {
            tags.set(name, value.as_str());
        }
    }

    /// Writes the game of a reader of files: no more is heard of it when the next one begins.
    fn finish_one(&mut self) -> Result<()> {
        let Some(game) = self.one.take() else { return Ok(()) };
        self.text.clear();
        // What a file says is kept: the times used too.
        Style { elapsed: true }.write(&mut self.text, &game);
        match &mut self.files.output {
            Some(file) => file.append(&self.text),
            None => self.out.text(&self.text),
        }
    }

    fn hold_or_apply(&mut self, record: GameRecord) -> Result<(), String> {
        let Some(delay) = self.delay else { return self.apply(record) };
        let held = self.held.entry((record.line.clone(), record.board)).or_default();
        // A record without a time, or one that came late, is not published before the one in front of it.
        let before = held.back().map_or(Time(i64::MIN), |(due, _)| *due);
        let due = record.time.map_or(before, |time| Time(time.0.saturating_add(delay.as_millis() as i64)));
        if held.is_empty() && due <= Time::now() {
            return self.apply(record);
        }
        held.push_back((due.max(before), record));
        Ok(())
    }

    fn apply(&mut self, record: GameRecord) -> Result<(), String> {
        self.changed = true;
        let begins = matches!(record.event, GameEvent::Game(_));
        let (nth, game) = self.games.apply(record)?;
        if begins {
            if game.key.1.is_some() || game.time.is_some() {
                game.start.tags = self.dress.tags(game, nth);
            } else {
                for (name, value) in &self.dress.given {
                    game.start.tags.set(name, value.as_str());
                }
            }
        }
        Ok(())
    }

    /// Takes what is due; gives when the next one is.
    fn release(&mut self) -> Result<Option<Duration>> {
        let now = Time::now();
        let mut due = Vec::new();
        for held in self.held.values_mut() {
            let ripe = held.partition_point(|(due, _)| *due <= now);
            due.extend(held.drain(..ripe).map(|(_, record)| record));
        }
        for record in due {
            let what = format!("board {}, game {}", record.board.unwrap_or_default(), record.game);
            if let Err(problem) = self.apply(record) {
                self.bad.report(what, problem)?;
            }
        }
        let next = self.held.values().filter_map(|held| held.front()).map(|(due, _)| due.0).min();
        Ok(next.map(|due| Duration::from_millis(due.saturating_sub(now.0).max(1) as u64)))
    }

    fn idle(&mut self) -> Result<Option<Duration>> {
        self.out.flush()?;
        let next = self.release()?;
        if !self.changed {
            return Ok(next);
        }
        // A full disk may have room again soon: the games are in hand.
        match self.files.publish(&self.games, self.style, &self.dress) {
            Ok(()) => {
                self.changed = false;
                Ok(next)
            }
            Err(e) => {
                stdio::say(format_args!("{e}; trying again"));
                Ok(Some(next.map_or(AGAIN, |next| next.min(AGAIN))))
            }
        }
    }

    fn end(mut self) -> Result<Done> {
        self.finish_one()?;
        self.release()?;
        // Or else nobody would know why there is nothing to be seen.
        if self.games.is_empty()
            && let Some((due, _)) = self.held.values().filter_map(VecDeque::front).min_by_key(|(due, _)| *due)
        {
            stdio::say(format_args!(
                "nothing is written: --delay holds everything back, the first until {due}"
            ));
        }
        if self.files.any() {
            self.files.publish(&self.games, self.style, &self.dress)?;
            if let Some(file) = &mut self.files.output {
                file.finish()?;
            }
        } else {
            for (_, game) in self.games.in_order() {
                self.text.clear();
                self.style.write(&mut self.text, game);
                self.out.text(&self.text)?;
            }
        }
        self.out.flush()?;
        Ok(self.bad.done("record"))
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
}

impl Files {
    fn in_folders(&self) -> bool {
        self.split.is_some() || self.livechess.is_some()
    }

    fn any(&self) -> bool {
        self.output.is_some() || self.in_folders()
    }

    fn publish(&mut self, games: &Games, style: Style, dress: &Dress) -> Result<()> {
        // With no game yet, what an earlier run wrote is worth more than an empty file.
        if !self.any() || games.is_empty() {
            return Ok(());
        }
        for (nth, game) in games.in_order() {
            let (revision, text) = self.rendered.entry((game.key.clone(), nth)).or_default();
            if text.is_empty() || *revision != game.revision {
                text.clear();
                style.write(text, game);
                *revision = game.revision;
            }
        }
        let rendered = std::mem::take(&mut self.rendered);
        let text = |nth: usize, game: &Game| &rendered[&(game.key.clone(), nth)].1[..];
        let done = self.publish_all(games, dress, text);
        self.rendered = rendered;
        done
    }

    fn publish_all<'a>(
        &mut self,
        games: &Games,
        dress: &Dress,
        text: impl Fn(usize, &Game) -> &'a [u8],
    ) -> Result<()> {
        if let Some(file) = &mut self.output {
            let texts: Vec<&[u8]> = games.in_order().map(|(nth, game)| text(nth, game)).collect();
            file.publish(&texts.concat())?;
        }
        if !self.in_folders() {
            return Ok(());
        }
        // Round by round, board by board; of two games in one place the later one is meant.
        let mut rounds: BTreeMap<u32, BTreeMap<u32, (usize, &Game)>> = BTreeMap::new();
        for (nth, game) in games.in_order().filter(|(_, game)| game.start.rules != Rules::Russian) {
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
            self.publish_livechess(&livechess, &rounds, dress)?;
        }
        Ok(())
    }

    fn publish_livechess(
        &mut self,
        top: &Path,
        rounds: &BTreeMap<u32, BTreeMap<u32, (usize, &Game)>>,
        dress: &Dress,
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
        for (name, value) in first.map(|(_, game)| &game.start.tags.0).unwrap_or(&dress.given) {
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
