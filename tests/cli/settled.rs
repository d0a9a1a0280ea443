//! `--results settled`: an end that is younger than a minute is not written, and one that has settled is, by itself.

use std::{
    fs,
    io::Write,
    process::{Command, Stdio},
};

use jiff::{SignedDuration, Timestamp};

use super::{
    hall::wait,
    program::{output_of, run},
};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const E4: &str = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
const MINUTE: SignedDuration = SignedDuration::from_mins(1);

/// A game of one move, whose result the kings showed at this time.
fn game(end: Timestamp) -> String {
    let record = |seconds: i64, rest: &str| {
        let time = end - SignedDuration::from_secs(seconds);
        format!("{{\"time\":\"{time:.3}\",\"board\":1025,\"game\":1,{rest}}}\n")
    };
    record(90, &format!(r#""type":"game","rules":"chess","fen":"{START}""#))
        + &record(60, &format!(r#""type":"move","ply":1,"san":"e4","uci":"e2e4","fen":"{E4}""#))
        + &record(0, r#""type":"end","result":"1-0","reason":"kings""#)
}

#[test]
fn settled_results_are_written_without_new_input() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("games.pgn");
    let end = Timestamp::now() - (MINUTE - SignedDuration::from_secs(3));
    let mut writer = Command::new(env!("CARGO_BIN_EXE_boardbus"))
        .args(["to-pgn", "--results", "settled", "--output"])
        .arg(&file)
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();
    let mut pipe = writer.stdin.take().unwrap();
    pipe.write_all(game(end).as_bytes()).unwrap();
    let has = |text: &str| fs::read_to_string(&file).is_ok_and(|pgn| pgn.contains(text));
    wait(|| has("[Result \"1-0\"]"));
    // The records have milliseconds.
    assert!(Timestamp::now() + SignedDuration::from_millis(1) >= end + MINUTE, "it had not settled");
    assert!(has("[Termination \"normal\"]") && has("1. e4 1-0"));
    drop(pipe);
    assert!(writer.wait().unwrap().success());
}

#[test]
fn a_recent_result_stays_open_and_is_reported() {
    let now = Timestamp::now();
    let (pgn, said, code) = run(&["to-pgn", "--results", "settled"], game(now));
    assert!(
        pgn.contains("[Result \"*\"]") && pgn.contains("1. e4 *") && !pgn.contains("Termination"),
        "{pgn}"
    );
    assert!(said.contains("1025") && said.contains("have not settled"), "{said}");
    assert_eq!((said.lines().count(), code), (1, 0), "{said}");
    // By default, and when it is old.
    assert!(output_of(&["to-pgn"], game(now)).contains("1. e4 1-0"));
    assert!(output_of(&["to-pgn", "--results", "settled"], game(now - MINUTE)).contains("1. e4 1-0"));
    // The later of two counts: the units have one, and an event may have another.
    let both = ["to-pgn", "--results", "settled", "--results", "at-once"];
    assert!(output_of(&both, game(now)).contains("1. e4 1-0"));
}

#[test]
fn results_are_written_when_pieces_or_clock_go_away() {
    let now = Timestamp::now();
    let settled = game(now)
        + &format!(
            "{{\"type\":\"end\",\"time\":\"{now:.3}\",\"board\":1025,\"game\":1,\"result\":\"1-0\",\"reason\":\"kings\",\"settled\":true}}\n"
        );
    assert!(output_of(&["to-pgn", "--results", "settled"], settled.as_str()).contains("1. e4 1-0"));
    let folder = tempfile::tempdir().unwrap();
    let site = folder.path().to_str().unwrap();
    assert_eq!(output_of(&["to-html", "--results", "settled", "--output", site], settled.as_str()), "");
    assert!(fs::read_to_string(folder.path().join("games.pgn")).unwrap().contains("1. e4 1-0"));
    // Play that goes on all the same takes it back.
    let move_2 = r#""type":"move","ply":2,"san":"e5","uci":"e7e5","fen":"rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2""#;
    let goes_on = format!("{settled}{{\"time\":\"{now:.3}\",\"board\":1025,\"game\":1,{move_2}}}\n");
    assert!(output_of(&["to-pgn", "--results", "settled"], goes_on).contains("1. e4 e5 *"));
}

#[test]
fn pages_leave_a_young_result_open_too() {
    let dir = tempfile::tempdir().unwrap();
    let site = dir.path().join("site");
    let pgn = |end: Timestamp| {
        let (_, said, code) =
            run(&["to-html", "--results", "settled", "--output", site.to_str().unwrap()], game(end));
        assert_eq!(code, 0, "{said}");
        fs::read_to_string(site.join("games.pgn")).unwrap()
    };
    let now = Timestamp::now();
    assert!(pgn(now).contains("1. e4 *"));
    assert!(pgn(now - MINUTE).contains("1. e4 1-0"));
}
