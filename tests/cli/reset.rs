//! `boardbus reset`.

use predicates::prelude::*;
use predicates::str::contains;
use rustix::process::Signal;

use super::{
    hall::{Hall, logged},
    program::{of, records},
};

#[test]
fn named_boards_restart_and_keep_log_and_mark() {
    let hall = Hall::open(&["--boards", "2", "--start-delay", "1000000"]);
    hall.command("start").args(["--board", "1025"]).assert().success();
    let reset = hall.command("reset").args(["--board", "1025,1026", "--format", "text"]).assert().success();
    let printed = String::from_utf8(reset.get_output().stdout.clone()).unwrap();
    let lines: Vec<&str> = printed.lines().collect();
    assert!(lines[0].starts_with("board 1025 is back after "), "{printed}");
    assert!(lines[0].ends_with(": its log and its start mark are kept"), "{printed}");
    assert!(lines[1].starts_with("board 1026 is back after "), "{printed}");
    assert!(lines[1].ends_with(": it had no start mark, and has none"), "{printed}");
    // The simulator resets a board in 1.5 s at least, as it says of itself.
    let seconds: f64 = lines[0].split(' ').nth(5).unwrap().parse().unwrap();
    assert!((1.5..20.0).contains(&seconds), "{printed}");
    let truth = hall.close();
    for board in [1025, 1026] {
        let restarts = logged(&truth, board).iter().filter(|entry| entry.contains("power-up")).count();
        assert_eq!(restarts, 2, "{board}");
    }
}

#[test]
fn all_boards_restart_after_a_yes() {
    let hall = Hall::open(&["--boards", "3", "--start-delay", "1000000"]);
    let refused = hall.command("reset").arg("--all").assert().code(2);
    refused.stderr("boardbus reset: --all restarts every board of the line: give --yes as well\n");
    let reset = hall.command("reset").args(["--all", "--yes"]).assert().success();
    let printed = records(&reset.get_output().stdout);
    let mut boards: Vec<_> = of(&printed, "board").iter().map(|record| record["board"].as_u64()).collect();
    boards.sort();
    assert_eq!(boards, [Some(1025), Some(1026), Some(1027)]);
    let absent = hall.command("reset").args(["--board", "3000"]).assert().code(1);
    absent.stderr(contains("not restarted: 3000"));
    hall.command("reset").assert().code(2);
}

#[test]
fn bus_mode_ends_for_the_only_board() {
    let two = Hall::open(&["--boards", "2"]);
    let out = two.command("reset").args(["--board", "1025", "--end-bus-mode"]).assert().code(1);
    out.stderr(contains("2 boards are on this line"));
    two.command("discover").args(["--mode", "bus", "--expect", "1025-1026"]).assert().success();
    let one = Hall::open(&["--boards", "1"]);
    let out = one.command("reset").args(["--board", "1025", "--end-bus-mode", "--format", "text"]).assert();
    out.success().stdout("board 1025 answers as a board alone does, until it restarts: --mode single\n");
}

#[test]
fn boards_without_bus_mode_ignore_resets() {
    let hall = Hall::open(&["--mode", "single"]);
    let out = hall.command("reset").args(["--board", "1025", "--mode", "single"]).assert().code(1);
    out.stderr(contains("board 1025 ignores resets, as boards without bus mode do: switch it off and on"));
}

#[test]
fn a_watch_that_holds_the_port_is_named() {
    let hall = Hall::open(&["--boards", "1"]);
    let mut watch = hall.spawn("watch", &["--board", "1025"]);
    watch.until(|record| record["type"] == "board");
    let out = hall.command("reset").args(["--board", "1025"]).assert().code(3);
    // The simulator has the other end of its line, and may be named beside it.
    out.stderr(contains("held by ").and(contains("boardbus watch (process ")));
    watch.signal(Signal::TERM);
    watch.rest();
}
