//! Board records to game records: what was played.
//!
//! * `hypothesis` is a legal game, a `node` of the tree of games, and what it leaves unexplained, told by one `event`
//!   after another; `search` is a beam of them, `again` hears of what makes no sense once more; `debts` and `exchange`
//!   are the moves that nobody saw land, `costs` what they pay, `limits` how far and how long, `position` what can follow;
//! * `play` is one game: the search, and what of it can be told by now (`play::telling`); `play::resting` explains
//!   boards that stand otherwise, with `bridge` for gaps; `play::ending` knows when a game is over and
//!   `play::setting_up` when it was;
//! * `last_word` keeps what stands of all that was told of a game;
//! * `in_play` is a game of whichever rules, `start` knows which rules a board is set up for;
//! * `session` follows one board from game to game, `history` takes in a board's own log;
//! * [`Reconstructor`] does that for every board of a stream.
//!
//! It knows no bytes and no file format; games come in through [`crate::rules::Game`].

mod backtrack;
mod beam;
mod costs;
mod gap;
mod history;
mod hypothesis;
mod in_play;
mod last_word;
mod limits;
mod observe;
mod play;
mod propose;
mod session;
mod start;
#[cfg(test)]
mod tests;
mod tree;

use std::{collections::HashMap, sync::Arc};

pub use costs::{Cause, Deviation, PRICES, Price};
pub use start::Start;

use last_word::LastWord;
use session::Session;

use crate::{
    record::{BoardRecord, GameEvent, GameRecord, Rules, Seen, Stream, Time},
    rules::russian::sets::Set,
};

/// What the user may choose.
#[derive(Debug, Clone)]
pub struct Options {
    /// Seconds of record time after which a move that nothing confirms is told, without a clock.
    pub settle: f64,
    /// Tell only what is certain, at the end of each game.
    pub last_word_only: bool,
    /// The only game there is; `Chess` stands for Chess960 too.
    pub rules: Option<Rules>,
    /// What stands for the men of draughts, where that is known.
    pub set: Option<Set>,
    /// The only start position there is.
    pub start: Option<Start>,
}

impl Options {
    /// Whether a game of these rules may be what is played.
    fn plays(&self, rules: Rules) -> bool {
        self.rules.is_none_or(|only| only == rules)
    }
}

impl Default for Options {
    fn default() -> Options {
        Options { settle: 1.5, last_word_only: false, rules: None, set: None, start: None }
    }
}

/// A game record of one board, not yet with the board's name.
#[derive(Debug, Clone)]
struct Update {
    game: u32,
    time: Option<Time>,
    event: GameEvent,
}

type BoardName = (Option<Arc<str>>, Option<u16>);

/// Follows every board of a stream.
pub struct Reconstructor {
    options: Options,
    seen: Seen,
    boards: HashMap<BoardName, usize>,
    sessions: Vec<(BoardName, Session)>,
    /// Of each session, what was told of its game in play, if only the last word on it is wanted.
    last_words: Vec<LastWord>,
    /// Of each session, when it has something to do though nothing comes in; the earliest of all.
    deadlines: Vec<Option<Time>>,
    earliest: Option<Time>,
    told: Vec<Update>,
}

impl Reconstructor {
    /// Nothing known yet.
    pub fn new(options: Options) -> Reconstructor {
        Reconstructor {
            options,
            seen: Seen::default(),
            boards: HashMap::new(),
            sessions: Vec::new(),
            last_words: Vec::new(),
            deadlines: Vec::new(),
            earliest: None,
            told: Vec::new(),
        }
    }

    /// A source begins: what it was telling before, it does not go on with.
    pub fn stream<E>(
        &mut self,
        stream: &Stream,
        mut tell: impl FnMut(GameRecord) -> Result<(), E>,
    ) -> Result<(), E> {
        self.seen.stream(stream);
        for at in 0..self.sessions.len() {
            if self.sessions[at].0.0 == stream.line {
                self.sessions[at].1.source_begins(&self.options, &mut self.told);
                self.after(at, &mut tell)?;
            }
        }
        Ok(())
    }

    /// Takes in a record; `tell` gets what follows from it, in order.
    pub fn record<E>(
        &mut self,
        record: &BoardRecord,
        mut tell: impl FnMut(GameRecord) -> Result<(), E>,
    ) -> Result<(), E> {
        if self.seen.again(record) {
            return Ok(());
        }
        let name = (record.line.clone(), record.board);
        let at = match self.boards.get(&name) {
            Some(&at) => at,
            None => {
                let at = self.sessions.len();
                self.sessions.push((name.clone(), Session::new()));
                self.last_words.push(LastWord::default());
                self.deadlines.push(None);
                self.boards.insert(name, at);
                at
            }
        };
        self.sessions[at].1.record(record, &self.options, &mut self.told);
        self.after(at, &mut tell)?;
        // The time of one board is the time of all: what only waited for it is due.
        if let Some(now) = record.time
            && self.earliest.is_some_and(|earliest| earliest <= now)
        {
            for at in 0..self.sessions.len() {
                if self.deadlines[at].is_some_and(|due| due <= now) {
                    self.sessions[at].1.tick(Some(now), &self.options, &mut self.told);
                    self.after(at, &mut tell)?;
                }
            }
            self.earliest = self.deadlines.iter().flatten().min().copied();
        }
        Ok(())
    }

    /// The input is over: games that were begun are closed.
    pub fn finish<E>(&mut self, mut tell: impl FnMut(GameRecord) -> Result<(), E>) -> Result<(), E> {
        for at in 0..self.sessions.len() {
            self.sessions[at].1.finish(&self.options, &mut self.told);
            self.after(at, &mut tell)?;
        }
        Ok(())
    }

    /// Passes on what the session told, with the board's name, and asks for its next deadline.
    fn after<E>(&mut self, at: usize, tell: &mut impl FnMut(GameRecord) -> Result<(), E>) -> Result<(), E> {
        let ((line, board), session) = &self.sessions[at];
        let deadline = session.deadline();
        self.deadlines[at] = deadline;
        self.earliest = [self.earliest, deadline].into_iter().flatten().min();
        let mut pass_on = |Update { game, time, event }| {
            tell(GameRecord { time, line: line.clone(), board: *board, game, event })
        };
        for told in self.told.drain(..) {
            if !self.options.last_word_only {
                pass_on(told)?;
                continue;
            }
            self.last_words[at].add(told);
            for told in self.last_words[at].take_if_over().into_iter().flatten() {
                pass_on(told)?;
            }
        }
        Ok(())
    }
}
