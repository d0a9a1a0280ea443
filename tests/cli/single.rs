//! One board alone on its cable, in all commands that talk to boards.

use std::{fs, os::unix::fs::symlink};

use assert_cmd::cargo::cargo_bin_cmd;
use predicates::prelude::*;
use rustix::process::Signal;
use serde_json::Value;

use super::{
    hall::{Hall, PGN, is_mate, logged, silent},
    program::{command, movetext, of, on_a_terminal, records, run},
};

/// A board that knows no bus; hands are fast, but so that the clock's lever is seen to turn.
const ALONE: &[&str] = &["--mode", "single", "--speed", "20", "--start-delay", "0"];

/// The moves that `reconstruct` makes of records, of the first game.
fn played(records: &[Value]) -> Vec<String> {
    let input: String = records.iter().map(|record| format!("{record}\n")).collect();
    let (output, _, code) = run(&["reconstruct"], input);
    assert_eq!(code, 0);
    let games = super::program::records(output);
    let moves = of(&games, "move").into_iter().filter(|record| record["game"] == 1);
    let mut line: Vec<String> = Vec::new();
    for record in moves {
        let ply = record["ply"].as_u64().unwrap() as usize;
        line.truncate(ply - 1);
        line.push(record["san"].as_str().unwrap().to_owned());
    }
    line
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";

const GAME: [&str; 7] = ["e4", "e5", "Bc4", "Nc6", "Qh5", "Nf6", "Qxf7#"];

#[test]
fn a_board_alone_is_found_out_by_itself() {
    let hall = Hall::open(&["--mode", "single", "--address", "2054", "--firmware", "1.8"]);
    let out = hall.command("discover").assert().success().stderr(silent()).get_output().stdout.clone();
    let told = records(&out);
    let found = of(&told, "board")[0];
    assert_eq!(
        (&found["board"], &found["mode"], &found["version"]),
        (&2054.into(), &"single".into(), &"1.8".into())
    );
    hall.command("discover")
        .args(["--mode", "bus"])
        .assert()
        .code(1)
        .stderr(predicate::str::contains("no board answers"));
    let out = hall.command("discover").args(["--mode", "single", "--expect", "2054,2055"]).assert().code(1);
    out.stderr(predicate::str::ends_with("no answer from 2055\n"));
}

#[test]
fn position_and_clock_of_a_board_alone() {
    let hall = Hall::open(&["--mode", "single"]);
    for args in [&["--mode", "single"][..], &["--board", "1025"], &[]] {
        let out =
            hall.command("dump").args(args).assert().success().stderr(silent()).get_output().stdout.clone();
        let told = records(&out);
        assert_eq!(of(&told, "position")[0]["placement"], START);
        assert_eq!(of(&told, "clock")[0]["connected"], true, "{args:?}");
    }
    let out = hall.command("dump").args(["--mode", "single", "--board", "3000"]).assert();
    out.code(1).stderr(predicate::str::ends_with("no answer from 3000\n"));
}

#[test]
fn bus_capable_single_boards_get_start_marks() {
    let hall = Hall::open(&["--boards", "1"]);
    let out = hall.command("start").args(["--mode", "single"]).assert().success().stderr(silent());
    let told = records(&out.get_output().stdout);
    let kinds: Vec<&str> = told.iter().map(|record| record["type"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["stream", "mark", "position", "clock"]);
    assert!(logged(&hall.close(), 1025).iter().any(|entry| entry.contains("\"start\"")));
    let hall = Hall::open(&["--mode", "single"]);
    let out = hall.command("start").args(["--mode", "single"]).assert().code(1);
    out.stderr(predicate::str::ends_with("no start mark from a board that knows no bus 1025\n"));
}

#[test]
fn games_on_single_boards_are_watched_and_reconstructed() {
    let hall = Hall::open(ALONE);
    let mut watch = hall.spawn("watch", &[]);
    let mut told = watch.until(is_mate);
    told.extend(watch.until(|record| record["type"] == "press"));
    watch.signal(Signal::TERM);
    told.extend(watch.rest());
    assert_eq!(of(&told, "board")[0]["mode"], "single");
    assert!(of(&told, "fault").is_empty());
    let numbers: Vec<u64> = told[1..].iter().map(|record| record["seq"].as_u64().unwrap()).collect();
    assert_eq!(numbers, (1..=numbers.len() as u64).collect::<Vec<_>>());
    assert_eq!(played(&told), GAME);
}

/// A game whose pieces rest, in the capture of its watch and in its journal.
fn is_captured(clock: &[&str]) {
    let play = ["--pgn", PGN, "--boards", "1", "--forever", "--speed", "3", "--start-delay", "0"];
    let hall = Hall::simulate(&[&play[..], &["--hands", "blitz"], clock].concat());
    let (capture, journal) = (hall.file("capture.txt"), hall.file("journal.jsonl"));
    let args = ["--mode", "single", "--capture", capture.to_str().unwrap(), "--journal"];
    let mut watch = hall.spawn("watch", &[&args[..], &[journal.to_str().unwrap()]].concat());
    watch.until(is_mate);
    watch.until(|record| record["type"] == "quiet");
    watch.signal(Signal::TERM);
    watch.rest();
    // The signal may come in the middle of a message, which is a fault then.
    let decoded = run(&["decode", capture.to_str().unwrap()], "").0;
    let journal = fs::read_to_string(&journal).unwrap();
    let [told, kept] = [&decoded, &journal].map(records);
    assert_eq!(of(&told, "mark").len(), of(&kept, "mark").len());
    assert!(of(&told, "quiet").len() > 1, "{decoded}");
    let [told, kept] = [decoded, journal].map(|records| {
        let games = run(&["reconstruct"], records).0;
        movetext(&run(&["to-pgn"], games).0).to_owned()
    });
    assert!(kept.contains("Qxf7#"), "{kept}");
    assert_eq!(told, kept);
}

#[test]
fn single_board_captures_give_the_games_of_journals() {
    is_captured(&[]);
}

#[test]
fn so_does_that_of_a_board_without_a_clock() {
    is_captured(&["--no-clock"]);
}

#[test]
fn games_continue_after_cable_loss_and_a_killed_watch() {
    let hall = Hall::open(&[ALONE, &["--unplug", "7s:2000ms"]].concat());
    let journal = hall.file("journal.jsonl");
    let args = ["--journal", journal.to_str().unwrap()];
    let mut watch = hall.spawn("watch", &args);
    watch.until(|record| record["type"] == "change");
    watch.signal(Signal::KILL);
    watch.child.wait().unwrap();
    drop(watch);
    let mut watch = hall.spawn("watch", &args);
    let mut told = watch.until(|record| record["type"] == "found");
    if !told.iter().any(is_mate) {
        told.extend(watch.until(is_mate));
    }
    told.extend(watch.until(|record| record["type"] == "quiet" || record["type"] == "press"));
    watch.signal(Signal::TERM);
    told.extend(watch.rest());
    assert_eq!(of(&told, "lost")[0]["reason"], "port-closed");
    assert_eq!(told, records(fs::read(&journal).unwrap()));
    assert_eq!(played(&told), GAME);
}

#[test]
fn single_board_logs_hold_their_games() {
    let hall = Hall::open(ALONE);
    let mut watch = hall.spawn("watch", &["--mode", "single"]);
    watch.until(is_mate);
    watch.until(|record| record["type"] == "press");
    watch.signal(Signal::TERM);
    watch.rest();
    let out = hall.command("from-start").args(["--mode", "single"]).assert().success().stderr(silent());
    let told = records(&out.get_output().stdout);
    let history = of(&told, "history")[0];
    assert_eq!(history["complete"], true);
    assert_eq!(history["count"], told.len() as u64 - 2);
    assert_eq!(played(&told), GAME);
}

#[test]
fn single_boards_switched_on_later_are_found() {
    let hall = Hall::open(&[ALONE, &["--unplug", "0:4"]].concat());
    // The link is there a moment before the cable is pulled out: the port is opened when it is back.
    let mut watch = loop {
        let mut watch = hall.spawn("watch", &[]);
        if watch.next().is_some() {
            break watch;
        }
        assert_eq!(watch.child.wait().unwrap().code(), Some(3));
    };
    let told = watch.until(|record| record["type"] == "board");
    assert_eq!(told.last().unwrap()["mode"], "single");
}

#[test]
fn one_cable_has_one_board() {
    let pgn = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/bus.pgn");
    let mut simulate = cargo_bin_cmd!();
    simulate.args(["simulate", "--pgn", pgn, "--mode", "single", "--boards", "2"]);
    simulate.assert().code(2).stderr(predicate::str::contains("one board has the cable for itself"));
}

#[test]
fn a_download_shows_its_progress_to_a_terminal_only() {
    let hall = Hall::open(&["--mode", "single", "--wire-speed", "38400"]);
    hall.command("from-start").args(["--mode", "single"]).assert().success().stderr(silent());
    let command = format!(
        "{} from-start --mode single --port {}",
        env!("CARGO_BIN_EXE_boardbus"),
        hall.port().display()
    );
    let Some((text, _)) = on_a_terminal(&command, &[]) else { return };
    assert!(text.contains("board 1025") && text.contains("KiB"), "{text}");
}

#[test]
fn long_serial_numbers_name_their_boards() {
    for fault in ["no-address=1025", "short-address=1025"] {
        let hall = Hall::open(&["--mode", "single", "--fault", fault]);
        let out = hall.command("discover").args(["--expect", "3000001025"]).assert().success();
        let found = records(&out.get_output().stdout);
        assert_eq!(
            (&of(&found, "board")[0]["board"], &of(&found, "board")[0]["serial"]),
            (&1025.into(), &"3000001025".into())
        );
        let out = hall.command("dump").args(["--board", "3000001025", "--mode", "single"]).assert().success();
        assert_eq!(of(&records(&out.get_output().stdout), "position").len(), 1);
        let out =
            hall.command("discover").args(["--mode", "single", "--expect", "3000147740"]).assert().code(1);
        out.stderr(predicate::str::ends_with("no answer from 3000147740\n"));
        // Another board, whose last four digits are the same.
        let other = "3000991025";
        for command in [&["discover", "--expect"][..], &["dump", "--board"], &["reset", "--board"]] {
            let out = hall.command(command[0]).args(["--mode", "single", command[1], other]).assert().code(1);
            out.stderr(predicate::str::ends_with(format!("{other}\n")));
        }
    }
}

/// The changes of a board, in their order.
fn changes(records: &[Value]) -> Vec<String> {
    logged(records, 1025).into_iter().filter(|entry| entry.contains("change")).collect()
}

#[test]
fn unusual_answers_are_no_records_of_their_own() {
    for fault in ["stale-frames", "any-order", "empty-log"] {
        let odd = ["--mode", "single", "--fault", &format!("{fault}=1025")];
        let hall = Hall::open(&odd);
        let out = hall.command("discover").assert().success();
        let found = records(&out.get_output().stdout);
        let found = of(&found, "board");
        assert_eq!((found.len(), &found[0]["board"], &found[0]["version"]), (1, &1025.into(), &"1.6".into()));
        // The next board has not answered yet.
        for args in [&[][..], &["--mode", "single"], &["--board", "1025"]] {
            let out = Hall::open(&odd).command("dump").args(args).assert().success().stderr(silent());
            let printed = records(&out.get_output().stdout);
            assert_eq!(of(&printed, "position")[0]["placement"], START, "{fault} {args:?}");
            assert_eq!(of(&printed, "clock")[0]["connected"], true, "{fault} {args:?}");
        }
    }
}

#[test]
fn games_on_boards_with_unusual_answers_are_whole() {
    for fault in ["stale-frames", "any-order"] {
        let fault = format!("{fault}=1025");
        let hall =
            Hall::open(&["--mode", "single", "--speed", "20", "--start-delay", "3", "--fault", &fault]);
        let mut watch = hall.spawn("watch", &[]);
        let mut printed = watch.until(is_mate);
        printed.extend(watch.until(|record| record["type"] == "press"));
        watch.signal(Signal::TERM);
        printed.extend(watch.rest());
        assert!(of(&printed, "fault").is_empty(), "{fault}: {printed:?}");
        assert_eq!(played(&printed), GAME, "{fault}");
        let is_stale = |position: &&Value| position["placement"] == "8/8/8/8/8/8/8/8";
        assert!(!of(&printed, "position").iter().any(is_stale), "{fault}");
        let (printed, truth) = (changes(&printed), changes(&hall.close()));
        // Before the first change stands the list of the 32 pieces.
        assert_eq!(printed, truth[32..][..printed.len()], "{fault}");
    }
}

#[test]
fn an_empty_log_is_reported() {
    let hall = Hall::open(&["--mode", "single", "--fault", "empty-log=1025"]);
    let out = hall.command("from-start").args(["--mode", "single"]).assert().success();
    let out = out.stderr(predicate::str::contains("the log of board 1025 is empty"));
    let printed = records(&out.get_output().stdout);
    let kinds: Vec<&str> = printed.iter().map(|record| record["type"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["stream", "history", "mark"]);
    assert_eq!((&printed[1]["complete"], &printed[2]["mark"]), (&false.into(), &"end".into()));
}

#[test]
fn stale_frames_of_a_returning_board_are_no_records() {
    let idle = ["--mode", "single", "--fault", "stale-frames=1025", "--start-delay", "1h"];
    let [first, again] = [Hall::open(&idle), Hall::open(&idle)];
    let link = again.file("link");
    symlink(first.port(), &link).unwrap();
    let mut watch = again.spawn_on(link.to_str().unwrap(), "watch", &["--mode", "single"]);
    let mut printed = watch.until(|record| record["type"] == "quiet");
    fs::remove_file(&link).unwrap();
    symlink(again.port(), &link).unwrap();
    first.close();
    printed.extend(watch.until(|record| record["type"] == "found"));
    watch.signal(Signal::TERM);
    printed.extend(watch.rest());
    let kinds = printed.iter().map(|record| record["type"].as_str().unwrap());
    let kinds: Vec<&str> = kinds.filter(|kind| *kind != "clock").collect();
    assert_eq!(kinds, ["stream", "board", "position", "quiet", "lost", "found"]);
}

/// A port of Bluetooth has no lines DTR and RTS. A pseudo-terminal has none either, and its name is of no account.
#[test]
fn ports_of_bluetooth_need_no_modem_lines() {
    let hall = Hall::open(&["--mode", "single", "--fault", "any-order=1025", "--start-delay", "1h"]);
    let port = hall.file("rfcomm0");
    symlink(fs::read_link(hall.port()).unwrap(), &port).unwrap();
    let port = port.to_str().unwrap();
    for dtr in ["auto", "high", "low"] {
        let out =
            command("discover").args(["--port", port, "--mode", "single", "--dtr", dtr]).assert().success();
        let found = records(&out.get_output().stdout);
        assert_eq!((&found[1]["board"], &found[1]["port"]), (&1025.into(), &port.into()), "{dtr}");
    }
    let mut watch = hall.spawn_on(port, "watch", &["--dtr", "high"]);
    let printed = watch.until(|record| record["type"] == "quiet");
    watch.signal(Signal::TERM);
    watch.rest();
    assert_eq!(of(&printed, "position")[0]["placement"], START);
    assert!(of(&printed, "fault").is_empty());
}
