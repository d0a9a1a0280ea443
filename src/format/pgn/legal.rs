//! The legal move for a text, and its name.
//!
//! shakmaty has the rules and plays the moves. Only the choice of the move is made here: shakmaty would list the legal
//! moves first, and `from-pgn` would take 18 % longer for games without comments (8 % with many). A test compares the
//! two.

use shakmaty::{
    Bitboard, Board, CastlingMode, CastlingSide, Chess, Color, File, Move, Position, Rank, Role, Square,
    attacks,
};

use super::{
    fen::push_square,
    san::MoveText,
    short::{Letters, Short},
};

/// Why a text is no move here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Refused {
    /// With the reason.
    Illegal(&'static str),
    Ambiguous,
}

const NO_CASTLING: Refused = Refused::Illegal("castling is not possible");

/// The legal move asked for. `in_check`: the mover is. `san` gets its name, without the signs of check.
pub(super) fn resolve(
    pos: &Chess,
    in_check: bool,
    asked: MoveText,
    san: &mut Short,
) -> Result<Move, Refused> {
    match asked {
        MoveText::Piece { role, file, rank, to, promotion } => {
            let from = file.zip(rank).map(|(file, rank)| Square::from_coords(file, rank));
            // Two squares without a letter are a move of the piece on the first.
            let role = role.or_else(|| pos.board().role_at(from?)).unwrap_or(Role::Pawn);
            match Ways::new(pos, in_check, role, to).resolve((file, rank), promotion, san) {
                Err(Refused::Illegal(why)) if role == Role::King => {
                    castling_onto(pos, from, to, san).ok_or(Refused::Illegal(why))
                }
                found => found,
            }
        }
        MoveText::Castle(side) => castling(pos, side, san).ok_or(NO_CASTLING),
        MoveText::Null => Err(Refused::Illegal("no move is not one")),
    }
}

fn castling(pos: &Chess, side: CastlingSide, san: &mut Short) -> Option<Move> {
    let m = *pos.castling_moves(side).first()?;
    san.put(if side.is_king_side() { b"O-O" } else { b"O-O-O" });
    Some(m)
}

/// Castling written as a move of the king: two squares, or onto its rook.
fn castling_onto(pos: &Chess, from: Option<Square>, to: Square, san: &mut Short) -> Option<Move> {
    let side = CastlingSide::ALL.into_iter().find(|&side| {
        matches!(pos.castling_moves(side).first(), Some(&Move::Castle { king, rook })
            if Some(king) == from && (rook == to || side.king_to(pos.turn()) == to))
    });
    side.and_then(|side| castling(pos, side, san))
}

/// The pieces of one kind that can go to a square.
struct Ways<'a> {
    pos: &'a Chess,
    in_check: bool,
    role: Role,
    to: Square,
    en_passant: bool,
    /// The squares of the pieces that could go there without regard to their king.
    from: Bitboard,
}

impl Ways<'_> {
    fn new(pos: &Chess, in_check: bool, role: Role, to: Square) -> Ways<'_> {
        let occupied = pos.board().occupied();
        let en_passant = role == Role::Pawn && pos.maybe_ep_square() == Some(to);
        let from = match role {
            Role::Pawn if en_passant || occupied.contains(to) => attacks::pawn_attacks(!pos.turn(), to),
            Role::Pawn => pushes_to(to, pos.turn(), occupied),
            Role::Knight => attacks::knight_attacks(to),
            Role::Bishop => attacks::bishop_attacks(to, occupied),
            Role::Rook => attacks::rook_attacks(to, occupied),
            Role::Queen => attacks::queen_attacks(to, occupied),
            Role::King => attacks::king_attacks(to),
        };
        let from = if pos.us().contains(to) { Bitboard::EMPTY } else { from & pos.our(role) };
        Ways { pos, in_check, role, to, en_passant, from }
    }

    fn resolve(
        &self,
        (file, rank): (Option<File>, Option<Rank>),
        promotion: Option<Role>,
        san: &mut Short,
    ) -> Result<Move, Refused> {
        let promotes = self.role == Role::Pawn && Bitboard::BACKRANKS.contains(self.to);
        let wrong_promotion = match promotion {
            None if promotes => Some("the piece of the promotion is missing"),
            Some(_) if !promotes => Some("nothing is promoted there"),
            Some(Role::Pawn | Role::King) => Some("a pawn does not become that"),
            _ => None,
        };
        if let Some(why) = wrong_promotion {
            return Err(Refused::Illegal(why));
        }
        let mut asked = self.from;
        if let Some(file) = file {
            asked &= Bitboard::from_file(file);
        }
        if let Some(rank) = rank {
            asked &= Bitboard::from_rank(rank);
        }
        let mut found = None;
        for from in asked {
            if self.is_legal(from) && found.replace(from).is_some() {
                return Err(Refused::Ambiguous);
            }
        }
        let from = found.ok_or_else(|| Refused::Illegal(self.why_not(asked)))?;
        let (role, to) = (self.role, self.to);
        let capture = self.pos.board().role_at(to);
        if role == Role::Pawn {
            if capture.is_some() || self.en_passant {
                san.put(&[from.file().char() as u8]);
            }
        } else {
            san.put(&[role.upper_char() as u8]);
            self.disambiguate(from, san);
        }
        if capture.is_some() || self.en_passant {
            san.put(b"x");
        }
        push_square(san, to);
        if let Some(role) = promotion {
            san.put(b"=");
            san.put(&[role.upper_char() as u8]);
        }
        Ok(if self.en_passant {
            Move::EnPassant { from, to }
        } else {
            Move::Normal { role, from, capture, to, promotion }
        })
    }

    /// Why none of these pieces can go there.
    fn why_not(&self, asked: Bitboard) -> &'static str {
        if asked.any() {
            "leaves the king in check"
        } else if self.pos.us().contains(self.to) {
            "a piece of its own side stands there"
        } else if self.role == Role::Pawn {
            "no pawn can go there"
        } else {
            "no such piece can go there"
        }
    }

    /// Adds the file, the rank or both, where another piece of the kind can go there as well.
    fn disambiguate(&self, from: Square, san: &mut Short) {
        let mut others = self.from.without(from);
        if others.is_empty() {
            return;
        }
        for other in others {
            if !self.is_legal(other) {
                others = others.without(other);
            }
        }
        let same_file = (others & Bitboard::from_file(from.file())).any();
        let same_rank = (others & Bitboard::from_rank(from.rank())).any();
        if others.any() && (!same_file || same_rank) {
            san.put(&[from.file().char() as u8]);
        }
        if same_file {
            san.put(&[from.rank().char() as u8]);
        }
    }

    /// Whether the mover's king is safe after the move of the piece there.
    fn is_legal(&self, from: Square) -> bool {
        let (pos, to) = (self.pos, self.to);
        let Some(king) = pos.board().king_of(pos.turn()) else { return false };
        let at_ease = !self.in_check && self.role != Role::King && !self.en_passant;
        if at_ease && !may_uncover(pos.board(), pos.them(), king, from) {
            return true;
        }
        let mut taken = Bitboard::from_square(to);
        let mut occupied = pos.board().occupied().without(from).with(to);
        if self.en_passant {
            let pawn = Square::from_coords(to.file(), from.rank());
            taken = taken.with(pawn);
            occupied = occupied.without(pawn);
        }
        let king = if self.role == Role::King { to } else { king };
        pos.board().attacks_to(king, !pos.turn(), occupied).without(taken).is_empty()
    }
}

/// The squares of a pawn that could go forward to an empty square.
fn pushes_to(to: Square, turn: Color, occupied: Bitboard) -> Bitboard {
    let to = Bitboard::from_square(to);
    let back = |squares: Bitboard| Bitboard(turn.fold_wb(squares.0 >> 8, squares.0 << 8));
    let one = back(to);
    let fourth = Bitboard::from_rank(turn.fold_wb(Rank::Fourth, Rank::Fifth));
    if (to & fourth).any() && (one & occupied).is_empty() { one | back(one) } else { one }
}

/// Adds the sign of check or mate for the position after a move; returns whether it is one.
pub(super) fn push_check(pos: &Chess, m: Move, san: &mut Short) -> bool {
    let check = may_give_check(pos, m) && pos.is_check();
    if check {
        san.put(if !can_flee(pos) && pos.legal_moves().is_empty() { b"#" } else { b"+" });
    }
    check
}

/// Whether a move can have given check to the side to move after it.
fn may_give_check(pos: &Chess, m: Move) -> bool {
    let (Move::Normal { role, from, to, promotion: None, .. }, Some(king)) =
        (m, pos.board().king_of(pos.turn()))
    else {
        return true;
    };
    let may = match role {
        Role::Pawn => attacks::pawn_attacks(pos.turn(), king).contains(to),
        Role::Knight => attacks::knight_attacks(king).contains(to),
        Role::Bishop => !is_straight(king, to) && attacks::ray(king, to).any(),
        Role::Rook => is_straight(king, to),
        Role::Queen => attacks::ray(king, to).any(),
        Role::King => false,
    };
    may || may_uncover(pos.board(), pos.them(), king, from)
}

/// Whether the king in check has a square to go to: then it is no mate, and not all moves are listed.
fn can_flee(pos: &Chess) -> bool {
    let Some(king) = pos.board().king_of(pos.turn()) else { return false };
    let mut ways = (attacks::king_attacks(king) & !pos.us()).into_iter();
    ways.any(|to| Ways::new(pos, true, Role::King, to).is_legal(king))
}

/// Whether a king can be attacked by these pieces when the square is empty: one that moves along lines is in line with
/// both.
fn may_uncover(board: &Board, them: Bitboard, king: Square, from: Square) -> bool {
    let lines = if is_straight(king, from) { board.rooks_and_queens() } else { board.bishops_and_queens() };
    (attacks::ray(king, from) & lines & them).any()
}

/// Whether two squares are of one file or rank.
fn is_straight(a: Square, b: Square) -> bool {
    a.file() == b.file() || a.rank() == b.rank()
}

/// A move in UCI: castling as e1g1, in Chess960 as the king takes its rook.
pub(super) fn push_uci(m: Move, mode: CastlingMode, out: &mut Short) {
    let (from, to) = match m {
        Move::Castle { king, rook } if mode == CastlingMode::Standard => {
            let side = CastlingSide::from_queen_side(rook < king);
            (king, Square::from_coords(side.king_to_file(), king.rank()))
        }
        Move::Castle { king, rook } => (king, rook),
        _ => (m.from().unwrap_or(m.to()), m.to()),
    };
    push_square(out, from);
    push_square(out, to);
    if let Some(role) = m.promotion() {
        out.put(&[role.char() as u8]);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use shakmaty::{FromSetup, MoveList, fen::Fen, san::SanPlus};

    use super::*;
    use crate::format::pgn::san;

    /// Positions with many special cases: pins, double checks, en passant that uncovers a king, promotions, Chess960.
    const POSITIONS: [&str; 8] = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
        "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
        "6k1/8/1Q1Q4/8/1Q1Q4/8/8/K7 w - - 0 1",
        "1rk3r1/8/2N1N3/8/2N1N3/8/q7/1RK3R1 w GBgb - 0 1",
        "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
    ];

    fn position(fen: &str, mode: CastlingMode) -> Chess {
        Chess::from_setup(fen.parse::<Fen>().unwrap().into_setup(), mode).unwrap()
    }

    /// Every move of pieces of any kind from any square to any, castling left out.
    fn asked(pos: &Chess) -> impl Iterator<Item = (Square, MoveText)> {
        let promotions = |role, to| match role {
            Role::Pawn if Bitboard::BACKRANKS.contains(to) => &[
                Some(Role::Queen),
                Some(Role::Rook),
                Some(Role::Bishop),
                Some(Role::Knight),
                Some(Role::King),
                None,
            ][..],
            _ => &[None],
        };
        let pieces: Vec<_> =
            pos.us().into_iter().filter_map(|at| Some((at, pos.board().role_at(at)?))).collect();
        pieces.into_iter().flat_map(move |(from, role)| {
            Square::ALL.into_iter().flat_map(move |to| {
                promotions(role, to).iter().map(move |&promotion| {
                    let (file, rank) = (Some(from.file()), Some(from.rank()));
                    (from, MoveText::Piece { role: Some(role), file, rank, to, promotion })
                })
            })
        })
    }

    fn check(pos: &Chess) {
        let legal = pos.legal_moves();
        let mut found = MoveList::new();
        for (from, asked) in asked(pos) {
            let mut name = Short::new();
            let Ok(m) = resolve(pos, pos.is_check(), asked, &mut name) else { continue };
            if m.is_castle() {
                continue;
            }
            assert_eq!(m.from(), Some(from));
            let mut after = pos.clone();
            after.play_unchecked(m);
            assert_eq!(push_check(&after, m, &mut name), after.is_check());
            let name = String::from_utf8(name.to_vec()).unwrap();
            assert_eq!(name, SanPlus::from_move(pos.clone(), m).to_string());
            // Its name alone gives the same move.
            let (again, length) = san::parse(name.as_bytes()).unwrap();
            assert_eq!(length, name.trim_end_matches(['+', '#']).len());
            assert_eq!(resolve(pos, pos.is_check(), again, &mut Short::new()), Ok(m), "{name}");
            found.push(m);
        }
        let sorted = |moves: &MoveList| {
            let mut all: Vec<String> =
                moves.iter().filter(|m| !m.is_castle()).map(|m| format!("{m:?}")).collect();
            all.sort();
            all
        };
        assert_eq!(sorted(&found), sorted(&legal), "{pos:?}");
        for side in CastlingSide::ALL {
            let found = resolve(pos, pos.is_check(), MoveText::Castle(side), &mut Short::new()).ok();
            assert_eq!(found, legal.iter().find(|m| m.castling_side() == Some(side)).copied());
        }
    }

    proptest! {
        #[test]
        fn moves_and_names_agree_with_shakmaty(
            start in 0..POSITIONS.len(),
            choices in prop::collection::vec(any::<prop::sample::Index>(), 0..40),
        ) {
            let mode = if start < 6 { CastlingMode::Standard } else { CastlingMode::Chess960 };
            let mut pos = position(POSITIONS[start], mode);
            check(&pos);
            for choice in choices {
                let moves = pos.legal_moves();
                if moves.is_empty() {
                    break;
                }
                pos.play_unchecked(*choice.get(&moves));
                check(&pos);
            }
        }
    }

    #[test]
    fn en_passant_uncovering_the_king_is_illegal() {
        let pos = position("8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1", CastlingMode::Standard);
        let (asked, _) = san::parse(b"exd3").unwrap();
        let why = "leaves the king in check";
        assert_eq!(resolve(&pos, pos.is_check(), asked, &mut Short::new()), Err(Refused::Illegal(why)));
    }

    #[test]
    fn a_refused_move_has_a_reason() {
        for (fen, text, why) in [
            ("4k3/8/8/8/8/8/4r3/R3K2R w KQ - 0 1", "O-O", "castling is not possible"),
            ("4k3/8/8/8/8/8/4r3/R3K2R w KQ - 0 1", "Kf2", "leaves the king in check"),
            ("4k3/8/8/8/8/8/4r3/R3K2R w KQ - 0 1", "Nf3", "no such piece can go there"),
            ("4k3/8/8/8/8/4r3/4B3/4K3 w - - 0 1", "Bd3", "leaves the king in check"),
            ("4k3/8/8/8/8/4r3/4B3/4K3 w - - 0 1", "Ke2", "a piece of its own side stands there"),
            ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a8", "the piece of the promotion is missing"),
            ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a8=K", "a pawn does not become that"),
            ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "b8=Q", "no pawn can go there"),
            ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "e4", "no pawn can go there"),
        ] {
            let pos = position(fen, CastlingMode::Standard);
            let (asked, _) = san::parse(text.as_bytes()).unwrap();
            assert_eq!(
                resolve(&pos, pos.is_check(), asked, &mut Short::new()),
                Err(Refused::Illegal(why)),
                "{text}"
            );
        }
    }
}
