//! From game records to the current state of games, for all writers of whole games. Records are delayed where this was
//! asked for, and games get their tags when they begin.

use std::{
    collections::{BTreeMap, BTreeSet, HashSet, VecDeque},
    sync::Arc,
    time::Duration,
};

use crate::{
    commands::{
        earlier::SoFar,
        input::{Input, Layer, Records},
        names::Keeper,
        settling::{Results, Settling},
    },
    error::{Done, Result},
    format::{
        boards_of,
        game::{Game, Kept, Key},
        games::Games,
        pgn::{self, Dress, GameIds, QuickPly},
        ranges,
    },
    record::{End, GameEvent, GameRecord, GameStart, Record, Rules, Tags, Time, Zone},
    stdio::{self, Place},
};

/// Most games of files have no more plies than this, so this much is allocated at the start.
const USUAL_PLIES: usize = 160;

/// The games of an input. `F` is what is kept of the plies of games from files.
pub(super) struct Incoming<P, F = P> {
    records: Records,
    dress: Dress,
    ids: GameIds,
    /// The rules of the tables that are listed with their players before their first move; none where these are not
    /// listed.
    pairings: Option<Rules>,
    /// Watches the file of names.
    names: Keeper,
    held: Delayed<GameRecord>,
    settling: Settling,
    /// What has come, delayed or not.
    pub so_far: SoFar,
    /// The games of boards.
    pub games: Games<P>,
    /// The game from a file that is being read; it is returned when the next one begins.
    one: Option<Box<Game<F>>>,
    /// Games of files are kept among those of boards.
    keeps_all: bool,
    /// Invalid time zones, each reported once: all games of a journal have the same one.
    unknown_zones: HashSet<Arc<str>>,
    /// The roster has names for a board address that occurs on several lines.
    is_ambiguous: bool,
}

/// Removes tags whose names PGN and PDN do not allow, since no reader could find the end of such a name. Returns a
/// message about each.
pub(super) fn unfit_tags(start: &mut GameStart) -> Vec<String> {
    if start.tags.0.iter().all(|(name, _)| pgn::is_tag_name(name)) {
        return Vec::new();
    }
    let (names, others) = start.tags.0.drain(..).partition(|(name, _)| pgn::is_tag_name(name));
    start.tags = Tags(names);
    let others: Vec<_> = others;
    let problem = |(name, value)| format!("\"{name}\" cannot be the name of a tag: \"{value}\" is left out");
    others.into_iter().map(problem).collect()
}

impl<P: Kept, F: Kept + for<'a> From<QuickPly<'a>>> Incoming<P, F> {
    /// Nothing has come yet. Records are delayed until they are this old.
    pub fn new(
        input: &Input,
        (dress, names): (Dress, Keeper),
        delay: Option<Duration>,
        results: Results,
    ) -> Incoming<P, F> {
        let (records, held) = (input.records(Layer::Game), Delayed::new(delay));
        let settling = Settling::new(results, delay);
        let (so_far, games, unknown_zones, ids) = Default::default();
        let (one, pairings, keeps_all) = (None, None, false);
        Incoming {
            records,
            dress,
            ids,
            pairings,
            names,
            held,
            settling,
            so_far,
            games,
            one,
            keeps_all,
            unknown_zones,
            is_ambiguous: false,
        }
    }

    /// Keeps the games of files among those of boards, instead of returning each when it has been read.
    pub fn keeping_all(self, keeps_all: bool) -> Incoming<P, F> {
        Incoming { keeps_all, ..self }
    }

    /// Lists tables with their players before their first move, as games of these rules.
    pub fn with_pairings(self, pairings: Option<Rules>) -> Incoming<P, F> {
        let mut with = Incoming { pairings, ..self };
        with.pair();
        with
    }

    /// Lists the tables that the roster has now.
    fn pair(&mut self) {
        let mut pairings = self.pairings.map_or_else(Vec::new, |rules| self.dress.pairings(rules));
        pairings.iter_mut().for_each(|pairing| self.ids.foresee(pairing));
        self.games.set_pairings(pairings);
    }

    /// The watcher of the files of names.
    pub fn names(&self) -> &Keeper {
        &self.names
    }

    /// The ends that have not settled, with their games.
    pub fn unsettled(&self) -> impl Iterator<Item = ((Key, u32), &End)> {
        self.settling.unsettled()
    }

    /// What is given of games besides the boards' records.
    pub fn dress(&self) -> &Dress {
        &self.dress
    }

    /// Adds a line of the input. `look` may report what the writer cannot express of a record, and change it. Returns a
    /// game of a file when it is complete.
    pub fn line(
        &mut self,
        place: Place<'_>,
        line: &[u8],
        look: impl FnOnce(&mut Records, &GameRecord) -> Result<()>,
    ) -> Result<Option<Box<Game<F>>>> {
        self.so_far.lines += 1;
        if let Some(game) = &mut self.one
            && let Some(ply) = pgn::quick(line)
            && game.append(ply.game, ply.ply, || ply.into())
        {
            return Ok(None);
        }
        self.other_line(place, line, look)
    }

    /// Adds a line that is not read by its shape. A function of its own, so that the common path stays small.
    #[inline(never)]
    fn other_line(
        &mut self,
        place: Place<'_>,
        line: &[u8],
        look: impl FnOnce(&mut Records, &GameRecord) -> Result<()>,
    ) -> Result<Option<Box<Game<F>>>> {
        if let Some(game) = &mut self.one
            && let Some((number, ply, kept)) = F::passed_on(line)
            && game.append(number, ply, || kept)
        {
            return Ok(None);
        }
        let Some(Record::Game(mut record)) = self.records.record(place, line)? else {
            return Ok(None);
        };
        self.so_far.time = record.time.or(self.so_far.time);
        look(&mut self.records, &record)?;
        if let GameEvent::Game(start) = &mut record.event {
            unfit_tags(start).iter().try_for_each(|problem| self.records.report(place, problem))?;
            // The zone in a record does not count where the user gave one.
            if let Some(zone) = start.zone.take_if(|zone| Zone::named(zone).is_none())
                && self.dress.zone.is_none()
                && self.unknown_zones.insert(zone.clone())
            {
                self.records.report_taken(
                    place,
                    format_args!("no time zone is called \"{zone}\": the date is that of UTC"),
                )?;
            }
        }
        let from_file = record.board.is_none() && record.time.is_none();
        if from_file && self.pairings.take().is_some() {
            // Games of files have no place among the tables.
            self.pair();
        }
        let mut over = None;
        let applied = if from_file && !self.keeps_all {
            self.apply_one(record, &mut over)
        } else {
            self.held.pass_game(record).map_or(Ok(()), |record| self.apply(record))
        };
        applied.or_else(|problem| self.records.report(place, problem))?;
        Ok(over)
    }

    fn apply_one(&mut self, record: GameRecord, over: &mut Option<Box<Game<F>>>) -> Result<(), String> {
        match (&mut self.one, record.event) {
            (one, GameEvent::Game(start)) => {
                *over = one.take();
                let mut game = Game::begin((record.line, record.board), record.game, record.time, start);
                game.moves.reserve(USUAL_PLIES);
                self.dress.put_on(&mut game, 0);
                self.one = Some(Box::new(game));
                Ok(())
            }
            (Some(game), event) if game.number == record.game => game.apply(event, None),
            (_, event) => Err(format!("a {} of game {}, which has not begun", event.kind(), record.game)),
        }
    }

    fn apply(&mut self, record: GameRecord) -> Result<(), String> {
        let [end, record] =
            self.settling.pass(record).map(|passed| passed.map_or(Ok(()), |record| self.fold(record)));
        end.and(record)
    }

    fn fold(&mut self, record: GameRecord) -> Result<(), String> {
        let begins = matches!(record.event, GameEvent::Game(_));
        let (nth, game) = self.games.apply(record)?;
        if begins {
            self.dress.put_on(game, nth);
            self.ids.fix(game, nth);
        }
        Ok(())
    }

    /// Applies changed names or places: games that have begun get these tags too, including their delayed records.
    fn change_dress(&mut self, dress: Dress) -> Result<()> {
        self.dress = dress;
        let mut of_others = BTreeSet::new();
        let players = |game: &Game<P>| {
            ["White", "Black"].map(|name| game.start.tags.get(name).unwrap_or_default().to_owned())
        };
        let dress = |game: &mut Game<P>, nth| {
            let before = players(game);
            self.dress.put_on(game, nth);
            let now = players(game);
            if game.is_closed()
                && !before.iter().any(|name| name.is_empty() || now.contains(name))
                && !now[0].is_empty()
            {
                of_others.extend(game.key.1);
            }
        };
        let done = self.games.dress_again(dress);
        self.pair();
        if !of_others.is_empty() {
            stdio::say(format_args!(
                "games that are over on {} have other players now, both of them: if these are of another round, give it a \
                 file of its own or a column `round`",
                ranges(&Vec::from_iter(of_others))
            ));
        }
        if let Err(e) = done {
            self.records
                .report("a game that is over keeps its names: its moves could not be read again", e)?;
        }
        self.report_roster();
        Ok(())
    }

    /// Applies what is due, changed names included; returns the time until there may be more.
    pub fn release(&mut self) -> Result<Option<Duration>> {
        let (dress, look) = self.names.look();
        dress.map_or(Ok(()), |dress| self.change_dress(dress))?;
        let (due, next) = self.held.release();
        for record in due {
            let what = name(&record);
            self.apply(record).or_else(|problem| self.records.report(what, problem))?;
        }
        let (settled, open) = self.settling.release();
        for record in settled {
            let what = name(&record);
            self.fold(record).or_else(|problem| self.records.report(what, problem))?;
        }
        Ok(next.into_iter().chain(open).chain(look).min())
    }

    /// Applies what is due at the end of the input; returns the last game of a file.
    pub fn end(&mut self) -> Result<Option<Box<Game<F>>>> {
        self.release()?;
        let dress = self.names.last_look();
        dress.map_or(Ok(()), |dress| self.change_dress(dress))?;
        if self.games.is_empty() {
            self.held.report_delayed();
        }
        self.settling.report_open();
        self.report_roster();
        Ok(self.one.take())
    }

    /// Reports where the roster does not fit the boards in play. A board that has not played yet is not reported.
    fn report_roster(&mut self) {
        let played = self.games.in_order().filter(|(_, game)| !game.is_pairing && game.is_of_board());
        let played = played.map(|(_, game)| game.key.clone()).collect();
        let fit = self.dress.fit(&played);
        self.is_ambiguous = fit.ambiguity().map(stdio::say).is_some();
        for (name, boards) in &fit.twice {
            stdio::say(format_args!("{name} stands at {} of one round: is a name wrong?", boards_of(boards)));
        }
        if fit.nameless.is_empty() || fit.idle.is_empty() {
            return;
        }
        let (nameless, idle) = (boards_of(&fit.nameless), boards_of(&fit.idle));
        if fit.is_all_idle {
            return stdio::say(format_args!(
                "no board of the roster ({idle}) has a game: these are of {nameless}; its column `board` (or --boards) wants their \
                 addresses, not the numbers of tables"
            ));
        }
        stdio::say(format_args!(
            "there are games and no names of {nameless}, names and no game of {idle}: is an address wrong, or the name of a line?"
        ));
    }

    /// Reports a problem with a game, and continues unless strict.
    pub fn report(&mut self, game: impl std::fmt::Display, problem: impl std::fmt::Display) -> Result<()> {
        self.records.report(game, problem)
    }

    /// The result, with the problems counted.
    pub fn done(&self) -> Done {
        // A list of the players is worth a file before the first move.
        let is_done = self.records.is_empty() && !self.games.is_empty();
        let names = if self.is_ambiguous { Done::BadData } else { self.names.done() };
        if is_done { names } else { self.records.done().and(names) }
    }
}

/// The name of a delayed record's game in messages.
fn name(record: &GameRecord) -> String {
    format!("board {}, game {}", record.board.unwrap_or_default(), record.game)
}

/// Delayed items.
pub(super) struct Delayed<T> {
    delay: Option<Duration>,
    /// For each board its items in their order, each with the time from which it may be published, and its own time.
    held: BTreeMap<Key, VecDeque<(Time, Option<Time>, T)>>,
}

impl<T> Delayed<T> {
    /// Delays everything until it is this old.
    pub fn new(delay: Option<Duration>) -> Delayed<T> {
        Delayed { delay, held: BTreeMap::new() }
    }

    /// Returns an item with this time if it is due; else keeps it after the others of its board.
    pub fn pass(&mut self, key: Key, time: Option<Time>, what: T) -> Option<T> {
        let Some(delay) = self.delay else { return Some(what) };
        let held = self.held.entry(key).or_default();
        // An item without a time, or one that came late, is not published before the one in front of it.
        let before = held.back().map_or(Time(i64::MIN), |(due, ..)| *due);
        // A record cannot be from the future: a clock that is years ahead must not delay it by years.
        let now = Time::now();
        let due = time.map(|time| Time(time.min(now).0.saturating_add(delay.as_millis() as i64)));
        let due = due.unwrap_or(before);
        // Where an item's clock was ahead, it is only certain that it is older than those that came after it.
        let wrong = |time: Option<Time>| time.is_some_and(|time| time > now);
        let of_wrong = held.iter_mut().rev().take_while(|(later, time, _)| *later > due && wrong(*time));
        of_wrong.for_each(|(later, ..)| *later = due);
        let before = held.back().map_or(Time(i64::MIN), |(due, ..)| *due);
        if held.is_empty() && due <= now {
            return Some(what);
        }
        held.push_back((due.max(before), time, what));
        None
    }

    /// The items that have become due, and the time until the next one is.
    pub fn release(&mut self) -> (Vec<T>, Option<Duration>) {
        let now = Time::now();
        let mut due = Vec::new();
        for held in self.held.values_mut() {
            let ripe = held.partition_point(|(due, ..)| *due <= now);
            due.extend(held.drain(..ripe).map(|(.., what)| what));
        }
        let next = self.first();
        (due, next.map(|due| Duration::from_millis(due.0.saturating_sub(now.0).max(1) as u64)))
    }

    /// Whether there are no delayed items.
    pub fn is_empty(&self) -> bool {
        self.first().is_none()
    }

    /// Reports that items delayed until the end are not written, since the output would be empty without a reason.
    pub fn report_delayed(&self) {
        if let Some(due) = self.first() {
            stdio::say(format_args!(
                "nothing is written: --delay holds everything back, the first until {}",
                Zone::here().date_and_time(due)
            ));
        }
    }

    /// When the first item is due.
    fn first(&self) -> Option<Time> {
        self.held.values().filter_map(VecDeque::front).map(|(due, ..)| *due).min()
    }
}

impl Delayed<GameRecord> {
    /// Returns the record if it is due; else keeps it.
    pub fn pass_game(&mut self, record: GameRecord) -> Option<GameRecord> {
        self.pass((record.line.clone(), record.board), record.time, record)
    }
}
