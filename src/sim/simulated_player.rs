//! A player's hands: the touches of each handling of a piece, at the frequencies of a [`Profile`].
//!
//! This file has the elements: lifting and carrying, sliding, landing, adjusting. Whole plies are in [`moves`], captures of
//! draughts in [`jump`]. Used by [`SimulatedGame`](super::simulated_game::SimulatedGame) and
//! [`BetweenGames`](super::between_games::BetweenGames).

mod jump;
mod moves;

use super::{Micros, gesture::Gesture, planned_game::PlannedPly, profile::Profile, random::Random, seconds};
use crate::record::{Piece, Placement, Square};

/// Seconds for which a piece rests on a square on its way.
const REST: (f64, f64) = (0.2, 1.5);

/// A player with hands of one profile.
pub struct SimulatedPlayer<'a> {
    /// How they play.
    pub profile: &'a Profile,
    /// Their chance.
    pub random: &'a mut Random,
}

impl SimulatedPlayer<'_> {
    /// A random time within a range of seconds.
    pub fn time(&mut self, range: (f64, f64)) -> Micros {
        seconds(self.random.between(range))
    }

    /// Lifts a random piece and puts it back.
    pub fn adjust(&mut self, before: &Placement) -> Gesture {
        let mut gesture = Gesture::default();
        let occupied: Vec<Square> = Square::all().filter(|&s| before.get(s).is_some()).collect();
        let Some(&square) = self.random.pick(&occupied) else { return gesture };
        let back = self.time((0.08, 0.7));
        gesture.put(0, square, None);
        gesture.put(back, square, before.get(square));
        gesture.settle(back)
    }

    /// Takes a piece from one square to another; a piece in the way is lifted off first.
    pub fn place(&mut self, before: &Placement, from: Square, to: Square, slide: bool) -> Gesture {
        let mut gesture = Gesture::default();
        let Some(piece) = before.get(from) else { return gesture };
        let mut lift = 0;
        if from != to && before.get(to).is_some() {
            gesture.put(0, to, None);
            lift = self.time((0.3, 1.2));
        }
        let way = if slide { free_way(before, from, to) } else { Vec::new() };
        let landed = self.carry(&mut gesture, lift, piece, from, &way, slide);
        gesture.put(landed, to, Some(piece));
        gesture.settle(landed)
    }

    /// Lifts a piece and carries it to just before its square. Returns when it arrives there; the caller lands it.
    fn carry(
        &mut self,
        gesture: &mut Gesture,
        lift: Micros,
        piece: Piece,
        from: Square,
        way: &[Square],
        slide: bool,
    ) -> Micros {
        gesture.put(lift, from, None);
        let rest =
            (!way.is_empty() && self.random.chance(self.profile.rest)).then(|| self.random.below(way.len()));
        let mut at = lift;
        if slide {
            for (n, &square) in way.iter().enumerate() {
                let range = if rest == Some(n) { REST } else { self.profile.slide_step };
                at = self.visit(gesture, at, square, piece, range);
            }
            // The landing follows without a pause; a captor may still wait for its victim.
        } else {
            at += self.time(self.profile.air);
            if let Some(rest) = rest {
                at = self.visit(gesture, at, way[rest], piece, REST);
                at += self.time(self.profile.air) / 2;
            }
        }
        at
    }

    /// A piece rests on, or slides over, a square for a random time within a range of seconds. Returns when it leaves.
    fn visit(
        &mut self,
        gesture: &mut Gesture,
        at: Micros,
        square: Square,
        piece: Piece,
        range: (f64, f64),
    ) -> Micros {
        gesture.put(at, square, Some(piece));
        let left = at + self.time(range);
        gesture.put(left, square, None);
        left
    }

    /// Puts the piece of a ply, or its promotion, on its last square; `pawn_first`: first the pawn, then the promotion.
    /// Returns when the last piece is put down.
    fn land(&mut self, gesture: &mut Gesture, at: Micros, ply: &PlannedPly, pawn_first: bool) -> Micros {
        // A pawn that is not put on the last rank is put aside, and the new piece is taken up.
        let taken_up = ply.promotion.filter(|_| !pawn_first);
        let mut landed = at + if taken_up.is_some() { self.time((0.2, 1.0)) } else { 0 };
        gesture.put(landed, ply.to, Some(taken_up.unwrap_or(ply.piece)));
        if pawn_first {
            landed += self.time((0.2, 0.9));
            gesture.put(landed, ply.to, None);
            landed += self.time((0.15, 1.0));
            gesture.put(landed, ply.to, ply.promotion);
        }
        landed
    }

    /// Whether a ply that promotes puts the pawn on the last rank first.
    fn puts_pawn_first(&mut self, ply: &PlannedPly) -> bool {
        ply.promotion.is_some() && self.random.chance(self.profile.pawn_first)
    }
}

/// The distance of two squares in king's moves.
pub(super) fn distance(a: Square, b: Square) -> u8 {
    let (a, b) = (a.field(), b.field());
    (a % 8).abs_diff(b % 8).max((a / 8).abs_diff(b / 8))
}

/// The squares between two squares on one line, in order; none if one of them is occupied or there is no line.
fn free_way(placement: &Placement, from: Square, to: Square) -> Vec<Square> {
    let (file, rank) = (from.field() as i8 % 8, from.field() as i8 / 8);
    let (files, ranks) = (to.field() as i8 % 8 - file, to.field() as i8 / 8 - rank);
    if files != 0 && ranks != 0 && files.abs() != ranks.abs() {
        return Vec::new();
    }
    let way: Vec<Square> = (1..files.abs().max(ranks.abs()))
        .filter_map(|n| {
            Square::from_field(((rank + n * ranks.signum()) * 8 + file + n * files.signum()) as u8)
        })
        .collect();
    if way.iter().any(|&s| placement.get(s).is_some()) { Vec::new() } else { way }
}
