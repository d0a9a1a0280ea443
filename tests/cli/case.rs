//! `scripts/boardbus-case`: one board's records with what is needed to understand them.

use std::{
    fs, io,
    os::unix::{
        fs::{FileTypeExt, PermissionsExt},
        process::ExitStatusExt,
    },
    path::Path,
    process::{Command, Stdio},
    thread,
};

use rustix::{
    fs::{CWD, FileType, Mode, makedev, mknodat},
    process::{Pid, Signal, kill_process},
};
use serde_json::Value;

use super::{
    check::journal,
    hall::wait,
    program::{of, run},
};

const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/scripts/boardbus-case");

/// The records of a case, in which lines of captures and the case itself stand beside those of the contract.
fn records(told: &[u8]) -> Vec<Value> {
    let lines = told.split(|&byte| byte == b'\n').filter(|line| !line.is_empty());
    lines.map(|line| serde_json::from_slice(line).unwrap()).collect()
}

/// The script, to be run in a folder.
fn script(folder: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(SCRIPT);
    command.args(args).current_dir(folder).env("BOARDBUS", env!("CARGO_BIN_EXE_boardbus"));
    command
}

/// Runs the script in a folder: what it said, and its exit code.
fn case(folder: &Path, args: &[&str]) -> (String, i32) {
    let output = script(folder, args).output().unwrap();
    (String::from_utf8(output.stderr).unwrap(), output.status.code().unwrap())
}

fn unpacked(file: &Path) -> Vec<u8> {
    let output = Command::new("gzip").arg("-dc").arg(file).output().unwrap();
    assert!(output.status.success());
    output.stdout
}

/// The manual has the type and each field of a record that only a case has.
fn is_described(record: &Value) {
    let manual = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/man/boardbus-records.5")).unwrap();
    let (_, cases) = manual.split_once("\n.SH CASES\n").unwrap();
    let (cases, _) = cases.split_once("\n.SH ").unwrap();
    let (_, cases) = cases.split_once(&format!("type\n.BR {}", record["type"].as_str().unwrap())).unwrap();
    let headings: Vec<&str> =
        cases.split("\n.TP\n").skip(1).filter_map(|field| field.lines().next()).collect();
    for field in record.as_object().unwrap().keys().filter(|field| *field != "type") {
        assert!(
            headings.iter().any(|heading| heading.split([' ', '"']).any(|word| word == field)),
            "{field}"
        );
    }
}

#[test]
fn cases_leave_out_findings_of_other_boards() {
    let folder = tempfile::tempdir().unwrap();
    let stream = r#"{"type":"stream","version":1,"port":"/dev/tty\u0000USB0"}"#;
    let of = |board: u16| format!(r#"{{"type":"change","board":{board},"square":"e2","piece":null}}"#);
    fs::write(folder.path().join("j.jsonl"), [stream, &of(1025), &of(1026), ""].join("\n")).unwrap();
    // A program that finds one thing of each kind on both boards.
    let finds = |board: u16, kind: &str| {
        format!(
            r#"{{"type":"finding","kind":"{kind}","board":{board},"count":1,"detail":"13.h3","advice":"a"}}"#
        )
    };
    let kinds = ["guess", "doubt", "anomaly", "mismatch", "weak-piece", "flicker"];
    let all: Vec<String> =
        [1025, 1026].iter().flat_map(|&board| kinds.map(|kind| finds(board, kind))).collect();
    let program = folder.path().join("program");
    fs::write(&program, format!("#!/bin/sh\ncat >/dev/null\ncat <<'END'\n{}\nEND\n", all.join("\n")))
        .unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    let mut command = script(folder.path(), &["j.jsonl", "--board", "1025"]);
    let output = command.env("BOARDBUS", &program).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let told = records(&unpacked(&folder.path().join("case-1025.jsonl.gz")));
    for finding in told[0]["check"].as_array().unwrap() {
        let says = finding["board"] == 1025 || finding["kind"] == "flicker";
        assert_eq!(finding["detail"].is_string(), says, "{finding}");
    }
    assert_eq!(told[0]["check"].as_array().unwrap().len(), all.len());
}

#[test]
fn cases_have_the_reported_board_and_no_other_games() {
    let folder = tempfile::tempdir().unwrap();
    let mut journal = journal(&["dead-square=1026:d2", "twin=1025"]);
    journal.extend(
        br#"{"type":"game","board":1026,"game":1,"rules":"chess","fen":"","tags":{"White":"Somebody"}}"#,
    );
    // It is being written.
    journal.extend(b"\n{\"type\":\"change\",\"board\":1026,");
    fs::write(folder.path().join("round 3.jsonl"), &journal).unwrap();
    fs::write(folder.path().join("hall.capture"), "2026-01-01T10:00:00.000Z > 83 08 02 0d\n").unwrap();
    let args = ["round 3.jsonl", "--board", "1026", "--capture", "hall.capture"];
    let (said, code) = case(folder.path(), &args);
    assert_eq!(code, 0, "{said}");
    assert!(said.contains("case-1026.jsonl.gz"));
    let told = unpacked(&folder.path().join("case-1026.jsonl.gz"));
    let all = records(&told);
    let first = &all[0];
    assert_eq!(
        (&first["type"], &first["board"], &first["journal"]),
        (&"case".into(), &1026.into(), &"round 3.jsonl".into())
    );
    assert_eq!(first["program"], format!("boardbus {}", env!("CARGO_PKG_VERSION")));
    let dead = |finding: &Value| finding["kind"] == "dead-square" && finding["square"] == "d2";
    assert!(first["check"].as_array().unwrap().iter().any(dead), "{first}");
    let own =
        |records: &[Value]| records.iter().filter(|r| r["board"] == 1026 && r["type"] == "change").count();
    assert_eq!(own(&all), own(&records(&journal[..journal.iter().rposition(|&b| b == b'\n').unwrap()])));
    assert!(!of(&all, "fault").is_empty() && of(&all, "fault").iter().all(|fault| fault["board"] == 1025));
    assert!(all.iter().all(|record| record["board"] != 1025 || record["type"] != "change"));
    assert_eq!(of(&all, "capture")[0]["text"], "2026-01-01T10:00:00.000Z > 83 08 02 0d");
    is_described(first);
    is_described(of(&all, "capture")[0]);
    assert!(!String::from_utf8(told.clone()).unwrap().contains("Somebody"));
    // Nobody complains of records that he has no use for.
    let (_, said, code) = run(&["reconstruct"], told);
    assert_eq!(code, 0, "{said}");
    assert!(!said.contains("not a record"), "{said}");
}

#[test]
fn packed_cases_open_like_unpacked_ones() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("round.jsonl"), journal(&["flicker=1026:e4"])).unwrap();
    let (said, code) = case(folder.path(), &["round.jsonl", "--board", "1026"]);
    assert_eq!(code, 0, "{said}");
    let file = folder.path().join("case-1026.jsonl.gz");
    let told = unpacked(&file);
    for (args, says) in [
        (&["reconstruct"][..], "\"type\":\"move\""),
        (&["check", "--format", "json"], "\"kind\":\"flicker\""),
        (&["show", "--ascii"], "1026"),
    ] {
        let (packed, said, _) = run(&[args, &[file.to_str().unwrap()]].concat(), "");
        assert!(packed.contains(says) && said.is_empty(), "{args:?}: {packed} {said}");
        let (plain, _, _) = run(args, told.clone());
        // The heading of a picture has the name of what is shown.
        let below = |text: &str| text.split_once('\n').unwrap().1.to_owned();
        assert_eq!(below(&packed), below(&plain), "{args:?}");
    }
}

#[test]
fn impossible_cases_report_why_and_leave_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let mut two_lines = Vec::new();
    for line in ["a", "b"] {
        two_lines.extend(format!("{{\"type\":\"quiet\",\"line\":\"{line}\",\"board\":1025}}\n").into_bytes());
    }
    fs::write(folder.path().join("j.jsonl"), &two_lines).unwrap();
    for (args, says, code) in [
        (&["j.jsonl", "--board", "1030"][..], "no board 1030", 4),
        (&["j.jsonl", "--board", "1025"], "--line", 2),
        (&["none.jsonl", "--board", "1025"], "none.jsonl", 5),
        // Not even root makes files there.
        (
            &["j.jsonl", "--board", "1025", "--line", "a", "--output", "/proc/case.gz"],
            "boardbus-case: cannot write in the folder /proc (",
            5,
        ),
        (
            &["j.jsonl", "--board", "1025", "--line", "a", "--output", "j.jsonl"],
            "what the case is made of",
            2,
        ),
    ] {
        let (said, got) = case(folder.path(), args);
        assert!(said.contains(says) && got == code, "{got}: {said}");
    }
    assert_eq!(fs::read(folder.path().join("j.jsonl")).unwrap(), two_lines);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn pipes_devices_and_links_are_written_and_kept() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::write(path("j.jsonl"), "{\"type\":\"quiet\",\"board\":1025}\n").unwrap();
    let into = |name: &str| case(folder.path(), &["j.jsonl", "--board", "1025", "--output", name]);
    mknodat(CWD, path("pipe"), FileType::Fifo, Mode::from_raw_mode(0o600), 0).unwrap();
    let (pipe, read) = (path("pipe"), path("read"));
    let reader = thread::spawn(move || fs::write(read, fs::read(pipe).unwrap()).unwrap());
    let (said, code) = into("pipe");
    assert_eq!(code, 0, "{said}");
    assert!(fs::metadata(path("pipe")).unwrap().file_type().is_fifo());
    reader.join().unwrap();
    assert_eq!(of(&records(&unpacked(&path("read"))), "quiet").len(), 1);
    std::os::unix::fs::symlink("case.gz", path("link")).unwrap();
    assert_eq!(into("link").1, 0);
    assert!(fs::symlink_metadata(path("link")).unwrap().is_symlink());
    assert_eq!(of(&records(&unpacked(&path("case.gz"))), "quiet").len(), 1);
    // A device as /dev/full is one, which takes nothing.
    let full =
        mknodat(CWD, path("full"), FileType::CharacterDevice, Mode::from_raw_mode(0o600), makedev(1, 7));
    if full.is_err() {
        eprintln!("SKIPPED: only root makes devices");
        return;
    }
    let (said, code) = into("full");
    assert!(code == 5 && said.starts_with("boardbus-case: "), "{code}: {said}");
    assert!(fs::metadata(path("full")).unwrap().file_type().is_char_device());
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 6);
}

#[test]
fn signals_leave_nothing_unwritten() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("j.jsonl"), "{\"type\":\"quiet\",\"board\":1025}\n".repeat(100_000))
        .unwrap();
    let begun = || {
        let names = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name());
        names.map(|name| name.into_string().unwrap()).any(|name| name.starts_with(".case-"))
    };
    for signal in [Signal::INT, Signal::TERM, Signal::HUP] {
        // Whoever runs the tests may have them ignore signals, as `nohup` does. It has nothing to ask.
        let mut command = Command::new("env");
        command.arg("--default-signal=INT,TERM,HUP").arg(SCRIPT).args(["j.jsonl", "--board", "1025"]);
        command.current_dir(folder.path()).env("BOARDBUS", "/bin/true").stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        wait(begun);
        kill_process(Pid::from_child(&child), signal).unwrap();
        assert_eq!(child.wait().unwrap().signal(), Some(signal.as_raw()));
        let said = io::read_to_string(child.stderr.take().unwrap()).unwrap();
        assert_eq!(said, "", "{signal:?}");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "{signal:?}");
    }
}

#[test]
fn rubbish_in_journals_loses_nothing_before_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let brackets = "[".repeat(100_000);
    let quiet = "{\"type\":\"quiet\",\"board\":1025}\n";
    fs::write(path("j.jsonl"), format!("{quiet}1025{brackets}\n{brackets}1025\n{quiet}")).unwrap();
    assert!(Command::new("gzip").arg("-k").arg(path("j.jsonl")).status().unwrap().success());
    let mut packed = fs::read(path("j.jsonl.gz")).unwrap();
    packed.extend(b"rubbish");
    fs::write(path("j.jsonl.gz"), packed).unwrap();
    for (journal, words) in [("j.jsonl", ""), ("j.jsonl.gz", "what stands before that is taken")] {
        let (said, code) = case(folder.path(), &[journal, "--board", "1025"]);
        assert!(code == 0 && said.contains(words), "{code}: {said}");
        assert_eq!(of(&records(&unpacked(&path("case-1025.jsonl.gz"))), "quiet").len(), 2, "{journal}");
    }
    fs::write(path("bad.gz"), [b"\x1f\x8b".as_slice(), &[b'r'; 99]].concat()).unwrap();
    let (said, code) = case(folder.path(), &["bad.gz", "--board", "1025"]);
    assert!(code == 5 && said.contains("bad.gz") && said.lines().count() == 1, "{code}: {said}");
}

#[test]
fn missing_programs_do_not_prevent_cases() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("j.jsonl"), "{\"type\":\"quiet\",\"board\":1025}\n").unwrap();
    let mut command = script(folder.path(), &["j.jsonl", "--board", "1025"]);
    let output = command.env("BOARDBUS", "/nowhere/boardbus").output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(0), "{said}");
    assert!(said.contains("without findings") && said.contains("boardbus check: No such file"), "{said}");
}

#[test]
fn cases_contain_no_paths_hosts_users_or_other_text() {
    let folder = tempfile::tempdir().unwrap();
    let journal = [
        r#"{"type":"stream","records":1,"program":"boardbus 0.2.0","user":"anna"}"#,
        r#"{"type":"board","line":"tcp://anna:secret@hall.example:2000","board":1025,"mode":"bus","port":"tcp://anna:secret@hall.example:2000","note":"anna"}"#,
        r#"{"type":"lost","line":"tcp://anna:secret@hall.example:2000","board":1025,"reason":"/srv/anna/line: gone"}"#,
        r#"{"type":"quiet","line":"tcp://anna:secret@hall.example:2000","board":1025}"#,
        r#"{"type":"fault","line":"tcp://anna:secret@hall.example:2000","board":1026,"kind":"checksum","detail":"c","bytes":"85000a0806403441240a"}"#,
        "",
    ];
    fs::write(folder.path().join("j.jsonl"), journal.join("\n")).unwrap();
    let (said, code) = case(folder.path(), &["j.jsonl", "--board", "1025"]);
    assert_eq!(code, 0, "{said}");
    let told = String::from_utf8(unpacked(&folder.path().join("case-1025.jsonl.gz"))).unwrap();
    for private in ["anna", "secret", "hall.example", "85000a", "srv"] {
        assert!(!told.contains(private), "{private}: {told}");
    }
    let told = records(told.as_bytes());
    assert_eq!((told.len(), &told[2]["reason"]), (5, &"line: gone".into()));
    assert_eq!(
        told[4],
        serde_json::json!({"type":"fault","line":"tcp://","board":1026,"kind":"checksum","detail":"c"})
    );
}
