//! Games as they stand after the records so far: moves replaced, taken back, ended.
//!
//! The one fold of records for whoever writes games as they were told, illegal moves and holes too: PGN, the files of
//! LiveChess, pages. What is kept of a ply is the writer's choice ([`Kept`]). Two others stand apart because they would not
//! get smaller over this one: `russian::Games` plays each move and refuses with its record's place what cannot be, and
//! `reconstruct`'s `FinalMoves` keeps updates, which are no records yet, in the order in which `--final` tells them.

use std::collections::{BTreeMap, BTreeSet};

pub use crate::record::BoardName as Key;
use crate::{
    draughts::Position,
    format::openings::{self, Opening},
    record::{
        Anomaly, CHESS_START, End, EndReason, Evaluation, GameEvent, GameRecord, GameStart, Move, Ruled,
        Rules, Ruling, Tags, Time,
    },
};

/// So many plies of a game may be missing: more are not holes in a stream but wrong numbers.
const LARGEST_HOLE: usize = 600;

/// What a writer keeps of a ply; the default stands for one that no record told.
pub trait Kept: Default {
    /// What is kept of a move that was told at this time.
    fn keep(m: Move, time: Option<Time>) -> Self;

    /// Whether it bridges a gap in the data, or may for another reason not be what was played.
    fn is_guess(&self) -> bool;

    /// The opening that the position after it has, where that has a name and the writer asks for it.
    fn opening(&self) -> Option<Opening> {
        None
    }

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

    fn opening(&self) -> Option<Opening> {
        openings::of(&self.fen)
    }
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
    /// What an engine thinks of the positions after plies, the last word for each.
    pub evaluations: BTreeMap<u32, Evaluation>,
    /// How often an engine has said something of it.
    pub evaluated: u64,
    /// How it ended, if it did: with the result that an arbiter ruled, whatever was told of its end.
    pub end: Option<End>,
    /// The end that was told and that no play has taken back.
    told_end: Option<End>,
    /// What an arbiter ruled of it and did not take back: of a ply, and of the game as a whole, what he said last.
    pub rulings: Vec<Ruling>,
    /// How many events it has taken, and how often other names: with the same number it is the same.
    pub revision: u64,
    /// It is no game yet: who is to play at a table that has a board.
    pub is_pairing: bool,
    /// Its Board tag is the number of a table, not the address of the board.
    pub has_table: bool,
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
            evaluations: BTreeMap::new(),
            evaluated: 0,
            end: None,
            told_end: None,
            rulings: Vec::new(),
            revision: 0,
            is_pairing: false,
            has_table: false,
            missing: BTreeSet::new(),
            is_taken_back: false,
        }
    }

    /// What stands for the first game of this board until that begins.
    pub fn pairing(key: Key, rules: Rules) -> Game<P> {
        let fen = if rules.has_pgn() { CHESS_START.to_owned() } else { Position::start().to_string() };
        let tags = Tags::default();
        let start = GameStart { rules, fen, rotated: false, tags, comment: None, zone: None };
        Game { is_pairing: true, ..Game::begin(key, 1, None, start) }
    }

    /// What happened next, and when. An event that cannot be is refused with the reason.
    pub fn apply(&mut self, event: GameEvent, time: Option<Time>) -> Result<(), String> {
        self.revision += 1;
        if let GameEvent::Evaluation(evaluation) = event {
            self.evaluated += 1;
            return self.evaluate(*evaluation);
        }
        // What was ended by the end of an input goes on with a longer one, and play that goes on after an end takes that back.
        let is_of_input = |end: &End| end.reason == EndReason::InputEnd;
        if self.told_end.as_ref().is_some_and(is_of_input) || self.goes_on_with(&event) {
            self.told_end = None;
        }
        let taken = self.take(event, time);
        self.end = self.ruled_end();
        taken
    }

    fn take(&mut self, event: GameEvent, time: Option<Time>) -> Result<(), String> {
        match event {
            GameEvent::Game(start) => self.start = start,
            GameEvent::Move(m) => self.play(*m, time)?,
            GameEvent::Takeback(takeback) => {
                self.is_taken_back = takeback.ply == 0;
                self.moves.truncate(takeback.ply as usize);
                self.missing.retain(|ply| *ply <= takeback.ply as usize);
                self.anomalies.retain(|anomaly| anomaly.ply <= takeback.ply);
                self.evaluations.retain(|ply, _| *ply <= takeback.ply);
            }
            GameEvent::Anomaly(anomaly) => self.anomalies.push(anomaly),
            GameEvent::End(end) => self.told_end = Some(end),
            GameEvent::Ruling(ruling) => {
                self.rulings.retain(|earlier| earlier.ply != ruling.ply);
                if ruling.ruled != Ruled::Withdraw {
                    self.rulings.push(*ruling);
                }
            }
            GameEvent::Evaluation(_) => {}
        }
        self.last = time.or(self.last);
        Ok(())
    }

    /// Keeps what an engine thinks of the position after a ply: that it came is nothing that happened in the game.
    fn evaluate(&mut self, evaluation: Evaluation) -> Result<(), String> {
        let (ply, known) = (evaluation.ply, self.moves.len());
        if ply == 0 || ply as usize > known {
            return Err(format!("an evaluation after ply {ply} of a game that has {known}"));
        }
        self.evaluations.insert(ply, evaluation);
        Ok(())
    }

    /// Whether play goes on with this: a record that repeats what is known of a ply is none of that.
    fn goes_on_with(&self, event: &GameEvent) -> bool {
        let plies = self.moves.len();
        match event {
            GameEvent::Move(m) => m.ply.is_some_and(|ply| ply as usize > plies),
            GameEvent::Takeback(back) => (back.ply as usize) < plies,
            _ => false,
        }
    }

    /// How it ended by what was told, with the result that an arbiter ruled: only a ruling takes that back, and a game in play
    /// ends by it.
    fn ruled_end(&self) -> Option<End> {
        let ruled = self.rulings.iter().find_map(|ruling| match ruling.ruled {
            Ruled::Result { result, forfeit } => Some((result, forfeit)),
            _ => None,
        });
        match (ruled, &self.told_end) {
            (Some((result, forfeit)), Some(end)) => Some(End { result, forfeit, ..end.clone() }),
            (Some((Some(result), forfeit)), None) => {
                Some(End { forfeit, ..End::of(Some(result), EndReason::ResultPiece) })
            }
            (_, told) => told.clone(),
        }
    }

    /// The same game with other things kept of its plies.
    pub fn with_moves<Q>(&self, moves: Vec<Q>) -> Game<Q> {
        let Game { key, number, time, last, start, anomalies, evaluations, end, told_end, .. } = self;
        let Game { rulings, revision, missing, .. } = self;
        let Game { evaluated, is_pairing, has_table, is_taken_back, .. } = *self;
        Game {
            key: key.clone(),
            number: *number,
            time: *time,
            last: *last,
            start: start.clone(),
            moves,
            anomalies: anomalies.clone(),
            evaluations: evaluations.clone(),
            evaluated,
            end: end.clone(),
            told_end: told_end.clone(),
            rulings: rulings.clone(),
            revision: *revision,
            is_pairing,
            has_table,
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
        self.evaluations.remove(&(ply as u32));
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

    /// The tags of its opening, as far as it has none of its own: that of the last position which has a name.
    pub fn opening_tags(&self) -> Vec<(&'static str, &'static str)> {
        let start = || openings::of(&self.start.fen);
        let opening = self.moves.iter().rev().find_map(P::opening).or_else(start);
        opening.map_or_else(Vec::new, |opening| opening.tags_beside(&self.start.tags))
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
