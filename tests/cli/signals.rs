//! What the first signal does to commands that wait: it ends them.

use std::{
    fs,
    io::Write,
    os::unix::process::ExitStatusExt,
    path::PathBuf,
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use boardbus::commands::Cli;
use clap::CommandFactory;
use rustix::{
    io::ioctl_fionread,
    process::{Pid, Signal, kill_process},
};

use super::{
    hall::{DEADLINE, Hall, wait},
    program::asleep,
};

const PGN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/simulate.pgn");

/// A named pipe in a folder of its own.
fn named_pipe() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("pipe");
    assert!(Command::new("mkfifo").arg(&path).status().unwrap().success());
    (folder, path)
}

fn spawn(args: &[&str]) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_boardbus"));
    command.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().unwrap()
}

/// Ends a command by a signal when it sleeps; how long that took.
fn end(child: &mut Child) -> Duration {
    // Asleep twice in a row, with its handlers in place: in its wait.
    let handles = |status: String| {
        let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
        // Of SIGINT and SIGTERM: 2 and 15.
        caught
            .and_then(|bits| u64::from_str_radix(bits.trim(), 16).ok())
            .is_some_and(|bits| bits & 0x4002 == 0x4002)
    };
    wait(|| fs::read_to_string(format!("/proc/{}/status", child.id())).is_ok_and(handles));
    wait(|| asleep(child) && asleep(child));
    let began = Instant::now();
    kill_process(Pid::from_child(child), Signal::TERM).unwrap();
    wait(|| child.try_wait().unwrap().is_some());
    assert_eq!(child.wait().unwrap().signal(), Some(Signal::TERM.as_raw()));
    began.elapsed()
}

#[test]
fn a_signal_ends_the_wait_for_a_named_pipe() {
    let (_folder, pipe) = named_pipe();
    let pipe = pipe.to_str().unwrap();
    let line = tempfile::tempdir().unwrap();
    let line = line.path().join("line");
    for args in [
        &["decode", pipe][..],
        &["from-pgn", pipe],
        &["from-pdn", pipe],
        &["from-bars", pipe],
        &["reconstruct", pipe],
        &["to-pgn", pipe],
        &["to-pgn", "--roster", pipe],
        &["simulate", "--records", "--pgn", pipe],
        &["simulate", "--link", line.to_str().unwrap(), "--pgn", PGN, "--truth", pipe],
    ] {
        let mut command = spawn(args);
        let took = end(&mut command);
        assert!(took < DEADLINE / 4, "{args:?}: {took:?}");
    }
}

#[test]
fn what_was_started_by_nohup_outlives_its_terminal() {
    let mut command = Command::new("env");
    command.args(["--ignore-signal=HUP", env!("CARGO_BIN_EXE_boardbus"), "from-pgn"]);
    let mut command = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut to = command.stdin.take().unwrap();
    to.write_all(b"1. e4 ").unwrap();
    // It has taken all there was, and waits for more.
    wait(|| ioctl_fionread(&to).unwrap() == 0 && asleep(&command));
    kill_process(Pid::from_child(&command), Signal::HUP).unwrap();
    to.write_all(b"e5 *\n").unwrap();
    drop(to);
    let out = command.wait_with_output().unwrap();
    assert_eq!(out.status.code(), Some(0));
    assert_eq!(String::from_utf8(out.stdout).unwrap().matches(r#""type":"move""#).count(), 2);
}

#[test]
fn first_signals_end_watches_with_unread_captures() {
    let (_folder, pipe) = named_pipe();
    let hall = Hall::open(&["--boards", "1"]);
    let port = hall.port();
    let args = ["watch", "--port", port.to_str().unwrap(), "--capture", pipe.to_str().unwrap()];
    end(&mut spawn(&args));
}

#[test]
fn named_pipes_are_read_to_their_end() {
    let (_folder, pipe) = named_pipe();
    let command = spawn(&["from-pgn", pipe.to_str().unwrap()]);
    let mut to = fs::File::options().write(true).open(&pipe).unwrap();
    to.write_all(b"1. e4 ").unwrap();
    // It has taken all there was, and waits for more.
    wait(|| ioctl_fionread(&to).unwrap() == 0 && asleep(&command));
    to.write_all(b"e5 *\n").unwrap();
    drop(to);
    let out = command.wait_with_output().unwrap();
    assert_eq!(out.status.code(), Some(0));
    assert_eq!(String::from_utf8(out.stdout).unwrap().matches(r#""type":"move""#).count(), 2);
}

#[test]
fn the_games_of_a_named_pipe_are_played() {
    let (_folder, pipe) = named_pipe();
    let command = spawn(&["simulate", "--records", "--pgn", pipe.to_str().unwrap()]);
    fs::write(&pipe, "1. e4 e5 *\n").unwrap();
    let out = command.wait_with_output().unwrap();
    assert_eq!((out.status.code(), out.stderr), (Some(0), Vec::new()));
    assert!(!out.stdout.is_empty());
}

#[test]
fn first_signals_end_commands_whose_reader_stalls() {
    let games = ["--pgn", PGN].repeat(60);
    for args in [[&["simulate", "--records"], &games[..]].concat(), [&["from-pgn"], &[PGN; 400][..]].concat()]
    {
        // It sleeps when the pipe is full.
        end(&mut spawn(&args));
    }
}

#[test]
fn first_signals_end_watches_without_boards() {
    let hall = Hall::open(&["--address", "3000"]);
    let mut watch = hall.spawn("watch", &["--board", "1025-2000"]);
    watch.next();
    let took = end(&mut watch.child);
    // Asking all of them but once takes more than a minute.
    assert!(took < DEADLINE / 4, "{took:?}");
}

/// A machine under load keeps any process from its work: what counts is what a command can do, the best of some tries.
#[test]
fn the_first_signal_ends_every_command_within_a_second() {
    let silent = Hall::open(&["--boards", "1", "--drop", "1"]);
    let port = silent.port().display().to_string();
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).display().to_string();
    fs::write(folder.path().join("players.csv"), "board,white,black\n1,Tal,Keres\n").unwrap();
    let mut timed = Vec::new();
    for command in Cli::command().get_subcommands() {
        let name = command.get_name();
        let has = |id: &str| command.get_arguments().any(|argument| argument.get_id() == id);
        let needs_more = command.get_arguments().any(|argument| argument.is_required_set());
        let args = match name {
            "simulate" => vec!["simulate".into(), "--link".into(), file("line"), "--pgn".into(), PGN.into()],
            // Results are those of a round.
            "to-results" => vec![name.to_owned(), "--roster".into(), file("players.csv")],
            "reset" => vec![name.into(), "--all".into(), "--yes".into(), "--port".into(), port.clone()],
            _ if needs_more => continue,
            _ if has("files") => vec![name.to_owned()],
            _ if has("port") => vec![name.to_owned(), "--port".into(), port.clone()],
            _ => continue,
        };
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        let tries = (0..8).map(|_| end(&mut spawn(&args)));
        let best = tries.into_iter().find(|took| *took < Duration::from_secs(1));
        assert!(best.is_some(), "{args:?} took longer each time");
        timed.push(name.to_owned());
    }
    for name in [
        "discover",
        "dump",
        "start",
        "watch",
        "reset",
        "from-start",
        "decode",
        "simulate",
        "reconstruct",
        "to-html",
    ] {
        assert!(timed.iter().any(|timed| timed == name), "{name} was not tried: {timed:?}");
    }
}

#[test]
fn a_signal_ends_the_writing_of_thousands_of_files() {
    let folder = tempfile::tempdir().unwrap();
    let (web, input) = (folder.path().join("web"), folder.path().join("games.jsonl"));
    const GAMES: usize = 20_000;
    let games: String = (1..=GAMES)
        .map(|board| {
            format!("{{\"type\":\"game\",\"board\":{board},\"game\":1,\"rules\":\"chess\",\"fen\":\"\"}}\n")
        })
        .collect();
    fs::write(&input, games).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_boardbus"));
    command.args(["to-pgn", "--split", web.to_str().unwrap(), input.to_str().unwrap()]);
    let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
    let written = || fs::read_dir(web.join("round-1")).map_or(0, Iterator::count);
    wait(|| written() > 10);
    kill_process(Pid::from_child(&child), Signal::TERM).unwrap();
    assert!(!child.wait().unwrap().success());
    let mut said = String::new();
    std::io::Read::read_to_string(&mut child.stderr.take().unwrap(), &mut said).unwrap();
    // Where files are written fast, some thousands of them are done after a signal, and not all.
    assert!(
        written() < GAMES && said.contains("a signal came before it was written"),
        "{}: {said}",
        written()
    );
}
