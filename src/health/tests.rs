//! Findings from hand-written records, and the records that the tests share.

mod anomalies;
mod clock;
mod dead_squares;
mod exchanged;
mod link;
mod over;

use super::Health;
use crate::record::{Finding, FindingKind, Record, Time, parse};

/// Feeds records of board 1025, each at its second and written as [`fields`] reads them.
pub(super) fn feed(health: &mut Health, records: &[(f64, &str)]) {
    feed_board(1025, health, records);
}

/// The fields of a record: a word for what many tests need, `p` a position, `+Pe4` and `-e2` changes, `.` a rest, anything
/// else the fields as they are.
fn fields(what: &str) -> String {
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
    let game =
        |number| format!(r#""type":"game","game":{number},"rules":"chess","fen":"{start} w KQkq - 0 1""#);
    let clock = |running| {
        let sides = r#""left":{"seconds":900},"right":{"seconds":900}"#;
        format!(r#""type":"clock","connected":true,{sides},"running":{running}"#)
    };
    let played = |ply, san, uci, fen| {
        format!(r#""type":"move","game":1,"ply":{ply},"san":"{san}","uci":"{uci}","fen":"{fen}""#)
    };
    match (what, what.split_at(1)) {
        ("start", _) => fields(&format!("p{start}")),
        ("game", _) => game(1),
        ("game 2", _) => game(2),
        ("clock", _) => clock(true) + r#","turn":"left""#,
        ("stopped", _) => clock(false),
        ("unplugged", _) => r#""type":"clock","connected":false"#.into(),
        ("L", _) => r#""type":"press","side":"left","seconds":900"#.into(),
        ("R", _) => r#""type":"press","side":"right","seconds":900"#.into(),
        ("lost" | "found", _) => format!(r#""type":"{what}","reason":"timeout""#),
        ("power-up", _) => r#""type":"mark","mark":"power-up""#.into(),
        ("quick", _) => fields("+Pe2") + r#","quick":true"#,
        ("e4", _) => played(1, "e4", "e2e4", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"),
        ("e4 pressed", _) => fields("e4") + r#","seconds":5400"#,
        ("e5", _) => played(2, "e5", "e7e5", "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"),
        // As the next game begins.
        ("over", _) => r#""type":"end","game":1,"result":"*","reason":"new-game""#.into(),
        (_, ("+", rest)) => {
            let (piece, square) = rest.split_at(1);
            format!(r#""type":"change","square":"{square}","piece":"{piece}""#)
        }
        (_, ("-", square)) => format!(r#""type":"change","square":"{square}","piece":null"#),
        (_, ("p", placement)) => format!(r#""type":"position","placement":"{placement}""#),
        (_, (".", _)) => r#""type":"quiet""#.into(),
        _ => what.to_owned(),
    }
}

/// Feeds records of this board.
fn feed_board(board: u16, health: &mut Health, records: &[(f64, &str)]) {
    for (second, what) in records {
        let line = format!(r#"{{"board":{board},"time":"{}",{}}}"#, at(*second), fields(what));
        match parse(line.as_bytes()).unwrap() {
            Record::Board(record) => health.board(&record),
            Record::Game(record) => health.game(&record),
            other => panic!("{other:?}"),
        }
    }
}

/// The time at this second of a test.
pub(super) fn at(second: f64) -> Time {
    Time(1_767_261_600_000).after(second)
}

/// The health after these records of board 1025.
fn health_of(records: &[(f64, &str)]) -> Health {
    let mut health = Health::new();
    feed(&mut health, records);
    health
}

/// The trouble of board 1025 at this second, in words.
fn words(health: &Health, second: f64) -> Vec<String> {
    health.trouble(&(None, Some(1025)), at(second)).into_iter().map(|trouble| trouble.words).collect()
}

fn kinds(found: &[Finding]) -> Vec<(FindingKind, Option<String>)> {
    found.iter().map(|finding| (finding.kind, finding.square.map(|square| square.to_string()))).collect()
}

#[test]
fn pain_20_lost_board_is_reported_with_its_duration() {
    let mut health = health_of(&[(0.0, "start"), (10.0, "lost")]);
    assert_eq!(words(&health, 50.0), ["lost 40 s"]);
    feed(&mut health, &[(60.0, "found")]);
    assert_eq!(words(&health, 61.0), [""; 0]);
    // A restarted recorder finds it without a record of that.
    let mut again = health_of(&[(0.0, "start"), (10.0, "lost")]);
    feed(&mut again, &[(60.0, r#""type":"board","mode":"bus""#), (60.0, "start")]);
    assert_eq!(words(&again, 61.0), ["lost 51 s"]);
    feed(&mut again, &[(62.0, "-e2")]);
    assert_eq!(words(&again, 63.0), [""; 0]);
}

#[test]
fn pain_22_recent_faults_are_counted_by_kind() {
    let fault = r#""type":"fault","kind":"checksum","detail":"checksum""#;
    let health = health_of(&[(0.0, "start"), (10.0, fault), (20.0, fault), (30.0, fault)]);
    assert_eq!(words(&health, 40.0), ["3 checksum faults in the last minute"]);
    assert_eq!(words(&health, 75.0), ["2 checksum faults in the last minute"]);
    assert_eq!(words(&health, 200.0), [""; 0]);
    assert!(health.findings().is_empty());
}

#[test]
fn flickering_square_is_found_and_adjusted_piece_is_not() {
    let mut records = vec![(0.0, "start")];
    (0..3).for_each(|n| records.extend([(20.0 * f64::from(n), "-b1"), (20.0 * f64::from(n), "+Nb1")]));
    assert!(health_of(&records).findings().is_empty());
    (0..9).for_each(|n| {
        records.extend([(100.0 + 5.0 * f64::from(n), "-e2"), (100.0 + 5.0 * f64::from(n), "quick")])
    });
    let health = health_of(&records);
    let found = health.findings();
    assert_eq!(kinds(&found), [(FindingKind::Flicker, Some("e2".into()))]);
    assert_eq!((found[0].count, found[0].since), (9, Some(at(100.0))));
    assert_eq!(words(&health, 141.0), ["e2 flickers"]);
    assert_eq!(words(&health, 1000.0), [""; 0]);
}

#[test]
fn flicker_begins_when_drop_outs_become_frequent() {
    let mut records = vec![(0.0, "start")];
    (0..3).for_each(|n| {
        records.extend([(20.0 + 2000.0 * f64::from(n), "-e2"), (22.0 + 2000.0 * f64::from(n), "+Pe2")])
    });
    (0..9).for_each(|n| {
        records.extend([(9000.0 + 5.0 * f64::from(n), "-e2"), (9000.0 + 5.0 * f64::from(n), "quick")])
    });
    let found = health_of(&records).findings();
    assert_eq!(kinds(&found), [(FindingKind::Flicker, Some("e2".into()))]);
    assert_eq!(found[0].since, Some(at(9000.0)));
}

#[test]
fn quick_drop_outs_count_sooner_than_slow_ones() {
    let dropping = |times: i32, back: &'static str| {
        let mut records = vec![(0.0, "start")];
        (1..=times).for_each(|n| records.extend([(80.0 * f64::from(n), "-e2"), (80.0 * f64::from(n), back)]));
        kinds(&health_of(&records).findings())
    };
    assert_eq!(dropping(5, "quick"), [(FindingKind::Flicker, Some("e2".into()))]);
    assert_eq!(dropping(4, "quick"), []);
    assert_eq!(dropping(5, "+Pe2"), []);
}

#[test]
fn quick_applies_to_the_previous_change_only() {
    let four_times = |drop_out: &[(f64, &'static str)]| {
        let each = (1..=4)
            .flat_map(|n| drop_out.iter().map(move |(second, what)| (15.0 * f64::from(n) + second, *what)));
        let records: Vec<_> = [(0.0, "start")].into_iter().chain(each).collect();
        kinds(&health_of(&records).findings())
    };
    assert_eq!(four_times(&[(0.0, "-e2"), (0.0, "quick")]), [(FindingKind::Flicker, Some("e2".into()))]);
    // A hand holds the pawn while a piece of the other player lands.
    assert_eq!(four_times(&[(0.0, "-e2"), (4.0, "+pe6"), (4.0, "quick")]), []);
}

#[test]
fn piece_that_drops_out_on_two_squares_is_weak() {
    let mut records = vec![(0.0, "start")];
    (0..7).for_each(|n| records.extend([(10.0 * f64::from(n), "-g1"), (10.0 * f64::from(n) + 2.0, "+Ng1")]));
    records.extend([(80.0, "-g1"), (80.0, "+Nf3"), (82.0, ".")]);
    (0..7).for_each(|n| {
        records.extend([(90.0 + 10.0 * f64::from(n), "-f3"), (92.0 + 10.0 * f64::from(n), "+Nf3")])
    });
    let found = health_of(&records).findings();
    assert_eq!(kinds(&found), [(FindingKind::WeakPiece, Some("g1".into()))]);
    assert_eq!(found[0].detail, "the piece from g1, now on f3, drops out, 14 times");
}

#[test]
fn identical_piece_that_returns_is_the_weak_one() {
    let mut records = vec![(0.0, "start")];
    for n in 0..13 {
        let at = 30.0 * f64::from(n);
        // The other knight is on its way when this one drops out.
        let (from, to) = if n % 2 == 0 { ("-b1", "+Nc3") } else { ("-c3", "+Nb1") };
        records.extend([(at, from), (at, "-g1"), (at, to), (at + 1.0, "+Ng1"), (at + 5.0, ".")]);
    }
    assert_eq!(kinds(&health_of(&records).findings()), [(FindingKind::WeakPiece, Some("g1".into()))]);
}

#[test]
fn pain_25_mismatch_names_the_last_matching_move() {
    let records = [
        (0.0, "start"),
        (0.0, "game"),
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
    let health = health_of(&records);
    assert_eq!(words(&health, 30.0), [""; 0]);
    assert_eq!(words(&health, 45.0), ["board does not match the game since 1.Nf3"]);
}

#[test]
fn lasting_mismatch_during_play_is_a_finding() {
    // The game has none of the moves played from here on.
    let moves = ["-g1", "+Nf3", "-g8", "+nf6", "-f3", "+Ng1", "-f6", "+ng8"];
    let played = |presses: bool, plies: usize| {
        let mut records = vec![(0.0, "start"), (0.0, "game"), (5.0, "-a8"), (10.0, ".")];
        for n in 0..plies {
            let second = 20.0 + 20.0 * n as f64;
            records.extend([(second, moves[2 * n % 8]), (second + 1.0, moves[(2 * n + 1) % 8])]);
            records.extend([(second + 3.0, if presses { "L" } else { "." })]);
        }
        kinds(&health_of(&records).findings())
    };
    assert_eq!(played(true, 10), [(FindingKind::Mismatch, None)]);
    // This lasts less than two minutes; and without a clock it may be analysis.
    assert_eq!(played(true, 4), []);
    assert_eq!(played(false, 10), []);
}

#[test]
fn pain_20_board_lost_during_play_is_found() {
    let lost = r#""type":"lost","reason":"port-closed""#;
    let records = [(0.0, "start"), (1.0, "clock"), (10.0, "-e2"), (11.0, "+Pe4"), (12.0, lost)];
    // No record follows that would show for how long.
    let found = health_of(&records).findings();
    assert_eq!(kinds(&found), [(FindingKind::Silent, None)]);
    assert_eq!(found[0].detail, "lost in a game and not back since");
    let found = [(13.0, r#""type":"found","reason":"port-closed""#), (40.0, ".")];
    assert_eq!(kinds(&health_of(&[&records[..], &found].concat()).findings()), []);
    assert_eq!(kinds(&health_of(&[(0.0, "start"), (1.0, "."), (12.0, lost)]).findings()), []);
}

#[test]
fn repeated_move_withdraws_no_later_ones() {
    let surer = format!(r#"{},"certainty":0.9999"#, fields("e4"));
    let records = [
        (0.0, "start"),
        (0.0, "game"),
        (5.0, "clock"),
        (10.0, "-e2"),
        (10.0, "+Pe4"),
        (10.0, "e4"),
        (20.0, "-e7"),
        (20.0, "+pe5"),
        (
            20.0,
            r#""type":"move","game":1,"ply":2,"san":"e5","uci":"e7e5","fen":"rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2""#,
        ),
        (20.0, &surer),
        // White thinks.
        (22.0, "."),
        (200.0, "clock"),
    ];
    let health = health_of(&records);
    assert_eq!(words(&health, 60.0), [""; 0]);
    assert!(kinds(&health.findings()).iter().all(|(kind, _)| *kind != FindingKind::Mismatch));
}

#[test]
fn late_record_of_an_earlier_game_is_ignored() {
    let guess = r#""type":"move","game":2,"ply":1,"san":"e4","uci":"e2e4","guess":true,"fen":"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1""#;
    let late = [
        r#""type":"takeback","game":1,"ply":0"#,
        r#""type":"ruling","game":1,"ply":1,"uci":"d2d4""#,
        r#""type":"move","game":1,"ply":1,"san":"d4","uci":"d2d4","fen":"rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq - 0 1""#,
        r#""type":"end","game":1,"result":"1-0","reason":"kings""#,
    ];
    let went_on = guess.replace(r#""ply":1"#, r#""ply":21"#).replace(r#""guess":true,"#, "");
    let mut health =
        health_of(&[(0.0, "game"), (10.0, "game 2"), (20.0, "start"), (20.0, guess), (25.0, &went_on)]);
    for records in late {
        feed(&mut health, &[(30.0, records)]);
        assert_eq!(kinds(&health.findings()), [(FindingKind::Guess, None)], "{records}");
    }
    // The board differs from the game in play.
    feed(&mut health, &[(40.0, "p4k3/8/8/8/8/8/8/4K3"), (41.0, "."), (90.0, ".")]);
    assert_eq!(words(&health, 100.0), ["board does not match the game since the start"]);
}

#[test]
fn unsure_move_without_a_clock_counts_after_twenty_plies() {
    let ply = |ply: u32, more: &str| {
        format!(
            r#""type":"move","game":1,"ply":{ply},"san":"e4","uci":"e2e4",{more}"fen":"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1""#
        )
    };
    for (unsure, kind) in [
        (r#""guess":true,"#, FindingKind::Guess),
        (r#""certainty":0.5,"alternatives":[],"#, FindingKind::Doubt),
    ] {
        // These may be analysis after the end of the game.
        let mut health = health_of(&[(0.0, "game"), (10.0, &ply(40, "")), (20.0, &ply(41, unsure))]);
        feed(&mut health, &[(30.0, &ply(60, ""))]);
        assert_eq!(kinds(&health.findings()), [], "{unsure}");
        feed(&mut health, &[(40.0, &ply(61, ""))]);
        assert_eq!(kinds(&health.findings()), [(kind, None)], "{unsure}");
        // A repeated move stays unsure until it is certain.
        feed(&mut health, &[(20.0, &ply(41, unsure))]);
        assert_eq!(kinds(&health.findings()), [(kind, None)], "{unsure}");
        let mut sure = health.clone();
        feed(&mut sure, &[(20.0, &ply(41, ""))]);
        assert_eq!(kinds(&sure.findings()), [], "{unsure}");
        // Plies played again are analysis, which begins so early that few plies lie between it and the unsure move.
        for (back_to, findings) in [(62, vec![(kind, None)]), (61, vec![])] {
            let mut looked_at = health.clone();
            let again = [60.0, 70.0, 80.0, 90.0, 100.0].map(|time| (time, ply(back_to, "")));
            again.iter().for_each(|(time, again)| feed(&mut looked_at, &[(*time, again)]));
            assert_eq!(kinds(&looked_at.findings()), findings, "{unsure}, back to {back_to}");
        }
    }
}

#[test]
fn shared_address_is_one_finding() {
    let twin = r#""type":"fault","kind":"corrupt","detail":"two boards have this address, and spoil each other's answers""#;
    let spoilt = r#""type":"fault","kind":"checksum","detail":"checksum""#;
    let mut records = vec![(0.0, "start"), (5.0, twin)];
    records.extend([(6.0, spoilt); 40]);
    assert_eq!(kinds(&health_of(&records).findings()), [(FindingKind::Twin, None)]);
}

#[test]
fn shared_address_is_reported_until_something_intact_comes() {
    let twin = r#""type":"fault","kind":"corrupt","detail":"two boards have this address, and spoil each other's answers""#;
    let mut health = health_of(&[(0.0, r#""type":"board","mode":"bus""#), (0.0, twin)]);
    assert_eq!(words(&health, 3600.0), ["two boards have this address"]);
    feed(&mut health, &[(3600.0, "start"), (3601.0, ".")]);
    assert_eq!(words(&health, 3602.0), [""; 0]);
    // Some of its data arrives intact, much of it spoilt.
    let spoilt = r#""type":"answers","asked":40,"missed":0,"spoilt":20,"median_seconds":0.01,"worst_seconds":0.1,"line_seconds":1,"seconds":60"#;
    feed(&mut health, &[(3660.0, spoilt), (3661.0, "-e2"), (3662.0, ".")]);
    assert_eq!(words(&health, 3670.0), ["two boards have this address"]);
    assert_eq!(words(&health, 4300.0), [""; 0]);
}

#[test]
fn board_switched_on_before_the_recording_has_not_restarted() {
    let listed = r#""type":"mark","mark":"power-up","listing":true"#;
    let mut health =
        health_of(&[(0.0, r#""type":"board","mode":"bus""#), (2.0, listed), (2.0, "+Pe2"), (3.0, ".")]);
    assert_eq!(words(&health, 4.0), [""; 0]);
    // Between two rounds it does restart.
    feed(&mut health, &[(100.0, listed), (100.0, "+Pe2"), (101.0, ".")]);
    assert_eq!(words(&health, 102.0), ["restarted"]);
}

#[test]
fn many_changes_without_a_game_are_a_finding() {
    let records: Vec<(f64, &str)> =
        (0..50).map(|n| (60.0 * f64::from(n), if n % 2 == 0 { "-e4" } else { "+Pe4" })).collect();
    let mut health = Health::with_games();
    feed(&mut health, &[(0.0, "p4k3/8/8/8/4P3/8/8/4K3")]);
    feed(&mut health, &records);
    let found = health.findings();
    assert_eq!(kinds(&found).last(), Some(&(FindingKind::NoGame, None)));
    assert_eq!(found.last().unwrap().since, Some(at(0.0)));
}

#[test]
fn repeated_log_is_not_counted_twice() {
    let mut records = vec![(0.0, "start")];
    records.push((1.0, r#""type":"history","reason":"watch-begins","count":40,"complete":true"#));
    (0..20).for_each(|_| records.extend([(1.0, "-e2"), (1.0, "+Pe2")]));
    assert!(health_of(&records).findings().is_empty());
}

#[test]
fn landing_seen_before_leaving_is_not_another_drop_out() {
    let mut records = vec![(0.0, "start")];
    for n in 0..13 {
        let at = 30.0 * f64::from(n);
        // The weak knight is gone when the other is seen on its new square, and back before the other left its old one.
        let (from, to) = if n % 2 == 0 { ("-b1", "+Nc3") } else { ("-c3", "+Nb1") };
        records.extend([(at, "-g1"), (at, to), (at + 1.0, "+Ng1"), (at + 1.0, from), (at + 5.0, ".")]);
    }
    let found = health_of(&records).findings();
    assert_eq!(kinds(&found), [(FindingKind::WeakPiece, Some("g1".into()))]);
    assert_eq!(found[0].count, 13);
}

#[test]
fn pawn_dropping_out_during_a_move_is_not_captured() {
    let mut records = vec![(0.0, "start"), (5.0, "-e2"), (5.0, "+Pe4"), (7.0, ".")];
    // Black's pawn comes to e5 while White's is not seen on e4.
    records.extend([(20.0, "-e4"), (20.0, "-e7"), (20.0, "+pe5"), (22.0, "+Pe4"), (24.0, ".")]);
    (0..12).for_each(|n| {
        records.extend([(30.0 + 15.0 * f64::from(n), "-e4"), (32.0 + 15.0 * f64::from(n), "+Pe4")])
    });
    let found = health_of(&records).findings();
    assert_eq!((found[0].square, found[0].count), ("e2".parse().ok(), 13));
    // It is still identified as the pawn of e2; a bad contact of e4 would be quicker.
    assert_eq!(found.len(), 1);
}

#[test]
fn drop_outs_of_different_pieces_add_up() {
    let mut records = vec![(0.0, "start")];
    let back = |piece: char| format!(r#""type":"change","square":"e4","piece":"{piece}","quick":true"#);
    let backs: Vec<String> = "PNBQ".chars().map(back).collect();
    for (n, (piece, back)) in ["+Pe4", "+Ne4", "+Be4", "+Qe4"].into_iter().zip(&backs).enumerate() {
        let at = 60.0 + 100.0 * n as f64;
        records.extend([
            (at, piece),
            (at + 10.0, "-e4"),
            (at + 10.0, back),
            (at + 25.0, "-e4"),
            (at + 25.0, back),
        ]);
        records.push((at + 30.0, "-e4"));
    }
    assert_eq!(kinds(&health_of(&records).findings()), [(FindingKind::Flicker, Some("e4".into()))]);
}

#[test]
fn putting_pieces_away_and_setting_up_is_no_game() {
    let men = ["Pa2", "Pb2", "Pc2", "Pd2"];
    let mut health = Health::with_games();
    feed(&mut health, &[(0.0, "start")]);
    for time in 0..20 {
        let second = 100.0 + 10.0 * f64::from(time);
        for man in men {
            let (put, lifted) = (format!("+{man}"), format!("-{}", &man[1..]));
            feed(&mut health, &[(second, &lifted), (second + 5.0, &put)]);
        }
    }
    assert!(health.findings().iter().all(|found| found.kind != FindingKind::NoGame));
}

#[test]
fn truncated_journal_is_one_finding_of_the_line() {
    let moved: Vec<(f64, &str)> = (0..64)
        .map(|n| {
            (4.0 * f64::from(n), ["-e1", "+Kf2", "-f2", "+Kg3", "-g3", "+Kf3", "-f3", "+Ke1"][n as usize % 8])
        })
        .collect();
    let mut health = Health::with_games();
    for board in 1025..1030 {
        feed_board(board, &mut health, &[(0.0, "p4k3/8/8/8/4P3/8/8/4K3")]);
        feed_board(board, &mut health, &moved);
    }
    let found = health.findings();
    assert_eq!(kinds(&found), [(FindingKind::NoGame, None)]);
    assert!(found[0].board.is_none() && found[0].detail.starts_with("5 of 5 boards"), "{found:?}");
    assert!(found[0].advice.contains("from its beginning"));
}

/// The anomalies found after an illegal move beside a running clock and these records.
fn after_illegal_move(then: &[(f64, &'static str)]) -> Vec<String> {
    after_illegal_move_with("clock", then)
}

/// The same with another record in place of that clock.
fn after_illegal_move_with(clock: &'static str, then: &[(f64, &'static str)]) -> Vec<String> {
    let odd =
        r#""type":"anomaly","game":1,"ply":0,"kind":"illegal","detail":"P from e2 to e5 is no legal move""#;
    let mut records = vec![(0.0, "start"), (0.0, "game"), (1.0, clock)];
    records.extend([(5.0, "-e2"), (5.0, "+Pe5"), (20.0, "."), (20.0, odd)]);
    records.extend(then);
    let found = health_of(&records).findings();
    found.into_iter().filter(|found| found.kind == FindingKind::Anomaly).map(|found| found.detail).collect()
}

#[test]
fn illegal_move_is_a_finding_unless_put_right() {
    let records = ["after the start, P from e2 to e5 is no legal move"];
    // It may still be put right.
    assert_eq!(after_illegal_move(&[(30.0, "L"), (100.0, "clock")]), [""; 0]);
    assert_eq!(after_illegal_move(&[(30.0, "L"), (200.0, "clock")]), records);
    let back = [(25.0, "-e5"), (25.0, "+Pe2"), (27.0, ".")];
    assert_eq!(after_illegal_move(&back), [""; 0]);
    // Black and the game go on from this position.
    let on = r#""type":"move","game":1,"ply":2,"san":"a6","uci":"a7a6","fen":"rnbqkbnr/1ppppppp/p7/4P3/8/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2""#;
    let on = [(30.0, "-a7"), (30.0, "+pa6"), (30.0, "L"), (30.0, on), (32.0, ".")];
    assert_eq!(after_illegal_move(&on), records);
    // It is reported again while it stands, and counts once.
    let again =
        r#""type":"anomaly","game":1,"ply":2,"kind":"illegal","detail":"P from e2 to e5 is no legal move""#;
    let again = [(40.0, again), (50.0, again), (60.0, "L"), (200.0, "clock")];
    assert_eq!(after_illegal_move(&again), records);
    // The game ends before it is put right; or it is analysis after the game, whose clock nobody has stopped.
    let end = [(30.0, "over"), (31.0, "start")];
    assert_eq!(after_illegal_move(&[&[(25.0, "L")], &end[..]].concat()), records);
    assert_eq!(after_illegal_move(&end), [""; 0]);
    assert_eq!(after_illegal_move(&[(200.0, "clock")]), [""; 0]);
}

#[test]
fn anomaly_is_ignored_while_no_game_is_played() {
    let end = [(200.0, "."), (230.0, "over"), (231.0, "start")];
    assert_eq!(after_illegal_move_with("stopped", &end), [""; 0]);
    // The players analyse, or set up the pieces.
    assert_eq!(after_illegal_move_with(".", &end), [""; 0]);
    // The game goes on from there.
    let plies: Vec<String> = (2..=21)
        .map(|ply| {
            let fen = "rnbqkbnr/1ppppppp/p7/4P3/8/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
            format!(r#""type":"move","game":1,"ply":{ply},"san":"a6","uci":"a7a6","fen":"{fen}""#)
        })
        .collect();
    let on: Vec<(f64, &'static str)> = plies.into_iter().map(|ply| (40.0, &*ply.leak())).collect();
    assert_eq!(after_illegal_move_with(".", &on[..19]), [""; 0]);
    assert_eq!(after_illegal_move_with(".", &on), ["after the start, P from e2 to e5 is no legal move"]);
    // More pieces differ than a move changes: the players analyse another position.
    let without = "prnbqkbnr/pp2pppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
    assert_eq!(after_illegal_move_with(without, &on), [""; 0]);
}

#[test]
fn board_without_a_clock_off_overnight_was_not_silent() {
    let night = |clock: &'static str, hours: f64| {
        let back = 30.0 + 3600.0 * hours;
        let records = [
            (0.0, "start"),
            (1.0, clock),
            (10.0, "-e2"),
            (11.0, "+Pe4"),
            (30.0, "lost"),
            (back, "found"),
            (back, "power-up"),
            (back + 60.0, "."),
        ];
        kinds(&health_of(&records).findings())
    };
    assert_eq!(night(".", 10.0), []);
    assert_eq!(night(".", 0.1), [(FindingKind::Reset, None)]);
    assert_eq!(night("clock", 10.0), [(FindingKind::Reset, None)]);
}

#[test]
fn simultaneous_resets_are_one_finding_of_the_line() {
    let resets = |seconds: [f64; 3]| {
        let mut health = Health::new();
        for (board, reset) in (1025..).zip(seconds) {
            let records = [(0.0, "start"), (1.0, "clock"), (10.0, "-e2"), (11.0, "+Pe4")];
            feed_board(board, &mut health, &records);
            feed_board(board, &mut health, &[(reset, "power-up")]);
        }
        health.findings()
    };
    let together = resets([30.0, 30.4, 31.0]);
    assert_eq!(kinds(&together), [(FindingKind::Reset, None)]);
    assert_eq!((together[0].board, together[0].count), (None, 3));
    assert_eq!(together[0].detail, "3 of 3 boards: restarted once in a game");
    // Resets one after the other have separate causes.
    assert_eq!(resets([30.0, 60.0, 90.0]).iter().filter_map(|finding| finding.board).count(), 3);
}

#[test]
fn power_cut_between_rounds_is_no_finding() {
    let left_running = |running: u16| {
        let mut health = Health::new();
        for board in 1025..1031 {
            let clock = if board < 1025 + running { "clock" } else { "stopped" };
            let records = [(0.0, "start"), (1.0, clock), (30.0, "power-up")];
            feed_board(board, &mut health, &records);
        }
        health.findings().into_iter().map(|finding| (finding.kind, finding.board)).collect::<Vec<_>>()
    };
    assert_eq!(left_running(2), []);
    let each = [1025, 1026, 1027].map(|board| (FindingKind::Reset, Some(board)));
    assert_eq!(left_running(3), each);
    assert_eq!(left_running(6), [(FindingKind::Reset, None)]);
}

#[test]
fn single_boards_with_many_damaged_answers_have_twins() {
    let answers = |spoilt: u32| {
        format!(
            r#""type":"answers","asked":40,"missed":0,"spoilt":{spoilt},"median_seconds":0.01,"worst_seconds":0.02,"line_seconds":1,"seconds":60"#
        )
    };
    let found = |spoilt: [u32; 3]| {
        let mut health = Health::new();
        for (board, spoilt) in (1025..).zip(spoilt) {
            feed_board(board, &mut health, &[(0.0, "start")]);
            let records = answers(spoilt);
            (1..=5)
                .for_each(|minute| feed_board(board, &mut health, &[(60.0 * f64::from(minute), &records)]));
        }
        health.findings().into_iter().map(|finding| (finding.kind, finding.board)).collect::<Vec<_>>()
    };
    assert_eq!(found([0, 20, 0]), [(FindingKind::Twin, Some(1026))]);
    assert_eq!(found([0, 12, 0]), [], "a bad cable");
    assert_eq!(found([20, 20, 20]), [], "noise");
}
