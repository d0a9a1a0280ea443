//! `boardbus to-html`: the files, as whoever reads them finds them.

use std::{fs, path::Path};

use assert_cmd::Command;
use serde_json::{Value, json};

use super::program::command;

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const E4: &str = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
const E5: &str = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";

fn to_html() -> Command {
    command("to-html")
}

/// A record of a board's first game, at a second after ten o'clock.
fn of(board: u16, second: u32, kind: &str, rest: Value) -> String {
    let time = format!("2026-11-21T10:00:{second:02}.000Z");
    let mut record = json!({"type": kind, "time": time, "board": board, "game": 1});
    record.as_object_mut().unwrap().extend(rest.as_object().unwrap().clone());
    format!("{record}\n")
}

fn begin(board: u16) -> String {
    of(board, 0, "game", json!({"rules": "chess", "fen": START}))
}

fn e4(board: u16) -> String {
    of(board, 7, "move", json!({"ply": 1, "san": "e4", "uci": "e2e4", "fen": E4, "seconds": 5393}))
}

fn e5(board: u16) -> String {
    of(board, 9, "move", json!({"ply": 2, "san": "e5", "uci": "e7e5", "fen": E5, "seconds": 5399}))
}

/// What an element of a page holds.
fn element(page: &str, id: &str) -> Value {
    let begin = format!("<script type=\"application/json\" id=\"{id}\">");
    let text = page.split_once(&begin).unwrap_or_else(|| panic!("no {id} in {page}")).1;
    serde_json::from_str(text.split_once("</script>").unwrap().0).unwrap()
}

fn read(folder: &Path, name: &str) -> String {
    fs::read_to_string(folder.join(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
}

fn read_json(folder: &Path, name: &str) -> Value {
    serde_json::from_str(&read(folder, name)).unwrap()
}

#[test]
fn one_page_holds_all_games_of_a_file() {
    let pgn = "[White \"<script>\"]\n[Black \"</script>\"]\n\n1. e4! {a <!-- b} (1. d4 d5 (1... Nf6)) 1... e5 1-0\n\n\
               [White \"C\"]\n\n*\n";
    let records = command("from-pgn").write_stdin(pgn).output().unwrap().stdout;
    let page = to_html().write_stdin(records).assert().success().stderr("").get_output().stdout.clone();
    let page = String::from_utf8(page).unwrap();
    // Two games, the overview, the script: no name has made an element of its own.
    assert_eq!(page.matches("<script").count(), 4, "{page}");
    let game = element(&page, "game-1");
    assert_eq!(game["tags"].as_array().unwrap()[4], json!(["White", "<script>"]));
    assert_eq!(game["moves"][0]["comment"], "a <!-- b");
    assert_eq!(game["moves"][0]["nags"], json!([1]));
    assert_eq!(game["moves"][0]["variations"][0][1]["variations"][0][0]["san"], "Nf6");
    assert_eq!(game["moves"][1], json!({"ply": 2, "san": "e5", "uci": "e7e5", "fen": E5}));
    assert_eq!(
        (&game["result"], &game["reason"], &game["over"]),
        (&json!("1-0"), &json!("tag"), &json!(true))
    );
    let index = element(&page, "index");
    assert_eq!(index["heads"][0]["white"], "<script>");
    assert_eq!(index["heads"][1]["id"], "2");
}

#[test]
fn a_site_holds_each_game_the_overview_and_all_games_as_pgn() {
    let folder = tempfile::tempdir().unwrap();
    let records = [begin(7), begin(1027), e4(1027), e5(1027)].concat();
    to_html().arg("--output").arg(folder.path()).write_stdin(records).assert().success().stderr("");
    let mut names: Vec<String> =
        fs::read_dir(folder.path()).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    let expected = [
        "game-1027-1.html",
        "game-1027-1.js",
        "game-1027-1.json",
        "game-7-1.html",
        "game-7-1.js",
        "game-7-1.json",
        "games.pgn",
        "index.html",
        "live.js",
        "live.json",
        "page.css",
        "page.js",
    ];
    assert_eq!(names, expected);
    let live = read_json(folder.path(), "live.json");
    let ten: i64 = 1_795_255_200;
    assert_eq!(
        live,
        json!({"version": 4, "updated": (ten + 9) * 1000, "refresh": 2, "delay": 0, "epoch": ten, "games":
            [["7-1", 1, 0, null, null, "", ""], ["1027-1", 3, 2, 5393, 5399, "w", "", 9]]})
    );
    let game = read_json(folder.path(), "game-1027-1.json");
    assert_eq!(
        game["clock"],
        json!({"white": 5393, "black": 5399, "running": "white", "at": (ten + 9) * 1000})
    );
    assert_eq!(game["moves"][0]["time"], (ten + 7) * 1000);
    assert!(game.get("result").is_none() && game.get("over").is_none());
    assert_eq!(game["pgn"], read(folder.path(), "games.pgn").split_inclusive("*\n\n").nth(1).unwrap());
    let script = read(folder.path(), "game-1027-1.js");
    let in_script = script.strip_prefix("boardbus.game(").and_then(|rest| rest.strip_suffix(")\n")).unwrap();
    assert_eq!(serde_json::from_str::<Value>(in_script).unwrap(), game);
    let page = read(folder.path(), "game-1027-1.html");
    assert_eq!(element(&page, "game-1027-1"), game);
    assert_eq!(element(&page, "live")["games"], json!([live["games"][1]]));
    let index = element(&read(folder.path(), "index.html"), "index");
    assert_eq!(index["live"], live);
    assert_eq!((&index["heads"][1]["san"], &index["heads"][1]["fen"]), (&json!("1... e5"), &json!(E5)));
}
