//! What is served over HTTP, and the feed of records.

use std::fs;

use serde_json::{Value, json};

use super::{Server, keys};
use crate::program::output_of;

const PLAYER: [&str; 7] = ["federation", "fideid", "fname", "gender", "lname", "mname", "title"];

#[test]
fn boards_are_printed_as_livechess_prints_them() {
    let server = Server::with_two_boards(&[]);
    let text = server.get("/api/v1.0/eboards", "").2;
    assert!(text.starts_with("[ {\n  \"serialnr\" : \"1025\",\n  \"source\" : \"ttyUSB0\",\n"), "{text}");
    assert!(text.contains("\n  \"board\" : \"rnbqkbnr/"), "{text}");
}

#[test]
fn the_round_is_served_with_its_players_and_moves() {
    let folder = tempfile::tempdir().unwrap();
    let roster = folder.path().join("players.csv");
    let rows = "board,table,white,black,white_title,white_fide_id,white_fed\n\
                1026,1,\"Tal, Mikhail\",Botvinnik,GM,1503014,LAT\n1025,2,A,B,,,\n";
    fs::write(&roster, rows).unwrap();
    let mut server =
        Server::with_two_boards(&["--roster", roster.to_str().unwrap(), "--round", "3", "--event", "Open"]);
    server.play(1026, "e2", "e4", "P");
    server.now += 4.0;
    server.play(1026, "e7", "e5", "p");
    server.now += 30.0;
    server.record(1026, r#""type":"quiet""#);
    let since = std::time::Instant::now();
    while !server.get("/", "").2.contains("1... e5") {
        assert!(since.elapsed() < crate::hall::DEADLINE);
    }
    let of = |path: &str| server.json(&format!("/api/v1.0/{path}"));
    let list = of("tournaments");
    assert_eq!(keys(&list[0]), ["description", "rounds", "uuid"]);
    assert_eq!((&list[0]["description"], &list[0]["rounds"]), (&json!("Open"), &json!(3)));
    let id = list[0]["uuid"].as_str().unwrap();
    let tournament = of(&format!("tournament/{id}"));
    let fields = ["country", "description", "eboards", "location", "name", "rounds", "uuid"];
    assert_eq!(keys(&tournament), fields);
    assert_eq!(tournament["eboards"], json!(["1026", "1025"]));
    // Rounds count from 0.
    let empty = of(&format!("round/{id}/0"));
    assert_eq!(empty, json!({"nr": 1, "date": null, "pairings": []}));
    let round = of(&format!("round/{id}/2"));
    assert_eq!((keys(&round), &round["nr"]), (vec!["date", "nr", "pairings"], &json!(3)));
    let pairing = &round["pairings"][0];
    assert_eq!(keys(pairing), ["black", "live", "nr", "result", "uuid", "white"]);
    assert_eq!((keys(&pairing["white"]), keys(&pairing["black"])), (PLAYER.to_vec(), PLAYER.to_vec()));
    let white = &pairing["white"];
    assert_eq!(
        [&white["lname"], &white["fname"], &white["fideid"]],
        [&json!("Tal"), &json!("Mikhail"), &json!(1_503_014)]
    );
    assert_eq!(
        (&pairing["nr"], &pairing["result"], &pairing["live"]),
        (&json!(1), &Value::Null, &json!(true))
    );
    let game = of(&format!("game/{}", pairing["uuid"].as_str().unwrap()));
    assert_eq!(keys(&game), ["chess960", "clock", "comment", "moves", "result"]);
    assert_eq!(game["chess960"], 518);
    let moves: Vec<&str> = game["moves"].as_array().unwrap().iter().map(|mv| mv.as_str().unwrap()).collect();
    // Each with a time: readers that want one end where there is none.
    assert!(matches!(moves[..], [e4, e5] if e4.starts_with("e4 +") && e5.starts_with("e5 +")), "{moves:?}");
    for missing in
        ["round/x/0".to_owned(), format!("round/{id}/3"), format!("game/{id}"), "nothing".to_owned()]
    {
        assert_eq!(server.get(&format!("/api/v1.0/{missing}"), "").0, 404, "{missing}");
    }
}

#[test]
fn records_continue_after_those_of_a_client() {
    let folder = tempfile::tempdir().unwrap();
    let journal = folder.path().join("round.jsonl");
    let pgn = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/bus.pgn");
    let lines = output_of(&["simulate", "--records", "--pgn", pgn, "--boards", "2", "--hands", "clean"], "");
    let mut seq = 0;
    let numbered = lines.lines().map(|line| {
        if line.contains("\"stream\"") {
            return format!("{line}\n");
        }
        seq += 1;
        format!("{},\"seq\":{seq}}}\n", line.trim_end_matches('}'))
    });
    fs::write(&journal, numbered.collect::<String>()).unwrap();
    let read = |server: &Server, query: &str, count: usize| -> Vec<Value> {
        let mut client = server.client_at(&format!("/records{query}"));
        let all = std::iter::repeat_with(|| client.text()).filter(|record| record["type"] != "stream");
        all.take(count).collect()
    };
    let server = Server::following(&journal, &[]);
    let all = read(&server, "?run=simulate-1&seq=1", 150);
    let games: Vec<&Value> = all.iter().filter(|record| record.get("game").is_some()).collect();
    assert!(!games.is_empty() && games.iter().all(|record| record["seq"].is_u64()));
    drop(server);
    let server = Server::following(&journal, &[]);
    let known = all.iter().rposition(|record| record.get("game").is_none()).unwrap().min(130);
    let known = all[..known].iter().rposition(|record| record.get("game").is_none()).unwrap();
    let rest = read(&server, &format!("?run=simulate-1&seq={}", all[known]["seq"]), all.len() - known - 1);
    assert_eq!(rest, all[known + 1..]);
    let from_the_first = read(&server, "?run=simulate-1&seq=0", all.len() + 1);
    assert_eq!((&from_the_first[0]["seq"], &from_the_first[1..]), (&1.into(), &all[..]));
    let of_one = read(&server, "?run=simulate-1&seq=1&board=1026", 30);
    assert!(of_one.iter().all(|record| record["board"] == 1026));
    assert_eq!(server.get("/records", "").0, 426);
    let upgrade =
        "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: x\r\n";
    assert_eq!(server.get("/records?run=other&seq=1", upgrade).0, 410);
    assert_eq!(server.get("/records?seq=1", upgrade).0, 400);
}

#[test]
fn pages_show_board_states_without_foreign_markup() {
    let folder = tempfile::tempdir().unwrap();
    let roster = folder.path().join("players.csv");
    fs::write(&roster, "board,white,black\n1025,<script>alert(1)</script>,B&C\n").unwrap();
    let mut server = Server::with_two_boards(&["--roster", roster.to_str().unwrap()]);
    server.play(1025, "e2", "e4", "P");
    server.now += 30.0;
    server.record(1025, r#""type":"quiet""#);
    let since = std::time::Instant::now();
    while !server.get("/", "").2.contains("1. e4") {
        assert!(since.elapsed() < crate::hall::DEADLINE);
    }
    let (status, head, page) = server.get("/", "");
    assert_eq!(status, 200);
    assert!(head.contains("Content-Security-Policy: default-src 'none'"), "{head}");
    assert!(page.contains("2 of 2 boards answer") && page.contains("1. e4"), "{page}");
    assert!(page.contains("&lt;script&gt;alert(1)&lt;/script&gt;") && page.contains("B&amp;C"), "{page}");
    assert!(page.contains("/board/1025/api/v1.0"));
    // What lichess's page links to.
    assert_eq!(server.get("/doc/index.html", "").0, 200);
}
