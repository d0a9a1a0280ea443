//! `boardbus watch`.

use std::{fs, os::unix::process::ExitStatusExt};

use predicates::prelude::*;
use rustix::process::Signal;

use super::{
    hall::{Hall, is_about_speed, is_mate, logged, silent, wait},
    program::{of, on_a_terminal, records},
};

/// Fast hands on a line of true speed, play at the mark.
const FAST: &[&str] = &["--speed", "200", "--start-delay", "0"];

#[test]
fn changes_are_published_once_in_order_without_faults() {
    let hall = Hall::open(&[FAST, &["--boards", "3"]].concat());
    let mut watch = hall.spawn("watch", &[]);
    let mut told = watch.until(|record| record["type"] == "press");
    assert_eq!(told[0]["type"], "stream");
    assert_eq!(told[1]["type"], "board");
    // Each board plays on with the games that are left; the third needs longest for its first, of ten plies.
    let presses =
        |told: &[serde_json::Value]| of(told, "press").iter().filter(|press| press["board"] == 1027).count();
    while presses(&told) < 10 {
        told.extend(watch.until(|record| record["type"] == "press" && record["board"] == 1027));
    }
    watch.signal(Signal::TERM);
    told.extend(watch.rest());
    let numbers: Vec<u64> = told[1..].iter().map(|record| record["seq"].as_u64().unwrap()).collect();
    assert_eq!(numbers, (1..=numbers.len() as u64).collect::<Vec<_>>());
    // A machine that is busy elsewhere can let an answer stall, which is a fault with a cause.
    let faults = of(&told, "fault")
        .into_iter()
        .filter(|fault| fault["kind"] == "checksum" || fault["kind"] == "corrupt");
    assert_eq!(faults.collect::<Vec<_>>(), Vec::<&serde_json::Value>::new());
    let truth = hall.close();
    for board in [1025, 1026, 1027] {
        let (told, truth) = (logged(&told, board), logged(&truth, board));
        assert!(told.len() > 32 + 33 + 4, "board {board}: {}", told.len());
        assert_eq!(told, truth[..told.len()], "board {board}");
    }
}

#[test]
fn signals_end_the_command_with_everything_written() {
    let hall = Hall::open(&["--boards", "1"]);
    let mut watch = hall.spawn("watch", &["--board", "1025"]);
    watch.until(|record| record["type"] == "mark" && record["mark"] == "start");
    watch.signal(Signal::INT);
    watch.rest();
    assert_eq!(watch.child.wait().unwrap().signal(), Some(Signal::INT.as_raw()));
    let said = fs::read_to_string(hall.file("stderr")).unwrap();
    assert!(silent().eval(said.as_bytes()), "{said}");
}

#[test]
fn a_count_or_a_time_ends_it_with_0() {
    let hall = Hall::open(&["--boards", "1"]);
    let watch =
        hall.command("watch").env("TZ", "America/New_York").args(["--board", "1025", "-n", "5"]).assert();
    let out = watch.success().stderr(silent());
    assert_eq!(records(&out.get_output().stdout)[0]["zone"], "America/New_York");
    let told = records(&out.get_output().stdout);
    assert_eq!(told.len(), 6);
    assert_eq!(told[5]["seq"], 5);
    hall.command("watch").args(["--board", "1025", "--seconds", "300ms"]).assert().success().stderr(silent());
}

#[test]
fn zones_without_names_are_reported_instead_of_utc() {
    let hall = Hall::open(&["--boards", "1"]);
    for nameless in ["bogus", "EST5EDT,M3.2.0,M11.1.0"] {
        let watch = hall.command("watch").env("TZ", nameless).args(["--board", "1025", "-n", "1"]).assert();
        let watch = watch.success().stderr(predicate::str::contains("time zone has no name"));
        assert_eq!(records(&watch.get_output().stdout)[0]["zone"], serde_json::Value::Null);
    }
}

#[test]
fn watch_without_journal_ends_with_its_reader() {
    let hall = Hall::open(&[FAST, &["--boards", "1"]].concat());
    let mut watch = hall.spawn("watch", &["--board", "1025"]);
    watch.next();
    watch.hang_up();
    assert_eq!(watch.child.wait().unwrap().code(), Some(0));
    let said = fs::read_to_string(hall.file("stderr")).unwrap();
    let said: Vec<&str> = said.lines().filter(|line| !is_about_speed(line)).collect();
    assert_eq!(
        said,
        [
            "boardbus watch: the reader of standard output has gone, and there is no --journal to record on in: this ends"
        ]
    );
}

#[test]
fn readers_that_go_away_are_noticed_before_new_input() {
    let hall = Hall::open(&["--boards", "1", "--start-delay", "1000000"]);
    let journal = hall.file("journal.jsonl");
    let count = || records(fs::read(&journal).unwrap()).len();
    // Once a minute there is a record of how boards answer: one that comes just then says nothing of this.
    let quiet = (0..3).any(|_| {
        let args = ["--board", "1025", "--journal", journal.to_str().unwrap()];
        let mut watch = hall.spawn("watch", &args);
        watch.until(|record| record["type"] == "clock");
        watch.until(|record| record["type"] == "quiet");
        let before = count();
        watch.hang_up();
        wait(|| fs::read_to_string(hall.file("stderr")).unwrap().contains("standard output has gone"));
        let told = count();
        watch.signal(Signal::TERM);
        watch.child.wait().unwrap();
        told == before
    });
    assert!(quiet, "it is told with the next record");
}

#[test]
fn pain_6_recording_continues_without_a_reader() {
    let hall = Hall::open(&[FAST, &["--boards", "1"]].concat());
    let journal = hall.file("journal.jsonl");
    for format in ["json", "text"] {
        let args = ["--board", "1025", "--journal", journal.to_str().unwrap(), "--format", format];
        let mut watch = hall.spawn("watch", &args);
        watch.hang_up();
        let said = format!(
            "boardbus watch: the reader of standard output has gone: recording continues in {}\n",
            journal.display()
        );
        wait(|| fs::read_to_string(hall.file("stderr")).unwrap() == said);
        let records = || records(fs::read(&journal).unwrap()).len();
        let before = records();
        wait(|| records() > before + 20);
        watch.signal(Signal::TERM);
        assert_eq!(watch.child.wait().unwrap().signal(), Some(Signal::TERM.as_raw()));
        assert_eq!(fs::read_to_string(hall.file("stderr")).unwrap(), said);
    }
    let (told, truth) = (logged(&records(fs::read(&journal).unwrap()), 1025), logged(&hall.close(), 1025));
    assert!(told.len() > 60 && told == truth[..told.len()]);
}

#[test]
fn missing_ports_among_several_are_waited_for() {
    let hall = Hall::open(&["--boards", "1"]);
    let later = hall.file("later");
    let args = ["--port", later.to_str().unwrap(), "--line", "a", "--line", "b"];
    let mut watch = hall.spawn("watch", &args);
    watch.until(|record| record["type"] == "clock" && record["line"] == "a");
    let second = Hall::open(&["--boards", "1"]);
    std::os::unix::fs::symlink(second.port(), &later).unwrap();
    watch.until(|record| record["type"] == "clock" && record["line"] == "b");
    watch.signal(Signal::TERM);
    watch.rest();
    let said = fs::read_to_string(hall.file("stderr")).unwrap();
    let absent = format!(
        "boardbus watch: {}: no such port: is the adapter plugged in?: it is waited for, the other lines continue\n",
        later.display()
    );
    assert!(said.contains(&absent), "{said}");
}

#[test]
fn missing_ports_are_named_and_exit_with_3() {
    let mut command = assert_cmd::cargo::cargo_bin_cmd!();
    let out = command.args(["watch", "--port", "/nowhere/a", "--port", "/nowhere/b"]).assert();
    let no = "no such port: is the adapter plugged in?";
    out.code(3)
        .stdout("")
        .stderr(format!("boardbus watch: /nowhere/a: {no}\nboardbus watch: /nowhere/b: {no}\n"));
}

#[test]
fn a_lost_port_ends_watch_with_exit_code_3() {
    let hall = Hall::open(&["--boards", "1"]);
    let mut watch = hall.spawn("watch", &["--board", "1025", "--give-up", "1"]);
    watch.until(|record| record["type"] == "clock");
    let stderr = hall.file("stderr");
    let mut errors = fs::File::open(stderr).unwrap();
    let port = hall.port().display().to_string();
    hall.close();
    let told = watch.rest();
    let lost = of(&told, "lost");
    assert_eq!((&lost[0]["board"], &lost[0]["reason"]), (&1025.into(), &"port-closed".into()));
    assert_eq!(watch.child.wait().unwrap().code(), Some(3));
    let mut text = String::new();
    std::io::Read::read_to_string(&mut errors, &mut text).unwrap();
    let [gone, ended] = text.lines().collect::<Vec<_>>()[..] else { panic!("{text}") };
    assert_eq!(gone, format!("boardbus watch: {port} went away: it is waited for"));
    assert!(
        ended.starts_with("boardbus watch: ")
            && ended.contains("went away, and is not back after 1 s: no such port"),
        "{text}"
    );
}

// Users' pain: no reconnection, and nobody says so (picochess#150).
#[test]
fn pain_20_pulled_adapters_are_reported_and_lose_nothing() {
    let hall = Hall::open(&[FAST, &["--boards", "1", "--unplug", "3:1"]].concat());
    let mut watch = hall.spawn("watch", &["--board", "1025"]);
    let mut told = watch.until(|record| record["type"] == "found");
    assert_eq!(of(&told, "lost")[0]["reason"], "port-closed");
    if !told.iter().any(is_mate) {
        told.extend(watch.until(is_mate));
    }
    watch.signal(Signal::TERM);
    told.extend(watch.rest());
    let said = std::fs::read_to_string(hall.file("stderr")).unwrap();
    assert!(said.contains(" went away: it is waited for\n") && said.contains(" is back\n"), "{said}");
    let (told, truth) = (logged(&told, 1025), logged(&hall.close(), 1025));
    assert_eq!(told, truth[..told.len()]);
}

#[test]
fn noise_and_lost_answers_lose_nothing() {
    let hall = Hall::open(&[FAST, &["--boards", "2", "--noise", "0.01", "--drop", "0.05"]].concat());
    let mut watch = hall.spawn("watch", &["--board", "1025-1026"]);
    let mut told = watch.until(is_mate);
    // Time for the other board's last changes.
    told.extend(watch.until(|record| record["type"] == "quiet" && record["board"] == 1025));
    watch.signal(Signal::TERM);
    told.extend(watch.rest());
    assert!(!of(&told, "fault").is_empty());
    let truth = hall.close();
    for board in [1025, 1026] {
        let (told, truth) = (logged(&told, board), logged(&truth, board));
        assert_eq!(told, truth[..told.len()], "board {board}");
    }
}

#[test]
fn journals_are_printed_again_and_continued_after_kills() {
    let hall = Hall::open(&[FAST, &["--boards", "1"]].concat());
    let journal = hall.file("journal.jsonl");
    let args = ["--board", "1025", "--journal", journal.to_str().unwrap()];
    let mut watch = hall.spawn("watch", &args);
    watch.until(|record| record["type"] == "press");
    watch.signal(Signal::KILL);
    watch.child.wait().unwrap();
    drop(watch);
    let kept = records(fs::read(&journal).unwrap());
    // As if the kill had come in the middle of a line.
    let mut torn = fs::read(&journal).unwrap();
    torn.extend(br#"{"type":"cha"#);
    fs::write(&journal, torn).unwrap();
    let mut watch = hall.spawn("watch", &args);
    let mut told = watch.until(is_mate);
    watch.signal(Signal::TERM);
    told.extend(watch.rest());
    assert_eq!(told[..kept.len()], kept);
    assert_eq!(told[kept.len()]["type"], "stream");
    assert_ne!(told[kept.len()]["run"], told[0]["run"]);
    assert_eq!(told, records(fs::read(&journal).unwrap()));
    let (told, truth) = (logged(&told, 1025), logged(&hall.close(), 1025));
    assert_eq!(told, truth[..told.len()]);
}

#[test]
fn a_capture_holds_what_decode_makes_records_of() {
    let hall = Hall::open(&["--boards", "1", "--wire-speed", "0"]);
    let capture = hall.file("capture.txt");
    let args = ["--board", "1025", "-n", "34", "--capture", capture.to_str().unwrap()];
    let told = records(&hall.command("watch").args(args).assert().success().get_output().stdout);
    let decode = assert_cmd::cargo::cargo_bin_cmd!().arg("decode").arg(&capture).assert().success();
    let decoded = records(&decode.get_output().stdout);
    assert!(of(&decoded, "fault").is_empty());
    let told = logged(&told, 1025);
    assert!(logged(&decoded, 1025).windows(told.len()).any(|entries| entries == told));
}

#[test]
fn second_watches_of_a_port_report_its_holder() {
    let hall = Hall::open(&["--boards", "1"]);
    let mut watch = hall.spawn("watch", &["--board", "1025"]);
    watch.next();
    let holder = predicate::str::contains(format!("boardbus watch (process {})", watch.child.id()));
    // The simulator has the port open as well, but it is its other end.
    let nobody_else = predicate::str::contains("simulate").not();
    let told = predicate::str::contains("busy").and(holder).and(nobody_else);
    hall.command("dump").assert().code(3).stdout("").stderr(told);
}

#[test]
fn no_start_marks_writes_none_and_text_has_lines() {
    let hall = Hall::open(&["--boards", "1", "--wire-speed", "0", "--no-clock"]);
    let args = ["--board", "1025", "--no-start-marks", "--seconds", "4", "--format", "text"];
    let out = hall.command("watch").env("TZ", "America/Lima").args(args).assert().success().stderr(silent());
    let text = String::from_utf8(out.get_output().stdout.clone()).unwrap();
    assert_eq!(text.lines().next().unwrap()[8..], *" -05   1025  answers, version 1.6");
    assert!(!text.contains("start mark"));
    assert!(!logged(&hall.close(), 1025).iter().any(|entry| entry.contains("\"start\"")));
}

#[test]
fn several_ports_are_one_stream_with_line_names() {
    let halls = [Hall::open(&["--boards", "1"]), Hall::open(&["--boards", "2"])];
    let second = halls[1].port();
    let args = ["--port", second.to_str().unwrap(), "--line", "a", "--line", "b"];
    let mut watch = halls[0].spawn("watch", &args);
    let is_mark = |record: &serde_json::Value| record["type"] == "mark" && record["mark"] == "start";
    let mut told = Vec::new();
    while told.iter().filter(|record| is_mark(record)).count() < 3 {
        told.extend(watch.until(is_mark));
    }
    watch.signal(Signal::TERM);
    told.extend(watch.rest());
    assert_eq!((&told[0]["line"], &told[1]["line"]), (&"a".into(), &"b".into()));
    assert_eq!(told[0]["run"], told[1]["run"]);
    let boards = |line: &str| {
        let boards = of(&told, "board").into_iter().filter(|record| record["line"] == line);
        let mut boards: Vec<u64> = boards.map(|record| record["board"].as_u64().unwrap()).collect();
        boards.sort();
        boards
    };
    assert_eq!((boards("a"), boards("b")), (vec![1025], vec![1025, 1026]));
    let numbers: Vec<u64> = told[2..].iter().map(|record| record["seq"].as_u64().unwrap()).collect();
    assert_eq!(numbers, (1..=numbers.len() as u64).collect::<Vec<_>>());
}

#[test]
fn names_and_ports_must_match() {
    let hall = Hall::open(&["--boards", "1"]);
    let out = hall.command("watch").args(["--line", "a", "--line", "b"]).assert();
    out.code(2).stdout("").stderr("boardbus watch: 1 ports and 2 --line names\n");
}

#[test]
fn first_searches_report_the_number_of_boards() {
    let hall = Hall::open(&["--boards", "2"]);
    let mut watch = hall.spawn("watch", &["--expect", "1026,3000"]);
    watch.until(|record| record["type"] == "mark");
    watch.signal(Signal::TERM);
    watch.rest();
    let said = fs::read_to_string(hall.file("stderr")).unwrap();
    assert_eq!(said, "boardbus watch: 2 boards found, no answer from 3000: waiting for them\n");
}

#[test]
fn journals_with_other_content_are_left_alone() {
    let hall = Hall::open(&["--boards", "1"]);
    let games = hall.file("games.pgn");
    fs::write(&games, "1. e4 e5 *").unwrap();
    let out = hall.command("watch").args(["--journal", games.to_str().unwrap()]).assert();
    out.code(4).stdout("").stderr(predicate::str::contains("games.pgn:1: is no record"));
    assert_eq!(fs::read_to_string(&games).unwrap(), "1. e4 e5 *");
}

#[test]
fn captures_of_bad_lines_give_each_change_once() {
    let hall = Hall::open(&[FAST, &["--boards", "2", "--noise", "0.001", "--drop", "0.1"]].concat());
    let capture = hall.file("capture.txt");
    let mut watch = hall.spawn("watch", &["--board", "1025-1026", "--capture", capture.to_str().unwrap()]);
    watch.until(is_mate);
    watch.until(|record| record["type"] == "quiet" && record["board"] == 1025);
    watch.signal(Signal::TERM);
    watch.rest();
    let decode = assert_cmd::cargo::cargo_bin_cmd!().arg("decode").arg(&capture).assert();
    let decoded = records(&decode.get_output().stdout);
    // What was asked for again stands in the capture twice.
    let text = fs::read_to_string(&capture).unwrap();
    assert!(text.lines().any(|line| line.contains("> 84 ")));
    let truth = hall.close();
    for board in [1025, 1026] {
        let (mut told, truth) = (logged(&decoded, board), logged(&truth, board));
        // The answer to SET_START_GAME, told beside what the log has of it.
        told.retain(|entry| entry != r#"{"mark":"start","type":"mark"}"#);
        assert!(told.len() > 30);
        let beginning = truth.windows(told.len()).position(|entries| entries == told);
        assert!(beginning.is_some(), "board {board}: {told:?} {truth:?}");
    }
}

#[test]
fn pain_6_capture_and_journal_give_the_same_games() {
    let games = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/self-play.pgn");
    let faults = ["--noise", "0.004", "--drop", "0.01", "--seed", "5"];
    let pace = ["--boards", "4", "--hands", "blitz", "--speed", "4", "--start-delay", "0", "--forever"];
    let hall = Hall::simulate(&[&["--pgn", games], &faults[..], &pace].concat());
    let [journal, capture] = ["journal.jsonl", "capture.txt"].map(|name| hall.file(name));
    let mut watch = hall.command("watch");
    watch.arg("--journal").arg(&journal).arg("--capture").arg(&capture).args(["--seconds", "15"]);
    watch.env("TZ", "Europe/Berlin").args(["--board", "1025-1028"]).assert().success();
    let decoded = assert_cmd::cargo::cargo_bin_cmd!().arg("decode").arg(&capture).output().unwrap().stdout;
    let reconstruct = |records: Vec<u8>| {
        let mut command = assert_cmd::cargo::cargo_bin_cmd!();
        let out = command.arg("reconstruct").write_stdin(records).assert().success();
        let mut told = super::program::records(&out.get_output().stdout);
        // A capture has no run whose records could be numbered.
        told.retain(|record| record["type"] != "stream");
        told.iter_mut().for_each(|record| drop(record.as_object_mut().unwrap().remove("seq")));
        told
    };
    // Where the hall is the bytes of its line do not say.
    let journal = fs::read_to_string(&journal).unwrap();
    let (begin, zone) = journal.split_once(",\"zone\":").unwrap();
    let told = reconstruct(format!("{begin}{}", &zone[zone.find('}').unwrap()..]).into_bytes());
    assert!(super::program::of(&told, "move").len() > 40, "{told:?}");
    assert_eq!(reconstruct(decoded), told);
}

#[test]
fn a_removed_journal_is_started_again_and_reported() {
    let hall = Hall::open(&["--boards", "1"]);
    let [journal, kept] = ["journal.jsonl", "round1.jsonl"].map(|name| hall.file(name));
    let mut watch = hall.spawn("watch", &["--board", "1025", "--journal", journal.to_str().unwrap()]);
    watch.until(|record| record["type"] == "mark");
    fs::rename(&journal, &kept).unwrap();
    // No board has anything to tell: it is the file itself that is looked at.
    // What stands on the board is told in it, too.
    let is_told = || {
        fs::read_to_string(&journal).is_ok_and(|begun| begun.contains("position") && begun.ends_with("}\n"))
    };
    wait(is_told);
    fs::write(&journal, "").unwrap();
    wait(is_told);
    watch.signal(Signal::TERM);
    watch.rest();
    let said = fs::read_to_string(hall.file("stderr")).unwrap();
    assert!(said.contains("was made shorter by another program"), "{said}");
    assert!(said.contains("was moved, removed or replaced by another program: begun again there"), "{said}");
    let [begun, kept] = [journal, kept].map(|path| fs::read_to_string(path).unwrap());
    assert_eq!(begun.lines().next(), kept.lines().next());
}

#[test]
fn journals_with_damaged_lines_are_continued() {
    let hall = Hall::open(&["--boards", "1"]);
    let journal = hall.file("journal.jsonl");
    let quiet = r#"{"type":"quiet","board":1025,"seq":1}"#;
    fs::write(&journal, format!("\u{feff}{quiet}\n{{\"type\":\"cha\n {quiet}\n\0\0\0\0")).unwrap();
    let mut watch = hall.command("watch");
    let out = watch.args(["--board", "1025", "-n", "3", "--journal"]).arg(&journal).assert().success();
    let said = String::from_utf8(out.get_output().stderr.clone()).unwrap();
    assert!(said.contains("journal.jsonl:2: is no record: left as it is, and skipped\n"), "{said}");
    assert!(said.contains("journal.jsonl:4: NULs, as a power cut leaves them: cut off\n"), "{said}");
    assert_eq!(of(&records(&out.get_output().stdout), "quiet").len(), 2);
}

#[test]
fn recordings_show_their_state_in_one_terminal_line() {
    let hall = Hall::open(&["--boards", "2", "--wire-speed", "0", "--start-delay", "0", "--speed", "20"]);
    let watch = |more: &str| {
        let boardbus = env!("CARGO_BIN_EXE_boardbus");
        let port = hall.port().display().to_string();
        let command = format!("{boardbus} watch --port {port} --seconds 3 {more} > /dev/null");
        on_a_terminal(&command, &[])
    };
    let kept = format!("--journal {}", hall.file("round3.jsonl").display());
    let (Some((shown, _)), Some((quiet, _))) = (watch(&kept), watch("--quiet")) else { return };
    assert!(shown.contains("listening for boards"), "{shown}");
    let last = shown.lines().last().unwrap_or_default();
    assert!(last.contains("boardbus watch: 2 boards, ") && last.contains(" in play, "), "{shown}");
    assert!(last.contains(", journal round3.jsonl "), "{shown}");
    assert!(!quiet.contains("in play"), "{quiet}");
    // Nobody's terminal, no line.
    hall.command("watch").args(["--board", "1025", "-n", "1"]).assert().success().stderr(silent());
}
