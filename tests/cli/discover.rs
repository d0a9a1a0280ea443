//! `boardbus discover`.

use std::{ffi::OsStr, os::unix::ffi::OsStrExt};

use assert_cmd::cargo::cargo_bin_cmd;
use predicates::prelude::*;
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

use super::{
    hall::{Hall, silent},
    program::{of, on_a_terminal, records},
};

#[test]
fn every_board_is_found_with_its_version() {
    let hall = Hall::open(&["--address", "1025-1030,2054", "--firmware", "1.6"]);
    let out = hall.command("discover").assert().success().stderr(silent()).get_output().stdout.clone();
    let records = records(&out);
    assert_eq!(records[0]["type"], "stream");
    let mut found: Vec<u64> = of(&records, "board").iter().map(|r| r["board"].as_u64().unwrap()).collect();
    found.sort();
    assert_eq!(found, [1025, 1026, 1027, 1028, 1029, 1030, 2054]);
    for record in of(&records, "board") {
        assert_eq!((&record["version"], &record["mode"]), (&"1.6".into(), &"bus".into()));
        assert_eq!(record["port"], hall.port().display().to_string());
    }
}

#[test]
fn old_boards_have_no_version() {
    let hall = Hall::open(&["--address", "1025", "--firmware", "1.2", "--wire-speed", "0"]);
    let out = hall.command("discover").assert().success().get_output().stdout.clone();
    assert!(of(&records(&out), "board")[0].get("version").is_none());
}

#[test]
fn missing_expected_boards_exit_1() {
    let hall = Hall::open(&["--address", "1025-1027", "--wire-speed", "0"]);
    let out = hall.command("discover").args(["--expect", "1024-1026,3000", "--line", "hall-2"]).assert();
    let out = out.code(1).stderr(predicate::str::ends_with("no answer from 1024, 3000\n"));
    let records = records(&out.get_output().stdout);
    assert_eq!(of(&records, "board").len(), 3);
    assert!(records.iter().all(|record| record["line"] == "hall-2"));
}

#[test]
fn pain_22_two_boards_with_one_address_are_reported() {
    // At the speed of a bus their answers overlap, without one they begin at the same moment.
    for speed in ["9600", "0"] {
        for (addresses, others) in [("1025-1028", vec![1025, 1027, 1028]), ("1026", vec![])] {
            let hall = Hall::open(&["--address", addresses, "--fault", "twin=1026", "--wire-speed", speed]);
            let out = hall.command("discover").assert().code(1);
            let said = ": two boards have the address 1026: take one off the line\n";
            let out =
                out.stderr(predicate::str::ends_with(said).and(predicate::str::contains("\n").count(1)));
            let records = records(&out.get_output().stdout);
            let mut found: Vec<u64> =
                of(&records, "board").iter().map(|r| r["board"].as_u64().unwrap()).collect();
            found.sort();
            assert_eq!(found, others, "{speed} {addresses}");
        }
    }
}

#[test]
fn the_search_shows_its_progress_to_a_terminal_only() {
    let hall = Hall::open(&["--boards", "2"]);
    hall.command("discover").assert().success().stderr(silent());
    let command = format!("{} discover --port {}", env!("CARGO_BIN_EXE_boardbus"), hall.port().display());
    if let Some((text, code)) = on_a_terminal(&command, &[]) {
        assert!(text.contains("listening for boards") && text.contains("2 so far"), "{text}");
        assert_eq!(code, 0);
    }
}

#[test]
fn people_get_a_table() {
    let hall = Hall::open(&["--address", "2054", "--wire-speed", "0"]);
    let port = hall.port().display().to_string();
    let out = hall.command("discover").args(["--format", "text"]).assert().success();
    out.stdout(format!("{port}\nboard  version\n 2054  1.6\n1 board: 2054\n"));
}

#[test]
fn text_lists_boards_in_address_order() {
    let hall = Hall::open(&["--address", "2054,1027,1025-1026", "--wire-speed", "0"]);
    let out = hall.command("discover").args(["--format", "text"]).assert().success();
    let text = String::from_utf8(out.get_output().stdout.clone()).unwrap();
    assert_eq!(text.matches(&hall.port().display().to_string()).count(), 1, "{text}");
    let list = text.lines().last().unwrap().strip_prefix("4 boards: ").unwrap();
    assert_eq!(list, "1025-1027,2054");
    hall.command("discover").args(["--expect", list]).assert().success().stderr(silent());
}

#[test]
fn missing_ports_exit_3() {
    let folder = tempfile::tempdir().unwrap();
    let absent = folder.path().join("ttyUSB9");
    cargo_bin_cmd!().args(["discover", "--port"]).arg(&absent).assert().code(3).stdout("").stderr(format!(
        "boardbus discover: {}: no such port: is the adapter plugged in?\n",
        absent.display()
    ));
    cargo_bin_cmd!()
        .env("BOARDBUS_PORT", folder.path())
        .arg("discover")
        .assert()
        .code(3)
        .stdout("")
        .stderr(predicate::str::contains("no serial port but a directory: name the adapter's device"));
    let file = folder.path().join("file");
    std::fs::write(&file, "").unwrap();
    let of = |path: &std::path::Path, what: &str| {
        let says = format!(
            ": {}: no serial port but {what}: name the adapter's device, such as /dev/ttyUSB0 (ls /dev/serial/by-id)\n",
            path.display()
        );
        for command in ["discover", "dump", "start", "from-start", "watch", "show"] {
            let ends = predicate::str::ends_with(says.clone());
            cargo_bin_cmd!().args([command, "--port"]).arg(path).assert().code(3).stdout("").stderr(ends);
        }
        assert!(path.exists());
    };
    of(&file, "a file");
    of("/dev/null".as_ref(), "another kind of device");
    of("/dev/zero".as_ref(), "another kind of device");
}

#[test]
fn ports_held_by_others_exit_3_with_the_holder() {
    let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&master).unwrap();
    unlockpt(&master).unwrap();
    let name = ptsname(&master, Vec::new()).unwrap();
    let path = OsStr::from_bytes(name.as_bytes());
    let _held = serialport::new(path.to_string_lossy(), 9600).open_native().unwrap();
    let busy = predicate::str::contains("busy, held by ").and(predicate::str::contains("(process "));
    cargo_bin_cmd!().args(["discover", "--port"]).arg(path).assert().code(3).stdout("").stderr(busy);
}

#[test]
fn lines_without_boards_exit_1_with_a_report() {
    let hall = Hall::open(&["--boards", "1", "--drop", "1"]);
    let none = predicate::str::contains("no board answers: are they switched on and plugged in?\n");
    for mode in ["auto", "bus", "single"] {
        hall.command("discover").args(["--mode", mode]).assert().code(1).stderr(none.clone());
    }
    hall.command("dump").args(["--mode", "single"]).assert().code(1).stderr(none);
}
