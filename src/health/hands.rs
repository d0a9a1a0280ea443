//! For how long the hands of two players were at work: longer where they have few pieces left, for what a hand lifts and puts
//! right is one of those.
//!
//! For pieces that drop out, which hands make seem to.

use super::{limits, reach::is_white};
use crate::record::{Piece, Time};

/// What passes.
#[derive(Debug, Clone, Copy)]
pub enum What {
    /// The work of White's hands,
    HandsOfWhite,
    /// or of Black's,
    HandsOfBlack,
    /// or the time itself.
    Time,
}

impl What {
    /// The hands that lift a piece.
    pub fn hands_at(piece: Piece) -> What {
        if is_white(piece) { What::HandsOfWhite } else { What::HandsOfBlack }
    }
}

/// The hands at a board.
#[derive(Debug, Clone, Default)]
pub struct Hands {
    /// How much has passed of each, in seconds,
    passed: [f64; 3],
    /// by then.
    now: Option<Time>,
    /// What White has left, and what Black.
    left: [u32; 2],
}

impl Hands {
    /// How much has passed, in seconds.
    pub fn passed(&self, what: What) -> f64 {
        self.passed[what as usize]
    }

    /// They work on until now.
    pub fn work(&mut self, now: Option<Time>) {
        let seconds = passed(std::mem::replace(&mut self.now, now), now);
        let more = |left: u32| if left == 0 { 1.0 } else { (limits::FEW_PIECES / f64::from(left)).max(1.0) };
        let [white, black] = self.left.map(more);
        for (passed, times) in self.passed.iter_mut().zip([white, black, 1.0]) {
            *passed += seconds * times;
        }
    }

    /// On a square something else stands now than did.
    pub fn left(&mut self, [stood, stands]: [Option<Piece>; 2]) {
        if let Some(piece) = stood {
            let left = &mut self.left[What::hands_at(piece) as usize];
            *left = left.saturating_sub(1);
        }
        if let Some(piece) = stands {
            self.left[What::hands_at(piece) as usize] += 1;
        }
    }
}

/// How many seconds passed, where that is known.
pub fn passed(since: Option<Time>, now: Option<Time>) -> f64 {
    since.zip(now).map_or(0.0, |(since, now)| since.seconds_until(now).max(0.0))
}
