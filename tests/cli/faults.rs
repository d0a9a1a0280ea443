//! `watch` where its machine fails: disk, power, clock, memory, adapter, somebody else on its port, a hand that stops it. Nothing
//! that a board has forgotten is lost. The table in `man boardbus-watch` counts what is tried here; BOARDBUS_TIMES=10 tries
//! each fault ten times as often, or ten times as long.

use std::{
    collections::BTreeMap,
    fs::{self, File},
    io::Read,
    os::unix::{fs::OpenOptionsExt, net::UnixDatagram, process::ExitStatusExt},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    time::Duration,
};

use rustix::{
    event::{PollFd, PollFlags, Timespec, poll},
    process::{Pid, Signal, kill_process},
};
use serde_json::Value;

use super::{
    hall::{DEADLINE, Hall, logged, wait},
    program::{of, output_of, records},
};

/// Fast hands on a line of true speed, play at the mark.
const FAST: &[&str] = &["--speed", "100", "--start-delay", "0", "--boards", "2"];
/// Games that are not over before the test is, on a machine however slow.
const LONG: &[&str] = &["--pgn", concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/self-play.pgn")];
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
        command.arg("watch");
        Recording::by(command, hall, disk, &[])
    }

    /// By a command that ends in `boardbus watch`, with more arguments; no search, the boards are known.
    fn by(mut command: Command, hall: &'a Hall, disk: Option<&Path>, args: &[&str]) -> Recording<'a> {
        command.arg("--port").arg(hall.port()).arg("--journal").arg(hall.file("journal.jsonl"));
        command.arg("--capture").arg(hall.file("line.capture")).args(args);
        command.stdin(Stdio::null()).stdout(Stdio::null()).env("NOTIFY_SOCKET", hall.file("notify"));
        command.stderr(File::options().append(true).create(true).open(hall.file("stderr")).unwrap());
        if let Some(disk) = disk {
            command.env("LD_PRELOAD", disk);
            command
                .env("BOARDBUS_FILE", hall.file("journal.jsonl"))
                .env("BOARDBUS_FAULT", hall.file("fault"))
                .env("BOARDBUS_FAILED", hall.file("failed"))
                .env("BOARDBUS_CLOCK", hall.file("clock"));
        }
        Recording { hall, child: command.spawn().unwrap() }
    }

    /// Once more on the journal that is there, after one that was killed: its port may still be locked for a moment, which
    /// ends the next one with 3.
    fn again(hall: &'a Hall) -> Recording<'a> {
        let before = changes_in(hall);
        let mut recording = Recording::begin(hall, None);
        wait(|| {
            if recording.child.try_wait().unwrap().is_some_and(|status| status.code() == Some(3)) {
                recording = Recording::begin(hall, None);
            }
            changes_in(hall) > before
        });
        recording
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

/// So much is told of each board at least where it is held beside the truth.
const ENOUGH: usize = 40;

/// Holds that what was recorded is what the boards logged, none twice and none left out, from the beginning or at least
/// from the first thing that moved: what stood on a board before it was ever on disk that there is such a board is told as
/// its position.
fn is_the_truth(recorded: &[Value], truth: &[Value]) {
    for board in BOARDS {
        let (told, truth) = (logged(recorded, board), logged(truth, board));
        assert!(told.len() > ENOUGH, "board {board}: {}", told.len());
        let stands =
            truth.iter().take_while(|entry| !entry.contains("null") && !entry.contains("press")).count();
        let begin = (0..=stands).find(|&begin| truth[begin..].starts_with(&told));
        assert!(begin.is_some(), "board {board}: {told:#?}\nand in truth {truth:#?}");
    }
}

#[test]
fn unwritable_journals_stop_polling_and_lose_nothing() {
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
fn hangups_wait_until_the_journal_can_be_written() {
    let hall = Hall::open(FAST);
    let Some(disk) = failing_disk(hall.port().parent().unwrap()) else { return };
    let recording = Recording::begin(&hall, Some(&disk));
    recording.goes_on(20);
    fs::write(hall.file("fault"), "full").unwrap();
    recording.says("no board is asked until the journal can be written again", 1);
    recording.signal(Signal::HUP);
    recording.tries_again();
    recording.tries_again();
    recording.says("begun again", 0);
    fs::remove_file(hall.file("fault")).unwrap();
    recording.says("begun again; kept as", 1);
    recording.goes_on(10);
    recording.end(Signal::TERM);
    hall.close();
}

#[test]
fn a_hangup_starts_a_journal_with_continued_numbers() {
    let hall = Hall::open(FAST);
    let manager = UnixDatagram::bind(hall.file("notify")).unwrap();
    manager.set_read_timeout(Some(DEADLINE)).unwrap();
    let recording = Recording::begin(&hall, None);
    let mut told = [0; 16];
    let length = manager.recv(&mut told).unwrap();
    assert_eq!(&told[..length], b"READY=1");
    recording.goes_on(80);
    recording.signal(Signal::HUP);
    recording.says("begun again; kept as", 1);
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

/// How many times as often, or as long, as in the tests of every day.
fn times() -> u64 {
    std::env::var("BOARDBUS_TIMES").ok().and_then(|times| times.parse().ok()).unwrap_or(1)
}

/// Holds a journal beside what the boards of its hall logged.
fn loses_nothing(hall: Hall) {
    let recorded = records(fs::read(hall.file("journal.jsonl")).unwrap());
    is_the_truth(&recorded, &hall.close());
}

#[test]
fn power_cuts_at_write_boundaries_lose_nothing() {
    let hall = Hall::playing(LONG, FAST);
    let Some(disk) = failing_disk(hall.port().parent().unwrap()) else { return };
    let mut cuts = 0;
    while cuts < 18 * times() {
        // At the first, second, third write …, before it, in its midst and behind it.
        let (nth, how) = (cuts / 3 % 12 + 1, cuts % 3);
        let mut command = Command::new(env!("CARGO_BIN_EXE_boardbus"));
        command.arg("watch").env("BOARDBUS_KILL", format!("{nth}:{how}"));
        let mut recording = Recording::by(command, &hall, Some(&disk), &["--board", "1025-1026"]);
        let mut ended = None;
        wait(|| {
            ended = recording.child.try_wait().unwrap();
            ended.is_some()
        });
        match ended.unwrap() {
            status if status.signal() == Some(9) => cuts += 1,
            // Its port was locked by the one before.
            status => assert_eq!(status.code(), Some(3), "{nth}:{how}"),
        }
    }
    let recording = Recording::again(&hall);
    recording.goes_on(120);
    recording.end(Signal::TERM);
    loses_nothing(hall);
}

#[test]
fn killed_and_stopped_again_and_again_it_loses_nothing() {
    // Who is stopped for minutes misses no more moves than who is stopped for a second: boards keep some hundreds.
    let speed = (100 / times()).max(4).to_string();
    let hall = Hall::playing(LONG, &[&["--speed", &speed], &FAST[2..]].concat());
    for _ in 0..4 {
        let recording = Recording::again(&hall);
        recording.goes_on(15);
        recording.signal(Signal::STOP);
        // Nothing is waited for: this is the fault, and boards play on meanwhile.
        std::thread::sleep(Duration::from_secs(times()));
        recording.signal(Signal::CONT);
        recording.goes_on(5);
        recording.end(Signal::KILL);
    }
    loses_nothing(hall);
}

#[test]
fn clocks_set_by_hours_lose_nothing() {
    let hall = Hall::playing(LONG, FAST);
    let Some(disk) = failing_disk(hall.port().parent().unwrap()) else { return };
    let recording = Recording::begin(&hall, Some(&disk));
    recording.goes_on(80);
    for _ in 0..times() {
        for hours in [3, -5, 26, 0] {
            fs::write(hall.file("clock"), (hours * 3600).to_string()).unwrap();
            recording.goes_on(30);
        }
    }
    recording.end(Signal::TERM);
    let journal = fs::read_to_string(hall.file("journal.jsonl")).unwrap();
    let recorded = records(&journal);
    let numbers = recorded.iter().filter_map(|record| record["seq"].as_u64());
    assert!(numbers.eq(1..recorded.len() as u64), "numbers go on");
    let set = recorded.windows(2).filter(|two| hours_between(&two[0], &two[1]) != 0).count() as u64;
    assert!(set >= 4 * times(), "set {set} times");
    let truth = hall.close();
    is_the_truth(&recorded, &truth);
    let truth: String = truth.iter().map(|record| record.to_string() + "\n").collect();
    let truth = played(&truth);
    for (board, plies) in played(&journal) {
        let sure = plies.len().saturating_sub(2);
        assert!(sure > 3 && truth[&board].starts_with(&plies[..sure]), "{board}: {plies:?}");
    }
}

/// How many hours, rounded, a record is behind another.
fn hours_between(one: &Value, other: &Value) -> i64 {
    let time = |record: &Value| record["time"].as_str().map(|time| time.parse::<jiff::Timestamp>().unwrap());
    let (Some(one), Some(other)) = (time(one), time(other)) else { return 0 };
    (other.as_second() - one.as_second() + 1800).div_euclid(3600)
}

/// The plies of each board's first game, as they were told last.
fn played(journal: &str) -> BTreeMap<u64, Vec<String>> {
    let mut plies: BTreeMap<u64, BTreeMap<u64, String>> = BTreeMap::new();
    for record in records(output_of(&["reconstruct"], journal)).iter().filter(|record| record["game"] == 1) {
        let of_board = plies.entry(record["board"].as_u64().unwrap()).or_default();
        let ply = record["ply"].as_u64();
        match record["type"].as_str().unwrap() {
            "move" => drop(of_board.insert(ply.unwrap(), record["uci"].as_str().unwrap().to_owned())),
            "takeback" => drop(of_board.split_off(&(ply.unwrap() + 1))),
            _ => {}
        }
    }
    plies.into_iter().map(|(board, plies)| (board, plies.into_values().collect())).collect()
}

#[test]
fn others_on_its_port_cost_no_record() {
    let hall = Hall::playing(LONG, FAST);
    let recording = Recording::begin(&hall, None);
    recording.goes_on(60);
    for _ in 0..3 * times() {
        // One that asks is refused; one that does not takes what the boards say.
        let mut other = hall.command("watch");
        other.args(["--board", "1025"]).assert().code(3);
        let flags = (rustix::fs::OFlags::NONBLOCK | rustix::fs::OFlags::NOCTTY).bits() as i32;
        let Ok(mut thief) = File::options().read(true).custom_flags(flags).open(hall.port()) else {
            eprintln!("SKIPPED: only root can open a port that another program has for itself");
            break;
        };
        let (mut stolen, mut room) = (0, [0; 64]);
        wait(|| {
            // As quick as the one that is robbed, or it would get nothing.
            for _ in 0..100 {
                let mut heard = [PollFd::new(&thief, PollFlags::IN)];
                let _ = poll(&mut heard, Some(&Timespec { tv_sec: 0, tv_nsec: 10_000_000 }));
                stolen += thief.read(&mut room).unwrap_or(0);
            }
            stolen > 5
        });
        drop(thief);
        recording.goes_on(10);
    }
    // Which board moves more often is chance.
    wait(|| {
        let journal = fs::read_to_string(hall.file("journal.jsonl")).unwrap();
        let changes = |board: u64| {
            let of_board = format!("\"board\":{board}");
            journal.lines().filter(|line| line.contains("\"change\"") && line.contains(&of_board)).count()
        };
        BOARDS.iter().all(|&board| changes(board) > ENOUGH)
    });
    recording.end(Signal::TERM);
    loses_nothing(hall);
}

#[test]
fn where_memory_is_short_it_ends_and_loses_nothing() {
    let hall = Hall::playing(LONG, FAST);
    let recording = Recording::begin(&hall, None);
    recording.goes_on(150);
    recording.end(Signal::TERM);
    let (mut too_short, mut enough) = (0, 0);
    for kilobytes in (0..16 * times()).map(|n| 4000 + n * 6000 / times()) {
        let mut command = Command::new("sh");
        let limited = format!("ulimit -v {kilobytes}; exec \"$0\" watch \"$@\"");
        command.args(["-c", &limited, env!("CARGO_BIN_EXE_boardbus")]);
        let mut recording = Recording::by(command, &hall, None, &["--board", "1025-1026"]);
        let (before, mut ended) = (changes_in(&hall), false);
        wait(|| {
            ended = recording.child.try_wait().unwrap().is_some();
            ended || changes_in(&hall) >= before + 5
        });
        if ended {
            too_short += 1;
        } else {
            enough += 1;
            recording.end(Signal::KILL);
        }
    }
    assert!(too_short > 0 && enough > 0, "{too_short} {enough}");
    let recording = Recording::again(&hall);
    recording.goes_on(10);
    recording.end(Signal::TERM);
    loses_nothing(hall);
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
