//! When a move is published: not before it is sure, and not long after.

use super::{Options, START, game, games_so_far, published, published_so_far, records, words};

const OPENING: &str = "@begin . +4 -e2 Pe4 L90 +2 . -e7 pe5 R90 +2 .";

#[test]
fn a_piece_first_seen_after_its_press_is_published_when_its_poll_is_over() {
    // The press says that the hand has left: the scan after it shows where the piece stands.
    let pressed = format!("={START} {OPENING} +2 -f1 L88 Bb5");
    assert_eq!(published_so_far(&format!("{pressed} +0.1 b2: .")), "game e4 e5 Bb5");
    // At once where the board says which changes are quick, and so that it was carried.
    let quick = pressed.replace("Pe4", "qPe4").replace("pe5", "qpe5");
    assert_eq!(published_so_far(&quick), "game e4 e5 Bb5");
    // Not carried there it may have slid, and the same poll tell of that.
    let slid = format!("={START} {OPENING} +2 L88 Be2 q-f1");
    assert_eq!(published_so_far(&slid), "game e4 e5");
    assert_eq!(published_so_far(&format!("{slid} +0.1 b2: .")), "game e4 e5 Be2");
    assert_eq!(
        published(&format!("={START} {OPENING} +2 L88 Be2 q-f1 qBc4 q-e2 +2 .")),
        "game e4 e5 Bc4 [* input-end]"
    );
    // Seen before, it may go on to a6 until the next look at the board.
    assert_eq!(published_so_far(&format!("={START} {OPENING} +2 -f1 Bb5 L88")), "game e4 e5");
    assert_eq!(published_so_far(&format!("={START} {OPENING} +2 -f1 Bb5 L88 +2 .")), "game e4 e5 Bb5");
    assert_eq!(
        published(&format!("={START} {OPENING} +2 -f1 Bb5 L88 +2 q-b5 qBa6 +2 . +4 .")),
        "game e4 e5 Ba6 [* input-end]"
    );
}

#[test]
fn a_pressed_move_waits_for_a_look_only_where_its_piece_may_be_on_its_way() {
    // The board says which changes were quick.
    let opening = "@begin . +4 -e2 qPe4 L90 +2 . -e7 qpe5 R90 +2 .";
    let told = |moves: &str| published_so_far(&format!("={START} {opening} {moves}"));
    // Carried through the air for longer than a scan takes; told when the board has no more to say of it.
    assert_eq!(told("+2 -f1 Bb5 L88"), "game e4 e5");
    assert_eq!(told("+2 -f1 Bb5 L88 +0.1 b2: ."), "game e4 e5 Bb5");
    assert_eq!(told("+2 -f1 Bb5 L88 qBa6 q-b5"), "game e4 e5 Ba6");
    // Seen at once after it left: it may slide on.
    assert_eq!(told("+2 -f1 qBb5 L88 +0.1 b2: ."), "game e4 e5");
    assert_eq!(told("+2 -f1 qBb5 L88 +2 ."), "game e4 e5 Bb5");
    // A knight goes no further, and a reply that begins a scan later finds the bishop there.
    assert_eq!(told("+2 -g1 qNf3 L88"), "game e4 e5 Nf3");
    assert_eq!(told("+2 -f1 qBb5 L88 -a7"), "game e4 e5 Bb5");
    // Who presses has nothing in hand: it is castling, not a move of the rook.
    let castling = "+2 -g1 qNf3 L88 +2 . -b8 qnc6 R88 +2 . -f1 qBc4 L88 +2 . -g8 qnf6 R88 +2 . -h1 qRf1";
    assert!(told(&format!("{castling} -e1 L86 Kg1")).ends_with("Nf6 O-O"));
}

#[test]
fn a_piece_that_was_adjusted_does_not_hide_the_move_of_another_of_its_kind() {
    let opening = "@begin . +4 -e2 qPe4 L90 +2 . -e7 qpe5 R90 +2 .";
    // White put a pawn straight while Black thought, and moves another, which is seen after its press.
    let stream = format!("={START} {opening} +9 -a2 Pa2 +2 . +9 -d2 L88 Pd4");
    assert_eq!(published_so_far(&stream), "game e4 e5 d4");
}

#[test]
fn how_soon_a_pressed_move_is_shown_is_the_users_choice() {
    use crate::reconstruct::Show;
    let told = |show: Show, moves: &str| {
        let stream = format!("={START} @begin . +4 -e2 qPe4 L90 +2 . {moves}");
        words(&games_so_far(&records(&stream), Options { show, ..Options::default() }))
    };
    for (moves, shown) in [
        ("+2 -d7 qpd6 R88 +0.1 b2: .", [Show::Early].as_slice()),
        ("+2 -d7 R88 pd5", &[Show::Early, Show::Usual]),
        ("+2 -d7 R88 pd5 +2 .", &[Show::Early, Show::Usual, Show::Sure]),
    ] {
        for show in [Show::Early, Show::Usual, Show::Sure] {
            let both = told(show, moves).len() > "game e4".len();
            assert_eq!(both, shown.contains(&show), "{show:?} {moves}");
        }
    }
}

#[test]
fn a_move_without_its_press_is_published_at_the_reply_while_a_clock_is_in_use() {
    let played = format!("={START} {OPENING} +2 -f1 Bb5 +2 .");
    assert_eq!(published_so_far(&played), "game e4 e5");
    assert_eq!(published_so_far(&format!("{played} -a7 pa6 R80")), "game e4 e5 Bb5");
}

#[test]
fn a_first_move_waits_for_its_press_where_the_clock_was_started() {
    let first = |clock: &str| format!("={START} @begin stopped . {clock} +2 . +20 -e2 Pe3 +2");
    let started = first("+10 R90");
    assert_eq!(published_so_far(&format!("{started} . +0.1 b2: .")), "");
    // The pawn had only stopped there.
    assert_eq!(published_so_far(&format!("{started} -e3 Pe4 L88 +2 .")), "game e4");
    // He may forget the clock.
    assert_eq!(published_so_far(&format!("{started} . +6 .")), "game e3");
    // Where nobody presses, or it was only tried, nobody is waited for.
    for other in ["", "+10 R90 +2 stopped"] {
        assert_eq!(published_so_far(&format!("{} . +0.1 b2: .", first(other))), "game e3", "{other}");
    }
}

#[test]
fn without_a_clock_a_move_is_published_when_the_board_has_rested_as_long_as_asked_for() {
    // A poll that finds only the time on a clock that nobody presses does not say that the board rests.
    let at = |settle: f64, polls: &str| {
        let options = Options { settle, ..Options::default() };
        words(&games_so_far(&records(&format!("={START} @begin . +4 -e2 Pe4 {polls}")), options))
    };
    assert_eq!(at(1.5, "+1 clock"), "");
    assert_eq!(at(1.5, "+1 clock +1 clock"), "game e4");
    assert_eq!(at(5.0, "+2 clock +2 clock"), "");
    assert_eq!(at(5.0, "+2 clock +3 clock"), "game e4");
    // What another board says does not say that this one was asked since.
    assert_eq!(at(1.5, "+1 b2: . +1 ."), "");
    assert_eq!(at(1.5, "+1.8 b2: ."), "");
}

#[test]
fn without_a_clock_a_piece_that_stood_from_poll_to_poll_does_not_wait_for_the_reply_to_end() {
    let at = |polls: &str| {
        published_so_far(&format!("={START} @begin . +4 -e2 Pe4 +2 . -d7 pd5 +2 . {polls} +0.1 b2: ."))
    };
    // The reply has begun, be it with what it takes, or its hand is at another piece.
    for begun in ["-g8", "-c4", "-c8 bf5 -h7"] {
        assert_eq!(at(&format!("-f1 Bc4 +2 {begun}")), "game e4 d5 Bc4", "{begun}");
    }
    // All that this poll has to say is to be told, and a piece of the mover's may still be in his hand.
    assert_eq!(at("-f1 Bc4 +2 q-c4 qBb5"), "game e4 d5");
    assert_eq!(at("-e1 +2 Kg1 -h1 +2 Rh3"), "game e4 d5");
    // The pawn was seen on its way, and is taken where it went.
    assert_eq!(at("-c2 Pc3 +2 -c3 Pc4 +2 -c4 -d5"), "game e4 d5");
    // Not when it was told of with this poll.
    assert_eq!(at("-f1 +2 Bc4 -g8"), "game e4 d5");
}

#[test]
fn a_piece_that_is_in_the_air_when_the_poll_of_its_press_is_over_is_no_move() {
    let at = |moves: &str| published_so_far(&format!("={START} {moves} +0.1 b2: ."));
    // Seen on its way, and told of as pressed between: no move to d3 after which the pawn went on.
    assert_eq!(at(&format!("{OPENING} +2 Pd3 q-d2 L86 Pd4 q-d3")), "game e4 e5 d4");
}

#[test]
fn a_piece_that_went_on_unpressed_waits_no_longer_when_its_side_has_pressed_since() {
    // Black's pawn is seen on d6 and, after its press, taking on c4: both moves are done, and one press is missing.
    let opening = "-d2 Pd4 L90 +2 . -g8 nf6 R90 +2 . -c2 Pc4 L88 +2 . -c7 pc6 R88 +2 . -g1 Nf3 L86 +2 .";
    let went_on = "-d7 +2 pd6 R86 -b1 q-d6 qNc3 q-c4 L84 qpc4 -a2 L83 q-c8 qbe6 qbf5 qPa4 q-e2 q-e6 R82";
    let since = "+2 L80 Pe3 -c4 qpc4 R80 -e7 qpe6 -c4 +2 -f1 qBd3 L78 qBc4 q-d3 R78";
    let told = published_so_far(&format!("={START} @begin . +4 {opening} {went_on} {since} +0.1 b2: ."));
    assert!(told.ends_with("d5 Nc3 dxc4 a4 Bf5 e3 e6 Bxc4"), "{told}");
}

#[test]
fn the_press_of_another_move_does_not_show_what_was_put_back() {
    // The knight went to h6, back, and is on its way to f6 when its clock is pressed.
    let stream =
        format!("={START} @begin . +4 -e2 Pe4 L90 +2 . +2 -g8 nh6 +2 . +4 -h6 ng8 q-g8 +2 R88 nf6 +2 . +6 .");
    assert_eq!(published(&stream), "game e4 Nf6 [* input-end]");
}

#[test]
fn a_plain_move_after_two_adjustments_does_not_wait_for_the_reply() {
    let adjusted = "+9 -e7 +2 pe7 -b7 pb7 +2 -a7 qpa6 q-a6 qpa5";
    assert_eq!(published_so_far(&format!("={START} @begin . +4 -e2 Pe4 +2 . {adjusted} +2 .")), "game e4 a5");
}

#[test]
fn the_clock_may_stand_the_other_way_round() {
    // White's side is the right one, in this game and in the next on the same board.
    let moves = "-e2 Pe4 R90 +2 . +3 -e7 pe5 L90 +2 . +3 -g1 R88 Nf3 +2 . +3 -b8 L88 nc6 +2 . +3 -f1 R86 Bb5 +2 . +3 -a7 L86 pa6 +2 .";
    assert_eq!(game(moves), "e4 e5 Nf3 Nc6 Bb5 a6");
    let next = format!("+60 ={START} . +4 -d2 R90 Pd4 +2 . +3 -d7 L90 pd5 +2 . +3 -c2 R88 Pc4");
    let published = published_so_far(&format!("={START} @begin . +4 {moves} {next}"));
    assert!(published.ends_with("game d4 d5 c4"), "{published}");
}

#[test]
fn a_move_pressed_when_it_had_stood_for_a_poll_is_published_when_another_board_speaks() {
    // The bishop could go on from c4; the press comes with the next look, which finds it there.
    let plain = "-e2 Pe4 L90 +2 . -e7 pe5 R90 +2 . -f1 Bc4 +2 L88";
    // Nor does it matter whether the board says that it slid there.
    let slid = "-e2 qPe4 L90 +2 . -e7 qpe5 R90 +2 . -f1 qBc4 +2 L88";
    for moves in [plain, slid] {
        let stream = format!("={START} @begin . +4 {moves}");
        assert_eq!(published_so_far(&stream), "game e4 e5");
        assert_eq!(published_so_far(&format!("{stream} +0.1 b2: .")), "game e4 e5 Bc4");
        // Not where both came with one look.
        let at_once = stream.replace("Bc4 +2 L88", "Bc4 L88");
        assert_eq!(published_so_far(&format!("{at_once} +0.1 b2: .")), "game e4 e5");
    }
}

#[test]
fn a_piece_that_goes_on_while_the_other_side_replies_made_one_move() {
    // Were it two, the second would be pressed at some time. Two scans found the pawn on d3.
    let stream = format!("={START} {OPENING} +6 -d2 qPd3 L88 qpd5 q-d7 qPd4 q-d3 R88 +2 . +8 .");
    assert_eq!(published_so_far(&stream), "game e4 e5");
    let goes_on = format!("{stream} -b1 Nc3 L80 +2 .");
    assert_eq!(published_so_far(&goes_on), "game e4 e5 d4 d5 Nc3");
    // Nothing waits for ever.
    assert_eq!(published_so_far(&format!("{stream} +20 .")), "game e4 e5 d3 d5 d4");
}

#[test]
fn a_piece_that_one_scan_finds_on_its_way_has_made_no_move_there() {
    // All quick, and squares are read in their order: d5 and d3, then d4 with the next scan. No hand lets go of the pawn on d3,
    // presses, waits for the reply and takes it again meanwhile, though the presses came when it was there.
    let stream = format!("={START} {OPENING} +6 -d2 qPd3 L88 q-d7 qpd5 R88 qPd4 q-d3 +2 . +8 .");
    let told = published_so_far(&stream);
    assert!(told.ends_with("d4 d5"), "{told}");
    // Where it stood for longer it did.
    let longer = stream.replace("qPd4", "Pd4 L86");
    assert_eq!(published_so_far(&longer), "game e4 e5 d3 d5 d4");
}

#[test]
fn the_first_move_waits_for_the_rest_of_its_poll_though_it_was_replied_to() {
    let stream = format!("={START} @begin . +4 Pe3 q-e2 q-c7 qpc5");
    assert_eq!(published_so_far(&stream), "");
    let goes_on = format!("{stream} L90 qPe4 q-e3 q-g1 +2 R90 Nf3 L88 +2 .");
    assert_eq!(published_so_far(&goes_on), "game e4 c5 Nf3");
}
