//! How hands capture in draughts: the captor goes from landing to landing, touching some, and the captured are taken
//! off by whoever does it, in any order, before, meanwhile or after.

use super::{SimulatedPlayer, free_way};
use crate::{
    record::{Placement, Square},
    sim::{gesture::Gesture, planned_game::PlannedPly},
};

impl SimulatedPlayer<'_> {
    /// A capture of one or several.
    pub(super) fn jump(&mut self, before: &Placement, ply: &PlannedPly) -> Gesture {
        let mut gesture = Gesture::default();
        // As `Profile::lifting` counts: all first, each as it is jumped, all after the landing, the other hand.
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
                    at = self.visit(&mut gesture, at, square, ply.piece, self.profile.slide_step);
                }
            }
            at += self.time(self.profile.air) / 2;
            if order == 1 && captured.contains(&jump.over) {
                gesture.put(at, jump.over, None);
            }
            at += self.time(self.profile.air) / 2;
            if turns > 0 && self.random.chance(self.profile.touch_down) {
                at = self.visit(&mut gesture, at, jump.to, ply.piece, self.profile.touched);
            }
            from = jump.to;
        }
        let man_first = self.puts_pawn_first(ply);
        at = self.land(&mut gesture, at, ply, man_first);
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

#[cfg(test)]
mod tests {
    use clap::ValueEnum;

    use super::*;
    use crate::sim::{
        planned_game::{
            PlannedGame,
            russian::{Figures, tests::planned},
        },
        profile::Hands,
        random::Random,
    };

    /// Captures of several: by a man, by one that is crowned on the way, by kings that have far to go.
    fn captures() -> Vec<PlannedGame> {
        [
            ("W:Wb4,h2:Bc5,e7,a3", "b4:d6:f8"),
            ("W:WKf8:Be7,g3", "f8:d6:h2"),
            ("W:Wb6,d2:Bc7,e7,g5", "b6:d8:f6:h4"),
            ("W:WKb8:Bc7,Kf2", "b8:g3:e1"),
        ]
        .into_iter()
        .map(|(fen, path)| planned(fen, Figures::Disks, &[path]))
        .collect()
    }

    #[test]
    fn captures_keep_the_ply_and_remove_the_men() {
        let games = captures();
        let mut forgotten = 0;
        for &hands in Hands::value_variants() {
            for (seed, game) in (0..400).flat_map(|seed| games.iter().map(move |game| (seed, game))) {
                let profile = hands.profile();
                let mut player = SimulatedPlayer { profile: &profile, random: &mut Random::new(seed) };
                let gesture = player.ply(&game.start, &game.plies[0]);
                let mut stands = game.start;
                assert!(gesture.touches.is_sorted_by_key(|touch| touch.at));
                gesture.touches.iter().for_each(|touch| stands.set(touch.square, touch.piece));
                for &square in &gesture.forgotten {
                    assert!(stands.get(square).is_some(), "{hands:?} {seed}");
                    stands.set(square, None);
                }
                forgotten += gesture.forgotten.len();
                assert_eq!(stands, game.plies[0].after, "{hands:?} {seed} {}", game.plies[0].name);
                assert!(gesture.free >= gesture.landed);
            }
        }
        assert!(forgotten > 0);
    }

    #[test]
    fn clean_draughts_hands_touch_squares_before_the_clock() {
        let profile = Hands::Clean.profile();
        for (seed, game) in (0..100).flat_map(|seed| captures().into_iter().map(move |game| (seed, game))) {
            let ply = &game.plies[0];
            let mut player = SimulatedPlayer { profile: &profile, random: &mut Random::new(seed) };
            let gesture = player.ply(&game.start, ply);
            assert!(gesture.forgotten.is_empty() && gesture.free == gesture.landed);
            for jump in &ply.jumps {
                let touched = |t: &crate::sim::gesture::Touch| t.square == jump.to && t.piece.is_some();
                assert!(gesture.touches.iter().any(touched), "{seed} {}", ply.name);
            }
        }
    }
}
