//! The time control of a report in PGN's form: `5400+30`, `40/6000+30:900+30`.

/// A number without a unit is in minutes up to this limit, above it in seconds.
const MOST_MINUTES: u32 = 300;

/// Line 222 of TRF26 in PGN's form; none where it is invalid, or differs for the colours.
pub fn exact(text: &str) -> Option<String> {
    let text = text.trim().to_uppercase();
    let same = match text.strip_prefix('W') {
        Some(both) => both.split_once("-B").filter(|(white, black)| white == black)?.0,
        None => &text,
    };
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let is_period = |period: &str| {
        let (moves, time) = period.split_once('/').unwrap_or(("1", period));
        is_number(moves) && time.splitn(2, '+').all(is_number)
    };
    same.split(':').all(is_period).then(|| same.to_owned())
}

/// The usual words for hours, moves (`x`), seconds and minutes; the longer words first.
const UNITS: [(&[&str], char); 4] = [
    (&["hours", "hour", "h"], 'h'),
    (&["moves", "mm", "mv"], 'x'),
    (&["seconds", "second", "secs", "sec", "s", "''", "\"", "″"], 's'),
    (&["minutes", "minute", "mins", "min", "m", "'", "′"], 'm'),
];
const ADDS: [&str; 4] = ["plus", "and", "&", ", "];
const SAYS_NOTHING: &str = "increment|per move|each move|from move 1|/move|/mv|for|in|x|/|.";

/// The text of line 122 in PGN's form, such as `90 min + 30 sec/move`, `1h30+30s`, `15 + 10` or `100'x40mm + 50'x20mm +
/// 15' + 30"`; none where it is not understood.
pub fn in_words(text: &str) -> Option<String> {
    // A number of moves, or a second period, has this form in PGN only.
    let exact = exact(text).filter(|_| text.contains(['/', ':']));
    if exact.is_some() {
        return exact;
    }
    let text = ADDS.iter().fold(text.to_lowercase(), |text, word| text.replace(word, "+"));
    let parts: Vec<Vec<_>> = text.split('+').map(numbers).collect::<Option<_>>()?;
    let (last, before) = parts.split_last()?;
    let (periods, more) = match last[..] {
        [(0, 's' | ' ')] if !before.is_empty() => (before, String::new()),
        [(seconds, 's' | ' ')] if !before.is_empty() => (before, format!("+{seconds}")),
        _ => (&parts[..], String::new()),
    };
    let period = |(at, part): (usize, &Vec<(u32, char)>)| {
        let (time, moves) = match &part[..] {
            [time @ .., (moves, 'x')] => (time, format!("{moves}/")),
            time => (time, String::new()),
        };
        let seconds = match *time {
            [(hours, 'h')] => 3600 * hours,
            [(hours, 'h'), (minutes, 'm' | ' ')] => 3600 * hours + 60 * minutes,
            [(minutes, 'm')] => 60 * minutes,
            // A number alone is ambiguous.
            [(number, ' ')] if at == 0 && parts.len() > 1 && number > MOST_MINUTES => number,
            [(number, ' ')] if at == 0 && parts.len() > 1 => 60 * number,
            _ => return None,
        };
        // Only the last period lasts to the end.
        let is_last = at + 1 == periods.len();
        (is_last == moves.is_empty()).then(|| format!("{moves}{seconds}{more}"))
    };
    Some(periods.iter().enumerate().map(period).collect::<Option<Vec<_>>>()?.join(":"))
}

/// The numbers of a part with their units, a blank for none; none where there is other text between them.
fn numbers(text: &str) -> Option<Vec<(u32, char)>> {
    let (mut rest, mut numbers) = (text.trim_start(), Vec::new());
    while !rest.is_empty() {
        let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        if digits > 0 {
            let value = rest[..digits].parse().ok().filter(|value| *value < 100_000)?;
            let behind = rest[digits..].trim_start_matches([' ', '-']);
            let named = |(names, unit): &(&[&str], char)| {
                names.iter().find_map(|name| behind.strip_prefix(name)).map(|left| (*unit, left))
            };
            let (unit, left) = UNITS.iter().find_map(named).unwrap_or((' ', &rest[digits..]));
            numbers.push((value, unit));
            rest = left;
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
    fn time_controls_are_read_as_pgn_or_refused() {
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
            ("90 min/40 moves, 30 min, 30 sec increment", Some("40/5400+30:1800+30")),
            ("90 min + 30 min", None),
            ("+ 15 h", None),
            ("1,5 h", None),
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
    fn trf26_time_controls_are_pgn_except_for_colours() {
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
