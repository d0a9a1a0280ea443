//! `watch` where its disk fails, or where it is told to begin a new journal: nothing that a board has
//! forgotten is lost.

use std::{
    fs::{self, File},
    os::unix::net::UnixDatagram,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

use super::{
    hall::{DEADLINE, Hall, logged, wait},
    program::{of, records},
};

/// Fast hands on a line of true speed, play at the mark.
const FAST: &[&str] = &["--speed", "100", "--start-delay", "0", "--boards", "2"];
const BOARDS: [u64; 2] = [1025, 1026];

/// A disk that fails when it is told to; none without a C compiler.
fn failing_disk(folder: &Path) -> Option<PathBuf> {
    let library = folder.join("failing-disk.so");
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/failing-disk.c");
    let built = Command::new("cc").args(["-shared", "-fPIC", "-O1", "-o"]).arg(&library).arg(source).status();
    if !built.is_ok_and(|status| status.success()) {
        eprintln!("SKIPPED: no C compiler (on Debian: apt-get install gcc)");
        return None;
    }
    Some(library)
}

/// `watch` of a hall, with its journal.
struct Recording<'a> {
    hall: &'a Hall,
    child: Child,
}

impl<'a> Recording<'a> {
    fn begin(hall: &'a Hall, disk: Option<&Path>) -> Recording<'a> {
        let mut command = Command::new(env!("CARGO_BIN_EXE_boardbus"));
        command.args(["watch", "--port"]).arg(hall.port()).arg("--journal").arg(hall.file("journal.jsonl"));
        command.arg("--capture").arg(hall.file("line.capture"));
        command.stdin(Stdio::null()).stdout(Stdio::null()).env("NOTIFY_SOCKET", hall.file("notify"));
        command.stderr(File::options().append(true).create(true).open(hall.file("stderr")).unwrap());
        if let Some(disk) = disk {
            command.env("LD_PRELOAD", disk);
            command
                .env("BOARDBUS_FILE", hall.file("journal.jsonl"))
                .env("BOARDBUS_FAULT", hall.file("fault"))
                .env("BOARDBUS_FAILED", hall.file("failed"));
        }
        Recording { hall, child: command.spawn().unwrap() }
    }

    fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.child), signal).unwrap();
    }

    fn end(mut self, signal: Signal) {
        self.signal(signal);
        self.child.wait().unwrap();
    }

    /// Waits for so many more changes in the journal.
    fn goes_on(&self, changes: usize) {
        let before = changes_in(self.hall);
        wait(|| changes_in(self.hall) >= before + changes);
    }

    /// Waits until its disk has failed once more.
    fn tries_again(&self) {
        let times = || fs::metadata(self.hall.file("failed")).unwrap().len();
        let before = times();
        wait(|| times() > before);
    }

    fn says(&self, what: &str, times: usize) {
        wait(|| fs::read_to_string(self.hall.file("stderr")).unwrap().matches(what).count() == times);
    }
}

impl Drop for Recording<'_> {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn changes_in(hall: &Hall) -> usize {
    fs::read_to_string(hall.file("journal.jsonl")).unwrap_or_default().matches("\"change\"").count()
}

/// Holds that what was recorded is what the boards logged, from the beginning, none twice and none left out.
fn is_the_truth(recorded: &[Value], truth: &[Value]) {
    for board in BOARDS {
        let (told, truth) = (logged(recorded, board), logged(truth, board));
        assert!(told.len() > 60, "board {board}: {}", told.len());
        assert_eq!(told, truth[..told.len()], "board {board}");
    }
}

#[test]
fn while_the_journal_cannot_be_written_no_board_is_asked_and_nothing_is_lost() {
    let hall = Hall::open(FAST);
    let Some(disk) = failing_disk(hall.port().parent().unwrap()) else { return };
    let recording = Recording::begin(&hall, Some(&disk));
    recording.goes_on(60);
    for (times, fault, error) in
        [(1, "full", "No space left on device"), (2, "sync", "Input/output error"), (3, "full", "")]
    {
        fs::write(hall.file("fault"), fault).unwrap();
        recording.says("no board is asked until the journal can be written again", times);
        assert!(fs::read_to_string(hall.file("stderr")).unwrap().contains(error));
        // The exchange that was under way ends; then the line is still, however often the journal is tried.
        let tried_again = || {
            recording.tries_again();
            fs::metadata(hall.file("line.capture")).unwrap().len()
        };
        let mut asked = tried_again();
        wait(|| asked == std::mem::replace(&mut asked, tried_again()));
        assert_eq!([(); 3].map(|()| tried_again()), [asked; 3]);
        fs::remove_file(hall.file("fault")).unwrap();
        recording.says("written again, and boards are asked again", times);
        recording.goes_on(10);
    }
    recording.end(Signal::TERM);
    let recorded = records(fs::read(hall.file("journal.jsonl")).unwrap());
    is_the_truth(&recorded, &hall.close());
}

#[test]
fn a_hangup_while_the_journal_cannot_be_written_waits_until_it_can() {
    let hall = Hall::open(FAST);
    let Some(disk) = failing_disk(hall.port().parent().unwrap()) else { return };
    let recording = Recording::begin(&hall, Some(&disk));
    recording.goes_on(20);
    fs::write(hall.file("fault"), "full").unwrap();
    recording.says("no board is asked until the journal can be written again", 1);
    recording.signal(Signal::HUP);
    recording.tries_again();
    recording.tries_again();
    recording.says("begun anew", 0);
    fs::remove_file(hall.file("fault")).unwrap();
    recording.says("begun anew; kept as", 1);
    recording.goes_on(10);
    recording.end(Signal::TERM);
    hall.close();
}

#[test]
fn a_hangup_begins_a_new_journal_with_what_stands_on_the_boards_and_numbers_go_on() {
    let hall = Hall::open(FAST);
    let manager = UnixDatagram::bind(hall.file("notify")).unwrap();
    manager.set_read_timeout(Some(DEADLINE)).unwrap();
    let recording = Recording::begin(&hall, None);
    let mut told = [0; 16];
    let length = manager.recv(&mut told).unwrap();
    assert_eq!(&told[..length], b"READY=1");
    recording.goes_on(80);
    recording.signal(Signal::HUP);
    recording.says("begun anew; kept as", 1);
    recording.goes_on(20);
    recording.end(Signal::TERM);
    let kept: Vec<PathBuf> = fs::read_dir(hall.port().parent().unwrap())
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.display().to_string().contains("journal.2"))
        .collect();
    assert_eq!(kept.len(), 1, "{kept:?}");
    let (first, second) =
        (records(fs::read(&kept[0]).unwrap()), records(fs::read(hall.file("journal.jsonl")).unwrap()));
    assert_eq!(second[0], first[0], "the same run");
    let kinds: Vec<_> =
        second[1..5].iter().map(|record| (record["board"].as_u64().unwrap(), &record["type"])).collect();
    assert_eq!(
        kinds,
        [
            (1025, &"board".into()),
            (1025, &"position".into()),
            (1026, &"board".into()),
            (1026, &"position".into())
        ]
    );
    let both = [&first[..], &second[1..]].concat();
    let numbers: Vec<u64> = both[1..].iter().map(|record| record["seq"].as_u64().unwrap()).collect();
    assert_eq!(numbers, (1..=numbers.len() as u64).collect::<Vec<_>>());
    // What stands, by the changes that were told before.
    for (at, board) in [(2, 1025), (4, 1026)] {
        let last = of(&first, "change").into_iter().rfind(|record| record["board"] == board).unwrap();
        assert_eq!(piece_on(&second[at], last["square"].as_str().unwrap()), last["piece"]);
    }
    is_the_truth(&both, &hall.close());
}

/// What a position has on a square, as a change would say it.
fn piece_on(position: &Value, square: &str) -> Value {
    let rank = 8 - (square.as_bytes()[1] - b'0') as usize;
    let row = position["placement"].as_str().unwrap().split('/').nth(rank).unwrap();
    let fields: String = row
        .chars()
        .map(|c| c.to_digit(10).map_or(c.to_string(), |empty| " ".repeat(empty as usize)))
        .collect();
    match fields.as_bytes()[(square.as_bytes()[0] - b'a') as usize] {
        b' ' => Value::Null,
        piece => (piece as char).to_string().into(),
    }
}
