//! Positions with the moves that follow: many hypotheses look at the same few positions.
//!
//! A position keeps those after it that were asked for, for as long as it is kept itself, never the one before it. Of its
//! legal moves it asks for a few, those of the pieces that are off their squares; it keeps all where a game cannot tell some
//! without the others.

use std::{
    cell::{OnceCell, RefCell},
    rc::Rc,
};

use arrayvec::ArrayVec;

use crate::rules::{Candidate, Colour, Ends, Game, Squares, bit, set_of, squares};

/// Mostly it is one piece that is off its square, which has no more moves than these.
const FEW: usize = 16;

/// A legal move, and where it leads.
type Step<G> = (<G as Game>::Move, Rc<Position<G>>);

/// A position, and where its moves lead.
pub struct Position<G: Game> {
    /// The position itself.
    pub game: G,
    /// A hash of its placement.
    pub hash: u64,
    /// All legal moves, where they had to be made.
    legal: OnceCell<Vec<G::Move>>,
    /// How many there are.
    count: OnceCell<usize>,
    /// Where those lead that were asked for: they are few.
    after: RefCell<Vec<Step<G>>>,
}

impl<G: Game> Position<G> {
    /// A position of which nothing else is known yet.
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

    /// How many legal moves there are.
    pub fn count(&self) -> usize {
        self.legal.get().map_or_else(|| *self.count.get_or_init(|| self.game.count()), Vec::len)
    }

    /// The legal moves.
    pub fn moves(&self) -> impl Iterator<Item = Candidate<G::Move>> {
        self.between(!0, !0, |_, _| true)
    }

    /// Those that leave one of these squares.
    pub fn moves_from(&self, from: Squares) -> impl Iterator<Item = Candidate<G::Move>> {
        self.between(from, !0, move |_, ends| bit(ends.from) & from != 0)
    }

    /// Those that leave one of these squares and end on one of those or on a dead one; of two pieces whatever they end on.
    pub fn moves_between(&self, from: Squares, to: Squares) -> impl Iterator<Item = Candidate<G::Move>> {
        let to = to | self.game.dead();
        self.between(from, to, move |_, ends| {
            bit(ends.from) & from != 0 && (!ends.change || bit(ends.to) & to != 0)
        })
    }

    /// Whether a legal move of one piece leads from here to there.
    pub fn leads(&self, from: u8, to: u8) -> bool {
        self.moves_between(bit(from), bit(to)).any(|mv| mv.from == from && mv.to == to)
    }

    /// Those of two pieces.
    pub fn castles(&self) -> impl Iterator<Item = Candidate<G::Move>> {
        // Of others as few as can be asked for.
        self.between(!0, 1, |_, ends| !ends.change)
    }

    /// Those that may be complete on a board that differs from the position on no other squares than these. `came`: where a
    /// piece of the side to move may have come to; a game that has to make all moves tells of others too.
    pub fn moves_within(&self, squares: Squares, came: Squares) -> impl Iterator<Item = Candidate<G::Move>> {
        self.moves_touching(!0, squares, came)
    }

    /// Those of them that may change one of the squares that are `touched`. A hypothesis stays beside its children, and the
    /// moves that made them are complete ever after.
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
            // Where a piece of the side to move stands none of them ends, and elsewhere none begins.
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

/// The legal moves that begin on one of these squares and end on one of those, and those of two pieces, as far as they may be
/// of interest; as a board sees them. `legal`: all of them, where they have to be made.
fn between<G: Game>(
    game: &G,
    legal: &OnceCell<Vec<G::Move>>,
    from: Squares,
    to: Squares,
    of_interest: impl Fn(&G::Move, Ends) -> bool,
) -> impl Iterator<Item = Candidate<G::Move>> {
    let (mut few, mut more) = (ArrayVec::<G::Move, FEW>::new(), Vec::new());
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

/// Where the piece of a legal move of this position could have gone on to in one move that passes the square where it ended.
pub fn onward<G: Game>(game: &G, candidate: &Candidate<G::Move>) -> Squares {
    // None but a move of two pieces passes where another one stands. A king that castles may end where it began.
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

/// A hash of a placement, for telling positions apart within one game.
fn hash(codes: &[u8; 64]) -> u64 {
    codes.chunks(8).fold(0, |hash, row| {
        let row = u64::from_le_bytes(row.try_into().expect("eight squares"));
        (hash.rotate_left(5) ^ row).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    })
}
