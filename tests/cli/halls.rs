//! Records carried between halls, `publish` and `subscribe`, with a real nats-server; where there is none these tests say
//! SKIPPED.

use std::{
    fs,
    io::{Read, Write},
    net::{TcpListener, TcpStream},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use tempfile::TempDir;

/// How long anything may take before a test gives up.
const PATIENCE: Duration = Duration::from_secs(60);

/// A server of its own for a test.
struct Server {
    process: Child,
    port: u16,
    folder: TempDir,
    /// More for its command line.
    arguments: Vec<String>,
}

impl Drop for Server {
    fn drop(&mut self) {
        self.kill();
    }
}

fn program() -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::env::split_paths(&path).chain([PathBuf::from("/usr/sbin")]);
    let found = folders.map(|folder| folder.join("nats-server")).find(|program| program.is_file());
    if found.is_none() {
        eprintln!("SKIPPED: nats-server is not installed (on Debian: apt-get install nats-server)");
    }
    found
}

impl Server {
    /// Starts a server, with lines of its configuration; none where the program is missing.
    fn start(configuration: &str) -> Option<Server> {
        let program = program()?;
        let folder = tempfile::tempdir().unwrap();
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let file = folder.path().join("server.conf");
        let store = folder.path().join("store");
        let jetstream = if configuration.contains("jetstream") {
            configuration.replace("STORE", store.to_str().unwrap())
        } else {
            format!("jetstream {{ store_dir: \"{}\" }}\n{configuration}", store.display())
        };
        fs::write(&file, format!("listen: \"127.0.0.1:{port}\"\n{jetstream}\n")).unwrap();
        let arguments = vec!["-c".to_owned(), file.display().to_string()];
        let process = Server::run(&program, &arguments, folder.path());
        let server = Server { process, port, folder, arguments };
        server.wait();
        Some(server)
    }

    fn run(program: &Path, arguments: &[String], folder: &Path) -> Child {
        let log = fs::File::options().create(true).append(true).open(folder.join("log")).unwrap();
        Command::new(program).args(arguments).stdout(Stdio::null()).stderr(log).spawn().unwrap()
    }

    /// Waits until it takes connections.
    fn wait(&self) {
        let begun = Instant::now();
        while TcpStream::connect(("127.0.0.1", self.port)).is_err() {
            assert!(begun.elapsed() < PATIENCE, "the server does not start");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    fn kill(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }

    fn restart(&mut self) {
        self.kill();
        self.process = Server::run(&program().unwrap(), &self.arguments, self.folder.path());
        self.wait();
    }

    fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// A command of boardbus for the event `open`.
    fn command(&self, name: &str, arguments: &[&str]) -> Command {
        let mut command = Command::new(assert_cmd::cargo::cargo_bin!("boardbus"));
        command.args([name, "--server", &self.url(), "--event", "open"]).args(arguments);
        command.env_remove("BOARDBUS_PASSWORD").env_remove("BOARDBUS_TOKEN");
        command
    }

    /// Publishes, and brings what was said and the exit code.
    fn publish(&self, arguments: &[&str], input: &str) -> (String, i32) {
        let mut command = self.command("publish", arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        (String::from_utf8(output.stderr).unwrap(), output.status.code().unwrap())
    }

    /// What a subscriber writes, once that many lines are there and no more come with the next message.
    fn subscribe(&self, arguments: &[&str], lines: usize) -> String {
        let file = self.path("subscribed");
        let output = fs::File::create(&file).unwrap();
        let mut child =
            self.command("subscribe", arguments).stdout(output).stderr(Stdio::null()).spawn().unwrap();
        let written = until(|| {
            let written = fs::read_to_string(&file).unwrap_or_default();
            (written.lines().count() >= lines).then_some(written)
        });
        end(&mut child);
        assert_eq!(written.lines().count(), lines, "{written}");
        fs::read_to_string(&file).unwrap()
    }

    /// Asks the server's own interface for something.
    fn ask(&self, subject: &str, what: &str) -> String {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let length = what.len();
        write!(stream, "CONNECT {{}}\r\nSUB answer 1\r\nPUB {subject} answer {length}\r\n{what}\r\n")
            .unwrap();
        let mut answer = String::new();
        while !answer.contains("MSG answer") || !answer.trim_end().ends_with('}') {
            let mut bytes = [0; 4096];
            let n = stream.read(&mut bytes).unwrap();
            answer += str::from_utf8(&bytes[..n]).unwrap();
        }
        answer
    }
}

fn end(child: &mut Child) {
    let pid = rustix::process::Pid::from_child(child);
    rustix::process::kill_process(pid, rustix::process::Signal::TERM).unwrap();
    child.wait().unwrap();
}

fn until<T>(mut done: impl FnMut() -> Option<T>) -> T {
    let begun = Instant::now();
    loop {
        if let Some(done) = done() {
            return done;
        }
        assert!(begun.elapsed() < PATIENCE, "it does not come");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// A run of a hall: its stream record and so many changes.
fn run(name: &str, changes: std::ops::RangeInclusive<u32>) -> String {
    let mut text = format!("{{\"type\":\"stream\",\"records\":1,\"run\":\"{name}\"}}\n");
    for seq in changes {
        let piece = if seq % 2 == 1 { "null" } else { "\"P\"" };
        text += &format!(
            "{{\"type\":\"change\",\"board\":1,\"square\":\"e2\",\"piece\":{piece},\"seq\":{seq}}}\n"
        );
    }
    text
}

/// The same with the name of the line, as it arrives.
fn of_line(text: &str, line: &str) -> String {
    let mut of_line = String::new();
    for record in text.lines() {
        let (kind, rest) = record.split_once(',').unwrap();
        of_line += &format!("{kind},\"line\":\"{line}\",{rest}\n");
    }
    of_line
}

const FIRST: &str = "20261121T100000-1";
const SECOND: &str = "20261121T110000-1";

#[test]
fn a_hall_arrives_in_order_and_once_however_often_it_is_published_and_read() {
    let Some(server) = Server::start("") else { return };
    let journal = run(FIRST, 1..=3000) + &run(SECOND, 1..=10);
    let hall = ["--line", "hall-2"];
    let office = server.path("event.jsonl").display().to_string();
    let (part, whole) =
        (journal.lines().take(1500).map(|line| format!("{line}\n")).collect::<String>(), &journal);
    assert_eq!(server.publish(&hall, &part), (String::new(), 0));
    assert_eq!(server.subscribe(&["--journal", &office], 1500), of_line(&part, "hall-2"));
    // The rest, behind what is there; then nothing more.
    for _ in 0..2 {
        assert_eq!(server.publish(&hall, whole), (String::new(), 0));
        // What is in the journal is printed first.
        assert_eq!(server.subscribe(&["--journal", &office], 3012), of_line(whole, "hall-2"));
    }
    let kept = fs::read_to_string(&office).unwrap();
    let kept: String = kept.split_inclusive('\n').filter(|line| !line.contains("\"delivery\"")).collect();
    assert_eq!(kept, of_line(whole, "hall-2"));
    assert_eq!(server.subscribe(&["--line", "hall-2,hall-3"], 3012), kept);
}

#[test]
fn hundreds_of_messages_that_wait_at_once_all_come() {
    let Some(server) = Server::start("") else { return };
    // A message each, for each is of another line.
    let journal: String = (0..400).map(|hall| of_line(&run(FIRST, 1..=1), &format!("hall-{hall}"))).collect();
    let lines = journal.lines().count();
    assert_eq!(server.publish(&[], &journal), (String::new(), 0));
    let told = server.subscribe(&[], lines);
    let (mut told, mut published): (Vec<&str>, Vec<&str>) =
        (told.lines().collect(), journal.lines().collect());
    told.sort_unstable();
    published.sort_unstable();
    assert_eq!(told, published);
}

#[test]
fn an_old_journal_is_refused_and_a_new_one_or_a_line_taken_over_goes_on() {
    let Some(server) = Server::start("") else { return };
    let hall = ["--line", "x"];
    assert_eq!(server.publish(&hall, &run(FIRST, 1..=20)), (String::new(), 0));
    // Another day's, and a copy that ends sooner.
    for old in [run("20261120T100000-1", 1..=50), run(FIRST, 1..=10)] {
        let (said, code) = server.publish(&hall, &old);
        assert!(code == 4 && said.contains("line x") && said.contains("--take-over"), "{said}");
        assert_eq!(said.lines().count(), 1);
    }
    assert_eq!(server.publish(&hall, &run(SECOND, 1..=5)), (String::new(), 0));
    let other = run("20261121T103000-1", 1..=7);
    assert_eq!(server.publish(&hall, &other).1, 4);
    for _ in 0..2 {
        assert_eq!(server.publish(&["--line", "x", "--take-over"], &other), (String::new(), 0));
    }
    let all = run(FIRST, 1..=20) + &run(SECOND, 1..=5) + &other;
    assert_eq!(server.subscribe(&[], 35), of_line(&all, "x"));
    // Taken over with an old journal by mistake: the office has it already.
    assert_eq!(server.publish(&["--line", "x", "--take-over"], &run(FIRST, 1..=10)).1, 0);
    assert_eq!(server.subscribe(&[], 35), of_line(&all, "x"));
}

#[test]
fn of_two_publishers_of_one_line_one_stops_and_says_why() {
    let Some(server) = Server::start("") else { return };
    let arguments = ["--line", "x", "--take-over"];
    let start = || {
        let mut command = server.command("publish", &arguments);
        command.stdin(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    };
    let (mut one, mut two) = (start(), start());
    let [mut to_one, mut to_two] = [&mut one, &mut two].map(|child| child.stdin.take().unwrap());
    let begins = [run(FIRST, 1..=1), run(SECOND, 1..=1)];
    to_one.write_all(begins[0].as_bytes()).unwrap();
    server.subscribe(&[], 2);
    to_two.write_all(begins[1].as_bytes()).unwrap();
    server.subscribe(&[], 4);
    // The first finds that somebody else went on.
    to_one.write_all(b"{\"type\":\"quiet\",\"seq\":2}\n").unwrap();
    let output = one.wait_with_output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(5), "{said}");
    assert!(said.contains("somebody else publishes line x") && said.lines().count() == 1, "{said}");
    to_two.write_all(b"{\"type\":\"quiet\",\"seq\":2}\n").unwrap();
    server.subscribe(&[], 5);
    drop(to_two);
    assert!(two.wait().unwrap().success());
}

#[test]
fn a_full_server_refuses_and_nothing_that_it_has_is_forgotten() {
    let Some(server) = Server::start("") else { return };
    let journal = run(FIRST, 1..=3000);
    let part = run(FIRST, 1..=1000);
    let limited = ["--line", "x", "--limit", "100K"];
    assert_eq!(server.publish(&limited, &part), (String::new(), 0));
    // A file is read at once, so that the rest is one message: of a pipe a little more might have room.
    let file = server.path("journal.jsonl");
    fs::write(&file, journal).unwrap();
    let (said, code) = server.publish(&[&limited[..], &[file.to_str().unwrap()]].concat(), "");
    assert!(code == 5 && said.contains("server is full") && said.lines().count() == 1, "{code} {said}");
    assert_eq!(server.subscribe(&[], 1001), of_line(&part, "x"));
}

#[test]
fn a_wrong_password_is_said_at_once_and_the_right_one_comes_from_a_file_or_the_environment() {
    let Some(server) = Server::start("authorization { user: hall, password: \"let me in\" }") else { return };
    let journal = run(FIRST, 1..=3);
    let file = server.path("password");
    fs::write(&file, "wrong\n").unwrap();
    let with_file = ["--line", "x", "--user", "hall", "--password-file", file.to_str().unwrap()];
    let (said, code) = server.publish(&with_file, &journal);
    assert!(
        code == 5 && said.contains("wrong user, password or token") && said.lines().count() == 1,
        "{said}"
    );
    assert!(!said.contains("wrong\n"));
    fs::write(&file, "let me in\n").unwrap();
    assert_eq!(server.publish(&with_file, &journal), (String::new(), 0));
    let mut command = server.command("publish", &["--line", "x", "--user", "hall"]);
    let status = command.env("BOARDBUS_PASSWORD", "let me in").stdin(Stdio::null()).status().unwrap();
    assert!(status.success());
    let help = Command::new(assert_cmd::cargo::cargo_bin!("boardbus"))
        .args(["publish", "--help"])
        .env("BOARDBUS_PASSWORD", "let me in")
        .output()
        .unwrap();
    assert!(!String::from_utf8(help.stdout).unwrap().contains("let me in"));
    let (said, code) = server.publish(&["--line", "x", "--server", "nats://hall:word@127.0.0.1"], "");
    assert!(code == 2 && said.contains("--password-file"), "{said}");
}

#[test]
fn a_server_or_a_journal_of_another_event_is_named() {
    let Some(server) = Server::start("") else { return };
    assert_eq!(server.publish(&["--line", "x"], &run(FIRST, 1..=3)), (String::new(), 0));
    let office = server.path("event.jsonl").display().to_string();
    server.subscribe(&["--journal", &office], 4);
    let before = fs::read(&office).unwrap();
    let said_by = |arguments: &[&str]| {
        let output = Command::new(assert_cmd::cargo::cargo_bin!("boardbus"))
            .args(["subscribe", "--server", &server.url(), "--event", "youth"])
            .args(arguments)
            .output()
            .unwrap();
        (String::from_utf8(output.stderr).unwrap(), output.status.code())
    };
    let (said, code) = said_by(&[]);
    assert!(code == Some(3) && said.contains("no event youth there, but open"), "{said}");
    let (said, code) = said_by(&["--journal", &office]);
    assert!(code == Some(4) && said.contains("holds the records of event open"), "{said}");
    assert_eq!(fs::read(&office).unwrap(), before);
    let nobody = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let absent = format!("nats://{nobody}");
    let arguments = ["publish", "--line", "x", "--server", &absent, "--event", "open", "--give-up", "0"];
    let (_, said, code) = super::program::run(&arguments, "");
    assert!(code == 3 && said.contains("no server answers") && said.lines().count() == 1, "{said}");
}

#[test]
fn records_that_the_server_has_no_more_are_a_gap() {
    let Some(server) = Server::start("") else { return };
    let hall = ["--line", "x"];
    for last in [10, 20, 30] {
        assert_eq!(server.publish(&hall, &run(FIRST, 1..=last)), (String::new(), 0));
    }
    let answer = server.ask("$JS.API.STREAM.MSG.DELETE.boardbus-open", "{\"seq\":2}");
    assert!(answer.contains("\"success\":true"), "{answer}");
    let told = server.subscribe(&[], 22);
    let lines: Vec<&str> = told.lines().collect();
    let fault: serde_json::Value = serde_json::from_str(lines[11]).unwrap();
    assert_eq!(
        (&fault["type"], &fault["kind"], &fault["line"]),
        (&"fault".into(), &"gap".into(), &"x".into())
    );
    assert!(fault["time"].is_null() && lines[12].contains("\"seq\":21"), "{told}");
}

#[test]
fn a_server_that_is_killed_and_one_that_lost_everything_get_the_rest_and_the_office_has_it_once() {
    let Some(mut server) = Server::start("") else { return };
    let office = server.path("event.jsonl").display().to_string();
    let written = || fs::read_to_string(&office).unwrap_or_default();
    let mut subscriber =
        server.command("subscribe", &["--journal", &office]).stdout(Stdio::null()).spawn().unwrap();
    let mut publisher = server.command("publish", &["--line", "x"]).stdin(Stdio::piped()).spawn().unwrap();
    let mut to = publisher.stdin.take().unwrap();
    to.write_all(run(FIRST, 1..=1).as_bytes()).unwrap();
    for seq in 2..=12 {
        until(|| written().contains(&format!("\"seq\":{}}}", seq - 1)).then_some(()));
        if seq == 7 {
            // A disk that was replaced.
            server.kill();
            fs::remove_dir_all(server.path("store")).unwrap();
        }
        if seq % 2 == 1 {
            server.restart();
        }
        writeln!(to, "{{\"type\":\"quiet\",\"board\":1,\"seq\":{seq}}}").unwrap();
    }
    until(|| written().contains("\"seq\":12}").then_some(()));
    drop(to);
    assert!(publisher.wait().unwrap().success());
    end(&mut subscriber);
    let numbers: Vec<u64> = written()
        .lines()
        .filter_map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap()["seq"].as_u64())
        .collect();
    assert_eq!(numbers, (1..=12).collect::<Vec<_>>());
}

#[test]
fn games_are_carried_as_they_are_reconstructed_and_not_what_is_told_because_the_input_ended() {
    let Some(server) = Server::start("") else { return };
    let mut journal = format!("{{\"type\":\"stream\",\"records\":1,\"run\":\"{FIRST}\",\"line\":\"x\"}}\n");
    let start = "\"type\":\"position\",\"placement\":\"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR\"";
    let change =
        |square: &str, piece: &str| format!("\"type\":\"change\",\"square\":\"{square}\",\"piece\":{piece}");
    let events = [
        start.to_owned(),
        change("e2", "null"),
        change("e4", "\"P\""),
        "\"type\":\"quiet\"".to_owned(),
        change("e7", "null"),
        change("e5", "\"p\""),
        "\"type\":\"quiet\"".to_owned(),
    ];
    let mut games = Vec::new();
    for (n, event) in events.iter().enumerate() {
        journal += &format!(
            "{{{event},\"line\":\"x\",\"board\":1,\"seq\":{},\"time\":\"2026-11-21T10:00:{:02}.000Z\"}}\n",
            n + 1,
            10 * n.min(5)
        );
        if n == 3 || n == 6 {
            let reconstruct = super::program::output_of(&["reconstruct"], journal.clone());
            assert_eq!(server.publish(&["--games"], &reconstruct), (String::new(), 0));
            games.push(reconstruct);
        }
    }
    let (said, code) = server.publish(&[], &games[0]);
    assert!(code == 0 && said.contains("--games"), "{said}");
    let told = server.subscribe(&["--games"], 4);
    let moves: Vec<String> = super::program::records(&told)
        .iter()
        .filter_map(|record| Some(record["san"].as_str()?.to_owned()))
        .collect();
    assert_eq!(moves, ["e4", "e5"]);
    assert!(!told.contains("input-end") && told.contains(&format!("\"run\":\"{FIRST}-games\"")), "{told}");
}

#[test]
fn a_journal_that_grows_is_followed_and_one_that_is_old_is_refused_then_too() {
    let Some(server) = Server::start("") else { return };
    let journal = server.path("hall.jsonl");
    fs::write(&journal, run(FIRST, 1..=5)).unwrap();
    let follow = ["--line", "x", "--follow", journal.to_str().unwrap()];
    let mut publisher = server.command("publish", &follow).spawn().unwrap();
    assert_eq!(server.subscribe(&[], 6), of_line(&run(FIRST, 1..=5), "x"));
    let mut file = fs::File::options().append(true).open(&journal).unwrap();
    file.write_all(b"{\"type\":\"quiet\",\"seq\":6}\n").unwrap();
    assert!(server.subscribe(&[], 7).ends_with("\"seq\":6}\n"));
    end(&mut publisher);
    let old = server.path("old.jsonl");
    fs::write(&old, run(FIRST, 1..=3)).unwrap();
    let (said, code) = server.publish(&["--line", "x", "--follow", old.to_str().unwrap()], "");
    assert!(code == 4 && said.contains("old.jsonl") && said.contains("line x"), "{said}");
}
