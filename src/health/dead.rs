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
    pieces::{self, Journey, Vanished},
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
    /// Pieces that may have stood where nothing is seen.
    vanished: Vec<Unseen>,
}

/// A piece that may have stood where nothing is seen.
#[derive(Debug, Clone, Copy)]
struct Unseen {
    piece: Vanished,
    /// Where that may have been, bit n for field n.
    on: u64,
    /// What it says: more, if it vanished and came back.
    weight: u32,
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

    /// A square changes: where the board stood set up but for one square, the game begins all the same. Its first move may be
    /// that of the piece which nobody sees, and only come down.
    pub fn begins(&mut self, time: Option<Time>) {
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
        self.add(piece, reach(piece, piece.from, stands), limits::VANISHED_WEIGHT);
    }

    /// A piece came down, and the board stands so: if it had vanished, or cannot have come there in one move, it was
    /// somewhere between.
    pub fn came_down(&mut self, journey: &Journey, stands: &Placement) {
        let Journey { piece, to, told } = *journey;
        let between = reach_back(&piece, to, stands);
        if told {
            let known = self.vanished.iter_mut().filter(|unseen| unseen.piece == piece);
            known.for_each(|unseen| {
                unseen.on &= between;
                unseen.weight = limits::CAME_BACK_WEIGHT;
            });
        } else if !may_go(&piece, to) {
            self.add(&piece, reach(&piece, piece.from, stands) & between, limits::VANISHED_WEIGHT);
        }
    }

    fn add(&mut self, piece: &Vanished, on: u64, weight: u32) {
        // What was seen at some time is not thought of, so that those are kept that say something.
        self.vanished.retain(|unseen| unseen.on & !self.spoke != 0);
        if on & !self.spoke != 0 && self.vanished.len() < KEPT {
            self.vanished.push(Unseen { piece: *piece, on, weight });
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
        let known = |unseen: &Unseen| Unseen { on: unseen.on & !self.spoke, ..*unseen };
        let mut left: Vec<Unseen> = self.vanished.iter().map(known).collect();
        left.retain(|unseen| unseen.on & explained == 0);
        while let Some((square, evidence)) = explains_most(&left) {
            left.retain(|unseen| unseen.on >> square.field() & 1 == 0);
            dead.push((square, evidence));
        }
        dead.sort_by_key(|(square, _)| *square);
        dead
    }
}

/// The square that explains most of the pieces that were unseen, if it explains enough of them and none does as well.
fn explains_most(unseen: &[Unseen]) -> Option<(Square, Evidence)> {
    let on = |square: Square| unseen.iter().filter(move |unseen| unseen.on >> square.field() & 1 == 1);
    let says = |square: Square| on(square).map(|unseen| unseen.weight).sum::<u32>();
    let mut all: Vec<(u32, Square)> = Square::all().map(|square| (says(square), square)).collect();
    all.sort_by_key(|(says, _)| std::cmp::Reverse(*says));
    let (most, square) = all[0];
    let count = on(square).count();
    let enough = most >= limits::DEAD_WEIGHT && most > all[1].0;
    let since = on(square).find_map(|unseen| unseen.piece.at);
    enough.then_some((square, Evidence { count: count as u32, since, set_up: false }))
}

/// A piece's letter in lower case.
fn kind(piece: &Vanished) -> char {
    piece.piece.letter().unwrap_or(' ').to_ascii_lowercase()
}

/// Fields begin with a8, squares of the library with a1.
fn squares_of(fields: u64) -> shakmaty::Bitboard {
    shakmaty::Bitboard(fields.swap_bytes())
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

/// Where a piece may have gone in one move from a square, on a board that stands so.
fn reach(piece: &Vanished, from: Square, stands: &Placement) -> u64 {
    let occupied = game::occupied(stands);
    if kind(piece) == 'p' {
        return pawn_reach(piece, from, occupied);
    }
    let own = |square: &Square| {
        let letter = |piece: Piece| piece.letter().is_some_and(|letter| letter.is_ascii_uppercase());
        stands.get(*square).is_some_and(|there| letter(there) == letter(piece.piece))
    };
    let own = Square::all().filter(own).fold(0, |set: u64, square| set | 1 << square.field());
    attacked(kind(piece), from, occupied) & !own
}

/// Where a piece may have stood that came to a square of a board that stands so in one move: nothing is seen there.
fn reach_back(piece: &Vanished, to: Square, stands: &Placement) -> u64 {
    let empty = !game::occupied(stands);
    if kind(piece) != 'p' {
        return attacked(kind(piece), to, !empty) & empty;
    }
    let leads = |from: &Square| pawn_reach(piece, *from, 0) >> to.field() & 1 == 1;
    Square::all().filter(leads).fold(0, |set: u64, square| set | 1 << square.field()) & empty
}

/// Whether a piece may go from where it was lifted to a square in one move, whatever stands between; a king castles.
fn may_go(piece: &Vanished, to: Square) -> bool {
    let reached = match kind(piece) {
        'k' => return true,
        'p' if piece.home.is_none() => return true,
        'p' => pawn_reach(piece, piece.from, 0),
        kind => attacked(kind, piece.from, 0),
    };
    reached >> to.field() & 1 == 1
}

/// The same as [`reach`] of a pawn, which goes away from the side on which it began; one that is about to be promoted
/// vanishes anyway.
fn pawn_reach(pawn: &Vanished, from: Square, occupied: u64) -> u64 {
    let Some(home) = pawn.home else { return 0 };
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
