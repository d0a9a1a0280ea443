//! Squares that never say that anything stands on them, found in records that are written by hand.

use super::{CLOCK, LEFT, RIGHT, START, WITHOUT_E2, at, hear, heard, kinds, words};
use crate::{health::Health, record::FindingKind};

#[test]
fn a_square_that_is_empty_when_the_game_begins_and_never_spoke_is_dead() {
    let game = [(0.0, WITHOUT_E2), (30.0, "-d2"), (31.0, "+Pd4"), (33.0, ".")];
    assert_eq!(kinds(&heard(&game).findings()), [(FindingKind::DeadSquare, Some("e2".into()))]);
    // The pawn that nobody sees makes the first move.
    let game = [(0.0, WITHOUT_E2), (30.0, "+Pe4"), (33.0, "."), (40.0, "-e7"), (41.0, "+pe5"), (43.0, ".")];
    assert_eq!(kinds(&heard(&game).findings()), [(FindingKind::DeadSquare, Some("e2".into()))]);
    // It is put there last, or a hand holds it, or it was seen before.
    let put = [(0.0, WITHOUT_E2), (30.0, "+Pe2"), (33.0, "."), (40.0, "-d2"), (41.0, "+Pd4"), (43.0, ".")];
    assert!(heard(&put).findings().is_empty());
    let alive = [(0.0, START), (1.0, "-e2"), (2.0, "."), (30.0, "-d2"), (31.0, "+Pd4"), (33.0, ".")];
    assert!(heard(&alive).findings().is_empty());
}

#[test]
fn what_a_mark_says_stands_on_a_board_is_on_squares_that_are_alive() {
    // As a journal is heard of which only the present is read: the first rest is with a pawn in a hand.
    let begin = r#""type":"mark","mark":"begin""#;
    let told = [(0.0, begin), (30.0, "-a7"), (32.0, "."), (45.0, "+pa6"), (47.0, ".")];
    let health = heard(&told);
    assert!(health.findings().is_empty(), "{:#?}", health.findings());
    assert_eq!(words(&health, 48.0), [""; 0]);
}

/// A board that stands so, and a knight that leaves a square and comes back to it, again and again, in so many changes.
fn played_on<'a>(stands: &'a str, knight: [&'a str; 4], changes: usize) -> Vec<(f64, &'a str)> {
    let mut told = vec![(0.0, stands)];
    told.extend((0..changes).map(|n| (30.0 + 5.0 * n as f64, knight[n % 4])));
    told
}

#[test]
fn squares_without_which_a_board_is_set_up_and_played_on_are_dead_together() {
    let (white, black) = (["-g1", "+Nf3", "-f3", "+Ng1"], ["-g1", "+nf3", "-f3", "+ng1"]);
    // Two of the pawns, and a row of them on a board that is turned.
    let two = ("prnbqkbnr/pppppppp/8/8/8/8/PPP2PPP/RNBQKBNR", white, vec!["d2", "e2"]);
    let row = ["a2", "b2", "c2", "d2", "e2", "f2", "g2", "h2"].to_vec();
    let row = ("pRNBKQBNR/PPPPPPPP/8/8/8/8/8/rnbkqbnr", black, row);
    for (stands, knight, dead) in [two, row] {
        assert!(heard(&played_on(stands, knight, 40)).findings().is_empty(), "{stands}");
        let mut told = played_on(stands, knight, 48);
        let found = heard(&told).findings();
        let squares: Vec<String> = found.iter().map(|found| found.square.unwrap().to_string()).collect();
        assert_eq!(squares, dead);
        assert!(
            found.iter().all(|found| found.kind == FindingKind::DeadSquare && found.since == Some(at(0.0)))
        );
        // One of them is put there when all the others stand: so may those be that are still missing.
        told.insert(1, (20.0, "+Pe2"));
        assert!(heard(&told).findings().iter().all(|found| found.square.unwrap().to_string() == "d2"));
    }
}

#[test]
fn pieces_that_vanish_on_their_way_to_one_square_find_it_dead() {
    let mut told = vec![(0.0, START), (5.0, CLOCK)];
    // 1. e4 and, when that pawn is gone again, Nf6xe4 and Nc3xe4: all came down where nothing is ever seen.
    let game = [
        "-e2", "-g8", "+nf6", "-d2", "+Pd3", "-f6", "-b1", "+Nc3", "-h7", "+ph6", "-c3", "-a7", "+pa6",
        "-a2", "+Pa3",
    ];
    told.extend(game.iter().enumerate().map(|(n, change)| (10.0 + 10.0 * n as f64, *change)));
    told.push((200.0, "."));
    // Hands do as much.
    assert!(heard(&told).findings().is_empty());
    // But the knight goes on, from e4 or b5.
    told.extend([(210.0, "+Nd6"), (212.0, ".")]);
    let found = heard(&told).findings();
    assert_eq!(kinds(&found), [(FindingKind::DeadSquare, Some("e4".into()))]);
    assert_eq!(found[0].count, 3);
}

/// The game begins on a board with a clock that runs, and the knight comes back from h3: of its squares f3 alone never spoke.
fn knight_of_g1() -> Vec<(f64, &'static str)> {
    let game = r#""type":"game","game":1,"rules":"chess","fen":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1""#;
    let h3 = r#""type":"move","game":1,"ply":1,"san":"Nh3","uci":"g1h3","fen":"rnbqkbnr/pppppppp/8/8/8/7N/PPPPPPPP/RNBQKB1R b KQkq - 1 1""#;
    let mut told = vec![(0.0, START), (1.0, CLOCK), (1.0, game), (10.0, "-g1"), (10.0, "+Nh3"), (10.0, LEFT)];
    told.extend([(10.0, h3), (12.0, "."), (20.0, "-a7"), (20.0, "+pa6"), (20.0, RIGHT), (22.0, ".")]);
    told.extend([(30.0, "-h3"), (30.0, "+Ng1"), (30.0, LEFT), (40.0, "-a6"), (40.0, "+pa5"), (40.0, RIGHT)]);
    told
}

/// It is gone when White has pressed, and both go on.
fn knight_of_g1_vanishes() -> Vec<(f64, &'static str)> {
    let mut told = knight_of_g1();
    told.extend([(50.0, "-g1"), (50.0, LEFT), (52.0, "."), (60.0, "-b7"), (60.0, "+pb6"), (60.0, RIGHT)]);
    told.extend([(70.0, "-d2"), (70.0, "+Pd4"), (70.0, LEFT), (72.0, "."), (80.0, "-h7"), (80.0, "+ph6")]);
    told
}

#[test]
fn one_piece_that_is_gone_when_its_clock_is_pressed_and_that_no_game_explains_finds_its_square_dead() {
    let mut told = knight_of_g1_vanishes();
    // Nobody has pressed since it was lifted: it may be put away.
    let mut unpressed = told.clone();
    unpressed.retain(|(second, what)| *second < 50.0 || *what != RIGHT && *what != LEFT);
    assert!(kinds(&heard(&unpressed).findings()).iter().all(|(kind, _)| *kind != FindingKind::DeadSquare));
    told.push((80.0, RIGHT));
    let found = heard(&told).findings();
    assert!(kinds(&found).contains(&(FindingKind::DeadSquare, Some("f3".into()))), "{found:#?}");
}

#[test]
fn a_piece_that_vanished_while_both_pressed_was_not_put_away_when_its_game_ended() {
    let mut told = knight_of_g1_vanishes();
    // The last move, and the pieces are set up for the next game: White's clock was pressed before and behind Black's.
    told.truncate(told.len() - 2);
    told.extend([(80.0, "."), (500.0, START), (510.0, ".")]);
    let found = heard(&told).findings();
    assert!(kinds(&found).contains(&(FindingKind::DeadSquare, Some("f3".into()))), "{found:#?}");
}

#[test]
fn a_piece_that_the_game_has_captured_finds_no_square_dead() {
    let mut told = knight_of_g1_vanishes();
    // Nobody knows that it stood somewhere.
    told.retain(|(second, what)| *second != 52.0 || *what != ".");
    // The game as it is told ends where the board stands.
    let stands = r#""type":"move","game":1,"ply":8,"san":"h6","uci":"h7h6","fen":"rnbqkbnr/2ppppp1/1p5p/p7/3P4/8/PPP1PPPP/RNBQKB1R w KQkq - 0 5""#;
    told.extend([(80.0, RIGHT), (82.0, stands), (84.0, "."), (90.0, "-c2"), (90.0, "+Pc4"), (90.0, LEFT)]);
    let found = heard(&told).findings();
    assert!(kinds(&found).iter().all(|(kind, _)| *kind != FindingKind::DeadSquare), "{found:#?}");
}

#[test]
fn pieces_that_are_put_away_for_the_next_game_find_no_square_dead() {
    let mut told = knight_of_g1();
    told.extend([(50.0, "-g1"), (50.0, LEFT), (52.0, "-b7"), (54.0, "+pb7"), (55.0, "-d2"), (57.0, "+Pd2")]);
    told.extend([(60.0, "."), (62.0, "+Ng1"), (63.0, "-a5"), (64.0, "+pa7"), (70.0, ".")]);
    // The next game is on.
    told.extend([(80.0, "-e2"), (80.0, "+Pe4"), (80.0, LEFT), (90.0, "-e7"), (90.0, "+pe5"), (90.0, RIGHT)]);
    let found = heard(&told).findings();
    assert!(kinds(&found).iter().all(|(kind, _)| *kind != FindingKind::DeadSquare), "{found:#?}");
}

#[test]
fn a_piece_that_vanished_is_not_the_one_that_comes_down_before_it_is_seen_to_leave() {
    let mut told = knight_of_g1_vanishes();
    told.extend([(80.0, RIGHT), (90.0, "+Nc3"), (90.0, "-b1"), (90.0, LEFT), (92.0, ".")]);
    told.extend([(100.0, "-c7"), (100.0, "+pc6"), (100.0, RIGHT), (102.0, ".")]);
    let found = heard(&told).findings();
    assert!(kinds(&found).contains(&(FindingKind::DeadSquare, Some("f3".into()))), "{found:#?}");
}

#[test]
fn a_pawn_that_vanished_is_not_the_one_that_comes_down_on_another_file_before_it_is_seen_to_leave() {
    let game = r#""type":"game","game":1,"rules":"chess","fen":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1""#;
    // Of the squares before the pawn h4 spoke once.
    let mut told = vec![(-10.0, "prnbqkbnr/pppppppp/8/8/7P/8/PPPPPPP1/RNBQKBNR"), (0.0, START), (1.0, CLOCK)];
    told.push((1.0, game));
    // White presses the left.
    let knights =
        [("-g1", "+Nf3", LEFT), ("-g8", "+nf6", RIGHT), ("-f3", "+Ng1", LEFT), ("-f6", "+ng8", RIGHT)];
    for (second, (from, to, press)) in [2.0, 4.0, 6.0, 8.0].into_iter().zip(knights) {
        told.extend([(second, from), (second, press), (second, to)]);
    }
    told.extend([(10.0, "-h2"), (10.0, LEFT), (12.0, "."), (15.0, "-a7"), (15.0, "+pa6")]);
    told.extend([(15.0, RIGHT), (16.0, "+Pd3"), (16.0, "-d2"), (16.0, LEFT), (18.0, ".")]);
    told.extend([(30.0, "-b7"), (30.0, "+pb6"), (30.0, RIGHT), (40.0, "-e2"), (40.0, "+Pe3"), (40.0, LEFT)]);
    told.extend([(50.0, "-h7"), (50.0, "+ph6"), (50.0, RIGHT), (52.0, ".")]);
    told.extend([(60.0, "-c2"), (60.0, "+Pc3"), (60.0, LEFT), (62.0, ".")]);
    // It goes on, so that it was no piece that was taken on g3.
    let d3 = r#""type":"move","game":1,"ply":1,"san":"d3","uci":"d2d3","fen":"rnbqkbnr/pppppppp/8/8/8/3P4/PPP1PPPP/RNBQKBNR b KQkq - 0 1""#;
    told.push((62.0, d3));
    told.extend([(63.0, "-h6"), (63.0, "+pg3"), (64.0, "-g3"), (65.0, "+ph6"), (65.0, RIGHT)]);
    let found = heard(&told).findings();
    assert!(kinds(&found).contains(&(FindingKind::DeadSquare, Some("h3".into()))), "{found:#?}");
}

#[test]
fn of_two_squares_that_explain_as_much_again_and_again_the_one_at_the_rim_is_not_dead() {
    let mut told = Vec::new();
    for day in 0..2 {
        let game = r#""type":"game","game":1,"rules":"chess","fen":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1""#;
        let d4 = r#""type":"move","game":1,"ply":1,"san":"d4","uci":"d2d4","fen":"rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq - 0 1""#;
        let round = [
            (0.0, START),
            (1.0, CLOCK),
            (1.0, game),
            (10.0, "-d2"),
            (10.0, "+Pd4"),
            (10.0, LEFT),
            (10.0, d4),
            (20.0, "-a7"),
            (20.0, "+pa6"),
            (20.0, RIGHT),
            (30.0, "-g1"),
            (30.0, LEFT),
            (32.0, "."),
            (40.0, "-b7"),
            (40.0, "+pb6"),
            (40.0, RIGHT),
            (50.0, "-c2"),
            (50.0, "+Pc4"),
            (50.0, LEFT),
            (52.0, "."),
            (60.0, "-h7"),
            (60.0, "+ph6"),
            (60.0, RIGHT),
            (62.0, "."),
        ];
        told.extend(round.map(|(second, what)| (second + 1000.0 * f64::from(day), what)));
        let found = heard(&told).findings();
        let named: Vec<_> =
            kinds(&found).into_iter().filter(|(kind, _)| *kind == FindingKind::DeadSquare).collect();
        // It went to f3 or to h3 once; twice to h3, which nobody uses, is much less likely.
        let either = ["f3", "h3"].map(|square| (FindingKind::DeadSquare, Some(square.to_owned())));
        let expected = if day == 0 { either.to_vec() } else { either[..1].to_vec() };
        assert_eq!(named, expected, "{found:#?}");
    }
}

#[test]
fn captured_pieces_and_those_that_are_put_away_vanish_rightly() {
    let mut told = vec![(0.0, START), (5.0, CLOCK)];
    let game = [
        "-e2", "+Pe4", "-d7", "+pd5", "-d5", "-e4", "+Pd5", "-d8", "-d5", "+qd5", "-d2", "+Pd4", "-c7",
        "+pc5", "-d4", "-c5", "+pd4",
    ];
    told.extend(game.iter().enumerate().map(|(n, change)| (10.0 + 10.0 * n as f64, *change)));
    told.push((300.0, "."));
    let boxed = ["-a1", "-b1", "-c1", "-d1", "-a2", "-b2", "-a7", "-b7"];
    told.extend(boxed.iter().enumerate().map(|(n, change)| (310.0 + n as f64, *change)));
    told.push((400.0, "."));
    assert!(heard(&told).findings().is_empty());
}

/// Three moves of pawns a side and a seventh, of White, which is given by its changes; each is pressed, and the board rests.
fn opening(seventh: (&'static str, &'static str)) -> Vec<(f64, &'static str)> {
    let mut told = vec![(0.0, START), (1.0, CLOCK)];
    let moves = [
        ("-e2", "+Pe3"),
        ("-a7", "+pa6"),
        ("-d2", "+Pd3"),
        ("-b7", "+pb6"),
        ("-c2", "+Pc3"),
        ("-c7", "+pc6"),
    ];
    for (n, (from, to)) in moves.into_iter().chain([seventh]).enumerate() {
        let (at, side) = (10.0 + 10.0 * n as f64, if n % 2 == 0 { LEFT } else { RIGHT });
        told.extend([(at, from), (at, to), (at, side), (at + 2.0, ".")]);
    }
    told
}

#[test]
fn of_two_squares_before_a_pawn_that_can_be_dead_each_is_named_and_said_to_be_one_of_them() {
    let mut told = opening(("-e3", "+Pe4"));
    // Black's pawn goes to g6 or to g5, nobody saw which, and both play on.
    told.extend([(80.0, "-g7"), (80.0, RIGHT), (82.0, "."), (90.0, "-d3"), (90.0, "+Pd4"), (90.0, LEFT)]);
    told.extend([(92.0, "."), (100.0, "-h7"), (100.0, "+ph6"), (100.0, RIGHT), (102.0, ".")]);
    let health = heard(&told);
    let found = health.findings();
    let dead = |square: &str| (FindingKind::DeadSquare, Some(square.to_owned()));
    assert_eq!(kinds(&found), [dead("g6"), dead("g5")]);
    for finding in &found {
        let one_of: Vec<String> = finding.one_of.iter().map(ToString::to_string).collect();
        assert_eq!(one_of, ["g6", "g5"]);
        assert_eq!(finding.detail, "g6 or g5 never says that anything stands on it");
        assert!(finding.advice.contains("g6 or g5"), "{}", finding.advice);
    }
    assert_eq!(words(&health, 103.0), ["g6 or g5 is dead"]);
}

#[test]
fn of_two_squares_of_which_the_game_chose_one_each_is_named() {
    let mut told = opening(("-e3", "+Pe4"));
    told.extend([(80.0, "-g7"), (80.0, RIGHT), (82.0, "."), (90.0, "-d3"), (90.0, "+Pd4"), (90.0, LEFT)]);
    told.extend([(92.0, "."), (100.0, "-h7"), (100.0, "+ph6"), (100.0, RIGHT), (102.0, ".")]);
    let game = r#""type":"game","game":1,"rules":"chess","fen":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1""#;
    let g5 = r#""type":"move","game":1,"ply":8,"san":"g5","uci":"g7g5","fen":"rnbqkbnr/3ppp1p/ppp5/6p1/4P3/2PP4/PP3PPP/RNBQKBNR w KQkq - 0 5""#;
    let d4 = r#""type":"move","game":1,"ply":9,"san":"d4","uci":"d3d4","fen":"rnbqkbnr/3ppp1p/ppp5/6p1/3PP3/2P5/PP3PPP/RNBQKBNR b KQkq - 0 5""#;
    let h6 = r#""type":"move","game":1,"ply":10,"san":"h6","uci":"h7h6","fen":"rnbqkbnr/3ppp2/ppp4p/6p1/3PP3/2P5/PP3PPP/RNBQKBNR w KQkq - 0 6""#;
    let a4 = r#""type":"move","game":1,"ply":11,"san":"a4","uci":"a2a4","fen":"rnbqkbnr/3ppp2/ppp4p/6p1/P2PP3/2P5/1P3PPP/RNBQKBNR b KQkq - 0 6""#;
    told.insert(1, (1.0, game));
    told.extend([(102.0, g5), (102.0, d4), (102.0, h6), (110.0, "-a2"), (110.0, "+Pa4"), (110.0, LEFT)]);
    told.extend([(110.0, a4), (112.0, ".")]);
    let found = heard(&told).findings();
    let dead = |square: &str| (FindingKind::DeadSquare, Some(square.to_owned()));
    assert_eq!(kinds(&found), [dead("g6"), dead("g5")], "{found:#?}");
    assert!(found.iter().all(|finding| finding.one_of.len() == 2), "{found:#?}");
}

#[test]
fn a_capture_behind_the_press_leaves_no_square_dead() {
    let mut told = opening(("-g1", "+Ne5"));
    // Nxf7 is answered by Kxf7 before the knight is seen there, and Black presses before the king is down.
    told.extend([(80.0, "-e5"), (80.0, "-f7"), (80.0, LEFT), (81.0, "-e8"), (81.0, RIGHT), (81.0, "+kf7")]);
    told.extend([(84.0, "."), (90.0, "-d3"), (90.0, "+Pd4"), (90.0, LEFT), (92.0, ".")]);
    told.extend([(100.0, "-h7"), (100.0, "+ph6"), (100.0, RIGHT), (102.0, ".")]);
    let found = heard(&told).findings();
    assert!(kinds(&found).iter().all(|(kind, _)| *kind != FindingKind::DeadSquare), "{found:#?}");
}

#[test]
fn a_piece_that_is_seen_back_on_its_square_before_it_leaves_the_other_leaves_none_dead() {
    let mut told = opening(("-a2", "+Pa4"));
    told.extend([(80.0, "-h7"), (80.0, "+ph6"), (80.0, RIGHT), (82.0, ".")]);
    told.extend([(90.0, "-a1"), (90.0, "+Ra3"), (90.0, LEFT), (92.0, ".")]);
    told.extend([(100.0, "-g7"), (100.0, "+pg6"), (100.0, RIGHT), (102.0, ".")]);
    // Of the squares to which the rook could have gone from a3 only b3 never spoke.
    told.extend([(110.0, "+Ra1"), (110.0, "-a3"), (110.0, LEFT), (112.0, ".")]);
    told.extend([(120.0, "-h6"), (120.0, "+ph5"), (120.0, RIGHT), (122.0, ".")]);
    told.extend([(130.0, "-d3"), (130.0, "+Pd4"), (130.0, LEFT), (132.0, ".")]);
    assert_eq!(kinds(&heard(&told).findings()), []);
}

#[test]
fn a_piece_that_is_seen_before_it_leaves_its_square_vanished_nowhere_though_one_of_the_others_was_too() {
    let mut told = opening(("-a2", "+Pa4"));
    told.extend([(80.0, "-h7"), (80.0, "+ph6"), (80.0, RIGHT), (82.0, ".")]);
    told.extend([(90.0, "+Qc2"), (90.0, "+ra7"), (90.0, "-a8"), (90.0, "-d1"), (90.0, LEFT), (92.0, ".")]);
    told.extend([(100.0, RIGHT), (102.0, "."), (110.0, "-d3"), (110.0, "+Pd4"), (110.0, LEFT), (112.0, ".")]);
    assert_eq!(kinds(&heard(&told).findings()), []);
}

#[test]
fn a_piece_that_stood_unseen_while_the_board_rested_finds_its_square_dead_whatever_the_game_says() {
    let mut told = knight_of_g1();
    told.extend([(50.0, "-c2"), (50.0, "+Pc4"), (50.0, LEFT), (60.0, "-b7"), (60.0, "+pb6"), (60.0, RIGHT)]);
    told.extend([(70.0, "-g1"), (70.0, LEFT), (72.0, "."), (80.0, "-h7"), (80.0, "+ph6"), (80.0, RIGHT)]);
    // As the game is told the knight went to g5 and was taken there by that pawn, which went back.
    let stands = r#""type":"move","game":1,"ply":8,"san":"h6","uci":"h7h6","fen":"rnbqkbnr/2ppppp1/1p5p/p7/2P5/8/PP1PPPPP/RNBQKB1R w KQkq - 0 5""#;
    told.extend([(82.0, stands), (84.0, "."), (90.0, "-d2"), (90.0, "+Pd4"), (90.0, LEFT), (92.0, ".")]);
    let found = heard(&told).findings();
    assert!(kinds(&found).contains(&(FindingKind::DeadSquare, Some("f3".into()))), "{found:#?}");
}

#[test]
fn a_piece_that_is_put_down_pressed_for_and_slides_on_to_a_square_that_is_dead_finds_it() {
    let mut told = knight_of_g1();
    told.extend([(50.0, "-h2"), (50.0, "+Ph3"), (50.0, LEFT), (60.0, "-a8"), (60.0, "+ra7"), (60.0, RIGHT)]);
    // Of the squares before the rook a6 and a7 spoke. It is seen on a7 again, and the press is told before it leaves.
    told.extend([(70.0, "-g2"), (70.0, "+Pg3"), (70.0, LEFT), (72.0, "."), (80.0, "-a7"), (80.0, "+rb7")]);
    told.extend([(80.0, RIGHT), (80.0, "-b7"), (82.0, "."), (90.0, "-c2"), (90.0, "+Pc4"), (90.0, LEFT)]);
    told.extend([(92.0, "."), (100.0, "-h7"), (100.0, "+ph6"), (100.0, RIGHT), (102.0, ".")]);
    let found = heard(&told).findings();
    assert!(kinds(&found).iter().any(|(kind, _)| *kind == FindingKind::DeadSquare), "{found:#?}");
}

#[test]
fn an_illegal_move_says_of_no_square_that_its_piece_was_there_between() {
    // From f3 to f5 by d4 or h4, of which nothing is ever heard: put right each time.
    let there_and_back = ["-f3", "+Nf5", ".", "-f5", "+Nf3", "."];
    let mut told = vec![(0.0, START), (10.0, "-g1"), (11.0, "+Nf3"), (13.0, ".")];
    let again = there_and_back.iter().cycle().take(10 * there_and_back.len());
    told.extend(again.enumerate().map(|(n, what)| (20.0 + 3.0 * n as f64, *what)));
    assert_eq!(kinds(&heard(&told).findings()), []);
    // Where the other side plays in between, it stood somewhere.
    let unseen = ["-f3", "-a7", "+pa6", ".", "+Nf5", ".", "-f5", "+Nf3", ".", "-a6", "+pa7", "."];
    let mut told = vec![(0.0, START), (10.0, "-g1"), (11.0, "+Nf3"), (13.0, ".")];
    let again = unseen.iter().cycle().take(10 * unseen.len());
    told.extend(again.enumerate().map(|(n, what)| (20.0 + 3.0 * n as f64, *what)));
    assert_eq!(kinds(&heard(&told).findings())[0].0, FindingKind::DeadSquare);
}

/// Five moves with a clock, ten seconds each, the last at 100: by then it is known who sits where.
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
    let mut told = vec![(0.0, START)];
    for (n, [from, to]) in before.into_iter().enumerate() {
        let second = 10.0 + 10.0 * n as f64;
        told.extend([
            (second, from),
            (second, to),
            (second, if n % 2 == 0 { LEFT } else { RIGHT }),
            (second + 2.0, "."),
        ]);
    }
    told
}

#[test]
fn a_piece_that_is_read_late_leaves_no_square_dead() {
    // Nb1-c3 stands off its centre until Black has replied and the board has rested.
    let mut told = five_moves();
    told.extend([
        (110.0, "-b1"),
        (110.0, LEFT),
        (112.0, "."),
        (114.0, "-b8"),
        (114.0, "+nc6"),
        (114.0, RIGHT),
    ]);
    told.extend([
        (116.0, "+Nc3"),
        (118.0, "."),
        (130.0, "-a2"),
        (130.0, "+Pa4"),
        (130.0, LEFT),
        (132.0, "."),
    ]);
    assert_eq!(kinds(&heard(&told).findings()), []);
}

#[test]
fn a_piece_that_slides_down_a_scan_leaves_no_square_dead() {
    // It is seen on two squares of its way before it is seen to leave its own.
    let mut told = five_moves();
    told.extend([(110.0, "-e4"), (110.0, "+Pe4"), (110.0, LEFT), (112.0, ".")]);
    let slide = [(120.0, "+bd7"), (120.0, "+be6"), (120.0, "-c8"), (120.0, "-d7"), (120.0, RIGHT)];
    told.extend(slide);
    told.push((122.0, "."));
    for n in 0..6 {
        let second = 130.0 + 10.0 * f64::from(n);
        let side = if n % 2 == 0 { LEFT } else { RIGHT };
        told.extend([(second, "-h1"), (second, "+Rh1"), (second, side), (second + 2.0, ".")]);
    }
    assert_eq!(kinds(&heard(&told).findings()), []);
}

#[test]
fn a_piece_that_is_seen_to_leave_its_way_before_its_square_leaves_no_square_dead() {
    for leaves in [["-e6", "-f5"], ["-f5", "-e6"]] {
        let (mut told, mut second) = (five_moves(), 110.0);
        let mut next = |moves: &[&'static str]| {
            told.extend(moves.iter().map(|change| (second, *change)));
            told.extend([(second, if second % 20.0 == 10.0 { LEFT } else { RIGHT }), (second + 2.0, ".")]);
            second += 10.0;
        };
        next(&["-e4", "+Pe4"]);
        next(&["-c8", "+be6"]);
        next(&["-e4", "+Pe4"]);
        next(&["+bf5", "+bg4", leaves[0], leaves[1]]);
        (0..6).for_each(|_| next(&["-h1", "+Rh1"]));
        assert_eq!(kinds(&heard(&told).findings()), [], "{leaves:?}");
    }
}

const BEGINS: &str = r#""type":"game","game":1,"rules":"chess","fen":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1""#;

/// The knights go out and back, and this is told of it, with what `fen` makes of the position.
fn knights(health: &mut Health, plies: usize, fen: impl Fn(&str) -> String) {
    let steps = [
        ("-g1", "+Nf3", "rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R b KQkq -"),
        ("-g8", "+nf6", "rnbqkb1r/pppppppp/5n2/8/8/5N2/PPPPPPPP/RNBQKB1R w KQkq -"),
        ("-f3", "+Ng1", "rnbqkb1r/pppppppp/5n2/8/8/8/PPPPPPPP/RNBQKBNR b KQkq -"),
        ("-f6", "+ng8", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -"),
    ];
    for (n, (lifted, landed, stands)) in steps.iter().cycle().take(plies).enumerate() {
        let (from, ply, fen) = (10.0 * (n + 1) as f64, n + 1, fen(stands));
        let told =
            format!(r#""type":"move","game":1,"ply":{ply},"san":"N","fen":"{fen} {n} {}""#, 1 + ply / 2);
        hear(health, &[(from, lifted), (from + 1.0, landed), (from + 3.0, "."), (from + 3.0, &told)]);
    }
}

fn dead_of(health: &Health) -> Vec<(FindingKind, Option<String>)> {
    let found = kinds(&health.findings());
    found.into_iter().filter(|(kind, _)| *kind == FindingKind::DeadSquare).collect()
}

#[test]
fn the_square_that_an_illegal_move_has_left_is_not_dead() {
    // A pawn that goes from a2 to a5 at once is told to have gone to a3 first.
    let told_on_a3 =
        |fen: &str| fen.replace("5N2/PPPPPPPP", "P4N2/1PPPPPPP").replace("8/PPPPPPPP", "P7/1PPPPPPP");
    let found = |illegal: &str| {
        let a3 = r#""type":"move","game":1,"ply":0,"san":"a3","fen":"rnbqkbnr/pppppppp/8/8/8/P7/1PPPPPPP/RNBQKBNR w KQkq - 0 1""#;
        let mut health = heard(&[(0.0, START), (1.0, BEGINS), (2.0, "-a2"), (3.0, "+Pa5"), (5.0, ".")]);
        hear(&mut health, &[(5.0, a3), (5.0, illegal)]);
        knights(&mut health, 30, told_on_a3);
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
fn a_square_that_dies_under_its_piece_is_dead_when_the_game_has_gone_on() {
    // Nobody sees the pawn of a2.
    let played_behind = |before: &[(f64, &str)], plies: usize, more: &[(f64, &str)]| {
        let mut health = heard(&[(0.0, START), (1.0, BEGINS), (2.0, "-a2")]);
        hear(&mut health, before);
        knights(&mut health, plies, str::to_owned);
        hear(&mut health, more);
        dead_of(&health)
    };
    let played = |plies, more: &[(f64, &str)]| played_behind(&[], plies, more);
    assert_eq!(played(5, &[]), []);
    assert_eq!(played(6, &[]), [(FindingKind::DeadSquare, Some("a2".into()))]);
    // It was only taken off.
    assert_eq!(played(6, &[(100.0, "+Pa2")]), []);
    // What is put right goes back a little way; whoever looks at the game goes back far.
    let back = |to: u32| format!(r#""type":"takeback","game":1,"ply":{to}"#);
    assert_eq!(played(12, &[(200.0, &back(9))]), [(FindingKind::DeadSquare, Some("a2".into()))]);
    assert_eq!(played(12, &[(200.0, &back(2))]), []);
    // What goes on from an illegal position may have a piece in it that nobody put there.
    let illegal = r#""type":"anomaly","game":1,"ply":0,"kind":"illegal","detail":"e4 is no legal move""#;
    assert_eq!(played_behind(&[(3.0, illegal)], 6, &[]), []);
}

/// A pawn that went straight on to a square that has spoken went to no other: it would have captured there what nobody saw.
#[test]
fn one_pawn_that_vanishes_beside_a_square_that_never_spoke_does_not_find_that_dead() {
    use crate::health::{dead::DeadSquares, lifted::Vanished, limits};
    let square = |name: &str| name.parse::<crate::record::Square>().unwrap();
    let stands = "r1bqkb1r/ppp2ppp/2n2n2/3p4/2P1P3/2N2N2/PP1P1PPP/R1BQKB1R".parse().unwrap();
    let named = |spoken: &[&str], pawns: &[&str]| {
        let mut squares = DeadSquares::default();
        spoken.iter().for_each(|name| squares.speaks(square(name)));
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
    // One that may have gone straight on finds one of two; where those have spoken nothing is found, unless there are two.
    assert_eq!(named(&["g3"], &["h2"]), ["h4", "h3"]);
    assert_eq!(named(&["h3", "h4"], &["h2"]), [""; 0]);
    assert_eq!(named(&["f3", "f4", "h3", "h4"], &["f2", "h2"]), ["g3"]);
}
