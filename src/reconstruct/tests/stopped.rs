//! Changes while the clock is stopped, and pressed moves that were taken back.

use super::{OPENING, START, final_moves, games, games_from, published_so_far};

fn after_play(stream: &str) -> Vec<String> {
    games(&format!("={START} @begin . +4 {OPENING} clock +10 clock {stream}"))
}

#[test]
fn analysis_beside_a_stopped_clock_changes_nothing() {
    let forward = "stopped +4 -f1 Bb5 +2 . -a7 pa6 +2 . -b5 Ba4 +2 .";
    let back = "stopped +4 -c6 nb8 +2 . -f3 Ng1 +2 . -e5 pe7 +2 .";
    let other = "stopped +4 -c6 nb8 +2 . -d7 pd6 +2 .";
    for analysis in [forward, back, other] {
        assert_eq!(after_play(&format!("{analysis} +9 .")), ["e4 e5 Nf3 Nc6 [* input-end]"], "{analysis}");
        let kings = format!("{analysis} +9 -e1 Kd4 -e8 kd5 +2 . +9 .");
        assert_eq!(after_play(&kings), ["e4 e5 Nf3 Nc6 [1/2-1/2 kings]"], "{analysis}");
        let next = format!("{analysis} +9 ={START} @begin . +4 -d2 Pd4 L90 +2 .");
        assert_eq!(after_play(&next), ["e4 e5 Nf3 Nc6 [* new-game]", "d4 [* input-end]"], "{analysis}");
    }
}

#[test]
fn analysis_before_a_late_stop_report_is_not_published() {
    // Eight of 88 seconds were used since the last press, which was 22 seconds ago.
    let output = published_so_far(&format!(
        "={START} @begin . +4 {OPENING} clock +10 clock +10 -f1 Bb5 +2 . +1 stopped +2 . -a7 pa6 +2 ."
    ));
    assert_eq!(output, "game e4 e5 Nf3 Nc6");
    // A move that was made when it stopped counts.
    let just_then = format!("={START} @begin . +4 {OPENING} clock +6 -f1 Bb5 stopped +2 . +9 -a7 pa6 +2 .");
    assert_eq!(games(&just_then), ["e4 e5 Nf3 Nc6 Bb5 [* input-end]"]);
}

#[test]
fn a_king_centred_after_the_stop_is_no_move() {
    let play =
        ". clock +1 L90 +2 -g1 rc1 R80 +2 . clock +9 -b6 Pb7 L80 +2 -e6 kd5 stopped +2 -f2 Ke4 +2 . +9 .";
    let output = games_from("8/8/1P2k3/8/8/8/5K2/6r1 b - - 0 60", play);
    assert_eq!(final_moves(&output), ["Rc1 b7 [1-0 kings]"]);
}

#[test]
fn an_unpressed_last_move_survives_a_late_stop_report() {
    // The clock was stopped eight seconds after Black's press, and is read ten seconds later.
    let play = format!("@begin . +4 {OPENING} clock");
    let undone = "-c6 nb8 +2 . stopped +2 . -f3 Ng1 +2 . -e5 pe7 +2 .";
    let stream = format!("={START} {play} +2 -f1 Bb5 +2 . +4 -b5 Bf1 +2 . {undone}");
    assert_eq!(games(&stream), ["e4 e5 Nf3 Nc6 Bb5 [* input-end]"]);
    // A move that was withdrawn before was only tried.
    let tried = format!("={START} {play} +1 -f1 Bb5 +1 . +1 -b5 Bf1 +1 . +6 {undone}");
    assert_eq!(games(&tried), ["e4 e5 Nf3 Nc6 [* input-end]"]);
}

#[test]
fn a_king_long_in_the_centre_has_moved() {
    let play = ". clock +1 L90 +2 -g1 rc1 R88 +2 . clock +2 -b6 Pb7 L80 +2 -e6 kd5 +2 . +2 . +4 stopped +2";
    let output = games_from("8/8/1P2k3/8/8/8/5K2/6r1 b - - 0 60", &format!("{play} -f2 Ke4 +2 . +9 ."));
    assert_eq!(final_moves(&output), ["Rc1 b7 Kd5 [1-0 kings]"]);
}

#[test]
fn a_mate_with_a_delayed_clock_counts() {
    // Black's clock shows 80 seconds as when it was pressed, though eight have passed.
    let mate = "-f2 Pf3 L90 +2 . -e7 pe5 R80 +2 . -g2 Pg4 L85 clock +2 . clock +6 -d8 qh4 stopped +2 . +9 .";
    let stream = format!("={START} @begin . +4 {mate} -e1 +9 .");
    assert_eq!(games(&stream), ["f3 e5 g4 Qh4# [0-1 checkmate]"]);
}

#[test]
fn play_continues_when_the_clock_runs_again() {
    let looked = "stopped +4 -f1 Bb5 +2 . -b5 Bf1 +2 . clock";
    assert_eq!(
        after_play(&format!("{looked} +2 -d2 Pd4 L70 +2 . -e5 pd4 R70 +2 .")),
        ["e4 e5 Nf3 Nc6 d4 exd4 [* input-end]"]
    );
    let back = "stopped +4 -c6 nb8 +2 . -f3 Ng1 +2 . clock";
    assert_eq!(
        after_play(&format!("{back} +2 -f2 Pf4 L70 +2 . -e5 pf4 R70 +2 .")),
        ["e4 e5 f4 exf4 [* input-end]"]
    );
    let one = "stopped +4 -c6 nb8 +2 . clock";
    assert_eq!(
        after_play(&format!("{one} +2 -d7 pd6 R70 +2 . -d2 Pd4 L70 +2 .")),
        ["e4 e5 Nf3 d6 d4 [* input-end]"]
    );
}

#[test]
fn a_takeback_while_the_clock_runs_is_found() {
    // Two plies, the last one first.
    assert_eq!(
        after_play("-c6 nb8 +2 -f3 Ng1 +2 . -f2 Pf4 L70 +2 . -e5 pf4 R70 +2 ."),
        ["e4 e5 f4 exf4 [* input-end]"]
    );
    // A player who touched another piece moves that, and the lever of the clock is right.
    assert_eq!(
        after_play("-c6 nb8 +2 . +4 -d7 pd6 +2 . +2 -d2 Pd4 L70 +2 . -e5 pd4 R70 +2 ."),
        ["e4 e5 Nf3 d6 d4 exd4 [* input-end]"]
    );
    // The board never rested in between, and the returning pieces would make legal moves.
    assert_eq!(
        after_play(
            "-d1 +2 Qe2 L70 +2 -g8 nf6 R70 +2 . +4 -f6 +2 ng8 -e2 +2 Qd1 +2 . -d2 Pd4 L60 +2 . -e5 pd4 R60 +2 ."
        ),
        ["e4 e5 Nf3 Nc6 d4 exd4 [* input-end]"]
    );
    // Without another move in its place a pressed move remains.
    assert_eq!(after_play("-c6 nb8 +2 . +12 ."), ["e4 e5 Nf3 Nc6 [* input-end]"]);
}

#[test]
fn a_returned_move_and_its_replacement_in_one_poll() {
    // White gave Black's bishop back with the clock; the poll that reports it has first the pawn, then the bishop.
    let back = "-f1 Bb5 L70 +2 . -f8 bc5 R80 +2 . +4 . L66 +2 -c5 +2 -a7 pa6 bf8 R79 -b5 Ba4 L65 +2 -g8 nf6 R78 +2 .";
    assert_eq!(after_play(back), ["e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 [* input-end]"]);
}

#[test]
fn returned_pieces_may_go_elsewhere_immediately() {
    for (given_back, instead) in [
        ("-f8 bc5 R80 +2 . L66 +2 -c5 be7 R79 +2", "Be7"),
        ("-f8 bc5 R80 +2 . L66 +2 -c5 bd6 R79 +2", "Bd6"),
        ("-a7 pa6 R80 +2 . L66 +2 -a6 pa5 R79 +2", "a5"),
        ("-d8 qe7 R80 +2 . L66 +2 -e7 +2 qg5 R79", "Qg5"),
        // The reply is reported by the same poll.
        ("-f8 bc5 R80 +2 . +4 L66 +2 -c5 be7 R79", "Be7"),
    ] {
        let stream = format!("-f1 Bb5 L70 +2 . {given_back} -b5 Ba4 L65 +2 -g8 nf6 R78 +2 .");
        let output = format!("e4 e5 Nf3 Nc6 Bb5 {instead} Ba4 Nf6 [* input-end]");
        assert_eq!(after_play(&stream), [output], "{given_back}");
    }
}

#[test]
fn two_plies_are_taken_back_without_a_rest() {
    for (played, back) in [
        // A pawn, which goes no way back by itself.
        ("-f1 Bb5 L70 +2 -a7 pa6 R80 +2 .", "-a6 +2 pa7 -b5 +2 Bf1"),
        // Pieces that could go there and back.
        ("-f1 Bb5 L70 +2 -g8 nf6 R80 +2 .", "-f6 +2 ng8 -b5 +2 Bf1"),
        // A captured piece and its captor come back from beside the board.
        ("-f3 -e5 Ne5 L70 +2 -c6 -e5 ne5 R80 +2 .", "-e5 nc6 +2 Nf3 +2 pe5"),
    ] {
        let otherwise = "-d2 Pd4 L66 +2 . -h7 ph6 R78 +2 .";
        let output = after_play(&format!("{played} +3 {back} +2 {otherwise}"));
        assert_eq!(output, ["e4 e5 Nf3 Nc6 d4 h6 [* input-end]"], "{played} {back}");
    }
}

#[test]
fn a_standing_move_is_taken_back_without_a_press() {
    let taken_back = "-f1 Bb5 L70 +2 . +6 -b5 +2 Bf1 -f1 Bc4 +2 -a7 pa6 R80 +2 . -d2 Pd3 L65 +2 .";
    assert_eq!(after_play(taken_back), ["e4 e5 Nf3 Nc6 Bc4 a6 d3 [* input-end]"]);
}

#[test]
fn tried_moves_after_the_game_withdraw_nothing() {
    for tried in [
        // Of one side, of both, and of both at once.
        "-c6 nb8 +2 -d7 pd6 +2 . +4 -f1 Bc4 +2 .",
        "-c6 nb8 +2 -f3 Ng1 +2 -f1 Bc4 +2 -g8 nf6 +2 -d2 Pd3 +2 .",
        "-c6 nb8 -f3 Ng1 -f1 Bc4 +2 . +4 -g8 nf6 +2 .",
    ] {
        for end in ["+40 .", "+4 ."] {
            assert_eq!(
                after_play(&format!("{tried} {end}")),
                ["e4 e5 Nf3 Nc6 [* input-end]"],
                "{tried} {end}"
            );
        }
    }
}

#[test]
fn a_repetition_out_of_turn_is_no_takeback() {
    // Black's knight returns before White's bishop does: they repeat the position, and press.
    for again in ["-f6 -b5 ng8 Bf1 L68 R79", "-f6 ng8 -b5 Bf1 L68 R79", "-f6 ng8 R79 +2 -b5 Bf1 L68"] {
        let stream =
            format!("-f1 Bb5 L70 +2 -g8 nf6 R80 +2 . {again} +2 . -d2 Pd4 L66 +2 . -h7 ph6 R78 +2 .");
        assert_eq!(after_play(&stream), ["e4 e5 Nf3 Nc6 Bb5 Nf6 Bf1 Ng8 d4 h6 [* input-end]"], "{again}");
    }
}

/// The games of this stream after some play, and the charges of a ply.
fn paid_for(ply: u32, stream: &str) -> (Vec<String>, Vec<String>) {
    let options = super::Options { explain: true, ..Default::default() };
    let output = super::games_of(
        &super::records(&format!("={START} @begin . +4 {OPENING} clock +10 clock {stream}")),
        options,
    );
    let explained = output.iter().rev().find_map(|record| match &record.event {
        super::GameEvent::Move(mv) if mv.ply == Some(ply) => mv.explain.clone(),
        _ => None,
    });
    let charges = explained.expect("it is explained").charges;
    (final_moves(&output), charges.into_iter().map(|(name, _)| name.to_string()).collect())
}

#[test]
fn an_illegal_move_seen_after_its_press_is_returned() {
    // The scan finds the queen on d5 after the press; one poll reports that White gave it back, and Black's move.
    let back =
        "-f1 Bc4 L70 +2 . -d8 +2 R80 qd5 +2 . L66 -d5 qd8 -d8 R79 qe7 +2 . -d2 Pd3 L65 +2 . -g8 nf6 R78 +2 .";
    let (games, paid) = paid_for(6, back);
    assert_eq!(games, ["e4 e5 Nf3 Nc6 Bc4 Qe7 d3 Nf6 [* input-end]"]);
    assert!(paid.iter().any(|name| name == "illegal-pressed"), "{paid:?}");
}

#[test]
fn a_returned_illegal_move_costs_one_price() {
    // The rook stood on h3 for long, illegally, and was put back when Black gave the move back.
    let illegal = "-h1 Rh3 L70 +2 . +4 . R87 +2 -h3 Rh1 +2 . -f1 Bb5 L69 +2 . -a7 pa6 R80 +2 .";
    let (games, paid) = paid_for(5, illegal);
    assert_eq!(games, ["e4 e5 Nf3 Nc6 Bb5 a6 [* input-end]"]);
    assert_eq!(paid, ["illegal-pressed"]);
}
