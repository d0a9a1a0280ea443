//! How long a board has been still: whether a hand may be at work, by the times of records and by empty polls.

use crate::{reconstruct::limits, record::Time};

/// Polls before the one that tells of a change: the last one before it, and half a one for what is late.
const POLLS: f64 = 1.5;

/// See the module.
#[derive(Debug, Clone, Copy)]
pub struct Stillness {
    /// Seconds after which a move that nothing confirms is published, without a clock.
    settle: f64,
    /// When the game began,
    began: Option<Time>,
    /// and when the last change was, and the last record of this board.
    pub changed: Option<Time>,
    heard: Option<Time>,
    /// Of the last record of any board.
    pub now: Option<Time>,
    /// A poll since the last change found nothing new.
    pub polled_empty: bool,
    /// How many seconds after its change the last such poll was: what is told at a poll may have happened as long before it.
    poll: f64,
    /// How much of the rest the search knows of, 0 to 1; none while it knows of no rest.
    rest_known: Option<f32>,
    /// The search knows that the board has been still so long that what stands was meant.
    pub known_to_be_long: bool,
    /// The board does not answer: nothing is known to rest.
    pub lost: bool,
}

impl Stillness {
    /// Of a board of which nothing was heard but that a game may begin now.
    pub fn new(settle: f64, now: Option<Time>) -> Stillness {
        let (changed, heard) = (None, now);
        Stillness {
            settle,
            began: now,
            changed,
            heard,
            now,
            polled_empty: false,
            poll: 0.0,
            rest_known: None,
            known_to_be_long: false,
            lost: false,
        }
    }

    /// The board changed.
    pub fn change(&mut self, time: Option<Time>) {
        let Stillness { settle, began, heard, now, poll, .. } = *self;
        *self = Stillness { began, changed: time, heard, poll, ..Stillness::new(settle, now) };
    }

    /// The board said something.
    pub fn hear(&mut self, time: Option<Time>) {
        self.heard = time.max(self.heard);
    }

    /// A poll finds nothing new.
    pub fn find_empty(&mut self) {
        if !std::mem::replace(&mut self.polled_empty, true) {
            self.poll =
                self.changed.zip(self.heard).map_or(0.0, |(from, to)| from.seconds_until(to).max(0.0));
        }
    }

    /// How odd it is, 0 to 1, that a poll ends between a press and what the board says of its move soon after, or without a clock
    /// in the midst of a move: less where polls follow each other fast, and not at all, without a clock, where a move takes
    /// longer than they are apart, or nobody knows yet how far that is.
    pub fn odd_end_of_poll(&self, clock: bool) -> f32 {
        match clock {
            true if self.poll > 0.0 => (self.poll / limits::SEEN_AT_REST).min(1.0) as f32,
            true => 1.0,
            false if self.poll >= limits::WHOLE_REST => 1.0,
            false => 0.0,
        }
    }

    /// What the board says may have happened so many seconds before it.
    pub fn told_late(&self) -> f64 {
        POLLS * self.poll
    }

    /// Whether all that the board says at its last poll is told.
    pub fn all_is_told(&self) -> bool {
        self.now > self.heard
    }

    /// Whether no time has passed in the game, as in the log of a board, which tells none: nothing of it was seen to rest.
    pub fn is_timeless(&self) -> bool {
        self.now.max(self.heard) == self.began
    }

    /// When the board last said something.
    pub fn heard(&self) -> Option<Time> {
        self.heard
    }

    /// Whether the board said something, or nothing new, so long after it told of something that this was let go of.
    pub fn was_polled_long_after(&self, told: Option<Time>) -> bool {
        told.zip(self.heard)
            .is_some_and(|(told, again)| told.seconds_until(again) >= self.settle.max(limits::WHOLE_REST))
    }

    /// Record time goes on.
    pub fn advance(&mut self, now: Option<Time>) {
        self.now = now.max(self.now);
    }

    /// Whether the board has changed so long ago that what stands was meant.
    pub fn is_long(&self) -> bool {
        self.passed(self.changed, limits::PUBLISH_LATEST)
    }

    /// Seconds since then, while the board answers.
    pub fn since(&self, then: Option<Time>) -> Option<f64> {
        if self.lost { None } else { Some(then?.seconds_until(self.now?)) }
    }

    /// Whether so many seconds have passed since then, while the board answers.
    pub fn passed(&self, then: Option<Time>, seconds: f64) -> bool {
        self.since(then).is_some_and(|passed| passed >= seconds)
    }

    /// By how much more the board has rested, since a poll found nothing new, than the search knows; none if it knows all. What
    /// a hand does on its way takes less than a whole rest; where times are missing or tell nothing, any rest is whole.
    /// `still`: this poll finds it resting; else it tells of changes, which may have come soon after the poll before.
    pub fn more_rest(&mut self, still: bool) -> Option<f32> {
        if !self.polled_empty {
            return None;
        }
        let unknown = if still { 0.0 } else { self.poll };
        // No poll follows a change at once: such times were rounded.
        let rested = self.changed.zip(self.now.max(self.heard)).filter(|(from, to)| from != to);
        let rested = rested.map(|(from, to)| from.seconds_until(to) - unknown);
        let part = rested.map_or(1.0, part_of_rest);
        let more = part - self.rest_known.unwrap_or(0.0);
        if self.rest_known.is_some() && more <= 0.0 {
            return None;
        }
        self.rest_known = Some(part);
        Some(more)
    }

    /// Whether polls found the board at rest, as the search knows: a hand on its way would mostly have gone on.
    pub fn at_rest(&self) -> bool {
        self.rest_known.is_some_and(|known| known >= part_of_rest(limits::SEEN_AT_REST))
    }

    /// The last poll of which it is sure that it found the board resting: this one if it is `still`, else the one before, as far
    /// as polls come evenly.
    pub fn still_until(&self, still: bool) -> Option<Time> {
        let now = self.now.max(self.heard)?;
        Some(if still { now } else { now.after(-POLLS * self.poll) })
    }

    /// Whether a move that came last was let go of: a poll found it at rest, or so many seconds have passed.
    pub fn settled(&self) -> bool {
        self.at_rest() || self.passed(self.changed, self.settle.max(limits::TICK))
    }

    /// Whether what changes now stood at rest before: a poll found it so, or nothing had changed for long.
    pub fn rested(&self) -> bool {
        self.at_rest() || self.passed(self.changed.or(self.began), self.settle + limits::RESTS_UNPOLLED)
    }

    /// Whether all pieces rest: a poll found them so, or the board said something else long after the last change.
    pub fn rests(&self) -> bool {
        let long = |(changed, heard): (Time, Time)| {
            changed.seconds_until(heard) >= self.settle + limits::RESTS_UNPOLLED
        };
        self.at_rest() || (!self.lost && self.changed.zip(self.heard).is_some_and(long))
    }
}

/// How much of a whole rest so many seconds are, 0 to 1. Short stops are common, and long ones are none: half a rest is far less
/// than half as odd.
fn part_of_rest(seconds: f64) -> f32 {
    (seconds / limits::WHOLE_REST).clamp(0.0, 1.0).powi(2) as f32
}
