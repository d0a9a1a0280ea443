//! Parses the common spellings of moves.

use shakmaty::{CastlingSide, File, Rank, Role, Square};

use super::lexer::dash;

/// A move as a text describes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MoveText {
    Piece { role: Option<Role>, file: Option<File>, rank: Option<Rank>, to: Square, promotion: Option<Role> },
    Castle(CastlingSide),
    Null,
}

/// The names of a null move.
const NULL: [&[u8]; 6] = [b"--", b"Z0", b"0000", b"@@@@", b"null", b"<>"];

/// Castling: two or three letters, zeros or small letters alike, with a dash of any kind between each two.
fn castling(text: &[u8]) -> Option<(MoveText, usize)> {
    let letter = *text.first().filter(|letter| matches!(letter, b'O' | b'0' | b'o'))?;
    let goes_on = |from: usize| {
        let dash = dash(&text[from..]);
        (dash > 0 && text.get(from + dash) == Some(&letter)).then_some(from + dash + 1)
    };
    let short = goes_on(1)?;
    Some(match goes_on(short) {
        Some(long) => (MoveText::Castle(CastlingSide::QueenSide), long),
        None => (MoveText::Castle(CastlingSide::KingSide), short),
    })
}

/// The move that a text begins with, and the length of its name.
pub(super) fn parse(text: &[u8]) -> Option<(MoveText, usize)> {
    if let Some(found) = at_a_glance(text) {
        return Some(found);
    }
    match text.first() {
        Some(b'O' | b'0' | b'o') if let Some(found) = castling(text) => return Some(found),
        Some(b'0' | b'-' | b'Z' | b'@' | b'n' | b'<') => {
            if let Some(name) = NULL.iter().find(|name| text.starts_with(name)) {
                return Some((MoveText::Null, name.len()));
            }
        }
        _ => {}
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
            [b'x' | b':', b'a'..=b'h', b'1'..=b'8', ..] => at += 1,
            ref rest => match dash(rest) {
                length @ 1.. if matches!(rest[length..], [b'a'..=b'h', b'1'..=b'8', ..]) => at += length,
                _ => break,
            },
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
            b'Q' | b'q' | b'R' | b'r' | b'B' | b'b' | b'N' | b'n' => Role::from_char(letter.into()),
            // So that it is refused by name: a pawn cannot become a king.
            b'K' | b'k' if skip == 1 => Some(Role::King),
            _ => None,
        };
        if promotion.is_some() {
            at += skip + 1 + usize::from(text[at] == b'(');
        }
    }
    Some((MoveText::Piece { role, file, rank, to, promotion }, at))
}

/// Most moves: a square, after a piece or a file with or without a capture, and up to one sign of check.
#[inline(always)]
pub(super) fn at_a_glance(text: &[u8]) -> Option<(MoveText, usize)> {
    let name = text.strip_suffix(b"+").unwrap_or(text);
    let (begin, &[file @ b'a'..=b'h', rank @ b'1'..=b'8']) = name.split_last_chunk()? else { return None };
    let piece = |letter: u8| match letter {
        b'N' => Some(Role::Knight),
        b'B' => Some(Role::Bishop),
        b'R' => Some(Role::Rook),
        b'Q' => Some(Role::Queen),
        b'K' => Some(Role::King),
        _ => None,
    };
    let (role, from) = match *begin {
        [] => (None, None),
        [letter] | [letter, b'x'] if letter.is_ascii_uppercase() => (Some(piece(letter)?), None),
        [from @ b'a'..=b'h', b'x'] => (None, Some(file_of(from))),
        _ => return None,
    };
    let to = Square::from_coords(file_of(file), rank_of(rank));
    Some((MoveText::Piece { role, file: from, rank: None, to, promotion: None }, name.len()))
}

/// Whether a text is a move and nothing else.
pub(super) fn is_move(text: &[u8]) -> bool {
    matches!(parse(text), Some((asked, length)) if length == text.len() && asked != MoveText::Null)
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
