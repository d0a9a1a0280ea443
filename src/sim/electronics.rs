//! The interface of the electronics of any board: bytes and signals go in with their times, messages come out.
//!
//! [`Firmware`](super::firmware::Firmware) implements it for DGT boards,
//! [`ReportingBoard`](super::reporting_board::ReportingBoard) for makes that report whole positions.

use super::{Micros, played_round::Signal};
use crate::wire::{clock::ClockMessage, eeprom::Entry};

/// A message and the moment from which it is sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reply {
    /// When its first byte may be sent.
    pub at: Micros,
    /// The message.
    pub bytes: Vec<u8>,
}

/// A logged entry.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Logged {
    /// When.
    pub at: Micros,
    /// What.
    pub entry: Entry<'static>,
}

/// The electronics of a board.
pub trait Electronics: std::fmt::Debug {
    /// Its bus address, or the number that its line has.
    fn address(&self) -> u16;

    /// When a host became ready to follow a game: when it last wrote the start mark or, on a board without marks, when it first
    /// asked for changes or read reports. None before.
    fn start_marked(&self) -> Option<Micros>;

    /// When the last entry was read; none while entries wait to be read.
    fn log_read_at(&self) -> Option<Micros>;

    /// The position that it sees, in piece codes of DGT, field 0 as a8.
    fn stands(&self) -> &[u8; 64];

    /// Takes logged entries that can no longer be overwritten.
    fn take_logged(&mut self) -> Vec<Logged>;

    /// Takes the next message that it begins to send up to `now`.
    fn send(&mut self, now: Micros) -> Option<Reply>;

    /// Whether it sends its clock unasked.
    fn streams_clock(&self) -> bool {
        false
    }

    /// The time of its next event.
    fn next_at(&self) -> Option<Micros>;

    /// Sets the display of its clock.
    fn show_clock(&mut self, _now: Micros, _clock: ClockMessage) {}

    /// Simulates its own events up to `now`.
    fn advance(&mut self, now: Micros);

    /// Takes a change from the scanner, or a press of the clock.
    fn signal(&mut self, now: Micros, signal: &Signal);

    /// Switches the power off.
    fn power_off(&mut self);

    /// Switches the power on.
    fn power_on(&mut self, now: Micros);

    /// The watchdog resets it, if it has one.
    fn watchdog(&mut self, _now: Micros) {}

    /// Takes bytes that have arrived by `now`.
    fn receive(&mut self, now: Micros, bytes: &[u8]);

    /// The host's end of the line is pulled out.
    fn unplugged(&mut self) {}

    /// Notes that a host reads the line at the speed of the make.
    fn is_read(&mut self) {}
}
