//! A real nats-server for a test, and the commands that speak to it.

use std::{
    fs,
    io::{ErrorKind, Read, Write},
    net::{Shutdown, TcpListener, TcpStream},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::atomic::{AtomicU32, Ordering},
    time::{Duration, Instant},
};

use tempfile::TempDir;

use crate::program::records;

/// How long anything may take before a test gives up.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// A server of its own for a test.
pub struct Server {
    process: Child,
    pub port: u16,
    /// How its address begins.
    scheme: &'static str,
    pub folder: TempDir,
    /// More for its command line.
    arguments: Vec<String>,
}

impl Drop for Server {
    fn drop(&mut self) {
        self.kill();
        if std::thread::panicking() {
            let log = fs::read_to_string(self.path("log")).unwrap_or_default();
            eprintln!("-- the server on {} said:\n{log}", self.port);
        }
    }
}

pub fn program() -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::env::split_paths(&path).chain([PathBuf::from("/usr/sbin")]);
    let found = folders.map(|folder| folder.join("nats-server")).find(|program| program.is_file());
    if found.is_none() {
        eprintln!("SKIPPED: nats-server is not installed (on Debian: apt-get install nats-server)");
    }
    found
}

/// A port for a server that is yet to start, and to start again: below those that the kernel hands out, so that nobody's
/// connection takes it meanwhile, and far from those of another run of the tests.
pub fn free_port() -> u16 {
    static TAKEN: AtomicU32 = AtomicU32::new(0);
    let first = std::process::id().wrapping_mul(101);
    let next = || 10_000 + (first.wrapping_add(TAKEN.fetch_add(1, Ordering::Relaxed)) % 20_000) as u16;
    let is_free = |port: &u16| TcpListener::bind(("127.0.0.1", *port)).is_ok();
    std::iter::repeat_with(next).take(20_000).find(is_free).unwrap()
}

impl Server {
    /// Starts a server, with lines of its configuration; none where the program is missing.
    pub fn start(configuration: &str) -> Option<Server> {
        let program = program()?;
        let folder = tempfile::tempdir().unwrap();
        let port = free_port();
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
        let scheme = if configuration.contains("tls {") { "tls" } else { "nats" };
        let server = Server { process, port, scheme, folder, arguments };
        server.wait();
        Some(server)
    }

    pub fn run(program: &Path, arguments: &[String], folder: &Path) -> Child {
        let log = fs::File::options().create(true).append(true).open(folder.join("log")).unwrap();
        Command::new(program).args(arguments).stdout(Stdio::null()).stderr(log).spawn().unwrap()
    }

    /// Waits until it takes connections.
    pub fn wait(&self) {
        let begun = Instant::now();
        while TcpStream::connect(("127.0.0.1", self.port)).is_err() {
            assert!(begun.elapsed() < PATIENCE, "the server does not start");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    pub fn kill(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }

    pub fn restart(&mut self) {
        self.kill();
        self.process = Server::run(&program().unwrap(), &self.arguments, self.folder.path());
        self.wait();
    }

    /// Has records published and subscribed one by one, up to this number; before the next is written, something is done to the
    /// server. In the end the office has each once, in order.
    pub fn carries_one_by_one(&mut self, last: u64, mut before: impl FnMut(&mut Server, u64)) {
        let office = self.path("event.jsonl").display().to_string();
        let written = || fs::read_to_string(&office).unwrap_or_default();
        let mut subscriber =
            self.command("subscribe", &["--journal", &office]).stdout(Stdio::null()).spawn().unwrap();
        let mut publisher = self.command("publish", &["--line", "x"]).stdin(Stdio::piped()).spawn().unwrap();
        let mut to = publisher.stdin.take().unwrap();
        to.write_all(run(FIRST, 1..=1).as_bytes()).unwrap();
        for seq in 2..=last {
            until(|| written().contains(&format!("\"seq\":{}}}", seq - 1)).then_some(()));
            before(self, seq);
            writeln!(to, "{{\"type\":\"quiet\",\"board\":1,\"seq\":{seq}}}").unwrap();
        }
        until(|| written().contains(&format!("\"seq\":{last}}}")).then_some(()));
        drop(to);
        assert!(publisher.wait().unwrap().success());
        end(&mut subscriber);
        assert_eq!(numbers(&written()), (1..=last).collect::<Vec<_>>());
    }

    pub fn url(&self) -> String {
        format!("{}://127.0.0.1:{}", self.scheme, self.port)
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// A command of boardbus for the event `open`.
    pub fn command(&self, name: &str, arguments: &[&str]) -> Command {
        let mut command = Command::new(assert_cmd::cargo::cargo_bin!("boardbus"));
        command.args([name, "--server", &self.url(), "--event", "open"]).args(arguments);
        command.env_remove("BOARDBUS_PASSWORD").env_remove("BOARDBUS_TOKEN");
        command
    }

    /// Publishes, and brings what was said and the exit code.
    pub fn publish(&self, arguments: &[&str], input: &str) -> (String, i32) {
        let mut command = self.command("publish", arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        // Who is refused ends without reading all of it.
        if let Err(error) = child.stdin.take().unwrap().write_all(input.as_bytes()) {
            assert_eq!(error.kind(), ErrorKind::BrokenPipe);
        }
        let output = child.wait_with_output().unwrap();
        (String::from_utf8(output.stderr).unwrap(), output.status.code().unwrap())
    }

    /// What a subscriber writes, once that many lines are there and no more come with the next message.
    pub fn subscribe(&self, arguments: &[&str], lines: usize) -> String {
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
    pub fn ask(&self, subject: &str, what: &str) -> String {
        self.ask_with(&[], subject, what)
    }

    /// The same, with lines of headers.
    pub fn ask_with(&self, headers: &[&str], subject: &str, what: &str) -> String {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let lines: String = headers.iter().map(|line| format!("{line}\r\n")).collect();
        let head = if headers.is_empty() { lines } else { format!("NATS/1.0\r\n{lines}\r\n") };
        let (length, whole) = (head.len(), head.len() + what.len());
        let put = if headers.is_empty() {
            format!("PUB {subject} answer {whole}")
        } else {
            format!("HPUB {subject} answer {length} {whole}")
        };
        write!(stream, "CONNECT {{\"headers\":true}}\r\nSUB answer 1\r\n{put}\r\n{head}{what}\r\n").unwrap();
        let mut answer = String::new();
        while !answer.contains("MSG answer") || !answer.trim_end().ends_with('}') {
            let mut bytes = [0; 4096];
            let n = match stream.read(&mut bytes) {
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                n => n.unwrap(),
            };
            answer += str::from_utf8(&bytes[..n]).unwrap();
        }
        answer
    }
}

pub fn end(child: &mut Child) {
    let pid = rustix::process::Pid::from_child(child);
    rustix::process::kill_process(pid, rustix::process::Signal::TERM).unwrap();
    child.wait().unwrap();
}

pub fn until<T>(mut done: impl FnMut() -> Option<T>) -> T {
    let begun = Instant::now();
    loop {
        if let Some(done) = done() {
            return done;
        }
        assert!(begun.elapsed() < PATIENCE, "it does not come");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// The numbers of the records in a journal, in their order.
pub fn numbers(journal: &str) -> Vec<u64> {
    let number = |line| serde_json::from_str::<serde_json::Value>(line).unwrap()["seq"].as_u64();
    journal.lines().filter_map(number).collect()
}

/// A run of a hall: its stream record and so many changes.
pub fn run(name: &str, changes: std::ops::RangeInclusive<u32>) -> String {
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
pub fn of_line(text: &str, line: &str) -> String {
    let mut of_line = String::new();
    for record in text.lines() {
        let (kind, rest) = record.split_once(',').unwrap();
        of_line += &format!("{kind},\"line\":\"{line}\",{rest}\n");
    }
    of_line
}

/// What was published of what a journal of `subscribe` holds; the records of its own are held beside the schema.
pub fn published(journal: &str) -> String {
    let (own, published): (Vec<&str>, Vec<&str>) =
        journal.split_inclusive('\n').partition(|line| line.contains("\"delivery\""));
    assert!(!records(own.concat()).is_empty());
    published.concat()
}

pub const FIRST: &str = "20261121T100000-1";
pub const SECOND: &str = "20261121T110000-1";

/// A way between a command and its server that carries so many bytes a second, either way.
pub struct SlowWay {
    pub url: String,
}

impl SlowWay {
    pub fn to(server: &Server, rate: u32) -> SlowWay {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("nats://{}", listener.local_addr().unwrap());
        let port = server.port;
        std::thread::spawn(move || {
            for near in listener.incoming() {
                let (Ok(near), Ok(far)) = (near, TcpStream::connect(("127.0.0.1", port))) else { return };
                let [near_too, far_too] = [&near, &far].map(|stream| stream.try_clone().unwrap());
                std::thread::spawn(move || pump(near, far, rate));
                std::thread::spawn(move || pump(far_too, near_too, rate));
            }
        });
        SlowWay { url }
    }
}

fn pump(mut from: TcpStream, mut to: TcpStream, rate: u32) {
    let mut block = [0; 1024];
    while let Ok(n @ 1..) = from.read(&mut block) {
        std::thread::sleep(Duration::from_secs(1) * n as u32 / rate);
        if to.write_all(&block[..n]).is_err() {
            break;
        }
    }
    let _ = (from.shutdown(Shutdown::Both), to.shutdown(Shutdown::Both));
}
