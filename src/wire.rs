//! Bytes to messages and back: pure, no I/O, no time. All but [`millennium`] and [`chessnut`] is of DGT's boards, by their
//! makers' header.
//!
//! Who speaks to a board, or plays one, encodes and decodes here and nowhere else.

pub mod certabo;
pub mod chessnut;
pub mod clock;
pub mod command;
pub mod eeprom;
pub mod frame;
pub mod message;
pub mod millennium;
pub mod records;
