//! What Russian draughts need.

use super::{games, games_of, last_words, records};
use crate::{
    reconstruct::{Options, Start},
    record::{GameEvent, Rules},
};

/// Draughts disks: P and B are White's and Black's men, p and b their kings.
const START: &str = "1B1B1B1B/B1B1B1B1/1B1B1B1B/8/8/P1P1P1P1/1P1P1P1P/P1P1P1P1";

/// The only game of a stream that begins with the start position; its last word.
fn game(stream: &str) -> String {
    let games = games(&format!("={START} . +4 {stream} +2 . +10 ."));
    assert_eq!(games.len(), 1, "{games:?}");
    games[0].strip_suffix(" [* input-end]").unwrap_or(&games[0]).to_owned()
}

/// The same from a position of its own, on a board that shows it as `placement`.
fn game_from(fen: &str, placement: &str, stream: &str) -> String {
    let options = Options { start: Some(Start::from_fen(fen).unwrap()), ..Options::default() };
    let told = games_of(&records(&format!("={placement} . +4 {stream} +2 . +10 .")), options);
    let games = last_words(&told);
    assert_eq!(games.len(), 1, "{games:?}");
    games[0].strip_suffix(" [* input-end]").unwrap_or(&games[0]).to_owned()
}

#[test]
fn draughts_are_known_by_their_start_position() {
    let stream = format!("={START} . +4 -c3 Pd4 L90 +2 . -f6 Bg5 R90 +2 .");
    let told = games_of(&records(&stream), Options::default());
    let GameEvent::Game(start) = &told[0].event else { panic!("{told:?}") };
    assert_eq!(start.rules, Rules::Russian);
    assert_eq!(start.fen, "W:Wa3,c3,e3,g3,b2,d2,f2,h2,a1,c1,e1,g1:Bb8,d8,f8,h8,a7,c7,e7,g7,b6,d6,f6,h6");
    let GameEvent::Move(first) = &told[1].event else { panic!("{told:?}") };
    assert_eq!(first.path, ["c3", "d4"]);
    assert_eq!(first.fen, "B:Wd4,a3,e3,g3,b2,d2,f2,h2,a1,c1,e1,g1:Bb8,d8,f8,h8,a7,c7,e7,g7,b6,d6,f6,h6");
    assert_eq!((first.san.as_ref(), first.uci.as_ref()), (None, None));
    assert_eq!(last_words(&told), ["c3-d4 f6-g5 [* input-end]"]);
}

#[test]
fn draughts_are_known_with_any_set() {
    let opening = "-g3 Wf4 L90 +2 . -d6 Be5 R90 +2 . -f4 -e5 Wd6 L80 +2 . -e7 -d6 Bc5 R80 +2 .";
    let men = |white: &str, black: &str| {
        let stream = format!("={START} . +4 {opening}").replace('W', "\u{1}");
        let stream = stream.replace('P', white).replace('B', black).replace('\u{1}', white);
        games(&stream)
    };
    let want = ["g3-f4 d6-e5 f4:d6 e7:c5 [* input-end]"];
    // Disks, pawns or the disks of the older table, and any figures.
    assert_eq!(men("P", "B"), want);
    assert_eq!(men("P", "p"), want);
    assert_eq!(men("N", "q"), want);
    let mixed = "1r1n1b1q/p1p1p1p1/1p1p1p1p/8/8/P1P1P1P1/1P1P1P1P/R1N1B1Q1";
    let stream = opening.replace('W', "P").replace('B', "p");
    assert_eq!(games(&format!("={mixed} . +4 {stream}")), want);
}

#[test]
fn a_turned_draughts_board_is_turned_and_so_is_its_clock() {
    let turned: String = START.chars().rev().collect();
    let stream = format!("={turned} . +4 -f6 Pe5 R90 +2 . -c3 Bb4 L90 +2 .");
    let told = games_of(&records(&stream), Options::default());
    assert!(matches!(&told[0].event, GameEvent::Game(start) if start.rotated), "{told:?}");
    assert_eq!(last_words(&told), ["c3-d4 f6-g5 [* input-end]"]);
}

#[test]
fn the_captured_are_lifted_in_any_order_late_and_by_the_other_hand() {
    // White takes c5 and e7 on the way from b4 to f8.
    let (fen, board) = ("W:Wb4,h2:Bc5,e7,a3", "8/4B3/8/2B5/1P6/B7/7P/8");
    for capture in [
        "-b4 Pd6 -d6 Pf8 -c5 -e7 L90",
        "-b4 Pd6 -c5 -d6 Pf8 -e7 L90",
        "-c5 -e7 -b4 Pf8 L90",
        "-e7 -b4 -c5 Pf8 L90",
        "Pf8 -b4 -e7 -c5 L90",
        // The opponent takes them off after the press.
        "-b4 Pf8 L90 +2 . -e7 -c5",
        "-b4 Pd6 -d6 Pf8 -e7 L90 +2 . +2 . -c5",
    ] {
        let reply = "+2 . -a3 Bb2 R90 +2 . -h2 Pg3 L80 +2 .";
        assert_eq!(game_from(fen, board, &format!("{capture} {reply}")), "b4:d6:f8 a3-b2 h2-g3", "{capture}");
    }
}

#[test]
fn a_man_that_was_crowned_is_a_king_whether_it_was_swapped_or_not() {
    let (fen, board) = ("W:Wc7,a1:Bh6,d8,h2", "3B4/2P5/7B/8/8/8/7B/P7");
    let then = "+2 . -h6 Bg5 R90 +2 . -b8 Pf4 L80 +2 . -g5 -f4 Be3 R80 +2 .";
    // Left as it is, swapped at once, swapped after the press, and with the king put down alone.
    for crowning in ["-c7 Pb8 L90", "-c7 Pb8 -b8 pb8 L90", "-c7 Pb8 L90 +2 . -b8 +2 . pb8", "-c7 pb8 L90"] {
        assert_eq!(
            game_from(fen, board, &format!("{crowning} {then}")),
            "c7-b8 h6-g5 b8-f4 g5:e3",
            "{crowning}"
        );
    }
}

#[test]
fn a_game_of_draughts_needs_no_clock() {
    assert_eq!(
        game("-g3 Pf4 +2 . +2 -d6 Be5 +2 . +2 -f4 -e5 Pd6 +2 . +2 -e7 -d6 Bc5"),
        "g3-f4 d6-e5 f4:d6 e7:c5"
    );
}

#[test]
fn a_captured_man_that_is_forgotten_is_an_anomaly_and_mended_when_it_is_taken_off() {
    let opening = "-g3 Pf4 L90 +2 . -d6 Be5 R90 +2 . -f4 Pd6 L80";
    let rest = "-e7 -d6 Bc5 R80 +2 . -c3 Pb4 L70 +2 . -f8 Be7 R70 +2 .";
    let moves = "g3-f4 d6-e5 f4:d6 e7:c5 c3-b4 f8-e7";
    // The board rests with the man on e5.
    let told = |stream: &str| super::told(&format!("={START} . +4 {stream} +2 ."));
    assert_eq!(
        told(&format!("{opening} +12 . +2 . -e5 +2 . {rest}")),
        "game g3-f4 d6-e5 f4:d6 !illegal e7:c5 c3-b4 f8-e7 [* input-end]"
    );
    // Play goes on and somebody sees it three plies later.
    assert_eq!(
        told(&format!("{opening} +2 . {rest} +1 -e5 +2 .")),
        "game g3-f4 d6-e5 f4:d6 e7:c5 c3-b4 !illegal f8-e7 [* input-end]"
    );
    // Taken off in time it is nothing to be told.
    assert_eq!(game(&format!("{opening} +5 . -e5 {rest}")), moves);
}

#[test]
fn one_of_several_paths_is_known_by_the_squares_seen() {
    // Over d6 and g3 the king may turn on e5 or on f4.
    let fen = "W:WKb8,c1:Bd6,e3,Kg3,b2,d2,Ka1,Ke1";
    let board = "1p6/8/3B4/8/8/4B1b1/1B1B4/b1P1b3";
    let path = |stream: &str| {
        let options = Options { start: Some(Start::from_fen(fen).unwrap()), ..Options::default() };
        let told = games_of(&records(&format!("={board} . +4 {stream} L90 +2 . +10 .")), options);
        last_words(&told)[0].strip_suffix(" [* input-end]").unwrap().to_owned()
    };
    assert_eq!(path("-b8 pe5 -e5 ph2 -d6 -g3"), "b8:e5:h2");
    assert_eq!(path("-b8 pf4 -f4 ph2 -d6 -g3"), "b8:f4:h2");
    // Taken off while it is on its way, and seen on the square after it had left it.
    assert_eq!(path("-b8 -d6 pf4 ph2 -f4 -g3"), "b8:f4:h2");
    // Nothing was seen, or both: the nearest landings, marked as a guess.
    assert_eq!(path("-b8 ph2 -d6 -g3"), "?b8:e5:h2");
    assert_eq!(path("-b8 pe5 -e5 pf4 -f4 ph2 -d6 -g3"), "?b8:e5:h2");
}

#[test]
fn the_captor_of_several_rests_where_it_turns() {
    let (fen, board) = ("W:Wb4,h2:Bc5,e7,a3", "8/4B3/8/2B5/1P6/B7/7P/8");
    let stream = "-b4 Pd6 +2 . -c5 +3 . +2 . -d6 Pf8 +2 . -e7 L90 +2 . -a3 Bb2 R90";
    assert_eq!(game_from(fen, board, stream), "b4:d6:f8 a3-b2");
    let quick = "-b4 Pd6 -c5 -d6 Pf8 +2 . -e7 L90 +2 . -a3 Bb2 R90";
    assert_eq!(game_from(fen, board, quick), "b4:d6:f8 a3-b2");
}
