//! Lines behind a serial server on the network.

use std::{
    fs::File,
    io::{Read, Write},
    net::{Shutdown, TcpListener, TcpStream},
    path::{Path, PathBuf},
    sync::mpsc::channel,
    thread,
    time::{Duration, Instant},
};

use predicates::prelude::*;
use rustix::process::Signal;

use super::{
    hall::{Hall, is_mate, logged},
    program::{command, of, records},
};

/// A serial server for a hall's port, whose network takes so long each way; where it listens.
fn serve(port: PathBuf, delay: Duration) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("tcp://{}", listener.local_addr().unwrap());
    thread::spawn(move || {
        for client in listener.incoming().flatten() {
            connect(client, &port, delay);
        }
    });
    address
}

fn connect(client: TcpStream, port: &Path, delay: Duration) {
    client.set_nodelay(true).unwrap();
    let device = File::options().read(true).write(true).open(port).unwrap();
    let clone = (client.try_clone().unwrap(), device.try_clone().unwrap());
    carry(client, device, delay);
    carry(clone.1, clone.0, delay);
}

/// Carries bytes one way, each so much later.
fn carry(mut from: impl Read + Send + 'static, mut to: impl Write + Send + 'static, delay: Duration) {
    let (put, take) = channel::<(Instant, Vec<u8>)>();
    thread::spawn(move || {
        let mut block = [0; 512];
        while let Ok(n @ 1..) = from.read(&mut block) {
            put.send((Instant::now() + delay, block[..n].to_vec())).unwrap();
        }
    });
    thread::spawn(move || {
        for (due, bytes) in take {
            thread::sleep(due.saturating_duration_since(Instant::now()));
            if to.write_all(&bytes).is_err() {
                return;
            }
        }
    });
}

#[test]
fn boards_on_slow_networks_are_found_with_a_warning() {
    let hall = Hall::open(&["--boards", "2"]);
    let port = serve(hall.port(), Duration::from_millis(60));
    let slow = predicate::str::starts_with(format!("boardbus discover: {port}: answers take "))
        .and(predicate::str::contains(" ms on this line, 4 on a cable: to ask 2 boards once takes 0."))
        .and(predicate::str::ends_with(" s instead of 0.0 s\n"));
    let out = command("discover").args(["--port", &port]).assert().success().stderr(slow);
    let found = records(&out.get_output().stdout);
    let mut boards: Vec<u64> =
        of(&found, "board").iter().map(|found| found["board"].as_u64().unwrap()).collect();
    boards.sort();
    assert_eq!(boards, [1025, 1026]);
    assert_eq!(found[1]["port"], *port);
}

#[test]
fn games_on_slow_networks_are_recorded_completely() {
    let hall = Hall::open(&["--speed", "50", "--start-delay", "0", "--boards", "2"]);
    let port = serve(hall.port(), Duration::from_millis(60));
    let mut watch = hall.spawn_on(&port, "watch", &[]);
    let mut told = watch.until(is_mate);
    watch.signal(Signal::TERM);
    told.extend(watch.rest());
    assert!(of(&told, "lost").is_empty());
    let truth = hall.close();
    for board in [1025, 1026] {
        let (told, truth) = (logged(&told, board), logged(&truth, board));
        assert!(told.len() > 32, "board {board}: {}", told.len());
        assert_eq!(told, truth[..told.len()], "board {board}");
    }
}

#[test]
fn pain_20_closed_server_connections_are_made_again() {
    let hall = Hall::open(&["--boards", "1"]);
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("tcp://{}", listener.local_addr().unwrap());
    let mut watch = hall.spawn_on(&address, "watch", &["--board", "1025"]);
    let (client, _) = listener.accept().unwrap();
    connect(client.try_clone().unwrap(), &hall.port(), Duration::ZERO);
    watch.until(|record| record["type"] == "clock");
    client.shutdown(Shutdown::Both).unwrap();
    let (client, _) = listener.accept().unwrap();
    connect(client, &hall.port(), Duration::ZERO);
    let told = watch.until(|record| record["type"] == "found");
    assert_eq!(of(&told, "lost")[0]["reason"], "port-closed");
    watch.signal(Signal::TERM);
    watch.rest();
}

#[test]
fn a_server_that_is_not_there_is_exit_3() {
    let nobody = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let port = format!("tcp://{nobody}");
    let says = format!("boardbus dump: {port}: nobody listens there: is the serial server running?\n");
    command("dump").args(["--port", &port]).assert().code(3).stdout("").stderr(says);
}

/// A serial server whose port is taken: it says so to everybody, and closes the connection.
fn taken() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("tcp://{}", listener.local_addr().unwrap());
    thread::spawn(move || {
        for mut client in listener.incoming().flatten() {
            let _ = client.write_all(b"Port already in use\r\n");
        }
    });
    address
}

#[test]
fn reasons_of_servers_that_close_connections_are_quoted() {
    let port = taken();
    let about = format!(": {port}: ");
    for arguments in
        [&["discover"][..], &["dump"], &["start", "--board", "1025"], &["from-start"], &["show", "--once"]]
    {
        let mut command = command(arguments[0]);
        let out = command.args(&arguments[1..]).args(["--port", &port]).assert().code(3);
        let said = String::from_utf8(out.get_output().stderr.clone()).unwrap();
        let why = "after it wrote `Port already in use`: look at the serial server";
        assert!(said.contains(&about) && said.contains(why) && !said.contains("plug it in"), "{said}");
    }
}

#[test]
fn closed_server_connections_are_reported_once_and_retried() {
    let hall = Hall::open(&["--boards", "1"]);
    let port = taken();
    let mut watch = hall.spawn_on(&port, "watch", &["--seconds", "3"]);
    watch.rest();
    assert!(watch.child.wait().unwrap().success());
    let said = std::fs::read_to_string(hall.file("stderr")).unwrap();
    assert_eq!(said.matches("after it wrote `Port already in use`: it is waited for\n").count(), 1, "{said}");
}
