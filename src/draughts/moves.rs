//! Legal moves, each with its full path.
//!
//! Capturing is compulsory, any capture may be chosen, and a capture that is begun goes on to its end. The captured
//! pieces stay on the board until then: they block, and none is jumped twice. A man that reaches the last rank on the
//! way continues as a king. A king lands where it can capture again, if there is such a square.

use super::{
    position::{Colour, Position},
    square::{DARK, Square, bits},
};

/// No game has more pieces to capture.
const MOST: usize = 12;

/// The diagonals: up and left, up and right, down and left, down and right, as White sees them.
const DIAGONALS: [u8; 4] = [0, 1, 2, 3];

/// All squares of a set moved one step along a diagonal; those that leave the board end on light squares.
#[inline(always)]
fn step(set: u64, diagonal: u8) -> u64 {
    match diagonal {
        0 => set >> 9,
        1 => set >> 7,
        2 => set << 7,
        _ => set << 9,
    }
}

/// A move: its path and its captures, in order.
#[derive(Debug, Clone, Copy)]
pub struct Move {
    path: [u8; MOST + 1],
    captured: [u8; MOST],
    captures: u8,
    crowned: bool,
    set: u64,
}

impl Move {
    fn quiet(from: u64, to: u64, crowned: bool) -> Move {
        let mut path = [0; MOST + 1];
        (path[0], path[1]) = (from.trailing_zeros() as u8, to.trailing_zeros() as u8);
        Move { path, captured: [0; MOST], captures: 0, crowned, set: 0 }
    }

    fn fields(&self) -> &[u8] {
        &self.path[..self.captures.max(1) as usize + 1]
    }

    /// Every square it stood on: from, landings, to. Two or more.
    pub fn path(&self) -> impl DoubleEndedIterator<Item = Square> + ExactSizeIterator + '_ {
        self.fields().iter().map(|&field| Square::from_field(field).expect("paths are of dark squares"))
    }

    /// The squares of the captured pieces, in order.
    pub fn captured(&self) -> impl DoubleEndedIterator<Item = Square> + ExactSizeIterator + '_ {
        let fields = &self.captured[..self.captures as usize];
        fields.iter().map(|&field| Square::from_field(field).expect("pieces stand on dark squares"))
    }

    /// Where it began.
    pub fn from(&self) -> Square {
        Square::from_field(self.fields()[0]).expect("paths are of dark squares")
    }

    /// Where it ended.
    pub fn to(&self) -> Square {
        self.path().next_back().expect("a path has two squares or more")
    }

    /// Whether it captures.
    pub fn is_capture(&self) -> bool {
        self.captures > 0
    }

    /// Whether a man is crowned on the way or at the end.
    pub fn crowned(&self) -> bool {
        self.crowned
    }

    /// The captured pieces as a set.
    pub fn captured_set(&self) -> u64 {
        self.set
    }

    /// Whether both lead from a position to the same one.
    pub fn same_result(&self, other: &Move) -> bool {
        (self.origin_bit(), self.target_bit(), self.set, self.crowned)
            == (other.origin_bit(), other.target_bit(), other.set, other.crowned)
    }

    pub(super) fn origin_bit(&self) -> u64 {
        1 << self.path[0]
    }

    pub(super) fn target_bit(&self) -> u64 {
        1 << self.path[self.captures.max(1) as usize]
    }

    fn push(&mut self, victim: u64, to: u64) {
        let n = self.captures as usize;
        self.captured[n] = victim.trailing_zeros() as u8;
        self.path[n + 1] = to.trailing_zeros() as u8;
        self.captures += 1;
        self.set |= victim;
    }

    fn pop(&mut self) {
        self.captures -= 1;
        self.set &= !(1 << self.captured[self.captures as usize]);
    }
}

impl PartialEq for Move {
    /// Equal if the path, the captures and their order are the same.
    fn eq(&self, other: &Move) -> bool {
        self.fields() == other.fields() && self.captured().eq(other.captured())
    }
}

impl Eq for Move {}

impl Position {
    /// The legal moves, one for each path; none means that the side to move has lost. The order is fixed; of several
    /// paths to one result the one with the nearer landings comes first.
    pub fn legal_moves(&self) -> Vec<Move> {
        let mut moves = Vec::new();
        self.each_move(|m| moves.push(*m));
        moves
    }

    /// The position after a legal move; a move of another position gives a meaningless position.
    pub fn play(&self, m: &Move) -> Position {
        let (from, to, taken) = (m.origin_bit(), m.target_bit(), m.captured_set());
        let king = self.kings & from != 0 || m.crowned();
        let mut kings = self.kings & !(from | taken);
        if king {
            kings |= to;
        }
        let (white, black) = match self.turn {
            Colour::White => (self.white & !from | to, self.black & !taken),
            Colour::Black => (self.white & !taken, self.black & !from | to),
        };
        Position { white, black, kings, turn: self.turn.other() }
    }

    /// Calls `f` with each legal move, in the order of [`Position::legal_moves`].
    pub fn each_move(&self, f: impl FnMut(&Move)) {
        match self.capturers() {
            0 => self.each_quiet(f),
            capturers => self.each_capture(capturers, f),
        }
    }

    /// Whether the side to move has a move.
    pub fn has_moves(&self) -> bool {
        self.must_capture() || self.quiet_count() > 0
    }

    /// Whether the side to move can capture, and so has to.
    pub fn must_capture(&self) -> bool {
        self.capturers() != 0
    }

    /// The pieces of the side to move that can capture.
    fn capturers(&self) -> u64 {
        let (own, enemy) = (self.of(self.turn()), self.of(self.turn().other()));
        let empty = DARK & !(own | enemy);
        let men = own & !self.kings();
        let mut capturers = 0;
        for d in DIAGONALS {
            // Back from the empty squares over the enemies before them.
            capturers |= step(step(empty, 3 - d) & enemy, 3 - d) & men;
        }
        bits(own & self.kings())
            .filter(|&king| king_captures(king, enemy, empty))
            .fold(capturers, |a, b| a | b)
    }

    /// The number of moves when nothing can be captured.
    pub(super) fn quiet_count(&self) -> u64 {
        let own = self.of(self.turn());
        let (men, empty) = (own & !self.kings(), DARK & !self.occupied());
        let [left, right] = self.ahead();
        let mut count = (step(men, left) & empty).count_ones() + (step(men, right) & empty).count_ones();
        for king in bits(own & self.kings()) {
            count += DIAGONALS.iter().map(|&d| ray(king, d, empty).count_ones()).sum::<u32>();
        }
        count.into()
    }

    /// The two diagonals that men of the side to move step along.
    fn ahead(&self) -> [u8; 2] {
        match self.turn() {
            Colour::White => [0, 1],
            Colour::Black => [2, 3],
        }
    }

    fn each_quiet(&self, mut f: impl FnMut(&Move)) {
        let empty = DARK & !self.occupied();
        let last = self.turn().crowning_rank();
        let own = self.of(self.turn());
        for d in self.ahead() {
            for to in bits(step(own & !self.kings(), d) & empty) {
                f(&Move::quiet(step(to, 3 - d), to, to & last != 0));
            }
        }
        for king in bits(own & self.kings()) {
            for d in DIAGONALS {
                let mut to = step(king, d) & empty;
                while to != 0 {
                    f(&Move::quiet(king, to, false));
                    to = step(to, d) & empty;
                }
            }
        }
    }

    fn each_capture(&self, capturers: u64, f: impl FnMut(&Move)) {
        let (own, enemy) = (self.of(self.turn()), self.of(self.turn().other()));
        let mut chain = Chain {
            enemy,
            empty: 0,
            last: self.turn().crowning_rank(),
            m: Move::quiet(1, 1, false),
            found: f,
        };
        for piece in bits(capturers) {
            // The square it leaves counts as empty.
            chain.empty = DARK & !(own & !piece | enemy);
            chain.m.path[0] = piece.trailing_zeros() as u8;
            if piece & self.kings() == 0 {
                chain.man(piece);
            } else {
                chain.king(piece);
            }
        }
    }
}

/// A capture on its way.
struct Chain<F> {
    /// All enemy pieces; captured ones stay there and block.
    enemy: u64,
    empty: u64,
    /// The rank where a man is crowned.
    last: u64,
    m: Move,
    found: F,
}

impl<F: FnMut(&Move)> Chain<F> {
    /// Continues with a man; returns whether it could.
    fn man(&mut self, at: u64) -> bool {
        let mut went_on = false;
        for d in DIAGONALS {
            let victim = step(at, d) & self.enemy & !self.m.set;
            let to = step(victim, d) & self.empty;
            if to == 0 {
                continue;
            }
            went_on = true;
            self.m.push(victim, to);
            self.m.crowned = to & self.last != 0;
            let more = if self.m.crowned { self.king(to) } else { self.man(to) };
            if !more {
                (self.found)(&self.m);
            }
            self.m.crowned = false;
            self.m.pop();
        }
        went_on
    }

    /// Continues with a king; returns whether it could.
    fn king(&mut self, at: u64) -> bool {
        let mut went_on = false;
        for d in DIAGONALS {
            let victim = first_piece(at, d, self.empty) & self.enemy & !self.m.set;
            let landings = ray(victim, d, self.empty);
            if landings == 0 {
                continue;
            }
            went_on = true;
            let enemy = self.enemy & !(self.m.set | victim);
            let going_on =
                bits(landings).filter(|&l| king_captures(l, enemy, self.empty)).fold(0, |a, b| a | b);
            let mut to = step(victim, d);
            while to & landings != 0 {
                if going_on == 0 {
                    self.m.push(victim, to);
                    (self.found)(&self.m);
                    self.m.pop();
                } else if to & going_on != 0 {
                    self.m.push(victim, to);
                    self.king(to);
                    self.m.pop();
                }
                to = step(to, d);
            }
        }
        went_on
    }
}

/// The first square along a diagonal that is not empty: a piece, or a square off the board, which no set contains.
fn first_piece(at: u64, d: u8, empty: u64) -> u64 {
    let mut next = step(at, d);
    while next & empty != 0 {
        next = step(next, d);
    }
    next
}

/// The empty squares along a diagonal up to the first piece.
fn ray(at: u64, d: u8, empty: u64) -> u64 {
    let mut all = 0;
    let mut next = step(at, d) & empty;
    while next != 0 {
        all |= next;
        next = step(next, d) & empty;
    }
    all
}

/// Whether a king can capture one of `enemy` from here.
fn king_captures(at: u64, enemy: u64, empty: u64) -> bool {
    DIAGONALS.iter().any(|&d| step(first_piece(at, d, empty) & enemy, d) & empty != 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The legal moves of a position, sorted, with their paths.
    fn legal(fen: &str) -> String {
        let position: Position = fen.parse().unwrap();
        let mut moves: Vec<String> = position.legal_moves().iter().map(Move::to_string).collect();
        assert_eq!(position.has_moves(), !moves.is_empty());
        moves.sort();
        moves.join(" ")
    }

    fn after(fen: &str, text: &str) -> String {
        let position: Position = fen.parse().unwrap();
        let m = position.legal_moves().into_iter().find(|m| m.to_string() == text).unwrap();
        position.play(&m).to_string()
    }

    #[test]
    fn men_step_forward_and_capture_both_ways() {
        assert_eq!(legal("W:Wc3:Bh8"), "c3-b4 c3-d4");
        assert_eq!(legal("B:Wh2:Bc5"), "c5-b4 c5-d4");
        assert_eq!(legal("W:We5:Bd4,h8"), "e5:c3");
    }

    #[test]
    fn a_capture_is_compulsory_and_freely_chosen() {
        assert_eq!(legal("B:Wb6,b4:Bc7,Kg1"), "c7:a5:c3 g1:a7");
        assert_eq!(legal("B:Wg7,Kg5:BKe7,Kc1"), "c1:h6:f8 e7:h4");
    }

    #[test]
    fn a_king_lands_where_it_can_continue() {
        assert_eq!(legal("W:WKf8:Be7,g3"), "f8:d6:h2");
        assert_eq!(legal("W:WKb8:Bc7,Kf2"), "b8:g3:e1");
        assert_eq!(legal("W:WKa1:Bg7,e5,c3"), "a1:d4:f6:h8");
        assert_eq!(legal("W:WKd2:Bh8"), "d2-a5 d2-b4 d2-c1 d2-c3 d2-e1 d2-e3 d2-f4 d2-g5 d2-h6");
    }

    #[test]
    fn the_captured_stay_until_the_move_ends_and_block() {
        assert_eq!(legal("W:Wd6:Bc7,f4"), "d6:b8");
        assert_eq!(legal("B:Wb6,f2:BKe3"), "e3:a7 e3:g1");
        assert_eq!(legal("W:Wh6,b2:BKa7,c7,c5,g5,b4,c3,f2"), "b2:d4:b6:d8:h4:e1 h6:f4");
        assert_eq!(after("W:Wd6:Bc7,f4", "d6:b8"), "B:WKb8:Bf4");
        assert_eq!(after("W:Wh6,b2:BKa7,c7,c5,g5,b4,c3,f2", "b2:d4:b6:d8:h4:e1"), "B:Wh6,Ke1:BKa7,b4");
    }

    #[test]
    fn men_crowned_on_the_way_continue_as_kings() {
        assert_eq!(legal("W:Wb6,d2:Bc7,e7,g5"), "b6:d8:f6:h4");
        assert_eq!(legal("B:Wc3,Kf2:Bg3"), "g3:e1:a5 g3:e1:b4");
        assert_eq!(legal("B:Wg7,d2,f2:Bg3"), "g3:e1:c3:h8");
        assert_eq!(after("W:Wb6,d2:Bc7,e7,g5", "b6:d8:f6:h4"), "B:WKh4,d2:B");
    }

    #[test]
    fn quiet_moves_to_the_last_rank_crown_and_end() {
        assert_eq!(legal("W:Wc7:Bh6"), "c7-b8 c7-d8");
        assert_eq!(after("W:Wc7:Bh6", "c7-b8"), "B:WKb8:Bh6");
    }

    #[test]
    fn moves_over_other_squares_are_different_moves() {
        assert_eq!(legal("W:WKg7,Kf4,e1,g1:Bf6,c3,Kh2").split(' ').count(), 4);
        assert_eq!(legal("W:WKb8,c1:Bd6,e3,Kg3,b2,d2,Ka1,Ke1"), "b8:e5:h2 b8:f4:h2 c1:a3");
    }

    #[test]
    fn a_side_blocked_or_without_pieces_has_no_move() {
        assert_eq!(legal("W:Wh4,a3:Bf6,c5,g5,b4"), "");
        assert_eq!(legal("W:W:Bc5"), "");
    }
}
