//! A message about a recurring problem is written once a minute.

use std::{
    fmt,
    time::{Duration, Instant},
};

use super::say;

const EVERY: Duration = Duration::from_secs(60);

/// A message that may be due at any time.
#[derive(Debug, Default)]
pub struct Seldom {
    said: Option<Instant>,
}

impl Seldom {
    /// Writes it, unless it was written within the last minute.
    pub fn say(&mut self, message: impl fmt::Display) {
        if self.is_due(Instant::now()) {
            say(message);
        }
    }

    fn is_due(&mut self, now: Instant) -> bool {
        let due = self.said.is_none_or(|said| now.saturating_duration_since(said) >= EVERY);
        if due {
            self.said = Some(now);
        }
        due
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frequent_message_is_written_once_a_minute() {
        let (mut message, began) = (Seldom::default(), Instant::now());
        let said = (0..=150).filter(|&second| message.is_due(began + Duration::from_secs(second)));
        assert_eq!(said.collect::<Vec<_>>(), [0, 60, 120]);
    }
}
