//! The end of a game: the result in its tags and after its moves, and signs that may have been read as a move.

use super::word;
use crate::{
    format::words::short,
    record::{End, EndReason, Outcome, Tags},
};

/// The value of the Termination tag of a game that was lost without play.
pub(in crate::format) const FORFEIT: &str = "forfeit";

/// The result of a game, and its problem.
pub(super) struct Decided {
    pub end: End,
    /// Whether the problem is after the moves, and its text.
    pub problem: Option<(bool, String)>,
}

/// The result of the tag, or else the one after the moves.
pub(super) fn decide(tags: &Tags, behind: &'static str) -> Decided {
    let (result, problem) = result(tags.get("Result"), behind);
    let forfeit = result != "*"
        && ([result, behind].iter().any(|found| found.ends_with('F')) || is_called_forfeit(tags));
    Decided { end: End { forfeit, ..End::of(score(result).parse().ok(), EndReason::Tag) }, problem }
}

/// Whether tags mark a game as lost without play.
pub(in crate::format) fn is_forfeit(tags: &Tags) -> bool {
    let result = tags.get("Result").and_then(|tag| word::ending(tag.trim().as_bytes()));
    is_called_forfeit(tags) || result.is_some_and(|result| result.ends_with('F'))
}

fn is_called_forfeit(tags: &Tags) -> bool {
    tags.get("Termination").is_some_and(|termination| termination.trim().eq_ignore_ascii_case(FORFEIT))
}

/// The result of a tag with the signs of a table or with a letter, if it has these.
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

/// The meaning by the tags of a last word that may be a result or a move; none where they have another result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LastWord {
    /// The tags have this result.
    Result(&'static str),
    /// The tags have no result.
    Open(&'static str),
}

/// The possible meaning of a last word that [`word::result`] does not accept: `0-0`, or a sign of a forfeit.
pub(super) fn last_word(tags: &Tags, word: &[u8]) -> Option<LastWord> {
    let result = word::ending(word).filter(|_| word::result(word).is_none())?;
    let tag = tags.get("Result").unwrap_or("*").trim();
    let by_sign = score(result) != result && !word.starts_with(b"0");
    match word::ending(tag.as_bytes()) {
        Some(found) if found == result || (!by_sign && score(found) == score(result)) => {
            Some(LastWord::Result(result))
        }
        Some("*") if !by_sign => Some(LastWord::Open(result)),
        None if !by_sign && ["", "?", "-"].contains(&tag) => Some(LastWord::Open(result)),
        _ => None,
    }
}

/// Whether the last move may be none: a king that goes to the centre, to a square by which kings signal the result of
/// the game. The last move of a winner, or before a draw, goes there no more often than to other squares; that of a
/// loser, who resigned on move, does. So does one without a clock where all others have one: it was not pressed.
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
