//! Russian draughts through the whole pipe: `boardbus simulate --pdn`, `reconstruct`, `to-bars` and `to-pdn`.

use std::{cell::RefCell, collections::BTreeMap};

use assert_cmd::cargo::cargo_bin_cmd;

use super::{
    hall::Hall,
    program::{output_of, records, run},
};

const PDN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/draughts.pdn");

/// The moves of the demonstration game as BARS has them.
const GO: &str = "\"go\":[[156,145],[223,234],[145,10234,123],[214,10123,232],[152,141],[205,214],\
                  [141,10232,123,10214,1105],[203,214],[1105,10214,1123],[212,11123,234]]}\n";

/// What is made out of a simulated board.
fn played(args: &[&str], options: &[&str]) -> String {
    let records = output_of(&[&["simulate", "--pdn", PDN, "--records"], args].concat(), "");
    output_of(&[&["reconstruct"], options].concat(), records)
}

/// The same where no game is found, which is said.
fn heard_no_game(args: &[&str], options: &[&str]) -> String {
    let records = output_of(&[&["simulate", "--pdn", PDN, "--records"], args].concat(), "");
    let (games, said, code) = run(&[&["reconstruct"], options].concat(), records);
    assert!(said.contains("changes of boards 1025, but no game") && code == 0, "{said}");
    games
}

#[test]
fn every_set_and_player_style_reconstructs_exactly() {
    for set in ["disks", "disks-old", "pawns", "colour"] {
        for hands in ["clean", "classic"] {
            for options in [&["--rotated", "1"][..], &["--no-clock"]] {
                let args = [&["--set", set, "--hands", hands], options].concat();
                let bars = output_of(&["to-bars"], played(&args, &[]));
                assert!(bars.ends_with(GO), "{args:?}: {bars}");
                assert_eq!(output_of(&["to-bars"], played(&args, &["--rules", "russian"])), bars, "{args:?}");
            }
        }
    }
}

#[test]
fn older_code_tables_can_be_chosen() {
    let bars = |set| output_of(&["to-bars"], played(&["--set", "disks-old"], &["--set", set]));
    assert!(bars("disks-old").ends_with(GO));
    // By the newer one these are White's men and White's kings.
    assert_eq!(heard_no_game(&["--set", "disks-old"], &["--set", "disks"]), "");
}

#[test]
fn games_of_other_rules_are_not_published() {
    assert_eq!(heard_no_game(&[], &["--rules", "chess"]), "");
    let error = cargo_bin_cmd!().args(["reconstruct", "--rules", "chess", "--fen", "W:Wa1:Bh8"]).assert();
    error.code(2).stderr("boardbus reconstruct: --fen is a position of another game than --rules\n");
}

#[test]
fn chess_and_draughts_are_played_in_one_hall() {
    let chess = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/simulate.pgn");
    let hall = output_of(&["simulate", "--pgn", chess, "--pdn", PDN, "--records", "--hands", "clean"], "");
    let games = output_of(&["reconstruct"], hall);
    let games = records(games);
    let rules: Vec<&str> = games.iter().filter_map(|record| record["rules"].as_str()).collect();
    assert_eq!(rules.iter().filter(|rules| **rules == "russian").count(), 1, "{rules:?}");
    assert!(rules.len() > 1, "{rules:?}");
}

/// The records of a board on which these squares change, each change two seconds after the one before; `.` is an
/// empty poll.
fn board(changes: &str) -> String {
    let start = "1B1B1B1B/B1B1B1B1/1B1B1B1B/8/8/P1P1P1P1/1P1P1P1P/P1P1P1P1";
    let mut lines = format!("{{\"type\":\"position\",\"board\":7,\"placement\":\"{start}\"}}\n");
    for (n, word) in changes.split_whitespace().enumerate() {
        let time = format!("\"time\":\"2026-01-01T10:{:02}:{:02}.000Z\",\"board\":7", n / 30, n % 30 * 2);
        let (piece, square) = word.split_at(word.len() - 1 - usize::from(word.len() > 1));
        lines += &match (word, piece) {
            (".", _) => format!("{{\"type\":\"quiet\",{time}}}\n"),
            (_, "-") => format!("{{\"type\":\"change\",{time},\"square\":\"{square}\",\"piece\":null}}\n"),
            _ => format!("{{\"type\":\"change\",{time},\"square\":\"{square}\",\"piece\":\"{piece}\"}}\n"),
        };
    }
    lines
}

#[test]
fn bars_continue_from_the_matrix_after_a_takeback() {
    // 1. c3-d4 b6-a5, then both take back and White goes to b4.
    let withdrawn = "-c3 Pd4 . . -b6 Ba5 . . -a5 Bb6 -d4 Pc3 . . -c3 Pb4 . . -h6 Bg5 . . -g3 Pf4 . .";
    let games = output_of(&["reconstruct"], board(withdrawn));
    let back = r#""ply":0,"reason":"taken-back"}"#;
    assert!(games.contains("\"type\":\"takeback\"") && games.contains(back), "{games}");
    let lines = output_of(&["to-bars", "--moves"], games.clone());
    let (boards, moves): (Vec<&str>, Vec<&str>) =
        lines.lines().map(|line| line.split_once(",\"go\":").unwrap()).unzip();
    // The reply was never followed by another move, and so not written.
    assert_eq!(moves, ["[152,143]}", "[152,141]}", "[227,236]}", "[156,145]}"], "{lines}");
    assert_eq!(boards[1], boards[0], "the matrix before the move that was withdrawn");
    let whole = output_of(&["to-bars"], games.clone());
    assert!(whole.ends_with("\"go\":[[152,141],[227,236],[156,145]]}\n"), "{whole}");
    let pdn = output_of(&["to-pdn"], games);
    assert!(pdn.contains("1. c3-b4 h6-g5 2. g3-f4 *"), "{pdn}");
}

#[test]
fn draughts_boards_are_marked_played_and_found_again() {
    let hall = Hall::playing(&["--pdn", PDN], &["--speed", "100", "--wire-speed", "0"]);
    let mut watch = hall.spawn("watch", &[]);
    let stands = RefCell::new(BTreeMap::new());
    let records = watch.until(|record| {
        let mut stands = stands.borrow_mut();
        if let (Some(square), piece) = (record["square"].as_str(), record["piece"].as_str()) {
            stands.insert(square.to_owned(), piece.map(str::to_owned));
        }
        // The last move is c7:e5.
        let shows = |square: &str, piece: Option<&str>| {
            stands.get(square).is_some_and(|stands| stands.as_deref() == piece)
        };
        shows("e5", Some("B")) && shows("c7", None) && shows("d6", None)
    });
    assert!(records.iter().any(|record| record["mark"] == "start"), "{records:?}");
    let lines: Vec<String> = records.iter().map(|record| record.to_string() + "\n").collect();
    let bars = output_of(&["to-bars"], output_of(&["reconstruct"], lines.concat()));
    assert!(bars.ends_with(GO), "{bars}");
}
