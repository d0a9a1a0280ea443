//! What boards do.

use super::{
    GameEvent, GameRecord, OPENED, OPENING, Options, START, final_moves, game, games, games_of, published,
    published_so_far, records, without_clock, without_repeats, words,
};
use crate::record::{Placement, Square};

/// The mover's clock time of each published move.
fn clocks(published: &[GameRecord]) -> Vec<f64> {
    let seconds = without_repeats(published).into_iter().filter_map(|record| match &record.event {
        GameEvent::Move(mv) => Some(mv.seconds.expect("the clock is on").0),
        _ => None,
    });
    seconds.collect()
}

#[test]
fn a_turned_board_turns_its_clock() {
    let start = "RNBKQBNR/PPPPPPPP/8/8/8/8/pppppppp/rnbkqbnr";
    // Detected by its pieces and its mark, or by one of them.
    for begin in [format!("={start} @begin-rotated"), format!("={start}"), "@begin-rotated".into()] {
        let published = games_of(
            &records(&format!("{begin} . +4 -d7 Pd5 R90 +2 . -d2 pd4 L89 +2 .")),
            Default::default(),
        );
        assert_eq!(words(&published), "game e4 e5 [* input-end]", "{begin}");
        let GameEvent::Game(game) = &published[0].event else { panic!("{published:?}") };
        assert!(game.rotated, "{begin}");
        assert_eq!(clocks(&published), [90.0, 89.0], "{begin}");
    }
}

#[test]
fn a_ghost_on_an_empty_square_is_no_move() {
    // For one scan, and through a poll.
    assert_eq!(game("Na5 -a5 -e2 Pe4 L90 +2 . nd6 -d6 -e7 pe5 R90"), "e4 e5");
    assert_eq!(game("Pb3 +2 . -b3 -e2 Pe4 L90 +2 . bf5 +2 . -f5 -e7 pe5 R90"), "e4 e5");
}

// Users' pain: hardware faults (picochess#49).
#[test]
fn a_flickering_square_is_no_move() {
    assert_eq!(game("-a2 Pa2 -a2 Pa2 -a2 Pa2 -a2 Pa2 -e2 Pe4 L90 +2 . -a2 Pa2 -a2 Pa2 -e7 pe5 R90"), "e4 e5");
}

// Users' pain: hardware faults (picochess#49).
#[test]
fn a_wrong_code_for_one_scan_is_no_move() {
    assert_eq!(game("-e2 Pe4 L90 +2 . Qd2 Pd2 +2 . -e7 ne5 pe5 R90"), "e4 e5");
}

/// The listing of a placement, as changes on an empty board.
pub fn listing(placement: &str) -> String {
    let placement: super::Placement = placement.parse().unwrap();
    let words: Vec<_> = crate::record::Square::all()
        .rev()
        .filter_map(|square| placement.get(square).map(|piece| format!("{piece}{square}")))
        .collect();
    words.join(" ")
}

#[test]
fn a_power_up_listing_during_a_game_changes_nothing() {
    let now = listing(OPENED);
    assert_eq!(game(&format!("{OPENING} @power-up: {now} +2 . -f1 Bb5 L80 +2 .")), "e4 e5 Nf3 Nc6 Bb5");
    assert_eq!(game(&format!("{OPENING} @watchdog: {now} +2 . -f1 Bb5 L80 +2 .")), "e4 e5 Nf3 Nc6 Bb5");
}

#[test]
fn a_move_made_without_power_is_a_guess() {
    let now = listing("r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R");
    assert_eq!(
        game(&format!("{OPENING} @power-up: {now} +2 . +2 . -a7 pa6 R80 +2 .")),
        "e4 e5 Nf3 Nc6 ?Bb5 a6"
    );
}

#[test]
fn a_history_of_the_same_game_publishes_nothing_twice() {
    let publish = |records: Vec<super::BoardRecord>| words(&games_of(&records, Default::default()));
    let live = format!("={START} @begin . +4 -e2 Pe4 L90 +2 . -e7 pe5 R90 +2 .");
    let log = format!("@start: {} -e2 Pe4 L90 -e7 pe5 R90 -g1 Nf3 L88 -b8 nc6 R88", listing(START));
    let again = records(&log);
    let mut stream = records(&live);
    stream.push(history(again.len(), true));
    stream.extend(again.clone());
    stream.extend(records("+60 . -f1 Bb5 L80 +2 ."));
    assert_eq!(publish(stream), "game e4 e5 Nf3 Nc6 Bb5 [* input-end]");
    // The same log alone, as a watch that begins in the middle of a game asks for it.
    let mut stream = vec![history(again.len(), true)];
    stream.extend(again);
    assert_eq!(publish(stream), "game e4 e5 Nf3 Nc6 [* input-end]");
}

pub fn history(count: usize, complete: bool) -> super::BoardRecord {
    let history = crate::record::History { reason: "lost changes".into(), count: count as u64, complete };
    super::BoardRecord::new(
        Some(super::Time(1_020_000)),
        Some(1),
        crate::record::BoardEvent::History(history),
    )
}

#[test]
fn a_history_does_not_publish_an_earlier_game_again() {
    let first = format!(
        "={START} @begin . +4 -f2 Pf3 L90 +2 . -e7 pe5 R90 +2 . -g2 Pg4 L80 +2 . -d8 qh4 R80 +6 . +2 ."
    );
    let back = format!("={START} @begin . +4 -d2 Pd4 L90 +2 .");
    let log = format!(
        "@start: {} -f2 Pf3 L90 -e7 pe5 R90 -g2 Pg4 L80 -d8 qh4 R80 -h4 qd8 -g4 Pg2 -f3 Pf2 -e5 pe7 @begin -d2 Pd4 L90 -d7 pd5 R90",
        listing(START)
    );
    let again = records(&log);
    let mut stream = records(&format!("{first} {back}"));
    stream.push(history(again.len(), true));
    stream.extend(again);
    let published = words(&games_of(&stream, Default::default()));
    assert_eq!(published, "game f3 e5 g4 Qh4# [0-1 checkmate] game d4 d5 [* input-end]");
}

#[test]
fn a_misread_list_of_pieces_begins_no_game() {
    // One bit of the queen's square makes d3 of d1, and a checksum of seven bits has let it pass.
    let wrong = listing(START).replace("Qd1", "Qd3");
    let moves = "-e2 Pe4 L90 -e7 pe5 R90 -g1 Nf3 L88 -b8 nc6 R88";
    let mut stream = records(&format!("={START} @begin . +4 {OPENING}"));
    for list in [wrong, listing(START)] {
        let log = records(&format!("+20 @start: {list} {moves} -f1 Bb5 L80 -a7 pa6 R80"));
        stream.push(history(log.len(), true));
        stream.extend(log);
    }
    stream.extend(records("+100 ."));
    let published = words(&games_of(&stream, Default::default()));
    assert_eq!(published, "game e4 e5 Nf3 Nc6 Bb5 a6 [* input-end]");
}

#[test]
fn a_complete_history_replaces_a_wrong_first_move() {
    // White's knight moved, which was not reported; the log has it.
    let live = format!("={START} @begin . +4 -e2 Pe4 L90 +2 . -e7 pe5 R90 +2 . -b8 nc6 R88 +2 .");
    for first in ["-e2 Pe4", "Pe4 -e2", "Pe3 -e2 -e3 Pe4", "Pe3 Pe4 -e3 -e2"] {
        let mut stream = records(&live);
        let log = format!("+20 @start: {} {first} L90 -e7 pe5 R90 -g1 Nf3 L88 -b8 nc6 R88", listing(START));
        let log = records(&log);
        stream.push(history(log.len(), true));
        stream.extend(log);
        stream.extend(records("+100 . -f1 Bb5 L80 +2 ."));
        let published = words(&games_of(&stream, Default::default()));
        // The anomaly is withdrawn with the ply after which it was published.
        assert_eq!(published, "game e4 e5 !illegal <1 e5 Nf3 Nc6 Bb5 [* input-end]", "{first}");
    }
}

#[test]
fn a_history_closes_one_game_and_begins_another() {
    let mut stream = records(&format!("={START} @begin . +4 -f2 Pf3 L90 +2 . -e7 pe5 R90 +2 ."));
    let log = records(&format!(
        "@start: {} -f2 Pf3 L90 -e7 pe5 R90 -g2 Pg4 L80 -d8 qh4 R80 -h4 qd8 -g4 Pg2 -f3 Pf2 -e5 pe7 @begin -d2 Pd4 L90 -d7 pd5 R90",
        listing(START)
    ));
    stream.push(history(log.len(), true));
    stream.extend(log);
    let published = words(&games_of(&stream, Default::default()));
    assert_eq!(published, "game f3 e5 g4 Qh4# [0-1 checkmate] game d4 d5 [* input-end]");
}

#[test]
fn a_history_without_start_mark_adds_new_records() {
    let before_the_press = OPENING.strip_suffix(" R88 +2 .").unwrap();
    for heard in [before_the_press, OPENING] {
        let mut stream = records(&format!("={START} @begin . +12 {heard}"));
        let log = records("+20 -e7 pe5 R90 -g1 Nf3 L88 -b8 nc6 R88 -f1 Bb5 L80 -a7 pa6 R70");
        stream.push(history(log.len(), false));
        stream.extend(log);
        stream.extend(records("+100 ."));
        let published = games_of(&stream, Default::default());
        assert_eq!(words(&published), "game e4 e5 Nf3 Nc6 Bb5 a6 [* input-end]");
        assert_eq!(clocks(&published), [90.0, 90.0, 88.0, 88.0, 80.0, 70.0], "{heard}");
    }
}

#[test]
fn a_history_that_joins_nowhere_is_ignored() {
    let mut stream = records(&format!("={START} @begin . +4 {OPENING}"));
    let log = records("+20 -c6 nd4 R70 -f3 Nd4 L70");
    stream.push(history(log.len(), false));
    stream.extend(log);
    stream.extend(records("+100 =r1bqkbnr/1ppp1ppp/p1n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R +2 . +12 ."));
    let published = words(&games_of(&stream, Default::default()));
    assert_eq!(published, "game e4 e5 Nf3 Nc6 ?Bb5 ?a6 [* input-end]");
}

#[test]
fn plies_missed_while_a_board_is_lost_are_bridged() {
    // Two plies were missed; their order is the only legal one.
    let later = "r1bqkbnr/1ppp1ppp/p1n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R";
    assert_eq!(
        game(&format!("{OPENING} lost +30 ={later} +2 . +2 . -b5 Ba4 L70 +2 .")),
        "e4 e5 Nf3 Nc6 ?Bb5 ?a6 Ba4"
    );
}

#[test]
fn a_king_under_way_when_power_fails_castles() {
    // Castling: the king is seen on f1, then the power fails for longer than a move takes to be published.
    let castle = "-e2 Pe4 +2 . -e7 pe5 +2 . -g1 Nf3 +2 . -b8 nc6 +2 . -f1 Bc4 +2 . -f8 bc5 +2 . +9 -e1 qKf1 +2 lost +8";
    let castled = "r1bqk1nr/pppp1ppp/2n5/2b1p3/2B1P3/5N2/PPPP1PPP/RNBQ1RK1";
    assert_eq!(
        game(&format!("{castle} @power-up: {} ={castled} +2 . +9 -g8 nf6 +2 . +9 .", listing(castled))),
        "e4 e5 Nf3 Nc6 Bc4 Bc5 ?O-O Nf6"
    );
}

#[test]
fn a_move_missed_while_the_reply_is_held() {
    // Bb5 is found on the board, and a7 empty: the pawn comes to a6 a moment later.
    let found = "r1bqkbnr/1ppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R";
    assert_eq!(
        game(&format!("{OPENING} lost +8 ={found} +2 pa6 +2 . +9 -b5 Ba4 L70 +2 .")),
        "e4 e5 Nf3 Nc6 ?Bb5 a6 Ba4"
    );
}

#[test]
fn an_ambiguous_gap_is_an_anomaly_and_play_continues() {
    // d4 and c4 with d5 and e6, in unknown order.
    let later = "rnbqkbnr/ppp2ppp/4p3/3p4/2PP4/8/PP2PPPP/RNBQKBNR";
    let stream =
        format!("={START} @begin . +4 lost +60 ={later} +2 . +12 . -b1 Nc3 L70 +2 . -g8 nf6 R70 +2 . +2 .");
    assert_eq!(published(&stream), "game !gap ?c4 ?e6 ?d4 ?d5 Nc3 Nf6 [* input-end]");
}

#[test]
fn an_incomplete_history_hides_no_later_record() {
    let begin = records(&format!("={START} @begin . +4 -e2 Pe4 L90 +2 ."));
    let next = records("+9 . -e7 pe5 R90 +2 . -g1 Nf3 L88 +2 .");
    let stream =
        crate::record::Stream { records: 1, program: String::new(), run: "b".into(), line: None, zone: None };
    let mut published = Vec::new();
    let mut publish = |record: super::GameRecord| {
        published.push(record);
        Ok::<(), ()>(())
    };
    let mut games = super::Reconstructor::new(Default::default());
    for record in begin.iter().chain(&[history(500, true)]).chain(&records("@start: Pe4")) {
        games.record(record, &mut publish).unwrap();
    }
    games.stream(&stream, &mut publish).unwrap();
    let now = records("=rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR");
    for record in now.iter().chain(&next) {
        games.record(record, &mut publish).unwrap();
    }
    games.finish(&mut publish).unwrap();
    assert_eq!(final_moves(&published), ["e4 e5 Nf3 [* input-end]"]);
}

#[test]
fn a_start_position_after_a_gap_begins_a_game() {
    // Two recordings of the same game, one after the other.
    let once = format!("={START} @begin . +4 {OPENING}");
    assert_eq!(
        games(&format!("{once} {once}")),
        ["e4 e5 Nf3 Nc6 [* new-game]", "e4 e5 Nf3 Nc6 [* input-end]"]
    );
}

#[test]
fn moves_after_a_gap_follow_the_bridged_ones() {
    // Black's bishop and White's pawn moved unseen: one way only, and then the moves that were seen.
    let moves = "-d2 Pd4 L89 +2 . -g8 nf6 R89 +2 . -c2 Pc4 L88 +2 . -g7 pg6 R88 +2 . -b1 Nc3 L87 +2 .";
    let later = "rnbqk2r/ppppppbp/5np1/8/2PPP3/2N5/PP3PPP/R1BQKBNR";
    let stream = format!("{moves} lost +60 ={later} +5 -d7 pd6 R80 +2 -g1 Nf3 L79 +2 .");
    assert_eq!(game(&stream), "d4 Nf6 c4 g6 Nc3 ?Bg7 ?e4 d6 Nf3");
}

#[test]
fn a_history_without_clock_keeps_the_previous_game() {
    let opening = "-d2 Pd4 +2 . -g8 nf6 +2 . -c2 Pc4 +2 . -d7 pd5 +2 .";
    let mut stream = records(&format!("={START} @begin . +4 {opening}"));
    let set_up = "-f6 ng8 -c4 Pc2 -d5 pd7 -d4 Pd2 @begin";
    let log = records(&format!("+800 @begin -d2 Pd4 -g8 nf6 -c2 Pc4 -d7 pd5 {set_up} -e2 Pe4"));
    stream.push(history(log.len(), true));
    stream.extend(log);
    let published = words(&games_of(&stream, Default::default()));
    assert_eq!(published, "game d4 Nf6 c4 d5 [* new-game] game e4 [* input-end]");
}

#[test]
fn a_history_of_a_finished_game_publishes_nothing() {
    let mate = "-f2 Pf3 L90 -e7 pe5 R90 -g2 Pg4 L80 -d8 qh4 R80";
    let kings = "-e2 Pe4 L90 -e7 pe5 R90 -g1 Nf3 L88 -b8 nc6 R88 -e1 -e4 Ke4 -e8 kd5";
    for (moves, expected) in
        [(mate, "game f3 e5 g4 Qh4# [0-1 checkmate]"), (kings, "game e4 e5 Nf3 Nc6 [1-0 kings]")]
    {
        let live = moves.replace(" -", " +2 . -");
        let mut stream = records(&format!("={START} @begin . +4 {live} +2 . +9 ."));
        let log = records(&format!("@begin {moves}"));
        stream.push(history(log.len(), true));
        stream.extend(log);
        stream.extend(records("+100 ."));
        assert_eq!(words(&games_of(&stream, Default::default())), expected);
    }
}

// Users' pain: clocks vanish because some moves have none (lila#15037).
#[test]
fn a_history_keeps_every_clock_time() {
    let moves = "-e2 Pe4 L90 -e7 pe5 R89 -g1 Nf3 L88 -b8 nc6 R87 -f1 Bb5 L86 -a7 pa6 R85 -b5 Ba4 L84 -g8 nf6 R83 \
                 -d2 Pd3 L82 -d7 pd6 R81";
    let times = [90.0, 89.0, 88.0, 87.0, 86.0, 85.0, 84.0, 83.0, 82.0, 81.0];
    let log = records(&format!("@begin {moves}"));
    // Nothing was read before, or only the beginning.
    for live in ["", "-e2 Pe4 L90 +2 . -e7 pe5 R89 +2 ."] {
        let mut stream = records(&format!("={START} @begin . {live}"));
        stream.push(history(log.len(), true));
        stream.extend(log.clone());
        stream.extend(records("+100 ."));
        let published = games_of(&stream, Default::default());
        assert_eq!(words(&published), "game e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 d3 d6 [* input-end]");
        assert_eq!(clocks(&published), times);
    }
}

#[test]
fn a_turned_replacement_board_continues_the_game() {
    let stands: Placement = OPENED.parse().unwrap();
    let opening = format!("={START} @begin . +4 {OPENING} +20 lost +60");
    // Bb5 and a6, as reported by a turned board: White sits at its right.
    let on = ". +9 -c8 Bg4 R80 +2 . -h2 ph3 L80 +2 . +2 .";
    let turned = stands.turned();
    assert_eq!(published(&format!("{opening} ={turned} {on}")), "game e4 e5 Nf3 Nc6 Bb5 a6 [* input-end]");
    // Its pieces may be set up one by one.
    let pieces = Square::all().filter_map(|square| Some(format!("{}{square}", turned.get(square)?)));
    let pieces: Vec<String> = pieces.collect();
    assert_eq!(
        published(&format!("{opening} =8/8/8/8/8/8/8/8 +2 {} {on}", pieces.join(" +1 "))),
        "game e4 e5 Nf3 Nc6 Bb5 a6 [* input-end]"
    );
}

/// 1. e4 d5 2. exd5 Qxd5 3. Nc3 Qa5 4. d4 Nf6, with a clock.
fn centre() -> String {
    let d5 = "-e2 Pe4 L90 +2 . +4 -d7 pd5 R90 +2 . +4 -d5 -e4 Pd5 L88 +2 . +4 -d5 -d8 qd5 R88 +2 . +4";
    format!("{d5} -b1 Nc3 L86 +2 . +4 -d5 qa5 R86 +2 . +4 -d2 Pd4 L84 +2 . +4 -g8 nf6 R84 +2 . +9 .")
}

/// The start for the next game, after that one.
fn adjourned() -> String {
    format!("={START} @begin . +4 {} +20 ={START} @begin . +60", centre())
}

/// The changes that move the pieces from the start to its last position, one by one, without regard to the game.
fn put_over() -> &'static str {
    "-d7 +1 -e2 +1 -d2 Pd4 +2 . -b1 Nc3 +2 . -g8 nf6 +2 . -d8 +1 qa5 +3 . +9"
}

#[test]
fn an_adjourned_game_continues_when_set_up_again() {
    let on = "-c1 Bd2 L82 +2 . +4 -c7 pc6 R82 +2 . +9 .";
    let first = "game e4 d5 exd5 Qxd5 Nc3 Qa5 d4 Nf6 [* new-game]";
    let (adjourned, centre, put_over) = (adjourned(), centre(), put_over());
    for clock in [true, false] {
        let published = |stream: &str| match clock {
            true => published(stream),
            false => published(&without_clock(stream)),
        };
        // The pieces are set up for a game in between, on this board or on its replacement.
        let output = published(&format!("{adjourned} {put_over} {on}"));
        assert!(output.starts_with(first) && output.ends_with(" Bd2 c6 [* input-end]"), "{clock} {output}");
        assert!(!clock || output == format!("{first} Bd2 c6 [* input-end]"), "{output}");
        // Another game may be played first.
        let other = "-c2 Pc4 L99 +2 . +4 -c7 pc5 R99 +2 . +4 -g2 Pg3 L98 +2 . +9 .";
        let output = published(&format!("{adjourned} {other} +60 ={START} @begin . +60 {put_over} {on}"));
        let both = format!("{first} game c4 c5 g3 [* new-game]");
        assert!(
            output.starts_with(&both) && output.ends_with(" game Bd2 c6 [* input-end]"),
            "{clock} {output}"
        );
        // With a clock, moves pressed up to the adjourned position are a new game; without one they replay the adjourned
        // game, which then goes on.
        let output = published(&format!("{adjourned} {centre} {on}"));
        let own = if clock { " game e4 d5 exd5 Qxd5 Nc3 Qa5 d4 Nf6" } else { "" };
        assert_eq!(output, format!("{first}{own} Bd2 c6 [* input-end]"), "{clock}");
    }
    let other = "-c2 Pc4 L99 +2 . +4 -c7 pc5 R99 +2 . +4 -g2 Pg3 L98 +2 . +9 .";
    let output = games_of(
        &records(&format!(
            "={START} @begin . +4 {centre} +20 ={START} . {other} +60 ={START} . +60 {put_over} {on}"
        )),
        Options::default(),
    );
    let mut begins = output.iter().filter_map(|record| match &record.event {
        GameEvent::Game(start) => Some(start.fen.as_str()),
        _ => None,
    });
    assert_eq!(begins.next_back().unwrap(), "rnb1kb1r/ppp1pppp/5n2/q7/3P4/2N5/PPP2PPP/R1BQKBNR w KQkq - 1 5");
}

/// The moves of [`centre`] without presses.
fn again() -> String {
    centre()
        .split_whitespace()
        .filter(|word| !word.starts_with(['L', 'R']))
        .map(|word| format!("{word} "))
        .collect()
}

#[test]
fn a_game_played_through_again_is_continued() {
    let first = "game e4 d5 exd5 Qxd5 Nc3 Qa5 d4 Nf6 [* new-game]";
    let on = "-c1 Bd2 L82 +2 . +4 -c7 pc6 R82 +2 . +9 .";
    let kings = "-e1 Ke4 +2 -e8 ke5 +2 . +9 . +9 .";
    let centre = centre();
    for stream in [format!("clock {centre} stopped"), without_clock(&centre)] {
        let through = format!("={START} @begin . +4 {stream} +20 ={START} @begin . +60 {} +5 .", again());
        assert_eq!(published_so_far(&through), first, "nothing is published of what is played through");
        assert_eq!(published(&format!("{through} {on}")), format!("{first} Bd2 c6 [* input-end]"));
        assert_eq!(published(&format!("{through} {kings}")), format!("{first} [1/2-1/2 kings]"));
        assert_eq!(published(&format!("{through} 1-0h5 +2 . +5 .")), format!("{first} [1-0 result-piece]"));
    }
    // Its last position may occur in it earlier, as where a draw is claimed.
    let to_and_fro = "-g1 Nf3 L80 +2 . +4 -f6 ng8 R80 +2 . +4 -f3 Ng1 L80 +2 . +4 -g8 nf6 R80 +2 . +9 .";
    let repeated = format!("{centre} {to_and_fro}");
    for stream in [format!("clock {repeated} stopped"), without_clock(&repeated)] {
        let again = without_clock(&repeated);
        let through = format!("={START} @begin . +4 {stream} +20 ={START} @begin . +60 {again} +5 .");
        let first = first.replace("Nf6 [", "Nf6 Nf3 Ng8 Ng1 Nf6 [");
        assert_eq!(published(&format!("{through} {kings}")), format!("{first} [1/2-1/2 kings]"));
    }
    // The next game is published where it is another, and where it is pressed.
    let adjourned = adjourned();
    let other = "-e2 Pe4 +4 . +4 -d7 pd5 +4 . +4 -g1 Nf3 +4 . +4 -g8 nf6 +4 . +9 .";
    let without = published_so_far(&without_clock(&format!("{adjourned} {other}")));
    assert_eq!(without, format!("{first} game e4 d5 Nf3 Nf6"));
    assert_eq!(published_so_far(&format!("{adjourned} -e2 Pe4 L99 +3 .")), format!("{first} game e4"));
}

#[test]
fn moved_pieces_publish_nothing_beside_a_clock() {
    let adjourned = adjourned();
    let first = "game e4 d5 exd5 Qxd5 Nc3 Qa5 d4 Nf6 [* new-game]";
    assert_eq!(published_so_far(&format!("{adjourned} {}", put_over())), first);
    // The next game is published at its first press, or without presses when it can be nothing else.
    assert_eq!(published_so_far(&format!("{adjourned} -d2 Pd4 L99 +3 .")), format!("{first} game d4"));
}
