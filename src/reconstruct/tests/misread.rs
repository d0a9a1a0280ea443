//! A misread change with a valid checksum, which a later position corrects.

use super::{GameEvent, game, games_of, published, records};

#[test]
fn a_misread_lift_is_corrected_by_a_position() {
    let seen = "-a2 Pe4 L90 +2 . -e7 pe5 R90 +2 . -g1 Nf3 L88 +30 .";
    let moves = game(&format!("{seen} =rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R -b8 nc6 R88 +2 ."));
    assert!(moves.starts_with("e4 e5 Nf3 Nc6"), "{moves}");
}

#[test]
fn a_misread_legal_landing_is_corrected() {
    let seen = "-e2 Pe4 L90 +2 . -e7 pe6 R90 +30 .";
    assert_eq!(
        game(&format!(
            "{seen} =rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR -g1 Nf3 L88 +2 . -b8 nc6 R88 +2 ."
        )),
        "e4 e5 Nf3 Nc6"
    );
}

#[test]
fn a_misread_piece_is_corrected_by_a_position() {
    let seen = "-e2 Pe4 L90 +2 . -e7 pe5 R90 +2 . -g1 Pf3 L88 +30 .";
    let moves = game(&format!("{seen} =rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R -b8 nc6 R88 +2 ."));
    assert!(moves.starts_with("e4 e5 Nf3 Nc6"), "{moves}");
}

#[test]
fn a_misread_landing_is_corrected_after_later_moves() {
    let seen = "-e2 Pe4 L90 +2 . -e7 pe5 R90 +2 . -g1 Nh3 L88 +2 . -d7 pd6 R88 +2 . -f3 Nd4 L85 +30 .";
    let after = "=rnbqkbnr/ppp2ppp/3p4/4p3/3NP3/8/PPPP1PPP/RNBQKB1R";
    let moves = game(&format!("{seen} {after} -e5 -d4 pd4 R85 +2 ."));
    assert!(moves.starts_with("e4 e5 Nf3 d6 Nd4 exd4"), "{moves}");
}

#[test]
fn a_misread_lift_is_corrected_some_moves_later() {
    let seen =
        "-e2 Pe4 L90 +2 . -d7 pd5 R90 +2 . -d5 -f4 Pd5 L88 +2 . -d8 -d5 qd5 R88 +2 . -b1 Nc3 L85 +30 .";
    let after = "=rnb1kbnr/ppp1pppp/8/3q4/8/2N5/PPPP1PPP/R1BQKBNR";
    let moves = game(&format!("{seen} {after} -d5 qa5 R85 +2 ."));
    assert!(moves.starts_with("e4 d5 exd5 Qxd5 Nc3 Qa5"), "{moves}");
}

#[test]
fn a_missed_move_is_no_misread_change() {
    // Black's d6 was never seen, nor was White's d4 after it.
    let seen = "-e2 Pe4 L90 +2 . -e7 pe5 R90 +2 . -g1 Nf3 L88 +30 .";
    let after = "=rnbqkbnr/ppp2ppp/3p4/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R";
    let moves = game(&format!("{seen} {after} -d2 Pd4 L85 +2 ."));
    assert!(moves.starts_with("e4 e5 Nf3") && moves.contains("d6 d4"), "{moves}");
}

#[test]
fn correct_moves_are_published_once() {
    let seen = "=rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR @begin . +4 -e2 Pe4 L90 +2 . -e7 pe5 R90 +30 .";
    assert_eq!(
        published(&format!("{seen} =rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR")),
        "game e4 e5 [* input-end]"
    );
}

#[test]
fn a_misread_start_stays_the_published_start() {
    // A start mark finds another game's pieces, and the next one finds a pawn missing that was never touched.
    let (before, start) =
        ("rnbqkbnr/pp1ppppp/2p5/8/8/2N5/PPPPPPPP/R1BQKBNR", "bnrbkqrn/pppppppp/8/8/8/8/PPPPPPPP/BNRBKQRN");
    let stream = format!(
        "={before} @start ={start} +1 -g2 Pg4 . +1 @start ={start} +4 -b1 Nc3 L90 +2 . -c7 pc6 R90 +2 ."
    );
    let output = games_of(&records(&stream), Default::default());
    let starts = output.iter().filter_map(|record| match &record.event {
        GameEvent::Game(game) => Some(&*game.fen),
        _ => None,
    });
    assert_eq!(starts.collect::<Vec<_>>(), [format!("{start} w KQkq - 0 1")]);
    assert_eq!(published(&stream), "game Nc3 c6 [* input-end]");
}
