//! Squares that fall silent in the midst of a game: it goes on, all else stands as it should, and a piece is not seen any more.
//!
//! Beside what is known of squares lately, for one that spoke in this very game.

use super::{
    dead::Evidence,
    game::Expected,
    limits,
    squares::{all_of, set_of},
};
use crate::record::{Square, Time};

/// For each square how many plies a piece of the game has stood there unheard since it spoke last.
#[derive(Debug, Clone)]
pub struct Unheard {
    plies: [(u32, Option<Time>); 64],
    /// Those that are counted, bit n for field n,
    counted: u64,
    /// and those of the ply before.
    before: u64,
    /// What stands is not what was played, to the end of the game.
    is_illegal: bool,
}

impl Default for Unheard {
    fn default() -> Unheard {
        Unheard { plies: [(0, None); 64], counted: 0, before: 0, is_illegal: false }
    }
}

impl Unheard {
    /// Something stands on these squares, bit n for field n.
    pub fn speak(&mut self, squares: u64) {
        self.before &= !squares;
        let spoken = squares & self.counted;
        if spoken != 0 {
            self.counted &= !spoken;
            all_of(spoken).for_each(|square| self.plies[usize::from(square.field())] = (0, None));
        }
    }

    /// A game begins, or goes on from an illegal position, in which more may be told to stand than does.
    pub fn is_illegal(&mut self, is_illegal: bool) {
        self.is_illegal = is_illegal;
        self.before = 0;
    }

    /// What was counted was not played.
    pub fn forget(&mut self) {
        *self = Unheard { is_illegal: self.is_illegal, ..Unheard::default() };
    }

    /// A ply was played, after which this should stand, and this does.
    pub fn played(&mut self, expected: Option<Expected>, occupied: u64, time: Option<Time>) {
        let Some(Expected { occupied: expected, .. }) = expected.filter(|_| !self.is_illegal) else { return };
        let unseen = expected & !occupied;
        // Where anything stands that should not they play another game, or one of them is on its way.
        if occupied & !expected != 0 || unseen.count_ones() as usize > limits::UNHEARD {
            return;
        }
        // What was lifted when a ply was told is down when the next one is.
        let again = unseen & std::mem::replace(&mut self.before, unseen);
        self.counted |= again;
        for square in all_of(again) {
            let (plies, since) = &mut self.plies[usize::from(square.field())];
            *plies += 1;
            *since = since.or(time);
        }
    }

    /// Those of the verdicts, bit n for field n: what they do not show is no flaw of the game.
    pub fn squares(&self) -> u64 {
        set_of(self.verdicts().map(|(square, _)| square))
    }

    /// The squares of which this is enough to say that they are dead.
    pub fn verdicts(&self) -> impl Iterator<Item = (Square, Evidence)> {
        let plies = all_of(self.counted).map(|square| (square, self.plies[usize::from(square.field())]));
        let enough = plies.filter(|(_, (plies, _))| *plies >= limits::UNHEARD_PLIES);
        enough.map(|(square, (plies, since))| (square, Evidence::of_plies(plies, since)))
    }
}
