//! What is found in records that are written by hand.

mod anomalies;
mod clock;
mod dead_squares;
mod exchanged;
mod link;
mod over;

use super::Health;
use crate::record::{Finding, FindingKind, Record, Time, parse};

/// The time of the first record.
const BEGIN: i64 = 1_767_261_600_000;

/// Records of board 1025, each at its second: `p` a position, `+Pe4` and `-e2` changes, `.` a rest, anything else as it is.
pub(super) fn hear(health: &mut Health, told: &[(f64, &str)]) {
    hear_of(1025, health, told);
}

/// The same of another board.
fn hear_of(board: u16, health: &mut Health, told: &[(f64, &str)]) {
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
        let line = format!(r#"{{"board":{board},"time":"{}",{event}}}"#, at(*second));
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
    // A recorder that was started again finds it without saying so.
    let mut again = heard(&[(0.0, START), (10.0, r#""type":"lost","reason":"timeout""#)]);
    hear(&mut again, &[(60.0, r#""type":"board","mode":"bus""#), (60.0, START)]);
    assert_eq!(words(&again, 61.0), ["lost 51 s"]);
    hear(&mut again, &[(62.0, "-e2")]);
    assert_eq!(words(&again, 63.0), [""; 0]);
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
fn a_square_flickers_since_it_does_more_often_than_hands_lift_a_piece() {
    let mut told = vec![(0.0, START)];
    (0..3).for_each(|n| {
        told.extend([(20.0 + 2000.0 * f64::from(n), "-e2"), (22.0 + 2000.0 * f64::from(n), "+Pe2")])
    });
    let back = r#""type":"change","square":"e2","piece":"P","quick":true"#;
    (0..9).for_each(|n| {
        told.extend([(9000.0 + 5.0 * f64::from(n), "-e2"), (9000.0 + 5.0 * f64::from(n), back)])
    });
    let found = heard(&told).findings();
    assert_eq!(kinds(&found), [(FindingKind::Flicker, Some("e2".into()))]);
    assert_eq!(found[0].since, Some(at(9000.0)));
}

#[test]
fn quick_drop_outs_are_no_hands_where_as_many_slow_ones_may_be() {
    let quick = r#""type":"change","square":"e2","piece":"P","quick":true"#;
    let dropping = |times: i32, back: &'static str| {
        let mut told = vec![(0.0, START)];
        (1..=times).for_each(|n| told.extend([(80.0 * f64::from(n), "-e2"), (80.0 * f64::from(n), back)]));
        kinds(&heard(&told).findings())
    };
    assert_eq!(dropping(5, quick), [(FindingKind::Flicker, Some("e2".into()))]);
    assert_eq!(dropping(4, quick), []);
    assert_eq!(dropping(5, "+Pe2"), []);
}

#[test]
fn four_quick_drop_outs_within_a_minute_are_no_hands_but_quick_is_said_of_the_last_change_alone() {
    let quick = r#""type":"change","square":"e2","piece":"P","quick":true"#;
    let four_times = |drop_out: &[(f64, &'static str)]| {
        let each = (1..=4)
            .flat_map(|n| drop_out.iter().map(move |(second, what)| (15.0 * f64::from(n) + second, *what)));
        let told: Vec<_> = [(0.0, START)].into_iter().chain(each).collect();
        kinds(&heard(&told).findings())
    };
    assert_eq!(four_times(&[(0.0, "-e2"), (0.0, quick)]), [(FindingKind::Flicker, Some("e2".into()))]);
    // A hand holds it, while the other's comes down.
    assert_eq!(four_times(&[(0.0, "-e2"), (4.0, "+pe6"), (4.0, quick)]), []);
}

#[test]
fn a_piece_that_drops_out_on_two_squares_is_weak() {
    let mut told = vec![(0.0, START)];
    (0..7).for_each(|n| told.extend([(10.0 * f64::from(n), "-g1"), (10.0 * f64::from(n) + 2.0, "+Ng1")]));
    told.extend([(80.0, "-g1"), (80.0, "+Nf3"), (82.0, ".")]);
    (0..7).for_each(|n| {
        told.extend([(90.0 + 10.0 * f64::from(n), "-f3"), (92.0 + 10.0 * f64::from(n), "+Nf3")])
    });
    let found = heard(&told).findings();
    assert_eq!(kinds(&found), [(FindingKind::WeakPiece, Some("g1".into()))]);
    assert_eq!(found[0].detail, "the piece from g1, now on f3, drops out, 14 times");
}

/// A clock that runs.
const CLOCK: &str = r#""type":"clock","connected":true,"left":{"seconds":900},"right":{"seconds":900},"running":true,"turn":"left""#;
const LEFT: &str = r#""type":"press","side":"left","seconds":900"#;
const RIGHT: &str = r#""type":"press","side":"right","seconds":900"#;

#[test]
fn of_two_pieces_alike_that_are_gone_at_a_time_the_one_that_comes_back_is_weak() {
    let mut told = vec![(0.0, START)];
    for n in 0..13 {
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
fn a_board_that_stands_otherwise_than_its_game_while_that_goes_on_needs_a_hand() {
    let game = r#""type":"game","game":1,"rules":"chess","fen":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1""#;
    // The game has nothing of what is played from here on.
    let moves = ["-g1", "+Nf3", "-g8", "+nf6", "-f3", "+Ng1", "-f6", "+ng8"];
    let played = |presses: bool, plies: usize| {
        let mut told = vec![(0.0, START), (0.0, game), (5.0, "-a8"), (10.0, ".")];
        for n in 0..plies {
            let second = 20.0 + 20.0 * n as f64;
            told.extend([(second, moves[2 * n % 8]), (second + 1.0, moves[(2 * n + 1) % 8])]);
            told.extend([(second + 3.0, if presses { LEFT } else { "." })]);
        }
        kinds(&heard(&told).findings())
    };
    assert_eq!(played(true, 10), [(FindingKind::Mismatch, None)]);
    // Two minutes are not over; and without a clock they may look at the game.
    assert_eq!(played(true, 4), []);
    assert_eq!(played(false, 10), []);
}

#[test]
fn pain_20_a_board_that_is_lost_in_a_game_when_the_journal_ends_needs_a_hand() {
    let lost = r#""type":"lost","reason":"port-closed""#;
    let told = [(0.0, START), (1.0, CLOCK), (10.0, "-e2"), (11.0, "+Pe4"), (12.0, lost)];
    // No record comes that would tell for how long.
    let found = heard(&told).findings();
    assert_eq!(kinds(&found), [(FindingKind::Silent, None)]);
    assert_eq!(found[0].detail, "lost in a game, and not heard since");
    let found = [(13.0, r#""type":"found","reason":"port-closed""#), (40.0, ".")];
    assert_eq!(kinds(&heard(&[&told[..], &found].concat()).findings()), []);
    assert_eq!(kinds(&heard(&[(0.0, START), (1.0, "."), (12.0, lost)]).findings()), []);
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
fn what_is_told_late_of_an_earlier_game_is_none_of_the_one_in_play() {
    const FIRST: &str = r#""type":"game","game":1,"rules":"chess","fen":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1""#;
    const SECOND: &str = r#""type":"game","game":2,"rules":"chess","fen":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1""#;
    let guess = r#""type":"move","game":2,"ply":1,"san":"e4","uci":"e2e4","guess":true,"fen":"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1""#;
    let late = [
        r#""type":"takeback","game":1,"ply":0"#,
        r#""type":"ruling","game":1,"ply":1,"uci":"d2d4""#,
        r#""type":"move","game":1,"ply":1,"san":"d4","uci":"d2d4","fen":"rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq - 0 1""#,
        r#""type":"end","game":1,"result":"1-0","reason":"kings""#,
    ];
    let went_on = guess.replace(r#""ply":1"#, r#""ply":21"#).replace(r#""guess":true,"#, "");
    let mut health = heard(&[(0.0, FIRST), (10.0, SECOND), (20.0, START), (20.0, guess), (25.0, &went_on)]);
    for told in late {
        hear(&mut health, &[(30.0, told)]);
        assert_eq!(kinds(&health.findings()), [(FindingKind::Guess, None)], "{told}");
    }
    // It stands otherwise than its game, and that is in play.
    hear(&mut health, &[(40.0, "p4k3/8/8/8/8/8/8/4K3"), (41.0, "."), (90.0, ".")]);
    assert_eq!(words(&health, 100.0), ["board does not match the game since the start"]);
}

#[test]
fn without_a_clock_a_move_is_doubted_and_guessed_when_the_game_has_gone_on() {
    const GAME: &str = r#""type":"game","game":1,"rules":"chess","fen":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1""#;
    let ply = |ply: u32, more: &str| {
        format!(
            r#""type":"move","game":1,"ply":{ply},"san":"e4","uci":"e2e4",{more}"fen":"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1""#
        )
    };
    for (unsure, kind) in [
        (r#""guess":true,"#, FindingKind::Guess),
        (r#""certainty":0.5,"alternatives":[],"#, FindingKind::Doubt),
    ] {
        // They may look at the game when it is over: nothing tells what they try from what was played.
        let mut health = heard(&[(0.0, GAME), (10.0, &ply(40, "")), (20.0, &ply(41, unsure))]);
        hear(&mut health, &[(30.0, &ply(60, ""))]);
        assert_eq!(kinds(&health.findings()), [], "{unsure}");
        hear(&mut health, &[(40.0, &ply(61, ""))]);
        assert_eq!(kinds(&health.findings()), [(kind, None)], "{unsure}");
        // Told again it stays one, until it is sure.
        hear(&mut health, &[(20.0, &ply(41, unsure))]);
        assert_eq!(kinds(&health.findings()), [(kind, None)], "{unsure}");
        let mut sure = health.clone();
        hear(&mut sure, &[(20.0, &ply(41, ""))]);
        assert_eq!(kinds(&sure.findings()), [], "{unsure}");
        // They go back and forth, so they look at it, from so far back that only these plies are behind the unsure one.
        for (back_to, findings) in [(62, vec![(kind, None)]), (61, vec![])] {
            let mut looked_at = health.clone();
            let again = [60.0, 70.0, 80.0, 90.0, 100.0].map(|time| (time, ply(back_to, "")));
            again.iter().for_each(|(time, again)| hear(&mut looked_at, &[(*time, again)]));
            assert_eq!(kinds(&looked_at.findings()), findings, "{unsure}, back to {back_to}");
        }
    }
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
    // It is heard now and then, and much else that it says is spoilt.
    let spoilt = r#""type":"answers","asked":40,"missed":0,"spoilt":20,"median_seconds":0.01,"worst_seconds":0.1,"line_seconds":1,"seconds":60"#;
    hear(&mut health, &[(3660.0, spoilt), (3661.0, "-e2"), (3662.0, ".")]);
    assert_eq!(words(&health, 3670.0), ["two boards have this address"]);
    assert_eq!(words(&health, 4300.0), [""; 0]);
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
    let found = health.findings();
    assert_eq!(kinds(&found).last(), Some(&(FindingKind::NoGame, None)));
    assert_eq!(found.last().unwrap().since, Some(at(0.0)));
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
    for n in 0..13 {
        let at = 30.0 * f64::from(n);
        // The weak knight is gone when the other is seen on its new square, and back before that left its old one.
        let (from, to) = if n % 2 == 0 { ("-b1", "+Nc3") } else { ("-c3", "+Nb1") };
        told.extend([(at, "-g1"), (at, to), (at + 1.0, "+Ng1"), (at + 1.0, from), (at + 5.0, ".")]);
    }
    let found = heard(&told).findings();
    assert_eq!(kinds(&found), [(FindingKind::WeakPiece, Some("g1".into()))]);
    assert_eq!(found[0].count, 13);
}

#[test]
fn a_pawn_that_drops_out_while_another_comes_to_stand_before_it_was_not_captured() {
    let mut told = vec![(0.0, START), (5.0, "-e2"), (5.0, "+Pe4"), (7.0, ".")];
    // Black's pawn comes to e5 while White's is not seen on e4.
    told.extend([(20.0, "-e4"), (20.0, "-e7"), (20.0, "+pe5"), (22.0, "+Pe4"), (24.0, ".")]);
    (0..12).for_each(|n| {
        told.extend([(30.0 + 15.0 * f64::from(n), "-e4"), (32.0 + 15.0 * f64::from(n), "+Pe4")])
    });
    let found = heard(&told).findings();
    assert_eq!((found[0].square, found[0].count), ("e2".parse().ok(), 13));
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

#[test]
fn who_puts_the_pieces_away_and_sets_them_up_again_plays_no_game() {
    const MEN: [&str; 4] = ["Pa2", "Pb2", "Pc2", "Pd2"];
    let mut health = Health::with_games();
    let set_up = "prnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
    hear(&mut health, &[(0.0, set_up)]);
    for time in 0..20 {
        let second = 100.0 + 10.0 * f64::from(time);
        for man in MEN {
            let (put, lifted) = (format!("+{man}"), format!("-{}", &man[1..]));
            hear(&mut health, &[(second, &lifted), (second + 5.0, &put)]);
        }
    }
    assert!(health.findings().iter().all(|found| found.kind != FindingKind::NoGame));
}

#[test]
fn a_journal_without_its_beginning_is_said_once_of_the_line() {
    let moved: Vec<(f64, &str)> = (0..64)
        .map(|n| {
            (4.0 * f64::from(n), ["-e1", "+Kf2", "-f2", "+Kg3", "-g3", "+Kf3", "-f3", "+Ke1"][n as usize % 8])
        })
        .collect();
    let mut health = Health::with_games();
    for board in 1025..1030 {
        hear_of(board, &mut health, &[(0.0, "p4k3/8/8/8/4P3/8/8/4K3")]);
        hear_of(board, &mut health, &moved);
    }
    let found = health.findings();
    assert_eq!(kinds(&found), [(FindingKind::NoGame, None)]);
    assert!(found[0].board.is_none() && found[0].detail.starts_with("5 of 5 boards"), "{found:?}");
    assert!(found[0].advice.contains("from its beginning"));
}

/// An illegal move stands on the board beside a clock, and then it goes on as told; what is found behind that.
fn behind_an_illegal_move(then: &[(f64, &'static str)]) -> Vec<String> {
    behind_an_illegal_move_with(CLOCK, then)
}

/// The same beside another clock, or another record in its place.
fn behind_an_illegal_move_with(clock: &'static str, then: &[(f64, &'static str)]) -> Vec<String> {
    let game = r#""type":"game","game":1,"rules":"chess","fen":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1""#;
    let odd =
        r#""type":"anomaly","game":1,"ply":0,"kind":"illegal","detail":"P from e2 to e5 is no legal move""#;
    let mut told = vec![(0.0, START), (0.0, game), (1.0, clock)];
    told.extend([(5.0, "-e2"), (5.0, "+Pe5"), (20.0, "."), (20.0, odd)]);
    told.extend(then);
    let found = heard(&told).findings();
    found.into_iter().filter(|found| found.kind == FindingKind::Anomaly).map(|found| found.detail).collect()
}

#[test]
fn an_illegal_move_that_is_put_right_needs_no_hand_and_one_that_is_not_does() {
    let told = ["behind the start, P from e2 to e5 is no legal move"];
    // It may be put right yet.
    assert_eq!(behind_an_illegal_move(&[(30.0, LEFT), (100.0, CLOCK)]), [""; 0]);
    assert_eq!(behind_an_illegal_move(&[(30.0, LEFT), (200.0, CLOCK)]), told);
    let back = [(25.0, "-e5"), (25.0, "+Pe2"), (27.0, ".")];
    assert_eq!(behind_an_illegal_move(&back), [""; 0]);
    // Black plays on, and the game with him: what the board showed stands in it.
    let on = r#""type":"move","game":1,"ply":2,"san":"a6","uci":"a7a6","fen":"rnbqkbnr/1ppppppp/p7/4P3/8/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2""#;
    let on = [(30.0, "-a7"), (30.0, "+pa6"), (30.0, LEFT), (30.0, on), (32.0, ".")];
    assert_eq!(behind_an_illegal_move(&on), told);
    // While it stands it is told again, and is one.
    let again =
        r#""type":"anomaly","game":1,"ply":2,"kind":"illegal","detail":"P from e2 to e5 is no legal move""#;
    let again = [(40.0, again), (50.0, again), (60.0, LEFT), (200.0, CLOCK)];
    assert_eq!(behind_an_illegal_move(&again), told);
    // The game is over before anybody puts it right; or they look at it when it was, beside a clock that nobody has stopped.
    let end = [(30.0, r#""type":"end","game":1,"result":"*","reason":"new-game""#), (31.0, START)];
    assert_eq!(behind_an_illegal_move(&[&[(25.0, LEFT)], &end[..]].concat()), told);
    assert_eq!(behind_an_illegal_move(&end), [""; 0]);
    assert_eq!(behind_an_illegal_move(&[(200.0, CLOCK)]), [""; 0]);
}

#[test]
fn what_no_move_explains_while_the_clock_stands_or_when_a_game_without_one_is_over_is_nobodys_fault() {
    const STANDS: &str =
        r#""type":"clock","connected":true,"left":{"seconds":9},"right":{"seconds":9},"running":false"#;
    let end =
        [(200.0, "."), (230.0, r#""type":"end","game":1,"result":"*","reason":"new-game""#), (231.0, START)];
    assert_eq!(behind_an_illegal_move_with(STANDS, &end), [""; 0]);
    // They look at the game, or set up.
    assert_eq!(behind_an_illegal_move_with(".", &end), [""; 0]);
    // It goes on from there.
    let plies: Vec<String> = (2..=21)
        .map(|ply| {
            let fen = "rnbqkbnr/1ppppppp/p7/4P3/8/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
            format!(r#""type":"move","game":1,"ply":{ply},"san":"a6","uci":"a7a6","fen":"{fen}""#)
        })
        .collect();
    let on: Vec<(f64, &'static str)> = plies.into_iter().map(|ply| (40.0, &*ply.leak())).collect();
    assert_eq!(behind_an_illegal_move_with(".", &on[..19]), [""; 0]);
    assert_eq!(behind_an_illegal_move_with(".", &on), ["behind the start, P from e2 to e5 is no legal move"]);
    // More was put elsewhere than a move can: they look at another position.
    let without = "prnbqkbnr/pp2pppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
    assert_eq!(behind_an_illegal_move_with(without, &on), [""; 0]);
}

#[test]
fn a_board_without_a_clock_that_is_switched_off_over_night_was_not_silent_in_a_game() {
    let night = |clock: &'static str, hours: f64| {
        let back = 30.0 + 3600.0 * hours;
        let told = [
            (0.0, START),
            (1.0, clock),
            (10.0, "-e2"),
            (11.0, "+Pe4"),
            (30.0, r#""type":"lost","reason":"timeout""#),
            (back, r#""type":"found","reason":"timeout""#),
            (back, r#""type":"mark","mark":"power-up""#),
            (back + 60.0, "."),
        ];
        kinds(&heard(&told).findings())
    };
    assert_eq!(night(".", 10.0), []);
    assert_eq!(night(".", 0.1), [(FindingKind::Reset, None)]);
    assert_eq!(night(CLOCK, 10.0), [(FindingKind::Reset, None)]);
}

#[test]
fn boards_that_lose_their_power_together_are_one_finding_of_the_line() {
    let resets = |seconds: [f64; 3]| {
        let mut health = Health::new();
        for (board, reset) in (1025..).zip(seconds) {
            let told = [(0.0, START), (1.0, CLOCK), (10.0, "-e2"), (11.0, "+Pe4")];
            hear_of(board, &mut health, &told);
            hear_of(board, &mut health, &[(reset, r#""type":"mark","mark":"power-up""#)]);
        }
        health.findings()
    };
    let together = resets([30.0, 30.4, 31.0]);
    assert_eq!(kinds(&together), [(FindingKind::Reset, None)]);
    assert_eq!((together[0].board, together[0].count), (None, 3));
    assert_eq!(together[0].detail, "3 of 3 boards: restarted once in a game");
    // One after the other has each its own plug.
    assert_eq!(resets([30.0, 60.0, 90.0]).iter().filter_map(|finding| finding.board).count(), 3);
}

#[test]
fn the_halls_power_that_goes_between_rounds_is_no_finding_where_few_games_seem_to_be_in_play() {
    const OVER: &str =
        r#""type":"clock","connected":true,"left":{"seconds":9},"right":{"seconds":9},"running":false"#;
    let left_running = |running: u16| {
        let mut health = Health::new();
        for board in 1025..1031 {
            let clock = if board < 1025 + running { CLOCK } else { OVER };
            let told = [(0.0, START), (1.0, clock), (30.0, r#""type":"mark","mark":"power-up""#)];
            hear_of(board, &mut health, &told);
        }
        health.findings().into_iter().map(|finding| (finding.kind, finding.board)).collect::<Vec<_>>()
    };
    assert_eq!(left_running(2), []);
    let each = [1025, 1026, 1027].map(|board| (FindingKind::Reset, Some(board)));
    assert_eq!(left_running(3), each);
    assert_eq!(left_running(6), [(FindingKind::Reset, None)]);
}

#[test]
fn a_board_of_which_much_is_spoilt_and_of_no_other_board_has_a_twin() {
    let answers = |spoilt: u32| {
        format!(
            r#""type":"answers","asked":40,"missed":0,"spoilt":{spoilt},"median_seconds":0.01,"worst_seconds":0.02,"line_seconds":1,"seconds":60"#
        )
    };
    let found = |spoilt: [u32; 3]| {
        let mut health = Health::new();
        for (board, spoilt) in (1025..).zip(spoilt) {
            hear_of(board, &mut health, &[(0.0, START)]);
            let told = answers(spoilt);
            (1..=5).for_each(|minute| hear_of(board, &mut health, &[(60.0 * f64::from(minute), &told)]));
        }
        health.findings().into_iter().map(|finding| (finding.kind, finding.board)).collect::<Vec<_>>()
    };
    assert_eq!(found([0, 20, 0]), [(FindingKind::Twin, Some(1026))]);
    assert_eq!(found([0, 12, 0]), [], "a bad cable");
    assert_eq!(found([20, 20, 20]), [], "noise");
}
