//! Squares whose sensors never report: pieces there are seen in no change and in no position.

use super::{OPENING, START, game, games, games_from, published_so_far};
use crate::record::{GameEvent, GameRecord};

/// A game on a board that shows this of its start position.
fn game_from(shown: &str, stream: &str) -> String {
    let games = games(&format!("={shown} . +4 . {stream} +2 . +10 ."));
    assert_eq!(games.len(), 1, "{games:?}");
    games[0].strip_suffix(" [* input-end]").unwrap_or(&games[0]).to_owned()
}

/// 1. e4 e5 2. Nf3 Nc6 3. Bb5 on a board with a dead e4, which is found by then.
fn dead_e4(then: &str) -> String {
    format!(
        "-e2 L90 +2 . -e7 pe5 R90 +2 . -g1 Nf3 L88 +2 . -b8 nc6 R88 +2 . -f1 Bb5 L86 +2 . -g8 nf6 R86 +2 . {then}"
    )
}

#[test]
fn a_first_dead_square_move_waits_for_later_moves() {
    assert_eq!(game(&dead_e4("")), "e4 e5 Nf3 Nc6 Bb5 Nf6");
    let first = format!("={START} @begin . +4 -e2 L90 +2 . -e7 pe5 R90 +2 . -g1 Nf3 L88 +2 . +8 .");
    assert_eq!(published_so_far(&first), "game e4 e5 Nf3");
}

#[test]
fn a_known_dead_square_move_needs_its_press() {
    let begin = format!("={START} @begin . +4 {}", dead_e4("-e1 Kg1 -h1 Rf1 L84 +2 . -f6 R84"));
    assert_eq!(published_so_far(&format!("{begin} +2 .")), "game e4 e5 Nf3 Nc6 Bb5 Nf6 O-O Nxe4");
    // It may still be in the hand.
    assert_eq!(published_so_far(&begin), "game e4 e5 Nf3 Nc6 Bb5 Nf6 O-O");
}

#[test]
fn dead_square_moves_show_on_one_square() {
    let captures = "-b1 Nc3 L84 +2 . -f6 R84 +2 . -c3 L82 +2 . -f7 pf5 R82 +2 . Ng5 L80 +2 .";
    assert_eq!(game(&dead_e4(captures)), "e4 e5 Nf3 Nc6 Bb5 Nf6 Nc3 Nxe4 Nxe4 f5 Neg5");
}

#[test]
fn a_piece_from_a_dead_square_can_capture() {
    let captures = "-f3 Ng5 L84 +2 . -d7 pd5 R84 +2 . -d5 Pd5 L82 +2 . -f6 nd5 R82 +2 .";
    assert_eq!(game(&dead_e4(captures)), "e4 e5 Nf3 Nc6 Bb5 Nf6 Ng5 d5 exd5 Nxd5");
}

#[test]
fn a_game_begins_with_one_dead_start_square() {
    let shown = "rnbqkbnr/pppppppp/8/8/8/8/PPPP1PPP/RNBQKBNR";
    let moves =
        "Pe4 L90 +2 . -e7 pe5 R90 +2 . -g1 Nf3 L88 +2 . -b8 nc6 R88 +2 . -f1 L86 +2 . -g8 nf6 R86 +2 .";
    assert_eq!(game_from(shown, moves), "e4 e5 Nf3 Nc6 Be2 Nf6");
    // A start mark finds it as well.
    assert_eq!(game_from(shown, &format!("@start {moves}")), "e4 e5 Nf3 Nc6 Be2 Nf6");
}

#[test]
fn a_turned_board_with_a_dead_square_begins_games() {
    let shown = "RNBK1BNR/PPPPPPPP/8/8/8/8/pppppppp/rnbkqbnr";
    assert_eq!(game_from(shown, "-d7 Pd5 R90 +2 . -d2 pd4 L89 +2 . Qb5 R88 +2 ."), "e4 e5 Qg4");
}

#[test]
fn castling_over_a_dead_square_is_found() {
    let shown = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQK1NR";
    let opening =
        "-e2 Pe4 L90 +2 . -e7 pe5 R90 +2 . -g1 Nf3 L88 +2 . -b8 nc6 R88 +2 . Bb5 L86 +2 . -g8 nf6 R86";
    let castled = format!("{opening} +2 . -e1 Kg1 -h1 L84 +2 . -f8 be7 R84 +2 . Re1 L82 +2 .");
    assert_eq!(game_from(shown, &castled), "e4 e5 Nf3 Nc6 Bb5 Nf6 O-O Be7 Re1");
}

#[test]
fn a_square_that_reports_again_is_not_dead() {
    // A contact that works again during the game.
    let shown = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQK1NR";
    let wakes =
        "-e2 Pe4 L90 +2 . -e7 pe5 R90 +2 . Bf1 +4 . -f1 Bb5 L86 +2 . -a7 pa6 R86 +2 . -b5 Bf1 L84 +2 .";
    assert_eq!(game_from(shown, wakes), "e4 e5 Bb5 a6 Bf1");
    // A piece that was only set up late.
    let shown = "rnbqkbnr/pppppppp/8/8/8/8/PPPP1PPP/RNBQKBNR";
    assert_eq!(game_from(shown, "Pe2 +4 . -e2 Pe4 L90 +2 . -e7 pe5 R90 +2 ."), "e4 e5");
}

#[test]
fn a_held_piece_is_on_no_dead_square() {
    assert_eq!(game("-e2 Pe4 L90 +2 . -e7 +12 . +12 . pe5 R90 +2 . -g1 +20 . Nf3 L80 +2 ."), "e4 e5 Nf3");
}

#[test]
fn the_next_game_starts_with_the_dead_square() {
    let more = "-b1 Nc3 L84 +2 . -f6 R84 +2 . -c3 L82 +2 . -d7 pd5 R82 +2 . +10 .";
    let again = format!("={START} @begin . +4 -e2 L90 +2 .");
    let stream = format!("={START} @begin . +4 {} {again}", dead_e4(more));
    let output = published_so_far(&stream);
    assert!(output.ends_with("game e4"), "{output}");
}

#[test]
fn kings_show_the_result_on_a_dead_square() {
    let kings = "+5 -e1 +1 . -e8 kd5 +2 . +8 .";
    assert!(games(&format!("={START} @begin . +4 {}", dead_e4(kings)))[0].ends_with("[1-0 kings]"));
}

/// The games that are published when the pieces are set up again as `shown` after a game that `ended` so.
fn after_a_game(ended: &str, shown: &str, moves: &str) -> Vec<String> {
    games(&format!("={START} @begin . +4 {OPENING} +2 . {ended} ={shown} . +6 . {moves} +2 . +10 ."))
}

/// 1. e4 e5 2. Nf3 Nc6 3. Bc4 h5, and h7 is dead.
fn italian() -> String {
    format!("{OPENING} -f1 Bc4 L86 +2 . ph5 R86 +2 .")
}

#[test]
fn pain_19_a_dead_square_loses_no_later_game() {
    let expected = "e4 e5 Nf3 Nc6 Bc4 h5 [* input-end]";
    // All but h7, on which a pawn stood in the game before.
    let without_h7 = "rnbqkbnr/ppppppp1/8/8/8/8/PPPPPPPP/RNBQKBNR";
    // That game had a result, or was left unfinished.
    let kings = "-e1 Ke4 -e8 ke5 +10 .";
    for ended in [kings, "+60 ."] {
        let games = after_a_game(ended, without_h7, &italian());
        assert_eq!(games.len(), 2, "{games:?}");
        assert_eq!(games[1], expected, "{ended}");
    }
    // A pawn that came late was only set up late.
    let late = after_a_game("+60 .", without_h7, "ph7 +4 . -e2 Pe4 L90 +2 . -h7 ph6 R90 +2 .");
    assert_eq!(late[1], "e4 h6 [* input-end]");
}

#[test]
fn a_held_piece_begins_no_new_game() {
    // They begin again, and each piece is back but one.
    let back = "-g8 +2 ng8 +2 . -c6 nb8 +2 . -f3 Ng1 +2 . -e5 pe7 +2 . -e4 +6 . Pe2 +4 .";
    let output = games(&format!("={START} @begin . +4 {OPENING} -g8 nf6 +2 . {back} +10 ."));
    assert!(output.len() <= 2, "{output:?}");
}

#[test]
fn pain_19_a_dying_square_loses_nothing() {
    // 5...d5 with the knight on c3, whose square dies then: play continues, and in the end the knight captures.
    let opening = "-e2 Pe4 L90 +2 . -e7 pe5 R90 +2 . -b1 Nc3 L88 +2 . -g8 nf6 R88 +2 . -f2 Pf4 L86 +2 . -d7 pd5 R86 +2 .";
    let dies = "-c3 +8 .";
    let on = "-f4 -e5 Pe5 L84 +2 . -f6 -e4 ne4 R84 +2 . -g1 Nf3 L82 +2 . -f8 be7 R82 +2 . -d1 Qe2 L80 +2 .";
    let takes = "-e4 Ne4 L78 +2 . -d5 -e4 pe4 R78 +2 .";
    let played = game(&format!("{opening} {dies} {on} -c8 bf5 R80 +2 . {takes} +10 ."));
    assert_eq!(played, "e4 e5 Nc3 Nf6 f4 d5 fxe5 Nxe4 Nf3 Be7 Qe2 Bf5 Nxe4 dxe4");
    // A player who thinks about the first move after that loses no game either.
    let slowly = game(&format!("{opening} {dies} +40 . +40 . {on} -c8 bf5 R80 +2 . {takes} +10 ."));
    assert_eq!(slowly.replace(" !unexplained", ""), played);
}

#[test]
fn a_piece_on_a_newly_dead_square_is_kept() {
    // A pawn stood on e2, which a king can reach. The player who presses has moved.
    let before = "-e2 Pe4 L90 +2 . -e7 pe5 R90 +2 .";
    let died = "-e1 L88 +2 . -b8 nc6 R88 +2 . -g1 Nf3 L86 +2 . -g8 nf6 R86 +2 . +10 .";
    assert_eq!(game(&format!("{before} {died}")), "e4 e5 Ke2 Nc6 Nf3 Nf6");
}

#[test]
fn a_castling_king_leaves_no_dead_square() {
    // The rook is put down beside it, and the king is read a ply later.
    let before = "-e2 Pe4 L90 +2 . -e7 pe5 R90 +2 . -g1 Nf3 L88 +2 . -b8 nc6 R88 +2 . -f1 Bb5 L86 +2 . -a7 pa6 R86 +2 . -b5 Ba4 L84 +2 . -g8 nf6 R84 +2 .";
    let castles = "-e1 -h1 Rf1 L82 +2 . -f8 be7 R82 +2 . Kg1 +2 . -f1 Re1 L80 +2 . -b7 pb5 R80 +2 . -a4 Bb3 L78 +2 . +10 .";
    let played = game(&format!("{before} {castles}")).replace('?', "");
    assert_eq!(played, "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 Re1 b5 Bb3");
}

#[test]
fn two_squares_that_die_lose_no_game() {
    let dies = "-a2 +8 . -e2 Pe4 L90 +2 . -e7 pe5 R90 +2 . -h7 +8 . -g1 Nf3 L88 +2 . -b8 nc6 R88 +2 .";
    let on = "-f1 Bc4 L86 +2 . -g8 nf6 R86 +2 . -d2 Pd3 L84 +2 . -d7 pd6 R84 +2 . -b1 Nc3 L82 +2 . -f8 be7 R82 +2 .";
    let (open, ended) = ("+60 .", "-e1 Ke4 -e8 ke5 +10 .");
    let again = "rnbqkbnr/ppppppp1/8/8/8/8/1PPPPPPP/RNBQKBNR";
    for between in [open, ended] {
        let stream =
            format!("={START} @begin . +4 {dies} {on} {between} ={again} . +6 . {} +10 .", italian());
        let games = games(&stream);
        assert_eq!(games.len(), 2, "{games:?}");
        assert_eq!(games[1], "e4 e5 Nf3 Nc6 Bc4 h5 [* input-end]", "{between}");
    }
}

#[test]
fn an_illegal_move_alone_makes_no_square_dead() {
    // Black's pawn goes d5-b3, illegally, and stays; then White captures the knight on d7, whose file it has opened.
    let fen = "r4rk1/1b1nqppp/p7/2pp4/Q7/2N1PN2/PP3PPP/2RR1K2 w - - 0 1";
    let stood = ". +4 -f1 Kg1 L1140 +2 . +2 -d5 pc4 q-c4 qpb3 R1785 +2 . +3 \
                 -d7 Rd3 q-d1 qRd5 q-d3 qRd7 q-d5 +2 . +6 -b7 qbd5 -h2 +2 Ph4 L1135 +2 -h7 ph6 R1792 +2 . +10 \
                 -b2 Pb2 +2 . +33 -a4 qQg4 +2 L1097 +2 .";
    let on =
        "+60 -f8 qrd8 R1730 +2 . +50 -c3 qNa4 L1057 +2 . +10 -a8 qra7 R1726 +2 . +15 -f3 qNd4 L1051 +2 .";
    let output = games_from(fen, &format!("{stood} {on} +9 . +9 ."));
    let stands = |record: &GameRecord| match &record.event {
        GameEvent::Move(m) => m.fen.starts_with("3r2k1/r2Rqpp1/p6p/2pb4/N2N2QP/1p2P3/PP3PP1/2R3K1 "),
        _ => false,
    };
    assert!(output.iter().any(stands), "{output:?}");
}
