//! What was seen of the hand that made a move.

use super::event::Event;

/// The two changes by which a moving piece is followed, where they were seen.
#[derive(Debug, Clone, Copy, Default)]
pub struct Hand {
    /// The moving piece was seen to have left its square.
    pub lift: Option<Event>,
    /// It was first seen where the move ends.
    pub landing: Option<Event>,
}
