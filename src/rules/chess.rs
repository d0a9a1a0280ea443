//! Chess and Chess960, by shakmaty.

mod moves;

use arrayvec::ArrayVec;
use shakmaty::{
    Bitboard, CastlingMode, Chess, Color, EnPassantMode, File, Move as Legal, Position as _, PositionError,
    Role, Setup, Square, attacks,
    fen::Fen,
    san::{San, SanPlus, Suffix},
    uci::UciMove,
};

use super::{Candidate, Colour, Ends, Game, Promotion, Squares, bit, set_of};
use crate::record::{EndReason, Move, Outcome, Placement, Rules};

/// A position of chess with its placement.
#[derive(Debug, Clone)]
pub struct ChessGame {
    position: Chess,
    placement: Placement,
    mode: CastlingMode,
}

const WHITE_KING: u8 = 5;
const BLACK_KING: u8 = 11;
/// The four central squares, d5 e5 d4 e4, and whether they are light.
const CENTRE: [(u8, bool); 4] = [(27, true), (28, false), (35, false), (36, true)];

/// The field number of a square: a8 is 0, h1 is 63.
fn field(square: Square) -> u8 {
    square as u8 ^ 56
}

fn code(role: Role, color: Color) -> u8 {
    let white = match role {
        Role::Pawn => 1,
        Role::Rook => 2,
        Role::Knight => 3,
        Role::Bishop => 4,
        Role::King => 5,
        Role::Queen => 6,
    };
    if color.is_white() { white } else { white + 6 }
}

fn squares(bitboard: Bitboard) -> Squares {
    bitboard.flip_vertical().0
}

fn bitboard(squares: Squares) -> Bitboard {
    Bitboard(squares).flip_vertical()
}

/// The position of a setup, even one that no moves lead to from the start: with a bishop and a knight swapped, two
/// bishops of a side are on squares of one colour.
fn legal(setup: Setup, mode: CastlingMode) -> Result<Chess, Box<PositionError<Chess>>> {
    setup.position(mode).or_else(PositionError::ignore_too_much_material).map_err(Box::new)
}

impl ChessGame {
    /// The start position.
    pub fn start() -> ChessGame {
        ChessGame { position: Chess::new(), placement: Placement::start(), mode: CastlingMode::Standard }
    }

    /// A position from its FEN. Chess960 where the castling rights need it.
    pub fn from_fen(text: &str) -> Result<ChessGame, String> {
        let fen: Fen = text.parse().map_err(|e| format!("`{text}` is not a FEN: {e}"))?;
        let setup = fen.into_setup();
        let mode = CastlingMode::detect(&setup);
        let position: Chess =
            legal(setup, mode).map_err(|e| format!("`{text}` is not a position of chess: {e}"))?;
        let placement = position.board().to_string().parse().expect("a board is written as in a FEN");
        Ok(ChessGame { position, placement, mode })
    }

    /// A game that starts from this placement, White to move, with the castling rights that its kings and rooks allow:
    /// the start position, one of Chess960, or any other legal position.
    pub fn from_placement(placement: &Placement) -> Option<ChessGame> {
        if *placement == Placement::start() {
            return Some(ChessGame::start());
        }
        ChessGame::with_turn(placement, Colour::White)
    }

    /// The same with this side to move.
    pub fn with_turn(placement: &Placement, turn: Colour) -> Option<ChessGame> {
        let (mode, rights) = if placement.is_start_of_chess960() {
            (CastlingMode::Chess960, "KQkq".to_owned())
        } else {
            // A king and a rook on their start squares may still castle: the placement does not show whether they have
            // moved.
            let codes = placement.codes();
            let home = [("K", 60, 5, 63, 2), ("Q", 60, 5, 56, 2), ("k", 4, 11, 7, 8), ("q", 4, 11, 0, 8)];
            let may = home.iter().filter(|&&(_, k, king, r, rook)| codes[k] == king && codes[r] == rook);
            let rights: String = may.map(|(letter, ..)| *letter).collect();
            (CastlingMode::Standard, if rights.is_empty() { "-".to_owned() } else { rights })
        };
        let turn = if turn == Colour::White { 'w' } else { 'b' };
        let text = format!("{placement} {turn} {rights} - 0 1");
        let fen: Fen = text.parse().ok()?;
        let position = legal(fen.into_setup(), mode).ok()?;
        Some(ChessGame { position, placement: *placement, mode })
    }

    /// A legal move as boards may show it. A pawn promoted to a queen may be left on the board, which is represented as
    /// a promotion to a pawn; and where a pawn stands for a queen it may be replaced when she moves, represented as a
    /// promotion to a queen.
    fn shown(&self, mv: Legal, mut found: impl FnMut(&Legal)) {
        found(&mv);
        let Legal::Normal { role, from, capture, to, promotion } = mv else { return };
        let also = match (role, promotion) {
            (Role::Pawn, Some(Role::Knight)) => Role::Pawn,
            (Role::Queen, None) if self.figure(role, from) != code(role, self.position.turn()) => Role::Queen,
            _ => return,
        };
        found(&Legal::Normal { role, from, capture, to, promotion: Some(also) });
    }

    /// The figure on the board for a piece of the side to move.
    fn figure(&self, role: Role, on: Square) -> u8 {
        match role {
            Role::Queen => self.placement.codes()[field(on) as usize],
            _ => code(role, self.position.turn()),
        }
    }

    fn castling(&self, mv: Legal, king: Square, rook: Square) -> Candidate<Legal> {
        let (color, codes) = (self.position.turn(), self.placement.codes());
        let side = mv.castling_side().expect("a castling move has a side");
        let (king_to, rook_to) = (side.king_to(color), side.rook_to(color));
        let (from, to, piece) = (field(king), field(king_to), code(Role::King, color));
        // In Chess960 either piece may stay where it is, or reach the other's square.
        let after = [(to, piece), (field(rook_to), code(Role::Rook, color))];
        let placed: ArrayVec<(u8, u8), 2> =
            after.into_iter().filter(|&(at, code)| codes[at as usize] != code).collect();
        let left = [from, field(rook)].into_iter().filter(|at| after.iter().all(|(to, _)| to != at));
        let changed = set_of(placed.iter().map(|&(at, _)| at).chain(left));
        let passed = squares(attacks::between(king, king_to) | attacks::between(rook, rook_to));
        let transit = (passed | bit(to) | bit(field(rook_to))) & !changed;
        Candidate {
            mv,
            changed,
            placed,
            transit,
            stops: 0,
            captured_standing: 0,
            vanishes_when_captured: false,
            from,
            to,
            piece,
            capture: false,
        }
    }
}

/// The chess move behind a shown one, see [`ChessGame::shown`].
fn meant(mv: Legal) -> Legal {
    let Legal::Normal { role, from, capture, to, promotion: Some(becomes) } = mv else { return mv };
    let promotion = match (role, becomes) {
        (Role::Pawn, Role::Pawn) => Some(Role::Queen),
        (Role::Pawn, _) => Some(becomes),
        _ => None,
    };
    Legal::Normal { role, from, capture, to, promotion }
}

/// A move of one piece, which is `after` it if it is promoted.
fn plain(
    mv: Legal,
    piece: u8,
    [from, to]: [Square; 2],
    after: Option<u8>,
    capture: bool,
) -> Candidate<Legal> {
    let transit = match piece {
        // Knights and kings pass nothing.
        3 | 5 | 9 | 11 => 0,
        _ => squares(attacks::between(from, to)),
    };
    let (from, to) = (field(from), field(to));
    Candidate {
        mv,
        changed: bit(from) | bit(to),
        placed: ArrayVec::from_iter([(to, after.unwrap_or(piece))]),
        transit,
        stops: 0,
        captured_standing: 0,
        // A pawn that makes a double step.
        vanishes_when_captured: transit != 0 && mv.role() == Role::Pawn,
        from,
        to,
        piece,
        capture,
    }
}

impl Game for ChessGame {
    type Move = Legal;

    fn rules(&self) -> Rules {
        match self.mode {
            CastlingMode::Standard => Rules::Chess,
            CastlingMode::Chess960 => Rules::Chess960,
        }
    }

    fn placement(&self) -> &Placement {
        &self.placement
    }

    fn turn(&self) -> Colour {
        if self.position.turn().is_white() { Colour::White } else { Colour::Black }
    }

    fn legal<T>(&self, mut of: impl FnMut(&Legal) -> T) -> Vec<T> {
        let mut legal = Vec::new();
        moves::between(&self.position, Bitboard::FULL, Bitboard::FULL, |mv| {
            self.shown(mv, |mv| legal.push(of(mv)))
        });
        legal
    }

    fn legal_between(&self, from: Squares, to: Squares, mut found: impl FnMut(&Legal)) -> bool {
        moves::between(&self.position, bitboard(from), bitboard(to), |mv| self.shown(mv, &mut found));
        true
    }

    fn count(&self) -> usize {
        moves::count(&self.position)
    }

    fn candidate(&self, &mv: &Legal) -> Candidate<Legal> {
        let color = self.position.turn();
        match mv {
            Legal::Normal { role, from, capture, to, promotion } => {
                let after = promotion.map(|role| code(role, color));
                plain(mv, self.figure(role, from), [from, to], after, capture.is_some())
            }
            Legal::EnPassant { from, to } => {
                let passed = Square::from_coords(to.file(), from.rank());
                let mut candidate = plain(mv, code(Role::Pawn, color), [from, to], None, true);
                candidate.changed |= bit(field(passed));
                candidate
            }
            Legal::Castle { king, rook } => self.castling(mv, king, rook),
            Legal::Put { .. } => unreachable!("chess has no drops"),
        }
    }

    fn ends(mv: &Legal) -> Ends {
        match *mv {
            Legal::Normal { from, to, .. } | Legal::EnPassant { from, to } => {
                Ends { from: field(from), to: field(to), change: true }
            }
            Legal::Castle { king, rook } => {
                let file = if rook > king { File::G } else { File::C };
                let to = Square::from_coords(file, king.rank());
                // In Chess960 a king may castle to its own square, or the rook reach the king's.
                Ends { from: field(king), to: field(to), change: false }
            }
            Legal::Put { .. } => unreachable!("chess has no drops"),
        }
    }

    fn may_pass(mv: &Legal, field: u8) -> bool {
        match *mv {
            Legal::Normal { role: Role::Knight | Role::King, .. } => false,
            Legal::Normal { from, to, .. } => {
                attacks::between(from, to).contains(Square::new(u32::from(field ^ 56)))
            }
            _ => true,
        }
    }

    fn beyond(from: u8, passed: u8) -> Squares {
        let [from, passed] = [from, passed].map(|field| Square::new(u32::from(field ^ 56)));
        let passes = |to: &Square| attacks::between(from, *to).contains(passed);
        squares(attacks::ray(from, passed).into_iter().filter(passes).collect())
    }

    fn after(&self, candidate: &Candidate<Legal>) -> ChessGame {
        let mut position = self.position.clone();
        position.play_unchecked(meant(candidate.mv));
        ChessGame { position, placement: self.placement.changed(candidate.changes()), mode: self.mode }
    }

    fn resumed(&self, board: &[u8; 64], turn: Colour) -> Option<ChessGame> {
        let placement = Placement::from_codes(*board);
        let letter = if turn == Colour::White { 'w' } else { 'b' };
        let rights = self.position.castles().castling_rights();
        let setup = self.position.to_setup(EnPassantMode::Legal);
        // A pawn on the last rank stands for a queen.
        let last = |at: u8, pawn: u8| board[at as usize] == pawn;
        let queens = (0..8).filter(|&at| last(at, 1)).map(|at| (at, code(Role::Queen, Color::White)));
        let queens =
            queens.chain((56..64).filter(|&at| last(at, 7)).map(|at| (at, code(Role::Queen, Color::Black))));
        let text = format!("{} {letter} - - 0 {}", placement.changed(queens), setup.fullmoves);
        let mut setup = text.parse::<Fen>().ok()?.into_setup();
        setup.castling_rights = rights;
        let position = setup
            .position(self.mode)
            .or_else(PositionError::ignore_invalid_castling_rights)
            .or_else(PositionError::ignore_too_much_material)
            .or_else(PositionError::ignore_impossible_check)
            .ok()?;
        Some(ChessGame { position, placement, mode: self.mode })
    }

    fn read_fen(&self, fen: &str) -> Option<ChessGame> {
        ChessGame::from_fen(fen).ok()
    }

    fn fen(&self) -> String {
        let setup = self.position.to_setup(EnPassantMode::Legal);
        let mut text = Vec::with_capacity(90);
        if let Ok(fen) = Fen::try_from(setup) {
            fen.append_ascii_to(&mut text);
        }
        String::from_utf8(text).unwrap_or_default()
    }

    fn describe(&self, mv: &Legal) -> Move {
        let mv = meant(*mv);
        let mut after = self.position.clone();
        after.play_unchecked(mv);
        // Checked separately, since shakmaty would also generate all moves of a position without check.
        let suffix = match after.is_check() {
            true if after.is_checkmate() => Some(Suffix::Checkmate),
            true => Some(Suffix::Check),
            false => None,
        };
        let san = SanPlus { san: San::from_move(&self.position, mv), suffix }.to_string();
        let uci = UciMove::from_move(mv, self.mode).to_string();
        Move { san: Some(san), uci: Some(uci), ..Move::default() }
    }

    fn ending(&self) -> Option<(EndReason, Option<Outcome>)> {
        // Most positions have a move, and finding one is cheaper than generating all.
        if self.position.is_checkmate() {
            let winner =
                if self.position.turn().is_white() { Outcome::BlackWins } else { Outcome::WhiteWins };
            Some((EndReason::Checkmate, Some(winner)))
        } else if self.position.is_stalemate() {
            Some((EndReason::Stalemate, Some(Outcome::Draw)))
        } else {
            None
        }
    }

    fn signal(board: &[u8; 64], dead: Squares) -> Option<(Outcome, Squares)> {
        let unseen = |code: u8| {
            let mut on = CENTRE.iter().filter(|&&(field, _)| dead & bit(field) != 0);
            on.next().filter(|_| on.next().is_none() && !board.contains(&code))
        };
        let king = |code: u8| CENTRE.iter().find(|&&(field, _)| board[field as usize] == code);
        let (white, black) = match (king(WHITE_KING), king(BLACK_KING)) {
            (None, None) => return None,
            (white, black) => (white.or_else(|| unseen(WHITE_KING)), black.or_else(|| unseen(BLACK_KING))),
        };
        let (&(white, white_on_light), &(black, black_on_light)) = (white?, black?);
        let outcome = match (white_on_light, black_on_light) {
            (true, true) => Outcome::WhiteWins,
            (false, false) => Outcome::BlackWins,
            _ => Outcome::Draw,
        };
        Some((outcome, bit(white) | bit(black)))
    }

    fn step_to_signal(mv: &Legal, board: &[u8; 64]) -> bool {
        // Kings on two central squares are neighbours: the last step there was no move. A step on the way there is
        // detected by the king having gone on. A king that signals captures nothing on the way, but may have to clear
        // its square.
        let to = field(mv.to());
        let stays = matches!(board[to as usize], WHITE_KING | BLACK_KING);
        mv.role() == Role::King
            && !mv.is_castle()
            && if stays { CENTRE.iter().any(|&(field, _)| field == to) } else { !mv.is_capture() }
    }

    fn can_win(&self, side: Colour) -> bool {
        let color = if side == Colour::White { Color::White } else { Color::Black };
        !self.position.has_insufficient_material(color)
    }

    fn en_prise(&self, field: u8) -> f32 {
        let square = Square::new(u32::from(field ^ 56));
        let board = self.position.board();
        let Some(piece) = board.piece_at(square) else { return 0.0 };
        let worth = |role: Role| match role {
            Role::Pawn => 1.0,
            Role::Knight | Role::Bishop => 3.0,
            Role::Rook => 5.0,
            Role::Queen => 9.0,
            Role::King => 100.0,
        };
        let attackers = board.attacks_to(square, piece.color.other(), board.occupied());
        let least = attackers.into_iter().filter_map(|at| board.role_at(at)).map(worth).reduce(f32::min);
        let defended = board.attacks_to(square, piece.color, board.occupied()).any();
        let lost = least.is_some_and(|least| least < worth(piece.role) || !defended);
        if lost { worth(piece.role) } else { 0.0 }
    }

    fn may_go(piece: u8, from: u8, becomes: u8, to: u8) -> bool {
        const PAWN: u8 = 1;
        let [ranks, files] =
            [|field: u8| field >> 3, |field: u8| field & 7].map(|of| of(from).abs_diff(of(to)));
        let (near, far) = (ranks.min(files), ranks.max(files));
        let role = |code: u8| if code > 6 { code - 6 } else { code };
        if Colour::of(piece) != Colour::of(becomes) || (piece != becomes && role(piece) != PAWN) {
            return false;
        }
        match role(piece) {
            PAWN => {
                // White's pawns move up, to lower fields.
                (to < from) == (piece == PAWN)
                    && files <= 1
                    && (ranks == 1 || (ranks == 2 && files == 0))
                    && (piece == becomes || matches!(to >> 3, 0 | 7))
            }
            2 => near == 0,
            3 => (near, far) == (1, 2),
            4 => near == far,
            // Or it castles.
            5 => far == 1 || ranks == 0,
            _ => near == 0 || near == far,
        }
    }

    fn may_promote(piece: u8, from: u8) -> bool {
        matches!((piece, from >> 3), (1, 1) | (7, 6))
    }

    fn promotion(mv: &Legal) -> Option<Promotion> {
        Some(match mv.promotion().filter(|_| mv.role() == Role::Pawn)? {
            Role::Queen => Promotion::Most,
            Role::Pawn => Promotion::Unshown,
            role => Promotion::Less(code(role, Color::White)),
        })
    }

    fn shown_as(&self, board: &[u8; 64]) -> Option<ChessGame> {
        let (position, codes) = (self.position.board(), self.placement.codes());
        let is_figure = |at: u8| {
            let (stood, stands) = (codes[usize::from(at)], board[usize::from(at)]);
            // A pawn may stand for a queen.
            stood == stands
                || matches!(stands, 1 | 6 | 7 | 12)
                    && Colour::of(stood) == Colour::of(stands)
                    && position.role_at(Square::new(u32::from(at ^ 56))) == Some(Role::Queen)
        };
        let shown = || ChessGame { placement: Placement::from_codes(*board), ..self.clone() };
        (0..64).all(is_figure).then(shown)
    }

    fn announces(piece: u8) -> bool {
        matches!(piece, WHITE_KING | BLACK_KING)
    }

    fn may_vanish(piece: u8) -> bool {
        // En passant.
        matches!(piece, 1 | 7)
    }

    fn may_castle(&self) -> Squares {
        let may = self.position.castles().has_color(self.position.turn());
        if may { squares(self.position.our(Role::King)) } else { 0 }
    }

    fn may_change_beside(&self, field: u8) -> bool {
        let taken = |to: Square| u32::from(field ^ 56) == u32::from(to) ^ 8;
        let castles = self.may_castle();
        let rank = |castles: Squares| castles.trailing_zeros() >> 3 == u32::from(field >> 3);
        castles != 0 && rank(castles) || self.position.maybe_ep_square().is_some_and(taken)
    }

    const CAPTURES_BY_JUMPING: bool = false;
    const ANNOUNCED_ON: Squares = bit(CENTRE[0].0) | bit(CENTRE[1].0) | bit(CENTRE[2].0) | bit(CENTRE[3].0);

    fn repeats(&self, other: &ChessGame) -> bool {
        self.placement == other.placement
            && self.position.turn() == other.position.turn()
            && self.position.castles().castling_rights() == other.position.castles().castling_rights()
            && self.position.ep_square(EnPassantMode::Legal) == other.position.ep_square(EnPassantMode::Legal)
    }

    fn reversible(&self) -> u32 {
        self.position.halfmoves()
    }

    fn claim(&self) -> Option<&'static str> {
        (self.position.halfmoves() >= 100).then_some("fifty-moves")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn candidate(fen: &str, uci: &str) -> (ChessGame, Candidate<Legal>) {
        let game = ChessGame::from_fen(fen).unwrap();
        let found = game.moves().into_iter().find(|c| game.describe(&c.mv).uci.as_deref() == Some(uci));
        (game, found.unwrap_or_else(|| panic!("{uci} is legal")))
    }

    #[test]
    fn placements_after_moves_match_the_position() {
        let cases = [
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "e2e4"),
            ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1g1"),
            ("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "e8c8"),
            ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2", "e5d6"),
            ("1r2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7b8n"),
            ("4k3/8/8/8/8/8/8/5KR1 w G - 0 1", "f1g1"),
        ];
        for (fen, uci) in cases {
            let (game, candidate) = candidate(fen, uci);
            let after = game.after(&candidate);
            assert_eq!(after.fen().split(' ').next().unwrap(), after.placement().to_string(), "{fen} {uci}");
        }
    }

    #[test]
    fn cheap_predicates_agree_with_candidates() {
        let games = [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2",
            "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1",
            "1rk3r1/8/2N1N3/8/2N1N3/8/q7/1RK3R1 w GBgb - 0 1",
            "4k3/8/8/8/8/8/4P3/5KR1 w G - 0 1",
        ];
        for fen in games {
            let game = ChessGame::from_fen(fen).unwrap();
            for candidate in game.moves() {
                let Ends { from, to, change } = ChessGame::ends(&candidate.mv);
                let beside =
                    if change { candidate.changed & !bit(from) & !bit(to) } else { candidate.changed };
                assert!(
                    crate::rules::squares(beside).all(|at| game.may_change_beside(at)),
                    "{fen} {candidate:?}"
                );
                assert!(change || game.may_castle() == bit(from), "{fen} {candidate:?}");
                let mut passed = crate::rules::squares(if change { candidate.transit } else { 0 });
                assert!(passed.all(|at| ChessGame::beyond(from, at) & bit(to) != 0), "{fen} {candidate:?}");
                assert!(!candidate.vanishes_when_captured || ChessGame::may_vanish(candidate.piece));
            }
        }
        let start = ChessGame::start();
        assert!(!start.may_change_beside(27) && start.may_change_beside(61) && !start.may_change_beside(3));
    }

    #[test]
    fn castling_by_exchange_changes_two_squares() {
        // Chess960: king f1 and rook g1 castle to g1 and f1.
        let (_, castling) = candidate("4k3/8/8/8/8/8/8/5KR1 w G - 0 1", "f1g1");
        assert_eq!(castling.changed.count_ones(), 2);
    }

    #[test]
    fn a_queen_passes_the_squares_between() {
        let (_, queen) = candidate("4k3/8/8/8/8/8/8/2Q1K3 w - - 0 1", "c1c4");
        let squares: Vec<_> = crate::record::Square::all()
            .filter(|s| queen.transit & bit(s.field()) != 0)
            .map(|s| s.to_string())
            .collect();
        assert_eq!(squares, ["c3", "c2"]);
    }

    #[test]
    fn a_chess960_start_begins_a_chess960_game() {
        let placement = "bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN".parse().unwrap();
        let game = ChessGame::from_placement(&placement).unwrap();
        assert_eq!(game.rules(), Rules::Chess960);
        assert_eq!(game.fen(), "bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN w KQkq - 0 1");
    }
}
