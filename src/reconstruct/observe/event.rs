//! A square change, as the search uses it.

use crate::{record::Time, rules::Colour};

/// The time at which the host received something, if known: half the size of an `Option`, since there are many events.
#[derive(Debug, Clone, Copy)]
pub struct Stamp(i64);

impl Stamp {
    /// The time.
    pub fn time(self) -> Option<Time> {
        (self.0 != i64::MIN).then_some(Time(self.0))
    }

    /// Whether the host surely received `later` at least this long after this one.
    pub fn is_before(self, later: Stamp, seconds: f64) -> bool {
        self.time().zip(later.time()).is_some_and(|(now, then)| now.seconds_until(then) >= seconds)
    }
}

impl From<Option<Time>> for Stamp {
    fn from(time: Option<Time>) -> Stamp {
        Stamp(time.map_or(i64::MIN, |time| time.0))
    }
}

/// A square change.
#[derive(Debug, Clone, Copy)]
pub struct Event {
    /// Its number in the game, counted from 1.
    pub index: u32,
    /// The field.
    pub square: u8,
    /// The code that was there before.
    pub old: u8,
    /// The code that is there now.
    pub new: u8,
    /// The number of intervals of more than 250 ms without a change up to here, as far as the board reports them: two
    /// events with the same number may belong to one scan.
    pub rests: u32,
    /// The number of the scan that found it, as far as the board reports quick changes. A scan reads squares in the
    /// order of their fields, so a field not after the previous one belongs to the next scan.
    pub scan: u16,
    /// The board reports that more than 250 ms passed since the previous change, longer than a scan takes.
    pub slow: bool,
    /// Whether it was seen, or found later.
    pub seen: bool,
    /// The time at which the host received it.
    pub stamp: Stamp,
}

impl Event {
    /// Whether this change was found at most one scan after an earlier one: within 250 ms, or 500 ms at most.
    pub fn is_a_scan_after(&self, earlier: &Event) -> bool {
        self.scan.wrapping_sub(earlier.scan) <= 1
    }

    /// The colour of its piece.
    pub fn colour(&self) -> Option<Colour> {
        Colour::of(if self.new != 0 { self.new } else { self.old })
    }
}
