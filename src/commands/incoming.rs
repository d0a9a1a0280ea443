//! Game records as they come, to games as they stand: what the writers of whole games share. Records are held back
//! where that was asked for, and games get their tags when they begin.

use std::{
    collections::{BTreeMap, BTreeSet, HashSet, VecDeque},
    sync::Arc,
    time::Duration,
};

use crate::{
    commands::{
        earlier::Heard,
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

/// Most games of files have no more plies: there is room for them at once.
const USUAL_PLIES: usize = 160;

/// The games of an input; of the plies of a game of a file, `F` may be kept instead.
pub(super) struct Incoming<P, F = P> {
    records: Records,
    dress: Dress,
    ids: GameIds,
    /// Tables stand with their players before anybody has moved: in a hall of these rules.
    pairings: Option<Rules>,
    /// Who looks at the file of names.
    names: Keeper,
    held: Held<GameRecord>,
    settling: Settling,
    /// What has come, whether it is held or not.
    pub heard: Heard,
    /// The games of boards.
    pub games: Games<P>,
    /// The game of a reader of files that is being read; it is given out when the next one begins.
    one: Option<Box<Game<F>>>,
    /// Games of files are kept among those of boards.
    keeps_all: bool,
    /// Zones that are none, each of which is said once: a journal has one for all of its games.
    unknown_zones: HashSet<Arc<str>>,
    /// The roster has names of one board that boards of several lines have.
    is_ambiguous: bool,
}

/// Leaves out the tags whose names PGN and PDN do not allow: no reader would find the end of such a name, and what
/// follows would be read as another tag. Gives what is to be reported of each.
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
    /// Nothing has come yet. Records wait until they are so old.
    pub fn new(
        input: &Input,
        (dress, names): (Dress, Keeper),
        delay: Option<Duration>,
        results: Results,
    ) -> Incoming<P, F> {
        let (records, held) = (input.records(Layer::Game), Held::new(delay));
        let settling = Settling::new(results, delay);
        let (heard, games, unknown_zones, ids) = Default::default();
        let (one, pairings, keeps_all) = (None, None, false);
        Incoming {
            records,
            dress,
            ids,
            pairings,
            names,
            held,
            settling,
            heard,
            games,
            one,
            keeps_all,
            unknown_zones,
            is_ambiguous: false,
        }
    }

    /// Keeps the games of files among those of boards, instead of giving each out when it has been read.
    pub fn keeping_all(self, keeps_all: bool) -> Incoming<P, F> {
        Incoming { keeps_all, ..self }
    }

    /// Has tables stand with their players before anybody has moved, in a hall of these rules.
    pub fn with_pairings(self, pairings: Option<Rules>) -> Incoming<P, F> {
        let mut with = Incoming { pairings, ..self };
        with.pair();
        with
    }

    /// Has tables stand as the roster has them by now.
    fn pair(&mut self) {
        let mut pairings = self.pairings.map_or_else(Vec::new, |rules| self.dress.pairings(rules));
        pairings.iter_mut().for_each(|pairing| self.ids.foresee(pairing));
        self.games.set_pairings(pairings);
    }

    /// Who looks at the files of names.
    pub fn names(&self) -> &Keeper {
        &self.names
    }

    /// The ends that have not settled, with the games they are of.
    pub fn young(&self) -> impl Iterator<Item = ((Key, u32), &End)> {
        self.settling.young()
    }

    /// What is known of games beside what boards report.
    pub fn dress(&self) -> &Dress {
        &self.dress
    }

    /// Takes a line. `look` may report what the writer cannot say of a record, and change it. Gives a game of a file
    /// that no more is heard of.
    pub fn line(
        &mut self,
        place: Place<'_>,
        line: &[u8],
        look: impl FnOnce(&mut Records, &GameRecord) -> Result<()>,
    ) -> Result<Option<Box<Game<F>>>> {
        self.heard.lines += 1;
        if let Some(game) = &mut self.one
            && let Some(ply) = pgn::quick(line)
            && game.append(ply.game, ply.ply, || ply.into())
        {
            return Ok(None);
        }
        self.other_line(place, line, look)
    }

    /// Takes one that is not read by its shape: apart, so that the many others need not make room for all that this does.
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
        self.heard.time = record.time.or(self.heard.time);
        look(&mut self.records, &record)?;
        if let GameEvent::Game(start) = &mut record.event {
            unfit_tags(start).iter().try_for_each(|problem| self.records.report(place, problem))?;
            // What the games say is not asked where the user says it.
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
            // Games of files are none of those.
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

    /// Somebody else plays by now, or elsewhere: games that have begun get these tags too, whatever is held back of them.
    fn dress_anew(&mut self, dress: Dress) -> Result<()> {
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
        self.say_of_roster();
        Ok(())
    }

    /// Takes what is due, other names too; gives when there may be more.
    pub fn release(&mut self) -> Result<Option<Duration>> {
        let (dress, look) = self.names.look();
        dress.map_or(Ok(()), |dress| self.dress_anew(dress))?;
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

    /// The input has ended: what is due is taken; gives the last game of a file.
    pub fn end(&mut self) -> Result<Option<Box<Game<F>>>> {
        self.release()?;
        let dress = self.names.last_look();
        dress.map_or(Ok(()), |dress| self.dress_anew(dress))?;
        if self.games.is_empty() {
            self.held.say_why_nothing();
        }
        self.settling.say_what_is_open();
        self.say_of_roster();
        Ok(self.one.take())
    }

    /// Reports where the roster does not fit the boards that play. Of one that has not played yet nothing is wrong.
    fn say_of_roster(&mut self) {
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

    /// Says what is wrong with a game, and goes on unless strict.
    pub fn report(&mut self, game: impl std::fmt::Display, problem: impl std::fmt::Display) -> Result<()> {
        self.records.report(game, problem)
    }

    /// What was bad, counted.
    pub fn done(&self) -> Done {
        // Who plays where is worth a file before anything is played.
        let is_done = self.records.is_empty() && !self.games.is_empty();
        let names = if self.is_ambiguous { Done::BadData } else { self.names.done() };
        if is_done { names } else { self.records.done().and(names) }
    }
}

/// What messages call the game of a record that was held back.
fn name(record: &GameRecord) -> String {
    format!("board {}, game {}", record.board.unwrap_or_default(), record.game)
}

/// What is not due yet.
pub(super) struct Held<T> {
    delay: Option<Duration>,
    /// Of each board in the order they came in, each with the time from which it may be published, and its own.
    held: BTreeMap<Key, VecDeque<(Time, Option<Time>, T)>>,
}

impl<T> Held<T> {
    /// Everything waits until it is so old.
    pub fn new(delay: Option<Duration>) -> Held<T> {
        Held { delay, held: BTreeMap::new() }
    }

    /// What happened at this time, if it is due; else it is kept behind what is kept of the same board.
    pub fn pass(&mut self, key: Key, time: Option<Time>, what: T) -> Option<T> {
        let Some(delay) = self.delay else { return Some(what) };
        let held = self.held.entry(key).or_default();
        // A record without a time, or one that came late, is not published before the one in front of it.
        let before = held.back().map_or(Time(i64::MIN), |(due, ..)| *due);
        // What is here is from no later time, whatever a clock that is wrong says: nobody waits for years.
        let now = Time::now();
        let due = time.map(|time| Time(time.min(now).0.saturating_add(delay.as_millis() as i64)));
        let due = due.unwrap_or(before);
        // Of records whose clock was ahead it is only known that they are older than those that came behind them.
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

    /// What has become due, and when the next one is.
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

    /// Whether nothing is kept.
    pub fn is_empty(&self) -> bool {
        self.first().is_none()
    }

    /// What was held back to the end is not written: or else nobody would know why there is nothing to be seen.
    pub fn say_why_nothing(&self) {
        if let Some(due) = self.first() {
            stdio::say(format_args!(
                "nothing is written: --delay holds everything back, the first until {}",
                Zone::here().date_and_time(due)
            ));
        }
    }

    /// When the first of them is due.
    fn first(&self) -> Option<Time> {
        self.held.values().filter_map(VecDeque::front).map(|(due, ..)| *due).min()
    }
}

impl Held<GameRecord> {
    /// The record, if it is due; else it is kept.
    pub fn pass_game(&mut self, record: GameRecord) -> Option<GameRecord> {
        self.pass((record.line.clone(), record.board), record.time, record)
    }
}
