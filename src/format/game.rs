//! Games as they stand after the records so far: moves replaced, taken back, ended.
//!
//! The one fold of records for whoever writes games as they were told, illegal moves and holes too: PGN, the files of
//! LiveChess, pages. What is kept of a ply is the writer's choice ([`Kept`]). Two others stand apart because they would not
//! get smaller over this one: `russian::Games` plays each move and refuses with its record's place what cannot be, and
//! `reconstruct`'s `FinalMoves` keeps updates, which are no records yet, in the order in which `--final` tells them.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt, io,
};

pub use crate::record::BoardName as Key;
use crate::record::{Anomaly, End, EndReason, GameEvent, GameRecord, GameStart, Move, Ruled, Ruling, Time};

/// So many plies of a game may be missing: more are not holes in a stream but wrong numbers.
const LARGEST_HOLE: usize = 600;

/// What a writer keeps of a ply; the default stands for one that no record told.
pub trait Kept: Default {
    /// What is kept of a move that was told at this time.
    fn keep(m: Move, time: Option<Time>) -> Self;

    /// Whether it bridges a gap in the data, or may for another reason not be what was played.
    fn is_guess(&self) -> bool;

    /// A line that tells a whole and sound ply of a reader of files, for who keeps it without understanding all of it: the
    /// game, the ply, and what is kept. None is no more than that others are to read it.
    fn passed_on(_line: &[u8]) -> Option<(u32, u32, Self)> {
        None
    }
}

impl Kept for Move {
    fn keep(m: Move, _: Option<Time>) -> Move {
        m
    }

    fn is_guess(&self) -> bool {
        self.guess
    }
}

/// The plies of a game that were put away, so that memory holds those of games in play alone.
pub trait Away<P>: fmt::Debug {
    /// Reads them again.
    fn bring_back(&self) -> io::Result<Vec<P>>;
}

/// A game as it stands.
#[derive(Debug, Clone, PartialEq)]
pub struct Game<P = Move> {
    /// The line and the board it is played on.
    pub key: Key,
    /// Its number on that board.
    pub number: u32,
    /// When it began.
    pub time: Option<Time>,
    /// When the last thing happened in it.
    pub last: Option<Time>,
    /// How it began.
    pub start: GameStart,
    /// The plies. One that has no record is a move of nothing.
    pub moves: Vec<P>,
    /// What an arbiter should look at, in order of arrival.
    pub anomalies: Vec<Anomaly>,
    /// How it ended, if it did.
    pub end: Option<End>,
    /// What an arbiter ruled of it and did not take back: of a ply, and of the game as a whole, what he said last.
    pub rulings: Vec<Ruling>,
    /// How many events it has taken, and how often other names: with the same number it is the same.
    pub revision: u64,
    /// Plies that no record told.
    missing: BTreeSet<usize>,
    /// All of it was taken back when something was taken back last; what was played since is in `moves`.
    is_taken_back: bool,
}

impl<P: Kept> Game<P> {
    /// A game that begins with this record.
    pub fn new(record: &GameRecord, start: GameStart) -> Game<P> {
        Game::begin((record.line.clone(), record.board), record.game, record.time, start)
    }

    /// A game of this board that begins so, with its number there.
    pub fn begin(key: Key, number: u32, time: Option<Time>, start: GameStart) -> Game<P> {
        Game {
            key,
            number,
            time,
            last: time,
            start,
            moves: Vec::new(),
            anomalies: Vec::new(),
            end: None,
            rulings: Vec::new(),
            revision: 0,
            missing: BTreeSet::new(),
            is_taken_back: false,
        }
    }

    /// What happened next, and when. An event that cannot be is refused with the reason.
    pub fn apply(&mut self, event: GameEvent, time: Option<Time>) -> Result<(), String> {
        self.revision += 1;
        // What was ended by the end of an input goes on with a longer one.
        if self.end.as_ref().is_some_and(|end| end.reason == EndReason::InputEnd) {
            self.end = None;
        }
        match event {
            GameEvent::Game(start) => self.start = start,
            GameEvent::Move(m) => self.play(*m, time)?,
            GameEvent::Takeback(takeback) => {
                self.is_taken_back = takeback.ply == 0;
                self.moves.truncate(takeback.ply as usize);
                self.missing.retain(|ply| *ply <= takeback.ply as usize);
                self.anomalies.retain(|anomaly| anomaly.ply <= takeback.ply);
            }
            GameEvent::Anomaly(anomaly) => self.anomalies.push(anomaly),
            GameEvent::End(end) => self.end = Some(end),
            GameEvent::Ruling(ruling) => {
                self.rulings.retain(|earlier| earlier.ply != ruling.ply);
                if ruling.ruled != Ruled::Withdraw {
                    self.rulings.push(*ruling);
                }
            }
        }
        Ok(())
    }

    /// The same game with other things kept of its plies.
    pub fn with_moves<Q>(&self, moves: Vec<Q>) -> Game<Q> {
        let Game { key, number, time, last, start, anomalies, end, rulings, revision, missing, .. } = self;
        let is_taken_back = self.is_taken_back;
        Game {
            key: key.clone(),
            number: *number,
            time: *time,
            last: *last,
            start: start.clone(),
            moves,
            anomalies: anomalies.clone(),
            end: end.clone(),
            rulings: rulings.clone(),
            revision: *revision,
            missing: missing.clone(),
            is_taken_back,
        }
    }

    fn play(&mut self, m: Move, time: Option<Time>) -> Result<(), String> {
        let (ply, known) = (m.ply.unwrap_or(0) as usize, self.moves.len());
        if ply == 0 || ply.saturating_sub(known + 1) + self.missing.len() > LARGEST_HOLE {
            return Err(format!("ply {ply} cannot follow ply {known}"));
        }
        if ply > known {
            self.missing.extend(known + 1..ply);
            self.moves.resize_with(ply, P::default);
        } else {
            self.missing.remove(&ply);
        }
        self.moves[ply - 1] = P::keep(m, time);
        Ok(())
    }

    /// Takes the next ply of a game without its record; false when it is not the next of this one, and nothing was
    /// done.
    #[inline]
    pub fn append(&mut self, game: u32, ply: u32, keep: impl FnOnce() -> P) -> bool {
        let is_next = game == self.number && ply as usize == self.moves.len() + 1 && self.end.is_none();
        if is_next {
            self.revision += 1;
            self.moves.push(keep());
        }
        is_next
    }

    /// Whether there never was such a game: an arbiter ruled so, or all of it was taken back when the next one began.
    pub fn is_void(&self) -> bool {
        let nothing = self.is_taken_back && self.moves.is_empty() && self.anomalies.is_empty();
        nothing && self.end.as_ref() == Some(&End::BY_THE_NEXT)
            || self.rulings.iter().any(|ruling| ruling.ruled == Ruled::Void)
    }

    /// Whether a board told it, and no reader of files.
    pub fn is_of_board(&self) -> bool {
        self.key.1.is_some() || self.time.is_some()
    }

    /// What messages call it.
    pub fn name(&self) -> String {
        let line = self.key.0.as_ref().map_or(String::new(), |line| format!("line {line}, "));
        let board = self.key.1.map_or(String::new(), |board| format!("board {board}, "));
        format!("{line}{board}game {}", self.number)
    }

    /// Whether it is over: closed, and by more than the word of a file that does not know the result.
    pub fn is_over(&self) -> bool {
        let open = |end: &End| end.reason == EndReason::Tag && end.result.is_none();
        self.is_closed() && !self.end.as_ref().is_some_and(open)
    }

    /// Whether no later record will name it.
    pub fn is_closed(&self) -> bool {
        self.end.as_ref().is_some_and(|end| end.reason != EndReason::InputEnd)
    }

    /// Whether Black has the first move.
    pub fn black_begins(&self) -> bool {
        let fen = &self.start.fen;
        if self.start.rules.has_pgn() { fen.split(' ').nth(1) == Some("b") } else { fen.starts_with('B') }
    }

    /// Half-moves from White's first move to the first ply of this game: 0 where White has move 1, 81 for Black's 41st.
    pub fn first_half_move(&self) -> u64 {
        let number = self.start.fen.split(' ').nth(5).filter(|_| self.start.rules.has_pgn());
        let number = number.and_then(|number| number.parse::<u32>().ok());
        2 * u64::from(number.unwrap_or(1).max(1) - 1) + u64::from(self.black_begins())
    }
}

/// The plies of games that are over, which lie elsewhere.
type AllAway<P> = BTreeMap<(Key, usize), Box<dyn Away<P>>>;

fn bring_back<P>(away: &mut AllAway<P>, game: &mut Game<P>, nth: usize) -> io::Result<()> {
    let place = (game.key.clone(), nth);
    if let Some(plies) = away.get(&place) {
        game.moves = plies.bring_back()?;
        away.remove(&place);
    }
    Ok(())
}

/// The games of a hall, each board's in the order in which they began.
#[derive(Debug)]
pub struct Games<P = Move> {
    boards: BTreeMap<Key, Vec<Game<P>>>,
    away: AllAway<P>,
    records: u64,
}

impl<P> Default for Games<P> {
    fn default() -> Games<P> {
        Games { boards: BTreeMap::new(), away: BTreeMap::new(), records: 0 }
    }
}

impl<P: Kept> Games<P> {
    /// What happened next, on any board; gives the game it happened in, and which of its board that is, from
    /// 0. A record that cannot be is refused with the reason.
    pub fn apply(&mut self, record: GameRecord) -> Result<(usize, &mut Game<P>), String> {
        self.records += 1;
        let games = self.boards.entry((record.line.clone(), record.board)).or_default();
        let at = games.iter().rposition(|game| game.number == record.game);
        if let GameEvent::Game(start) = &record.event {
            let mut game = Game::new(&record, start.clone());
            // A stream read twice has the same game again; one that was begun anew counts from 1 again.
            let at = at.filter(|&at| games[at].time == record.time).unwrap_or(games.len());
            if let Some(same) = games.get_mut(at) {
                self.away.remove(&(same.key.clone(), at));
                if let Some(id) = same.start.tags.get("GameId").filter(|_| same.is_of_board()) {
                    game.start.tags.set("GameId", id);
                }
                game.revision = same.revision + 1;
                *same = game;
            } else {
                games.push(game);
            }
            return Ok((at, &mut games[at]));
        }
        let Some(at) = at else {
            return Err(format!("a {} of game {}, which has not begun", record.event.kind(), record.game));
        };
        let game = &mut games[at];
        // What closed a game was not the last word on it after all.
        let lost = |e| format!("game {} is over, and its moves could not be read again: {e}", record.game);
        bring_back(&mut self.away, game, at).map_err(lost)?;
        game.apply(record.event, record.time)?;
        game.last = record.time.or(game.last);
        Ok((at, game))
    }

    /// Has the plies of a closed game put away; they come back when a record names it once more.
    pub fn put_away(
        &mut self,
        key: &Key,
        nth: usize,
        put: impl FnOnce(&[P]) -> io::Result<Box<dyn Away<P>>>,
    ) -> io::Result<()> {
        let game = self.boards.get_mut(key).and_then(|games| games.get_mut(nth));
        let Some(game) = game.filter(|game| game.is_closed() && !game.moves.is_empty()) else {
            return Ok(());
        };
        self.away.insert((key.clone(), nth), put(&game.moves)?);
        game.moves = Vec::new();
        Ok(())
    }

    /// Has the plies of a game back that were put away.
    pub fn bring_back(&mut self, key: &Key, nth: usize) -> io::Result<()> {
        let game = self.boards.get_mut(key).and_then(|games| games.get_mut(nth));
        game.map_or(Ok(()), |game| bring_back(&mut self.away, game, nth))
    }

    /// Has every game dressed anew, those too that never were; `dress` gets each with which of its board it is. One that has
    /// other tags then has its plies back, as if a record had named it; where they cannot be read it keeps the tags it had.
    pub fn dress_anew(&mut self, mut dress: impl FnMut(&mut Game<P>, usize)) -> io::Result<()> {
        let (mut done, mut is_news) = (Ok(()), false);
        for (nth, game) in self.boards.values_mut().flat_map(|games| games.iter_mut().enumerate()) {
            let before = game.start.tags.clone();
            dress(game, nth);
            if game.start.tags == before {
                continue;
            }
            match bring_back(&mut self.away, game, nth) {
                Ok(()) => (game.revision, is_news) = (game.revision + 1, true),
                Err(e) => (game.start.tags, done) = (before, done.and(Err(e))),
            }
        }
        self.records += u64::from(is_news);
        done
    }

    /// How many records have come, and how often other names: as long as it is the same, so are the games.
    pub fn records(&self) -> u64 {
        self.records
    }

    /// Whether there is no game.
    pub fn is_empty(&self) -> bool {
        self.in_order().next().is_none()
    }

    /// All games: the first of every board, in the order of lines and boards, then the second, …; so a game
    /// that begins later moves no other. Games that never were are left out, and nothing is renumbered.
    pub fn in_order(&self) -> impl Iterator<Item = (usize, &Game<P>)> {
        let most = self.boards.values().map(Vec::len).max().unwrap_or(0);
        let all = (0..most)
            .flat_map(|nth| self.boards.values().filter_map(move |games| Some((nth, games.get(nth)?))));
        all.filter(|(_, game)| !game.is_void())
    }
}
