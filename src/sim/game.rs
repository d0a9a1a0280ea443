//! A game to be played on a board: what each ply lifts and puts down, and what the clock shows after it.
//!
//! Squares are the players' (White sits at rank 1); a table whose board stands turned turns them. Games of chess
//! are built here, those of draughts in [`russian`].

pub mod russian;

use shakmaty::{
    CastlingMode, CastlingSide, Chess, EnPassantMode, Move, Position as _, fen::Fen, san::San, uci::UciMove,
};

use crate::record::{Outcome, Piece, Placement, Square};

/// A game to be played.
#[derive(Debug, Clone)]
pub struct Game {
    /// The start position as a FEN.
    pub fen: String,
    /// Its pieces.
    pub start: Placement,
    /// The plies in order.
    pub plies: Vec<Ply>,
    /// How it ends; none for `*`.
    pub result: Option<Outcome>,
    /// Base time and increment in seconds, where known.
    pub control: Option<(f64, f64)>,
    /// Whether the loser's flag falls at the end.
    pub flag: bool,
}

/// A square and where its piece goes.
pub type FromTo = (Square, Square);

/// One ply: all squares it touches.
#[derive(Debug, Clone)]
pub struct Ply {
    /// As records write it: UCI, castling as e1g1, in Chess960 the king takes its rook; of draughts the whole path.
    pub name: String,
    /// Whether White plays it.
    pub white: bool,
    /// The piece that moves; in castling the king.
    pub piece: Piece,
    /// Its square before.
    pub from: Square,
    /// Its square after.
    pub to: Square,
    /// The square of a captured piece; other than `to` only en passant. None in draughts.
    pub victim: Option<Square>,
    /// In draughts the captures in order.
    pub jumps: Vec<Jump>,
    /// In castling, the rook's squares before and after.
    pub rook: Option<(Square, Square)>,
    /// What a pawn becomes; none for a man of draughts that is crowned and left as it stands.
    pub promotion: Option<Piece>,
    /// The pieces after it.
    pub after: Placement,
    /// What the mover's clock shows after it, increment included; none where the game does not say.
    pub seconds: Option<f64>,
    /// A few quiet moves that could have been tried instead, from and to.
    pub others: Vec<FromTo>,
    /// A few moves of own pieces to empty squares that are against the rules.
    pub illegal: Vec<FromTo>,
}

/// A capture of draughts, or one of several in a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Jump {
    /// The square of the captured piece.
    pub over: Square,
    /// Where the captor lands.
    pub to: Square,
}

/// Builds a [`Game`] of chess move by move.
#[derive(Debug, Clone)]
pub struct Builder {
    game: Game,
    position: Chess,
    mode: CastlingMode,
}

impl Builder {
    /// A game from the start position, or from `fen` (X-FEN or Shredder-FEN; Chess960 where its castling rights
    /// need it). The error says what is wrong with the FEN.
    pub fn new(fen: Option<&str>) -> Result<Builder, String> {
        let (position, mode) = match fen {
            None => (Chess::default(), CastlingMode::Standard),
            Some(text) => {
                let fen = Fen::from_ascii(text.as_bytes()).map_err(|e| format!("FEN `{text}`: {e}"))?;
                let mode = CastlingMode::detect(fen.as_setup());
                (fen.into_position(mode).map_err(|e| format!("FEN `{text}`: {e}"))?, mode)
            }
        };
        let fen = Fen::from_position(&position, EnPassantMode::Legal).to_string();
        let game = Game::new(fen, placement(&position));
        Ok(Builder { game, position, mode })
    }

    /// Castling is to be written, and rooks looked for, as in Chess960.
    pub fn chess960(mut self) -> Builder {
        self.mode = CastlingMode::Chess960;
        self
    }

    /// Plays a move in UCI, with what the clock shows after it; the error says why it cannot be.
    pub fn play_uci(&mut self, uci: &[u8], seconds: Option<f64>) -> Result<(), String> {
        let name = String::from_utf8_lossy(uci);
        let parsed = UciMove::from_ascii(uci).map_err(|e| format!("{name}: {e}"))?;
        let played = parsed.to_move(&self.position).map_err(|e| format!("{name}: {e}"))?;
        self.play(&name, played, seconds)
    }

    /// Plays a move in SAN; the error says why it cannot be.
    pub fn play_san(&mut self, san: &str) -> Result<(), String> {
        let parsed = San::from_ascii(san.as_bytes()).map_err(|e| format!("{san}: {e}"))?;
        let played = parsed.to_move(&self.position).map_err(|e| format!("{san}: {e}"))?;
        self.play(san, played, None)
    }

    fn play(&mut self, name: &str, played: Move, seconds: Option<f64>) -> Result<(), String> {
        let white = self.position.turn().is_white();
        let (Some(from), landing) = (played.from(), played.to()) else {
            return Err(format!("{name}: no move on a board"));
        };
        let Some(piece) = self.position.board().piece_at(from).and_then(code) else {
            return Err(format!("{name}: no piece to move"));
        };
        let mut to = landing;
        let mut victim = self.position.board().piece_at(landing).map(|_| square(landing));
        let mut rook = None;
        match played {
            Move::EnPassant { .. } => {
                victim = Some(square(shakmaty::Square::from_coords(landing.file(), from.rank())));
            }
            Move::Castle { king, rook: at } => {
                let side = CastlingSide::from_king_side(at > king);
                let color = self.position.turn();
                to = side.king_to(color);
                rook = Some((square(at), square(side.rook_to(color))));
                victim = None;
            }
            _ => {}
        }
        let (others, illegal) = temptations(&self.position, played);
        let name = UciMove::from_move(played, self.mode).to_string();
        let promotion = played.promotion().and_then(|role| code(role.of(self.position.turn())));
        self.position.play_unchecked(played);
        self.game.plies.push(Ply {
            name,
            white,
            piece,
            from: square(from),
            to: square(to),
            victim,
            jumps: Vec::new(),
            rook,
            promotion,
            after: placement(&self.position),
            seconds,
            others,
            illegal,
        });
        Ok(())
    }

    /// The game, ended: see [`Game::ended`].
    pub fn finish(self, result: Option<Outcome>, control: Option<(f64, f64)>, flag: bool) -> Game {
        self.game.ended(result, control, flag)
    }
}

impl Game {
    /// A game without plies.
    fn new(fen: String, start: Placement) -> Game {
        Game { fen, start, plies: Vec::new(), result: None, control: None, flag: false }
    }

    /// With its result and time control where they are known; `flag` where the loser ran out of time.
    fn ended(self, result: Option<Outcome>, control: Option<(f64, f64)>, flag: bool) -> Game {
        // A game that tells its clocks but not their base began with about what they show first.
        let shown = self.plies.iter().take(2).filter_map(|ply| ply.seconds).reduce(f64::max);
        Game { result, control: control.or(shown.map(|base| (base, 0.0))), flag, ..self }
    }

    /// A game from moves in SAN; the error names the first that cannot be played.
    pub fn from_sans<'a>(
        fen: Option<&str>,
        sans: impl IntoIterator<Item = &'a str>,
        result: Option<Outcome>,
    ) -> Result<Game, String> {
        let mut builder = Builder::new(fen)?;
        for san in sans {
            builder.play_san(san)?;
        }
        Ok(builder.finish(result, None, false))
    }

    /// The pieces after `plies` plies.
    pub fn after(&self, plies: usize) -> Placement {
        match plies.checked_sub(1).and_then(|n| self.plies.get(n)) {
            Some(ply) => ply.after,
            None => self.start,
        }
    }

    /// The pieces at the end.
    pub fn last(&self) -> Placement {
        self.after(self.plies.len())
    }
}

/// What hands may do instead of the move played: at most four quiet legal moves and four illegal ones.
fn temptations(position: &Chess, played: Move) -> (Vec<FromTo>, Vec<FromTo>) {
    let legal = position.legal_moves();
    let quiet: Vec<_> = legal
        .iter()
        .filter(|m| !m.is_capture() && !m.is_castle() && !m.is_promotion() && **m != played)
        .filter_map(|m| Some((square(m.from()?), square(m.to()))))
        .collect();
    let mix = position.board().occupied().0 as usize;
    let board = position.board();
    let mut illegal = Vec::new();
    for from in board.by_color(position.turn()) {
        for to in shakmaty::Square::ALL.into_iter().filter(|to| board.piece_at(*to).is_none()) {
            let near = from.file().to_u32().abs_diff(to.file().to_u32()) <= 2
                && from.rank().to_u32().abs_diff(to.rank().to_u32()) <= 2;
            // A king that goes two squares sideways is half of castling, not an error.
            let castles = board.kings().contains(from) && from.rank() == to.rank();
            if near && !castles && !legal.iter().any(|m| m.from() == Some(from) && m.to() == to) {
                illegal.push((square(from), square(to)));
            }
        }
    }
    (spread(&quiet, mix), spread(&illegal, mix))
}

/// Four of these at most. Which follows from the position alone, so that a game is the same whatever the seed.
fn spread(of: &[FromTo], mix: usize) -> Vec<FromTo> {
    let n = of.len().min(4);
    (0..n).map(|i| of[(mix % of.len() + i * of.len() / n) % of.len()]).collect()
}

fn square(square: shakmaty::Square) -> Square {
    // shakmaty counts from a1 along the ranks, the board from a8.
    Square::from_field((square.to_u32() ^ 56) as u8).expect("a square below 64")
}

fn code(piece: shakmaty::Piece) -> Option<Piece> {
    Piece::from_letter(piece.char() as u8)
}

fn placement(position: &Chess) -> Placement {
    let mut placement = Placement::EMPTY;
    for (at, piece) in position.board().clone() {
        placement.set(square(at), code(piece));
    }
    placement
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ply(fen: Option<&str>, sans: &[&str]) -> Ply {
        Game::from_sans(fen, sans.iter().copied(), None).unwrap().plies.pop().unwrap()
    }

    fn squares(ply: &Ply) -> String {
        let rook = ply.rook.map(|(from, to)| format!(" {from}{to}")).unwrap_or_default();
        let victim = ply.victim.map(|at| format!(" x{at}")).unwrap_or_default();
        format!("{}{}{}{victim}{rook}", ply.piece, ply.from, ply.to)
    }

    #[test]
    fn a_ply_names_every_square_it_touches() {
        assert_eq!(squares(&ply(None, &["e4"])), "Pe2e4");
        assert_eq!(squares(&ply(None, &["e4", "d5", "exd5"])), "Pe4d5 xd5");
        assert_eq!(squares(&ply(None, &["e4", "a6", "e5", "d5", "exd6"])), "Pe5d6 xd5");
        let castle = ply(None, &["e4", "e5", "Nf3", "Nf6", "Bc4", "Bc5", "O-O"]);
        assert_eq!((squares(&castle).as_str(), castle.name.as_str()), ("Ke1g1 h1f1", "e1g1"));
        let queen = ply(Some("7k/P7/8/8/8/8/8/K7 w - - 0 1"), &["a8=N"]);
        assert_eq!((queen.promotion, queen.name.as_str()), (Piece::from_letter(b'N'), "a7a8n"));
    }

    #[test]
    fn castling_of_chess960_moves_king_and_rook_to_their_squares() {
        let start = Some("bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN w GEge - 0 1");
        let castle = ply(start, &["Ng3", "Ng6", "O-O"]);
        assert_eq!((squares(&castle).as_str(), castle.name.as_str()), ("Kf1g1 g1f1", "f1g1"));
        assert_eq!(castle.after.to_string(), "bqnbrkr1/pppppppp/6n1/8/8/6N1/PPPPPPPP/BQNBRRK1");
    }

    #[test]
    fn a_move_that_cannot_be_is_named() {
        let error = Game::from_sans(None, ["e4", "e5", "Ke3"], None).unwrap_err();
        assert!(error.starts_with("Ke3"), "{error}");
    }
}
