//! Files that grow, move and are packed while a filter follows them; and packed files.

use std::{
    fs::{self, File},
    io::{BufRead, BufReader, Write},
    os::unix::process::ExitStatusExt,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::mpsc,
};

use rustix::process::{Pid, Signal, kill_process};

use super::{
    hall::{DEADLINE, wait},
    program::{asleep, output_of, run},
};

const START: &str = "{\"type\":\"stream\",\"records\":1,\"run\":\"a\"}\n\
    {\"type\":\"position\",\"board\":1,\"placement\":\"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR\",\"seq\":1}\n";
/// Each a move, as a board tells it.
const MOVES: [(&str, &str, &str, &str); 6] = [
    ("e2", "e4", "P", "e4"),
    ("e7", "e5", "p", "e5"),
    ("g1", "f3", "N", "Nf3"),
    ("b8", "c6", "n", "Nc6"),
    ("f1", "b5", "B", "Bb5"),
    ("a7", "a6", "p", "a6"),
];

/// The records of the move of a board with this number, from 0.
fn told_by(board: u16, nth: usize) -> String {
    let (from, to, piece, _) = MOVES[nth];
    let (side, seq) = (["left", "right"][nth % 2], 2 + 3 * nth);
    format!(
        "{{\"type\":\"change\",\"board\":{board},\"square\":\"{from}\",\"piece\":null,\"seq\":{seq}}}\n\
         {{\"type\":\"change\",\"board\":{board},\"square\":\"{to}\",\"piece\":\"{piece}\",\"seq\":{}}}\n\
         {{\"type\":\"press\",\"board\":{board},\"side\":\"{side}\",\"seconds\":90,\"seq\":{}}}\n",
        seq + 1,
        seq + 2
    )
}

/// How another line begins, with board 2.
fn of_board_2() -> String {
    START.replace("\"board\":1", "\"board\":2").replace("\"a\"", "\"b\"")
}

fn told(nth: usize) -> String {
    told_by(1, nth)
}

/// A folder with a journal in it that holds this.
fn journal(content: &str) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal.jsonl");
    fs::write(&path, content).unwrap();
    (folder, path)
}

fn append(path: &Path, text: impl AsRef<[u8]>) {
    File::options().append(true).create(true).open(path).unwrap().write_all(text.as_ref()).unwrap();
}

fn gzip(args: &[&str], path: &Path) {
    assert!(Command::new("gzip").args(args).arg(path).status().unwrap().success());
}

/// A filter that follows.
struct Follower {
    child: Child,
    lines: mpsc::Receiver<String>,
    said: mpsc::Receiver<String>,
}

fn lines(from: impl std::io::Read + Send + 'static) -> mpsc::Receiver<String> {
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || {
        BufReader::new(from).lines().map_while(Result::ok).try_for_each(|line| sender.send(line))
    });
    receiver
}

impl Follower {
    fn new(args: &[&str]) -> Follower {
        let mut command = Command::new(env!("CARGO_BIN_EXE_boardbus"));
        command.args(args).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let (out, err) = (child.stdout.take().unwrap(), child.stderr.take().unwrap());
        Follower { child, lines: lines(out), said: lines(err) }
    }

    fn reconstruct(path: &Path) -> Follower {
        Follower::new(&["reconstruct", "--follow", path.to_str().unwrap()])
    }

    /// The next line that holds this.
    fn until(&self, what: &str) -> String {
        loop {
            let line = self.lines.recv_timeout(DEADLINE).unwrap_or_else(|e| panic!("{what}: {e}"));
            if line.contains(what) {
                return line;
            }
        }
    }

    /// The next moves are these.
    fn plays(&self, moves: std::ops::Range<usize>) {
        for (.., san) in &MOVES[moves] {
            let told = self.until("\"san\"");
            assert!(told.contains(&format!("\"san\":\"{san}\"")), "{san}: {told}");
        }
    }

    /// It says this next.
    fn says(&self, what: &str) {
        let said = self.said.recv_timeout(DEADLINE).unwrap_or_else(|e| panic!("{what}: {e}"));
        assert!(said.contains(what), "{said}");
    }

    /// Ends it by a signal: the lines that were left, and what it said.
    fn end(mut self) -> (Vec<String>, Vec<String>) {
        kill_process(Pid::from_child(&self.child), Signal::INT).unwrap();
        assert_eq!(self.child.wait().unwrap().signal(), Some(Signal::INT.as_raw()));
        (self.lines.iter().collect(), self.said.iter().collect())
    }
}

impl Drop for Follower {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn appended_lines_are_read_and_halves_waited_for() {
    let (_folder, path) = journal(START);
    let follower = Follower::reconstruct(&path);
    append(&path, told(0));
    follower.plays(0..1);
    let second = told(1);
    let (half, rest) = second.split_at(20);
    append(&path, half);
    // It looks ten times a second: it has seen that half when it tells of the other file's growth.
    append(&path, rest);
    follower.plays(1..2);
    append(&path, &told(2)[..30]);
    let (left, said) = follower.end();
    assert!(left.iter().any(|line| line.contains("\"reason\":\"input-end\"")), "{left:?}");
    assert_eq!(said, Vec::<String>::new());
}

#[test]
fn new_publishes_later_records_with_their_usual_numbers() {
    let (_folder, path) = journal(&[START, &told(0), &told(1)].concat());
    let before = output_of(&["reconstruct", path.to_str().unwrap()], "");
    assert_eq!(before.matches("\"type\":\"move\"").count(), 2);
    let follower = Follower::new(&["reconstruct", "--follow", "--new", path.to_str().unwrap()]);
    // It sleeps when it has read all there was.
    wait(|| asleep(&follower.child) && asleep(&follower.child));
    append(&path, told(2));
    let mut lines = vec![follower.until("\"stream\""), follower.until("Nf3")];
    append(&path, told(3));
    lines.push(follower.until("Nc6"));
    let (left, said) = follower.end();
    assert_eq!(said, Vec::<String>::new());
    lines.extend(left);
    // All that is told without the option, but for the game's beginning and its first two moves.
    let whole = output_of(&["reconstruct", path.to_str().unwrap()], "");
    let without = |line: &&str| {
        !["\"type\":\"game\"", "\"san\":\"e4\"", "\"san\":\"e5\""].iter().any(|old| line.contains(old))
    };
    assert_eq!(lines, whole.lines().filter(without).collect::<Vec<_>>());
}

#[test]
fn new_without_later_records_publishes_no_old_game() {
    let (_folder, path) = journal(&[START, &told(0), &told(1)].concat());
    let follower = Follower::new(&["reconstruct", "--follow", "--new", path.to_str().unwrap()]);
    wait(|| asleep(&follower.child) && asleep(&follower.child));
    let (left, _) = follower.end();
    // What is only told because the input ended is told now.
    assert!(left.iter().all(|line| !line.contains("\"type\":\"move\"")), "{left:?}");
    assert!(left.iter().any(|line| line.contains("\"reason\":\"input-end\"")), "{left:?}");
}

#[test]
fn new_is_for_files_that_are_followed() {
    let (folder, path) = journal(START);
    let pipe = folder.path().join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    for files in [&[][..], &["-"], &[path.to_str().unwrap(), pipe.to_str().unwrap()]] {
        let (out, said, code) = run(&[&["reconstruct", "--new", "--follow"], files].concat(), START);
        assert_eq!((out.as_str(), code), ("", 2), "{files:?}");
        assert!(said.contains("is a pipe: have `watch --journal FILE` write one"), "{files:?}: {said}");
    }
}

#[test]
fn renamed_files_are_read_to_their_end_first() {
    let (folder, path) = journal(&[START, &told(0)].concat());
    let follower = Follower::reconstruct(&path);
    follower.plays(0..1);
    let mut old = File::options().append(true).open(&path).unwrap();
    fs::rename(&path, folder.path().join("old.jsonl")).unwrap();
    follower.says("was moved or removed: waiting for it to be begun again");
    // As `watch` does, which notices within a second.
    old.write_all(told(1).as_bytes()).unwrap();
    follower.plays(1..2);
    old.write_all(told(2).as_bytes()).unwrap();
    append(&path, [&START[..START.find('\n').unwrap() + 1], &told(3)].concat());
    follower.plays(2..4);
    follower.says("another file is there now");
}

#[test]
fn packed_files_that_begin_again_are_followed() {
    let (folder, path) = journal(&[START, &told(0)].concat());
    let follower = Follower::reconstruct(&path);
    follower.plays(0..1);
    gzip(&["-q"], &path);
    assert!(folder.path().join("journal.jsonl.gz").exists());
    append(&path, told(1));
    follower.plays(1..2);
}

#[test]
fn shortened_files_are_read_again_without_repeated_records() {
    let (_folder, path) = journal(&[START, &told(0), &told(1)].concat());
    let follower = Follower::reconstruct(&path);
    follower.plays(0..2);
    File::options().write(true).open(&path).unwrap().set_len(0).unwrap();
    follower.says("was made shorter or written anew by another program: read again from its beginning");
    append(&path, [START, &told(0), &told(1), &told(2)].concat());
    follower.plays(2..3);
    // Written anew at a length that tells nothing.
    fs::write(&path, [START, &told(2), &told(1), &told(0), &told(3), &" ".repeat(2000), "\n"].concat())
        .unwrap();
    follower.says("written anew");
    follower.plays(3..4);
}

#[test]
fn unfinished_lines_are_left_out_at_a_cut() {
    let (_folder, path) = journal(&[START, &told(0), &told(1)[..40]].concat());
    let whole = START.len() + told(0).len();
    let follower = Follower::reconstruct(&path);
    follower.plays(0..1);
    let file = File::options().write(true).open(&path).unwrap();
    file.set_len(whole as u64).unwrap();
    append(&path, told(1));
    follower.plays(1..2);
    let (_, said) = follower.end();
    assert_eq!(said, Vec::<String>::new());
}

#[test]
fn missing_files_are_waited_for() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal.jsonl");
    let follower = Follower::reconstruct(&path);
    follower.says("is not there yet: waiting for it");
    append(&path, [START, &told(0)].concat());
    follower.plays(0..1);
    fs::remove_file(&path).unwrap();
    follower.says("was moved or removed");
    append(&path, [START, &told(0), &told(1)].concat());
    follower.plays(1..2);
}

#[test]
fn a_partial_first_record_is_skipped() {
    let (_folder, path) = journal(&["7,\"placement\":\"8/8\"}\n", START, &told(0)].concat());
    let follower = Follower::reconstruct(&path);
    follower.says("journal.jsonl:1: begins in the middle of a record, which is left out");
    follower.plays(0..1);
    let (_, said) = follower.end();
    assert_eq!(said, Vec::<String>::new());
}

#[test]
fn several_files_are_followed_together() {
    let (folder, one) = journal(START);
    let two = folder.path().join("two.jsonl");
    fs::write(&two, of_board_2()).unwrap();
    let follower = Follower::new(&["reconstruct", "--follow", one.to_str().unwrap(), two.to_str().unwrap()]);
    for nth in 0..3 {
        append(&one, told(nth));
        assert!(follower.until("\"san\"").contains("\"board\":1"));
        append(&two, told_by(2, nth));
        assert!(follower.until("\"san\"").contains("\"board\":2"));
    }
}

#[test]
fn a_file_that_cannot_be_read_spoils_no_other() {
    let (folder, path) = journal(START);
    let follower =
        Follower::new(&["reconstruct", "--follow", folder.path().to_str().unwrap(), path.to_str().unwrap()]);
    follower.says("directory");
    append(&path, told(0));
    follower.plays(0..1);
}

#[test]
fn pipes_beside_followed_files_are_read_and_end() {
    let (_folder, path) = journal(START);
    let mut command = Command::new(env!("CARGO_BIN_EXE_boardbus"));
    command.args(["reconstruct", "--follow", "-", path.to_str().unwrap()]);
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let (out, err) = (child.stdout.take().unwrap(), child.stderr.take().unwrap());
    let follower = Follower { child, lines: lines(out), said: lines(err) };
    stdin.write_all(of_board_2().as_bytes()).unwrap();
    stdin.write_all(told_by(2, 0).as_bytes()).unwrap();
    assert!(follower.until("\"san\"").contains("\"board\":2"));
    drop(stdin);
    append(&path, told(0));
    assert!(follower.until("\"san\"").contains("\"board\":1"));
}

#[test]
fn every_filter_follows() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).display().to_string();
    let games = |numbers: std::ops::Range<u32>| -> String {
        numbers.map(|n| format!("[Event \"{n}\"]\n[GameType \"25\"]\n\n1. c3-d4 *\n\n")).collect()
    };
    for (args, begin, then, shows) in [
        (
            "from-pgn",
            "[Event \"1\"]\n\n1. e4 *\n\n",
            "[Event \"2\"]\n\n1. d4 *\n\n[Event \"3\"]\n",
            "\"san\":\"d4\"",
        ),
        ("from-pdn", &*games(1..2), &*games(2..4), "\"2\""),
        ("from-bars", "[[156, 145], [223, 234]]\n", "[[156, 145]]\n[[156, 145]]\n", "\"game\":2"),
        ("decode --mode bus", "# a capture\n", "85 00 0a 08 01 40 34 41 24 71\n", "\"change\""),
    ] {
        let path = file(args);
        fs::write(&path, begin).unwrap();
        let args: Vec<&str> = args.split(' ').chain(["--follow", &path]).collect();
        let follower = Follower::new(&args);
        append(Path::new(&path), then);
        follower.until(shows);
    }
    let games = output_of(&["from-pgn"], "1. e4 *\n\n1. d4 *\n\n1. c4 *\n");
    let (begin, then) = games.split_at(games.find("\"d4\"").unwrap());
    fs::write(file("to-pgn"), begin).unwrap();
    let follower = Follower::new(&["to-pgn", "--follow", &file("to-pgn")]);
    append(&folder.path().join("to-pgn"), then);
    follower.until("1. d4");
    let pages = folder.path().join("pages");
    fs::write(file("to-html"), begin).unwrap();
    let _follower = Follower::new(&["to-html", "--follow", &file("to-html"), "-o", pages.to_str().unwrap()]);
    append(&folder.path().join("to-html"), then);
    wait(|| {
        let files = fs::read_dir(&pages).into_iter().flatten().flatten();
        files
            .into_iter()
            .any(|file| fs::read_to_string(file.path()).is_ok_and(|text| text.contains("\"d4\"")))
    });
    let games = output_of(&["from-bars"], "[[156, 145], [223, 234]]\n[[156, 145]]\n");
    let (begin, then) = games.split_at(games.find("\"game\":2").unwrap() - 1);
    for (command, shows) in [("to-pdn", "g3-f4"), ("to-bars", "145")] {
        fs::write(file(command), begin).unwrap();
        let follower = Follower::new(&[command, "--follow", &file(command)]);
        append(&folder.path().join(command), then);
        follower.until(shows);
    }
}

#[test]
fn followed_draughts_files_are_not_mixed() {
    let folder = tempfile::tempdir().unwrap();
    let [a, b] = ["a", "b"].map(|name| folder.path().join(name));
    let begin = |name: &str| format!("[Event \"{name}\"]\n\n1. c3-d4 ");
    fs::write(&a, begin("a")).unwrap();
    fs::write(&b, begin("b")).unwrap();
    let follower = Follower::new(&["from-pdn", "--follow", a.to_str().unwrap(), b.to_str().unwrap()]);
    append(&b, "d6-c5 *\n");
    let first = follower.until("\"type\":\"game\"");
    assert!(first.contains("\"game\":1") && first.contains("\"b\""), "{first}");
    assert!(follower.until("d6-c5").contains("\"game\":1"));
    append(&a, "b6-a5 *\n");
    let second = follower.until("\"type\":\"game\"");
    assert!(second.contains("\"game\":2") && second.contains("\"a\""), "{second}");
}

#[test]
fn packed_data_are_reported_as_damaged_or_cut_off() {
    let (_folder, path) = journal(&(0..6).fold(START.to_owned(), |all, nth| all + &told(nth)));
    gzip(&["-q"], &path);
    let file = format!("{}.gz", path.display());
    let whole = fs::read(&file).unwrap();
    let says = |bytes: &[u8], what: &str| {
        fs::write(&file, bytes).unwrap();
        let (_, said, code) = run(&["reconstruct", &file], "");
        assert!(said.contains("packed data") && said.contains(what), "{} bytes: {said}", bytes.len());
        assert_eq!(code, 4, "{said}");
    };
    let with = |at: usize, behind: &[u8]| {
        let mut bytes = [&whole, behind].concat();
        bytes[at] ^= 0xff;
        bytes
    };
    // RFC 1952: behind the data its checksum and its length, four bytes each.
    let end = whole.len();
    for behind in [&b""[..], b"\0\0", &whole] {
        says(&with(end - 8, behind), "damaged, for its checksum is wrong");
        says(&with(end - 1, behind), "damaged, for its checksum is wrong");
    }
    for kept in [end - 1, end - 4, end - 8, end - 9, end / 2] {
        says(&whole[..kept], "breaks off here");
    }
    // A block of a kind that there is not (RFC 1951), behind the header and the name of the file.
    let mut bytes = whole.clone();
    bytes[10 + "journal.jsonl".len() + 1] |= 0b110;
    says(&bytes, "damaged here");
}

#[test]
fn every_command_reads_what_gzip_packed() {
    let folder = tempfile::tempdir().unwrap();
    let packed = |name: &str, content: &str| {
        let path = folder.path().join(name);
        fs::write(&path, content).unwrap();
        gzip(&["-f"], &path);
        folder.path().join(format!("{name}.gz")).display().to_string()
    };
    let journal = [START, &(0..6).map(told).collect::<String>()].concat();
    let games = output_of(&["reconstruct"], journal.as_str());
    let pgn = output_of(&["to-pgn"], games.as_str());
    assert!(pgn.contains("3... a6"), "{pgn}");
    assert_eq!(output_of(&["reconstruct", &packed("journal.jsonl", &journal)], ""), games);
    assert_eq!(output_of(&["to-pgn", &packed("games.jsonl", &games)], ""), pgn);
    let read = |pgn: &str| output_of(&["from-pgn", pgn], "");
    fs::write(folder.path().join("plain.pgn"), &pgn).unwrap();
    assert_eq!(
        read(&packed("games.pgn", &pgn)),
        read(&folder.path().join("plain.pgn").display().to_string())
    );
    let hex = "85 00 0a 08 01 40 34 41 24 71\n";
    assert_eq!(output_of(&["decode", &packed("capture", hex)], ""), output_of(&["decode"], hex));
    let bars = "[[156, 145], [223, 234]]\n";
    assert_eq!(output_of(&["from-bars", &packed("bars", bars)], ""), output_of(&["from-bars"], bars));
    let roster = packed("roster.csv", "board,white,black\n1,Euwe,Lasker\n");
    assert!(output_of(&["to-pgn", "--roster", &roster], games.as_str()).contains("[White \"Euwe\"]"));
    // Through a pipe too, and in members behind each other.
    let mut members = fs::read(packed("one", &games[..100])).unwrap();
    members.extend(fs::read(packed("two", &games[100..])).unwrap());
    assert_eq!(output_of(&["to-pgn"], members), pgn);
}

#[test]
fn a_truncated_packed_file_gives_its_whole_lines() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal.jsonl");
    fs::write(&path, [START, &(0..6).map(told).collect::<String>()].concat()).unwrap();
    gzip(&[], &path);
    let packed = fs::read(folder.path().join("journal.jsonl.gz")).unwrap();
    let (out, err, code) = run(&["reconstruct"], &packed[..packed.len() - 20]);
    assert!(out.contains("\"san\":\"e4\""), "{out}");
    assert!(err.contains("standard input: the packed data breaks off here: what was whole is read"), "{err}");
    assert_eq!(code, 4);
}

#[test]
fn unreadable_lines_are_reported_once_despite_two_passes() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal.jsonl");
    fs::write(&path, [START, &(0..6).map(told).collect::<String>()].concat()).unwrap();
    gzip(&[], &path);
    let packed = folder.path().join("journal.jsonl.gz");
    let whole = fs::read(&packed).unwrap();
    let mut damaged = whole.clone();
    damaged[whole.len() / 2..].fill(0xff);
    let long = "x".repeat((16 << 20) + 1).into_bytes();
    let cases = [(&whole[..whole.len() - 20], "breaks off"), (&damaged, "damaged"), (&long, "over 16 MiB")];
    for command in [&["reconstruct"][..], &["show", "--once"], &["check"]] {
        for (content, what) in cases {
            fs::write(&packed, content).unwrap();
            let (_, err, code) = run(&[command, &[packed.to_str().unwrap()]].concat(), "");
            assert_eq!((err.matches(what).count(), code), (1, 4), "{command:?}: {err}");
        }
    }
}

#[test]
fn a_packed_file_that_grows_is_followed() {
    let folder = tempfile::tempdir().unwrap();
    let packed = |name: &str, content: String| {
        let path = folder.path().join(name);
        fs::write(&path, content).unwrap();
        gzip(&[], &path);
        fs::read(folder.path().join(format!("{name}.gz"))).unwrap()
    };
    let path = folder.path().join("journal.gz");
    let (first, second) = (packed("one", [START, &told(0)].concat()), packed("two", told(1)));
    append(&path, first);
    let follower = Follower::reconstruct(&path);
    follower.plays(0..1);
    append(&path, &second[..25]);
    append(&path, &second[25..]);
    follower.plays(1..2);
}

/// Follows a file for a reader that takes a line, if there is to be one, and goes.
fn left_by_its_reader(args: &[&str], takes_a_line: bool) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_boardbus"));
    command.args(args).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut reader = BufReader::new(child.stdout.take().unwrap());
    if takes_a_line {
        reader.read_line(&mut String::new()).unwrap();
    }
    child
}

#[test]
fn following_ends_with_its_reader_without_new_input() {
    let (_folder, path) = journal(&[START, &told(0)].concat());
    let file = path.to_str().unwrap();
    for (args, takes_a_line) in [
        (&["reconstruct", "--follow", file][..], true),
        (&["check", "--follow", "--format", "json", file], false),
        (&["to-pgn", "--follow", file], false),
    ] {
        let mut child = left_by_its_reader(args, takes_a_line);
        wait(|| child.try_wait().unwrap().is_some());
        let ended = child.wait_with_output().unwrap();
        assert_eq!((ended.status.code(), ended.stderr), (Some(0), Vec::new()), "{args:?}");
    }
}

#[test]
fn files_are_written_without_readers_of_standard_output() {
    let (folder, path) = journal(&output_of(&["reconstruct"], [START, &told(0)].concat()));
    let games = folder.path().join("games.pgn");
    let holds = |san: &str| fs::read_to_string(&games).is_ok_and(|text| text.contains(san));
    let args = ["to-pgn", "--follow", path.to_str().unwrap(), "-o", games.to_str().unwrap()];
    let mut child = left_by_its_reader(&args, false);
    wait(|| holds("e4"));
    // It has waited since, which is where it would have ended.
    let game = output_of(&["reconstruct"], [START, &told(0), &told(1)].concat());
    fs::write(&path, game).unwrap();
    wait(|| holds("e5"));
    assert!(child.try_wait().unwrap().is_none());
    child.kill().unwrap();
    child.wait().unwrap();
}
