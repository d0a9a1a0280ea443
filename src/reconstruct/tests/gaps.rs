//! Gaps with more moves than can be bridged.

use super::{OPENING, START, published, published_so_far, without_clock};

/// The position after the opening and 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O 9. h3 Na5.
const AFTER_14_PLIES: &str = "r1bq1rk1/2p1bppp/p2p1n2/np2p3/4P3/1BP2N1P/PP1P1PP1/RNBQR1K1";
/// 10. Bc2 c5 11. d4.
const ON: &str = "-b3 Bc2 L70 +2 . +3 -c7 pc5 R70 +2 . +3 -d2 Pd4 L69 +2 .";

#[test]
fn only_play_after_a_long_gap_is_published() {
    let stream = format!("{OPENING} lost +600 ={AFTER_14_PLIES} +20 {ON} +2 .");
    for stream in [stream.clone(), without_clock(&stream)] {
        let published = published(&format!("={START} @begin . +4 {stream}"));
        assert_eq!(published, "game e4 e5 Nf3 Nc6 !gap Bc2 c5 d4 [* input-end]");
    }
}

#[test]
fn a_long_gap_is_reported_where_nobody_plays_on() {
    let stream = format!("={START} @begin . +4 {OPENING} lost +600 ={AFTER_14_PLIES} +2 .");
    assert_eq!(published_so_far(&format!("{stream} +20 .")), "game e4 e5 Nf3 Nc6");
    assert_eq!(published_so_far(&format!("{stream} +30 .")), "game e4 e5 Nf3 Nc6 !gap");
}

#[test]
fn a_gap_with_a_held_piece_is_bridged_later() {
    // 3. Bb5 a6 and the lifted bishop.
    let held = "r1bqkbnr/1ppp1ppp/p1n5/4p3/4P3/5N2/PPPP1PPP/RNBQK2R";
    let stream = format!("{OPENING} lost +60 ={held} +2 Ba4 +2 . +3 -g8 nf6 R80 +2 .");
    let published = published(&format!("={START} @begin . +4 {stream}"));
    assert_eq!(published, "game e4 e5 Nf3 Nc6 ?Bb5 ?a6 Ba4 Nf6 [* input-end]");
}

#[test]
fn set_up_pieces_are_no_gap() {
    // The next game is set up: most pieces are on their squares.
    let half = "rnbqkbnr/pppppppp/8/8/8/8/PPPP4/RNBQKB2";
    let stream = format!("={START} @begin . +4 {OPENING} lost +600 ={half} +2 .");
    let set_up = "Pe2 Pf2 +2 . Pg2 Ph2 +2 . Ng1 Rh1 +2 . +2 -d2 Pd4 L90 +2 . -d7 pd5 R90 +2 .";
    assert_eq!(
        published(&format!("{stream} {set_up}")),
        "game e4 e5 Nf3 Nc6 [* new-game] game d4 d5 [* input-end]"
    );
}
