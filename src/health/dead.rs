//! Squares that never say that anything stands on them.
//!
//! Such a square shows in two ways. A board is set up but for that square, and stays so when the game begins. Or a game
//! goes on with a piece there, which the board shows nowhere.

use super::{game::Expected, limits, pieces};
use crate::record::{Piece, Placement, Square, Time};

/// What speaks for a square's being dead.
#[derive(Debug, Clone, Copy, Default)]
pub struct Evidence {
    /// How many plies a piece stood there unseen, or games began without one.
    pub count: u32,
    /// Since when.
    pub since: Option<Time>,
    /// The board stood set up but for this square.
    set_up: bool,
}

/// What is known of the squares of a board that have never said anything.
#[derive(Debug, Clone)]
pub struct DeadSquares {
    /// Squares that said at some time that something stands there, bit n for field n.
    spoke: u64,
    evidence: [Evidence; 64],
    /// The board stands set up but for this square, and since when.
    set_up: Option<(Square, Option<Time>)>,
    expected: u64,
}

impl Default for DeadSquares {
    fn default() -> DeadSquares {
        DeadSquares { spoke: 0, evidence: [Evidence::default(); 64], set_up: None, expected: 0 }
    }
}

impl DeadSquares {
    /// All of this stands, so these squares are alive.
    pub fn stands(&mut self, occupied: u64) {
        self.spoke |= occupied;
    }

    /// Something stands on a square, so it is alive.
    pub fn speaks(&mut self, square: Square) {
        self.spoke |= 1 << square.field();
    }

    /// The pieces rest.
    pub fn rests(&mut self, stands: &Placement, time: Option<Time>) {
        match self.missing(stands) {
            Some(square) if self.set_up.is_some_and(|(missing, _)| missing == square) => {}
            missing => self.set_up = missing.map(|square| (square, time)),
        }
    }

    /// The one square without which this is a start position, if it never spoke.
    fn missing(&self, stands: &Placement) -> Option<Square> {
        if !matches!(stands.count(), 31 | 23) {
            return None;
        }
        let silent = |square: &Square| self.spoke >> square.field() & 1 == 0;
        Square::all().filter(|square| stands.get(*square).is_none()).filter(silent).find(|&square| {
            (1..=12).filter_map(Piece::from_code).any(|piece| {
                let mut whole = *stands;
                whole.set(square, Some(piece));
                pieces::is_start(&whole)
            })
        })
    }

    /// A piece is lifted: where the board stood set up but for one square, the game begins all the same.
    pub fn lifted(&mut self, time: Option<Time>) {
        let Some((square, since)) = self.set_up.take() else { return };
        let stood = since.zip(time).map_or(0.0, |(since, time)| since.seconds_until(time));
        if stood >= limits::SET_UP {
            let evidence = &mut self.evidence[usize::from(square.field())];
            evidence.set_up = true;
            evidence.count += 1;
            evidence.since = evidence.since.or(since);
        }
    }

    /// A ply was played, after which this should stand, and this does.
    pub fn played(&mut self, expected: Option<Expected>, occupied: u64, time: Option<Time>) {
        let expected = expected.map_or(0, |expected| expected.occupied);
        // Those of which the ply before said so already: no hand is on its way there.
        let unseen = expected & self.expected & !occupied & !self.spoke;
        self.expected = expected;
        for square in Square::all().filter(|square| unseen >> square.field() & 1 == 1) {
            let evidence = &mut self.evidence[usize::from(square.field())];
            evidence.count += 1;
            evidence.since = evidence.since.or(time);
        }
    }

    /// The squares that are dead, with what speaks for it.
    pub fn verdicts(&self) -> impl Iterator<Item = (Square, Evidence)> {
        let dead = |(square, evidence): &(Square, Evidence)| {
            self.spoke >> square.field() & 1 == 0
                && (evidence.set_up || evidence.count >= limits::UNSEEN_PLIES)
        };
        Square::all().zip(self.evidence).filter(dead)
    }
}
