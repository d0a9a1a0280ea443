//! The pieces that come to squares and leave them after what is being heard: known only when the search goes back and hears
//! the same once more.

use super::{BoardState, Observation};
use crate::{
    reconstruct::limits,
    rules::{Colour, Squares, bit},
};

/// See the module.
#[derive(Debug, Default)]
pub struct Lookahead {
    /// In the order in which they come.
    landings: Timetable,
    /// The same of pieces that leave a square.
    departures: Timetable,
    /// The number of the change that was heard last.
    now: u32,
    /// So many more moves may be thought of that no one saw land.
    pub left: u32,
}

/// A piece that comes to a square, or leaves it.
#[derive(Debug)]
struct Step {
    /// The number of the change.
    index: u32,
    square: u8,
    code: u8,
}

/// What comes, in its order, and how much of it was heard by now.
#[derive(Debug, Default)]
struct Timetable {
    steps: Vec<Step>,
    heard: usize,
    /// The squares of those that come soon, by the code of the piece, and by its side.
    soon: [Squares; CODES],
    of_side: [Squares; 2],
}

/// Codes of pieces, and that of none.
const CODES: usize = 13;

impl Timetable {
    fn add(&mut self, index: u32, square: u8, code: u8) {
        if code != 0 {
            self.steps.push(Step { index, square, code });
        }
    }

    fn hear(&mut self, index: u32) {
        self.heard += self.steps[self.heard..].iter().take_while(|step| step.index <= index).count();
        let (mut soon, mut of_side) = ([0; CODES], [0; 2]);
        for (square, code) in self.until(index + limits::WINDOW) {
            if let (Some(of_code), Some(side)) = (soon.get_mut(usize::from(code)), Colour::of(code)) {
                *of_code |= bit(square);
                of_side[side.index()] |= bit(square);
            }
        }
        (self.soon, self.of_side) = (soon, of_side);
    }

    /// The squares of those that come soon of one code,
    fn squares_of(&self, code: u8) -> Squares {
        self.soon.get(usize::from(code)).copied().unwrap_or(0)
    }

    /// and of all others.
    fn squares_of_others(&self, code: u8) -> Squares {
        (0..).zip(self.soon).filter(|&(other, _)| other != code).fold(0, |all, (_, squares)| all | squares)
    }

    /// What is not heard yet and comes with no later change than the `last`.
    fn until(&self, last: u32) -> impl Iterator<Item = (u8, u8)> {
        let soon = self.steps[self.heard..].iter().take_while(move |step| step.index <= last);
        soon.map(|step| (step.square, step.code))
    }
}

impl Lookahead {
    /// What comes after `state`.
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
        let mut lookahead = Lookahead { landings, departures, now, left: limits::SPECULATIONS };
        lookahead.hear(now);
        lookahead
    }

    /// The change of this number is heard.
    pub fn hear(&mut self, index: u32) {
        self.now = index;
        self.landings.hear(index);
        self.departures.hear(index);
    }

    /// Whether anything is known to come.
    pub fn is_known(&self) -> bool {
        !self.landings.steps.is_empty()
    }

    /// Whether this piece comes to a square soon.
    pub fn lands(&self, square: u8, code: u8) -> bool {
        self.landings.squares_of(code) & bit(square) != 0
    }

    /// Whether another piece comes to a square.
    pub fn is_taken(&self, square: u8, code: u8) -> bool {
        self.landings.squares_of_others(code) & bit(square) != 0
    }

    /// The squares that a piece of this code comes to soon.
    pub fn landings_of(&self, code: u8) -> Squares {
        self.landings.squares_of(code)
    }

    /// The squares that pieces of a side come to soon, and those that they leave.
    pub fn of_side(&self, side: Colour) -> [Squares; 2] {
        [&self.landings, &self.departures].map(|timetable| timetable.of_side[side.index()])
    }

    /// The squares that pieces come to soon, with the pieces.
    pub fn soon(&self) -> impl Iterator<Item = (u8, u8)> {
        self.within(limits::WINDOW)
    }

    /// The same within so many changes.
    pub fn within(&self, changes: u32) -> impl Iterator<Item = (u8, u8)> {
        self.landings.until(self.now + changes)
    }

    /// The squares that pieces leave soon, with the pieces.
    pub fn leaving(&self) -> impl Iterator<Item = (u8, u8)> {
        self.departures.until(self.now + limits::WINDOW)
    }
}
