//! The time on a clock between two records.

use super::{
    board::{Clock, Press},
    value::{Side, Time},
};

/// The state of a board's clock.
#[derive(Debug, Clone, Default)]
pub struct ShownClock {
    /// The seconds on each side in the last record: left, right.
    seconds: [Option<f64>; 2],
    flags: [bool; 2],
    /// The side that runs, and the time since when.
    running: Option<(Side, Option<Time>)>,
    /// Whether there is a clock; none before the first report.
    pub connected: Option<bool>,
    /// Its battery is low.
    pub low_battery: bool,
}

fn index(side: Side) -> usize {
    match side {
        Side::Left => 0,
        Side::Right => 1,
    }
}

impl ShownClock {
    /// A player has halted his side.
    pub fn press(&mut self, press: &Press, time: Option<Time>) {
        let (halted, runs) = (press.side, press.side.other());
        // Where a press was missed, the time of the side that ran can only be estimated by this.
        self.seconds[index(runs)] = self.shown(runs, time);
        self.seconds[index(halted)] = Some(press.seconds.0);
        self.running = Some((runs, time));
        self.connected = Some(true);
    }

    /// Reads a report of the whole clock.
    pub fn read(&mut self, clock: &Clock, time: Option<Time>) {
        self.connected = Some(clock.connected);
        self.low_battery = clock.low_battery == Some(true);
        for (side, shown) in [(Side::Left, clock.left), (Side::Right, clock.right)] {
            if let Some(shown) = shown {
                self.seconds[index(side)] = Some(shown.seconds.0);
                self.flags[index(side)] = shown.flag;
            }
        }
        self.running = clock.turn.filter(|_| clock.running == Some(true)).map(|turn| (turn, time));
    }

    /// The game is over: the clock is stopped.
    pub fn halt(&mut self, time: Option<Time>) {
        if let Some((side, _)) = self.running {
            self.seconds[index(side)] = self.shown(side, time);
            self.running = None;
        }
    }

    /// The clock of the recording machine was put back from one time to another.
    pub fn is_put_back(&mut self, from: Option<Time>, to: Time) {
        if let Some((side, since)) = self.running {
            self.seconds[index(side)] = self.shown(side, from);
            self.running = Some((side, since.map(|_| to)));
        }
    }

    /// The side that runs.
    pub fn runs(&self) -> Option<Side> {
        self.running.map(|(side, _)| side)
    }

    /// Whether a flag has fallen.
    pub fn has_fallen(&self, side: Side) -> bool {
        self.flags[index(side)]
    }

    /// The seconds on a side at this time.
    pub fn shown(&self, side: Side, now: Option<Time>) -> Option<f64> {
        let last = self.seconds[index(side)]?;
        match (self.running, now) {
            (Some((runs, Some(since))), Some(now)) if runs == side => {
                Some((last - since.seconds_until(now).max(0.0)).max(0.0))
            }
            _ => Some(last),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Seconds;

    #[test]
    fn the_other_side_runs_after_a_press() {
        let mut clock = ShownClock::default();
        let press = |side, seconds| Press { side, seconds: Seconds(seconds) };
        clock.press(&press(Side::Left, 90.0), Some(Time(0)));
        clock.press(&press(Side::Right, 80.0), Some(Time(1000)));
        assert_eq!(clock.shown(Side::Left, Some(Time(11_000))), Some(80.0));
        assert_eq!(clock.shown(Side::Right, Some(Time(11_000))), Some(80.0));
        clock.halt(Some(Time(21_000)));
        assert_eq!(clock.shown(Side::Left, Some(Time(500_000))), Some(70.0));
        // It does not run below zero.
        clock.press(&press(Side::Right, 5.0), Some(Time(500_000)));
        assert_eq!(clock.shown(Side::Left, Some(Time(900_000))), Some(0.0));
    }
}
