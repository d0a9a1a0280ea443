//! Boards of other makes than DGT, simulated, in all commands that read boards.

use std::fs;

use predicates::prelude::*;
use rustix::process::Signal;
use serde_json::Value;

use super::{
    hall::{Hall, PGN, is_mate},
    program::{movetext, of, records, run},
};

/// A make of board, and how it is tested.
struct Make {
    name: &'static str,
    version: Option<&'static str>,
    /// Its start position in a single dump.
    dumped: &'static str,
    /// The speed of the hands.
    speed: &'static str,
    /// The seconds before play begins.
    start_delay: &'static str,
}

const MAKES: [Make; 3] = [
    Make { name: "millennium", version: Some("1.4"), dumped: START, speed: "20", start_delay: "0" },
    Make {
        name: "chessnut",
        version: Some("CNAIRP_00_240516"),
        dumped: START,
        speed: "20",
        start_delay: "0",
    },
    // It reports three times a second, and its chips have no names before the start position has stood for three seconds.
    Make {
        name: "certabo",
        version: None,
        dumped: "????????/????????/8/8/8/8/????????/????????",
        speed: "6",
        start_delay: "6",
    },
];

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";

/// Nobody plays.
const IDLE: [&str; 2] = ["--start-delay", "1h"];

/// A board of this make; hands are fast.
fn board(make: &Make, args: &[&str]) -> Hall {
    let play = ["--make", make.name, "--boards", "1", "--speed", make.speed];
    Hall::open(&[&play, args].concat())
}

/// What is played by records, as PGN has it.
fn played(records: &str) -> String {
    let games = run(&["reconstruct"], records).0;
    movetext(&run(&["to-pgn"], games).0).to_owned()
}

#[test]
fn boards_of_other_makes_are_found_and_dumped() {
    for make in &MAKES {
        let hall = board(make, &IDLE);
        for args in [&[][..], &["--make", make.name]] {
            let out = hall.command("discover").args(args).assert().success();
            let printed = records(&out.get_output().stdout);
            let found = of(&printed, "board")[0];
            assert_eq!((&found["make"], &found["version"]), (&make.name.into(), &make.version.into()));
        }
        let out = hall.command("dump").assert().success();
        let printed = records(&out.get_output().stdout);
        assert_eq!(of(&printed, "position")[0]["placement"], make.dumped);
        let out = hall.command("start").args(["--make", make.name]).assert().code(1);
        out.stderr(predicate::str::contains("no start mark from a board that keeps no log"));
    }
}

/// Watches a game to its mate; its records, and those of the capture.
fn watched(make: &str, hall: &Hall) -> (String, String) {
    let capture = hall.file("capture.txt");
    let mut watch = hall.spawn("watch", &["--make", make, "--capture", capture.to_str().unwrap()]);
    // Of a board that stands turned, the mate on f7 is on c2.
    let turned =
        |record: &Value| record["type"] == "change" && record["square"] == "c2" && record["piece"] == "Q";
    let mut printed = watch.until(|record| is_mate(record) || turned(record));
    printed.extend(watch.until(|record| record["type"] == "quiet"));
    watch.signal(Signal::TERM);
    printed.extend(watch.rest());
    let decoded = run(&["decode", "--mode", make, capture.to_str().unwrap()], "").0;
    (printed.iter().map(|record: &Value| format!("{record}\n")).collect(), decoded)
}

#[test]
fn games_come_back_from_whole_positions_and_captures() {
    for (make, rotated) in MAKES.iter().zip(["0", "1", "0"]) {
        let hall = board(make, &["--start-delay", make.start_delay, "--rotated", rotated]);
        let make = make.name;
        let (printed, decoded) = watched(make, &hall);
        assert!(played(&printed).contains("4. Qxf7#"), "{make}: {printed}");
        assert_eq!(played(&decoded), played(&printed), "{make}");
        let capture = hall.file("capture.txt");
        assert_eq!(run(&["decode", capture.to_str().unwrap()], "").0, decoded, "{make} by itself");
        assert!(of(&records(&printed), "fault").is_empty());
    }
}

#[test]
fn boards_that_sleep_or_are_unplugged_come_back() {
    for Make { name: make, .. } in MAKES {
        let play = ["--pgn", PGN, "--make", make, "--hands", "clean", "--forever", "--start-delay", "1h"];
        let hall = Hall::simulate(&[&play[..], &["--unplug", "4:2"]].concat());
        let mut watch = hall.spawn("watch", &["--make", make]);
        let printed = watch.until(|record| record["type"] == "found");
        assert_eq!(of(&printed, "lost")[0]["reason"], "port-closed", "{make}");
        let again = watch.until(|record| record["type"] == "position");
        assert_eq!(again.last().unwrap()["placement"], START, "{make}");
    }
}

#[test]
fn what_is_read_at_another_speed_is_no_board() {
    let hall = board(&MAKES[0], &IDLE);
    // DGT boards alone are asked, and what comes is rubbish.
    let out = hall.command("discover").args(["--make", "single"]).assert().code(1);
    out.stderr(predicate::str::contains("no board answers"));
}

#[test]
fn chessnut_needs_a_place_for_its_socket() {
    let out = run(&["simulate", "--make", "chessnut", "--pgn", PGN], "");
    assert_eq!(out.2, 2);
    assert!(out.1.contains("--link"), "{}", out.1);
    let hall = board(&MAKES[1], &IDLE);
    let path = hall.port();
    drop(hall);
    assert!(fs::symlink_metadata(path).is_err());
}

/// Bytes of a start position as each make sends it, by the makers' descriptions, with the make.
fn start_positions() -> Vec<(&'static str, Vec<u8>)> {
    let text = "sRNBKQBNRPPPPPPPP................................pppppppprnbkqbnr";
    let sum = format!("{:02X}", text.bytes().fold(0, |sum, code| sum ^ code));
    let odd = |code: u8| if code.count_ones().is_multiple_of(2) { code | 0x80 } else { code };
    let millennium = text.bytes().chain(sum.bytes()).map(odd).collect();
    let ranks = |black: [u8; 4], black_men, white_men, white: [u8; 4]| {
        [&black[..], &[black_men; 4], &[0; 16], &[white_men; 4], &white].concat()
    };
    let squares = ranks([0x58, 0x23, 0x31, 0x85], 0x44, 0x77, [0xa6, 0xc9, 0x9b, 0x6a]);
    let chessnut = [&[0x01, 0x24][..], &squares, &[9, 0, 0, 0]].concat();
    let chip = |field: usize| {
        if (16..48).contains(&field) { "0 0 0 0 0 ".to_owned() } else { format!("3 0 84 {field} 7 ") }
    };
    let certabo = format!(":{}\r\n", (0..64).map(chip).collect::<String>()).into_bytes();
    vec![("millennium", millennium), ("chessnut", chessnut), ("certabo", certabo)]
}

#[test]
fn bytes_of_every_make_are_recognised() {
    let folder = tempfile::tempdir().unwrap();
    for (make, report) in start_positions() {
        let raw = folder.path().join(make);
        fs::write(&raw, report.repeat(10)).unwrap();
        let hex: String = report.iter().map(|byte| format!("{byte:02x} ")).collect();
        let text = folder.path().join(format!("{make}.txt"));
        fs::write(&text, format!("{hex}\n").repeat(10)).unwrap();
        for file in [raw, text] {
            let file = file.to_str().unwrap();
            let [named, found] =
                [&["decode", "--mode", make, file][..], &["decode", file]].map(|args| run(args, "").0);
            assert_eq!(found, named, "{file}");
            assert!(!of(&records(&found), "position").is_empty(), "{file}: {found}");
        }
    }
}
