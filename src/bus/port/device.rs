//! What a port does while it is open, whatever kind it is.

use std::time::Duration;

use crate::bus::{
    Gone,
    link::{LinkKind, PortSetup},
};

/// A port while it is open.
pub trait Device: Send {
    /// What carries its bytes.
    fn kind(&self) -> LinkKind {
        LinkKind::Stream
    }

    /// Sets speed and lines, where there are any.
    fn set_up(&mut self, _setup: PortSetup) -> Result<(), Gone> {
        Ok(())
    }

    /// Hands over some of these bytes; how many, 0 when a signal came first.
    fn send(&mut self, bytes: &[u8]) -> Result<usize, Gone>;

    /// Puts what arrives into the block, and says how many bytes that was; 0 when nothing came for so long, or a signal
    /// came, which the caller looks at.
    fn receive(&mut self, block: &mut [u8], wait: Duration) -> Result<usize, Gone>;
}
