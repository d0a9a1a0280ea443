//! Comments and the commands in them.

use crate::record::{Move, Seconds};

/// No clock command is longer, whatever white space is in it: so much is looked at for its end.
const LONGEST: usize = 200;

/// Adds a comment to what stands there, all white space as single spaces.
pub(super) fn add(to: &mut Option<String>, comment: &str) {
    for word in comment.split_ascii_whitespace() {
        match to {
            Some(text) => {
                text.push(' ');
                text.push_str(word);
            }
            None => *to = Some(word.to_owned()),
        }
    }
}

/// Takes the clock commands that we understand out of a comment, into the move. What else stands there stays,
/// a second clock and one that is no time too.
pub(super) fn take_clocks(comment: &str, m: &mut Move) -> String {
    let mut kept = String::with_capacity(comment.len());
    let mut rest = comment;
    while let Some(at) = rest.find("[%") {
        kept.push_str(&rest[..at]);
        rest = &rest[at..];
        let near = &rest.as_bytes()[..rest.len().min(LONGEST)];
        let taken = near.iter().position(|&b| b == b']').filter(|&end| {
            let mut words = rest[2..end].split_ascii_whitespace();
            let place = match words.next() {
                Some("clk") => &mut m.seconds,
                Some("emt") => &mut m.elapsed,
                _ => return false,
            };
            let time = words.next().and_then(time).filter(|_| place.is_none() && words.next().is_none());
            if time.is_some() {
                *place = time;
            }
            time.is_some()
        });
        match taken {
            Some(end) => rest = &rest[end + 1..],
            None => {
                kept.push_str("[%");
                rest = &rest[2..];
            }
        }
    }
    kept.push_str(rest);
    kept
}

/// `h:mm:ss`, with up to three decimals. `99:99:99` is no time: it stays what it is.
fn time(text: &str) -> Option<Seconds> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let mut fields = whole.split(':');
    let mut field = || {
        let field = fields.next()?;
        let digits = (1..=6).contains(&field.len()) && field.bytes().all(|b| b.is_ascii_digit());
        field.parse::<u64>().ok().filter(|_| digits)
    };
    let (hours, minutes, seconds) = (field()?, field()?, field()?);
    if fields.next().is_some() || minutes > 59 || seconds > 59 {
        return None;
    }
    if fraction.len() > 3 || !fraction.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let thousandths: u64 = format!("{fraction:0<3}").parse().ok()?;
    Some(Seconds((((hours * 60 + minutes) * 60 + seconds) * 1000 + thousandths) as f64 / 1000.0))
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
    fn clocks_of_livechess_lichess_and_chess_com_are_understood() {
        assert_eq!(taken("[%clk\n00:15:27]"), ("".into(), Some(927.0), None));
        assert_eq!(taken(" [%clk 0:15:19] [%emt 0:00:02] "), ("".into(), Some(919.0), Some(2.0)));
        assert_eq!(taken("[%clk 0:09:58.7]"), ("".into(), Some(598.7), None));
        assert_eq!(
            taken("good [%clk 1:00:00] [%eval 0.3,12] move"),
            ("good [%eval 0.3,12] move".into(), Some(3600.0), None)
        );
    }

    #[test]
    fn a_command_that_is_not_understood_stays() {
        for comment in [
            "[%clk 1:30]",
            "[%clk -0:00:01]",
            "[%clk",
            "[%clk 0:00:01 x]",
            "[%mct 00:00:01]",
            "[%clk 0:00:01.2345]",
            "[%clk 99:99:99]",
            "[%emt 0:60:00]",
        ] {
            assert_eq!(taken(comment), (comment.into(), None, None));
        }
        assert_eq!(taken("[%clk 0:00:02] [%clk 0:00:01]"), ("[%clk 0:00:01]".into(), Some(2.0), None));
    }
}
