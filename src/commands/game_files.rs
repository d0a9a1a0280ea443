//! Writing games, for all writers of whole games: files that are kept up to date during play, or standard output when
//! the input ends. Each [`Writer`] turns a game into text.

use std::{
    collections::{BTreeMap, HashMap, HashSet},
    fs, io,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use clap::Args;

use crate::{
    commands::{
        arguments::span,
        earlier::Earlier,
        incoming::Incoming,
        input::Input,
        names::Names,
        outputs::refuse_records,
        settling::Results,
        summary::{Summary, SummaryArgs},
    },
    error::{Done, Error, Result},
    format::{
        game::{Game, Kept, Key},
        games::Games,
        livechess,
        pgn::{Dress, QuickPly, folder_and_number},
    },
    record::{GameEvent, Move, Rules, Tags},
    stdio::{self, Output, Place, Published, Seldom},
    stop,
};

/// How long to wait after a file could not be written before the next attempt.
const RETRY_INTERVAL: Duration = Duration::from_secs(1);
/// How long files are still written after a signal: enough for a hall in play; thousands of games would delay the end
/// of the command too long.
const LAST_WRITES_TIME: Duration = Duration::from_millis(500);

/// The highest round that is written: LiveChess's tournament gets a folder for each round up to the last.
const ROUNDS_MAX: usize = 100;

/// How many names of tags are reported at most, since a file may contain any number of them.
const LISTED_TAGS_MAX: usize = 20;

/// Which games are written, where and when.
#[derive(Debug, Args)]
pub(super) struct GameFileArgs {
    /// Keep this file up to date instead of writing to standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// Publish each record only when it is this old by its `time`: 500ms, 90s, 15m, 1.5h; a bare number is seconds
    #[arg(long, value_name = "TIME", value_parser = span)]
    pub delay: Option<Duration>,

    /// When to write the result of a board's game: an end may be withdrawn, but a broadcast keeps a result that it
    /// received
    #[arg(long, value_enum, value_name = "WHEN", default_value = "at-once", overrides_with = "results")]
    pub results: Results,

    /// Write only games that are over
    #[arg(long)]
    pub finished: bool,

    /// Leave out the tables of --roster or --pairings at which nobody has moved yet
    #[arg(long)]
    pub no_empty: bool,

    #[command(flatten)]
    pub summary: SummaryArgs,
}

/// Folders that are kept up to date, besides the output file or instead of it.
#[derive(Debug, Default)]
pub(super) struct Folders {
    /// A folder with a file for each game and one with all games, for each round.
    pub split: Option<PathBuf>,
    /// A folder as LiveChess exports it.
    pub livechess: Option<PathBuf>,
}

impl Folders {
    fn each(&self) -> impl Iterator<Item = &PathBuf> {
        self.split.iter().chain(&self.livechess)
    }
}

/// How a format writes games.
pub(super) trait Writer {
    /// What is kept of each ply of a game that is written as soon as it has been read.
    type Ply: Kept + for<'a> From<QuickPly<'a>>;

    /// The extension of its files.
    const EXTENSION: &'static str;

    /// Why games of these rules are not written; none where they are.
    fn refuses(&self, rules: Rules) -> Option<&'static str>;

    /// Writes the current state of a board's game. An error describes what was left out.
    fn write_standing(&self, out: &mut Vec<u8>, game: &Game) -> Result<(), String>;

    /// Writes a game of a file. An error describes what was left out.
    fn write_read(&self, out: &mut Vec<u8>, game: &Game<Self::Ply>) -> Result<(), String>;
}

/// Writes the games of the input.
pub(super) fn write_games<W: Writer>(
    input: &Input,
    args: GameFileArgs,
    folders: Folders,
    names: Names,
    writer: W,
) -> Result<Done> {
    if let Some(output) = &args.output {
        stdio::refuse_same(&input.files, output)?;
        stdio::refuse_same(&names.files(), output)?;
        refuse_records(output)?;
    }
    let dress = names.dress()?;
    let earlier = Earlier::new(args.output.iter().chain(folders.each()));
    let files = Files {
        writer,
        output: args.output.map(Published::new).transpose()?,
        folders,
        published: HashMap::new(),
        standing: HashSet::new(),
        rendered: HashMap::new(),
        written: None,
        finished: args.finished,
        stopped: None,
    };
    let hall = if files.writer.refuses(Rules::Chess).is_none() { Rules::Chess } else { Rules::Russian };
    let incoming = Incoming::new(input, dress, args.delay, args.results)
        .keeping_all(files.in_folders())
        .with_pairings((!args.no_empty).then_some(hall));
    let (text, out, failing) = (Vec::new(), Output::stdout(), Seldom::default());
    let summary = (args.summary.summary || files.any() && args.summary.is_wanted()).then(Summary::default);
    // When it keeps files up to date, it continues after the reader of standard output has gone.
    let inputs = input.inputs().ends_with_reader(!files.any());
    let (chosen, left_out, refused) = Default::default();
    let mut work = Work { incoming, text, files, earlier, out, failing, summary, chosen, left_out, refused };
    work.report_refused_tags();
    stdio::lines(inputs, &mut work, Work::idle, Work::line)?;
    work.end()
}

struct Work<W: Writer> {
    incoming: Incoming<Move, W::Ply>,
    text: Vec<u8>,
    files: Files<W>,
    earlier: Earlier,
    out: Output,
    failing: Seldom,
    /// The summary of the games written, if it is wanted.
    summary: Option<Summary>,
    /// Games of files were written, without those that are not over.
    chosen: bool,
    left_out: bool,
    refused: Refused,
}

/// Names of tags for which Lichess refuses a game; each is reported once.
#[derive(Default)]
struct Refused(HashSet<String>);

impl Refused {
    fn note(&mut self, (name, _): &(String, String)) {
        let is_refused = name.bytes().any(|byte| byte.is_ascii_digit() || byte == b'_');
        if is_refused && self.0.len() < LISTED_TAGS_MAX && self.0.insert(name.clone()) {
            stdio::say(format_args!(
                "the tag {name} is written, but Lichess refuses games with a digit or _ in the name of a tag"
            ));
        }
    }
}

impl<W: Writer> Work<W> {
    fn line(&mut self, place: Place<'_>, line: &[u8]) -> Result<()> {
        let writer = &self.files.writer;
        let over = self.incoming.line(place, line, |bad, record| match &record.event {
            GameEvent::Game(start) => {
                writer.refuses(start.rules).map_or(Ok(()), |why| bad.report(place, why))
            }
            _ => Ok(()),
        })?;
        over.map_or(Ok(()), |game| self.write(&game))
    }

    /// Writes a game that was read from a file and is complete.
    fn write(&mut self, game: &Game<W::Ply>) -> Result<()> {
        if !self.files.is_chosen(game) {
            self.left_out |= !game.is_over();
            return Ok(());
        }
        self.chosen = true;
        if W::EXTENSION == "pgn" {
            game.start.tags.0.iter().for_each(|tag| self.refused.note(tag));
        }
        self.summary.iter_mut().for_each(|summary| summary.add(game));
        self.text.clear();
        if let Err(problem) = self.files.writer.write_read(&mut self.text, game) {
            self.incoming.report(game.name(), problem)?;
        }
        match &mut self.files.output {
            Some(file) => file.append(&self.text),
            None => self.out.text(&self.text),
        }
    }

    /// Reports the tags for which Lichess refuses a game, among those that all games get.
    fn report_refused_tags(&mut self) {
        if W::EXTENSION == "pgn" {
            let Dress { seats, given, .. } = self.incoming.dress();
            let tags = seats.iter().flat_map(|seat| &seat.tags).chain(given);
            tags.for_each(|tag| self.refused.note(tag));
        }
    }

    fn idle(&mut self) -> Result<Option<Duration>> {
        self.out.flush()?;
        let next = self.incoming.release()?;
        self.report_refused_tags();
        if let Some(wait) = self.earlier.stays(self.incoming.so_far) {
            return Ok(Some(next.map_or(wait, |next| next.min(wait))));
        }
        // A full disk may have room again soon, and the games are still in memory.
        match self.files.publish(&self.incoming.games, &self.incoming.dress().given) {
            Ok(()) => Ok(next),
            Err(e) => {
                self.failing.say(format_args!("{e}; trying again"));
                Ok(Some(next.map_or(RETRY_INTERVAL, |next| next.min(RETRY_INTERVAL))))
            }
        }
    }

    fn end(mut self) -> Result<Done> {
        if let Some(game) = self.incoming.end()? {
            self.write(&game)?;
        }
        self.report_refused_tags();
        let mut left_out = Vec::new();
        let left = self.files.any() && self.earlier.is_left();
        if left {
            self.summary = None;
        } else if self.files.any() {
            // The files may have changed meanwhile: they are compared once more.
            self.files.written = None;
            self.files.publish(&self.incoming.games, &self.incoming.dress().given)?;
            if let Some(file) = &mut self.files.output {
                file.finish()?;
            }
            left_out = self.files.left_out(&self.incoming.games);
        } else {
            for (_, game) in self.files.chosen(&self.incoming.games) {
                self.text.clear();
                if let Err(problem) = self.files.writer.write_standing(&mut self.text, game) {
                    left_out.push((game.name(), problem));
                }
                self.out.text(&self.text)?;
            }
        }
        self.out.flush()?;
        left_out.into_iter().try_for_each(|(game, problem)| self.incoming.report(game, problem))?;
        let standing = &self.incoming.games;
        if self.files.finished
            && (self.left_out || standing.in_order().any(|(_, game)| !game.is_over()))
            && !(self.chosen || self.files.chosen(standing).next().is_some())
        {
            stdio::say("nothing is written: --finished, and no game is over");
        }
        let done = self.incoming.done();
        if let Some(mut summary) = self.summary {
            let played = self.files.chosen(&self.incoming.games).filter(|(_, game)| !game.is_pairing);
            played.for_each(|(_, game)| summary.add(game));
            let file: Vec<PathBuf> = self.files.output.iter().map(|file| file.path().to_owned()).collect();
            stdio::sum_up(summary.with_files("", &file));
        }
        Ok(done)
    }
}

/// The files that are kept up to date.
struct Files<W> {
    writer: W,
    output: Option<Published>,
    folders: Folders,
    published: HashMap<PathBuf, Published>,
    /// The files in the folders that the current games have.
    standing: HashSet<PathBuf>,
    /// Each game as it was last written.
    rendered: HashMap<(Key, usize), Rendered>,
    /// How many records the games had at the last write.
    written: Option<u64>,
    /// Only finished games are written.
    finished: bool,
    /// When a signal was noticed.
    stopped: Option<Instant>,
}

/// A game as it was last written.
#[derive(Default)]
struct Rendered {
    /// The game's revision at that time; none when it was not written.
    revision: Option<u64>,
    text: Vec<u8>,
    /// What was left out. The next records of a live game may repair it, so it is reported only at the end.
    left_out: Option<String>,
}

impl<W: Writer> Files<W> {
    fn in_folders(&self) -> bool {
        self.folders.split.is_some() || self.folders.livechess.is_some()
    }

    fn any(&self) -> bool {
        self.output.is_some() || self.in_folders()
    }

    /// Whether a game is to be written.
    fn is_chosen<P: Kept>(&self, game: &Game<P>) -> bool {
        (!self.finished || game.is_over()) && self.writer.refuses(game.start.rules).is_none()
    }

    /// The games that are to be written.
    fn chosen<'a>(&'a self, games: &'a Games) -> impl Iterator<Item = (usize, &'a Game)> {
        games.in_order().filter(|(_, game)| self.is_chosen(game))
    }

    /// What was left out of the games at the last write.
    fn left_out(&self, games: &Games) -> Vec<(String, String)> {
        let of = |(nth, game): (usize, &Game)| {
            let problem = self.rendered.get(&(game.key.clone(), nth))?.left_out.clone()?;
            Some((game.name(), problem))
        };
        self.chosen(games).filter_map(of).collect()
    }

    fn publish(&mut self, games: &Games, given: &[(String, String)]) -> Result<()> {
        // While there is no game yet, the output of an earlier run is more useful than an empty file.
        if !self.any() || self.chosen(games).next().is_none() || self.written == Some(games.records()) {
            return Ok(());
        }
        let mut rendered = std::mem::take(&mut self.rendered);
        for (nth, game) in self.chosen(games) {
            let Rendered { revision, text, left_out } = rendered.entry((game.key.clone(), nth)).or_default();
            if *revision != Some(game.revision) {
                text.clear();
                *left_out = self.writer.write_standing(text, game).err();
                *revision = Some(game.revision);
            }
        }
        let text = |nth: usize, game: &Game| &rendered[&(game.key.clone(), nth)].text[..];
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
        let chosen: Vec<(usize, &Game)> = games.in_order().filter(|(_, game)| self.is_chosen(game)).collect();
        if let Some(file) = &mut self.output {
            let texts: Vec<&[u8]> = chosen.iter().map(|(nth, game)| text(*nth, game)).collect();
            file.publish(&texts.concat())?;
        }
        if !self.in_folders() {
            return Ok(());
        }
        // By round, then by board; of two games in one place the later one is written.
        let mut rounds: BTreeMap<u32, BTreeMap<u32, (usize, &Game)>> = BTreeMap::new();
        for (nth, game) in chosen {
            let (round, number) = folder_and_number(game, nth);
            let games = rounds.entry(round).or_default();
            // A game in play keeps its place against a table that has not begun.
            if !(game.is_pairing && games.contains_key(&number)) {
                games.insert(number, (nth, game));
            }
        }
        if let Some(split) = self.folders.split.clone() {
            for (round, games) in &rounds {
                let folder = split.join(format!("round-{round}"));
                let mut all = Vec::new();
                for (number, (nth, game)) in games {
                    let text = text(*nth, game);
                    all.extend_from_slice(text);
                    self.file(&folder, &format!("game-{number}.{}", W::EXTENSION), text)?;
                }
                self.file(&folder, &format!("games.{}", W::EXTENSION), &all)?;
            }
        }
        if let Some(livechess) = self.folders.livechess.clone() {
            self.publish_livechess(&livechess, &rounds, given)?;
        }
        // Its game has moved to another table, or was withdrawn.
        let standing = std::mem::take(&mut self.standing);
        self.published.retain(|path, _| standing.contains(path) || fs::remove_file(path).is_err());
        Ok(())
    }

    fn publish_livechess(
        &mut self,
        top: &Path,
        rounds: &BTreeMap<u32, BTreeMap<u32, (usize, &Game)>>,
        given: &[(String, String)],
    ) -> Result<()> {
        let mut counts = vec![(0, 0); rounds.keys().last().map_or(0, |last| *last as usize).min(ROUNDS_MAX)];
        let mut boards: Vec<String> = Vec::new();
        // LiveChess's readers fetch rounds without a game too.
        let none = BTreeMap::new();
        let empty = (1..=counts.len() as u32).filter(|round| !rounds.contains_key(round));
        let empty: Vec<_> = empty.map(|round| (round, &none)).collect();
        for (round, games) in rounds.iter().map(|(round, games)| (*round, games)).chain(empty) {
            let folder = top.join(format!("round-{round}"));
            let places = livechess::places(games.values().map(|(_, game)| *game));
            for (at, game) in places.iter().enumerate() {
                self.file(&folder, &format!("game-{}.json", at + 1), &json(&livechess::game(*game)))?;
                boards.resize(boards.len().max(at + 1), String::new());
                if game.is_some() {
                    boards[at] = livechess::serial(*game);
                }
            }
            self.file(&folder, "index.json", &json(&livechess::index(&places)))?;
            if let Some(count) = (round as usize).checked_sub(1).and_then(|at| counts.get_mut(at)) {
                *count = (places.len(), places.iter().filter(|game| livechess::is_live(**game)).count());
            }
        }
        if boards.iter().all(String::is_empty) {
            boards.clear();
        }
        let mut tags = Tags::default();
        let games = || rounds.values().flat_map(BTreeMap::values).map(|(_, game)| *game);
        for (name, value) in games().next().map_or(given, |game| &game.start.tags.0) {
            tags.set(name, value.as_str());
        }
        let is_960 = games().any(livechess::is_960);
        self.file(top, "tournament.json", &json(&livechess::tournament(&tags, &counts, &boards, is_960)))
    }

    fn file(&mut self, folder: &Path, name: &str, content: &[u8]) -> Result<()> {
        let path = folder.join(name);
        if stop::requested().is_some()
            && self.stopped.get_or_insert_with(Instant::now).elapsed() >= LAST_WRITES_TIME
        {
            let why = "a signal came before it was written, and more signals after that: what the file holds is older";
            return Err(Error::io(path.display(), io::Error::other(why)));
        }
        if !self.published.contains_key(&path) {
            fs::create_dir_all(folder).map_err(|e| Error::io(folder.display(), e))?;
            self.published.insert(path.clone(), Published::new(path.clone())?);
        }
        let done = self.published.get_mut(&path).map_or(Ok(()), |file| file.publish(content));
        self.standing.insert(path);
        done
    }
}

fn json(value: &serde_json::Value) -> Vec<u8> {
    let mut text = value.to_string().into_bytes();
    text.push(b'\n');
    text
}
