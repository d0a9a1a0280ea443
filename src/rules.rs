//! What a game must offer the reconstruction: its legal moves as changes of squares.
//!
//! Each game is one file here (ARCHITECTURE says what else it needs). Everything is as the players see it: field 0 is a8.

pub mod chess;
pub mod russian;

use arrayvec::ArrayVec;

/// The two players, of any game.
pub use crate::draughts::Colour;
use crate::record::{EndReason, Move, Outcome, Placement, Rules, fields_that_differ};

impl Colour {
    /// Whose piece a board code is: 1 to 6 White's, 7 to 12 Black's.
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

/// A legal move, as a board sees it.
#[derive(Debug, Clone)]
pub struct Candidate<M> {
    /// The move itself.
    pub mv: M,
    /// The squares that differ after the move.
    pub changed: Squares,
    /// Those of them on which a piece stands after it, with its code; the others are empty.
    pub placed: ArrayVec<(u8, u8), 2>,
    /// Squares that the moved pieces may be seen on between.
    pub transit: Squares,
    /// Those of them on which the piece is to be set down: a capture of several turns there.
    pub stops: Squares,
    /// Squares of captured pieces that may be left standing when the move is made: the captor lands elsewhere.
    pub captured_standing: Squares,
    /// Whether the reply may capture the piece and leave the square where it ended empty.
    pub vanishes_when_captured: bool,
    /// The field the moving piece leaves.
    pub from: u8,
    /// The field it ends on.
    pub to: u8,
    /// The moving piece, as it leaves.
    pub piece: u8,
    /// Whether something is captured.
    pub capture: bool,
}

impl<M> Candidate<M> {
    /// What is on a field after the move, if the move changes it.
    pub fn code_at(&self, field: u8) -> Option<u8> {
        (self.changed & bit(field) != 0)
            .then(|| self.placed.iter().find(|(at, _)| *at == field).map_or(0, |&(_, code)| code))
    }

    /// The fields that change, with what is on them after the move.
    pub fn changes(&self) -> impl Iterator<Item = (u8, u8)> {
        squares(self.changed).map(|at| (at, self.code_at(at).unwrap_or(0)))
    }
}

/// The fields that a legal move's piece leaves and ends on.
#[derive(Debug, Clone, Copy)]
pub struct Ends {
    /// The field the moving piece leaves.
    pub from: u8,
    /// The field it ends on.
    pub to: u8,
    /// A board shows both otherwise after the move, whatever else that changes: not so of a move of two pieces, or round in a
    /// ring.
    pub change: bool,
}

impl Ends {
    /// Those that a board shows otherwise after the move.
    pub fn surely_changed(self) -> Squares {
        if self.change { bit(self.from) | bit(self.to) } else { 0 }
    }
}

/// What a piece becomes by a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Promotion {
    /// The most that it may.
    Most,
    /// The same, and it stands on the board as what it was: no other figure was at hand.
    Unshown,
    /// Less, which players hardly ever choose: the code of what it becomes.
    Less(u8),
}

/// A position of a game with its rules.
pub trait Game: Clone {
    /// A legal move.
    type Move: Clone + PartialEq + std::fmt::Debug;

    /// The name of the rules.
    fn rules(&self) -> Rules;
    /// What stands on the squares.
    fn placement(&self) -> &Placement;
    /// Who is to move.
    fn turn(&self) -> Colour;
    /// What `of` makes of each legal move.
    fn legal<T>(&self, of: impl FnMut(&Self::Move) -> T) -> Vec<T>;
    /// Tells of the legal moves from one of these squares to one of those, in the order of [`Game::legal`]; of those of two
    /// pieces whatever their squares, if any other may be asked for. False where all have to be made to know any.
    fn legal_between(&self, _from: Squares, _to: Squares, _found: impl FnMut(&Self::Move)) -> bool {
        false
    }
    /// How many legal moves there are.
    fn count(&self) -> usize {
        self.legal(|_| ()).len()
    }
    /// A legal move, as a board sees it.
    fn candidate(&self, mv: &Self::Move) -> Candidate<Self::Move>;
    /// Where a legal move begins and ends: told far sooner than all that a board sees of it.
    fn ends(mv: &Self::Move) -> Ends;
    /// Whether the pieces of a move may be seen on this field, that it leaves or ends on neither, or are taken from there: no if
    /// surely not.
    fn may_pass(mv: &Self::Move, field: u8) -> bool;
    /// The fields on which the piece of a capture of several is set down on its way, in this order.
    fn stops(_mv: &Self::Move) -> ArrayVec<u8, 16> {
        ArrayVec::new()
    }
    /// Fields among which are all that a piece may come to from one field by a move that passes another, for all that stands on
    /// the board.
    fn beyond(_from: u8, _passed: u8) -> Squares {
        !0
    }
    /// All legal moves, as a board sees them.
    fn moves(&self) -> Vec<Candidate<Self::Move>> {
        self.legal(|mv| self.candidate(mv))
    }
    /// The position after a legal move.
    fn after(&self, candidate: &Candidate<Self::Move>) -> Self;
    /// The position that a board shows with this side to move, as a continuation of this one that no move
    /// explains; none when it is no position of the game.
    fn resumed(&self, board: &[u8; 64], turn: Colour) -> Option<Self>;
    /// The position that a FEN, as [`Game::fen`] writes it, says; none when it says none of this game.
    fn read_fen(&self, fen: &str) -> Option<Self>;
    /// The position as FEN.
    fn fen(&self) -> String;
    /// A legal move of this position in the words of a record, without ply and times.
    fn describe(&self, mv: &Self::Move) -> Move;
    /// How the position ends the game by itself, if it does.
    fn ending(&self) -> Option<(EndReason, Option<Outcome>)>;
    /// The result that pieces on a board announce by a convention that no position of play can show, and where
    /// those pieces stand; one that is seen nowhere may stand on a dead square.
    fn signal(board: &[u8; 64], dead: Squares) -> Option<(Outcome, Squares)>;
    /// Whether a move may have been a step of such an announcement that now stands on `board`.
    fn step_to_signal(mv: &Self::Move, board: &[u8; 64]) -> bool;
    /// Whether this side could still win if its opponent's flag fell.
    fn can_win(&self, side: Colour) -> bool;
    /// What the piece on this field, of the side that is not to move, is worth in pawns if it stands to be taken at a
    /// profit, else nothing: a player hardly puts it there.
    fn en_prise(&self, _field: u8) -> f32 {
        0.0
    }
    /// Whether a piece could go from one field to another in one move, and become this there, for all that stands on
    /// the board.
    fn may_go(piece: u8, _from: u8, becomes: u8, _to: u8) -> bool {
        Colour::of(piece) == Colour::of(becomes)
    }
    /// Whether a piece may become another with its next move from this field.
    fn may_promote(_piece: u8, _from: u8) -> bool {
        false
    }
    /// What a piece becomes by a move; none where it stays what it is.
    fn promotion(_mv: &Self::Move) -> Option<Promotion> {
        None
    }
    /// The same position on a board that shows this, if only other figures stand for its pieces there.
    fn shown_as(&self, _board: &[u8; 64]) -> Option<Self> {
        None
    }
    /// Whether a piece is taken up to announce a result with it.
    fn announces(_piece: u8) -> bool {
        false
    }
    /// Whether a reply may capture this piece where it has just come to, and leave the square empty.
    fn may_vanish(_piece: u8) -> bool {
        true
    }
    /// Where the piece stands with which the side to move may still move another at once: it begins there.
    fn may_castle(&self) -> Squares {
        0
    }
    /// Whether a legal move may change this field that neither begins nor ends there.
    fn may_change_beside(&self, _field: u8) -> bool {
        true
    }
    /// Whether a legal move takes the piece on this field to one of these.
    fn can_go(&self, from: u8, to: Squares) -> bool {
        let goes = |mv: &Self::Move| {
            let ends = Self::ends(mv);
            ends.from == from && bit(ends.to) & to != 0
        };
        let mut can = false;
        let told = self.legal_between(bit(from), to, |mv| can |= goes(mv));
        if told { can } else { self.legal(goes).contains(&true) }
    }
    /// Whether a capture jumps over men: they may be left standing, and it may end where it began.
    const CAPTURES_BY_JUMPING: bool;
    /// Where pieces announce a result.
    const ANNOUNCED_ON: Squares;
    /// Whether two positions are the same for a draw by repetition.
    fn repeats(&self, other: &Self) -> bool;
    /// Plies since the last capture or pawn move, or what else bounds a repetition.
    fn reversible(&self) -> u32;
    /// A draw by the move counters that could now be claimed.
    fn claim(&self) -> Option<&'static str>;
    /// The squares of which its board tells nothing: no move that is shown changes them.
    fn dead(&self) -> Squares {
        0
    }
    /// The same position on a board of which these squares tell nothing.
    fn with_dead(&self, _dead: Squares) -> Self {
        self.clone()
    }
    /// What its board shows of it.
    fn shown(&self) -> [u8; 64] {
        let mut codes = *self.placement().codes();
        squares(self.dead()).for_each(|at| codes[at as usize] = 0);
        codes
    }
    /// The squares on which a board shows something else.
    fn differing(&self, board: &[u8; 64]) -> Squares {
        fields_that_differ(self.placement().codes(), board) & !self.dead()
    }
}

/// A position is looked for among so many before it: whoever plays on without an irreversible move for so long could have
/// claimed a draw otherwise, and a game of any length takes its time and no more.
const LOOKED_BACK: usize = 600;

/// A draw that could be claimed in this position, by its name in the records; `earlier`: the positions before it, the
/// last one first.
pub fn claim<'a, G: Game + 'a>(now: &G, earlier: impl IntoIterator<Item = &'a G>) -> Option<&'static str> {
    let reversible = earlier.into_iter().take((now.reversible() as usize).min(LOOKED_BACK));
    let before = reversible.filter(|earlier| earlier.repeats(now)).take(2).count();
    if before >= 2 { Some("threefold") } else { now.claim() }
}
