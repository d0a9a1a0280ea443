//! At which side of the clock White sits: where a poll tells of one press, and pieces of one colour came down, it is
//! that colour's side.

use super::limits;
use crate::record::{Side, Time};

/// The sides of a clock, in the order in which what is known of both is kept.
pub const SIDES: [Side; 2] = [Side::Left, Side::Right];

/// The place of a side among [`SIDES`].
pub fn place(side: Side) -> usize {
    usize::from(side == Side::Right)
}

/// What is known of the sides.
#[derive(Debug, Clone, Copy, Default)]
pub struct Sides {
    /// How much more often White had moved when the left was pressed, or Black when the right was, than the other way round.
    white_left: i32,
    /// What the last poll told.
    poll: Poll,
}

/// What a poll told: which of the [`SIDES`] pressed, and the colours that came down (Black, White).
#[derive(Debug, Clone, Copy, Default)]
struct Poll {
    time: Option<Time>,
    pressed: [bool; 2],
    landed: [bool; 2],
}

impl Sides {
    /// This side was pressed.
    pub fn press(&mut self, side: Side, time: Option<Time>) {
        self.poll(time).pressed[place(side)] = true;
    }

    /// A piece of White came down, or one of Black.
    pub fn land(&mut self, white: bool, time: Option<Time>) {
        self.poll(time).landed[usize::from(white)] = true;
    }

    /// Whether White sits at this side, if that is known.
    pub fn is_white(&self, side: Side) -> Option<bool> {
        let known = self.white_left.abs() >= limits::PRESSES_KNOW;
        known.then_some((self.white_left > 0) == (side == Side::Left))
    }

    /// When the poll of this time told of a press that may be White's, or Black's, at each of the [`SIDES`].
    pub fn pressed_at(&self, white: bool, time: Option<Time>) -> [Option<Time>; 2] {
        SIDES.map(|side| {
            let pressed = self.poll.time == time && self.poll.pressed[place(side)];
            time.filter(|_| pressed && self.is_white(side) != Some(!white))
        })
    }

    /// What the poll of this time tells. What the one before it told is whole: a press may be told before the last square of
    /// its move.
    fn poll(&mut self, time: Option<Time>) -> &mut Poll {
        if self.poll.time != time {
            let told = std::mem::replace(&mut self.poll, Poll { time, ..Poll::default() });
            if let (Some(right), Some(white)) = (only(told.pressed), only(told.landed)) {
                let more = if (white == 1) == (right == 0) { 1 } else { -1 };
                self.white_left =
                    (self.white_left + more).clamp(-limits::PRESSES_KNOWN, limits::PRESSES_KNOWN);
            }
        }
        &mut self.poll
    }
}

/// Which of two it is, if it is one alone.
fn only(of: [bool; 2]) -> Option<usize> {
    match of {
        [true, false] => Some(0),
        [false, true] => Some(1),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sides_are_known_by_a_few_moves_whether_the_press_is_told_before_the_landing_or_behind_it() {
        for landing_first in [false, true] {
            let mut sides = Sides::default();
            for ply in 0..6 {
                let (white, time) = (ply % 2 == 0, Some(Time(ply * 2000)));
                // White sits at the right.
                let side = if white { Side::Right } else { Side::Left };
                if landing_first {
                    sides.land(white, time);
                }
                sides.press(side, time);
                if !landing_first {
                    sides.land(white, time);
                }
                let known = SIDES.map(|side| sides.is_white(side));
                // What this poll tells is not whole yet.
                assert_eq!(known, if ply < 3 { [None, None] } else { [Some(false), Some(true)] });
            }
            let last = Some(Time(10_000));
            assert_eq!(
                [true, false].map(|white| sides.pressed_at(white, last)),
                [[None, None], [last, None]]
            );
            assert_eq!(sides.pressed_at(false, Some(Time(12_000))), [None, None]);
        }
    }

    #[test]
    fn a_poll_in_which_both_moved_or_pressed_says_nothing() {
        let mut sides = Sides::default();
        for poll in 0..20 {
            let time = Some(Time(poll * 2000));
            sides.press(Side::Left, time);
            sides.land(true, time);
            if poll % 2 == 0 { sides.press(Side::Right, time) } else { sides.land(false, time) }
        }
        assert_eq!(sides.is_white(Side::Left), None);
    }
}
