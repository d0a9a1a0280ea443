//! `boardbus to-pgn`.

use assert_cmd::{Command, cargo::cargo_bin_cmd};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

fn to_pgn() -> Command {
    let mut command = cargo_bin_cmd!("boardbus");
    command.arg("to-pgn");
    command
}

/// A game of a board that begins at ten o'clock.
fn begin(board: u16) -> String {
    format!(
        "{{\"type\":\"game\",\"time\":\"2026-11-21T10:00:00.000Z\",\"board\":{board},\"game\":1,\
         \"rules\":\"chess\",\"fen\":\"{START}\"}}\n"
    )
}

/// A record of a board's first game.
fn of(board: u16, kind: &str, rest: &str) -> String {
    format!("{{\"type\":\"{kind}\",\"board\":{board},\"game\":1,{rest}}}\n")
}

fn ply(board: u16, ply: u32, san: &str, seconds: u32) -> String {
    of(board, "move", &format!("\"ply\":{ply},\"san\":\"{san}\",\"seconds\":{seconds}"))
}

/// What stands between the tags and the end of the only game.
fn movetext(pgn: &str) -> &str {
    pgn.split_once("\n\n").unwrap().1.trim_end()
}

#[test]
fn a_played_game_has_the_seven_tag_roster_clocks_and_its_result() {
    let records = [
        begin(1025),
        ply(1025, 1, "f3", 5393),
        ply(1025, 2, "e5", 5399),
        ply(1025, 3, "g4", 59),
        ply(1025, 4, "Qh4#", 3600),
        of(1025, "end", "\"result\":\"0-1\",\"reason\":\"checkmate\""),
    ]
    .concat();
    let output = to_pgn().write_stdin(records).assert().success().stderr("");
    let pgn = String::from_utf8(output.get_output().stdout.clone()).unwrap();
    let names: Vec<&str> =
        pgn.lines().take(7).map(|line| line.strip_prefix('[').unwrap().split(' ').next().unwrap()).collect();
    assert_eq!(names, ["Event", "Site", "Date", "Round", "White", "Black", "Result"]);
    assert!(pgn.contains("[Result \"0-1\"]\n"), "{pgn}");
    assert_eq!(
        movetext(&pgn),
        "1. f3 {[%clk 1:29:53]} 1... e5 {[%clk 1:29:59]} 2. g4 {[%clk 0:00:59]} 2...\n\
         Qh4# {[%clk 1:00:00]} 0-1"
    );
}

#[test]
fn moves_are_replaced_and_taken_back_and_an_end_of_input_is_no_end() {
    let records = [
        begin(1),
        ply(1, 1, "e4", 60),
        ply(1, 2, "d5", 60),
        ply(1, 3, "exd5", 60),
        of(1, "takeback", "\"ply\":1"),
        ply(1, 2, "e5", 50),
        of(1, "end", "\"result\":\"*\",\"reason\":\"input-end\""),
        ply(1, 1, "d4", 59),
    ]
    .concat();
    let output = to_pgn().write_stdin(records).assert().success().stderr("");
    let pgn = String::from_utf8(output.get_output().stdout.clone()).unwrap();
    assert_eq!(movetext(&pgn), "1. d4 {[%clk 0:00:59]} 1... e5 {[%clk 0:00:50]} *");
}

#[test]
fn pain_3_what_is_no_move_becomes_a_comment_and_blocks_nothing() {
    let records = [
        begin(1),
        of(1, "move", "\"ply\":1,\"san\":\"e4\",\"guess\":true"),
        of(1, "anomaly", "\"ply\":1,\"kind\":\"illegal\",\"detail\":\"e7 to e4 {1}\""),
        of(1, "move", "\"ply\":2,\"san\":\"e5\""),
    ]
    .concat();
    let output = to_pgn().write_stdin(records).assert().success().stderr("");
    let pgn = String::from_utf8(output.get_output().stdout.clone()).unwrap();
    assert_eq!(
        movetext(&pgn),
        "1. e4 ;guess: a gap in what the board told is bridged here illegal: e7 to e4\n;{1}\n1... e5 *"
    );
}

#[test]
fn a_bad_record_is_named_and_what_stands_around_it_is_kept() {
    let records = [begin(1), ply(1, 1, "e4", 1), "{\"type\":\"mo\n".into(), ply(1, 2, "e5", 1)].concat();
    let assert = to_pgn().write_stdin(records.clone()).assert().code(4);
    let output = assert.get_output();
    let errors = String::from_utf8(output.stderr.clone()).unwrap();
    assert!(errors.starts_with("boardbus to-pgn: standard input:3: not a record"), "{errors}");
    assert!(errors.ends_with("boardbus to-pgn: 1 bad record skipped\n"), "{errors}");
    assert!(String::from_utf8(output.stdout.clone()).unwrap().contains("1... e5"));
    to_pgn().arg("--strict").write_stdin(records).assert().code(4).stdout("");
}

#[test]
fn the_boards_stand_in_the_order_of_their_addresses() {
    let records = [begin(30), begin(4), ply(30, 1, "e4", 1), ply(4, 1, "d4", 1)].concat();
    let output = to_pgn().write_stdin(records).assert().success();
    let pgn = String::from_utf8(output.get_output().stdout.clone()).unwrap();
    assert!(pgn.find("1. d4").unwrap() < pgn.find("1. e4").unwrap());
}

#[test]
fn a_file_is_replaced_whole_and_holds_the_last_version() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.pgn");
    std::fs::write(&path, "something old").unwrap();
    let records = [begin(1), ply(1, 1, "e4", 1)].concat();
    to_pgn().arg("--output").arg(&path).write_stdin(records).assert().success().stdout("").stderr("");
    let pgn = std::fs::read_to_string(&path).unwrap();
    assert_eq!(movetext(&pgn), "1. e4 {[%clk 0:00:01]} *");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "nothing temporary is left");
}
