//! Bytes to messages and back: pure, no I/O, no time. [`certabo`], [`chessnut`] and [`millennium`] are for boards of those
//! makers; everything else is the protocol of DGT boards, by their makers' header.
//!
//! `bus`, `sim` and `decode` encode and decode only here.

pub mod certabo;
pub mod chessnut;
pub mod clock;
pub mod command;
pub mod eeprom;
pub mod frame;
pub mod message;
pub mod millennium;
pub mod records;
