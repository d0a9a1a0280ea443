//! Commands of a pipe on one terminal, of which one has the screen.

use std::{
    fs::File,
    io::{BufRead, BufReader, Read},
    os::fd::OwnedFd,
    process::{Command, Stdio},
};

use rustix::{
    process::{Pid, Signal, kill_process},
    termios::{LocalModes, OptionalActions, tcgetattr, tcsetattr},
};

use super::{hall::Hall, terminal};

const JOURNAL: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/earlier/board.jsonl");

/// Another command reads keys there, or has given it back.
fn take(terminal: &OwnedFd, taken: bool) {
    let mut modes = tcgetattr(terminal).unwrap();
    modes.local_modes.set(LocalModes::ICANON | LocalModes::ECHO, !taken);
    tcsetattr(terminal, OptionalActions::Now, &modes).unwrap();
}

/// What was written there since it was last read.
fn written(master: &mut File) -> String {
    let mut bytes = Vec::new();
    // It ends with the error that there is no more now.
    let _ = master.read_to_end(&mut bytes);
    String::from_utf8_lossy(&bytes).into_owned()
}

#[test]
fn status_lines_stay_off_screens_of_other_commands() {
    let hall = Hall::open(&["--boards", "1", "--wire-speed", "0", "--start-delay", "0", "--speed", "20"]);
    let (mut master, terminal) = terminal::pair(24, 80);
    take(&terminal, true);
    let mut watch = Command::new(env!("CARGO_BIN_EXE_boardbus"));
    watch.args(["watch", "--port", hall.port().to_str().unwrap()]).stdout(Stdio::piped());
    let mut watch = watch.stderr(Stdio::from(terminal.try_clone().unwrap())).spawn().unwrap();
    // Its line is drawn as soon as it begins, and for what comes; that it found a board is said before that is polled.
    let mut out = BufReader::new(watch.stdout.take().unwrap()).lines().map(Result::unwrap);
    let told = out.by_ref().take(40).count();
    let meanwhile = written(&mut master);
    take(&terminal, false);
    kill_process(Pid::from_child(&watch), Signal::TERM).unwrap();
    watch.wait().unwrap();
    assert_eq!((told, &*meanwhile), (40, ""));
    let text = written(&mut master);
    assert!(text.contains("boardbus watch: 1 board found"), "{text:?}");
    assert!(text.contains("boardbus watch: 1 board, "), "{text:?}");
}

#[test]
fn summaries_stay_off_screens_of_other_commands() {
    for taken in [true, false] {
        let (mut master, terminal) = terminal::pair(24, 80);
        take(&terminal, taken);
        let mut reconstruct = Command::new(env!("CARGO_BIN_EXE_boardbus"));
        reconstruct.args(["reconstruct", JOURNAL]).stdout(Stdio::null());
        reconstruct.stderr(Stdio::from(terminal.try_clone().unwrap()));
        assert!(reconstruct.status().unwrap().success());
        let text = written(&mut master);
        assert_eq!(text.contains("boardbus reconstruct: "), !taken, "{text:?}");
        assert_eq!(text.is_empty(), taken, "{text:?}");
    }
}
