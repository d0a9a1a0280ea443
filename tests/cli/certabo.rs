//! Boards that report the chips of pieces: from the simulator through `watch` and `reconstruct`, and read again by `decode`.

use std::fs;

use predicates::prelude::*;
use rustix::process::Signal;
use serde_json::Value;

use super::{
    hall::{Hall, wait},
    program::{command, of, output_of, records},
};

/// A board whose sensors misread some squares; play begins when it is read.
const BOARD: &[&str] = &["--make", "certabo", "--ghosts", "0.002", "--speed", "3", "--start-delay", "3"];
/// The plies that are waited for.
const GAME: [&str; 3] = ["e4", "e5", "Bc4"];

/// The moves of the first game in records of boards.
fn played(records: &str) -> Vec<String> {
    line_of(&super::program::records(output_of(&["reconstruct"], records)))
}

/// The moves of the first game, the last record of each ply.
fn line_of(games: &[Value]) -> Vec<String> {
    let mut line: Vec<String> = Vec::new();
    for record in games.iter().filter(|record| record["game"] == 1) {
        let ply = record["ply"].as_u64().unwrap_or_default() as usize;
        match record["type"].as_str().unwrap() {
            "takeback" => line.truncate(ply),
            "move" => {
                line.resize(line.len().max(ply), String::new());
                line[ply - 1] = record["san"].as_str().unwrap().to_owned();
            }
            _ => {}
        }
    }
    line
}

#[test]
fn games_are_recorded_and_decoded_from_their_bytes() {
    let hall = Hall::open(BOARD);
    let (pieces, capture) = (hall.file("set1.pieces"), hall.file("capture"));
    let args = ["--pieces", pieces.to_str().unwrap(), "--capture", capture.to_str().unwrap()];
    let mut watch = hall.spawn("watch", &args);
    let mut printed = watch.until(|record| record["square"] == "c4");
    printed.extend(watch.until(|record| record["type"] == "quiet"));
    watch.signal(Signal::TERM);
    printed.extend(watch.rest());
    assert_eq!(of(&printed, "board")[0]["make"], "certabo");
    assert_eq!(of(&printed, "calibration")[0]["reason"], "start-position");
    let text: String = printed.iter().map(|record| format!("{record}\n")).collect();
    assert_eq!(played(&text), GAME);
    let named = records(fs::read(&pieces).unwrap());
    assert_eq!(named[0]["chips"].as_object().unwrap().len(), 32);
    // A capture holds no byte that was sent.
    assert!(!fs::read_to_string(&capture).unwrap().contains(" > "));
    let files = ["--pieces", pieces.to_str().unwrap(), capture.to_str().unwrap()];
    let again = command("decode").args(["--mode", "certabo"]).args(files).assert();
    let again = String::from_utf8(again.get_output().stdout.clone()).unwrap();
    assert_eq!(of(&records(&again), "calibration")[0]["reason"], "given");
    assert_eq!(played(&again), GAME);
}

#[test]
fn a_board_is_found_by_its_dumps() {
    let hall = Hall::open(BOARD);
    let out = hall.command("discover").assert().success();
    let out = out.stderr(predicate::str::contains("a Certabo board")).get_output().stdout.clone();
    let found: &[Value] = &records(&out);
    assert_eq!(of(found, "board")[0]["make"], "certabo");
}

#[test]
fn a_board_of_unknown_pieces_is_named() {
    let hall = Hall::open(&["--make", "certabo", "--speed", "20", "--start-delay", "3"]);
    let mut watch = hall.spawn("watch", &[]);
    watch.until(|record| record["square"] == "e4");
    watch.signal(Signal::TERM);
    watch.rest();
    let reported = || fs::read_to_string(hall.file("stderr")).unwrap();
    assert!(!reported().contains("none of its pieces is known"), "{}", reported());
    // Another journal begins in the middle of the game.
    let mut watch = hall.spawn("watch", &[]);
    watch.until(|record| record["type"] == "position");
    wait(|| reported().contains("board 1: none of its pieces is known: give the --pieces FILE of this set"));
    watch.signal(Signal::TERM);
    watch.rest();
}

#[test]
fn files_of_pieces_that_cannot_be_used_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| {
        fs::write(folder.path().join(name), text).unwrap();
        folder.path().join(name).display().to_string()
    };
    let chips = r#"{"type":"calibration","chips":{"0300541102":"x"}}"#;
    let missing = folder.path().join("none").join("a.pieces").display().to_string();
    for (name, text, code, says) in [
        ("a.pieces", chips, 4, "a.pieces:1:"),
        ("b.pieces", "a set\n", 4, "b.pieces:1:"),
        ("c.pieces", "{\"type\":\"quiet\"}\n", 4, "no calibration record"),
    ] {
        let path = file(name, text);
        for of in ["decode", "watch"] {
            let mut command = command(of);
            command.args(["--pieces", &path]).args(if of == "watch" {
                &["--port", "/dev/null"][..]
            } else {
                &[]
            });
            command.assert().code(code).stderr(predicate::str::contains(says));
        }
    }
    let out = command("watch").args(["--port", "/dev/null", "--pieces", &missing]).assert().code(5);
    out.stderr(predicate::str::contains("none/a.pieces"));
    command("decode").args(["--pieces", &missing]).assert().code(5);
}

#[test]
fn promotions_to_unknown_pieces_are_found() {
    // The pawn goes on from e5 and becomes a queen out of the box; she moves on, still unknown.
    let position = r#"{"type":"position","time":"2026-11-21T10:00:00.000Z","board":1,"placement":"#;
    let start = "4k3/4P3/8/8/8/8/8/4K3";
    let mut text = format!("{position}\"7k/4P3/8/8/8/8/8/4K3\"}}\n");
    let change = |second: u32, square: &str, piece: &str| {
        format!(
            "{{\"type\":\"change\",\"time\":\"2026-11-21T10:00:{second:02}.000Z\",\"board\":1,\"square\":\"{square}\",\"piece\":{piece}}}\n\
             {{\"type\":\"quiet\",\"time\":\"2026-11-21T10:00:{:02}.000Z\",\"board\":1}}\n",
            second + 1
        )
    };
    for (second, square, piece) in [
        (10, "e7", "null"),
        (12, "e8", "\"?\""),
        (20, "h8", "null"),
        (21, "h7", "\"k\""),
        (30, "e8", "null"),
        (31, "e4", "\"?\""),
    ] {
        text += &change(second, square, piece);
    }
    let fen = format!("{} w - - 0 1", start.replace("4k3", "7k"));
    let games = records(output_of(&["reconstruct", "--fen", &fen], text));
    assert_eq!(line_of(&games), ["e8=Q+", "Kh7", "Qe4+"]);
}
