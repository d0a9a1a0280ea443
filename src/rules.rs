//! The interface between a game and the reconstruction: its legal moves as changes of squares.
//!
//! Each game is one file here (ARCHITECTURE lists what else it needs). All fields are as the players see them: field 0
//! is a8.

pub mod chess;
pub mod russian;

use arrayvec::ArrayVec;

/// The two players, of any game.
pub use crate::draughts::Colour;
use crate::record::{EndReason, Move, Outcome, Placement, Rules, fields_that_differ};

impl Colour {
    /// The side of a board code: 1 to 6 are White's pieces, 7 to 12 Black's.
    pub fn of(code: u8) -> Option<Colour> {
        match code {
            1..=6 => Some(Colour::White),
            7..=12 => Some(Colour::Black),
            _ => None,
        }
    }

    /// 0 for White, 1 for Black: an index into pairs.
    pub fn index(self) -> usize {
        self as usize
    }
}

/// A set of squares, bit n for field n.
pub type Squares = u64;

/// The set of one field.
pub const fn bit(field: u8) -> Squares {
    1 << field
}

/// The set of these fields.
pub fn set_of(fields: impl IntoIterator<Item = u8>) -> Squares {
    fields.into_iter().fold(0, |set, at| set | bit(at))
}

/// The fields of a set.
pub fn squares(mut set: Squares) -> impl Iterator<Item = u8> + Clone {
    std::iter::from_fn(move || {
        (set != 0).then(|| {
            let square = set.trailing_zeros() as u8;
            set &= set - 1;
            square
        })
    })
}

/// A legal move, as changes on a board.
#[derive(Debug, Clone)]
pub struct Candidate<M> {
    /// The move itself.
    pub mv: M,
    /// The squares that differ after the move.
    pub changed: Squares,
    /// The squares of `changed` with a piece after the move, with its code; the others are empty.
    pub placed: ArrayVec<(u8, u8), 2>,
    /// Squares on which the moved pieces may be seen in between.
    pub transit: Squares,
    /// The squares of `transit` on which the piece is set down: the turning points of a capture of several.
    pub stops: Squares,
    /// Squares of captured pieces that may still be on the board when the move is made, since the captor lands
    /// elsewhere.
    pub captured_standing: Squares,
    /// Whether a reply may capture the piece and leave its square empty.
    pub vanishes_when_captured: bool,
    /// The field that the moving piece leaves.
    pub from: u8,
    /// The field that it ends on.
    pub to: u8,
    /// The code of the moving piece before the move.
    pub piece: u8,
    /// Whether the move captures.
    pub capture: bool,
}

impl<M> Candidate<M> {
    /// The code on a field after the move, if the move changes it.
    pub fn code_at(&self, field: u8) -> Option<u8> {
        (self.changed & bit(field) != 0)
            .then(|| self.placed.iter().find(|(at, _)| *at == field).map_or(0, |&(_, code)| code))
    }

    /// The fields that change, with their codes after the move.
    pub fn changes(&self) -> impl Iterator<Item = (u8, u8)> {
        squares(self.changed).map(|at| (at, self.code_at(at).unwrap_or(0)))
    }
}

/// The fields that the piece of a legal move leaves and ends on.
#[derive(Debug, Clone, Copy)]
pub struct Ends {
    /// The field that the moving piece leaves.
    pub from: u8,
    /// The field that it ends on.
    pub to: u8,
    /// Whether both fields show something else after the move, whatever else changes: not so for a move of two pieces,
    /// or for a circular capture.
    pub change: bool,
}

impl Ends {
    /// The fields that surely change.
    pub fn surely_changed(self) -> Squares {
        if self.change { bit(self.from) | bit(self.to) } else { 0 }
    }
}

/// The piece that a pawn or man becomes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Promotion {
    /// The strongest one.
    Most,
    /// The strongest one, with the old figure left on the board: no other was at hand.
    Unshown,
    /// A weaker one, which is rarely chosen: its code.
    Less(u8),
}

/// A position of a game with its rules.
pub trait Game: Clone {
    /// A legal move.
    type Move: Clone + PartialEq + std::fmt::Debug;

    /// The name of the rules.
    fn rules(&self) -> Rules;
    /// The pieces on the squares.
    fn placement(&self) -> &Placement;
    /// The side to move.
    fn turn(&self) -> Colour;
    /// The results of `of` for each legal move.
    fn legal<T>(&self, of: impl FnMut(&Self::Move) -> T) -> Vec<T>;
    /// Calls `found` with the legal moves from one of the squares `from` to one of `to`, in the order of
    /// [`Game::legal`]; with those of two pieces whatever their squares, if others are possible. Returns false where
    /// the game has to generate all moves to find any.
    fn legal_between(&self, _from: Squares, _to: Squares, _found: impl FnMut(&Self::Move)) -> bool {
        false
    }
    /// The number of legal moves.
    fn count(&self) -> usize {
        self.legal(|_| ()).len()
    }
    /// A legal move as changes on a board.
    fn candidate(&self, mv: &Self::Move) -> Candidate<Self::Move>;
    /// The fields where a legal move begins and ends: far cheaper than [`Game::candidate`].
    fn ends(mv: &Self::Move) -> Ends;
    /// Whether the pieces of a move may be seen on this field, which is neither its beginning nor its end, or are
    /// removed from it. False only if that is certain.
    fn may_pass(mv: &Self::Move, field: u8) -> bool;
    /// The fields on which the piece of a capture of several is set down on its way, in order.
    fn stops(_mv: &Self::Move) -> ArrayVec<u8, 16> {
        ArrayVec::new()
    }
    /// A set that contains every field that a piece on `from` can reach by a move over `passed`, on any position.
    fn beyond(_from: u8, _passed: u8) -> Squares {
        !0
    }
    /// All legal moves as changes on a board.
    fn moves(&self) -> Vec<Candidate<Self::Move>> {
        self.legal(|mv| self.candidate(mv))
    }
    /// The position after a legal move.
    fn after(&self, candidate: &Candidate<Self::Move>) -> Self;
    /// The position that a board shows with this side to move, as a continuation that no move explains; none if it is
    /// no position of the game.
    fn resumed(&self, board: &[u8; 64], turn: Colour) -> Option<Self>;
    /// Reads a FEN as [`Game::fen`] writes it; none if it is no position of this game.
    fn read_fen(&self, fen: &str) -> Option<Self>;
    /// The position as FEN.
    fn fen(&self) -> String;
    /// A legal move of this position as a record, without ply and times.
    fn describe(&self, mv: &Self::Move) -> Move;
    /// How the position ends the game by the rules, if it does.
    fn ending(&self) -> Option<(EndReason, Option<Outcome>)>;
    /// The result that pieces on a board signal by a convention, which no position of play can show, and the squares of
    /// these pieces; one that is seen nowhere may be on a dead square.
    fn signal(board: &[u8; 64], dead: Squares) -> Option<(Outcome, Squares)>;
    /// Whether a move may have been a step to the signal that `board` shows.
    fn step_to_signal(mv: &Self::Move, board: &[u8; 64]) -> bool;
    /// Whether this side could still win if its opponent's flag fell.
    fn can_win(&self, side: Colour) -> bool;
    /// The value in pawns of the piece on this field, of the side that is not to move, if it can be captured at a
    /// profit, else 0: a player rarely puts it there.
    fn en_prise(&self, _field: u8) -> f32 {
        0.0
    }
    /// Whether a piece could go from one field to another in one move, and become `becomes` there, on any position.
    fn may_go(piece: u8, _from: u8, becomes: u8, _to: u8) -> bool {
        Colour::of(piece) == Colour::of(becomes)
    }
    /// Whether a piece on this field may be promoted by its next move.
    fn may_promote(_piece: u8, _from: u8) -> bool {
        false
    }
    /// The promotion of a move; none where the piece stays the same.
    fn promotion(_mv: &Self::Move) -> Option<Promotion> {
        None
    }
    /// The same position on a board that shows this, if only figures differ that stand for its pieces.
    fn shown_as(&self, _board: &[u8; 64]) -> Option<Self> {
        None
    }
    /// Whether a result is signalled with this piece.
    fn announces(_piece: u8) -> bool {
        false
    }
    /// Whether a reply may capture this piece just after its move, and leave its square empty.
    fn may_vanish(_piece: u8) -> bool {
        true
    }
    /// The field of the piece with which a move of two pieces begins, if the side to move has one.
    fn may_castle(&self) -> Squares {
        0
    }
    /// Whether a legal move may change this field without beginning or ending there.
    fn may_change_beside(&self, _field: u8) -> bool {
        true
    }
    /// Whether a legal move leads from this field to one of these squares.
    fn can_go(&self, from: u8, to: Squares) -> bool {
        let goes = |mv: &Self::Move| {
            let ends = Self::ends(mv);
            ends.from == from && bit(ends.to) & to != 0
        };
        let mut can = false;
        let listed = self.legal_between(bit(from), to, |mv| can |= goes(mv));
        if listed { can } else { self.legal(goes).contains(&true) }
    }
    /// Whether captures jump over men: these may stay on the board for a while, and the capture may end where it began.
    const CAPTURES_BY_JUMPING: bool;
    /// The squares on which pieces signal a result.
    const ANNOUNCED_ON: Squares;
    /// Whether two positions are the same for a draw by repetition.
    fn repeats(&self, other: &Self) -> bool;
    /// The number of plies since the last capture or pawn move, or another bound of a repetition.
    fn reversible(&self) -> u32;
    /// The name of a draw by the move counters that could now be claimed.
    fn claim(&self) -> Option<&'static str>;
    /// The dead squares of its board: its moves show no change there.
    fn dead(&self) -> Squares {
        0
    }
    /// The same position on a board with these dead squares.
    fn with_dead(&self, _dead: Squares) -> Self {
        self.clone()
    }
    /// The codes that its board shows.
    fn shown(&self) -> [u8; 64] {
        let mut codes = *self.placement().codes();
        squares(self.dead()).for_each(|at| codes[at as usize] = 0);
        codes
    }
    /// The squares on which a board differs from it, without dead ones.
    fn differing(&self, board: &[u8; 64]) -> Squares {
        fields_that_differ(self.placement().codes(), board) & !self.dead()
    }
}

/// Up to this many earlier positions are searched for a repetition: after as many reversible plies a draw could have
/// been claimed anyway, and the time for long games stays bounded.
const LOOKED_BACK: usize = 600;

/// The name in the records of a draw that could be claimed in this position; `earlier`: the positions before it, the
/// last one first.
pub fn claim<'a, G: Game + 'a>(now: &G, earlier: impl IntoIterator<Item = &'a G>) -> Option<&'static str> {
    let reversible = earlier.into_iter().take((now.reversible() as usize).min(LOOKED_BACK));
    let before = reversible.filter(|earlier| earlier.repeats(now)).take(2).count();
    if before >= 2 { Some("threefold") } else { now.claim() }
}
