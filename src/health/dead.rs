//! Squares that never say that anything stands on them.
//!
//! Such a square shows in three ways. A board is set up but for that square, and stays so when the game begins. A game
//! goes on with a piece there, which the board shows nowhere. Or, whatever is made of the game, pieces are lifted and come
//! down nowhere while the others play on: they went to squares that never spoke, and one such square explains many of
//! them.

use shakmaty::attacks;

use super::{
    game::{self, Expected},
    limits,
    pieces::{self, Vanished},
};
use crate::record::{Piece, Placement, Square, Time};

/// So many pieces that vanished are remembered.
const KEPT: usize = 64;

/// What speaks for a square's being dead.
#[derive(Debug, Clone, Copy, Default)]
pub struct Evidence {
    /// How many plies a piece stood there unseen, or games began without one.
    pub count: u32,
    /// Since when.
    pub since: Option<Time>,
    /// The board stood set up but for this square.
    set_up: bool,
}

/// What is known of the squares of a board that have never said anything.
#[derive(Debug, Clone)]
pub struct DeadSquares {
    /// Squares that said at some time that something stands there, bit n for field n.
    spoke: u64,
    evidence: [Evidence; 64],
    /// The board stands set up but for this square, and since when.
    set_up: Option<(Square, Option<Time>)>,
    expected: u64,
    /// Where each piece may stand that vanished, and since when.
    vanished: Vec<(u64, Option<Time>)>,
}

impl Default for DeadSquares {
    fn default() -> DeadSquares {
        DeadSquares {
            spoke: 0,
            evidence: [Evidence::default(); 64],
            set_up: None,
            expected: 0,
            vanished: Vec::new(),
        }
    }
}

impl DeadSquares {
    /// All of this stands, so these squares are alive.
    pub fn stands(&mut self, occupied: u64) {
        self.spoke |= occupied;
    }

    /// Something stands on a square, so it is alive.
    pub fn speaks(&mut self, square: Square) {
        self.spoke |= 1 << square.field();
    }

    /// The pieces rest.
    pub fn rests(&mut self, stands: &Placement, time: Option<Time>) {
        match self.missing(stands) {
            Some(square) if self.set_up.is_some_and(|(missing, _)| missing == square) => {}
            missing => self.set_up = missing.map(|square| (square, time)),
        }
    }

    /// The one square without which this is a start position, if it never spoke.
    fn missing(&self, stands: &Placement) -> Option<Square> {
        if !matches!(stands.count(), 31 | 23) {
            return None;
        }
        let silent = |square: &Square| self.spoke >> square.field() & 1 == 0;
        Square::all().filter(|square| stands.get(*square).is_none()).filter(silent).find(|&square| {
            (1..=12).filter_map(Piece::from_code).any(|piece| {
                let mut whole = *stands;
                whole.set(square, Some(piece));
                pieces::is_start(&whole)
            })
        })
    }

    /// A piece is lifted: where the board stood set up but for one square, the game begins all the same.
    pub fn lifted(&mut self, time: Option<Time>) {
        let Some((square, since)) = self.set_up.take() else { return };
        let stood = since.zip(time).map_or(0.0, |(since, time)| since.seconds_until(time));
        if stood >= limits::SET_UP {
            let evidence = &mut self.evidence[usize::from(square.field())];
            evidence.set_up = true;
            evidence.count += 1;
            evidence.since = evidence.since.or(since);
        }
    }

    /// A ply was played, after which this should stand, and this does.
    pub fn played(&mut self, expected: Option<Expected>, occupied: u64, time: Option<Time>) {
        let expected = expected.map_or(0, |expected| expected.occupied);
        // Those of which the ply before said so already: no hand is on its way there.
        let unseen = expected & self.expected & !occupied & !self.spoke;
        self.expected = expected;
        for square in Square::all().filter(|square| unseen >> square.field() & 1 == 1) {
            let evidence = &mut self.evidence[usize::from(square.field())];
            evidence.count += 1;
            evidence.since = evidence.since.or(time);
        }
    }

    /// A piece vanished from a board that stands so.
    pub fn vanished(&mut self, piece: &Vanished, stands: &Placement) {
        // What was seen at some time is not thought of, so that those are kept that say something.
        let may_stand = reach(piece, stands) & !self.spoke;
        self.vanished.retain(|(may_stand, _)| may_stand & !self.spoke != 0);
        if may_stand != 0 && self.vanished.len() < KEPT {
            self.vanished.push((may_stand, piece.at));
        }
    }

    /// The squares that are dead, with what speaks for it.
    pub fn verdicts(&self) -> Vec<(Square, Evidence)> {
        let silent = |square: &Square| self.spoke >> square.field() & 1 == 0;
        let sure =
            |(_, evidence): &(Square, Evidence)| evidence.set_up || evidence.count >= limits::UNSEEN_PLIES;
        let mut dead: Vec<(Square, Evidence)> =
            Square::all().zip(self.evidence).filter(|(square, _)| silent(square)).filter(sure).collect();
        let explained = dead.iter().fold(0, |set, (square, _)| set | 1 << square.field());
        let mut left: Vec<(u64, Option<Time>)> = self
            .vanished
            .iter()
            .map(|(set, at)| (set & !self.spoke, *at))
            .filter(|(set, _)| *set != 0)
            .collect();
        left.retain(|(set, _)| set & explained == 0);
        while let Some((square, evidence)) = explains_most(&left) {
            left.retain(|(set, _)| set >> square.field() & 1 == 0);
            dead.push((square, evidence));
        }
        dead.sort_by_key(|(square, _)| *square);
        dead
    }
}

/// The square that explains most of the pieces that vanished, if it explains enough of them and none does as well.
fn explains_most(vanished: &[(u64, Option<Time>)]) -> Option<(Square, Evidence)> {
    let on = |square: Square| vanished.iter().filter(move |(set, _)| set >> square.field() & 1 == 1);
    let mut counts: Vec<(usize, Square)> = Square::all().map(|square| (on(square).count(), square)).collect();
    counts.sort_by_key(|(count, _)| std::cmp::Reverse(*count));
    let (most, square) = counts[0];
    let enough = most >= limits::UNSEEN_PIECES && most > counts[1].0;
    let since = on(square).find_map(|(_, at)| *at);
    enough.then_some((square, Evidence { count: most as u32, since, set_up: false }))
}

/// Where a piece may have gone in one move, from a board that stands so.
fn reach(piece: &Vanished, stands: &Placement) -> u64 {
    // Fields begin with a8, squares of the library with a1.
    let occupied = shakmaty::Bitboard(game::occupied(stands).swap_bytes());
    let from = shakmaty::Square::new(u32::from(piece.from.field() ^ 0x38));
    let reached = match piece.piece.letter().unwrap_or(' ').to_ascii_lowercase() {
        'n' => attacks::knight_attacks(from),
        'b' => attacks::bishop_attacks(from, occupied),
        'r' => attacks::rook_attacks(from, occupied),
        'q' => attacks::queen_attacks(from, occupied),
        'k' => attacks::king_attacks(from),
        'p' => return pawn_reach(piece, game::occupied(stands)),
        _ => return 0,
    };
    let own = |square: &Square| {
        let letter = |piece: Piece| piece.letter().is_some_and(|letter| letter.is_ascii_uppercase());
        stands.get(*square).is_some_and(|there| letter(there) == letter(piece.piece))
    };
    let own = Square::all().filter(own).fold(0, |set: u64, square| set | 1 << square.field());
    reached.0.swap_bytes() & !own
}

/// The same of a pawn, which goes away from the side on which it began; one that is about to be promoted vanishes anyway.
fn pawn_reach(pawn: &Vanished, occupied: u64) -> u64 {
    let Some(home) = pawn.home else { return 0 };
    let (row, file) = (i32::from(pawn.from.field() / 8), i32::from(pawn.from.field() % 8));
    let forward = if home.field() / 8 == 6 { -1 } else { 1 };
    let field = |rows: i32, files: i32| {
        let (row, file) = (row + rows * forward, file + files);
        ((1..7).contains(&row) && (0..8).contains(&file)).then(|| 1u64 << (row * 8 + file))
    };
    let step = field(1, 0).filter(|step| occupied & step == 0);
    let both = step.filter(|_| pawn.from == home).and_then(|_| field(2, 0)).filter(|far| occupied & far == 0);
    [step, both, field(1, -1), field(1, 1)].into_iter().flatten().fold(0, |set, bit| set | bit)
}
