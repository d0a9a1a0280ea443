//! What hands do.

use super::{START, game, told};

#[test]
fn pain_5_a_piece_slides_over_squares_on_which_it_could_stop() {
    // The queen goes d1-e2-f3-g4-h5, each square a legal move of its own.
    let opening = "-e2 Pe4 L90 +2 -e7 pe5 R90 +2 .";
    assert_eq!(
        game(&format!("{opening} -d1 Qe2 -e2 Qf3 -f3 Qg4 -g4 Qh5 L80 +2 . -b8 nc6 R80")),
        "e4 e5 Qh5 Nc6"
    );
    // The new square is seen before the old one is cleared.
    assert_eq!(game(&format!("{opening} -d1 Qe2 Qf3 -e2 Qh5 -f3 L80 +2 -b8 nc6 R80")), "e4 e5 Qh5 Nc6");
    // A pawn's double step over the square of its single step.
    assert_eq!(game("-e2 Pe3 -e3 Pe4 L90 +2 pe5 -e7 R90"), "e4 e5");
}

#[test]
fn a_stop_on_the_way_is_not_told_before_the_piece_rests() {
    let stream = format!("={START} . +4 -e2 Pe3 +2 -e3 Pe4 +2 . +2 .");
    assert_eq!(told(&stream), "game e4 [* input-end]");
}

#[test]
fn both_squares_of_a_move_are_seen_at_once() {
    assert_eq!(game("Pe4 -e2 L90 +2 pe5 -e7 R90"), "e4 e5");
}

#[test]
fn a_capture_comes_in_any_order() {
    let opening = "-e2 Pe4 L90 +2 -d7 pd5 R90 +2";
    for capture in ["-d5 -e4 Pd5", "-e4 -d5 Pd5", "-e4 Pd5", "Pd5 -e4", "-d5 Pd5 -e4"] {
        assert_eq!(
            game(&format!("{opening} {capture} L80 +2 . -d8 qd5 R80")),
            "e4 d5 exd5 Qxd5",
            "{capture}"
        );
    }
}

const READY_TO_CASTLE: &str =
    "-e2 Pe4 L90 +2 -e7 pe5 R90 +2 -g1 Nf3 L90 +2 -b8 nc6 R90 +2 -f1 Bc4 L90 +2 -f8 bc5 R90 +2";

#[test]
fn castling_comes_king_first_rook_first_with_two_hands_and_sliding() {
    let moves = "e4 e5 Nf3 Nc6 Bc4 Bc5 O-O Nf6";
    for castling in [
        "-e1 Kg1 -h1 Rf1",
        "-h1 Rf1 -e1 Kg1",
        "-e1 -h1 Rf1 Kg1",
        "-e1 Kf1 -f1 Kg1 -h1 Rf1",
        "-h1 Rg1 -g1 Rf1 -e1 Kg1",
        "Kg1 Rf1 -e1 -h1",
    ] {
        assert_eq!(game(&format!("{READY_TO_CASTLE} {castling} L80 +2 . -g8 nf6 R80")), moves, "{castling}");
        let no_clock =
            format!("{READY_TO_CASTLE} {castling} +2 . -g8 nf6 +2 .").replace("L90", ".").replace("R90", ".");
        assert_eq!(game(&no_clock), moves, "{castling} without a clock");
    }
}

#[test]
fn en_passant_comes_in_every_order() {
    let opening = "-e2 Pe4 L90 +2 -g8 nf6 R90 +2 -e4 Pe5 L90 +2 -d7 pd5 R90 +2";
    for capture in ["-e5 Pd6 -d5", "-d5 -e5 Pd6", "-e5 -d5 Pd6", "Pd6 -e5 -d5", "-d5 Pd6 -e5"] {
        assert_eq!(
            game(&format!("{opening} {capture} L80 +2 . -c7 pd6 R80")),
            "e4 Nf6 e5 d5 exd6 cxd6",
            "{capture}"
        );
    }
}

#[test]
fn a_promotion_shows_the_pawn_on_the_last_rank_or_never() {
    let stream = |promotion: &str| {
        let mut games = super::games_of(
            &super::records(&format!(
                "=4k3/P7/8/8/8/8/8/4K3 @start . +4 {promotion} L80 +2 . -e8 ke7 R80 +2 ."
            )),
            super::Options {
                start: Some(super::Start::from_fen("4k3/P7/8/8/8/8/8/4K3 w - - 0 1").unwrap()),
                ..Default::default()
            },
        );
        games.pop();
        super::last_words(&games).join(" ")
    };
    assert_eq!(stream("-a7 Pa8 -a8 Qa8"), "a8=Q+ Ke7");
    assert_eq!(stream("-a7 Qa8"), "a8=Q+ Ke7");
    assert_eq!(stream("-a7 Pa8 Na8"), "a8=N Ke7");
    assert_eq!(stream("Ra8 -a7"), "a8=R+ Ke7");
}

#[test]
fn adjusting_and_touching_pieces_is_no_move() {
    assert_eq!(game("-g1 Ng1 +2 . -e2 Pe2 -d2 -e2 Pd2 Pe4 L90 +2 . -b8 nb8 -e7 pe5 R90"), "e4 e5");
    // The waiting side straightens a piece too.
    assert_eq!(game("-e2 Pe4 L90 +2 . -a2 Pa2 +2 . -e7 pe5 R90"), "e4 e5");
}

#[test]
fn a_piece_knocked_over_and_put_back_is_no_move() {
    assert_eq!(game("-e2 -f2 Pe4 L90 +2 Pf2 +2 -e7 pe5 R90"), "e4 e5");
}

#[test]
fn a_quiet_move_tried_and_withdrawn_is_not_in_the_game() {
    assert_eq!(game("-e2 Pe4 +2 . -e4 Pe2 -d2 Pd4 L90 +2 . -d7 pd5 R90"), "d4 d5");
    let no_clock = format!("={START} . +4 -e2 Pe4 +2 . +2 -e4 Pe2 +2 . -d2 Pd4 +2 . +2 -d7 pd5 +2 . +2 .");
    assert_eq!(super::games(&no_clock), ["d4 d5 [* input-end]"]);
}

#[test]
fn an_illegal_move_put_right_is_not_in_the_game() {
    assert_eq!(game("-e2 Pe5 +2 . -e5 Pe4 L90 +2 . -e7 pe5 R90"), "e4 e5");
    assert_eq!(game("-g1 Ng3 +2 . -g3 Ng1 -e2 Pe4 L90 +2 . -e7 pe5 R90"), "e4 e5");
}

#[test]
fn a_reply_begins_before_the_first_hand_has_left() {
    // Black lifts before White's pawn is seen to land; the log may even turn the two round.
    assert_eq!(game("-e2 -e7 Pe4 L90 pe5 R90 +2 . -g1 Nf3 L80"), "e4 e5 Nf3");
    assert_eq!(game("-e2 -e7 pe5 Pe4 L90 R90 +2 . -g1 Nf3 L80"), "e4 e5 Nf3");
    assert_eq!(game("-e7 -e2 pe5 Pe4 L90 R90 +2 . -g1 Nf3 L80"), "e4 e5 Nf3");
}

#[test]
fn a_reply_captures_before_the_first_piece_was_seen_to_land() {
    let opening = "-e2 Pe4 L90 +2 -d7 pd5 R90 +2";
    // e4xd5, at once retaken by the queen: d5 shows only the queen.
    assert_eq!(game(&format!("{opening} -e4 -d8 qd5 L80 R80 +2 . -b1 Nc3 L70")), "e4 d5 exd5 Qxd5 Nc3");
    // The same with a piece of the victim's kind: d5 shows no change at all.
    let pawns = "-d2 Pd4 L90 +2 -d7 pd5 R90 +2 -c2 Pc4 L90 +2 -e7 pe6 R90 +2";
    assert_eq!(game(&format!("{pawns} -c4 -e6 L80 R80 +2 . -b1 Nc3 L70")), "d4 d5 c4 e6 cxd5 exd5 Nc3");
}

#[test]
fn pain_6_two_and_three_plies_come_in_one_poll() {
    assert_eq!(game("-e2 Pe4 L90 -e7 pe5 R90 -g1 Nf3 L88 +2 . -b8 nc6 R88"), "e4 e5 Nf3 Nc6");
}

#[test]
fn two_presses_arrive_swapped() {
    assert_eq!(game("-e2 Pe4 -e7 pe5 R90 L90 +2 . -g1 Nf3 L80 +2 . -b8 nc6 R80"), "e4 e5 Nf3 Nc6");
}

#[test]
fn a_press_stands_before_the_last_square_of_its_move() {
    assert_eq!(game("-e2 L90 Pe4 +2 . -e7 R90 pe5 +2 ."), "e4 e5");
}

#[test]
fn both_players_take_back() {
    let stream = format!(
        "={START} . +4 -e2 Pe4 L90 +2 -e7 pe5 R90 +2 -g1 Nf3 L88 +2 . -f3 Ng1 -e5 pe7 +2 . +2 . -c7 pc5 R86 +2 . -g1 Nf3 L85 +2 ."
    );
    assert_eq!(super::games(&stream), ["e4 c5 Nf3 [* input-end]"]);
}
