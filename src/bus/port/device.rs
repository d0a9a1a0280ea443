//! The operations of an open port of any kind.

use std::time::Duration;

use crate::bus::{
    Gone,
    link::{LinkKind, PortSetup},
};

/// A port while it is open.
pub trait Device: Send {
    /// How it transfers bytes.
    fn kind(&self) -> LinkKind {
        LinkKind::Stream
    }

    /// Sets speed and lines, if the port has them.
    fn set_up(&mut self, _setup: PortSetup) -> Result<(), Gone> {
        Ok(())
    }

    /// Sends some of these bytes and returns how many; 0 if a signal came first.
    fn send(&mut self, bytes: &[u8]) -> Result<usize, Gone>;

    /// Receives bytes into the block and returns how many; 0 if none came within `wait`, or if a signal came, which the
    /// caller checks.
    fn receive(&mut self, block: &mut [u8], wait: Duration) -> Result<usize, Gone>;
}
