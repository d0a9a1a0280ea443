//! The end of a game, and what comes after it.

use super::{
    OPENED, OPENING, START, final_moves, from_fen, game, games, games_from, games_of, published,
    published_so_far, records, without_clock,
};

/// Both kings on the light central squares, with the piece in the way lifted off.
pub const WHITE_WINS: &str = "-e4 -e1 Ke4 -e8 kd5";

// Users' pain: false king moves at the end (lila#11783).
#[test]
fn kings_in_the_centre_make_no_moves() {
    let light = |square: &str| matches!(square, "e4" | "d5");
    for white in ["d4", "e4", "d5", "e5"] {
        for black in ["d4", "e4", "d5", "e5"].into_iter().filter(|&black| black != white) {
            let result = match (light(white), light(black)) {
                (true, true) => "1-0",
                (false, false) => "0-1",
                _ => "1/2-1/2",
            };
            // A pawn stands on e4, another on e5.
            let lifted: String = ["e4", "e5"]
                .into_iter()
                .filter(|at| [white, black].contains(at))
                .map(|at| format!("-{at} "))
                .collect();
            let stream = format!("{OPENING} {lifted} -e1 K{white} -e8 k{black} +2 .");
            let published = format!("e4 e5 Nf3 Nc6 [{result} kings]");
            assert_eq!(game(&stream), published, "{stream}");
            assert_eq!(game(&without_clock(&stream)), published, "{stream} without a clock");
        }
    }
}

// Users' pain: false king moves at the end (lila#11783).
#[test]
fn a_king_walking_to_the_centre_makes_no_moves() {
    // e1-e2-e3-d4: each a legal step.
    let walk = format!("{OPENING} -e4 -d1 Qd1 -e1 Ke2 -e2 Ke3 -e3 Kd4 -e8 ke5 +2 .");
    assert_eq!(game(&walk), "e4 e5 Nf3 Nc6 [0-1 kings]");
    assert_eq!(game(&without_clock(&walk)), "e4 e5 Nf3 Nc6 [0-1 kings]");
}

// Users' pain: false king moves at the end (lila#11783).
#[test]
fn an_unpressed_king_step_to_centre_is_no_move() {
    let fen = "8/8/4k3/8/8/4K3/7P/8 w - - 0 1";
    let published = |stream: &str| super::words(&games_from(fen, &format!(". +4 {stream}")));
    let play = "-h2 Ph3 L90 +2 . -e6 kf6 R90 +2 .";
    assert_eq!(published(&format!("{play} -e3 Ke4 +1 -f6 ke5 +3 .")), "game h3 Kf6 [1/2-1/2 kings]");
    // The same step with its press is a move.
    assert_eq!(
        published(&format!("{play} -e3 Ke4 L80 +2 . -f6 ke5 +3 .")),
        "game h3 Kf6 Ke4 [1/2-1/2 kings]"
    );
    // Without a clock a board at rest confirms it, until the other king follows.
    let play = "-h2 Ph3 +2 . +9 -e6 kf6 +2 . +9";
    assert_eq!(
        published(&format!("{play} -e3 Ke4 +2 . +1 -f6 ke5 +3 . +10 .")),
        "game h3 Kf6 Ke4 <2 [1/2-1/2 kings]"
    );
}

// Users' pain: false king moves at the end (lila#11783).
#[test]
fn a_signal_step_adds_no_move_to_become_legal() {
    let fen = "8/8/8/3k4/1Kp4r/R7/8/8 w - - 0 1";
    let play = "+3 Ra5 q-a3 qRa7 q-a5 q-d5 L90 qRa8 q-a7 qke5 R90 +2 .";
    let games = games_from(fen, &format!("clock {play} +10 -e5 kd5 +2 -b4 Kd4 +2 . +10 ."));
    assert_eq!(super::words(&games), "game Ra8 Ke5 [1/2-1/2 kings]");
}

#[test]
fn a_king_capture_before_the_signal_is_a_move() {
    let fen = "8/1R6/p5k1/P2pK1P1/3P4/1P4r1/8/8 w - - 0 1";
    let play = "+7 -b7 qRb6 +2 kg5 q-g6 +2 -e5 -d5 +2 qKd5 +2 .";
    let games = games_from(fen, &format!("{play} +2 -g5 +2 ke4 +2 . +10 ."));
    assert_eq!(super::words(&games), "game Rb6+ Kxg5 Kxd5 [1-0 kings]");
}

// Users' pain: false king moves at the end (lila#11783).
#[test]
fn a_king_put_on_a_cleared_square_captures_nothing() {
    let fen = "8/8/3k4/4pK2/8/8/7P/8 w - - 0 1";
    let play = "-h2 Ph3 L90 +2 . -d6 kd7 R90 +2 . +5";
    let games = |signal: &str| super::words(&games_from(fen, &format!(". +4 {play} {signal}")));
    assert_eq!(games("-e5 +1 -f5 Ke5 +2 . +2 -d7 kd4 +2 . +10 ."), "game h3 Kd7 [0-1 kings]");
    // With a press it was a move.
    assert_eq!(games("-e5 +1 -f5 Ke5 L80 +2 . +9 -d7 kd4 +2 . +10 ."), "game h3 Kd7 Kxe5 [0-1 kings]");
}

// Users' pain: false king moves at the end (lila#11783).
#[test]
fn a_pressed_king_move_survives_the_signal() {
    let fen = "8/k7/8/8/3K4/8/7P/8 w - - 0 1";
    let play = "-h2 Ph3 L90 +2 . -a7 kb7 R90 +2 . +9 -d4 Kc3 +2 L80 +2";
    let games = |signal: &str| super::words(&games_from(fen, &format!(". +4 {play} {signal}")));
    assert_eq!(games("-b7 +2 ke4 +2 -c3 Kd4 +2 . +10 ."), "game h3 Kb7 Kc3 [1/2-1/2 kings]");
}

#[test]
fn a_result_piece_ends_the_game() {
    let placement = OPENED;
    for (square, result) in [("a4", "1-0"), ("a5", "0-1"), ("h4", "1/2-1/2")] {
        let published = format!("game e4 e5 Nf3 Nc6 [{result} result-piece]");
        let opening = format!("={START} @begin . +4 {OPENING}");
        assert_eq!(published_so_far(&format!("{opening} {result}{square}")), published);
        // Found in a dump.
        assert_eq!(published_so_far(&format!("{opening} ={placement},{result}")), published);
    }
}

#[test]
fn a_misread_result_piece_ends_no_game() {
    // One bit of its code makes a knight (9) the draw (13), a king (11) Black's win (15).
    let opening = format!("={START} @begin . +4 -e2 Pe4 L90 +2 . -e7 pe5 R90 +2 . -g1 Nf3 L88 +2 .");
    let misread = "-b8 1/2-1/2c6 +1 . R88 +9 .";
    let after = "-f1 Bb5 L85 +2 . -a7 pa6 R85 +2 .";
    let moves = |stream: &str| games(stream).join(" | ");
    let stands = "=r1bqkbnr/1ppp1ppp/p1n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R";
    assert_eq!(
        moves(&format!("{opening} {misread} {after} {stands} .")),
        "e4 e5 Nf3 Nc6 Bb5 a6 [* input-end]"
    );
    // A capture, reported on the captured piece's square; the later result is the one shown then.
    let capture =
        "-b8 nc6 R88 +2 . -f1 Bb5 L85 +2 . -a7 pa6 R85 +2 . -b5 0-1c6 +1 . L80 +2 . -d7 pc6 R80 +2 .";
    let kings = "-e4 -e1 Ke4 -e8 kd5 +7 .";
    assert_eq!(moves(&format!("{opening} {capture} {kings}")), "e4 e5 Nf3 Nc6 Bb5 a6 Bxc6 dxc6 [1-0 kings]");
}

#[test]
fn a_lasting_result_piece_ends_the_game() {
    let opening = format!("={START} @begin . +4 {OPENING}");
    let piece = "-e1 1-0e4 .";
    assert_eq!(published_so_far(&format!("{opening} {piece} +29 .")), "game e4 e5 Nf3 Nc6");
    let ended = published_so_far(&format!("{opening} {piece} +29 . +2 ."));
    assert!(ended.starts_with("game e4 e5 Nf3 Nc6") && ended.ends_with("[1-0 result-piece]"), "{ended}");
    // At the end of the input, or with the next game, nothing is awaited.
    assert!(published(&format!("{opening} {piece}")).ends_with("[1-0 result-piece]"));
}

#[test]
fn checkmate_and_stalemate_end_the_game() {
    let mate = "-f2 Pf3 L90 +2 . -e7 pe5 R90 +2 . -g2 Pg4 L80 +2 . -d8 qh4 R80 +6 .";
    let published = |stream: &str| published_so_far(&format!("={START} @begin . +4 {stream}"));
    assert_eq!(published(mate), "game f3 e5 g4 Qh4# [0-1 checkmate]");
    // A player who mates may forget the clock: then the wait is that of any unpressed move.
    assert_eq!(
        published(&format!("{} +3 .", mate.replace(" R80", ""))),
        "game f3 e5 g4 Qh4# [0-1 checkmate]"
    );
    let stalemate = "=7k/8/5K2/8/6Q1/8/8/8 @start . +4 -g4 Qg6 L90 +6 . +2 .";
    assert_eq!(published_so_far(stalemate), "game Qg6 [1/2-1/2 stalemate]");
}

#[test]
fn a_flag_without_later_presses_ends_the_game() {
    let opening = format!("={START} @begin . +4 {OPENING}");
    let moves = "game e4 e5 Nf3 Nc6";
    assert_eq!(published_so_far(&format!("{opening} flagL +29 .")), moves);
    assert_eq!(published_so_far(&format!("{opening} flagL +29 . +2 .")), format!("{moves} [0-1 flag]"));
    assert_eq!(published_so_far(&format!("{opening} flagR +29 . +2 .")), format!("{moves} [1-0 flag]"));
    // At the end of the input nothing is awaited.
    assert_eq!(published(&format!("{opening} flagL")), format!("{moves} [0-1 flag]"));
    // A player who presses continues.
    assert_eq!(
        published(&format!("{opening} flagL +5 -f1 Bb5 L0 +2 . +31 .")),
        format!("{moves} Bb5 [* input-end]")
    );
}

#[test]
fn a_flag_without_mating_material_is_a_draw() {
    let fen = "8/8/4k3/8/8/4K3/7P/8";
    let published = |flag: &str| {
        let stream = records(&format!("={fen} . +4 -h2 Ph3 L90 +2 . -e6 kf6 R90 +2 . {flag}"));
        final_moves(&games_of(&stream, from_fen(&format!("{fen} w - - 0 1"))))
    };
    assert_eq!(published("flagL"), ["h3 Kf6 [1/2-1/2 flag]"]);
    assert_eq!(published("flagR"), ["h3 Kf6 [1-0 flag]"]);
}

#[test]
fn a_result_shown_after_a_flag_has_reason_flag() {
    let opening = format!("={START} @begin . +4 {OPENING}");
    let moves = "game e4 e5 Nf3 Nc6";
    let shown = |words: &str| published_so_far(&format!("{opening} {words}"));
    // Soon after the fall, or when it has ended the game by itself; the result is the one shown.
    assert_eq!(shown(&format!("flagR +3 {WHITE_WINS} +5 . +20 .")), format!("{moves} [1-0 flag]"));
    assert_eq!(shown(&format!("flagR +40 . {WHITE_WINS} +5 . +20 .")), format!("{moves} [1-0 flag]"));
    assert_eq!(shown("flagL +3 -e1 Ke4 -e8 ke5 -e5 ke5 +5 . +20 ."), format!("{moves} [1/2-1/2 flag]"));
    assert_eq!(shown("flagR +3 1-0a4 +5 ."), format!("{moves} [1-0 flag]"));
    // Kings that an arbiter corrects show the corrected result.
    assert_eq!(
        shown("flagL +3 -e4 -e1 Ke4 -e8 kd5 +5 . -d5 kd4 -e4 Ke5 +20 ."),
        format!("{moves} [0-1 flag]")
    );
    // A player who presses after it continues.
    let goes_on = format!("flagR +5 -f1 Bb5 L70 +2 . {WHITE_WINS} +5 . +20 .");
    assert_eq!(shown(&goes_on), format!("{moves} Bb5 [1-0 kings]"));
}

#[test]
fn tried_plies_replace_no_pressed_move() {
    let tried = "+20 . -c6 nb8 +2 . +4 -d7 pd6 +2 . +7 -f1 Bc4 +2 . +7 -c8 bg4 +2 . +15 .";
    let begun = format!("={START} @begin . +4 clock {OPENING} {tried}");
    let moves = "e4 e5 Nf3 Nc6";
    let next = format!("={START} . +10 -d2 Pd4 L90 +2 . -d7 pd5 R90 +2 .");
    for (after, end) in [
        ("-e4 -e1 Ke4 -e8 kd5 +2 . +20 .".to_owned(), vec![format!("{moves} [1-0 kings]")]),
        (format!("={START} . +10 ."), vec![format!("{moves} [* new-game]")]),
        (next, vec![format!("{moves} [* new-game]"), "d4 d5 [* input-end]".to_owned()]),
        (String::new(), vec![format!("{moves} [* input-end]")]),
    ] {
        assert_eq!(games(&format!("{begun} {after}")), end, "{after}");
    }
}

// Users' pain: the last move of a game is wrong in its PGN.
#[test]
fn analysis_withdraws_no_pressed_move() {
    let moves = "game e4 e5 Nf3 Nc6";
    let begun = format!("={START} @begin . +4 {OPENING} +20 .");
    // Another move of Black's is tried, and White's reply; nobody presses.
    let tried = "-c6 nb8 +4 -d7 pd6 +2 . +4 -f1 Bc4 +2 . +8 . +40 .";
    let output = published_so_far(&format!("{begun} {tried}"));
    assert!(output.starts_with(moves) && !output.contains('<') && !output.contains("d6"), "{output}");
    // A player who plays it presses.
    let played = "-c6 nb8 -d7 pd6 R86 +2 . +4 -f1 Bc4 L86 +2 . +8 . +40 .";
    assert_eq!(published_so_far(&format!("{begun} {played}")), format!("{moves} <3 d6 Bc4"));
}

#[test]
fn pieces_pushed_after_a_mate_are_no_moves() {
    let mate = "-f2 Pf3 L90 +2 . -e7 pe5 R90 +2 . -g2 Pg4 L80 +2 . -d8 qh4 R80 +2 .";
    let about = "-e1 Kd1 +1 -h4 qd8 +2 . -e8 ke7 +2 . +10 . +30 .";
    let stream = format!("={START} @begin . +4 {mate} {about}");
    assert_eq!(published_so_far(&stream), "game f3 e5 g4 Qh4# [0-1 checkmate]");
}

#[test]
fn a_flag_down_before_the_game_is_ignored() {
    let flag = format!("={START} . flagL +40 b2: . +40 b2: .");
    assert_eq!(published_so_far(&flag), "");
}

// Users' pain: a game that ends by itself in the middle.
#[test]
fn the_flag_of_the_previous_game_ends_nothing() {
    let moves = "game e4 e5 Nf3 Nc6";
    // The old clock runs out while the pieces are set up; then it is set again, or not reported.
    for reset in ["clock", ""] {
        let begun = format!("={START} @begin . +4 flagL +4 {reset} {OPENING}");
        assert_eq!(published_so_far(&format!("{begun} +40 . +2 .")), moves);
        assert_eq!(
            published_so_far(&format!("{begun} flagL +40 . +2 . +20 .")),
            match reset {
                "" => moves.to_owned(),
                _ => format!("{moves} [0-1 flag]"),
            }
        );
    }
    // The flag stays down through the first moves of the next game.
    let lost = format!("={START} @begin . +4 {OPENING} flagR +4 ={START} . +4 flagR");
    let next = "-d2 Pd4 L90 +2 . -d7 pd5 R90 +2 . flagR +40 . +2 .";
    assert_eq!(published_so_far(&format!("{lost} {next}")), format!("{moves} [1-0 flag] game d4 d5"));
    // It was not reported meanwhile, and that game had ended by it before the pieces were set up, or not.
    for waits in ["+4", "+40 . +2 ."] {
        let lost = format!("={START} @begin . +4 {OPENING} flagR {waits} ={START} . +4");
        assert_eq!(
            published_so_far(&format!("{lost} {next}")),
            format!("{moves} [1-0 flag] game d4 d5"),
            "{waits}"
        );
    }
}

#[test]
fn without_clock_a_king_step_off_signal_is_kept() {
    let fen = "6k1/8/8/8/8/4K3/7R/8 w - - 0 1";
    // It stood from poll to poll, and the other king went first.
    let away = "+2 -e3 Kd2 +2 -g8 ke5 +2 -d2 Kd4 +2 . +9 .";
    assert_eq!(final_moves(&games_from(fen, away)), ["Kd2 [0-1 kings]"]);
    // It stood where it signals before its last move, and returns there.
    let back = "+2 -e3 Kd4 +2 . -g8 kf8 +2 . +2 -d4 Kc4 +2 . +2 -c4 Kd4 +2 -f8 kd5 +2 . +9 .";
    assert_eq!(final_moves(&games_from(fen, back)), ["Kd4 Kf8 Kc4 [1/2-1/2 kings]"]);
    // On its way there it is no move.
    let on_the_way = ". +2 -h2 Rg2 +2 . -g8 kf8 +2 . -e3 Ke4 +2 -f8 ke5 qKd4 q-e4 +2 . +9 .";
    assert_eq!(final_moves(&games_from(fen, on_the_way)), ["Rg2+ Kf8 [0-1 kings]"]);
}

#[test]
fn corrected_kings_show_the_corrected_result() {
    let moves = "game e4 e5 Nf3 Nc6";
    // The players put both on light squares, and have agreed to a draw.
    let wrong = format!("={START} @begin . +4 {OPENING} -e4 -e1 Ke4 -e8 kd5 +4 .");
    assert_eq!(published_so_far(&format!("{wrong} +12 .")), moves);
    assert_eq!(published_so_far(&format!("{wrong} +16 .")), format!("{moves} [1-0 kings]"));
    let right = format!("{wrong} +8 -d5 -e5 +2 ke5 +2 .");
    let draw = format!("{moves} [1/2-1/2 kings]");
    assert_eq!(published_so_far(&format!("{right} +12 .")), moves);
    assert_eq!(published_so_far(&format!("{right} +16 .")), draw);
    // When pieces are put away, set up or the input ends, the position was meant.
    assert_eq!(published_so_far(&format!("{right} -a1 +1 .")), moves);
    assert_eq!(published_so_far(&format!("{right} -a1 -b1 +1 .")), draw);
    assert_eq!(published_so_far(&format!("{right} ={START} @begin")), draw);
    assert_eq!(published(&right), draw);
}

// Users' pain: who looks at the game when it is over spoils it.
#[test]
fn without_clock_analysis_leaves_the_game_as_played() {
    let played = "-e2 Pe4 +2 . +40 -e7 pe5 +2 . +40 -g1 Nf3 +2 . +40 -b8 nc6 +2 . +40 -f1 Bb5 +2 . +40 -a7 pa6 +2 . \
                  +40 -b5 Ba4 +2 . +40 -g8 nf6 +2 . +90";
    let moves = "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6";
    // One move back and another one tried, then back to the third move, and another one there.
    let looked = "-f6 ng8 +2 . +4 -d7 pd6 +2 . +4 -c2 Pc3 +2 . +4 -c3 Pc2 +1 -d6 pd7 +2 . +2 -a4 Bb5 +1 -a6 pa7 +2 . +2 -b5 Bf1 \
                  +2 . +2 -c6 nb8 +1 -f3 Ng1 +2 . +4 -f2 Pf4 +2 . +4 -e5 -f4 pf4 +2 . +4";
    let begun = format!("={START} @begin . +4 {played}");
    assert_eq!(games(&format!("{begun} {looked} +20 ."))[0], format!("{moves} [* input-end]"));
    let next = format!("={START} +9 . @begin +4 -d2 Pd4 +2 . +9 -d7 pd5 +2 .");
    assert_eq!(games(&format!("{begun} {looked} {next}"))[0], format!("{moves} [* new-game]"));
    // The result is shown only then; or as soon as they have gone back.
    let kings = "+20 -e1 Ke4 +2 -e8 ke5 +2 . +9 . +9 .";
    assert_eq!(games(&format!("{begun} {looked} {kings}"))[0], format!("{moves} [1/2-1/2 kings]"));
    let back = "-f6 ng8 +2 . +1 -a4 Bb5 +2 . +1 -a6 pa7 +1 -b5 Bf1 +2 . +1 -c6 nb8 +2 . +1 -f3 Ng1 +2 .";
    assert_eq!(games(&format!("{begun} {back} {kings}"))[0], format!("{moves} [1/2-1/2 kings]"));
    // They may go on for long, but fast; at the pace of the game it is play: an arbiter had the position restored.
    let on = "-f1 Bc4 +2 . +40 -g8 nf6 +2 . +40 -d2 Pd3 +2 . +40 -d7 pd5 +2 . +40 -c4 Bb3 +2 . +40 -d5 -e4 pe4 +2 . +40 \
              -d3 -e4 Pe4 +2 . +40 -d8 qe7 +2 . +40 -g1 Nf3 +2 . +40 -b8 nc6 +2 . +40 -b1 Nc3 +2 . +40";
    let fast = on.replace("+40", "+2");
    // Or show the result of what they continued with for a while.
    let on_from_there =
        "+30 -f1 Be2 +2 . +40 -g8 nf6 +2 . +40 -d2 Pd3 +2 . +40 -d7 pd6 +2 . +40 -e1 Kg1 +1 -h1 Rf1 +2 .";
    let few_back = back.split(" -c6").next().unwrap();
    let output = games(&format!("{begun} {few_back} {on_from_there} +20 -g1 Ke4 +2 -e8 ke5 +2 . +9 . +9 ."));
    assert_eq!(output[0], "e4 e5 Nf3 Nc6 Be2 Nf6 d3 d6 O-O [1/2-1/2 kings]");
    assert_eq!(games(&format!("{begun} {looked} {fast} +20 ."))[0], format!("{moves} [* input-end]"));
    let output = games(&format!("{begun} {looked} {on} +20 ."));
    assert!(output[0].contains("f4 exf4 Bc4 Nf6 d3 d5 Bb3 dxe4 dxe4 Qe7 Nf3 Nc6 Nc3"), "{output:?}");
}

// The old clock runs on during the analysis.
#[test]
fn going_back_far_before_the_signal_is_analysis() {
    let game = "-e2 Pe4 L90 +2 -e7 pe5 R90 +2 -g1 Nf3 L88 +2 -b8 nc6 R88 +2 -f1 Bb5 L86 +2 -a7 pa6 R86 +2 -b5 Ba4 L84 +2 . +20";
    let back = "-a4 Bb5 TIME -a6 pa7 TIME -b5 Bf1 TIME -c6 nb8 TIME -f3 Ng1 TIME . +4";
    for time in ["+1", "+2", "+2 ."] {
        let back = back.replace("TIME", time);
        let output = games(&format!("={START} @begin . +4 {game} {back} -e1 Ke4 +2 -e8 ke5 +2 . +9 . +9 ."));
        assert_eq!(output[0], "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 [1/2-1/2 kings]", "{time}");
    }
}
