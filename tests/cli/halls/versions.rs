//! Both ends of a link are of one version, or that is reported.

use std::fs;

use super::server::{FIRST, Server, end, run, until};

const SUBJECT: &str = "boardbus.open.games.x";

/// Games of a line, as a run of `reconstruct`.
fn games(run: &str, seq: std::ops::RangeInclusive<u32>) -> String {
    let mut text = format!("{{\"type\":\"stream\",\"records\":1,\"run\":\"{run}-games\",\"line\":\"x\"}}\n");
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    for seq in seq {
        text += &format!(
            "{{\"type\":\"game\",\"line\":\"x\",\"board\":1,\"game\":{seq},\"rules\":\"chess\",\"fen\":\"{start}\",\"seq\":{seq}}}\n"
        );
    }
    text
}

/// A publisher of another version has published the first record: `contract`, as its messages say it.
fn published_by_another(server: &Server, contract: Option<&str>) {
    let run = format!("Boardbus-Run: {FIRST}-games");
    let contract = contract.map(|contract| format!("Boardbus-Contract: {contract}"));
    let places = ["Boardbus-First: 0.0", "Boardbus-Last: 1.0", "Nats-Expected-Last-Subject-Sequence: 0"];
    let headers: Vec<&str> = [&*run].into_iter().chain(places).chain(contract.as_deref()).collect();
    let answer = server.ask_with(&headers, SUBJECT, &games(FIRST, 1..=1));
    assert!(answer.contains("\"seq\":") && !answer.contains("\"error\""), "{answer}");
}

/// What a subscriber to the games reports until it has so many lines.
fn reported(server: &Server, lines: usize) -> String {
    let (said, told) = (server.path("said"), server.path("told"));
    let mut command = server.command("subscribe", &["--games"]);
    command.stdout(fs::File::create(&told).unwrap()).stderr(fs::File::create(&said).unwrap());
    let mut subscriber = command.spawn().unwrap();
    until(|| (fs::read_to_string(&told).unwrap().lines().count() >= lines).then_some(()));
    end(&mut subscriber);
    fs::read_to_string(said).unwrap()
}

#[test]
fn offices_read_and_report_games_of_other_versions() {
    for (contract, words) in [(None, "an earlier boardbus"), (Some("3"), "a later boardbus")] {
        let Some(server) = Server::start("") else { return };
        // The stream is made by the first publisher, of board records here: ends are none of theirs.
        assert_eq!(server.publish(&["--line", "x"], &run(FIRST, 1..=1)).1, 0);
        published_by_another(&server, contract);
        let said = reported(&server, 2);
        assert!(said.contains("line x is published by ") && said.contains(words), "{said}");
        assert!(said.contains("install") && said.lines().count() == 1, "{said}");
        // This version goes on behind it, and reports where it is the earlier one.
        let (said, code) = server.publish(&["--games"], &games(FIRST, 1..=3));
        assert_eq!(code, 0, "{said}");
        assert_eq!(said.contains(words) && said.lines().count() == 1, contract.is_some(), "{said}");
        assert_eq!(reported(&server, 4).lines().count(), 1);
    }
}

#[test]
fn two_ends_of_this_version_report_nothing() {
    let Some(server) = Server::start("") else { return };
    assert_eq!(server.publish(&["--games"], &games(FIRST, 1..=3)), (String::new(), 0));
    assert_eq!(reported(&server, 4), "");
}
