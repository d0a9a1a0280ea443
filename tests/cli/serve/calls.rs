//! Calls and their answers.

use serde_json::{Value, json};

use super::{START, Server, keys};

#[test]
fn boards_are_listed_with_exactly_the_fields_of_livechess() {
    let mut server = Server::with_two_boards(&[]);
    server.record(
        1025,
        r#""type":"clock","connected":true,"left":{"seconds":5400},"right":{"seconds":5399.6},"running":true,"turn":"left""#,
    );
    server.now += 7.0;
    server.record(1025, r#""type":"press","side":"left","seconds":5393"#);
    server.until(|boards| boards[0]["clock"]["white"] == 5393);
    let mut client = server.client();
    let boards = client.done("eboards", Value::Null);
    let fields = ["battery", "board", "clock", "comment", "flipped", "serialnr", "source", "state"];
    assert_eq!(keys(&boards[0]), fields);
    assert_eq!(
        boards[0],
        json!({
            "serialnr": "1025", "source": "ttyUSB0", "state": "ACTIVE", "battery": null, "comment": null,
            "board": START, "flipped": false,
            // Black's clock runs since White's was pressed, 7 s after 10:00:00.
            "clock": {"white": 5393, "black": 5400, "run": false, "time": 1_795_860_007_000_i64},
        })
    );
    assert_eq!(boards[1]["clock"], Value::Null);
    let sources = client.done("sources", json!({}));
    assert_eq!(
        sources,
        json!([{"type": "SERIAL", "device": "ttyUSB0", "name": null, "present": true, "active": true, "status": null}])
    );
    // The numbers that floats would be end a client of Go.
    for number in ["white", "black", "time"] {
        assert!(boards[0]["clock"][number].is_i64());
    }
}

#[test]
fn ids_are_returned_unchanged_in_order() {
    let server = Server::with_two_boards(&[]);
    let mut client = server.client();
    let subscribe = |id: u64| json!({"call": "subscribe", "id": id, "param": {"feed": "eboardevent", "id": 1, "param": {"serialnr": "1025"}}});
    // Ids need not differ, nor from those of feeds; keys come in any order; all is sent before anything is read.
    for text in [
        r#"{"id":0,"call":"eboards"}"#.to_owned(),
        r#"{"param":{},"call":"eboards","id":1}"#.to_owned(),
        subscribe(1).to_string(),
        r#"{"call":"eboards","param":null,"id":1}"#.to_owned(),
        r#"{"id":9007199254740993,"call":"eboards"}"#.to_owned(),
    ] {
        client.send(&text);
    }
    let reported: Vec<(String, u64)> = (0..6)
        .map(|_| {
            let message = client.next();
            (message["response"].as_str().unwrap().to_owned(), message["id"].as_u64().unwrap())
        })
        .collect();
    let reported: Vec<(&str, u64)> = reported.iter().map(|(response, id)| (&**response, *id)).collect();
    let expected =
        [("call", 0), ("call", 1), ("call", 1), ("feed", 1), ("call", 1), ("call", 9_007_199_254_740_993)];
    assert_eq!(reported, expected);
}

#[test]
fn many_calls_are_all_answered() {
    let server = Server::with_two_boards(&[]);
    let mut client = server.client();
    for id in 1..=200 {
        client
            .socket
            .write(tungstenite::Message::text(format!(r#"{{"id":{id},"call":"sources"}}"#)))
            .unwrap();
    }
    client.socket.flush().unwrap();
    (1..=200).for_each(|id| assert_eq!(client.next()["id"], id));
}

#[test]
fn errors_keep_the_connection() {
    let server = Server::with_two_boards(&[]);
    let mut client = server.client();
    let fen = |fen: &str| json!({"id": 1, "method": "setup", "param": {"fen": fen}});
    let wrong = [
        ("subscribe", json!({"feed": "eboardevent", "id": 1, "param": {"serialnr": "9"}})),
        ("subscribe", json!({"feed": "liveviewer", "id": 1, "param": {"serialnr": "1025"}})),
        ("subscribe", json!({"feed": "eboardevent"})),
        ("subscribe", json!({"feed": 1025, "id": 1})),
        ("subscribe", json!(null)),
        ("feed", json!(null)),
        ("unsubscribe", json!({"id": 1})),
        ("call", fen(super::START_FEN)),
        ("call", json!({"id": 1, "method": "dance"})),
        ("call", json!([])),
    ];
    for (call, param) in wrong {
        let answer = client.call(call, param);
        assert_eq!(answer["response"], "error", "{call}");
        assert_eq!(keys(&answer["param"]), ["message", "stacktrace"]);
        assert!(answer["param"]["message"].is_string() && answer["param"]["stacktrace"].is_string());
    }
    client.follow(1, "1025");
    for wrong in ["", "x", "8/8/8/8/8/8/8/8 w - - 0 1", "W:Wa1:Bb8"] {
        assert_eq!(client.call("call", fen(wrong))["response"], "error", "{wrong}");
    }
    for text in
        ["", "{", "[]", "null", "\"eboards\"", r#"{"call":"eboards"}"#, r#"{"id":{},"call":"eboards"}"#]
    {
        client.send(text);
        if text.is_empty() {
            continue;
        }
        let answer = client.next();
        assert_eq!((&answer["response"], &answer["id"]), (&json!("error"), &Value::Null), "{text}");
    }
    assert_eq!(client.done("eboards", Value::Null).as_array().unwrap().len(), 2);
}

#[test]
fn each_board_can_be_the_first() {
    let mut server = Server::with_two_boards(&[]);
    let serials = |boards: &Value| -> Vec<String> {
        boards
            .as_array()
            .unwrap()
            .iter()
            .map(|board| board["serialnr"].as_str().unwrap().to_owned())
            .collect()
    };
    let mut client = server.client_at("/board/1026/api/v1.0");
    assert_eq!(serials(&client.done("eboards", Value::Null)), ["1026"]);
    let other = json!({"feed": "eboardevent", "id": 1, "param": {"serialnr": "1025"}});
    assert_eq!(client.call("subscribe", other)["response"], "error");
    client.follow(1, "1026");
    assert_eq!(serials(&server.json("/board/1026/api/v1.0/eboards")), ["1026"]);
    // One that does not answer comes behind those that do, with its position and without a clock.
    server.play(1025, "e2", "e4", "P");
    server.record(1025, r#""type":"clock","connected":true,"left":{"seconds":9},"right":{"seconds":9}"#);
    server.record(1025, r#""type":"lost","reason":"timeout""#);
    server.change(1026, "e2", "");
    client.fed(1);
    let boards = server.client().done("eboards", Value::Null);
    assert_eq!(serials(&boards), ["1026", "1025"]);
    let (state, source) = (&boards[1]["state"], &boards[1]["source"]);
    assert_eq!((state, source, &boards[1]["clock"]), (&json!("NOTRESPONDING"), &Value::Null, &Value::Null));
    assert_eq!(boards[1]["board"], "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR");
    server.record(1025, r#""type":"found","reason":"timeout""#);
    server.change(1026, "e2", "P");
    client.fed(1);
    assert_eq!(serials(&server.client().done("eboards", Value::Null)), ["1025", "1026"]);
}

#[test]
fn boards_switched_on_later_are_found_at_their_address() {
    let mut server = Server::with_two_boards(&[]);
    let mut client = server.client_at("/board/1027/api/v1.0");
    assert_eq!(client.done("eboards", Value::Null), json!([]));
    server.record(1027, &format!(r#""type":"position","placement":"{START}""#));
    server.until(|boards| boards[2]["serialnr"] == "1027");
    assert_eq!(client.done("eboards", Value::Null)[0]["serialnr"], "1027");
}

#[test]
fn a_port_of_its_own_has_one_board() {
    // Ports that nobody has at this moment.
    let free = || std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let (server, first) = (0..20)
        .find_map(|_| {
            let first = free();
            let both = (first..first.checked_add(2)?)
                .all(|port| std::net::TcpListener::bind(("127.0.0.1", port)).is_ok());
            both.then(|| (Server::with_two_boards(&["--ports", &format!("{first}-{}", first + 1)]), first))
        })
        .unwrap();
    // What was sent has been read by then.
    assert_eq!(server.client().done("eboards", Value::Null).as_array().unwrap().len(), 2);
    for (nth, board) in [(0, "1025"), (1, "1026")] {
        let boards = super::Client::connect(first + nth, "/api/v1.0").done("eboards", Value::Null);
        assert_eq!(boards.as_array().unwrap().len(), 1);
        assert_eq!(boards[0]["serialnr"], board);
    }
}

#[test]
fn boards_are_served_after_the_input_ends() {
    let mut server = Server::with_two_boards(&[]);
    server.end_input();
    server.says("the input has ended");
    server.until(|boards| boards[0]["state"] == "NOTRESPONDING");
    let boards = server.client().done("eboards", Value::Null);
    assert_eq!((&boards[0]["state"], &boards[0]["board"]), (&json!("NOTRESPONDING"), &json!(START)));
    let page = server.get("/", "").2;
    assert!(page.contains("0 of 2 boards answer") && page.contains("The input has ended"), "{page}");
    assert!(page.contains("stands at the start") && !page.contains("1. e4"), "{page}");
}

#[test]
fn the_page_keeps_last_moves_after_end_of_input() {
    let folder = tempfile::tempdir().unwrap();
    let roster = folder.path().join("players.csv");
    std::fs::write(&roster, "board,white,black\n1025,Anna,Bert\n").unwrap();
    // A roster is looked at again each second; the input has ended all the same.
    let mut server = Server::with_two_boards(&["--roster", roster.to_str().unwrap()]);
    server.play(1025, "e2", "e4", "P");
    server.end_input();
    server.says("the input has ended");
    server.until(|boards| boards[0]["state"] == "NOTRESPONDING");
    let page = server.get("/", "").2;
    assert!(page.contains("1. e4") && page.contains("stands at the start"), "{page}");
}
