//! Which piece stands where, followed by the changes alone: a piece is known by the square on which it stood when its
//! game began.

use std::collections::VecDeque;

use super::limits;
use crate::record::{Change, Piece, Placement, Square, Time};

/// So many lifted pieces are remembered.
const LIFTED: usize = 16;
/// A piece seen on its new square before it left the old one leaves it so soon, in seconds.
const SEEN_TWICE: f64 = 5.0;

/// A piece that is off the board.
#[derive(Debug, Clone, Copy)]
struct Lifted {
    piece: Piece,
    home: Option<Square>,
    from: Square,
    at: Option<Time>,
}

/// A piece went and came back to its square, and nobody can have moved it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DropOut {
    /// Where.
    pub square: Square,
    /// The square on which the piece began its game, if that is known.
    pub home: Option<Square>,
    /// It was back within a scan or two.
    pub quick: bool,
}

/// The pieces of a board.
#[derive(Debug, Clone)]
pub struct Pieces {
    /// What stands.
    pub stands: Placement,
    homes: [Option<Square>; 64],
    lifted: VecDeque<Lifted>,
    /// A piece that came from nowhere.
    unknown: Option<(Square, Piece, Option<Time>)>,
    /// What stood when the pieces rested last.
    rested: Option<Placement>,
    /// A piece that came to a board at rest, from nowhere.
    ghost: Option<Square>,
    /// What stood before the board began to list its pieces, and which pieces those were.
    before_list: Option<Box<(Placement, [Option<Square>; 64])>>,
    /// Nothing says yet what stood before.
    known: bool,
}

impl Default for Pieces {
    fn default() -> Pieces {
        Pieces {
            stands: Placement::EMPTY,
            homes: [None; 64],
            lifted: VecDeque::new(),
            unknown: None,
            rested: None,
            ghost: None,
            before_list: None,
            known: false,
        }
    }
}

impl Pieces {
    /// Whether it is known what stands.
    pub fn are_known(&self) -> bool {
        self.known
    }

    /// Where a piece stands now that began its game on a square.
    pub fn place_of(&self, home: Square) -> Option<Square> {
        Square::all().find(|square| self.homes[usize::from(square.field())] == Some(home))
    }

    /// The board says what stands.
    pub fn stand(&mut self, placement: &Placement) {
        for square in Square::all() {
            if self.stands.get(square) != placement.get(square) {
                self.homes[usize::from(square.field())] = None;
            }
        }
        self.stands = *placement;
        self.known = true;
        self.settle();
        self.lifted.clear();
    }

    /// The pieces rest.
    pub fn rest(&mut self) {
        self.end_list();
        self.settle();
    }

    fn settle(&mut self) {
        self.rested = self.known.then_some(self.stands);
        self.ghost = None;
        if self.is_start() {
            self.begin();
        }
    }

    /// Whether a game may begin so.
    pub fn is_start(&self) -> bool {
        is_start(&self.stands)
    }

    /// A game begins as the pieces stand: each is known by its square from here on.
    pub fn begin(&mut self) {
        self.homes = self.stands.codes().map(|_| None);
        for square in Square::all().filter(|&square| self.stands.get(square).is_some()) {
            self.homes[usize::from(square.field())] = Some(square);
        }
        self.lifted.clear();
        self.unknown = None;
    }

    /// A list of all pieces follows, onto an empty board.
    pub fn list(&mut self) {
        self.before_list = Some(Box::new((self.stands, self.homes)));
        self.stands = Placement::EMPTY;
        self.homes = [None; 64];
        self.lifted.clear();
        (self.known, self.ghost) = (true, None);
    }

    /// Whether a list is coming in.
    pub fn are_listed(&self) -> bool {
        self.before_list.is_some()
    }

    /// The list is whole.
    pub fn end_list(&mut self) {
        if self.before_list.take().is_some() && self.is_start() {
            self.begin();
        }
    }

    /// An entry of a list, or of a log that tells again what was told.
    pub fn told_again(&mut self, change: &Change) {
        let at = usize::from(change.square.field());
        self.stands.set(change.square, change.piece);
        let known = self.before_list.as_deref().filter(|before| before.0.get(change.square) == change.piece);
        self.homes[at] = known.and_then(|before| before.1[at]);
    }

    /// A square changed. A piece that dropped out, if this is its coming back.
    pub fn change(&mut self, change: &Change, time: Option<Time>) -> Option<DropOut> {
        let Change { square, piece, quick } = *change;
        let at = usize::from(square.field());
        let quick = quick == Some(true);
        let piece = piece.filter(|piece| piece.letter().is_some());
        let before = self.stands.get(square);
        if self.known && before == piece {
            // A board may write over its last entry: what left and came back unread.
            return piece.map(|_| DropOut { square, home: self.homes[at], quick: true });
        }
        let ghost = self.ghost.take();
        let came_to_rest = self.rested == Some(self.stands);
        if let Some(before) = before {
            self.lift(square, before, time);
        }
        self.stands.set(square, piece);
        self.homes[at] = None;
        let Some(piece) = piece else {
            let vanished = ghost == Some(square) && self.rested == Some(self.stands);
            return vanished.then_some(DropOut { square, home: None, quick });
        };
        let landed = self.land(square, piece, time);
        self.homes[at] = landed.and_then(|lifted| lifted.home);
        match landed {
            Some(lifted) if lifted.from == square => {
                let gone = lifted.at.zip(time).map_or(0.0, |(from, to)| from.seconds_until(to));
                (gone <= limits::GONE).then_some(DropOut { square, home: lifted.home, quick })
            }
            Some(_) => None,
            None => {
                self.unknown = Some((square, piece, time));
                self.ghost = came_to_rest.then_some(square);
                None
            }
        }
    }

    fn lift(&mut self, from: Square, piece: Piece, at: Option<Time>) {
        let home = self.homes[usize::from(from.field())];
        // It was seen on its new square before it left this one.
        if let Some((square, seen, when)) = self.unknown
            && seen == piece
            && square != from
            && self.stands.get(square) == Some(piece)
            && when.zip(at).is_none_or(|(when, at)| when.seconds_until(at) <= SEEN_TWICE)
        {
            self.homes[usize::from(square.field())] = home;
            self.unknown = None;
            return;
        }
        if self.lifted.len() == LIFTED {
            self.lifted.pop_front();
        }
        self.lifted.push_back(Lifted { piece, home, from, at });
    }

    /// Which of the lifted pieces has landed: one that comes back, else the last that was lifted.
    fn land(&mut self, square: Square, piece: Piece, time: Option<Time>) -> Option<Lifted> {
        let fits = |lifted: &Lifted| {
            lifted.piece == piece
                && lifted.at.zip(time).is_none_or(|(at, now)| at.seconds_until(now) <= 10.0 * limits::GONE)
        };
        let back = self.lifted.iter().rposition(|lifted| fits(lifted) && lifted.from == square);
        let at = back.or_else(|| self.lifted.iter().rposition(fits))?;
        self.lifted.remove(at)
    }
}

/// Whether a game may begin so, whichever way the board stands.
pub fn is_start(stands: &Placement) -> bool {
    match stands.count() {
        32 => stands.is_start_of_chess960() || stands.turned().is_start_of_chess960(),
        24 => stands.is_start_of_draughts() || stands.turned().is_start_of_draughts(),
        _ => false,
    }
}
