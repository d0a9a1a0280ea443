//! The changes that show how a hand made a move.

use super::event::Event;

/// The two changes that follow a moving piece, where they were seen.
#[derive(Debug, Clone, Copy, Default)]
pub struct Hand {
    /// The change with which the piece left its square.
    pub lift: Option<Event>,
    /// The change with which it was first seen where the move ends.
    pub landing: Option<Event>,
}
