//! `boardbus show --port`: boards on the desk.

use super::{Hall, Terminal};

#[test]
fn desk_boards_show_the_square_of_a_lifted_piece() {
    let hall = Hall::open(&["--boards", "1", "--start-timeout", "0"]);
    let port = hall.port().display().to_string();
    let mut terminal =
        Terminal::open(&["show", "--port", &port, "--ascii", "--board", "1025"], (24, 80), false);
    terminal.shows(&["1025"]);
    // The simulated hands play without a start mark after their time.
    terminal.until("a move", |text| text.contains("1."));
    terminal.press("q");
    assert!(terminal.ended().success());
}

#[test]
fn desk_boards_are_printed_once() {
    let hall = Hall::open(&["--boards", "2", "--wire-speed", "0"]);
    // Into a pipe one picture is all there is, asked for or not.
    for arguments in [&["--once"][..], &["--board", "1025-1026"]] {
        let out = hall.command("show").args(arguments).arg("--ascii").assert().success();
        let text = String::from_utf8(out.get_output().stdout.clone()).unwrap();
        assert!(text.lines().next().unwrap().contains("2 boards"), "{text}");
        let rank = "r n b q k b n r";
        assert_eq!(text.matches(rank).count(), 2, "{text}");
        assert!(text.contains("1025") && text.contains("1026") && !text.contains('\x1b'), "{text}");
    }
    let missing = predicates::str::contains("no answer from 1099");
    hall.command("show").args(["--once", "--board", "1025,1099"]).assert().code(1).stderr(missing);
    // No start mark was written.
    assert!(!hall.truth().iter().any(|record| record["mark"] == "start"));
}

#[test]
fn desk_boards_show_pieces_whose_chips_are_given() {
    let hall = Hall::open(&["--make", "certabo", "--boards", "1", "--start-delay", "1h"]);
    let pieces = hall.file("set1.pieces");
    let given = ["--pieces", pieces.to_str().unwrap()];
    let mut watch = hall.spawn("watch", &given);
    watch.until(|record| record["type"] == "calibration");
    watch.signal(rustix::process::Signal::TERM);
    watch.rest();
    for (given, rank) in [(&[][..], "? ? ? ? ? ? ? ?"), (&given, "r n b q k b n r")] {
        let out = hall.command("show").args(["--once", "--ascii"]).args(given).assert().success();
        let text = String::from_utf8(out.get_output().stdout.clone()).unwrap();
        assert!(text.contains(rank), "{text}");
    }
}
