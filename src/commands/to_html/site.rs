//! A folder of pages: which files there are, and when each is written anew.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use super::pages::Pages;
use crate::{
    error::{Error, Result},
    format::{
        game::{Game, Games, Key},
        html::{self, Head, Live, Ply, Row, Summary, View, page},
        pgn,
    },
    record::{Rules, Seconds, Time},
    stdio::{self, Published},
};

/// No file is written more often.
const PAUSE: Duration = Duration::from_secs(1);
/// The page of a game in play holds a state for the first look and for readers of files; what is newer the script asks
/// for. So it need not follow every move.
const PAGE_PAUSE: Duration = Duration::from_secs(10);

/// The site.
pub struct Site {
    folder: Folder,
    refresh: Duration,
    hide_results: bool,
    /// Games of readers of files: their heads and rows, which no longer change.
    read: Vec<(Vec<u8>, Row)>,
    summary: Summary,
    /// Games of boards, board by board.
    shown: BTreeMap<(Key, usize), Shown>,
    /// When the first game began, in seconds since 1970.
    epoch: i64,
    /// How many events all games have taken.
    version: u64,
    published: Option<Instant>,
    /// A file could not be written, and it was said.
    failing: bool,
}

/// A game as its files have it.
#[derive(Default)]
struct Shown {
    id: String,
    /// What was rendered last; none for nothing.
    revision: Option<u64>,
    head: Vec<u8>,
    row: Option<Row>,
    text: Vec<u8>,
    /// When its page was written, at which revision.
    page: Option<(Instant, u64)>,
}

struct Folder {
    dir: PathBuf,
    files: BTreeMap<String, Published>,
}

impl Site {
    pub fn new(dir: PathBuf, refresh: Duration, hide_results: bool) -> Result<Site> {
        fs::create_dir_all(&dir).map_err(|e| Error::io(dir.display(), e))?;
        let mut folder = Folder { dir, files: BTreeMap::new() };
        // Before anything is played, so that a folder that cannot be written is known in time.
        folder.write("page.js", html::SCRIPT.as_bytes())?;
        folder.write("page.css", html::STYLE.as_bytes())?;
        Ok(Site {
            folder,
            refresh,
            hide_results,
            read: Vec::new(),
            summary: Summary::default(),
            shown: BTreeMap::new(),
            epoch: 0,
            version: 0,
            published: None,
            failing: false,
        })
    }

    fn live(&self, version: u64, updated: Option<Time>) -> Live {
        Live {
            version,
            updated: updated.map(|Time(ms)| ms),
            refresh: Seconds(self.refresh.as_secs_f64()),
            delay: 0,
            epoch: self.epoch,
        }
    }

    fn version_of(&self, games: &Games<Ply>) -> u64 {
        games.in_order().map(|(_, game)| html::version(game)).sum::<u64>() + self.read.len() as u64
    }

    fn publish(&mut self, games: &Games<Ply>, last: bool) -> Result<()> {
        let mut done = Ok(());
        self.epoch = games
            .in_order()
            .filter_map(|(_, game)| game.time)
            .min()
            .map_or(0, |Time(ms)| ms.div_euclid(1000));
        let mut shown = std::mem::take(&mut self.shown);
        for (nth, game) in games.in_order() {
            let shown = shown.entry((game.key.clone(), nth)).or_default();
            // What is wrong with one game's files is no reason to leave out those of the others.
            done = done.and(self.show(game, shown, last));
        }
        self.shown = shown;
        done.and(self.overview(games))
    }

    /// Writes the files of a game that are not as it stands.
    fn show(&mut self, game: &Game<Ply>, shown: &mut Shown, last: bool) -> Result<()> {
        let page_is_due = match shown.page {
            None => true,
            Some((_, revision)) if revision == game.revision => false,
            Some((written, _)) => last || game.is_closed() || written.elapsed() >= PAGE_PAUSE,
        };
        if shown.revision == Some(game.revision) && !page_is_due {
            return Ok(());
        }
        if shown.revision.is_none() {
            shown.id = html::id(&game.key, game.number);
            self.summary.add(game);
        }
        let data = self.render(game, shown);
        let id = &shown.id;
        let script = [&b"boardbus.game("[..], &data, b")\n"].concat();
        self.folder.write(&format!("game-{id}.json"), &data)?;
        self.folder.write(&format!("game-{id}.js"), &script)?;
        shown.revision = Some(game.revision);
        if page_is_due {
            let live = self.live(html::version(game), game.last).json(shown.row.iter());
            let text = page::of_game(&html::title(game), id, &data, &live);
            self.folder.write(&format!("game-{id}.html"), &text)?;
            shown.page = Some((Instant::now(), game.revision));
        }
        Ok(())
    }

    fn render(&self, game: &Game<Ply>, shown: &mut Shown) -> Vec<u8> {
        let (id, hide) = (&shown.id, self.hide_results);
        shown.head = html::json(&Head::new(game, id, hide, true));
        shown.row = Some(Row::new(game, id, hide));
        shown.text = text(game, hide);
        let format = if game.start.rules == Rules::Russian { "pdn" } else { "pgn" };
        let text = String::from_utf8_lossy(&shown.text);
        html::game_data(game, View { id, hide_results: hide, text: Some((format, &text)) })
    }

    fn overview(&mut self, games: &Games<Ply>) -> Result<()> {
        let version = self.version_of(games);
        let updated = games.in_order().filter_map(|(_, game)| game.last).max();
        let rows = self
            .read
            .iter()
            .map(|(_, row)| row)
            .chain(self.shown.values().filter_map(|shown| shown.row.as_ref()));
        let live = self.live(version, updated).json(rows);
        let heads =
            self.read.iter().map(|(head, _)| head).chain(self.shown.values().map(|shown| &shown.head));
        let heads = heads.map(|head| &head[..]);
        let index = page::index(&self.summary.title(), &self.summary.json(Some(&live), heads));
        self.folder.write("index.html", &index)?;
        let games: Vec<&[u8]> = self.shown.values().map(|shown| &shown.text[..]).collect();
        self.folder.write("games.pgn", &games.concat())?;
        // Last, so that whoever reads of a change here finds it.
        self.folder.write("live.js", &[&b"boardbus.live("[..], &live, b")\n"].concat())?;
        self.folder.write("live.json", &live)
    }
}

/// The game as PGN.
fn text(game: &Game<Ply>, hide_results: bool) -> Vec<u8> {
    let mut game = Game {
        key: game.key.clone(),
        number: game.number,
        time: game.time,
        last: game.last,
        start: game.start.clone(),
        moves: game.moves.iter().map(Ply::to_move).collect(),
        anomalies: game.anomalies.clone(),
        end: game.end.clone(),
        revision: game.revision,
    };
    if hide_results {
        game.end = None;
    }
    let mut text = Vec::new();
    pgn::Style { elapsed: false }.write(&mut text, &game);
    text
}

impl Pages for Site {
    fn read(&mut self, game: &Game<Ply>) -> Result<()> {
        let mut shown = Shown::default();
        self.show(game, &mut shown, true)?;
        self.read.extend(shown.row.map(|row| (shown.head, row)));
        self.folder.append("games.pgn", &shown.text)
    }

    fn update(&mut self, games: &Games<Ply>) -> Result<Option<Duration>> {
        let version = self.version_of(games);
        if version == self.version && !self.failing {
            return Ok(None);
        }
        if let Some(rest) = self.published.and_then(|before| PAUSE.checked_sub(before.elapsed())) {
            return Ok(Some(rest));
        }
        self.published = Some(Instant::now());
        match self.publish(games, false) {
            Ok(()) => {
                (self.version, self.failing) = (version, false);
                Ok(Some(PAGE_PAUSE))
            }
            // A full disk may have room again soon: the games are in hand.
            Err(e) => {
                if !std::mem::replace(&mut self.failing, true) {
                    stdio::say(format_args!("{e}; trying again"));
                }
                Ok(Some(PAUSE))
            }
        }
    }

    fn end(&mut self, games: &Games<Ply>) -> Result<()> {
        self.publish(games, true)?;
        self.folder.finish()
    }
}

impl Folder {
    fn write(&mut self, name: &str, content: &[u8]) -> Result<()> {
        self.file(name)?.publish(content)
    }

    fn append(&mut self, name: &str, content: &[u8]) -> Result<()> {
        self.file(name)?.append(content)
    }

    fn finish(&mut self) -> Result<()> {
        self.files.values_mut().try_for_each(Published::finish)
    }

    fn file(&mut self, name: &str) -> Result<&mut Published> {
        let path = Path::new(&self.dir).join(name);
        Ok(match self.files.entry(name.to_owned()) {
            std::collections::btree_map::Entry::Occupied(file) => file.into_mut(),
            std::collections::btree_map::Entry::Vacant(place) => place.insert(Published::passing(path)?),
        })
    }
}
