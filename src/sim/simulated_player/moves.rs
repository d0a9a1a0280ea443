//! Plays whole plies, with the detours and accidents that may go with them.

use super::{REST, SimulatedPlayer, distance, free_way};
use crate::{
    record::{Placement, Square},
    sim::{
        Micros,
        gesture::Gesture,
        planned_game::{FromTo, PlannedPly},
    },
};

impl SimulatedPlayer<'_> {
    /// A ply from the position `before`, with accidents such as knocked pieces but without detours.
    pub fn ply(&mut self, before: &Placement, ply: &PlannedPly) -> Gesture {
        let gesture = match ply.rook {
            Some(rook) => self.castle(before, ply, rook),
            None if !ply.jumps.is_empty() => self.jump(before, ply),
            None => self.plain_move(before, ply),
        };
        if self.random.chance(self.profile.knock) { self.knock_over(before, ply, gesture) } else { gesture }
    }

    /// A ply with detours before it: another piece touched, a move withdrawn, an illegal move corrected.
    pub fn ply_with_detours(&mut self, before: &Placement, ply: &PlannedPly) -> Gesture {
        let first = if self.random.chance(self.profile.withdrawn) {
            self.withdrawn_move(before, &ply.quiet_alternatives, (0.8, 4.0))
        } else if self.random.chance(self.profile.illegal) {
            self.withdrawn_move(before, &ply.illegal_alternatives, (2.0, 15.0))
        } else if self.random.chance(self.profile.touch) {
            Some(self.adjust(before))
        } else {
            None
        };
        let gesture = self.ply(before, ply);
        match first {
            Some(first) => first.then(self.time((0.1, 1.0)), gesture),
            None => gesture,
        }
    }

    /// A move that is made and taken back.
    fn withdrawn_move(
        &mut self,
        before: &Placement,
        moves: &[FromTo],
        regret: (f64, f64),
    ) -> Option<Gesture> {
        let &(from, to) = self.random.pick(moves)?;
        let there = self.place(before, from, to, false);
        let mut stands = *before;
        stands.set(to, before.get(from));
        stands.set(from, None);
        let back = self.place(&stands, to, from, false);
        let regret = self.time(regret);
        Some(there.then(regret, back))
    }

    /// A move other than castling and captures of draughts.
    fn plain_move(&mut self, before: &Placement, ply: &PlannedPly) -> Gesture {
        let mut gesture = Gesture::default();
        let way = free_way(before, ply.from, ply.to);
        let slide = !way.is_empty() && self.random.chance(self.profile.slide);
        let mut lift = 0;
        let mut victim_waited_for = None;
        // En passant the victim may be the last to go.
        let mut passed_victim_stays = 0;
        if let Some(victim) = ply.victim {
            // In the order of `Profile::captures`: the victim first, the mover first, both together.
            match self.random.weighted(&self.profile.captures) {
                0 => {
                    gesture.put(0, victim, None);
                    lift = self.time((0.15, 0.9));
                }
                1 => victim_waited_for = Some(victim),
                _ if victim != ply.to => passed_victim_stays = self.time((0.1, 0.6)),
                _ => {}
            }
        }
        let pawn_first = self.puts_pawn_first(ply);
        let mut landed = match self.detour(before, ply, &way) {
            Some(square) => {
                gesture.put(lift, ply.from, None);
                let there = lift + self.time(self.profile.air);
                let left = self.visit(&mut gesture, there, square, ply.piece, REST);
                self.carry(&mut gesture, left, ply.piece, square, &[], false)
            }
            None => self.carry(&mut gesture, lift, ply.piece, ply.from, &way, slide),
        };
        if let Some(victim) = victim_waited_for {
            let gone = landed.max(lift + self.time((0.1, 0.5)));
            gesture.put(gone, victim, None);
            landed = gone + self.time((0.05, 0.4));
        }
        landed = self.land(&mut gesture, landed, ply, pawn_first);
        if passed_victim_stays > 0 {
            landed += passed_victim_stays;
            gesture.put(landed, ply.victim.unwrap_or(ply.to), None);
        }
        gesture.settle(landed)
    }

    /// The square beside its way on which the piece of a move is put down first, if it is.
    fn detour(&mut self, before: &Placement, ply: &PlannedPly, way: &[Square]) -> Option<Square> {
        // Profiles without detours use no random number here, so that their games do not change.
        if self.profile.detour == 0.0 || !self.random.chance(self.profile.detour) {
            return None;
        }
        let beside = |s: &Square| distance(*s, ply.to) == 1 && *s != ply.from && !way.contains(s);
        let free = Square::all().filter(beside).filter(|&s| before.get(s).is_none());
        self.random.pick(&free.collect::<Vec<_>>()).copied()
    }

    fn castle(
        &mut self,
        before: &Placement,
        ply: &PlannedPly,
        (rook_from, rook_to): (Square, Square),
    ) -> Gesture {
        let mut gesture = Gesture::default();
        let rook = before.get(rook_from);
        let (king_from, king_to) = (ply.from, ply.to);
        // In Chess960 one piece may be on the other's target: then both are lifted before either lands.
        let crossed = king_to == rook_from || rook_to == king_from;
        // In the order of `Profile::castling`: the king first, the rook first, both together.
        let order = if crossed { 2 } else { self.random.weighted(&self.profile.castling) };
        if order == 2 {
            let second = self.time((0.0, 0.2));
            let up = second + self.time(self.profile.air);
            let mut landed = 0;
            if king_from != king_to {
                gesture.put(0, king_from, None);
                gesture.put(up, king_to, Some(ply.piece));
                landed = up;
            }
            if rook_from != rook_to {
                let down = up + self.time((0.0, 0.3));
                gesture.put(second, rook_from, None);
                gesture.put(down, rook_to, rook);
                landed = down;
            }
            return gesture.settle(landed);
        }
        let king = (Some(ply.piece), king_from, king_to);
        let rook = (rook, rook_from, rook_to);
        let mut stands = *before;
        let mut lift = 0;
        let mut landed = 0;
        for (piece, from, to) in if order == 0 { [king, rook] } else { [rook, king] } {
            let Some(piece) = piece.filter(|_| from != to) else { continue };
            let way = free_way(&stands, from, to);
            let slide = !way.is_empty() && self.random.chance(self.profile.slide);
            landed = self.carry(&mut gesture, lift, piece, from, &way, slide);
            gesture.put(landed, to, Some(piece));
            stands.set(from, None);
            stands.set(to, Some(piece));
            lift = landed + self.time((0.08, 0.6));
        }
        gesture.settle(landed)
    }

    /// Knocks a piece beside the move over and puts it back.
    fn knock_over(&mut self, before: &Placement, ply: &PlannedPly, mut gesture: Gesture) -> Gesture {
        let near = |s: &Square| distance(*s, ply.to) == 1 || distance(*s, ply.from) == 1;
        let at_rest: Vec<Square> =
            Square::all().filter(near).filter(|&s| !gesture.touches_square(s)).collect();
        let occupied: Vec<Square> = at_rest.iter().copied().filter(|&s| before.get(s).is_some()).collect();
        let empty: Vec<Square> = at_rest.iter().copied().filter(|&s| before.get(s).is_none()).collect();
        let Some(&square) = self.random.pick(&occupied) else { return gesture };
        let fallen = (gesture.landed as f64 * self.random.unit()) as Micros;
        let raised = fallen.max(gesture.landed) + self.time((0.3, 2.5));
        gesture.put(fallen, square, None);
        if self.random.chance(0.3)
            && let Some(&lies) = self.random.pick(&empty)
        {
            let lifted = raised - self.time((0.1, 0.3));
            gesture.put(fallen, lies, before.get(square));
            gesture.put(lifted, lies, None);
        }
        gesture.put(raised, square, before.get(square));
        let landed = gesture.landed;
        gesture.settle(landed)
    }
}
