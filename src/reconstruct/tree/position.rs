//! Positions with the moves that follow, each worked out once: many hypotheses look at the same few positions.
//!
//! A position keeps those after it for as long as it is kept itself, never the one before it. Of its legal moves it keeps
//! the names alone: what a board sees of one is asked for of a few, those of the pieces that are off their squares.

use std::{
    cell::{OnceCell, RefCell},
    rc::Rc,
};

use crate::rules::{Candidate, Ends, Game, Squares, bit, set_of};

/// A legal move with its number.
pub type Numbered<G> = (usize, Candidate<<G as Game>::Move>);

/// A legal move as a position keeps it: what tells of most of them that they are of no interest.
struct Legal<M> {
    mv: M,
    ends: Ends,
}

/// A position, its legal moves when they have been asked for, and where they lead.
pub struct Position<G: Game> {
    /// The position itself.
    pub game: G,
    /// A hash of its placement.
    pub hash: u64,
    legal: OnceCell<Vec<Legal<G::Move>>>,
    /// Where those of them lead that were asked for, by their numbers: they are few.
    after: RefCell<Vec<(usize, Rc<Position<G>>)>>,
}

impl<G: Game> Position<G> {
    /// A position of which nothing else is known yet.
    pub fn new(game: G) -> Rc<Position<G>> {
        let hash = hash(game.placement().codes());
        Rc::new(Position { game, hash, legal: OnceCell::new(), after: RefCell::default() })
    }

    /// The code that stands on a field.
    pub fn code(&self, field: u8) -> u8 {
        self.game.placement().codes()[field as usize]
    }

    /// The legal moves. Their places in this list are their numbers.
    fn legal(&self) -> &[Legal<G::Move>] {
        let keep = |mv: &G::Move| Legal { mv: mv.clone(), ends: G::ends(mv) };
        self.legal.get_or_init(|| self.game.legal(keep))
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.legal().len()
    }

    /// The move of this number, as a board sees it.
    pub fn candidate(&self, number: usize) -> Candidate<G::Move> {
        self.game.candidate(&self.legal()[number].mv)
    }

    /// The moves that may be of interest, as a board sees them.
    fn those(&self, of_interest: impl Fn(&Legal<G::Move>) -> bool) -> impl Iterator<Item = Numbered<G>> {
        let moves = self.legal().iter().enumerate().filter(move |(_, legal)| of_interest(legal));
        moves.map(|(number, legal)| (number, self.game.candidate(&legal.mv)))
    }

    /// All of them.
    pub fn moves(&self) -> impl Iterator<Item = Numbered<G>> {
        self.those(|_| true)
    }

    /// Those that leave one of these squares.
    pub fn moves_from(&self, from: Squares) -> impl Iterator<Item = Numbered<G>> {
        self.those(move |legal| bit(legal.ends.from) & from != 0)
    }

    /// Those that end on one of these squares.
    pub fn moves_to(&self, to: Squares) -> impl Iterator<Item = Numbered<G>> {
        self.those(move |legal| bit(legal.ends.to) & to != 0)
    }

    /// Those that may be complete on a board that differs from the position on no other squares than these.
    pub fn moves_within(&self, squares: Squares) -> impl Iterator<Item = Numbered<G>> {
        let squares = squares | self.game.dead();
        self.those(move |legal| legal.ends.surely_changed() & !squares == 0)
    }

    /// The position after the legal move of this number.
    pub fn after(&self, number: usize) -> Rc<Position<G>> {
        let mut known = self.after.borrow_mut();
        if let Some((_, position)) = known.iter().find(|(of, _)| *of == number) {
            return position.clone();
        }
        let position = Position::new(self.game.after(&self.candidate(number)));
        known.push((number, position.clone()));
        position
    }

    /// Where the piece of a legal move could have gone on to in one move that passes the square where it ended.
    pub fn onward(&self, candidate: &Candidate<G::Move>) -> Squares {
        // None but a move of two pieces passes where another one stands. A king that castles may end where it began.
        let may_pass = |other: &Legal<G::Move>| {
            (other.ends.from == candidate.from || !other.ends.change)
                && other.ends.to != candidate.to
                && (other.ends.from == candidate.to || G::may_pass(&other.mv, candidate.to))
        };
        let passes = |other: &Candidate<G::Move>| {
            (other.from == candidate.from || candidate.changed & !(other.changed | other.transit) == 0)
                && (other.transit | other.changed) & bit(candidate.to) != 0
        };
        let others = self.those(may_pass).map(|(_, other)| other);
        set_of(others.filter(passes).map(|other| other.to))
    }
}

/// A hash of a placement, for telling positions apart within one game.
fn hash(codes: &[u8; 64]) -> u64 {
    codes.chunks(8).fold(0, |hash, row| {
        let row = u64::from_le_bytes(row.try_into().expect("eight squares"));
        (hash.rotate_left(5) ^ row).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    })
}
