//! Game records to and from files.

pub mod bars;
pub mod game;
pub mod html;
pub mod livechess;
pub mod pdn;
pub mod pgn;
pub mod roster;
pub mod russian;
pub mod trf;
mod words;
