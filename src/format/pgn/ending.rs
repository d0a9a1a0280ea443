//! How a game ended: what its tags and its moves say of the result, and what they may have taken for a move.

use super::word;
use crate::{
    format::words::short,
    record::{End, EndReason, Outcome, Tags},
};

/// What stands in the Termination tag of a game that was lost without play.
pub(in crate::format) const FORFEIT: &str = "forfeit";

/// What is said of a game's end, and what is wrong with that.
pub(super) struct Said {
    pub end: End,
    /// With whether it stands behind the moves.
    pub problem: Option<(bool, String)>,
}

/// The result of the tag, or else that behind the moves.
pub(super) fn said(tags: &Tags, behind: &'static str) -> Said {
    let (result, problem) = result(tags.get("Result"), behind);
    let forfeit =
        result != "*" && ([result, behind].iter().any(|said| said.ends_with('F')) || is_called_forfeit(tags));
    Said { end: End { forfeit, ..End::of(score(result).parse().ok(), EndReason::Tag) }, problem }
}

/// Whether tags say that a game was lost without play.
pub(in crate::format) fn is_forfeit(tags: &Tags) -> bool {
    let result = tags.get("Result").and_then(|tag| word::ending(tag.trim().as_bytes()));
    is_called_forfeit(tags) || result.is_some_and(|result| result.ends_with('F'))
}

fn is_called_forfeit(tags: &Tags) -> bool {
    tags.get("Termination").is_some_and(|termination| termination.trim().eq_ignore_ascii_case(FORFEIT))
}

/// The result that a tag says by the signs of a table or with a letter, where it does.
pub(in crate::format) fn of_table(tag: &str) -> Option<Outcome> {
    score(word::ending(tag.trim().as_bytes())?).parse().ok()
}

fn result(tag: Option<&str>, behind: &'static str) -> (&'static str, Option<(bool, String)>) {
    let Some(tag) = tag.map(str::trim) else { return (behind, None) };
    match word::ending(tag.as_bytes()) {
        Some("*") => (behind, None),
        Some(result) if behind == "*" || score(behind) == score(result) => (result, None),
        Some(result) => (
            result,
            Some((true, format!("the tag says {}, the moves end with {}", score(result), score(behind)))),
        ),
        None if ["", "?", "-"].contains(&tag) => (behind, None),
        None => (behind, Some((false, format!("the tag Result \"{}\" is no result", short(tag))))),
    }
}

/// A result without the letter of a forfeit.
fn score(result: &str) -> &str {
    result.trim_end_matches('F')
}

/// Whether the tags leave open what the last word of a game is that may be a result or a move; none where they name another
/// result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LastWord {
    /// The tags say this result.
    Result(&'static str),
    /// They say nothing of the result.
    Open(&'static str),
}

/// What the last word of a game may be where [`word::result`] does not know: `0-0`, or a sign of a forfeit.
pub(super) fn last_word(tags: &Tags, word: &[u8]) -> Option<LastWord> {
    let result = word::ending(word).filter(|_| word::result(word).is_none())?;
    let tag = tags.get("Result").unwrap_or("*").trim();
    let by_sign = score(result) != result && !word.starts_with(b"0");
    match word::ending(tag.as_bytes()) {
        Some(said) if said == result || (!by_sign && score(said) == score(result)) => {
            Some(LastWord::Result(result))
        }
        Some("*") if !by_sign => Some(LastWord::Open(result)),
        None if !by_sign && ["", "?", "-"].contains(&tag) => Some(LastWord::Open(result)),
        _ => None,
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
    let lost = || {
        let white = fen.windows(3).any(|turn| turn == b" b ");
        result == if white { "0-1" } else { "1-0" }
    };
    shows && (unpressed || lost())
}
