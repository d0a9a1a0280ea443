//! What the electronics of a board do, whoever made it: bytes and signals go in with their times, messages come out.
//!
//! [`Firmware`](super::firmware::Firmware) is that of DGT's boards, a
//! [`ReportingBoard`](super::reporting_board::ReportingBoard) that of makes that report whole positions.

use super::{Micros, played_round::Signal};
use crate::wire::{clock::ClockMessage, eeprom::Entry};

/// A message and the moment from which it is sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reply {
    /// When its first byte may go out.
    pub at: Micros,
    /// The message.
    pub bytes: Vec<u8>,
}

/// A change or a press that the board took in.
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

    /// When a host was ready to follow a game, if it was: it wrote the start mark last, or, where a board takes none, it first
    /// asked for changes or read reports.
    fn start_marked(&self) -> Option<Micros>;

    /// Since when nothing of what happened waits to be read, and nothing was read again; none while something waits.
    fn log_read_at(&self) -> Option<Micros>;

    /// The piece codes of DGT that it sees, field 0 as a8.
    fn stands(&self) -> &[u8; 64];

    /// What happened and will not change any more.
    fn take_logged(&mut self) -> Vec<Logged>;

    /// The messages it begins to send up to `now`.
    fn send(&mut self, now: Micros) -> Option<Reply>;

    /// Whether it sends its clock unasked.
    fn streams_clock(&self) -> bool {
        false
    }

    /// When it next does something by itself.
    fn next_at(&self) -> Option<Micros>;

    /// The clock beside it shows this now.
    fn show_clock(&mut self, _now: Micros, _clock: ClockMessage) {}

    /// Time passes: what a board does unasked.
    fn advance(&mut self, now: Micros);

    /// The scanner finds a change, or the clock's lever is pressed.
    fn signal(&mut self, now: Micros, signal: &Signal);

    /// The power goes.
    fn power_off(&mut self);

    /// The power comes back.
    fn power_on(&mut self, now: Micros);

    /// The watchdog resets it, if it has one.
    fn watchdog(&mut self, _now: Micros) {}

    /// Bytes have arrived; all of them by `now`.
    fn receive(&mut self, now: Micros, bytes: &[u8]);

    /// A host reads the line, at the speed of the make.
    fn is_read(&mut self) {}
}
