//! `boardbus show` into a pipe: a picture that has room for all boards.

use std::fs;

use assert_cmd::cargo::cargo_bin_cmd;

use super::program::{output_of, run};

/// Records of boards from 1001 on, all in their start positions.
fn boards(count: u32) -> String {
    let board = |address: u32| {
        format!(
            "{{\"type\":\"position\",\"time\":\"2026-11-22T10:00:01.000Z\",\"board\":{address},\
             \"placement\":\"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR\"}}\n"
        )
    };
    (1001..1001 + count).map(board).collect()
}

#[test]
fn every_board_has_its_line_however_many_there_are() {
    for count in [9, 37, 38, 39, 64, 200] {
        let text = output_of(&["show", "--once"], boards(count));
        let shown: Vec<u32> = text.lines().filter_map(|line| line.split(' ').next()?.parse().ok()).collect();
        assert_eq!(shown, (1001..1001 + count).collect::<Vec<u32>>(), "{text}");
    }
}

#[test]
fn every_diagram_is_whole_however_narrow_the_paper() {
    for (columns, rows) in [("40", 4), ("80", 2)] {
        let mut show = cargo_bin_cmd!("boardbus");
        show.args(["show", "--once", "--ascii"]).env("COLUMNS", columns).write_stdin(boards(8));
        let text = String::from_utf8(show.output().unwrap().stdout).unwrap();
        for rank in ["r n b q k b n r", "R N B Q K B N R"] {
            assert_eq!(text.matches(rank).count(), 8, "{text}");
            assert_eq!(text.lines().filter(|line| line.contains(rank)).count(), rows, "{text}");
        }
    }
}

#[test]
fn setting_the_system_clock_back_harms_no_board() {
    let said = |board: u32, time: &str, what: &str| {
        format!("{{\"board\":{board},\"time\":\"2026-11-22T{time}Z\",\"type\":{what}}}\n")
    };
    let press = r#""press","side":"right","seconds":600"#;
    let clock = r#""clock","connected":true,"running":true,"turn":"left","left":{"seconds":580},"right":{"seconds":600}"#;
    let mut hall = boards(2);
    for board in [1001, 1002] {
        hall += &said(board, "10:00:01", r#""board","mode":"bus""#);
        hall += &said(board, "10:00:05", clock);
    }
    // White has thought for ten seconds, and then as long again when the clock is an hour behind.
    hall += &said(1001, "10:00:15", r#""quiet""#);
    hall += &said(1001, "09:00:20", r#""quiet""#);
    hall += &said(1001, "09:00:30", r#""quiet""#);
    let text = output_of(&["show", "--once"], hall.clone());
    assert!(text.contains("2026-11-22 09:00:30") && !text.contains("not heard"), "{text}");
    assert_eq!(text.matches("9:20").count(), 2, "{text}");
    // What is pressed then counts from there.
    hall += &said(1002, "09:00:31", press);
    hall += &said(1002, "09:00:41", r#""quiet""#);
    let text = output_of(&["show", "--once"], hall);
    assert_eq!(text.matches("9:09").count(), 2, "{text}");
}

#[test]
fn board_option_needs_a_port_and_refuses_journals() {
    let (out, said, code) = super::program::run(&["show", "--once", "--board", "1027"], boards(2));
    assert!((out.as_str(), code) == ("", 2) && said.contains("--board goes with --port"), "{said}");
    let (_, said, code) = super::program::run(&["show", "--once", "--board", "1027", "journal.jsonl"], "");
    assert!(code == 2 && said.contains("--board goes with --port"), "{said}");
}

#[test]
fn journal_games_belong_to_the_line_of_their_boards() {
    let (folder, journal) = (tempfile::tempdir().unwrap(), super::check::journal(&[]));
    let (games, _, _) = run(&["reconstruct"], journal.clone());
    let path = folder.path().join("both.jsonl");
    fs::write(&path, [journal, games.into_bytes()].concat()).unwrap();
    let named = format!("hall-1={}", path.display());
    let (picture, said, code) = run(&["show", "--once", "--line", &named], "");
    assert!(code == 0 && picture.contains(" 2 boards"), "{said}{picture}");
}

#[test]
fn further_troubles_are_counted_without_covering_any() {
    let lost = |board: u32| {
        format!(
            "{{\"type\":\"lost\",\"time\":\"2026-11-22T10:{:02}:00.000Z\",\"board\":{board},\"reason\":\"timeout\"}}\n",
            board - 1000
        )
    };
    let later = "{\"type\":\"quiet\",\"time\":\"2026-11-22T10:30:00.000Z\",\"board\":1020}\n";
    let hall = boards(9) + &(1001..1010).map(lost).collect::<String>() + later;
    for columns in ["40", "47", "60"] {
        let shown = cargo_bin_cmd!("boardbus")
            .args(["show", "--once"])
            .env("COLUMNS", columns)
            .write_stdin(hall.clone())
            .assert()
            .success();
        let text = String::from_utf8(shown.get_output().stdout.clone()).unwrap();
        let strip = text.lines().find(|line| line.contains(" more")).unwrap_or_else(|| panic!("{text}"));
        let (troubles, more) = strip.rsplit_once('+').unwrap();
        assert!(more.trim_end().ends_with(" more") && troubles.ends_with(' '), "{columns}: {strip}");
        assert!(strip.contains("lost "), "{columns}: {strip}");
    }
}
