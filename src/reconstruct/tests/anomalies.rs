//! Positions that no legal move explains.

use super::{GameEvent, OPENING, START, game, games_of, published, published_so_far, records};

// Users' pain: an illegal move that was played blocks everything after it (broadcaster#63).
#[test]
fn a_game_goes_on_after_a_corrected_illegal_move() {
    let stream = format!("{OPENING} -f1 Bf4 L80 +12 . +2 . -f4 Bb5 +2 . -a7 pa6 R70");
    assert_eq!(game(&stream), "e4 e5 Nf3 Nc6 Bb5 a6 !illegal");
}

// Users' pain: an illegal move that was played blocks everything after it (broadcaster#63).
#[test]
fn play_after_an_illegal_move_is_kept() {
    let stream = format!(
        "={START} @begin . +4 {OPENING} -f1 Bf4 L80 +12 . +2 . -a7 pa6 R70 +2 . -d2 Pd3 L60 +2 . +30 ."
    );
    assert_eq!(published(&stream), "game e4 e5 Nf3 Nc6 !illegal a6 d3 [* input-end]");
}

// Users' pain: no warning at once of an illegal move (picochess#76).
#[test]
fn an_illegal_move_is_published_while_it_stands() {
    let stands = format!("={START} @begin . +4 {OPENING} -f1 Bf4 L80 +2 .");
    assert_eq!(published_so_far(&format!("{stands} +7 .")), "game e4 e5 Nf3 Nc6");
    assert_eq!(published_so_far(&format!("{stands} +8 .")), "game e4 e5 Nf3 Nc6 !illegal");
    // Once.
    assert_eq!(published_so_far(&format!("{stands} +8 . +30 . +30 .")), "game e4 e5 Nf3 Nc6 !illegal");
}

#[test]
fn an_anomaly_has_its_ply_and_placement() {
    let stream = format!("={START} @begin . +4 {OPENING} -f1 Bf4 L80 +12 .");
    let published = games_of(&records(&stream), Default::default());
    let anomaly = published.iter().find_map(|record| match &record.event {
        GameEvent::Anomaly(anomaly) => Some(anomaly),
        _ => None,
    });
    let anomaly = anomaly.unwrap_or_else(|| panic!("{published:?}"));
    assert_eq!(anomaly.ply, 4);
    let placement = anomaly.placement.map(|placement| placement.to_string());
    assert_eq!(placement.as_deref(), Some("r1bqkbnr/pppp1ppp/2n5/4p3/4PB2/5N2/PPPP1PPP/RNBQK2R"));
}

#[test]
fn changes_of_no_single_move_are_unexplained() {
    let opening = format!("={START} @begin . +4 {OPENING}");
    assert_eq!(
        published_so_far(&format!("{opening} -f1 Bf4 -h1 Rh5 L80 +12 .")),
        "game e4 e5 Nf3 Nc6 !unexplained"
    );
    // Pieces that are only missing may be in a hand.
    assert_eq!(published_so_far(&format!("{opening} -f1 -d1 +12 . +17 .")), "game e4 e5 Nf3 Nc6");
    assert_eq!(
        published_so_far(&format!("{opening} -f1 -d1 +12 . +18 .")),
        "game e4 e5 Nf3 Nc6 !unexplained"
    );
}

#[test]
fn a_lasting_illegal_castling_is_published_once() {
    let moves = [
        "-f1 Bc4",
        "-f8 bc5",
        "-e1 Ke2",
        "-d7 pd6",
        "-e2 Ke1",
        "-g8 nf6",
        "-e1 Kg1 -h1 Rf1",
        "-h7 ph6",
        "-d2 Pd3",
        "-a7 pa6",
        "-c2 Pc3",
        "-b7 pb6",
    ];
    let played = |(n, moved): (usize, &&str)| {
        let (side, seconds) = (if n % 2 == 0 { 'L' } else { 'R' }, 80 - n);
        format!(" {moved} +1 . +1 {side}{seconds} . +2 . +2 . +2 . +2 . +2 .")
    };
    let played: String = moves.iter().enumerate().map(played).collect();
    let stream = format!("={START} @begin . +4 {OPENING}{played}");
    // The rook makes no move of its own: what White did is one ply, which is not published.
    assert_eq!(
        published_so_far(&stream),
        "game e4 e5 Nf3 Nc6 Bc4 Bc5 Ke2 d6 Ke1 Nf6 !illegal h6 d3 a6 c3 b6"
    );
}

#[test]
fn a_lost_fast_game_resumes_after_some_presses() {
    let opening = format!("={START} @begin . +4 {OPENING} -f1 Bf4 -h1 Rh5 L80 +2 .");
    let pawns =
        [("a7", "a6", 'p', 'R'), ("a2", "a3", 'P', 'L'), ("b7", "b6", 'p', 'R'), ("b2", "b3", 'P', 'L')];
    let more =
        [("g7", "g6", 'p', 'R'), ("g2", "g3", 'P', 'L'), ("h7", "h6", 'p', 'R'), ("h2", "h3", 'P', 'L')];
    let played = |moves: &[(&str, &str, char, char)]| {
        let one = |(from, to, piece, side): &(&str, &str, char, char)| {
            format!(" -{from} {piece}{to} {side}70 +2 .")
        };
        moves.iter().map(one).collect::<String>()
    };
    let lost = format!("{opening}{}{}", played(&pawns), played(&more[..2]));
    assert_eq!(published_so_far(&lost), "game e4 e5 Nf3 Nc6");
    let on = format!("{lost}{}", played(&more[2..]));
    assert_eq!(published(&on), "game e4 e5 Nf3 Nc6 !gap h3 [* input-end]");
}

// Users' pain 3: an illegal move blocks everything after it.
#[test]
fn a_knocked_piece_put_back_later_removes_no_move() {
    // Black's rook for three plies, and a captured pawn that was put down on an empty square at the edge.
    let rest = "+2 . +2 . +2 . +2 . +2 . +2 .";
    let opening = format!(
        "={START} @begin . +4 {OPENING} -f1 Bc4 L86 {rest} -a7 pa6 R86 {rest} -h2 Ph3 L84 {rest} -f8 bc5 R84 {rest}"
    );
    let knocked = format!("+3 -a8 ra7 {rest} -d2 Pd3 L82 {rest} -d7 pd6 R82 {rest} -a7 ra8 {rest}");
    let on = format!("-c2 Pc3 L80 {rest} -g8 nf6 R80 {rest} -b2 Pb4 L78 {rest} -c5 bb6 R78 {rest}");
    let clock = format!("{opening} {knocked} {on}");
    for stream in [clock.clone(), super::without_clock(&clock)] {
        let moves = "e4 e5 Nf3 Nc6 Bc4 a6 h3 Bc5 d3 d6 c3 Nf6 b4 Bb6";
        // The anomaly is published once.
        assert_eq!(super::games(&stream), [format!("{moves} !illegal [* input-end]")], "{stream}");
    }
    let taken = format!(
        "-f3 -e5 Ne5 ph5 L84 {rest} -c6 -e5 ne5 R84 {rest} -d2 Pd4 L82 {rest} -e5 ng6 R82 {rest} -h5 {rest}"
    );
    let opening = format!("={START} @begin . +4 {OPENING} {taken} -c1 Be3 L80 {rest} -g8 nf6 R80 {rest}");
    assert_eq!(super::games(&opening), ["e4 e5 Nf3 Nc6 Nxe5 Nxe5 d4 Ng6 Be3 Nf6 !unexplained [* input-end]"]);
}

// Users' pain 3: an illegal move blocks everything after it.
#[test]
fn an_illegal_move_that_slides_back_removes_no_move() {
    let opening = format!(
        "={START} @begin . +4 {OPENING} -d2 Pd4 L86 +2 . +2 . -d7 pd6 R86 +2 . +2 . -a2 Pa3 L84 +2 . +2 ."
    );
    let illegal = "-d6 pg6 -g6 ph6 R84 +2 . +6 . L83 +2";
    let on = "+2 . +6 -d6 R82 +2 pd5 +2 -e4 L82 -d5 Pd5 +2 . -h7 ph6 R80 +2 . +2 .";
    // In the order of scans from either side: the new square first, or the old one.
    for home in ["pg6 -h6 pf6 -g6 pe6 -f6 pd6 -e6", "-h6 pg6 -g6 pf6 -f6 pe6 -e6 pd6"] {
        let stream = format!("{opening} {illegal} {home} {on}");
        let moves = "e4 e5 Nf3 Nc6 d4 d6 a3 d5 exd5 h6 !illegal [* input-end]";
        assert_eq!(super::games(&stream), [moves], "{home}");
    }
}

#[test]
fn a_piece_knocked_during_a_move_is_no_move() {
    let rest = "+2 . +2 . +2 . +2 . +2 . +2 .";
    let opening = format!("={START} @begin . +4 {OPENING} -f1 Bc4 L86 {rest}");
    let on = format!("-d2 Pd3 L84 {rest} -d7 pd6 R82 {rest} -c2 Pc3 L82 {rest}");
    // Black's own pawn, by an illegal step, while the bishop is carried; corrected at the next move.
    for knocked in ["-f8 -g7 ph7 bc5 R84", "-g7 ph7 -f8 bc5 R84", "-f8 bc5 -g7 ph7 R84"] {
        let stream =
            format!("{opening} -h7 ph6 R85 {rest} -a2 Pa3 L85 {rest} {knocked} {rest} -h7 pg7 {rest} {on}");
        let moves = "e4 e5 Nf3 Nc6 Bc4 h6 a3 Bc5 d3 d6 c3 !illegal [* input-end]";
        assert_eq!(super::games(&stream), [moves], "{knocked}");
    }
    // By a step that could be a move: the pressed one is the last.
    let output = published(&format!("{opening} -a7 pa6 +9 . +2 . -f8 bc5 R84 {rest} -a6 pa7 {rest} {on}"));
    assert!(output.ends_with("<5 Bc5 d3 d6 c3 [* input-end]"), "{output}");
}
