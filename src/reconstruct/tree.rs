//! The games that may have been played, as a tree: hypotheses that share their first moves share its nodes.
//!
//! * [`node`]: a position with the move that led to it;
//! * [`position`]: the moves that may follow, worked out once for all who look.

pub mod node;
pub mod position;
