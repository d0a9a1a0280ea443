//! Plans games of chess, move by move.

use shakmaty::{
    CastlingMode, CastlingSide, Chess, EnPassantMode, Move, Position as _, fen::Fen, uci::UciMove,
};

use super::{FromTo, PlannedGame, PlannedPly, four_of};
use crate::record::{Outcome, Piece, Placement, Square};

/// Builds a [`PlannedGame`] of chess move by move.
#[derive(Debug, Clone)]
pub struct ChessPlanner {
    game: PlannedGame,
    position: Chess,
    mode: CastlingMode,
}

impl ChessPlanner {
    /// A game from the start position, or from `fen` (X-FEN or Shredder-FEN; Chess960 if its castling rights need it).
    ///
    /// # Errors
    /// The error of the FEN.
    pub fn new(fen: Option<&str>) -> Result<ChessPlanner, String> {
        let (position, mode) = match fen {
            None => (Chess::default(), CastlingMode::Standard),
            Some(text) => {
                let fen = Fen::from_ascii(text.as_bytes()).map_err(|e| format!("FEN `{text}`: {e}"))?;
                let mode = CastlingMode::detect(fen.as_setup());
                (fen.into_position(mode).map_err(|e| format!("FEN `{text}`: {e}"))?, mode)
            }
        };
        let fen = Fen::from_position(&position, EnPassantMode::Legal).to_string();
        let game = PlannedGame::new(fen, placement(&position));
        Ok(ChessPlanner { game, position, mode })
    }

    /// Uses the castling of Chess960.
    pub fn chess960(mut self) -> ChessPlanner {
        self.mode = CastlingMode::Chess960;
        self
    }

    /// Plays a move in UCI, with the seconds on the clock after it.
    ///
    /// # Errors
    /// Why the move cannot be played.
    pub fn play_uci(&mut self, uci: &[u8], seconds: Option<f64>) -> Result<(), String> {
        let name = String::from_utf8_lossy(uci);
        let parsed = UciMove::from_ascii(uci).map_err(|e| format!("{name}: {e}"))?;
        let played = parsed.to_move(&self.position).map_err(|e| format!("{name}: {e}"))?;
        self.play(&name, played, seconds)
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
        let (quiet_alternatives, illegal_alternatives) = alternatives(&self.position, played);
        let name = UciMove::from_move(played, self.mode).to_string();
        let promotion = played.promotion().and_then(|role| code(role.of(self.position.turn())));
        self.position.play_unchecked(played);
        self.game.plies.push(PlannedPly {
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
            quiet_alternatives,
            illegal_alternatives,
        });
        Ok(())
    }

    /// The game, ended: see [`PlannedGame::ended`].
    pub fn finish(self, result: Option<Outcome>, control: Option<(f64, f64)>, flag: bool) -> PlannedGame {
        self.game.ended(result, control, flag)
    }
}

/// Alternatives to the move played: up to four quiet legal moves and up to four illegal ones.
fn alternatives(position: &Chess, played: Move) -> (Vec<FromTo>, Vec<FromTo>) {
    let legal = position.legal_moves();
    let quiet: Vec<_> = legal
        .iter()
        .filter(|m| !m.is_capture() && !m.is_castle() && !m.is_promotion() && **m != played)
        .filter_map(|m| Some((square(m.from()?), square(m.to()))))
        .collect();
    let hash = position.board().occupied().0 as usize;
    let board = position.board();
    let mut illegal = Vec::new();
    for from in board.by_color(position.turn()) {
        for to in shakmaty::Square::ALL.into_iter().filter(|to| board.piece_at(*to).is_none()) {
            // A king that moves two squares sideways would be the first half of castling.
            let castles = board.kings().contains(from) && from.rank() == to.rank();
            if from.distance(to) <= 2
                && !castles
                && !legal.iter().any(|m| m.from() == Some(from) && m.to() == to)
            {
                illegal.push((square(from), square(to)));
            }
        }
    }
    (four_of(&quiet, hash), four_of(&illegal, hash))
}

fn square(square: shakmaty::Square) -> Square {
    // shakmaty counts from a1 along the ranks, the board from a8.
    Square::from_field((square.to_u32() ^ 56) as u8).expect("a square below 64")
}

fn code(piece: shakmaty::Piece) -> Option<Piece> {
    Piece::from_letter(piece.char() as u8)
}

fn placement(position: &Chess) -> Placement {
    position.board().to_string().parse().expect("a board is written as in a FEN")
}

#[cfg(test)]
pub mod tests {
    use shakmaty::san::San;

    use super::*;

    /// A plan of moves in SAN; the error names the first that cannot be played.
    pub fn planned(fen: Option<&str>, sans: &[&str], result: Option<Outcome>) -> Result<PlannedGame, String> {
        let mut planner = ChessPlanner::new(fen)?;
        for name in sans {
            let san: San = name.parse().unwrap();
            let played = san.to_move(&planner.position).map_err(|e| format!("{name}: {e}"))?;
            planner.play(name, played, None)?;
        }
        Ok(planner.finish(result, None, false))
    }

    fn ply(fen: Option<&str>, sans: &[&str]) -> PlannedPly {
        planned(fen, sans, None).unwrap().plies.pop().unwrap()
    }

    fn squares(ply: &PlannedPly) -> String {
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
    fn chess960_castling_moves_king_and_rook() {
        let start = Some("bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN w GEge - 0 1");
        let castle = ply(start, &["Ng3", "Ng6", "O-O"]);
        assert_eq!((squares(&castle).as_str(), castle.name.as_str()), ("Kf1g1 g1f1", "f1g1"));
        assert_eq!(castle.after.to_string(), "bqnbrkr1/pppppppp/6n1/8/8/6N1/PPPPPPPP/BQNBRRK1");
    }

    #[test]
    fn an_impossible_move_is_named() {
        let error = planned(None, &["e4", "e5", "Ke3"], None).unwrap_err();
        assert!(error.starts_with("Ke3"), "{error}");
    }
}
