//! A folder of pages: its files, and when each is written again.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::PathBuf,
    sync::Arc,
    time::{Duration, Instant},
};

use super::{
    folder::Folder,
    front::{Front, RESULTS},
    look::Logo,
    pages::Pages,
    spill::{Piece, SpillFile},
    text,
};
use crate::{
    error::{Error, Result},
    format::{
        game::{Game, Key},
        games::Games,
        html::{self, Head, Live, Look, News, Ply, Row, Summary, View, page},
        standings::{self, Played, Round, Standings},
    },
    record::{Seconds, Tags, Time},
    stdio::{self, Seldom},
    stop,
};

/// The minimum time between two writes of a file.
const WRITE_INTERVAL: Duration = Duration::from_secs(1);
/// The minimum time between two writes of the page of a game in play. The page has a state for visitors without a
/// script; the script fetches later moves.
const PAGE_INTERVAL: Duration = Duration::from_secs(10);
/// How many games of other inputs are listed.
const LISTED_GAMES_MAX: usize = 5;

/// The options of the site.
pub struct Options {
    /// The interval at which open pages fetch news.
    pub refresh: Duration,
    /// By how much everything is delayed.
    pub delay: Duration,
    /// Leave out results.
    pub hide_results: bool,
    /// The user's own parts of pages.
    pub look: Look,
}

/// The site.
pub struct Site {
    folder: Folder,
    options: Options,
    /// Games from files, which no longer change.
    read: Vec<(Vec<u8>, Row)>,
    /// The summary of these.
    summary: Summary,
    /// Games of boards: the first of every board, then the second, …, so that a later game does not move the others.
    shown: BTreeMap<(usize, Key), Shown>,
    /// The names of the files of this run's games.
    ids: BTreeSet<String>,
    /// When the first game began, in seconds since 1970.
    epoch: i64,
    /// The time of the last record that was shown. It never goes back, though a correction has the time of the record
    /// that it corrects and a game may be withdrawn: pages take an older state for a cached one.
    updated: Option<Time>,
    /// The number of records that all files include; none before the first write.
    version: Option<u64>,
    published: Option<Instant>,
    /// Reports files that could not be written, at most once in a while.
    failing: Seldom,
    /// The moves and texts of finished games, outside memory; none where the file could not be created.
    spill: Option<SpillFile>,
    /// Why a game from a file could not be written.
    lost: Option<Error>,
    /// The folder was searched for games of other inputs.
    looked: bool,
    /// Games from files, for the standings.
    played: Vec<Played>,
    /// The tournament report and the round, and the standings from it with these games.
    report: Option<(Arc<str>, u32)>,
    counted: Option<(Vec<Played>, Standings)>,
    /// The front page of the event.
    front: Option<Front>,
}

/// The state of a game's files.
#[derive(Default)]
struct Shown {
    id: String,
    /// The game's revision in its data; none before the first write.
    revision: Option<u64>,
    head: Vec<u8>,
    row: Option<Row>,
    text: Text,
    /// When its page was written, and at which revision.
    page: Option<(Instant, u64)>,
    /// The tags in its page.
    tags: Tags,
    /// It was a pairing without a game at that time.
    is_pairing: bool,
}

/// A game's text.
#[derive(Default)]
struct Text {
    /// The extension of the file with all games, `pgn` or `pdn`.
    format: &'static str,
    text: String,
    /// The text in the file of finished games, when the game is over.
    away: Option<Piece>,
}

impl Site {
    pub fn new(dir: PathBuf, options: Options, logo: Option<Logo>, front: Option<Front>) -> Result<Site> {
        let mut folder = Folder::open(dir)?;
        // Before the first game, so that a folder that cannot be written is found in time.
        write_script(&mut folder)?;
        if let Some(Logo { name, bytes, .. }) = logo {
            folder.write(name, &bytes)?;
        }
        // Without this file everything stays in memory.
        let spill = SpillFile::new(folder.path()).ok();
        Ok(Site {
            folder,
            options,
            read: Vec::new(),
            summary: Summary::default(),
            shown: BTreeMap::new(),
            ids: BTreeSet::new(),
            epoch: 0,
            updated: None,
            version: None,
            published: None,
            failing: Seldom::default(),
            spill,
            lost: None,
            looked: false,
            played: Vec::new(),
            report: None,
            counted: None,
            front,
        })
    }

    fn live(&self, version: u64, updated: Option<Time>, past: u64) -> Live {
        Live {
            version,
            updated: updated.map(|Time(ms)| ms),
            refresh: Seconds(self.options.refresh.as_secs_f64()),
            delay: self.options.delay.as_secs(),
            epoch: self.epoch,
            past,
            standings: 0,
        }
    }

    fn version_of(&self, games: &Games<Ply>) -> u64 {
        games.records() + self.read.len() as u64
    }

    /// Writes the files that are out of date. An error with one file does not leave out the others.
    fn publish(&mut self, games: &Games<Ply>, last: bool) -> Result<()> {
        let began = games.in_order().filter_map(|(_, game)| game.time).min();
        self.epoch = began.map_or(0, |Time(ms)| ms.div_euclid(1000));
        let mut done = Ok(());
        let mut before = std::mem::take(&mut self.shown);
        for (nth, game) in games.in_order() {
            let place = (nth, game.key.clone());
            // A game keeps the name and the files of its table's pairing.
            let table = games.table(&game.key);
            let shown = before.remove(&place).or_else(|| before.remove(&(nth, table.clone())));
            let mut shown = shown.unwrap_or_default();
            if shown.is_pairing && !game.is_pairing {
                self.rename(game, table, &mut shown);
            }
            done = done.and(self.show(game, table, &mut shown, last));
            self.shown.insert(place, shown);
        }
        // These games were withdrawn by a ruling.
        for Shown { id, .. } in before.into_values() {
            self.folder.remove(&id);
            self.ids.remove(&id);
        }
        let done = done.and(self.all_games(games)).and(self.overview(games));
        if done.is_ok() && !std::mem::replace(&mut self.looked, true) {
            self.report_others();
        }
        done
    }

    /// Writes the files of a game that are out of date.
    fn show(&mut self, game: &Game<Ply>, table: &Key, shown: &mut Shown, last: bool) -> Result<()> {
        let page_is_due = match shown.page {
            None => true,
            Some((_, revision)) if revision == game.revision => false,
            Some(_) if shown.is_pairing => true,
            _ if shown.tags != game.start.tags => true,
            Some((written, _)) => last || game.is_closed() || written.elapsed() >= PAGE_INTERVAL,
        };
        if shown.revision == Some(game.revision) && !page_is_due {
            return Ok(());
        }
        if shown.id.is_empty() {
            shown.id = self.name(game, table);
        }
        let data = self.render(game, shown);
        let id = &shown.id;
        self.folder.write_both(&format!("game-{id}"), &data)?;
        (shown.revision, shown.is_pairing) = (Some(game.revision), game.is_pairing);
        if page_is_due {
            let live = self.live(html::version(game), game.last, 0).json(shown.row.iter(), &News::new());
            let Options { hide_results, ref look, .. } = self.options;
            let text = page::of_game(&html::title(game, hide_results, look), id, &data, &live, look);
            self.folder.write(&format!("game-{id}.html"), &text)?;
            shown.page = Some((Instant::now(), game.revision));
            shown.tags = game.start.tags.clone();
        }
        Ok(())
    }

    /// A name for a game's files that no other game has, of this run or of another event.
    fn name(&mut self, game: &Game<Ply>, table: &Key) -> String {
        let id = html::id(table, game.number);
        let game_id = game.start.tags.get("GameId");
        let mut names = std::iter::once(id.clone()).chain((2..).map(|nth| format!("{id}.{nth}")));
        let is_free = |name: &String| !self.ids.contains(name) && self.folder.is_free_for(name, game_id);
        let name = names.find(is_free).unwrap_or(id);
        self.ids.insert(name.clone());
        name
    }

    /// Renames the files of a table whose first game has begun, where the files of the same name are another event's.
    fn rename(&mut self, game: &Game<Ply>, table: &Key, shown: &mut Shown) {
        self.ids.remove(&shown.id);
        let before = std::mem::replace(&mut shown.id, self.name(game, table));
        if before != shown.id {
            self.folder.remove(&before);
        }
    }

    fn render(&self, game: &Game<Ply>, shown: &mut Shown) -> Vec<u8> {
        let (id, hide_results) = (&shown.id, self.options.hide_results);
        shown.head = html::json(&Head::new(game, id, hide_results, true));
        shown.row = Some(Row::new(game, id, hide_results));
        shown.text = Text::new(game, hide_results);
        let Text { format, text, .. } = &shown.text;
        html::game_data(
            game,
            View { id, hide_results, head: &shown.head, text: Some((format, text)), ..View::default() },
        )
    }

    /// The standings by the tournament report, where there is one, and the finished games; hidden results count in
    /// neither.
    fn standings(&mut self, played: &[Played]) -> Option<Standings> {
        let (text, round) = self.report.clone().filter(|_| !self.options.hide_results)?;
        if self.counted.as_ref().is_none_or(|(before, _)| before != played) {
            // The reader of names reports why the report cannot be used.
            let counted = standings::of_report(&text, round as usize, played).unwrap_or_default();
            self.counted = Some((played.to_vec(), counted));
        }
        self.counted.as_ref().map(|(_, counted)| counted.clone())
    }

    /// Writes the results of the round and the front page of the event.
    fn front(&mut self, played: Vec<Played>, summary: &Summary, standings: Option<Standings>) -> Result<()> {
        let Some(front) = &mut self.front else { return Ok(()) };
        let [event, round] = summary.event_and_round();
        let round = Round { title: summary.title(&self.options.look), event, round, games: played };
        self.folder.write(RESULTS, &html::json(&round))?;
        front.update(Seconds(self.options.refresh.as_secs_f64()), standings)
    }

    /// Writes all games as text.
    fn all_games(&mut self, games: &Games<Ply>) -> Result<()> {
        let mut done = Ok(());
        let mut shown: Vec<_> = self.shown.iter().collect();
        shown.sort_by_cached_key(|((nth, key), _)| (nth, games.place(key)));
        for format in ["pgn", "pdn"] {
            let name = format!("games.{format}");
            let mut texts = shown.iter().map(|(_, shown)| &shown.text).filter(|text| text.format == format);
            let mut all = Vec::new();
            let whole = texts.try_for_each(|text| text.add_to(&mut all));
            // A part of the games would look like all of them.
            let whole = whole.map_err(|e| Error::io(self.folder.path().join(&name).display(), e));
            done = done.and(whole.and_then(|()| {
                // Without any text there is no file, unless one exists for a pairing.
                if all.is_empty() && !self.folder.is_ours(&name) {
                    Ok(())
                } else {
                    self.folder.write(&name, &all)
                }
            }));
        }
        done
    }

    /// Removes finished games from memory whose files are complete.
    fn tidy(&mut self, games: &mut Games<Ply>) -> std::io::Result<()> {
        let Some(spill) = &mut self.spill else { return Ok(()) };
        let is_over = |(nth, game): (usize, &Game<Ply>)| {
            (game.is_closed() && !game.moves.is_empty()).then(|| (game.key.clone(), nth, game.revision))
        };
        let over: Vec<(Key, usize, u64)> = games.in_order().filter_map(is_over).collect();
        for (key, nth, revision) in over {
            let Some(shown) = self.shown.get_mut(&(nth, key.clone())) else { continue };
            if shown.page.is_some_and(|(_, written)| written == revision) {
                games.put_away(&key, nth, |plies| spill.put_plies(plies))?;
                shown.text.away = Some(spill.put(shown.text.text.as_bytes())?);
                shown.text.text = String::new();
                self.folder.forget(&shown.id);
            }
        }
        Ok(())
    }

    fn overview(&mut self, games: &Games<Ply>) -> Result<()> {
        // While there is no game yet, the output of an earlier run is more useful than an empty page.
        if self.read.is_empty() && games.is_empty() && self.folder.has("index.html") {
            return Ok(());
        }
        let in_play = games.in_order().map(|(_, game)| Played::of(game, self.options.hide_results));
        let played: Vec<Played> = self.played.iter().cloned().chain(in_play).collect();
        let counted = self.standings(&played);
        let standings = counted.as_ref().map(html::json);
        let standings_version = standings.as_deref().map_or(0, html::number);
        let version = self.version_of(games);
        self.updated = games.in_order().filter_map(|(_, game)| game.last).max().max(self.updated);
        // Pages fetch the last game of each board again and again, the earlier ones when they change.
        let lasts: BTreeMap<&Key, usize> = self.shown.keys().map(|(nth, key)| (key, *nth)).collect();
        let is_past = |((nth, key), _): &(&(usize, Key), _)| lasts.get(key) != Some(nth);
        let past: Vec<&Shown> = self.shown.iter().filter(is_past).map(|(_, shown)| shown).collect();
        let mut now: Vec<_> = self.shown.iter().filter(|game| !is_past(game)).collect();
        // A board keeps its place, whichever game is played on it.
        now.sort_by_cached_key(|((_, key), _)| games.place(key));
        let now: Vec<&Shown> = now.into_iter().map(|(_, shown)| shown).collect();
        let past_rows = || past.iter().filter_map(|shown| shown.row.as_ref());
        let now_rows = now.iter().filter_map(|shown| shown.row.as_ref());
        let rows = self.read.iter().map(|(_, row)| row).chain(now_rows);
        let live = Live {
            standings: standings_version,
            ..self.live(version, self.updated, Live::past(past_rows()))
        };
        let (past_json, live) = (live.past_json(past_rows()), live.json(rows, &news(games)));
        let heads = now.iter().chain(&past).map(|shown| &shown.head);
        let heads = self.read.iter().map(|(head, _)| head).chain(heads).map(|head| &head[..]);
        // The games of boards may be of another event by now.
        let (mut summary, look) = (self.summary.clone(), &self.options.look);
        games.in_order().for_each(|(_, game)| summary.add(game));
        let mut asked = vec![("live", &live[..]), ("past", &past_json)];
        asked.extend(standings.as_deref().map(|standings| ("standings", standings)));
        let index = summary.json(look, &asked, heads);
        let index = page::index(&summary.title(look), &index, look);
        let done = self.folder.write("index.html", &index);
        let done = done.and(self.folder.write_both("past", &past_json));
        let done =
            done.and(standings.map_or(Ok(()), |standings| self.folder.write_both("standings", &standings)));
        let done = done.and(self.front(played, &summary, counted));
        // The last file to be written, so that the changes listed in it exist.
        done.and(self.folder.write_both("live", &live))
    }

    /// Marks the files of games that another program removed or changed as out of date.
    fn restore(&mut self, games: &mut Games<Ply>) -> Result<()> {
        for ((nth, key), shown) in &mut self.shown {
            if !self.folder.is_unchanged(&shown.id) {
                let lost = |e| Error::io(self.folder.path().join(format!("game-{}", shown.id)).display(), e);
                games.bring_back(key, *nth).map_err(lost)?;
                (shown.revision, shown.page) = (None, None);
            }
        }
        Ok(())
    }

    /// Reports the files of games from files that another program removed or changed: they cannot be written again.
    fn report_changed(&self) {
        let changed_by_others = self.folder.changed_by_others();
        if !changed_by_others.is_empty() {
            let (count, names) = (
                changed_by_others.len(),
                changed_by_others[..changed_by_others.len().min(LISTED_GAMES_MAX)].join(", "),
            );
            let more = if count > LISTED_GAMES_MAX { ", …" } else { "" };
            stdio::say(format_args!(
                "another program removed or changed {count} of the files meanwhile ({names}{more}): run this again"
            ));
        }
    }

    /// Reports the games of other inputs in the folder.
    fn report_others(&self) {
        let others = self.folder.others(self.ids.iter().map(String::as_str));
        if !others.is_empty() {
            let names = others[..others.len().min(LISTED_GAMES_MAX)].join(", ");
            let more = if others.len() > LISTED_GAMES_MAX { ", …" } else { "" };
            let count = others.len();
            stdio::say(format_args!(
                "the folder holds {count} games that are not of this input ({names}{more}): they are left alone"
            ));
        }
    }

    /// Whether the page of a game is older than its data.
    fn pages_wait(&self) -> bool {
        self.shown.values().any(|shown| shown.page.map(|(_, revision)| revision) != shown.revision)
    }
}

impl Text {
    fn new(game: &Game<Ply>, hide_results: bool) -> Text {
        let (format, text) = text::of(game, hide_results);
        Text { format, text, away: None }
    }

    /// Appends the text to others.
    fn add_to(&self, all: &mut Vec<u8>) -> std::io::Result<()> {
        match &self.away {
            Some(away) => all.extend(away.read()?),
            None => all.extend_from_slice(self.text.as_bytes()),
        }
        Ok(())
    }
}

impl Pages for Site {
    fn read(&mut self, game: &Game<Ply>) -> Result<()> {
        let mut shown = Shown::default();
        self.played.push(Played::of(game, self.options.hide_results));
        self.summary.add(game);
        let done = self.show(game, &game.key, &mut shown, true);
        self.folder.forget(&shown.id);
        if done.is_ok() {
            self.read.extend(shown.row.map(|row| (shown.head, row)));
        }
        let Text { format, text, .. } = shown.text;
        let done = done.and(self.folder.append(&format!("games.{format}"), text.as_bytes()));
        // The disk may be full for one large game only: the others are still shown.
        if let Err(e) = done {
            self.lost.get_or_insert(e);
        }
        Ok(())
    }

    fn report(&mut self, report: Option<(Arc<str>, u32)>) {
        if self.report != report {
            (self.report, self.counted, self.version) = (report, None, None);
        }
    }

    fn update(&mut self, games: &mut Games<Ply>) -> Result<Option<Duration>> {
        let version = Some(self.version_of(games));
        let is_news = version != self.version;
        let pages_wait = self.pages_wait();
        if !is_news && !pages_wait {
            return Ok(None);
        }
        let pause = if is_news { WRITE_INTERVAL } else { PAGE_INTERVAL };
        if let Some(rest) = self.published.and_then(|before| pause.checked_sub(before.elapsed()))
            && !rest.is_zero()
        {
            return Ok(Some(rest));
        }
        self.published = Some(Instant::now());
        match self.publish(games, false) {
            Ok(()) => {
                self.version = version;
                // If the file of finished games has no room, the rest stays in memory.
                if self.tidy(games).is_err() {
                    self.spill = None;
                }
                Ok(Some(PAGE_INTERVAL))
            }
            // A full disk may have room again soon, and the games are still in memory.
            Err(e) => {
                self.version = None;
                self.failing.say(format_args!("{e}; trying again"));
                Ok(Some(WRITE_INTERVAL))
            }
        }
    }

    fn end(&mut self, games: &mut Games<Ply>) -> Result<()> {
        // Each file at most once a second.
        if let Some(rest) = self.published.and_then(|before| WRITE_INTERVAL.checked_sub(before.elapsed())) {
            let _ = stop::wait(None, Some(rest));
        }
        let done = write_script(&mut self.folder).and(self.restore(games)).and(self.publish(games, true));
        // All games from files, or those of an earlier run: a part would look like all of them.
        if let Some(lost) = self.lost.take() {
            return Err(lost);
        }
        self.report_changed();
        done.and(self.folder.finish())
    }
}

/// The time of the last record of each line.
fn news(games: &Games<Ply>) -> News {
    let mut news = News::new();
    for (_, game) in games.in_order() {
        if let Some(last) = game.last {
            let line = news.entry(game.key.0.clone()).or_insert(last);
            *line = last.max(*line);
        }
    }
    news
}

/// Writes the script that all pages share.
fn write_script(folder: &mut Folder) -> Result<()> {
    folder.write("page.js", html::SCRIPT.as_bytes())?;
    folder.write("page.css", html::STYLE.as_bytes())
}
