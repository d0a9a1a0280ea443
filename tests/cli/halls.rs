//! Records carried between halls, `publish` and `subscribe`, with a real nats-server; where there is none these tests say
//! SKIPPED.

use std::{fs, io::Write};

mod access;
mod foreign;
mod server;
mod silence;
mod trouble;
mod versions;

use server::{FIRST, SECOND, Server, end, of_line, published, run};

#[test]
fn halls_arrive_in_order_and_once_after_repeats() {
    let Some(server) = Server::start("") else { return };
    let journal = run(FIRST, 1..=3000) + &run(SECOND, 1..=10);
    let hall = ["--line", "hall-2"];
    let office = server.path("event.jsonl").display().to_string();
    let (part, whole) =
        (journal.lines().take(1500).map(|line| format!("{line}\n")).collect::<String>(), &journal);
    assert_eq!(server.publish(&hall, &part), (String::new(), 0));
    assert_eq!(server.subscribe(&["--journal", &office], 1500), of_line(&part, "hall-2"));
    // The rest, behind what is there; then nothing more.
    for _ in 0..2 {
        assert_eq!(server.publish(&hall, whole), (String::new(), 0));
        // What is in the journal is printed first.
        assert_eq!(server.subscribe(&["--journal", &office], 3012), of_line(whole, "hall-2"));
    }
    let kept = fs::read_to_string(&office).unwrap();
    let kept = published(&kept);
    assert_eq!(kept, of_line(whole, "hall-2"));
    assert_eq!(server.subscribe(&["--line", "hall-2,hall-3"], 3012), kept);
}

#[test]
fn hundreds_of_waiting_messages_arrive() {
    let Some(server) = Server::start("") else { return };
    // A message each, for each is of another line.
    let journal: String = (0..400).map(|hall| of_line(&run(FIRST, 1..=1), &format!("hall-{hall}"))).collect();
    let lines = journal.lines().count();
    assert_eq!(server.publish(&[], &journal), (String::new(), 0));
    let told = server.subscribe(&[], lines);
    let (mut told, mut published): (Vec<&str>, Vec<&str>) =
        (told.lines().collect(), journal.lines().collect());
    told.sort_unstable();
    published.sort_unstable();
    assert_eq!(told, published);
}

#[test]
fn halls_exchange_no_records_caused_by_the_input_end() {
    let Some(server) = Server::start("") else { return };
    let mut journal = format!("{{\"type\":\"stream\",\"records\":1,\"run\":\"{FIRST}\",\"line\":\"x\"}}\n");
    let start = "\"type\":\"position\",\"placement\":\"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR\"";
    let change =
        |square: &str, piece: &str| format!("\"type\":\"change\",\"square\":\"{square}\",\"piece\":{piece}");
    let events = [
        start.to_owned(),
        change("e2", "null"),
        change("e4", "\"P\""),
        "\"type\":\"quiet\"".to_owned(),
        change("e7", "null"),
        change("e5", "\"p\""),
        "\"type\":\"quiet\"".to_owned(),
    ];
    let mut games = Vec::new();
    for (n, event) in events.iter().enumerate() {
        journal += &format!(
            "{{{event},\"line\":\"x\",\"board\":1,\"seq\":{},\"time\":\"2026-11-21T10:00:{:02}.000Z\"}}\n",
            n + 1,
            10 * n.min(5)
        );
        if n == 3 || n == 6 {
            let reconstruct = super::program::output_of(&["reconstruct"], journal.clone());
            assert_eq!(server.publish(&["--games"], &reconstruct), (String::new(), 0));
            games.push(reconstruct);
        }
    }
    let (said, code) = server.publish(&[], &games[0]);
    assert!(code == 0 && said.contains("--games"), "{said}");
    let told = server.subscribe(&["--games"], 4);
    let moves: Vec<String> = super::program::records(&told)
        .iter()
        .filter_map(|record| Some(record["san"].as_str()?.to_owned()))
        .collect();
    assert_eq!(moves, ["e4", "e5"]);
    assert!(!told.contains("input-end") && told.contains(&format!("\"run\":\"{FIRST}-games\"")), "{told}");
}

#[test]
fn rulings_are_carried_with_games_and_records() {
    let Some(server) = Server::start("") else { return };
    let ruling = "{\"type\":\"ruling\",\"line\":\"x\",\"board\":1,\"game\":1,\"void\":true}\n";
    let record = |n: u32, event: &str| {
        format!(
            "{{{event},\"line\":\"x\",\"board\":1,\"seq\":{n},\"time\":\"2026-11-21T10:00:{n:02}.000Z\"}}\n"
        )
    };
    let journal = format!("{{\"type\":\"stream\",\"records\":1,\"line\":\"x\",\"run\":\"{FIRST}\"}}\n")
        + &record(1, "\"type\":\"position\",\"placement\":\"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR\"")
        + &record(2, "\"type\":\"change\",\"square\":\"e2\",\"piece\":null")
        + &record(3, "\"type\":\"change\",\"square\":\"e4\",\"piece\":\"P\"")
        + &record(9, "\"type\":\"quiet\"")
        + ruling;
    let games = super::program::output_of(&["reconstruct"], journal.clone());
    assert_eq!(server.publish(&["--games"], &games), (String::new(), 0));
    let office = server.subscribe(&["--games"], games.lines().count());
    assert_eq!(office, games);
    assert!(super::program::of(&super::program::records(&office), "ruling")[0]["void"] == true, "{office}");
    assert_eq!(super::program::run(&["to-pgn"], office).0, "");
    // Of the journal it goes with what the board reported, and what is not known goes with it.
    let journal = journal + &record(10, "\"type\":\"battery\",\"percent\":3");
    assert_eq!(server.publish(&[], &journal), (String::new(), 0));
    assert_eq!(server.subscribe(&[], journal.lines().count()), journal);
}

#[test]
fn evaluations_follow_their_moves_once() {
    let Some(server) = Server::start("") else { return };
    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let record = |what: &str| format!("{{{what},\"line\":\"x\",\"board\":1,\"game\":1}}\n");
    let stream = format!("{{\"type\":\"stream\",\"records\":1,\"line\":\"x\",\"run\":\"{FIRST}-games\"}}\n");
    let games = [
        stream,
        record(&format!("\"type\":\"game\",\"rules\":\"chess\",\"fen\":\"{START}\",\"seq\":1")),
        record("\"type\":\"move\",\"ply\":1,\"san\":\"e4\",\"uci\":\"e2e4\",\"seq\":2"),
        record("\"type\":\"evaluation\",\"ply\":1,\"cp\":31,\"depth\":12,\"pv\":[\"e7e5\"],\"engine\":\"x\""),
        record("\"type\":\"evaluation\",\"ply\":1,\"cp\":28,\"depth\":18,\"pv\":[\"c7c5\"],\"engine\":\"x\""),
        record("\"type\":\"move\",\"ply\":2,\"san\":\"e5\",\"uci\":\"e7e5\",\"seq\":3"),
        record("\"type\":\"evaluation\",\"ply\":2,\"mate\":-3,\"engine\":\"x\""),
        record("\"type\":\"end\",\"result\":\"0-1\",\"reason\":\"kings\",\"seq\":4"),
    ];
    let whole = games.concat();
    // Cut between two evaluations of one move, and published once more.
    for part in [games[..4].concat(), whole.clone(), whole.clone()] {
        assert_eq!(server.publish(&["--games"], &part), (String::new(), 0));
    }
    let office = server.subscribe(&["--games"], games.len());
    assert_eq!(office, whole);
    let pgn = super::program::run(&["to-pgn"], office).0;
    assert!(pgn.contains("1. e4 {[%eval 0.28]} 1... e5 {[%eval #-3]} 0-1"), "{pgn}");
}

#[test]
fn growing_journals_are_followed_and_old_ones_refused() {
    let Some(server) = Server::start("") else { return };
    let journal = server.path("hall.jsonl");
    fs::write(&journal, run(FIRST, 1..=5)).unwrap();
    let follow = ["--line", "x", "--follow", journal.to_str().unwrap()];
    let mut publisher = server.command("publish", &follow).spawn().unwrap();
    assert_eq!(server.subscribe(&[], 6), of_line(&run(FIRST, 1..=5), "x"));
    let mut file = fs::File::options().append(true).open(&journal).unwrap();
    file.write_all(b"{\"type\":\"quiet\",\"seq\":6}\n").unwrap();
    assert!(server.subscribe(&[], 7).ends_with("\"seq\":6}\n"));
    end(&mut publisher);
    let old = server.path("old.jsonl");
    fs::write(&old, run(FIRST, 1..=3)).unwrap();
    let (said, code) = server.publish(&["--line", "x", "--follow", old.to_str().unwrap()], "");
    assert!(code == 4 && said.contains("old.jsonl") && said.contains("line x"), "{said}");
}
