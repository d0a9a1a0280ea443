//! What hands do.

use super::{
    OPENING, START, final_moves, from_fen, game, games_from, games_of, published, published_so_far, records,
    without_clock, words,
};

// Users' pain: sliding pieces (picochess#171).
#[test]
fn a_slide_is_one_move() {
    // The queen goes d1-e2-f3-g4-h5, each square a legal move of its own.
    for slide in [
        "-d1 Qe2 -e2 Qf3 -f3 Qg4 -g4 Qh5",
        // The new square is seen before the old one is cleared.
        "-d1 Qe2 Qf3 -e2 Qh5 -f3",
        // The scan comes to the squares on the way in another order, or to the last one first.
        "-d1 Qf3 Qe2 Qg4 -e2 -f3 Qh5 -g4",
        "Qh5 -g4 -f3 -e2 -d1",
        // It rests on the way.
        "-d1 Qe2 +2 . -e2 Qg4 +2 . -g4 Qh5",
    ] {
        let stream =
            format!("={START} @begin . +4 -e2 Pe4 L90 +2 -e7 pe5 R90 +2 . {slide} L80 +2 . -b8 nc6 R80 +2 .");
        assert_eq!(published(&stream), "game e4 e5 Qh5 Nc6 [* input-end]", "{slide}");
    }
    // A bishop, a rook.
    assert_eq!(
        game(
            "-e2 Pe4 L90 +2 pe6 -e7 R90 +2 -f1 Be2 Bd3 -e2 Bc4 -d3 -c4 Bb5 L80 +2 -f8 be7 -e7 bd6 bc5 -d6 bb4 -c5 R80"
        ),
        "e4 e6 Bb5 Bb4"
    );
    assert_eq!(
        game("-a2 Pa4 L90 +2 -h7 ph5 R90 +2 -a1 Ra2 -a2 Ra3 L80 +2 -h8 rh7 rh6 -h7 R80"),
        "a4 h5 Ra3 Rh6"
    );
    // A pawn's double step over the square of its single step.
    assert_eq!(game("-e2 Pe3 -e3 Pe4 L90 +2 pe5 -e7 R90"), "e4 e5");
}

#[test]
fn a_stop_on_the_way_is_not_published() {
    let stream = format!("={START} . +4 -e2 Pe3 +2 -e3 Pe4 +2 . +2 .");
    assert_eq!(published(&stream), "game e4 [* input-end]");
}

#[test]
fn both_squares_of_a_move_appear_in_one_poll() {
    assert_eq!(game("Pe4 -e2 L90 +2 pe5 -e7 R90"), "e4 e5");
}

#[test]
fn a_capture_comes_in_any_order() {
    let opening = "-e2 Pe4 L90 +2 -d7 pd5 R90 +2";
    for capture in ["-d5 -e4 Pd5", "-e4 -d5 Pd5", "-e4 Pd5", "Pd5 -e4", "-d5 Pd5 -e4"] {
        assert_eq!(
            game(&format!("{opening} {capture} L80 +2 . -d8 qd5 R80")),
            "e4 d5 exd5 Qxd5",
            "{capture}"
        );
    }
}

#[test]
fn castling_is_found_in_every_order() {
    let short = [
        "-e1 Kg1 -h1 Rf1",
        "-h1 Rf1 -e1 Kg1",
        "-e1 -h1 Rf1 Kg1",
        "-e1 Kf1 -f1 Kg1 -h1 Rf1",
        "-h1 Rg1 -g1 Rf1 -e1 Kg1",
        "Kg1 Rf1 -e1 -h1",
    ];
    let long = [
        "-e1 Kc1 -a1 Rd1",
        "-a1 Rd1 -e1 Kc1",
        "-e1 -a1 Rd1 Kc1",
        "-e1 Kd1 -d1 Kc1 -a1 Rd1",
        "-a1 Rb1 -b1 Rc1 -c1 Rd1 -e1 Kc1",
        "-e1 Kd1 -a1 Kc1 Rd1",
        "Kc1 Rd1 -e1 -a1",
    ];
    let board = "r3k2r/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/R3K2R";
    let castlings = short.map(|hands| (hands, "O-O O-O h3")).into_iter();
    for (white, moves) in castlings.chain(long.map(|hands| (hands, "O-O-O O-O-O h3"))) {
        let black = white.replace('1', "8").replace('K', "k").replace('R', "r");
        let stream = format!("={board} . +4 {white} L80 +2 . {black} R80 +2 . -h2 Ph3 L80 +2 .");
        for stream in [&stream, &without_clock(&stream)] {
            let published = games_of(&records(stream), from_fen(&format!("{board} w KQkq - 0 1")));
            assert_eq!(final_moves(&published), [format!("{moves} [* input-end]")], "{stream}");
        }
    }
}

#[test]
fn a_rook_going_on_before_its_king_castled() {
    // Rook first; it has left f1 for e1 when the scan finds the king, and nothing ever shows all of the castling.
    let opening = "-e2 Pe4 L90 +2 -e7 pe5 R90 +2 -g1 Nf3 L90 +2 -b8 nc6 R90 +2 -f1 Bc4 L90 +2 -f8 bc5 R90 +2";
    let castled = "-h1 Rf1 -e1 L80 -f1 qKg1 -g8 R80 +2 nf6 Re1 L70 +2 . +9 . -d7 pd6 R60 +2 . +9 .";
    assert_eq!(game(&format!("{opening} {castled}")), "e4 e5 Nf3 Nc6 Bc4 Bc5 O-O Nf6 Re1 d6");
}

#[test]
fn a_rook_resting_before_its_king_castles() {
    let ready = "-e2 Pe4 . +2 -e7 pe5 . +2 -g1 Nf3 . +2 -b8 nc6 . +2 -f1 Bc4 . +2 -f8 bc5 . +2";
    assert_eq!(
        published(&format!("={START} . +4 {ready} +6 -h1 Rf1 +2 . +2 -e1 Kg1 +2 .")),
        "game e4 e5 Nf3 Nc6 Bc4 Bc5 Rf1 <6 O-O [* input-end]"
    );
}

#[test]
fn en_passant_is_found_in_every_order() {
    let opening = "-e2 Pe4 L90 +2 -g8 nf6 R90 +2 -e4 Pe5 L90 +2 -d7 pd5 R90 +2";
    for capture in [
        "-e5 Pd6 -d5",
        "-d5 -e5 Pd6",
        "-e5 -d5 Pd6",
        "Pd6 -e5 -d5",
        "Pd6 -d5 -e5",
        "-d5 Pd6 -e5",
        // The clock comes before the captured pawn.
        "-e5 Pd6 L80 +2 . +2 -d5",
    ] {
        let stream = format!("{opening} {capture} L80 +2 . -c7 pd6 R80");
        assert_eq!(game(&stream), "e4 Nf6 e5 d5 exd6 cxd6", "{capture}");
    }
    let opening = "-a2 Pa3 L90 +2 -d7 pd5 R90 +2 -h2 Ph3 L90 +2 -d5 pd4 R90 +2 -c2 Pc4 L90 +2";
    for capture in ["-d4 pc3 -c4", "-c4 -d4 pc3", "-d4 -c4 pc3", "pc3 -d4 -c4", "pc3 -c4 -d4", "-c4 pc3 -d4"]
    {
        let stream = format!("{opening} {capture} R80 +2 . -b2 Pc3 L80");
        assert_eq!(game(&stream), "a3 d5 h3 d4 c4 dxc3 bxc3", "{capture}");
    }
}

#[test]
fn promotion_is_found_with_and_without_the_pawn() {
    let (quiet, capture) = ("4k3/P7/8/8/8/8/8/4K3", "1n2k3/P7/8/8/8/8/8/4K3");
    for (board, promotion, moves) in [
        (quiet, "-a7 Pa8 -a8 Qa8", "a8=Q+ Ke7"),
        (quiet, "-a7 Qa8", "a8=Q+ Ke7"),
        (quiet, "-a7 Pa8 Na8", "a8=N Ke7"),
        (quiet, "Ra8 -a7", "a8=R+ Ke7"),
        (capture, "-b8 -a7 Pb8 -b8 Qb8", "axb8=Q+ Ke7"),
        (capture, "-a7 -b8 Pb8 Nb8", "axb8=N Ke7"),
        (capture, "-a7 Pb8 Rb8", "axb8=R+ Ke7"),
        (capture, "Bb8 -a7", "axb8=B Ke7"),
    ] {
        let stream = format!("={board} . +4 {promotion} L80 +2 . -e8 ke7 R80 +2 .");
        let published = games_of(&records(&stream), from_fen(&format!("{board} w - - 0 1")));
        assert_eq!(final_moves(&published), [format!("{moves} [* input-end]")], "{promotion}");
    }
    let (quiet, capture) = ("4k3/8/8/8/8/8/p7/4K3", "4k3/8/8/8/8/8/p7/1N2K3");
    for (board, promotion, moves) in [
        (quiet, "-a2 pa1 -a1 qa1", "a1=Q+ Ke2"),
        (quiet, "-a2 na1", "a1=N Ke2"),
        (capture, "-b1 -a2 pb1 rb1", "axb1=R+ Ke2"),
        (capture, "-a2 qb1", "axb1=Q+ Ke2"),
    ] {
        let stream = format!("={board} . +4 {promotion} R80 +2 . -e1 Ke2 L80 +2 .");
        let published = games_of(&records(&stream), from_fen(&format!("{board} b - - 0 1")));
        assert_eq!(final_moves(&published), [format!("{moves} [* input-end]")], "{promotion}");
    }
}

#[test]
fn a_pawn_left_on_last_rank_is_a_queen() {
    let queen = "-a7 Pa8 L80 +2 . +6 . -e8 ke7 R80 +2 . +6 .";
    for (what, stream, moves) in [
        ("stays", "-e1 Ke2 L79 +2 . +6 . -e7 ke6 R79 +2 . +6 .", "Ke2 Ke6"),
        (
            "plays on",
            "-a8 Pa4 L79 +2 . +6 . -e7 ke6 R79 +2 . +6 . -a4 Pe4 L78 +2 . +6 . -e6 kf6 R78 +2 .",
            "Qa4 Ke6 Qe4+ Kf6",
        ),
        ("slides", "-a8 Pb8 -b8 Pc8 -c8 Pd8 L79 +2 . +6 . -e7 kd8 -d8 kd8 R79 +2 .", "Qd8+ Kxd8"),
        // A queen is at hand after all, at rest or when she moves.
        (
            "is changed",
            "-e1 Ke2 L79 +2 . -e7 ke6 R79 +2 . +6 . -a8 +1 Qa8 +2 . +20 . -a8 Qa4 L78 +2 . -e6 kf6 R78 +2 .",
            "Ke2 Ke6 Qa4 Kf6",
        ),
        ("moves changed", "-a8 Qa8 -a8 Qa4 L79 +2 . +6 . -e7 ke6 R79 +2 .", "Qa4 Ke6"),
        ("is taken", "-a8 Pd8 L79 +2 . +6 . -d8 -e7 kd8 R79 +2 .", "Qd8+ Kxd8"),
    ] {
        for clock in [true, false] {
            let stream = format!("=4k3/P7/8/8/8/8/8/4K3 . +4 {queen} {stream} +9 .");
            let stream = if clock { stream } else { without_clock(&stream) };
            let published = games_from("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", &stream);
            assert_eq!(words(&published), format!("game a8=Q+ Ke7 {moves} [* input-end]"), "{what}, {clock}");
        }
    }
    // Black's, which captures.
    let published = games_from(
        "4k3/8/8/8/8/8/p7/1N2K3 b - - 0 1",
        "=4k3/8/8/8/8/8/p7/1N2K3 . +4 -b1 -a2 pb1 R80 +2 . -e1 Ke2 L80 +2 . -b1 pb7 R79 +2 . +9 .",
    );
    assert_eq!(words(&published), "game axb1=Q+ Ke2 Qb7 [* input-end]");
}

#[test]
fn an_unseen_queen_ends_no_game() {
    // As a queen it would be stalemate; a rook is fetched, long after the press or before it.
    let board = "8/1kP5/8/3KP3/3P4/8/8/8";
    for fetched in ["L80 +2 . +12 . -c8 Rc8 +2 .", "+2 . +12 . -c8 Rc8 L80 +2 ."] {
        for clock in [true, false] {
            let stream =
                format!("={board} . +4 -c7 Pc8 {fetched} +2 -b7 -c8 kc8 R80 +2 . +4 -e5 Pe6 L79 +2 . +9 .");
            let stream = if clock { stream } else { without_clock(&stream) };
            let output = games_from(&format!("{board} w - - 0 1"), &stream);
            // It is a guess where the queen was published before.
            let output = final_moves(&output).concat().replace('?', "");
            assert_eq!(output, "c8=R Kxc8 e6 [* input-end]", "{fetched} {clock}");
        }
    }
    // As a queen it would be mate, and the other side replies; a knight is fetched after that.
    let board = "7k/3P4/6K1/8/8/8/8/8";
    let stream = format!(
        "={board} . +4 -d7 Pd8 L80 +2 . +6 . -h8 kg8 R80 +2 . -d8 +1 Nd8 +2 . +5 -g6 Kh6 L79 +2 . +9 ."
    );
    let output = games_from(&format!("{board} w - - 0 1"), &stream);
    assert_eq!(final_moves(&output), ["d8=N Kg8 Kh6 [* input-end]"]);
    // Nothing is published before the press, while another piece may be fetched.
    let output = games_from(
        "4k3/P7/8/8/8/8/8/4K3 w - - 0 1",
        "=4k3/P7/8/8/8/8/8/4K3 . +4 -a7 Pa8 +2 . +5 -a8 Na8 L80 +2 . +9 .",
    );
    assert_eq!(words(&output), "game a8=N [* input-end]");
}

#[test]
fn a_rook_two_plies_after_its_king_castles() {
    let opening = "-e2 Pe4 +2 . +4 -e7 pe5 +2 . +4 -g1 Nf3 +2 . +4 -d7 pd6 +2 . +4 -d2 Pd4 +2 . +4 -e5 -d4 pd4 +2 . +4 \
                   -f3 -d4 Nd4 +2 . +4 -g8 nf6 +2 . +4 -f1 Bd3 +2 . +4 -f8 be7 +2 . +4 -b1 Nc3 +2 . +8";
    let castle = "-e8 kg8 +2 -e1 Kg1 +2 -h1 Rf1 +2 -c7 pc5 +2 . +2 -h8 rf8 +2 . +4 -d4 Ne2 +2 . +9 .";
    let output = published(&format!("={START} . +4 {opening} {castle}"));
    let played = "e4 e5 Nf3 d6 d4 exd4 Nxd4 Nf6 Bd3 Be7 Nc3 O-O O-O c5 Nde2";
    assert_eq!(output, format!("game {played} [* input-end]"));
}

#[test]
fn adjusted_pieces_make_no_move() {
    assert_eq!(game("-g1 Ng1 +2 . -e2 Pe2 -d2 -e2 Pd2 Pe4 L90 +2 . -b8 nb8 -e7 pe5 R90"), "e4 e5");
    // The waiting side straightens a piece too.
    assert_eq!(game("-e2 Pe4 L90 +2 . -a2 Pa2 +2 . -e7 pe5 R90"), "e4 e5");
}

#[test]
fn a_knocked_piece_put_back_is_no_move() {
    assert_eq!(game("-e2 -f2 Pe4 L90 +2 Pf2 +2 -e7 pe5 R90"), "e4 e5");
}

#[test]
fn a_withdrawn_move_is_not_in_the_game() {
    assert_eq!(game("-e2 Pe4 +2 . -e4 Pe2 -d2 Pd4 L90 +2 . -d7 pd5 R90"), "d4 d5");
    // Without a clock it was published when the board rested, and is taken back.
    let no_clock = format!("={START} . +4 -e2 Pe4 +2 . +2 -e4 Pe2 +2 . -d2 Pd4 +2 . +2 -d7 pd5 +2 .");
    assert_eq!(published(&no_clock), "game e4 <0 d4 d5 [* input-end]");
}

#[test]
fn a_corrected_illegal_move_is_not_in_the_game() {
    assert_eq!(game("-e2 Pe5 +2 . -e5 Pe4 L90 +2 . -e7 pe5 R90"), "e4 e5");
    assert_eq!(game("-g1 Ng3 +2 . -g3 Ng1 -e2 Pe4 L90 +2 . -e7 pe5 R90"), "e4 e5");
}

#[test]
fn a_reply_may_begin_before_the_move_ends() {
    // Black lifts before White's pawn is seen to land; the log may even turn the two round.
    assert_eq!(game("-e2 -e7 Pe4 L90 pe5 R90 +2 . -g1 Nf3 L80"), "e4 e5 Nf3");
    assert_eq!(game("-e2 -e7 pe5 Pe4 L90 R90 +2 . -g1 Nf3 L80"), "e4 e5 Nf3");
    assert_eq!(game("-e7 -e2 pe5 Pe4 L90 R90 +2 . -g1 Nf3 L80"), "e4 e5 Nf3");
}

#[test]
fn a_reply_captures_a_piece_not_seen_to_land() {
    let opening = "-e2 Pe4 L90 +2 -d7 pd5 R90 +2";
    // e4xd5, at once retaken by the queen: d5 shows only the queen.
    assert_eq!(game(&format!("{opening} -e4 -d8 qd5 L80 R80 +2 . -b1 Nc3 L70")), "e4 d5 exd5 Qxd5 Nc3");
    // The same with a piece of the victim's kind: d5 shows no change at all.
    let pawns = "-d2 Pd4 L90 +2 -d7 pd5 R90 +2 -c2 Pc4 L90 +2 -e7 pe6 R90 +2";
    assert_eq!(game(&format!("{pawns} -c4 -e6 L80 R80 +2 . -b1 Nc3 L70")), "d4 d5 c4 e6 cxd5 exd5 Nc3");
}

// Users' pain: fast play loses the software (picochess#267).
#[test]
fn two_and_three_plies_come_in_one_poll() {
    assert_eq!(game("-e2 Pe4 L90 -e7 pe5 R90 -g1 Nf3 L88 +2 . -b8 nc6 R88"), "e4 e5 Nf3 Nc6");
    // Without a clock they are published as soon as the board rests.
    assert_eq!(published_so_far(&format!("={START} . +4 -e2 Pe4 -e7 pe5 -g1 Nf3 +2 .")), "game e4 e5 Nf3");
}

#[test]
fn two_swapped_presses_are_accepted() {
    assert_eq!(game("-e2 Pe4 -e7 pe5 R90 L90 +2 . -g1 Nf3 L80 +2 . -b8 nc6 R80"), "e4 e5 Nf3 Nc6");
}

#[test]
fn a_press_may_precede_its_moves_last_square() {
    assert_eq!(game("-e2 L90 Pe4 +2 . -e7 R90 pe5 +2 ."), "e4 e5");
}

#[test]
fn a_takeback_by_both_players_is_found() {
    let stream = format!(
        "={START} . +4 -e2 Pe4 L90 +2 . -e7 pe5 R90 +2 . -g1 Nf3 L88 +2 . -f3 Ng1 -e5 pe7 +2 . +2 . -c7 pc5 R86 +2 . -g1 Nf3 L85 +2 ."
    );
    assert_eq!(published(&stream), "game e4 e5 Nf3 <1 c5 Nf3 [* input-end]");
}

#[test]
fn a_repetition_with_forgotten_presses_is_no_takeback() {
    let opening = "-e2 Pe4 L90 +4 . -e7 pe5 R90 +4 . -g1 Nf3 L88 +4 . -b8 nc6 R88 +4 . -f3 Ng1 L87 +4 . -c6 nb8 R87 +4 .";
    // White forgets it, and Black, whose clock is stopped, cannot press.
    let forgotten = "-g1 Nf3 +10 . -b8 nc6 +10 . -f1 Bc4 L60 +4 . -f8 bc5 R86 +4 .";
    let played = "e4 e5 Nf3 Nc6 Ng1 Nb8 Nf3 Nc6 Bc4 Bc5";
    assert_eq!(game(&format!("{opening} {forgotten}")), played);
    assert_eq!(
        published(&format!("={START} . +4 {opening} {forgotten}")),
        format!("game {played} [* input-end]")
    );
    // Both are quick: only the later play with the clock distinguishes it from going back.
    let quick = "-g1 Nf3 +2 -b8 nc6 +2 . +8";
    assert_eq!(game(&format!("{opening} {quick} -f1 Bc4 L60 +4 . -f8 bc5 R86 +4 .")), played);
}

#[test]
fn pieces_seen_at_rest_did_not_move_on() {
    // Each reply is put on a wrong square first, from which it might have been played to the right one.
    let rooks = "r6k/p1p3pp/1bp2r2/3q4/3Pp1b1/1Q2B3/PP1N1PPP/R4RK1 w - - 0 17";
    let pressed = "-f1 Re1 +2 L88 +2 -f6 rh6 +2 . +2 rg6 -h6 R88 +2 . +2 -g1 Kh1 L77 +4 .";
    assert_eq!(final_moves(&games_from(rooks, pressed)), ["Rfe1 Rg6 Kh1 [* input-end]"]);
    // The bishop stops on b4 and goes back before White begins, as another poll reports.
    let opening = "-e2 Pe4 +2 . -e7 pe5 +2 . -g1 Nf3 +2 . -b8 nc6 +2 . -f1 Bc4 +2";
    let stopped = "-f8 qbc5 qbb4 q-c5 bc5 q-b4 +2 Pb3 q-b2 qPb4 q-b3 q-c5 qbb4 +2 . -c2 Pc3 +2 . -b4 ba5";
    assert_eq!(game(&format!("{opening} {stopped}")), "e4 e5 Nf3 Nc6 Bc4 Bc5 b4 Bxb4 c3 Ba5");
    let ending = "8/6kp/8/4p1p1/R1p1PpP1/2P2P2/7r/3K4 b - - 1 46";
    let quick = "-h2 rf2 +2 -a4 Ra6 Ra7 -a6 -a7 Ra8 +2 Ra7 -a8 +2 . +2 -g7 kg6 +2 . +4 -a7 Ra6 +4 .";
    assert_eq!(final_moves(&games_from(ending, quick)), ["Rf2 Ra7+ Kg6 Ra6+ [* input-end]"]);
}

// A player who keeps a finger on a piece may think for long, and put it elsewhere.
#[test]
fn a_rested_piece_is_moved_again_before_the_press() {
    let opening = "-e2 Pe4 L90 +2 . +9 -d7 pd5 R90 +2 . +9 -b1 Nc3 L80 +2 . +9 -g8 nf6 R80 +2 . +9 \
                   -f1 Bc4 L70 +2 . +9 -e7 pe6 R70 +2 . +9";
    for (hands, played, thought_of) in [
        ("-g1 Nf3 HOLD -f3 Nh3", "Nh3", "Nf3"),
        ("-g1 Nf3 HOLD -f3 +2 Nh3", "Nh3", "Nf3"),
        ("-c4 Be2 HOLD -e2 Bb3", "Bb3", "Be2"),
        ("-d5 -c3 Nd5 HOLD -d5 Nc3 -c4 Bd5", "Bxd5", "Nxd5"),
        ("-d5 -c3 Nd5 HOLD -d5 Nc3 pd5 -c4 -d5 Bd5", "Bxd5", "Nxd5"),
        ("-c4 -d5 Bd5 HOLD -d5 Bb3 +1 pd5", "Bb3", "Bxd5"),
        ("-e4 Pe5 HOLD -e5 -d5 Pd5", "exd5", "e5"),
        ("-d1 Qe2 HOLD -e2 Qf3", "Qf3", "Qe2"),
        ("-g1 Nf3 HOLD -f3 Nh3 +2 . +2 -h3 Ne2", "Nge2", "Nf3 <6 Nh3"),
    ] {
        for hold in ["+1 .", "+2 .", "+2 . +2", "+2 . +12", "+2 . +60"] {
            let hands = hands.replace("HOLD", hold);
            let reply = "L60 +2 . +9 -b8 nc6 R60 +2 . +9 -a2 Pa3 L50 +2 . +9";
            let stream = format!("={START} @begin . +4 {opening} {hands} {reply}");
            let game = |output: &str| format!("game e4 d5 Nc3 Nf6 Bc4 e6 {output} Nc6 a3 [* input-end]");
            let with_clock = published(&stream);
            let told_for_it = ["Nf3", thought_of].map(|other| game(&format!("{other} <6 {played}")));
            assert!(with_clock == game(played) || told_for_it.contains(&with_clock), "{hands}: {with_clock}");
            // Without a clock the rested move was published.
            assert_eq!(
                published(&without_clock(&stream)),
                game(&format!("{thought_of} <6 {played}")),
                "{hands}"
            );
        }
    }
}

// Beside a clock a king is like any piece: going to the centre for the result is no move.
#[test]
fn a_rested_king_is_moved_again_before_the_press() {
    let opening = "-e2 Pe4 L90 +2 . +9 -d7 pd5 R90 +2 . +9 -f1 Bc4 L80 +2 . +9 -e7 pe6 R80 +2 . +9";
    for hold in ["+2 .", "+2 . +12", "+2 . +60"] {
        let hands = format!("-e1 Kf1 {hold} -f1 +1 Ke2 L60");
        let reply = "+2 . +9 -b8 nc6 R60 +2 . +9 -a2 Pa3 L50 +2 . +9";
        let output = published(&format!("={START} @begin . +4 {opening} {hands} {reply}"));
        assert!(output.ends_with(" Ke2 Nc6 a3 [* input-end]"), "{hold}: {output}");
    }
}

// A scan reads squares in order, and may find a piece where it went before it finds that it is gone.
#[test]
fn a_rested_piece_is_seen_landing_before_leaving() {
    let opening = "-e2 qPe4 +2 . +9 -d7 qpd5 +2 . +9 -f1 Bc4 +2 . +9 -e7 qpe6 +2 . +9";
    for (rested, goes_on, played) in [
        ("-g1 qNf3", "Nh3 q-f3", "Nh3"),
        ("-d1 qQe2", "Qg4 q-e2", "Qg4"),
        // Kings too, except where they signal a result.
        ("-e1 qKe2", "Kf1 q-e2", "Kf1"),
        ("-e1 qKe2", "-e2 qKf1", "Kf1"),
    ] {
        for hold in ["+1.7 . +2.5", "+2 . +5", "+2 . +20"] {
            let reply = "+1.6 . +9 -b8 qnc6 +2 . +9 -a2 qPa3 +2 .";
            assert_eq!(
                game(&format!("{opening} {rested} {hold} {goes_on} {reply}")),
                format!("e4 d5 Bc4 e6 {played} Nc6 a3"),
                "{hold} {goes_on}"
            );
        }
    }
}

// Within one poll the press may come between the square that a piece reached and the one that it left.
#[test]
fn a_rested_piece_is_pressed_before_it_leaves() {
    let opening = "-d2 Pd4 L90 +2 . +9 -g8 nf6 R90 +2 . +9 -b2 Pb3 L85 +2 . +2 -e7 pe6 R88 +1.7";
    let reply = "+1.7 -b8 qnc6 R86 +2 L79 -d4 qPd5 +2.4 -c6 nb4 R84 +2 -b1 qNd2 L78 +2 .";
    for hold in ["+2 . +1", "+2.4 . +4", "+2 . +5"] {
        // Where the press is reported first, the rested move may have been published at it.
        for (goes_on, output) in
            [("Bb2 L80 q-g5", ""), ("L80 Bb2 q-g5", "Bg5 <4 "), ("L80 -g5 qBb2", "Bg5 <4 ")]
        {
            let hands = format!("-c1 qBe3 qBf4 qBg5 q-e3 q-f4 {hold} {goes_on}");
            let stream = format!("={START} @begin . +4 {opening} {hands} {reply}");
            let game = format!("game d4 Nf6 b3 e6 {output}Bb2 Nc6 d5 Nb4 Nd2 [* input-end]");
            assert_eq!(published(&stream), game, "{hold} {goes_on}");
        }
    }
}

#[test]
fn a_piece_overshooting_its_square_passes_others() {
    let opening =
        "-d2 Pd4 L90 +2 . +9 -d7 pd5 R90 +2 . +9 -c2 Pc4 L88 +2 . +9 -e7 pe6 R88 +2 . +9 -b1 Nc3 L86 +2";
    let far = "-f8 bc5 q-c5 qba3 +2 -a3 bb4 q-b4 qbd6 R86 q-d6 qbe7";
    let reply = "-c1 Bd2 q-d2 +2 Be3 q-e3 qBf4 L85 +2 -g8 nf6 R85 +2 -e7 be7 +2 . +9 .";
    let stream = format!("={START} @begin . +4 {opening} {far} {reply}");
    assert_eq!(published(&stream), "game d4 d5 c4 e6 Nc3 Be7 Bf4 Nf6 [* input-end]");
}

#[test]
fn a_piece_on_its_way_did_not_land_beyond() {
    let fen = "8/8/2k5/2P5/7r/1R6/5P2/4K3 w - - 0 1";
    let before = ". +4 -e1 Ke2 L120 +2 . +2 -h4 rh3 R80 +2 . +2 -e2 Ke1 L115 +2 . +2 -h3 rh4 R78 +2 . +2";
    let checked = "-b3 L110 qRb4 q-b4 q-c5 q-c6 qRb6 R76 qkc5 +2 q-b6 qRb7 L108 +2 -h4 qrh3 R74 +2 . +2 .";
    assert_eq!(
        words(&games_from(fen, &format!("{before} {checked}"))),
        "game Ke2 Rh3 Ke1 Rh4 Rb6+ Kxc5 Rb7 Rh3 [* input-end]"
    );
}

#[test]
fn a_shortened_double_step_is_a_single_step() {
    // Black's pawn is seen on c5, and then on c6, where White takes it.
    let before = "-d2 Pd4 +2 . +2 . -a7 pa6 +2 . +2 . -d4 Pd5 +2 . +2 .";
    let stream = format!("{before} -c7 pc5 -c5 +2 pc6 -c6 -d5 Pc6 +2 . +2 . +2 .");
    assert_eq!(game(&stream), "d4 a6 d5 c6 dxc6");
    // Nothing was there before the captor.
    let stream = format!("{before} -c7 pc5 +2 . +2 . -d5 -c5 Pc6 +2 . +2 . +2 .");
    assert_eq!(game(&stream), "d4 a6 d5 c5 dxc6");
}

#[test]
fn a_pawn_captured_en_passant_made_a_double_step() {
    let before = "-h2 Ph3 L90 +2 . -c7 pc5 R90 +2 . -a2 Pa3 L88 +2 . -c5 pc4 R88 +2 .";
    // It is seen to leave b3 late, and is captured on b4 when that was pressed.
    let captured = "Pb3 -b2 qPb4 L86 -b3 -c4 pb3 R86 +2 -b4 -g1 Nf3 L84 +2 . +2 .";
    assert_eq!(game(&format!("{before} {captured}")), "h3 c5 a3 c4 b4 cxb3 Nf3");
}

#[test]
fn a_forgotten_castling_rook_is_castling() {
    let bishops = format!("{OPENING} -f1 Bc4 L86 +2 -f8 bc5 R86 +2");
    let castled = format!("{bishops} -e1 Kg1 L85 +2 . +1 -d7 pd6 R85 +2 .");
    assert_eq!(game(&castled), "e4 e5 Nf3 Nc6 Bc4 Bc5 O-O d6");
    // It is put where it belongs before the next move.
    let on = format!("{castled} -h1 Rf1 +1 -c2 Pc3 L84 +2 . -g8 nf6 R84 +2 .");
    assert_eq!(game(&on), "e4 e5 Nf3 Nc6 Bc4 Bc5 O-O d6 c3 Nf6");
    // Or comes in time.
    let in_time = format!("{bishops} -e1 Kg1 L85 +1 -h1 Rf1 +1 . +1 -d7 pd6 R85 +2 .");
    assert_eq!(game(&in_time), "e4 e5 Nf3 Nc6 Bc4 Bc5 O-O d6");
}

#[test]
fn a_forgotten_en_passant_pawn_is_captured() {
    let opening = "-e2 Pe4 L90 +2 -a7 pa6 R90 +2 -e4 Pe5 L88 +2 -d7 pd5 R88 +2 -e5 Pd6 L87 +2 . +1";
    let reply = "-d8 qd6 R86 +2 . +1 -d5 +1 -d2 Pd4 L86 +2 .";
    assert_eq!(
        game(&format!("{opening} -a6 pa5 R86 +2 . +1 -d5 +1 -d2 Pd4 L86 +2 .")),
        "e4 a6 e5 d5 exd6 a5 d4"
    );
    assert_eq!(game(&format!("{opening} -d6 {reply}")), "e4 a6 e5 d5 exd6 Qxd6 d4");
}

#[test]
fn a_promotion_piece_can_be_replaced_after_the_reply() {
    let fen = "8/1P4k1/8/8/8/8/7P/4K3 w - - 0 1";
    let rook = ". +4 -b7 Rb8 L90 +2 . +4 -g7 kg6 R90 +2 . +4";
    let words = |stream: &str| words(&games_from(fen, stream));
    assert_eq!(
        words(&format!("{rook} -b8 Qb8 +2 . +9 -e1 Ke2 L80 +2 . +2 .")),
        "game b8=R Kg6 <0 ?b8=Q Kg6 Ke2 [* input-end]"
    );
    // Where no poll finds the board at rest.
    let queen = ". +4 -b7 Qb8 L90 +2 . +4 -b8 +2 Nb8 -g7 +2 kg6 R90 -e1 +2 Ke2 L80 +2 -g6 +2 kg5 R80";
    let output = words(queen);
    assert!(output.ends_with("?b8=N Kg6 Ke2 Kg5 [* input-end]"), "{output}");
}

#[test]
fn a_pawn_moved_at_its_press_is_no_guess() {
    let opening = "-d2 Pd4 L180 +2 -g8 nf6 R180 +2 . +2 -b1 Nc3 L178 +2 -d7 pd5 R178 +2 .";
    let stays =
        format!("={START} @begin . +2 {opening} +2 -e2 qPe4 +2 . +1.6 L177 -e4 qPe3 -f6 R178 ne4 +2 . +29 .");
    assert_eq!(published(&stays), "game d4 Nf6 Nc3 d5 e4 Nxe4 <4 e3 Ne4 [* input-end]");
}

#[test]
fn a_rested_piece_moves_while_its_square_is_taken() {
    let fen = "rnbqk2r/ppp1npb1/3p3p/6p1/2BPPp2/N1P2N2/PP4PP/R1BQ1RK1 b kq - 2 8";
    let hands = "+9 -e7 ng6 R1591 +2 . +5.3 -g2 Pg4 +2.4 . +3.8 -g5 qpg4 qPg3 L1792 R1600 +1.6 .";
    let goes_on = "+33 -f3 +2 Ne1 L1765 +2 . +8 -f4 pf3 R1599 +2 . +9 -e1 -f3 Nf3 L1765 +2 . +9 .";
    let games = games_from(fen, &format!(". clock {hands} {goes_on}"));
    assert_eq!(final_moves(&games), ["Ng6 g3 g4 Ne1 f3 Nxf3 [* input-end]"]);
}
