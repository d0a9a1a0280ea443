//! PGN, both ways: [`GameText`]s cut out of a stream of bytes, read to game records; game records gathered to
//! [`Game`]s, written as the standard's export format.

mod game;
mod writer;

pub use game::{Game, Games, Key};
pub use writer::Style;

/// The start position of chess.
pub const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
