//! What goes wrong again and again is said once a minute.

use std::{
    fmt,
    time::{Duration, Instant},
};

use super::say;

const EVERY: Duration = Duration::from_secs(60);

/// A message that may be due every moment.
#[derive(Debug, Default)]
pub struct Seldom {
    said: Option<Instant>,
}

impl Seldom {
    /// Says it, unless it was said within the last minute.
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
    fn what_is_due_every_second_is_said_once_a_minute() {
        let (mut message, began) = (Seldom::default(), Instant::now());
        let said = (0..=150).filter(|&second| message.is_due(began + Duration::from_secs(second)));
        assert_eq!(said.collect::<Vec<_>>(), [0, 60, 120]);
    }
}
