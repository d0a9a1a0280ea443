//! A simulated hall behind a pseudo-terminal, for the tests of the commands that talk to boards.

use std::{
    fs::File,
    io::{BufRead, BufReader},
    path::PathBuf,
    process::{Child, ChildStdout, Command, Stdio},
    time::{Duration, Instant},
};

use predicates::prelude::*;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use tempfile::TempDir;

use super::program;

/// A test that waits longer than this fails.
pub const DEADLINE: Duration = Duration::from_secs(60);

/// The games of [`Hall::open`].
pub const PGN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/bus.pgn");

/// Whether a line on standard error is about how slow the line is, which a busy machine makes it, and of how many boards.
pub fn is_about_speed(said: &str) -> bool {
    said.contains(": answers take ") || said.ends_with(" found")
}

/// Nothing is said but that.
pub fn silent() -> impl Predicate<[u8]> {
    predicate::function(|said: &[u8]| String::from_utf8_lossy(said).lines().all(is_about_speed))
}

/// `boardbus simulate` at work.
pub struct Hall {
    folder: TempDir,
    /// The simulator.
    pub simulate: Child,
}

impl Hall {
    /// Opens a hall; `args` say how many boards and what goes wrong. Play waits for start marks.
    pub fn open(args: &[&str]) -> Hall {
        Hall::playing(&["--pgn", PGN], args)
    }

    /// The same with other games.
    pub fn playing(games: &[&str], args: &[&str]) -> Hall {
        let always = ["--hands", "clean", "--forever", "--truth", "truth.jsonl"];
        Hall::simulate(&[games, &always, args].concat())
    }

    /// `simulate` with just these arguments, in a folder of this test, on its [`Hall::port`].
    pub fn simulate(args: &[&str]) -> Hall {
        let folder = tempfile::tempdir().unwrap();
        let mut simulate = Command::new(env!("CARGO_BIN_EXE_boardbus"));
        simulate.arg("simulate").arg("--link").arg(folder.path().join("line")).args(args);
        // Into a file: a pipe that nobody reads would stop one that has much to say.
        simulate
            .current_dir(folder.path())
            .stderr(File::create(folder.path().join("simulate.stderr")).unwrap());
        let mut hall = Hall { simulate: simulate.spawn().unwrap(), folder };
        wait(|| {
            let ended = hall.simulate.try_wait().unwrap();
            assert!(ended.is_none(), "the simulator has ended: {}", ended.unwrap());
            hall.port().exists()
        });
        hall
    }

    /// The path of its port.
    pub fn port(&self) -> PathBuf {
        self.folder.path().join("line")
    }

    /// A file of this test.
    pub fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// A command on its port.
    pub fn command(&self, name: &str) -> assert_cmd::Command {
        let mut command = program::command(name);
        command.arg("--port").arg(self.port()).timeout(DEADLINE);
        command
    }

    /// A command on its port that goes on.
    pub fn spawn(&self, name: &str, args: &[&str]) -> Running {
        self.spawn_on(self.port().to_str().unwrap(), name, args)
    }

    /// The same on another port that leads to it.
    pub fn spawn_on(&self, port: &str, name: &str, args: &[&str]) -> Running {
        let mut command = Command::new(env!("CARGO_BIN_EXE_boardbus"));
        command.args([name, "--port", port]).args(args).stdout(Stdio::piped());
        command.stderr(File::create(self.file("stderr")).unwrap());
        let mut child = command.spawn().unwrap();
        let out = Some(BufReader::new(child.stdout.take().unwrap()));
        Running { child, out }
    }

    /// Ends the hall, as if the adapter were pulled out for good, and says what its boards logged.
    pub fn close(mut self) -> Vec<Value> {
        self.end();
        self.truth()
    }

    /// What its boards have logged so far.
    pub fn truth(&self) -> Vec<Value> {
        program::records(std::fs::read(self.file("truth.jsonl")).unwrap())
    }

    /// Sends a signal to the simulator, if it is still there.
    pub fn signal(&mut self, signal: Signal) {
        if self.simulate.try_wait().unwrap().is_none() {
            kill_process(Pid::from_child(&self.simulate), signal).unwrap();
        }
    }

    fn end(&mut self) {
        self.signal(Signal::TERM);
        let _ = self.simulate.wait();
    }
}

impl Drop for Hall {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let state = self.simulate.try_wait();
            let said = std::fs::read_to_string(self.file("simulate.stderr"));
            eprintln!("the simulator ({state:?}) said: {}", said.unwrap_or_default());
        }
        self.end();
    }
}

/// A command that is going on, its standard output being read.
pub struct Running {
    pub child: Child,
    out: Option<BufReader<ChildStdout>>,
}

impl Running {
    /// The next record; none when there will be no more.
    pub fn next(&mut self) -> Option<Value> {
        let mut line = String::new();
        let out = self.out.as_mut().expect("not hung up");
        (out.read_line(&mut line).unwrap() > 0).then(|| serde_json::from_str(&line).unwrap())
    }

    /// Records up to and with the first that is wanted.
    pub fn until(&mut self, wanted: impl Fn(&Value) -> bool) -> Vec<Value> {
        let (began, mut records) = (Instant::now(), Vec::new());
        loop {
            records.push(self.next().expect("the command goes on"));
            if wanted(records.last().unwrap()) {
                return records;
            }
            assert!(began.elapsed() < DEADLINE, "{records:?}");
        }
    }

    /// All records to its end.
    pub fn rest(&mut self) -> Vec<Value> {
        std::iter::from_fn(|| self.next()).collect()
    }

    /// Reads no more: the pipe is closed.
    pub fn hang_up(&mut self) {
        self.out = None;
    }

    /// Sends a signal.
    pub fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.child), signal).unwrap();
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Waits for something that must come to pass.
pub fn wait(mut happened: impl FnMut() -> bool) {
    let began = Instant::now();
    while !happened() {
        assert!(began.elapsed() < DEADLINE, "waited in vain");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// The last move of the first of [`Hall::open`]'s games; the second is set up after it.
pub fn is_mate(record: &Value) -> bool {
    record["type"] == "change" && record["square"] == "f7" && record["piece"] == "Q"
}

/// What was logged on a board, by board records: changes, presses and marks in their order, without times. A
/// history tells again what came since the last start mark.
pub fn logged(records: &[Value], board: u64) -> Vec<String> {
    let mut log: Vec<String> = Vec::new();
    for record in records.iter().filter(|record| record["board"] == board) {
        match record["type"].as_str().unwrap() {
            "history" => {
                let start = log.iter().rposition(|entry| entry.contains("\"start\""));
                log.truncate(start.unwrap_or(0));
            }
            "change" | "press" | "mark" => {
                let mut record = record.clone();
                for field in ["time", "seq", "board"] {
                    record.as_object_mut().unwrap().remove(field);
                }
                log.push(record.to_string());
            }
            _ => {}
        }
    }
    log
}
