//! The folder of LiveChess, as its readers count: `scripts/check-livechess` reads it as they do.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use serde_json::{Value, json};
use tempfile::TempDir;

use super::program::{output_of, run};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// A folder that was written.
struct Written(TempDir);

impl Written {
    /// Of games of boards, with a roster where there is one, or of a file.
    fn new(arguments: &[&str], roster: &str, records: &str) -> Written {
        let written = Written(tempfile::tempdir().unwrap());
        let (folder, file) = (written.path(""), written.path("roster.csv"));
        fs::write(&file, roster).unwrap();
        let mut all = [&["to-pgn", "--livechess", folder.to_str().unwrap()], arguments].concat();
        if !roster.is_empty() {
            all.extend(["--roster", file.to_str().unwrap()]);
        }
        let (output, said, code) = run(&all, records);
        assert_eq!((&*output, code), ("", 0), "{said}");
        written
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn json(&self, name: &str) -> Value {
        serde_json::from_slice(&fs::read(self.path(name)).unwrap()).unwrap()
    }

    /// What the readers miss, and the exit code; none without Python.
    fn missed(&self) -> Option<(String, Option<i32>)> {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/check-livechess");
        let output = Command::new("python3").arg(script).arg(self.0.path()).output();
        let Ok(output) = output else {
            eprintln!("SKIPPED: python3 is not installed");
            return None;
        };
        assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
        Some((String::from_utf8(output.stdout).unwrap(), output.status.code()))
    }

    fn is_read_by_all(&self, games: usize) {
        let said = (format!("{games} games, read by all\n"), Some(0));
        assert_eq!(self.missed().unwrap_or(said.clone()), said);
    }
}

fn record(board: u16, kind: &str, rest: Value) -> String {
    let time = "2026-11-21T10:00:00.000Z";
    let mut record = json!({"type": kind, "time": time, "board": board, "game": 1});
    record.as_object_mut().unwrap().extend(rest.as_object().unwrap().clone());
    format!("{record}\n")
}

fn played(board: u16) -> String {
    let ply = |ply: u32, san: &str, seconds: f64| {
        record(board, "move", json!({"ply": ply, "san": san, "seconds": seconds, "elapsed": 3.5}))
    };
    record(board, "game", json!({"rules": "chess", "fen": START}))
        + &ply(1, "e4", 5396.5)
        + &ply(2, "e5", 5395.0)
}

#[test]
fn tables_have_their_places_and_gaps_are_filled() {
    let roster = "board,table,white,white_title,white_fide_id,white_fed,white_team,black\n\
                  1025,1,A1,GM,14100010,NOR,Riga,B1\n1026,2,A2,,,,,B2\n1027,4,\"Larsen, Bent\",,,,,B4\n1028,6,A6,,,,,B6\n";
    let written = Written::new(&["--round", "3", "--event", "Open"], roster, &(played(1028) + &played(1027)));
    let index = written.json("round-3/index.json");
    let last = |place: usize| index["pairings"][place - 1]["white"]["lname"].clone();
    let names: Vec<Value> = (1..=6).map(last).collect();
    assert_eq!(Value::from(names), json!(["A1", "A2", null, "Larsen", null, "A6"]));
    assert_eq!(index["pairings"].as_array().unwrap().len(), 6);
    assert_eq!(
        index["pairings"][0]["white"],
        json!({"fname": null, "mname": null, "lname": "A1", "title": "GM", "federation": "NOR", "gender": null,
            "fideid": 14_100_010})
    );
    let moves = |place: u32| written.json(&format!("round-3/game-{place}.json"))["moves"].clone();
    assert_eq!([1, 2, 3, 4, 5, 6].map(|place| moves(place).as_array().unwrap().len()), [0, 0, 0, 2, 0, 2]);
    let game = written.json("round-3/game-4.json");
    assert_eq!(game["moves"], json!(["e4 5397+4", "e5 5395+4"]));
    // lila refuses numbers with a fraction, also `5397.0`.
    let text = fs::read_to_string(written.path("round-3/game-4.json")).unwrap();
    assert!(text.contains("\"white\":5397}") || text.contains("\"white\":5397,"), "{text}");
    assert_eq!(index["pairings"][3]["live"], json!(true));
    let tournament = written.json("tournament.json");
    assert_eq!(tournament["rounds"][2], json!({"count": 6, "live": 2}));
    assert_eq!(tournament["eboards"], json!(["1025", "1026", "", "1027", "", "1028"]));
    written.is_read_by_all(6);
}

#[test]
fn without_tables_boards_are_counted_in_their_order() {
    let written = Written::new(&["--round", "1"], "", &(played(1030) + &played(1025)));
    assert_eq!(written.json("tournament.json")["eboards"], json!(["1025", "1030"]));
    assert_eq!(written.json("round-1/game-2.json")["serialNr"], "1030");
    written.is_read_by_all(2);
    // One that is a table too far is behind the last.
    let roster = "board,table,white,black\n1025,2000000,A,B\n1026,1,C,D\n";
    let written = Written::new(&["--round", "1"], roster, "");
    assert_eq!(written.json("tournament.json")["eboards"], json!(["1026", "1025"]));
    written.is_read_by_all(2);
}

#[test]
fn foreign_boards_take_no_place_of_a_board() {
    for (roster, places) in [
        // The boards of two matches, and a table of its own.
        (
            "board,table,white,black\n1025,1.1,A,E\n1026,1.2,B,F\n1027,2.1,C,G\n1028,2.2,D,H\n1029,3,I,J\n",
            json!([null, null, "I", "A", "B", "C", "D"]),
        ),
        (
            "board,event,table,white,black\n1025,Open,1,A,E\n1026,U14,1,B,F\n1027,Open,2,C,G\n",
            json!([null, "C", "A", "B"]),
        ),
    ] {
        let split = tempfile::tempdir().unwrap();
        let arguments = ["--round", "3", "--split", split.path().to_str().unwrap()];
        let written = Written::new(&arguments, roster, &(played(1026) + &played(1027)));
        let index = written.json("round-3/index.json");
        let names: Vec<&Value> =
            index["pairings"].as_array().unwrap().iter().map(|pairing| &pairing["white"]["lname"]).collect();
        assert_eq!(json!(names), places);
        let games = fs::read_dir(split.path().join("round-3")).unwrap().count();
        assert_eq!(games, roster.lines().count() - 1 + 1, "each game, and games.pgn");
    }
}

#[test]
fn file_games_have_rounds_and_chess960_is_shown() {
    let pgn = "[White \"A\"]\n[Round \"1.2\"]\n\n1. e4 *\n\n[White \"B\"]\n[Round \"1.1\"]\n\n*\n\n\
               [White \"C\"]\n[Round \"3\"]\n[Variant \"Chess960\"]\n[FEN \"bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFhf - 0 1\"]\n\n*\n\n";
    let records = output_of(&["from-pgn"], pgn);
    let written = Written::new(&[], "", &records);
    assert_eq!(written.json("round-1/game-2.json")["moves"], json!(["e4"]));
    assert_eq!(written.json("round-1/index.json")["pairings"][0]["white"]["lname"], "B");
    let tournament = written.json("tournament.json");
    assert_eq!((&tournament["chess960"], &tournament["eboards"]), (&json!("ANY"), &json!([])));
    assert_eq!(written.json("round-2/index.json")["pairings"], json!([]));
    written.is_read_by_all(3);
}

#[test]
fn the_script_names_what_each_reader_would_miss() {
    let damaged = |name: &str, from: &str, to: &str| {
        let written = Written::new(&["--round", "1"], "", &(played(11) + &played(12)));
        let text = fs::read_to_string(written.path(name)).unwrap();
        assert!(text.contains(from), "{text}");
        fs::write(written.path(name), text.replace(from, to)).unwrap();
        written.missed()
    };
    let game = "round-1/game-2.json";
    for (name, from, to, who) in [
        (game, "5397}", "5397.0}", "lila: round-1/game-2.json: `clock`"),
        (game, "e4 5397+4", "e4 5396.5", "live-board, lila: round-1/game-2.json: ply 1"),
        (game, "518", "\"518\"", "lila: round-1/game-2.json: `chess960`"),
        (game, "518", "300", "pgn-mule: round-1/game-2.json: a game of Chess960"),
        (game, "{\"", "[\"", "lila, pgn-mule, ecrucru: round-1/game-2.json: cannot be read"),
        (
            "round-1/index.json",
            "\"fideid\":null",
            "\"fideid\":\"7\"",
            "lila: round-1/index.json, pairing 1, white: `fideid`",
        ),
        ("tournament.json", "\"count\":2", "\"count\":3", "pgn-mule: round-1/index.json: 2 pairings"),
        (
            "tournament.json",
            "\"rounds\":[",
            "\"rounds\":[{\"count\":0,\"live\":0},",
            "all: round-2/index.json: cannot be read",
        ),
    ] {
        if let Some((said, code)) = damaged(name, from, to) {
            assert_eq!((said.contains(who), code), (true, Some(1)), "{who}: {said}");
        }
    }
    let written = Written::new(&["--round", "1"], "", &(played(11) + &played(12)));
    fs::rename(written.path("round-1/game-2.json"), written.path("round-1/game-12.json")).unwrap();
    if let Some((said, code)) = written.missed() {
        assert!(
            said.contains("round-1/game-12.json: nobody asks for it")
                && said.contains("game-2.json: cannot be read"),
            "{said}"
        );
        assert_eq!(code, Some(1));
    }
}
