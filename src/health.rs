//! The health of a hall: which board, clock, square, piece or line needs attention, and what to do about it.
//!
//! [`Health`] takes the records of both layers in their order: what boards reported, and the games reconstructed from it.
//! At any moment it reports what has been wrong so far ([`Health::findings`], for `check`) and what is wrong with a board now
//! ([`Health::trouble`], for a screen). It reads no clock and no file, and the memory it uses for a board is bounded.
//!
//! # How a fault shows
//!
//! * **A square flickers, a piece is weak**: a piece disappears from its square and returns, again and again, while nobody
//!   moves it. Hands cause the same a few times per game, with any piece ([`hands`](hands::Hands)), so it counts only when one
//!   square or one piece has far more of it. How often other pieces drop out on that square, and that piece on other squares,
//!   decides between the two: a bad contact loses every piece, a weak piece is lost everywhere. If neither was observed for
//!   long enough, the speed decides: bad contacts are quick (the board reports this), weak pieces slow. Identical pieces are
//!   sometimes mistaken for each other, so their drop-outs are summed and blamed on the one that drops out on its home square
//!   ([`dropouts`](dropouts::DropOuts)).
//! * **A square is dead**: it never reports a piece. A game begins with a piece missing there, or a piece lifted elsewhere
//!   vanishes and returns from nowhere. Unseen captures also make pieces vanish, but the game explains those; of the others a
//!   single piece whose clock was pressed is enough. If two or three squares explain all equally well, each is named as one of
//!   them ([`dead`](dead::DeadSquares)). A square may also stop reporting between games
//!   ([`silent_squares`](silent_squares::SilentSquares)) or under its piece ([`fallen_silent`](fallen_silent::FallenSilent)).
//! * **The link**: faults, missed answers, silence, power-ups ([`link`](link::Link)).
//! * **The clock** is unplugged or its battery is low; it runs and nothing moves ([`clock`](clock::ClockWatch)).
//! * **The game**: guessed moves, anomalies, a board that differs from its game ([`game`](game::GameWatch)).
//!
//! [`limits`] holds the thresholds, [`advice`] what to do.

mod advice;
mod analysis;
mod board;
mod clock;
mod dead;
mod dropouts;
mod exchanged;
mod fallen_silent;
mod findings;
mod game;
mod hands;
mod lifted;
mod limits;
mod link;
mod pieces;
mod reach;
mod series;
mod sides;
mod silent_squares;
mod squares;
mod summary;
#[cfg(test)]
mod tests;

use std::sync::Arc;

pub use findings::Trouble;
pub use summary::BoardSummary;

use crate::record::{BoardRecord, Finding, GameRecord, Seen, Stream, Time, Zone};
use board::{BoardHealth, Boards, Name};

/// The health of every board in a stream of records.
#[derive(Clone, Default)]
pub struct Health {
    seen: Seen,
    boards: Boards,
    /// The latest time in the records.
    now: Option<Time>,
    /// Game records are part of the input.
    with_games: bool,
    /// The time zone for times in words.
    zone: Zone,
}

impl Health {
    /// The health of no boards yet, from an input without game records.
    pub fn new() -> Health {
        Health::default()
    }

    /// The same from an input with game records: then a board without a game is a finding.
    pub fn with_games() -> Health {
        Health { with_games: true, ..Health::default() }
    }

    /// The same with times in words in this zone in place of UTC.
    pub fn with_zone(self, zone: Zone) -> Health {
        Health { zone, ..self }
    }

    /// Adds the boards of another share of the input; no board may be in both.
    pub fn and(mut self, other: Health) -> Health {
        self.boards.extend(other.boards);
        Health { now: self.now.max(other.now), ..self }
    }

    /// A source (a file or a connection) begins.
    pub fn stream(&mut self, stream: &Stream) {
        self.seen.stream(stream);
        for (_, board) in self.boards.iter_mut().filter(|(name, _)| name.0 == stream.line) {
            board.source_begins();
        }
    }

    /// Takes a record of a board or of the link to it. A record that was taken before is ignored.
    pub fn board(&mut self, record: &BoardRecord) {
        if self.seen.again(record) {
            return;
        }
        self.now = self.now.max(record.time);
        self.of(&record.line, record.board).record(record);
    }

    /// Takes a record of a game.
    pub fn game(&mut self, record: &GameRecord) {
        self.of(&record.line, record.board).game(record);
    }

    fn of(&mut self, line: &Option<Arc<str>>, board: Option<u16>) -> &mut BoardHealth {
        self.boards.entry((line.clone(), board)).or_default()
    }

    /// Everything that needs attention so far, the most serious first, then by line, board and square.
    pub fn findings(&self) -> Vec<Finding> {
        findings::findings(&self.boards, self.now, self.with_games, &self.zone)
    }

    /// What is wrong with a board at this moment, the most serious first; empty for an unknown board.
    pub fn trouble(&self, name: &Name, now: Time) -> Vec<Trouble> {
        findings::trouble(&self.boards, name, now, &self.zone)
    }

    /// The figures of every board, for a table.
    pub fn summaries(&self) -> Vec<BoardSummary> {
        summary::summaries(&self.boards, self.now, &self.zone)
    }
}
