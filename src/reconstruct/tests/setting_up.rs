//! Pieces that are set up for the next game: they pass through positions of the finished one.

use super::{
    GameEvent, OPENING, Options, START, final_moves, games, games_of, published, published_so_far, records,
};

/// 1.e4 e5 2.Nf3 Nc6 3.Bb5 a6 4.Ba4 Nf6 5.O-O Be7, each move pressed and at rest.
fn spanish() -> String {
    format!("{OPENING} {}", super::spanish(6).trim_end())
}

/// The same on a board without a clock.
fn without_clock(stream: &str) -> String {
    let words = stream.split_whitespace();
    let press = |word: &str| word[1..].parse::<f64>().is_ok() && word.starts_with(['L', 'R']);
    words.filter(|word| !press(word)).collect::<Vec<_>>().join(" ")
}

/// Checks that the moves before and after a setting up make two games.
fn assert_two_games(first: &str, moves: &str, set_up: &str) {
    let next = "+60 -d2 Pd4 L90 +2 . -d7 pd5 R90 +2 .";
    let stream = format!("={START} @begin . +4 {first} +60 {set_up} {next}");
    let expected = [format!("{moves} [* new-game]"), "d4 d5 [* input-end]".into()];
    assert_eq!(games(&stream), expected, "with a clock: {set_up}");
    assert_eq!(games(&without_clock(&stream)), expected, "without a clock: {set_up}");
}

/// The changes of a setting up with an empty poll after each piece.
fn slowly(set_up: &str) -> String {
    let words: Vec<_> = set_up.split_whitespace().collect();
    words.chunks(2).map(|piece| format!("{} +2 . +2 .", piece.join(" "))).collect::<Vec<_>>().join(" ")
}

#[test]
fn setting_up_through_earlier_positions_is_no_takeback() {
    let opening = "-e2 Pe4 L90 +2 . -e7 pe5 R90 +2 . -g1 Nf3 L88 +2 . -b8 nc6 R87 +2 .";
    let rests = "-f3 Ng1 -c6 nb8 -e5 pe7 +2 . +2 -e4 Pe2";
    for begin in ["@begin +2 .", "+2 ."] {
        assert_two_games(opening, "e4 e5 Nf3 Nc6", &format!("{rests} {begin}"));
    }
    let rests =
        "-f1 Rh1 -a4 Bf1 -g1 Ke1 -f3 Ng1 -e7 bf8 -f6 ng8 -c6 nb8 -a6 pa7 -e5 pe7 +2 . +2 -e4 Pe2 +2 .";
    assert_two_games(&spanish(), "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7", rests);
}

#[test]
fn setting_up_in_reverse_order_is_no_takeback() {
    let backwards = "-e7 bf8 -f1 Rh1 -g1 Ke1 -f6 ng8 -a4 Bf1 -a6 pa7 -c6 nb8 -f3 Ng1 -e5 pe7 -e4 Pe2";
    assert_two_games(&spanish(), "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7", &slowly(backwards));
}

#[test]
fn setting_up_withdraws_no_pressed_move() {
    let spanish = spanish();
    let backwards = slowly("-e7 bf8 -f1 Rh1 -g1 Ke1 -f6 ng8 -a4 Bf1 -a6 pa7 -c6 nb8 -f3 Ng1 -e5 pe7 -e4 Pe2");
    let stream = format!("={START} @begin . +4 {spanish} +60 {backwards} -d2 Pd4 L90 +2 .");
    assert_eq!(
        published(&stream),
        "game e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 [* new-game] game d4 [* input-end]".to_owned()
    );
}

#[test]
fn fast_play_without_rests_is_kept() {
    let fast = "-e2 Pe4 -e7 pe5 +4 . -g1 Nf3 -b8 nc6 +2 -f1 Bc4 -f8 bc5 +2 -d2 Pd3 -d7 pd6 +2";
    let cleared = "-a1 -b1 -c1 -d1 -e1 -h1 -c4 -d3 -f3 -e4 -a2 -b2 -c2 -f2 -g2 -h2 +2 \
                   -a8 -c8 -d8 -e8 -g8 -h8 -c5 -c6 -d6 -e5 -a7 -b7 -c7 -f7 -g7 -h7 +2 . +60";
    let set_up = "Ra1 Nb1 Bc1 Qd1 Ke1 Bf1 Ng1 Rh1 Pa2 Pb2 Pc2 Pd2 Pe2 Pf2 Pg2 Ph2 +2 \
                  ra8 nb8 bc8 qd8 ke8 bf8 ng8 rh8 pa7 pb7 pc7 pd7 pe7 pf7 pg7 ph7 @begin +2 . +9";
    let stream = format!("={START} @begin . +4 {fast} {cleared} {set_up} -d2 Pd4 +2 . -d7 pd5 +2 .");
    // Whether the last moves were any is open: the board was in disorder at once.
    let games = games(&stream);
    assert!(games[0].starts_with("e4 e5 Nf3 Nc6 Bc4 Bc5"), "{games:?}");
    assert_eq!(games[1..], ["d4 d5 [* input-end]"]);
}

/// Clears all pieces of the position after 1.e4 e5 2.Nf3 Nc6 but those on these squares, sets up the next game and
/// begins it.
fn swept_off_but(gone: &str) -> String {
    let squares =
        "a1 b1 c1 d1 e1 f1 h1 a2 b2 c2 d2 f2 g2 h2 e4 f3 c6 e5 a7 b7 c7 d7 f7 g7 h7 a8 c8 d8 e8 f8 g8 h8";
    let swept = squares.split(' ').filter(|at| !gone.contains(at)).map(|at| format!("-{at}"));
    let set_up = "+2 . +20 Ra1 Nb1 Bc1 Qd1 Ke1 Bf1 Ng1 Rh1 Pa2 Pb2 Pc2 Pd2 Pe2 Pf2 Pg2 Ph2 +2 \
                  ra8 nb8 bc8 qd8 ke8 bf8 ng8 rh8 pa7 pb7 pc7 pd7 pe7 pf7 pg7 ph7 @begin +2 . +9 .";
    format!("{} {set_up}", swept.collect::<Vec<_>>().join(" "))
}

#[test]
fn an_unpressed_last_move_survives_clearing_the_board() {
    let opening = "-e2 Pe4 L90 +2 . -e7 pe5 R90 +2 . -g1 Nf3 L88 +2 . -b8 nc6 R87 +2 .";
    let next = "-d2 Pd4 L90 +2 . -d7 pd5 R90 +2 .";
    for (last, gone) in [
        // It rested for some seconds.
        ("-f1 Bb5 +2 . +3 -b5", "f1"),
        // The first piece that is cleared is another one.
        ("-f1 Bb5 +2 . +3 -b5 -a7", "f1 a7"),
        // It was pressed, and all is gone in the next poll.
        ("-f1 Bb5 L80 +2 -b5", "f1"),
    ] {
        let stream = format!("={START} @begin . +4 {opening} {last} {} {next}", swept_off_but(gone));
        assert_eq!(games(&stream), ["e4 e5 Nf3 Nc6 Bb5 [* new-game]", "d4 d5 [* input-end]"], "{last}");
    }
    // Also at the end of the input.
    let stream = format!("={START} @begin . +4 {opening} -f1 Bb5 +2 . +3 -b5 -a7 -a8 -c8 -d8 -e8 +2 .");
    assert_eq!(games(&stream), ["e4 e5 Nf3 Nc6 Bb5 [* input-end]"]);
    // Of two unpressed moves neither is certain: the players analyse.
    let looked = "-f1 Bb5 +2 . +3 -a7 pa6 +2 . +3";
    let stream = format!("={START} @begin . +4 {opening} {looked} -b5 -a6 {} {next}", swept_off_but("f1 a7"));
    assert_eq!(games(&stream), ["e4 e5 Nf3 Nc6 [* new-game]", "d4 d5 [* input-end]"]);
}

#[test]
fn clearing_the_board_does_not_change_certainty() {
    let opening = "-e2 Pe4 L90 +2 . -e7 pe5 R90 +2 . -g1 Nf3 L88 +2 . -b8 nc6 R87 +2 .";
    let stream = format!("={START} @begin . +4 {opening} -f1 Bb5 +2 . +10 -b5 {}", swept_off_but("f1"))
        .replace("+20", "+400");
    let output = games_of(&records(&stream), Options::default());
    let last = output.iter().rev().find_map(|record| match &record.event {
        GameEvent::Move(last) if last.san.as_deref() == Some("Bb5") => Some(last.certainty),
        _ => None,
    });
    assert!(last.is_some_and(|certainty| certainty.is_none_or(|certainty| certainty > 0.99)), "{last:?}");
}

#[test]
fn a_lasting_last_move_home_is_kept() {
    let opening = "-e2 Pe4 L90 +2 . -e7 pe5 R90 +2 . -g1 Nf3 L88 +2 . -b8 nc6 R87 +2 .";
    let set_up = "-c6 nb8 -e5 pe7 -e4 Pe2 @begin +2 . +9 .";
    // With a clock one that was not pressed.
    let stream = format!("={START} @begin . +4 {opening} -f3 Ng1 +2 . +200 {set_up}");
    assert_eq!(games(&stream), ["e4 e5 Nf3 Nc6 Ng1 [* new-game]"]);
    // Without a clock also the move just before it.
    let stream = without_clock(&format!("={START} @begin . +4 {opening} -f3 Ng1 +2 . -c6 nb8 +2 . +200"));
    let set_up = "-e5 pe7 -e4 Pe2 @begin +2 . +9 .";
    assert_eq!(games(&format!("{stream} {set_up}")), ["e4 e5 Nf3 Nc6 Ng1 Nb8 [* new-game]"]);
}

#[test]
fn a_game_begun_before_all_pieces_stand_is_kept() {
    // Two pieces are put on the board after the first move, men of draughts too.
    let moves = "-e2 Pe4 L90 +2 . Bf1 qNg1 -e7 pe5 R90 +2 . -g1 Nf3 L88 +2 . -b8 nc6 R88 +2 .";
    let stands = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQK2R";
    assert_eq!(games(&format!("={stands} . +4 {moves}")), ["e4 e5 Nf3 Nc6 [* input-end]"]);
    assert_eq!(
        games(&super::without_clock(&format!("={stands} . +4 {moves}"))),
        ["e4 e5 Nf3 Nc6 [* input-end]"]
    );
    // No move was made yet.
    assert_eq!(published_so_far(&format!("={stands} . +4 -e2 Pe4 +2 . -e4 Pe2 +2 . Bf1 Ng1 +2 . +9 .")), "");
    // After an earlier game as well.
    let earlier = format!("={START} @begin . +4 {OPENING} -f1 Bb5 L86 +2 . +9");
    let then = format!("{earlier} ={stands} . +4 {moves}");
    assert_eq!(games(&then), ["e4 e5 Nf3 Nc6 Bb5 [* new-game]", "e4 e5 Nf3 Nc6 [* input-end]"]);
}

#[test]
fn swapped_king_and_queen_start_a_game() {
    let stands = "rnbkqbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
    let moves = "-e2 Pe4 L90 +2 . -e7 pe5 R90 +2 . -g1 Nf3 L88 +2 . -b8 nc6 R88 +2 .";
    let published = games_of(&records(&format!("={stands} . +4 {moves}")), Default::default());
    assert_eq!(final_moves(&published), ["e4 e5 Nf3 Nc6 [* input-end]"]);
    let GameEvent::Game(game) = &published[0].event else { panic!("{published:?}") };
    assert!(game.fen.starts_with(stands), "{}", game.fen);
    // Noticed in time it is the usual start.
    let noticed = format!("={stands} . +4 -d8 -e8 qd8 ke8 +2 . +4 {moves}");
    let published = games_of(&records(&noticed), Default::default());
    let GameEvent::Game(game) = &published[0].event else { panic!("{published:?}") };
    assert!(game.fen.starts_with(START), "{}", game.fen);
}

/// The beginning and the final moves of the games of a stream, without those that were withdrawn.
fn begun(stream: &str) -> Vec<(String, String)> {
    let published = games_of(&records(stream), Options::default());
    let begins = published.iter().filter_map(|record| match &record.event {
        GameEvent::Game(game) => Some(game.fen.clone()),
        _ => None,
    });
    let games = begins.zip(final_moves(&published));
    games.filter(|(_, moves)| moves.split(' ').any(|word| !word.starts_with(['[', '*', 'n', 'i']))).collect()
}

#[test]
fn pieces_corrected_during_play_always_stood_right() {
    let exchanged_start = "rnbkqbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
    let spanish = spanish();
    let opening: Vec<&str> = spanish.split(" . ").collect();
    let usual = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let exchanged = [
        (exchanged_start, "-d8 -e8 qd8 +2 ke8"),
        ("rbnqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR", "-b8 -c8 nb8 bc8"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/NRBQKBNR", "-a1 Nb1 Ra1"),
    ];
    for (stands, put_right) in exchanged {
        for (played, output) in [(1, ""), (2, ""), (3, ""), (8, "game"), (9, "game")] {
            let [before, after] = [&opening[..played], &opening[played..]].map(|part| part.join(" . "));
            let stream = format!("={stands} @four-rows . +4 {before} . +5 {put_right} +2 . +9 {after}");
            // A knight that has moved cannot be swapped any more.
            if stands.starts_with("rbn") && played > 3 {
                continue;
            }
            let case = format!("{stands} after {played}");
            assert_eq!(
                begun(&stream),
                [(usual.to_owned(), "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 [* input-end]".to_owned())],
                "{case}"
            );
            let so_far = published_so_far(&format!("={stands} @four-rows . +4 {before} . +5"));
            assert_eq!(so_far.split(' ').next(), Some(output), "{case}");
            // Without a clock the first three plies alone begin the game, and not before the correction.
            assert_eq!(begun(&without_clock(&stream)).last(), begun(&stream).last(), "{case}");
        }
    }
}

#[test]
fn swapped_pieces_may_be_adjusted_before_correction() {
    let exchanged_start = "rnbkqbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
    let spanish = spanish();
    let opening: Vec<&str> = spanish.split(" . ").collect();
    let [before, after] = [&opening[..4], &opening[4..]].map(|part| part.join(" . "));
    for adjusted in ["-d8 kd8", "-e8 +2 . qe8", "-d8 kd8 +2 . -e8 qe8"] {
        let stream = format!(
            "={exchanged_start} @four-rows . +4 {before} . +5 {adjusted} +2 . +5 -d8 -e8 qd8 ke8 +2 . +9 {after}"
        );
        let usual = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        assert_eq!(
            begun(&stream),
            [(usual.to_owned(), "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 [* input-end]".to_owned())],
            "{adjusted}"
        );
    }
}

#[test]
fn a_game_with_swapped_pieces_survives_setting_up() {
    let exchanged_start = "rnbkqbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
    let spanish = spanish();
    let stream =
        format!("={exchanged_start} @four-rows . +4 {spanish} +60 . ={START} @begin . +9 -d2 Pd4 L90 +2 .");
    let output = begun(&stream);
    // Only the rook's move of their castling is legal: Black's king stood on the queen's square, White's did not.
    assert_eq!(output[0].1, "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 [* new-game]".to_owned(), "{output:?}");
    assert!(output[0].0.starts_with(exchanged_start), "{output:?}");
    assert_eq!(output[1].1, "d4 [* input-end]");
}

#[test]
fn a_game_with_swapped_pieces_is_published_completely() {
    // Two bishops on squares of one colour are more than a set has: a game all the same.
    let stands = "rbnqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
    for (played, moves) in [(4, "e4 e5 Nf3 Nd6"), (2, "e4 e5")] {
        let opening =
            ["-e2 Pe4 L90 +2", "-e7 pe5 R90 +2", "-g1 Nf3 L88 +2", "-c8 nd6 R88 +2"][..played].join(" . ");
        let fen = format!("{stands} w KQkq - 0 1");
        assert_eq!(begun(&format!("={stands} . +4 {opening} .")), [(fen, format!("{moves} [* input-end]"))]);
    }
    // Noticed, and all put back: it is played again.
    let fresh = "-e4 Pe2 -b8 -c8 nb8 bc8 +2 . +9 -d2 Pd4 L90 +2 . -d7 pd5 R90 +2 .";
    let output = begun(&format!("={stands} . +4 -e2 Pe4 L90 +2 . +4 {fresh}"));
    assert_eq!(output.iter().map(|(_, moves)| moves.as_str()).collect::<Vec<_>>(), ["d4 d5 [* input-end]"]);
}

#[test]
fn moves_tried_beside_a_stopped_clock_are_no_game() {
    let tried = "-e2 Pe4 +2 . -e7 pe5 +2 . -g1 Nf3 +2 . +9 -f3 Ng1 -e5 pe7 -e4 Pe2 +2 . +20";
    let round = "clock -d2 Pd4 L90 +2 . -d7 pd5 R90 +2 .";
    let of_round = "d4 d5 [* input-end]";
    let moves = |stream: &str| begun(stream).into_iter().map(|(_, moves)| moves).collect::<Vec<_>>();
    assert_eq!(moves(&format!("={START} @begin stopped . +4 {tried} stopped {round}")), [of_round]);
    // Also where legal moves lead back.
    let knights = "-g1 Nf3 +2 . -g8 nf6 +2 . -f3 Ng1 +2 . -f6 ng8 +2 . +20";
    assert_eq!(moves(&format!("={START} @begin stopped . +4 {knights} stopped {round}")), [of_round]);
    // Beside a running clock, or where no clock is known, they are a game.
    let game = "e4 e5 Nf3 [* new-game]";
    let pressed = "-e2 Pe4 L90 +2 . -e7 pe5 R90 +2 . -g1 Nf3 L88 +2 . +9 -f3 Ng1 -e5 pe7 -e4 Pe2 +2 . +20";
    assert_eq!(moves(&format!("={START} @begin stopped . +4 {pressed} {round}")), [game, of_round]);
    assert_eq!(moves(&format!("={START} @begin clock . +4 {tried} {round}")), [game, of_round]);
    assert_eq!(moves(&format!("={START} @begin . +4 {tried} {round}")), [game, of_round]);
}

#[test]
fn moves_tried_before_the_round_are_withdrawn() {
    let tried = "-f2 Pf3 +2 . +2 -b8 na6 +2 . +2 -a6 nb8 +2 Pf2 -f3";
    let stream = format!("stopped ={START} @begin . +4 {tried} +2 . +2 .");
    assert_eq!(super::published_so_far(&stream), "game f3 Na6 <0");
    let played = format!("{stream} +60 clock -e2 Pe4 L90 +2 . -e7 pe5 R90 +2 . +2 .");
    assert_eq!(super::published_so_far(&played), "game f3 Na6 <0 e4 e5");
}
