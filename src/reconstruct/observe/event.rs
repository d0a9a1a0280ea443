//! A change of a board, as the search hears of it.

use crate::{record::Time, rules::Colour};

/// When the host received something, if that is known: half the size of an option, for there are many events.
#[derive(Debug, Clone, Copy)]
pub struct Stamp(i64);

impl Stamp {
    /// The time.
    pub fn time(self) -> Option<Time> {
        (self.0 != i64::MIN).then_some(Time(self.0))
    }

    /// Whether the host surely received `later` so many seconds after this, or more.
    pub fn is_before(self, later: Stamp, seconds: f64) -> bool {
        self.time().zip(later.time()).is_some_and(|(now, then)| now.seconds_until(then) >= seconds)
    }
}

impl From<Option<Time>> for Stamp {
    fn from(time: Option<Time>) -> Stamp {
        Stamp(time.map_or(i64::MIN, |time| time.0))
    }
}

/// A square change as the search sees it.
#[derive(Debug, Clone, Copy)]
pub struct Event {
    /// Its number in the game.
    pub index: u32,
    /// The field.
    pub square: u8,
    /// What stood there.
    pub old: u8,
    /// What stands there now.
    pub new: u8,
    /// The number of times, up to here, that the board surely rested over 250 ms: two events with the same
    /// number may belong to one scan.
    pub rests: u32,
    /// The number of the scan that found it, as far as the board says which changes were quick: squares are read in the order of
    /// their fields, so that one which is read before the last was is of the next scan.
    pub scan: u16,
    /// The board says that more than 250 ms had passed since the change before, longer than a scan takes.
    pub slow: bool,
    /// False where it was not seen to happen but found to have happened.
    pub seen: bool,
    /// When the host received it.
    pub stamp: Stamp,
}

impl Event {
    /// Whether this was found no later than by the scan after that which found an earlier change: within some 250 ms, or twice
    /// that at most.
    pub fn is_a_scan_after(&self, earlier: &Event) -> bool {
        self.scan.wrapping_sub(earlier.scan) <= 1
    }

    /// Whose piece it is about.
    pub fn colour(&self) -> Option<Colour> {
        Colour::of(if self.new != 0 { self.new } else { self.old })
    }
}
