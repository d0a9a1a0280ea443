//! `serve`: LiveChess's interface held to what its clients need, by a client of our own; records come from the test.

mod access;
mod calls;
mod feed;
mod files;
mod moves;

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
    path::Path,
    process::{Child, ChildStdin, Command, Stdio},
    time::{SystemTime, UNIX_EPOCH},
};

use serde_json::{Value, json};
use tungstenite::{Message, WebSocket, client::IntoClientRequest};

use super::hall::DEADLINE;

pub const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
pub const START_FEN: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// `serve` at work.
pub struct Server {
    child: Child,
    stdin: Option<ChildStdin>,
    said: BufReader<std::process::ChildStderr>,
    pub port: u16,
    /// The time of the records, in seconds of a day.
    pub now: f64,
}

impl Server {
    /// Reads records of the test.
    pub fn start(args: &[&str]) -> Server {
        Server::listening("127.0.0.1", args, &[])
    }

    /// The same on another address than loopback's, with an environment.
    pub fn listening(address: &str, args: &[&str], environment: &[(&str, &str)]) -> Server {
        let args = [&["--listen", address, "--port", "0"], args].concat();
        Server::command(address, &args, environment, true)
    }

    /// Follows a file.
    pub fn following(file: &Path, args: &[&str]) -> Server {
        let of_file = ["--listen", "127.0.0.1", "--port", "0", "--follow", file.to_str().unwrap()];
        Server::command("127.0.0.1", &[&of_file, args].concat(), &[], false)
    }

    fn command(address: &str, args: &[&str], environment: &[(&str, &str)], piped: bool) -> Server {
        let mut command = Command::new(env!("CARGO_BIN_EXE_boardbus"));
        command.arg("serve").args(args).envs(environment.iter().copied()).stderr(Stdio::piped());
        command.stdin(if piped { Stdio::piped() } else { Stdio::null() });
        let mut child = command.spawn().unwrap();
        let mut said = BufReader::new(child.stderr.take().unwrap());
        let mut line = String::new();
        said.read_line(&mut line).unwrap();
        let port =
            line.split(&format!("{address}:")).nth(1).and_then(|rest| rest.split([' ', ',', '\n']).next());
        let port = port.and_then(|port| port.parse().ok()).unwrap_or_else(|| panic!("{line}"));
        Server { stdin: child.stdin.take(), child, said, port, now: 0.0 }
    }

    /// One with two boards that stand at the start.
    pub fn with_two_boards(args: &[&str]) -> Server {
        let mut server = Server::start(args);
        server.report(r#"{"type":"stream","records":1,"run":"a"}"#);
        for board in [1025, 1026] {
            server.record(board, r#""type":"board","port":"/dev/ttyUSB0","mode":"bus","version":"1.6""#);
            server.record(board, &format!(r#""type":"position","placement":"{START}""#));
        }
        server.until(|boards| boards[1]["board"] == START);
        server
    }

    /// One with a board that stands so, 1025.
    pub fn with_board(placement: &str) -> Server {
        let mut server = Server::start(&[]);
        server.report(r#"{"type":"stream","records":1,"run":"a"}"#);
        server.record(1025, &format!(r#""type":"position","placement":"{placement}""#));
        server.until(|boards| boards[0]["board"] == placement);
        server
    }

    /// Waits until the boards are so: what was read has been taken in.
    pub fn until(&self, are_so: impl Fn(&Value) -> bool) {
        let since = std::time::Instant::now();
        while since.elapsed() < DEADLINE {
            if are_so(&self.json("/api/v1.0/eboards")) {
                return;
            }
        }
        panic!("the boards never were so");
    }

    /// Writes a line to its input.
    pub fn report(&mut self, line: &str) {
        let stdin = self.stdin.as_mut().unwrap();
        stdin.write_all(format!("{line}\n").as_bytes()).unwrap();
    }

    /// A record of a board at the time that it is.
    pub fn record(&mut self, board: u16, event: &str) {
        let seconds = self.now;
        let (minutes, seconds) = ((seconds / 60.0).floor(), seconds % 60.0);
        self.report(&format!(
            r#"{{"time":"2026-11-28T10:{minutes:02}:{seconds:06.3}Z","board":{board},{event}}}"#
        ));
    }

    /// A square changes.
    pub fn change(&mut self, board: u16, square: &str, piece: &str) {
        let piece = if piece.is_empty() { "null".to_owned() } else { format!("\"{piece}\"") };
        self.record(board, &format!(r#""type":"change","square":"{square}","piece":{piece}"#));
    }

    /// A piece is moved, and rests.
    pub fn play(&mut self, board: u16, from: &str, to: &str, piece: &str) {
        self.now += 2.0;
        self.change(board, from, "");
        self.change(board, to, piece);
        self.rest(board);
    }

    /// What `watch` reports of pieces that rest: soon, and when they have settled.
    pub fn rest(&mut self, board: u16) {
        for seconds in [0.3, 1.2] {
            self.now += seconds;
            self.record(board, r#""type":"quiet""#);
        }
    }

    /// The input ends.
    pub fn end_input(&mut self) {
        self.stdin = None;
    }

    /// What it says on standard error until a line has this.
    pub fn says(&mut self, what: &str) -> String {
        let mut line = String::new();
        while !line.contains(what) {
            line.clear();
            assert!(self.said.read_line(&mut line).unwrap() > 0, "it never said {what}");
        }
        line
    }

    /// It is stopped; what it reports on standard error until it has ended.
    pub fn stop(&mut self) -> Vec<String> {
        let pid = rustix::process::Pid::from_child(&self.child);
        rustix::process::kill_process(pid, rustix::process::Signal::TERM).unwrap();
        (&mut self.said).lines().map(Result::unwrap).collect()
    }

    /// A client of LiveChess's interface.
    pub fn client(&self) -> Client {
        self.client_at("/api/v1.0")
    }

    pub fn client_at(&self, path: &str) -> Client {
        Client::connect(self.port, path)
    }

    /// What an HTTP request is answered: status, fields, body.
    pub fn get(&self, path: &str, fields: &str) -> (u16, String, String) {
        let host = format!("Host: localhost:{}\r\n", self.port);
        let host = if fields.contains("Host:") { "" } else { &host };
        self.ask(&format!("GET {path} HTTP/1.1\r\n{host}{fields}\r\n"))
    }

    /// The same of bytes.
    pub fn ask(&self, request: &str) -> (u16, String, String) {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.set_read_timeout(Some(DEADLINE)).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        let answer = String::from_utf8(answer).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap_or((&answer, ""));
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or_default();
        (status, head.to_owned(), body.to_owned())
    }

    pub fn json(&self, path: &str) -> Value {
        let (status, head, body) = self.get(path, "");
        assert!(status == 200 && head.contains("Content-Type: application/json\r\n"), "{head}");
        serde_json::from_str(&body).unwrap()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A client that checks of each message what all have.
pub struct Client {
    pub socket: WebSocket<TcpStream>,
    id: u64,
}

impl Client {
    pub fn connect(port: u16, path: &str) -> Client {
        let request = format!("ws://127.0.0.1:{port}{path}").into_client_request().unwrap();
        Client::with(port, request).unwrap_or_else(|e| panic!("{path}: {e}"))
    }

    pub fn with(port: u16, request: tungstenite::handshake::client::Request) -> Result<Client, String> {
        let stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
        stream.set_read_timeout(Some(DEADLINE)).unwrap();
        let (socket, _) = tungstenite::client(request, stream).map_err(|e| e.to_string())?;
        Ok(Client { socket, id: 0 })
    }

    pub fn send(&mut self, text: &str) {
        self.socket.send(Message::text(text)).unwrap();
    }

    /// The next text, as JSON.
    pub fn text(&mut self) -> Value {
        loop {
            match self.socket.read().unwrap() {
                Message::Text(text) => return serde_json::from_str(&text).unwrap(),
                Message::Close(frame) => panic!("closed: {frame:?}"),
                _ => {}
            }
        }
    }

    /// The next message, of which it is held that it has exactly the four fields of LiveChess.
    pub fn next(&mut self) -> Value {
        let message = self.text();
        assert_eq!(keys(&message), ["id", "param", "response", "time"], "{message}");
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_millis() as i64;
        assert!((now - message["time"].as_i64().unwrap()).abs() < 60_000, "{message}");
        message
    }

    /// Calls, and gets the answer, which is the next message.
    pub fn call(&mut self, call: &str, param: Value) -> Value {
        self.id += 1;
        self.send(&json!({"id": self.id, "call": call, "param": param}).to_string());
        let answer = self.next();
        assert_eq!(answer["id"], self.id, "{answer}");
        answer
    }

    /// The same of a call that is done.
    pub fn done(&mut self, call: &str, param: Value) -> Value {
        let answer = self.call(call, param);
        assert_eq!(answer["response"], "call", "{answer}");
        answer["param"].clone()
    }

    /// Follows a board; the first message.
    pub fn follow(&mut self, feed: u64, board: &str) -> Value {
        let param = json!({"feed": "eboardevent", "id": feed, "param": {"serialnr": board}});
        assert_eq!(self.done("subscribe", param), Value::Null);
        self.fed(feed)
    }

    /// Sets a position up; the message behind the answer.
    pub fn set_up(&mut self, feed: u64, fen: &str) -> Value {
        let param = json!({"id": feed, "method": "setup", "param": {"fen": fen}});
        assert_eq!(self.done("call", param), Value::Null);
        self.fed(feed)
    }

    /// What a feed reports next.
    pub fn fed(&mut self, feed: u64) -> Value {
        let message = self.next();
        assert_eq!((&message["response"], &message["id"]), (&json!("feed"), &json!(feed)), "{message}");
        message["param"].clone()
    }

    /// The moves that a feed has published when these are so many; each came in a message of its own.
    pub fn moves(&mut self, feed: u64, count: usize) -> Vec<String> {
        let mut known: Option<usize> = None;
        loop {
            let reported = self.fed(feed);
            let moves: Vec<String> = serde_json::from_value(reported["san"].clone()).unwrap();
            assert!(known.is_none_or(|known| moves.len() <= known + 1), "{moves:?}");
            known = Some(moves.len());
            if moves.len() >= count {
                return moves;
            }
        }
    }
}

/// The names of the fields of an object, sorted.
pub fn keys(object: &Value) -> Vec<&str> {
    let mut keys: Vec<&str> = object.as_object().unwrap().keys().map(String::as_str).collect();
    keys.sort_unstable();
    keys
}
