//! Bytes to messages and back, by the makers' header: pure, no I/O, no time.
//!
//! Who speaks to a board, or plays one, encodes and decodes here and nowhere else.

pub mod clock;
pub mod command;
pub mod eeprom;
pub mod frame;
pub mod message;
pub mod records;
