//! Positions with the moves that follow, each worked out once: many hypotheses look at the same few positions.
//!
//! A position keeps those after it for as long as it is kept itself, never the one before it.

use std::{
    cell::{OnceCell, RefCell},
    rc::Rc,
};

use crate::rules::{Candidate, Game, Squares, bit};

/// A position, its legal moves when they have been asked for, and where they lead.
pub struct Position<G: Game> {
    /// The position itself.
    pub game: G,
    /// A hash of its placement.
    pub hash: u64,
    moves: OnceCell<Vec<Candidate<G::Move>>>,
    /// Where those of them lead that were asked for, by their numbers: they are few.
    after: RefCell<Vec<(usize, Rc<Position<G>>)>>,
}

impl<G: Game> Position<G> {
    /// A position of which nothing else is known yet.
    pub fn new(game: G) -> Rc<Position<G>> {
        let hash = hash(game.placement().codes());
        Rc::new(Position { game, hash, moves: OnceCell::new(), after: RefCell::default() })
    }

    /// The code that stands on a field.
    pub fn code(&self, field: u8) -> u8 {
        self.game.placement().codes()[field as usize]
    }

    /// The legal moves. Their places in this list are their numbers.
    pub fn moves(&self) -> &[Candidate<G::Move>] {
        self.moves.get_or_init(|| self.game.moves())
    }

    /// The position after the legal move of this number.
    pub fn after(&self, number: usize) -> Rc<Position<G>> {
        let mut known = self.after.borrow_mut();
        if let Some((_, position)) = known.iter().find(|(of, _)| *of == number) {
            return position.clone();
        }
        let position = Position::new(self.game.after(&self.moves()[number]));
        known.push((number, position.clone()));
        position
    }

    /// Where the piece of a legal move could have gone on to in one move that passes the square where it ended.
    pub fn onward(&self, number: usize) -> Squares {
        let candidate = &self.moves()[number];
        let further = |other: &&Candidate<_>| {
            (other.from == candidate.from || candidate.changed & !(other.changed | other.transit) == 0)
                && (other.transit | other.changed) & bit(candidate.to) != 0
                && other.to != candidate.to
        };
        self.moves().iter().filter(further).fold(0, |set, other| set | bit(other.to))
    }
}

/// A hash of a placement, for telling positions apart within one game.
fn hash(codes: &[u8; 64]) -> u64 {
    codes.chunks(8).fold(0, |hash, row| {
        let row = u64::from_le_bytes(row.try_into().expect("eight squares"));
        (hash.rotate_left(5) ^ row).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    })
}
