//! Decisions by order and time.

use super::{
    BoardRecord, GameEvent, OPENING, Options, START, Seconds, game, games, games_of, games_so_far,
    published_so_far, records, words,
};

#[test]
fn a_reply_lands_before_the_first_landing_is_seen() {
    // The scan comes to b5 twice before it comes to a4.
    assert_eq!(
        game(&format!("{OPENING} -f1 Bb5 L90 +2 . -a7 pa6 R90 +2 -b5 -b7 pb5 Ba4 L80 R80 +2 . -a4 Bb3 L70")),
        "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 b5 Bb3"
    );
}

#[test]
fn a_king_in_the_centre_may_still_signal() {
    // White's king on e4 beside Black's on d4 would be a draw; a moment later Black's goes to d5.
    let end = "=8/8/8/8/3k4/8/8/4K2R @start . +4 -h1 Rh4 L90 +2 . +6 -e1 Ke4 +2 . +2 -d4 kd5 +2 . +6 .";
    assert_eq!(games(end), ["Rh4+ [1-0 kings]"]);
}

#[test]
fn a_corrected_illegal_first_move_begins_nothing() {
    assert_eq!(
        games(&format!(
            "={START} @begin . +4 -c2 Pe3 +2 . +12 . -e3 Pc2 +2 . -d2 Pd4 +2 . -d7 pd5 +2 . +4 ."
        )),
        ["d4 d5 !illegal [* input-end]"]
    );
}

// Users' pain: moves guessed wrong, without a time (lila#11413).
#[test]
fn three_unseen_moves_are_guesses() {
    let missed = "rnbqkbnr/ppp1pppp/8/3p4/4P3/5N2/PPPP1PPP/RNBQKB1R";
    let published = games(&format!("={START} @begin . +4 ={missed} +2 . +12 ."));
    assert_eq!(published, ["?e4 ?d5 ?Nf3 !gap [* input-end]"]);
    // Two have one order only.
    let missed = "rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR";
    let published = games(&format!("={START} @begin . +4 ={missed} +2 . +12 ."));
    assert_eq!(published, ["?e4 ?d5 [* input-end]"]);
}

// Users' pain: clocks vanish because some moves have none (lila#15037).
#[test]
fn a_lost_press_gives_no_wrong_clock_time() {
    // Each press in turn is lost.
    let moves = ["-e2 Pe4 L90", "-e7 pe5 R89", "-g1 Nf3 L88", "-b8 nc6 R87", "-f1 Bb5 L86", "-a7 pa6 R85"];
    let pressed = [90.0, 89.0, 88.0, 87.0, 86.0, 85.0];
    for lost in 1..4 {
        let hand = |(at, words): (usize, &&str)| match at == lost {
            true => format!("{} +2 .", words.rsplit_once(' ').unwrap().0),
            false => format!("{words} +2 ."),
        };
        let stream: Vec<_> = moves.iter().enumerate().map(hand).collect();
        let published =
            games_of(&records(&format!("={START} @begin . +4 {}", stream.join(" "))), Options::default());
        let mut clocks = [None; 6];
        for record in &published {
            if let GameEvent::Move(mv) = &record.event {
                clocks[mv.ply.unwrap() as usize - 1] = mv.seconds;
            }
        }
        let mut expected = pressed.map(|seconds| Some(Seconds(seconds)));
        expected[lost] = None;
        assert_eq!(clocks, expected, "{lost}");
    }
}

#[test]
fn a_stop_during_an_empty_poll_is_no_move() {
    // Polls every 0.3 s. The pawn stands on e3 for 1.5 s, brushes d4 and f3, and comes to e4. A complete rest of
    // several seconds on e3, without a press, would cost more than that the knight's capture was overtaken.
    let opening = "-d2 Pd4 L90 +2 . +4 -g8 nf6 R90 +2 . +4 -c2 Pc4 L90 +2 . +4 -g7 pg6 R90 +2 . +4 -b1 Nc3 L90 +2 . +4 \
        -d7 pd5 R90 +2 . +4 -c4 -d5 Pd5 L90 +2 . +4";
    let stops = "-f6 +0.3 . +0.3 -d5 +0.3 R92 qnd5 +0.3 . +17 -e2 +0.3 . +0.9 Pe3 +0.3 . +1.2 -e3 q-d4 qPf3 +0.3 L98 qPe4 \
        +0.3 . +0.3 -f3 +0.3 Pd4 +0.3 . +9 -d5 +0.3 -c3 +0.3 qnc3 R99 +0.3 . +20 -b2 +0.3 . +0.3 -c3 +0.3 L99 Pc3 +0.3 .";
    assert_eq!(game(&format!("{opening} {stops}")), "d4 Nf6 c4 g6 Nc3 d5 cxd5 Nxd5 e4 Nxc3 bxc3");
}

#[test]
fn a_rest_with_the_changes_time_counts() {
    // Times in whole seconds: the poll still came later.
    assert_eq!(published_so_far(&format!("={START} @begin . +4 -e2 Pe4 .")), "game e4");
    assert_eq!(published_so_far(&format!("={START} @begin . +4 -e2 Pe4 . +4 -e7 pe5 .")), "game e4 e5");
}

#[test]
fn an_early_empty_poll_publishes_no_stop() {
    // Polls every 0.3 s. The pawn pauses on e3, and the queen on f3.
    let pause = format!("={START} @begin . +4 -e2 Pe3 +0.3 . +0.3");
    assert_eq!(published_so_far(&pause), "");
    let first = format!("{pause} -e3 Pe4 +0.3 . +1.2 . +3 -e7 pe5 +0.3 . +1.2 . +3");
    assert_eq!(published_so_far(&first), "game e4 e5");
    let slide = format!("{first} -d1 Qf3 +0.3 . +0.6 -f3 Qh5 +0.3 .");
    assert_eq!(published_so_far(&slide), "game e4 e5");
    // A second rest publishes it, at once.
    assert_eq!(published_so_far(&format!("{slide} +1.2 .")), "game e4 e5 Qh5");
    // Boards polled once a second publish one rest only.
    let slow = format!("={START} @begin . +4 -e2 Pe4 +1 . +3 -e7 pe5 +0.95 .");
    assert_eq!(published_so_far(&slow), "game e4 e5");
    // Without times every rest counts.
    let timeless = records(&slow).into_iter().map(|record| BoardRecord { time: None, ..record });
    assert_eq!(words(&games_so_far(&timeless.collect::<Vec<_>>(), Options::default())), "game e4 e5");
}

#[test]
fn an_early_poll_ends_no_game_by_kings() {
    // White's king rests on d4 for a moment, on its way to e4.
    let kings = format!("={START} @begin . +4 -e2 Pe4 +2 . +2 -e4 -e8 -e1 ke5 Kd4 +0.3 .");
    assert_eq!(published_so_far(&kings), "game e4");
    let result = format!("{kings} +0.3 -d4 Ke4 +0.3 . +1.2 .");
    assert_eq!(published_so_far(&format!("{result} +15 .")), "game e4 [1/2-1/2 kings]");
}

#[test]
fn two_pausing_pawns_make_one_move_each() {
    // A poll finds each pawn on its way, and each goes on; the reply begins early.
    let played = |pause: &str| {
        let knights = "+5 -g1 Nf3 +0.5 . +1.5 . +5 -g8 nf6 +0.5 . +1.5 .";
        game(&format!("-h2 Ph3 {pause} -h7 ph6 {pause} -h3 Ph4 {pause} -h6 ph5 +0.5 . +1.5 . {knights}"))
    };
    for pause in ["+0.3 . +0.2", "+0.5 . +0.1", "+0.5 . +0.5"] {
        assert_eq!(played(pause), "h4 h5 Nf3 Nf6", "{pause}");
    }
    // A long stop is a move.
    for rest in ["+1 . +3", "+0.5 . +1 . +3", "+2 . +3"] {
        assert_eq!(played(rest), "h3 h6 h4 h5 Nf3 Nf6", "{rest}");
    }
}

// Users' pain: moves shown that were not played.
#[test]
fn stops_and_replies_in_one_poll_are_no_moves() {
    let begun = format!("={START} @begin . +4 -d2 Pd4 +2 . +4 -e7 pe6 +2 . +4");
    // A scan sees the pawn on e3 and the reply whole, the next one the pawn on e4.
    let poll = "Pe3 q-e2 q-d7 qpd5 qPe4 q-e3 +0.1";
    assert_eq!(published_so_far(&format!("{begun} {poll} b2: .")), "game d4 e6");
    let on = format!("{begun} {poll} b1: +1.9 . +4 -e4 qPd5 +2 . +2 .");
    assert_eq!(published_so_far(&on), "game d4 e6 e4 d5 exd5");
    // The next poll has no further change of it.
    let pawn = format!("{begun} Pe3 q-e2 q-d7 qpd5 +0.1 b2: .");
    assert_eq!(published_so_far(&pawn), "game d4 e6 e3");
}

#[test]
fn an_early_ambiguity_delays_no_later_move() {
    // Both pawns stopped on their way, or each was moved twice; the knights reach the same squares after either.
    let pause = "+0.5 . +0.5";
    let pawns = format!("-h2 Ph3 {pause} -h7 ph6 {pause} -h3 Ph4 {pause} -h6 ph5 +0.5 . +1.5 .");
    let knights = "-g1 Nf3 +0.5 . +1.5 . +2 -g8 nf6 +0.5 . +1.5 .";
    let played = format!("={START} @begin . +4 {pawns} +10 . {knights}");
    assert_eq!(published_so_far(&played), "game h3 <0 h4 h5 Nf3 Nf6");
}

#[test]
fn squares_open_after_a_poll_delay_nothing() {
    // Polls every two seconds. The pawn is seen on e6 before it has left e7; with each of the next polls a reply is over.
    let pawn = format!("={START} @begin . +4 -d2 qPd4 +2 . +4 pe6 -e7 qpe5 q-e6 +0.1 b2: .");
    let replies = "+1.9 b1: -g1 Nf3 +0.1 b2: . +1.9 b1: -b8 nc6 +0.1 b2: .";
    assert_eq!(published_so_far(&format!("{pawn} {replies}")), "game d4 e5 Nf3");
}

#[test]
fn a_move_waits_for_no_other_piece() {
    // Black has begun to reply, and White's bishop is already seen where it goes next.
    let begun = format!("={START} @begin . +4 -e2 Pe4 +2 . +4 -e7 pe5 +2 . +4");
    let bishop = format!("{begun} -g1 Nf3 +2 -b8 Bc4 +0.1 .");
    assert_eq!(published_so_far(&bishop), "game e4 e5 Nf3");
    // A queen that comes to h5 may be the one that was seen on f3.
    let queen = format!("{begun} -d1 Qf3 +2 -b8 Qh5 +0.1 .");
    assert_eq!(published_so_far(&queen), "game e4 e5");
}

#[test]
fn a_stop_between_polls_is_no_long_rest() {
    // Polls every second. The queen stands on f3 at one of them, and at the next she has come to h5, the clock pressed first.
    // Polls every half second: one finds only the press, for the scan has not come to her yet.
    for stop in ["-d1 Qf3 +1 . +1 L80 -f3 qQh5 +1", "-d1 Qf3 +0.5 . +1 L80 +0.5 -f3 qQh5 +0.5"] {
        let opening = "-e2 Pe4 L90 +1 . +4 -e7 pe5 R90 +1 . +4";
        let moves = format!("{opening} {stop} . +4 -b8 nc6 R90 +1 . +4 -f1 Bc4 L80 +1 . +4 .");
        assert_eq!(game(&moves), "e4 e5 Qh5 Nc6 Bc4", "{stop}");
    }
}

#[test]
fn without_times_alternating_steps_are_moves() {
    // The bytes of a board alone without a clock: both rooks may go on along their ways.
    let steps = "-a2 Pa4 -h7 ph5 -a1 Ra3 -h8 rh6 -a3 Rc3 -h6 rf6 -c3 Rg3 -f6 rb6 -e2 Pe4 -e7 pe5";
    let mut records = records(&format!("={START} {steps}"));
    records.iter_mut().for_each(|record| record.time = None);
    let published = games_of(&records, Options::default());
    assert_eq!(words(&published), "game a4 h5 Ra3 Rh6 Rc3 Rf6 Rg3 Rb6 e4 e5 [* input-end]");
}
