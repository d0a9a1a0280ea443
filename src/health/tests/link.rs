//! The links to boards and their lines: answer times, polling and noise.

use super::{at, feed, feed_board, health_of, kinds};
use crate::{
    health::Health,
    record::{FindingKind, Record, parse},
};

#[test]
fn slow_board_is_reported_now() {
    let mut health = Health::new();
    for (board, median) in [(1025, 0.09), (1026, 0.012), (1027, 0.013), (1028, 0.014)] {
        let answers = format!(
            r#"{{"type":"answers","board":{board},"time":"2026-01-01T10:00:00.000Z","asked":40,"missed":0,"spoilt":0,"median_seconds":{median},"worst_seconds":0.1,"line_seconds":1,"seconds":60}}"#
        );
        let Record::Board(record) = parse(answers.as_bytes()).unwrap() else { panic!("{answers}") };
        health.board(&record);
    }
    let trouble = |board| health.trouble(&(None, Some(board)), at(60.0));
    assert_eq!(trouble(1026), []);
    let [slow] = &trouble(1025)[..] else { panic!("{:?}", trouble(1025)) };
    // The median is known within a tenth.
    let ms =
        slow.words.strip_prefix("answers take ").and_then(|words| words.strip_suffix(" ms")?.parse().ok());
    assert!(slow.kind == FindingKind::Slow && (81..=99).contains(&ms.unwrap_or(0)), "{slow:?}");
}

#[test]
fn slow_and_seldom_polled_boards_have_a_beginning() {
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
fn board_that_becomes_slow_is_found_from_then_on() {
    let mut health = Health::new();
    let minutes_of = |health: &mut Health, minutes: std::ops::Range<i64>, median: f64| {
        for (minute, (board, median)) in
            minutes.flat_map(|m| [(1025, median), (1026, 0.01)].map(|records| (m, records)))
        {
            let time = at(60.0 * minute as f64);
            let answers = format!(
                r#"{{"type":"answers","board":{board},"time":"{time}","asked":40,"missed":0,"spoilt":0,"median_seconds":{median},"worst_seconds":0.1,"line_seconds":1,"seconds":60}}"#
            );
            let Ok(Record::Board(record)) = parse(answers.as_bytes()) else { panic!("{answers}") };
            health.board(&record);
        }
        let shown = |it: &crate::record::Finding| (it.kind, it.board, it.since, it.detail.clone());
        let now = health.trouble(&(None, Some(1025)), health.now.unwrap()).len();
        (health.findings().iter().map(shown).collect::<Vec<_>>(), now)
    };
    // One slow minute is no finding.
    assert_eq!(minutes_of(&mut health, 1..9, 0.01), (vec![], 0));
    assert_eq!(minutes_of(&mut health, 9..10, 0.09), (vec![], 0));
    assert_eq!(minutes_of(&mut health, 10..300, 0.01), (vec![], 0));
    assert_eq!(minutes_of(&mut health, 300..309, 0.06), (vec![], 0));
    // The median of the others is known within a tenth.
    let detail = "answers take 60 ms, 100 at most; those of other boards 9".to_owned();
    let slow = (FindingKind::Slow, Some(1025), Some(at(299.0 * 60.0)), detail);
    assert_eq!(minutes_of(&mut health, 309..311, 0.06), (vec![slow.clone()], 1));
    assert_eq!(minutes_of(&mut health, 311..320, 0.01), (vec![slow], 0), "it is fast again");
}

#[test]
fn truncated_log_hides_no_later_faults() {
    let faults: Vec<(f64, &str)> =
        (0..6).map(|n| (4.0 + f64::from(n), r#""type":"fault","kind":"checksum","detail":"""#)).collect();
    for count in [2, 40, 4_000_000_000u64] {
        let log = format!(r#""type":"history","reason":"asked","count":{count},"complete":true"#);
        let mut health = Health::with_games();
        feed(
            &mut health,
            &[
                (0.0, "prnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"),
                (1.0, &log),
                (1.0, r#""type":"mark","mark":"four-rows","listing":true"#),
                (1.0, "+Ra1"),
                (2.0, "lost"),
                (3.0, r#""type":"found","reason":"answer""#),
            ],
        );
        feed(&mut health, &faults);
        assert_eq!(kinds(&health.findings()), [(FindingKind::Noise, None)], "{count}");
    }
}

#[test]
fn usual_time_is_the_median_of_the_others() {
    // Five boards and four; a board that never answered is not among them.
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
fn noise_without_an_address_is_the_lines() {
    let advice = |others: &[u16]| {
        let mut health = Health::new();
        others.iter().for_each(|&board| feed_board(board, &mut health, &[(0.0, "p4k3/8/8/8/4P3/8/8/4K3")]));
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
fn shared_finding_names_the_board_with_most_faults() {
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
fn board_switched_off_after_its_game_has_no_reset() {
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
    let off = |seconds: f64, clock: &str, plies_after: usize, over: bool| {
        let back = 60.0 + seconds;
        let mut health =
            health_of(&[(0.0, "start"), (0.0, "game"), (1.0, clock), (10.0, "-e2"), (11.0, "+Pe4")]);
        feed(&mut health, &[(11.0, &plies[0]), (60.0, "lost")]);
        feed(&mut health, &[(back, "found")]);
        feed(&mut health, &[(back, "power-up")]);
        plies[1..=plies_after].iter().for_each(|ply| feed(&mut health, &[(back + 20.0, ply)]));
        feed(&mut health, &[(back + 100.0, if over { "over" } else { "." })]);
        health.findings().iter().any(|finding| finding.kind == FindingKind::Reset)
    };
    let found = |clock: &str, plies_after: usize, over: bool| off(340.0, clock, plies_after, over);
    assert!(!found(".", 0, false), "unknown yet");
    assert!(!found(".", 0, true) && !found(".", 3, true), "pieces that are set up may look like moves");
    assert!(found(".", 4, false) && found(".", 4, true), "it went on");
    assert!(found("clock", 0, false), "the clock runs");
    let lunch = |plies_after: usize, over: bool| off(1200.0, "clock", plies_after, over);
    assert!(!lunch(0, false) && !lunch(0, true), "its clock was stopped without a record of it");
    assert!(lunch(4, false) && lunch(4, true), "it went on");
}

#[test]
fn board_silent_since_the_end_has_no_reset() {
    let found = |over: f64| {
        let mut health = health_of(&[
            (0.0, "start"),
            (0.0, "game"),
            (1.0, "clock"),
            (10.0, "-e2"),
            (11.0, "+Pe4"),
            (11.0, "e4"),
        ]);
        feed(&mut health, &[(60.0, "lost"), (over, "over")]);
        feed(&mut health, &[(700.0, "found")]);
        feed(&mut health, &[(700.0, "power-up"), (705.0, ".")]);
        health.findings().iter().filter(|finding| finding.kind == FindingKind::Reset).count()
    };
    assert_eq!([58.0, 62.0].map(found), [0, 1]);
}

#[test]
fn boards_with_many_ghosts_are_reported() {
    let of = |ghosts: u32, missed: u32| {
        let mut health = Health::new();
        let readings =
            format!(r#""type":"readings","reports":240,"ghosts":{ghosts},"missed":{missed},"square":"e4""#);
        feed(&mut health, &[(0.0, "start"), (60.0, &readings), (120.0, &readings)]);
        health.findings()
    };
    assert_eq!(kinds(&of(6, 6)), [], "one in twenty");
    let found = of(10, 3);
    assert_eq!((kinds(&found), found[0].count), (vec![(FindingKind::Misread, Some("e4".to_owned()))], 26));
    assert!(found[0].detail.contains("20 ghosts and 6 missed pieces in 480 reports"), "{}", found[0].detail);
}
