//! The legal moves between some squares, without generating all others.
//!
//! shakmaty generates the legal moves of a whole position. The reconstruction mostly needs those of one or two pieces
//! that are off their squares. They come in shakmaty's order, since equally good explanations are ordered by it; a test
//! compares the two.

use std::cell::OnceCell;

use shakmaty::{Bitboard, CastlingSide, Chess, File, Move, Position, Rank, Role, Square, attacks};

/// A request for moves of a position, and the restrictions by its king.
struct Between<'a, T> {
    pos: &'a Chess,
    king: Square,
    /// The pieces that may move, and their targets as far as their own side and a check allow.
    from: Bitboard,
    to: Bitboard,
    /// The pieces that alone stand between the king and an attacker, computed on demand.
    blockers: OnceCell<Bitboard>,
    receiver: &'a mut T,
}

/// Receives legal moves.
trait Receiver {
    /// A piece goes from a square to any of these.
    fn goes(&mut self, pos: &Chess, role: Role, from: Square, to: Bitboard);
    /// A king castles, or a pawn captures en passant.
    fn moves(&mut self, mv: Move);
}

/// Calls a function for each move.
struct Each<F>(F);

impl<F: FnMut(Move)> Receiver for Each<F> {
    #[inline]
    fn goes(&mut self, pos: &Chess, role: Role, from: Square, to: Bitboard) {
        for to in to {
            let capture = pos.board().role_at(to);
            let normal = |promotion| Move::Normal { role, from, capture, to, promotion };
            if role == Role::Pawn && Bitboard::BACKRANKS.contains(to) {
                for role in [Role::Queen, Role::Rook, Role::Bishop, Role::Knight] {
                    (self.0)(normal(Some(role)));
                }
            } else {
                (self.0)(normal(None));
            }
        }
    }

    fn moves(&mut self, mv: Move) {
        (self.0)(mv);
    }
}

/// Counts the moves.
struct Count(usize);

impl Receiver for Count {
    fn goes(&mut self, _: &Chess, role: Role, _: Square, to: Bitboard) {
        let becoming = if role == Role::Pawn { to & Bitboard::BACKRANKS } else { Bitboard::EMPTY };
        self.0 += to.count() + 3 * becoming.count();
    }

    fn moves(&mut self, _: Move) {
        self.0 += 1;
    }
}

/// The number of legal moves.
pub(super) fn count(pos: &Chess) -> usize {
    let mut count = Count(0);
    generate(pos, Bitboard::FULL, Bitboard::FULL, &mut count);
    count.0
}

/// Calls `found` with the legal moves from one of the squares `from` to one of `to`; with castling where the king or
/// the rook leaves one of `from`, wherever it ends.
pub(super) fn between(pos: &Chess, from: Bitboard, to: Bitboard, found: impl FnMut(Move)) {
    generate(pos, from, to, &mut Each(found));
}

/// See [`between`].
fn generate(pos: &Chess, from: Bitboard, to: Bitboard, receiver: &mut impl Receiver) {
    let from = from & pos.us();
    let Some(king) = pos.board().king_of(pos.turn()).filter(|_| from.any() && to.any()) else { return };
    let blockers = OnceCell::new();
    let mut moves = Between { pos, king, from, to: to & !pos.us(), blockers, receiver };
    moves.en_passant();
    let checkers = pos.checkers();
    if checkers.is_empty() {
        moves.pieces();
        moves.king(Bitboard::EMPTY);
        for side in [CastlingSide::KingSide, CastlingSide::QueenSide] {
            let Some(rook) = pos.castles().rook(pos.turn(), side) else { continue };
            let asked = from.contains(king) || from.contains(rook);
            if asked && !pos.castles().path(pos.turn(), side).intersects(pos.board().occupied()) {
                pos.castling_moves(side).into_iter().for_each(|mv| moves.receiver.moves(mv));
            }
        }
        return;
    }
    let behind = |checker| attacks::ray(checker, king).without(checker);
    let attacked = (checkers & pos.board().sliders()).into_iter().map(behind);
    moves.king(attacked.fold(Bitboard::EMPTY, |all, ray| all | ray));
    if let Some(checker) = checkers.single_square() {
        moves.to &= attacks::between(king, checker).with(checker);
        moves.pieces();
    }
}

/// The pieces that alone stand between a king and the attackers along lines.
fn blockers(pos: &Chess, king: Square) -> Bitboard {
    let (board, none) = (pos.board(), Bitboard::EMPTY);
    let straight = attacks::rook_attacks(king, none) & board.rooks_and_queens();
    let slanting = attacks::bishop_attacks(king, none) & board.bishops_and_queens();
    let between = |sniper| attacks::between(king, sniper) & board.occupied();
    let alone =
        ((straight | slanting) & pos.them()).into_iter().map(between).filter(|on| !on.more_than_one());
    alone.fold(none, |all, on| all | on)
}

impl<T: Receiver> Between<'_, T> {
    fn en_passant(&mut self) {
        let pos = self.pos;
        let Some(to) = pos.maybe_ep_square().filter(|&to| self.to.contains(to)) else { return };
        for from in attacks::pawn_attacks(!pos.turn(), to) & pos.our(Role::Pawn) & self.from {
            let taken = Square::from_coords(to.file(), from.rank());
            let occupied = pos.board().occupied().without(from).without(taken).with(to);
            if pos.board().attacks_to(self.king, !pos.turn(), occupied).without(taken).is_empty() {
                self.receiver.moves(Move::EnPassant { from, to });
            }
        }
    }

    /// The moves of all pieces but the king.
    fn pieces(&mut self) {
        self.pawns();
        let (pos, occupied) = (self.pos, self.pos.board().occupied());
        for role in [Role::Knight, Role::Bishop, Role::Rook, Role::Queen] {
            for from in pos.our(role) & self.from {
                let reached = match role {
                    Role::Knight => attacks::knight_attacks(from),
                    Role::Bishop => attacks::bishop_attacks(from, occupied),
                    Role::Rook => attacks::rook_attacks(from, occupied),
                    _ => attacks::queen_attacks(from, occupied),
                };
                let reached = reached & self.to;
                if reached.any() {
                    self.receiver.goes(pos, role, from, reached & self.free(from));
                }
            }
        }
    }

    /// The targets of a piece that do not uncover the king.
    fn free(&self, from: Square) -> Bitboard {
        let blockers = self.blockers.get_or_init(|| blockers(self.pos, self.king));
        if blockers.contains(from) { attacks::ray(from, self.king) } else { Bitboard::FULL }
    }

    fn pawns(&mut self) {
        let (pos, turn) = (self.pos, self.pos.turn());
        let pawns = pos.our(Role::Pawn) & self.from;
        if pawns.is_empty() {
            return;
        }
        for (edge, aside) in [(File::A, turn.fold_wb(7, -9)), (File::H, turn.fold_wb(9, -7))] {
            let taken = (pawns & !Bitboard::from_file(edge)).shift(aside) & pos.them();
            self.pawns_to(taken, aside);
        }
        let (forward, free) = (turn.fold_wb(8, -8), !pos.board().occupied());
        let one = pawns.shift(forward) & free;
        self.pawns_to(one, forward);
        let fourth = Bitboard::from_rank(turn.fold_wb(Rank::Fourth, Rank::Fifth));
        self.pawns_to(one.shift(forward) & free & fourth, 2 * forward);
    }

    /// Pawns reach these squares from this distance; promotions come last.
    fn pawns_to(&mut self, reached: Bitboard, offset: i32) {
        let reached = reached & self.to;
        for to in (reached & !Bitboard::BACKRANKS).into_iter().chain(reached & Bitboard::BACKRANKS) {
            if let Some(from) = to.offset(-offset).filter(|&from| self.free(from).contains(to)) {
                self.receiver.goes(self.pos, Role::Pawn, from, Bitboard::from_square(to));
            }
        }
    }

    /// The king goes where nothing attacks it, and not to squares behind itself on an attacking line.
    fn king(&mut self, covered: Bitboard) {
        if !self.from.contains(self.king) {
            return;
        }
        let (pos, board) = (self.pos, self.pos.board());
        let reached = attacks::king_attacks(self.king) & self.to & !covered;
        let safe = |&to: &Square| board.attacks_to(to, !pos.turn(), board.occupied()).is_empty();
        let to = reached.into_iter().filter(safe).fold(Bitboard::EMPTY, |all, to| all.with(to));
        self.receiver.goes(pos, Role::King, self.king, to);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use shakmaty::{CastlingMode, FromSetup, fen::Fen};

    use super::*;

    /// Positions with many special cases: pins, double checks, en passant that uncovers a king, promotions, Chess960.
    const POSITIONS: [(&str, CastlingMode); 8] = [
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", CastlingMode::Standard),
        ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", CastlingMode::Standard),
        ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", CastlingMode::Standard),
        ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", CastlingMode::Standard),
        ("n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1", CastlingMode::Standard),
        ("8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1", CastlingMode::Standard),
        ("1rk3r1/8/2N1N3/8/2N1N3/8/q7/1RK3R1 w GBgb - 0 1", CastlingMode::Chess960),
        ("bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9", CastlingMode::Chess960),
    ];

    /// Checks the moves against shakmaty's, in its order.
    fn check(pos: &Chess, from: Bitboard, to: Bitboard) {
        let mut found = Vec::new();
        between(pos, from, to, |mv| found.push(mv));
        let asked = |mv: &Move| match mv.is_castle() {
            true => mv.from().into_iter().chain([mv.to()]).any(|at| from.contains(at)) && to.any(),
            false => to.contains(mv.to()) && mv.from().is_some_and(|at| from.contains(at)),
        };
        let listed: Vec<Move> = pos.legal_moves().into_iter().filter(asked).collect();
        assert_eq!(found, listed, "{pos:?} {from:?} {to:?}");
        assert_eq!(count(pos), pos.legal_moves().len(), "{pos:?}");
    }

    proptest! {
        #[test]
        fn moves_between_squares_match_shakmaty_in_order(
            start in 0..POSITIONS.len(),
            choices in prop::collection::vec((any::<prop::sample::Index>(), any::<u64>(), any::<u64>()), 0..60),
        ) {
            let (fen, mode) = POSITIONS[start];
            let mut pos = Chess::from_setup(fen.parse::<Fen>().unwrap().into_setup(), mode).unwrap();
            for (choice, from, to) in choices {
                for (from, to) in [(from, to), (from, !0), (!0, to), (!0, !0)] {
                    check(&pos, Bitboard(from), Bitboard(to));
                }
                let moves = pos.legal_moves();
                if moves.is_empty() {
                    break;
                }
                pos.play_unchecked(*choice.get(&moves));
            }
        }
    }
}
