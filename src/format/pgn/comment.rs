//! Comments and the commands in them.

use std::borrow::Cow;

use memchr::memchr_iter;

use crate::record::{Move, Seconds};

/// The longest clock command, with all its white space: its end is searched no further.
const LONGEST: usize = 200;

/// Appends a comment to the text there, with all white space as single spaces.
pub(super) fn add(to: &mut Option<String>, comment: &str) {
    let comment = comment.trim_ascii();
    if comment.is_empty() {
        return;
    }
    let text = to.get_or_insert_default();
    text.reserve(comment.len() + 1);
    let mut push = |part: &str| {
        if !text.is_empty() {
            text.push(' ');
        }
        text.push_str(part);
    };
    if has_single_spaces(comment.as_bytes()) {
        push(comment);
    } else {
        comment.split_ascii_whitespace().for_each(push);
    }
}

/// Whether all white space of a text is single spaces: many bytes are tested in one step.
fn has_single_spaces(text: &[u8]) -> bool {
    let pairs = text.iter().zip(text.get(1..).unwrap_or_default());
    pairs.fold(true, |all, (&byte, &next)| all & (byte >= b' ') & ((byte != b' ') | (next != b' ')))
}

/// Moves the clock commands that are understood from a comment to the move. Everything else stays, including a second
/// clock and one that is not a time.
pub(super) fn take_clocks<'a>(comment: &'a str, m: &mut Move) -> Cow<'a, str> {
    let mut kept = Cow::Borrowed("");
    let mut keep = |part: &'a str| match &mut kept {
        Cow::Borrowed(nothing) if nothing.trim_ascii().is_empty() => kept = part.into(),
        some => some.to_mut().push_str(part),
    };
    let mut rest = comment;
    while let Some(at) = command(rest) {
        keep(&rest[..at]);
        rest = &rest[at..];
        let near = &rest.as_bytes()[..rest.len().min(LONGEST)];
        let taken = near.iter().position(|&b| b == b']').filter(|&end| {
            let mut words = rest[2..end].split_whitespace();
            let (place, is_used) = match words.next() {
                Some("clk") => (&mut m.seconds, false),
                Some("emt") => (&mut m.elapsed, true),
                _ => return false,
            };
            let of = if is_used { time_used } else { time };
            let time = words.next().and_then(of).filter(|_| place.is_none() && words.next().is_none());
            if time.is_some() {
                *place = time;
            }
            time.is_some()
        });
        match taken {
            Some(end) => rest = &rest[end + 1..],
            None => {
                keep(&rest[..2]);
                rest = &rest[2..];
            }
        }
    }
    keep(rest);
    kept
}

/// The start of a command.
fn command(text: &str) -> Option<usize> {
    memchr_iter(b'[', text.as_bytes()).find(|at| text.as_bytes().get(at + 1) == Some(&b'%'))
}

/// The time used for a move, which some programs write in seconds alone.
fn time_used(text: &str) -> Option<Seconds> {
    let seconds = || {
        let (seconds, rest) = number(text.as_bytes())?;
        of_parts(seconds, rest)
    };
    time(text).or_else(seconds)
}

/// `h:mm:ss`, with up to three decimals. `99:99:99` is not a time: it stays in the comment.
fn time(text: &str) -> Option<Seconds> {
    let (hours, rest) = number(text.as_bytes())?;
    let (minutes, rest) = number(rest.strip_prefix(b":")?)?;
    let (seconds, rest) = number(rest.strip_prefix(b":")?)?;
    (minutes <= 59 && seconds <= 59).then(|| of_parts((hours * 60 + minutes) * 60 + seconds, rest))?
}

/// Seconds with decimals.
fn of_parts(seconds: u64, rest: &[u8]) -> Option<Seconds> {
    let fraction = match rest {
        [] => rest,
        [b'.' | b',', fraction @ ..] => fraction,
        _ => return None,
    };
    if fraction.len() > 3 || !fraction.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let digit = |at: usize| fraction.get(at).map_or(0, |digit| u64::from(digit - b'0'));
    let thousandths = digit(0) * 100 + digit(1) * 10 + digit(2);
    Some(Seconds((seconds * 1000 + thousandths) as f64 / 1000.0))
}

/// The clock of a comment that contains nothing else, `0:04:57`.
fn bare(comment: &str) -> Option<Seconds> {
    let comment = comment.trim_ascii();
    let short = |length| comment.len() == length && comment.as_bytes().get(length - 6) == Some(&b':');
    (short(7) || short(8)).then(|| time(comment))?
}

/// The clock that stays in a comment because it is ambiguous, hours and minutes or minutes and seconds: `[%clk 1:30]`.
pub(super) fn doubtful(comment: &str) -> Option<&str> {
    let mut rest = comment;
    loop {
        rest = &rest[command(rest)?..];
        let end = rest.as_bytes().iter().take(LONGEST).position(|&b| b == b']');
        if let Some(end) = end
            && let Some(time) =
                rest[2..end].strip_prefix("clk ").or_else(|| rest[2..end].strip_prefix("emt "))
            && let Some((left, right)) = time.trim().split_once(':')
            && [left, right]
                .iter()
                .all(|part| number(part.as_bytes()).is_some_and(|(_, rest)| rest.is_empty()))
        {
            return Some(&rest[..=end]);
        }
        rest = &rest[2..];
    }
}

/// The number of one to six digits that a text begins with, and what follows it.
fn number(text: &[u8]) -> Option<(u64, &[u8])> {
    let length = text.iter().take_while(|digit| digit.is_ascii_digit()).count();
    let (digits, rest) = text.split_at_checked(length).filter(|_| (1..=6).contains(&length))?;
    Some((digits.iter().fold(0, |number, digit| number * 10 + u64::from(digit - b'0')), rest))
}

/// A comment on a move, without its clocks; after variations it has a place of its own. Returns whether a command stays
/// in it.
pub(super) fn note(m: &mut Move, text: &str) -> bool {
    if m.seconds.is_none()
        && let Some(time) = bare(text)
    {
        m.seconds = Some(time);
        return false;
    }
    let rest = take_clocks(text, m);
    add(if m.variations.is_empty() { &mut m.comment } else { &mut m.comment_after }, &rest);
    command(&rest).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn taken(comment: &str) -> (String, Option<f64>, Option<f64>) {
        let mut m = Move::default();
        let mut kept = None;
        add(&mut kept, &take_clocks(comment, &mut m));
        (kept.unwrap_or_default(), m.seconds.map(|s| s.0), m.elapsed.map(|s| s.0))
    }

    #[test]
    fn clocks_of_known_programs_are_read() {
        assert_eq!(taken("[%clk\n00:15:27]"), ("".into(), Some(927.0), None));
        assert_eq!(taken("[%clk\u{a0}0:15:27]"), ("".into(), Some(927.0), None));
        assert_eq!(taken(" [%clk 0:15:19] [%emt 0:00:02] "), ("".into(), Some(919.0), Some(2.0)));
        assert_eq!(taken("[%clk 0:09:58.7]"), ("".into(), Some(598.7), None));
        assert_eq!(
            taken("good [%clk 1:00:00] [%eval 0.3,12] move"),
            ("good [%eval 0.3,12] move".into(), Some(3600.0), None)
        );
    }

    #[test]
    fn seconds_alone_are_time_used_and_commas_separate_decimals() {
        assert_eq!(taken("[%emt 0.01] [%clk 0:00:45,6]"), ("".into(), Some(45.6), Some(0.01)));
        assert_eq!(taken("[%emt 58]"), ("".into(), None, Some(58.0)));
    }

    #[test]
    fn a_clock_may_be_all_of_a_comment() {
        for (text, seconds, comment) in [
            (" 0:04:57 ", Some(297.0), None),
            ("12:34:56", Some(45296.0), None),
            ("0:4:57", None, Some("0:4:57")),
            ("0:04:57 left", None, Some("0:04:57 left")),
            ("0:04", None, Some("0:04")),
        ] {
            let mut m = Move::default();
            note(&mut m, text);
            assert_eq!((m.seconds.map(|s| s.0), m.comment.as_deref()), (seconds, comment), "{text}");
        }
    }

    #[test]
    fn a_clock_of_two_numbers_is_doubtful() {
        assert_eq!(doubtful("a [%eval 1] [%clk 1:30] b"), Some("[%clk 1:30]"));
        for comment in ["[%clk 0:01:30]", "[%eval 1:30]", "[%clk 1:30", "1:30", "[%clk 90]"] {
            assert_eq!(doubtful(comment), None, "{comment}");
        }
    }

    #[test]
    fn white_space_in_comments_becomes_single_spaces() {
        for gap in [" ", "  ", "\n", "\r\n", "\t", " \n "] {
            for length in 1..40 {
                let (before, behind) = ("a".repeat(length), "b c".repeat(40 - length));
                let mut text = None;
                add(&mut text, &format!("{gap}{before}{gap}{behind}{gap}"));
                add(&mut text, gap);
                add(&mut text, "d");
                assert_eq!(text, Some(format!("{before} {behind} d")), "{gap:?} behind {length}");
            }
        }
    }

    #[test]
    fn unknown_commands_stay() {
        for comment in [
            "[%clk 1:30]",
            "[%clk -0:00:01]",
            "[%clk",
            "[%clk 0:00:01 x]",
            "[%mct 00:00:01]",
            "[%clk 0:00:01.2345]",
            "[%clk 99:99:99]",
            "[%emt 0:60:00]",
            "[%emt 0:58]",
            "[%clk 90]",
        ] {
            assert_eq!(taken(comment), (comment.into(), None, None));
        }
        assert_eq!(taken("[%clk 0:00:02] [%clk 0:00:01]"), ("[%clk 0:00:01]".into(), Some(2.0), None));
    }
}
