//! A clock that is removed during the game: later moves are not pressed.

use super::{OPENING, START, game, games, spanish, without_clock};

/// The clock runs and is removed, and four plies follow.
fn played() -> String {
    format!("{OPENING} clock +10 . unplugged +20 . {} +15 .", without_clock(&spanish(4)))
}

#[test]
fn moves_after_the_clock_is_removed_are_kept() {
    let played = played();
    assert_eq!(game(&played), "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6");
    assert_eq!(
        game(&format!("{played} -e4 -e1 Ke4 -e8 kd5 +2 . +20 .")),
        "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 [1-0 kings]".to_owned()
    );
    let next = "-d2 Pd4 +2 . +9 -d7 pd5 +2 . +9";
    let stream = format!("={START} @begin . +4 {played} ={START} +5 . +10 {next} .");
    assert_eq!(
        games(&stream),
        ["e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 [* new-game]".to_owned(), "d4 d5 [* input-end]".to_owned()]
    );
    let stream = format!("={START} @begin . +4 {played} =8/8/8/8/8/8/8/8 +5 . +60 .");
    let cleared = games(&stream);
    assert!(cleared.len() == 1 && cleared[0].starts_with("e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6"), "{cleared:?}");
}

#[test]
fn a_returned_clock_is_used_again() {
    let back = "clock +4 -e1 Kg1 -h1 Rf1 L80 +2 . +3 -f8 be7 R80 +2 .";
    assert_eq!(game(&format!("{} {back}", played())), "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7".to_owned());
    // Analysis after that withdraws no pressed move.
    let tried = "+5 -e7 bf8 +2 . +3 -d7 pd6 +2 . +30 .";
    assert_eq!(
        game(&format!("{} {back} {tried}", played())),
        "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7".to_owned()
    );
}
