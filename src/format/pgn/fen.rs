//! Positions to FEN, a ply at a time: only the ranks that a move touched are written again. With shakmaty's own FEN
//! `from-pgn` would take 2.2 times as long (1.4 times for games with many comments).

use shakmaty::{CastlingSide, Chess, Color, Move, Position, Role, Square};

use super::short::{Letters, Short};

/// The ranks of a FEN, kept as text and written again only where a move touched them.
#[derive(Debug, Clone)]
pub(super) struct Ranks {
    /// The letters of the pieces of each rank, file a in the lowest byte; 0 is an empty square.
    squares: [u64; 8],
    /// The text of each rank with the slash after it, and its length.
    text: [[u8; 16]; 8],
    lengths: [u8; 8],
}

/// The layout of a rank's text, which depends only on the occupied squares.
#[derive(Clone, Copy)]
struct Layout {
    /// The numbers of empty squares, each at its place; the places of letters are 0.
    numbers: u64,
    /// The letters that move down by 1, then by 2, then by 4 bytes to their places.
    down: [u64; 3],
    /// In bytes.
    length: u8,
}

/// For every set of occupied squares, file a in the lowest bit.
static LAYOUTS: [Layout; 256] = {
    let mut layouts = [Layout { numbers: 0, down: [0; 3], length: 0 }; 256];
    let mut occupied = 0;
    while occupied < 256 {
        let layout = &mut layouts[occupied];
        let (mut empty, mut file) = (0, 0);
        while file <= 8 {
            let is_end = file == 8;
            if is_end || (occupied >> file) & 1 == 1 {
                if empty > 0 {
                    layout.numbers |= (b'0' as u64 + empty) << (8 * layout.length);
                    layout.length += 1;
                }
                if !is_end {
                    let (mut at, mut step) = (file, 0);
                    while step < 3 {
                        if ((file - layout.length as usize) >> step) & 1 == 1 {
                            layout.down[step] |= 0xff << (8 * at);
                            at -= 1 << step;
                        }
                        step += 1;
                    }
                    layout.length += 1;
                }
                empty = 0;
            } else {
                empty += 1;
            }
            file += 1;
        }
        occupied += 1;
    }
    layouts
};

impl Ranks {
    pub fn new(pos: &Chess) -> Ranks {
        let mut ranks = Ranks { squares: [0; 8], text: [[0; 16]; 8], lengths: [0; 8] };
        for color in Color::ALL {
            for role in Role::ALL {
                let piece = role.of(color);
                for square in pos.board().by_piece(piece) {
                    ranks.set(square, piece.char() as u8);
                }
            }
        }
        for rank in 0..8 {
            ranks.write(rank);
        }
        ranks
    }

    /// The letters of the pieces, rank by rank from White's side.
    pub fn squares(&self) -> [u64; 8] {
        self.squares
    }

    fn set(&mut self, square: Square, letter: u8) {
        let shift = 8 * square.file().to_u32();
        let rank = &mut self.squares[square.rank().to_usize()];
        *rank = (*rank & !(0xff << shift)) | (u64::from(letter) << shift);
    }

    fn write(&mut self, rank: usize) {
        let squares = self.squares[rank];
        // All letters have the bit 0x40: those of the eight bytes are gathered in one.
        let letters = (squares >> 6) & 0x0101_0101_0101_0101;
        let occupied = letters.wrapping_mul(0x0102_0408_1020_4080) >> 56;
        let layout = &LAYOUTS[occupied as usize];
        let mut letters = squares;
        for (step, going) in layout.down.iter().enumerate() {
            let going = letters & going;
            letters = (letters ^ going) | (going >> (8 << step));
        }
        let text = &mut self.text[rank];
        text[..8].copy_from_slice(&(letters | layout.numbers).to_le_bytes());
        text[usize::from(layout.length) % 16] = b'/';
        self.lengths[rank] = layout.length + 1;
    }

    /// Applies a move of the side `turn`.
    pub fn play(&mut self, m: Move, turn: Color) {
        let piece = |role: Role| role.of(turn).char() as u8;
        let (a, b) = match m {
            Move::Normal { role, from, to, promotion, .. } => {
                self.set(from, 0);
                self.set(to, piece(promotion.unwrap_or(role)));
                (from, to)
            }
            Move::EnPassant { from, to } => {
                self.set(from, 0);
                self.set(Square::from_coords(to.file(), from.rank()), 0);
                self.set(to, piece(Role::Pawn));
                (from, to)
            }
            Move::Castle { king, rook } => {
                let side = CastlingSide::from_queen_side(rook < king);
                self.set(king, 0);
                self.set(rook, 0);
                self.set(Square::from_coords(side.king_to_file(), king.rank()), piece(Role::King));
                self.set(Square::from_coords(side.rook_to_file(), king.rank()), piece(Role::Rook));
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

    /// The FEN of the position with these ranks; the en passant square is given only where it can be used.
    pub fn push_fen(&self, pos: &Chess, en_passant: Option<Square>, fen: &mut Short) {
        for rank in (1..8).rev() {
            fen.put_first(self.lengths[rank], self.text[rank]);
        }
        fen.put_first(self.lengths[0] - 1, self.text[0]);
        fen.put(pos.turn().fold_wb(b" w ", b" b "));
        push_castling(pos, fen);
        match en_passant {
            Some(square) => {
                fen.put(b" ");
                push_square(fen, square);
                fen.put(b" ");
            }
            None => fen.put(b" - "),
        }
        push_number(fen, pos.halfmoves());
        fen.put(b" ");
        push_number(fen, pos.fullmoves().get());
    }
}

fn push_castling(pos: &Chess, out: &mut Short) {
    let castles = pos.castles();
    if castles.is_empty() {
        return out.put(b"-");
    }
    for color in Color::ALL {
        for side in CastlingSide::ALL {
            let Some(rook) = castles.rook(color, side) else { continue };
            // X-FEN: the letter of the side for the outermost rook, else the rook's file.
            let outermost = || {
                let rooks =
                    pos.board().by_piece(Role::Rook.of(color)) & shakmaty::Bitboard::from(rook.rank());
                match side {
                    CastlingSide::KingSide => rooks.last(),
                    CastlingSide::QueenSide => rooks.first(),
                }
            };
            let letter = match side {
                _ if castles.mode().is_chess960() && outermost() != Some(rook) => rook.file().char(),
                CastlingSide::KingSide => 'k',
                CastlingSide::QueenSide => 'q',
            };
            out.put(&[color.fold_wb(letter.to_ascii_uppercase(), letter) as u8]);
        }
    }
}

/// The FEN to write for a position from a file: the file's, or ours where other readers may misread it because of
/// impossible castling rights, rights named by files without need, or invalid numbers.
pub(super) fn as_others_read<'a>(named: &'a str, ours: &'a str) -> &'a str {
    let field = |fen: &'a str, nth: usize| fen.split_ascii_whitespace().nth(nth);
    let (Some(rights), Some(known)) = (field(named, 2), field(ours, 2)) else { return named };
    let is_number = |field: &str| field.bytes().all(|b| b.is_ascii_digit());
    let has_counters = named.split_ascii_whitespace().skip(4).all(is_number);
    let has_rights = rights == "-" || rights.chars().all(|right| known.contains(right));
    if has_counters && has_rights { named } else { ours }
}

/// The name of a square.
pub(super) fn push_square(out: &mut Short, square: Square) {
    out.put(&[square.file().char() as u8, square.rank().char() as u8]);
}

/// A number in decimal; nearly all have one or two digits.
#[inline]
pub(super) fn push_number(out: &mut impl Letters, number: u32) {
    match digits(number) {
        Some((digits, length)) => out.put_first(length, digits),
        None => push_long_number(out, number),
    }
}

/// The digits of a number below 1000, as nearly all are, and how many they are.
#[inline(always)]
pub(super) fn digits(number: u32) -> Option<([u8; 3], u8)> {
    NUMBERS.get(number as usize).copied()
}

#[cold]
fn push_long_number(out: &mut impl Letters, number: u32) {
    push_number(out, number / 10);
    out.put(&[b'0' + (number % 10) as u8]);
}

static NUMBERS: [([u8; 3], u8); 1000] = {
    let mut numbers = [([0; 3], 0); 1000];
    let mut number = 0;
    while number < numbers.len() {
        let (mut length, mut rest) = (0, number);
        while length == 0 || rest > 0 {
            let ([first, second, _], _) = numbers[number];
            length += 1;
            numbers[number] = ([b'0' + (rest % 10) as u8, first, second], length);
            rest /= 10;
        }
        number += 1;
    }
    numbers
};

/// Bytes that this program made, as text.
pub(super) fn text(ascii: &[u8]) -> String {
    str::from_utf8(ascii).unwrap_or_default().to_owned()
}
