//! Captures in draughts: the captor goes from landing to landing and touches some of them; the captured men are taken off
//! before, during or after that, in any order and by either hand.

use super::{SimulatedPlayer, free_way};
use crate::{
    record::{Placement, Square},
    sim::{gesture::Gesture, planned_game::PlannedPly},
};

impl SimulatedPlayer<'_> {
    /// A capture of one or several.
    pub(super) fn jump(&mut self, before: &Placement, ply: &PlannedPly) -> Gesture {
        let mut gesture = Gesture::default();
        // In the order of `Profile::lifting`: all first, each as it is jumped, all after the landing, the other hand.
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
            // A king on a long way may slide up to the captured man.
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
            // The mover does not wait for men that the other hand takes off.
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

    /// Captures of several men: by a man, by one that is crowned on the way, by kings over long distances.
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
    fn after_a_capture_only_forgotten_men_remain() {
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
    fn clean_hands_touch_every_landing() {
        // They also take all men off before the press.
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
