//! A position in the form that engines read.

use shakmaty::{
    CastlingMode, Chess, Color, EnPassantMode, Position as _, PositionError, fen::Fen, uci::UciMove,
};

use crate::record::Rules;

/// The most pieces on a board of chess, and the most pawns of a side: engines fail on positions with more.
const MEN: usize = 32;
const PAWNS: usize = 8;
/// The most plies of a line that are kept.
const LONGEST_LINE: usize = 40;

/// A position of chess that can be sent to an engine.
#[derive(Debug, Clone)]
pub(super) struct Position {
    chess: Chess,
    /// All six fields, of a checked position: engines check nothing.
    fen: String,
    /// The length of the FEN without the move number, by which alone no two positions differ.
    known_by: usize,
    /// The castling rights are those of Chess960 only.
    needs_960: bool,
    /// How the moves of its game write castling.
    written: CastlingMode,
}

impl Position {
    /// The position after a move of a game by these rules; none where there is nothing to ask: no position of chess, or one in
    /// which nobody can move.
    pub fn of(fen: &str, rules: Rules) -> Option<Position> {
        let written = match rules {
            Rules::Chess => CastlingMode::Standard,
            Rules::Chess960 => CastlingMode::Chess960,
            Rules::Russian | Rules::Other => return None,
        };
        let setup = fen.parse::<Fen>().ok()?.into_setup();
        let mode = CastlingMode::detect(&setup);
        let pawns = |color| (setup.board.pawns() & setup.board.by_color(color)).count();
        if setup.board.occupied().count() > MEN || Color::ALL.into_iter().any(|color| pawns(color) > PAWNS) {
            return None;
        }
        let chess: Chess = setup.position(mode).or_else(PositionError::ignore_too_much_material).ok()?;
        if chess.legal_moves().is_empty() {
            return None;
        }
        let fen = Fen::from_position(&chess, EnPassantMode::Legal).to_string();
        let known_by = fen.rfind(' ').unwrap_or(fen.len());
        let needs_960 = mode == CastlingMode::Chess960;
        Some(Position { chess, fen, known_by, needs_960, written })
    }

    /// As FEN.
    pub fn fen(&self) -> &str {
        &self.fen
    }

    /// By what it is known again: what stands where, the rights, and the count of moves towards a draw. How its game writes
    /// castling belongs to it, since evaluations have lines.
    pub fn key(&self) -> String {
        let takes_rook = if self.written == CastlingMode::Chess960 { " 960" } else { "" };
        format!("{}{takes_rook}", &self.fen[..self.known_by])
    }

    /// Whether an engine must know Chess960 to be asked for it.
    pub fn needs_960(&self) -> bool {
        self.needs_960
    }

    /// Whether White is to move.
    pub fn is_whites(&self) -> bool {
        self.chess.turn().is_white()
    }

    /// A line of moves that an engine gave, as its game writes moves, up to the first that cannot be played.
    pub fn line<'a>(&self, moves: impl IntoIterator<Item = &'a str>) -> Vec<String> {
        let mut chess = self.chess.clone();
        let mut line = Vec::new();
        for text in moves.into_iter().take(LONGEST_LINE) {
            let Ok(uci) = text.parse::<UciMove>() else { break };
            let Ok(mv) = uci.to_move(&chess) else { break };
            line.push(mv.to_uci(self.written).to_string());
            chess.play_unchecked(mv);
        }
        line
    }

    /// Whether this is a move that can be played in it.
    pub fn allows(&self, text: &str) -> bool {
        text.parse::<UciMove>().is_ok_and(|uci| uci.to_move(&self.chess).is_ok())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    fn of(fen: &str) -> Option<Position> {
        Position::of(fen, Rules::Chess)
    }

    #[test]
    fn positions_are_recognised_without_their_move_number() {
        let key = |fen: &str| of(fen).unwrap().key();
        assert_eq!(key(START), key(&START.replace("0 1", "0 7")));
        assert_ne!(key(START), key(&START.replace("0 1", "4 7")), "the count towards a draw");
        assert_ne!(key(START), key(&START.replace("KQkq", "KQ")));
        // A square behind a pawn that nobody can take is no part of the position.
        let after_e4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
        assert_eq!(key(after_e4), key(&after_e4.replace("- 0", "e3 0")));
        assert_ne!(of(START).unwrap().key(), Position::of(START, Rules::Chess960).unwrap().key());
    }

    #[test]
    fn positions_without_moves_are_not_sent_to_engines() {
        for fen in [
            "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3",
            "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
            "8/8/8/8/8/8/8/8 w - - 0 1",
            "PPPPPPPP/8/8/8/8/8/8/K6k w - - 0 1",
            "k7/8/PPPPPPPP/PPPPPPPP/PPPPPPPP/8/8/K7 b - - 0 1",
            "not a position",
            "",
        ] {
            assert!(of(fen).is_none(), "{fen}");
        }
        assert!(Position::of(START, Rules::Other).is_none());
        let bishops = "rnbqkbbr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBBR w KQkq - 0 1";
        assert!(of(bishops).is_some(), "bishops of one colour stand on many boards");
    }

    #[test]
    fn lines_end_at_unplayable_moves_and_castle_by_rules() {
        let fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
        let (chess, of_960) = (of(fen).unwrap(), Position::of(fen, Rules::Chess960).unwrap());
        for castling in [["e1g1", "e8c8"], ["e1h1", "e8a8"]] {
            assert_eq!(chess.line(castling), ["e1g1", "e8c8"]);
            assert_eq!(of_960.line(castling), ["e1h1", "e8a8"]);
        }
        assert_eq!(chess.line(["a1a8", "e8e9", "a8h8"]), ["a1a8"]);
        assert!(chess.line(["0000"]).is_empty() && chess.line(["a1b3"]).is_empty());
        let other = "1rk3r1/6p1/8/8/8/8/6P1/1RK3R1 w GBgb - 0 1";
        let other = Position::of(other, Rules::Chess960).unwrap();
        assert!(other.needs_960() && !of_960.needs_960());
        assert_eq!(other.line(["c1g1", "c8b8"]), ["c1g1", "c8b8"]);
    }
}
