//! What the master of a line needs from it: hand over bytes, take what arrives, know the time.
//!
//! The [`port`](super::port) is one; the tests of this room have one whose time is simulated. Time is counted
//! from a moment of the link's own, so that a test can run hours in a second.

use std::time::Duration;

use crate::{error::Result, record::Time};

/// How long a byte takes: 10 bits at 9600 baud.
pub const BYTE: Duration = Duration::from_nanos(1_041_667);

/// The line is gone: unplugged, or its other end was closed. What the system said.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Gone(pub String);

/// One serial line, as its master sees it.
pub trait Link {
    /// Time since a moment of the link's own; never goes back.
    fn now(&self) -> Duration;

    /// The time of day, for records.
    fn time(&self) -> Time;

    /// The name that messages give this line.
    fn name(&self) -> &str;

    /// Hands bytes to the line, which carries them at its own speed.
    fn send(&mut self, bytes: &[u8]) -> Result<(), Gone>;

    /// Appends what arrives to `into` and says how many bytes that was: returns at the first of them, or with
    /// 0 at `until`. A signal does not end it, since an answer on its way must not be lost.
    fn receive(&mut self, into: &mut Vec<u8>, until: Duration) -> Result<usize, Gone>;

    /// Does nothing until `until`, or until a signal asks to stop.
    fn pause(&mut self, until: Duration);

    /// Opens the line again after it was [`Gone`].
    fn reopen(&mut self) -> Result<()>;
}
