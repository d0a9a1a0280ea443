//! Russian draughts.

use super::{DISKS, final_moves, games, games_of, games_so_far, records, words};
use crate::{
    reconstruct::{Options, Start},
    record::{GameEvent, Rules},
    rules::russian::sets::Set,
};

/// The only game of a stream that begins with the start position, with its final moves.
fn game(stream: &str) -> String {
    let games = games(&format!("={DISKS} . +4 {stream} +2 . +10 ."));
    assert_eq!(games.len(), 1, "{games:?}");
    games[0].strip_suffix(" [* input-end]").unwrap_or(&games[0]).to_owned()
}

/// The same from another position, on a board that shows it as `placement`.
fn game_from(fen: &str, placement: &str, stream: &str) -> String {
    let options = Options { start: Some(Start::from_fen(fen).unwrap()), ..Options::default() };
    let published = games_of(&records(&format!("={placement} . +4 {stream} +2 . +10 .")), options);
    let games = final_moves(&published);
    assert_eq!(games.len(), 1, "{games:?}");
    games[0].strip_suffix(" [* input-end]").unwrap_or(&games[0]).to_owned()
}

#[test]
fn draughts_is_recognised_by_its_start_position() {
    let stream = format!("={DISKS} . +4 -c3 Pd4 L90 +2 . -f6 Bg5 R90 +2 .");
    let published = games_of(&records(&stream), Options::default());
    let GameEvent::Game(start) = &published[0].event else { panic!("{published:?}") };
    assert_eq!(start.rules, Rules::Russian);
    assert_eq!(start.fen, "W:Wa3,c3,e3,g3,b2,d2,f2,h2,a1,c1,e1,g1:Bb8,d8,f8,h8,a7,c7,e7,g7,b6,d6,f6,h6");
    let GameEvent::Move(first) = &published[1].event else { panic!("{published:?}") };
    assert_eq!(first.path, ["c3", "d4"]);
    assert_eq!(first.fen, "B:Wd4,a3,e3,g3,b2,d2,f2,h2,a1,c1,e1,g1:Bb8,d8,f8,h8,a7,c7,e7,g7,b6,d6,f6,h6");
    assert_eq!((first.san.as_ref(), first.uci.as_ref()), (None, None));
    assert_eq!(final_moves(&published), ["c3-d4 f6-g5 [* input-end]"]);
}

#[test]
fn draughts_is_recognised_with_any_set() {
    let opening = "-g3 Wf4 L90 +2 . -d6 Be5 R90 +2 . -f4 -e5 Wd6 L80 +2 . -e7 -d6 Bc5 R80 +2 .";
    let men = |white: &str, black: &str| {
        let stream = format!("={DISKS} . +4 {opening}").replace('W', "\u{1}");
        let stream = stream.replace('P', white).replace('B', black).replace('\u{1}', white);
        games(&stream)
    };
    let want = ["g3-f4 d6-e5 f4:d6 e7:c5 [* input-end]"];
    // Disks, pawns or the disks of the older table, and any figures.
    assert_eq!(men("P", "B"), want);
    assert_eq!(men("P", "p"), want);
    assert_eq!(men("N", "q"), want);
    let mixed = "1r1n1b1q/p1p1p1p1/1p1p1p1p/8/8/P1P1P1P1/1P1P1P1P/R1N1B1Q1";
    let stream = opening.replace('W', "P").replace('B', "p");
    assert_eq!(games(&format!("={mixed} . +4 {stream}")), want);
}

#[test]
fn a_turned_draughts_board_turns_its_clock() {
    let turned: String = DISKS.chars().rev().collect();
    let stream = format!("={turned} . +4 -f6 Pe5 R90 +2 . -c3 Bb4 L90 +2 .");
    let published = games_of(&records(&stream), Options::default());
    assert!(matches!(&published[0].event, GameEvent::Game(start) if start.rotated), "{published:?}");
    assert_eq!(final_moves(&published), ["c3-d4 f6-g5 [* input-end]"]);
}

#[test]
fn captured_men_are_removed_in_any_order() {
    // White takes c5 and e7 on the way from b4 to f8.
    let (fen, board) = ("W:Wb4,h2:Bc5,e7,a3", "8/4B3/8/2B5/1P6/B7/7P/8");
    for capture in [
        "-b4 Pd6 -d6 Pf8 -c5 -e7 L90",
        "-b4 Pd6 -c5 -d6 Pf8 -e7 L90",
        "-c5 -e7 -b4 Pf8 L90",
        "-e7 -b4 -c5 Pf8 L90",
        "Pf8 -b4 -e7 -c5 L90",
        // The opponent takes them off after the press.
        "-b4 Pf8 L90 +2 . -e7 -c5",
        "-b4 Pd6 -d6 Pf8 -e7 L90 +2 . +2 . -c5",
    ] {
        let reply = "+2 . -a3 Bb2 R90 +2 . -h2 Pg3 L80 +2 .";
        assert_eq!(game_from(fen, board, &format!("{capture} {reply}")), "b4:d6:f8 a3-b2 h2-g3", "{capture}");
    }
}

#[test]
fn a_crowned_man_is_a_king_without_exchange() {
    let (fen, board) = ("W:Wc7,a1:Bh6,d8,h2", "3B4/2P5/7B/8/8/8/7B/P7");
    let then = "+2 . -h6 Bg5 R90 +2 . -b8 Pf4 L80 +2 . -g5 -f4 Be3 R80 +2 .";
    // Left as it is, exchanged at once, exchanged after the press, and with only the king put down.
    for crowning in ["-c7 Pb8 L90", "-c7 Pb8 -b8 pb8 L90", "-c7 Pb8 L90 +2 . -b8 +2 . pb8", "-c7 pb8 L90"] {
        assert_eq!(
            game_from(fen, board, &format!("{crowning} {then}")),
            "c7-b8 h6-g5 b8-f4 g5:e3",
            "{crowning}"
        );
    }
}

#[test]
fn a_game_of_draughts_needs_no_clock() {
    assert_eq!(
        game("-g3 Pf4 +2 . +2 -d6 Be5 +2 . +2 -f4 -e5 Pd6 +2 . +2 -e7 -d6 Bc5"),
        "g3-f4 d6-e5 f4:d6 e7:c5"
    );
}

#[test]
fn a_forgotten_captured_man_is_an_anomaly() {
    let opening = "-g3 Pf4 L90 +2 . -d6 Be5 R90 +2 . -f4 Pd6 L80";
    let rest = "-e7 -d6 Bc5 R80 +2 . -c3 Pb4 L70 +2 . -f8 Be7 R70 +2 .";
    let moves = "g3-f4 d6-e5 f4:d6 e7:c5 c3-b4 f8-e7";
    // The board rests with the man on e5.
    let published = |stream: &str| super::published(&format!("={DISKS} . +4 {stream} +2 ."));
    assert_eq!(
        published(&format!("{opening} +12 . +2 . -e5 +2 . {rest}")),
        "game g3-f4 d6-e5 f4:d6 !illegal e7:c5 c3-b4 f8-e7 [* input-end]"
    );
    // Play continues, and the man is removed three plies later.
    assert_eq!(
        published(&format!("{opening} +2 . {rest} +1 -e5 +2 .")),
        "game g3-f4 d6-e5 f4:d6 e7:c5 c3-b4 !illegal f8-e7 [* input-end]"
    );
    // Removed in time it is not published.
    assert_eq!(game(&format!("{opening} +5 . -e5 {rest}")), moves);
}

#[test]
fn the_path_of_a_capture_follows_seen_squares() {
    // Over d6 and g3 the king may turn on e5 or on f4.
    let fen = "W:WKb8,c1:Bd6,e3,Kg3,b2,d2,Ka1,Ke1";
    let board = "1p6/8/3B4/8/8/4B1b1/1B1B4/b1P1b3";
    let path = |stream: &str| {
        let options = Options { start: Some(Start::from_fen(fen).unwrap()), ..Options::default() };
        let published = games_of(&records(&format!("={board} . +4 {stream} L90 +2 . +10 .")), options);
        final_moves(&published)[0].strip_suffix(" [* input-end]").unwrap().to_owned()
    };
    assert_eq!(path("-b8 pe5 -e5 ph2 -d6 -g3"), "b8:e5:h2");
    assert_eq!(path("-b8 pf4 -f4 ph2 -d6 -g3"), "b8:f4:h2");
    // Removed while the king is on its way, and seen on the square after it had left it.
    assert_eq!(path("-b8 -d6 pf4 ph2 -f4 -g3"), "b8:f4:h2");
    // Neither was seen, or both: the nearest landings, marked as a guess.
    assert_eq!(path("-b8 ph2 -d6 -g3"), "?b8:e5:h2");
    assert_eq!(path("-b8 pe5 -e5 pf4 -f4 ph2 -d6 -g3"), "?b8:e5:h2");
}

#[test]
fn a_capturing_piece_may_rest_at_turning_points() {
    let (fen, board) = ("W:Wb4,h2:Bc5,e7,a3", "8/4B3/8/2B5/1P6/B7/7P/8");
    let stream = "-b4 Pd6 +2 . -c5 +3 . +2 . -d6 Pf8 +2 . -e7 L90 +2 . -a3 Bb2 R90";
    assert_eq!(game_from(fen, board, stream), "b4:d6:f8 a3-b2");
    let quick = "-b4 Pd6 -c5 -d6 Pf8 +2 . -e7 L90 +2 . -a3 Bb2 R90";
    assert_eq!(game_from(fen, board, quick), "b4:d6:f8 a3-b2");
}

/// The records of a game that begins with a start mark, with this set.
fn marked(set: Option<Set>, stream: &str) -> Vec<crate::record::GameRecord> {
    games_of(&records(stream), Options { set, rules: Some(Rules::Russian), ..Options::default() })
}

fn fen(published: &[crate::record::GameRecord]) -> &str {
    match &published[0].event {
        GameEvent::Game(start) => &start.fen,
        other => panic!("{other:?}"),
    }
}

#[test]
fn kings_of_every_set_are_read_at_start_marks() {
    // A man on a3 and a king on c1 against a man on h6 and a king on b8.
    let kings = "W:Wa3,Kc1:BKb8,h6";
    for (set, placement, play, want) in [
        (Some(Set::Disks), "1b6/8/7B/8/8/P7/8/2p5", "-c1 pf4 L90 +2 . -b8 bd6 R90", kings),
        (None, "1b6/8/7B/8/8/P7/8/2p5", "-c1 pf4 L90 +2 . -b8 bd6 R90", kings),
        (Some(Set::DisksOld), "1b6/8/7p/8/8/P7/8/2B5", "-c1 Bf4 L90 +2 . -b8 bd6 R90", kings),
        (Some(Set::Pawns), "1k6/8/7p/8/8/P7/8/2R5", "-c1 Rf4 L90 +2 . -b8 kd6 R90", kings),
        // The colours do not decide.
        (Some(Set::Colour), "1n6/8/7q/8/8/R7/8/2P5", "-c1 Pd2 L90 +2 . -b8 nc7 R90", "W:Wa3,c1:Bb8,h6"),
    ] {
        let published = marked(set, &format!("={placement} @start . +4 {play} +2 ."));
        assert_eq!(fen(&published), want, "{placement}");
        let moves = if want == kings { "c1-f4 b8:g3" } else { "c1-d2 b8-c7" };
        let stream = play.replace("d6", "g3 -f4");
        let published = marked(set, &format!("={placement} @start . +4 {stream} +2 ."));
        assert_eq!(final_moves(&published), [format!("{moves} [* input-end]")], "{placement}");
    }
}

// Users' pain: sliding pieces (picochess#171).
#[test]
fn a_sliding_king_makes_one_move() {
    let (fen, board) = ("W:WKa1,a3:Bh4,h8", "7B/8/8/8/7B/P7/8/p7");
    let slide = "-a1 pb2 -b2 pc3 pd4 -c3 -d4 pe5 -e5 pf6 L90 +2 . -h4 Bg3 R90";
    assert_eq!(game_from(fen, board, slide), "a1-f6 h4-g3");
    assert_eq!(game_from(fen, board, "-a1 pc3 +2 -c3 pf6 +2 . +2 . -h4 Bg3 +2 ."), "a1-f6 h4-g3");
}

// Users' pain: fast play loses the software (picochess#267).
#[test]
fn a_capture_and_its_reply_in_one_poll() {
    let opening = "-g3 Pf4 L90 +2 . -d6 Be5 R90 +2 .";
    let exchange = "-f4 -e5 Pd6 L80 -e7 -d6 Bc5 R80 -c3 Pb4 L70 +2 .";
    assert_eq!(game(&format!("{opening} {exchange}")), "g3-f4 d6-e5 f4:d6 e7:c5 c3-b4");
    // The man that is given away is captured before it was seen to land.
    let given = "-g3 L90 -e5 Bg3 -f4 R90 +2 . -h2 -g3 Pf4 L80 +2 .";
    assert_eq!(game(&format!("-a3 Pb4 L99 +2 . -f6 Be5 R99 +2 . {given}")), "a3-b4 f6-e5 g3-f4 e5:g3 h2:f4");
}

// Users' pain: an illegal move that was played blocks everything after it (broadcaster#63);
// no warning at once of an illegal move (picochess#76).
#[test]
fn a_missed_compulsory_capture_is_an_anomaly() {
    let opening = "-g3 Pf4 L90 +2 . -d6 Be5 R90 +2 .";
    let published = |stream: &str| super::published(&format!("={DISKS} . +4 {opening} {stream}"));
    let right = "-b4 Pa3 -f4 -e5 Pd6 L70 +2 . -e7 -d6 Bc5 R70 +2 .";
    assert_eq!(
        published(&format!("-a3 Pb4 L80 +12 . +2 . {right}")),
        "game g3-f4 d6-e5 !illegal f4:d6 e7:c5 [* input-end]"
    );
    // Play that continues from it is kept.
    let on = published("-a3 Pb4 L80 +12 . +2 . -f6 Bg5 R80 +2 . -g5 +2 Bg5 +2 . -f4 -e5 Pd6 L70 +2 . +2 .");
    assert!(on.contains("!illegal"), "{on}");
}

#[test]
fn a_circular_capture_follows_its_seen_stops() {
    let (fen, board) = ("W:WKf4:Ba7,e5,e7,g5,g7", "8/B3B1B1/8/4B1B1/5p2/8/8/8");
    let one_way = "-f4 ph6 +2 -g5 +2 -h6 pf8 +2 -g7 +2 -f8 pd6 +2 -e7 +2 -d6 pf4 +2 -e5 +2 .";
    assert_eq!(game_from(fen, board, one_way), "f4:h6:f8:d6:f4");
    let the_other = "-f4 pd6 +2 -e5 +2 -d6 pf8 +2 -e7 +2 -f8 ph6 +2 -g7 +2 -h6 pf4 +2 -g5 +2 .";
    assert_eq!(game_from(fen, board, the_other), "f4:d6:f8:h6:f4");
}

#[test]
fn a_symmetrical_move_does_not_turn_the_board() {
    let (fen, board) = ("W:Wg5,a3:BKd4", "8/8/8/6P1/3b4/P7/8/8");
    let play = "-a3 Pb4 L90 +2 . -d4 be5 R90 +2 . -b4 Pc5 L88 +2 . -e5 ba1 R88 +2 . -c5 Pb6 L86 +2 .";
    assert_eq!(game_from(fen, board, play), "a3-b4 d4-e5 b4-c5 e5-a1 c5-b6");
}

#[test]
fn a_move_replaced_before_the_press_is_not_published() {
    assert_eq!(game("-c3 Pd4 +2 . -d4 Pc3 -c3 Pb4 L90 +2 . -b6 Ba5 R90"), "c3-b4 b6-a5");
}

#[test]
fn a_side_without_moves_has_lost() {
    let (fen, board) = ("W:Wc3:Bd4,f6", "8/8/5B2/8/3B4/2P5/8/8");
    assert_eq!(game_from(fen, board, "-c3 -d4 Pe5 -e5 -f6 Pg7 L90 +6 . +2 ."), "c3:e5:g7 [1-0 no-moves]");
    // A blocked side has lost, too.
    let (fen, board) = ("B:Wa5:Ba7,c7", "8/B1B5/8/P7/8/8/8/8");
    assert_eq!(game_from(fen, board, "-a7 Bb6 R90 +6 . +2 ."), "a7-b6 [0-1 no-moves]");
}

#[test]
fn a_claimable_draw_is_reported_without_an_end() {
    let (fen, board) = ("W:WKa1:BKh4", "8/8/8/8/7b/8/8/p7");
    let round = "-a1 pb2 L90 +2 . -h4 bg3 R90 +2 . -b2 pa1 L90 +2 . -g3 bh4 R90 +2 .";
    let options = Options { start: Some(Start::from_fen(fen).unwrap()), ..Options::default() };
    let published = games_of(&records(&format!("={board} . +4 {round} {round} {round}")), options);
    let claims: Vec<(u32, &str)> = published
        .iter()
        .filter_map(|record| match &record.event {
            GameEvent::Move(m) => Some((m.ply?, m.claim.as_deref()?)),
            _ => None,
        })
        .collect();
    assert_eq!(claims[..2], [(8, "threefold"), (9, "threefold")]);
    assert_eq!(final_moves(&published)[0].split(' ').count(), 14, "{published:?}");
}

#[test]
fn moves_without_power_are_bridged_as_guesses() {
    let opening = "-a3 Pb4 L99 +2 . -f6 Be5 R99 +2 .";
    let stand = "1B1B1B1B/B1B1B1B1/1B1B3B/4B3/1P3P2/2P3P1/1P1P1P1P/P1P1P1P1";
    let stream = format!("{opening} ={stand} +2 . +2 . -b6 Ba5 R80 +2 .");
    assert_eq!(game(&stream), "a3-b4 f6-e5 ?e3-f4 b6-a5");
}

#[test]
fn the_game_after_draughts_may_be_chess() {
    let opening = "-g3 Pf4 L90 +2 . -d6 Be5 R90 +2 . -f4 -e5 Pd6 L80 +2 .";
    let again = format!("={DISKS} . +4 {opening} +9 . ={DISKS} . +9 . {opening}");
    assert_eq!(games(&again), ["g3-f4 d6-e5 f4:d6 [* new-game]", "g3-f4 d6-e5 f4:d6 [* input-end]"]);
    let chess = format!("={DISKS} . +4 {opening} +9 . ={} @begin . +9 . -e2 Pe4 L90 +2 .", super::START);
    assert_eq!(games(&chess), ["g3-f4 d6-e5 f4:d6 [* new-game]", "e4 [* input-end]"]);
}

#[test]
fn a_draughts_history_publishes_nothing_twice() {
    let log = format!(
        "@start: {} -g3 Pf4 L90 -d6 Be5 R90 -f4 -e5 Pd6 L80 -e7 -d6 Bc5 R80",
        super::boards::listing(DISKS)
    );
    let again = records(&log);
    let mut stream = records(&format!("={DISKS} @start . +4 -g3 Pf4 L90 +2 . -d6 Be5 R90 +2 ."));
    stream.push(super::boards::history(again.len(), true));
    stream.extend(again);
    stream.extend(records("+60 . -c3 Pb4 L70 +2 ."));
    let published = games_of(&stream, Options::default());
    let words: Vec<_> = published.iter().map(|r| super::word(&r.event)).collect();
    assert_eq!(words.join(" "), "game g3-f4 d6-e5 f4:d6 e7:c5 c3-b4 [* input-end]");
}

#[test]
fn a_captor_lands_on_an_earlier_captured_square() {
    // h4 captures g3 and lands on f2; e1 captures it there and lands on g3, which shows a white man all the time.
    let (fen, board) = ("B:Wg3,e1,a1:Bh4,h8", "7B/8/8/8/7B/6P1/8/P3P3");
    let then = "+2 . -h8 Bg7 R80 +2 . -a1 Pb2 L80 +2 .";
    for exchange in ["-h4 Bf2 R90 -e1 -f2 L90", "-h4 R90 -e1 L90", "-h4 Bf2 -g3 R90 -e1 -f2 Pg3 L90"] {
        assert_eq!(
            game_from(fen, board, &format!("{exchange} {then}")),
            "h4:f2 e1:g3 h8-g7 a1-b2",
            "{exchange}"
        );
    }
}

#[test]
fn men_on_others_start_squares_do_not_wait() {
    let moves = "-c3 Pd4 +2 . -b6 Ba5 +2 . -b2 Pc3 +2 . -c7 Bb6 +2 . -a1 Pb2 +2 . -b8 Bc7 +2 .";
    let published = super::published_so_far(&format!("={DISKS} . +4 {moves}"));
    assert_eq!(published, "game c3-d4 b6-a5 b2-c3 c7-b6 a1-b2 b8-c7");
}

#[test]
fn a_man_moves_onto_an_unremoved_captured_one() {
    // The captured man stays on d4: of the move to that square only the beginning is reported.
    let from = "B:Wd4,d2,e3:Be5,h8";
    let options = Options { start: Some(Start::from_fen(from).unwrap()), ..Options::default() };
    let stream = "=7B/8/8/4B3/3P4/4P3/3P4/8 . +4 -e5 Bc3 -c3 be1 -d2 R90 +2 . -e3 L90 +2 .";
    assert_eq!(words(&games_so_far(&records(stream), options)), "game e5:c3:e1 e3-d4");
}
