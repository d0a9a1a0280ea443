//! Tables of a roster or a report before anybody has moved: in PGN and PDN, on pages, in an export.

use std::{
    fs::{self, File},
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use tempfile::TempDir;

use super::{
    hall::wait,
    program::{asleep, output_of, run},
};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const E4: &str = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
/// Without a table 3.
const ROSTER: &str = "board,table,white,black\n1025,1,A1,B1\n1026,2,A2,B2\n1027,4,A4,B4\n";

/// A folder with a roster.
struct Hall(TempDir);

impl Hall {
    fn new(roster: &str) -> Hall {
        let hall = Hall(tempfile::tempdir().unwrap());
        fs::write(hall.path("roster.csv"), roster).unwrap();
        hall
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// What a writer prints with the roster.
    fn write(&self, arguments: &[&str], records: &str) -> String {
        let roster = self.path("roster.csv");
        let (output, said, code) =
            run(&[arguments, &["--roster", roster.to_str().unwrap()]].concat(), records);
        assert_eq!(code, 0, "{said}");
        output
    }

    fn pgn(&self, records: &str) -> String {
        self.write(&["to-pgn", "--event", "City Open", "--round", "3"], records)
    }
}

/// A record of a game of a board, at a second after ten o'clock.
fn of(board: u16, game: u32, second: u32, kind: &str, rest: Value) -> String {
    let time = format!("2026-11-21T10:00:{second:02}.000Z");
    let mut record = json!({"type": kind, "time": time, "board": board, "game": game});
    record.as_object_mut().unwrap().extend(rest.as_object().unwrap().clone());
    format!("{record}\n")
}

fn begin(board: u16, game: u32, second: u32) -> String {
    of(board, game, second, "game", json!({"rules": "chess", "fen": START}))
}

fn e4(board: u16, game: u32, second: u32) -> String {
    of(board, game, second, "move", json!({"ply": 1, "san": "e4", "uci": "e2e4", "fen": E4}))
}

fn played(board: u16) -> String {
    begin(board, 1, 0) + &e4(board, 1, 5)
}

/// The values of a tag, game by game.
fn tag(pgn: &str, name: &str) -> Vec<String> {
    let begin = format!("[{name} \"");
    let values = pgn.lines().filter_map(|line| line.strip_prefix(&begin)?.strip_suffix("\"]"));
    values.map(str::to_owned).collect()
}

#[test]
fn tables_are_written_before_play_and_keep_their_ids() {
    let hall = Hall::new(ROSTER);
    let before = hall.pgn("");
    let first = "[Event \"City Open\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"3\"]\n[White \"A1\"]\n\
                 [Black \"B1\"]\n[Result \"*\"]\n[Board \"1\"]\n[GameId \"city-open.3.1\"]\n\n*\n\n";
    assert!(before.starts_with(first), "{before}");
    let ids = ["city-open.3.1", "city-open.3.2", "city-open.3.4"];
    assert_eq!(
        (tag(&before, "Board"), tag(&before, "GameId")),
        (["1", "2", "4"].map(String::from).into(), ids.map(String::from).into())
    );
    let after = hall.pgn(&played(1026));
    assert_eq!(
        (tag(&after, "White"), tag(&after, "GameId")),
        (tag(&before, "White"), tag(&before, "GameId"))
    );
    assert_eq!((after.matches("\n\n1. e4 *\n").count(), after.matches("\n\n*\n").count()), (1, 2));
    // Another name; a game that is played again at the table is another game.
    fs::write(hall.path("roster.csv"), ROSTER.replace("A2", "Zukertort")).unwrap();
    let again = hall.pgn(&[played(1026), begin(1026, 2, 30), e4(1026, 2, 35)].concat());
    let expected = [&ids[..], &["city-open.3.2-2"]].concat();
    assert_eq!(tag(&again, "GameId"), expected);
    let arguments = ["to-pgn", "--no-empty", "--event", "City Open", "--round", "3"];
    assert_eq!(tag(&hall.write(&arguments, &played(1026)), "GameId"), ["city-open.3.2"]);
    assert_eq!(
        hall.write(
            &["to-pgn", "--finished"],
            &(played(1026) + &of(1026, 1, 9, "end", json!({"result": "1-0", "reason": "kings"})))
        )
        .matches("[Event")
        .count(),
        1
    );
}

#[test]
fn without_a_unique_table_the_board_gives_the_id() {
    for roster in ["board,white,black\n1026,A,B\n", "board,table,white,black\n1026,7,A,B\n1025,7,C,D\n"] {
        let hall = Hall::new(roster);
        // When a game will begin is not known before it does.
        assert_eq!(tag(&hall.pgn(""), "GameId"), [""; 0]);
        assert_eq!(tag(&hall.pgn(&played(1026)), "GameId"), ["1026-20261121T100000"]);
    }
    // Nor is it made of an event that nobody names.
    let hall = Hall::new(ROSTER);
    let pgn = hall.write(&["to-pgn", "--round", "3"], &played(1025));
    assert_eq!(tag(&pgn, "GameId"), ["1025-20261121T100000"]);
}

#[test]
fn tables_have_different_game_ids_before_they_begin() {
    // As a GameId has them these are one table each, of one event.
    for tables in ["1025,1,Open,A,B\n1026,-1,Open,C,D\n", "1025,1,Open,A,B\n1026,1,U14,C,D\n"] {
        let hall = Hall::new(&format!("board,table,event,white,black\n{tables}"));
        assert_eq!(tag(&hall.pgn(""), "GameId"), [""; 0]);
        assert_eq!(
            tag(&hall.pgn(&(played(1026) + &played(1025))), "GameId"),
            ["1025-20261121T100000", "1026-20261121T100000"]
        );
    }
    // Two events are told apart where the roster names them.
    let hall = Hall::new("board,table,event,white,black\n1025,1,Open,A,B\n1026,1,U14,C,D\n");
    assert_eq!(tag(&hall.write(&["to-pgn", "--round", "3"], ""), "GameId"), ["open.3.1", "u14.3.1"]);
}

#[test]
fn a_game_replaces_its_pairing_until_it_is_withdrawn() {
    let hall = Hall::new(ROSTER);
    let on_line = played(1026).replace("{", "{\"line\":\"hall\",");
    let pgn = hall.pgn(&on_line);
    assert_eq!(tag(&pgn, "White"), ["A1", "A2", "A4"]);
    let void = of(1026, 1, 9, "ruling", json!({"void": true})).replace("{", "{\"line\":\"hall\",");
    let pgn = hall.pgn(&(on_line + &void));
    assert_eq!(
        (tag(&pgn, "White"), pgn.contains("e4")),
        (["A1", "A2", "A4"].map(String::from).into(), false)
    );
    // That of another line is not its game.
    let hall = Hall::new("board,line,table,white,black\n1026,hall,1,A,B\n");
    let elsewhere = hall.pgn(&played(1026).replace("{", "{\"line\":\"foyer\","));
    assert_eq!(tag(&elsewhere, "White"), ["?", "A"]);
}

#[test]
fn given_rounds_are_paired_among_several() {
    let rounds = "board,round,table,white,black\n7,1,1,A,B\n8,1,2,C,D\n7,2,1,D,A\n8,2,2,B,C\n";
    let hall = Hall::new(rounds);
    assert_eq!(tag(&hall.write(&["to-pgn", "--round", "2"], ""), "White"), ["D", "B"]);
    // Which comes next nobody knows, so there is one game here: the first of its board.
    assert_eq!(tag(&hall.write(&["to-pgn"], &played(7)), "White"), ["A"]);
    // Games of files are none of those.
    let of_a_file =
        "{\"type\":\"game\",\"game\":1,\"rules\":\"chess\",\"fen\":\"x\",\"tags\":{\"White\":\"E\"}}\n";
    assert_eq!(tag(&hall.write(&["to-pgn", "--round", "2"], of_a_file), "White"), ["E"]);
}

#[test]
fn reports_pair_boards_and_draughts_have_own_starts() {
    let hall = Hall::new(ROSTER);
    let pdn = hall.write(&["to-pdn", "--round", "3"], "");
    assert_eq!((pdn.matches("[White \"A").count(), pdn.contains("FEN")), (3, false), "{pdn}");
    // In a hall of draughts no chess is left.
    let of_draughts = of(
        1026,
        1,
        0,
        "game",
        json!({"rules": "russian", "fen":
        "W:Wa3,c3,e3,g3,b2,d2,f2,h2,a1,c1,e1,g1:Bb8,d8,f8,h8,a7,c7,e7,g7,b6,d6,f6,h6"}),
    );
    let (pgn, said, code) =
        run(&["to-pgn", "--roster", hall.path("roster.csv").to_str().unwrap()], of_draughts.as_str());
    assert_eq!((&*pgn, code), ("", 4), "{said}");
    let player = |rank: usize, name: &str, opponent: usize, colour: char| {
        format!(
            "001 {rank:>4} m    {name:<33} 2000 NOR {:>11} 2000/01/01  0.0 {rank:>4}  {opponent:>4} {colour}  \n",
            100 + rank
        )
    };
    let report = format!("012 City Open\n{}{}", player(1, "Tal, M", 2, 'w'), player(2, "Nn", 1, 'b'));
    fs::write(hall.path("open.trf"), report).unwrap();
    let trf = hall.path("open.trf");
    let pgn =
        output_of(&["to-pgn", "--trf", trf.to_str().unwrap(), "--round", "1", "--boards", "1025-1032"], "");
    assert_eq!(
        (tag(&pgn, "White"), tag(&pgn, "GameId")),
        (vec!["Tal, M".to_owned()], vec!["city-open.1.1".into()])
    );
}

#[test]
fn pages_exist_before_the_first_move_and_stay() {
    let hall = Hall::new(ROSTER);
    let site = hall.path("web");
    let write = |records: &str| {
        let arguments =
            ["to-html", "--event", "City Open", "--round", "3", "--output", site.to_str().unwrap()];
        assert_eq!(hall.write(&arguments, records), "");
    };
    let json = |name: &str| serde_json::from_slice::<Value>(&fs::read(site.join(name)).unwrap()).unwrap();
    let names = || {
        let mut names: Vec<_> =
            fs::read_dir(&site).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        names
    };
    write("");
    let before = names();
    assert_eq!(json("live.json")["games"][1], json!(["1026-1", 1, 0, null, null, "", ""]));
    let game = json("game-1025-1.json");
    assert_eq!(
        (&game["ending"], &game["pairing"], &game["head"]["white"]),
        (&json!(["Not begun"]), &json!(true), &json!("A1"))
    );
    // Open pages see that it is another state, whatever the line is called.
    for records in [played(1026), played(1026).replace("{", "{\"line\":\"hall\",")] {
        write(&records);
        assert_eq!(names(), before);
        let rows = json("live.json")["games"].clone();
        assert_eq!((&rows[1][0], &rows[1][2]), (&json!("1026-1"), &json!(1)));
        assert!(rows[1][1].as_u64() > Some(1), "{rows}");
        assert_eq!(json("game-1026-1.json")["ending"], json!(["In play"]));
    }
    let tags = tag(&fs::read_to_string(site.join("games.pgn")).unwrap(), "GameId");
    assert_eq!(tags, ["city-open.3.1", "city-open.3.2", "city-open.3.4"]);
}

#[test]
fn files_are_not_replaced_by_pairings_before_reading() {
    let hall = Hall::new(ROSTER);
    fs::write(hall.path("second.jsonl"), played(1026)).unwrap();
    assert!(Command::new("mkfifo").arg(hall.path("pipe")).status().unwrap().success());
    let start = |inputs: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_boardbus"));
        command
            .current_dir(hall.path("."))
            .args(["to-pgn", "--roster", "roster.csv", "-o", "out.pgn"])
            .args(inputs);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
    };
    assert!(start(&["second.jsonl"]).wait().unwrap().success());
    let whole = fs::read_to_string(hall.path("out.pgn")).unwrap();
    assert_eq!(whole.matches("1. e4").count(), 1);
    let mut child = start(&["pipe", "second.jsonl"]);
    let _pipe = File::options().write(true).open(hall.path("pipe")).unwrap();
    wait(|| asleep(&child));
    kill_process(Pid::from_child(&child), Signal::TERM).unwrap();
    child.wait().unwrap();
    assert_eq!(fs::read_to_string(hall.path("out.pgn")).unwrap(), whole);
    // With nothing at hand there is a file at once.
    fs::remove_file(hall.path("out.pgn")).unwrap();
    let mut child = start(&["pipe"]);
    let _pipe = File::options().write(true).open(hall.path("pipe")).unwrap();
    wait(|| hall.path("out.pgn").exists());
    assert_eq!(tag(&fs::read_to_string(hall.path("out.pgn")).unwrap(), "White"), ["A1", "A2", "A4"]);
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn exports_have_tables_before_the_journal_exists() {
    let hall = Hall::new(ROSTER);
    let export = |arguments: &[&str]| {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/boardbus-export-round");
        let mut command = Command::new(script);
        command.args(["round3.jsonl", "games.pgn"]).args(arguments);
        let output = command
            .current_dir(hall.path("."))
            .env("BOARDBUS", env!("CARGO_BIN_EXE_boardbus"))
            .output()
            .unwrap();
        (String::from_utf8(output.stderr).unwrap(), output.status.code())
    };
    let games = || fs::read_to_string(hall.path("games.pgn")).unwrap();
    let with_roster = ["--round", "3", "--roster=roster.csv", "--", "--show", "sure"];
    assert_eq!(export(&with_roster), (String::new(), Some(0)));
    assert_eq!(tag(&games(), "White"), ["A1", "A2", "A4"]);
    // A journal that has just been begun; a pairing that was changed.
    fs::write(hall.path("round3.jsonl"), "").unwrap();
    fs::write(hall.path("roster.csv"), ROSTER.replace("A2", "A5")).unwrap();
    assert_eq!(export(&with_roster), (String::new(), Some(0)));
    assert_eq!(tag(&games(), "White"), ["A1", "A5", "A4"]);
    // A journal that is not where it should be costs no games; nor does a roster hide that there is none.
    fs::remove_file(hall.path("round3.jsonl")).unwrap();
    fs::write(hall.path("games.pgn"), "[White \"A1\"]\n\n1. e4 *\n\n").unwrap();
    let (said, code) = export(&with_roster);
    assert_eq!(
        (code, said.contains("no journal that can be read at round3.jsonl")),
        (Some(5), true),
        "{said}"
    );
    assert_eq!(games(), "[White \"A1\"]\n\n1. e4 *\n\n");
    assert_eq!(export(&["--round", "3"]).1, Some(5));
}
