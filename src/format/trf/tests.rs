//! Valid and damaged reports: every name is on its own board, or on none.

mod generated;

use super::*;

/// A player's line by the columns of the standard.
pub fn line(rank: u32, title: &str, name: &str, rating: u32, points: &str, rounds: &str) -> String {
    let padded = format!("{name}{}", " ".repeat(33_usize.saturating_sub(name.chars().count())));
    format!(
        "001 {rank:>4} m{title:>3} {padded} {rating:>4} NOR {:>11} {:>10} {points:>4} {rank:>4}{rounds}\n",
        1503000 + rank,
        "1990/11/30",
    )
}

fn report() -> String {
    [
        "012 Hall Open\n022 Bergen\n".to_owned(),
        line(1, "GM", "Ås, Jörg", 2600, "0.0", "     3 w 0     4 b  "),
        line(2, "", "Two", 2400, "1.0", "     4 b 1     3 w  "),
        line(3, "f", "Three", 2200, "1.0", "     1 b 1     2 b  "),
        line(4, "", "Four", 2000, "0.0", "     2 w 0     1 w  "),
    ]
    .concat()
}

/// The players of each table.
fn tables(text: &str, round: usize) -> Result<Vec<(String, String)>, String> {
    let boards: Vec<u16> = (1..=200).collect();
    let seats = seats(text, round, &boards, None)?.seats;
    let name = |seat: &Seat, colour: &str| seat.tag(colour).unwrap_or_default().to_owned();
    Ok(seats.iter().map(|seat| (name(seat, "White"), name(seat, "Black"))).collect())
}

fn pair(white: &str, black: &str) -> (String, String) {
    (white.to_owned(), black.to_owned())
}

#[test]
fn pairings_are_in_the_order_of_points() {
    let Read { seats, notes } = seats(&report(), 2, &[1025, 1030, 1031], None).unwrap();
    assert_eq!(notes, [""; 0]);
    let found: Vec<_> = seats
        .iter()
        .map(|seat| (seat.board, seat.tag("Board"), seat.tag("White"), seat.tag("Black")))
        .collect();
    assert_eq!(
        found,
        [(1025, Some("1"), Some("Two"), Some("Three")), (1030, Some("2"), Some("Four"), Some("Ås, Jörg"))]
    );
    for (at, tag, value) in [
        (0, "BlackTitle", Some("FM")),
        (1, "BlackTitle", Some("GM")),
        (1, "BlackElo", Some("2600")),
        (1, "BlackFideId", Some("1503001")),
        (1, "BlackFederation", Some("NOR")),
        (0, "Event", Some("Hall Open")),
        (0, "Round", Some("2")),
        (0, "WhiteTitle", None),
        (0, "TimeControl", None),
    ] {
        assert_eq!(seats[at].tag(tag), value, "{tag}");
    }
}

#[test]
fn surplus_pairings_are_dropped_after_the_first_tables() {
    let Read { seats, notes } = seats(&report(), 1, &[7], None).unwrap();
    assert_eq!((seats.len(), seats[0].tag("White")), (1, Some("Ås, Jörg")));
    assert_eq!(notes, ["round 1: 2 pairings for 1 boards: those of the first tables have names"]);
}

#[test]
fn line_222_precedes_line_122_for_time_controls() {
    for (lines, expected) in [
        ("122 90 min + 30 sec/move\n", Some("5400+30")),
        ("122 90+30\n222 40/6000+30:900+30\n", Some("40/6000+30:900+30")),
        ("122 as usual\n", None),
    ] {
        let seats = seats(&(lines.to_owned() + &report()), 2, &[1025, 1030], None).unwrap().seats;
        assert_eq!(seats[0].tag("TimeControl"), expected, "{lines}");
    }
}

#[test]
fn points_have_the_worth_of_the_report() {
    // With points in halves the two who drew come before the winner, who had lost before.
    let of = |head: &str, points: [&str; 4]| {
        let rounds = [
            "     2 w =     3 b =     4 w  ",
            "     1 b =     4 w =     3 b  ",
            "     4 w 0     1 w =     2 w  ",
            "     3 b 1     2 b =     1 b  ",
        ];
        let lines = (1..=4).zip(points).zip(rounds);
        head.to_owned()
            + &lines
                .map(|((rank, points), rounds)| line(rank, "", &format!("P{rank}"), 2000, points, rounds))
                .collect::<String>()
    };
    let football = ["2.0", "2.0", "1.0", "4.0"];
    for head in ["162  W 3.0    D 1.0    L 0.0\n", "BBW  3.0\nBBD  1.0\n", ""] {
        let text = of(head, football);
        assert_eq!(tables(&text, 3).unwrap()[0], pair("P1", "P4"), "{head}");
    }
    let Read { notes, .. } = seats(&of("BBW\n", football), 3, &[1, 2], None).unwrap();
    assert_eq!(notes, ["1: `BBW`: its points cannot be read"]);
    // The columns do not show the points before an earlier round, and the points of results must be known.
    assert_eq!(tables(&of("162  W 3.0    D 1.0\n", football), 2).unwrap()[0], pair("P2", "P4"));
    let unknown = tables(&of("", football), 2).unwrap_err();
    assert!(unknown.contains("line 162") && unknown.contains("--order"), "{unknown}");
}

#[test]
fn team_event_tables_are_match_by_match() {
    let players = [(1, "A1", 4, 'w'), (2, "B1", 3, 'b'), (3, "C1", 2, 'w'), (4, "D1", 1, 'b')];
    let more = [(5, "B2", 8, 'w'), (6, "A2", 7, 'b'), (7, "D2", 6, 'w'), (8, "C2", 5, 'b')];
    let lines: String = players
        .into_iter()
        .chain(more)
        .map(|(rank, name, other, colour)| {
            line(rank, "", name, 2000, "0.0", &format!("  {other:>4} {colour}  "))
        })
        .collect();
    let old = ["Alpha", "Bravo", "Charlie", "Delta"].into_iter().zip([[1, 6], [2, 5], [3, 8], [4, 7]]);
    let teams_16: String =
        old.clone().map(|(name, [a, b])| format!("013 {name:<32}{a:>4} {b:>4}\n")).collect();
    let teams_26: String = old
        .enumerate()
        .map(|(at, (name, [a, b]))| format!("310 {:>3} {name:<32} {:<32}{a:>4} {b:>4}\n", at + 1, "NICK"))
        .collect();
    let by_match = [pair("A1", "D1"), pair("D2", "A2"), pair("C1", "B1"), pair("B2", "C2")];
    let kind = "092 Team Swiss System\n";
    // Two letters of two bytes each, so that the players are two columns further left.
    let by_bytes = teams_16.replace("Alpha  ", "Älphä");
    for teams in [&teams_16, &teams_26, &by_bytes] {
        assert_eq!(tables(&format!("{kind}{lines}{teams}"), 1).unwrap(), by_match);
        let unsaid = tables(&format!("{lines}{teams}"), 1).unwrap_err();
        assert!(
            unsaid.contains("team event") && unsaid.contains("--order ranking, file or match"),
            "{unsaid}"
        );
    }
    let seats = seats(&format!("{lines}{teams_16}"), 1, &[1, 2, 3, 4], Some(Order::Ranking)).unwrap().seats;
    assert_eq!((seats[1].tag("White"), seats[1].tag("WhiteTeam")), (Some("C1"), Some("Charlie")));
    // Board 2 of a team may play on its first.
    let other = "300   1   1    6    1\n300   1   4    7    4\n";
    let turned = tables(&format!("{kind}{lines}{teams_16}{other}"), 1).unwrap();
    assert_eq!(turned[..2], [pair("D2", "A2"), pair("A1", "D1")]);
    let half = tables(&format!("{kind}{lines}{teams_16}300   1   1    6    1\n"), 1).unwrap_err();
    assert!(half.contains("do not sit in the order of their teams"), "{half}");
}

#[test]
fn what_does_not_fit_is_reported_with_its_line() {
    let replaced = |from: &str, to: &str| {
        let text = report().replacen(from, to, 1);
        assert_ne!(text, report(), "{from}");
        tables(&text, 2).unwrap_err()
    };
    let unpaired = "round 3: no pairings: save the report again once it is paired";
    assert_eq!(tables(&report(), 3).unwrap_err(), unpaired);
    let roster = tables("board,white,black\n1,A,B\n", 3).unwrap_err();
    assert_eq!(roster, "1: no line of a player (001): this is no tournament report");
    let other = replaced("     1 b 1     2 b  ", "     1 b 1     4 b  ");
    assert!(other.starts_with("4: Two, round 2: plays rank 3, whose line 5 does not name rank 2"), "{other}");
    let colour = replaced("     1 b 1     2 b  ", "     1 b 1     2 w  ");
    assert!(colour.starts_with("4: Two, round 2: colours `w` here and `w` in line 5"), "{colour}");
    let twice = replaced("001    4 ", "001    3 ");
    assert!(twice.starts_with("6: `001    3 m"), "{twice}");
    assert!(twice.contains("starting rank 3 stands in line 5 already"), "{twice}");
    assert!(replaced("Two   ", "Two\t  ").contains("a tab in column 18"));
    let gone = replaced("     3 w 0     4 b  ", "");
    assert!(gone.contains("Four, round 2: plays rank 1, whose line 3 does not name rank 4"), "{gone}");
    let abcd = tables("001 abcd\n", 1).unwrap_err();
    assert_eq!(abcd, "1: `001 abcd`: no starting rank in columns 5 to 8");
}

#[test]
fn one_bad_field_is_left_out_and_reported() {
    let text = report().replace(" 2400 NOR", " 24x0 NOR");
    let Read { seats, notes } = seats(&text, 2, &[1, 2], None).unwrap();
    assert_eq!((seats[0].tag("White"), seats[0].tag("WhiteElo")), (Some("Two"), None));
    assert!(
        notes[0].starts_with("4: `001    2") && notes[0].contains("the rating in columns 49 to 52"),
        "{notes:?}"
    );
}

#[test]
fn lines_shifted_in_two_places_are_called_shifted() {
    let text = report().replace(" 2400 NOR", "  2400  NOR");
    let why = match seats(&text, 2, &[1, 2], None) {
        Ok(Read { notes, .. }) => notes.join("; "),
        Err(why) => format!("{why:?}"),
    };
    assert!(why.contains("it seems to be shifted: no blank in column 91"), "{why}");
}

#[test]
fn byes_of_next_rounds_leave_earlier_rounds_unchanged() {
    let text =
        report().replace("     4 b  ", "     4 b 1  0000 - U").replace("     3 w  ", "     3 w 1  0000 - H");
    let text = text.replace("     2 b  ", "     2 b 0").replace("     1 w  ", "     1 w 0");
    let points = [
        ("0.0    1", "1.0    1"),
        ("1.0    2", "2.0    2"),
        ("1.0    3", "1.0    3"),
        ("0.0    4", "0.0    4"),
    ];
    let text = points.iter().fold(text, |text, (from, to)| text.replace(from, to));
    assert_eq!(tables(&text, 2), tables(&report(), 2));
}

#[test]
fn shifts_possibly_in_the_name_are_refused() {
    let one = report().lines().nth(2).unwrap().to_owned();
    for (from, to) in [("Ås, Jörg ", "Ås,  Jörg "), ("Ås, Jörg ", "Ås, "), (" Ås", "  Ås")] {
        let text = report().replace(&one, &one.replace(from, to));
        if let Ok(tables) = tables(&text, 2) {
            assert!(tables[1].1 == "Ås, Jörg", "{to}: {tables:?}");
        }
    }
}

#[test]
fn lines_valid_after_one_shift_are_read_and_reported() {
    let whole = tables(&report(), 2).unwrap();
    let one = report().lines().nth(2).unwrap().to_owned();
    let blanks = " ".repeat(25);
    for (shifted, what) in [
        (one.replace(&blanks, &blanks[1..]), "a blank is missing before column 48"),
        (one.replace(&blanks, &" ".repeat(27)), "2 blanks are too many before column 48"),
        (one.replacen("001 ", "001  ", 1), "a blank is too many before column 4"),
        // Padded by a program that counts the bytes of Å and ö, two letters of two bytes each.
        (one.replace(&blanks, &blanks[2..]), "its columns are counted in bytes"),
    ] {
        assert_ne!(shifted, one);
        let text = report().replace(&one, &shifted);
        assert_eq!(tables(&text, 2).as_ref(), Ok(&whole), "{what}");
        let notes = seats(&text, 2, &[1, 2], None).unwrap().notes;
        assert!(notes.len() == 1 && notes[0].contains(what), "{notes:?}");
    }
}
