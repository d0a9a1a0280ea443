//! Presses that belong to no move: clocks are started, tried, stopped and set.

use super::{
    OPENING, Options, START, game, games, games_of, games_so_far, published, published_so_far, records, words,
};
use crate::record::GameEvent;

// Users' pain: clocks vanish because some moves have none (lila#15037).
#[test]
fn presses_before_the_first_move_end_no_move() {
    let moves = "-e2 Pe4 L5390 +2 . -e7 pe5 R5391 +2 . -g1 Nf3 L5380 +2 . -b8 nc6 R5385";
    for before in ["R5400 +9", "R5400", "L5400 +2 R5400 +9", "R5400 +1 L5400 +1 R5400 +1 L5400 +9"] {
        let stream = format!("={START} @begin . +9 {before} {moves}");
        assert_eq!(published(&stream), "game e4 e5 Nf3 Nc6 [* input-end]", "{before}");
    }
    // Two unseen moves would use up the press.
    let fast = "-e2 Pe4 L5391 -g7 pg6 R5394 -d2 Pd4 L5385 -f8 qbg7 R5387 -g1 Ne2 L5377 -a7 pa6 R5382 -a2 Pa4 L5375 \
                -b7 pb6 R5379 -b1 qNc3 L5359 -c8 bb7 R5368 -g2 qPg3 L5348 -d7 qpd6 R5360 -b6 pb6 -f1 qBg2 L5331 . \
                -b8 nd7";
    let moves = "e4 g6 d4 Bg7 Ne2 a6 a4 b6 Nbc3 Bb7 g3 d6 Bg2 Nd7";
    assert_eq!(published(&format!("={START} R5400 {fast}")), format!("game {moves} [* input-end]"));
}

#[test]
fn a_first_move_put_back_restarts_the_game() {
    let again = "-d2 Pd4 L5390 +2 . +9 -d4 Pd2 +2 . +9";
    for set in ["", "R5400 +9"] {
        let stream = format!("{again} {set} -e2 Pe4 L5380 +2 . -c7 pc5 R5390 +2 . -g1 Nf3 L5370");
        assert_eq!(game(&stream), "e4 c5 Nf3", "{set}");
    }
}

#[test]
fn setting_the_clock_ends_no_move() {
    let knights = "-g1 Nf3 L90 +2 . -g8 nf6 R90 +2 . -b1 Nc3 L88 +2 . -b8 nc6 R88 +2 .";
    let after = "+9 -d2 Pd4 L5390";
    let expected = ["Nf3 Nf6 Nc3 Nc6 [* new-game]", "d4 [* input-end]"];
    for set_up in [
        "+60 R5400 +2 -c3 Nb1 -f6 ng8 -f3 Ng1 -c6 nb8 @begin",
        "+60 -c3 Nb1 +2 . +2 -f3 Ng1 +2 . +2 -c6 nb8 R5400 +2 . +2 -f6 ng8 @begin",
        // Cleared, or stopped as it is.
        "+60 -c3 Nb1 -f3 Ng1 R0 +2 . +2 -c6 nb8 +2 . +2 -f6 ng8 @begin",
        "+60 -c3 Nb1 -f3 Ng1 L88 +2 . +2 -c6 nb8 +2 . +2 -f6 ng8 @begin",
    ] {
        assert_eq!(games(&format!("={START} @begin . +4 {knights} {set_up} {after}")), expected, "{set_up}");
    }
}

#[test]
fn time_added_at_a_time_control_is_no_reset() {
    // Half an hour more for each, added with a press as for any other move.
    let moves =
        "-e2 Pe4 L5390 +2 . -e7 pe5 R5391 +2 . -g1 Nf3 L120 +2 . -b8 nc6 R100 +2 . -f1 Bb5 L1900 +2 .";
    assert_eq!(published_so_far(&format!("={START} @begin . +4 {moves}")), "game e4 e5 Nf3 Nc6 Bb5");
}

#[test]
fn setting_up_after_a_flag_makes_no_moves() {
    let knights = "-g1 Nf3 L90 +2 . -g8 nf6 R90 +2 . -b1 Nc3 L88 +2 . -b8 nc6 R88 +2 .";
    let set_up = "flagL +8 -c3 Nb1 +2 . +2 -f6 ng8 -f3 Ng1 -c6 nb8 @begin";
    let stream = format!("={START} @begin . +4 {knights} {set_up} +9 -d2 Pd4 L5390");
    assert_eq!(games(&stream), ["Nf3 Nf6 Nc3 Nc6 [0-1 flag]", "d4 [* input-end]"]);
}

#[test]
fn an_unpressed_return_by_legal_moves_is_a_takeback() {
    let moves = "-e2 Pe4 L99 +2 . -e7 pe5 R98 +2 . -f1 Bc4 L97 +2 . -g8 nf6 R96 +2 .";
    let back = "+9 -f6 ng8 +2 -c4 Bf1 +2 . +9 -h2 Ph4 L90 +2 . +9 -f8 bc5 R90 +2 . -e1 Ke2 L80 +2 .";
    assert_eq!(game(&format!("{moves} {back}")), "e4 e5 h4 Bc5 Ke2");
}

#[test]
fn a_mate_needs_no_press() {
    let mate = "-f2 Pf3 L90 +2 . -e7 pe5 R90 +2 . -g2 Pg4 L80 +2 . -d8 qh4 +2 .";
    let swept = "+1 -a1 -b1 -c1 -d1 -e1 -f1 +2 . -a8 -b8 -c8";
    let stream = format!("={START} @begin . +4 {mate} {swept} +9 .");
    assert!(published_so_far(&stream).starts_with("game f3 e5 g4 Qh4#"));
}

#[test]
fn a_board_does_not_depend_on_other_boards() {
    // King and queen are swapped when the pieces are set up, and then corrected.
    let stream = "-e2 Pe4 +2 . -e7 pe5 +2 . -g1 Nf3 +2 . -b8 nc6 +2 . +12 -c6 nb8 -e4 Pe2 -d1 +2 -e1 Kd1 Qe1 \
                  -f3 Ng1 +2 -e5 pe7 @four-rows +2 . +40 -e1 -d1 Qd1 +2 Ke1 +2 . +300 -d2 Pd4 +2 .";
    let alone = format!("={START} @begin . +4 {stream}");
    let said = |words: &str| words.replace("+40", &"+1 b2: . b1: ".repeat(40));
    let of_board_1 = |stream: &str| {
        let mut published = games_so_far(&records(stream), Options::default());
        published.retain(|record| record.board == Some(1));
        words(&published)
    };
    assert_eq!(of_board_1(&alone), "game e4 e5 Nf3 Nc6 [* new-game] game d4");
    assert_eq!(of_board_1(&said(&alone)), of_board_1(&alone));
}

/// The moves of the only game of a stream, each with the mover's clock time.
fn pressed(stream: &str) -> Vec<(String, Option<f64>)> {
    let mut moves: Vec<(String, Option<f64>)> = Vec::new();
    let published = games_of(&records(&format!("={START} @begin . +4 {stream} +2 .")), Options::default());
    for record in &published {
        if let GameEvent::Move(mv) = &record.event {
            moves.truncate(mv.ply.unwrap() as usize - 1);
            moves.push((mv.san.clone().unwrap(), mv.seconds.map(|seconds| seconds.0)));
        }
    }
    moves
}

#[test]
fn a_returned_illegal_move_keeps_the_presses_in_order() {
    let played = "-f1 Bc4 L84 +4 . -g8 nf6 R86 +4 . -d2 Pd3 L80 +4 . -f8 bc5 R84 +4 . -c2 Pc3 L78 +4 . -d7 pd6 R82 +4 .";
    let moves = ["e4", "e5", "Nf3", "Nc6", "Bc4", "Nf6", "d3", "Bc5", "c3", "d6"];
    let seconds = [90.0, 90.0, 88.0, 88.0, 84.0, 86.0, 80.0, 84.0, 78.0, 82.0];
    let expected: Vec<_> =
        moves.into_iter().zip(seconds).map(|(mv, seconds)| (mv.to_string(), Some(seconds))).collect();
    for sent_back in ["-e1 Ke3 L86 +4 . R90 +4 . -e3 Ke1 +4 .", "-e1 Ke3 L86 +4 . -e3 R90 +4 . Ke1 +4 ."] {
        assert_eq!(pressed(&format!("{OPENING} +2 {sent_back} {played}")), expected, "{sent_back}");
    }
}
