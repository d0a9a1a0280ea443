//! Games in their present state: moves replaced, withdrawn, ended.
//!
//! This folds records for all writers of games as they were published, including illegal moves and gaps: PGN, the files
//! of LiveChess, pages. Each writer chooses the data kept of a ply ([`Kept`]). Two other folds would not become smaller
//! over this one: `russian::Games` plays each move and refuses an impossible one with the place of its record, and
//! `reconstruct`'s `FinalMoves` keeps updates, which are no records yet, in the order in which `--final` publishes
//! them.

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

/// Up to this many plies of a game may be missing: more are wrong numbers rather than gaps in a stream.
const LARGEST_HOLE: usize = 600;

/// The data that a writer keeps of a ply; the default stands for a ply without a record.
pub trait Kept: Default {
    /// The data of a move with this time.
    fn keep(m: Move, time: Option<Time>) -> Self;

    /// Whether it bridges a gap in the data, or may for another reason be wrong.
    fn is_guess(&self) -> bool;

    /// The opening with the position after it, if that has a name and the writer asks for it.
    fn opening(&self) -> Option<Opening> {
        None
    }

    /// Reads a line with a complete, correct ply from a reader of files without parsing all of it: the game, the ply,
    /// and its data. None means only that others have to read the line.
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

/// A game in its present state.
#[derive(Debug, Clone, PartialEq)]
pub struct Game<P = Move> {
    /// Its line and its board.
    pub key: Key,
    /// Its number on that board.
    pub number: u32,
    /// When it began.
    pub time: Option<Time>,
    /// The time of its last event.
    pub last: Option<Time>,
    /// How it began.
    pub start: GameStart,
    /// The plies. One without a record is an empty move.
    pub moves: Vec<P>,
    /// Anomalies for an arbiter to check, in order of arrival.
    pub anomalies: Vec<Anomaly>,
    /// An engine's evaluations of the positions after plies, the last one for each.
    pub evaluations: BTreeMap<u32, Evaluation>,
    /// The number of evaluations so far.
    pub evaluated: u64,
    /// Its end, if any, with the result that an arbiter ruled.
    pub end: Option<End>,
    /// The end in the records, if no play has taken it back.
    recorded_end: Option<End>,
    /// The rulings that were not withdrawn: the last one for each ply, and for the game as a whole.
    pub rulings: Vec<Ruling>,
    /// The number of its events and of changes of names: with the same number it is the same.
    pub revision: u64,
    /// It is a pairing without a game: the players at a table with a board.
    pub is_pairing: bool,
    /// Its Board tag is the number of a table, not the address of a board.
    pub has_table: bool,
    /// Plies without a record.
    missing: BTreeSet<usize>,
    /// The last takeback withdrew everything; later moves are in `moves`.
    is_taken_back: bool,
}

impl<P: Kept> Game<P> {
    /// A game that begins with this record.
    pub fn new(record: &GameRecord, start: GameStart) -> Game<P> {
        Game::begin((record.line.clone(), record.board), record.game, record.time, start)
    }

    /// A game of this board with this beginning and number.
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
            recorded_end: None,
            rulings: Vec::new(),
            revision: 0,
            is_pairing: false,
            has_table: false,
            missing: BTreeSet::new(),
            is_taken_back: false,
        }
    }

    /// A placeholder for the first game of this board, until that begins.
    pub fn pairing(key: Key, rules: Rules) -> Game<P> {
        let fen = if rules.has_pgn() { CHESS_START.to_owned() } else { Position::start().to_string() };
        let tags = Tags::default();
        let start = GameStart { rules, fen, rotated: false, tags, comment: None, zone: None };
        Game { is_pairing: true, ..Game::begin(key, 1, None, start) }
    }

    /// Applies an event with its time. An impossible event is refused with the reason.
    pub fn apply(&mut self, event: GameEvent, time: Option<Time>) -> Result<(), String> {
        self.revision += 1;
        if let GameEvent::Evaluation(evaluation) = event {
            self.evaluated += 1;
            return self.evaluate(*evaluation);
        }
        // A game ended by the end of the input continues with a longer input, and play after an end takes that back.
        let is_of_input = |end: &End| end.reason == EndReason::InputEnd;
        if self.recorded_end.as_ref().is_some_and(is_of_input) || self.goes_on_with(&event) {
            self.recorded_end = None;
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
            GameEvent::End(end) => self.recorded_end = Some(end),
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

    /// Keeps an engine's evaluation of the position after a ply, which is no event of the game itself.
    fn evaluate(&mut self, evaluation: Evaluation) -> Result<(), String> {
        let (ply, known) = (evaluation.ply, self.moves.len());
        if ply == 0 || ply as usize > known {
            return Err(format!("an evaluation after ply {ply} of a game that has {known}"));
        }
        self.evaluations.insert(ply, evaluation);
        Ok(())
    }

    /// Whether play continues with this event: repeating a known ply does not count.
    fn goes_on_with(&self, event: &GameEvent) -> bool {
        let plies = self.moves.len();
        match event {
            GameEvent::Move(m) => m.ply.is_some_and(|ply| ply as usize > plies),
            GameEvent::Takeback(back) => (back.ply as usize) < plies,
            _ => false,
        }
    }

    /// The end in the records with the result that an arbiter ruled, which only a ruling takes back, and which ends a
    /// game in play.
    fn ruled_end(&self) -> Option<End> {
        let ruled = self.rulings.iter().find_map(|ruling| match ruling.ruled {
            Ruled::Result { result, forfeit } => Some((result, forfeit)),
            _ => None,
        });
        match (ruled, &self.recorded_end) {
            (Some((result, forfeit)), Some(end)) => Some(End { result, forfeit, ..end.clone() }),
            (Some((Some(result), forfeit)), None) => {
                Some(End { forfeit, ..End::of(Some(result), EndReason::ResultPiece) })
            }
            (_, recorded) => recorded.clone(),
        }
    }

    /// The same game with other data of its plies.
    pub fn with_moves<Q>(&self, moves: Vec<Q>) -> Game<Q> {
        let Game { key, number, time, last, start, anomalies, evaluations, end, recorded_end, .. } = self;
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
            recorded_end: recorded_end.clone(),
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

    /// Adds the next ply of a game without its record; returns false, without a change, when it is not the next one of
    /// this game.
    #[inline]
    pub fn append(&mut self, game: u32, ply: u32, keep: impl FnOnce() -> P) -> bool {
        let is_next = game == self.number && ply as usize == self.moves.len() + 1 && self.end.is_none();
        if is_next {
            self.revision += 1;
            self.moves.push(keep());
        }
        is_next
    }

    /// Whether the game is void: an arbiter ruled so, or all of it was withdrawn when the next one began.
    pub fn is_void(&self) -> bool {
        let nothing = self.is_taken_back && self.moves.is_empty() && self.anomalies.is_empty();
        nothing && self.end.as_ref() == Some(&End::BY_THE_NEXT)
            || self.rulings.iter().any(|ruling| ruling.ruled == Ruled::Void)
    }

    /// Whether it comes from a board, not from a file.
    pub fn is_of_board(&self) -> bool {
        self.key.1.is_some() || self.time.is_some()
    }

    /// Its name in messages.
    pub fn name(&self) -> String {
        let line = self.key.0.as_ref().map_or(String::new(), |line| format!("line {line}, "));
        let board = self.key.1.map_or(String::new(), |board| format!("board {board}, "));
        format!("{line}{board}game {}", self.number)
    }

    /// Whether it is over: closed, and not only by a file without the result.
    pub fn is_over(&self) -> bool {
        let open = |end: &End| end.reason == EndReason::Tag && end.result.is_none();
        self.is_closed() && !self.end.as_ref().is_some_and(open)
    }

    /// Whether no later record will belong to it.
    pub fn is_closed(&self) -> bool {
        self.end.as_ref().is_some_and(|end| end.reason != EndReason::InputEnd)
    }

    /// The tags of its opening, without those that it already has: of the last position with a name.
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
