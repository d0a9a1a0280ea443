//! What begins a game, and the next one.

use super::{
    GameEvent, OPENING, START, boards::listing, endings::WHITE_WINS, final_moves, games, games_of, published,
    records, without_clock,
};
use crate::record::Rules;

#[test]
fn a_start_position_is_known_by_its_pieces_alone() {
    assert_eq!(games(&format!("={START} . +4 -e2 Pe4 L90 +2 .")), ["e4 [* input-end]"]);
}

#[test]
fn a_start_position_is_known_by_its_mark_alone() {
    assert_eq!(games("@begin . +4 -e2 Pe4 L90 +2 ."), ["e4 [* input-end]"]);
}

#[test]
fn a_board_that_is_only_set_up_is_no_game() {
    assert_eq!(published(&format!("={START} @begin . +4 . +60 .")), "");
}

#[test]
fn pieces_put_up_on_an_empty_board_in_any_order_are_the_start_and_no_moves() {
    let pieces = listing(START);
    let pieces: Vec<_> = pieces.split(' ').collect();
    // Seven is prime to the thirty-two pieces; the board rests after every fifth.
    let put: Vec<_> = (0..pieces.len()).map(|at| pieces[at * 7 % pieces.len()]).collect();
    let put = put.chunks(5).map(|five| five.join(" ")).collect::<Vec<_>>().join(" +2 . ");
    let empty = "=8/8/8/8/8/8/8/8 .";
    assert_eq!(published(&format!("{empty} {put} +2 . +4 -e2 Pe4 +2 .")), "game e4 [* input-end]");
    // Kings and queens stand the wrong way round at first: a start of Chess960.
    let wrong = put.replace("Ke1", "Qe1").replace("Qd1", "Kd1").replace("ke8", "qe8").replace("qd8", "kd8");
    let right = "@four-rows +6 . -d1 -e1 Ke1 +2 . Qd1 +2 . -d8 -e8 qd8 ke8";
    assert_eq!(published(&format!("{empty} {wrong} {right} +2 . +4 -e2 Pe4 +2 .")), "game e4 [* input-end]");
}

#[test]
fn the_next_game_on_the_same_board_is_the_next_game() {
    let set_up = "+6 . -e4 Ke1 -d5 ke8 -e5 pe7 -f3 Ng1 -c6 nb8 Pe2 @begin +2 .";
    let stream = format!(
        "={START} @begin . +4 {OPENING} {WHITE_WINS} +2 . {set_up} -d2 Pd4 L90 +2 . -d7 pd5 R90 +2 ."
    );
    assert_eq!(games(&stream), ["e4 e5 Nf3 Nc6 [1-0 kings]", "d4 d5 [* input-end]"]);
}

#[test]
fn a_new_start_closes_a_game_that_had_no_result() {
    // Moves of the setting up are not moves of the game.
    let set_up = "+6 . -f3 Ng1 -c6 nb8 -e5 pe7 -e4 Pe2 @begin +2 .";
    let stream = format!("={START} @begin . +4 {OPENING} {set_up} -d2 Pd4 L90 +2 . -d7 pd5 R90 +2 .");
    assert_eq!(games(&stream), ["e4 e5 Nf3 Nc6 [* new-game]", "d4 d5 [* input-end]"]);
}

#[test]
fn pieces_set_up_again_without_a_clock_are_no_moves() {
    // In any order, within one poll, with a mark and without one.
    for back in [
        "-f3 Ng1 -c6 nb8 -e5 pe7 -e4 Pe2",
        "-e4 Pe2 -f3 Ng1 -e5 pe7 -c6 nb8",
        "-c6 nb8 -f3 Ng1 -e4 Pe2 -e5 pe7",
        "-e4 -e5 -f3 -c6 Pe2 pe7 Ng1 nb8",
    ] {
        for mark in ["", "@begin"] {
            let stream =
                format!("={START} . +4 {OPENING} +20 {back} {mark} +2 . +4 -d2 Pd4 +2 . -d7 pd5 +2 .");
            let games = games(&without_clock(&stream));
            assert_eq!(games, ["e4 e5 Nf3 Nc6 [* new-game]", "d4 d5 [* input-end]"], "{back} {mark}");
        }
    }
}

// Users' pain: Chess960 without its position before move 1 (lila#14641).
#[test]
fn a_start_of_chess960_is_known_by_its_mark() {
    let start = "bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN";
    let turned: String = start.chars().rev().collect();
    let moves = "-e2 Pe4 L90 +2 . -e7 pe5 R90 +2 . -f1 -g1 Rf1 Kg1 L80 +2 .";
    let moves_turned = "-d7 Pd5 R90 +2 . -d2 pd4 L90 +2 . -c8 -b8 Rc8 Kb8 R80 +2 .";
    for (rotated, stands, moves) in [(false, start, moves), (true, &*turned, moves_turned)] {
        let published = games_of(&records(&format!("={stands} @four-rows . +4 {moves}")), Default::default());
        assert_eq!(final_moves(&published), ["e4 e5 O-O [* input-end]"]);
        let GameEvent::Game(game) = &published[0].event else { panic!("{published:?}") };
        assert_eq!((game.rules, &*game.fen), (Rules::Chess960, &*format!("{start} w KQkq - 0 1")));
        assert_eq!(game.rotated, rotated);
        // Four full rows alone may be a set-up that is not finished, until a move is pressed.
        let unmarked = format!("={stands} . +4 {moves}");
        let first = moves.split(' ').take(2).collect::<Vec<_>>().join(" ");
        assert_eq!(super::published_so_far(&format!("={stands} . +4 {first} +2 .")), "");
        assert_eq!(super::games(&unmarked), ["e4 e5 O-O [* input-end]"]);
    }
}

#[test]
fn a_custom_start_position_is_known_by_its_start_mark() {
    let start = "4k3/pppp4/8/8/8/8/4PPPP/4K3";
    let stream = format!("={start} @start . +4 -e2 Pe4 L90 +2 . -d7 pd5 R90 +2 . -e4 Pd5 L80 +2 .");
    assert_eq!(games(&stream), ["e4 d5 exd5 [* input-end]"]);
}

#[test]
fn a_start_mark_that_finds_the_first_move_made_or_in_the_making_begins_no_other_game() {
    let made = listing("rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R");
    let stream =
        format!("={START} @begin . +4 -g1 Nf3 @start: {made} L90 +2 . -c7 pc5 R90 +2 . -e2 Pe4 L80 +2 .");
    assert_eq!(games(&stream), ["Nf3 c5 e4 [* input-end]"]);
    let lifted = listing("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKB1R");
    let stream = format!("={START} @begin . +4 -g1 @start: {lifted} Nf3 L90 +2 . -c7 pc5 R90 +2 .");
    assert_eq!(games(&stream), ["Nf3 c5 [* input-end]"]);
}
