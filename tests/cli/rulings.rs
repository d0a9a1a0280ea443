//! An arbiter's rulings, from the script that writes them to the files and pages that follow them.

use std::{
    fs,
    io::{BufRead, BufReader, Write},
    path::Path,
    process::{Command, Stdio},
};

use assert_cmd::cargo_bin;

use super::program::{movetext, of, output_of, records, run};

/// A game of three plies on board 1027, and the start of the next.
const JOURNAL: &str = r#"{"type":"position","time":"2026-11-21T10:00:00.000Z","board":1027,"placement":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"}
{"type":"change","time":"2026-11-21T10:00:10.000Z","board":1027,"square":"e2","piece":null}
{"type":"change","time":"2026-11-21T10:00:10.000Z","board":1027,"square":"e4","piece":"P"}
{"type":"press","time":"2026-11-21T10:00:12.000Z","board":1027,"side":"left","seconds":90}
{"type":"quiet","time":"2026-11-21T10:00:14.000Z","board":1027}
{"type":"change","time":"2026-11-21T10:00:20.000Z","board":1027,"square":"e7","piece":null}
{"type":"change","time":"2026-11-21T10:00:20.000Z","board":1027,"square":"e5","piece":"p"}
{"type":"press","time":"2026-11-21T10:00:22.000Z","board":1027,"side":"right","seconds":90}
{"type":"quiet","time":"2026-11-21T10:00:24.000Z","board":1027}
{"type":"change","time":"2026-11-21T10:00:30.000Z","board":1027,"square":"g1","piece":null}
{"type":"change","time":"2026-11-21T10:00:30.000Z","board":1027,"square":"f3","piece":"N"}
{"type":"press","time":"2026-11-21T10:00:32.000Z","board":1027,"side":"left","seconds":80}
{"type":"quiet","time":"2026-11-21T10:00:34.000Z","board":1027}
"#;
const NEXT: &str = r#"{"type":"position","time":"2026-11-21T11:00:00.000Z","board":1027,"placement":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"}
{"type":"quiet","time":"2026-11-21T11:00:02.000Z","board":1027}
"#;
/// Appended before a time has to be made up: of a journal of 2026 that is read later.
const INSTEAD: &str = r#"{"type":"ruling","board":1027,"game":1,"ply":3,"uci":"b1c3"}"#;

/// Runs `scripts/boardbus-rule`: standard error and exit code.
fn rule(arguments: &[&str]) -> (String, i32) {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/boardbus-rule");
    let output = Command::new(script).args(arguments).output().unwrap();
    (String::from_utf8(output.stderr).unwrap(), output.status.code().unwrap())
}

/// The moves of the first game as to-pgn writes it.
fn pgn(game_records: &str) -> String {
    movetext(&output_of(&["to-pgn"], game_records)).split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn rulings_that_cannot_be_written_name_their_file() {
    // Not even root makes files there, or fills a disk that is full.
    for (file, because) in [
        ("/proc/rulings.jsonl", "/proc/rulings.jsonl cannot be written (No such file"),
        ("/dev/full", "/dev/full: "),
    ] {
        let (said, code) = rule(&[file, "1027", "2", "1-0"]);
        assert_eq!((said.lines().count(), code), (1, 5), "{said}");
        assert!(said.starts_with(&format!("boardbus-rule: {because}")), "{said}");
    }
}

#[test]
fn rulings_after_a_journal_change_closed_games() {
    let folder = tempfile::tempdir().unwrap();
    let journal = folder.path().join("round3.jsonl");
    let path = journal.to_str().unwrap();
    fs::write(&journal, format!("{JOURNAL}{NEXT}")).unwrap();
    assert_eq!(rule(&["--note", "both \"agree\"", path, "1027", "1", "3", "Nc3"]), (String::new(), 0));
    let (out, err, code) = run(&["reconstruct", path], "");
    assert_eq!(code, 0, "{err}");
    assert_eq!(
        err,
        "boardbus reconstruct: board 1027, game 1: Nc3 at ply 3 is ruled, and holds against what the board showed\n"
    );
    // Nothing is told that has to be taken back, and the ruling goes with the game.
    let kinds: Vec<_> =
        records(&out).iter().map(|record| record["type"].as_str().unwrap().to_owned()).collect();
    assert!(
        !kinds.iter().any(|kind| kind == "takeback") && kinds.iter().any(|kind| kind == "ruling"),
        "{kinds:?}"
    );
    assert!(pgn(&out).contains(" 2. Nc3 ") && !pgn(&out).contains("Nf3"), "{}", pgn(&out));
}

#[test]
fn ruling_scripts_write_readable_rulings_and_refuse_others() {
    let folder = tempfile::tempdir().unwrap();
    let rulings = folder.path().join("rulings.jsonl");
    let path = rulings.to_str().unwrap();
    let good: &[&[&str]] = &[
        &["1027", "2", "41", "e7e3"],
        &["1027", "2", "41", "Rxe3+"],
        &["1027", "2", "41", "0-0-0"],
        &["1027", "2", "7", "c3:e5:g7"],
        &["1027", "2", "7", "8/8/8/8/8/4k3/8/4K2R w K - 0 60"],
        &["1027", "2", "7", "B:Wc3,Kh2:Bb8,Kd4"],
        &["1027", "2", "7", "withdraw"],
        &["1027", "2", "1/2-1/2"],
        &["1027", "2", "0-0"],
        &["1027", "2", "0-1/2"],
        &["1027", "2", "-/+"],
        &["1027", "2", "3", "0-0"],
        &["1027", "2", "void"],
    ];
    for arguments in good {
        let all = [&["--line", "hall \"2\"", "--", path], *arguments].concat();
        assert_eq!(rule(&all), (String::new(), 0), "{arguments:?}");
    }
    let written = fs::read(&rulings).unwrap();
    let fields = [
        "uci", "san", "san", "notation", "fen", "fen", "withdraw", "result", "result", "result", "forfeit",
        "san", "void",
    ];
    for (record, field) in records(&written).iter().zip(fields) {
        assert!(!record[field].is_null() && record["line"] == "hall \"2\"", "{record}");
    }
    let forfeit = of(&records(&written), "ruling")
        .into_iter()
        .find(|record| record["forfeit"] == true)
        .cloned()
        .unwrap();
    assert_eq!(forfeit["result"], "0-1");
    let (_, err, code) = run(&["reconstruct", path], JOURNAL);
    assert_eq!((code, err.as_str()), (0, "boardbus reconstruct: no records in the input: nothing to do\n"));
    for bad in [
        &["x", "1", "3", "e4"][..],
        &["1", "1", "e4"],
        &["1", "1", "3", "void"],
        &["1", "1", "3", "1-0F"],
        &["1", "1", "+/+"],
        &["1", "1", "3", "zz"],
        &["1", "0", "void"],
        &["1", "1", "0", "e4"],
        &["65536", "1", "void"],
    ] {
        let (said, code) = rule(&[&[path][..], bad].concat());
        assert!(code == 2 && said.contains("boardbus-rule: "), "{bad:?}: {said}");
    }
    assert_eq!(fs::read(&rulings).unwrap(), written);
}

#[test]
fn unreadable_and_impossible_rulings_are_reported() {
    let folder = tempfile::tempdir().unwrap();
    let [rulings, journal] = ["rulings.jsonl", "round3.jsonl"].map(|name| folder.path().join(name));
    fs::write(&journal, JOURNAL).unwrap();
    let [rulings, journal] = [&rulings, &journal].map(|path| path.to_str().unwrap());
    let (games, said, code) = run(&["reconstruct", "--rulings", rulings, journal], "");
    assert!(code == 5 && said.contains("rulings.jsonl: No such file"), "{code} {said}");
    let (whole, _, _) = run(&["reconstruct", journal], "");
    assert_eq!(games, whole);
    assert_eq!(rule(&[rulings, "1027", "1", "3", "Qh6"]).1, 0);
    assert_eq!(rule(&[rulings, "1027", "9", "void"]).1, 0);
    let (games, said, code) = run(&["reconstruct", "--rulings", rulings, journal], "");
    assert_eq!((pgn(&games), code), (pgn(&whole), 0));
    assert!(said.contains("game 1: Qh6 at ply 3 is ruled and does not hold: nothing that the"), "{said}");
    assert!(said.contains("game 9: no game is ruled and does not hold: there is no such game"), "{said}");
    let other = r#"{"type":"quiet","board":1027}"#;
    fs::write(rulings, format!("rubbish\n{other}\n").repeat(20)).unwrap();
    let (games, said, code) = run(&["reconstruct", "--rulings", rulings, journal], "");
    assert_eq!((pgn(&games), code), (pgn(&whole), 4));
    assert!(said.contains("rulings.jsonl:1: no ruling: not a record"), "{said}");
    assert!(said.contains("rulings.jsonl:2: a record, and no ruling"), "{said}");
    assert!(said.contains("40 bad rulings skipped") && said.lines().count() < 30, "{said}");
}

#[test]
fn a_ruling_during_play_becomes_a_takeback() {
    let (out, _, code) = run(&["reconstruct"], format!("{JOURNAL}{INSTEAD}\n"));
    assert_eq!(code, 0);
    let said: Vec<_> =
        records(&out).iter().map(|record| record["type"].as_str().unwrap().to_owned()).collect();
    assert!(said.ends_with(&["move", "takeback", "move", "ruling", "end"].map(str::to_owned)), "{said:?}");
    assert!(pgn(&out).contains("2. Nc3") && !pgn(&out).contains("Nf3"), "{}", pgn(&out));
    let page = output_of(&["to-html"], out.as_str());
    assert!(page.contains("Nc3"), "the page has the ruled move");
    let folder = tempfile::tempdir().unwrap();
    output_of(&["to-html", "--output", folder.path().to_str().unwrap()], out.as_str());
}

#[test]
fn moves_of_a_closed_game_cannot_be_ruled() {
    let (out, err, code) = run(&["reconstruct"], format!("{JOURNAL}{NEXT}{INSTEAD}\n"));
    assert_eq!(code, 0);
    assert!(
        err.contains("board 1027, game 1: b1c3 at ply 3 is ruled and does not hold: the game is closed"),
        "{err}"
    );
    assert!(pgn(&out).contains("2. Nf3"), "{out}");
}

#[test]
fn void_games_are_in_no_file_and_page() {
    let void = r#"{"type":"ruling","board":1027,"game":1,"void":true}"#;
    for input in [format!("{JOURNAL}{void}\n"), format!("{JOURNAL}{NEXT}{void}\n")] {
        let (out, _, code) = run(&["reconstruct"], input);
        assert_eq!((code, output_of(&["to-pgn"], out.as_str()).as_str()), (0, ""));
        assert!(!output_of(&["to-html"], out.as_str()).contains("Nf3"));
    }
}

#[test]
fn rulings_appended_while_a_pipe_is_read_count() {
    let folder = tempfile::tempdir().unwrap();
    let rulings = folder.path().join("rulings.jsonl");
    let mut child = Command::new(cargo_bin!("boardbus"))
        .args(["reconstruct", "--rulings"])
        .arg(&rulings)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    input.write_all(JOURNAL.as_bytes()).unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut next = |kind: &str| lines.find(|line| line.as_ref().unwrap().contains(kind)).unwrap().unwrap();
    assert!(next(r#""ply":3"#).contains("Nf3"));
    assert_eq!(rule(&[rulings.to_str().unwrap(), "1027", "1", "3", "b1c3"]).1, 0);
    assert!(next("takeback").contains(r#""ply":2"#));
    assert!(next(r#""ply":3"#).contains("Nc3"));
    drop(input);
    assert!(child.wait().unwrap().success());
}

#[test]
fn a_ruling_reopens_a_game_of_a_followed_journal() {
    let folder = tempfile::tempdir().unwrap();
    let [rulings, journal] = ["rulings.jsonl", "round3.jsonl"].map(|name| folder.path().join(name));
    // The next game is begun too, and nothing of it may be told again.
    let of_next = NEXT.to_owned()
        + &JOURNAL.lines().skip(1).map(|line| line.replace("T10:", "T11:") + "\n").collect::<String>();
    fs::write(&journal, format!("{JOURNAL}{of_next}")).unwrap();
    let mut child = Command::new(cargo_bin!("boardbus"))
        .args(["reconstruct", "--follow", "--rulings"])
        .args([&rulings, &journal])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut next = |all: &[&str]| {
        let wanted = |line: &String| all.iter().all(|part| line.contains(part));
        lines.by_ref().map(|line| line.unwrap()).find(wanted).unwrap()
    };
    next(&[r#""game":2"#, r#""ply":3"#]);
    let mut next = |part: &str| next(&[r#""game":1"#, part]);
    let path = rulings.to_str().unwrap();
    assert_eq!(rule(&[path, "1027", "1", "3", "b1c3"]).1, 0);
    for (kind, holds) in
        [("", r#""ply":2"#), (r#""ply":3"#, "Nc3"), ("", r#""uci":"b1c3""#), ("", r#""end""#)]
    {
        let told = next(kind);
        assert!(told.contains(holds) && told.contains(r#""game":1"#), "{told}");
    }
    // And back again: the rulings that hold are known when it is read once more.
    assert_eq!(rule(&[path, "1027", "1", "3", "withdraw"]).1, 0);
    assert!(next("takeback").contains(r#""ply":2"#));
    assert!(next(r#""ply":3"#).contains("Nf3"));
    assert!(next(r#""end""#).contains(r#""game":1"#));
    // Nothing leads to this.
    assert_eq!(rule(&[path, "1027", "1", "3", "Qh6"]).1, 0);
    assert_eq!(rule(&[path, "1027", "1", "1/2-1/2"]).1, 0);
    assert!(next("ruling").contains("1/2-1/2") && next(r#""end""#).contains("1/2-1/2"));
    // That it holds no more is reported too: readers keep what was ruled.
    assert_eq!(rule(&[path, "1027", "1", "withdraw"]).1, 0);
    assert!(next("ruling").contains(r#""withdraw":true"#) && next(r#""end""#).contains(r#""result":"*""#));
    rustix::process::kill_process(rustix::process::Pid::from_child(&child), rustix::process::Signal::TERM)
        .unwrap();
    let said = std::io::read_to_string(child.stderr.take().unwrap()).unwrap();
    assert!(
        said.contains("Qh6 at ply 3 is ruled and does not hold: nothing that the board showed"),
        "{said}"
    );
    child.wait().unwrap();
}

#[test]
fn ruled_results_are_reported_as_rulings() {
    let result = r#"{"type":"ruling","time":"2026-11-21T10:00:40.000Z","board":1027,"game":1,"result":"1-0","note":"mobile phone"}"#;
    for input in [format!("{JOURNAL}{result}\n{NEXT}"), format!("{JOURNAL}{NEXT}{result}\n")] {
        let (out, _, code) = run(&["reconstruct"], input);
        assert_eq!(code, 0);
        let told = records(&out);
        let [.., ruling, end] = &told[..] else { panic!("{out}") };
        assert_eq!(
            (&ruling["type"], &ruling["result"], &ruling["note"]),
            (&"ruling".into(), &"1-0".into(), &"mobile phone".into())
        );
        assert_eq!((&end["type"], &end["result"]), (&"end".into(), &"1-0".into()));
        assert!(pgn(&out).ends_with("1-0"), "{}", pgn(&out));
    }
}

#[test]
fn double_forfeits_may_be_ruled_in_play_or_later() {
    for (rest, result, termination) in
        [("\"0-0\",\"forfeit\":true", "0-0", "forfeit"), ("\"1/2-0\"", "1/2-0", "normal")]
    {
        let ruling = format!(
            "{{\"type\":\"ruling\",\"time\":\"2026-11-21T10:00:40.000Z\",\"board\":1027,\"game\":1,\"result\":{rest}}}\n"
        );
        for input in [format!("{JOURNAL}{ruling}{NEXT}"), format!("{JOURNAL}{NEXT}{ruling}")] {
            let (out, _, code) = run(&["reconstruct"], input);
            let told = records(&out);
            let end = of(&told, "end").into_iter().next_back().unwrap();
            assert_eq!((code, end["result"].as_str()), (0, Some(result)));
            assert_eq!(end["forfeit"] == true, termination == "forfeit", "{end}");
            let pgn = output_of(&["to-pgn"], out);
            assert!(pgn.contains(&format!("[Result \"{result}\"]\n")), "{pgn}");
            assert!(pgn.contains(&format!("[Termination \"{termination}\"]\n")), "{pgn}");
        }
    }
}

#[test]
fn draughts_games_continue_under_a_ruling() {
    let folder = tempfile::tempdir().unwrap();
    let journal = folder.path().join("round3.jsonl");
    let path = journal.to_str().unwrap();
    let games = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/self-play.pdn");
    let simulated = ["simulate", "--pdn", games, "--hands", "clean", "--seed", "3", "--records"];
    let played = Command::new(cargo_bin!("boardbus")).args(simulated).output().unwrap().stdout;
    let played = String::from_utf8(played).unwrap();
    let of_board: Vec<&str> = played.lines().filter(|line| line.contains(r#""board":1030"#)).collect();
    fs::write(&journal, of_board.join("\n") + "\n").unwrap();
    let paths = || {
        let told = records(run(&["reconstruct", "--final", path], "").0);
        let of_game = |record: &&serde_json::Value| record["board"] == 1030 && record["type"] == "move";
        told.iter().filter(of_game).map(|record| record["path"].clone()).collect::<Vec<_>>()
    };
    let seen = paths();
    assert_eq!((seen.len(), &seen[9]), (69, &serde_json::json!(["e7", "d6"])));
    // All that was played is legal with the man on f6 too; but the man that was captured by way of it.
    assert_eq!(rule(&[path, "1030", "1", "10", "e7-f6"]), (String::new(), 0));
    let ruled = paths();
    assert_eq!((ruled.len(), &ruled[9]), (69, &serde_json::json!(["e7", "f6"])));
    let other: Vec<usize> = (0..69).filter(|&at| ruled[at] != seen[at]).collect();
    assert!(other.len() <= 2 && other[0] == 9, "{other:?}");
}

#[test]
fn a_result_ruling_without_time_holds_at_its_line() {
    let folder = tempfile::tempdir().unwrap();
    let journal = folder.path().join("round.jsonl");
    let result = r#"{"type":"ruling","board":1027,"game":1,"result":"1-0"}"#;
    // They look at the game when it is over.
    let looked_at = r#"{"type":"change","time":"2026-11-21T10:01:00.000Z","board":1027,"square":"b8","piece":null}
{"type":"change","time":"2026-11-21T10:01:00.000Z","board":1027,"square":"c6","piece":"n"}
{"type":"press","time":"2026-11-21T10:01:01.000Z","board":1027,"side":"right","seconds":80}
{"type":"quiet","time":"2026-11-21T10:01:04.000Z","board":1027}
"#;
    std::fs::write(&journal, format!("{JOURNAL}{result}\n{looked_at}")).unwrap();
    let (out, _, code) = run(&["reconstruct", journal.to_str().unwrap()], "");
    assert_eq!(code, 0);
    assert!(pgn(&out).ends_with("2. Nf3 {[%clk 0:01:20]} 1-0"), "{}", pgn(&out));
}
