//! `boardbus show` into a pipe: a picture that has room for all boards.

use assert_cmd::cargo::cargo_bin_cmd;

use super::program::output_of;

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
