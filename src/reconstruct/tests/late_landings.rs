//! Pieces that the board finds only some time after they were put down.

use super::{OPENING, START, game, published_so_far, without_clock};

/// Black has replied when the board finds White's first piece.
fn found_late(lift: &str, landing: &str) -> String {
    format!("{lift} L90 -e7 pe5 +2 R90 +2 . +2 {landing} +2 .")
}

#[test]
fn a_first_move_read_late_is_published() {
    for (lift, landing, first) in [
        ("-e2", "Pe4", "e4"),
        ("-e2", "Pe3", "e3"),
        ("-h2", "Ph4", "h4"),
        ("-g1", "Nf3", "Nf3"),
        ("-g1", "Nh3", "Nh3"),
    ] {
        let stream =
            format!("{} -b1 Nc3 L88 +2 . -b8 nc6 R88 +2 . -g2 Pg3 L86 +2 .", found_late(lift, landing));
        for stream in [without_clock(&stream), stream] {
            assert_eq!(game(&stream), format!("{first} e5 Nc3 Nc6 g3"), "{stream}");
            let output = published_so_far(&format!("={START} @begin . +4 {stream} +4 ."));
            assert_eq!(output, format!("game {first} e5 Nc3 Nc6 g3"), "{stream}");
        }
    }
}

#[test]
fn a_first_landing_never_read_is_published() {
    let output = published_so_far(&format!(
        "={START} @begin . +4 -e2 L90 -e7 pe5 +2 R90 +2 . -b1 Nc3 L88 +2 . -b8 nc6 R88 +2 . -g2 Pg3 L86 +2 . +8 ."
    ));
    assert_eq!(output, "game e4 e5 Nc3 Nc6 g3");
}

#[test]
fn a_game_begins_with_a_reply_seen_first() {
    for reply in
        ["-e7 -e2 Pe4 L90 pe5 R90 +2 .", "-e7 pe5 -e2 Pe4 L90 R90 +2 .", "-e7 -e2 L90 pe5 R90 +2 . Pe4 +2 ."]
    {
        let stream = format!("{reply} -b1 Nc3 L88 +2 . -b8 nc6 R88 +2 . -g2 Pg3 L86 +2 .");
        assert_eq!(game(&stream), "e4 e5 Nc3 Nc6 g3", "{reply}");
    }
}

#[test]
fn a_piece_read_moves_late_landed_at_its_lift() {
    let late =
        "-f1 L88 +2 -b8 nc6 R88 +2 -g1 Nf3 L86 +2 -g8 nf6 R86 Bc4 +2 . -d2 Pd3 L84 +2 . -f8 bc5 R84 +2 .";
    assert_eq!(game(&format!("-e2 Pe4 L90 +2 . -e7 pe5 R90 +2 . {late}")), "e4 e5 Bc4 Nc6 Nf3 Nf6 d3 Bc5");
}

#[test]
fn a_square_emptied_twice_had_a_landing() {
    let goes_on = "-f8 bc5 R84 +2 .";
    for (between, played) in [
        // It went on, before or after the reply was seen.
        ("L86 -h7 q-g5 R86 qph6 +2 . Nh3 L84 +2 .", "Ng5 h6 Nh3 Bc5"),
        ("L86 -h7 ph6 R86 +2 -g5 Nh3 L84 +2 .", "Ng5 h6 Nh3 Bc5"),
        // It was captured there.
        ("L86 -d8 q-g5 qg5 R86 +2 . -d2 Pd4 L84 +2 .", "Ng5 Qxg5 d4 Bc5"),
        // It went on, and was captured where it was not seen to land either.
        ("L86 -h7 ph6 R86 +2 -g5 L84 -f7 q-e6 qpe6 R84 +2 . -d2 Pd4 L84 +2 .", "Ng5 h6 Ne6 fxe6 d4 Bc5"),
    ] {
        assert_eq!(
            game(&format!("{OPENING} -f3 +2 {between} {goes_on}")),
            format!("e4 e5 Nf3 Nc6 {played}"),
            "{between}"
        );
    }
}

#[test]
fn a_passed_square_may_be_emptied_twice() {
    // The bishop slides over e2 and d3, of which only the emptying is reported.
    let slid = "-e2 Pe4 L90 +2 . -e7 pe5 R90 +2 . -f1 q-e2 q-d3 qBc4 L88 +2 . -g8 nf6 R88 +2 .";
    assert_eq!(game(slid), "e4 e5 Bc4 Nf6");
    // A packet that was sent twice.
    let twice = "-e2 Pe4 L90 +2 . -e7 pe5 R90 +2 . -g1 Nf3 +2 -g1 Nf3 L88 +2 . -b8 nc6 R88 +2 .";
    assert_eq!(game(twice), "e4 e5 Nf3 Nc6");
}

#[test]
fn castling_with_a_late_king_is_no_rook_move() {
    let begins = "-e2 Pe4 L90 +2 . -e7 pe5 R90 +2 . -g1 Nf3 L88 +2 . -b8 nc6 R88 +2 . -f1 Bc4 L86 +2 . -f8 bc5 R86 +2 .";
    // The king stands beside its square for a reply and a move more.
    let castles = "+4 -e1 -h1 +2 Rf1 L84 -g8 nf6 R84 +2 . +2 Kg1 -d2 Pd3 L82 +2 -d7 pd6 R82 +2 .";
    let goes_on = "-c1 Be3 L80 +2 . -c5 -e3 be3 R80 +2 . -f2 -e3 Pe3 L78 +2 . -c8 bg4 R78 +2 .";
    assert_eq!(
        game(&format!("{begins} {castles} {goes_on}")),
        "e4 e5 Nf3 Nc6 Bc4 Bc5 O-O Nf6 d3 d6 Be3 Bxe3 fxe3 Bg4"
    );
}

#[test]
fn a_piece_enters_a_square_before_its_predecessor_lands() {
    // The pawn on g6 is read late, with a clock, and without one when White has done the same on the other side.
    let before = "-d2 Pd4 L90 +2 -g8 nf6 R90 +2 -g1 Nf3 L88 +2 .";
    let late = "-g7 R88 +2 -c1 -f8 Bf4 bg7 +2 L86 pg6 R86 +2 . +2 .";
    assert_eq!(game(&format!("{before} {late}")), "d4 Nf6 Nf3 g6 Bf4 Bg7");
    let before = "-c2 Pc4 +2 . +2 . -c7 pc5 +2 . +2 . -g1 Nf3 +2 . +2 .";
    let late = "-g7 +2 -g2 Pg3 -f8 bg7 +2 Bg2 -f1 pg6 -b8 nc6 +2 . +2 .";
    assert_eq!(game(&format!("{before} {late}")), "c4 c5 Nf3 g6 g3 Bg7 Bg2 Nc6");
}

#[test]
fn two_unseen_landings_of_one_piece_are_found() {
    let opening = "-e2 Pe4 L90 +2 -d7 pd6 R90 +2 -g1 Nf3 L88 +2 -a7 pa6 R88 +2 -f1 Bd3 L86 +2 -b7 pb6 R87 +2";
    let knight = "-b1 Nc3 L85 +2 -h7 ph6 R86 +2 -c3 Nd5 L84 +2";
    // The bishop is seen to pass d7 on its way to e6, and no more.
    let at_once = "bd7 R86 q-e1 q-h1 q-c8 q-d7 qKg1 L83 qRf1 q-d5 R85 q-e4 +2 Pd5 L82 +2";
    let on = "-g8 nf6 R84 +2 -c2 Pc4 L81 +2 -g7 pg6 R83 +2 .";
    let played = "e4 d6 Nf3 a6 Bd3 b6 Nc3 h6 Nd5 Be6 O-O Bxd5 exd5 Nf6 c4 g6";
    assert_eq!(game(&format!("{opening} {knight} {at_once} {on}")), played);
}

#[test]
fn a_piece_read_elsewhere_after_the_reply_went_there() {
    let opening = "-e2 Pe4 L90 +2 . -b7 pb6 R90 +2 . -g1 Nf3 L88 +2 . -e7 pe6 R88 +2 . -a2 Pa3 L86 +2 . -h7 ph6 R86 +2 . -h2 Ph3 L85 +2 .";
    // The bishop is lifted and pressed, and its landing is reported only after White's reply.
    let bishop = "-c8 R84 +2 . +2 . +2 . -f1 Bd3 L84 +2 . +2 . bb7 +2 . +2 .";
    let replied = "-g8 nf6 R82 +2 . +2 . +2 . +2 . -c2 Pc3 L82 +2 . +2 . +2 .";
    let moves = "e4 b6 Nf3 e6 a3 h6 h3 ?Bb7 Bd3 Nf6 c3";
    assert_eq!(game(&format!("{opening} {bishop} {replied}")), moves);
}
