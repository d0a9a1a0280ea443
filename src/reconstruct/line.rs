//! The boards of a line, and when each has something to do even without a record.
//!
//! They share one clock: that of the machine that watches the line. Clocks of other lines may differ by hours, and the
//! result of a line must not depend on them.

use std::collections::BTreeMap;

use super::steady_time::SteadyTime;
use crate::record::Time;

/// The boards of a line, numbered in the order of their first records. They are named by their indices among the boards
/// of all lines.
#[derive(Default)]
pub struct Line {
    boards: Vec<usize>,
    addresses: BTreeMap<Option<u16>, usize>,
    /// The time at which each has something to do even without a record.
    deadlines: Vec<Option<Time>>,
    /// The earliest of these, or earlier.
    earliest: Option<Time>,
    /// The clock of the line.
    pub clock: SteadyTime,
}

impl Line {
    /// Its boards.
    pub fn boards(&self) -> &[usize] {
        &self.boards
    }

    /// The board with this address.
    pub fn find(&self, address: Option<u16>) -> Option<usize> {
        self.addresses.get(&address).copied()
    }

    /// Adds a board, and returns its number.
    pub fn add(&mut self, address: Option<u16>, board: usize) -> usize {
        self.addresses.insert(address, board);
        self.boards.push(board);
        self.deadlines.push(None);
        self.boards.len() - 1
    }

    /// Sets when this board has something to do even without a record.
    pub fn set_deadline(&mut self, nth: usize, deadline: Option<Time>) {
        self.deadlines[nth] = deadline;
        self.earliest = [self.earliest, deadline].into_iter().flatten().min();
    }

    /// The time at which this board has something to do, if that is by now.
    pub fn due(&self, nth: usize, now: Time) -> Option<Time> {
        self.deadlines[nth].filter(|&due| due <= now)
    }

    /// The first board from number `first` on that has something to do by now, by its number.
    pub fn next_due(&mut self, first: usize, now: Time) -> Option<usize> {
        let is_due = |deadline: &Option<Time>| deadline.is_some_and(|due| due <= now);
        if !is_due(&self.earliest) {
            return None;
        }
        let next = self.deadlines[first..].iter().position(is_due).map(|nth| first + nth);
        if next.is_none() {
            self.earliest = self.deadlines.iter().copied().flatten().min();
        }
        next
    }
}
