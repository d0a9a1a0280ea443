//! The clock of a board: whether it is connected, its battery, and whether pieces move while it runs.

use super::{limits, series::Series};
use crate::record::{Clock, Seconds, Time};

/// A clock that was disconnected. The game may have been over; if not, a move or a running clock follows.
#[derive(Debug, Clone, Copy)]
struct Disconnection {
    since: Option<Time>,
    /// A game was in play and has not gone on yet.
    in_play: bool,
    /// No move has come since, and no other game has begun.
    unmoved: bool,
}

/// The state of a clock.
#[derive(Debug, Clone, Default)]
pub struct ClockWatch {
    /// The last reading.
    pub last: Option<Clock>,
    /// When that was.
    read: Option<Time>,
    /// It was connected at some time.
    was_connected: bool,
    /// It was pressed at some time.
    was_pressed: bool,
    /// It was pressed after the last reading.
    pressed_since: bool,
    /// It is disconnected.
    away: Option<Disconnection>,
    /// Times at which it was disconnected in a game that went on.
    pub disconnected: Series,
    /// Times at which its battery became low.
    pub low_battery: Series,
    /// Presses since the board last changed.
    presses: u32,
    /// When the board last changed or the clock began to run.
    still_since: Option<Time>,
    /// Times since which it ran, or was pressed, without a change.
    pub unmoved: Series,
    /// The current period without a change is in `unmoved`.
    counted: bool,
    /// The value of `unmoved` before the current period, while the clock may have been left running after the game.
    before: Option<Series>,
    /// `unmoved` before the presses counted last, and when these came, while the players may be stopping the clock.
    before_stop: Option<(Series, Option<Time>)>,
}

impl ClockWatch {
    /// Whether it runs; none if unknown.
    pub fn runs(&self) -> Option<bool> {
        self.last.as_ref().filter(|clock| clock.connected).and_then(|clock| clock.running)
    }

    /// The same, but a disconnected clock counts as stopped until a move comes: it was put away after its game.
    pub fn runs_on(&self) -> Option<bool> {
        // A clock that was stopped at the last reading may have been started since.
        let runs = self.runs().filter(|&runs| runs || !self.pressed_since);
        runs.or(self.away.filter(|away| away.unmoved).and(Some(false)))
    }

    /// Takes a reading.
    pub fn reading(&mut self, clock: &Clock, time: Option<Time>, in_play: bool) {
        let was = self.last.as_ref().is_some_and(|last| last.connected);
        if was && !clock.connected {
            self.away = Some(Disconnection { since: time, in_play, unmoved: true });
        }
        let low = |clock: &Clock| clock.low_battery == Some(true);
        if low(clock) && !self.last.as_ref().is_some_and(low) {
            self.low_battery.add(time);
        }
        let ran = self.runs() == Some(true);
        self.was_connected |= clock.connected;
        self.last = Some(clock.clone());
        // After a gap in the readings (the recording stopped, or its machine's clock was set) the time between is unknown.
        let known = self.is_read(time);
        self.read = time.or(self.read);
        self.pressed_since = false;
        if clock.connected {
            if clock.running == Some(true) {
                self.continues();
            }
            self.away = None;
        }
        if self.runs() == Some(true) {
            if !ran || !known {
                (self.still_since, self.counted) = (time, false);
            }
            // After the game a clock may have been left running.
            if in_play {
                self.count_stillness(time);
            }
        } else {
            self.stops(time);
            (self.still_since, self.presses) = (None, 0);
        }
    }

    /// It does not run. At the end of a game players press a few times before they stop it.
    fn stops(&mut self, time: Option<Time>) {
        let Some((before, counted)) = self.before_stop.take() else { return };
        let apart = counted.zip(time).map(|(counted, time)| counted.seconds_until(time));
        if apart.is_some_and(|seconds| seconds <= limits::STOPPED_WITHIN_SECONDS) {
            self.unmoved = before;
        }
    }

    /// Whether there is a recent reading.
    fn is_read(&self, now: Option<Time>) -> bool {
        self.read.zip(now).is_none_or(|(read, now)| read.seconds_until(now) <= limits::UNREAD_SECONDS)
    }

    /// The seconds of [`ClockWatch::still`]; none without a recent reading.
    pub fn still_now(&self, now: Time) -> Option<f64> {
        self.still(self.read).filter(|_| self.is_read(Some(now)))?;
        self.still(Some(now)).map(|(seconds, _)| seconds)
    }

    /// Whether a clock was ever connected or pressed.
    pub fn is_known(&self) -> bool {
        self.was_connected || self.was_pressed
    }

    /// Whether it was connected and is not any more.
    pub fn is_disconnected(&self) -> bool {
        self.away.is_some()
    }

    /// A side was pressed and showed this time.
    pub fn press(&mut self, seconds: Seconds, time: Option<Time>) {
        // A side without time left cannot play on: this press comes after the game.
        self.presses = self.presses.saturating_add(u32::from(seconds.0 > 0.0));
        self.before = None;
        (self.was_pressed, self.pressed_since) = (true, true);
        self.read = time.or(self.read);
        self.count_stillness(time);
    }

    /// The board changed.
    pub fn moved(&mut self, time: Option<Time>) {
        (self.still_since, self.presses, self.counted) = (time, 0, false);
    }

    /// For how many seconds the clock has run, or been pressed, without a change, and the number of presses; none if neither is
    /// enough for a finding.
    pub fn still(&self, now: Option<Time>) -> Option<(f64, u32)> {
        let since = self.still_since?;
        let seconds = now.map_or(0.0, |now| since.seconds_until(now));
        let runs = self.runs() == Some(true);
        let pressed =
            self.presses >= limits::PRESSES_WITHOUT_CHANGE.0 && seconds >= limits::PRESSES_WITHOUT_CHANGE.1;
        let long = seconds >= limits::LONG_THINK_SECONDS && runs || pressed;
        long.then_some((seconds, self.presses))
    }

    fn count_stillness(&mut self, time: Option<Time>) {
        if !self.counted && self.still(time).is_some() {
            self.counted = true;
            // The press of the last move may be reported after its change.
            self.before = (self.presses <= 1).then(|| self.unmoved.clone());
            self.before_stop = (self.presses > 1).then(|| (self.unmoved.clone(), time));
            self.unmoved.add(self.still_since);
        }
    }

    /// The game goes on, if one was in play when the clock was disconnected.
    pub fn continues(&mut self) {
        if let Some(away @ Disconnection { in_play: true, .. }) = &mut self.away {
            away.in_play = false;
            self.disconnected.add(away.since);
        }
    }

    /// A move of the game was played at this time.
    pub fn played(&mut self, time: Option<Time>) {
        self.before.take_if(|_| time > self.unmoved.last);
        let since = |away: &Disconnection| away.since.zip(time).is_none_or(|(since, time)| time > since);
        if let Some(away) = self.away.as_mut().filter(|away| since(away)) {
            away.unmoved = false;
            self.continues();
        }
    }

    /// The game is over. If no move came while the clock ran, it was left running.
    pub fn game_is_over(&mut self) {
        if let Some(before) = self.before.take() {
            self.unmoved = before;
        }
        self.another_begins();
    }

    /// Another game begins, or is set up. A game that did not go on after the clock was disconnected was over by then,
    /// and the state of its clock does not apply to the next one.
    pub fn another_begins(&mut self) {
        if let Some(away) = &mut self.away {
            (away.in_play, away.unmoved) = (false, false);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::ClockSide;

    #[test]
    fn clock_without_recent_reading_is_not_still() {
        let mut watch = running(false);
        let (last, hour) = (Time(2_000 + 60_000 * 39), 3600.0);
        assert!(watch.still_now(last.after(60.0)).is_some_and(|seconds| seconds > 2_300.0));
        assert_eq!(watch.still_now(last.after(hour)), None);
        // An hour without readings: the clock runs after it, and the time between does not count.
        let clock = watch.last.clone().unwrap();
        watch.moved(Some(last));
        for minute in 0..29 {
            watch.reading(&clock, Some(last.after(hour + 60.0 * f64::from(minute))), true);
        }
        assert_eq!((watch.unmoved.count, watch.still_now(last.after(hour + 29.0 * 60.0))), (1, None));
        watch.reading(&clock, Some(last.after(hour + 31.0 * 60.0)), true);
        assert_eq!(watch.unmoved.count, 2);
    }

    /// The time on the clock in a game that goes on.
    const LEFT: Seconds = Seconds(300.0);

    /// A clock that runs from the first second on. A move was made then and, if `pressed`, pressed after it.
    fn running(pressed: bool) -> ClockWatch {
        let side = Some(ClockSide { seconds: Seconds(5000.0), flag: false });
        let clock = Clock {
            connected: true,
            left: side,
            right: side,
            running: Some(true),
            turn: None,
            low_battery: None,
        };
        let mut watch = ClockWatch::default();
        watch.moved(Some(Time(1_000)));
        if pressed {
            watch.press(LEFT, Some(Time(1_001)));
        }
        for minute in 0..40 {
            watch.reading(&clock, Some(Time(2_000 + 60_000 * minute)), true);
        }
        assert_eq!(watch.unmoved.count, 1);
        watch
    }

    #[test]
    fn clock_left_running_after_its_game_is_no_finding() {
        for pressed in [false, true] {
            let mut left = running(pressed);
            // A move is reported again that was made before.
            left.played(Some(Time(500)));
            left.game_is_over();
            assert_eq!(left.unmoved.count, 0, "{pressed}");
        }
    }

    #[test]
    fn presses_just_before_the_clock_stops_are_no_moves() {
        let stopped = |seconds: f64| {
            let mut watch = running(false);
            let last = Time(2_000 + 60_000 * 40);
            watch.moved(Some(last));
            // The press of the last move, and three more.
            [1.0, 20.0, 22.0, 24.0].into_iter().for_each(|press| watch.press(LEFT, Some(last.after(press))));
            assert_eq!(watch.unmoved.count, 2);
            let clock = Clock { running: Some(false), ..watch.last.clone().unwrap() };
            watch.reading(&clock, Some(last.after(24.0 + seconds)), true);
            watch.unmoved.count
        };
        assert_eq!(
            [5.0, 40.0, 60.0].map(stopped),
            [1, 1, 2],
            "a game that goes on unseen is not over at once, and a clock is read late where an answer was missed"
        );
    }

    #[test]
    fn presses_of_a_side_without_time_do_not_count() {
        let unmoved = |seconds: f64| {
            let mut watch = running(false);
            let last = Time(2_000 + 60_000 * 40);
            watch.moved(Some(last));
            for (press, seconds) in [(1.0, 300.0), (570.0, seconds), (572.0, 300.0), (572.0, seconds)] {
                watch.press(Seconds(seconds), Some(last.after(press)));
            }
            watch.unmoved.count
        };
        assert_eq!((unmoved(0.0), unmoved(2.0)), (1, 2));
    }

    #[test]
    fn long_still_time_before_a_move_is_found() {
        let mut moved = running(true);
        moved.played(Some(Time(3_000_000)));
        moved.game_is_over();
        let mut pressed = running(true);
        pressed.press(LEFT, Some(Time(3_000_000)));
        pressed.game_is_over();
        assert_eq!((moved.unmoved.count, pressed.unmoved.count), (1, 1));
    }
}
