//! Who plays on a board, and what his clock shows.

use super::{board::Board, hall::Name, words};
use crate::record::{Side, Time};

/// One side of a board.
#[derive(Debug, Clone, PartialEq)]
pub struct Player {
    /// His name, or empty.
    pub name: String,
    /// What his clock shows, or empty.
    pub clock: String,
    /// It runs.
    pub runs: bool,
    /// His flag has fallen.
    pub fallen: bool,
}

/// How a board is called: `1027`, or with its line `hall-2/1027`.
pub fn called(name: &Name, with_line: bool) -> String {
    let address = name.1.map_or("board".to_owned(), |board| board.to_string());
    match name.0.as_deref().filter(|_| with_line) {
        Some(line) => format!("{}/{address}", words::plain(line)),
        None => address,
    }
}

/// White and Black on a board at a moment.
pub fn players(board: &Board, now: Option<Time>) -> [Player; 2] {
    let turned = board.game.as_ref().is_some_and(|game| game.start.rotated);
    // Seen from the front of the clock White is on the left, where the board is not turned.
    let sides = if turned { [Side::Right, Side::Left] } else { [Side::Left, Side::Right] };
    let player = |tag: &str, side: Side| {
        let name = board.tags().get(tag).unwrap_or("");
        Player {
            name: if name == "?" { String::new() } else { words::plain(name).into_owned() },
            clock: board.clock.shown(side, now).map_or(String::new(), words::clock),
            runs: board.clock.runs() == Some(side),
            fallen: board.clock.has_fallen(side),
        }
    };
    [player("White", sides[0]), player("Black", sides[1])]
}
