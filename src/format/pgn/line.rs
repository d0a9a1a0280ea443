//! A line of moves as it is read: the game, or a variation. It knows the position before and after its last
//! move, and plays what a text asks for.

use shakmaty::{Chess, Position};

use super::{
    claims::Standing,
    fen::{Ranks, text},
    legal::{self, Refused},
    san::MoveText,
    start,
};
use crate::record::{AnomalyKind, Move, Variation};

/// The names of a ply, ASCII.
#[derive(Debug, Default)]
pub struct Names {
    /// The move in SAN; `--` for a null move.
    pub san: Vec<u8>,
    /// The move in UCI, as records have it.
    pub uci: Vec<u8>,
    /// The position after it.
    pub fen: Vec<u8>,
}

impl Names {
    /// The move with these names.
    pub fn name(&self, m: Move) -> Move {
        Move { san: Some(text(&self.san)), uci: Some(text(&self.uci)), fen: text(&self.fen), ..m }
    }
}

/// Where in the text the first thing stands that could not be read, and why.
pub(super) struct Broken {
    pub at: usize,
    /// Behind it: what is left unread because of it.
    pub end: usize,
    pub kind: AnomalyKind,
    /// The move it is and what is wrong.
    pub problem: String,
    /// The same in a message, where that is said otherwise.
    pub message: Option<String>,
}

impl Broken {
    pub fn unreadable(at: usize, end: usize, problem: String) -> Broken {
        Broken { at, end, kind: AnomalyKind::Unreadable, problem, message: None }
    }
}

/// A line of moves that is open.
pub(super) struct OpenLine {
    /// Before its last move.
    pub before: Chess,
    now: Chess,
    ranks: Ranks,
    /// The moves of a variation; those of the game go to the sink one by one.
    pub moves: Variation,
    pub played: u32,
    /// A comment that waits for the move it stands before.
    pub waiting: Option<String>,
    /// Signs that do.
    pub nags: Vec<u8>,
    /// The number of the next move has been read.
    pub numbered: bool,
    /// Behind this nothing is read: nobody knows the position any more.
    pub broken: Option<Broken>,
}

impl OpenLine {
    pub fn new(pos: Chess) -> OpenLine {
        OpenLine {
            ranks: Ranks::new(&pos),
            before: pos.clone(),
            now: pos,
            moves: Variation::new(),
            played: 0,
            waiting: None,
            nags: Vec::new(),
            numbered: false,
            broken: None,
        }
    }

    /// The number of the move that comes next.
    pub fn number(&self) -> String {
        let dots = if self.now.turn().is_white() { "." } else { "..." };
        format!("{}{dots}", self.now.fullmoves())
    }

    /// The move that comes next, in words.
    pub fn place(&self) -> String {
        format!("move {}", self.number())
    }

    /// What tells the position from others of the game, for draws by repetition.
    pub fn standing(&self) -> Standing {
        // Only a pawn's move gives the right to capture en passant, and asking is not for free.
        let en_passant = if self.now.halfmoves() == 0 { self.now.legal_ep_square() } else { None };
        let squares = self.ranks.squares();
        let key = squares
            .iter()
            .fold(0, |key: u64, rank| (key.rotate_left(5) ^ rank).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        Standing { key, squares, rights: self.now.castles().castling_rights(), en_passant }
    }

    /// Plies since the last capture or pawn move.
    pub fn reversible(&self) -> u32 {
        self.now.halfmoves()
    }

    /// Plays the move that is asked for and writes its names.
    pub fn play(&mut self, asked: MoveText, names: &mut Names) -> Result<(), Refused> {
        names.san.clear();
        names.uci.clear();
        names.fen.clear();
        if asked == MoveText::Null {
            let passed = start::passed(&self.now).ok_or(Refused::Illegal("who is in check cannot pass"))?;
            self.before = std::mem::replace(&mut self.now, passed);
            names.san.extend_from_slice(b"--");
            names.uci.extend_from_slice(b"0000");
        } else {
            let m = legal::resolve(&self.now, asked, &mut names.san)?;
            legal::push_uci(m, self.now.castles().mode(), &mut names.uci);
            self.before.clone_from(&self.now);
            self.now.play_unchecked(m);
            self.ranks.play(m, self.before.turn());
            legal::push_check(&self.now, &mut names.san);
        }
        self.ranks.push_fen(&self.now, &mut names.fen);
        self.played += 1;
        self.numbered = false;
        Ok(())
    }

    /// What waited for the move that was played; none most of the time.
    pub fn waited(&mut self) -> Option<Move> {
        if self.waiting.is_none() && self.nags.is_empty() {
            return None;
        }
        let (comment_before, nags) = (self.waiting.take(), std::mem::take(&mut self.nags));
        Some(Move { comment_before, nags, ..Move::default() })
    }

    /// Adds the move that was played to the moves of a variation.
    pub fn keep(&mut self, names: &Names) {
        let m = self.waited().unwrap_or_default();
        self.moves.push(names.name(m));
    }
}
