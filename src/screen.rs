//! A hall on a screen: its state, and pictures of it.
//!
//! A [`Hall`] hears the records of both layers and knows how every board stands, what was played on it and what is wrong.
//! A [`View`] is what somebody looks at, and what his keys change. [`picture`] draws the two into cells; whoever has a
//! terminal writes out those that changed. No clock, no file and no terminal here: the moment is given with each picture,
//! so that a recording looks as the hall did.

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
