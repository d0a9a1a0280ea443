//! A hall of 64 boards from the boards to the file: results by kings, by rulings, by forfeit, a game in doubt, and a round that is
//! paired again in its midst.

use std::{
    fs,
    io::Write,
    process::{Child, Command, Stdio},
};

use serde_json::Value;

use super::{super::hall::wait, Files, HEAD};

const BOARDS: usize = 64;
const MOVES: [&str; 4] =
    ["1. e4 e5 2. Nf3 Nc6", "1. d4 d5 2. c4 e6 3. Nc3", "1. c4 e5 2. g3 Nf6", "1. Nf3 d5 2. g3"];
const RESULTS: [&str; 3] = ["1-0", "0-1", "1/2-1/2"];

fn players(many: usize) -> String {
    let row = |number: usize| {
        let name =
            format!("P{}", char::from(b'a' + (number % 26) as u8).to_string() + &"x".repeat(number / 26));
        format!("{number};{name} G{number};;0;2000;0;{number};{name};G{number}\r\n")
    };
    "Nr;Name;Titel;EloNat;EloInt;FideIdent;Rang;Nachname;Vorname\r\n".to_owned()
        + &(1..=many).map(row).collect::<String>()
}

/// The rows of the round with these results, by boards.
fn draw(pairs: &[(usize, usize)], result: impl Fn(usize) -> &'static str) -> String {
    let row = |(at, (white, black)): (usize, &(usize, usize))| {
        let board = at + 1;
        let erg = match result(board) {
            "1-0" => "1;0;;1:0",
            "0-1" => "0;1;;0:1",
            "1/2-1/2" => "0,5;0,5;;0,5:0,5",
            "1-0F" => "1;0;K;1:0K",
            _ => "0;0;;0:0",
        };
        format!("3;{board};0;0;{white};{black};{erg};0;;\r\n")
    };
    HEAD.to_owned() + &pairs.iter().enumerate().map(row).collect::<String>()
}

/// What `reconstruct` makes of 64 boards, line by line; the addresses are 1025 and so on.
fn played(files: &Files) -> Vec<String> {
    let game = |at: usize| {
        let (moves, result) = (MOVES[at % 4], RESULTS[at % 3]);
        format!("[White \"a\"]\n[Black \"b\"]\n[Result \"{result}\"]\n\n{moves} {result}\n\n")
    };
    files.write("games.pgn", &(0..BOARDS).map(game).collect::<String>());
    let boardbus = |arguments: &[&str]| {
        let output =
            Command::new(env!("CARGO_BIN_EXE_boardbus")).args(arguments).current_dir(files.path("")).output();
        output.unwrap().stdout
    };
    let simulate = ["simulate", "--records", "--hands", "clean", "--ending", "kings", "--pgn", "games.pgn"];
    let journal = boardbus(&[&simulate[..], &["--opening", "2026-11-21T10:00:00Z"]].concat());
    fs::write(files.path("journal.jsonl"), journal).unwrap();
    let told = String::from_utf8(boardbus(&["reconstruct", "journal.jsonl"])).unwrap();
    told.lines().map(|line| format!("{line}\n")).collect()
}

/// What the boards told by the time at which the last four had not begun, and what came later. Nobody came to table 7; on table 5 a
/// flag falls where kings were put; of table 9 the arbiter ruled.
fn told(files: &Files) -> (String, String) {
    let told = played(files);
    let board = |line: &str| {
        serde_json::from_str::<Value>(line).unwrap()["board"].as_u64().map(|board| board as usize - 1024)
    };
    let flag = |line: &String| match board(line) {
        Some(5) if line.contains("\"type\":\"end\"") => line.replace("\"kings\"", "\"flag\""),
        _ => line.clone(),
    };
    let (late, early): (Vec<String>, Vec<String>) = told
        .iter()
        .filter(|line| board(line) != Some(7))
        .map(flag)
        .partition(|line| board(line).is_some_and(|board| board > 60));
    (early.concat() + &ruling(9, "\"0-1\""), late.concat())
}

fn ruling(board: usize, rest: &str) -> String {
    let (time, board) = ("2026-11-21T12:00:00.000Z", board + 1024);
    format!("{{\"type\":\"ruling\",\"time\":\"{time}\",\"board\":{board},\"game\":1,\"result\":{rest}}}\n")
}

fn result(board: usize) -> &'static str {
    match board {
        5 => "",
        7 => "1-0F",
        9 => "0-1",
        board => RESULTS[(board - 1) % 3],
    }
}

fn writer(files: &Files) -> Child {
    Command::new(env!("CARGO_BIN_EXE_boardbus"))
        .args(["to-results", "--pairings", "p.txt", "d.txt", "--round", "3", "--boards", "1025-1088"])
        .args(["--rulings", "rulings.jsonl", "--output", "out.txt"])
        .current_dir(files.path(""))
        .stdin(Stdio::piped())
        .stderr(fs::File::create(files.path("said")).unwrap())
        .spawn()
        .unwrap()
}

#[test]
fn results_of_settled_games_are_given_and_no_others() {
    let files = Files::new();
    let (early, late) = told(&files);
    let mut pairs: Vec<(usize, usize)> = (1..=BOARDS).map(|board| (board, board + BOARDS)).collect();
    files.write("p.txt", &players(2 * BOARDS));
    files.write("d.txt", &draw(&pairs, |_| ""));
    files.write("rulings.jsonl", &ruling(7, "\"1-0\",\"forfeit\":true"));
    let mut child = writer(&files);
    let pipe = child.stdin.as_mut().unwrap();
    pipe.write_all(early.as_bytes()).unwrap();
    let first = draw(&pairs, |board| if board > 60 { "" } else { result(board) });
    wait(|| files.read("out.txt") == first);
    // Players of boards that have begun change places too: nothing more is written.
    let before = pairs.clone();
    pairs.swap(60, 61);
    pairs.swap(1, 2);
    files.write("d.txt", &draw(&pairs, |_| ""));
    wait(|| {
        files.read("said").contains("nothing is written, for the pairing program would take the pairings too")
    });
    let said = files.read("said");
    for board in [1026, 1027] {
        assert!(said.contains(&format!("board {board}: ")), "{said}");
    }
    pipe.write_all(late.as_bytes()).unwrap();
    wait(|| files.read("out.txt.began").contains("\"board\":1088"));
    assert_eq!(files.read("out.txt"), first);
    // Put right: only boards that had not begun have moved.
    pairs = before;
    pairs.swap(60, 61);
    files.write("d.txt", &draw(&pairs, |_| ""));
    drop(child.stdin.take());
    let code = child.wait().unwrap().code();
    let said = files.read("said");
    assert_eq!(code, Some(1), "{said}");
    assert_eq!(files.read("out.txt"), draw(&pairs, result));
    assert!(said.contains("table 5, board 1029, ") && said.contains("needs a look: a flag fell"), "{said}");
}
