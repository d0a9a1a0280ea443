//! The links to boards and their lines: how soon answers come, how often they are asked for, and noise.

use super::{CLOCK, START, at, hear, hear_of, heard, kinds};
use crate::{
    health::Health,
    record::{FindingKind, Record, parse},
};

#[test]
fn a_slow_board_is_named_while_it_is_looked_at_as_well() {
    let mut health = Health::new();
    for (board, median) in [(1025, 0.09), (1026, 0.012), (1027, 0.013), (1028, 0.014)] {
        let answers = format!(
            r#"{{"type":"answers","board":{board},"time":"2026-01-01T10:00:00.000Z","asked":40,"missed":0,"spoilt":0,"median_seconds":{median},"worst_seconds":0.1,"line_seconds":1,"seconds":60}}"#
        );
        let Record::Board(record) = parse(answers.as_bytes()).unwrap() else { panic!("{answers}") };
        health.board(&record);
    }
    let says = |board| health.trouble(&(None, Some(board)), at(60.0));
    assert_eq!(says(1026), []);
    let [slow] = &says(1025)[..] else { panic!("{:?}", says(1025)) };
    // The time is known within a tenth.
    let ms =
        slow.words.strip_prefix("answers take ").and_then(|words| words.strip_suffix(" ms")?.parse().ok());
    assert!(slow.kind == FindingKind::Slow && (81..=99).contains(&ms.unwrap_or(0)), "{slow:?}");
}

#[test]
fn it_is_said_since_when_answers_take_long_or_are_seldom_asked_for() {
    let mut health = Health::new();
    for (board, minute, median, asked) in [
        (1025, 1, 0.01, 40),
        (1025, 2, 0.09, 40),
        (1025, 3, 0.09, 40),
        (1026, 1, 0.01, 40),
        (1026, 3, 0.01, 6),
        (1026, 4, 0.01, 2),
        (1027, 1, 0.01, 40),
    ] {
        let answers = format!(
            r#"{{"type":"answers","board":{board},"time":"2026-01-01T10:0{minute}:00.000Z","asked":{asked},"missed":0,"spoilt":0,"median_seconds":{median},"worst_seconds":0.1,"line_seconds":1,"seconds":60}}"#
        );
        let Record::Board(record) = parse(answers.as_bytes()).unwrap() else { panic!("{answers}") };
        health.board(&record);
    }
    let found: Vec<_> = health.findings().iter().map(|it| (it.kind, it.board, it.since)).collect();
    assert_eq!(found, [(FindingKind::Slow, Some(1025), Some(at(60.0)))]);
    for minute in 5..30 {
        let answers = format!(
            r#"{{"type":"answers","board":1026,"time":"2026-01-01T10:{minute:02}:00.000Z","asked":6,"missed":0,"spoilt":0,"median_seconds":0.01,"worst_seconds":0.1,"line_seconds":1,"seconds":60}}"#
        );
        let Record::Board(record) = parse(answers.as_bytes()).unwrap() else { panic!("{answers}") };
        health.board(&record);
    }
    let found: Vec<_> = health.findings().iter().map(|it| (it.kind, it.board, it.since)).collect();
    assert_eq!(found[0], (FindingKind::Slow, Some(1025), Some(at(60.0))));
    assert_eq!(found[1], (FindingKind::LineFull, Some(1026), Some(at(120.0))));
}

#[test]
fn a_board_that_becomes_slow_in_the_midst_of_a_day_is_named_while_it_is_and_behind() {
    let mut health = Health::new();
    let tell = |health: &mut Health, minutes: std::ops::Range<i64>, median: f64| {
        for (minute, (board, median)) in
            minutes.flat_map(|m| [(1025, median), (1026, 0.01)].map(|told| (m, told)))
        {
            let time = at(60.0 * minute as f64);
            let answers = format!(
                r#"{{"type":"answers","board":{board},"time":"{time}","asked":40,"missed":0,"spoilt":0,"median_seconds":{median},"worst_seconds":0.1,"line_seconds":1,"seconds":60}}"#
            );
            let Ok(Record::Board(record)) = parse(answers.as_bytes()) else { panic!("{answers}") };
            health.board(&record);
        }
        let says = |it: &crate::record::Finding| (it.kind, it.board, it.since, it.detail.clone());
        let now = health.trouble(&(None, Some(1025)), health.now.unwrap()).len();
        (health.findings().iter().map(says).collect::<Vec<_>>(), now)
    };
    // One slow minute in the morning is none.
    assert_eq!(tell(&mut health, 1..9, 0.01), (vec![], 0));
    assert_eq!(tell(&mut health, 9..10, 0.09), (vec![], 0));
    assert_eq!(tell(&mut health, 10..300, 0.01), (vec![], 0));
    assert_eq!(tell(&mut health, 300..309, 0.06), (vec![], 0));
    // The time of the others is known within a tenth.
    let detail = "answers take 60 ms, 100 at most; those of other boards 9".to_owned();
    let slow = (FindingKind::Slow, Some(1025), Some(at(299.0 * 60.0)), detail);
    assert_eq!(tell(&mut health, 309..311, 0.06), (vec![slow.clone()], 1));
    assert_eq!(tell(&mut health, 311..320, 0.01), (vec![slow], 0), "it was mended");
}

#[test]
fn a_log_that_is_cut_short_and_one_of_any_length_swallow_nothing_that_follows() {
    let faults: Vec<(f64, &str)> =
        (0..6).map(|n| (4.0 + f64::from(n), r#""type":"fault","kind":"checksum","detail":"""#)).collect();
    for count in [2, 40, 4_000_000_000u64] {
        let log = format!(r#""type":"history","reason":"asked","count":{count},"complete":true"#);
        let mut health = Health::with_games();
        hear(
            &mut health,
            &[
                (0.0, "prnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"),
                (1.0, &log),
                (1.0, r#""type":"mark","mark":"four-rows","listing":true"#),
                (1.0, "+Ra1"),
                (2.0, r#""type":"lost","reason":"timeout""#),
                (3.0, r#""type":"found","reason":"answer""#),
            ],
        );
        hear(&mut health, &faults);
        assert_eq!(kinds(&health.findings()), [(FindingKind::Noise, None)], "{count}");
    }
}

#[test]
fn the_usual_time_of_the_others_is_their_middle_one_whoever_asks() {
    // Of five and of four; a board that never answered is none of them.
    let times = [0.01, 0.02, 0.02, 0.03, 0.9];
    let of_others = |own| crate::health::findings::usual_of_others(&times, own);
    assert_eq!(of_others(None), Some(0.02));
    assert_eq!(of_others(Some(0.01)), Some(0.03));
    assert_eq!(of_others(Some(0.02)), Some(0.03));
    assert_eq!(of_others(Some(0.03)), Some(0.02));
    assert_eq!(of_others(Some(0.9)), Some(0.02));
    assert_eq!(crate::health::findings::usual_of_others(&[0.5], Some(0.5)), None);
    assert_eq!(crate::health::findings::usual_of_others(&[], None), None);
}

#[test]
fn noise_of_no_board_is_that_of_the_line_unless_there_is_only_one_board_without_an_address() {
    let advice = |others: &[u16]| {
        let mut health = Health::new();
        others.iter().for_each(|&board| hear_of(board, &mut health, &[(0.0, "p4k3/8/8/8/4P3/8/8/4K3")]));
        for second in 0..9 {
            let time = at(f64::from(second));
            let line = format!(r#"{{"type":"fault","time":"{time}","kind":"framing","detail":"","raw":""}}"#);
            let Ok(Record::Board(record)) = parse(line.as_bytes()) else { panic!("{line}") };
            health.board(&record);
        }
        let [noise] = &health.findings()[..] else { panic!("{others:?}") };
        noise.advice.clone()
    };
    assert!(advice(&[1025, 1026]).contains("first cable"));
    assert!(advice(&[]).contains("next to the board"));
}

#[test]
fn a_trouble_of_most_boards_is_the_lines_and_tells_of_the_board_that_has_most_of_it() {
    let mut health = Health::new();
    for (board, faults) in [(1025, 5), (1026, 7), (1027, 6)] {
        for n in 0..faults {
            let line = format!(
                r#"{{"type":"fault","board":{board},"time":"{}","kind":"checksum","detail":"","raw":""}}"#,
                at(f64::from(n))
            );
            let Ok(Record::Board(record)) = parse(line.as_bytes()) else { panic!("{line}") };
            health.board(&record);
        }
    }
    let found = health.findings();
    assert_eq!((kinds(&found), found[0].count), (vec![(FindingKind::Noise, None)], 18));
    assert!(found[0].advice.contains("first cable"), "{}", found[0].advice);
    assert!(found[0].detail.starts_with("3 of 3 boards, most 1026: 7 checksum"), "{}", found[0].detail);
}

#[test]
fn a_board_that_was_switched_off_behind_its_game_did_not_restart_in_it() {
    const BEGINS: &str = r#""type":"game","game":1,"rules":"chess","fen":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1""#;
    const OVER: &str = r#""type":"end","game":1,"result":"*","reason":"new-game""#;
    let plies = [
        ("e4", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"),
        ("e5", "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"),
        ("Nf3", "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2"),
        ("Nc6", "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3"),
        ("Bb5", "r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3"),
    ];
    let plies: Vec<String> = (1..)
        .zip(plies)
        .map(|(ply, (san, fen))| format!(r#""type":"move","game":1,"ply":{ply},"san":"{san}","fen":"{fen}""#))
        .collect();
    let off = |seconds: f64, clock: &str, behind: usize, over: bool| {
        let back = 60.0 + seconds;
        let mut health = heard(&[(0.0, START), (0.0, BEGINS), (1.0, clock), (10.0, "-e2"), (11.0, "+Pe4")]);
        hear(&mut health, &[(11.0, &plies[0]), (60.0, r#""type":"lost","reason":"timeout""#)]);
        hear(&mut health, &[(back, r#""type":"found","reason":"timeout""#)]);
        hear(&mut health, &[(back, r#""type":"mark","mark":"power-up""#)]);
        plies[1..=behind].iter().for_each(|ply| hear(&mut health, &[(back + 20.0, ply)]));
        hear(&mut health, &[(back + 100.0, if over { OVER } else { "." })]);
        health.findings().iter().any(|finding| finding.kind == FindingKind::Reset)
    };
    let found = |clock: &str, behind: usize, over: bool| off(340.0, clock, behind, over);
    assert!(!found(".", 0, false), "nobody knows yet");
    assert!(!found(".", 0, true) && !found(".", 3, true), "pieces that are set up may look like moves");
    assert!(found(".", 4, false) && found(".", 4, true), "it went on");
    assert!(found(CLOCK, 0, false), "the clock runs");
    let lunch = |behind: usize, over: bool| off(1200.0, CLOCK, behind, over);
    assert!(!lunch(0, false) && !lunch(0, true), "its clock was stopped, and nobody heard so");
    assert!(lunch(4, false) && lunch(4, true), "it went on");
}

#[test]
fn a_board_that_fell_silent_when_its_game_was_over_did_not_restart_in_it_though_that_was_told_later() {
    const BEGINS: &str = r#""type":"game","game":1,"rules":"chess","fen":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1""#;
    const E4: &str = r#""type":"move","game":1,"ply":1,"san":"e4","fen":"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1""#;
    const OVER: &str = r#""type":"end","game":1,"result":"1/2-1/2","reason":"kings""#;
    let found = |over: f64| {
        let mut health =
            heard(&[(0.0, START), (0.0, BEGINS), (1.0, CLOCK), (10.0, "-e2"), (11.0, "+Pe4"), (11.0, E4)]);
        hear(&mut health, &[(60.0, r#""type":"lost","reason":"timeout""#), (over, OVER)]);
        hear(&mut health, &[(700.0, r#""type":"found","reason":"timeout""#)]);
        hear(&mut health, &[(700.0, r#""type":"mark","mark":"power-up""#), (705.0, ".")]);
        health.findings().iter().filter(|finding| finding.kind == FindingKind::Reset).count()
    };
    assert_eq!([58.0, 62.0].map(found), [0, 1]);
}
