//! Several ports at once, each with a board alone, and ports with something on them that is no board.

use std::{fs, os::unix::fs::symlink, path::PathBuf, time::Duration};

use rustix::{
    process::Signal,
    pty::{OpenptFlags, openpt, ptsname, unlockpt},
    termios::{OptionalActions, tcgetattr, tcsetattr},
};

use super::{
    hall::{Hall, wait},
    program::{command, records},
};

/// A board alone that is played on at once.
const ALONE: &[&str] = &["--mode", "single", "--speed", "20", "--start-delay", "0"];

/// The numbers of the boards that have a change among these records, and the lines of these.
fn moved(printed: &[serde_json::Value]) -> Vec<(Option<String>, u64)> {
    let of = |record: &serde_json::Value| {
        (record["line"].as_str().map(str::to_owned), record["board"].as_u64().unwrap())
    };
    let mut moved: Vec<_> = printed.iter().filter(|record| record["type"] == "change").map(of).collect();
    moved.sort();
    moved.dedup();
    moved
}

#[test]
fn boards_alone_on_several_ports_share_a_line() {
    let halls = [Hall::open(ALONE), Hall::open(ALONE)];
    let second = halls[1].port().display().to_string();
    let name = format!("{second}=7");
    let mut watch = halls[0].spawn("watch", &["--port", &second, "--name", &name]);
    let mut printed = Vec::new();
    while moved(&printed).len() < 2 {
        printed.extend(watch.until(|record| record["type"] == "change"));
    }
    watch.signal(Signal::TERM);
    watch.rest();
    assert_eq!(moved(&printed), [(None, 7), (None, 1025)]);
    let streams: Vec<_> = printed.iter().filter(|record| record["type"] == "stream").collect();
    assert_eq!((streams.len(), streams[0].get("line")), (1, None));
}

#[test]
fn a_number_that_two_ports_have_is_refused() {
    let halls = [Hall::open(ALONE), Hall::open(ALONE)];
    let second = halls[1].port().display().to_string();
    let mut watch = halls[0].spawn("watch", &["--port", &second, "--mode", "single"]);
    let says = || fs::read_to_string(halls[0].file("stderr")).unwrap();
    wait(|| says().contains("the number 1025 is that of the board on "));
    assert!(says().contains("give this one another, --name ") && says().contains("the other lines continue"));
    // One of them is recorded.
    watch.until(|record| record["type"] == "change");
    watch.signal(Signal::TERM);
    watch.rest();
    let twice =
        command("watch").args(["--name", "/dev/a=5", "--name", "/dev/b=5", "--port", "/dev/a"]).assert();
    twice.code(2).stderr("boardbus watch: --name: /dev/a and /dev/b both have the number 5, or are one\n");
}

#[test]
fn boards_that_are_on_none_of_several_ports_are_named() {
    let halls = [Hall::open(ALONE), Hall::open(ALONE)];
    let second = halls[1].port().display().to_string();
    let name = format!("{second}=7");
    let mut watch = halls[0].spawn("watch", &["--port", &second, "--name", &name, "--expect", "7,9,1025"]);
    let says = || fs::read_to_string(halls[0].file("stderr")).unwrap();
    wait(|| says().contains("no answer from 9 on any port: waiting for them"));
    watch.until(|record| record["type"] == "change");
    watch.signal(Signal::TERM);
    watch.rest();
    let absent =
        ["--port", "/dev/a", "--name", "/dev/a=4", "--name", "/dev/typo=5", "--name", "3000147740=6"];
    let says = "boardbus watch: --name: there is no port /dev/typo yet: no board has the number 5\n";
    let watched = command("watch").args(absent).assert().code(3);
    assert!(watched.get_output().stderr.starts_with(says.as_bytes()), "{watched}");
    let two = ["--port", "/dev/a", "--port", "/dev/b", "--board", "7"];
    let says = "boardbus watch: 1 --board and 2 ports: give it once for each port, in their order\n";
    command("watch").args(two).assert().code(2).stderr(says);
}

#[test]
fn a_port_that_went_away_comes_back_under_another_name() {
    let [first, second] = [Hall::open(ALONE), Hall::open(ALONE)];
    let (port, link) = (second.port().display().to_string(), second.file("by-path"));
    symlink(fs::read_link(first.port()).unwrap(), &link).unwrap();
    let args = ["--port", &port, "--name", &format!("{port}=7")];
    let mut watch = second.spawn_on(link.to_str().unwrap(), "watch", &args);
    watch.until(|record| record["type"] == "change" && record["board"] == 1025);
    first.close();
    fs::remove_file(&link).unwrap();
    watch.until(|record| record["type"] == "lost" && record["board"] == 1025);
    // The other one is recorded meanwhile.
    watch.until(|record| record["type"] == "change" && record["board"] == 7);
    let again = Hall::open(ALONE);
    symlink(fs::read_link(again.port()).unwrap(), &link).unwrap();
    watch.until(|record| record["type"] == "found" && record["board"] == 1025);
    watch.until(|record| record["type"] == "change" && record["board"] == 1025);
    watch.signal(Signal::TERM);
    watch.rest();
}

#[test]
fn ports_with_other_devices_are_sent_nothing() {
    let board = openpt(OpenptFlags::RDWR).unwrap();
    unlockpt(&board).unwrap();
    let mut settings = tcgetattr(&board).unwrap();
    settings.make_raw();
    tcsetattr(&board, OptionalActions::Now, &settings).unwrap();
    let port = PathBuf::from(ptsname(&board, Vec::new()).unwrap().into_string().unwrap());
    let speaks = board.try_clone().unwrap();
    let (stop, stopped) = std::sync::mpsc::channel::<()>();
    let speaking = std::thread::spawn(move || {
        while stopped.recv_timeout(Duration::from_millis(200)).is_err() {
            rustix::io::write(&speaks, b"$GPRMC,123519,A,4807.038,N,01131.000,E*6A\r\n").unwrap();
        }
    });
    let on = |name: &str| {
        let mut command = command(name);
        command.arg("--port").arg(&port).timeout(Duration::from_secs(60));
        command
    };
    let names = predicates::str::contains("something that is no board reports `$GPRMC");
    on("discover").assert().code(1).stderr(names.clone());
    on("dump").args(["--board", "1025"]).assert().code(3).stderr(names.clone());
    on("reset").args(["--all", "--yes"]).assert().code(1).stderr(names.clone());
    on("reset").args(["--board", "1025", "--end-bus-mode"]).assert().code(1).stderr(names.clone());
    let watch = on("watch").args(["--seconds", "3", "--expect", "1025"]).assert().success().stderr(names);
    assert_eq!(records(&watch.get_output().stdout).len(), 1);
    stop.send(()).unwrap();
    speaking.join().unwrap();
    // What was sent waits here.
    rustix::fs::fcntl_setfl(&board, rustix::fs::OFlags::NONBLOCK).unwrap();
    let sent = rustix::io::read(&board, &mut [0; 64]);
    assert!(sent.is_err(), "{sent:?}");
}
