//! `[%eval 0.31]` and `[%eval #-3]`: evaluations in comments, in the form of Lichess.

use crate::record::{Evaluation, Move, Score};

const BEGIN: &str = "[%eval ";
/// The greatest number of digits before the point, or of all digits without one.
const LONGEST: usize = 6;

/// A score with its depth, which some programs write and Lichess does not.
type Read = (Score, Option<u32>);

/// Takes the evaluation out of the comments after a move. Other text stays, including a second evaluation and an
/// invalid one.
pub(super) fn take(m: &mut Move) -> Option<Read> {
    [&mut m.comment, &mut m.comment_after].into_iter().find_map(|comment| {
        let text = comment.as_deref()?;
        let (at, end, read) = find(text)?;
        let rest = [text[..at].trim_ascii(), text[end..].trim_ascii()];
        let rest: Vec<&str> = rest.into_iter().filter(|part| !part.is_empty()).collect();
        *comment = (!rest.is_empty()).then(|| rest.join(" "));
        Some(read)
    })
}

/// The first evaluation of a comment: its position and its content.
fn find(text: &str) -> Option<(usize, usize, Read)> {
    memchr::memmem::find_iter(text.as_bytes(), BEGIN).find_map(|at| {
        let from = at + BEGIN.len();
        let end = from + text[from..].bytes().take(4 * LONGEST).position(|byte| byte == b']')?;
        Some((at, end + 1, read(&text[from..end])?))
    })
}

fn read(text: &str) -> Option<Read> {
    let (score, depth) = match text.split_once(',') {
        Some((score, depth)) => (score, Some(digits(depth)?)),
        None => (text, None),
    };
    if let Some(mate) = score.strip_prefix('#') {
        let (is_blacks, number) = signed(mate);
        let mate = digits(number).filter(|mate| *mate > 0)? as i32;
        return Some((Score::Mate(if is_blacks { -mate } else { mate }), depth));
    }
    let (is_blacks, number) = signed(score);
    let (whole, part) = number.split_once('.').unwrap_or((number, "0"));
    let part = match part.len() {
        1 => 10 * digits(part)?,
        2 => digits(part)?,
        _ => return None,
    };
    let cp = (100 * digits(whole)? + part) as i32;
    Some((Score::Cp(if is_blacks { -cp } else { cp }), depth))
}

fn signed(text: &str) -> (bool, &str) {
    text.strip_prefix('-').map_or((false, text), |number| (true, number))
}

fn digits(text: &str) -> Option<u32> {
    let is_number = (1..=LONGEST).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| text.parse().ok())?
}

/// An evaluation as a command. The depth is written for one from a file, whose engine is unknown.
pub(super) fn command(evaluation: &Evaluation) -> String {
    let text = evaluation.score.text();
    // Lichess writes 0.2 and 0.0 for scores with two digits.
    let score = text.strip_suffix('0').filter(|_| text.contains('.')).unwrap_or(&text);
    match evaluation.depth.filter(|_| evaluation.engine.is_none()) {
        Some(depth) => format!("{BEGIN}{score},{depth}]"),
        None => format!("{BEGIN}{score}]"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn taken(comment: &str) -> (Option<Read>, Option<String>) {
        let mut m = Move { comment: Some(comment.to_owned()), ..Move::default() };
        (take(&mut m), m.comment)
    }

    #[test]
    fn lichess_evaluations_survive_reading_and_writing() {
        for (text, score, depth) in [
            ("0.17", Score::Cp(17), None),
            ("0.2", Score::Cp(20), None),
            ("0.0", Score::Cp(0), None),
            ("-1.05", Score::Cp(-105), None),
            ("-12.5", Score::Cp(-1250), None),
            ("#3", Score::Mate(3), None),
            ("#-11", Score::Mate(-11), None),
            ("0.3,12", Score::Cp(30), Some(12)),
        ] {
            let comment = format!("{BEGIN}{text}]");
            assert_eq!(taken(&comment), (Some((score, depth)), None), "{text}");
            let evaluation =
                Evaluation { ply: 1, score, bound: None, depth, nodes: None, pv: Vec::new(), engine: None };
            assert_eq!(command(&evaluation), comment);
            let of_engine = Evaluation { engine: Some("x".into()), ..evaluation };
            assert!(!command(&of_engine).contains(','), "Lichess has no depth");
        }
        assert_eq!(taken("[%eval 2]").0, Some((Score::Cp(200), None)));
        let among = taken("a [%eval x] b [%eval 0.1] c [%eval 0.2]");
        assert_eq!(among, (Some((Score::Cp(10), None)), Some("a [%eval x] b c [%eval 0.2]".into())));
        let mut m = Move { comment_after: Some("[%eval 0.1]".into()), ..Move::default() };
        assert_eq!((take(&mut m).is_some(), m.comment_after), (true, None));
    }

    #[test]
    fn invalid_evaluations_stay_in_the_comment() {
        for comment in [
            "[%eval 0.3,12 a b]",
            "[%eval 0.317]",
            "[%eval .3]",
            "[%eval 1:30]",
            "[%eval #0]",
            "[%eval #]",
            "[%eval --1]",
            "[%eval 1234567]",
            "[%eval 0.3",
            "[%eval  0.3]",
            "[%eval é]",
            "eval 0.3",
        ] {
            assert_eq!(taken(comment), (None, Some(comment.into())));
        }
    }
}
