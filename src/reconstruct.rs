//! Board records to game records: what was played.
//!
//! * `observe` is what a board did, `tree` the positions that it may have gone through; `hypothesis` is a legal game and
//!   what it leaves unexplained of what was observed, `propose` finds the moves that may explain it, `costs` what that
//!   costs, `limits` how far and how long; `beam` keeps the best, `backtrack` goes back where they make no sense, `gap`
//!   finds moves that were missed;
//! * `tracked_game` is one game: the search, and what of it can be published by now; `any_game` is one of whichever
//!   rules, `game_line` how it is known again, `update` what is published of it and what stands in the end;
//! * `session` follows one board from game to game, `start` knows which rules it is set up for, and `options` which are
//!   looked for; `tracked_board` takes in the board's own `log` as well;
//! * [`Reconstructor`] does that for every board of a stream.
//!
//! It knows no bytes and no file format; games come in through [`crate::rules::Game`].

mod any_game;
mod backtrack;
mod beam;
mod costs;
mod game_line;
mod gap;
mod hypothesis;
mod limits;
mod log;
mod observe;
mod options;
mod propose;
mod session;
mod start;
#[cfg(test)]
mod tests;
mod tracked_board;
mod tracked_game;
mod tree;
mod update;

use std::{collections::HashMap, rc::Rc, sync::Arc};

pub use costs::{Cause, Deviation, PRICES, Price};
pub use options::{Options, Start};

use tracked_board::TrackedBoard;
use update::{FinalMoves, Update};

use crate::record::{BoardRecord, GameRecord, Seen, Stream, Time};

type BoardName = (Option<Arc<str>>, Option<u16>);

/// A board of the stream.
struct NamedBoard {
    name: BoardName,
    tracked: TrackedBoard,
    /// What stands of its game in play, if only final moves are wanted.
    final_moves: FinalMoves,
    /// When it has something to do though nothing comes in.
    deadline: Option<Time>,
}

/// Follows every board of a stream.
pub struct Reconstructor {
    options: Rc<Options>,
    seen: Seen,
    places: HashMap<BoardName, usize>,
    boards: Vec<NamedBoard>,
    /// The earliest of the boards' deadlines.
    earliest: Option<Time>,
    /// What a board has just published.
    updates: Vec<Update>,
}

impl Reconstructor {
    /// Nothing known yet.
    pub fn new(options: Options) -> Reconstructor {
        Reconstructor {
            options: Rc::new(options),
            seen: Seen::default(),
            places: HashMap::new(),
            boards: Vec::new(),
            earliest: None,
            updates: Vec::new(),
        }
    }

    /// A source begins: what it was saying before, it does not go on with.
    pub fn stream<E>(
        &mut self,
        stream: &Stream,
        mut publish: impl FnMut(GameRecord) -> Result<(), E>,
    ) -> Result<(), E> {
        self.seen.stream(stream);
        for at in 0..self.boards.len() {
            if self.boards[at].name.0 == stream.line {
                self.boards[at].tracked.source_begins(&mut self.updates);
                self.pass_on(at, &mut publish)?;
            }
        }
        Ok(())
    }

    /// Takes in a record; `publish` gets what follows from it, in order.
    pub fn record<E>(
        &mut self,
        record: &BoardRecord,
        mut publish: impl FnMut(GameRecord) -> Result<(), E>,
    ) -> Result<(), E> {
        if self.seen.again(record) {
            return Ok(());
        }
        let at = self.place((record.line.clone(), record.board));
        self.boards[at].tracked.record(record, &mut self.updates);
        self.pass_on(at, &mut publish)?;
        // The time of one board is the time of all: what only waited for it is due.
        if let Some(now) = record.time
            && self.earliest.is_some_and(|earliest| earliest <= now)
        {
            for at in 0..self.boards.len() {
                if self.boards[at].deadline.is_some_and(|due| due <= now) {
                    self.boards[at].tracked.tick(Some(now), &mut self.updates);
                    self.pass_on(at, &mut publish)?;
                }
            }
            self.earliest = self.boards.iter().filter_map(|board| board.deadline).min();
        }
        Ok(())
    }

    /// The input is over: games that were begun are closed.
    pub fn finish<E>(&mut self, mut publish: impl FnMut(GameRecord) -> Result<(), E>) -> Result<(), E> {
        for at in 0..self.boards.len() {
            self.boards[at].tracked.finish(&mut self.updates);
            self.pass_on(at, &mut publish)?;
        }
        Ok(())
    }

    /// Where the board of this name stands, new if nothing is known of it.
    fn place(&mut self, name: BoardName) -> usize {
        *self.places.entry(name).or_insert_with_key(|name| {
            let (tracked, final_moves) = (TrackedBoard::new(&self.options), FinalMoves::default());
            self.boards.push(NamedBoard { name: name.clone(), tracked, final_moves, deadline: None });
            self.boards.len() - 1
        })
    }

    /// Passes on what the board published, with its name, and asks for its next deadline.
    fn pass_on<E>(
        &mut self,
        at: usize,
        publish: &mut impl FnMut(GameRecord) -> Result<(), E>,
    ) -> Result<(), E> {
        let NamedBoard { name: (line, board), tracked, final_moves, deadline } = &mut self.boards[at];
        *deadline = tracked.deadline();
        self.earliest = [self.earliest, *deadline].into_iter().flatten().min();
        let mut pass_on = |Update { game, time, event }| {
            publish(GameRecord { time, line: line.clone(), board: *board, game, event })
        };
        for update in self.updates.drain(..) {
            if !self.options.final_only {
                pass_on(update)?;
                continue;
            }
            final_moves.add(update);
            final_moves.take_if_over().into_iter().flatten().try_for_each(&mut pass_on)?;
        }
        Ok(())
    }
}
