//! `boardbus dump`.

use predicates::prelude::*;

use std::{collections::BTreeSet, os::unix::process::ExitStatusExt};

use rustix::process::{Pid, Signal, kill_process};

use super::{
    hall::{Hall, silent},
    program::{of, records},
    terminal::Terminal,
};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";

#[test]
fn position_and_clock_of_every_board_without_a_list() {
    let hall = Hall::open(&["--boards", "3", "--wire-speed", "0"]);
    let out = hall.command("dump").assert().success().stderr(silent()).get_output().stdout.clone();
    let records = records(&out);
    let positions = of(&records, "position");
    let boards: Vec<u64> = positions.iter().map(|record| record["board"].as_u64().unwrap()).collect();
    assert_eq!(boards, [1025, 1026, 1027]);
    assert!(positions.iter().all(|record| record["placement"] == START));
    assert!(of(&records, "clock").iter().all(|record| record["connected"] == true));
    assert_eq!(of(&records, "clock").len(), 3);
}

#[test]
fn only_given_boards_answer_and_missing_exit_1() {
    let hall = Hall::open(&["--boards", "3", "--no-clock"]);
    let out = hall.command("dump").args(["--board", "1026,3000"]).assert().code(1);
    let out = out.stderr(predicate::str::ends_with("no answer from 3000\n"));
    let records = records(&out.get_output().stdout);
    assert_eq!(records.len(), 3);
    assert_eq!((&records[1]["board"], &records[1]["type"]), (&1026.into(), &"position".into()));
    assert_eq!((&records[2]["board"], &records[2]["connected"]), (&1026.into(), &false.into()));
}

#[test]
fn people_get_boards_side_by_side_on_their_grids() {
    let hall = Hall::open(&["--boards", "3", "--no-clock", "--wire-speed", "0"]);
    let head = "\
board 1025                             board 1026
no clock                               no clock
  ┌───┬───┬───┬───┬───┬───┬───┬───┐      ┌───┬───┬───┬───┬───┬───┬───┬───┐
8 │ r │ n │ b │ q │ k │ b │ n │ r │    8 │ r │ n │ b │ q │ k │ b │ n │ r │
  ├───┼───┼───┼───┼───┼───┼───┼───┤      ├───┼───┼───┼───┼───┼───┼───┼───┤
7 │ p │ p │ p │ p │ p │ p │ p │ p │    7 │ p │ p │ p │ p │ p │ p │ p │ p │
";
    let mut dump = hall.command("dump");
    dump.env("COLUMNS", "80").args(["--board", "1025-1027", "--format", "text"]);
    // Where the locale knows no others, plain signs stand for the grids.
    let plain = dump.env("LC_ALL", "C").assert().success().get_output().stdout.clone();
    assert!(
        String::from_utf8_lossy(&plain).contains("\n8 | r | n | b | q | k | b | n | r |") && plain.is_ascii()
    );
    dump.env("LC_ALL", "C.UTF-8");
    let out = dump.assert().success().stderr(silent()).stdout(predicate::str::starts_with(head));
    let text = String::from_utf8_lossy(&out.get_output().stdout).into_owned();
    assert!(text.lines().any(|line| line == "board 1027"), "{text}");
    assert_eq!(text.lines().filter(|line| line.contains("a   b   c   d   e   f   g   h")).count(), 2);
}

#[test]
fn a_followed_board_shows_every_change_of_its_squares() {
    let hall = Hall::open(&["--boards", "1", "--no-clock", "--start", "now", "--speed", "10"]);
    let mut dump = hall.spawn("dump", &["--board", "1025", "--follow", "--format", "json"]);
    let is_position = |record: &serde_json::Value| record["type"] == "position";
    let seen = dump.until(|record| is_position(record) && record["placement"] != START);
    let positions: Vec<_> = seen.iter().filter(|record| is_position(record)).collect();
    assert_eq!(positions[0]["placement"], START);
    let more = dump.until(is_position);
    assert_ne!(more.last().unwrap()["placement"], positions.last().unwrap()["placement"]);
    dump.signal(Signal::INT);
    assert_eq!(dump.child.wait().unwrap().signal(), Some(2));
}

#[test]
fn drawn_boards_show_their_last_change_twice() {
    let hall = Hall::open(&["--boards", "1", "--no-clock", "--start", "now", "--speed", "10"]);
    let mut dump = std::process::Command::new(env!("CARGO_BIN_EXE_boardbus"));
    dump.env("LC_ALL", "C.UTF-8")
        .arg("dump")
        .arg("--port")
        .arg(hall.port())
        .args(["--board", "1025", "--follow", "--format", "text"]);
    let mut dump = dump.stdout(std::process::Stdio::piped()).spawn().unwrap();
    let lines = std::io::BufRead::lines(std::io::BufReader::new(dump.stdout.take().unwrap()));
    let mut lines = lines.map(Result::unwrap);
    // The first move of the game lifts the king's pawn.
    assert!(lines.any(|line| line.starts_with("2 │") && line.contains("[ ]")));
    assert!(lines.any(|line| line.contains("e2 empty")));
    let _ = dump.kill();
    let _ = dump.wait();
}

/// Followed boards on a terminal of this size.
fn followed(hall: &Hall, boards: &str, size: (u16, u16)) -> Terminal {
    let port = hall.port();
    let args = ["dump", "--port", port.to_str().unwrap(), "--board", boards, "--follow"];
    Terminal::open(&args, size, true)
}

#[test]
fn followed_boards_keep_their_place_after_input_and_resizing() {
    let hall = Hall::open(&["--boards", "8", "--no-clock", "--start", "now", "--speed", "10"]);
    let mut terminal = followed(&hall, "1025-1032", (24, 80));
    let heads = |text: &str| text.lines().filter(|line| line.contains("no clock")).count();
    let text = terminal.shows(&["4 of 8 boards, which changed last", "["]);
    assert_eq!(heads(&text), 2, "{text}");
    // Neither what is typed nor what others write stays.
    terminal.press("\r\r\rls\r");
    rustix::io::write(&terminal.slave, b"\x1b[HBroadcast message\r\n").unwrap();
    terminal.shows(&["Broadcast message"]);
    terminal.press("\x0c");
    let is_whole = |text: &str| {
        let marks = |mark: &str| text.matches(mark).count();
        !text.contains("Broadcast") && heads(text) == 2 && marks("  8  ") == 4 && marks("  1  ") == 4
    };
    terminal.until("drawn anew", is_whole);
    terminal.resize(60, 200);
    terminal.until("all on their grids", |text| text.matches("board 10").count() == 8);
    terminal.resize(8, 24);
    terminal.shows(&["1 of 8 boards, which ch…"]);
    terminal.press("q");
    let (status, behind) = terminal.left();
    assert!(status.success());
    // What stood there last stays on the terminal.
    assert!(behind.contains("no clock") && behind.contains("1 of 8 boards"), "{behind:?}");
}

#[test]
fn dump_follow_restores_the_terminal_when_stopped_or_ended() {
    let hall = Hall::open(&["--boards", "1", "--no-clock"]);
    let mut terminal = followed(&hall, "1025,3000", (24, 80));
    let before = terminal.shows(&["board 1025", "1 │ R │ N │", "no answer from 3000"]);
    let child = Pid::from_child(&terminal.child);
    kill_process(child, Signal::TSTP).unwrap();
    let stands = format!("/proc/{}/stat", terminal.child.id());
    terminal.until("stopped", |_| std::fs::read_to_string(&stands).unwrap().contains(") T "));
    terminal.read();
    assert!(!terminal.screen.screen().alternate_screen());
    kill_process(child, Signal::CONT).unwrap();
    terminal.until("the same as before", |text| text == before);
    kill_process(child, Signal::INT).unwrap();
    let (status, behind) = terminal.left();
    assert_eq!(status.signal(), Some(2));
    assert!(behind.contains("board 1025") && behind.contains("no answer from 3000"), "{behind:?}");
}

#[test]
fn keys_end_the_dump_while_silent_boards_are_asked() {
    let hall = Hall::open(&["--boards", "1", "--no-clock"]);
    let (port, capture) = (hall.port(), hall.file("dump.capture"));
    // Half a minute of silence in each round.
    let boards = "1025,3000-3099";
    let args = ["dump", "--port", port.to_str().unwrap(), "--board", boards, "--follow", "--capture"];
    let mut terminal = Terminal::open(&[&args[..], &[capture.to_str().unwrap()]].concat(), (24, 80), true);
    terminal.shows(&["board 1025"]);
    terminal.press("q");
    assert!(terminal.left().0.success());
    let sent = std::fs::read_to_string(capture).unwrap();
    let asked: BTreeSet<&str> = sent.lines().filter_map(|line| Some(line.split_once("> ")?.1)).collect();
    assert!(asked.len() < 100, "{}", asked.len());
}

#[test]
fn followed_boards_without_answers_are_reported() {
    let hall = Hall::open(&["--boards", "1"]);
    let out = hall.command("dump").args(["--board", "3000", "--follow"]).assert();
    out.code(1).stderr(predicate::str::ends_with("no answer from 3000\n"));
}

#[test]
fn empty_lines_get_advice() {
    let hall = Hall::open(&["--boards", "1", "--noise", "1"]);
    let out = hall.command("dump").args(["--board", "1025"]).assert();
    out.code(1).stderr(predicate::str::ends_with("no answer from 1025\n"));
}

#[test]
fn invalid_lists_are_usage_errors() {
    let hall = Hall::open(&["--boards", "1"]);
    let out = hall.command("dump").args(["--board", "1030-1025"]).assert();
    out.code(2).stdout("").stderr(predicate::str::contains("`1030-1025` begins above its end"));
}
