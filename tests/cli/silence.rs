//! Input of which nothing can come, in every command that reads: one line says so and why.

use super::program::run;

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";

/// What is said of an input, when it is a line or two: the second counts what was bad.
fn said(args: &[&str], input: &str) -> String {
    let (_, said, _) = run(args, input);
    let lines = said.lines().count();
    assert!(lines == 1 || lines == 2 && said.trim_end().ends_with(" skipped"), "{args:?} {input:?}: {said}");
    said
}

/// The commands that read records.
const FILTERS: [&[&str]; 11] = [
    &["reconstruct"],
    &["check"],
    &["check", "--no-games"],
    &["show", "--once"],
    &["evaluate", "--engine", "/bin/cat"],
    &["to-pgn"],
    &["to-pgn", "--finished"],
    &["to-pdn"],
    &["to-bars"],
    &["to-bars", "--moves"],
    &["to-html"],
];
/// Those that read anything else.
const READERS: [&[&str]; 4] = [&["from-pgn"], &["from-pdn"], &["from-bars"], &["decode"]];

#[test]
fn commands_report_empty_input() {
    for input in ["", "\n\n"] {
        for args in FILTERS {
            assert!(said(args, input).contains("no records in the input: nothing to do"), "{args:?}");
        }
        for args in READERS {
            let what = if args == ["decode"] { "bytes" } else { "games" };
            assert!(
                said(args, input).contains(&format!("no {what} in the input: nothing to do")),
                "{args:?}"
            );
        }
    }
    assert!(said(&["decode"], "# boardbus capture 1\n").contains("no bytes in the input"));
}

#[test]
fn the_wrong_input_is_reported_in_one_line() {
    let records = format!(
        "{{\"type\":\"stream\",\"records\":1}}\n{}",
        format!("{{\"type\":\"position\",\"board\":1,\"placement\":\"{START}\"}}\n").repeat(300)
    );
    for args in READERS {
        for input in [&records[..], records.lines().next().unwrap()] {
            assert!(
                said(args, input).contains("input:1: this is no ")
                    && said(args, input).contains("a file of records")
            );
        }
        let (out, _, code) = run(args, records.clone());
        assert!(code == 4 && !out.contains("\"type\":\"game\""), "{args:?}: {out}");
    }
    for args in FILTERS {
        let games = "[Event \"?\"]\n[White \"a\"]\n\n1. e4 e5 *\n\n".repeat(300);
        assert!(said(args, &games).contains("input:1: a file of games, not records"), "{args:?}");
    }
}

#[test]
fn streams_without_beginning_or_play_are_reported() {
    let moved = "{\"type\":\"change\",\"board\":7,\"square\":\"e2\",\"piece\":null}\n\
                 {\"type\":\"change\",\"board\":7,\"square\":\"e4\",\"piece\":\"P\"}\n{\"type\":\"quiet\",\"board\":7}\n";
    for args in [&["reconstruct"][..], &["check"], &["check", "--format", "text"], &["show", "--once"]] {
        let missing = "changes of boards 7, but no game: they never stood in a start position here; is the beginning missing?";
        assert!(said(args, moved).contains(missing), "{args:?}");
    }
    // Of games that were reconstructed already too.
    let ply = "{\"type\":\"move\",\"board\":7,\"game\":1,\"ply\":9,\"san\":\"e4\"}\n";
    assert!(said(&["show", "--once"], ply).contains("none that begins one: is the beginning missing?"));
    let resting = format!(
        "{{\"type\":\"position\",\"board\":7,\"placement\":\"{START}\"}}\n{{\"type\":\"quiet\",\"board\":7}}\n"
    );
    assert!(
        said(&["reconstruct"], &resting).contains("no game in the input: nothing was moved on its boards")
    );
    // What is healthy and what is shown needs no word.
    assert_eq!(run(&["check"], resting.clone()).1, "");
    assert_eq!(run(&["show", "--once"], resting).1, "");
}

#[test]
fn unfinished_games_are_reported_with_finished_only() {
    let board = format!(
        "{{\"type\":\"game\",\"board\":1,\"game\":1,\"rules\":\"chess\",\"fen\":\"{START} w KQkq - 0 1\"}}\n"
    );
    let file = board.replace("\"board\":1,", "");
    for input in [board, file] {
        assert!(
            said(&["to-pgn", "--finished"], &input).contains("--finished, and no game is over"),
            "{input}"
        );
        // To look at them is no mistake.
        assert_eq!(run(&["show", "--once"], input).1, "");
    }
}
