//! The link to a board: faults, answers, silence and resets.

use super::{
    limits,
    series::{Minutes, Series},
};
use crate::record::{Answers, Fault, FaultKind, Readings, Seconds, Time};

/// Answer times are counted in classes, each wider than the one before by this factor, from one millisecond on.
const CLASS_FACTOR: f64 = 1.25;
const CLASSES: usize = 48;

/// The kinds of faults by which data arrives spoilt.
pub const SPOILT: [FaultKind; 3] = [FaultKind::Checksum, FaultKind::Framing, FaultKind::Corrupt];

/// A period of silence.
#[derive(Debug, Clone, Copy)]
struct Silence {
    since: Option<Time>,
    in_play: bool,
    /// The clock showed `in_play`; without one the board may have been switched off after its game.
    with_clock: bool,
    /// The port was lost, not the board.
    port: bool,
}

impl Silence {
    /// How many seconds it lasted until then.
    fn seconds(&self, until: Option<Time>) -> f64 {
        self.since.zip(until).map_or(0.0, |(since, until)| since.seconds_until(until))
    }

    /// Whether it was a silence in a game, if it lasted until then.
    fn is_in_play(&self, until: Option<Time>) -> bool {
        self.in_play && (self.with_clock || self.seconds(until) <= limits::OVERNIGHT_SECONDS)
    }
}

/// The state of the link to a board.
#[derive(Debug, Clone)]
pub struct Link {
    /// Spoilt data, in the order of [`SPOILT`].
    pub spoilt: [Minutes; 3],
    /// Missed answers of a board that answered afterwards.
    pub unanswered: Minutes,
    /// Missed answers that may be the beginning of a silence.
    doubtful: Vec<Option<Time>>,
    /// Times at which two boards were found to have this address.
    pub twin: Series,
    /// Nothing intact has come since the last of these.
    is_unreadable: bool,
    /// Reports in which many answers were spoilt.
    pub spoilt_answers: Series,
    silence: Option<Silence>,
    /// Silences in a game.
    pub silences: Series,
    /// The longest of these, in seconds.
    pub longest_silence: f64,
    /// A silence that is over, and until when; a reset may explain it.
    ended: Option<(Silence, Option<Time>)>,
    /// Resets, in a game or not.
    pub resets: Series,
    /// Resets during a game.
    pub resets_in_play: Series,
    /// Resets that count only if the game goes on: the time of each, and the number of plies at that time.
    open_resets: Vec<(Option<Time>, usize)>,
    /// The sums of all reports of answers.
    pub answers: Answers,
    /// The current period of slow answers, and the longest that is over.
    slow: [Spell; 2],
    /// Since when it is polled too seldom.
    pub seldom_since: Option<Time>,
    /// How many answers fell into each class of answer times.
    times: [u32; CLASSES],
    /// The sums of what its driver set aside of its reports, and since when.
    pub readings: Readings,
    pub read_since: Option<Time>,
}

impl Default for Link {
    fn default() -> Link {
        Link {
            spoilt: Default::default(),
            unanswered: Minutes::default(),
            doubtful: Vec::new(),
            twin: Series::default(),
            is_unreadable: false,
            spoilt_answers: Series::default(),
            silence: None,
            silences: Series::default(),
            longest_silence: 0.0,
            ended: None,
            resets: Series::default(),
            resets_in_play: Series::default(),
            open_resets: Vec::new(),
            answers: Answers::default(),
            slow: Default::default(),
            seldom_since: None,
            times: [0; CLASSES],
            readings: Readings::default(),
            read_since: None,
        }
    }
}

impl Link {
    /// Takes a fault.
    pub fn fault(&mut self, fault: &Fault, time: Option<Time>) {
        if fault.detail.starts_with(Fault::TWO_BOARDS) {
            self.is_unreadable = true;
            return self.twin.add(time);
        }
        match fault.kind {
            FaultKind::Checksum => self.spoilt[0].add(time),
            FaultKind::Framing => self.spoilt[1].add(time),
            FaultKind::Corrupt => self.spoilt[2].add(time),
            FaultKind::Timeout if self.doubtful.len() < limits::MAX_PENDING => self.doubtful.push(time),
            FaultKind::Timeout => self.unanswered.add(time),
            // A gap between two halls concerns no board.
            FaultKind::Gap => {}
        }
    }

    /// The board sent something intact, so it is present.
    pub fn responded(&mut self) {
        self.is_unreadable = false;
        for time in std::mem::take(&mut self.doubtful) {
            self.unanswered.add(time);
        }
    }

    /// The board no longer answers.
    pub fn lost(&mut self, reason: &str, time: Option<Time>, in_play: bool, with_clock: bool) {
        self.doubtful.clear();
        self.settle();
        self.silence = Some(Silence { since: time, in_play, with_clock, port: reason == "port-closed" });
    }

    /// The board answers again.
    pub fn found(&mut self, time: Option<Time>) {
        if let Some(silence) = self.silence.take() {
            self.ended = Some((silence, time));
        }
    }

    /// The board or its power was reset. `plies`: the length of the game in play, if moves are reported. That game may have been
    /// over: without a clock nothing shows its end, and with one the board may have been switched off before it reported that
    /// the clock was stopped.
    pub fn reset(&mut self, time: Option<Time>, in_play: bool, plies: Option<usize>, with_clock: bool) {
        let silence = self.ended.take_if(|(_, found)| {
            found.zip(time).is_none_or(|(found, time)| found.seconds_until(time) <= limits::ONE_CAUSE_SECONDS)
        });
        self.resets.add(time);
        let is_long =
            silence.is_some_and(|(silence, found)| silence.seconds(found) > limits::PUT_AWAY_SECONDS);
        let plies = plies.filter(|_| !with_clock || is_long);
        if in_play || silence.is_some_and(|(silence, found)| silence.is_in_play(found)) {
            match plies {
                Some(plies) if self.open_resets.len() < limits::MAX_PENDING => {
                    self.open_resets.push((time, plies));
                }
                Some(_) => {}
                None => self.resets_in_play.add(time),
            }
        }
    }

    /// The game in play has this many plies, with a move made at `played`: it went on after earlier resets. Moves made before a
    /// reset may be reported after it.
    pub fn played(&mut self, plies: usize, played: Option<Time>) {
        let Link { open_resets, resets_in_play, .. } = self;
        open_resets.retain(|&(time, had)| {
            let went_on = plies >= had + limits::PLAYED_ON_PLIES && played >= time;
            if went_on {
                resets_in_play.add(time);
            }
            !went_on
        });
    }

    /// The game in play is over, since `over` if that is known. Resets after which it did not go on were outside a
    /// game, and so were silences that began later.
    pub fn game_is_over(&mut self, over: Option<Time>) {
        self.open_resets.clear();
        let ended = self.ended.as_mut().map(|(silence, _)| silence);
        for silence in self.silence.as_mut().into_iter().chain(ended) {
            silence.in_play &= over.is_none() || silence.since < over;
        }
    }

    /// Counts a silence that is over once no reset can explain it any more.
    pub fn settle_by(&mut self, time: Option<Time>) {
        let over = |(_, found): &(Silence, Option<Time>)| {
            found.zip(time).is_some_and(|(found, time)| found.seconds_until(time) > limits::ONE_CAUSE_SECONDS)
        };
        if self.ended.as_ref().is_some_and(over) {
            self.settle();
        }
    }

    fn settle(&mut self) {
        let Some((silence, until)) = self.ended.take() else { return };
        if let Some(seconds) = self.counted_seconds(&silence, until) {
            self.silences.add(silence.since);
            self.longest_silence = self.longest_silence.max(seconds);
        }
    }

    /// The length in seconds of a silence in a game that counts.
    fn counted_seconds(&self, silence: &Silence, until: Option<Time>) -> Option<f64> {
        let seconds = silence.seconds(until);
        (silence.is_in_play(until) && seconds >= limits::SILENCE_SECONDS).then_some(seconds)
    }

    /// All silences in a game up to `now`, current ones too: how many, since when, and the longest in seconds.
    pub fn silences(&self, now: Option<Time>) -> (u64, Option<Time>, f64) {
        let ended = self
            .ended
            .as_ref()
            .and_then(|(silence, until)| Some((silence, self.counted_seconds(silence, *until)?)));
        // A current silence counts however short: after the loss of the port no record follows that shows its length.
        let open = self.silence.as_ref().filter(|silence| silence.is_in_play(now));
        let open = open.map(|silence| (silence, silence.seconds(now)));
        let mut all = (u64::from(self.silences.count), self.silences.first, self.longest_silence);
        for (silence, seconds) in [ended, open].into_iter().flatten() {
            all = (all.0 + 1, all.1.or(silence.since), all.2.max(seconds));
        }
        all
    }

    /// Since when the board has not answered, and whether the port is lost; none if it answers.
    pub fn silent_since(&self) -> Option<(Option<Time>, bool)> {
        self.silence.map(|silence| (silence.since, silence.port))
    }

    /// Whether nothing intact has come since two boards were found to have this address.
    pub fn is_unreadable(&self) -> bool {
        self.is_unreadable
    }

    /// Takes a report of answers up to `time`.
    pub fn add_answers(&mut self, report: &Answers, time: Option<Time>) {
        // A report covers about a minute; one of more than a day is invalid.
        if !(0.0..=limits::MAX_REPORT_SECONDS).contains(&report.seconds.0) {
            return;
        }
        let (asked, spoilt) = (report.asked, f64::from(report.spoilt));
        if asked >= limits::MIN_ANSWERS && spoilt >= limits::SPOILT_SHARE * f64::from(asked) {
            self.spoilt_answers.add(time);
        }
        let since = time.map(|time| time.after(-report.seconds.0));
        let came = report.asked.saturating_sub(report.missed).saturating_sub(report.spoilt);
        let [spell, longest] = &mut self.slow;
        if report.median_seconds.0 > limits::SLOW_SECONDS {
            spell.extend(report, came, since);
        } else if report.asked > 0 {
            let over = std::mem::take(spell);
            if over.seconds > longest.seconds {
                *longest = over;
            }
        }
        if is_seldom(report) {
            self.seldom_since = self.seldom_since.or(since);
        }
        let all = &mut self.answers;
        all.asked = all.asked.saturating_add(report.asked);
        all.missed = all.missed.saturating_add(report.missed);
        all.spoilt = all.spoilt.saturating_add(report.spoilt);
        all.worst_seconds = Seconds(all.worst_seconds.0.max(report.worst_seconds.0));
        all.line_seconds.0 += report.line_seconds.0;
        all.seconds.0 += report.seconds.0;
        let class = (report.median_seconds.0.max(0.001) * 1000.0).log(CLASS_FACTOR).round();
        let class = &mut self.times[(class as usize).min(CLASSES - 1)];
        *class = class.saturating_add(came);
    }

    /// Counts what a driver set aside of the reports of its board.
    pub fn read(&mut self, readings: &Readings, time: Option<Time>) {
        let Readings { reports, ghosts, missed, square } = &mut self.readings;
        *reports = reports.saturating_add(readings.reports);
        *ghosts = ghosts.saturating_add(readings.ghosts);
        *missed = missed.saturating_add(readings.missed);
        *square = readings.square.or(*square);
        self.read_since = self.read_since.or(time);
    }

    /// The seconds between two polls of the board, if that is too long.
    pub fn seldom_asked(&self) -> Option<f64> {
        is_seldom(&self.answers).then(|| seconds_between(&self.answers))
    }

    /// How many seconds its answers take if that is slow, as a median or over a long period; and since when.
    pub fn slow(&self) -> Option<(f64, Option<Time>)> {
        let [spell, longest] = self.slow;
        let longest = if spell.seconds > longest.seconds { spell } else { longest };
        match self.median() {
            Some(median) if median > limits::SLOW_SECONDS => Some((median, longest.since)),
            _ if longest.seconds >= limits::LINK_SPELL_SECONDS => Some((longest.usual(), longest.since)),
            _ => None,
        }
    }

    /// The same for a current period.
    pub fn slow_now(&self) -> Option<f64> {
        let [spell, _] = self.slow;
        let is_usual =
            || spell.seconds > 0.0 && self.median().is_some_and(|median| median > limits::SLOW_SECONDS);
        (spell.seconds >= limits::LINK_SPELL_SECONDS || is_usual()).then(|| spell.usual())
    }

    /// The median answer time in seconds, within a tenth; none without a report.
    pub fn median(&self) -> Option<f64> {
        let all: u64 = self.times.iter().map(|&n| u64::from(n)).sum();
        let mut passed = 0;
        let at = self.times.iter().position(|&n| {
            passed += u64::from(n);
            2 * passed >= all && passed > 0
        })?;
        Some(CLASS_FACTOR.powi(at as i32) / 1000.0)
    }
}

/// A period of slow answers.
#[derive(Debug, Clone, Copy, Default)]
struct Spell {
    since: Option<Time>,
    seconds: f64,
    /// How many answers came.
    came: f64,
    /// The sum of their times, in seconds.
    took: f64,
}

impl Spell {
    /// Adds a report that begins at `since` and has this many intact answers.
    fn extend(&mut self, report: &Answers, came: u32, since: Option<Time>) {
        if self.seconds == 0.0 {
            self.since = since;
        }
        self.seconds += report.seconds.0;
        let came = f64::from(came);
        (self.came, self.took) = (self.came + came, self.took + came * report.median_seconds.0);
    }

    /// The mean answer time in seconds.
    fn usual(&self) -> f64 {
        self.took / self.came.max(1.0)
    }
}

/// The seconds between two polls in a report of answers.
fn seconds_between(report: &Answers) -> f64 {
    report.seconds.0 / f64::from(report.asked)
}

/// Whether a board was polled too seldom.
fn is_seldom(report: &Answers) -> bool {
    report.asked > 0 && seconds_between(report) > limits::MAX_POLL_SECONDS
}
