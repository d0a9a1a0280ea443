//! Game records to and from files.

pub mod pgn;
