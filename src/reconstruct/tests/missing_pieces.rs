//! Pieces that are missing from the start: they were not put there, or stand unseen on a dead square.

use super::{
    GameEvent, OPENING, Options, START, final_moves, games, games_of, published_so_far, records,
    without_clock,
};

/// The published games of a stream: the beginning and the final moves of each.
fn starts_and_games(stream: &str) -> Vec<(String, String)> {
    let published = games_of(&records(stream), Options::default());
    let begins = published.iter().filter_map(|record| match &record.event {
        GameEvent::Game(game) => Some(game.fen.clone()),
        _ => None,
    });
    let games = begins.zip(final_moves(&published));
    games.filter(|(_, moves)| !moves.starts_with('[')).collect()
}

/// Eight plies without the bishop on f1.
fn without_bishop() -> String {
    format!("{OPENING} -e1 Kg1 -h1 Rf1 L86 +2 . -g8 nf6 R86 +2 . -f1 Re1 L84 +2 . -f8 bc5 R84 +2 .")
}

#[test]
fn a_game_begins_without_the_missing_piece() {
    let played = without_bishop();
    let no_bishop = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQK1NR";
    let fen = format!("{no_bishop} w KQkq - 0 1");
    let game = vec![(fen, "e4 e5 Nf3 Nc6 O-O Nf6 Re1 Bc5 [* input-end]".to_owned())];
    let stream = format!("={no_bishop} . +4 {played} +9 .");
    assert_eq!(starts_and_games(&stream), game);
    assert_eq!(starts_and_games(&without_clock(&stream)), game);
    // A start mark finds it as well.
    assert_eq!(starts_and_games(&stream.replacen(". +4", "@start . +4", 1)), game);
    // Nothing is published before the mistake would have been noticed.
    assert_eq!(published_so_far(&format!("={no_bishop} . +4 -e2 Pe4 L90 +2 . -e7 pe5 R90 +2 .")), "");
    // After another game.
    let before = format!("={START} @begin . +4 -d2 Pd4 L90 +2 . -d7 pd5 R90 +2 . -b1 Nc3 L88 +2 . +60");
    assert_eq!(starts_and_games(&format!("{before} {stream}"))[1..], game);
    // On a turned board.
    let turned = "=RN1KQBNR/PPPPPPPP/8/8/8/8/pppppppp/rnbkqbnr . +4 -d7 Pd5 R90 +2 . -d2 pd4 L90 +2 . +9 .";
    assert_eq!(
        starts_and_games(turned),
        [(format!("{no_bishop} w KQkq - 0 1"), "e4 e5 [* input-end]".to_owned())]
    );
}

#[test]
fn a_missing_rook_does_not_castle() {
    let stands = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBN1";
    let games = starts_and_games(&format!("={stands} . +4 -e2 Pe4 L90 +2 . -e7 pe5 R90 +2 . +9 ."));
    assert_eq!(games, [(format!("{stands} w Qkq - 0 1"), "e4 e5 [* input-end]".to_owned())]);
}

#[test]
fn a_piece_from_an_empty_square_stood_there() {
    let played = without_bishop();
    let no_bishop = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQK1NR";
    let whole = format!("{START} w KQkq - 0 1");
    // The bishop goes to b5, from f1 unseen.
    let without_castling = played.replace("-e1 Kg1 -h1 Rf1", "-d2 Pd3").replace("-f1 Re1", "-b1 Nc3");
    let stream = format!("={no_bishop} . +4 {without_castling}");
    let before = published_so_far(&stream);
    assert_eq!(before, "game e4 e5 Nf3 Nc6 d3 Nf6 Nc3 Bc5");
    let moves = "e4 e5 Nf3 Nc6 d3 Nf6 Nc3 Bc5 Be2 O-O";
    let on = "Be2 L80 +2 . -e8 kg8 -h8 rf8 R80 +2 . +9 .";
    let stream = format!("{stream} {on}");
    assert_eq!(starts_and_games(&stream), [(whole.clone(), format!("{moves} [* input-end]"))]);
    assert_eq!(
        starts_and_games(&without_clock(&stream)),
        [(whole.clone(), format!("{moves} [* input-end]"))]
    );
    // What was published of it is withdrawn first.
    let published = published_so_far(&stream);
    assert!(published.starts_with(&format!("{before} <0 [* new-game] game e4 e5")), "{published}");
}

#[test]
fn a_move_to_a_missing_piece_is_a_capture() {
    // The bishop captures the pawn that stands unseen on f2, which is all that the board shows of it.
    let stands = "rnbqkbnr/pppppppp/8/8/8/8/PPPPP1PP/RNBQKBNR";
    let moves = "-e2 Pe4 L90 +2 . -e7 pe5 R90 +2 . -g1 Nf3 L88 +2 . -f8 bc5 R88 +2 . -f1 Bc4 L86 +2 . \
                 -c5 R86 +2 . -e1 Ke2 L84 +2 . -g8 nf6 R84 +2 . -h2 Ph3 L82 +2 . -e8 kg8 -h8 rf8 R82 +2 . +9 .";
    let games = starts_and_games(&format!("={stands} . +4 {moves}"));
    assert_eq!(games.len(), 1, "{games:?}");
    assert_eq!(games[0].1, "e4 e5 Nf3 Bc5 Bc4 Bxf2+ Ke2 Nf6 h3 O-O [* input-end]");
    assert!(games[0].0.starts_with(START), "{games:?}");
}

#[test]
fn pieces_placed_before_the_first_move_are_not_missing() {
    let played = without_bishop();
    let stands = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQ4";
    let come = "Rh1 +2 . Ng1 +2 . Ke1 +2 .";
    let stream = format!("={stands} . +4 {come} +4 {played} +9 .");
    assert_eq!(
        starts_and_games(&stream),
        [(
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQK1NR w KQkq - 0 1".to_owned(),
            "e4 e5 Nf3 Nc6 O-O Nf6 Re1 Bc5 [* input-end]".to_owned()
        )]
    );
}

#[test]
fn a_man_of_draughts_may_be_missing() {
    let stands = "1p1p1p1p/p1p1p1p1/1p1p1p1p/8/8/P1P1P1P1/1P1P1P1P/P1P1P3";
    let moves = "-c3 Pb4 L90 +2 . -f6 pg5 R90 +2 . -b2 Pc3 L88 +2 . -g7 pf6 R88 +2 .";
    let games = starts_and_games(&format!("={stands} . +4 {moves} +9 ."));
    assert_eq!(games.len(), 1, "{games:?}");
    assert!(!games[0].0.contains("g1"), "{games:?}");
    assert_eq!(games[0].1, "c3-b4 f6-g5 b2-c3 g7-f6 [* input-end]");
}

#[test]
fn a_dead_square_is_dead_in_the_next_game() {
    // All but e2, which is found to be dead once its pawn has gone from there.
    let shown = "rnbqkbnr/pppppppp/8/8/8/8/PPPP1PPP/RNBQKBNR";
    let moves = "Pe4 L90 +2 . -e7 pe5 R90 +2 . -g1 Nf3 L88 +2 . -b8 nc6 R88 +2 .";
    let next = "-d2 Pd4 L90 +2 . -d7 pd5 R90 +2 .";
    let stream = format!("={shown} . +4 {moves} +60 ={shown} . +4 {next}");
    assert_eq!(games(&stream), ["e4 e5 Nf3 Nc6 [* new-game]", "d4 d5 [* input-end]"]);
    assert!(starts_and_games(&stream).iter().all(|(fen, _)| fen.starts_with(START)));
}
