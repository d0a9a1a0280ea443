//! Where pieces of chess can go in one move, and where they can have come from. Fields are numbered as the board numbers them.

use shakmaty::attacks;

use super::squares::{holds, set_of};
use crate::record::{Piece, Placement, Square};

/// A piece and its home square, from which follows the direction of a pawn.
#[derive(Debug, Clone, Copy)]
pub struct Walker {
    /// Its type.
    pub piece: Piece,
    /// The square on which it began its game, if known.
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

    /// Whether it can go from one square to another in one move on an empty board; a king may castle.
    pub fn may_go(&self, from: Square, to: Square) -> bool {
        let reached = match self.kind() {
            'k' => return true,
            'p' if self.home.is_none() => return true,
            'p' => self.pawn_reach(from, 0),
            kind => attacked(kind, from, 0),
        };
        holds(reached, to)
    }

    /// The same, but a pawn changes its file only if it captures.
    pub fn may_come(&self, from: Square, to: Square, captures: bool) -> bool {
        let straight = from.field() % 8 == to.field() % 8;
        self.may_go(from, to) && (!self.is_pawn() || straight != captures)
    }

    /// Where a pawn can go: away from its home row, and not onto the last row, as a pawn about to promote vanishes anyway.
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

/// Where a piece can go in one move from a square of this position; bit n for field n.
pub fn reach(walker: &Walker, from: Square, stands: &Placement) -> u64 {
    let occupied = stands.occupied();
    if walker.is_pawn() {
        return walker.pawn_reach(from, occupied);
    }
    let white = stands.white();
    let own = if is_white(walker.piece) { white } else { occupied & !white };
    attacked(walker.kind(), from, occupied) & !own
}

/// The empty squares from which a piece can have come to a square of this position in one move; bit n for field n.
pub fn reach_back(walker: &Walker, to: Square, stands: &Placement) -> u64 {
    let empty = !stands.occupied();
    if !walker.is_pawn() {
        return attacked(walker.kind(), to, !empty) & empty;
    }
    // No pawn crosses more than two rows in one move.
    let near = |from: &Square| from.field().abs_diff(to.field()) <= 16;
    let leads = |from: &Square| holds(walker.pawn_reach(*from, 0), to);
    set_of(Square::all().filter(near).filter(leads)) & empty
}

/// The squares attacked from a square by a piece other than a pawn, given the occupied ones; bit n for field n.
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

/// Converts fields, which begin with a8, to the library's squares, which begin with a1.
fn squares_of(fields: u64) -> shakmaty::Bitboard {
    shakmaty::Bitboard(fields.swap_bytes())
}
