//! Who gets in, and what is said to whom does not; events, and what a server has room for.

use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use super::server::{FIRST, Server, end, free_port, numbers, of_line, run, until};
use crate::program;

#[test]
fn full_servers_refuse_records_and_keep_old_ones() {
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
fn wrong_passwords_are_reported_and_files_or_variables_work() {
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
fn servers_and_journals_of_other_events_are_reported() {
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
    let absent = format!("nats://127.0.0.1:{}", free_port());
    let arguments = ["publish", "--line", "x", "--server", &absent, "--event", "open", "--give-up", "0"];
    let (_, said, code) = program::run(&arguments, "");
    assert!(code == 3 && said.contains("no server answers") && said.lines().count() == 1, "{said}");
}

/// Authorities, and certificates that they made: `ca.pem`, `server.pem`, `hall.pem`, `other.pem`, each with its key.
fn certificates(folder: &Path) -> bool {
    let script = "
        authority() {
            openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 30 -keyout $1.key -out $1.pem \\
                -subj /CN=$1 -addext basicConstraints=critical,CA:TRUE
        }
        certificate() {
            openssl req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout $1.key -out $1.csr -subj /CN=$1 &&
            echo subjectAltName=IP:127.0.0.1 >$1.names &&
            openssl x509 -req -in $1.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 30 -extfile $1.names -out $1.pem
        }
        authority ca && authority other && certificate server && certificate hall";
    let made = Command::new("sh").args(["-c", script]).current_dir(folder).stderr(Stdio::null()).status();
    let made = made.is_ok_and(|status| status.success());
    if !made {
        eprintln!("SKIPPED: openssl is not installed (on Debian: apt-get install openssl)");
    }
    made
}

#[test]
fn encrypted_connections_use_given_authorities_and_certificates() {
    let folder = tempfile::tempdir().unwrap();
    if !certificates(folder.path()) {
        return;
    }
    let file = |name: &str| folder.path().join(name).display().to_string();
    let journal = run(FIRST, 1..=3);
    let mut told = 0;
    for verify in [false, true] {
        let asks = if verify { "verify: true, " } else { "" };
        let configuration = format!(
            "tls {{ {asks}cert_file: \"{}\", key_file: \"{}\", ca_file: \"{}\" }}",
            file("server.pem"),
            file("server.key"),
            file("ca.pem")
        );
        let Some(server) = Server::start(&configuration) else { return };
        let trust = ["--line", "x", "--ca", &file("ca.pem")].map(str::to_owned).to_vec();
        let shown = ["--cert", &file("hall.pem"), "--key", &file("hall.key")].map(str::to_owned).to_vec();
        let whole = if verify { [&trust[..], &shown].concat() } else { trust.clone() };
        let whole: Vec<&str> = whole.iter().map(String::as_str).collect();
        assert_eq!(server.publish(&whole, &journal), (String::new(), 0));
        assert_eq!(server.subscribe(&whole, 4), of_line(&journal, "x"));
        let other = file("other.pem");
        let mut wrong = vec![vec!["--line", "x"], vec!["--line", "x", "--ca", &other]];
        if verify {
            wrong.push(trust.iter().map(String::as_str).collect());
        }
        for arguments in wrong {
            let (said, code) = server.publish(&[&arguments[..], &["--give-up", "20"]].concat(), &journal);
            assert!(
                code == 5
                    && said.contains("--ca names")
                    && said.to_lowercase().contains("certificate")
                    && said.lines().count() == 1,
                "{arguments:?} {code}: {said}"
            );
            told += 1;
        }
        let (said, code) = server.publish(&["--line", "x", "--ca", &file("server.key")], &journal);
        assert!(
            code == 4 && said.contains("server.key: no certificate") && said.lines().count() == 1,
            "{code}: {said}"
        );
        let (said, code) = server.publish(&["--line", "x", "--ca", &file("none.pem")], &journal);
        assert!(code == 5 && said.contains("none.pem") && said.lines().count() == 1, "{code}: {said}");
    }
    assert_eq!(told, 5);
}

#[test]
fn a_token_comes_from_a_file_or_the_environment() {
    let Some(server) = Server::start("authorization { token: \"open sesame\" }") else { return };
    let journal = run(FIRST, 1..=3);
    let file = server.path("token");
    let with_file = ["--line", "x", "--token-file", file.to_str().unwrap()];
    for (token, wanted) in [("open barley", 5), ("open sesame", 0)] {
        fs::write(&file, format!("{token}\n")).unwrap();
        let (said, code) = server.publish(&with_file, &journal);
        assert!(code == wanted && !said.contains("open"), "{said}");
        assert_eq!(said.contains("wrong user, password or token"), wanted == 5, "{said}");
    }
    let mut command = server.command("publish", &["--line", "x"]);
    let status = command.env("BOARDBUS_TOKEN", "open sesame").stdin(Stdio::null()).status().unwrap();
    assert!(status.success());
    // Without any.
    let (said, code) = server.publish(&["--line", "x"], &journal);
    assert!(code == 5 && said.contains("wrong user, password or token"), "{said}");
}

#[test]
fn secrets_are_in_no_help_or_message() {
    let secret = "hunter2";
    let address = format!("nats://hall:{secret}@127.0.0.1:1");
    for name in ["publish", "subscribe"] {
        for arguments in
            [&[name, "--help"][..], &[name, "-h"], &[name, "--event", "open"], &[name, "--no-such-option"]]
        {
            let output = Command::new(assert_cmd::cargo::cargo_bin!("boardbus"))
                .args(arguments)
                .env("BOARDBUS_PASSWORD", secret)
                .env("BOARDBUS_TOKEN", secret)
                .env("BOARDBUS_SERVER", &address)
                .stdin(Stdio::null())
                .output()
                .unwrap();
            let said = [output.stdout, output.stderr].concat();
            assert!(!String::from_utf8(said).unwrap().contains(secret), "{arguments:?}");
        }
        let (_, said, code) = program::run(&[name, "--event", "open", "--server", &address], "");
        assert!(code == 2 && said.contains("--password-file") && !said.contains(secret), "{said}");
    }
}

/// What commands say, which a test that fails tells.
struct Said(PathBuf);

impl Said {
    fn append(&self) -> fs::File {
        fs::File::options().create(true).append(true).open(&self.0).unwrap()
    }
}

impl Drop for Said {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("-- the commands said:\n{}", fs::read_to_string(&self.0).unwrap_or_default());
        }
    }
}

/// Starts the server of this number in a cluster of three.
fn in_cluster(ports: &[u16], n: usize) -> Option<Server> {
    let routes: Vec<String> = ports.iter().map(|port| format!("nats://127.0.0.1:{port}")).collect();
    Server::start(&format!(
        "server_name: n{n}\ncluster {{ name: hall, listen: \"127.0.0.1:{}\", routes: [{}] }}",
        ports[n],
        routes.join(", ")
    ))
}

/// Ports for the servers of a cluster to find each other.
fn cluster_ports() -> Vec<u16> {
    (0..3).map(|_| free_port()).collect()
}

#[test]
fn publishers_wait_for_missing_cluster_servers_with_report() {
    let ports = cluster_ports();
    let start = |n| in_cluster(&ports, n);
    let Some(servers) = (0..2).map(start).collect::<Option<Vec<Server>>>() else { return };
    let mut command = servers[1].command("publish", &["--line", "x", "--replicas", "3"]);
    let said = servers[0].path("said");
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(fs::File::create(&said).unwrap());
    let mut publisher = command.spawn().unwrap();
    publisher.stdin.take().unwrap().write_all(run(FIRST, 1..=3).as_bytes()).unwrap();
    let says = || fs::read_to_string(&said).unwrap();
    until(|| says().contains("no servers for 3 copies of the event yet").then_some(()));
    assert!(publisher.try_wait().unwrap().is_none(), "{}", says());
    let third = start(2).unwrap();
    assert!(publisher.wait().unwrap().success(), "{}", says());
    assert_eq!(says().lines().count(), 1, "{}", says());
    assert_eq!(third.subscribe(&[], 4), of_line(&run(FIRST, 1..=3), "x"));
}

/// The number of the server that hands the messages of the event to their reader.
fn reads_from(server: &Server) -> Option<usize> {
    let answer = server.ask("$JS.API.CONSUMER.LIST.boardbus-open", "");
    let list: serde_json::Value = serde_json::from_str(&answer[answer.find("\n{")?..]).ok()?;
    let reader = list["consumers"].as_array()?.iter().find(|c| c["config"]["headers_only"] != true)?;
    reader["cluster"]["leader"].as_str()?.strip_prefix('n')?.parse().ok()
}

#[test]
fn three_servers_keep_an_event_with_one_down() {
    let ports = cluster_ports();
    let start = |n| in_cluster(&ports, n);
    let Some(mut servers) = (0..3).map(start).collect::<Option<Vec<Server>>>() else { return };
    let all = servers.iter().map(Server::url).collect::<Vec<_>>().join(",");
    let office = servers[0].path("event.jsonl");
    let said = Said(servers[0].path("said"));
    let command = |name: &str, arguments: &[&str]| {
        let mut command = Command::new(assert_cmd::cargo::cargo_bin!("boardbus"));
        command.args([name, "--server", &all, "--event", "open", "--replicas", "3"]).args(arguments);
        command.stdout(Stdio::null()).stderr(said.append());
        command
    };
    let mut publisher = command("publish", &["--line", "x"]).stdin(Stdio::piped()).spawn().unwrap();
    let mut subscriber = command("subscribe", &["--journal", office.to_str().unwrap()]).spawn().unwrap();
    let mut to = publisher.stdin.take().unwrap();
    to.write_all(run(FIRST, 1..=1).as_bytes()).unwrap();
    let written = || fs::read_to_string(&office).unwrap_or_default();
    let mut down = 0;
    for seq in 2..=4 {
        until(|| written().contains(&format!("\"seq\":{}}}", seq - 1)).then_some(()));
        match seq {
            2 => assert!(
                servers[0].ask("$JS.API.STREAM.INFO.boardbus-open", "").contains("\"num_replicas\":3")
            ),
            // The one from which the office reads: what is kept there for its reader is gone with it.
            3 => {
                down = until(|| reads_from(&servers[0]));
                servers[down].kill();
            }
            _ => servers[down].restart(),
        }
        writeln!(to, "{{\"type\":\"quiet\",\"board\":1,\"seq\":{seq}}}").unwrap();
    }
    until(|| written().contains("\"seq\":4}").then_some(()));
    drop(to);
    assert!(publisher.wait().unwrap().success());
    end(&mut subscriber);
    assert_eq!(numbers(&written()), [1, 2, 3, 4]);
}
