//! Who takes what is read of a game.

use super::{flaw::Flaw, line::Names};
use crate::record::{End, GameStart, Move, Score};

/// Takes what is read of a game: one start, plies and flaws as they come, one end.
pub trait Sink {
    /// The game begins.
    fn game(&mut self, start: &GameStart);
    /// A ply of the main line. Its names stand in `names`, all else in `rest`, where there is anything else.
    fn ply(&mut self, names: &Names, rest: Option<&Move>);
    /// The evaluation of the last ply, with its depth where that is known.
    fn evaluation(&mut self, _score: Score, _depth: Option<u32>) {}
    /// All was read, and in a way that a person should look at.
    fn doubt(&mut self, _line: u64, _problem: String) {}
    /// Something could not be read.
    fn flaw(&mut self, flaw: Flaw);
    /// The game is over.
    fn end(&mut self, end: End);
    /// The text is no game at all: no start and no end.
    fn no_game(&mut self, line: u64, begin: &str);
}
