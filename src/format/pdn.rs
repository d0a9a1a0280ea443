//! PDN 3.0 of Russian draughts (GameType 25), both ways.

mod clock;
mod lexer;
mod read;
mod write;

pub use read::Reader;
pub use write::Style;

use crate::record::Outcome;

/// PDN's code for Russian draughts: White begins, 8 by 8, algebraic, seen from a1, which is a playing square.
const GAME_TYPE: &str = "25,W,8,8,A0,0";

/// The same with numbers, square 1 at the top left (b8).
const GAME_TYPE_NUMERIC: &str = "25,W,8,8,N2,0";

/// The results at the end of a game's text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Ending {
    Decided(Outcome),
    Open,
}

impl Ending {
    fn read(text: &str) -> Option<Ending> {
        Some(match text {
            "1-0" | "2-0" => Ending::Decided(Outcome::WhiteWins),
            "0-1" | "0-2" => Ending::Decided(Outcome::BlackWins),
            "1/2-1/2" | "1-1" | "1/2" | "½-½" => Ending::Decided(Outcome::Draw),
            "0-0" => Ending::Decided(Outcome::BothLose),
            "1/2-0" | "½-0" => Ending::Decided(Outcome::HalfToWhite),
            "0-1/2" | "0-½" => Ending::Decided(Outcome::HalfToBlack),
            "*" => Ending::Open,
            _ => return None,
        })
    }
}
