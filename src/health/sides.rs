//! At which side of the clock White sits: a poll that reports one press and landings of one colour attributes that side to
//! that colour.

use super::limits;
use crate::record::{Side, Time};

/// The sides of a clock, in the order in which arrays hold their data.
pub const SIDES: [Side; 2] = [Side::Left, Side::Right];

/// The index of a side in [`SIDES`].
pub fn index_of(side: Side) -> usize {
    usize::from(side == Side::Right)
}

/// What is known of the sides.
#[derive(Debug, Clone, Copy, Default)]
pub struct Sides {
    /// How many more polls put White at the left than at the right.
    white_left: i32,
    /// What the current poll has reported.
    poll: Poll,
}

/// What one poll reported: which of the [`SIDES`] were pressed, and which colours landed (Black, White).
#[derive(Debug, Clone, Copy, Default)]
struct Poll {
    time: Option<Time>,
    pressed: [bool; 2],
    landed: [bool; 2],
}

impl Sides {
    /// A side was pressed.
    pub fn press(&mut self, side: Side, time: Option<Time>) {
        self.poll(time).pressed[index_of(side)] = true;
    }

    /// A piece landed, of White or of Black.
    pub fn land(&mut self, white: bool, time: Option<Time>) {
        self.poll(time).landed[usize::from(white)] = true;
    }

    /// Whether White sits at this side; none if unknown.
    pub fn is_white(&self, side: Side) -> Option<bool> {
        let known = self.white_left.abs() >= limits::SIDE_PRESSES;
        known.then_some((self.white_left > 0) == (side == Side::Left))
    }

    /// The time of the poll `time` at each of the [`SIDES`] where it reported a press that may be this colour's.
    pub fn pressed_at(&self, white: bool, time: Option<Time>) -> [Option<Time>; 2] {
        SIDES.map(|side| {
            let pressed = self.poll.time == time && self.poll.pressed[index_of(side)];
            time.filter(|_| pressed && self.is_white(side) != Some(!white))
        })
    }

    /// The poll with this time. The previous one is complete only now: a press may be read before the last square of
    /// its move.
    fn poll(&mut self, time: Option<Time>) -> &mut Poll {
        if self.poll.time != time {
            let complete = std::mem::replace(&mut self.poll, Poll { time, ..Poll::default() });
            if let (Some(right), Some(white)) = (only_true(complete.pressed), only_true(complete.landed)) {
                let more = if (white == 1) == (right == 0) { 1 } else { -1 };
                let limit = 2 * limits::SIDE_PRESSES;
                self.white_left = (self.white_left + more).clamp(-limit, limit);
            }
        }
        &mut self.poll
    }
}

/// The index of the one that is true, if exactly one is.
fn only_true(of: [bool; 2]) -> Option<usize> {
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
    fn few_presses_show_who_sits_where() {
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
                // The current poll is not complete yet.
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
    fn poll_with_both_colours_or_sides_is_ignored() {
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
