//! Game records to and from files.
//!
//! Formats have their own `Reader`, `Lexer`, `Token` and `Style` where they need them, since these differ; they are
//! used with the name of their module, such as `pgn::Style`.

pub mod bars;
pub mod game;
pub mod games;
pub mod html;
pub mod livechess;
pub mod openings;
pub mod pairings;
pub mod pdn;
pub mod pgn;
pub mod results;
pub mod roster;
pub mod russian;
pub mod standings;
#[cfg(test)]
mod tests {
    pub mod chance;
}
pub mod text;
pub mod trf;
mod words;

pub use words::{boards_of, plain, ranges};
