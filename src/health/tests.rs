//! What is found in records that are written by hand.

use super::Health;
use crate::record::{Finding, FindingKind, Record, Time, parse};

/// The time of the first record.
const BEGIN: i64 = 1_767_261_600_000;

/// Records of board 1025, each at its second: `p` a position, `+Pe4` and `-e2` changes, `.` a rest, anything else as it is.
pub(super) fn hear(health: &mut Health, told: &[(f64, &str)]) {
    for (second, what) in told {
        let event = match what.split_at(1) {
            ("+", rest) => {
                let (piece, square) = rest.split_at(1);
                format!(r#""type":"change","square":"{square}","piece":"{piece}""#)
            }
            ("-", square) => format!(r#""type":"change","square":"{square}","piece":null"#),
            ("p", placement) => format!(r#""type":"position","placement":"{placement}""#),
            (".", _) => r#""type":"quiet""#.to_owned(),
            _ => (*what).to_owned(),
        };
        let line = format!(r#"{{"board":1025,"time":"{}",{event}}}"#, at(*second));
        match parse(line.as_bytes()).unwrap() {
            Record::Board(record) => health.board(&record),
            Record::Game(record) => health.game(&record),
            other => panic!("{other:?}"),
        }
    }
}

/// A second of the tests' time.
pub(super) fn at(second: f64) -> Time {
    Time(BEGIN).after(second)
}

fn heard(told: &[(f64, &str)]) -> Health {
    let mut health = Health::new();
    hear(&mut health, told);
    health
}

fn words(health: &Health, second: f64) -> Vec<String> {
    health.trouble(&(None, Some(1025)), at(second)).into_iter().map(|trouble| trouble.words).collect()
}

fn kinds(found: &[Finding]) -> Vec<(FindingKind, Option<String>)> {
    found.iter().map(|finding| (finding.kind, finding.square.map(|square| square.to_string()))).collect()
}

const START: &str = "prnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
const WITHOUT_E2: &str = "prnbqkbnr/pppppppp/8/8/8/8/PPPP1PPP/RNBQKBNR";

#[test]
fn pain_20_a_lost_board_is_said_to_be_lost_and_for_how_long() {
    let mut health = heard(&[(0.0, START), (10.0, r#""type":"lost","reason":"timeout""#)]);
    assert_eq!(words(&health, 50.0), ["lost 40 s"]);
    hear(&mut health, &[(60.0, r#""type":"found","reason":"timeout""#)]);
    assert_eq!(words(&health, 61.0), [""; 0]);
}

#[test]
fn pain_22_faults_of_the_last_minute_are_counted_by_kind() {
    let fault = r#""type":"fault","kind":"checksum","detail":"checksum""#;
    let health = heard(&[(0.0, START), (10.0, fault), (20.0, fault), (30.0, fault)]);
    assert_eq!(words(&health, 40.0), ["3 checksum faults in the last minute"]);
    assert_eq!(words(&health, 75.0), ["2 checksum faults in the last minute"]);
    assert_eq!(words(&health, 200.0), [""; 0]);
    assert!(health.findings().is_empty());
}

#[test]
fn a_square_whose_piece_comes_and_goes_flickers_and_one_that_is_adjusted_does_not() {
    let mut told = vec![(0.0, START)];
    (0..3).for_each(|n| told.extend([(20.0 * f64::from(n), "-b1"), (20.0 * f64::from(n), "+Nb1")]));
    assert!(heard(&told).findings().is_empty());
    let back = r#""type":"change","square":"e2","piece":"P","quick":true"#;
    (0..9)
        .for_each(|n| told.extend([(100.0 + 5.0 * f64::from(n), "-e2"), (100.0 + 5.0 * f64::from(n), back)]));
    let health = heard(&told);
    let found = health.findings();
    assert_eq!(kinds(&found), [(FindingKind::Flicker, Some("e2".into()))]);
    assert_eq!((found[0].count, found[0].since), (9, Some(at(100.0))));
    assert_eq!(words(&health, 141.0), ["e2 flickers"]);
    assert_eq!(words(&health, 1000.0), [""; 0]);
}

#[test]
fn a_piece_that_drops_out_on_two_squares_is_weak() {
    let mut told = vec![(0.0, START)];
    (0..5).for_each(|n| told.extend([(10.0 * f64::from(n), "-g1"), (10.0 * f64::from(n) + 2.0, "+Ng1")]));
    told.extend([(60.0, "-g1"), (60.0, "+Nf3"), (62.0, ".")]);
    (0..5).for_each(|n| {
        told.extend([(70.0 + 10.0 * f64::from(n), "-f3"), (72.0 + 10.0 * f64::from(n), "+Nf3")])
    });
    let found = heard(&told).findings();
    assert_eq!(kinds(&found), [(FindingKind::WeakPiece, Some("g1".into()))]);
    assert_eq!(found[0].detail, "the piece from g1, now on f3, drops out, 10 times");
}

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

/// A clock that runs.
const CLOCK: &str = r#""type":"clock","connected":true,"left":{"seconds":900},"right":{"seconds":900},"running":true,"turn":"left""#;
const LEFT: &str = r#""type":"press","side":"left","seconds":900"#;
const RIGHT: &str = r#""type":"press","side":"right","seconds":900"#;

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
    // Nobody has pressed since: it may be put away.
    assert!(kinds(&heard(&told).findings()).iter().all(|(kind, _)| *kind != FindingKind::DeadSquare));
    told.push((80.0, RIGHT));
    let found = heard(&told).findings();
    assert!(kinds(&found).contains(&(FindingKind::DeadSquare, Some("f3".into()))), "{found:#?}");
}

#[test]
fn a_piece_that_the_game_has_captured_finds_no_square_dead() {
    let mut told = knight_of_g1_vanishes();
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
    told.extend([(1.0, game), (10.0, "-h2"), (10.0, LEFT), (12.0, "."), (15.0, "-a7"), (15.0, "+pa6")]);
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

#[test]
fn of_two_pieces_alike_that_are_gone_at_a_time_the_one_that_comes_back_is_weak() {
    let mut told = vec![(0.0, START)];
    for n in 0..9 {
        let at = 30.0 * f64::from(n);
        // The other knight is on its way when this one drops out.
        let (from, to) = if n % 2 == 0 { ("-b1", "+Nc3") } else { ("-c3", "+Nb1") };
        told.extend([(at, from), (at, "-g1"), (at, to), (at + 1.0, "+Ng1"), (at + 5.0, ".")]);
    }
    assert_eq!(kinds(&heard(&told).findings()), [(FindingKind::WeakPiece, Some("g1".into()))]);
}

#[test]
fn pain_25_a_board_that_stands_otherwise_than_its_game_is_said_to_since_which_move() {
    let told = [
        (0.0, START),
        (
            0.0,
            r#""type":"game","game":1,"rules":"chess","fen":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1""#,
        ),
        (10.0, "-g1"),
        (10.0, "+Nf3"),
        (
            10.0,
            r#""type":"move","game":1,"ply":1,"san":"Nf3","uci":"g1f3","fen":"rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R b KQkq - 1 1""#,
        ),
        (12.0, "."),
        (20.0, "-a8"),
        (22.0, "."),
    ];
    let health = heard(&told);
    assert_eq!(words(&health, 30.0), [""; 0]);
    assert_eq!(words(&health, 45.0), ["board does not match the game since 1.Nf3"]);
}

#[test]
fn an_earlier_move_that_is_told_again_takes_back_none_behind_it() {
    let e4 = r#""type":"move","game":1,"ply":1,"san":"e4","uci":"e2e4","fen":"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1""#;
    let surer = format!(r#"{e4},"certainty":0.9999"#);
    let told = [
        (0.0, START),
        (
            0.0,
            r#""type":"game","game":1,"rules":"chess","fen":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1""#,
        ),
        (5.0, CLOCK),
        (10.0, "-e2"),
        (10.0, "+Pe4"),
        (10.0, e4),
        (20.0, "-e7"),
        (20.0, "+pe5"),
        (
            20.0,
            r#""type":"move","game":1,"ply":2,"san":"e5","uci":"e7e5","fen":"rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2""#,
        ),
        (20.0, &surer),
        // And White thinks.
        (22.0, "."),
        (200.0, CLOCK),
    ];
    let health = heard(&told);
    assert_eq!(words(&health, 60.0), [""; 0]);
    assert!(kinds(&health.findings()).iter().all(|(kind, _)| *kind != FindingKind::Mismatch));
}

#[test]
fn two_boards_with_one_address_are_one_finding_whatever_they_spoil() {
    let twin = r#""type":"fault","kind":"corrupt","detail":"two boards have this address, and spoil each other's answers""#;
    let spoilt = r#""type":"fault","kind":"checksum","detail":"checksum""#;
    let mut told = vec![(0.0, START), (5.0, twin)];
    told.extend([(6.0, spoilt); 40]);
    assert_eq!(kinds(&heard(&told).findings()), [(FindingKind::Twin, None)]);
}

#[test]
fn a_twin_stays_said_until_something_whole_comes_from_its_address() {
    let twin = r#""type":"fault","kind":"corrupt","detail":"two boards have this address, and spoil each other's answers""#;
    let mut health = heard(&[(0.0, r#""type":"board","mode":"bus""#), (0.0, twin)]);
    assert_eq!(words(&health, 3600.0), ["two boards have this address"]);
    hear(&mut health, &[(3600.0, START), (3601.0, ".")]);
    assert_eq!(words(&health, 3602.0), [""; 0]);
}

#[test]
fn a_board_that_was_switched_on_before_anybody_looked_has_not_restarted() {
    let listed = r#""type":"mark","mark":"power-up","listing":true"#;
    let mut health =
        heard(&[(0.0, r#""type":"board","mode":"bus""#), (2.0, listed), (2.0, "+Pe2"), (3.0, ".")]);
    assert_eq!(words(&health, 4.0), [""; 0]);
    // Between two rounds it does.
    hear(&mut health, &[(100.0, listed), (100.0, "+Pe2"), (101.0, ".")]);
    assert_eq!(words(&health, 102.0), ["restarted"]);
}

#[test]
fn a_board_that_changes_and_changes_without_a_game_is_a_finding_where_games_are_told_of() {
    let told: Vec<(f64, &str)> =
        (0..50).map(|n| (60.0 * f64::from(n), if n % 2 == 0 { "-e4" } else { "+Pe4" })).collect();
    let mut health = Health::with_games();
    hear(&mut health, &[(0.0, "p4k3/8/8/8/4P3/8/8/4K3")]);
    hear(&mut health, &told);
    assert_eq!(kinds(&health.findings()).last(), Some(&(FindingKind::NoGame, None)));
}

#[test]
fn what_a_log_tells_again_is_not_counted_twice() {
    let mut told = vec![(0.0, START)];
    told.push((1.0, r#""type":"history","reason":"watch-begins","count":40,"complete":true"#));
    (0..20).for_each(|_| told.extend([(1.0, "-e2"), (1.0, "+Pe2")]));
    assert!(heard(&told).findings().is_empty());
}

#[test]
fn a_piece_that_came_down_before_it_was_seen_to_leave_is_not_taken_for_one_that_had_dropped_out() {
    let mut told = vec![(0.0, START)];
    for n in 0..9 {
        let at = 30.0 * f64::from(n);
        // The weak knight is gone when the other is seen on its new square, and back before that left its old one.
        let (from, to) = if n % 2 == 0 { ("-b1", "+Nc3") } else { ("-c3", "+Nb1") };
        told.extend([(at, "-g1"), (at, to), (at + 1.0, "+Ng1"), (at + 1.0, from), (at + 5.0, ".")]);
    }
    let found = heard(&told).findings();
    assert_eq!(kinds(&found), [(FindingKind::WeakPiece, Some("g1".into()))]);
    assert_eq!(found[0].count, 9);
}

#[test]
fn a_pawn_that_drops_out_while_another_comes_to_stand_before_it_was_not_captured() {
    let mut told = vec![(0.0, START), (5.0, "-e2"), (5.0, "+Pe4"), (7.0, ".")];
    // Black's pawn comes to e5 while White's is not seen on e4.
    told.extend([(20.0, "-e4"), (20.0, "-e7"), (20.0, "+pe5"), (22.0, "+Pe4"), (24.0, ".")]);
    (0..8).for_each(|n| {
        told.extend([(30.0 + 15.0 * f64::from(n), "-e4"), (32.0 + 15.0 * f64::from(n), "+Pe4")])
    });
    let found = heard(&told).findings();
    assert_eq!((found[0].square, found[0].count), ("e2".parse().ok(), 9));
    // It is still known as the pawn that began on e2; a bad contact of e4 would be quicker.
    assert_eq!(found.len(), 1);
}

#[test]
fn of_many_pieces_that_come_and_go_on_a_square_each_may_drop_out_only_once_or_twice() {
    let mut told = vec![(0.0, START)];
    let back = |piece: char| format!(r#""type":"change","square":"e4","piece":"{piece}","quick":true"#);
    let backs: Vec<String> = "PNBQ".chars().map(back).collect();
    for (n, (piece, back)) in ["+Pe4", "+Ne4", "+Be4", "+Qe4"].into_iter().zip(&backs).enumerate() {
        let at = 60.0 + 100.0 * n as f64;
        told.extend([
            (at, piece),
            (at + 10.0, "-e4"),
            (at + 10.0, back),
            (at + 25.0, "-e4"),
            (at + 25.0, back),
        ]);
        told.push((at + 30.0, "-e4"));
    }
    assert_eq!(kinds(&heard(&told).findings()), [(FindingKind::Flicker, Some("e4".into()))]);
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
fn the_usual_time_of_the_others_is_their_middle_one_whoever_asks() {
    // Of five and of four; a board that never answered is none of them.
    let times = [0.01, 0.02, 0.02, 0.03, 0.9];
    let of_others = |own| super::findings::usual_of_others(&times, own);
    assert_eq!(of_others(None), Some(0.02));
    assert_eq!(of_others(Some(0.01)), Some(0.03));
    assert_eq!(of_others(Some(0.02)), Some(0.03));
    assert_eq!(of_others(Some(0.03)), Some(0.02));
    assert_eq!(of_others(Some(0.9)), Some(0.02));
    assert_eq!(super::findings::usual_of_others(&[0.5], Some(0.5)), None);
    assert_eq!(super::findings::usual_of_others(&[], None), None);
}

#[test]
fn anomalies_that_nothing_explains_ask_for_a_look_at_the_board_when_they_are_many() {
    let game = r#""type":"game","game":1,"rules":"chess","fen":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1""#;
    let odd =
        r#""type":"anomaly","game":1,"ply":0,"kind":"unexplained","detail":"no legal move explains e4""#;
    let told = |count: usize| {
        let mut told = vec![(0.0, START), (0.0, game)];
        told.extend((0..count).map(|n| (60.0 * n as f64, odd)));
        let found = heard(&told).findings();
        assert_eq!(kinds(&found), [(FindingKind::Anomaly, None)]);
        (found[0].detail.clone(), found[0].advice.clone())
    };
    let (one, two, many) = (told(1), told(2), told(6));
    assert_eq!(one.0, "behind the start, no legal move explains e4");
    assert_eq!(two.0, "twice, the last behind the start, no legal move explains e4");
    assert_eq!(many.0, "6 times, the last behind the start, no legal move explains e4");
    assert!(one.1.contains("score sheets") && two.1.contains("score sheets"));
    assert!(many.1.contains("dump --follow"), "{}", many.1);
}
