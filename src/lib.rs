//! boardbus reads a hall of electronic chess and draughts boards over one serial bus, works out what was
//! played, and writes it down.
//!
//! The rooms, top to bottom; each may know some of those below it, and none above it:
//!
//! * [`commands`]: a file for each command: arguments, help, wiring; no domain logic.
//! * [`screen`] (a hall on a screen: it asks [`health`] and [`format`]) and [`serve`] (what other programs ask of LiveChess: it asks
//!   [`reconstruct`] and [`format`]).
//! * [`bus`] (the master of a line), [`sim`] (the other side of it), [`reconstruct`] (board records to game
//!   records), [`format`] (game records to and from files), [`health`] (what is wrong with which board), [`engine`]
//!   (engines that evaluate positions) and `net` (records between halls), which do not know each other. `bus` and `sim` share `wire` and what everybody knows, or a mistake
//!   in one would hide in the other. `reconstruct` knows no bytes and no format, `format` no boards.
//! * [`rules`] (what a game must offer), [`wire`] (bytes to messages and back, no I/O, no time).
//! * [`draughts`] (Russian draughts).
//! * [`record`] (the contract between the commands).
//!
//! [`capture`] is the text of traffic on a line; [`stdio`], [`error`], [`stop`] and [`progress`] serve the commands, and
//! some of them `bus` and `sim`. `ARCHITECTURE.md` has the whole table; `tests/cli/house/rooms.rs` holds the `use` lines to it.

pub mod bus;
pub mod capture;
pub mod commands;
pub mod draughts;
pub mod engine;
pub mod error;
pub mod format;
pub mod health;
#[cfg(feature = "nats")]
pub mod net;
pub mod progress;
pub mod reconstruct;
pub mod record;
pub mod rules;
pub mod screen;
pub mod serve;
pub mod sim;
pub mod stdio;
pub mod stop;
pub mod wire;
