//! The time control of a report in PGN's form: `5400+30`, `40/6000+30:900+30`.

/// A number without a unit is of minutes up to here, beyond it of seconds.
const MOST_MINUTES: u32 = 300;

/// The form of PGN of what line 222 of TRF26 has; none where it is not that, or not the same for both colours.
pub fn exact(text: &str) -> Option<String> {
    let text = text.trim().to_uppercase();
    let same = match text.strip_prefix('W').map(|both| both.split_once("-B")) {
        Some(Some((white, black))) if white == black => white,
        Some(_) => return None,
        None => &text,
    };
    let is_time = |time: &str| time.splitn(2, '+').all(is_digits);
    let is_period = |period: &str| match period.split_once('/') {
        Some((moves, time)) => is_digits(moves) && is_time(time),
        None => is_time(period),
    };
    same.split(':').all(is_period).then(|| same.to_owned())
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// What a number counts.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Unit {
    Hours,
    Minutes,
    Seconds,
    Moves,
    Unsaid,
}

/// A number of a time control in words.
#[derive(Debug, Clone, Copy)]
struct Number {
    value: u32,
    unit: Unit,
    /// A sign stands before it that adds it to what came before.
    is_added: bool,
}

/// The form of PGN of what people write in line 122, such as `90 min + 30 sec/move`, `1h30+30s`, `15 + 10` or
/// `100'x40mm + 50'x20mm + 15' + 30"`; none where it is not understood.
pub fn in_words(text: &str) -> Option<String> {
    // A number of moves, or a second period, is written so in PGN's own form alone.
    if text.contains(['/', ':'])
        && let Some(exact) = exact(text)
    {
        return Some(exact);
    }
    let numbers = numbers(text)?;
    let (mut periods, mut increment): (Vec<(Option<u32>, u32)>, Option<u32>) = (Vec::new(), None);
    for (at, number) in numbers.iter().enumerate() {
        let Number { value, unit, is_added } = *number;
        let before = at.checked_sub(1).map(|before| numbers[before].unit);
        match (unit, periods.last_mut()) {
            // Nothing is added behind the increment.
            _ if increment.is_some() => return None,
            (Unit::Minutes | Unit::Unsaid, Some((None, seconds)))
                if before == Some(Unit::Hours) && !is_added =>
            {
                *seconds += 60 * value;
            }
            (Unit::Hours, _) => periods.push((None, 3600 * value)),
            (Unit::Minutes, _) => periods.push((None, 60 * value)),
            (Unit::Unsaid, None) => {
                periods.push((None, if value > MOST_MINUTES { value } else { 60 * value }))
            }
            (Unit::Moves, Some((moves @ None, _))) => *moves = Some(value),
            (Unit::Seconds | Unit::Unsaid, Some(_)) if is_added => increment = Some(value),
            _ => return None,
        }
    }
    // A number alone may be anything, and only the last period goes on to the end.
    let (last, before) = periods.split_last()?;
    let is_alone = numbers.len() == 1 && numbers[0].unit == Unit::Unsaid;
    if is_alone || last.0.is_some() || before.iter().any(|(moves, _)| moves.is_none()) {
        return None;
    }
    let more =
        increment.filter(|seconds| *seconds > 0).map_or(String::new(), |seconds| format!("+{seconds}"));
    let period = |(moves, seconds): &(Option<u32>, u32)| match moves {
        Some(moves) => format!("{moves}/{seconds}{more}"),
        None => format!("{seconds}{more}"),
    };
    Some(periods.iter().map(period).collect::<Vec<_>>().join(":"))
}

/// The numbers with their units; none where something stands between them that is not understood.
fn numbers(text: &str) -> Option<Vec<Number>> {
    // The longer ones first.
    const UNITS: [(&[&str], Unit); 4] = [
        (&["hours", "hour", "h"], Unit::Hours),
        (&["moves", "mm", "mv"], Unit::Moves),
        (&["seconds", "second", "secs", "sec", "s", "''", "\"", "″"], Unit::Seconds),
        (&["minutes", "minute", "mins", "min", "m", "'", "′"], Unit::Minutes),
    ];
    const ADDS: [&str; 4] = ["+", "plus", "and", "&"];
    const SAYS_NOTHING: &str = "increment|per move|each move|from move 1|/move|/mv|for|in|x|/|.|,";
    let text = text.to_lowercase();
    let mut rest = text.trim();
    let (mut numbers, mut is_added) = (Vec::new(), false);
    while !rest.is_empty() {
        let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        if digits > 0 {
            let value = rest[..digits].parse().ok().filter(|value| *value < 100_000)?;
            let behind = rest[digits..].trim_start_matches([' ', '-']);
            let named = |(names, unit): &(&[&str], Unit)| {
                names.iter().find_map(|name| behind.strip_prefix(name)).map(|left| (left, *unit))
            };
            let unit = UNITS.iter().find_map(named);
            let (left, unit) = unit.unwrap_or((&rest[digits..], Unit::Unsaid));
            numbers.push(Number { value, unit, is_added: std::mem::take(&mut is_added) });
            rest = left;
        } else if let Some(left) = ADDS.iter().find_map(|word| rest.strip_prefix(word)) {
            (rest, is_added) = (left, true);
        } else {
            rest = SAYS_NOTHING.split('|').find_map(|word| rest.strip_prefix(word))?;
        }
        rest = rest.trim_start();
    }
    Some(numbers)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_people_write_is_read_in_the_form_of_pgn_or_not_at_all() {
        for (text, expected) in [
            ("90+30", Some("5400+30")),
            ("90m+30s", Some("5400+30")),
            ("1h30+30s", Some("5400+30")),
            ("1 h 30 min + 30 sec", Some("5400+30")),
            ("15 + 10", Some("900+10")),
            ("3+2", Some("180+2")),
            ("5400+30", Some("5400+30")),
            ("90 min + 30 sec/move", Some("5400+30")),
            ("90 minutes plus 30 seconds increment", Some("5400+30")),
            ("90\'+30\"", Some("5400+30")),
            ("90\'+30\'\'", Some("5400+30")),
            ("15min", Some("900")),
            ("40/5400+30:1800+30", Some("40/5400+30:1800+30")),
            ("100\'x40mm + 50\'x20mm + 15\' + 30\"", Some("40/6000+30:20/3000+30:900+30")),
            ("90 min/40 moves + 30 min + 30 sec", Some("40/5400+30:1800+30")),
            ("90 min + 30 min", None),
            ("90", None),
            ("G/90", None),
            ("Rapid", None),
            ("90 min + 30 sec + 15 min", None),
            ("", None),
        ] {
            assert_eq!(in_words(text).as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn the_line_of_trf26_is_the_form_of_pgn_already_but_for_the_colours() {
        for (text, expected) in [
            (" 5400+30", Some("5400+30")),
            ("40/6000+30:900+30", Some("40/6000+30:900+30")),
            ("W300-B300", Some("300")),
            ("W300-B240", None),
            ("90 min", None),
            ("", None),
        ] {
            assert_eq!(exact(text).as_deref(), expected, "{text}");
        }
    }
}
