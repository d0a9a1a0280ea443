//! How much was read of the input that existed when the command began: until all of it was read, a longer file of an
//! earlier run is not replaced.

use std::sync::atomic::{AtomicU8, Ordering};

/// The state of the input that existed at the beginning.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum AtHand {
    /// There is more.
    More,
    /// A pipe is read, and no file after it: how much it had at the beginning is unknown.
    Pipe,
    /// All was read.
    Read,
}

static AT_HAND: AtomicU8 = AtomicU8::new(AtHand::More as u8);

/// The present state.
pub fn at_hand() -> AtHand {
    match AT_HAND.load(Ordering::Relaxed) {
        at_hand if at_hand == AtHand::Read as u8 => AtHand::Read,
        at_hand if at_hand == AtHand::Pipe as u8 => AtHand::Pipe,
        _ => AtHand::More,
    }
}

/// Sets the state, which never goes back.
pub(super) fn is_now(at_hand: AtHand) {
    AT_HAND.fetch_max(at_hand as u8, Ordering::Relaxed);
}
