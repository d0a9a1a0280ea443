//! What an earlier run wrote, and a run that is ended: before all is read that was there at the start nothing is replaced.

use std::{
    collections::BTreeMap,
    fs::{self, File},
    io::Write,
    os::unix::process::ExitStatusExt,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
};

use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;

use super::{hall::wait, program::asleep};

/// A game of a board, begun in that minute, with its first move.
fn game(board: u16, minute: u32) -> String {
    let of = |second: u32, kind: &str, rest: &str| {
        let time = format!("2026-11-21T10:{minute:02}:{second:02}.000Z");
        format!("{{\"type\":\"{kind}\",\"time\":\"{time}\",\"board\":{board},\"game\":1,{rest}}}\n")
    };
    of(0, "game", "\"rules\":\"chess\",\"fen\":\"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\"")
        + &of(9, "move", "\"ply\":1,\"san\":\"e4\",\"uci\":\"e2e4\",\"fen\":\"x b\"")
}

/// A game of draughts.
fn of_draughts(board: u16) -> String {
    format!(
        "{{\"type\":\"game\",\"time\":\"2026-11-21T10:00:00.000Z\",\"board\":{board},\"game\":1,\"rules\":\"russian\",\
         \"fen\":\"W:Wa1,c1,e1,g1,b2,d2,f2,h2,a3,c3,e3,g3:Bb6,d6,f6,h6,a7,c7,e7,g7,b8,d8,f8,h8\"}}\n"
    )
}

/// A game of a file.
fn of_a_file(number: u32) -> String {
    format!(
        "{{\"type\":\"game\",\"game\":{number},\"rules\":\"chess\",\"fen\":\"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\"}}\n\
         {{\"type\":\"move\",\"game\":{number},\"ply\":1,\"san\":\"e4\",\"uci\":\"e2e4\",\"fen\":\"x b\"}}\n"
    )
}

/// A folder with two files of records, and a named pipe that is read between them.
struct Round {
    folder: TempDir,
}

impl Round {
    fn new(records: [String; 2]) -> Round {
        let round = Round { folder: tempfile::tempdir().unwrap() };
        fs::write(round.path("first.jsonl"), &records[0]).unwrap();
        fs::write(round.path("second.jsonl"), &records[1]).unwrap();
        assert!(Command::new("mkfifo").arg(round.path("pipe")).status().unwrap().success());
        round
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn start(&self, arguments: &[&str], inputs: &[&str]) -> Child {
        let mut command = Command::new(env!("CARGO_BIN_EXE_boardbus"));
        command.current_dir(self.folder.path()).args(arguments).args(inputs);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap()
    }

    /// A run that has read the first file, and waits for what comes before the second.
    fn start_in_the_middle(&self, arguments: &[&str]) -> (Child, File) {
        let child = self.start(arguments, &["first.jsonl", "pipe", "second.jsonl"]);
        // It is opened when it is opened to be read.
        (child, File::options().write(true).open(self.path("pipe")).unwrap())
    }
}

/// Ends a run; what it said.
fn end(child: Child, by: Signal) -> String {
    kill_process(Pid::from_child(&child), by).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.signal(), Some(by.as_raw()));
    String::from_utf8(output.stderr).unwrap()
}

/// All files here and below, and what they hold.
fn held(path: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    if path.is_dir() {
        return fs::read_dir(path).unwrap().flat_map(|entry| held(&entry.unwrap().path())).collect();
    }
    BTreeMap::from([(path.to_owned(), fs::read(path).unwrap())])
}

#[test]
fn runs_ended_early_leave_earlier_output() {
    let chess = || [game(1, 0), game(2, 1)];
    let writers: [(&[&str], [String; 2]); 8] = [
        (&["to-pgn", "-o", "out"], chess()),
        (&["to-pgn", "--split", "out"], chess()),
        (&["to-pgn", "--livechess", "out"], chess()),
        (&["to-html", "-o", "out"], chess()),
        (&["to-pgn", "-o", "out"], [of_a_file(1), of_a_file(2)]),
        (&["to-pdn", "-o", "out"], [of_draughts(1), of_draughts(2)]),
        (&["to-bars", "-o", "out"], [of_draughts(1), of_draughts(2)]),
        (&["to-html", "-o", "out"], [of_draughts(1), of_draughts(2)]),
    ];
    for (arguments, records) in writers {
        let round = Round::new(records);
        let out = round.path("out");
        assert!(round.start(arguments, &["first.jsonl", "second.jsonl"]).wait().unwrap().success());
        let whole = held(&out);
        let (child, _pipe) = round.start_in_the_middle(arguments);
        let said = end(child, Signal::TERM);
        assert!(held(&out) == whole, "{arguments:?}: by a signal");
        assert!(
            said.contains("left as it was: the reading ended before all was read"),
            "{arguments:?}: {said}"
        );
        let (child, _pipe) = round.start_in_the_middle(arguments);
        wait(|| asleep(&child) && asleep(&child));
        end(child, Signal::KILL);
        let mut left = held(&out);
        // What is being written beside a file goes with the next run.
        left.retain(|path, _| path.extension().is_none_or(|ending| ending != "tmp"));
        assert!(left == whole, "{arguments:?}: killed");
        // Read to the end it replaces what stands there.
        fs::write(round.path("second.jsonl"), "").unwrap();
        assert!(round.start(arguments, &["first.jsonl"]).wait().unwrap().success());
        assert!(held(&out) != whole, "{arguments:?}: read to the end");
    }
}

#[test]
fn what_cannot_be_read_to_its_end_replaces_nothing() {
    let round = Round::new([game(1, 0), game(2, 1)]);
    let write = |inputs: &[&str]| round.start(&["to-pgn", "-o", "out"], inputs).wait().unwrap().code();
    assert_eq!(write(&["first.jsonl", "second.jsonl"]), Some(0));
    let whole = held(&round.path("out"));
    fs::write(round.path("later.jsonl"), "{\"type\":\"stream\",\"records\":9}\n").unwrap();
    for (inputs, code) in [(["first.jsonl", "missing.jsonl"], 5), (["later.jsonl", "first.jsonl"], 4)] {
        assert_eq!(write(&inputs), Some(code));
        assert!(held(&round.path("out")) == whole, "{inputs:?}");
    }
}

#[test]
fn files_created_later_hold_everything_read_so_far() {
    let round = Round::new([game(1, 0), game(2, 1)]);
    let (child, _pipe) = round.start_in_the_middle(&["to-pgn", "-o", "out"]);
    assert_eq!(end(child, Signal::TERM), "");
    assert_eq!(fs::read_to_string(round.path("out")).unwrap().matches("1. e4").count(), 1);
}

#[test]
fn a_followed_pipe_is_written_out_at_the_end() {
    let round = Round::new([game(1, 0), String::new()]);
    let out = round.path("out");
    fs::write(&out, "1. d4 *\n").unwrap();
    let child = round.start(&["to-pgn", "-o", "out"], &["first.jsonl", "pipe"]);
    let mut pipe = File::options().write(true).open(round.path("pipe")).unwrap();
    pipe.write_all(game(2, 1).as_bytes()).unwrap();
    let games = || fs::read_to_string(&out).unwrap().matches("1. e4").count();
    wait(|| games() == 2);
    pipe.write_all(game(3, 2).as_bytes()).unwrap();
    assert_eq!(end(child, Signal::TERM), "");
    assert_eq!(games(), 3);
}

#[test]
fn followed_files_replace_earlier_output_after_their_end() {
    let round = Round::new([game(1, 0), game(2, 1)]);
    let out = round.path("out");
    fs::write(&out, "1. d4 *\n").unwrap();
    let child = round.start(&["to-pgn", "-o", "out", "--follow"], &["first.jsonl", "second.jsonl"]);
    wait(|| fs::read_to_string(&out).unwrap().matches("1. e4").count() == 2);
    assert_eq!(end(child, Signal::TERM), "");
}
