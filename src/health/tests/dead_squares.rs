//! Squares that never report a piece, found in hand-written records.

use super::{at, feed, health_of, kinds, words};
use crate::{health::Health, record::FindingKind};

#[test]
fn square_missing_at_the_start_is_dead() {
    let without_e2 = "prnbqkbnr/pppppppp/8/8/8/8/PPPP1PPP/RNBQKBNR";
    let game = [(0.0, without_e2), (30.0, "-d2"), (31.0, "+Pd4"), (33.0, ".")];
    assert_eq!(kinds(&health_of(&game).findings()), [(FindingKind::DeadSquare, Some("e2".into()))]);
    // The unseen pawn makes the first move.
    let game = [(0.0, without_e2), (30.0, "+Pe4"), (33.0, "."), (40.0, "-e7"), (41.0, "+pe5"), (43.0, ".")];
    assert_eq!(kinds(&health_of(&game).findings()), [(FindingKind::DeadSquare, Some("e2".into()))]);
    // The square works: it is occupied last, or it was seen before.
    let put = [(0.0, without_e2), (30.0, "+Pe2"), (33.0, "."), (40.0, "-d2"), (41.0, "+Pd4"), (43.0, ".")];
    assert!(health_of(&put).findings().is_empty());
    let alive = [(0.0, "start"), (1.0, "-e2"), (2.0, "."), (30.0, "-d2"), (31.0, "+Pd4"), (33.0, ".")];
    assert!(health_of(&alive).findings().is_empty());
}

#[test]
fn squares_occupied_in_a_mark_work() {
    // A journal of which only the end is read: at the first rest a pawn is in a hand.
    let begin = r#""type":"mark","mark":"begin""#;
    let records = [(0.0, begin), (30.0, "-a7"), (32.0, "."), (45.0, "+pa6"), (47.0, ".")];
    let health = health_of(&records);
    assert!(health.findings().is_empty(), "{:#?}", health.findings());
    assert_eq!(words(&health, 48.0), [""; 0]);
}

/// A board with this position and a knight that leaves a square and returns, in this many changes.
fn played_on<'a>(stands: &'a str, knight: [&'a str; 4], changes: usize) -> Vec<(f64, &'a str)> {
    let mut records = vec![(0.0, stands)];
    records.extend((0..changes).map(|n| (30.0 + 5.0 * n as f64, knight[n % 4])));
    records
}

#[test]
fn several_squares_missing_in_a_game_are_dead() {
    let (white, black) = (["-g1", "+Nf3", "-f3", "+Ng1"], ["-g1", "+nf3", "-f3", "+ng1"]);
    // Two pawns, and a row of them on a board that is turned.
    let two = ("prnbqkbnr/pppppppp/8/8/8/8/PPP2PPP/RNBQKBNR", white, vec!["d2", "e2"]);
    let row = ["a2", "b2", "c2", "d2", "e2", "f2", "g2", "h2"].to_vec();
    let row = ("pRNBKQBNR/PPPPPPPP/8/8/8/8/8/rnbkqbnr", black, row);
    for (stands, knight, dead) in [two, row] {
        assert!(health_of(&played_on(stands, knight, 40)).findings().is_empty(), "{stands}");
        let mut records = played_on(stands, knight, 48);
        let found = health_of(&records).findings();
        let squares: Vec<String> = found.iter().map(|found| found.square.unwrap().to_string()).collect();
        assert_eq!(squares, dead);
        assert!(
            found.iter().all(|found| found.kind == FindingKind::DeadSquare && found.since == Some(at(0.0)))
        );
        // A piece is put down after the set-up, so the other missing one may still follow.
        records.insert(1, (20.0, "+Pe2"));
        assert!(health_of(&records).findings().iter().all(|found| found.square.unwrap().to_string() == "d2"));
    }
}

#[test]
fn pieces_that_vanish_towards_one_square_find_it_dead() {
    let mut records = vec![(0.0, "start"), (5.0, "clock")];
    // 1. e4 and, when that pawn is gone again, Nf6xe4 and Nc3xe4, which all land on a square that never reports.
    let game = [
        "-e2", "-g8", "+nf6", "-d2", "+Pd3", "-f6", "-b1", "+Nc3", "-h7", "+ph6", "-c3", "-a7", "+pa6",
        "-a2", "+Pa3",
    ];
    records.extend(game.iter().enumerate().map(|(n, change)| (10.0 + 10.0 * n as f64, *change)));
    records.push((200.0, "."));
    // Hands can cause this.
    assert!(health_of(&records).findings().is_empty());
    // But the knight goes on, from e4 or b5.
    records.extend([(210.0, "+Nd6"), (212.0, ".")]);
    let found = health_of(&records).findings();
    assert_eq!(kinds(&found), [(FindingKind::DeadSquare, Some("e4".into()))]);
    assert_eq!(found[0].count, 3);
}

/// A game beside a running clock in which the knight returns from h3. Of the squares it can reach only f3 never reported.
fn knight_of_g1() -> Vec<(f64, &'static str)> {
    let h3 = r#""type":"move","game":1,"ply":1,"san":"Nh3","uci":"g1h3","fen":"rnbqkbnr/pppppppp/8/8/8/7N/PPPPPPPP/RNBQKB1R b KQkq - 1 1""#;
    let mut records =
        vec![(0.0, "start"), (1.0, "clock"), (1.0, "game"), (10.0, "-g1"), (10.0, "+Nh3"), (10.0, "L")];
    records.extend([(10.0, h3), (12.0, "."), (20.0, "-a7"), (20.0, "+pa6"), (20.0, "R"), (22.0, ".")]);
    records.extend([(30.0, "-h3"), (30.0, "+Ng1"), (30.0, "L"), (40.0, "-a6"), (40.0, "+pa5"), (40.0, "R")]);
    records
}

/// The same, and the knight is off the board when White presses; both players go on.
fn knight_of_g1_vanishes() -> Vec<(f64, &'static str)> {
    let mut records = knight_of_g1();
    records.extend([(50.0, "-g1"), (50.0, "L"), (52.0, "."), (60.0, "-b7"), (60.0, "+pb6"), (60.0, "R")]);
    records.extend([(70.0, "-d2"), (70.0, "+Pd4"), (70.0, "L"), (72.0, "."), (80.0, "-h7"), (80.0, "+ph6")]);
    records
}

#[test]
fn pressed_piece_that_vanished_finds_its_square_dead() {
    let mut records = knight_of_g1_vanishes();
    // Without a press since it was lifted it may have been put away.
    let mut unpressed = records.clone();
    unpressed.retain(|(second, what)| *second < 50.0 || *what != "R" && *what != "L");
    assert!(
        kinds(&health_of(&unpressed).findings()).iter().all(|(kind, _)| *kind != FindingKind::DeadSquare)
    );
    records.push((80.0, "R"));
    let found = health_of(&records).findings();
    assert!(kinds(&found).contains(&(FindingKind::DeadSquare, Some("f3".into()))), "{found:#?}");
}

#[test]
fn piece_that_vanished_before_the_last_presses_still_counts() {
    let mut records = knight_of_g1_vanishes();
    // After the last move the pieces are set up for the next game. White's clock was pressed before and after Black's.
    records.truncate(records.len() - 2);
    records.extend([(80.0, "."), (500.0, "start"), (510.0, ".")]);
    let found = health_of(&records).findings();
    assert!(kinds(&found).contains(&(FindingKind::DeadSquare, Some("f3".into()))), "{found:#?}");
}

#[test]
fn captured_piece_finds_no_square_dead() {
    let mut records = knight_of_g1_vanishes();
    // Without this rest it need not have stood on a square.
    records.retain(|(second, what)| *second != 52.0 || *what != ".");
    // The reported game ends in the position of the board.
    let stands = r#""type":"move","game":1,"ply":8,"san":"h6","uci":"h7h6","fen":"rnbqkbnr/2ppppp1/1p5p/p7/3P4/8/PPP1PPPP/RNBQKB1R w KQkq - 0 5""#;
    records.extend([(80.0, "R"), (82.0, stands), (84.0, "."), (90.0, "-c2"), (90.0, "+Pc4"), (90.0, "L")]);
    let found = health_of(&records).findings();
    assert!(kinds(&found).iter().all(|(kind, _)| *kind != FindingKind::DeadSquare), "{found:#?}");
}

#[test]
fn pieces_put_away_find_no_square_dead() {
    let mut records = knight_of_g1();
    records.extend([
        (50.0, "-g1"),
        (50.0, "L"),
        (52.0, "-b7"),
        (54.0, "+pb7"),
        (55.0, "-d2"),
        (57.0, "+Pd2"),
    ]);
    records.extend([(60.0, "."), (62.0, "+Ng1"), (63.0, "-a5"), (64.0, "+pa7"), (70.0, ".")]);
    // The next game is on.
    records.extend([(80.0, "-e2"), (80.0, "+Pe4"), (80.0, "L"), (90.0, "-e7"), (90.0, "+pe5"), (90.0, "R")]);
    let found = health_of(&records).findings();
    assert!(kinds(&found).iter().all(|(kind, _)| *kind != FindingKind::DeadSquare), "{found:#?}");
}

#[test]
fn vanished_piece_is_distinct_from_an_early_landing() {
    let mut records = knight_of_g1_vanishes();
    records.extend([(80.0, "R"), (90.0, "+Nc3"), (90.0, "-b1"), (90.0, "L"), (92.0, ".")]);
    records.extend([(100.0, "-c7"), (100.0, "+pc6"), (100.0, "R"), (102.0, ".")]);
    let found = health_of(&records).findings();
    assert!(kinds(&found).contains(&(FindingKind::DeadSquare, Some("f3".into()))), "{found:#?}");
}

#[test]
fn vanished_pawn_is_not_one_landing_on_another_file() {
    // Of the squares before the pawn h4 has reported once.
    let mut records =
        vec![(-10.0, "prnbqkbnr/pppppppp/8/8/7P/8/PPPPPPP1/RNBQKBNR"), (0.0, "start"), (1.0, "clock")];
    records.push((1.0, "game"));
    // White presses the left side.
    let knights = [("-g1", "+Nf3", "L"), ("-g8", "+nf6", "R"), ("-f3", "+Ng1", "L"), ("-f6", "+ng8", "R")];
    for (second, (from, to, press)) in [2.0, 4.0, 6.0, 8.0].into_iter().zip(knights) {
        records.extend([(second, from), (second, press), (second, to)]);
    }
    records.extend([(10.0, "-h2"), (10.0, "L"), (12.0, "."), (15.0, "-a7"), (15.0, "+pa6")]);
    records.extend([(15.0, "R"), (16.0, "+Pd3"), (16.0, "-d2"), (16.0, "L"), (18.0, ".")]);
    records.extend([(30.0, "-b7"), (30.0, "+pb6"), (30.0, "R"), (40.0, "-e2"), (40.0, "+Pe3"), (40.0, "L")]);
    records.extend([(50.0, "-h7"), (50.0, "+ph6"), (50.0, "R"), (52.0, ".")]);
    records.extend([(60.0, "-c2"), (60.0, "+Pc3"), (60.0, "L"), (62.0, ".")]);
    // The pawn goes on, so it captured no piece on g3.
    let d3 = r#""type":"move","game":1,"ply":1,"san":"d3","uci":"d2d3","fen":"rnbqkbnr/pppppppp/8/8/8/3P4/PPP1PPPP/RNBQKBNR b KQkq - 0 1""#;
    records.push((62.0, d3));
    records.extend([(63.0, "-h6"), (63.0, "+pg3"), (64.0, "-g3"), (65.0, "+ph6"), (65.0, "R")]);
    let found = health_of(&records).findings();
    assert!(kinds(&found).contains(&(FindingKind::DeadSquare, Some("h3".into()))), "{found:#?}");
}

#[test]
fn inner_square_is_preferred_after_repeated_evidence() {
    let mut records = Vec::new();
    for day in 0..2 {
        let d4 = r#""type":"move","game":1,"ply":1,"san":"d4","uci":"d2d4","fen":"rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq - 0 1""#;
        let round = [
            (0.0, "start"),
            (1.0, "clock"),
            (1.0, "game"),
            (10.0, "-d2"),
            (10.0, "+Pd4"),
            (10.0, "L"),
            (10.0, d4),
            (20.0, "-a7"),
            (20.0, "+pa6"),
            (20.0, "R"),
            (30.0, "-g1"),
            (30.0, "L"),
            (32.0, "."),
            (40.0, "-b7"),
            (40.0, "+pb6"),
            (40.0, "R"),
            (50.0, "-c2"),
            (50.0, "+Pc4"),
            (50.0, "L"),
            (52.0, "."),
            (60.0, "-h7"),
            (60.0, "+ph6"),
            (60.0, "R"),
            (62.0, "."),
        ];
        records.extend(round.map(|(second, what)| (second + 1000.0 * f64::from(day), what)));
        let found = health_of(&records).findings();
        let named: Vec<_> =
            kinds(&found).into_iter().filter(|(kind, _)| *kind == FindingKind::DeadSquare).collect();
        // It may have gone to f3 or h3 once; twice to the rarely used h3 is much less likely.
        let either = ["f3", "h3"].map(|square| (FindingKind::DeadSquare, Some(square.to_owned())));
        let expected = if day == 0 { either.to_vec() } else { either[..1].to_vec() };
        assert_eq!(named, expected, "{found:#?}");
    }
}

#[test]
fn captured_and_boxed_pieces_find_no_square_dead() {
    let mut records = vec![(0.0, "start"), (5.0, "clock")];
    let game = [
        "-e2", "+Pe4", "-d7", "+pd5", "-d5", "-e4", "+Pd5", "-d8", "-d5", "+qd5", "-d2", "+Pd4", "-c7",
        "+pc5", "-d4", "-c5", "+pd4",
    ];
    records.extend(game.iter().enumerate().map(|(n, change)| (10.0 + 10.0 * n as f64, *change)));
    records.push((300.0, "."));
    let boxed = ["-a1", "-b1", "-c1", "-d1", "-a2", "-b2", "-a7", "-b7"];
    records.extend(boxed.iter().enumerate().map(|(n, change)| (310.0 + n as f64, *change)));
    records.push((400.0, "."));
    assert!(health_of(&records).findings().is_empty());
}

/// Three pawn moves a side and a seventh move, of White, given by its changes; each is pressed, and the board rests.
fn opening(seventh: (&'static str, &'static str)) -> Vec<(f64, &'static str)> {
    let mut records = vec![(0.0, "start"), (1.0, "clock")];
    let moves = [
        ("-e2", "+Pe3"),
        ("-a7", "+pa6"),
        ("-d2", "+Pd3"),
        ("-b7", "+pb6"),
        ("-c2", "+Pc3"),
        ("-c7", "+pc6"),
    ];
    for (n, (from, to)) in moves.into_iter().chain([seventh]).enumerate() {
        let (at, side) = (10.0 + 10.0 * n as f64, if n % 2 == 0 { "L" } else { "R" });
        records.extend([(at, from), (at, to), (at, side), (at + 2.0, ".")]);
    }
    records
}

#[test]
fn alternatives_for_one_dead_square_are_all_named() {
    let mut records = opening(("-e3", "+Pe4"));
    // Black's pawn goes to g6 or g5, unseen, and both players go on.
    records.extend([(80.0, "-g7"), (80.0, "R"), (82.0, "."), (90.0, "-d3"), (90.0, "+Pd4"), (90.0, "L")]);
    records.extend([(92.0, "."), (100.0, "-h7"), (100.0, "+ph6"), (100.0, "R"), (102.0, ".")]);
    let health = health_of(&records);
    let found = health.findings();
    let dead = |square: &str| (FindingKind::DeadSquare, Some(square.to_owned()));
    assert_eq!(kinds(&found), [dead("g6"), dead("g5")]);
    for finding in &found {
        let one_of: Vec<String> = finding.one_of.iter().map(ToString::to_string).collect();
        assert_eq!(one_of, ["g6", "g5"]);
        assert_eq!(finding.detail, "g6 or g5 never reports a piece");
        assert!(finding.advice.contains("g6 or g5"), "{}", finding.advice);
    }
    assert_eq!(words(&health, 103.0), ["g6 or g5 is dead"]);
}

#[test]
fn alternatives_are_named_although_the_game_chose_one() {
    let mut records = opening(("-e3", "+Pe4"));
    records.extend([(80.0, "-g7"), (80.0, "R"), (82.0, "."), (90.0, "-d3"), (90.0, "+Pd4"), (90.0, "L")]);
    records.extend([(92.0, "."), (100.0, "-h7"), (100.0, "+ph6"), (100.0, "R"), (102.0, ".")]);
    let g5 = r#""type":"move","game":1,"ply":8,"san":"g5","uci":"g7g5","fen":"rnbqkbnr/3ppp1p/ppp5/6p1/4P3/2PP4/PP3PPP/RNBQKBNR w KQkq - 0 5""#;
    let d4 = r#""type":"move","game":1,"ply":9,"san":"d4","uci":"d3d4","fen":"rnbqkbnr/3ppp1p/ppp5/6p1/3PP3/2P5/PP3PPP/RNBQKBNR b KQkq - 0 5""#;
    let h6 = r#""type":"move","game":1,"ply":10,"san":"h6","uci":"h7h6","fen":"rnbqkbnr/3ppp2/ppp4p/6p1/3PP3/2P5/PP3PPP/RNBQKBNR w KQkq - 0 6""#;
    let a4 = r#""type":"move","game":1,"ply":11,"san":"a4","uci":"a2a4","fen":"rnbqkbnr/3ppp2/ppp4p/6p1/P2PP3/2P5/1P3PPP/RNBQKBNR b KQkq - 0 6""#;
    records.insert(1, (1.0, "game"));
    records.extend([(102.0, g5), (102.0, d4), (102.0, h6), (110.0, "-a2"), (110.0, "+Pa4"), (110.0, "L")]);
    records.extend([(110.0, a4), (112.0, ".")]);
    let found = health_of(&records).findings();
    let dead = |square: &str| (FindingKind::DeadSquare, Some(square.to_owned()));
    assert_eq!(kinds(&found), [dead("g6"), dead("g5")], "{found:#?}");
    assert!(found.iter().all(|finding| finding.one_of.len() == 2), "{found:#?}");
}

#[test]
fn capture_after_the_press_leaves_no_square_dead() {
    let mut records = opening(("-g1", "+Ne5"));
    // Nxf7 is answered by Kxf7 before the knight is seen there, and Black presses before the king is down.
    records.extend([(80.0, "-e5"), (80.0, "-f7"), (80.0, "L"), (81.0, "-e8"), (81.0, "R"), (81.0, "+kf7")]);
    records.extend([(84.0, "."), (90.0, "-d3"), (90.0, "+Pd4"), (90.0, "L"), (92.0, ".")]);
    records.extend([(100.0, "-h7"), (100.0, "+ph6"), (100.0, "R"), (102.0, ".")]);
    let found = health_of(&records).findings();
    assert!(kinds(&found).iter().all(|(kind, _)| *kind != FindingKind::DeadSquare), "{found:#?}");
}

#[test]
fn piece_back_before_it_left_leaves_no_square_dead() {
    let mut records = opening(("-a2", "+Pa4"));
    records.extend([(80.0, "-h7"), (80.0, "+ph6"), (80.0, "R"), (82.0, ".")]);
    records.extend([(90.0, "-a1"), (90.0, "+Ra3"), (90.0, "L"), (92.0, ".")]);
    records.extend([(100.0, "-g7"), (100.0, "+pg6"), (100.0, "R"), (102.0, ".")]);
    // Of the squares that the rook could reach from a3 only b3 never reported.
    records.extend([(110.0, "+Ra1"), (110.0, "-a3"), (110.0, "L"), (112.0, ".")]);
    records.extend([(120.0, "-h6"), (120.0, "+ph5"), (120.0, "R"), (122.0, ".")]);
    records.extend([(130.0, "-d3"), (130.0, "+Pd4"), (130.0, "L"), (132.0, ".")]);
    assert_eq!(kinds(&health_of(&records).findings()), []);
}

#[test]
fn two_pieces_that_land_before_leaving_have_not_vanished() {
    let mut records = opening(("-a2", "+Pa4"));
    records.extend([(80.0, "-h7"), (80.0, "+ph6"), (80.0, "R"), (82.0, ".")]);
    records.extend([(90.0, "+Qc2"), (90.0, "+ra7"), (90.0, "-a8"), (90.0, "-d1"), (90.0, "L"), (92.0, ".")]);
    records.extend([(100.0, "R"), (102.0, "."), (110.0, "-d3"), (110.0, "+Pd4"), (110.0, "L"), (112.0, ".")]);
    assert_eq!(kinds(&health_of(&records).findings()), []);
}

#[test]
fn piece_unseen_while_the_board_rested_finds_its_square() {
    let mut records = knight_of_g1();
    records.extend([(50.0, "-c2"), (50.0, "+Pc4"), (50.0, "L"), (60.0, "-b7"), (60.0, "+pb6"), (60.0, "R")]);
    records.extend([(70.0, "-g1"), (70.0, "L"), (72.0, "."), (80.0, "-h7"), (80.0, "+ph6"), (80.0, "R")]);
    // In the reported game the knight went to g5 and was captured there by that pawn, which went back.
    let stands = r#""type":"move","game":1,"ply":8,"san":"h6","uci":"h7h6","fen":"rnbqkbnr/2ppppp1/1p5p/p7/2P5/8/PP1PPPPP/RNBQKB1R w KQkq - 0 5""#;
    records.extend([(82.0, stands), (84.0, "."), (90.0, "-d2"), (90.0, "+Pd4"), (90.0, "L"), (92.0, ".")]);
    let found = health_of(&records).findings();
    assert!(kinds(&found).contains(&(FindingKind::DeadSquare, Some("f3".into()))), "{found:#?}");
}

#[test]
fn piece_sliding_on_after_its_press_is_evidence() {
    let mut records = knight_of_g1();
    records.extend([(50.0, "-h2"), (50.0, "+Ph3"), (50.0, "L"), (60.0, "-a8"), (60.0, "+ra7"), (60.0, "R")]);
    // Of the squares before the rook a6 and a7 have reported. It is seen on a7 again, and its press comes before it leaves.
    records.extend([(70.0, "-g2"), (70.0, "+Pg3"), (70.0, "L"), (72.0, "."), (80.0, "-a7"), (80.0, "+rb7")]);
    records.extend([(80.0, "R"), (80.0, "-b7"), (82.0, "."), (90.0, "-c2"), (90.0, "+Pc4"), (90.0, "L")]);
    records.extend([(92.0, "."), (100.0, "-h7"), (100.0, "+ph6"), (100.0, "R"), (102.0, ".")]);
    let found = health_of(&records).findings();
    assert!(kinds(&found).iter().any(|(kind, _)| *kind == FindingKind::DeadSquare), "{found:#?}");
}

#[test]
fn illegal_move_is_no_evidence_for_squares_in_between() {
    // From f3 to f5 by d4 or h4, which never reported: put right each time.
    let there_and_back = ["-f3", "+Nf5", ".", "-f5", "+Nf3", "."];
    let mut records = vec![(0.0, "start"), (10.0, "-g1"), (11.0, "+Nf3"), (13.0, ".")];
    let again = there_and_back.iter().cycle().take(10 * there_and_back.len());
    records.extend(again.enumerate().map(|(n, what)| (20.0 + 3.0 * n as f64, *what)));
    assert_eq!(kinds(&health_of(&records).findings()), []);
    // If the other player moves in between, it stood somewhere.
    let unseen = ["-f3", "-a7", "+pa6", ".", "+Nf5", ".", "-f5", "+Nf3", ".", "-a6", "+pa7", "."];
    let mut records = vec![(0.0, "start"), (10.0, "-g1"), (11.0, "+Nf3"), (13.0, ".")];
    let again = unseen.iter().cycle().take(10 * unseen.len());
    records.extend(again.enumerate().map(|(n, what)| (20.0 + 3.0 * n as f64, *what)));
    assert_eq!(kinds(&health_of(&records).findings())[0].0, FindingKind::DeadSquare);
}

/// Five moves a side with a clock, ten seconds each, the last at 100: enough to learn where each player sits.
fn five_moves() -> Vec<(f64, &'static str)> {
    let before = [
        ["-e2", "+Pe4"],
        ["-e7", "+pe5"],
        ["-g1", "+Nf3"],
        ["-g8", "+nf6"],
        ["-d2", "+Pd3"],
        ["-d7", "+pd6"],
        ["-f1", "+Be2"],
        ["-f8", "+be7"],
        ["-h2", "+Ph3"],
        ["-h7", "+ph6"],
    ];
    let mut records = vec![(0.0, "start")];
    for (n, [from, to]) in before.into_iter().enumerate() {
        let second = 10.0 + 10.0 * n as f64;
        records.extend([
            (second, from),
            (second, to),
            (second, if n % 2 == 0 { "L" } else { "R" }),
            (second + 2.0, "."),
        ]);
    }
    records
}

#[test]
fn piece_read_late_leaves_no_square_dead() {
    // Nb1-c3 stands off its centre until Black has replied and the board has rested.
    let mut records = five_moves();
    records.extend([
        (110.0, "-b1"),
        (110.0, "L"),
        (112.0, "."),
        (114.0, "-b8"),
        (114.0, "+nc6"),
        (114.0, "R"),
    ]);
    records.extend([
        (116.0, "+Nc3"),
        (118.0, "."),
        (130.0, "-a2"),
        (130.0, "+Pa4"),
        (130.0, "L"),
        (132.0, "."),
    ]);
    assert_eq!(kinds(&health_of(&records).findings()), []);
}

#[test]
fn piece_sliding_during_a_scan_finds_no_square() {
    // It is seen on two squares of its way before it leaves its own.
    let mut records = five_moves();
    records.extend([(110.0, "-e4"), (110.0, "+Pe4"), (110.0, "L"), (112.0, ".")]);
    let slide = [(120.0, "+bd7"), (120.0, "+be6"), (120.0, "-c8"), (120.0, "-d7"), (120.0, "R")];
    records.extend(slide);
    records.push((122.0, "."));
    for n in 0..6 {
        let second = 130.0 + 10.0 * f64::from(n);
        let side = if n % 2 == 0 { "L" } else { "R" };
        records.extend([(second, "-h1"), (second, "+Rh1"), (second, side), (second + 2.0, ".")]);
    }
    assert_eq!(kinds(&health_of(&records).findings()), []);
}

#[test]
fn piece_leaving_its_way_first_leaves_no_square_dead() {
    for leaves in [["-e6", "-f5"], ["-f5", "-e6"]] {
        let (mut records, mut second) = (five_moves(), 110.0);
        let mut next = |moves: &[&'static str]| {
            records.extend(moves.iter().map(|change| (second, *change)));
            records.extend([(second, if second % 20.0 == 10.0 { "L" } else { "R" }), (second + 2.0, ".")]);
            second += 10.0;
        };
        next(&["-e4", "+Pe4"]);
        next(&["-c8", "+be6"]);
        next(&["-e4", "+Pe4"]);
        next(&["+bf5", "+bg4", leaves[0], leaves[1]]);
        (0..6).for_each(|_| next(&["-h1", "+Rh1"]));
        assert_eq!(kinds(&health_of(&records).findings()), [], "{leaves:?}");
    }
}

/// The knights go out and back, with a record of each move; `fen` turns the position into what the record has.
fn knights(health: &mut Health, plies: usize, fen: impl Fn(&str) -> String) {
    let steps = [
        ("-g1", "+Nf3", "rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R b KQkq -"),
        ("-g8", "+nf6", "rnbqkb1r/pppppppp/5n2/8/8/5N2/PPPPPPPP/RNBQKB1R w KQkq -"),
        ("-f3", "+Ng1", "rnbqkb1r/pppppppp/5n2/8/8/8/PPPPPPPP/RNBQKBNR b KQkq -"),
        ("-f6", "+ng8", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -"),
    ];
    for (n, (lifted, landed, stands)) in steps.iter().cycle().take(plies).enumerate() {
        let (from, ply, fen) = (10.0 * (n + 1) as f64, n + 1, fen(stands));
        let records =
            format!(r#""type":"move","game":1,"ply":{ply},"san":"N","fen":"{fen} {n} {}""#, 1 + ply / 2);
        feed(health, &[(from, lifted), (from + 1.0, landed), (from + 3.0, "."), (from + 3.0, &records)]);
    }
}

fn dead_of(health: &Health) -> Vec<(FindingKind, Option<String>)> {
    let found = kinds(&health.findings());
    found.into_iter().filter(|(kind, _)| *kind == FindingKind::DeadSquare).collect()
}

#[test]
fn square_left_by_an_illegal_move_is_not_dead() {
    // A pawn that goes from a2 to a5 in one move is recorded as having gone to a3 first.
    let with_a3 =
        |fen: &str| fen.replace("5N2/PPPPPPPP", "P4N2/1PPPPPPP").replace("8/PPPPPPPP", "P7/1PPPPPPP");
    let found = |illegal: &str| {
        let a3 = r#""type":"move","game":1,"ply":0,"san":"a3","fen":"rnbqkbnr/pppppppp/8/8/8/P7/1PPPPPPP/RNBQKBNR w KQkq - 0 1""#;
        let mut health = health_of(&[(0.0, "start"), (1.0, "game"), (2.0, "-a2"), (3.0, "+Pa5"), (5.0, ".")]);
        feed(&mut health, &[(5.0, a3), (5.0, illegal)]);
        knights(&mut health, 30, with_a3);
        dead_of(&health)
    };
    let illegal = |kind: &str| {
        format!(
            r#""type":"anomaly","game":1,"ply":0,"kind":"{kind}","detail":"P from a3 to a5 is no legal move""#
        )
    };
    assert_eq!(found(&illegal("illegal")), []);
    assert_eq!(found(&illegal("unexplained")), [(FindingKind::DeadSquare, Some("a3".into()))]);
}

#[test]
fn square_that_dies_under_its_piece_is_found() {
    // The pawn of a2 is never seen again.
    let played_behind = |before: &[(f64, &str)], plies: usize, more: &[(f64, &str)]| {
        let mut health = health_of(&[(0.0, "start"), (1.0, "game"), (2.0, "-a2")]);
        feed(&mut health, before);
        knights(&mut health, plies, str::to_owned);
        feed(&mut health, more);
        dead_of(&health)
    };
    let played = |plies, more: &[(f64, &str)]| played_behind(&[], plies, more);
    assert_eq!(played(5, &[]), []);
    assert_eq!(played(6, &[]), [(FindingKind::DeadSquare, Some("a2".into()))]);
    // The pawn was only taken off.
    assert_eq!(played(6, &[(100.0, "+Pa2")]), []);
    // A correction withdraws few plies, analysis many.
    let back = |to: u32| format!(r#""type":"takeback","game":1,"ply":{to}"#);
    assert_eq!(played(12, &[(200.0, &back(9))]), [(FindingKind::DeadSquare, Some("a2".into()))]);
    assert_eq!(played(12, &[(200.0, &back(2))]), []);
    // A game that goes on from an illegal position may have a piece that is on no square.
    let illegal = r#""type":"anomaly","game":1,"ply":0,"kind":"illegal","detail":"e4 is no legal move""#;
    assert_eq!(played_behind(&[(3.0, illegal)], 6, &[]), []);
}

/// A pawn that can have gone straight on to a square that reports did not go elsewhere: a capture there would have been unseen.
#[test]
fn one_pawn_is_no_evidence_of_a_capture() {
    use crate::health::{dead::DeadSquares, lifted::Vanished, limits};
    let square = |name: &str| name.parse::<crate::record::Square>().unwrap();
    let stands = "r1bqkb1r/ppp2ppp/2n2n2/3p4/2P1P3/2N2N2/PP1P1PPP/R1BQKB1R".parse().unwrap();
    let named = |reported: &[&str], pawns: &[&str]| {
        let mut squares = DeadSquares::default();
        reported.iter().for_each(|name| squares.reports(square(name)));
        for pawn in pawns {
            let (piece, from) = ("P".parse().unwrap(), square(pawn));
            let (at, reach) = (Some(at(10.0)), 0);
            let gone = Vanished {
                piece,
                from,
                home: Some(from),
                at,
                reach,
                presses: 1,
                pressed: true,
                rested: true,
            };
            squares.vanished(&gone, &stands);
            (0..2).for_each(|_| squares.press());
        }
        squares.verdicts(&limits::DEAD, 0).iter().map(|(square, _)| square.to_string()).collect::<Vec<_>>()
    };
    // A pawn that may have gone straight on finds one of two squares. If both report, one pawn is not enough and two are.
    assert_eq!(named(&["g3"], &["h2"]), ["h4", "h3"]);
    assert_eq!(named(&["h3", "h4"], &["h2"]), [""; 0]);
    assert_eq!(named(&["f3", "f4", "h3", "h4"], &["f2", "h2"]), ["g3"]);
}
