//! What a feed reports.

use serde_json::{Value, json};

use super::{START, START_FEN, Server, keys};

#[test]
fn feeds_report_changes_and_no_game_without_a_setup() {
    let mut server = Server::with_two_boards(&[]);
    let mut client = server.client();
    let first = client.follow(1, "1025");
    assert_eq!(keys(&first), ["board", "clock", "flipped", "serialnr"]);
    assert_eq!(first, json!({"serialnr": "1025", "flipped": false, "board": START, "clock": null}));
    server.change(1026, "a2", "");
    server.change(1025, "e2", "");
    let lifted = client.fed(1);
    assert_eq!(
        lifted,
        json!({"serialnr": "1025", "flipped": false, "board": "rnbqkbnr/pppppppp/8/8/8/8/PPPP1PPP/RNBQKBNR"})
    );
    server.change(1025, "e4", "P");
    assert_eq!(client.fed(1)["board"], "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR");
    // A clock is reported when it is another.
    let clock =
        r#""type":"clock","connected":true,"left":{"seconds":90},"right":{"seconds":60},"running":false"#;
    server.record(1025, clock);
    let reported = client.fed(1);
    assert_eq!((&reported["clock"]["white"], &reported["clock"]["run"]), (&json!(90), &Value::Null));
    server.change(1025, "e7", "");
    assert!(client.fed(1).get("clock").is_none());
    server.record(1025, r#""type":"lost","reason":"timeout""#);
    assert_eq!(client.fed(1)["clock"], Value::Null);
    // No more of it.
    assert_eq!(client.done("unsubscribe", json!({"id": 1})), Value::Null);
    server.change(1025, "e5", "p");
    server.until(|boards| boards[0]["board"] == "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR");
    assert_eq!(client.done("eboards", Value::Null)[0]["serialnr"], "1025");
}

#[test]
fn a_flip_turns_what_one_feed_shows() {
    let mut server = Server::with_two_boards(&[]);
    let mut client = server.client();
    client.follow(7, "1025");
    client.follow(8, "1025");
    let flip = json!({"id": 7, "method": "flip", "param": {"flip": true}});
    assert_eq!(client.done("call", flip), Value::Null);
    assert_eq!(client.fed(7)["board"], "RNBKQBNR/PPPPPPPP/8/8/8/8/pppppppp/rnbkqbnr");
    server.change(1025, "e2", "");
    let (one, other) = (client.next(), client.next());
    assert_eq!((&one["id"], &one["param"]["flipped"]), (&json!(7), &json!(true)));
    assert_eq!((&other["id"], &other["param"]["flipped"]), (&json!(8), &json!(false)));
    assert_eq!(one["param"]["board"], "RNBKQBNR/PPP1PPPP/8/8/8/8/pppppppp/rnbkqbnr");
}

#[test]
fn turned_boards_are_shown_from_whites_side() {
    let mut server = Server::start(&[]);
    server.record(7, r#""type":"position","placement":"RNBKQBNR/PPPPPPPP/8/8/8/8/pppppppp/rnbkqbnr""#);
    let clock = r#""type":"clock","connected":true,"left":{"seconds":90},"right":{"seconds":60},"running":true,"turn":"right""#;
    server.record(7, clock);
    server.until(|boards| boards[0]["clock"].is_object());
    let mut client = server.client();
    let reported = client.follow(1, "7");
    assert_eq!((&reported["flipped"], &reported["board"]), (&json!(true), &json!(START)));
    let clock = &reported["clock"];
    assert_eq!([&clock["white"], &clock["black"], &clock["run"]], [&json!(60), &json!(90), &json!(true)]);
    client.set_up(1, START_FEN);
    // White's e2 is the board's d7.
    server.play(7, "d7", "d5", "P");
    assert_eq!(client.moves(1, 1), ["e4"]);
}

#[test]
fn ids_in_use_are_taken_by_another_board() {
    let mut server = Server::with_two_boards(&[]);
    let mut client = server.client();
    client.follow(1, "1025");
    client.set_up(1, START_FEN);
    assert_eq!(keys(&client.follow(1, "1026")), ["board", "clock", "flipped", "serialnr"]);
    server.change(1025, "e2", "");
    server.change(1026, "a2", "");
    assert_eq!(client.fed(1)["serialnr"], "1026");
}
