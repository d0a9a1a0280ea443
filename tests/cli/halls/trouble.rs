//! What goes wrong between halls: servers, networks, clocks, people.

use std::{collections::BTreeMap, fs, io::Write, process::Stdio};

use super::server::{FIRST, SECOND, Server, SlowWay, end, numbers, of_line, published, run, until};
use crate::program::{output_of, records};

#[test]
fn old_journals_are_refused_and_taken_over_lines_continue() {
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
fn second_publishers_of_a_line_stop_with_a_reason() {
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
fn records_the_server_dropped_are_a_gap() {
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
fn killed_and_emptied_servers_deliver_the_rest_once() {
    let Some(mut server) = Server::start("") else { return };
    server.carries_one_by_one(12, |server, seq| {
        if seq == 7 {
            // A disk that was replaced.
            server.kill();
            fs::remove_dir_all(server.path("store")).unwrap();
        }
        if seq % 2 == 1 {
            server.restart();
        }
    });
}

#[test]
fn slow_ways_carry_large_messages() {
    let Some(server) = Server::start("") else { return };
    // The message takes longer than any answer is waited for.
    let way = SlowWay::to(&server, 30_000);
    let journal = run(FIRST, 1..=2500);
    let mut command = std::process::Command::new(assert_cmd::cargo::cargo_bin!("boardbus"));
    command.args(["publish", "--server", &way.url, "--event", "open", "--line", "x"]);
    let mut publisher = command.stdin(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    publisher.stdin.take().unwrap().write_all(journal.as_bytes()).unwrap();
    let office = server.path("event.jsonl");
    let mut command = std::process::Command::new(assert_cmd::cargo::cargo_bin!("boardbus"));
    command.args([
        "subscribe",
        "--server",
        &way.url,
        "--event",
        "open",
        "--journal",
        office.to_str().unwrap(),
    ]);
    let mut subscriber = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let kept = until(|| {
        let kept = fs::read_to_string(&office).unwrap_or_default();
        kept.contains("\"seq\":2500}").then_some(kept)
    });
    assert!(publisher.wait().unwrap().success());
    end(&mut subscriber);
    assert_eq!(published(&kept), of_line(&journal, "x"));
}

#[test]
fn pain_20_connection_changes_are_reported_and_repaired() {
    let Some(mut server) = Server::start("") else { return };
    let journal = server.path("hall.jsonl");
    fs::write(&journal, run(FIRST, 1..=5)).unwrap();
    let said = ["publish", "subscribe"].map(|name| server.path(name));
    let told = server.path("told");
    let follow = ["--line", "x", "--follow", journal.to_str().unwrap()];
    let mut publisher = server.command("publish", &follow);
    let mut publisher = publisher.stderr(fs::File::create(&said[0]).unwrap()).spawn().unwrap();
    let mut subscriber = server.command("subscribe", &[]);
    subscriber.stdout(fs::File::create(&told).unwrap()).stderr(fs::File::create(&said[1]).unwrap());
    let mut subscriber = subscriber.spawn().unwrap();
    let come =
        |seq: u32| fs::read_to_string(&told).unwrap().contains(&format!("\"seq\":{seq}}}")).then_some(());
    let says = |what: &str| {
        until(|| said.iter().all(|said| fs::read_to_string(said).unwrap().contains(what)).then_some(()));
    };
    until(|| come(5));
    server.kill();
    says("the connection is lost: what comes now is kept until it is back");
    let more = &run(FIRST, 1..=9)[run(FIRST, 1..=5).len()..];
    fs::File::options().append(true).open(&journal).unwrap().write_all(more.as_bytes()).unwrap();
    server.restart();
    says("connected again");
    until(|| come(9));
    end(&mut publisher);
    end(&mut subscriber);
    assert_eq!(fs::read_to_string(&told).unwrap(), of_line(&run(FIRST, 1..=9), "x"));
    let lines = said.map(|said| fs::read_to_string(said).unwrap().lines().count());
    assert!(lines.iter().all(|&lines| lines <= 3), "{lines:?}");
}

#[test]
fn messages_dropped_by_limits_are_gaps_for_late_readers() {
    let Some(server) = Server::start("") else { return };
    let hall = ["--line", "x"];
    assert_eq!(server.publish(&hall, &run(FIRST, 1..=10)).1, 0);
    let office = server.path("event.jsonl");
    let journal = ["--journal", office.to_str().unwrap()];
    server.subscribe(&journal, 11);
    // Somebody made the stream forget.
    let config = "{\"name\":\"boardbus-open\",\"subjects\":[\"boardbus.open.>\"],\"retention\":\"limits\",\"storage\":\"file\",\
                  \"num_replicas\":1,\"max_consumers\":-1,\"max_bytes\":-1,\"discard\":\"old\",\"max_msgs\":1}";
    let answer = server.ask("$JS.API.STREAM.UPDATE.boardbus-open", config);
    assert!(answer.contains("\"max_msgs\":1"), "{answer}");
    for last in [20, 30, 40] {
        let (said, code) = server.publish(&hall, &run(FIRST, 1..=last));
        assert!(code == 0 && said.contains("was made to forget") && said.lines().count() == 1, "{said}");
    }
    // What was there is printed first, then the gap and what is left.
    let told = server.subscribe(&journal, 11 + 1 + 10);
    let fault: serde_json::Value = serde_json::from_str(told.lines().nth(11).unwrap()).unwrap();
    assert_eq!(
        (&fault["type"], &fault["kind"], &fault["line"]),
        (&"fault".into(), &"gap".into(), &"x".into())
    );
    assert!(fault["detail"].as_str().unwrap().contains("between message 1 and 4"), "{fault}");
    assert_eq!(numbers(&told), (1..=10).chain(31..=40).collect::<Vec<_>>());
    // And it is told once.
    assert_eq!(server.subscribe(&journal, 22), told);
}

/// By line, board and number: the plies of a game, and how it ended.
type Games = BTreeMap<(String, u64, u64), (BTreeMap<u64, String>, String)>;

/// The games as they stand in the end, by line, board and number: the last word for each ply, and how it ended.
fn games(told: &str) -> Games {
    let mut games = Games::new();
    for record in records(told) {
        let number = |name: &str| record[name].as_u64().unwrap_or_default();
        let key = (record["line"].to_string(), number("board"), number("game"));
        let (plies, end) = match record["type"].as_str().unwrap() {
            "stream" => continue,
            _ => games.entry(key).or_default(),
        };
        match record["type"].as_str().unwrap() {
            "move" => drop(plies.insert(number("ply"), record["san"].to_string())),
            "takeback" => plies.retain(|&ply, _| ply <= number("ply")),
            "end" => *end = format!("{} {}", record["result"], record["reason"]),
            _ => {}
        }
    }
    games
}

#[test]
fn wrong_laptop_clocks_disturb_neither_order_nor_games() {
    let Some(server) = Server::start("") else { return };
    let all = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/scripts/demo-games.pgn")).unwrap();
    let third = all.match_indices("[Event ").nth(2).unwrap().0;
    let pgn = server.path("two.pgn");
    fs::write(&pgn, &all[..third]).unwrap();
    let pgn = pgn.to_str().unwrap();
    let hall = |opening: &str, run: &str| {
        let opening = format!("2026-01-01T{opening}:00:00Z");
        let records = output_of(
            &[
                "simulate",
                "--records",
                "--pgn",
                pgn,
                "--boards",
                "2",
                "--hands",
                "rapid",
                "--opening",
                &opening,
            ],
            "",
        );
        let (_, records) = records.split_once('\n').unwrap();
        format!("{{\"type\":\"stream\",\"records\":1,\"run\":\"{run}\"}}\n{records}")
    };
    let (right, wrong) = (hall("10", "20260101T100000-1"), hall("11", "20260101T110000-2"));
    let half = right.lines().count() / 2;
    // Put right within a run, and between two: the second seems to be older than the first.
    let put_right: String =
        wrong.lines().take(half).chain(right.lines().skip(half)).map(|line| format!("{line}\n")).collect();
    let halls = [("hall-1", &right), ("hall-2", &wrong), ("hall-3", &put_right)];
    let office = server.path("event.jsonl");
    let journal = ["--journal", office.to_str().unwrap()];
    let mut come = 0;
    for part in 1..=4 {
        for (line, journal) in halls {
            let lines = journal.lines().count() * part / 4;
            let text: String = journal.lines().take(lines).map(|line| format!("{line}\n")).collect();
            assert_eq!(server.publish(&["--line", line], &text), (String::new(), 0));
        }
        come = halls.iter().map(|(_, journal)| journal.lines().count() * part / 4).sum();
        server.subscribe(&journal, come);
    }
    let told = server.subscribe(&journal, come);
    for (line, journal) in halls {
        let named = format!("\"line\":\"{line}\"");
        let of_this: String = told.split_inclusive('\n').filter(|record| record.contains(&named)).collect();
        assert_eq!(of_this, of_line(journal, line));
    }
    let all = games(&output_of(&["reconstruct"], told.as_str()));
    let alone = games(&output_of(&["reconstruct"], of_line(&right, "hall-1")));
    assert!(alone.len() == 2 && alone.values().all(|(plies, _)| plies.len() > 30), "{alone:?}");
    assert_eq!(all.len(), 6);
    for ((line, board, game), as_told) in &all {
        assert_eq!(as_told, &alone[&("\"hall-1\"".to_owned(), *board, *game)], "{line}");
    }
}

#[test]
fn corrected_clocks_between_runs_continue_the_journal() {
    let Some(server) = Server::start("") else { return };
    let messages = || {
        let info = server.ask("$JS.API.STREAM.INFO.boardbus-open", "");
        let (_, info) = info.split_once("\"messages\":").unwrap();
        info.split(',').next().unwrap().to_owned()
    };
    // The second run began an hour before the first, by its name; then another one.
    let mut journal = run(SECOND, 1..=5) + &run(FIRST, 1..=5);
    assert_eq!(server.publish(&["--line", "x"], &journal), (String::new(), 0));
    let before = messages();
    assert_eq!(server.publish(&["--line", "x"], &journal), (String::new(), 0));
    assert_eq!(messages(), before);
    let file = server.path("hall.jsonl");
    journal = run("20261121T090000-1", 1..=1) + &journal + &run("20261121T093000-1", 1..=3);
    fs::write(&file, &journal).unwrap();
    assert_eq!(server.publish(&["--line", "x", file.to_str().unwrap()], ""), (String::new(), 0));
    let (_, told) = journal.split_once(&run("20261121T090000-1", 1..=1)).unwrap();
    assert_eq!(server.subscribe(&[], told.lines().count()), of_line(told, "x"));
}

#[test]
fn old_journals_published_again_double_nothing() {
    let Some(server) = Server::start("") else { return };
    let days = [run(FIRST, 1..=2000) + &run(SECOND, 1..=2000), run("20261122T100000-1", 1..=50)];
    for day in &days {
        assert_eq!(server.publish(&["--line", "x"], day), (String::new(), 0));
    }
    let office = server.path("event.jsonl");
    let journal = ["--journal", office.to_str().unwrap()];
    let all = of_line(&days.concat(), "x");
    assert_eq!(server.subscribe(&journal, all.lines().count()), all);
    let old = server.path("old.jsonl");
    fs::write(&old, &days[0]).unwrap();
    for follow in [&[][..], &["--follow"]] {
        let arguments = [&["--line", "x", old.to_str().unwrap()], follow].concat();
        let (said, code) = server.publish(&arguments, "");
        assert!(code == 4 && said.contains("is it an old journal?") && said.lines().count() == 1, "{said}");
    }
    assert_eq!(server.publish(&["--line", "x"], &days[0]).1, 4);
    // With all his might: the server has it twice then, the office has not.
    assert_eq!(server.publish(&["--line", "x", "--take-over", old.to_str().unwrap()], "").1, 0);
    assert_eq!(server.publish(&["--line", "x"], &(days[1].clone() + &run("20261122T110000-1", 1..=1))).1, 0);
    let all = all + &of_line(&run("20261122T110000-1", 1..=1), "x");
    assert_eq!(server.subscribe(&journal, all.lines().count()), all);
    assert_eq!(server.subscribe(&[], all.lines().count()), all);
}

#[test]
fn lines_moved_between_laptops_and_back_lose_nothing() {
    let Some(server) = Server::start("") else { return };
    // The second laptop's clock is slow.
    let (first, second) = (run(FIRST, 1..=20), run("20261121T093000-2", 1..=10));
    assert_eq!(server.publish(&["--line", "x"], &first), (String::new(), 0));
    let (said, code) = server.publish(&["--line", "x"], &second);
    assert!(code == 4 && said.contains("--take-over"), "{said}");
    assert_eq!(server.publish(&["--line", "x", "--take-over"], &second), (String::new(), 0));
    let more = run(FIRST, 1..=25);
    assert_eq!(server.publish(&["--line", "x", "--take-over"], &more), (String::new(), 0));
    let told = server.subscribe(&[], 21 + 11 + 1 + 5);
    assert_eq!(numbers(&told), (1..=20).chain(1..=10).chain(21..=25).collect::<Vec<_>>());
    // What comes back says whose it is.
    let back = &records(&told)[32];
    assert_eq!((&back["type"], &back["run"]), (&"stream".into(), &FIRST.into()));
}
