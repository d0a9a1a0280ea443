//! `boardbus from-start`.

use predicates::prelude::*;

use super::{
    hall::{Hall, logged, silent},
    program::{of, records},
};

/// Plays on a board with these arguments, and compares its log with what it has logged.
fn log_matches_the_watch(args: &[&str]) {
    let hall = Hall::open(&[&["--boards", "1", "--speed", "200", "--start-delay", "0"], args].concat());
    let mut watch = hall.spawn("watch", &["--board", "1025"]);
    // Nine pieces that move, and the end of the game: the last press but one.
    watch.until(|record| record["type"] == "change" && record["square"] == "f7" && record["piece"] == "Q");
    watch.signal(rustix::process::Signal::TERM);
    watch.rest();
    let out = hall.command("from-start").args(["--board", "1025"]).assert().success().stderr(silent());
    let records = records(&out.get_output().stdout);
    assert!(of(&records, "fault").is_empty());
    assert_eq!((&records[1]["type"], &records[1]["complete"]), (&"history".into(), &true.into()));
    assert_eq!(records[1]["count"], records.len() as u64 - 2);
    let truth = logged(&hall.close(), 1025);
    let start = truth.iter().rposition(|entry| entry.contains("\"start\"")).unwrap();
    let told = logged(&records, 1025);
    assert!(told.len() > 33 + 2 * 7);
    assert_eq!(told, truth[start..][..told.len()]);
}

#[test]
fn logs_since_start_marks_match_the_watch() {
    log_matches_the_watch(&[]);
}

/// The log ends with the beginning of an entry, whose rest the next packet has.
#[test]
fn cut_entries_are_no_faults_of_a_log() {
    log_matches_the_watch(&["--fault", "cut-entries=1025"]);
}

#[test]
fn a_board_without_a_start_mark_has_no_history() {
    let hall = Hall::open(&["--boards", "1", "--wire-speed", "0"]);
    let out = hall.command("from-start").args(["--board", "1025"]).assert().success();
    let out = out.stderr(predicate::str::contains("the log of board 1025 is empty: "));
    let records = records(&out.get_output().stdout);
    let history = of(&records, "history")[0];
    assert_eq!((&history["count"], &history["complete"]), (&0.into(), &false.into()));
}

#[test]
fn silent_boards_are_reported_with_exit_1() {
    let hall = Hall::open(&["--boards", "1", "--wire-speed", "0"]);
    let out = hall.command("from-start").args(["--board", "1026"]).assert();
    out.code(1).stderr(predicate::str::ends_with("no log from 1026\n"));
}
