//! TRF16, FIDE's tournament report file: the pairings of a round, to seats.

use std::collections::HashMap;

use super::roster::Seat;

/// What is said of a player: behind the colour the name of its tag, and its columns.
const OF_PLAYERS: [(&str, usize, usize); 5] =
    [("", 15, 47), ("Title", 11, 13), ("Elo", 49, 52), ("FideId", 58, 68), ("Federation", 54, 56)];

#[derive(Debug)]
struct Player<'a> {
    rank: u32,
    line: &'a str,
    /// Ten columns a round: opponent, colour, result.
    rounds: Vec<(Option<u32>, u8, u8)>,
}

/// Columns `from` to `to` of a line, counted from 1 as the standard does, without the blanks around them.
fn columns(line: &str, from: usize, to: usize) -> &str {
    let at = |column: usize| line.char_indices().nth(column).map_or(line.len(), |(at, _)| at);
    line[at(from - 1)..at(to)].trim()
}

fn player(line: &str) -> Result<Player<'_>, String> {
    let rank = columns(line, 5, 8);
    let rank = rank.parse().map_err(|_| format!("`{rank}` is no starting rank (columns 5 to 8)"))?;
    let mut rounds = Vec::new();
    let length = line.chars().count();
    let mut column = 92;
    while column <= length {
        let sign = |column| columns(line, column, column).bytes().next().unwrap_or(b' ');
        let opponent = columns(line, column, column + 3).parse().ok().filter(|rank| *rank != 0);
        rounds.push((opponent, sign(column + 5), sign(column + 7)));
        column += 10;
    }
    Ok(Player { rank, line, rounds })
}

/// Half points of a result.
fn score(result: u8) -> u32 {
    match result {
        b'1' | b'+' | b'w' | b'W' | b'u' | b'U' | b'f' | b'F' => 2,
        b'=' | b'd' | b'D' | b'h' | b'H' => 1,
        _ => 0,
    }
}

/// The seats of a round: the pairings in FIDE's order (the better player's points, the pair's points, the better
/// starting rank), onto these boards one by one; tables are numbered from 1. An error names the line, or the
/// round.
pub fn seats(text: &str, round: usize, boards: &[u16]) -> Result<Vec<Seat>, String> {
    let mut players = HashMap::new();
    let (mut event, mut city, mut allotted) = ("", "", String::new());
    for (at, line) in text.strip_prefix('\u{feff}').unwrap_or(text).lines().enumerate() {
        match line.get(..3) {
            Some("001") => {
                let player = player(line).map_err(|e| format!("{}: {e}", at + 1))?;
                if let Some(twice) = players.insert(player.rank, player) {
                    return Err(format!("{}: starting rank {} stands twice", at + 1, twice.rank));
                }
            }
            Some("012") => event = line[3..].trim(),
            Some("022") => city = line[3..].trim(),
            Some("122") => allotted = time_control(line[3..].trim()),
            _ => {}
        }
    }
    let before = |player: &Player<'_>| -> u32 {
        player.rounds.iter().take(round.saturating_sub(1)).map(|(.., result)| score(*result)).sum()
    };
    let mut pairs = Vec::new();
    for white in players.values() {
        let Some(&(Some(opponent), b'w', _)) = white.rounds.get(round.wrapping_sub(1)) else { continue };
        let black: &Player<'_> = players.get(&opponent).ok_or_else(|| {
            format!("round {round}: {} plays rank {opponent}, who is not there", columns(white.line, 15, 47))
        })?;
        let (a, b) = (before(white), before(black));
        let order = (std::cmp::Reverse(a.max(b)), std::cmp::Reverse(a + b), white.rank.min(black.rank));
        pairs.push((order, white, black));
    }
    pairs.sort_by_key(|(order, ..)| *order);
    if pairs.is_empty() {
        return Err(format!("round {round}: no pairings"));
    }
    if pairs.len() > boards.len() {
        return Err(format!("round {round}: {} pairings for {} boards", pairs.len(), boards.len()));
    }
    let seats = pairs.iter().zip(boards).enumerate().map(|(at, ((_, white, black), &board))| {
        let (table, round) = ((at + 1).to_string(), round.to_string());
        let game = [
            ("Event", event),
            ("Site", city),
            ("Round", &round),
            ("Board", &table),
            ("TimeControl", &allotted),
        ];
        let game = game.map(|(name, value)| (name.to_owned(), value));
        let players = OF_PLAYERS.iter().flat_map(|&(what, from, to)| {
            [("White", white), ("Black", black)]
                .map(|(colour, player)| (format!("{colour}{what}"), columns(player.line, from, to)))
        });
        let known = game.into_iter().chain(players).filter(|(_, value)| !["", "0"].contains(value));
        let tags = known.map(|(name, value)| {
            let value = full_title(&name, value);
            (name, value)
        });
        Seat { line: None, board, tags: tags.collect() }
    });
    Ok(seats.collect())
}

/// The time control of PGN, `5400+30`, of what a report says in words such as "90 min + 30 sec/move"; what is not
/// understood stays as it is.
fn time_control(text: &str) -> String {
    let mut numbers = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find(|c: char| c.is_ascii_digit()) {
        let digits = rest[at..].find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len() - at);
        let (number, behind) = rest[at..].split_at(digits);
        let unit = behind.trim_start_matches([' ', '-']).to_lowercase();
        let seconds = match () {
            () if unit.starts_with("min") || unit.starts_with(['\'', '′']) && !unit.starts_with("\'\'") => {
                60
            }
            () if unit.starts_with("s") || unit.starts_with(['"', '″']) || unit.starts_with("\'\'") => 1,
            () => 0,
        };
        numbers.push((number.parse::<u32>().unwrap_or(0), seconds));
        rest = behind;
    }
    // A base in minutes, and perhaps an increment in seconds: what has more, such as a number of moves, is said by hand.
    match numbers[..] {
        [(base, 60)] if base < 1000 => (base * 60).to_string(),
        [(base, 60), (increment, 1)] if base < 1000 => format!("{}+{increment}", base * 60),
        _ => text.to_owned(),
    }
}

/// Titles as PGN has them; TRF writes some with one or two small letters.
fn full_title(tag: &str, value: &str) -> String {
    if !tag.ends_with("Title") {
        return value.to_owned();
    }
    match value {
        "g" => "GM",
        "m" => "IM",
        "f" => "FM",
        "c" => "CM",
        "wg" => "WGM",
        "wm" => "WIM",
        "wf" => "WFM",
        "wc" => "WCM",
        other => other,
    }
    .to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(rank: u32, title: &str, name: &str, rating: u32, rounds: &str) -> String {
        // Column 92 is where the rounds begin.
        format!(
            "001 {rank:>4} m{title:>3} {name:<33} {rating:>4} NOR {:>11} {:>10} {:>4} {rank:>4}  {rounds}\n",
            1503000 + rank,
            "1990/11/30",
            "1.0"
        )
    }

    fn report() -> String {
        [
            "012 Hall Open\n022 Bergen\n".to_owned(),
            line(1, "GM", "Ås, Jörg", 2600, "   3 w 0     4 b  "),
            line(2, "", "Two", 2400, "   4 b 1     3 w  "),
            line(3, "f", "Three", 2200, "   1 b 1     2 b  "),
            line(4, "", "Four", 2000, "   2 w 0     1 w  "),
        ]
        .concat()
    }

    #[test]
    fn the_pairings_of_a_round_stand_in_the_order_of_points() {
        let seats = seats(&report(), 2, &[1025, 1030, 1031]).unwrap();
        let found: Vec<_> = seats
            .iter()
            .map(|seat| (seat.board, seat.tag("Board"), seat.tag("White"), seat.tag("Black")))
            .collect();
        assert_eq!(
            found,
            [
                (1025, Some("1"), Some("Two"), Some("Three")),
                (1030, Some("2"), Some("Four"), Some("Ås, Jörg")),
            ]
        );
        assert_eq!(seats[0].tag("BlackTitle"), Some("FM"));
        assert_eq!(seats[1].tag("BlackTitle"), Some("GM"));
        assert_eq!(seats[1].tag("BlackElo"), Some("2600"));
        assert_eq!(seats[1].tag("BlackFideId"), Some("1503001"));
        assert_eq!((seats[0].tag("Event"), seats[0].tag("Round")), (Some("Hall Open"), Some("2")));
        assert_eq!(seats[0].tag("WhiteTitle"), None);
    }

    #[test]
    fn the_time_control_is_said_as_pgn_has_it_where_it_is_understood() {
        for (told, expected) in [
            ("90 min + 30 sec/move", "5400+30"),
            ("90 minutes plus 30 seconds increment", "5400+30"),
            ("90\'+30\"", "5400+30"),
            ("15min", "900"),
            ("5400+30", "5400+30"),
            ("40/5400+30:1800+30", "40/5400+30:1800+30"),
            ("90 min/40 moves + 30 min + 30 sec", "90 min/40 moves + 30 min + 30 sec"),
        ] {
            let report = format!("122 {told}\n{}", report());
            let seats = seats(&report, 2, &[1025, 1030]).unwrap();
            assert_eq!(seats[0].tag("TimeControl"), Some(expected));
        }
    }

    #[test]
    fn what_does_not_fit_is_told() {
        assert_eq!(seats(&report(), 3, &[1]).unwrap_err(), "round 3: no pairings");
        assert_eq!(seats(&report(), 1, &[1]).unwrap_err(), "round 1: 2 pairings for 1 boards");
        let gone = line(1, "", "One", 2000, "   9 w 1");
        assert_eq!(seats(&gone, 1, &[1]).unwrap_err(), "round 1: One plays rank 9, who is not there");
        assert!(seats("001 abcd\n", 1, &[1]).unwrap_err().starts_with("1: `abcd` is no starting rank"));
    }
}
