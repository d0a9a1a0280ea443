//! A hall on a screen: its state, and pictures of it.
//!
//! A [`Hall`] reads the records of both layers and has the state of every board, its games and its findings. A [`View`]
//! is the user's selection, which keys change. [`picture`] draws the two into cells; the owner of a terminal writes
//! those that changed. There is no clock, no file and no terminal here: the time is given with each picture, so that a
//! replay looks as the hall did.

mod board;
mod diagram;
mod grid;
mod hall;
mod help;
mod large;
mod list;
mod look;
mod picture;
mod players;
mod ply;
mod stand;
mod view;
mod words;

pub use diagram::{columns, cut, text};
pub use hall::{Hall, Name};
pub use look::Look;
pub use picture::{Scene, height, picture};
pub use view::{Key, View, Wish};
pub use words::ago;
