//! Finds draws that could be claimed while a game is read: the same as `rules::claim`, without keeping a position for
//! every ply.

use shakmaty::{Bitboard, Square};

/// The search goes back over up to this many positions without a capture or a pawn move: longer games were over long
/// before.
const MOST: usize = 400;

/// Distinguishes a position of a game from its others, without the side to move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Standing {
    /// Compared first, since it differs for nearly every other position.
    pub occupied: Bitboard,
    /// The letters of the pieces, rank by rank.
    pub squares: [u64; 8],
    pub rights: Bitboard,
    pub en_passant: Option<Square>,
}

/// Most games never have more positions than this.
const USUAL: usize = 32;

/// The positions since the last capture or pawn move, a ply each.
#[derive(Debug)]
pub(super) struct Claims {
    since: Vec<Standing>,
}

impl Default for Claims {
    fn default() -> Claims {
        Claims { since: Vec::with_capacity(USUAL) }
    }
}

impl Claims {
    /// Adds the present position, `reversible` plies after the last capture or pawn move; returns the draw that could
    /// be claimed.
    #[inline(always)]
    pub fn take(&mut self, now: Standing, reversible: u32) -> Option<&'static str> {
        if reversible == 0 {
            self.since.clear();
        } else if self.since.len() >= MOST {
            self.since.drain(..MOST / 2);
        }
        self.since.push(now);
        // A third occurrence takes at least eight plies.
        let before = match reversible {
            0..8 => 0,
            known => self.stood(known as usize),
        };
        match before {
            2.. => Some("threefold"),
            _ if reversible >= 100 => Some("fifty-moves"),
            _ => None,
        }
    }

    /// How often the present position occurred in the last `known` plies. Every second one has the same side to move.
    fn stood(&self, known: usize) -> usize {
        let Some((now, before)) = self.since.split_last() else { return 0 };
        before.iter().rev().take(known).skip(3).step_by(2).filter(|then| *then == now).count()
    }
}
