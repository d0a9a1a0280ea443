//! When the pieces of a board alone rest: the one rule for the [`watcher`](super::watcher), which looks at the board then,
//! and for [`overheard`](super::overheard), which reads the bytes that were kept of such a look.

use std::time::Duration;

/// Pieces that nobody touched for so long rest: a slow scan of a Bluetooth board takes half of it.
pub const REST: Duration = Duration::from_secs(1);
/// A dump that does not agree is asked for again after this.
const AGAIN: Duration = Duration::from_millis(300);

/// When the pieces of a board last moved.
#[derive(Debug, Clone, Copy, Default)]
pub struct Rest {
    moved: Duration,
}

impl Rest {
    /// Pieces that moved now, or are seen now for the first time.
    pub fn since(now: Duration) -> Rest {
        Rest { moved: now }
    }

    /// From when on a dump that agrees with what was published says that they rest.
    pub fn begins(&self) -> Duration {
        self.moved + REST
    }

    /// Whether a dump that agrees says so now.
    pub fn has_begun(&self, now: Duration) -> bool {
        now >= self.begins()
    }

    /// A dump does not agree: perhaps it was spoilt, and the next one shows them at rest.
    pub fn look_again(&mut self, now: Duration) {
        self.moved = (now + AGAIN).saturating_sub(REST);
    }
}
