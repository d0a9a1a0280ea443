//! The certainty of a move, and when it is published again.

use std::collections::BTreeMap;

use super::{Options, START, from_fen, games_from, games_of, records};
use crate::record::{GameEvent, GameRecord, Move};

/// The published moves of a stream, with repetitions.
fn moves(stream: &str) -> Vec<Move> {
    let output = games_of(&records(stream), Options::default());
    output
        .into_iter()
        .filter_map(|record| if let GameEvent::Move(m) = record.event { Some(*m) } else { None })
        .collect()
}

/// The last record of each ply of a stream.
fn last_moves(stream: &str) -> Vec<Move> {
    by_ply(games_of(&records(stream), Options::default())).into_values().collect()
}

/// The moves of some records by ply, each in its last record.
fn by_ply(output: Vec<GameRecord>) -> BTreeMap<u32, Move> {
    let moves = output.into_iter().filter_map(|record| match record.event {
        GameEvent::Move(m) => Some((m.ply?, *m)),
        _ => None,
    });
    moves.collect()
}

/// Moves that take a minute each, with a clock.
fn slow(moves: &[&str]) -> String {
    let output = moves
        .iter()
        .zip(["L5000", "R5000"].iter().cycle())
        .map(|(mv, press)| format!("{mv} {press} +2 . +60"));
    format!("={START} @begin . +60 {} .", output.collect::<Vec<_>>().join(" "))
}

#[test]
fn plain_slow_moves_are_certain_and_published_once() {
    let output = moves(&slow(&["-e2 Pe4", "-e7 pe5", "-g1 Nf3", "-b8 nc6"]));
    assert_eq!(output.len(), 4);
    assert!(output.iter().all(|m| m.certainty.is_none() && m.alternatives.is_empty()), "{output:?}");
}

#[test]
fn fast_moves_are_less_certain() {
    let fast = slow(&["-e2 Pe4", "-e7 pe5", "-g1 Nf3", "-b8 nc6"]).replace("+60", "+1");
    let output = moves(&fast);
    assert!(
        output.iter().all(|m| m.certainty.is_some_and(|certainty| certainty > 0.99 && certainty < 0.9999)),
        "{output:?}"
    );
}

#[test]
fn only_doubtful_moves_have_alternatives() {
    let output =
        moves(&format!("={START} @begin . +4 -d2 +2 . +2 Pd3 +0.2 -d3 +0.1 Pd4 +2 . +2 -d7 pd5 +2 . +2 ."));
    assert!(
        output.iter().all(|m| m.certainty.is_none_or(|certainty| (0.01..=0.9999).contains(&certainty))),
        "{output:?}"
    );
    for m in &output {
        let doubted = m.certainty.is_some_and(|certainty| certainty < 0.99);
        assert!(doubted || m.alternatives.is_empty(), "{m:?}");
    }
}

#[test]
fn two_possible_dead_squares_make_only_one_move_doubtful() {
    let moves = ["-e2", "-a7 pa6", "-b1 Nc3", "-b7 pb6", "-g1 Nf3", "-g7 pg6", "-a2 Pa3", "-h7 ph6"];
    let output = last_moves(&slow(&moves));
    let sans: Vec<&str> = output.iter().filter_map(|m| m.san.as_deref()).collect();
    assert_eq!(sans, ["e4", "a6", "Nc3", "b6", "Nf3", "g6", "a3", "h6"]);
    assert!(output[0].certainty.is_some_and(|certainty| (0.5..0.95).contains(&certainty)), "{output:?}");
    assert_eq!(output[0].alternatives[0].san.as_deref(), Some("e3"));
    assert!(output[1..].iter().all(|m| m.certainty.is_none_or(|certainty| certainty > 0.99)), "{output:?}");
}

#[test]
fn a_pawn_captured_after_promotion_was_probably_a_queen() {
    let stream = ". clock +1 R90 +9 -d7 +2 Pd8 L90 +2 . +9 -d1 +2 -d8 rd8 R80 +2 . +9 -c7 Kd8 L80 +2 . +9 .";
    let output = games_from("7k/2KP4/8/7p/2P3p1/1N6/p6P/3r4 w - - 0 56", stream);
    let last = by_ply(output);
    assert_eq!(last[&1].san.as_deref(), Some("d8=Q+"));
    assert!(last.values().all(|m| m.alternatives.is_empty()), "{last:?}");
}

#[test]
fn an_unknown_piece_is_no_certain_queen() {
    let certainty = |placed: &str, board: &str| {
        let stream = format!(". +4 {placed} L80 +2 . +6 . -e8 ke7 R80 +2 . +6 . -e1 Ke2 L79 +2 . +6 .");
        let mut read = records(&format!("={board} {stream}"));
        for record in &mut read {
            if let crate::record::BoardEvent::Change(change) = &mut record.event
                && change.piece == "p".parse().ok()
            {
                change.piece = Some(crate::record::Piece::UNKNOWN);
            }
        }
        let last = by_ply(games_of(&read, from_fen(&format!("{board} w - - 0 1"))));
        assert_eq!(last[&1].san.as_deref(), Some("a8=Q+"), "{last:?}");
        last[&1].certainty
    };
    let board = "4k3/P7/8/8/8/8/8/4K3";
    let unknown = certainty("-a7 pa8", board);
    assert!(unknown.is_some_and(|certainty| (0.5..0.99).contains(&certainty)), "{unknown:?}");
    let named = certainty("-a7 Qa8", board);
    assert!(named.is_none_or(|certainty| certainty > 0.99), "{named:?}");
}

#[test]
fn setting_up_makes_no_move_less_certain() {
    // Most of a game was not seen, and its last move, which was seen, is undone by the rook that returns to its start
    // square.
    let played = "+11.603 q-e2 qBc4 +1.645 q-e7 +2.233 -e1 qKg1 q-h1 L181 qRf1 q-g8 +9.945 . +9.779 L171 +1.609 \
        R188 +2.34 -b1 L170 +6.921 -c8 +12.441 qkg8 q-h8 R173 +3.839 . +1.79 -b7 pc6 R170 +1.593 -c1 \
        R172 -d8 qqd7 +6.327 L170 +35.66 Qc2 q-d1 +60.784 L138 qQe4 +2.361 qbe3 +3.843 -g1 qKh1 +21.657 \
        -f8 qre8 R127 +2.014 . +9.415 L120 q-e4 +6.295 bd4 q-e3 q-a1 +1.57 qRe1 L123";
    let set_up = "+86.939 -e1 Ra1 +1.77 -h1 qKe1 +1.568 rh8 -f1 -a7 +2.233 qRh1 pe7 qPe2 q-c6 pd7 +2.474 Ng1 pb7 \
        +2.237 Pb3 qbc8 q-b3 qPc2 -d2 qd8 +2.163 Nb1 -g8 qke8 +2.153 Pd2 +2.429 Qd1 +1.653 Bc1 Bf1 \
        +1.816 . +16.465 ng8 -d4";
    let output = last_moves(&format!("={START} clock {played} {set_up}"));
    let last = output.last().expect("a move");
    assert_eq!(last.san.as_deref(), Some("Rae1"));
    assert!(last.certainty.is_none_or(|certainty| certainty > 0.9), "{last:?}");
}

/// Checks that these moves are played from a position on a board without a clock, and that no other is nearly as
/// likely.
fn surely_plays(fen: &str, stream: &str, played: &[&str]) {
    let output = by_ply(games_from(fen, stream));
    let sans: Vec<&str> = output.values().filter_map(|m| m.san.as_deref()).collect();
    assert_eq!(sans, played);
    assert!(output.values().all(|m| m.certainty.is_none_or(|certainty| certainty > 0.9)), "{output:?}");
}

#[test]
fn a_slide_interrupted_by_the_reply_is_one_move() {
    // The rook goes from a5 to a7, and from there to a5 again while the other one goes to c8.
    let slide = "+2 -a5 +2 qRa7 +1 -a7 qRa6 +1.7 qrc8 q-d8 q-a6 qRa5";
    let stream = format!(". +9 {slide} +1.5 . +14 -c8 qrc7 q-c7 qrc5 q-c5 qrc3 +1.5 . +9 .");
    let fen = "3r1k2/5p1p/4p1p1/R2n4/1P1P4/P2KB2P/5PP1/8 w - - 0 30";
    surely_plays(fen, &stream, &["Ra7", "Rc8", "Ra5", "Rc3+"]);
}

#[test]
fn a_slide_interrupted_by_the_reply_is_no_withdrawal() {
    // The rook had rested on d8, and goes from there to d1; the changes of the reply come in between.
    let slide = "-d8 qRd7 q-f6 qrf1 q-d7 qRd6 q-d6 qRd4 q-d4 qRd2 q-d2 qRd1 -f1 rd1 q-c1 q-d1 qKd1";
    let stream = format!(". +2.3 Rd5 q-d4 q-d5 qRd8 +1.6 . +2.4 {slide} +1.6 . +2 -b3 qkb2 +9 .");
    let fen = "8/8/5r1P/p7/P2R4/1kp5/8/2K5 w - - 4 74";
    surely_plays(fen, &stream, &["Rd8", "Rf1+", "Rd1", "Rxd1+", "Kxd1", "Kb2"]);
}

#[test]
fn a_bridged_move_is_as_certain_as_its_share() {
    // e4 and Nf3 in either order, and d5 between them: two ways. Three moves of White in any order around two of Black:
    // twelve.
    let two = ("rnbqkbnr/ppp1pppp/8/3p4/4P3/5N2/PPPP1PPP/RNBQKB1R", 3, [0.5, 1.0, 0.5, 0.0, 0.0]);
    let twelve = (
        "rnbqkb1r/ppp1pppp/5n2/3p4/4P3/P4N2/1PPP1PPP/RNBQKB1R",
        5,
        [1.0 / 3.0, 0.5, 1.0 / 3.0, 0.5, 1.0 / 3.0],
    );
    for (stands, plies, shares) in [two, twelve] {
        let stream = format!("={START} @begin . +4 lost +60 ={stands} +2 . +12 . +60 .");
        let moves = by_ply(games_of(&records(&stream), Options::default()));
        assert_eq!(moves.len(), plies, "{moves:?}");
        for (ply, share) in (1..).zip(shares).take(plies) {
            let mv = &moves[&ply];
            assert!(mv.guess && mv.certainty.unwrap_or(1.0) <= share, "{mv:?}");
        }
    }
}
