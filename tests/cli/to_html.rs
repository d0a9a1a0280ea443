//! `boardbus to-html`: the files, as whoever reads them finds them.

use std::{
    fs,
    io::Write,
    path::Path,
    process::{Child, Stdio},
    time::{Duration, SystemTime},
};

use assert_cmd::Command;
use base64::{Engine, engine::general_purpose::STANDARD};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use tempfile::TempDir;

use super::{hall::wait, program::command};

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
fn sites_hold_games_the_overview_and_all_games() {
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
        "past.js",
        "past.json",
    ];
    assert_eq!(names, expected);
    let live = read_json(folder.path(), "live.json");
    let ten: i64 = 1_795_255_200;
    assert_eq!(
        live,
        json!({"version": 4, "updated": (ten + 9) * 1000, "refresh": 2, "delay": 0, "epoch": ten, "past": 0, "games":
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
    let in_script =
        script.strip_prefix("boardbus(\"game-1027-1\",").and_then(|rest| rest.strip_suffix(")\n")).unwrap();
    assert_eq!(serde_json::from_str::<Value>(in_script).unwrap(), game);
    let page = read(folder.path(), "game-1027-1.html");
    assert_eq!(element(&page, "game-1027-1"), game);
    assert_eq!(element(&page, "live")["games"], json!([live["games"][1]]));
    let index = element(&read(folder.path(), "index.html"), "index");
    assert_eq!((&index["live"], &index["past"]), (&live, &json!({"version": 0, "games": []})));
    assert_eq!((&index["heads"][1]["san"], &index["heads"][1]["fen"]), (&json!("1... e5"), &json!(E5)));
}

/// `to-html --output` with a stream that goes on.
struct Running {
    folder: TempDir,
    child: Child,
}

impl Running {
    fn start(args: &[&str]) -> Running {
        Running::start_in(tempfile::tempdir().unwrap(), args)
    }

    fn start_in(folder: TempDir, args: &[&str]) -> Running {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_boardbus"));
        command.arg("to-html").arg("--output").arg(folder.path()).args(args);
        let child = command.stdin(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        Running { folder, child }
    }

    fn send(&mut self, records: &str) {
        self.child.stdin.as_mut().unwrap().write_all(records.as_bytes()).unwrap();
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }

    /// The games of `live.json` as they stand; none as long as it is not there.
    fn rows(&self) -> Value {
        let text = fs::read(self.path().join("live.json")).unwrap_or_else(|_| b"{}".to_vec());
        serde_json::from_slice::<Value>(&text).unwrap()["games"].take()
    }

    /// Ends the input; what was said, and the folder.
    fn end(mut self) -> (String, TempDir) {
        drop(self.child.stdin.take());
        let output = self.child.wait_with_output().unwrap();
        assert!(output.status.success());
        (String::from_utf8(output.stderr).unwrap(), self.folder)
    }
}

fn modified(path: &Path) -> SystemTime {
    fs::metadata(path).unwrap().modified().unwrap()
}

#[test]
fn live_sites_follow_games_with_distinguishable_files() {
    let mut site = Running::start(&[]);
    let live = site.path().join("live.json");
    site.send(&(begin(7) + &e4(7)));
    wait(|| site.rows() == json!([["7-1", 2, 1, 5393, null, "b", "", 7]]));
    let first = modified(&live);
    let other = modified(&site.path().join("page.js"));
    site.send(&e5(7));
    wait(|| site.rows()[0][2] == 2);
    let second = modified(&live);
    assert!(second >= first + Duration::from_secs(1));
    site.send(&of(7, 20, "takeback", json!({"ply": 1})));
    wait(|| site.rows()[0][2] == 1);
    assert!(modified(&live) >= second + Duration::from_secs(1));
    assert_eq!(read_json(site.path(), "game-7-1.json")["moves"].as_array().unwrap().len(), 1);
    let (said, folder) = site.end();
    assert_eq!(said, "");
    // What has not changed was not written again.
    assert_eq!(modified(&folder.path().join("page.js")), other);
    let page = element(&read(folder.path(), "game-7-1.html"), "game-7-1");
    assert_eq!(page, read_json(folder.path(), "game-7-1.json"));
}

#[test]
fn a_correction_of_what_was_played_reaches_the_page() {
    let mut site = Running::start(&[]);
    site.send(&(begin(7) + &e4(7) + &e5(7)));
    wait(|| site.rows()[0][2] == 2);
    site.send(&of(7, 30, "move", json!({"ply": 2, "san": "d5", "uci": "d7d5", "fen": "x b"})));
    wait(|| site.rows()[0][1] == 4);
    // Whoever reads of a change finds it.
    assert_eq!(read_json(site.path(), "game-7-1.json")["moves"][1]["san"], "d5");
    site.end();
}

#[test]
fn games_continued_after_their_end_have_all_moves() {
    let mut site = Running::start(&[]);
    let end = |second| of(7, second, "end", json!({"result": "1-0", "reason": "flag"}));
    site.send(&(begin(7) + &e4(7) + &e5(7) + &end(30) + &begin(8) + &e4(8)));
    wait(|| site.rows()[0][6] == "1-0" && site.rows()[1][2] == 1);
    // The next writing comes when the game's moves have left the memory.
    site.send(&e5(8));
    wait(|| site.rows()[1][2] == 2);
    let texts = read(site.path(), "games.pgn");
    assert!(texts.contains("1. e4 {[%clk 1:29:53]} 1... e5 {[%clk 1:29:59]} 1-0"), "{texts}");
    site.send(&of(
        7,
        40,
        "move",
        json!({"ply": 2, "san": "d5", "uci": "d7d5", "fen": "x w", "seconds": 5390}),
    ));
    wait(|| site.rows()[0][1] == 5);
    let game = read_json(site.path(), "game-7-1.json");
    let sans: Vec<&str> =
        game["moves"].as_array().unwrap().iter().map(|m| m["san"].as_str().unwrap()).collect();
    assert_eq!((sans, &game["clock"]["white"]), (vec!["e4", "d5"], &json!(5393)));
    let (_, folder) = site.end();
    let texts = read(folder.path(), "games.pgn");
    assert!(texts.contains("1. e4 {[%clk 1:29:53]} 1... d5 {[%clk 1:29:50]} 1-0"), "{texts}");
}

#[test]
fn polled_files_contain_last_games_and_changed_earlier_ones() {
    let mut site = Running::start(&[]);
    let end = |second| of(7, second, "end", json!({"result": "1-0", "reason": "kings"}));
    let second =
        |record: String| record.replace("\"game\":1", "\"game\":2").replace("T10:00:00", "T10:01:00");
    site.send(&(begin(7) + &e4(7) + &end(30) + &begin(8) + &second(begin(7))));
    wait(|| site.rows()[1][0] == "8-1");
    let live = read_json(site.path(), "live.json");
    let ids = |games: &Value| -> Vec<String> {
        games.as_array().unwrap().iter().map(|row| row[0].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(ids(&live["games"]), ["7-2", "8-1"]);
    let past = read_json(site.path(), "past.json");
    assert_eq!(past, json!({"version": live["past"], "games": [["7-1", 3, 1, 5393, null, "", "1-0"]]}));
    let script = read(site.path(), "past.js");
    assert_eq!(script, format!("boardbus(\"past\",{})\n", read(site.path(), "past.json")));
    let index = element(&read(site.path(), "index.html"), "index");
    let heads: Vec<&Value> = index["heads"].as_array().unwrap().iter().map(|head| &head["id"]).collect();
    assert_eq!(json!(heads), json!(["7-2", "8-1", "7-1"]));
    assert_eq!(index["past"], past);
    // A closed game that is corrected is asked for again.
    site.send(&of(7, 20, "end", json!({"result": "0-1", "reason": "kings"})));
    wait(|| read_json(site.path(), "live.json")["past"] != live["past"]);
    assert_eq!(read_json(site.path(), "past.json")["games"][0][6], "0-1");
    // The correction has an earlier time; what is shown is no older for it.
    assert!(read_json(site.path(), "live.json")["updated"].as_i64() >= live["updated"].as_i64());
    site.end();
}

#[test]
fn games_ruled_void_while_shown_leave_no_file() {
    let mut site = Running::start(&[]);
    site.send(&(begin(7) + &e4(7) + &begin(8) + &e4(8)));
    wait(|| site.rows()[1][2] == 1);
    site.send(&of(7, 40, "ruling", json!({"void": true})));
    wait(|| site.rows()[0][0] == "8-1");
    wait(|| !site.path().join("game-7-1.html").exists());
    assert!(!site.path().join("game-7-1.json").exists() && !site.path().join("game-7-1.js").exists());
    assert_eq!(read(site.path(), "games.pgn").matches("[Event ").count(), 1);
    // He may think better of it.
    site.send(&of(7, 50, "ruling", json!({"withdraw": true})));
    wait(|| site.rows()[0][0] == "7-1");
    assert_eq!(read_json(site.path(), "game-7-1.json")["moves"][0]["san"], "e4");
    let (said, _) = site.end();
    assert_eq!(said, "");
}

#[test]
fn rulings_are_shown_and_hidden_with_the_results() {
    let rulings = of(7, 40, "ruling", json!({"ply": 1, "san": "e4", "note": "both agree"}))
        + &of(7, 41, "ruling", json!({"ply": 1, "san": "e4", "note": "seen again"}))
        + &of(7, 42, "ruling", json!({"ply": 2, "san": "e5"}))
        + &of(7, 43, "ruling", json!({"ply": 2, "withdraw": true}))
        + &of(7, 44, "ruling", json!({"result": "0-1", "note": "a telephone rang"}))
        + &of(7, 45, "end", json!({"result": "0-1", "reason": "result-piece"}));
    let told = |options: &[&str]| {
        let folder = tempfile::tempdir().unwrap();
        let records = begin(7) + &e4(7) + &e5(7) + &rulings;
        to_html().args(options).arg("-o").arg(folder.path()).write_stdin(records).assert().success();
        let game = read_json(folder.path(), "game-7-1.json");
        (game["anomalies"].clone(), game["ending"].clone(), game["doubts"].clone())
    };
    let of_move = json!({"ply": 1, "kind": "ruling", "detail": "seen again"});
    let of_game = json!({"ply": u32::MAX, "kind": "ruling", "detail": "0-1, a telephone rang"});
    assert_eq!(told(&[]), (json!([of_move, of_game]), json!(["0-1", "ruled"]), Value::Null));
    assert_eq!(told(&["--hide-results"]), (json!([of_move]), json!(["The game is over"]), Value::Null));
}

#[test]
fn pages_name_the_script_and_style_of_their_version() {
    let folder = tempfile::tempdir().unwrap();
    to_html().arg("-o").arg(folder.path()).write_stdin(begin(7)).assert().success();
    for name in ["page.js", "page.css"] {
        let hash = STANDARD.encode(Sha256::digest(read(folder.path(), name)));
        let hash: String = hash.chars().filter(char::is_ascii_alphanumeric).take(8).collect();
        for page in ["index.html", "game-7-1.html"] {
            assert!(read(folder.path(), page).contains(&format!("\"{name}?{hash}\"")), "{name} {hash}");
        }
    }
}

#[test]
fn killed_at_any_moment_it_leaves_every_file_whole() {
    let mut folder = tempfile::tempdir().unwrap();
    for run in 0..4 {
        let mut site = Running::start_in(folder, &[]);
        let boards: Vec<u16> = (1..40).collect();
        boards.iter().for_each(|board| site.send(&begin(*board)));
        for n in 0..run * 40 {
            let board = boards[n % boards.len()];
            site.send(&if (n / boards.len()).is_multiple_of(2) { e4(board) } else { e5(board) });
        }
        wait(|| site.path().join("game-1-1.json").exists());
        site.child.kill().unwrap();
        site.child.wait().unwrap();
        for entry in fs::read_dir(site.path()).unwrap() {
            let name = entry.unwrap().file_name().into_string().unwrap();
            let text = read(site.path(), &name);
            match name.rsplit('.').next().unwrap() {
                _ if name.starts_with('.') => {}
                "json" => drop(serde_json::from_str::<Value>(&text).unwrap()),
                "html" => assert!(text.ends_with("</html>\n"), "{name}"),
                "js" if name != "page.js" => assert!(text.ends_with("})\n"), "{name}"),
                "pgn" => assert!(text.ends_with("*\n\n"), "{name}"),
                _ => {}
            }
        }
        folder = site.folder;
    }
    fs::write(folder.path().join(".live.json.999.tmp"), "{").unwrap();
    to_html().arg("-o").arg(folder.path()).write_stdin(begin(1)).assert().success();
    let left = fs::read_dir(folder.path())
        .unwrap()
        .filter(|entry| entry.as_ref().unwrap().file_name().into_string().unwrap().starts_with('.'));
    assert_eq!(left.count(), 0);
}

#[test]
fn restarts_do_not_repeat_the_round() {
    let mut site = Running::start(&[]);
    site.send(&(begin(7) + &e4(7) + &e5(7)));
    wait(|| site.rows()[0][2] == 2);
    let (_, folder) = site.end();
    let mut site = Running::start_in(folder, &[]);
    let before = modified(&site.path().join("live.json"));
    // The journal comes in pieces, and between them its reader waits.
    site.send(&begin(7));
    site.send(&begin(9));
    site.send(&e4(7));
    site.send(&e5(7));
    site.send(&of(7, 50, "move", json!({"ply": 3, "san": "d4", "uci": "d2d4", "fen": "x b"})));
    let mut seen = Vec::new();
    wait(|| {
        seen.push(site.rows()[0][2].clone());
        modified(&site.path().join("live.json")) > before
    });
    assert!(seen.iter().all(|ply| ply == 2 || ply == 3), "{seen:?}");
    assert!(site.rows()[0][2] == 3 || site.rows()[0][2] == 2, "{}", site.rows());
    wait(|| site.rows()[0][2] == 3);
}

#[test]
fn pages_of_other_games_are_named_and_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let site = || {
        let mut command = to_html();
        command.arg("-o").arg(folder.path());
        command
    };
    site().write_stdin(begin(7) + &e4(7) + &begin(8)).assert().success().stderr("");
    let first = read(folder.path(), "game-7-1.json");
    // The next round: the same board, the same number, but begun at another time.
    let next = begin(7).replace("T10:00", "T15:00");
    let said = "boardbus to-html: the folder holds 2 games that are not of this input (7-1, 8-1): they are left alone\n";
    for _ in 0..2 {
        site().write_stdin(next.clone()).assert().success().stderr(said);
        assert_eq!(read(folder.path(), "game-7-1.json"), first);
        assert_eq!(
            read_json(folder.path(), "live.json")["games"],
            json!([["7-1.2", 1, 0, null, null, "", ""]])
        );
    }
}

#[test]
fn a_folder_has_one_owner() {
    let site = Running::start(&[]);
    wait(|| site.path().join("page.css").exists());
    let said = format!(
        "boardbus to-html: {} is kept by another `boardbus to-html`: name another folder\n",
        site.path().display()
    );
    to_html().arg("-o").arg(site.path()).write_stdin("").assert().code(2).stderr(said);
    site.end();
}

#[test]
fn unwritable_folders_are_reported_immediately() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "").unwrap();
    for path in [file.clone(), file.join("below")] {
        let output =
            to_html().arg("-o").arg(&path).write_stdin(begin(7)).assert().code(5).get_output().clone();
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(
            said.starts_with(&format!("boardbus to-html: {}: ", path.display())) && said.lines().count() == 1,
            "{said}"
        );
    }
}

#[test]
fn full_disks_for_one_game_leave_others_right() {
    let folder = tempfile::tempdir().unwrap();
    // Longer than any file may be here, in units of 512 bytes.
    let long = of(7, 20, "anomaly", json!({"ply": 1, "kind": "gap", "detail": "x".repeat(600 * 512)}));
    let records = [begin(7), e4(7), long, begin(8), e4(8)].concat();
    let limited = "ulimit -f 500; trap '' XFSZ; exec \"$0\" to-html -o \"$1\"";
    let mut command = Command::new("sh");
    command.args(["-c", limited, env!("CARGO_BIN_EXE_boardbus")]).arg(folder.path());
    let output = command.write_stdin(records).assert().code(5).get_output().clone();
    let said = String::from_utf8(output.stderr).unwrap();
    let name = folder.path().join("game-7-1.json");
    // Said when it first happens and as the reason of the exit code, and nothing else is.
    let is_about_it = |line: &str| line.starts_with(&format!("boardbus to-html: {}: ", name.display()));
    assert!(said.lines().all(is_about_it) && (1..=2).contains(&said.lines().count()), "{said}");
    assert_eq!(read_json(folder.path(), "game-8-1.json")["moves"][0]["san"], "e4");
    assert_eq!(read_json(folder.path(), "live.json")["games"][1][0], "8-1");
}

#[test]
fn games_too_large_for_disk_leave_others_shown() {
    let folder = tempfile::tempdir().unwrap();
    let pgn = format!("1. e4 {{{}}} *\n\n[White \"B\"]\n\n1. d4 *\n", "x ".repeat(200 * 512));
    let records = command("from-pgn").write_stdin(pgn).output().unwrap().stdout;
    let limited = "ulimit -f 300; trap '' XFSZ; exec \"$0\" to-html -o \"$1\"";
    let mut command = Command::new("sh");
    command.args(["-c", limited, env!("CARGO_BIN_EXE_boardbus")]).arg(folder.path());
    let said = format!(
        "boardbus to-html: {}: File too large (os error 27)\n",
        folder.path().join("game-1.json").display()
    );
    command.write_stdin(records).assert().code(5).stderr(said);
    assert_eq!(read_json(folder.path(), "game-2.json")["moves"][0]["san"], "d4");
    assert_eq!(read_json(folder.path(), "live.json")["games"].as_array().unwrap().len(), 1);
    // A part of the games would pass for all of them.
    assert!(!folder.path().join("games.pgn").exists());
}

#[test]
fn pain_4_bad_records_are_reported_and_others_shown() {
    let folder = tempfile::tempdir().unwrap();
    let without_game = e4(9).replace("\"game\":1,", "");
    let without_fen = of(7, 9, "move", json!({"ply": 1, "san": "e4", "uci": "e2e4"}));
    let records = [begin(7), without_game, without_fen, e4(3), begin(8), e4(8)].concat();
    let said = "boardbus to-html: standard input:2: not a record: missing field `game`\n\
                boardbus to-html: standard input:3: `e4` without `fen`: it is shown without its position\n\
                boardbus to-html: standard input:4: a move of game 1, which has not begun\n\
                boardbus to-html: 3 bad records skipped\n";
    to_html().arg("-o").arg(folder.path()).write_stdin(records).assert().code(4).stderr(said);
    assert_eq!(read_json(folder.path(), "game-8-1.json")["moves"][0]["fen"], E4);
    assert_eq!(read_json(folder.path(), "game-7-1.json")["moves"][0]["san"], "e4");
    assert_eq!(element(&read(folder.path(), "index.html"), "index")["heads"][0]["fen"], START);
}

#[test]
fn results_are_hidden_everywhere() {
    let end = |board| of(board, 30, "end", json!({"result": "1-0", "reason": "flag"}));
    let records = [begin(7), e4(7), end(7)].concat();
    let pgn = "[White \"A\"]\n[Result \"1-0\"]\n[Termination \"time forfeit\"]\n\n1. e4 1-0\n";
    let read_in = command("from-pgn").write_stdin(pgn).output().unwrap().stdout;
    let folder = tempfile::tempdir().unwrap();
    to_html().args(["--hide-results", "-o"]).arg(folder.path()).write_stdin(records).assert().success();
    assert_eq!(read_json(folder.path(), "live.json")["games"][0][6], "*");
    assert_eq!(read_json(folder.path(), "game-7-1.json")["over"], true);
    let names = fs::read_dir(folder.path()).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap());
    let names: Vec<String> = names.filter(|name| !name.starts_with("page.")).collect();
    assert_eq!(names.len(), 9, "{names:?}");
    let mut texts: Vec<String> = names.iter().map(|name| read(folder.path(), name)).collect();
    let single = to_html().arg("--hide-results").write_stdin(read_in).output().unwrap().stdout;
    let single = String::from_utf8(single).unwrap();
    texts.push(single.split_once("id=\"game-1\"").unwrap().1.split_once("<script>").unwrap().0.to_owned());
    for text in texts {
        assert!(!["1-0", "flag", "forfeit"].iter().any(|told| text.contains(told)), "{text}");
    }
}

#[test]
fn pain_13_names_rounds_and_events_match_to_pgn() {
    let folder = tempfile::tempdir().unwrap();
    let roster = folder.path().join("roster.csv");
    fs::write(
        &roster,
        "board,table,white,white_title,white_team,white_fed,black,black_fed\n7,1,Ann,GM,Riga,LAT,Bob,NOR\n",
    )
    .unwrap();
    let site = folder.path().join("site");
    let mut command = to_html();
    command.arg("--roster").arg(&roster).args([
        "--round",
        "3",
        "--event",
        "City Open",
        "--tag",
        "Site=Hall",
        "-o",
    ]);
    command.arg(&site).write_stdin(begin(7) + &e4(7)).assert().success().stderr("");
    let index = element(&read(&site, "index.html"), "index");
    assert_eq!(index["title"], "City Open, round 3");
    let head = &index["heads"][0];
    assert_eq!(
        [&head["white"], &head["whiteTitle"], &head["black"], &head["table"]],
        ["Ann", "GM", "Bob", "1"]
    );
    // The team, or else the federation.
    assert_eq!([&head["whiteFrom"], &head["blackFrom"]], ["Riga", "NOR"]);
    assert!(read(&site, "games.pgn").starts_with("[Event \"City Open\"]\n[Site \"Hall\"]\n"));
}

#[test]
fn pain_15_delayed_records_are_in_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let now = jiff_now();
    let late = e5(7).replace("2026-11-21T10:00:09.000Z", &now);
    let records = [begin(7), e4(7), late].concat();
    to_html().args(["--delay", "1h", "-o"]).arg(folder.path()).write_stdin(records).assert().success();
    let live = read_json(folder.path(), "live.json");
    assert_eq!((&live["games"][0][2], &live["delay"]), (&json!(1), &json!(3600)));
    assert!(!read(folder.path(), "games.pgn").contains("e5"));
}

/// Now, as records have it.
fn jiff_now() -> String {
    boardbus::record::Time::now().to_string()
}

#[test]
fn draughts_are_shown_with_their_pdn() {
    let pdn = "[GameType \"25\"]\n\n1. c3-d4 d6-c5 2. b2-c3 *\n";
    let records = command("from-pdn").write_stdin(pdn).output().unwrap().stdout;
    let folder = tempfile::tempdir().unwrap();
    to_html().arg("-o").arg(folder.path()).write_stdin(records).assert().success().stderr("");
    let game = read_json(folder.path(), "game-1.json");
    assert_eq!((&game["rules"], &game["moves"][0]["path"]), (&json!("russian"), &json!(["c3", "d4"])));
    assert_eq!(game["download"], json!(["games.pdn", "1.pdn"]));
    let all = read(folder.path(), "games.pdn");
    assert!(all.contains("1. c3-d4 d6-c5 2. b2-c3"), "{all}");
    assert_eq!(game["pdn"], all);
    assert!(!folder.path().join("games.pgn").exists());
}
