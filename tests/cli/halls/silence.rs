//! What would be lost without a word: logs that are deleted under everybody's eyes, journals that were put away too soon, lines
//! that look for what is not there.

use std::{fs, io::Write, process::Stdio};

use super::server::{FIRST, SECOND, Server, numbers, of_line, run, until};
use crate::program::{output_of, records};

const HALL: [&str; 2] = ["--line", "x"];
const OLDER: &str = "20261121T093000-1";

/// The part of a run that a journal holds which was begun in its midst.
fn from(name: &str, changes: std::ops::RangeInclusive<u32>) -> String {
    let all = run(name, 1..=*changes.end());
    let kept = all.lines().enumerate().filter(|(at, _)| *at == 0 || *at >= *changes.start() as usize);
    kept.map(|(_, line)| format!("{line}\n")).collect()
}

#[test]
fn logs_emptied_while_connected_reach_the_office_completely() {
    let Some(mut server) = Server::start("") else { return };
    server.carries_one_by_one(9, |server, seq| {
        let (what, of) = match seq {
            4 => ("PURGE", "{}"),
            6 | 8 => ("DELETE", ""),
            _ => ("INFO", ""),
        };
        let answer = server.ask(&format!("$JS.API.STREAM.{what}.boardbus-open"), of);
        assert!(!answer.contains("\"error\""), "{answer}");
    });
}

#[test]
fn names_known_to_the_server_are_stored_again() {
    let Some(server) = Server::start("") else { return };
    let journal = run(FIRST, 1..=10);
    for _ in 0..3 {
        assert_eq!(server.publish(&HALL, &journal), (String::new(), 0));
        assert_eq!(server.subscribe(&[], 11), of_line(&journal, "x"));
        let answer = server.ask("$JS.API.STREAM.PURGE.boardbus-open", "{}");
        assert!(answer.contains("\"success\":true"), "{answer}");
    }
}

#[test]
fn journals_that_begin_after_the_server_report_a_gap() {
    let Some(server) = Server::start("") else { return };
    assert_eq!(server.publish(&HALL, &run(FIRST, 1..=10)), (String::new(), 0));
    let (said, code) = server.publish(&HALL, &from(FIRST, 16..=19));
    assert!(code == 4 && said.contains("up to record 10") && said.contains("begins with 16"), "{said}");
    assert_eq!(said.lines().count(), 1);
    server.subscribe(&[], 11);
    // The one before it, then itself; each behind the other.
    assert_eq!(server.publish(&HALL, &from(FIRST, 11..=15)), (String::new(), 0));
    assert_eq!(server.publish(&HALL, &from(FIRST, 16..=19)), (String::new(), 0));
    assert_eq!(numbers(&server.subscribe(&[], 20)), (1..=19).collect::<Vec<_>>());
    // Where nobody has the other any more.
    let (said, code) = server.publish(&["--line", "x", "--take-over"], &from(FIRST, 25..=26));
    assert!(code == 0 && said.contains("begins with 25"), "{said}");
}

#[test]
fn lines_taken_over_are_published_while_their_pipe_continues() {
    let Some(server) = Server::start("") else { return };
    assert_eq!(server.publish(&HALL, &run(FIRST, 1..=5)), (String::new(), 0));
    let mut command = server.command("publish", &["--line", "x", "--take-over"]);
    let mut publisher = command.stdin(Stdio::piped()).spawn().unwrap();
    let mut to = publisher.stdin.take().unwrap();
    to.write_all(run(OLDER, 1..=3).as_bytes()).unwrap();
    server.subscribe(&[], 6 + 4);
    writeln!(to, "{{\"type\":\"quiet\",\"seq\":4}}").unwrap();
    server.subscribe(&[], 6 + 5);
    drop(to);
    assert!(publisher.wait().unwrap().success());
}

#[test]
fn pipes_older_than_the_server_do_not_wait_forever() {
    let Some(server) = Server::start("") else { return };
    assert_eq!(server.publish(&HALL, &run(FIRST, 1..=5)), (String::new(), 0));
    let mut command = server.command("publish", &HALL);
    let mut publisher = command.stdin(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut to = publisher.stdin.take().unwrap();
    to.write_all(run(OLDER, 1..=3).as_bytes()).unwrap();
    // The pipe is still open.
    let code = until(|| publisher.try_wait().unwrap()).code();
    let output = publisher.wait_with_output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(code == Some(4) && said.contains("--take-over") && said.lines().count() == 1, "{said}");
    server.subscribe(&[], 6);
}

#[test]
fn ruled_games_follow_unruled_ones_only_in_that_order() {
    let Some(server) = Server::start("") else { return };
    let games = |run: &str| {
        let start =
            format!("{{\"type\":\"stream\",\"records\":1,\"line\":\"x\",\"run\":\"{FIRST}{run}\"}}\n");
        start + "{\"type\":\"takeback\",\"line\":\"x\",\"board\":1,\"game\":1,\"ply\":3,\"seq\":1}\n"
    };
    for (run, code, lines) in [
        ("-games", 0, 2),
        ("-ruled-a-after-150-games", 0, 4),
        ("-ruled-a-games", 0, 6),
        ("-ruled-b-games", 0, 8),
        ("-games", 4, 8),
    ] {
        let (said, ended) = server.publish(&["--games"], &games(run));
        assert_eq!(ended, code, "{run}: {said}");
        server.subscribe(&["--games"], lines);
    }
}

#[test]
fn records_under_other_options_are_another_run() {
    let journal = format!(
        "{{\"type\":\"stream\",\"records\":1,\"run\":\"{FIRST}\"}}\n\
         {{\"type\":\"position\",\"board\":1,\"placement\":\"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR\",\"seq\":1}}\n\
         {{\"type\":\"change\",\"board\":1,\"square\":\"e2\",\"piece\":null,\"seq\":2}}\n\
         {{\"type\":\"change\",\"board\":1,\"square\":\"e4\",\"piece\":\"P\",\"seq\":3}}\n\
         {{\"type\":\"quiet\",\"board\":1,\"seq\":4}}\n"
    );
    let run_of = |arguments: &[&str]| {
        let told = output_of(&[&["reconstruct"], arguments].concat(), journal.clone());
        let streams = records(&told).into_iter().filter(|record| record["type"] == "stream");
        streams.map(|stream| stream["run"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let usual = run_of(&[]);
    assert!(usual.contains(&format!("{FIRST}-games")), "{usual:?}");
    for other in [&["--final"][..], &["--show", "early"], &["--settle", "5s"]].map(run_of) {
        assert!(!other.is_empty() && other.iter().all(|run| !usual.contains(run)), "{other:?} and {usual:?}");
    }
}

#[test]
fn slow_servers_get_small_messages() {
    let Some(server) = Server::start("max_payload: 16KB") else { return };
    let journal = run(FIRST, 1..=3000);
    assert_eq!(server.publish(&HALL, &journal), (String::new(), 0));
    assert_eq!(server.subscribe(&[], 3001), of_line(&journal, "x"));
}

#[test]
fn missing_logs_and_foreign_journals_are_reported_by_subscribers() {
    let Some(server) = Server::start("jetstream: disabled") else { return };
    let output = server.command("subscribe", &[]).output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.code() == Some(5) && said.contains("JetStream"), "{said}");
    let Some(server) = Server::start("") else { return };
    assert_eq!(server.publish(&HALL, &run(FIRST, 1..=3)), (String::new(), 0));
    let hall = server.path("hall.jsonl");
    fs::write(&hall, run(SECOND, 1..=3)).unwrap();
    let output = server.command("subscribe", &["--journal", hall.to_str().unwrap()]).output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(
        output.status.code() == Some(4) && said.contains("hall.jsonl") && output.stdout.is_empty(),
        "{said}"
    );
    assert_eq!(fs::read_to_string(&hall).unwrap(), run(SECOND, 1..=3));
}

#[test]
fn journals_of_journals_carry_no_delivery_records() {
    let Some(server) = Server::start("") else { return };
    assert_eq!(server.publish(&HALL, &run(FIRST, 1..=3)), (String::new(), 0));
    let office = server.path("event.jsonl");
    let told = server.subscribe(&["--journal", office.to_str().unwrap()], 4);
    let copied = fs::read_to_string(&office).unwrap();
    assert!(copied.contains("\"delivery\""));
    let Some(elsewhere) = Server::start("") else { return };
    assert_eq!(elsewhere.publish(&[], &copied), (String::new(), 0));
    assert_eq!(elsewhere.subscribe(&[], 4), told);
}
