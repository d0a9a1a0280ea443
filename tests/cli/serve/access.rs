//! Who may connect, and what ends a connection.

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
    process::{Command, Stdio},
};

use serde_json::Value;
use tungstenite::{Message, client::IntoClientRequest};

use super::{Client, Server};

const UPGRADE: &str = "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n\
                       Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";

#[test]
fn pages_may_request_livechess_paths_and_no_others() {
    let server = Server::with_two_boards(&["--origin", "https://club.example"]);
    let status = |path: &str, fields: &str| server.get(path, fields).0;
    let (lichess, club) = ("Origin: https://lichess.org\r\n", "Origin: https://club.example\r\n");
    let own = format!("Origin: http://localhost:{}\r\n", server.port);
    let (answered, head, _) = server.get("/api/v1.0/eboards", lichess);
    assert_eq!(answered, 200);
    assert!(head.contains("Access-Control-Allow-Origin: https://lichess.org\r\n"), "{head}");
    assert_eq!(status("/doc/index.html", lichess), 200);
    for path in ["/", "/records"] {
        assert_eq!(status(path, lichess), 403, "{path}");
    }
    assert_eq!([status("/", ""), status("/", club), status("/", &own)], [200; 3]);
    // Names that lead here by a trick.
    for path in ["/", "/api/v1.0/eboards"] {
        for host in ["evil.example", "evil.example:1982", "localhost.evil.example", "127.0.0.1.nip.io"] {
            assert_eq!(status(path, &format!("Host: {host}\r\n")), 403, "{host}");
        }
    }
    assert_eq!(status("/api/v1.0", &format!("Host: evil.example\r\n{UPGRADE}")), 403);
    assert_eq!(server.ask("GET /api/v1.0/eboards HTTP/1.1\r\n\r\n").0, 400);
    let mut request = format!("ws://127.0.0.1:{}/records", server.port).into_client_request().unwrap();
    request.headers_mut().insert("Origin", "https://lichess.org".parse().unwrap());
    assert!(Client::with(server.port, request.clone()).is_err());
    *request.uri_mut() = format!("ws://127.0.0.1:{}/api/v1.0", server.port).parse().unwrap();
    let mut client = Client::with(server.port, request).unwrap();
    assert_eq!(client.done("eboards", Value::Null).as_array().unwrap().len(), 2);
}

#[test]
fn malformed_requests_are_refused_and_others_served() {
    let server = Server::with_two_boards(&[]);
    let mut half = TcpStream::connect(("127.0.0.1", server.port)).unwrap();
    half.write_all(b"GET /api/v1.0 HT").unwrap();
    assert_eq!(server.ask("\x01\x02\r\n\r\n").0, 400);
    assert_eq!(server.ask(&format!("GET /{} HTTP/1.1\r\n\r\n", "x".repeat(20_000))).0, 431);
    assert_eq!(server.ask("POST /api/v1.0/eboards HTTP/1.1\r\nHost: localhost\r\n\r\n").0, 405);
    assert_eq!(server.get("/nothing", "").0, 404);
    assert_eq!(server.get("/nothing", UPGRADE).0, 404);
    assert_eq!(server.client().done("eboards", Value::Null).as_array().unwrap().len(), 2);
    // What was begun goes on.
    half.write_all(format!("TP/1.1\r\nHost: localhost\r\n{UPGRADE}\r\n").as_bytes()).unwrap();
    let mut begun = [0; 12];
    std::io::Read::read_exact(&mut half, &mut begun).unwrap();
    assert_eq!(&begun, b"HTTP/1.1 101");
}

#[test]
fn overlong_messages_end_their_connection_with_a_report() {
    let mut server = Server::with_two_boards(&[]);
    let mut client = server.client();
    client.socket.send(Message::text("x".repeat(65_537))).unwrap();
    let said = server.says("64 kB");
    assert!(said.contains("sent a message of more than 64 kB"), "{said}");
    while client.socket.read().is_ok() {}
    assert_eq!(server.client().done("eboards", Value::Null).as_array().unwrap().len(), 2);
}

#[test]
fn clients_that_do_not_read_are_ended_alone() {
    let mut server = Server::with_two_boards(&[]);
    let (mut idle, mut client) = (server.client(), server.client());
    // Many feeds of one board: each change is published by each of them.
    for feed in 1..=800 {
        idle.follow(feed, "1025");
    }
    client.follow(1, "1026");
    let mut turns = 0;
    let said = loop {
        turns += 1;
        assert!(turns < 200, "it was never ended");
        for _ in 0..20 {
            server.change(1025, "e2", "");
            server.change(1025, "e2", "P");
        }
        server.change(1026, "a2", if turns % 2 == 0 { "P" } else { "" });
        client.fed(1);
        // What is said of a client is said before the next turn ends.
        if turns > 100 {
            break server.says("does not read");
        }
    };
    assert!(said.contains("its connection is ended"), "{said}");
    server.change(1026, "b2", "");
    client.fed(1);
}

#[test]
fn connections_are_limited_and_released() {
    let mut server = Server::with_two_boards(&["--clients", "3"]);
    let clients: Vec<Client> = (0..3).map(|_| server.client()).collect();
    assert_eq!(server.get("/", "").0, 503);
    server.says("--clients");
    drop(clients);
    // They have gone when the server has seen it.
    let room = (0..1000).any(|_| {
        std::thread::yield_now();
        server.get("/", "").0 == 200
    });
    assert!(room);
    for _ in 0..300 {
        drop(TcpStream::connect(("127.0.0.1", server.port)).unwrap());
    }
    let room = (0..1000).any(|_| server.get("/", "").0 == 200);
    assert!(room);
}

#[test]
fn everything_is_held_back_for_the_delay() {
    let mut server = Server::start(&["--delay", "1h"]);
    // Long ago, and now.
    server.report(
        r#"{"type":"position","time":"2026-01-01T10:00:00Z","board":1,"placement":"8/8/8/8/8/8/8/K6k"}"#,
    );
    server.report(
        r#"{"type":"clock","time":"2026-01-01T10:00:00Z","board":1,"connected":true,"left":{"seconds":9,"flag":false},"right":{"seconds":8,"flag":false},"running":true,"turn":"left"}"#,
    );
    let now = jiff::Timestamp::now();
    server.report(&format!(r#"{{"type":"change","time":"{now:.3}","board":1,"square":"a1","piece":null}}"#));
    server.report(&format!(
        r#"{{"type":"position","time":"{now:.3}","board":2,"placement":"8/8/8/8/8/8/8/K6k"}}"#
    ));
    server.until(|boards| boards[0]["board"] == "8/8/8/8/8/8/8/K6k" && !boards[0]["clock"].is_null());
    // Programs count on from the time of a clock, which therefore is late, too.
    let late: jiff::Timestamp = "2026-01-01T11:00:00Z".parse().unwrap();
    let clock = &server.json("/api/v1.0/eboards")[0]["clock"];
    assert_eq!((&clock["white"], &clock["time"]), (&9.into(), &late.as_millisecond().into()));
    let mut records = server.client_at("/records");
    let mut client = server.client();
    let boards = client.done("eboards", Value::Null);
    assert_eq!((boards.as_array().unwrap().len(), &boards[0]["board"]), (1, &"8/8/8/8/8/8/8/K6k".into()));
    assert_eq!(server.json("/api/v1.0/eboards").as_array().unwrap().len(), 1);
    let page = server.get("/", "").2;
    assert!(page.contains("1 of 1 boards") || page.contains("0 of 1 boards"), "{page}");
    records.socket.get_ref().set_nonblocking(true).unwrap();
    assert!(records.socket.read().is_err());
}

#[test]
fn repeated_refusals_are_counted_on_standard_error() {
    let mut server = Server::with_two_boards(&[]);
    for _ in 0..60 {
        assert_eq!(server.get("/records", "Origin: https://evil.example\r\n").0, 403);
    }
    let lines = server.stop();
    let refused: Vec<&String> = lines.iter().filter(|line| line.contains("is refused /records")).collect();
    assert_eq!(refused.len(), 2, "{lines:?}");
    assert!(refused[1].contains("127.0.0.1: 59 more within a minute, the last: 127.0.0.1:"), "{refused:?}");
}

#[test]
fn who_shows_the_token_may_ask_for_everything() {
    let server = Server::with_two_boards(&["--token", "secret"]);
    let status =
        |path: &str, fields: &str| server.get(path, &format!("Origin: https://evil.example\r\n{fields}")).0;
    assert_eq!([status("/", ""), status("/?token=secre", ""), status("/?token=", "")], [403; 3]);
    assert_eq!(status("/?token=secret", ""), 200);
    assert_eq!(status("/", "Authorization: Bearer secret\r\n"), 200);
    assert_eq!(status("/", "Authorization: Bearer secre\r\n"), 403);
    // What LiveChess has needs none on loopback.
    assert_eq!(status("/api/v1.0/eboards", ""), 200);
    let of_environment = Server::listening("127.0.0.1", &[], &[("BOARDBUS_TOKEN", "secret")]);
    let with = |path: &str| of_environment.get(path, "Origin: https://evil.example\r\n").0;
    assert_eq!((with("/"), with("/?token=secret")), (403, 200));
}

/// The address of this machine in its network, where it has one: no packet is sent.
fn own_address() -> Option<std::net::IpAddr> {
    let socket = std::net::UdpSocket::bind(("0.0.0.0", 0)).ok()?;
    socket.connect(("192.0.2.1", 9)).ok()?;
    Some(socket.local_addr().ok()?.ip()).filter(|own| !own.is_loopback() && !own.is_unspecified())
}

#[test]
fn from_another_address_than_loopback_a_token_is_needed() {
    // A machine without a network has loopback alone.
    let Some(own) = own_address() else { return };
    let own = own.to_string();
    let server = Server::listening(&own, &["--token", "secret"], &[]);
    let status = |path: &str| {
        let mut stream = TcpStream::connect((&*own, server.port)).unwrap();
        stream.write_all(format!("GET {path} HTTP/1.1\r\nHost: {own}\r\n\r\n").as_bytes()).unwrap();
        let mut answer = String::new();
        std::io::Read::read_to_string(&mut stream, &mut answer).unwrap();
        answer.split(' ').nth(1).unwrap().to_owned()
    };
    let paths =
        ["/api/v1.0/eboards", "/", "/?token=wrong", "/?token=secret", "/api/v1.0/eboards?token=secret"];
    assert_eq!(paths.map(status), ["403", "403", "403", "200", "200"]);
}

#[test]
fn clients_are_limited_by_the_files_that_may_be_open() {
    let script = r#"ulimit -n 140; exec "$0" serve --listen 127.0.0.1 --port 0"#;
    let mut command = Command::new("sh");
    command.args(["-c", script, env!("CARGO_BIN_EXE_boardbus")]).stdin(Stdio::piped()).stderr(Stdio::piped());
    let mut server = command.spawn().unwrap();
    let mut said = BufReader::new(server.stderr.take().unwrap()).lines().map(Result::unwrap);
    let serves = said.next().unwrap();
    let port: u16 = serves.rsplit(':').next().unwrap().parse().unwrap();
    let room = said.next().unwrap();
    assert!(room.contains("there is room for 11 connections, not for 1000"), "{room}");
    drop(server.stdin.take());
    // All that has been read is served from then on.
    let connect = || TcpStream::connect(("127.0.0.1", port)).unwrap();
    let open: Vec<TcpStream> = (0..11).map(|_| connect()).collect();
    let mut answer = String::new();
    connect().read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 503 "), "{answer}");
    drop(open);
    server.kill().unwrap();
    server.wait().unwrap();
}
