//! How long a board has been still: whether a hand may be at work, by the times of records and by polls without
//! changes.

use crate::{reconstruct::limits, record::Time};

/// A change may have happened this many polls before it is reported: one, and half of one for lateness.
const REPORT_DELAY_POLLS: f64 = 1.5;

/// See the module.
#[derive(Debug, Clone, Copy)]
pub struct Stillness {
    /// The seconds after which an unconfirmed move is published, without a clock.
    settle: f64,
    /// The time at which the game began,
    began: Option<Time>,
    /// that of the last change, and that of the last record of this board.
    pub changed: Option<Time>,
    last_record: Option<Time>,
    /// The time of the last record of any board.
    pub now: Option<Time>,
    /// A poll since the last change found none.
    pub polled_empty: bool,
    /// The seconds from the last change to that poll, an estimate of the time between polls: a change may have happened
    /// as long before its report.
    poll: f64,
    /// The part of a complete rest that the search has, 0 to 1; none while it has none.
    rest_known: Option<f32>,
    /// The search has been given a long rest, which means that the position was meant.
    pub known_to_be_long: bool,
    /// The board does not answer, so that no rest is certain.
    pub lost: bool,
}

impl Stillness {
    /// A board without records, on which a game may begin now.
    pub fn new(settle: f64, now: Option<Time>) -> Stillness {
        let (changed, last_record) = (None, now);
        Stillness {
            settle,
            began: now,
            changed,
            last_record,
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
        let Stillness { settle, began, last_record, now, poll, .. } = *self;
        *self = Stillness { began, changed: time, last_record, poll, ..Stillness::new(settle, now) };
    }

    /// The board sent a record.
    pub fn note_record(&mut self, time: Option<Time>) {
        self.last_record = time.max(self.last_record);
    }

    /// A poll found no changes.
    pub fn note_empty_poll(&mut self) {
        if !std::mem::replace(&mut self.polled_empty, true) {
            self.poll =
                self.changed.zip(self.last_record).map_or(0.0, |(from, to)| from.seconds_until(to).max(0.0));
        }
    }

    /// How unusual it is, 0 to 1, that a poll ends between a press and the changes of its move, or without a clock
    /// within a move: less where polls are frequent, and 0 without a clock where a move takes longer than the time
    /// between polls, or that time is not known yet.
    pub fn odd_end_of_poll(&self, clock: bool) -> f32 {
        match clock {
            true if self.poll > 0.0 => (self.poll / limits::SEEN_AT_REST_SECONDS).min(1.0) as f32,
            true => 1.0,
            false if self.poll >= limits::WHOLE_REST_SECONDS => 1.0,
            false => 0.0,
        }
    }

    /// A change may have happened this many seconds before its report.
    pub fn report_delay(&self) -> f64 {
        REPORT_DELAY_POLLS * self.poll
    }

    /// Whether everything that the board reports at its last poll was read.
    pub fn poll_is_over(&self) -> bool {
        self.now > self.last_record
    }

    /// Whether no time has passed in the game, as in a log, which has no times: nothing was seen to rest.
    pub fn is_timeless(&self) -> bool {
        self.now.max(self.last_record) == self.began
    }

    /// The time of the last record of the board.
    pub fn last_record(&self) -> Option<Time> {
        self.last_record
    }

    /// Whether the board sent a record, or an empty poll, long enough after `change` that the piece was released.
    pub fn was_polled_long_after(&self, change: Option<Time>) -> bool {
        change.zip(self.last_record).is_some_and(|(change, again)| {
            change.seconds_until(again) >= self.settle.max(limits::WHOLE_REST_SECONDS)
        })
    }

    /// Record time goes on.
    pub fn advance(&mut self, now: Option<Time>) {
        self.now = now.max(self.now);
    }

    /// Whether the last change is so old that the position was meant.
    pub fn is_long(&self) -> bool {
        self.passed(self.changed, limits::PUBLISH_LATEST_SECONDS)
    }

    /// The seconds since then, while the board answers.
    pub fn since(&self, then: Option<Time>) -> Option<f64> {
        if self.lost { None } else { Some(then?.seconds_until(self.now?)) }
    }

    /// Whether at least this many seconds have passed since then, while the board answers.
    pub fn passed(&self, then: Option<Time>, seconds: f64) -> bool {
        self.since(then).is_some_and(|passed| passed >= seconds)
    }

    /// The part of a rest that was not yet given to the search; none if it has all. A hand stops on its way for less
    /// than a complete rest; where times are missing or equal, any rest is complete. `still`: this poll found the board
    /// at rest; otherwise it reports changes, which may have come soon after the poll before.
    pub fn more_rest(&mut self, still: bool) -> Option<f32> {
        if !self.polled_empty {
            return None;
        }
        let unknown = if still { 0.0 } else { self.poll };
        // No poll follows a change within a millisecond: equal times were rounded.
        let rested = self.changed.zip(self.now.max(self.last_record)).filter(|(from, to)| from != to);
        let rested = rested.map(|(from, to)| from.seconds_until(to) - unknown);
        let part = rested.map_or(1.0, part_of_rest);
        let more = part - self.rest_known.unwrap_or(0.0);
        if self.rest_known.is_some() && more <= 0.0 {
            return None;
        }
        self.rest_known = Some(part);
        Some(more)
    }

    /// Whether polls found the board at rest for so long that a hand on its way would usually have gone on.
    pub fn at_rest(&self) -> bool {
        self.rest_known.is_some_and(|known| known >= part_of_rest(limits::SEEN_AT_REST_SECONDS))
    }

    /// The time of the last poll that surely found the board at rest: this one if it is `still`, else the one before,
    /// if polls come evenly.
    pub fn still_until(&self, still: bool) -> Option<Time> {
        let now = self.now.max(self.last_record)?;
        Some(if still { now } else { now.after(-REPORT_DELAY_POLLS * self.poll) })
    }

    /// Whether the last move was let go of: a poll found the board at rest, or the settle time has passed.
    pub fn settled(&self) -> bool {
        self.at_rest() || self.passed(self.changed, self.settle.max(limits::SHORTEST_WAIT_SECONDS))
    }

    /// Whether a square that changes now was at rest before: a poll found it so, or nothing had changed for long.
    pub fn rested(&self) -> bool {
        self.at_rest() || self.passed(self.changed.or(self.began), self.settle + limits::WHOLE_REST_SECONDS)
    }

    /// Whether all pieces rest: a poll found them so, or the board sent another record long after the last change.
    pub fn all_pieces_rest(&self) -> bool {
        let long = |(changed, last_record): (Time, Time)| {
            changed.seconds_until(last_record) >= self.settle + limits::WHOLE_REST_SECONDS
        };
        self.at_rest() || (!self.lost && self.changed.zip(self.last_record).is_some_and(long))
    }
}

/// The part of a complete rest that this many seconds are, 0 to 1. Short stops are common and long ones rare, so half a
/// rest counts for far less than half.
fn part_of_rest(seconds: f64) -> f32 {
    (seconds / limits::WHOLE_REST_SECONDS).clamp(0.0, 1.0).powi(2) as f32
}
