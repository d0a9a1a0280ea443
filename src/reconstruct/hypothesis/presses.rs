//! Presses of the clock, as one hypothesis understands them: which ply each ended, and which moves still lack theirs.
//!
//! The n-th press of a side ends its n-th move, but presses come before the last square of their move, two of them
//! come swapped, and some are lost. For the hypotheses; nothing here knows of squares.

use arrayvec::ArrayVec;

use crate::{
    reconstruct::{limits, observe::event::Stamp},
    rules::Colour,
};

/// A press.
#[derive(Debug, Clone, Copy)]
pub struct Press {
    /// The ply it ended.
    pub ply: u32,
    /// What the clock showed.
    pub seconds: f64,
    /// The number of the last change before it.
    pub index: u32,
    /// The rests up to it, counted as an event counts them.
    pub rests: u32,
    /// When the host received it.
    pub stamp: Stamp,
}

/// The presses of the last plies, and of each side how many there were more than moves.
#[derive(Debug, Clone, Default)]
pub struct PressLedger {
    /// -1: the last move is made and not pressed; 1: pressed, and the move not yet seen.
    balance: [i8; 2],
    presses: ArrayVec<Press, { limits::PRESSES }>,
}

impl PressLedger {
    /// The press of a ply, if it is known.
    pub fn of(&self, ply: u32) -> Option<Press> {
        self.presses.iter().rev().find(|press| press.ply == ply).copied()
    }

    /// The last press.
    pub fn newest(&self) -> Option<&Press> {
        self.presses.last()
    }

    /// The oldest press that is remembered.
    pub fn oldest(&self) -> Option<&Press> {
        self.presses.first()
    }

    /// Whether a move of this side was made and not pressed.
    pub fn lacks(&self, side: Colour) -> bool {
        self.balance[side.index()] < 0
    }

    /// Whether this side pressed for a move that was not seen yet.
    pub fn is_ahead(&self, side: Colour) -> bool {
        self.balance[side.index()] > 0
    }

    /// Whether anybody pressed for a move that was not seen yet.
    pub fn is_anybody_ahead(&self) -> bool {
        self.balance.iter().any(|&balance| balance > 0)
    }

    /// Whether both did.
    pub fn are_both_ahead(&self) -> bool {
        self.balance.iter().all(|&balance| balance > 0)
    }

    /// This side pressed.
    pub fn add(&mut self, side: Colour, press: Press) {
        self.count_press(side);
        if self.presses.is_full() {
            self.presses.remove(0);
        }
        self.presses.push(press);
    }

    /// This side has one press more, or one move less.
    pub fn count_press(&mut self, side: Colour) {
        let balance = &mut self.balance[side.index()];
        *balance = (*balance + 1).min(1);
    }

    /// This side has made a move.
    pub fn count_move(&mut self, side: Colour) {
        let balance = &mut self.balance[side.index()];
        *balance = (*balance - 1).max(-1);
    }

    /// The press of this ply was for nothing: no move was made with it.
    pub fn void(&mut self, side: Colour, ply: u32) {
        self.presses.retain(|press| press.ply != ply);
        let balance = &mut self.balance[side.index()];
        *balance = (*balance).min(0);
    }

    /// The press that stands for this side's move before `ply` came after the change numbered `lift`, with which the
    /// piece of `ply` was lifted. A hand is back from the clock before it lifts the next piece: the press was this
    /// ply's, and the one of the move before was lost. False where that is not so, or this ply has its press.
    pub fn belongs_to_lifted(&mut self, side: Colour, ply: u32, lift: Option<u32>) -> bool {
        if self.of(ply).is_some() {
            return false;
        }
        let before = self.presses.iter_mut().rev().find(|press| press.ply + 2 == ply);
        match (before, lift) {
            (Some(press), Some(lift)) if press.index >= lift => press.ply = ply,
            _ => return false,
        }
        self.count_press(side);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn press(ply: u32, index: u32) -> Press {
        Press { ply, seconds: 60.0, index, rests: 0, stamp: None.into() }
    }

    #[test]
    fn a_side_lacks_a_press_after_its_move_and_is_ahead_with_one_before_it() {
        let mut ledger = PressLedger::default();
        ledger.count_move(Colour::White);
        assert!(ledger.lacks(Colour::White) && !ledger.lacks(Colour::Black));
        ledger.add(Colour::White, press(1, 2));
        assert!(!ledger.lacks(Colour::White) && !ledger.is_ahead(Colour::White));
        ledger.add(Colour::White, press(3, 4));
        ledger.add(Colour::White, press(5, 4));
        assert!(ledger.is_ahead(Colour::White));
        ledger.count_move(Colour::White);
        assert!(!ledger.is_ahead(Colour::White), "a second press without a move between counts for nothing");
    }

    #[test]
    fn a_press_after_the_next_lift_is_the_next_moves() {
        let mut ledger = PressLedger::default();
        ledger.add(Colour::White, press(1, 5));
        assert!(!ledger.belongs_to_lifted(Colour::White, 3, None), "no lift was seen");
        assert!(!ledger.belongs_to_lifted(Colour::White, 3, Some(6)), "it was lifted after the press");
        assert!(ledger.belongs_to_lifted(Colour::White, 3, Some(5)));
        assert!(ledger.of(1).is_none() && ledger.of(3).is_some());
        assert!(!ledger.belongs_to_lifted(Colour::White, 3, Some(5)), "it has its press now");
    }

    #[test]
    fn a_press_for_nothing_leaves_its_ply_to_be_pressed() {
        let mut ledger = PressLedger::default();
        ledger.add(Colour::White, press(3, 5));
        ledger.void(Colour::White, 3);
        assert!(ledger.of(3).is_none() && !ledger.is_ahead(Colour::White));
        ledger.count_move(Colour::White);
        assert!(ledger.lacks(Colour::White));
    }

    #[test]
    fn the_presses_of_the_last_plies_are_remembered() {
        let mut ledger = PressLedger::default();
        for ply in 1..=limits::PRESSES as u32 + 1 {
            ledger.add(Colour::White, press(ply, ply));
        }
        assert!(ledger.of(1).is_none());
        assert_eq!(ledger.oldest().map(|press| press.ply), Some(2));
    }
}
