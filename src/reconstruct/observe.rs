//! The observations of a game, without interpretation.
//!
//! - [`event`]: a square that changed; [`hand`]: the changes that show how a hand moved a piece;
//! - [`clock_sides`]: which player sits at which side of the clock; [`lookahead`]: later observations that are known
//!   during a replay;
//! - [`Observation`]: the input of a search; [`BoardState`]: the state of the board after it.
//!
//! The search makes hypotheses of these. Nothing here depends on hypotheses.

pub mod clock_sides;
pub mod event;
pub mod hand;
pub mod lookahead;

use self::event::Event;
use crate::{
    record::Time,
    rules::{Colour, Squares, bit, set_of},
};

/// An input of the search.
#[derive(Debug, Clone, Copy)]
pub enum Observation {
    /// A square changed.
    Change { square: u8, new: u8, how: Known, time: Option<Time> },
    /// A side's clock was halted and shows `seconds`.
    Press { side: Colour, seconds: f64, time: Option<Time> },
    /// The clock that was in use was removed while it ran, or is back.
    Clock { gone: bool },
    /// The board is at rest. `part`, 0 to 1: how much of a complete rest this is; a rest shorter than a hand may stop
    /// on its way counts for less. `seen`: the rest is long enough to exclude such a stop. `until`: the time until
    /// which it surely rested, if known; `time`: the time of the last change.
    Rest { part: f32, seen: bool, until: Option<Time>, time: Option<Time> },
    /// The poll that reported the last press, or without a clock the last changes, is over: everything the board had
    /// recorded by then was reported. `odd`, 0 to 1: how unusual it is that the poll ends before the move is complete.
    PollOver { odd: f32 },
    /// The board has rested so long that no hand is at work: its position was meant.
    LongRest,
}

/// How a change became known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Known {
    /// It was reported. `quick`: within 250 ms of the previous change; none where the board does not report that.
    Seen { quick: Option<bool> },
    /// It was found in a later position. `one_move`: all changes found with it can be one move.
    Found { one_move: bool },
}

/// The state of the board.
#[derive(Debug, Clone, Copy)]
pub struct BoardState {
    /// The codes on the fields.
    pub board: [u8; 64],
    /// The number of the last change.
    pub index: u32,
    /// See [`Event::rests`].
    pub rests: u32,
    /// The board reports which changes were quick.
    reports_quick: bool,
    /// [`Event::slow`] of the change that is being read.
    slow: bool,
    /// [`Event::scan`] of the last change, and its field.
    pub scan: u16,
    last: u8,
    /// The board is turned by 180°: its own field numbers run from the other end.
    turned: bool,
    /// The number of presses.
    pub presses: u32,
    /// The clock was removed since: nothing can be pressed.
    clock_removed: bool,
    /// The side that pressed last, until the poll that reported it is over.
    pub pressed_last: Option<Colour>,
    /// The squares that have reported pieces.
    pub reported: Squares,
    /// The squares with pieces of each side.
    pieces: [Squares; 2],
    /// The number of the last change before the board was first seen at rest.
    first_rest: Option<u32>,
    /// A change had a time.
    timed: bool,
}

impl BoardState {
    /// The initial state of a board with these codes; `turned` by 180° or not.
    pub fn new(board: [u8; 64], turned: bool) -> BoardState {
        BoardState {
            board,
            index: 0,
            rests: 0,
            reports_quick: false,
            slow: false,
            scan: 0,
            last: 0,
            turned,
            presses: 0,
            clock_removed: false,
            pressed_last: None,
            reported: set_of((0..64).filter(|&at| board[at as usize] != 0)),
            pieces: [Colour::White, Colour::Black]
                .map(|side| set_of((0..64).filter(|&at| Colour::of(board[at as usize]) == Some(side)))),
            first_rest: None,
            timed: false,
        }
    }

    /// Sets the codes on the board.
    pub fn stand(&mut self, board: [u8; 64]) {
        let fresh = BoardState::new(board, self.turned);
        (self.board, self.pieces) = (board, fresh.pieces);
        self.reported |= fresh.reported;
    }

    /// The code on a field.
    pub fn code(&self, field: u8) -> u8 {
        self.board[field as usize]
    }

    /// The squares with pieces of a side.
    pub fn pieces(&self, side: Colour) -> Squares {
        self.pieces[side.index()]
    }

    /// Whether a clock is in use: the game has had a press, and the clock is there.
    pub fn clock_in_use(&self) -> bool {
        self.presses > 0 && !self.clock_removed
    }

    /// The clock was removed, or is back.
    pub fn set_clock_removed(&mut self, gone: bool) {
        self.clock_removed = gone;
    }

    /// Updates the counts of rests and scans for a change that is being read.
    pub fn note_time(&mut self, quick: Option<bool>, seen: bool) {
        // A board that marks some changes as quick thereby reports that the others were not.
        self.reports_quick |= quick.is_some();
        self.slow = seen && self.reports_quick && quick != Some(true);
        self.rests += u32::from(self.slow);
    }

    /// Whether the board reports which changes were quick.
    pub fn reports_quick(&self) -> bool {
        self.reports_quick
    }

    /// Sets a square that changed; `seen` is false where the change was found later.
    pub fn set(&mut self, square: u8, new: u8, seen: bool, time: Option<Time>) -> Event {
        let old = std::mem::replace(&mut self.board[square as usize], new);
        self.reported |= bit(square);
        for (pieces, side) in self.pieces.iter_mut().zip([Colour::White, Colour::Black]) {
            *pieces = *pieces & !bit(square) | if Colour::of(new) == Some(side) { bit(square) } else { 0 };
        }
        self.index += 1;
        self.timed |= time.is_some();
        // A change not marked as quick may come any number of scans later.
        let field = if self.turned { 63 - square } else { square };
        let scans = if self.slow || !self.reports_quick { 2 } else { u16::from(field <= self.last) };
        (self.scan, self.last) = (self.scan.wrapping_add(scans), field);
        let (index, rests, scan, slow) = (self.index, self.rests, self.scan, self.slow && seen);
        Event { index, square, old, new, rests, scan, slow, seen, stamp: time.into() }
    }

    /// The board was seen at rest.
    pub fn rest(&mut self) {
        self.first_rest = self.first_rest.or((self.index > 0).then_some(self.index));
    }

    /// Whether the input has given no measure of time so far: neither times, nor rests, nor quick changes.
    pub fn is_timeless(&self) -> bool {
        !self.timed && !self.reports_quick && self.first_rest.is_none()
    }

    /// Whether a rest after the change with this number would have been reported: a log has no rests.
    pub fn reports_rests_after(&self, index: u32) -> bool {
        self.first_rest.is_some_and(|first| first < index)
    }
}

#[cfg(test)]
mod tests {
    use super::BoardState;

    #[test]
    fn a_lower_field_belongs_to_the_next_scan() {
        // Fields count from a8: e2 is field 52, e4 field 36; of a turned board 11 and 27.
        let (e2, e4) = (52, 36);
        for (turned, first, second) in [(false, e4, e2), (true, e2, e4)] {
            let scans = |one: u8, other: u8| {
                let mut state = BoardState::new([0; 64], turned);
                state.note_time(Some(true), true);
                let one = state.set(one, 1, true, None);
                state.note_time(Some(true), true);
                state.set(other, 1, true, None).scan - one.scan
            };
            assert_eq!((scans(first, second), scans(second, first)), (0, 1), "turned: {turned}");
        }
    }
}
