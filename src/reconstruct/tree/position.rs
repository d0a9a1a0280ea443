//! Positions with their legal moves: many hypotheses stand at the same few positions.
//!
//! A position keeps the positions after it that were asked for, and never the one before. It computes only the legal
//! moves of pieces that are off their squares, and all of them only where the game cannot compute some alone.

use std::{
    cell::{OnceCell, RefCell},
    rc::Rc,
};

use arrayvec::ArrayVec;

use crate::rules::{Candidate, Colour, Ends, Game, Squares, bit, set_of, squares};

/// One piece, which is usually the one off its square, rarely has more moves than this.
const MOVES_OF_ONE_PIECE: usize = 16;

/// A legal move, and the position after it.
type Step<G> = (<G as Game>::Move, Rc<Position<G>>);

/// A position with the positions after its moves.
pub struct Position<G: Game> {
    /// The position itself.
    pub game: G,
    /// A hash of its placement.
    pub hash: u64,
    /// All legal moves, where they had to be generated.
    legal: OnceCell<Vec<G::Move>>,
    /// The number of legal moves.
    count: OnceCell<usize>,
    /// The positions that were asked for, which are few.
    after: RefCell<Vec<Step<G>>>,
}

impl<G: Game> Position<G> {
    /// A position with nothing computed yet.
    pub fn new(game: G) -> Rc<Position<G>> {
        let hash = hash(game.placement().codes());
        let (legal, count) = (OnceCell::new(), OnceCell::new());
        Rc::new(Position { game, hash, legal, count, after: RefCell::default() })
    }

    /// The code that stands on a field.
    pub fn code(&self, field: u8) -> u8 {
        self.game.placement().codes()[field as usize]
    }

    /// See [`between`].
    fn between(
        &self,
        from: Squares,
        to: Squares,
        of_interest: impl Fn(&G::Move, Ends) -> bool,
    ) -> impl Iterator<Item = Candidate<G::Move>> {
        between(&self.game, &self.legal, from, to, of_interest)
    }

    /// The number of legal moves.
    pub fn count(&self) -> usize {
        self.legal.get().map_or_else(|| *self.count.get_or_init(|| self.game.count()), Vec::len)
    }

    /// The legal moves.
    pub fn moves(&self) -> impl Iterator<Item = Candidate<G::Move>> {
        self.between(!0, !0, |_, _| true)
    }

    /// The legal moves that leave one of these squares.
    pub fn moves_from(&self, from: Squares) -> impl Iterator<Item = Candidate<G::Move>> {
        self.between(from, !0, move |_, ends| bit(ends.from) & from != 0)
    }

    /// The legal moves that leave one of the squares `from` and end on one of `to` or on a dead one; those of two
    /// pieces wherever they end.
    pub fn moves_between(&self, from: Squares, to: Squares) -> impl Iterator<Item = Candidate<G::Move>> {
        let to = to | self.game.dead();
        self.between(from, to, move |_, ends| {
            bit(ends.from) & from != 0 && (!ends.change || bit(ends.to) & to != 0)
        })
    }

    /// Whether a legal move of one piece goes from `from` to `to`.
    pub fn leads(&self, from: u8, to: u8) -> bool {
        self.moves_between(bit(from), bit(to)).any(|mv| mv.from == from && mv.to == to)
    }

    /// The legal moves of two pieces.
    pub fn castles(&self) -> impl Iterator<Item = Candidate<G::Move>> {
        // As few others as the interface allows.
        self.between(!0, 1, |_, ends| !ends.change)
    }

    /// The legal moves that may be complete on a board that differs from the position on these squares only. `came`:
    /// where a piece of the side to move may have come to; a game that has to generate all moves may return others too.
    pub fn moves_within(&self, squares: Squares, came: Squares) -> impl Iterator<Item = Candidate<G::Move>> {
        self.moves_touching(!0, squares, came)
    }

    /// The same for moves that may change one of the squares `touched`. A parent stays beside its children, so moves
    /// that are already children would be complete again at each change.
    pub fn moves_touching(
        &self,
        touched: Squares,
        within: Squares,
        came: Squares,
    ) -> impl Iterator<Item = Candidate<G::Move>> {
        let within = within | self.game.dead();
        let (mut from, mut to) = (within, came);
        let at = touched.trailing_zeros() as u8;
        if touched.count_ones() == 1 && !self.game.may_change_beside(at) {
            // A square with a piece of the side to move is the start of a move, every other square an end.
            match Colour::of(self.code(at)) == Some(self.game.turn()) {
                true => from &= touched,
                false => to &= touched,
            }
        }
        let touches = move |mv: &G::Move, ends: Ends| {
            !ends.change
                || ends.surely_changed() & touched != 0
                || squares(touched).any(|at| G::may_pass(mv, at))
        };
        self.between(from, to, move |mv, ends| ends.surely_changed() & !within == 0 && touches(mv, ends))
    }

    /// The position after a legal move.
    pub fn after(&self, candidate: &Candidate<G::Move>) -> Rc<Position<G>> {
        let mut known = self.after.borrow_mut();
        if let Some((_, position)) = known.iter().find(|(of, _)| *of == candidate.mv) {
            return position.clone();
        }
        let position = Position::new(self.game.after(candidate));
        known.push((candidate.mv.clone(), position.clone()));
        position
    }
}

/// The legal moves, as candidates, that begin on one of the squares `from` and end on one of `to`, and those of two
/// pieces, if they are `of_interest`. `legal` keeps all moves where they have to be generated.
fn between<G: Game>(
    game: &G,
    legal: &OnceCell<Vec<G::Move>>,
    from: Squares,
    to: Squares,
    of_interest: impl Fn(&G::Move, Ends) -> bool,
) -> impl Iterator<Item = Candidate<G::Move>> {
    let (mut few, mut more) = (ArrayVec::<G::Move, MOVES_OF_ONE_PIECE>::new(), Vec::new());
    let mut keep = |mv: &G::Move| {
        if of_interest(mv, G::ends(mv))
            && let Err(full) = few.try_push(mv.clone())
        {
            more.push(full.element());
        }
    };
    if !game.legal_between(from, to, &mut keep) {
        legal.get_or_init(|| game.legal(G::Move::clone)).iter().for_each(keep);
    }
    few.into_iter().chain(more).map(|mv| game.candidate(&mv))
}

/// The squares that the piece of a legal move could have gone on to in one move that passes the square where it ended.
pub fn onward<G: Game>(game: &G, candidate: &Candidate<G::Move>) -> Squares {
    // Only a move of two pieces passes a square with another piece. A castling king may end where it began.
    let may_pass = |other: &G::Move, ends: Ends| {
        (ends.from == candidate.from || !ends.change)
            && ends.to != candidate.to
            && (candidate.from == candidate.to || G::may_pass(other, candidate.to))
    };
    let passes = |other: &Candidate<G::Move>| {
        (other.from == candidate.from || candidate.changed & !(other.changed | other.transit) == 0)
            && (other.transit | other.changed) & bit(candidate.to) != 0
    };
    let to = match candidate.from == candidate.to {
        true => !0,
        false => G::beyond(candidate.from, candidate.to) | game.may_castle(),
    };
    let legal = OnceCell::new();
    let others = between(game, &legal, bit(candidate.from), to & !bit(candidate.to), may_pass);
    set_of(others.filter(passes).map(|other| other.to))
}

/// A hash of a placement, to distinguish positions within one game.
fn hash(codes: &[u8; 64]) -> u64 {
    codes.chunks(8).fold(0, |hash, row| {
        let row = u64::from_le_bytes(row.try_into().expect("eight squares"));
        (hash.rotate_left(5) ^ row).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    })
}
