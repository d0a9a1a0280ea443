//! The link to a board: faults, answers, silence, resets.

use super::{
    limits,
    series::{Minutes, Series},
};
use crate::record::{Answers, Fault, FaultKind, Seconds, Time};

/// Answer times are kept in classes of this factor from a millisecond on.
const CLASS: f64 = 1.25;
const CLASSES: usize = 48;

/// The classes of faults by which something came spoilt.
pub const SPOILT: [FaultKind; 3] = [FaultKind::Checksum, FaultKind::Framing, FaultKind::Corrupt];

/// A spell of silence.
#[derive(Debug, Clone, Copy)]
struct Silence {
    since: Option<Time>,
    in_play: bool,
    /// A clock said so; without one a board may have been switched off when its game was over.
    with_clock: bool,
    port: bool,
}

impl Silence {
    /// How long it was until then.
    fn seconds(&self, until: Option<Time>) -> f64 {
        self.since.zip(until).map_or(0.0, |(since, until)| since.seconds_until(until))
    }

    /// Whether it was one in a game, if it lasted until then.
    fn is_in_play(&self, until: Option<Time>) -> bool {
        self.in_play && (self.with_clock || self.seconds(until) <= limits::AWAY)
    }
}

/// What is known of the link to a board.
#[derive(Debug, Clone)]
pub struct Link {
    /// What came spoilt, in the order of [`SPOILT`].
    pub spoilt: [Minutes; 3],
    /// No answer in time, the board being there.
    pub unanswered: Minutes,
    /// Faults for want of an answer that may be the beginning of a silence.
    doubtful: Vec<Option<Time>>,
    /// Two boards have this address.
    pub twin: Series,
    drowned: bool,
    /// Times in which much of what it answered was spoilt.
    pub spoilt_answers: Series,
    silence: Option<Silence>,
    /// Silences in a game.
    pub silences: Series,
    /// How long the longest was, in seconds.
    pub longest_silence: f64,
    /// A silence that is over and may have been a reset.
    ended: Option<(Silence, Option<Time>)>,
    /// Resets, in a game or not.
    pub resets: Series,
    /// Those in a game.
    pub resets_in_play: Series,
    /// Those of which only the game will tell: when, and how many plies it had. It goes on, or was over.
    open_resets: Vec<(Option<Time>, usize)>,
    /// Sums of all that was told of answers.
    pub answers: Answers,
    /// The spell in which answers take long, and the longest of those that are over.
    slow: [Spell; 2],
    /// Since when it is asked too seldom.
    pub seldom_since: Option<Time>,
    times: [u32; CLASSES],
}

impl Default for Link {
    fn default() -> Link {
        Link {
            spoilt: Default::default(),
            unanswered: Minutes::default(),
            doubtful: Vec::new(),
            twin: Series::default(),
            drowned: false,
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
        }
    }
}

impl Link {
    /// A fault of it.
    pub fn fault(&mut self, fault: &Fault, time: Option<Time>) {
        if fault.detail.starts_with(Fault::TWO_BOARDS) {
            self.drowned = true;
            return self.twin.add(time);
        }
        match fault.kind {
            FaultKind::Checksum => self.spoilt[0].add(time),
            FaultKind::Framing => self.spoilt[1].add(time),
            FaultKind::Corrupt => self.spoilt[2].add(time),
            FaultKind::Timeout if self.doubtful.len() < 64 => self.doubtful.push(time),
            FaultKind::Timeout => self.unanswered.add(time),
            // What was lost between two halls says nothing of a board.
            FaultKind::Gap => {}
        }
    }

    /// The board said something: it is there.
    pub fn speaks(&mut self) {
        self.drowned = false;
        for time in std::mem::take(&mut self.doubtful) {
            self.unanswered.add(time);
        }
    }

    /// It does not answer any more.
    pub fn lost(&mut self, reason: &str, time: Option<Time>, in_play: bool, with_clock: bool) {
        self.doubtful.clear();
        self.settle();
        self.silence = Some(Silence { since: time, in_play, with_clock, port: reason == "port-closed" });
    }

    /// It answers again.
    pub fn found(&mut self, time: Option<Time>) {
        if let Some(silence) = self.silence.take() {
            self.ended = Some((silence, time));
        }
    }

    /// It was reset, or its power was. `plies`: those of the game that was in play, as far as its moves tell. It may have been
    /// over: without a clock nobody says so, and beside one the board may have been switched off before it could.
    pub fn reset(&mut self, time: Option<Time>, in_play: bool, plies: Option<usize>, with_clock: bool) {
        let silence = self.ended.take_if(|(_, found)| {
            found.zip(time).is_none_or(|(found, time)| found.seconds_until(time) <= limits::RESET_SAYS_SO)
        });
        self.resets.add(time);
        let is_long = silence.is_some_and(|(silence, found)| silence.seconds(found) > limits::SWITCHED_OFF);
        let plies = plies.filter(|_| !with_clock || is_long);
        if in_play || silence.is_some_and(|(silence, found)| silence.is_in_play(found)) {
            match plies {
                Some(plies) if self.open_resets.len() < limits::OPEN_RESETS => {
                    self.open_resets.push((time, plies));
                }
                Some(_) => {}
                None => self.resets_in_play.add(time),
            }
        }
    }

    /// The game in play has come to so many plies with a move of this time: it went on behind a reset. What was played before one
    /// may be told again.
    pub fn played(&mut self, plies: usize, played: Option<Time>) {
        let Link { open_resets, resets_in_play, .. } = self;
        open_resets.retain(|&(time, had)| {
            let went_on = plies >= had + limits::RESET_PLAYED_ON && played >= time;
            if went_on {
                resets_in_play.add(time);
            }
            !went_on
        });
    }

    /// The game in play is over, since then where that is known: it was when the board was reset, if it did not go on since, and
    /// when it fell silent after that.
    pub fn game_is_over(&mut self, over: Option<Time>) {
        self.open_resets.clear();
        let ended = self.ended.as_mut().map(|(silence, _)| silence);
        for silence in self.silence.as_mut().into_iter().chain(ended) {
            silence.in_play &= over.is_none() || silence.since < over;
        }
    }

    /// A silence that is over was one, if no reset explains it by now.
    pub fn settle_by(&mut self, time: Option<Time>) {
        let over = |(_, found): &(Silence, Option<Time>)| {
            found.zip(time).is_some_and(|(found, time)| found.seconds_until(time) > limits::RESET_SAYS_SO)
        };
        if self.ended.as_ref().is_some_and(over) {
            self.settle();
        }
    }

    fn settle(&mut self) {
        let Some((silence, until)) = self.ended.take() else { return };
        if let Some(seconds) = self.counts(&silence, until) {
            self.silences.add(silence.since);
            self.longest_silence = self.longest_silence.max(seconds);
        }
    }

    /// How long a silence in a game was, if it counts.
    fn counts(&self, silence: &Silence, until: Option<Time>) -> Option<f64> {
        let seconds = silence.seconds(until);
        (silence.is_in_play(until) && seconds >= limits::SILENCE).then_some(seconds)
    }

    /// All silences up to a moment, those that are not settled too: how many, since when, the longest in seconds.
    pub fn silences(&self, now: Option<Time>) -> (u64, Option<Time>, f64) {
        let ended =
            self.ended.as_ref().and_then(|(silence, until)| Some((silence, self.counts(silence, *until)?)));
        // One that lasts is one however short it is yet: where the port is gone no record comes that would tell how long.
        let open = self.silence.as_ref().filter(|silence| silence.is_in_play(now));
        let open = open.map(|silence| (silence, silence.seconds(now)));
        let mut all = (u64::from(self.silences.count), self.silences.first, self.longest_silence);
        for (silence, seconds) in [ended, open].into_iter().flatten() {
            all = (all.0 + 1, all.1.or(silence.since), all.2.max(seconds));
        }
        all
    }

    /// Since when it does not answer, if it does not; and whether that is the port's doing.
    pub fn silent_since(&self) -> Option<(Option<Time>, bool)> {
        self.silence.map(|silence| (silence.since, silence.port))
    }

    /// Whether nothing whole has come from it since two boards were found to have its address.
    pub fn is_drowned(&self) -> bool {
        self.drowned
    }

    /// How its answers came up to a moment.
    pub fn told(&mut self, told: &Answers, time: Option<Time>) {
        // It is told of a minute, and what is told of more than a day was told by nobody.
        if !(0.0..=limits::TOLD_OF).contains(&told.seconds.0) {
            return;
        }
        let (asked, spoilt) = (told.asked, f64::from(told.spoilt));
        if asked >= limits::ANSWERS && spoilt >= limits::SPOILT_SHARE * f64::from(asked) {
            self.spoilt_answers.add(time);
        }
        let since = time.map(|time| time.after(-told.seconds.0));
        let came = told.asked.saturating_sub(told.missed).saturating_sub(told.spoilt);
        let [spell, longest] = &mut self.slow;
        if told.median_seconds.0 > limits::SLOW {
            spell.goes_on(told, came, since);
        } else if told.asked > 0 {
            let over = std::mem::take(spell);
            if over.seconds > longest.seconds {
                *longest = over;
            }
        }
        if is_seldom(told) {
            self.seldom_since = self.seldom_since.or(since);
        }
        let all = &mut self.answers;
        all.asked = all.asked.saturating_add(told.asked);
        all.missed = all.missed.saturating_add(told.missed);
        all.spoilt = all.spoilt.saturating_add(told.spoilt);
        all.worst_seconds = Seconds(all.worst_seconds.0.max(told.worst_seconds.0));
        all.line_seconds.0 += told.line_seconds.0;
        all.seconds.0 += told.seconds.0;
        let class = (told.median_seconds.0.max(0.001) * 1000.0).log(CLASS).round();
        let class = &mut self.times[(class as usize).min(CLASSES - 1)];
        *class = class.saturating_add(came);
    }

    /// How many seconds pass between two questions to it, where that is too long.
    pub fn seldom_asked(&self) -> Option<f64> {
        is_seldom(&self.answers).then(|| seconds_between(&self.answers))
    }

    /// How long its answers take where they take long: usually, or for a long spell; and since when.
    pub fn slow(&self) -> Option<(f64, Option<Time>)> {
        let [spell, longest] = self.slow;
        let longest = if spell.seconds > longest.seconds { spell } else { longest };
        match self.median() {
            Some(median) if median > limits::SLOW => Some((median, longest.since)),
            _ if longest.seconds >= limits::SLOW_FOR => Some((longest.usual(), longest.since)),
            _ => None,
        }
    }

    /// The same now, for a spell that lasts.
    pub fn slow_now(&self) -> Option<f64> {
        let [spell, _] = self.slow;
        let is_usual = || spell.seconds > 0.0 && self.median().is_some_and(|median| median > limits::SLOW);
        (spell.seconds >= limits::SLOW_FOR || is_usual()).then(|| spell.usual())
    }

    /// How long its answers usually take, in seconds, within a tenth; none where nothing was told.
    pub fn median(&self) -> Option<f64> {
        let all: u64 = self.times.iter().map(|&n| u64::from(n)).sum();
        let mut passed = 0;
        let at = self.times.iter().position(|&n| {
            passed += u64::from(n);
            2 * passed >= all && passed > 0
        })?;
        Some(CLASS.powi(at as i32) / 1000.0)
    }
}

/// A spell in which answers took long.
#[derive(Debug, Clone, Copy, Default)]
struct Spell {
    since: Option<Time>,
    seconds: f64,
    /// How many came, and the sum of how long they took.
    came: f64,
    took: f64,
}

impl Spell {
    /// So many more answers came of those that are told of, since this time.
    fn goes_on(&mut self, told: &Answers, came: u32, since: Option<Time>) {
        if self.seconds == 0.0 {
            self.since = since;
        }
        self.seconds += told.seconds.0;
        let came = f64::from(came);
        (self.came, self.took) = (self.came + came, self.took + came * told.median_seconds.0);
    }

    /// How long an answer took on average, in seconds.
    fn usual(&self) -> f64 {
        self.took / self.came.max(1.0)
    }
}

/// How many seconds pass between two questions, by what is told of answers.
fn seconds_between(told: &Answers) -> f64 {
    told.seconds.0 / f64::from(told.asked)
}

/// Whether a board was asked too seldom.
fn is_seldom(told: &Answers) -> bool {
    told.asked > 0 && seconds_between(told) > limits::ASKED_EVERY
}
