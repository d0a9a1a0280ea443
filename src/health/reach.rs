//! Where pieces of chess may go in one move, and where they may have come from: fields of the board's own numbering.

use shakmaty::attacks;

use super::squares::{holds, set_of};
use crate::record::{Piece, Placement, Square};

/// A piece, and the square on which it began its game, which says where a pawn goes.
#[derive(Debug, Clone, Copy)]
pub struct Walker {
    /// What it is.
    pub piece: Piece,
    /// The square on which it began its game, if that is known.
    pub home: Option<Square>,
}

impl Walker {
    /// Its letter in lower case.
    fn kind(&self) -> char {
        self.piece.letter().unwrap_or(' ').to_ascii_lowercase()
    }

    /// Whether it is a pawn.
    pub fn is_pawn(&self) -> bool {
        is_pawn(self.piece)
    }

    /// Whether it may go from one square to another in one move, whatever stands between; a king castles.
    pub fn may_go(&self, from: Square, to: Square) -> bool {
        let reached = match self.kind() {
            'k' => return true,
            'p' if self.home.is_none() => return true,
            'p' => self.pawn_reach(from, 0),
            kind => attacked(kind, from, 0),
        };
        holds(reached, to)
    }

    /// The same; where it captures nothing a pawn goes straight on.
    pub fn may_come(&self, from: Square, to: Square, captures: bool) -> bool {
        let straight = from.field() % 8 == to.field() % 8;
        self.may_go(from, to) && (!self.is_pawn() || straight != captures)
    }

    /// Where a pawn goes: away from the side on which it began; one that is about to be promoted vanishes anyway.
    fn pawn_reach(&self, from: Square, occupied: u64) -> u64 {
        let Some(home) = self.home else { return 0 };
        let (row, file) = (i32::from(from.field() / 8), i32::from(from.field() % 8));
        let forward = if home.field() / 8 == 6 { -1 } else { 1 };
        let field = |rows: i32, files: i32| {
            let (row, file) = (row + rows * forward, file + files);
            ((1..7).contains(&row) && (0..8).contains(&file)).then(|| 1u64 << (row * 8 + file))
        };
        let step = field(1, 0).filter(|step| occupied & step == 0);
        let both = step.filter(|_| from == home).and_then(|_| field(2, 0)).filter(|far| occupied & far == 0);
        [step, both, field(1, -1), field(1, 1)].into_iter().flatten().fold(0, |set, bit| set | bit)
    }
}

/// Whether a piece is a pawn.
pub fn is_pawn(piece: Piece) -> bool {
    piece.letter().is_some_and(|letter| letter.eq_ignore_ascii_case(&'p'))
}

/// Whether a piece is one of White.
pub fn is_white(piece: Piece) -> bool {
    piece.letter().is_some_and(|letter| letter.is_ascii_uppercase())
}

/// Where a piece may have gone in one move from a square, on a board that stands so; bit n for field n.
pub fn reach(walker: &Walker, from: Square, stands: &Placement) -> u64 {
    let occupied = stands.occupied();
    if walker.is_pawn() {
        return walker.pawn_reach(from, occupied);
    }
    let white = stands.white();
    let own = if is_white(walker.piece) { white } else { occupied & !white };
    attacked(walker.kind(), from, occupied) & !own
}

/// Where a piece may have stood that came to a square of a board that stands so in one move: nothing is seen there.
pub fn reach_back(walker: &Walker, to: Square, stands: &Placement) -> u64 {
    let empty = !stands.occupied();
    if !walker.is_pawn() {
        return attacked(walker.kind(), to, !empty) & empty;
    }
    // No pawn comes from farther away than two rows.
    let near = |from: &Square| from.field().abs_diff(to.field()) <= 16;
    let leads = |from: &Square| holds(walker.pawn_reach(*from, 0), to);
    set_of(Square::all().filter(near).filter(leads)) & empty
}

/// Where a piece that is no pawn may go in one move from a square, or come from to it, where so many squares are occupied.
fn attacked(kind: char, from: Square, occupied: u64) -> u64 {
    let (from, occupied) = (shakmaty::Square::new(u32::from(from.field() ^ 0x38)), squares_of(occupied));
    let attacked = match kind {
        'n' => attacks::knight_attacks(from),
        'b' => attacks::bishop_attacks(from, occupied),
        'r' => attacks::rook_attacks(from, occupied),
        'q' => attacks::queen_attacks(from, occupied),
        'k' => attacks::king_attacks(from),
        _ => shakmaty::Bitboard::EMPTY,
    };
    attacked.0.swap_bytes()
}

/// Fields begin with a8, squares of the library with a1.
fn squares_of(fields: u64) -> shakmaty::Bitboard {
    shakmaty::Bitboard(fields.swap_bytes())
}
