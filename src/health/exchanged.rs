//! Pieces of a first row that stand exchanged when a game begins, as king and queen do where nobody looks twice.
//!
//! For the games on a board, which tell what they began from, and for what is wrong with a board that stands set up.

use super::{advice::listed, series::Series};
use crate::record::{Placement, Time};

/// In words which pieces stand exchanged on a board that is set up but for that: `d8 and e8`.
pub fn exchanged(stands: &Placement) -> Option<String> {
    let meant = stands.meant_start().filter(|_| !stands.is_start())?;
    Some(listed(&stands.differing(&meant).collect::<Vec<_>>(), "and"))
}

/// The games of a board that began so.
#[derive(Debug, Clone, Default)]
pub struct Exchanged {
    /// When the one in play began, and what stood exchanged.
    open: Option<(Option<Time>, String)>,
    /// Those that are over,
    closed: Series,
    /// and what stood exchanged in the last of them.
    last: String,
}

impl Exchanged {
    /// A game begins from here.
    pub fn begins(&mut self, from: Option<&Placement>, time: Option<Time>) {
        self.open = from.and_then(exchanged).map(|words| (time, words));
    }

    /// The game is over; whether anything was played of it.
    pub fn is_over(&mut self, played: bool) {
        if let Some((began, words)) = self.open.take().filter(|_| played) {
            self.closed.add(began);
            self.last = words;
        }
    }

    /// What stood exchanged when the game in play began.
    pub fn now(&self) -> Option<&str> {
        self.open.as_ref().map(|(_, words)| &**words)
    }

    /// In how many games, since when, and what in the last of them.
    pub fn all(&self) -> (u32, Option<Time>, &str) {
        let open = self.open.as_ref();
        let first = self.closed.first.or_else(|| open.and_then(|(began, _)| *began));
        (self.closed.count + u32::from(open.is_some()), first, self.now().unwrap_or(&self.last))
    }
}
