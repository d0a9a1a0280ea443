//! The health of a hall: which board, clock, square, piece or line needs a hand, and what to do about it.
//!
//! [`Health`] hears the records of both layers in their order: what boards reported, and what was made of it. It
//! answers two questions at any moment: what has been wrong so far ([`Health::findings`], for `check`) and what is
//! wrong with a board now ([`Health::trouble`], for a screen). It reads no clock and no file, and what it keeps of a
//! board does not grow with the input.
//!
//! # How a fault shows
//!
//! * **A square flickers, a piece is weak**: a piece goes and comes back to its square, again and again, while nobody
//!   moves it. Hands do that too, a few times a game, and to whichever piece of those that are left
//!   ([`hands`](hands::Hands)); so it counts when one square or one piece has much more of it than hands cause. Which of
//!   the two it is say the times for which other pieces stood on that square, and that piece on others: a bad contact
//!   loses them all, a weak piece is lost everywhere. Where neither was the case for long enough, bad contacts are quick
//!   (the board says so), weak pieces slow. Pieces alike are taken for each other now and then, so all of them speak
//!   against the one that did so at home ([`dropouts`](dropouts::DropOuts)).
//! * **A square is dead**: it never says that anything stands there. A game begins with a piece missing there, or a
//!   piece lifted elsewhere vanishes and comes back from nowhere. Captures that nobody saw make pieces vanish too; the game
//!   explains those, and of what it does not explain one piece whose clock was pressed is enough. Where two or three squares
//!   explain all alike, each is named as one of them ([`dead`](dead::DeadSquares)). One that spoke may die
//!   ([`lately`](lately::SilentSquares)), under its piece too ([`unheard`](unheard::Unheard)).
//! * **The link**: faults, answers missed, spells of silence, power-ups ([`link`](link::Link)).
//! * **The clock** goes away, or its battery does; it runs, and nothing moves ([`clock`](clock::ClockWatch)).
//! * **The game**: moves guessed, anomalies, a board that does not stand as its game does ([`game`](game::GameWatch)).
//!
//! From when on something counts stands in [`limits`], what to do about it in [`advice`].

mod advice;
mod board;
mod clock;
mod dead;
mod dropouts;
mod exchanged;
mod findings;
mod game;
mod hands;
mod lately;
mod lifted;
mod limits;
mod link;
mod looked_at;
mod pieces;
mod reach;
mod series;
mod sides;
mod squares;
mod summary;
#[cfg(test)]
mod tests;
mod unheard;

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
    /// Games are told of wherever there are some.
    with_games: bool,
    /// Where times in words are told for.
    zone: Zone,
}

impl Health {
    /// Nothing known yet.
    pub fn new() -> Health {
        Health::default()
    }

    /// The same, where games are told of wherever there are some: then a board without any is a finding.
    pub fn with_games() -> Health {
        Health { with_games: true, ..Health::default() }
    }

    /// The same, which tells times in words as they are there; otherwise they are UTC.
    pub fn told_in(self, zone: Zone) -> Health {
        Health { zone, ..self }
    }

    /// What is known of these boards and of others.
    pub fn and(mut self, other: Health) -> Health {
        self.boards.extend(other.boards);
        Health { now: self.now.max(other.now), ..self }
    }

    /// A source begins.
    pub fn stream(&mut self, stream: &Stream) {
        self.seen.stream(stream);
        for (_, board) in self.boards.iter_mut().filter(|(name, _)| name.0 == stream.line) {
            board.source_begins();
        }
    }

    /// What a board reported, or the link to it. What was heard before is not heard again.
    pub fn board(&mut self, record: &BoardRecord) {
        if self.seen.again(record) {
            return;
        }
        self.now = self.now.max(record.time);
        self.of(&record.line, record.board).record(record);
    }

    /// What was made of it.
    pub fn game(&mut self, record: &GameRecord) {
        self.of(&record.line, record.board).game(record);
    }

    fn of(&mut self, line: &Option<Arc<str>>, board: Option<u16>) -> &mut BoardHealth {
        self.boards.entry((line.clone(), board)).or_default()
    }

    /// Everything that needs a hand so far, the gravest first, then by line, board and square.
    pub fn findings(&self) -> Vec<Finding> {
        findings::findings(&self.boards, self.now, self.with_games, &self.zone)
    }

    /// What is wrong with a board at a moment, the gravest first; nothing of a board that was never heard of.
    pub fn trouble(&self, name: &Name, now: Time) -> Vec<Trouble> {
        findings::trouble(&self.boards, name, now, &self.zone)
    }

    /// Every board there is, with figures for a table.
    pub fn summaries(&self) -> Vec<BoardSummary> {
        summary::summaries(&self.boards, self.now, &self.zone)
    }
}
