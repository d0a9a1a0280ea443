//! Pieces of a first row that stand exchanged when a game begins, most often king and queen.
//!
//! The reports on games use this for their start, and the reports on squares for a board that is set up.

use super::{advice::listed, series::Series};
use crate::record::{Placement, Time};

/// The exchanged pieces of a board that is set up but for them, in words: `d8 and e8`.
pub fn exchanged(stands: &Placement) -> Option<String> {
    let meant = stands.meant_start().filter(|_| !stands.is_start())?;
    Some(listed(&stands.differing(&meant).collect::<Vec<_>>(), "and"))
}

/// The games of a board that began with pieces exchanged.
#[derive(Debug, Clone, Default)]
pub struct Exchanged {
    /// The current game: when it began, and the squares in words.
    open: Option<(Option<Time>, String)>,
    /// Games that are over.
    closed: Series,
    /// The squares in words, of the last of these.
    last: String,
}

impl Exchanged {
    /// A game begins with this position.
    pub fn begins(&mut self, from: Option<&Placement>, time: Option<Time>) {
        self.open = from.and_then(exchanged).map(|words| (time, words));
    }

    /// The game is over; it counts only if a move was played.
    pub fn is_over(&mut self, played: bool) {
        if let Some((began, words)) = self.open.take().filter(|_| played) {
            self.closed.add(began);
            self.last = words;
        }
    }

    /// The squares in words, if the current game began so.
    pub fn now(&self) -> Option<&str> {
        self.open.as_ref().map(|(_, words)| &**words)
    }

    /// How many games began so, when the first did, and the squares of the last.
    pub fn all(&self) -> (u32, Option<Time>, &str) {
        let open = self.open.as_ref();
        let first = self.closed.first.or_else(|| open.and_then(|(began, _)| *began));
        (self.closed.count + u32::from(open.is_some()), first, self.now().unwrap_or(&self.last))
    }
}
