//! A folder of pages: which files there are, and when each is written anew.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::PathBuf,
    sync::Arc,
    time::{Duration, Instant},
};

use super::{
    attic::{Attic, Piece},
    folder::Folder,
    front::{Front, RESULTS},
    look::Logo,
    pages::Pages,
    text,
};
use crate::{
    error::{Error, Result},
    format::{
        game::{Game, Key},
        games::Games,
        html::{self, Head, Live, Look, News, Ply, Row, Summary, View, page},
        standings::{self, Placed, Played, Round},
    },
    record::{Seconds, Tags, Time},
    stdio::{self, Seldom},
    stop,
};

/// No file is written more often.
const PAUSE: Duration = Duration::from_secs(1);
/// The page of a game in play holds a state for the first look and for readers of files; what is newer the script asks
/// for. So it need not follow every move.
const PAGE_PAUSE: Duration = Duration::from_secs(10);
/// So many games of others are named.
const NAMED: usize = 5;

/// What may be chosen.
pub struct Options {
    /// How often open pages ask for news.
    pub refresh: Duration,
    /// By how much everything is held back.
    pub delay: Duration,
    /// Say nothing of results.
    pub hide_results: bool,
    /// What pages have of the user's own.
    pub look: Look,
}

/// The site.
pub struct Site {
    folder: Folder,
    options: Options,
    /// Games of readers of files, which no longer change.
    read: Vec<(Vec<u8>, Row)>,
    /// Of those.
    summary: Summary,
    /// Games of boards, the first of every board, then the second, …: one that begins later moves no other.
    shown: BTreeMap<(usize, Key), Shown>,
    /// The names that games of this run have.
    ids: BTreeSet<String>,
    /// When the first game began, in seconds since 1970.
    epoch: i64,
    /// The time of the last record that was shown. It never goes back, though a record that corrects an earlier one has
    /// that one's time and a game may turn out never to have been: pages take a state that is older for one of a cache.
    updated: Option<Time>,
    /// The records that all files tell of; none before anything was written.
    version: Option<u64>,
    published: Option<Instant>,
    /// What is said of a file that could not be written.
    failing: Seldom,
    /// Where the moves and texts of games lie that are over; none where it could not be made.
    attic: Option<Attic>,
    /// Why a game of a file could not be written.
    lost: Option<Error>,
    /// It was looked what lies in the folder beside this run's games.
    looked: bool,
    /// Games of readers of files, for the standings.
    played: Vec<Played>,
    /// The tournament report and the round, and the standings that it gave with these games.
    report: Option<(Arc<str>, u32)>,
    counted: Option<(Vec<Played>, Vec<Placed>)>,
    /// The front page of the event.
    front: Option<Front>,
}

/// A game as its files have it.
#[derive(Default)]
struct Shown {
    id: String,
    /// What its data were written from last; none for nothing.
    revision: Option<u64>,
    head: Vec<u8>,
    row: Option<Row>,
    text: Text,
    /// When its page was written, at which revision.
    page: Option<(Instant, u64)>,
    /// The tags that its page has.
    tags: Tags,
    /// It was no game yet.
    is_pairing: bool,
}

/// A game's text.
#[derive(Default)]
struct Text {
    /// The file that holds all of its kind, `pgn` or `pdn`.
    format: &'static str,
    text: String,
    /// Where it lies instead when the game is over.
    away: Option<Piece>,
}

impl Site {
    pub fn new(dir: PathBuf, options: Options, logo: Option<Logo>, front: Option<Front>) -> Result<Site> {
        let mut folder = Folder::open(dir)?;
        // Before anything is played, so that a folder that cannot be written is known in time.
        write_script(&mut folder)?;
        if let Some(Logo { name, bytes, .. }) = logo {
            folder.write(name, &bytes)?;
        }
        // Without one everything stays in memory.
        let attic = Attic::new(folder.path()).ok();
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
            attic,
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

    /// Writes what is not as it stands. What is wrong with one file is no reason to leave out the others.
    fn publish(&mut self, games: &Games<Ply>, last: bool) -> Result<()> {
        let began = games.in_order().filter_map(|(_, game)| game.time).min();
        self.epoch = began.map_or(0, |Time(ms)| ms.div_euclid(1000));
        let mut done = Ok(());
        let mut before = std::mem::take(&mut self.shown);
        for (nth, game) in games.in_order() {
            let place = (nth, game.key.clone());
            // A game goes by the name of its table's pairing, and on in its files.
            let table = games.table(&game.key);
            let shown = before.remove(&place).or_else(|| before.remove(&(nth, table.clone())));
            let mut shown = shown.unwrap_or_default();
            if shown.is_pairing && !game.is_pairing {
                self.rename(game, table, &mut shown);
            }
            done = done.and(self.show(game, table, &mut shown, last));
            self.shown.insert(place, shown);
        }
        // An arbiter ruled that these never were.
        for Shown { id, .. } in before.into_values() {
            self.folder.remove(&id);
            self.ids.remove(&id);
        }
        let done = done.and(self.all_games(games)).and(self.overview(games));
        if done.is_ok() && !std::mem::replace(&mut self.looked, true) {
            self.name_others();
        }
        done
    }

    /// Writes the files of a game that are not as it stands.
    fn show(&mut self, game: &Game<Ply>, table: &Key, shown: &mut Shown, last: bool) -> Result<()> {
        let page_is_due = match shown.page {
            None => true,
            Some((_, revision)) if revision == game.revision => false,
            Some(_) if shown.is_pairing => true,
            _ if shown.tags != game.start.tags => true,
            Some((written, _)) => last || game.is_closed() || written.elapsed() >= PAGE_PAUSE,
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

    /// The name of a game's files. One that another game has, of this run or of another event, is not taken from it.
    fn name(&mut self, game: &Game<Ply>, table: &Key) -> String {
        let id = html::id(table, game.number);
        let game_id = game.start.tags.get("GameId");
        let mut names = std::iter::once(id.clone()).chain((2..).map(|nth| format!("{id}.{nth}")));
        let is_free = |name: &String| !self.ids.contains(name) && self.folder.is_free_for(name, game_id);
        let name = names.find(is_free).unwrap_or(id);
        self.ids.insert(name.clone());
        name
    }

    /// The first game has begun at a table: another name, where files of that table's are another event's.
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

    /// The standings by the tournament report, where there is one, and the games that are over; results that are hidden are in none.
    fn standings(&mut self, played: &[Played]) -> Option<Vec<Placed>> {
        let (text, round) = self.report.clone().filter(|_| !self.options.hide_results)?;
        if self.counted.as_ref().is_none_or(|(before, _)| before != played) {
            // Why it cannot be used is said of its names already.
            let scored = standings::of_report(&text, round as usize, played).unwrap_or_default();
            self.counted = Some((played.to_vec(), standings::placed(scored)));
        }
        self.counted.as_ref().map(|(_, placed)| placed.clone())
    }

    /// Writes the results of the round and the front page of the event.
    fn front(
        &mut self,
        played: Vec<Played>,
        summary: &Summary,
        standings: Option<Vec<Placed>>,
    ) -> Result<()> {
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
            // A part of the games would pass for all of them.
            let whole = whole.map_err(|e| Error::io(self.folder.path().join(&name).display(), e));
            done = done.and(whole.and_then(|()| {
                // Nothing at all is no file, but where a pairing stood there.
                if all.is_empty() && !self.folder.is_ours(&name) {
                    Ok(())
                } else {
                    self.folder.write(&name, &all)
                }
            }));
        }
        done
    }

    /// Has what is over and stands in its files forgotten.
    fn tidy(&mut self, games: &mut Games<Ply>) -> std::io::Result<()> {
        let Some(attic) = &mut self.attic else { return Ok(()) };
        let is_over = |(nth, game): (usize, &Game<Ply>)| {
            (game.is_closed() && !game.moves.is_empty()).then(|| (game.key.clone(), nth, game.revision))
        };
        let over: Vec<(Key, usize, u64)> = games.in_order().filter_map(is_over).collect();
        for (key, nth, revision) in over {
            let Some(shown) = self.shown.get_mut(&(nth, key.clone())) else { continue };
            if shown.page.is_some_and(|(_, written)| written == revision) {
                games.put_away(&key, nth, |plies| attic.put_plies(plies))?;
                shown.text.away = Some(attic.put(shown.text.text.as_bytes())?);
                shown.text.text = String::new();
                self.folder.forget(&shown.id);
            }
        }
        Ok(())
    }

    fn overview(&mut self, games: &Games<Ply>) -> Result<()> {
        // With no game yet, what an earlier run wrote is worth more than an empty page.
        if self.read.is_empty() && games.is_empty() && self.folder.has("index.html") {
            return Ok(());
        }
        let in_play = games.in_order().map(|(_, game)| Played::of(game, self.options.hide_results));
        let played: Vec<Played> = self.played.iter().cloned().chain(in_play).collect();
        let placed = self.standings(&played);
        let standings = placed.as_ref().map(|placed| html::json(&Standings { rows: placed }));
        let standings_version = standings.as_deref().map_or(0, html::number);
        let version = self.version_of(games);
        self.updated = games.in_order().filter_map(|(_, game)| game.last).max().max(self.updated);
        // The last game of each board is asked for again and again, those before it when they change.
        let lasts: BTreeMap<&Key, usize> = self.shown.keys().map(|(nth, key)| (key, *nth)).collect();
        let is_past = |((nth, key), _): &(&(usize, Key), _)| lasts.get(key) != Some(nth);
        let past: Vec<&Shown> = self.shown.iter().filter(is_past).map(|(_, shown)| shown).collect();
        let mut now: Vec<_> = self.shown.iter().filter(|game| !is_past(game)).collect();
        // A board keeps its place whichever game is played there.
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
        // Those of boards may be another event by now.
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
        let done = done.and(self.front(played, &summary, placed));
        // Last, so that whoever reads of a change here finds it.
        done.and(self.folder.write_both("live", &live))
    }

    /// Whatever became of the files of games meanwhile: those that another program removed or changed are due again.
    fn mend(&mut self, games: &mut Games<Ply>) -> Result<()> {
        for ((nth, key), shown) in &mut self.shown {
            if !self.folder.stands(&shown.id) {
                let lost = |e| Error::io(self.folder.path().join(format!("game-{}", shown.id)).display(), e);
                games.bring_back(key, *nth).map_err(lost)?;
                (shown.revision, shown.page) = (None, None);
            }
        }
        Ok(())
    }

    /// Says which files another program removed or changed that cannot be written again: their games have been read.
    fn name_spoilt(&self) {
        let spoilt = self.folder.spoilt();
        if !spoilt.is_empty() {
            let (count, names) = (spoilt.len(), spoilt[..spoilt.len().min(NAMED)].join(", "));
            let more = if count > NAMED { ", …" } else { "" };
            stdio::say(format_args!(
                "another program removed or changed {count} of the files meanwhile ({names}{more}): run this again"
            ));
        }
    }

    /// Says what lies in the folder and is left alone.
    fn name_others(&self) {
        let others = self.folder.others(self.ids.iter().map(String::as_str));
        if !others.is_empty() {
            let names = others[..others.len().min(NAMED)].join(", ");
            let more = if others.len() > NAMED { ", …" } else { "" };
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

    /// Adds it to others.
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
        // What there is no room for may be one game alone: the others are still to be shown.
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
        let pause = if is_news { PAUSE } else { PAGE_PAUSE };
        if let Some(rest) = self.published.and_then(|before| pause.checked_sub(before.elapsed()))
            && !rest.is_zero()
        {
            return Ok(Some(rest));
        }
        self.published = Some(Instant::now());
        match self.publish(games, false) {
            Ok(()) => {
                self.version = version;
                // What finds no room there stays in memory.
                if self.tidy(games).is_err() {
                    self.attic = None;
                }
                Ok(Some(PAGE_PAUSE))
            }
            // A full disk may have room again soon: the games are in hand.
            Err(e) => {
                self.version = None;
                self.failing.say(format_args!("{e}; trying again"));
                Ok(Some(PAUSE))
            }
        }
    }

    fn end(&mut self, games: &mut Games<Ply>) -> Result<()> {
        // No file twice in one second.
        if let Some(rest) = self.published.and_then(|before| PAUSE.checked_sub(before.elapsed())) {
            let _ = stop::wait(None, Some(rest));
        }
        let done = write_script(&mut self.folder).and(self.mend(games)).and(self.publish(games, true));
        // All games of files, or those of an earlier run: a part of them would pass for all.
        if let Some(lost) = self.lost.take() {
            return Err(lost);
        }
        self.name_spoilt();
        done.and(self.folder.finish())
    }
}

/// The standings as pages ask for them.
#[derive(serde::Serialize)]
struct Standings<'a> {
    rows: &'a [Placed],
}

/// When the last record of each line came.
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

/// Writes what all pages share.
fn write_script(folder: &mut Folder) -> Result<()> {
    folder.write("page.js", html::SCRIPT.as_bytes())?;
    folder.write("page.css", html::STYLE.as_bytes())
}
