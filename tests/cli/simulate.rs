//! `boardbus simulate`.

use std::collections::BTreeMap;

use assert_cmd::cargo::cargo_bin_cmd;
use predicates::prelude::*;

const PGN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/simulate.pgn");

fn records(args: &[&str]) -> Vec<serde_json::Value> {
    let out = cargo_bin_cmd!().args(["simulate", "--pgn", PGN, "--records"]).args(args).assert();
    let out = out.success().stderr("").get_output().stdout.clone();
    String::from_utf8(out).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn of<'a>(records: &'a [serde_json::Value], kind: &str) -> Vec<&'a serde_json::Value> {
    records.iter().filter(|record| record["type"] == kind).collect()
}

#[test]
fn the_same_seed_prints_the_same_bytes_and_another_one_others() {
    let run = |seed: &str| {
        let out = cargo_bin_cmd!()
            .args(["simulate", "--pgn", PGN, "--records", "--hands", "blitz", "--seed", seed])
            .assert();
        out.success().get_output().stdout.clone()
    };
    assert_eq!(run("7"), run("7"));
    assert_ne!(run("7"), run("8"));
}

#[test]
fn each_game_that_has_moves_gets_a_board_of_its_own() {
    let records = records(&[]);
    assert_eq!(records[0]["type"], "stream");
    let boards: Vec<u64> = of(&records, "board").iter().map(|r| r["board"].as_u64().unwrap()).collect();
    assert_eq!(boards, [1025, 1026, 1027]);
    let begins = of(&records, "mark");
    assert_eq!(begins.iter().map(|r| r["mark"].as_str().unwrap()).collect::<Vec<_>>(), ["begin"; 3]);
}

#[test]
fn more_games_than_boards_follow_each_other_with_a_begin_mark_each() {
    let records = records(&["--address", "2054", "--hands", "clean"]);
    assert!(records[1..].iter().all(|record| record["board"] == 2054));
    let begins = of(&records, "mark").iter().filter(|r| r["mark"] == "begin").count();
    assert_eq!(begins, 3);
}

#[test]
fn records_come_in_order_of_time_and_share_the_time_of_their_poll() {
    let records = records(&["--hands", "rapid", "--poll", "2"]);
    let times: Vec<&str> = records[1..].iter().map(|r| r["time"].as_str().unwrap()).collect();
    assert!(times.is_sorted());
    // Three boards share each two seconds, and no board is polled at any other time.
    let mut phases: BTreeMap<u64, std::collections::BTreeSet<u64>> = BTreeMap::new();
    for record in &records[1..] {
        let time: &str = record["time"].as_str().unwrap();
        let millis =
            (time[17..19].parse::<u64>().unwrap() * 1000 + time[20..23].parse::<u64>().unwrap()) % 2000;
        phases.entry(record["board"].as_u64().unwrap()).or_default().insert(millis);
    }
    assert_eq!(phases.values().map(|phases| phases.len()).collect::<Vec<_>>(), [1, 1, 1]);
}

#[test]
fn presses_tell_the_clock_times_of_the_game() {
    let records = records(&["--boards", "3", "--hands", "clean"]);
    let presses: Vec<u64> = of(&records, "press")
        .iter()
        .filter(|r| r["board"] == 1027)
        .map(|r| r["seconds"].as_u64().unwrap())
        .collect();
    assert_eq!(presses, [300, 298, 299, 290, 295, 291, 291]);
    assert!(of(&self::records(&["--no-clock"]), "press").is_empty());
}

#[test]
fn a_move_that_cannot_be_played_is_named_and_the_rest_is_played() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("bad.pgn");
    std::fs::write(&path, "1. e4 Ke4 2. d4 *\n\n1. d4 d5 *\n").unwrap();
    let mut simulate = cargo_bin_cmd!();
    simulate.args(["simulate", "--records", "--pgn"]).arg(&path);
    let assert = simulate.assert().code(4);
    assert
        .stderr(predicate::str::contains("bad.pgn: game 1: Ke4").and(predicate::str::contains("1 bad game")));
}

#[test]
fn a_file_that_is_not_there_is_an_error_of_reading() {
    let mut simulate = cargo_bin_cmd!();
    simulate.args(["simulate", "--records", "--pgn", "/nowhere/games.pgn"]);
    simulate.assert().code(5).stdout("").stderr(predicate::str::contains("/nowhere/games.pgn"));
}

#[test]
fn addresses_out_of_range_are_refused() {
    for list in ["0", "16384", "7-5", "1025,1025", "x"] {
        cargo_bin_cmd!().args(["simulate", "--pgn", PGN, "--address", list]).assert().code(2).stdout("");
    }
}
