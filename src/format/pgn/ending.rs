//! How a game ended: what its tag and its moves say of the result, and what they may have taken for a move.

use super::word;
use crate::format::words::short;

/// The result of the tag, or else that behind the moves; and what is wrong with them, with whether that stands behind the
/// moves.
pub(super) fn final_result(
    tag: Option<&str>,
    behind: &'static str,
) -> (&'static str, Option<(bool, String)>) {
    let Some(tag) = tag.map(str::trim) else { return (behind, None) };
    match word::result(tag.as_bytes()) {
        Some("*") => (behind, None),
        Some(result) if behind == "*" || behind == result => (result, None),
        Some(result) => (result, Some((true, format!("the tag says {result}, the moves end with {behind}")))),
        None if ["", "?", "-"].contains(&tag) => (behind, None),
        None => (behind, Some((false, format!("the tag Result \"{}\" is no result", short(tag))))),
    }
}

/// Whether the last move may be none: a king that goes to the centre, onto a square by which kings show the result of the
/// game. The winner's last move, and one before a draw, goes there no more often than to other squares; that of the loser,
/// whose turn it was when he resigned, does. So does one that has no clock where all others have: nobody pressed it.
pub(super) fn may_be_a_sign(result: &str, san: &[u8], fen: &[u8], unpressed: bool) -> bool {
    let squares: &[&[u8]] = match result {
        "1-0" => &[b"e4", b"d5"],
        "0-1" => &[b"d4", b"e5"],
        "1/2-1/2" => &[b"d4", b"d5", b"e4", b"e5"],
        _ => return false,
    };
    let shows = matches!(san, [b'K', to @ ..] if squares.contains(&to));
    let white = fen.windows(3).any(|turn| turn == b" b ");
    let lost = result == if white { "0-1" } else { "1-0" };
    shows && (lost || unpressed)
}
