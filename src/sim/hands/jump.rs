//! How hands capture in draughts: the captor goes from landing to landing, touching some, and the captured are taken
//! off by whoever does it, in any order, before, meanwhile or after.

use super::{Gesture, Player, free_way};
use crate::{
    record::{Placement, Square},
    sim::game::Ply,
};

impl Player<'_> {
    /// A capture of one or several.
    pub(super) fn jump(&mut self, before: &Placement, ply: &Ply) -> Gesture {
        let mut gesture = Gesture::default();
        let order = self.random.weighted(&self.profile.lifting);
        let mut captured: Vec<Square> = ply.jumps.iter().map(|jump| jump.over).collect();
        if self.random.chance(self.profile.forget) {
            let n = self.random.below(captured.len());
            gesture.forgotten.push(captured.remove(n));
        }
        let mut at = 0;
        if order == 0 {
            self.random.shuffle(&mut captured);
            for &square in &captured {
                gesture.put(at, square, None);
                at += self.time((0.15, 0.7));
            }
        }
        gesture.put(at, ply.from, None);
        let mut stands = *before;
        stands.set(ply.from, None);
        let (mut from, mut turns) = (ply.from, ply.jumps.len());
        for jump in &ply.jumps {
            turns -= 1;
            // A king that has far to go may be pushed to where the captured stands.
            let way = free_way(&stands, from, jump.over);
            if !way.is_empty() && self.random.chance(self.profile.slide) {
                for &square in &way {
                    gesture.put(at, square, Some(ply.piece));
                    at += self.time(self.profile.slide_step);
                    gesture.put(at, square, None);
                }
            }
            at += self.time(self.profile.air) / 2;
            if order == 1 && captured.contains(&jump.over) {
                gesture.put(at, jump.over, None);
            }
            at += self.time(self.profile.air) / 2;
            if turns > 0 && self.random.chance(self.profile.touch_down) {
                gesture.put(at, jump.to, Some(ply.piece));
                at += self.time(self.profile.touched);
                gesture.put(at, jump.to, None);
            }
            from = jump.to;
        }
        let man_first = ply.promotion.is_some() && self.random.chance(self.profile.pawn_first);
        let straight = ply.promotion.filter(|_| !man_first);
        if straight.is_some() {
            at += self.time((0.2, 1.0));
        }
        gesture.put(at, ply.to, Some(straight.unwrap_or(ply.piece)));
        if man_first {
            at += self.time((0.2, 0.9));
            gesture.put(at, ply.to, None);
            at += self.time((0.15, 1.0));
            gesture.put(at, ply.to, ply.promotion);
        }
        let mut landed = at;
        if order >= 2 {
            self.random.shuffle(&mut captured);
            at += if order == 3 { self.time((0.5, 3.0)) } else { 0 };
            for &square in &captured {
                at += self.time((0.15, 0.7));
                gesture.put(at, square, None);
            }
            // What the other hand takes off the mover does not wait for.
            if order == 2 {
                landed = at;
            }
        }
        gesture.settle(landed)
    }
}
