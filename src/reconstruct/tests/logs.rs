//! The log of a board without times: neither durations nor rests are reported.

use super::{OPENING, START, endings::WHITE_WINS, games, spanish};

/// Eight plies.
fn played() -> String {
    let words = format!("{OPENING} {}", spanish(4));
    words.split_whitespace().filter(|word| !word.starts_with(['+', '.'])).collect::<Vec<_>>().join(" ")
}

/// The changes that put their pieces back; the kings may stand in the centre.
fn set_up(kings: bool) -> String {
    let kings = if kings { "-d5 -e4 ke8 Ke1" } else { "-e4" };
    format!("{kings} -f6 ng8 -a4 Bf1 -a6 pa7 -c6 nb8 -f3 Ng1 -e5 pe7 Pe2")
}

/// The two games of a log.
fn log(first: &str, kings: bool) -> Vec<String> {
    games(&format!("={START} @begin {first} {} @begin -d2 Pd4 L90 -d7 pd5 R90", set_up(kings)))
}

#[test]
fn a_signal_in_a_log_ends_its_game() {
    let played = played();
    let moves = "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6";
    let both = |first: &str| [format!("{moves} {first}"), "d4 d5 [* input-end]".to_owned()];
    assert_eq!(log(&format!("{played} {WHITE_WINS}"), true), both("[1-0 kings]"));
    assert_eq!(log(&played, false), both("[* new-game]"));
    // Other pieces may be set up before the kings: the steps of the bishop and the knight to their start squares are no
    // moves.
    let kings_last = "-a4 Bf1 -f6 ng8 -a6 pa7 -c6 nb8 -f3 Ng1 -e5 pe7 -d5 -e4 ke8 Ke1 Pe2";
    let output =
        games(&format!("={START} @begin {played} {WHITE_WINS} {kings_last} @begin -d2 Pd4 L90 -d7 pd5 R90"));
    assert_eq!(output, both("[1-0 kings]"));
    // A player who presses after it continues: then it was no signal.
    let on = "-e4 Ke4 -e4 Ke2 -d5 ke7 L86 R86";
    let [first, _] = &log(&format!("{played} -e1 {on}"), false)[..] else { panic!("two games") };
    assert!(first.ends_with("[* new-game]"), "{first}");
}

#[test]
fn the_last_pressed_move_is_kept() {
    let played = played();
    let last = played.replace("-g8 nf6 R84", "-d7 pd6 R84 -a4 Bb3 L82");
    let set_up = "-e4 -b3 Bf1 -d6 pd7 -a6 pa7 -c6 nb8 -f3 Ng1 -e5 pe7 Pe2";
    let output = games(&format!("={START} @begin {last} {set_up} @begin -d2 Pd4 L90 -d7 pd5 R90"));
    assert_eq!(output[0], "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 d6 Bb3 [* new-game]");
}

// Users' pain: whoever forgets the clock loses the rest of the game.
#[test]
fn two_unpressed_moves_keep_the_later_ones() {
    let played = played();
    let forgotten = played.replace("Nf3 L88", "Nf3").replace("nc6 R88", "nc6");
    assert_eq!(log(&forgotten, false)[0], "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 [* new-game]");
    // The same where rests are reported without times.
    let polled = forgotten.replace(" -", " . -");
    assert_eq!(log(&polled, false)[0], "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 [* new-game]");
}
