//! A line of moves while it is read: the game, or a variation. It has the position before and after its last move, and
//! plays the moves of a text.

use shakmaty::{Chess, Position, Square};

use super::{
    claims::Standing,
    fen::{Ranks, push_number, text},
    legal::{self, Refused},
    san::MoveText,
    short::{Letters, Short},
    start,
};
use crate::record::{AnomalyKind, Move, Variation};

/// The names of a ply, ASCII, written where its record has them: in the line of a ply without other data, which is most
/// of the output of `from-pgn`.
#[derive(Debug)]
pub struct Names {
    line: Short,
    /// The length of the common beginning of the lines of all plies of the game.
    head: usize,
    /// The ends of the names, and the number of the ply.
    ply: usize,
    san: usize,
    uci: usize,
    fen: usize,
}

const SAN: &[u8] = b",\"san\":\"";
const UCI: &[u8] = b"\",\"uci\":\"";
const FEN: &[u8] = b"\",\"fen\":\"";
/// The end of the line of a ply.
pub(super) const END: &[u8] = b"}\n";

impl Names {
    /// The names of the plies of the game with this number.
    pub(super) fn of(game: u32) -> Names {
        let mut line = Short::new();
        line.put(b"{\"type\":\"move\",\"game\":");
        push_number(&mut line, game);
        line.put(b",\"ply\":");
        let head = line.len();
        Names { line, head, ply: head, san: head, uci: head, fen: head }
    }

    /// The move in SAN; `--` for a null move.
    pub fn san(&self) -> &[u8] {
        self.part(self.ply + SAN.len(), self.san)
    }

    /// The move in UCI, in the form of records.
    pub fn uci(&self) -> &[u8] {
        self.part(self.san + UCI.len(), self.uci)
    }

    /// The position after it.
    pub fn fen(&self) -> &[u8] {
        self.part(self.uci + FEN.len(), self.fen)
    }

    /// Empty before the first move.
    fn part(&self, from: usize, to: usize) -> &[u8] {
        self.line.get(from..to).unwrap_or_default()
    }

    /// All of them as fields of JSON, after a comma.
    pub(super) fn fields(&self) -> &[u8] {
        self.part(self.ply, self.fen + 1)
    }

    /// The line of a ply that has nothing but names.
    pub(super) fn line(&self) -> &Short {
        &self.line
    }

    /// The move with these names.
    pub fn name(&self, m: Move) -> Move {
        Move { san: Some(text(self.san())), uci: Some(text(self.uci())), fen: text(self.fen()), ..m }
    }

    /// Begins the line of this ply: SAN follows.
    fn begin(&mut self, ply: u32) -> &mut Short {
        self.line.truncate(self.head);
        push_number(&mut self.line, ply);
        self.ply = self.line.len();
        self.line.put(SAN);
        &mut self.line
    }

    /// After SAN: UCI follows.
    fn then_uci(&mut self) -> &mut Short {
        self.san = self.line.len();
        self.line.put(UCI);
        &mut self.line
    }

    /// After UCI: FEN follows.
    fn then_fen(&mut self) -> &mut Short {
        self.uci = self.line.len();
        self.line.put(FEN);
        &mut self.line
    }

    fn end(&mut self) {
        self.fen = self.line.len();
        self.line.put(b"\"");
        self.line.put(END);
    }
}

/// The place of the first text that could not be read, and why.
pub(super) struct Broken {
    pub at: usize,
    /// The end of the text that is left unread because of it.
    pub end: usize,
    pub kind: AnomalyKind,
    /// The move and the problem.
    pub problem: String,
    /// The same for a message, where that differs.
    pub message: Option<String>,
}

impl Broken {
    pub fn unreadable(at: usize, end: usize, problem: String) -> Broken {
        Broken { at, end, kind: AnomalyKind::Unreadable, problem, message: None }
    }
}

/// An open line of moves.
pub(super) struct OpenLine {
    /// The position before its last move.
    pub before: Chess,
    now: Chess,
    /// The square where a pawn can now be captured en passant.
    en_passant: Option<Square>,
    /// Whether the side to move is in check.
    in_check: bool,
    ranks: Ranks,
    /// The moves of a variation; those of the game go to the sink one by one.
    pub moves: Variation,
    pub played: u32,
    /// A comment before the next move.
    pub waiting: Option<String>,
    /// Signs before the next move.
    pub nags: Vec<u8>,
    /// The number of the next move has been read.
    pub numbered: bool,
    /// After this nothing is read: the position is unknown from there.
    pub broken: Option<Broken>,
}

impl OpenLine {
    pub fn new(pos: Chess) -> OpenLine {
        OpenLine {
            ranks: Ranks::new(&pos),
            before: pos.clone(),
            en_passant: pos.legal_ep_square(),
            in_check: pos.is_check(),
            now: pos,
            moves: Variation::new(),
            played: 0,
            waiting: None,
            nags: Vec::new(),
            numbered: false,
            broken: None,
        }
    }

    /// The number of the next move.
    pub fn number(&self) -> String {
        let dots = if self.now.turn().is_white() { "." } else { "..." };
        format!("{}{dots}", self.now.fullmoves())
    }

    /// The next move, in words.
    pub fn place(&self) -> String {
        format!("move {}", self.number())
    }

    /// The data that distinguish the position from others of the game, for draws by repetition.
    pub fn standing(&self) -> Standing {
        Standing {
            occupied: self.now.board().occupied(),
            squares: self.ranks.squares(),
            rights: self.now.castles().castling_rights(),
            en_passant: self.en_passant,
        }
    }

    /// Plies since the last capture or pawn move.
    pub fn reversible(&self) -> u32 {
        self.now.halfmoves()
    }

    /// Plays the move asked for and writes its names.
    pub fn play(&mut self, asked: MoveText, names: &mut Names) -> Result<(), Refused> {
        let san = names.begin(self.played + 1);
        if asked == MoveText::Null {
            let passed = start::passed(&self.now).ok_or(Refused::Illegal("who is in check cannot pass"))?;
            self.before = std::mem::replace(&mut self.now, passed);
            self.in_check = self.now.is_check();
            san.put(b"--");
            names.then_uci().put(b"0000");
        } else {
            let m = legal::resolve(&self.now, self.in_check, asked, san)?;
            self.before = self.now.clone();
            self.now.play_unchecked(m);
            self.ranks.play(m, self.before.turn());
            self.in_check = legal::push_check(&self.now, m, san);
            legal::push_uci(m, self.now.castles().mode(), names.then_uci());
        }
        self.en_passant = self.now.legal_ep_square();
        self.ranks.push_fen(&self.now, self.en_passant, names.then_fen());
        names.end();
        self.played += 1;
        self.numbered = false;
        Ok(())
    }

    /// The comment and the signs before the move that was played; none most of the time.
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
