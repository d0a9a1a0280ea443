//! Pieces that the board finds only some time after they were put down.

use super::{START, game, published_so_far, without_clock};

/// Black has replied when the board finds White's first piece.
fn found_late(lift: &str, landing: &str) -> String {
    format!("{lift} L90 -e7 pe5 +2 R90 +2 . +2 {landing} +2 .")
}

/// 2. Nc3 Nc6 3. g3.
const GOES_ON: &str = "-b1 Nc3 L88 +2 . -b8 nc6 R88 +2 . -g2 Pg3 L86 +2 .";

#[test]
fn a_game_whose_first_move_is_read_after_the_reply_is_told() {
    for (lift, landing, first) in [
        ("-e2", "Pe4", "e4"),
        ("-e2", "Pe3", "e3"),
        ("-h2", "Ph4", "h4"),
        ("-g1", "Nf3", "Nf3"),
        ("-g1", "Nh3", "Nh3"),
    ] {
        let stream = format!("{} {GOES_ON}", found_late(lift, landing));
        for stream in [without_clock(&stream), stream] {
            assert_eq!(game(&stream), format!("{first} e5 Nc3 Nc6 g3"), "{stream}");
            let told = published_so_far(&format!("={START} @begin . +4 {stream} +4 ."));
            assert_eq!(told, format!("game {first} e5 Nc3 Nc6 g3"), "{stream}");
        }
    }
}

#[test]
fn a_game_whose_first_landing_is_never_read_is_told() {
    let told = published_so_far(&format!("={START} @begin . +4 -e2 L90 -e7 pe5 +2 R90 +2 . {GOES_ON} +8 ."));
    assert_eq!(told, "game e4 e5 Nc3 Nc6 g3");
}

#[test]
fn a_game_begins_though_the_reply_is_seen_to_move_first() {
    for reply in
        ["-e7 -e2 Pe4 L90 pe5 R90 +2 .", "-e7 pe5 -e2 Pe4 L90 R90 +2 .", "-e7 -e2 L90 pe5 R90 +2 . Pe4 +2 ."]
    {
        let stream = format!("{reply} {GOES_ON}");
        assert_eq!(game(&stream), "e4 e5 Nc3 Nc6 g3", "{reply}");
    }
}

#[test]
fn a_piece_that_is_read_some_moves_late_went_there_when_it_was_lifted() {
    let late =
        "-f1 L88 +2 -b8 nc6 R88 +2 -g1 Nf3 L86 +2 -g8 nf6 R86 Bc4 +2 . -d2 Pd3 L84 +2 . -f8 bc5 R84 +2 .";
    assert_eq!(game(&format!("-e2 Pe4 L90 +2 . -e7 pe5 R90 +2 . {late}")), "e4 e5 Bc4 Nc6 Nf3 Nf6 d3 Bc5");
}
