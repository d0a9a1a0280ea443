//! The moves of a game that a client has set up.

use serde_json::{Value, json};

use super::{Client, START_FEN, Server, keys};

/// A client that has set up the start position on the first board.
fn set_up(server: &Server) -> Client {
    let mut client = server.client();
    client.follow(1, "1025");
    let reported = client.set_up(1, START_FEN);
    assert_eq!(keys(&reported), ["board", "flipped", "match", "san", "serialnr", "start"]);
    assert_eq!(
        (&reported["start"], &reported["san"], &reported["match"]),
        (&json!(START_FEN), &json!([]), &json!(true))
    );
    client
}

#[test]
fn moves_are_published_once_in_their_own_message() {
    let mut server = Server::with_two_boards(&[]);
    let mut client = set_up(&server);
    server.now += 5.0;
    server.change(1025, "e2", "");
    let lifted = client.fed(1);
    assert_eq!((&lifted["san"], &lifted["match"]), (&json!([]), &json!(false)));
    server.change(1025, "e4", "P");
    assert_eq!(client.fed(1)["san"], json!([]));
    server.now += 0.3;
    server.record(1025, r#""type":"quiet""#);
    // No further record comes, and it is published.
    let reported = client.fed(1);
    assert_eq!((&reported["san"], &reported["match"]), (&json!(["e4"]), &json!(true)));
    for (from, to, piece) in [("e7", "e5", "p"), ("g1", "f3", "N"), ("b8", "c6", "n")] {
        server.play(1025, from, to, piece);
    }
    assert_eq!(client.moves(1, 4), ["e4", "e5", "Nf3", "Nc6"]);
}

#[test]
fn pieces_stopping_on_their_way_make_no_move() {
    let mut server = Server::with_two_boards(&[]);
    let mut client = set_up(&server);
    server.play(1025, "e2", "e4", "P");
    server.play(1025, "e7", "e6", "p");
    client.moves(1, 2);
    // The bishop stops on e2 for a second, and goes on to b5.
    server.now += 5.0;
    server.change(1025, "f1", "");
    server.change(1025, "e2", "B");
    server.now += 0.3;
    server.record(1025, r#""type":"quiet""#);
    server.now += 0.7;
    server.change(1025, "e2", "");
    server.change(1025, "b5", "B");
    server.rest(1025);
    assert_eq!(client.moves(1, 3), ["e4", "e6", "Bb5"]);
}

#[test]
fn moves_taken_back_are_not_published_with_certain_after() {
    // Minutes of record time, so that a slow machine changes nothing.
    let mut server = Server::with_two_boards(&["--certain-after", "10m"]);
    let mut client = set_up(&server);
    server.play(1025, "e2", "e4", "P");
    server.now += 300.0;
    server.play(1025, "e4", "e2", "P");
    server.play(1025, "d2", "d4", "P");
    server.now += 900.0;
    server.rest(1025);
    assert_eq!(client.moves(1, 1), ["d4"]);
    // A reply makes a move sure at once.
    server.play(1025, "d7", "d5", "p");
    server.play(1025, "c2", "c4", "P");
    assert_eq!(client.moves(1, 2), ["d4", "d5"]);
}

#[test]
fn castling_is_one_move_whichever_piece_goes_first() {
    let placement = "r3k2r/8/8/8/8/8/8/R3K2R";
    let mut server = Server::with_board(placement);
    let mut client = server.client();
    client.follow(1, "1025");
    client.set_up(1, &format!("{placement} w KQkq - 0 1"));
    server.now += 5.0;
    server.change(1025, "h1", "");
    server.change(1025, "f1", "R");
    server.now += 0.3;
    server.record(1025, r#""type":"quiet""#);
    server.now += 0.6;
    server.change(1025, "e1", "");
    server.change(1025, "g1", "K");
    server.rest(1025);
    server.play(1025, "e8", "c8", "k");
    server.play(1025, "a8", "d8", "r");
    assert_eq!(client.moves(1, 2), ["O-O", "O-O-O"]);
}

#[test]
fn kings_in_the_centre_are_no_moves() {
    let placement = "8/8/4k3/8/8/3K4/8/R7";
    let mut server = Server::with_board(placement);
    let mut client = server.client();
    client.follow(1, "1025");
    client.set_up(1, &format!("{placement} w - - 0 1"));
    server.play(1025, "a1", "a7", "R");
    assert_eq!(client.moves(1, 1), ["Ra7"]);
    // Both would be legal, one after the other; the second hand follows soon.
    server.now += 2.0;
    for (from, to, piece) in [("e6", "e5", "k"), ("d3", "e4", "K")] {
        for (square, piece, seconds) in [(from, "", 0.5), (to, piece, 0.3)] {
            server.now += seconds;
            server.change(1025, square, piece);
        }
        server.now += 0.3;
        server.record(1025, r#""type":"quiet""#);
    }
    server.now += 20.0;
    server.record(1025, r#""type":"quiet""#);
    server.now += 20.0;
    server.change(1025, "a7", "");
    let reported = loop {
        let reported = client.fed(1);
        if reported["board"] == "8/8/8/4k3/4K3/8/8/8" {
            break reported;
        }
    };
    assert_eq!(reported["san"], json!(["Ra7"]));
}

/// Shows a result whose first king makes a legal step, then follows to the end.
fn moves_after_kings(placement: &str, changes: &[(f64, &str, &str)], shown: &str) -> Value {
    let mut server = Server::with_board(placement);
    let mut client = server.client();
    client.follow(1, "1025");
    client.set_up(1, &format!("{placement} b - - 0 1"));
    server.now += 5.0;
    for &(seconds, square, piece) in changes {
        // The board is found at rest before the next hand comes.
        if seconds > 1.0 {
            server.now += 0.3;
            server.record(1025, r#""type":"quiet""#);
        }
        server.now += seconds;
        server.change(1025, square, piece);
    }
    server.now += 0.3;
    server.record(1025, r#""type":"quiet""#);
    server.now += 20.0;
    server.change(1025, "h1", "");
    loop {
        let reported = client.fed(1);
        if reported["board"] == shown {
            return reported["san"].clone();
        }
    }
}

#[test]
fn a_king_whose_rival_follows_late_is_no_move() {
    let first = [(0.5, "e6", ""), (0.3, "e5", "k")];
    // The second king is long in the hand.
    let lifted = [(3.9, "d3", ""), (3.0, "e4", "K")];
    let san = moves_after_kings("8/8/4k3/8/8/3K4/8/R6R", &[first, lifted].concat(), "8/8/8/4k3/4K3/8/8/R7");
    assert_eq!(san, json!([]));
    // The second king slides, and stands for a while on its way, as after a legal step.
    let slid = [
        (2.4, "c1", ""),
        (0.1, "d2", "K"),
        (1.1, "d2", ""),
        (0.1, "d3", "K"),
        (0.3, "d3", ""),
        (0.1, "d4", "K"),
    ];
    let san =
        moves_after_kings("8/8/4k3/8/8/8/8/R1K4R", &[&first[..], &slid].concat(), "8/8/8/4k3/3K4/8/8/R7");
    assert_eq!(san, json!([]));
    // The first king stood in the centre before.
    let within = [(0.5, "e4", ""), (0.3, "d5", "k"), (3.9, "h2", ""), (0.4, "e4", "K")];
    let san = moves_after_kings("8/8/8/8/4k3/8/7K/R6R", &within, "8/8/8/3k4/4K3/8/8/R7");
    assert_eq!(san, json!([]));
}

#[test]
fn moves_made_before_the_setup_are_found() {
    let mut server = Server::with_two_boards(&[]);
    server.play(1025, "e2", "e4", "P");
    server.change(1026, "a2", "");
    // The other board is reported behind what was played.
    server.until(|boards| boards[1]["board"] == "rnbqkbnr/pppppppp/8/8/8/8/1PPPPPPP/RNBQKBNR");
    let mut client = server.client();
    client.follow(1, "1025");
    let reported = client.set_up(1, START_FEN);
    assert_eq!((&reported["san"], &reported["match"]), (&json!([]), &json!(false)));
    let reported = client.fed(1);
    assert_eq!((&reported["san"], &reported["match"]), (&json!(["e4"]), &json!(true)));
}

#[test]
fn setups_in_the_midst_of_moves_find_them() {
    let mut server = Server::with_two_boards(&[]);
    let mut client = server.client();
    client.follow(1, "1025");
    server.now += 5.0;
    server.change(1025, "g1", "");
    client.fed(1);
    assert_eq!(client.set_up(1, START_FEN)["match"], false);
    server.now += 0.5;
    server.change(1025, "f3", "N");
    server.now += 0.3;
    server.record(1025, r#""type":"quiet""#);
    assert_eq!(client.moves(1, 1), ["Nf3"]);
}

#[test]
fn setups_wait_for_the_last_move_on_the_board() {
    let mut server = Server::with_two_boards(&[]);
    server.play(1025, "e2", "e4", "P");
    server.until(|boards| boards[0]["board"] == "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR");
    let mut client = server.client();
    client.follow(1, "1025");
    // Black has replied where the game is played, and nobody has moved that piece here.
    let fen = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6 0 2";
    assert_eq!(client.set_up(1, fen)["match"], false);
    server.play(1025, "e7", "e5", "p");
    server.play(1025, "g1", "f3", "N");
    assert_eq!(client.moves(1, 1), ["Nf3"]);
}

#[test]
fn a_setup_while_a_capturing_piece_slides_finds_the_move() {
    let placement = "4k3/8/8/8/3p4/8/8/3QK3";
    let mut server = Server::with_board(placement);
    let mut client = server.client();
    client.follow(1, "1025");
    server.now += 5.0;
    for (square, piece) in [("d4", ""), ("d2", "Q"), ("d1", "")] {
        server.change(1025, square, piece);
        client.fed(1);
    }
    assert_eq!(client.set_up(1, &format!("{placement} w - - 0 1"))["match"], false);
    server.now += 0.3;
    server.change(1025, "d4", "Q");
    server.change(1025, "d2", "");
    server.now += 0.3;
    server.record(1025, r#""type":"quiet""#);
    assert_eq!(client.moves(1, 1), ["Qxd4"]);
}

#[test]
fn pieces_that_return_to_the_setup_are_moves() {
    let placement = "3r2k1/5ppp/8/q7/8/5Q2/R3BPP1/6K1";
    let mut server = Server::with_board(placement);
    let mut client = server.client();
    client.follow(1, "1025");
    client.set_up(1, &format!("{placement} w - - 0 1"));
    for (from, to, piece) in [("e2", "d1", "B"), ("d8", "d7", "r"), ("d1", "e2", "B"), ("d7", "d8", "r")] {
        server.play(1025, from, to, piece);
        server.now += 3.0;
        server.record(1025, r#""type":"quiet""#);
    }
    assert_eq!(client.moves(1, 4), ["Bd1", "Rd7", "Be2", "Rd8"]);
}

#[test]
fn published_moves_stay_and_continue_from_their_position() {
    let mut server = Server::with_two_boards(&[]);
    let mut client = set_up(&server);
    server.play(1025, "e2", "e4", "P");
    assert_eq!(client.moves(1, 1), ["e4"]);
    // Taken back, and another one played.
    server.play(1025, "e4", "e2", "P");
    server.play(1025, "d2", "d4", "P");
    server.now += 20.0;
    server.record(1025, r#""type":"quiet""#);
    // Both put right, and Black replies.
    server.play(1025, "d4", "d2", "P");
    server.play(1025, "e2", "e4", "P");
    server.play(1025, "c7", "c5", "p");
    assert_eq!(client.moves(1, 2), ["e4", "c5"]);
}

#[test]
fn feeds_of_one_board_have_setups_of_their_own() {
    let mut server = Server::with_two_boards(&[]);
    let (mut one, mut other) = (set_up(&server), set_up(&server));
    server.play(1025, "e2", "e4", "P");
    assert_eq!((one.moves(1, 1), other.moves(1, 1)), (vec!["e4".into()], vec!["e4".into()]));
    // One goes on from where it stands: its moves begin again, those of the other go on.
    let fen = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
    assert_eq!(one.set_up(1, fen)["san"], json!([]));
    server.play(1025, "e7", "e5", "p");
    assert_eq!(one.moves(1, 1), ["e5"]);
    assert_eq!(other.moves(1, 2), ["e4", "e5"]);
}

#[test]
fn a_position_set_up_again_is_followed() {
    let mut server = Server::with_two_boards(&[]);
    let mut client = set_up(&server);
    // The game of before had no moves: on its page a second one begins.
    let again = client.set_up(1, START_FEN);
    assert_eq!((&again["san"], &again["match"]), (&json!([]), &json!(true)));
    server.play(1025, "e2", "e4", "P");
    server.play(1025, "e7", "e5", "p");
    assert_eq!(client.moves(1, 2), ["e4", "e5"]);
    // Moves of before a setup do not count, even if another client has received them.
    let mut other = server.client();
    other.follow(1, "1025");
    for client in [&mut client, &mut other] {
        let again = client.set_up(1, START_FEN);
        assert_eq!((&again["san"], &again["match"]), (&json!([]), &json!(false)));
    }
    server.change(1025, "g1", "");
    for client in [&mut client, &mut other] {
        let lifted = client.fed(1);
        assert_eq!((&lifted["san"], &lifted["match"]), (&json!([]), &json!(false)));
    }
}

#[test]
fn games_of_chess960_are_followed() {
    let placement = "bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN";
    let mut server = Server::with_board(placement);
    let mut client = server.client();
    client.follow(1, "1025");
    client.set_up(1, &format!("{placement} w GEge - 0 1"));
    server.play(1025, "h1", "g3", "N");
    server.play(1025, "h8", "g6", "n");
    // King f1 and rook g1 castle: they change places.
    server.now += 3.0;
    server.change(1025, "f1", "");
    server.change(1025, "g1", "");
    server.change(1025, "g1", "K");
    server.change(1025, "f1", "R");
    server.now += 0.3;
    server.record(1025, r#""type":"quiet""#);
    assert_eq!(client.moves(1, 3), ["Ng3", "Ng6", "O-O"]);
}
