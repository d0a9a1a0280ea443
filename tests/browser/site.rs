//! Pages for the tests, made by the program from text or from records as they come, in a folder or on a server.

use std::{
    fs,
    io::{BufRead, BufReader, Write},
    net::{TcpListener, TcpStream},
    path::{Path, PathBuf},
    process::{Child, ChildStdin, Command, Stdio},
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicI64, AtomicUsize, Ordering},
    },
    thread::{self, JoinHandle},
};

use jiff::Timestamp;
use tempfile::TempDir;

/// When the records of these tests begin.
pub const BEGIN: &str = "2026-11-21T10:00:00Z";

/// A folder with pages.
pub struct Site {
    folder: TempDir,
    /// `to-html` at work, and its input.
    live: Option<(Child, ChildStdin)>,
}

fn boardbus(args: &[&str], input: &[u8]) -> Vec<u8> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_boardbus"));
    command.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    thread::scope(|scope| {
        scope.spawn(move || stdin.write_all(input).unwrap());
        child.wait_with_output().unwrap().stdout
    })
}

/// The single page of some PGN or, by its reader, PDN.
pub fn single(reader: &str, text: &str) -> Site {
    let folder = tempfile::tempdir().unwrap();
    let page = boardbus(&["to-html"], &boardbus(&[reader], text.as_bytes()));
    fs::write(folder.path().join("index.html"), page).unwrap();
    Site { folder, live: None }
}

/// The folder of some PGN.
pub fn folder(text: &str) -> Site {
    let folder = tempfile::tempdir().unwrap();
    let output = folder.path().to_str().unwrap();
    boardbus(&["to-html", "--output", output], &boardbus(&["from-pgn"], text.as_bytes()));
    Site { folder, live: None }
}

/// The folder of an event, with the pages of some PGN in `r1`.
pub fn event(text: &str, args: &[&str]) -> Site {
    let folder = tempfile::tempdir().unwrap();
    let (front, round) = (folder.path().to_str().unwrap(), folder.path().join("r1"));
    let output = ["to-html", "--event-page", front, "--output", round.to_str().unwrap()];
    boardbus(&[&output, args].concat(), &boardbus(&["from-pgn"], text.as_bytes()));
    Site { folder, live: None }
}

/// A folder that follows records.
pub fn live(args: &[&str]) -> Site {
    let folder = tempfile::tempdir().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_boardbus"));
    command.args(["to-html", "--output"]).arg(folder.path()).args(args).stdin(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let stdin = child.stdin.take().unwrap();
    Site { folder, live: Some((child, stdin)) }
}

/// Moves of the game that the tests follow: their records without ply.
const MOVES: [(&str, &str, &str); 4] = [
    ("e4", "e2e4", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"),
    ("e5", "e7e5", "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"),
    ("Bc4", "f1c4", "rnbqkbnr/pppp1ppp/8/4p3/2B1P3/8/PPPP1PPP/RNBQK1NR b KQkq - 1 2"),
    ("Nc6", "b8c6", "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/8/PPPP1PPP/RNBQK1NR w KQkq - 2 3"),
];
/// The next game on a board: a record of its first game changed to belong to it.
pub fn next(record: &str) -> String {
    record.replace("\"game\":1", "\"game\":2").replace("T10:00:00", "T10:30:00")
}

/// Another second move of White.
pub const OTHER: (&str, &str, &str) =
    ("Nf3", "g1f3", "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2");

impl Site {
    /// The address of a file of the folder without a server.
    pub fn file(&self, name: &str) -> String {
        format!("file://{}/{name}", self.path().display())
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Writes records to the program.
    pub fn feed(&mut self, records: &[String]) {
        let (_, stdin) = self.live.as_mut().unwrap();
        stdin.write_all((records.join("\n") + "\n").as_bytes()).unwrap();
        stdin.flush().unwrap();
    }

    /// Waits for a file of the folder that contains this text.
    pub fn holds(&self, name: &str, text: &str) {
        while !fs::read_to_string(self.path().join(name)).is_ok_and(|found| found.contains(text)) {
            thread::yield_now();
        }
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        if let Some((mut child, stdin)) = self.live.take() {
            drop(stdin);
            // Whether it was killed or ended by itself does not matter here.
            let _ = child.wait();
        }
    }
}

/// The start of a game on a board.
pub fn game(board: u16) -> String {
    format!(
        r#"{{"type":"game","time":"{BEGIN}","board":{board},"game":1,"rules":"chess","fen":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"}}"#
    )
}

/// The moves of these plies, ten seconds each; each side begins with 300 seconds.
pub fn moves(board: u16, plies: std::ops::RangeInclusive<usize>) -> Vec<String> {
    plies.map(|ply| record(board, ply, MOVES[ply - 1])).collect()
}

/// A move at a ply.
pub fn record(board: u16, ply: usize, (san, uci, fen): (&str, &str, &str)) -> String {
    let (second, seconds) = (ply * 10, 300 - ply.div_ceil(2) * 10);
    format!(
        r#"{{"type":"move","time":"2026-11-21T10:00:{second:02}Z","board":{board},"game":1,"ply":{ply},"san":"{san}","uci":"{uci}","fen":"{fen}","seconds":{seconds}}}"#
    )
}

/// Another record of a game, from its type and further fields.
pub fn other(board: u16, kind: &str, rest: &str) -> String {
    format!(r#"{{"type":"{kind}","time":"2026-11-21T10:01:00Z","board":{board},"game":1,{rest}}}"#)
}

/// A server of the files of a folder.
pub struct Server {
    state: Arc<State>,
    port: u16,
    thread: Option<JoinHandle<()>>,
}

struct State {
    folder: Mutex<PathBuf>,
    /// The time of its clock, in seconds since 1970.
    now: AtomicI64,
    stopped: AtomicBool,
    polls: AtomicUsize,
}

impl Server {
    /// Serves a folder; its clock stands at [`BEGIN`] plus this many seconds.
    pub fn start(folder: &Path, seconds: i64) -> Server {
        let begin: Timestamp = BEGIN.parse().unwrap();
        let state = State {
            folder: Mutex::new(folder.to_owned()),
            now: AtomicI64::new(begin.as_second() + seconds),
            stopped: AtomicBool::new(true),
            polls: AtomicUsize::new(0),
        };
        let mut server = Server { state: Arc::new(state), port: 0, thread: None };
        server.resume();
        server
    }

    /// The address of a file.
    pub fn url(&self, name: &str) -> String {
        format!("http://127.0.0.1:{}/{name}", self.port)
    }

    /// How often `live.json` was requested.
    pub fn polls(&self) -> usize {
        self.state.polls.load(Ordering::SeqCst)
    }

    /// Serves another folder from now on.
    pub fn serve(&self, folder: &Path) {
        folder.clone_into(&mut self.state.folder.lock().unwrap());
    }

    /// Closes the port.
    pub fn stop(&mut self) {
        if let Some(thread) = self.thread.take() {
            self.state.stopped.store(true, Ordering::SeqCst);
            // A connection wakes it.
            let _ = TcpStream::connect(("127.0.0.1", self.port));
            thread.join().unwrap();
        }
    }

    /// Opens the same port again.
    pub fn resume(&mut self) {
        let listener = TcpListener::bind(("127.0.0.1", self.port)).unwrap();
        self.port = listener.local_addr().unwrap().port();
        let state = Arc::clone(&self.state);
        state.stopped.store(false, Ordering::SeqCst);
        self.thread = Some(thread::spawn(move || {
            for stream in listener.incoming() {
                if state.stopped.load(Ordering::SeqCst) {
                    break;
                }
                let state = Arc::clone(&state);
                thread::spawn(move || state.answer(stream.unwrap()));
            }
        }));
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stop();
    }
}

impl State {
    fn answer(&self, mut stream: TcpStream) {
        let mut lines =
            BufReader::new(&stream).lines().map_while(Result::ok).take_while(|line| !line.is_empty());
        let Some(request) = lines.next() else { return };
        lines.for_each(drop);
        let address = request.split(' ').nth(1).unwrap_or("/");
        let name = address.split('?').next().unwrap().trim_start_matches('/');
        if name == "live.json" {
            self.polls.fetch_add(1, Ordering::SeqCst);
        }
        let kind = match name.rsplit('.').next() {
            Some("html") => "text/html; charset=utf-8",
            Some("css") => "text/css; charset=utf-8",
            Some("js") => "text/javascript; charset=utf-8",
            Some("json") => "application/json",
            _ => "text/plain; charset=utf-8",
        };
        let (status, body) = match fs::read(self.folder.lock().unwrap().join(name)) {
            Ok(body) => ("200 OK", body),
            // Browsers request it by themselves.
            Err(_) if name == "favicon.ico" => ("204 No Content", Vec::new()),
            Err(_) => ("404 Not Found", Vec::new()),
        };
        let now = Timestamp::from_second(self.now.load(Ordering::SeqCst)).unwrap();
        let date = now.strftime("%a, %d %b %Y %H:%M:%S GMT");
        let length = body.len();
        let head = format!(
            "HTTP/1.1 {status}\r\nDate: {date}\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n"
        );
        // A client that has disconnected needs no answer.
        let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(&body));
    }
}
