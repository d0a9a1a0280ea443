//! What events do.

use super::{START, game, games, told};

const OPENING: &str = "-e2 Pe4 L90 +2 -e7 pe5 R90 +2 -g1 Nf3 L88 +2 -b8 nc6 R88 +2 .";
/// Both kings on the light central squares, other pieces in the way lifted off.
const WHITE_WINS: &str = "-e4 -e1 Ke4 -e8 kd5";

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
    assert_eq!(told(&format!("={START} @begin . +4 . +60 .")), "");
}

#[test]
fn pain_1_kings_in_the_centre_end_the_game_without_false_king_moves() {
    assert_eq!(game(&format!("{OPENING} {WHITE_WINS} +2 .")), "e4 e5 Nf3 Nc6 [1-0 kings]");
    assert_eq!(game(&format!("{OPENING} -e5 -e8 ke5 -e1 Kd4 +2 .")), "e4 e5 Nf3 Nc6 [0-1 kings]");
    assert_eq!(game(&format!("{OPENING} -e4 -e1 Ke4 -e5 -e8 ke5 +2 .")), "e4 e5 Nf3 Nc6 [1/2-1/2 kings]");
    // The white king walks e1-e2-e3-d4: each a legal step, none a move.
    let walk = "-e4 -d1 Qd1 -e1 Ke2 -e2 Ke3 -e3 Kd4 -e8 ke5 +2 .";
    assert_eq!(game(&format!("{OPENING} {walk}")), "e4 e5 Nf3 Nc6 [0-1 kings]");
}

#[test]
fn pain_1_a_legal_last_king_step_to_the_centre_that_was_not_pressed_is_no_move() {
    let fen = "8/8/4k3/8/8/4K3/7P/8";
    let play = "-h2 Ph3 L90 +2 . -e6 kf6 R90 +2 .";
    let options = || super::Options {
        start: Some(super::Start::from_fen(&format!("{fen} w - - 0 1")).unwrap()),
        ..Default::default()
    };
    let stream = super::records(&format!("={fen} . +4 {play} -e3 Ke4 +1 -f6 ke5 +3 ."));
    assert_eq!(super::last_words(&super::games_of(&stream, options())), ["h3 Kf6 [1/2-1/2 kings]"]);
    // The same step with its press is a move.
    let stream = super::records(&format!("={fen} . +4 {play} -e3 Ke4 L80 +2 . -f6 ke5 +3 ."));
    assert_eq!(super::last_words(&super::games_of(&stream, options())), ["h3 Kf6 Ke4 [1/2-1/2 kings]"]);
}

#[test]
fn a_result_piece_ends_the_game() {
    assert_eq!(game(&format!("{OPENING} 1-0a4 +2 .")), "e4 e5 Nf3 Nc6 [1-0 result-piece]");
}

#[test]
fn checkmate_and_stalemate_end_the_game() {
    let mate = "-f2 Pf3 L90 +2 . -e7 pe5 R90 +2 . -g2 Pg4 L80 +2 . -d8 qh4 R80 +6 .";
    assert_eq!(game(mate), "f3 e5 g4 Qh4# [0-1 checkmate]");
    assert_eq!(game(&mate.replace(" R80", "")), "f3 e5 g4 Qh4# [0-1 checkmate]");
}

#[test]
fn a_flag_ends_the_game() {
    let mut stream = super::records(&format!("={START} @begin . +4 {OPENING}"));
    let reading = |seconds, flag| Some(crate::record::Reading { seconds: super::Seconds(seconds), flag });
    let clock = crate::record::Clock {
        connected: true,
        left: reading(0.0, true),
        right: reading(88.0, false),
        running: Some(false),
        turn: Some(super::Side::Left),
        low_battery: Some(false),
    };
    let event = crate::record::BoardEvent::Clock(clock);
    stream.push(super::BoardRecord::new(Some(super::Time(1_020_000)), Some(1), event));
    assert_eq!(
        super::last_words(&super::games_of(&stream, Default::default())),
        ["e4 e5 Nf3 Nc6 [0-1 flag]"]
    );
}

#[test]
fn pieces_pushed_about_after_the_end_are_no_moves() {
    let analysis = "+6 . -e4 Ke1 -d5 ke8 Pe4 +2 . -f1 Bb5 +2 . -a7 pa6 +2 .";
    assert_eq!(game(&format!("{OPENING} {WHITE_WINS} +2 . {analysis}")), "e4 e5 Nf3 Nc6 [1-0 kings]");
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
fn pain_14_a_start_of_chess960_is_known_by_its_mark() {
    let start = "bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN";
    let stream =
        format!("={start} @four-rows . +4 -e2 Pe4 L90 +2 . -e7 pe5 R90 +2 . -f1 -g1 Rf1 Kg1 L80 +2 .");
    let records = super::games_of(&super::records(&stream), Default::default());
    assert_eq!(super::last_words(&records), ["e4 e5 O-O [* input-end]"]);
    let super::GameEvent::Game(game) = &records[0].event else { panic!("{records:?}") };
    assert_eq!((game.rules, &*game.fen), (crate::record::Rules::Chess960, &*format!("{start} w KQkq - 0 1")));
}

#[test]
fn a_custom_start_position_is_known_by_its_start_mark() {
    let start = "4k3/pppp4/8/8/8/8/4PPPP/4K3";
    let stream = format!("={start} @start . +4 -e2 Pe4 L90 +2 . -d7 pd5 R90 +2 . -e4 Pd5 L80 +2 .");
    assert_eq!(games(&stream), ["e4 d5 exd5 [* input-end]"]);
}

#[test]
fn a_start_mark_that_finds_the_first_move_made_or_in_the_making_begins_no_other_game() {
    let made = super::boards::listing("rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R");
    let stream =
        format!("={START} @begin . +4 -g1 Nf3 @start: {made} L90 +2 . -c7 pc5 R90 +2 . -e2 Pe4 L80 +2 .");
    assert_eq!(games(&stream), ["Nf3 c5 e4 [* input-end]"]);
    let lifted = super::boards::listing("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKB1R");
    let stream = format!("={START} @begin . +4 -g1 @start: {lifted} Nf3 L90 +2 . -c7 pc5 R90 +2 .");
    assert_eq!(games(&stream), ["Nf3 c5 [* input-end]"]);
}

#[test]
fn pain_3_an_illegal_move_is_an_anomaly_and_the_game_goes_on_when_it_is_put_right() {
    let stream = format!("{OPENING} -f1 Bf4 L80 +12 . +2 . -f4 Bb5 +2 . -a7 pa6 R70");
    assert_eq!(game(&stream), "e4 e5 Nf3 Nc6 Bb5 a6 !illegal");
}

#[test]
fn pain_3_play_that_goes_on_from_an_illegal_move_is_not_lost() {
    let stream = format!(
        "={START} @begin . +4 {OPENING} -f1 Bf4 L80 +12 . +2 . -a7 pa6 R70 +2 . -d2 Pd3 L60 +2 . +30 ."
    );
    let told = told(&stream);
    assert!(told.contains("!illegal") && told.contains("a6") && told.contains("d3"), "{told}");
}

#[test]
fn the_same_journal_twice_gives_the_same_games_once() {
    let mut stream = super::records(&format!("={START} @begin . +4 {OPENING}"));
    for (seq, record) in stream.iter_mut().enumerate() {
        record.seq = Some(seq as u64 + 1);
    }
    let once = super::games_of(&stream, Default::default());
    let twice = [stream.clone(), stream].concat();
    assert_eq!(super::games_of(&twice, Default::default()), once);
}

#[test]
fn final_tells_only_last_words_at_the_end_of_each_game() {
    let stream = format!("={START} @begin . +4 -e2 Pe4 +2 . +6 . -e4 Pe2 -d2 Pd4 L90 +2 . -d7 pd5 R80 +2 .");
    let options = super::Options { last_word_only: true, ..Default::default() };
    let told = super::games_of(&super::records(&stream), options);
    let words: Vec<_> = told.iter().map(|r| super::word(&r.event)).collect();
    assert_eq!(words.join(" "), "game d4 d5 [* input-end]");
}
