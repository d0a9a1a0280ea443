//! Russian draughts: positions, legal moves with their paths, notation, FEN, claimable draws.
//!
//! The room depends on nothing of boards, records or files, so that it could be a crate of its own. Squares carry the
//! field numbers of the boards (0 is a8, 63 is h1: y = n / 8, x = n % 8), and sets of squares are `u64` with bit n for
//! field n: every step off the edge then lands on a light square, which no set contains.
//!
//! ```
//! use boardbus::draughts::Position;
//!
//! let position: Position = "W:WKf8:Be7,g3".parse()?;
//! let moves = position.legal_moves();
//! assert_eq!(moves.len(), 1); // landing on c5 or b4 would end the capture, so it is forbidden
//! assert_eq!(moves[0].to_string(), "f8:d6:h2");
//! assert_eq!(position.play(&moves[0]).to_string(), "B:WKh2:B");
//! # Ok::<(), boardbus::draughts::BadFen>(())
//! ```

mod draws;
mod fen;
mod moves;
mod notation;
mod perft;
mod position;
mod square;

pub use draws::{Claim, Counts};
pub use fen::BadFen;
pub use moves::Move;
pub use notation::{BadMove, Found};
pub use perft::{Distinct, perft};
pub use position::{BadPosition, Colour, Piece, Position};
pub use square::{Numbering, Square, squares};
