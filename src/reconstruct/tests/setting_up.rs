//! Pieces that are set up for the next game: they pass through positions of the game that is over.

use super::{
    GameEvent, OPENING, Options, START, final_moves, games, games_of, published, published_so_far, records,
};

/// 1.e4 e5 2.Nf3 Nc6 3.Bb5 a6 4.Ba4 Nf6 5.O-O Be7, each move pressed and at rest.
const SPANISH: &str = "-e2 Pe4 L90 +2 . -e7 pe5 R90 +2 . -g1 Nf3 L88 +2 . -b8 nc6 R87 +2 . -f1 Bb5 L85 +2 . \
                       -a7 pa6 R85 +2 . -b5 Ba4 L84 +2 . -g8 nf6 R84 +2 . -e1 Kg1 -h1 Rf1 L80 +2 . -f8 be7 R80 +2 .";
const MOVES: &str = "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7";

/// The same on a board without a clock.
fn without_clock(stream: &str) -> String {
    let words = stream.split_whitespace();
    let press = |word: &str| word[1..].parse::<f64>().is_ok() && word.starts_with(['L', 'R']);
    words.filter(|word| !press(word)).collect::<Vec<_>>().join(" ")
}

/// What stands of what is played before and after a setting up, which is to be two games.
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
fn a_setting_up_that_rests_where_the_game_once_stood_is_no_takeback() {
    let opening = "-e2 Pe4 L90 +2 . -e7 pe5 R90 +2 . -g1 Nf3 L88 +2 . -b8 nc6 R87 +2 .";
    let rests = "-f3 Ng1 -c6 nb8 -e5 pe7 +2 . +2 -e4 Pe2";
    for begin in ["@begin +2 .", "+2 ."] {
        assert_two_games(opening, "e4 e5 Nf3 Nc6", &format!("{rests} {begin}"));
    }
    let rests =
        "-f1 Rh1 -a4 Bf1 -g1 Ke1 -f3 Ng1 -e7 bf8 -f6 ng8 -c6 nb8 -a6 pa7 -e5 pe7 +2 . +2 -e4 Pe2 +2 .";
    assert_two_games(SPANISH, MOVES, rests);
}

#[test]
fn a_setting_up_piece_by_piece_the_way_it_was_played_is_no_takeback() {
    let backwards = "-e7 bf8 -f1 Rh1 -g1 Ke1 -f6 ng8 -a4 Bf1 -a6 pa7 -c6 nb8 -f3 Ng1 -e5 pe7 -e4 Pe2";
    assert_two_games(SPANISH, MOVES, &slowly(backwards));
}

#[test]
fn while_pieces_are_set_up_no_pressed_move_is_withdrawn() {
    let backwards = slowly("-e7 bf8 -f1 Rh1 -g1 Ke1 -f6 ng8 -a4 Bf1 -a6 pa7 -c6 nb8 -f3 Ng1 -e5 pe7 -e4 Pe2");
    let stream = format!("={START} @begin . +4 {SPANISH} +60 {backwards} -d2 Pd4 L90 +2 .");
    assert_eq!(published(&stream), format!("game {MOVES} [* new-game] game d4 [* input-end]"));
}

#[test]
fn fast_play_without_a_clock_is_kept_though_the_board_never_rested() {
    let fast = "-e2 Pe4 -e7 pe5 +4 . -g1 Nf3 -b8 nc6 +2 -f1 Bc4 -f8 bc5 +2 -d2 Pd3 -d7 pd6 +2";
    let cleared = "-a1 -b1 -c1 -d1 -e1 -h1 -c4 -d3 -f3 -e4 -a2 -b2 -c2 -f2 -g2 -h2 +2 \
                   -a8 -c8 -d8 -e8 -g8 -h8 -c5 -c6 -d6 -e5 -a7 -b7 -c7 -f7 -g7 -h7 +2 . +60";
    let set_up = "Ra1 Nb1 Bc1 Qd1 Ke1 Bf1 Ng1 Rh1 Pa2 Pb2 Pc2 Pd2 Pe2 Pf2 Pg2 Ph2 +2 \
                  ra8 nb8 bc8 qd8 ke8 bf8 ng8 rh8 pa7 pb7 pc7 pd7 pe7 pf7 pg7 ph7 @begin +2 . +9";
    let stream = format!("={START} @begin . +4 {fast} {cleared} {set_up} -d2 Pd4 +2 . -d7 pd5 +2 .");
    // Of the last moves nobody saw whether they were any: the board was in disorder at once.
    let games = games(&stream);
    assert!(games[0].starts_with("e4 e5 Nf3 Nc6 Bc4 Bc5"), "{games:?}");
    assert_eq!(games[1..], ["d4 d5 [* input-end]"]);
}

/// All pieces of the position after 1.e4 e5 2.Nf3 Nc6 but those on these squares go, and the next game is set up and begins.
fn swept_off_but(gone: &str) -> String {
    let squares =
        "a1 b1 c1 d1 e1 f1 h1 a2 b2 c2 d2 f2 g2 h2 e4 f3 c6 e5 a7 b7 c7 d7 f7 g7 h7 a8 c8 d8 e8 f8 g8 h8";
    let swept = squares.split(' ').filter(|at| !gone.contains(at)).map(|at| format!("-{at}"));
    let set_up = "+2 . +20 Ra1 Nb1 Bc1 Qd1 Ke1 Bf1 Ng1 Rh1 Pa2 Pb2 Pc2 Pd2 Pe2 Pf2 Pg2 Ph2 +2 \
                  ra8 nb8 bc8 qd8 ke8 bf8 ng8 rh8 pa7 pb7 pc7 pd7 pe7 pf7 pg7 ph7 @begin +2 . +9 .";
    format!("{} {set_up}", swept.collect::<Vec<_>>().join(" "))
}

#[test]
fn a_last_move_that_nobody_pressed_is_kept_when_the_pieces_are_swept_off() {
    let opening = "-e2 Pe4 L90 +2 . -e7 pe5 R90 +2 . -g1 Nf3 L88 +2 . -b8 nc6 R87 +2 .";
    let next = "-d2 Pd4 L90 +2 . -d7 pd5 R90 +2 .";
    for (last, gone) in [
        // It rested for some seconds.
        ("-f1 Bb5 +2 . +3 -b5", "f1"),
        // The first piece that goes is not its own.
        ("-f1 Bb5 +2 . +3 -b5 -a7", "f1 a7"),
        // It was pressed, and all is gone at the next look.
        ("-f1 Bb5 L80 +2 -b5", "f1"),
    ] {
        let stream = format!("={START} @begin . +4 {opening} {last} {} {next}", swept_off_but(gone));
        assert_eq!(games(&stream), ["e4 e5 Nf3 Nc6 Bb5 [* new-game]", "d4 d5 [* input-end]"], "{last}");
    }
    // Also at the end of the input.
    let stream = format!("={START} @begin . +4 {opening} -f1 Bb5 +2 . +3 -b5 -a7 -a8 -c8 -d8 -e8 +2 .");
    assert_eq!(games(&stream), ["e4 e5 Nf3 Nc6 Bb5 [* input-end]"]);
    // Of two that nobody pressed none is known to have been played: they look at the game.
    let looked = "-f1 Bb5 +2 . +3 -a7 pa6 +2 . +3";
    let stream = format!("={START} @begin . +4 {opening} {looked} -b5 -a6 {} {next}", swept_off_but("f1 a7"));
    assert_eq!(games(&stream), ["e4 e5 Nf3 Nc6 [* new-game]", "d4 d5 [* input-end]"]);
}

#[test]
fn how_sure_a_move_is_does_not_follow_from_pieces_that_are_put_away() {
    let opening = "-e2 Pe4 L90 +2 . -e7 pe5 R90 +2 . -g1 Nf3 L88 +2 . -b8 nc6 R87 +2 .";
    let stream = format!("={START} @begin . +4 {opening} -f1 Bb5 +2 . +10 -b5 {}", swept_off_but("f1"))
        .replace("+20", "+400");
    let told = games_of(&records(&stream), Options::default());
    let last = told.iter().rev().find_map(|record| match &record.event {
        GameEvent::Move(last) if last.san.as_deref() == Some("Bb5") => Some(last.certainty),
        _ => None,
    });
    assert!(last.is_some_and(|certainty| certainty.is_none_or(|certainty| certainty > 0.99)), "{last:?}");
}

#[test]
fn a_last_move_that_takes_a_piece_home_is_kept_where_it_stood_for_long() {
    let opening = "-e2 Pe4 L90 +2 . -e7 pe5 R90 +2 . -g1 Nf3 L88 +2 . -b8 nc6 R87 +2 .";
    let set_up = "-c6 nb8 -e5 pe7 -e4 Pe2 @begin +2 . +9 .";
    // With a clock one that was not pressed.
    let stream = format!("={START} @begin . +4 {opening} -f3 Ng1 +2 . +200 {set_up}");
    assert_eq!(games(&stream), ["e4 e5 Nf3 Nc6 Ng1 [* new-game]"]);
    // Without one also what came just before it.
    let stream = without_clock(&format!("={START} @begin . +4 {opening} -f3 Ng1 +2 . -c6 nb8 +2 . +200"));
    let set_up = "-e5 pe7 -e4 Pe2 @begin +2 . +9 .";
    assert_eq!(games(&format!("{stream} {set_up}")), ["e4 e5 Nf3 Nc6 Ng1 Nb8 [* new-game]"]);
}

#[test]
fn a_game_that_begins_before_all_pieces_are_placed_is_not_lost() {
    // Two pieces are fetched after the first move, men of draughts too.
    let moves = "-e2 Pe4 L90 +2 . Bf1 qNg1 -e7 pe5 R90 +2 . -g1 Nf3 L88 +2 . -b8 nc6 R88 +2 .";
    let stands = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQK2R";
    assert_eq!(games(&format!("={stands} . +4 {moves}")), ["e4 e5 Nf3 Nc6 [* input-end]"]);
    assert_eq!(
        games(&super::without_clock(&format!("={stands} . +4 {moves}"))),
        ["e4 e5 Nf3 Nc6 [* input-end]"]
    );
    // Nobody has played yet.
    assert_eq!(published_so_far(&format!("={stands} . +4 -e2 Pe4 +2 . -e4 Pe2 +2 . Bf1 Ng1 +2 . +9 .")), "");
    // Behind an earlier game as well.
    let earlier = format!("={START} @begin . +4 {OPENING} -f1 Bb5 L86 +2 . +9");
    let then = format!("{earlier} ={stands} . +4 {moves}");
    assert_eq!(games(&then), ["e4 e5 Nf3 Nc6 Bb5 [* new-game]", "e4 e5 Nf3 Nc6 [* input-end]"]);
}

#[test]
fn a_game_with_king_and_queen_exchanged_is_told_from_where_they_stood() {
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

/// Black's king and queen stand exchanged.
const EXCHANGED: &str = "rnbkqbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";

/// How the games of a stream begin and what stands of them, but those of which all was taken back.
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
fn pieces_that_stood_exchanged_and_are_put_right_in_play_always_stood_right() {
    let opening: Vec<&str> = SPANISH.split(" . ").collect();
    let usual = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let exchanged = [
        (EXCHANGED, "-d8 -e8 qd8 +2 ke8"),
        ("rbnqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR", "-b8 -c8 nb8 bc8"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/NRBQKBNR", "-a1 Nb1 Ra1"),
    ];
    for (stands, put_right) in exchanged {
        for (played, told) in [(1, ""), (2, ""), (3, ""), (8, "game"), (9, "game")] {
            let [before, after] = [&opening[..played], &opening[played..]].map(|part| part.join(" . "));
            let stream = format!("={stands} @four-rows . +4 {before} . +5 {put_right} +2 . +9 {after}");
            // A knight that has moved can be exchanged no more.
            if stands.starts_with("rbn") && played > 3 {
                continue;
            }
            let case = format!("{stands} after {played}");
            assert_eq!(begun(&stream), [(usual.to_owned(), format!("{MOVES} [* input-end]"))], "{case}");
            let so_far = published_so_far(&format!("={stands} @four-rows . +4 {before} . +5"));
            assert_eq!(so_far.split(' ').next(), Some(told), "{case}");
            // The first three plies alone say without a clock that a game has begun, and not before it is put right.
            assert_eq!(begun(&without_clock(&stream)).last(), begun(&stream).last(), "{case}");
        }
    }
}

#[test]
fn pieces_that_stood_exchanged_may_be_adjusted_before_they_are_put_right() {
    let opening: Vec<&str> = SPANISH.split(" . ").collect();
    let [before, after] = [&opening[..4], &opening[4..]].map(|part| part.join(" . "));
    for adjusted in ["-d8 kd8", "-e8 +2 . qe8", "-d8 kd8 +2 . -e8 qe8"] {
        let stream = format!(
            "={EXCHANGED} @four-rows . +4 {before} . +5 {adjusted} +2 . +5 -d8 -e8 qd8 ke8 +2 . +9 {after}"
        );
        let usual = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        assert_eq!(begun(&stream), [(usual.to_owned(), format!("{MOVES} [* input-end]"))], "{adjusted}");
    }
}

#[test]
fn a_game_in_which_pieces_stood_exchanged_stays_when_the_next_is_set_up_right() {
    let stream =
        format!("={EXCHANGED} @four-rows . +4 {SPANISH} +60 . ={START} @begin . +9 -d2 Pd4 L90 +2 .");
    let told = begun(&stream);
    // Of their castling only the rook's move is legal: Black's king stood where the queen belongs, White's did not.
    assert_eq!(told[0].1, format!("{MOVES} [* new-game]"), "{told:?}");
    assert!(told[0].0.starts_with(EXCHANGED), "{told:?}");
    assert_eq!(told[1].1, "d4 [* input-end]");
}

#[test]
fn a_game_in_which_pieces_stand_exchanged_to_the_end_is_told_whole() {
    // Two bishops on squares of one colour are more than a set has: a game all the same.
    let stands = "rbnqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
    for (played, moves) in [(4, "e4 e5 Nf3 Nd6"), (2, "e4 e5")] {
        let opening =
            ["-e2 Pe4 L90 +2", "-e7 pe5 R90 +2", "-g1 Nf3 L88 +2", "-c8 nd6 R88 +2"][..played].join(" . ");
        let fen = format!("{stands} w KQkq - 0 1");
        assert_eq!(begun(&format!("={stands} . +4 {opening} .")), [(fen, format!("{moves} [* input-end]"))]);
    }
    // Noticed, and all put back: it is played anew.
    let anew = "-e4 Pe2 -b8 -c8 nb8 bc8 +2 . +9 -d2 Pd4 L90 +2 . -d7 pd5 R90 +2 .";
    let told = begun(&format!("={stands} . +4 -e2 Pe4 L90 +2 . +4 {anew}"));
    assert_eq!(told.iter().map(|(_, moves)| moves.as_str()).collect::<Vec<_>>(), ["d4 d5 [* input-end]"]);
}

#[test]
fn moves_that_are_tried_out_beside_a_clock_that_stands_are_no_game() {
    let tried = "-e2 Pe4 +2 . -e7 pe5 +2 . -g1 Nf3 +2 . +9 -f3 Ng1 -e5 pe7 -e4 Pe2 +2 . +20";
    let round = "clock -d2 Pd4 L90 +2 . -d7 pd5 R90 +2 .";
    let of_round = "d4 d5 [* input-end]";
    let moves = |stream: &str| begun(stream).into_iter().map(|(_, moves)| moves).collect::<Vec<_>>();
    assert_eq!(moves(&format!("={START} @begin stopped . +4 {tried} stopped {round}")), [of_round]);
    // Also where legal moves lead back.
    let knights = "-g1 Nf3 +2 . -g8 nf6 +2 . -f3 Ng1 +2 . -f6 ng8 +2 . +20";
    assert_eq!(moves(&format!("={START} @begin stopped . +4 {knights} stopped {round}")), [of_round]);
    // Beside one that runs they are one, and where nobody knows of one.
    let game = "e4 e5 Nf3 [* new-game]";
    let pressed = "-e2 Pe4 L90 +2 . -e7 pe5 R90 +2 . -g1 Nf3 L88 +2 . +9 -f3 Ng1 -e5 pe7 -e4 Pe2 +2 . +20";
    assert_eq!(moves(&format!("={START} @begin stopped . +4 {pressed} {round}")), [game, of_round]);
    assert_eq!(moves(&format!("={START} @begin clock . +4 {tried} {round}")), [game, of_round]);
    assert_eq!(moves(&format!("={START} @begin . +4 {tried} {round}")), [game, of_round]);
}

#[test]
fn what_was_tried_before_the_round_and_put_back_is_taken_back_before_anybody_plays() {
    let tried = "-f2 Pf3 +2 . +2 -b8 na6 +2 . +2 -a6 nb8 +2 Pf2 -f3";
    let stream = format!("stopped ={START} @begin . +4 {tried} +2 . +2 .");
    assert_eq!(super::published_so_far(&stream), "game f3 Na6 <0");
    let played = format!("{stream} +60 clock -e2 Pe4 L90 +2 . -e7 pe5 R90 +2 . +2 .");
    assert_eq!(super::published_so_far(&played), "game f3 Na6 <0 e4 e5");
}
