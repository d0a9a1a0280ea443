//! The presses of the clock in one hypothesis: which ply each ended, and which moves have none yet.
//!
//! The n-th press of a side ends its n-th move, but presses come before the last square of their move, two of them come
//! swapped, and some are lost. Nothing here depends on squares.

use arrayvec::ArrayVec;

use crate::{
    reconstruct::{limits, observe::event::Stamp},
    rules::Colour,
};

/// A press.
#[derive(Debug, Clone, Copy)]
pub struct Press {
    /// The ply that it ended.
    pub ply: u32,
    /// The seconds that the clock showed.
    pub seconds: f64,
    /// The number of the last change before it.
    pub index: u32,
    /// The rests up to it, counted as in an event.
    pub rests: u32,
    /// The time at which the host received it.
    pub stamp: Stamp,
}

/// The presses of the last plies, and for each side the number of presses less the number of moves.
#[derive(Debug, Clone, Default)]
pub struct PressLedger {
    /// By side, -1: the last move was not pressed; 1: pressed, but the move was not seen yet.
    balance: [i8; 2],
    presses: ArrayVec<Press, { limits::RECENT_PLIES }>,
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

    /// Whether the last move of this side was not pressed yet.
    pub fn lacks(&self, side: Colour) -> bool {
        self.balance[side.index()] < 0
    }

    /// Whether this side pressed for a move that was not seen yet.
    pub fn is_ahead(&self, side: Colour) -> bool {
        self.balance[side.index()] > 0
    }

    /// Whether either side pressed for a move that was not seen yet.
    pub fn is_anybody_ahead(&self) -> bool {
        self.balance.iter().any(|&balance| balance > 0)
    }

    /// Whether both sides pressed for moves that were not seen yet.
    pub fn are_both_ahead(&self) -> bool {
        self.balance.iter().all(|&balance| balance > 0)
    }

    /// Adds a press of this side.
    pub fn add(&mut self, side: Colour, press: Press) {
        self.count_press(side);
        if self.presses.is_full() {
            self.presses.remove(0);
        }
        self.presses.push(press);
    }

    /// Adds one to the balance of this side: a press more, or a move less.
    pub fn count_press(&mut self, side: Colour) {
        let balance = &mut self.balance[side.index()];
        *balance = (*balance + 1).min(1);
    }

    /// Counts a move of this side.
    pub fn count_move(&mut self, side: Colour) {
        let balance = &mut self.balance[side.index()];
        *balance = (*balance - 1).max(-1);
    }

    /// Removes the press of this ply: no move was made with it.
    pub fn void(&mut self, side: Colour, ply: u32) {
        self.presses.retain(|press| press.ply != ply);
        let balance = &mut self.balance[side.index()];
        *balance = (*balance).min(0);
    }

    /// Moves the press of this side's previous move to `ply`, if it came after the change numbered `lift`, with which
    /// the piece of `ply` was lifted: a hand is back from the clock before it lifts the next piece, so the press of the
    /// previous move was lost. Returns false where that is not so, or `ply` has its press.
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
    fn the_balance_counts_presses_less_moves() {
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
    fn a_press_after_a_lift_belongs_to_that_move() {
        let mut ledger = PressLedger::default();
        ledger.add(Colour::White, press(1, 5));
        assert!(!ledger.belongs_to_lifted(Colour::White, 3, None), "no lift was seen");
        assert!(!ledger.belongs_to_lifted(Colour::White, 3, Some(6)), "it was lifted after the press");
        assert!(ledger.belongs_to_lifted(Colour::White, 3, Some(5)));
        assert!(ledger.of(1).is_none() && ledger.of(3).is_some());
        assert!(!ledger.belongs_to_lifted(Colour::White, 3, Some(5)), "it has its press now");
    }

    #[test]
    fn a_void_press_leaves_its_ply_unpressed() {
        let mut ledger = PressLedger::default();
        ledger.add(Colour::White, press(3, 5));
        ledger.void(Colour::White, 3);
        assert!(ledger.of(3).is_none() && !ledger.is_ahead(Colour::White));
        ledger.count_move(Colour::White);
        assert!(ledger.lacks(Colour::White));
    }

    #[test]
    fn the_last_presses_are_remembered() {
        let mut ledger = PressLedger::default();
        for ply in 1..=limits::RECENT_PLIES as u32 + 1 {
            ledger.add(Colour::White, press(ply, ply));
        }
        assert!(ledger.of(1).is_none());
        assert_eq!(ledger.oldest().map(|press| press.ply), Some(2));
    }
}
