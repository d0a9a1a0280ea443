//! The receiver of a game that is being read.

use super::{flaw::Flaw, line::Names};
use crate::record::{End, GameStart, Move, Score};

/// Receives the parts of a game: one start, plies and flaws in their order, one end.
pub trait Sink {
    /// The game begins.
    fn game(&mut self, start: &GameStart);
    /// A ply of the main line. Its names are in `names`, all else in `rest`, if there is anything else.
    fn ply(&mut self, names: &Names, rest: Option<&Move>);
    /// The evaluation of the last ply, with its depth where there is one.
    fn evaluation(&mut self, _score: Score, _depth: Option<u32>) {}
    /// Everything was read, and a person should check it.
    fn doubt(&mut self, _line: u64, _problem: String) {}
    /// Something could not be read.
    fn flaw(&mut self, flaw: Flaw);
    /// The game is over.
    fn end(&mut self, end: End);
    /// The text is no game at all: no start and no end.
    fn no_game(&mut self, line: u64, begin: &str);
}
