//! When a move is published: once it is certain enough, and not much later.

use super::{Options, START, game, games_so_far, published, published_so_far, records, words};

#[test]
fn a_piece_seen_after_its_press_awaits_the_poll() {
    let opening = "@begin . +4 -e2 Pe4 L90 +2 . -e7 pe5 R90 +2 .";
    // The press shows that the hand has left: the scan after it shows where the piece stands.
    let pressed = format!("={START} {opening} +2 -f1 L88 Bb5");
    assert_eq!(published_so_far(&format!("{pressed} +0.1 b2: .")), "game e4 e5 Bb5");
    // At once where the board reports quick changes, and therefore that the piece was carried.
    let quick = pressed.replace("Pe4", "qPe4").replace("pe5", "qpe5");
    assert_eq!(published_so_far(&quick), "game e4 e5 Bb5");
    // A piece not carried there may have slid, and the same poll may report that.
    let slid = format!("={START} {opening} +2 L88 Be2 q-f1");
    assert_eq!(published_so_far(&slid), "game e4 e5");
    assert_eq!(published_so_far(&format!("{slid} +0.1 b2: .")), "game e4 e5 Be2");
    assert_eq!(
        published(&format!("={START} {opening} +2 L88 Be2 q-f1 qBc4 q-e2 +2 .")),
        "game e4 e5 Bc4 [* input-end]"
    );
    // Seen before, it may go on to a6 until the next position.
    assert_eq!(published_so_far(&format!("={START} {opening} +2 -f1 Bb5 L88")), "game e4 e5");
    assert_eq!(published_so_far(&format!("={START} {opening} +2 -f1 Bb5 L88 +2 .")), "game e4 e5 Bb5");
    assert_eq!(
        published(&format!("={START} {opening} +2 -f1 Bb5 L88 +2 q-b5 qBa6 +2 . +4 .")),
        "game e4 e5 Ba6 [* input-end]"
    );
}

#[test]
fn only_a_piece_under_way_waits_for_a_poll() {
    // The board reports quick changes.
    let opening = "@begin . +4 -e2 qPe4 L90 +2 . -e7 qpe5 R90 +2 .";
    let output = |moves: &str| published_so_far(&format!("={START} {opening} {moves}"));
    // Carried for longer than a scan takes; published when the poll is over.
    assert_eq!(output("+2 -f1 Bb5 L88"), "game e4 e5");
    assert_eq!(output("+2 -f1 Bb5 L88 +0.1 b2: ."), "game e4 e5 Bb5");
    assert_eq!(output("+2 -f1 Bb5 L88 qBa6 q-b5"), "game e4 e5 Ba6");
    // Seen at once after it left: it may slide on.
    assert_eq!(output("+2 -f1 qBb5 L88 +0.1 b2: ."), "game e4 e5");
    assert_eq!(output("+2 -f1 qBb5 L88 +2 ."), "game e4 e5 Bb5");
    // A knight goes no further, and a reply that begins a scan later finds the bishop there.
    assert_eq!(output("+2 -g1 qNf3 L88"), "game e4 e5 Nf3");
    assert_eq!(output("+2 -f1 qBb5 L88 -a7"), "game e4 e5 Bb5");
    // A player who presses holds nothing: it is castling, not a move of the rook.
    let castling = "+2 -g1 qNf3 L88 +2 . -b8 qnc6 R88 +2 . -f1 qBc4 L88 +2 . -g8 qnf6 R88 +2 . -h1 qRf1";
    assert!(output(&format!("{castling} -e1 L86 Kg1")).ends_with("Nf6 O-O"));
}

#[test]
fn an_adjusted_piece_does_not_hide_a_move() {
    let opening = "@begin . +4 -e2 qPe4 L90 +2 . -e7 qpe5 R90 +2 .";
    // White adjusted a pawn while Black thought, and moves another one, which is seen after its press.
    let stream = format!("={START} {opening} +9 -a2 Pa2 +2 . +9 -d2 L88 Pd4");
    assert_eq!(published_so_far(&stream), "game e4 e5 d4");
}

#[test]
fn the_option_sets_how_soon_moves_are_published() {
    use crate::reconstruct::Show;
    let output = |show: Show, moves: &str| {
        let stream = format!("={START} @begin . +4 -e2 qPe4 L90 +2 . {moves}");
        words(&games_so_far(&records(&stream), Options { show, ..Options::default() }))
    };
    for (moves, shown) in [
        ("+2 -d7 qpd6 R88 +0.1 b2: .", [Show::Early].as_slice()),
        ("+2 -d7 R88 pd5", &[Show::Early, Show::Usual]),
        ("+2 -d7 R88 pd5 +2 .", &[Show::Early, Show::Usual, Show::Sure]),
    ] {
        for show in [Show::Early, Show::Usual, Show::Sure] {
            let both = output(show, moves).len() > "game e4".len();
            assert_eq!(both, shown.contains(&show), "{show:?} {moves}");
        }
    }
}

#[test]
fn an_unpressed_move_is_published_with_its_reply() {
    let opening = "@begin . +4 -e2 Pe4 L90 +2 . -e7 pe5 R90 +2 .";
    let played = format!("={START} {opening} +2 -f1 Bb5 +2 .");
    assert_eq!(published_so_far(&played), "game e4 e5");
    assert_eq!(published_so_far(&format!("{played} -a7 pa6 R80")), "game e4 e5 Bb5");
}

#[test]
fn a_first_move_waits_for_a_started_clock() {
    let first = |clock: &str| format!("={START} @begin stopped . {clock} +2 . +20 -e2 Pe3 +2");
    let started = first("+10 R90");
    assert_eq!(published_so_far(&format!("{started} . +0.1 b2: .")), "");
    // The pawn had only stopped there.
    assert_eq!(published_so_far(&format!("{started} -e3 Pe4 L88 +2 .")), "game e4");
    // White may forget the clock.
    assert_eq!(published_so_far(&format!("{started} . +6 .")), "game e3");
    // Without presses, or after a mere try of the clock, no press is awaited.
    for other in ["", "+10 R90 +2 stopped"] {
        assert_eq!(published_so_far(&format!("{} . +0.1 b2: .", first(other))), "game e3", "{other}");
    }
}

#[test]
fn without_clock_a_move_waits_for_the_settle_time() {
    // A poll that finds only a clock reading, without presses, does not show that the board rests.
    let at = |settle: f64, polls: &str| {
        let options = Options { settle, ..Options::default() };
        words(&games_so_far(&records(&format!("={START} @begin . +4 -e2 Pe4 {polls}")), options))
    };
    assert_eq!(at(1.5, "+1 clock"), "");
    assert_eq!(at(1.5, "+1 clock +1 clock"), "game e4");
    assert_eq!(at(5.0, "+2 clock +2 clock"), "");
    assert_eq!(at(5.0, "+2 clock +3 clock"), "game e4");
    // A record of another board does not show that this one was polled since.
    assert_eq!(at(1.5, "+1 b2: . +1 ."), "");
    assert_eq!(at(1.5, "+1.8 b2: ."), "");
}

#[test]
fn without_clock_a_piece_standing_two_polls_is_published() {
    let at = |polls: &str| {
        published_so_far(&format!("={START} @begin . +4 -e2 Pe4 +2 . -d7 pd5 +2 . {polls} +0.1 b2: ."))
    };
    // The reply has begun, perhaps with the piece it captures, or its hand is at another piece.
    for begun in ["-g8", "-c4", "-c8 bf5 -h7"] {
        assert_eq!(at(&format!("-f1 Bc4 +2 {begun}")), "game e4 d5 Bc4", "{begun}");
    }
    // The poll has to be over, and another piece of the mover may still be in a hand.
    assert_eq!(at("-f1 Bc4 +2 q-c4 qBb5"), "game e4 d5");
    assert_eq!(at("-e1 +2 Kg1 -h1 +2 Rh3"), "game e4 d5");
    // The pawn was seen on its way, and is captured where it went.
    assert_eq!(at("-c2 Pc3 +2 -c3 Pc4 +2 -c4 -d5"), "game e4 d5");
    // Not when it was reported by this poll.
    assert_eq!(at("-f1 +2 Bc4 -g8"), "game e4 d5");
}

#[test]
fn without_clock_quick_recaptures_are_published_at_rest() {
    // No poll saw the bishop on f2 before the queen took it there.
    let moves = "+4 -d2 Pd3 +2 . -d7 pd6 +2 . -a2 Pa3 +2 . -c5 -f2 +0.3 . +0.9 -g3 +0.6 Qf2";
    let stream = "rnbqk1nr/pppppppp/8/2b5/8/6Q1/PPPPPPPP/RNB1KBNR";
    assert_eq!(
        published_so_far(&format!("={stream} @start {moves} +0.3 . +1.2 .")),
        "game d3 d6 a3 Bxf2+ Qxf2"
    );
}

#[test]
fn a_piece_in_the_air_has_not_landed() {
    let opening = "@begin . +4 -e2 Pe4 L90 +2 . -e7 pe5 R90 +2 .";
    let at = |moves: &str| published_so_far(&format!("={START} {moves} +0.1 b2: ."));
    // Seen on its way, with a press between: no move to d3 after which the pawn went on.
    assert_eq!(at(&format!("{opening} +2 Pd3 q-d2 L86 Pd4 q-d3")), "game e4 e5 d4");
}

#[test]
fn a_later_press_publishes_both_moves_of_a_piece() {
    // Black's pawn is seen on d6 and, after its press, taking on c4: both moves are done, and one press is missing.
    let opening = "-d2 Pd4 L90 +2 . -g8 nf6 R90 +2 . -c2 Pc4 L88 +2 . -c7 pc6 R88 +2 . -g1 Nf3 L86 +2 .";
    let went_on = "-d7 +2 pd6 R86 -b1 q-d6 qNc3 q-c4 L84 qpc4 -a2 L83 q-c8 qbe6 qbf5 qPa4 q-e2 q-e6 R82";
    let since = "+2 L80 Pe3 -c4 qpc4 R80 -e7 qpe6 -c4 +2 -f1 qBd3 L78 qBc4 q-d3 R78";
    let output = published_so_far(&format!("={START} @begin . +4 {opening} {went_on} {since} +0.1 b2: ."));
    assert!(output.ends_with("d5 Nc3 dxc4 a4 Bf5 e3 e6 Bxc4"), "{output}");
}

#[test]
fn a_press_does_not_publish_a_returned_piece() {
    // The knight went to h6, back, and is on its way to f6 when its clock is pressed.
    let stream =
        format!("={START} @begin . +4 -e2 Pe4 L90 +2 . +2 -g8 nh6 +2 . +4 -h6 ng8 q-g8 +2 R88 nf6 +2 . +6 .");
    assert_eq!(published(&stream), "game e4 Nf6 [* input-end]");
}

#[test]
fn two_adjustments_do_not_delay_a_move() {
    let adjusted = "+9 -e7 +2 pe7 -b7 pb7 +2 -a7 qpa6 q-a6 qpa5";
    assert_eq!(published_so_far(&format!("={START} @begin . +4 -e2 Pe4 +2 . {adjusted} +2 .")), "game e4 a5");
}

#[test]
fn a_clock_with_swapped_sides_is_detected() {
    // White's side is the right one, in this game and in the next on the same board.
    let moves = "-e2 Pe4 R90 +2 . +3 -e7 pe5 L90 +2 . +3 -g1 R88 Nf3 +2 . +3 -b8 L88 nc6 +2 . +3 -f1 R86 Bb5 +2 . +3 -a7 L86 pa6 +2 .";
    assert_eq!(game(moves), "e4 e5 Nf3 Nc6 Bb5 a6");
    let next = format!("+60 ={START} . +4 -d2 R90 Pd4 +2 . +3 -d7 L90 pd5 +2 . +3 -c2 R88 Pc4");
    let published = published_so_far(&format!("={START} @begin . +4 {moves} {next}"));
    assert!(published.ends_with("game d4 d5 c4"), "{published}");
}

#[test]
fn another_boards_time_publishes_a_standing_move() {
    // The bishop could go on from c4; the press comes with the next poll, which finds it there.
    let plain = "-e2 Pe4 L90 +2 . -e7 pe5 R90 +2 . -f1 Bc4 +2 L88";
    // Whether the slide was reported does not matter.
    let slid = "-e2 qPe4 L90 +2 . -e7 qpe5 R90 +2 . -f1 qBc4 +2 L88";
    for moves in [plain, slid] {
        let stream = format!("={START} @begin . +4 {moves}");
        assert_eq!(published_so_far(&stream), "game e4 e5");
        assert_eq!(published_so_far(&format!("{stream} +0.1 b2: .")), "game e4 e5 Bc4");
        // Not where both came with one poll.
        let at_once = stream.replace("Bc4 +2 L88", "Bc4 L88");
        assert_eq!(published_so_far(&format!("{at_once} +0.1 b2: .")), "game e4 e5");
    }
}

#[test]
fn a_piece_moving_during_the_reply_made_one_move() {
    let opening = "@begin . +4 -e2 Pe4 L90 +2 . -e7 pe5 R90 +2 .";
    // As two moves, the first would be pressed at some time. Two scans found the pawn on d3.
    let stream = format!("={START} {opening} +6 -d2 qPd3 L88 qpd5 q-d7 qPd4 q-d3 R88 +2 . +8 .");
    assert_eq!(published_so_far(&stream), "game e4 e5");
    let goes_on = format!("{stream} -b1 Nc3 L80 +2 .");
    assert_eq!(published_so_far(&goes_on), "game e4 e5 d4 d5 Nc3");
    // The wait has a limit.
    assert_eq!(published_so_far(&format!("{stream} +20 .")), "game e4 e5 d3 d5 d4");
}

#[test]
fn one_scan_on_the_way_makes_no_move() {
    let opening = "@begin . +4 -e2 Pe4 L90 +2 . -e7 pe5 R90 +2 .";
    // All changes are quick, and squares are read in order: d5 and d3, then d4 with the next scan. No hand lets go of
    // the pawn on d3, presses, waits for the reply and lifts it again within that time, though the presses came when it
    // was there.
    let stream = format!("={START} {opening} +6 -d2 qPd3 L88 q-d7 qpd5 R88 qPd4 q-d3 +2 . +8 .");
    let output = published_so_far(&stream);
    assert!(output.ends_with("d4 d5"), "{output}");
    // Where it stood for longer it did.
    let longer = stream.replace("qPd4", "Pd4 L86");
    assert_eq!(published_so_far(&longer), "game e4 e5 d3 d5 d4");
}

#[test]
fn a_replied_first_move_waits_for_its_poll() {
    let stream = format!("={START} @begin . +4 Pe3 q-e2 q-c7 qpc5");
    assert_eq!(published_so_far(&stream), "");
    let goes_on = format!("{stream} L90 qPe4 q-e3 q-g1 +2 R90 Nf3 L88 +2 .");
    assert_eq!(published_so_far(&goes_on), "game e4 c5 Nf3");
}
