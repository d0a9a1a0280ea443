//! How much has been read of what was at hand when the command began: until that is all, nothing that an earlier run wrote
//! of more is replaced.

use std::sync::atomic::{AtomicU8, Ordering};

/// What is known of the rest of what was at hand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum AtHand {
    /// There is more.
    More,
    /// A pipe is read, and no file behind it: how much was at hand there nobody knows.
    Pipe,
    /// All was read.
    Read,
}

static AT_HAND: AtomicU8 = AtomicU8::new(AtHand::More as u8);

/// How far the reading has come.
pub fn at_hand() -> AtHand {
    match AT_HAND.load(Ordering::Relaxed) {
        at_hand if at_hand == AtHand::Read as u8 => AtHand::Read,
        at_hand if at_hand == AtHand::Pipe as u8 => AtHand::Pipe,
        _ => AtHand::More,
    }
}

/// The reading has come so far; it never goes back.
pub(super) fn is_now(at_hand: AtHand) {
    AT_HAND.fetch_max(at_hand as u8, Ordering::Relaxed);
}
