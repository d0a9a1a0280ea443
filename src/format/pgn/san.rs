//! What a move is called and which move it is: reads all spellings that are about, writes SAN, UCI and FEN.
//!
//! The writers are made by hand because they are where a reader's time goes: a FEN for every ply.

use shakmaty::{
    CastlingMode, CastlingSide, Chess, Color, File, Move, Position, Rank, Role, Square, san::San,
};

/// A short ASCII text in place. More than its `N` bytes is nobody's name, and cut off.
#[derive(Debug, Clone, Copy)]
pub struct Short<const N: usize> {
    bytes: [u8; N],
    length: usize,
}

impl<const N: usize> Default for Short<N> {
    fn default() -> Short<N> {
        Short { bytes: [0; N], length: 0 }
    }
}

impl<const N: usize> Short<N> {
    /// The text.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes[..self.length]
    }

    /// All bytes, those behind the text too: copying so many is quicker than to ask how many are needed.
    pub(super) fn room(&self) -> &[u8; N] {
        &self.bytes
    }

    pub(super) fn clear(&mut self) {
        self.length = 0;
    }

    pub(super) fn push(&mut self, byte: u8) {
        if let Some(place) = self.bytes.get_mut(self.length) {
            *place = byte;
            self.length += 1;
        }
    }

    fn square(&mut self, square: Square) {
        self.push(square.file().char() as u8);
        self.push(square.rank().char() as u8);
    }

    pub(super) fn extend(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.push(byte));
    }

    fn number(&mut self, number: u32) {
        if number >= 100 {
            self.number(number / 10);
        } else if number >= 10 {
            self.push(b'0' + (number / 10) as u8);
        }
        self.push(b'0' + (number % 10) as u8);
    }
}

/// The text of a move in SAN, long enough for every one.
pub type San16 = Short<16>;

/// A move as a text asks for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Asked {
    Piece { role: Option<Role>, file: Option<File>, rank: Option<Rank>, to: Square, promotion: Option<Role> },
    Castle(CastlingSide),
    Null,
}

/// Why a text is no move here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Refused {
    Illegal,
    Ambiguous,
}

/// Moves that have names instead of squares. Longer names stand before those they begin with.
const NAMED: [(&[u8], Asked); 11] = [
    (b"O-O-O", Asked::Castle(CastlingSide::QueenSide)),
    (b"0-0-0", Asked::Castle(CastlingSide::QueenSide)),
    (b"o-o-o", Asked::Castle(CastlingSide::QueenSide)),
    (b"O-O", Asked::Castle(CastlingSide::KingSide)),
    (b"0-0", Asked::Castle(CastlingSide::KingSide)),
    (b"o-o", Asked::Castle(CastlingSide::KingSide)),
    (b"--", Asked::Null),
    (b"Z0", Asked::Null),
    (b"0000", Asked::Null),
    (b"@@@@", Asked::Null),
    (b"null", Asked::Null),
];

/// The move that a text begins with, and the length of its name.
pub(super) fn parse(text: &[u8]) -> Option<(Asked, usize)> {
    if matches!(text.first(), Some(b'O' | b'0' | b'o' | b'-' | b'Z' | b'@' | b'n'))
        && let Some((name, asked)) = NAMED.iter().find(|(name, _)| text.starts_with(name))
    {
        return Some((*asked, name.len()));
    }
    let (role, mut at) = role_at_begin(text);
    let (mut file, mut rank, mut to) = (None, None, None);
    loop {
        match *text.get(at..)? {
            [f @ b'a'..=b'h', r @ b'1'..=b'8', ..] => {
                if let Some(from) = to.replace(Square::from_coords(file_of(f), rank_of(r))) {
                    if file.is_some() || rank.is_some() {
                        return None;
                    }
                    (file, rank) = (Some(from.file()), Some(from.rank()));
                }
                at += 2;
                // A third square would be the next move.
                if file.is_some() && rank.is_some() {
                    break;
                }
            }
            [f @ b'a'..=b'h', ..] if to.is_none() && file.is_none() && rank.is_none() => {
                file = Some(file_of(f));
                at += 1;
            }
            [r @ b'1'..=b'8', ..] if to.is_none() && rank.is_none() => {
                rank = Some(rank_of(r));
                at += 1;
            }
            [b'x' | b'-' | b':', b'a'..=b'h', b'1'..=b'8', ..] => at += 1,
            _ => break,
        }
    }
    let to = to?;
    let mut promotion = None;
    if matches!(role, None | Some(Role::Pawn)) && matches!(to.rank(), Rank::First | Rank::Eighth) {
        let (skip, letter) = match *text.get(at..)? {
            [b'=' | b'/', letter, ..] => (1, letter),
            [b'(', letter, b')', ..] => (1, letter),
            [letter, ..] => (0, letter),
            [] => (0, 0),
        };
        promotion = match letter {
            b'Q' | b'q' => Some(Role::Queen),
            b'R' | b'r' => Some(Role::Rook),
            b'B' | b'b' => Some(Role::Bishop),
            b'N' | b'n' => Some(Role::Knight),
            // So that it is refused by name; a king is what no pawn becomes.
            b'K' | b'k' if skip == 1 => Some(Role::King),
            _ => None,
        };
        if promotion.is_some() {
            at += skip + 1 + usize::from(text[at] == b'(');
        }
    }
    Some((Asked::Piece { role, file, rank, to, promotion }, at))
}

fn file_of(letter: u8) -> File {
    File::new(u32::from(letter - b'a'))
}

fn rank_of(digit: u8) -> Rank {
    Rank::new(u32::from(digit - b'1'))
}

/// The piece that a move begins with, letter or figurine, and its length.
fn role_at_begin(text: &[u8]) -> (Option<Role>, usize) {
    match *text {
        [b'N', ..] => (Some(Role::Knight), 1),
        [b'B', ..] => (Some(Role::Bishop), 1),
        [b'R', ..] => (Some(Role::Rook), 1),
        [b'Q', ..] => (Some(Role::Queen), 1),
        [b'K', ..] => (Some(Role::King), 1),
        [b'P', ..] => (Some(Role::Pawn), 1),
        // ♔ to ♟, in UTF-8 e2 99 94 to e2 99 9f.
        [0xe2, 0x99, piece @ 0x94..=0x9f, ..] => {
            let roles = [Role::King, Role::Queen, Role::Rook, Role::Bishop, Role::Knight, Role::Pawn];
            (Some(roles[usize::from(piece - 0x94) % 6]), 3)
        }
        _ => (None, 0),
    }
}

/// The legal move that is asked for. `san` gets its name, without the signs of check.
pub(super) fn resolve(pos: &Chess, asked: Asked, san: &mut San16) -> Result<Move, Refused> {
    let (role, file, rank, to, promotion) = match asked {
        Asked::Castle(side) => {
            let m = *pos.castling_moves(side).first().ok_or(Refused::Illegal)?;
            name(m, san);
            return Ok(m);
        }
        Asked::Null => return Err(Refused::Illegal),
        Asked::Piece { role, file, rank, to, promotion } => (role, file, rank, to, promotion),
    };
    let from = file.zip(rank).map(|(file, rank)| Square::from_coords(file, rank));
    // A move of two squares without a letter is of whatever piece stands there.
    let role = role.or_else(|| pos.board().role_at(from?)).unwrap_or(Role::Pawn);
    let candidates = pos.san_candidates(role, to);
    let mut found = None;
    for &m in &candidates {
        let fits = m.from().is_some_and(|from| {
            file.is_none_or(|file| from.file() == file) && rank.is_none_or(|rank| from.rank() == rank)
        });
        if fits && m.promotion() == promotion && found.replace(m).is_some() {
            return Err(Refused::Ambiguous);
        }
    }
    // Castling written as a move of the king: two squares, or onto its rook.
    let found = found.or_else(|| {
        let from = from.filter(|_| role == Role::King)?;
        [CastlingSide::KingSide, CastlingSide::QueenSide].into_iter().find_map(|side| {
            let m = *pos.castling_moves(side).first()?;
            let Move::Castle { king, rook } = m else { return None };
            (king == from && (rook == to || side.king_to(pos.turn()) == to)).then_some(m)
        })
    });
    let m = found.ok_or(Refused::Illegal)?;
    match m {
        Move::Normal { role, from: _, capture, to, promotion: None }
            if role != Role::Pawn && candidates.len() == 1 =>
        {
            san.push(role.upper_char() as u8);
            if capture.is_some() {
                san.push(b'x');
            }
            san.square(to);
        }
        Move::Normal { role: Role::Pawn, from, capture, to, promotion } => {
            if capture.is_some() {
                san.push(from.file().char() as u8);
                san.push(b'x');
            }
            san.square(to);
            if let Some(role) = promotion {
                san.push(b'=');
                san.push(role.upper_char() as u8);
            }
        }
        Move::Normal { .. } => spell(San::disambiguate(m, &candidates), san),
        _ => name(m, san),
    }
    Ok(m)
}

/// The name of a move that needs no other moves to be told from.
fn name(m: Move, san: &mut San16) {
    spell(San::disambiguate(m, &shakmaty::MoveList::new()), san);
}

fn spell(name: San, san: &mut San16) {
    let mut text = Vec::new();
    name.append_ascii_to(&mut text);
    san.extend(&text);
}

/// The sign of check or mate behind a move, for the position after it.
pub(super) fn push_check(pos: &Chess, san: &mut San16) {
    if pos.is_check() {
        san.push(if pos.legal_moves().is_empty() { b'#' } else { b'+' });
    }
}

/// A move in UCI: castling as e1g1, in Chess960 as the king takes its rook.
pub(super) fn push_uci(m: Move, mode: CastlingMode, out: &mut Short<8>) {
    let (from, to) = match m {
        Move::Castle { king, rook } if mode == CastlingMode::Standard => {
            let side = CastlingSide::from_queen_side(rook < king);
            (king, Square::from_coords(side.king_to_file(), king.rank()))
        }
        Move::Castle { king, rook } => (king, rook),
        _ => (m.from().unwrap_or(m.to()), m.to()),
    };
    out.square(from);
    out.square(to);
    if let Some(role) = m.promotion() {
        out.push(role.char() as u8);
    }
}

/// The ranks of a FEN, kept as text and made anew only where a move touched them.
#[derive(Debug, Clone)]
pub(super) struct Ranks {
    squares: [u8; 64],
    text: [[u8; 8]; 8],
    lengths: [u8; 8],
}

impl Ranks {
    pub fn new(pos: &Chess) -> Ranks {
        let mut ranks = Ranks { squares: [0; 64], text: [[0; 8]; 8], lengths: [0; 8] };
        for (square, piece) in pos.board().iter() {
            ranks.squares[square.to_usize()] = piece.char() as u8;
        }
        for rank in 0..8 {
            ranks.write(rank);
        }
        ranks
    }

    fn write(&mut self, rank: usize) {
        // Without branches: nobody can foretell which squares are empty. What is written and not meant is written
        // over; the sums keep to the nine bytes.
        let (mut length, mut empty) = (0, 0);
        let mut text = [0; 9];
        for &piece in &self.squares[rank * 8..rank * 8 + 8] {
            let stands = piece != 0;
            text[length] = b'0' + empty;
            length += usize::from(stands & (empty > 0));
            text[length] = piece;
            length += usize::from(stands);
            empty = if stands { 0 } else { empty + 1 };
        }
        text[length.min(8)] = b'0' + empty;
        length += usize::from(empty > 0);
        self.lengths[rank] = length as u8;
        if let Some(text) = text.first_chunk() {
            self.text[rank] = *text;
        }
    }

    /// Follows a move of the side `turn`.
    pub fn play(&mut self, m: Move, turn: Color) {
        let piece = |role: Role| role.of(turn).char() as u8;
        let squares = &mut self.squares;
        let (a, b) = match m {
            Move::Normal { role, from, to, promotion, .. } => {
                squares[from.to_usize()] = 0;
                squares[to.to_usize()] = piece(promotion.unwrap_or(role));
                (from, to)
            }
            Move::EnPassant { from, to } => {
                squares[from.to_usize()] = 0;
                squares[Square::from_coords(to.file(), from.rank()).to_usize()] = 0;
                squares[to.to_usize()] = piece(Role::Pawn);
                (from, to)
            }
            Move::Castle { king, rook } => {
                let side = CastlingSide::from_queen_side(rook < king);
                squares[king.to_usize()] = 0;
                squares[rook.to_usize()] = 0;
                squares[Square::from_coords(side.king_to_file(), king.rank()).to_usize()] = piece(Role::King);
                squares[Square::from_coords(side.rook_to_file(), king.rank()).to_usize()] = piece(Role::Rook);
                (king, king)
            }
            // Only variants drop pieces.
            Move::Put { to, .. } => (to, to),
        };
        self.write(a.rank().to_usize());
        if b.rank() != a.rank() {
            self.write(b.rank().to_usize());
        }
    }

    /// The FEN of the position that these are the ranks of; the en passant square only where it can be used.
    pub fn push_fen(&self, pos: &Chess, fen: &mut Short<112>) {
        let mut n = 0;
        let buffer = &mut fen.bytes;
        for rank in (0..8).rev() {
            // Eight bytes are copied whatever the length is: a fixed size costs nothing.
            if let Some(place) = buffer[n..].first_chunk_mut() {
                *place = self.text[rank];
            }
            n += self.lengths[rank] as usize;
            buffer[n] = b'/';
            n += 1;
        }
        buffer[n - 1] = b' ';
        buffer[n] = if pos.turn().is_white() { b'w' } else { b'b' };
        buffer[n + 1] = b' ';
        fen.length = n + 2;
        push_castling(pos, fen);
        fen.push(b' ');
        match pos.maybe_ep_square().and_then(|_| pos.legal_ep_square()) {
            Some(square) => fen.square(square),
            None => fen.push(b'-'),
        }
        fen.push(b' ');
        fen.number(pos.halfmoves());
        fen.push(b' ');
        fen.number(pos.fullmoves().get());
    }
}

fn push_castling(pos: &Chess, out: &mut Short<112>) {
    let castles = pos.castles();
    if castles.is_empty() {
        return out.push(b'-');
    }
    for color in Color::ALL {
        for side in CastlingSide::ALL {
            let Some(rook) = castles.rook(color, side) else { continue };
            // X-FEN: the letter of the side for the outermost rook, else the rook's file.
            let rooks = pos.board().by_piece(Role::Rook.of(color)) & shakmaty::Bitboard::from(rook.rank());
            let outermost = match side {
                CastlingSide::KingSide => rooks.last(),
                CastlingSide::QueenSide => rooks.first(),
            };
            let letter = match side {
                _ if outermost != Some(rook) => rook.file().char(),
                CastlingSide::KingSide => 'k',
                CastlingSide::QueenSide => 'q',
            };
            out.push(color.fold_wb(letter.to_ascii_uppercase(), letter) as u8);
        }
    }
}

/// A number in decimal.
pub(super) fn push_number(out: &mut Vec<u8>, number: u64) {
    if number < 10 {
        return out.push(b'0' + number as u8);
    }
    let mut digits = [0; 20];
    let mut at = digits.len();
    let mut rest = number;
    loop {
        at -= 1;
        digits[at] = b'0' + (rest % 10) as u8;
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    out.extend_from_slice(&digits[at..]);
}
