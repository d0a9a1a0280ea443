//! The games that may have been played, as a tree: hypotheses that share their first moves share its nodes.
//!
//! - [`node`]: a position with the move that led to it;
//! - [`position`]: the legal moves of a position, computed once for all hypotheses.

pub mod node;
pub mod position;
