//! When the pieces of a board alone rest: the rule for the [`watcher`](super::watcher), which requests a dump then, and for
//! [`overheard`](super::overheard), which reads such a dump from a capture.

use std::time::Duration;

/// Pieces that did not move for this time rest: a slow scan of a Bluetooth board takes half of it.
pub const REST: Duration = Duration::from_secs(1);
/// The time from a dump that does not agree to the next one.
const AGAIN: Duration = Duration::from_millis(300);

/// When the pieces of a board last moved.
#[derive(Debug, Clone, Copy, Default)]
pub struct Rest {
    moved: Duration,
}

impl Rest {
    /// Pieces that moved now, or whose position is read for the first time.
    pub fn since(now: Duration) -> Rest {
        Rest { moved: now }
    }

    /// The time from which a dump that agrees with the published position shows that they rest.
    pub fn begins(&self) -> Duration {
        self.moved + REST
    }

    /// Whether that time has come.
    pub fn has_begun(&self, now: Duration) -> bool {
        now >= self.begins()
    }

    /// Makes another dump due after [`AGAIN`], because one did not agree and may have been damaged.
    pub fn dump_again(&mut self, now: Duration) {
        self.moved = (now + AGAIN).saturating_sub(REST);
    }
}
