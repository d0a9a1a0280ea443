//! What was seen and heard of a game, whatever it means.
//!
//! * [`event`]: a square that changed; [`hand`]: what such changes show of the hand that moved a piece;
//! * [`clock_sides`]: who sits at which side of the clock; [`lookahead`]: what is known to come when it is heard again;
//! * [`Observation`]: what a search is told, [`BoardState`]: what stands on the board after it.
//!
//! For the search, which makes hypotheses of it. Nothing here knows of any.

pub mod clock_sides;
pub mod event;
pub mod hand;
pub mod lookahead;

use self::event::Event;
use crate::{
    record::Time,
    rules::{Colour, Squares, bit, set_of},
};

/// What a search observes.
#[derive(Debug, Clone, Copy)]
pub enum Observation {
    /// A square changed.
    Change { square: u8, new: u8, how: Known, time: Option<Time> },
    /// A side's clock was halted and shows `seconds`.
    Press { side: Colour, seconds: f64, time: Option<Time> },
    /// The clock that was in use has gone while it ran, or is there again.
    Clock { gone: bool },
    /// The board rests as it stands. How much of a rest it is, 0 to 1: where it was seen to rest for less than a hand
    /// may stop on its way, less of one. `seen`: what stands was seen at rest by now, and no such stop. `until` when it surely
    /// rested, where that is known; `time` when the board changed last.
    Rest { part: f32, seen: bool, until: Option<Time>, time: Option<Time> },
    /// The poll that told of the last press, or without a clock of the last changes, is over: all that the board had to say by
    /// then is told. How odd it is, 0 to 1, that it is over before all of the move is told.
    PollTold { odd: f32 },
    /// The board has rested so long that no hand is at work: what stands was meant.
    LongRest,
}

/// How a change became known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Known {
    /// It was seen. `quick`: within 250 ms of the change before; none: not said.
    Seen { quick: Option<bool> },
    /// It was found to have happened unseen. `one_move`: all that was missed can be one move.
    Found { one_move: bool },
}

/// What stands on the board, and what is known of how it came to.
#[derive(Debug, Clone, Copy)]
pub struct BoardState {
    /// The codes on the fields.
    pub board: [u8; 64],
    /// The number of the last change.
    pub index: u32,
    /// See [`Event::rests`].
    pub rests: u32,
    /// The board says which changes were quick.
    tells_quick: bool,
    /// See [`Event::slow`]: of the change that comes in.
    slow: bool,
    /// See [`Event::scan`]: of the last change, and its field.
    pub scan: u16,
    last: u8,
    /// The board is turned by 180°: its fields are numbered from the other end.
    turned: bool,
    /// How many presses there were.
    pub presses: u32,
    /// The clock has gone since: nothing can be pressed.
    clock_has_gone: bool,
    /// Who pressed last, until the poll that told so is known to be over.
    pub pressed_last: Option<Colour>,
    /// The squares that have told of pieces.
    pub spoken: Squares,
    /// Where pieces of each side stand.
    pieces: [Squares; 2],
    /// The number of the change after which the board was first seen to rest.
    first_rest: Option<u32>,
    /// A change came with its time.
    timed: bool,
}

impl BoardState {
    /// A board of which nothing is known but how it stands, and whether it is turned by 180° under what stands.
    pub fn new(board: [u8; 64], turned: bool) -> BoardState {
        BoardState {
            board,
            index: 0,
            rests: 0,
            tells_quick: false,
            slow: false,
            scan: 0,
            last: 0,
            turned,
            presses: 0,
            clock_has_gone: false,
            pressed_last: None,
            spoken: set_of((0..64).filter(|&at| board[at as usize] != 0)),
            pieces: [Colour::White, Colour::Black]
                .map(|side| set_of((0..64).filter(|&at| Colour::of(board[at as usize]) == Some(side)))),
            first_rest: None,
            timed: false,
        }
    }

    /// It stands so by now.
    pub fn stand(&mut self, board: [u8; 64]) {
        let fresh = BoardState::new(board, self.turned);
        (self.board, self.pieces) = (board, fresh.pieces);
        self.spoken |= fresh.spoken;
    }

    /// What stands on a field.
    pub fn code(&self, field: u8) -> u8 {
        self.board[field as usize]
    }

    /// Where pieces of a side stand.
    pub fn pieces(&self, side: Colour) -> Squares {
        self.pieces[side.index()]
    }

    /// Whether a clock is in use: the game has had a press, and the clock is there.
    pub fn clock_in_use(&self) -> bool {
        self.presses > 0 && !self.clock_has_gone
    }

    /// The clock has gone, or is there again.
    pub fn clock_goes(&mut self, gone: bool) {
        self.clock_has_gone = gone;
    }

    /// A change comes in, seen or found out: how it stands in time to the one before.
    pub fn note_time(&mut self, quick: Option<bool>, seen: bool) {
        // A board that says at times that a change was quick says of the others that they were not.
        self.tells_quick |= quick.is_some();
        self.slow = seen && self.tells_quick && quick != Some(true);
        self.rests += u32::from(self.slow);
    }

    /// Whether the board says which changes were quick.
    pub fn tells_quick(&self) -> bool {
        self.tells_quick
    }

    /// A square changed, or was found to have (not `seen`).
    pub fn set(&mut self, square: u8, new: u8, seen: bool, time: Option<Time>) -> Event {
        let old = std::mem::replace(&mut self.board[square as usize], new);
        self.spoken |= bit(square);
        for (pieces, side) in self.pieces.iter_mut().zip([Colour::White, Colour::Black]) {
            *pieces = *pieces & !bit(square) | if Colour::of(new) == Some(side) { bit(square) } else { 0 };
        }
        self.index += 1;
        self.timed |= time.is_some();
        // What is not known to be quick came any number of scans later.
        let field = if self.turned { 63 - square } else { square };
        let scans = if self.slow || !self.tells_quick { 2 } else { u16::from(field <= self.last) };
        (self.scan, self.last) = (self.scan.wrapping_add(scans), field);
        let (index, rests, scan, slow) = (self.index, self.rests, self.scan, self.slow && seen);
        Event { index, square, old, new, rests, scan, slow, seen, stamp: time.into() }
    }

    /// The board was seen to rest.
    pub fn rest(&mut self) {
        self.first_rest = self.first_rest.or((self.index > 0).then_some(self.index));
    }

    /// Whether nothing has ever said how much time passed: neither times, nor rests, nor which changes were quick.
    pub fn is_timeless(&self) -> bool {
        !self.timed && !self.tells_quick && self.first_rest.is_none()
    }

    /// Whether the board would have been seen to rest after the change of this number: a log knows of no rests.
    pub fn knows_rests_after(&self, index: u32) -> bool {
        self.first_rest.is_some_and(|first| first < index)
    }
}

#[cfg(test)]
mod tests {
    use super::BoardState;

    #[test]
    fn a_field_before_the_last_one_is_of_the_next_scan_by_the_boards_own_numbers() {
        // From a8 on: e2 is field 52, e4 field 36; of a turned board 11 and 27.
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
