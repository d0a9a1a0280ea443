//! For how long the hands of each player were at work. The time of a player with few pieces counts more: each piece is
//! then adjusted more often.
//!
//! The search for weak pieces uses this, as hands cause the same signs.

use super::{limits, reach::is_white};
use crate::record::{Piece, Time};

/// What is measured.
#[derive(Debug, Clone, Copy)]
pub enum Meter {
    /// The work of White's hands, in weighted seconds.
    WhiteHands,
    /// The work of Black's hands, in weighted seconds.
    BlackHands,
    /// Plain time, in seconds.
    Time,
}

impl Meter {
    /// The hands that move a piece.
    pub fn hands_of(piece: Piece) -> Meter {
        if is_white(piece) { Meter::WhiteHands } else { Meter::BlackHands }
    }
}

/// The work of the hands at a board.
#[derive(Debug, Clone, Default)]
pub struct Hands {
    /// The reading of each [`Meter`] at `now`, in seconds.
    elapsed: [f64; 3],
    now: Option<Time>,
    /// How many pieces White and Black have left.
    pieces_left: [u32; 2],
}

impl Hands {
    /// The reading of a meter, in seconds.
    pub fn elapsed(&self, meter: Meter) -> f64 {
        self.elapsed[meter as usize]
    }

    /// Advances all meters to `now`.
    pub fn advance(&mut self, now: Option<Time>) {
        let seconds = seconds_between(std::mem::replace(&mut self.now, now), now);
        let more = |left: u32| if left == 0 { 1.0 } else { (limits::FEW_PIECES / f64::from(left)).max(1.0) };
        let [white, black] = self.pieces_left.map(more);
        for (elapsed, times) in self.elapsed.iter_mut().zip([white, black, 1.0]) {
            *elapsed += seconds * times;
        }
    }

    /// The piece that stood on a square gives way to another or to none.
    pub fn replace(&mut self, [stood, stands]: [Option<Piece>; 2]) {
        if let Some(piece) = stood {
            let left = &mut self.pieces_left[Meter::hands_of(piece) as usize];
            *left = left.saturating_sub(1);
        }
        if let Some(piece) = stands {
            self.pieces_left[Meter::hands_of(piece) as usize] += 1;
        }
    }
}

/// Seconds between two times, at least 0; 0 if one of them is unknown.
pub fn seconds_between(since: Option<Time>, now: Option<Time>) -> f64 {
    since.zip(now).map_or(0.0, |(since, now)| since.seconds_until(now).max(0.0))
}
