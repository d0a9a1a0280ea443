//! Files that commands write: which they refuse, which they leave alone or write again, and what they say when nothing comes
//! of them.

use std::{
    fs,
    io::Write,
    path::Path,
    process::{Command, Stdio},
};

use super::{
    hall::{Hall, wait},
    program::run,
};

#[test]
fn an_output_that_is_read_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.jsonl").display().to_string();
    std::fs::write(&path, "{}\n").unwrap();
    let (out, err, code) = run(&["to-pgn", &path, "-o", &path], "");
    assert_eq!((out.as_str(), code), ("", 2));
    assert!(err.ends_with("is read and would be replaced: name another file\n"), "{err}");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "{}\n");
    let (_, err, code) = run(&["to-pgn", "-o", "/dev/stdout"], "");
    assert_eq!(code, 2);
    assert!(err.contains("leave the option out for standard output"), "{err}");
}

/// A refusal in one line, which leaves the file as it was.
fn refused(args: &[&str], file: &Path, because: &str) {
    let before = fs::read(file).unwrap();
    let (out, said, code) = run(args, "");
    assert_eq!((out.as_str(), code, said.lines().count()), ("", 2, 1), "{args:?}: {said}");
    assert!(said.contains(because), "{args:?}: {said}");
    assert!(fs::read(file).unwrap() == before, "{args:?}: not the file that it was");
}

#[test]
fn outputs_never_replace_inputs_or_files_of_others() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, content: &[u8]| {
        let path = folder.path().join(name);
        fs::write(&path, content).unwrap();
        path
    };
    let roster = file("players.csv", b"board,white,black\n1,A,B\n");
    let journal =
        file("round3.jsonl", b"{\"type\":\"stream\",\"records\":1}\n{\"type\":\"quiet\",\"board\":1}\n");
    // As a power cut leaves it.
    let torn = file("torn.jsonl", b"\0\0\0\n{\"type\":\"quiet\",\"board\":1}\n");
    let packed = file("round2.jsonl.gz", &[0x1f, 0x8b, 8, 0, 0]);
    let games = file("games.pgn", b"1. e4 *\n");
    let text = |path: &'_ Path| path.to_str().unwrap().to_owned();
    for command in ["to-pgn", "to-pdn"] {
        let roster_is_read = [command, "--roster", &text(&roster), "-o", &text(&roster)];
        refused(&roster_is_read, &roster, "is read and would be replaced");
        let report =
            [command, "--trf", &text(&roster), "--round", "1", "--boards", "1", "-o", &text(&roster)];
        refused(&report, &roster, "is read and would be replaced");
        refused(&[command, "-o", &text(&journal)], &journal, "holds records and would be replaced");
        refused(&[command, "-o", &text(&torn)], &torn, "holds records and would be replaced");
        refused(&[command, "-o", &text(&packed)], &packed, "is packed and would be replaced");
    }
    refused(&["to-bars", "-o", &text(&journal)], &journal, "holds records and would be replaced");
    let link = text(&folder.path().join("line"));
    for taken in [&games, &roster, &journal, &packed] {
        let truth = ["simulate", "--pgn", &text(&games), "--link", &link, "--truth", &text(taken)];
        refused(&truth, taken, "holds no truth of an earlier run");
        for command in ["watch", "discover", "dump"] {
            let capture = [command, "--port", "/nowhere/line", "--capture", &text(taken)];
            refused(&capture, taken, "is no capture: give --capture a file of its own");
        }
    }
    let both = text(&folder.path().join("new"));
    let hall = Hall::open(&["--boards", "1"]);
    let (_, said, code) =
        run(&["watch", "--port", &text(&hall.port()), "--journal", &both, "--capture", &both], "");
    assert!(code != 0 && said.contains("give --journal a file of its own"), "{said}");
}

#[test]
fn no_ruling_is_appended_to_what_holds_no_records() {
    let folder = tempfile::tempdir().unwrap();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/boardbus-rule");
    let rule = |name: &str, content: &[u8]| {
        let path = folder.path().join(name);
        fs::write(&path, content).unwrap();
        let output = Command::new(&script).arg(&path).args(["1027", "2", "1-0"]).output().unwrap();
        (output.status.code().unwrap(), fs::read(&path).unwrap() == content)
    };
    let foreign: [(&str, &[u8]); 3] = [
        ("players.csv", b"board,white,black\n1,A,B\n"),
        ("games.pgn", b"[Event \"?\"]\n\n1. e4 *\n"),
        ("round2.jsonl.gz", &[0x1f, 0x8b, 8, 0, 0]),
    ];
    for (name, content) in foreign {
        assert_eq!(rule(name, content), (2, true), "{name}");
    }
    let ours: [(&str, &[u8]); 3] = [
        ("new.jsonl", b""),
        ("round3.jsonl", b"\xef\xbb\xbf {\"type\":\"quiet\",\"board\":1}\n"),
        ("torn.jsonl", b"\0\0{\"type\":\"quiet\"}\n"),
    ];
    for (name, content) in ours {
        assert_eq!(rule(name, content), (0, false), "{name}");
    }
}

#[test]
fn pain_10_removed_pages_are_written_again() {
    let start = "\"rules\":\"chess\",\"fen\":\"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\"";
    let of = |board: u16, kind: &str, rest: &str| {
        format!(
            "{{\"type\":\"{kind}\",\"time\":\"2026-11-21T10:00:00.000Z\",\"board\":{board},\"game\":1,{rest}}}\n"
        )
    };
    let e4 = "\"ply\":1,\"san\":\"e4\",\"uci\":\"e2e4\",\"fen\":\"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1\"";
    let over = "\"result\":\"1-0\",\"reason\":\"kings\"";
    // The game of board 7 is over, and nothing of it is in memory any more.
    let records = [
        of(7, "game", start),
        of(8, "game", start),
        of(7, "move", e4),
        of(8, "move", e4),
        of(7, "end", over),
    ]
    .concat();
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name);
    let mut command = Command::new(env!("CARGO_BIN_EXE_boardbus"));
    command.arg("to-html").arg("--output").arg(folder.path()).stdin(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child.stdin.as_mut().unwrap().write_all(records.as_bytes()).unwrap();
    wait(|| fs::read_to_string(file("live.json")).is_ok_and(|live| live.contains("\"version\":5")));
    let names = ["json", "js", "html"]
        .into_iter()
        .flat_map(|ending| [7, 8].map(|board| format!("game-{board}-1.{ending}")));
    let shared = ["index.html", "page.js", "page.css", "live.js", "live.json", "past.json", "games.pgn"];
    let names: Vec<String> = names.chain(shared.map(str::to_owned)).collect();
    let whole: Vec<Vec<u8>> = names.iter().map(|name| fs::read(file(name)).unwrap()).collect();
    for (nth, name) in names.iter().enumerate() {
        match nth % 3 {
            0 => fs::remove_file(file(name)).unwrap(),
            1 => fs::write(file(name), "").unwrap(),
            _ => fs::write(file(name), "<!doctype html>").unwrap(),
        }
    }
    drop(child.stdin.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), String::from_utf8(output.stderr).unwrap().as_str()), (Some(0), ""));
    for (name, whole) in names.iter().zip(whole) {
        let now = fs::read(file(name)).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert_eq!(String::from_utf8_lossy(&now), String::from_utf8_lossy(&whole), "{name}");
    }
}

#[test]
fn files_stay_unchanged_without_a_game_of_chess() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.pgn");
    std::fs::write(&path, "1. e4 *\n").unwrap();
    let draughts = r#"{"type":"game","board":1,"game":1,"rules":"russian","fen":"W:Wa1:Bh8"}"#;
    for input in ["", draughts] {
        run(&["to-pgn", "-o", path.to_str().unwrap()], input);
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "1. e4 *\n", "{input}");
    }
}

#[test]
fn a_record_of_another_century_holds_nothing_back() {
    let game = |time: &str, board: u16| {
        format!(
            r#"{{"type":"game","time":"{time}","board":{board},"game":1,"rules":"chess","fen":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"}}"#
        )
    };
    let mv = r#"{"type":"move","time":"2020-01-01T10:00:05.000Z","board":1,"game":1,"ply":1,"san":"e4","uci":"e2e4","fen":"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"}"#;
    // To the millisecond: nothing came later than now.
    let input = format!("{}\n{mv}\n", game("2099-01-01T10:00:00.000Z", 1));
    for delay in ["0", "15m"] {
        let (out, err, code) = run(&["to-pgn", "--delay", delay], input.as_str());
        assert_eq!((err.as_str(), code), ("", 0));
        assert!(out.contains("1. e4"), "{delay}: {out}");
    }
    // What is held back by a clock that is right is not let go by one that was put back.
    let now = jiff::Timestamp::now();
    let input = format!("{}\n{mv}\n", game(&format!("{now:.3}"), 1));
    let (out, err, code) = run(&["to-pgn", "--delay", "15m"], input.as_str());
    assert!(out.is_empty() && code == 0 && err.contains("--delay holds everything back"), "{out}{err}");
}

#[test]
fn pain_13_rosters_without_boards_are_reported() {
    let folder = tempfile::tempdir().unwrap();
    let roster = folder.path().join("roster.csv").display().to_string();
    std::fs::write(&roster, "board,white,black\n1,A,B\n2,C,D\n").unwrap();
    let game = r#"{"type":"game","board":1025,"game":1,"rules":"chess","fen":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"}"#;
    let (_, err, code) = run(&["to-pgn", "--roster", &roster], game);
    assert_eq!(code, 0);
    assert!(err.contains("no board of the roster (1-2) has a game: these are of 1025; "), "{err}");
    let (_, err, code) = run(&["to-pgn"], "{\"type\":\"quiet\",\"board\":1025}\n");
    assert_eq!(
        (err.as_str(), code),
        ("boardbus to-pgn: only board records in the input: put `boardbus reconstruct` in between\n", 0)
    );
}

/// What `to-pgn` says of a roster, games of these boards having been played, and its exit code.
fn said_of(roster: &str, boards: &[(&str, u16)]) -> (String, i32) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("roster.csv").display().to_string();
    fs::write(&path, roster).unwrap();
    let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let game = |(line, board): &(&str, u16)| {
        let line = if line.is_empty() { String::new() } else { format!(r#""line":"{line}","#) };
        format!(r#"{{"type":"game",{line}"board":{board},"game":1,"rules":"chess","fen":"{fen}"}}"#) + "\n"
    };
    let games: String = boards.iter().map(game).collect();
    let (_, err, code) = run(&["to-pgn", "--roster", &path], games.as_str());
    (err, code)
}

#[test]
fn a_wrong_address_is_reported_but_no_waiting_table() {
    let roster = "board,white,black\n1025,A,B\n1026,C,D\n1027,E,F\n";
    assert_eq!(said_of(roster, &[("", 1025), ("", 1026)]), (String::new(), 0));
    let (said, code) = said_of(roster, &[("", 1025), ("", 1026), ("", 1028)]);
    let what = "boardbus to-pgn: there are games and no names of 1028, names and no game of 1027: is an address wrong, or the \
                name of a line?\n";
    assert_eq!((said.as_str(), code), (what, 0));
    // So is the name of a line.
    let of_line = "board,line,white,black\n1025,hall2,A,B\n1026,hall-2,C,D\n";
    let (said, _) = said_of(of_line, &[("hall-2", 1025), ("hall-2", 1026)]);
    assert!(
        said.contains("no names of 1025 of line hall-2, names and no game of 1025 of line hall2: "),
        "{said}"
    );
}

#[test]
fn names_at_two_boards_of_a_round_are_reported() {
    let said = |roster: &str| said_of(roster, &[("", 1025)]).0;
    let twice = said("board,white,black\n1025,Tal M,Euwe\n1026,Keres,Tal M\n1027,Stein,NN\n1028,Geller,NN\n");
    assert_eq!(twice, "boardbus to-pgn: Tal M stands at 1025-1026 of one round: is a name wrong?\n");
    // One who plays against all, and another round.
    assert_eq!(said("board,white,black\n1025,Tal M,Euwe\n1026,Tal M,Keres\n"), "");
    let rounds = "board,round,white,black\n1025,1,Tal M,Euwe\n1026,1,Keres,Stein\n1025,2,Euwe,Keres\n1026,2,Stein,Tal M\n";
    assert_eq!(said(rounds), "");
}

#[test]
fn names_that_boards_of_two_lines_get_are_reported() {
    let boards = [("hall-1", 1025), ("hall-2", 1025), ("hall-2", 1026)];
    let (said, code) = said_of("board,white,black\n1025,A,B\n1026,C,D\n", &boards);
    assert!(
        said.contains("boards of several lines have the names of 1025, though one of them alone"),
        "{said}"
    );
    assert_eq!(code, 4);
    // Here it is known whose they are.
    let known = "board,line,white,black\n1025,,A,B\n1025,hall-2,E,F\n1026,,C,D\n";
    assert_eq!(said_of(known, &boards), (String::new(), 0));
}

#[test]
fn games_without_roster_names_are_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let game = r#"{"type":"game","board":1025,"game":1,"rules":"chess","fen":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"}"#;
    for roster in ["board\n1025\n", "board,white,bla\n1025,A,B\n", "board,white,black\n", ""] {
        fs::write(path("players.csv"), roster).unwrap();
        for command in ["to-pgn", "to-html"] {
            let out = path(if command == "to-pgn" { "games.pgn" } else { "pages" });
            let (_, said, code) = run(&[command, "--roster", &path("players.csv"), "-o", &out], game);
            assert_eq!((said.lines().count(), code), (1, 4), "{roster:?}: {said}");
            assert!(said.contains("players.csv:1: no ") && said.contains("board,white,black"), "{said}");
        }
        let written = fs::read_to_string(path("games.pgn")).unwrap();
        assert!(written.contains("[White \"?\"]\n[Black \"?\"]"), "{written}");
    }
}

#[test]
fn a_roster_of_other_rounds_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let roster = folder.path().join("players.csv").display().to_string();
    fs::write(&roster, "board,round,white,black\n1025,1,A,B\n1025,2,C,D\n").unwrap();
    for command in ["to-pgn", "to-pdn", "to-html"] {
        let (output, said, code) = run(&[command, "--roster", &roster, "--round", "3"], "");
        let why = format!("{roster}:1: no line here is of round 3, but of 1, 2; no name is taken from it\n");
        assert_eq!((said.starts_with(&format!("boardbus {command}: {why}")), code), (true, 4), "{said}");
        assert!(!output.contains("[White \"C\"]"), "{output}");
    }
}

#[test]
fn summaries_count_games_and_file_sizes() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.pgn").display().to_string();
    let of = |kind: &str, rest: &str| format!("{{\"type\":\"{kind}\",\"board\":1027,\"game\":1,{rest}}}\n");
    let start = "\"rules\":\"chess\",\"fen\":\"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\"";
    let records = [
        of("game", start),
        of("move", "\"ply\":1,\"san\":\"e4\",\"guess\":true"),
        of("anomaly", "\"ply\":1,\"kind\":\"gap\",\"detail\":\"x\""),
        of("end", "\"result\":\"1-0\",\"reason\":\"kings\""),
    ]
    .concat();
    let (_, err, code) = run(&["to-pgn", "--summary", "-o", &path], records.clone());
    let size = std::fs::metadata(&path).unwrap().len();
    let said = format!("1 game, 1 result, 1 guess (1027 ply 1), 1 anomaly, games.pgn {size} bytes");
    assert_eq!((err, code), (format!("boardbus to-pgn: {said}\n"), 0));
    assert_eq!(run(&["to-pgn", "-o", &path], records).1, "");
    let (_, err, _) =
        run(&["to-pgn", "--summary"], run(&["from-pgn"], "1. e4 1-0\n\n[Event \"b\"]\n\n1. d4 *\n").0);
    assert_eq!(err, "boardbus to-pgn: 2 games, 1 result, 0 guesses, 0 anomalies\n");
}
