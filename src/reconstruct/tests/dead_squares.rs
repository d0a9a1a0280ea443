//! Squares whose sensors never report: what stands there is seen in no change and in no position.

use super::{START, game, games, published_so_far};

/// A game on a board of which this is all that it shows of its start position.
fn game_from(shown: &str, stream: &str) -> String {
    let games = games(&format!("={shown} . +4 . {stream} +2 . +10 ."));
    assert_eq!(games.len(), 1, "{games:?}");
    games[0].strip_suffix(" [* input-end]").unwrap_or(&games[0]).to_owned()
}

/// 1. e4 e5 2. Nf3 Nc6 3. Bb5 on a board with a dead e4, which is known by then.
const DEAD_E4: &str =
    "-e2 L90 +2 . -e7 pe5 R90 +2 . -g1 Nf3 L88 +2 . -b8 nc6 R88 +2 . -f1 Bb5 L86 +2 . -g8 nf6 R86 +2 .";

#[test]
fn a_move_to_a_dead_square_is_told_when_the_game_has_gone_on_from_it() {
    assert_eq!(game(DEAD_E4), "e4 e5 Nf3 Nc6 Bb5 Nf6");
    let first = format!("={START} @begin . +4 -e2 L90 +2 . -e7 pe5 R90 +2 . -g1 Nf3 L88 +2 . +8 .");
    assert_eq!(published_so_far(&first), "game e4 e5 Nf3");
}

#[test]
fn a_move_to_a_square_that_is_known_to_be_dead_is_told_after_its_press() {
    let begin = format!("={START} @begin . +4 {DEAD_E4} -e1 Kg1 -h1 Rf1 L84 +2 . -f6 R84");
    assert_eq!(published_so_far(&format!("{begin} +2 .")), "game e4 e5 Nf3 Nc6 Bb5 Nf6 O-O Nxe4");
    // It may still be in the hand.
    assert_eq!(published_so_far(&begin), "game e4 e5 Nf3 Nc6 Bb5 Nf6 O-O");
}

#[test]
fn a_capture_on_a_dead_square_and_a_piece_that_leaves_it_are_seen_on_one_square_each() {
    let captures = "-b1 Nc3 L84 +2 . -f6 R84 +2 . -c3 L82 +2 . -f7 pf5 R82 +2 . Ng5 L80 +2 .";
    assert_eq!(game(&format!("{DEAD_E4} {captures}")), "e4 e5 Nf3 Nc6 Bb5 Nf6 Nc3 Nxe4 Nxe4 f5 Neg5");
}

#[test]
fn a_piece_that_leaves_a_dead_square_may_capture() {
    let captures = "-f3 Ng5 L84 +2 . -d7 pd5 R84 +2 . -d5 Pd5 L82 +2 . -f6 nd5 R82 +2 .";
    assert_eq!(game(&format!("{DEAD_E4} {captures}")), "e4 e5 Nf3 Nc6 Bb5 Nf6 Ng5 d5 exd5 Nxd5");
}

#[test]
fn a_game_begins_though_one_square_of_its_start_position_is_silent() {
    let shown = "rnbqkbnr/pppppppp/8/8/8/8/PPPP1PPP/RNBQKBNR";
    let moves =
        "Pe4 L90 +2 . -e7 pe5 R90 +2 . -g1 Nf3 L88 +2 . -b8 nc6 R88 +2 . -f1 L86 +2 . -g8 nf6 R86 +2 .";
    assert_eq!(game_from(shown, moves), "e4 e5 Nf3 Nc6 Be2 Nf6");
    // A start mark finds it as well.
    assert_eq!(game_from(shown, &format!("@start {moves}")), "e4 e5 Nf3 Nc6 Be2 Nf6");
}

#[test]
fn a_turned_board_with_a_silent_square_begins_its_games() {
    let shown = "RNBK1BNR/PPPPPPPP/8/8/8/8/pppppppp/rnbkqbnr";
    assert_eq!(game_from(shown, "-d7 Pd5 R90 +2 . -d2 pd4 L89 +2 . Qb5 R88 +2 ."), "e4 e5 Qg4");
}

#[test]
fn castling_through_a_dead_square_is_seen_on_the_other_three() {
    let shown = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQK1NR";
    let opening =
        "-e2 Pe4 L90 +2 . -e7 pe5 R90 +2 . -g1 Nf3 L88 +2 . -b8 nc6 R88 +2 . Bb5 L86 +2 . -g8 nf6 R86";
    let castled = format!("{opening} +2 . -e1 Kg1 -h1 L84 +2 . -f8 be7 R84 +2 . Re1 L82 +2 .");
    assert_eq!(game_from(shown, &castled), "e4 e5 Nf3 Nc6 Bb5 Nf6 O-O Be7 Re1");
}

#[test]
fn a_square_that_speaks_again_is_dead_no_more() {
    // A contact that comes back in the midst of the game.
    let shown = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQK1NR";
    let wakes =
        "-e2 Pe4 L90 +2 . -e7 pe5 R90 +2 . Bf1 +4 . -f1 Bb5 L86 +2 . -a7 pa6 R86 +2 . -b5 Bf1 L84 +2 .";
    assert_eq!(game_from(shown, wakes), "e4 e5 Bb5 a6 Bf1");
    // A piece that was only set up late.
    let shown = "rnbqkbnr/pppppppp/8/8/8/8/PPPP1PPP/RNBQKBNR";
    assert_eq!(game_from(shown, "Pe2 +4 . -e2 Pe4 L90 +2 . -e7 pe5 R90 +2 ."), "e4 e5");
}

#[test]
fn a_piece_that_is_held_while_nobody_presses_is_on_no_dead_square() {
    assert_eq!(game("-e2 Pe4 L90 +2 . -e7 +12 . +12 . pe5 R90 +2 . -g1 +20 . Nf3 L80 +2 ."), "e4 e5 Nf3");
}

#[test]
fn the_next_game_on_the_board_knows_its_dead_square() {
    let more = "-b1 Nc3 L84 +2 . -f6 R84 +2 . -c3 L82 +2 . -d7 pd5 R82 +2 . +10 .";
    let again = format!("={START} @begin . +4 -e2 L90 +2 .");
    let stream = format!("={START} @begin . +4 {DEAD_E4} {more} {again}");
    let told = published_so_far(&stream);
    assert!(told.ends_with("game e4"), "{told}");
}

#[test]
fn kings_in_the_centre_tell_the_result_though_one_stands_on_a_dead_square() {
    let kings = "+5 -e1 +1 . -e8 kd5 +2 . +8 .";
    assert!(games(&format!("={START} @begin . +4 {DEAD_E4} {kings}"))[0].ends_with("[1-0 kings]"));
}
