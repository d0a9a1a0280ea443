//! The pieces that will come to squares and leave them: known only during a replay.

use super::{BoardState, Observation};
use crate::{
    reconstruct::limits,
    rules::{Colour, Squares, bit},
};

/// See the module.
#[derive(Debug, Default)]
pub struct Lookahead {
    /// The pieces that come to squares, in order.
    landings: Timetable,
    /// The pieces that leave squares.
    departures: Timetable,
    /// The number of the current change.
    now: u32,
    /// The number of unseen landings that may still be considered.
    pub left: u32,
}

/// A piece that comes to a square, or leaves it.
#[derive(Debug)]
struct Step {
    /// The number of its change.
    index: u32,
    square: u8,
    code: u8,
}

/// Steps in order, with the number of those that are past.
#[derive(Debug, Default)]
struct Timetable {
    steps: Vec<Step>,
    past: usize,
    /// The squares of the steps that follow soon, by code and by side.
    soon: [Squares; CODES],
    of_side: [Squares; 2],
}

/// The codes of pieces, and 0 for none.
const CODES: usize = 13;

impl Timetable {
    fn add(&mut self, index: u32, square: u8, code: u8) {
        if code != 0 {
            self.steps.push(Step { index, square, code });
        }
    }

    fn advance(&mut self, index: u32) {
        self.past += self.steps[self.past..].iter().take_while(|step| step.index <= index).count();
        let (mut soon, mut of_side) = ([0; CODES], [0; 2]);
        for (square, code) in self.until(index + limits::LOOKAHEAD_CHANGES) {
            if let (Some(of_code), Some(side)) = (soon.get_mut(usize::from(code)), Colour::of(code)) {
                *of_code |= bit(square);
                of_side[side.index()] |= bit(square);
            }
        }
        (self.soon, self.of_side) = (soon, of_side);
    }

    /// The squares of the steps of one code that follow soon,
    fn squares_of(&self, code: u8) -> Squares {
        self.soon.get(usize::from(code)).copied().unwrap_or(0)
    }

    /// and those of all other codes.
    fn squares_of_others(&self, code: u8) -> Squares {
        (0..).zip(self.soon).filter(|&(other, _)| other != code).fold(0, |all, (_, squares)| all | squares)
    }

    /// The steps after the current change, up to the change `last`.
    fn until(&self, last: u32) -> impl Iterator<Item = (u8, u8)> {
        let soon = self.steps[self.past..].iter().take_while(move |step| step.index <= last);
        soon.map(|step| (step.square, step.code))
    }
}

impl Lookahead {
    /// The steps after `state`.
    pub fn after<'a>(state: &BoardState, observations: impl Iterator<Item = &'a Observation>) -> Lookahead {
        let (mut state, now) = (*state, state.index);
        let [mut landings, mut departures] = [(); 2].map(|()| Timetable::default());
        for observation in observations {
            if let Observation::Change { square, new, .. } = *observation
                && state.code(square) != new
            {
                let event = state.set(square, new, true, None);
                landings.add(event.index, square, new);
                departures.add(event.index, square, event.old);
            }
        }
        let mut lookahead = Lookahead { landings, departures, now, left: limits::SPECULATIONS_MAX };
        lookahead.advance(now);
        lookahead
    }

    /// Moves on to the change with this number.
    pub fn advance(&mut self, index: u32) {
        self.now = index;
        self.landings.advance(index);
        self.departures.advance(index);
    }

    /// Whether anything later is known.
    pub fn is_known(&self) -> bool {
        !self.landings.steps.is_empty()
    }

    /// Whether this piece comes to a square soon.
    pub fn lands(&self, square: u8, code: u8) -> bool {
        self.landings.squares_of(code) & bit(square) != 0
    }

    /// Whether another piece comes to a square soon.
    pub fn is_taken(&self, square: u8, code: u8) -> bool {
        self.landings.squares_of_others(code) & bit(square) != 0
    }

    /// The squares that a piece with this code comes to soon.
    pub fn landings_of(&self, code: u8) -> Squares {
        self.landings.squares_of(code)
    }

    /// The squares that pieces of a side come to soon, and those that they leave.
    pub fn of_side(&self, side: Colour) -> [Squares; 2] {
        [&self.landings, &self.departures].map(|timetable| timetable.of_side[side.index()])
    }

    /// The squares that pieces come to soon, with the pieces.
    pub fn soon(&self) -> impl Iterator<Item = (u8, u8)> {
        self.within(limits::LOOKAHEAD_CHANGES)
    }

    /// The same within this many changes.
    pub fn within(&self, changes: u32) -> impl Iterator<Item = (u8, u8)> {
        self.landings.until(self.now + changes)
    }

    /// The squares that pieces leave soon, with the pieces.
    pub fn leaving(&self) -> impl Iterator<Item = (u8, u8)> {
        self.departures.until(self.now + limits::LOOKAHEAD_CHANGES)
    }
}
