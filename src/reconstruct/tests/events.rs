//! What begins a game, and the next one.

use super::{
    GameEvent, OPENING, START, boards::listing, endings::WHITE_WINS, final_moves, games, games_of, published,
    records, without_clock,
};
use crate::record::Rules;

#[test]
fn a_start_position_needs_no_mark() {
    assert_eq!(games(&format!("={START} . +4 -e2 Pe4 L90 +2 .")), ["e4 [* input-end]"]);
}

#[test]
fn a_start_mark_needs_no_position() {
    assert_eq!(games("@begin . +4 -e2 Pe4 L90 +2 ."), ["e4 [* input-end]"]);
}

#[test]
fn setting_up_alone_is_no_game() {
    assert_eq!(published(&format!("={START} @begin . +4 . +60 .")), "");
}

#[test]
fn setting_up_in_any_order_makes_no_moves() {
    let pieces = listing(START);
    let pieces: Vec<_> = pieces.split(' ').collect();
    // Seven is prime to the thirty-two pieces; the board rests after every fifth.
    let put: Vec<_> = (0..pieces.len()).map(|at| pieces[at * 7 % pieces.len()]).collect();
    let put = put.chunks(5).map(|five| five.join(" ")).collect::<Vec<_>>().join(" +2 . ");
    let empty = "=8/8/8/8/8/8/8/8 .";
    assert_eq!(published(&format!("{empty} {put} +2 . +4 -e2 Pe4 +2 .")), "game e4 [* input-end]");
    // Kings and queens are swapped at first: a start of Chess960.
    let wrong = put.replace("Ke1", "Qe1").replace("Qd1", "Kd1").replace("ke8", "qe8").replace("qd8", "kd8");
    let right = "@four-rows +6 . -d1 -e1 Ke1 +2 . Qd1 +2 . -d8 -e8 qd8 ke8";
    assert_eq!(published(&format!("{empty} {wrong} {right} +2 . +4 -e2 Pe4 +2 .")), "game e4 [* input-end]");
}

#[test]
fn the_next_game_gets_the_next_number() {
    let set_up = "+6 . -e4 Ke1 -d5 ke8 -e5 pe7 -f3 Ng1 -c6 nb8 Pe2 @begin +2 .";
    let stream = format!(
        "={START} @begin . +4 {OPENING} {WHITE_WINS} +2 . {set_up} -d2 Pd4 L90 +2 . -d7 pd5 R90 +2 ."
    );
    assert_eq!(games(&stream), ["e4 e5 Nf3 Nc6 [1-0 kings]", "d4 d5 [* input-end]"]);
}

#[test]
fn a_new_start_closes_an_open_game() {
    // Moves of setting up are not moves of the game.
    let set_up = "+6 . -f3 Ng1 -c6 nb8 -e5 pe7 -e4 Pe2 @begin +2 .";
    let stream = format!("={START} @begin . +4 {OPENING} {set_up} -d2 Pd4 L90 +2 . -d7 pd5 R90 +2 .");
    assert_eq!(games(&stream), ["e4 e5 Nf3 Nc6 [* new-game]", "d4 d5 [* input-end]"]);
}

#[test]
fn setting_up_without_clock_makes_no_moves() {
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
fn chess960_starts_are_recognised_by_their_mark() {
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
        // Four full rows may be an incomplete setting up, until a move is pressed.
        let unmarked = format!("={stands} . +4 {moves}");
        let first = moves.split(' ').take(2).collect::<Vec<_>>().join(" ");
        assert_eq!(super::published_so_far(&format!("={stands} . +4 {first} +2 .")), "");
        assert_eq!(super::games(&unmarked), ["e4 e5 O-O [* input-end]"]);
    }
}

#[test]
fn a_start_mark_allows_any_start_position() {
    let start = "4k3/pppp4/8/8/8/8/4PPPP/4K3";
    let stream = format!("={start} @start . +4 -e2 Pe4 L90 +2 . -d7 pd5 R90 +2 . -e4 Pd5 L80 +2 .");
    assert_eq!(games(&stream), ["e4 d5 exd5 [* input-end]"]);
}

#[test]
fn a_marked_position_begins_later_games_too() {
    // 1. e4 e5 2. f4 exf4 was played before the game.
    let gambit = "rnbqkbnr/pppp1ppp/8/8/4Pp2/8/PPPP2PP/RNBQKBNR";
    let played = "-g1 Nf3 L90 +2 . -g7 pg5 R90 +2 . -h2 Ph4 L88 +2 . -g5 pg4 R88 +2 .";
    let back = "+60 . -f3 Ng1 +1 -h4 Ph2 +1 -g4 pg7 +9 .";
    let next = "-f1 Bc4 L99 +2 . -d8 qh4 R99 +2 .";
    for mark in ["", "@start +4 ."] {
        let stream = format!("={gambit} @start . +4 {played} {back} {mark} {next}");
        let output = ["Nf3 g5 h4 g4 [* new-game]", "Bc4 Qh4+ [* input-end]"];
        assert_eq!(games(&stream), output);
        assert_eq!(games(&without_clock(&stream)), output);
    }
    // A game that returns to it by its moves continues, and one from elsewhere that reaches it is no other.
    let repeats = "-g1 Nf3 L90 +2 . -g8 nf6 R90 +2 . -f3 Ng1 L88 +2 . -f6 ng8 R88 +2 . -f1 Bc4 L86 +2 .";
    assert_eq!(games(&format!("={gambit} @start . +4 {repeats}")), ["Nf3 Nf6 Ng1 Ng8 Bc4 [* input-end]"]);
    let usual = "-e2 Pe4 L90 +2 . -e7 pe5 R90 +2 . -f2 Pf4 L88 +2 . -e5 -f4 pf4 R88 +2 . -f1 Bc4 L86 +2 .";
    let stream = format!("={gambit} @start . +4 {played} +60 ={START} @begin . +4 {usual}");
    assert_eq!(games(&stream)[1], "e4 e5 f4 exf4 Bc4 [* input-end]");
}

#[test]
fn pawns_show_that_a_marked_position_is_turned() {
    let gambit = "rnbqkbnr/pppp1ppp/8/8/4Pp2/8/PPPP2PP/RNBQKBNR";
    let turned: String = gambit.chars().rev().collect();
    let stream = format!("={turned} @start . +4 -b8 Nc6 R90 +2 . -b2 pb4 L90 +2 . -a7 Pa5 R88 +2 .");
    assert_eq!(games(&stream), ["Nf3 g5 h4 [* input-end]"]);
    // Pawns about to promote are few, and not all on that rank.
    let ending = "=8/1PP2k2/8/8/8/8/2p2K2/8 @start . +4 -b7 Qb8 L90 +2 . -c2 qc1 R90 +2 .";
    assert_eq!(games(ending), ["b8=Q c1=Q [* input-end]"]);
}

#[test]
fn setting_up_another_position_adds_no_move() {
    // The knight is the first piece put where it stands in the next game.
    let from = "rnbqkbrn/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBRN";
    let played = "-e2 Pe3 +2 . +4 -e7 pe6 +2 . +4 -h1 Ng3 +2 . +4 -h8 ng6 +2 .";
    let set_up = "+80 -g3 Ng1 +2 . -g6 +1 . -g8 ng8 +1 rh8 -e6 pe7 -e3 Pe2 Rh1 +9 .";
    let stream = format!("={from} @four-rows . +4 {played} {set_up} -d2 Pd4 +2 . +4 -d7 pd5 +2 .");
    assert_eq!(games(&stream), ["e3 e6 Ng3 Ng6 [* new-game]", "d4 d5 [* input-end]"]);
}

#[test]
fn a_start_mark_during_the_first_move_begins_nothing() {
    let made = listing("rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R");
    let stream =
        format!("={START} @begin . +4 -g1 Nf3 @start: {made} L90 +2 . -c7 pc5 R90 +2 . -e2 Pe4 L80 +2 .");
    assert_eq!(games(&stream), ["Nf3 c5 e4 [* input-end]"]);
    let lifted = listing("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKB1R");
    let stream = format!("={START} @begin . +4 -g1 @start: {lifted} Nf3 L90 +2 . -c7 pc5 R90 +2 .");
    assert_eq!(games(&stream), ["Nf3 c5 [* input-end]"]);
}
