//! The units of systemd, their commands run as it runs them: an event that nobody looks at has rulings and several journals too.

use std::{
    fs,
    io::Write,
    os::unix::process::CommandExt,
    path::Path,
    process::{Child, Command, Output, Stdio},
};

use jiff::{SignedDuration, Timestamp};
use rustix::process::{Pid, Signal, kill_process_group};

use super::hall::wait;

const PROGRAM: &str = env!("CARGO_BIN_EXE_boardbus");
const SCRIPTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/scripts/");
const GAME: &str =
    "[White \"a\"]\n[Black \"b\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 1-0\n\n";

/// The command of a unit, with these settings of its event: `$NAME` becomes words, `${NAME}` one of them, `$$` a dollar.
fn command_of(unit: &str, settings: &[(&str, &str)]) -> Command {
    let text = fs::read_to_string(format!("{SCRIPTS}{unit}")).unwrap();
    let line = text.lines().find_map(|line| line.strip_prefix("ExecStart=")).unwrap();
    let value = |name: &str| settings.iter().find(|(known, _)| *known == name).map_or("", |(_, value)| value);
    let mut words: Vec<String> = Vec::new();
    for (nth, part) in line.split('\'').enumerate() {
        if nth % 2 == 1 {
            words.push(part.replace("$$", "$"));
            continue;
        }
        for word in part.split_whitespace() {
            match word.strip_prefix('$').map(|name| (name, name.trim_matches(['{', '}']))) {
                Some((name, bare)) if name == bare => {
                    words.extend(value(name).split_whitespace().map(str::to_owned))
                }
                Some((_, bare)) => words.push(value(bare).to_owned()),
                None => words.push(word.to_owned()),
            }
        }
    }
    let here = |word: &String| {
        word.replace("/usr/local/bin/boardbus ", &format!("{PROGRAM} ")).replace("/usr/local/bin/", SCRIPTS)
    };
    let words: Vec<String> = words.iter().map(here).collect();
    let mut command = Command::new(&words[0]);
    command.args(&words[1..]).envs(settings.iter().copied()).env("BOARDBUS", PROGRAM);
    command
}

/// The journal of two boards on which a game is played, which has just ended.
fn journal() -> String {
    let records = |opening: Timestamp| {
        let mut process = Command::new(PROGRAM)
            .args([
                "simulate",
                "--records",
                "--hands",
                "clean",
                "--ending",
                "kings",
                "--pgn",
                "-",
                "--opening",
            ])
            .arg(opening.to_string())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        process.stdin.take().unwrap().write_all(GAME.repeat(2).as_bytes()).unwrap();
        String::from_utf8(process.wait_with_output().unwrap().stdout).unwrap()
    };
    let time = |records: &str| -> Timestamp {
        let last: serde_json::Value = serde_json::from_str(records.lines().last().unwrap()).unwrap();
        last["time"].as_str().unwrap().parse().unwrap()
    };
    let some: Timestamp = "2026-11-21T10:00:00Z".parse().unwrap();
    let long = time(&records(some)).duration_since(some);
    // So that no slow machine makes it old, it ends in the future: that is now, for those who ask how old it is.
    records(Timestamp::now() - long + SignedDuration::from_mins(5))
}

/// An event: two journals of a line without a name and of another, and what the arbiter ruled of the first.
fn event() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("one.jsonl"), journal()).unwrap();
    fs::write(dir.path().join("two.jsonl"), journal()).unwrap();
    let ruled = "{\"type\":\"ruling\",\"board\":1025,\"game\":1,\"result\":\"0-1\"}\n";
    fs::write(dir.path().join("rulings.jsonl"), ruled).unwrap();
    dir
}

/// How often each result stands in a file, and which lines' games do.
fn results(file: &Path) -> Option<(Vec<(&'static str, usize)>, usize)> {
    let pgn = fs::read_to_string(file).ok()?;
    let count = |result: &&'static str| (*result, pgn.matches(&format!("[Result \"{result}\"]")).count());
    let counts = ["0-1", "1-0", "*"].iter().map(count).filter(|(_, count)| *count > 0).collect();
    Some((counts, pgn.matches("[GameId \"hall-2-").count()))
}

#[test]
fn exports_take_rulings_and_several_lines() {
    let dir = event();
    let export = |arguments: &str, of_reconstruct: &str| -> Output {
        let settings = [
            ("JOURNAL", "one.jsonl"),
            ("OUTPUT", "games.pgn"),
            ("ARGUMENTS", arguments),
            ("RECONSTRUCT_ARGUMENTS", of_reconstruct),
        ];
        command_of("boardbus-export@.service", &settings).current_dir(dir.path()).output().unwrap()
    };
    let file = dir.path().join("games.pgn");
    let output = export("--round 3", "--rulings rulings.jsonl --line hall-2=two.jsonl");
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{said}");
    assert!(said.contains("have not settled"), "{said}");
    assert_eq!(results(&file), Some((vec![("0-1", 1), ("*", 3)], 2)));
    assert!(fs::read_to_string(&file).unwrap().contains("[Round \"3\"]"));
    // What the event says counts more than what the unit does.
    let output = export("--results at-once", "--show early");
    assert_eq!((output.status.code(), &*output.stderr), (Some(0), &b""[..]));
    assert_eq!(results(&file), Some((vec![("1-0", 2)], 0)));
    // A run has to end.
    let output = export("", "--follow");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code() == Some(2) && said.contains("would never end"), "{said}");
}

#[test]
fn the_units_ask_for_what_is_sure() {
    let dir = event();
    let log = dir.path().join("log");
    let program = dir.path().join("program");
    fs::write(&program, format!("#!/bin/sh\necho \"$*\" >>'{}'\n", log.display())).unwrap();
    fs::set_permissions(&program, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let settings = [
        ("JOURNAL", "one.jsonl"),
        ("OUTPUT", "games.pgn"),
        ("RECONSTRUCT_ARGUMENTS", "--continue 1=2 old.jsonl"),
    ];
    let mut command = command_of("boardbus-export@.service", &settings);
    assert!(command.current_dir(dir.path()).env("BOARDBUS", &program).status().unwrap().success());
    let asked = fs::read_to_string(&log).unwrap();
    assert!(asked.starts_with("reconstruct --show sure --continue 1=2 old.jsonl -- one.jsonl\n"), "{asked}");
    assert!(asked.contains("\nto-pgn --output=games.pgn --results settled -- /"), "{asked}");
    let page = fs::read_to_string(format!("{SCRIPTS}boardbus-page@.service")).unwrap();
    assert!(
        page.contains(
            " boardbus-page --show sure $RECONSTRUCT_ARGUMENTS -- --results settled $PAGE_ARGUMENTS\n"
        ),
        "{page}"
    );
}

#[test]
fn pages_with_evaluations_have_to_be_delayed() {
    let dir = event();
    let run = |page: &str| {
        let settings = [
            ("EVALUATE_ARGUMENTS", "--engines 1"),
            ("PAGE_ARGUMENTS", page),
            ("JOURNAL", "-"),
            ("PAGES", "pages"),
        ];
        let mut command = command_of("boardbus-page@.service", &settings);
        let output = command.current_dir(dir.path()).stdin(std::process::Stdio::null()).output().unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    for page in ["", "--round 3", "--delay 0", "--delay=0s --round 3"] {
        let (code, said) = run(page);
        assert_eq!(code, Some(2), "{page}: {said}");
        assert!(said.contains("EVALUATE_ARGUMENTS wants --delay in PAGE_ARGUMENTS"), "{said}");
    }
    for page in ["--delay 15m", "--round 3 --delay=0.5m"] {
        assert_ne!(run(page).0, Some(2), "{page}");
    }
}

/// Runs until it is dropped.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = kill_process_group(Pid::from_child(&self.0), Signal::KILL);
        let _ = self.0.wait();
    }
}

#[test]
fn pages_take_later_rulings_and_several_lines() {
    let dir = event();
    let settings = [
        ("JOURNAL", "one.jsonl"),
        ("PAGES", "pages"),
        ("PAGE_ARGUMENTS", "--round 3"),
        ("RECONSTRUCT_ARGUMENTS", "--rulings rulings.jsonl --line hall-2=two.jsonl"),
    ];
    let mut command = command_of("boardbus-page@.service", &settings);
    let _running =
        Running(command.current_dir(dir.path()).process_group(0).stdin(Stdio::null()).spawn().unwrap());
    let file = dir.path().join("pages/games.pgn");
    wait(|| results(&file) == Some((vec![("0-1", 1), ("*", 3)], 2)));
    let mut rulings = fs::OpenOptions::new().append(true).open(dir.path().join("rulings.jsonl")).unwrap();
    let ruled = "{\"type\":\"ruling\",\"line\":\"hall-2\",\"board\":1026,\"game\":1,\"result\":\"0-1\"}\n";
    rulings.write_all(ruled.as_bytes()).unwrap();
    wait(|| results(&file) == Some((vec![("0-1", 2), ("*", 2)], 2)));
}

#[test]
fn results_follow_the_games_and_the_pairings() {
    let dir = event();
    let players = "Nr;Name;EloInt;Nachname;Vorname\r\n1;A;1;A;\r\n2;B;1;B;\r\n3;C;1;C;\r\n4;D;1;D;\r\n";
    let draw = "Runde;Brett;NrW;NrS;ErgW;ErgS;Kontumaz;Erg\r\n1;1;1;2;0;0;;0:0\r\n1;2;3;4;0;0;;0:0\r\n";
    fs::write(dir.path().join("p.txt"), players).unwrap();
    fs::write(dir.path().join("d.txt"), draw).unwrap();
    let settings = [
        ("JOURNAL", "one.jsonl"),
        ("RESULTS", "results.txt"),
        ("RESULTS_PAGE", "results.html"),
        ("RESULT_ARGUMENTS", "--round 1 --boards 1025-1026 --pairings p.txt d.txt"),
        ("RECONSTRUCT_ARGUMENTS", "--rulings rulings.jsonl"),
    ];
    let mut command = command_of("boardbus-results@.service", &settings);
    let _running =
        Running(command.current_dir(dir.path()).process_group(0).stdin(Stdio::null()).spawn().unwrap());
    let read = |name: &str| fs::read_to_string(dir.path().join(name)).unwrap_or_default();
    // Board 1025 is ruled; the kings of 1026 have not stood for a minute.
    let first = draw.replace("1;1;1;2;0;0;;0:0", "1;1;1;2;0;1;;0:1");
    wait(|| read("results.txt") == first && read("results.html").contains("<h2>Over (1)</h2>"));
    let ruled = "{\"type\":\"ruling\",\"board\":1026,\"game\":1,\"result\":\"1-0\"}\n";
    let mut rulings = fs::OpenOptions::new().append(true).open(dir.path().join("rulings.jsonl")).unwrap();
    rulings.write_all(ruled.as_bytes()).unwrap();
    wait(|| read("results.txt") == first.replace("1;2;3;4;0;0;;0:0", "1;2;3;4;1;0;;1:0"));
}
