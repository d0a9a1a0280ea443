//! The clock beside a board: whether it is there, its battery, and whether the board moves while it runs.

use super::{limits, series::Series};
use crate::record::{Clock, Seconds, Time};

/// A clock that went away. The game may have been over: whoever plays on makes a move, or has it run again.
#[derive(Debug, Clone, Copy)]
struct Away {
    since: Option<Time>,
    /// A game was in play, and has not gone on yet.
    in_play: bool,
    /// No move came since, nor another game.
    unmoved: bool,
}

/// What is known of a clock.
#[derive(Debug, Clone, Default)]
pub struct ClockWatch {
    /// The last reading.
    pub last: Option<Clock>,
    /// When that was.
    read: Option<Time>,
    /// It was there before.
    was_connected: bool,
    /// It was pressed.
    was_pressed: bool,
    /// It was, since it was read.
    pressed_since: bool,
    /// It is away.
    away: Option<Away>,
    /// It went away in a game that went on, and each time again.
    pub disconnected: Series,
    /// Its battery was low.
    pub low_battery: Series,
    /// Presses since the board last changed.
    presses: u32,
    /// When the board last changed, or the clock began to run.
    still_since: Option<Time>,
    /// It ran, or was pressed, and nothing moved.
    pub unmoved: Series,
    /// This stillness was counted.
    counted: bool,
    /// What was counted before it, while it may be that the clock was left running behind a game.
    before: Option<Series>,
    /// What was counted before presses were, and when they were, while they may be of players who stop the clock.
    before_stop: Option<(Series, Option<Time>)>,
}

impl ClockWatch {
    /// Whether it runs; none where that is not known.
    pub fn runs(&self) -> Option<bool> {
        self.last.as_ref().filter(|clock| clock.connected).and_then(|clock| clock.running)
    }

    /// The same, but that one which went away does not run as long as no move comes: it was put away when its game was over.
    pub fn runs_on(&self) -> Option<bool> {
        // What stood when it was read last may have been started since.
        let runs = self.runs().filter(|&runs| runs || !self.pressed_since);
        runs.or(self.away.filter(|away| away.unmoved).and(Some(false)))
    }

    /// A reading, in a game or not.
    pub fn reading(&mut self, clock: &Clock, time: Option<Time>, in_play: bool) {
        let was = self.last.as_ref().is_some_and(|last| last.connected);
        if was && !clock.connected {
            self.away = Some(Away { since: time, in_play, unmoved: true });
        }
        let low = |clock: &Clock| clock.low_battery == Some(true);
        if low(clock) && !self.last.as_ref().is_some_and(low) {
            self.low_battery.add(time);
        }
        let ran = self.runs() == Some(true);
        self.was_connected |= clock.connected;
        self.last = Some(clock.clone());
        // What happened while nobody read it, for the recording stood or its machine's clock was set, nobody knows.
        let known = self.is_read(time);
        self.read = time.or(self.read);
        self.pressed_since = false;
        if clock.connected {
            if clock.running == Some(true) {
                self.goes_on();
            }
            self.away = None;
        }
        if self.runs() == Some(true) {
            if !ran || !known {
                (self.still_since, self.counted) = (time, false);
            }
            // When the game is over a clock may have been left running.
            if in_play {
                self.look(time);
            }
        } else {
            self.stops(time);
            (self.still_since, self.presses) = (None, 0);
        }
    }

    /// It does not run. Who ends a game turns the lever back and forth before he stops the clock.
    fn stops(&mut self, time: Option<Time>) {
        let Some((before, counted)) = self.before_stop.take() else { return };
        let apart = counted.zip(time).map(|(counted, time)| counted.seconds_until(time));
        if apart.is_some_and(|seconds| seconds <= limits::STOPPED_WITHIN) {
            self.unmoved = before;
        }
    }

    /// Whether it was read lately.
    fn is_read(&self, now: Option<Time>) -> bool {
        self.read.zip(now).is_none_or(|(read, now)| read.seconds_until(now) <= limits::UNREAD)
    }

    /// See [`ClockWatch::still`]; none where it was not read lately.
    pub fn still_now(&self, now: Time) -> Option<f64> {
        self.still(self.read).filter(|_| self.is_read(Some(now)))?;
        self.still(Some(now)).map(|(seconds, _)| seconds)
    }

    /// Whether anything was ever told of one.
    pub fn is_known(&self) -> bool {
        self.was_connected || self.was_pressed
    }

    /// Whether it is away that was there.
    pub fn is_away(&self) -> bool {
        self.away.is_some()
    }

    /// A side was pressed, and showed so many seconds.
    pub fn press(&mut self, seconds: Seconds, time: Option<Time>) {
        // Whose time is up plays on no more: he turns the lever of a game that is over.
        self.presses = self.presses.saturating_add(u32::from(seconds.0 > 0.0));
        self.before = None;
        (self.was_pressed, self.pressed_since) = (true, true);
        self.read = time.or(self.read);
        self.look(time);
    }

    /// The board changed.
    pub fn moved(&mut self, time: Option<Time>) {
        (self.still_since, self.presses, self.counted) = (time, 0, false);
    }

    /// For how long the clock has run with nothing moving, if that is long; and how many presses that were.
    pub fn still(&self, now: Option<Time>) -> Option<(f64, u32)> {
        let since = self.still_since?;
        let seconds = now.map_or(0.0, |now| since.seconds_until(now));
        let runs = self.runs() == Some(true);
        let pressed = self.presses >= limits::PRESSES.0 && seconds >= limits::PRESSES.1;
        let long = seconds >= limits::NO_CHANGE && runs || pressed;
        long.then_some((seconds, self.presses))
    }

    fn look(&mut self, time: Option<Time>) {
        if !self.counted && self.still(time).is_some() {
            self.counted = true;
            // The press of the last move may come behind its change.
            self.before = (self.presses <= 1).then(|| self.unmoved.clone());
            self.before_stop = (self.presses > 1).then(|| (self.unmoved.clone(), time));
            self.unmoved.add(self.still_since);
        }
    }

    /// The game goes on, if one was in play when the clock went away.
    pub fn goes_on(&mut self) {
        if let Some(away @ Away { in_play: true, .. }) = &mut self.away {
            away.in_play = false;
            self.disconnected.add(away.since);
        }
    }

    /// A move of the game came at this time.
    pub fn played(&mut self, time: Option<Time>) {
        self.before.take_if(|_| time > self.unmoved.last);
        let since = |away: &Away| away.since.zip(time).is_none_or(|(since, time)| time > since);
        if let Some(away) = self.away.as_mut().filter(|away| since(away)) {
            away.unmoved = false;
            self.goes_on();
        }
    }

    /// The game is over. Where nothing of it came since, the clock had been left running behind it.
    pub fn game_is_over(&mut self) {
        if let Some(before) = self.before.take() {
            self.unmoved = before;
        }
        self.another_begins();
    }

    /// Another game begins, or the pieces are set up for one: the one before was over when the clock went away, if it did not go
    /// on since, and of this one the clock says nothing.
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
    fn a_clock_that_nobody_reads_is_known_to_run_no_longer() {
        let mut watch = running(false);
        let (last, hour) = (Time(2_000 + 60_000 * 39), 3600.0);
        assert!(watch.still_now(last.after(60.0)).is_some_and(|seconds| seconds > 2_300.0));
        assert_eq!(watch.still_now(last.after(hour)), None);
        // The recording stood, or its machine's clock was set: an hour later it runs, and what was between is not known.
        let clock = watch.last.clone().unwrap();
        watch.moved(Some(last));
        for minute in 0..29 {
            watch.reading(&clock, Some(last.after(hour + 60.0 * f64::from(minute))), true);
        }
        assert_eq!((watch.unmoved.count, watch.still_now(last.after(hour + 29.0 * 60.0))), (1, None));
        watch.reading(&clock, Some(last.after(hour + 31.0 * 60.0)), true);
        assert_eq!(watch.unmoved.count, 2);
    }

    /// What the clock of a game shows that goes on.
    const LEFT: Seconds = Seconds(300.0);

    /// A clock that runs from the first second on, when a move was made and, in one of two, pressed behind that.
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
    fn a_clock_that_was_left_running_behind_its_game_is_no_trouble() {
        for pressed in [false, true] {
            let mut left = running(pressed);
            // A move is told again, which was made before.
            left.played(Some(Time(500)));
            left.game_is_over();
            assert_eq!(left.unmoved.count, 0, "{pressed}");
        }
    }

    #[test]
    fn who_turns_the_lever_back_and_forth_before_he_stops_the_clock_plays_no_moves() {
        let stopped = |seconds: f64| {
            let mut watch = running(false);
            let last = Time(2_000 + 60_000 * 40);
            watch.moved(Some(last));
            // The last move's, and three more.
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
    fn presses_of_a_side_whose_time_is_up_are_of_a_game_that_is_over() {
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
    fn a_clock_that_ran_long_for_a_move_or_was_pressed_for_nothing_is() {
        let mut moved = running(true);
        moved.played(Some(Time(3_000_000)));
        moved.game_is_over();
        let mut pressed = running(true);
        pressed.press(LEFT, Some(Time(3_000_000)));
        pressed.game_is_over();
        assert_eq!((moved.unmoved.count, pressed.unmoved.count), (1, 1));
    }
}
