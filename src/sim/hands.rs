//! How hands play a ply: which square sees what, when, from the first lift on.
//!
//! A [`Gesture`] knows no clock and no other hand; [`table`](super::table) sets it into the game's time. Captures of
//! draughts are in [`jump`].

mod jump;

use super::{
    Instant,
    game::{FromTo, Ply},
    profile::Profile,
    random::Random,
    seconds,
};
use crate::record::{Piece, Placement, Square};

/// A square's sensor has something else above it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Touch {
    /// When.
    pub at: Instant,
    /// Where.
    pub square: Square,
    /// What stands there from now on.
    pub piece: Option<Piece>,
}

/// What a hand does from its first lift on; times count from there.
#[derive(Debug, Clone, Default)]
pub struct Gesture {
    /// In order of time.
    pub touches: Vec<Touch>,
    /// When the last piece of the move stands: the hand goes to the clock.
    pub landed: Instant,
    /// When nothing is left to be put right.
    pub free: Instant,
    /// Captured men of draughts that nobody thinks of taking off.
    pub forgotten: Vec<Square>,
}

impl Gesture {
    /// A piece is taken off the board.
    pub fn taking_off(square: Square) -> Gesture {
        let mut gesture = Gesture::default();
        gesture.put(0, square, None);
        gesture.settle(0)
    }

    fn put(&mut self, at: Instant, square: Square, piece: Option<Piece>) {
        self.touches.push(Touch { at, square, piece });
    }

    fn touches_square(&self, square: Square) -> bool {
        self.touches.iter().any(|t| t.square == square)
    }

    fn settle(mut self, landed: Instant) -> Gesture {
        self.touches.sort_by_key(|t| t.at);
        self.landed = landed;
        self.free = self.touches.last().map_or(landed, |t| t.at.max(landed));
        self
    }

    /// Appends what is done after this gesture and a pause.
    fn then(mut self, pause: Instant, next: Gesture) -> Gesture {
        let from = self.free + pause;
        self.touches.extend(next.touches.into_iter().map(|t| Touch { at: t.at + from, ..t }));
        self.landed = next.landed + from;
        self.free = next.free + from;
        self.forgotten.extend(next.forgotten);
        self
    }
}

/// Hands of one kind.
pub struct Player<'a> {
    /// How they play.
    pub profile: &'a Profile,
    /// Their chance.
    pub random: &'a mut Random,
}

impl Player<'_> {
    /// A ply, on a board that stands as `before`: the move alone, with all that goes with it or against it.
    pub fn ply(&mut self, before: &Placement, ply: &Ply) -> Gesture {
        let gesture = match ply.rook {
            Some(rook) => self.castle(before, ply, rook),
            None if !ply.jumps.is_empty() => self.jump(before, ply),
            None => self.carry_out(before, ply),
        };
        if self.random.chance(self.profile.knock) { self.knock(before, ply, gesture) } else { gesture }
    }

    /// A ply with what may come before it: another piece touched, a move withdrawn, an illegal one put right.
    pub fn ply_with_detours(&mut self, before: &Placement, ply: &Ply) -> Gesture {
        let first = if self.random.chance(self.profile.withdrawn) {
            self.detour(before, &ply.others, (0.8, 4.0))
        } else if self.random.chance(self.profile.illegal) {
            self.detour(before, &ply.illegal, (2.0, 15.0))
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

    /// A piece, any piece, is lifted and put back where it was.
    pub fn adjust(&mut self, before: &Placement) -> Gesture {
        let mut gesture = Gesture::default();
        let stand: Vec<Square> = Square::all().filter(|&s| before.get(s).is_some()).collect();
        let Some(&square) = self.random.pick(&stand) else { return gesture };
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

    /// A time within a range of seconds.
    pub fn time(&mut self, range: (f64, f64)) -> Instant {
        seconds(self.random.between(range))
    }

    /// A move that is made and taken back.
    fn detour(&mut self, before: &Placement, moves: &[FromTo], regret: (f64, f64)) -> Option<Gesture> {
        let &(from, to) = self.random.pick(moves)?;
        let there = self.place(before, from, to, false);
        let mut stands = *before;
        stands.set(to, before.get(from));
        stands.set(from, None);
        let back = self.place(&stands, to, from, false);
        let regret = self.time(regret);
        Some(there.then(regret, back))
    }

    /// Any move but castling and a capture of draughts.
    fn carry_out(&mut self, before: &Placement, ply: &Ply) -> Gesture {
        let mut gesture = Gesture::default();
        let way = free_way(before, ply.from, ply.to);
        let slide = !way.is_empty() && self.random.chance(self.profile.slide);
        // What captures end with beside the landing: en passant the victim may be the last to go.
        let mut after = 0;
        let mut lift = 0;
        let mut victim_goes = None;
        if let Some(victim) = ply.victim {
            match self.random.weighted(&self.profile.captures) {
                0 => {
                    gesture.put(0, victim, None);
                    lift = self.time((0.15, 0.9));
                }
                1 => victim_goes = Some(victim),
                _ if victim != ply.to => after = self.time((0.1, 0.6)),
                _ => {}
            }
        }
        // A pawn that never stands on the last rank is put aside, and the new piece taken up.
        let pawn_first = ply.promotion.is_some() && self.random.chance(self.profile.pawn_first);
        let straight = ply.promotion.filter(|_| !pawn_first);
        let mut landed = self.carry(&mut gesture, lift, ply.piece, ply.from, &way, slide);
        if let Some(victim) = victim_goes {
            let gone = landed.max(lift + self.time((0.1, 0.5)));
            gesture.put(gone, victim, None);
            landed = gone + self.time((0.05, 0.4));
        }
        if straight.is_some() {
            landed += self.time((0.2, 1.0));
        }
        gesture.put(landed, ply.to, Some(straight.unwrap_or(ply.piece)));
        if after > 0 {
            landed += after;
            gesture.put(landed, ply.victim.unwrap_or(ply.to), None);
        }
        if pawn_first {
            let lifted = landed + self.time((0.2, 0.9));
            landed = lifted + self.time((0.15, 1.0));
            gesture.put(lifted, ply.to, None);
            gesture.put(landed, ply.to, ply.promotion);
        }
        gesture.settle(landed)
    }

    fn castle(&mut self, before: &Placement, ply: &Ply, (rook_from, rook_to): (Square, Square)) -> Gesture {
        let mut gesture = Gesture::default();
        let rook = before.get(rook_from);
        let (king_from, king_to) = (ply.from, ply.to);
        // In Chess960 one may stand where the other goes: then both hands lift before either lands.
        let crossed = king_to == rook_from || rook_to == king_from;
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

    /// Lifts a piece and brings it to just before its square; when it gets there. The landing is the caller's.
    fn carry(
        &mut self,
        gesture: &mut Gesture,
        lift: Instant,
        piece: Piece,
        from: Square,
        way: &[Square],
        slide: bool,
    ) -> Instant {
        gesture.put(lift, from, None);
        let rest =
            (!way.is_empty() && self.random.chance(self.profile.rest)).then(|| self.random.below(way.len()));
        if !slide {
            let mut at = lift + self.time(self.profile.air);
            if let Some(rest) = rest {
                gesture.put(at, way[rest], Some(piece));
                at += self.time((0.2, 1.5));
                gesture.put(at, way[rest], None);
                at += self.time(self.profile.air) / 2;
            }
            return at;
        }
        let mut at = lift;
        for (n, &square) in way.iter().enumerate() {
            gesture.put(at, square, Some(piece));
            at += if rest == Some(n) { self.time((0.2, 1.5)) } else { self.time(self.profile.slide_step) };
            gesture.put(at, square, None);
        }
        // The last square's edge is reached at once; a captor may still wait for its victim.
        at
    }

    /// Knocks a piece beside the move over and puts it back.
    fn knock(&mut self, before: &Placement, ply: &Ply, mut gesture: Gesture) -> Gesture {
        let near = |s: &Square| distance(*s, ply.to) == 1 || distance(*s, ply.from) == 1;
        let at_rest: Vec<Square> =
            Square::all().filter(near).filter(|&s| !gesture.touches_square(s)).collect();
        let stand: Vec<Square> = at_rest.iter().copied().filter(|&s| before.get(s).is_some()).collect();
        let empty: Vec<Square> = at_rest.iter().copied().filter(|&s| before.get(s).is_none()).collect();
        let Some(&square) = self.random.pick(&stand) else { return gesture };
        let fallen = (gesture.landed as f64 * self.random.unit()) as Instant;
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

/// The squares between two on one line, from the first on; none where one of them is taken or there is no line.
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

/// How many king's steps lie between two squares.
fn distance(a: Square, b: Square) -> u8 {
    let (a, b) = (a.field(), b.field());
    (a % 8).abs_diff(b % 8).max((a / 8).abs_diff(b / 8))
}
