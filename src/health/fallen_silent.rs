//! Squares that stop reporting in the middle of a game: the game goes on, all else stands as it should, and one piece is no
//! longer seen.
//!
//! Complements the search over the last two games for a square that reported in the current one.

use super::{
    dead::Evidence,
    game::Expected,
    limits,
    squares::{all_of, set_of},
};
use crate::record::{Square, Time};

/// For each square how many plies a piece of the game has stood there unseen since the square last reported.
#[derive(Debug, Clone)]
pub struct FallenSilent {
    plies: [(u32, Option<Time>); 64],
    /// Squares with a count, bit n for field n.
    counted: u64,
    /// Squares that were unseen after the ply before, bit n for field n.
    before: u64,
    /// The game went on from an illegal position, which lasts to its end.
    is_illegal: bool,
}

impl Default for FallenSilent {
    fn default() -> FallenSilent {
        FallenSilent { plies: [(0, None); 64], counted: 0, before: 0, is_illegal: false }
    }
}

impl FallenSilent {
    /// These squares, bit n for field n, report a piece.
    pub fn report(&mut self, squares: u64) {
        self.before &= !squares;
        let reported = squares & self.counted;
        if reported != 0 {
            self.counted &= !reported;
            all_of(reported).for_each(|square| self.plies[usize::from(square.field())] = (0, None));
        }
    }

    /// A game begins, or goes on from an illegal position, which may have more pieces than the board.
    pub fn is_illegal(&mut self, is_illegal: bool) {
        self.is_illegal = is_illegal;
        self.before = 0;
    }

    /// Drops all counts: the plies were not played.
    pub fn forget(&mut self) {
        *self = FallenSilent { is_illegal: self.is_illegal, ..FallenSilent::default() };
    }

    /// A ply was played, after which `expected` should stand, and `occupied` (bit n for field n) does.
    pub fn played(&mut self, expected: Option<Expected>, occupied: u64, time: Option<Time>) {
        let Some(Expected { occupied: expected, .. }) = expected.filter(|_| !self.is_illegal) else { return };
        let unseen = expected & !occupied;
        // Additional pieces mean another game or a move in progress.
        if occupied & !expected != 0 || unseen.count_ones() as usize > limits::FEW_SQUARES {
            return;
        }
        // A piece in a hand after one ply is down after the next.
        let again = unseen & std::mem::replace(&mut self.before, unseen);
        self.counted |= again;
        for square in all_of(again) {
            let (plies, since) = &mut self.plies[usize::from(square.field())];
            *plies += 1;
            *since = since.or(time);
        }
    }

    /// The squares of the verdicts, bit n for field n: an unseen piece there is not a mismatch with the game.
    pub fn squares(&self) -> u64 {
        set_of(self.verdicts().map(|(square, _)| square))
    }

    /// The squares with enough plies to be dead.
    pub fn verdicts(&self) -> impl Iterator<Item = (Square, Evidence)> {
        let plies = all_of(self.counted).map(|square| (square, self.plies[usize::from(square.field())]));
        let enough = plies.filter(|(_, (plies, _))| *plies >= limits::SILENT_PLIES);
        enough.map(|(square, (plies, since))| (square, Evidence::of_plies(plies, since)))
    }
}
