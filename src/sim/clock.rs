//! The clock of a board: two sides, an increment, a lever; its display at any moment.

use super::{Micros, SECOND};
use crate::record::{Clock, ClockSide, Seconds, Side};

/// The display of a clock from a moment on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ClockFace {
    /// From when.
    pub since: Micros,
    /// The seconds on the left display then.
    pub left: f64,
    /// The seconds on the right display.
    pub right: f64,
    /// Whose turn it is: the lever is up on the other side.
    pub turn: Side,
    /// Whether that side's time runs.
    pub running: bool,
}

impl ClockFace {
    /// The record of the display at `now`, in whole seconds; the flag of a side at zero has fallen.
    pub fn at(&self, now: Micros) -> Clock {
        let passed = if self.running { now.saturating_sub(self.since) as f64 / SECOND as f64 } else { 0.0 };
        let reading = |shown: f64, side: Side| {
            let shown = if side == self.turn { shown - passed } else { shown };
            ClockSide { seconds: Seconds(shown.max(0.0).floor()), flag: shown <= 0.0 }
        };
        let (left, right) = (reading(self.left, Side::Left), reading(self.right, Side::Right));
        let flag = left.flag || right.flag;
        Clock {
            connected: true,
            left: Some(left),
            right: Some(right),
            running: Some(self.running && !flag),
            turn: Some(self.turn),
            low_battery: Some(false),
        }
    }
}

impl ClockFace {
    /// The display after the clock is stopped at this time.
    pub fn stopped(self, at: Micros) -> ClockFace {
        let passed = if self.running { at.saturating_sub(self.since) as f64 / SECOND as f64 } else { 0.0 };
        let left = |shown: f64, side: Side| if side == self.turn { (shown - passed).max(0.0) } else { shown };
        let (left, right) = (left(self.left, Side::Left), left(self.right, Side::Right));
        ClockFace { since: at, left, right, running: false, ..self }
    }
}

/// The display at `now` by the last of these faces (in order of time) that has begun; without faces there is no clock.
pub fn reading(faces: &[ClockFace], now: Micros) -> Clock {
    let begun = faces.partition_point(|face| face.since <= now);
    // Before the first face the clock shows the same as at its beginning.
    faces.get(begun.saturating_sub(1)).map_or_else(Clock::default, |face| face.at(now))
}

/// The clock of one game by colour; `white_is` converts colours to sides.
#[derive(Debug, Clone)]
pub struct GameClock {
    /// Seconds left for White and for Black.
    left: [f64; 2],
    /// The increment of a press, in seconds.
    pub increment: f64,
    white_is: Side,
    /// When the present turn began.
    pub began: Micros,
}

impl GameClock {
    /// A clock set to `control` (seconds, increment), not running.
    pub fn new((base, increment): (f64, f64), white_is: Side) -> GameClock {
        GameClock { left: [base; 2], increment, white_is, began: 0 }
    }

    /// The side on which a colour sits.
    pub fn side(&self, white: bool) -> Side {
        if white { self.white_is } else { self.white_is.other() }
    }

    /// Seconds a colour had when its turn began.
    pub fn has(&self, white: bool) -> f64 {
        self.left[usize::from(!white)]
    }

    /// Sets the seconds of a colour.
    pub fn set(&mut self, white: bool, seconds: f64) {
        self.left[usize::from(!white)] = seconds;
    }

    /// The display when the turn of `white` begins, or while the clock is stopped in that turn.
    pub fn face(&mut self, now: Micros, white: bool, running: bool) -> ClockFace {
        self.began = now;
        let (mine, other) = (self.left[0], self.left[1]);
        let (left, right) = if self.white_is == Side::Left { (mine, other) } else { (other, mine) };
        ClockFace { since: now, left, right, turn: self.side(white), running }
    }

    /// `white` presses the clock. Returns the whole seconds that it shows then: those of the game, if `known`.
    pub fn press(&mut self, now: Micros, white: bool, known: Option<f64>) -> f64 {
        let used = now.saturating_sub(self.began) as f64 / SECOND as f64;
        let left = &mut self.left[usize::from(!white)];
        *left = known.unwrap_or((*left - used + self.increment).max(1.0));
        left.floor()
    }

    /// Stops the clock; the side to move keeps its remaining time.
    pub fn stop(&mut self, now: Micros, white: bool) -> ClockFace {
        let used = now.saturating_sub(self.began) as f64 / SECOND as f64;
        let left = &mut self.left[usize::from(!white)];
        *left = (*left - used).max(0.0);
        self.face(now, white, false)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pressed_clock_shows_its_increment() {
        let mut clock = GameClock::new((60.0, 5.0), Side::Left);
        let face = clock.face(0, true, true);
        let shown = face.at(10 * SECOND);
        assert_eq!(shown.left.unwrap().seconds.0, 50.0);
        assert_eq!(shown.right.unwrap().seconds.0, 60.0);
        assert_eq!(clock.press(10 * SECOND, true, None), 55.0);
        assert_eq!(clock.face(10 * SECOND, false, true).turn, Side::Right);
    }

    #[test]
    fn at_zero_the_flag_falls_and_the_clock_stops() {
        let face = ClockFace { since: 0, left: 3.0, right: 9.0, turn: Side::Left, running: true };
        let shown = face.at(4 * SECOND);
        assert_eq!(shown.left.unwrap(), ClockSide { seconds: Seconds(0.0), flag: true });
        assert_eq!(shown.running, Some(false));
    }
}
