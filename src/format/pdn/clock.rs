//! The clock commands in comments: `[%clk 0:12:30]`, `[%emt 0:00:07]`, `[%clock w0:12:30 B0:11:58]`.

use crate::{draughts::Colour, record::Seconds};

/// A comment that was read: its text without the recognised commands, and the times.
#[derive(Debug, Default, PartialEq)]
pub(super) struct ClockComment {
    /// The rest of the comment, if there is any.
    pub text: Option<String>,
    /// The mover's clock.
    pub seconds: Option<Seconds>,
    /// The time used for the move.
    pub elapsed: Option<Seconds>,
}

/// Reads a comment after a move of `mover`.
pub(super) fn read(comment: &str, mover: Colour) -> ClockComment {
    let mut found = ClockComment::default();
    let mut left = String::new();
    let mut rest = comment;
    while let Some(at) = rest.find("[%") {
        let Some(end) = rest[at..].find(']').map(|end| at + end) else { break };
        let command = &rest[at + 2..end];
        let (name, value) = command.split_once(char::is_whitespace).unwrap_or((command, ""));
        let understood = match name {
            "clk" => seconds(value).map(|s| found.seconds = Some(s)),
            "emt" => seconds(value).map(|s| found.elapsed = Some(s)),
            "clock" => of(value, mover).map(|s| found.seconds = Some(s)),
            _ => None,
        };
        left.push_str(if understood.is_some() { &rest[..at] } else { &rest[..=end] });
        rest = &rest[end + 1..];
    }
    left.push_str(rest);
    add(&mut found.text, &left);
    found
}

/// Adds a comment to another, with all white space as single spaces.
pub(super) fn add(to: &mut Option<String>, comment: &str) {
    for word in comment.split_whitespace() {
        match to {
            Some(text) => {
                text.push(' ');
                text.push_str(word);
            }
            None => *to = Some(word.to_owned()),
        }
    }
}

/// The mover's time of one or two clock times, which may name their side; a capital only shows which clock runs.
fn of(value: &str, mover: Colour) -> Option<Seconds> {
    let letter = if mover == Colour::White { ['w', 'W'] } else { ['b', 'B'] };
    let mut times = value.split_whitespace();
    let own = times.clone().find_map(|time| time.strip_prefix(letter));
    seconds(own.or_else(|| times.next().filter(|time| time.starts_with(|c: char| c.is_ascii_digit())))?)
}

/// `h:mm:ss`, `mm:ss`, either with a fraction.
fn seconds(text: &str) -> Option<Seconds> {
    let mut sum = 0.0;
    let parts: Vec<&str> = text.trim().split(':').collect();
    if !(2..=3).contains(&parts.len()) {
        return None;
    }
    for (n, part) in parts.iter().enumerate() {
        let last = n + 1 == parts.len();
        let digits = |c: char| c.is_ascii_digit() || last && c == '.';
        if part.is_empty() || part.len() > 9 || !part.chars().all(digits) {
            return None;
        }
        sum = sum * 60.0 + part.parse::<f64>().ok()?;
    }
    Some(Seconds(sum))
}

/// `h:mm:ss`, with tenths where there are any.
pub(super) fn write(seconds: Seconds) -> String {
    let tenths = (seconds.0.max(0.0) * 10.0).round() as u64;
    let (whole, tenths) = (tenths / 10, tenths % 10);
    let (h, m, s) = (whole / 3600, whole / 60 % 60, whole % 60);
    let fraction = if tenths > 0 { format!(".{tenths}") } else { String::new() };
    format!("{h}:{m:02}:{s:02}{fraction}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: Option<&str>, seconds: Option<f64>, elapsed: Option<f64>) -> ClockComment {
        ClockComment {
            text: text.map(Into::into),
            seconds: seconds.map(Seconds),
            elapsed: elapsed.map(Seconds),
        }
    }

    #[test]
    fn clock_commands_leave_the_comment_and_unknown_ones_stay() {
        use Colour::{Black, White};
        let both = "[%clock w0:00:10 B0:00:03]";
        assert_eq!(read(both, White), found(None, Some(10.0), None));
        assert_eq!(read(both, Black), found(None, Some(3.0), None));
        assert_eq!(read("[%clock 1:05:23]", Black), found(None, Some(3923.0), None));
        assert_eq!(read("[%clock w0:00:10]", Black), found(Some("[%clock w0:00:10]"), None, None));
        let text = "good [%clk 1:55:21] move [%emt 0:00:07.5] [%egt 0:10:00]";
        assert_eq!(read(text, White), found(Some("good move [%egt 0:10:00]"), Some(6921.0), Some(7.5)));
        assert_eq!(read("[%clk soon]", White), found(Some("[%clk soon]"), None, None));
        assert_eq!(read("[%clk 1:00:00", White), found(Some("[%clk 1:00:00"), None, None));
    }

    #[test]
    fn times_are_written_in_hours_minutes_and_seconds() {
        assert_eq!(write(Seconds(6921.0)), "1:55:21");
        assert_eq!(write(Seconds(7.5)), "0:00:07.5");
        assert_eq!(write(Seconds(-1.0)), "0:00:00");
    }
}
