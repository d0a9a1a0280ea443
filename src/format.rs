//! Game records to and from files.

pub mod bars;
pub mod pdn;
pub mod pgn;
pub mod russian;
