//! Whole watches of a board alone on its cable, with all kinds of disturbances.

mod captured;
mod odd_boards;
mod pulled;

use std::time::Duration;

use super::{
    BoardAlone,
    fake_board::{Action, LoneBoard},
    watcher::Watcher,
};
use crate::{
    bus::{
        bus_mode::tests::{Kept, SETTINGS as BUS_SETTINGS},
        driver::{Driver as _, Recalled},
        followed_board::FollowedBoard,
        recall::Recall,
        watch::{Watch as _, WatchSettings},
    },
    record::{BoardEvent, BoardRecord, Placement},
    wire::records,
};

const SETTINGS: WatchSettings = WatchSettings { start_marks: false, ..BUS_SETTINGS };

/// White king, e2 to e4 and so on, as fields.
const E2: u8 = 0x34;
const E4: u8 = 0x24;
const E7: u8 = 0x0c;
const E5: u8 = 0x1c;
const G1: u8 = 0x3e;
const F3: u8 = 0x2d;

/// Clock bytes: left 1:29:50 and right 1:30:00, the left side's turn, then the right side's.
const LEFT: [u8; 7] = [0x01, 0x30, 0x00, 0x01, 0x29, 0x50, 0x09];
const RIGHT: [u8; 7] = [0x01, 0x30, 0x00, 0x01, 0x29, 0x48, 0x13];

fn follow(
    board: LoneBoard,
    settings: WatchSettings,
    until: f64,
    recalled: Option<Placement>,
) -> (LoneBoard, Vec<BoardRecord>) {
    let settings = WatchSettings { seconds: Some(Duration::from_secs_f64(until)), ..settings };
    let mut watcher = Watcher::new(board, Kept::default(), settings, stood(recalled));
    watcher.run().unwrap();
    let (board, Kept(records)) = watcher.into_parts();
    (board, records)
}

/// The state of the board from an earlier run, with this position.
pub(in crate::bus) fn stood(placement: Option<Placement>) -> Recalled {
    let of = |placement| {
        let mut board = FollowedBoard::new(1025);
        board.set_placement(placement);
        (1025, board)
    };
    placement.map(of).into_iter().collect()
}

/// The records in short: "e2-", "e4P", "quiet", …
fn short(records: &[BoardRecord]) -> Vec<String> {
    let piece = |piece: Option<crate::record::Piece>| piece.map_or("-".into(), |piece| piece.to_string());
    let short = |record: &BoardRecord| match &record.event {
        BoardEvent::Change(change) => format!("{}{}", change.square, piece(change.piece)),
        BoardEvent::Position(position) => format!("={}", position.placement),
        BoardEvent::Press(press) => format!("{:?} {}", press.side, press.seconds.0),
        BoardEvent::Lost(link) => format!("lost {}", link.reason),
        BoardEvent::Found(link) => format!("found {}", link.reason),
        BoardEvent::Mark(mark) => format!("{:?}", mark.mark),
        BoardEvent::History(history) => {
            format!(
                "history {} {}{}",
                history.reason,
                history.count,
                if history.complete { "" } else { " torn" }
            )
        }
        event => event.kind().to_owned(),
    };
    records.iter().map(short).collect()
}

const STANDS: &str = "=rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
const AFTER_E4: &str = "=rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR";

#[test]
fn changes_are_published_and_then_quiet() {
    let mut board = LoneBoard::new();
    board.moves(5.0, E2, E4, 1);
    let (board, records) = follow(board, SETTINGS, 12.0, None);
    assert_eq!(short(&records), ["board", STANDS, "clock", "quiet", "e2-", "e4P", "quiet"]);
    assert!(records.iter().all(|record| record.board == Some(1025)));
    let line = serde_json::to_string(&records[0]).unwrap();
    assert!(line.contains(r#""mode":"single","version":"1.8""#), "{line}");
    // The log was not asked for: it takes eight seconds.
    assert!(!board.asked.contains(&0x49) && board.asked.contains(&0x4b));
    assert_eq!(records[4].time.unwrap().0 / 100, 50);
}

#[test]
fn a_turn_of_the_lever_is_a_press() {
    let mut board = LoneBoard::new();
    board.clock = LEFT;
    board.moves(5.0, E2, E4, 1);
    board.script.push_back((Duration::from_secs(6), Action::Clock(RIGHT)));
    let (_, records) = follow(board, SETTINGS, 12.0, None);
    assert_eq!(
        short(&records),
        ["board", STANDS, "clock", "quiet", "e2-", "e4P", "Left 5388", "clock", "quiet"]
    );
}

#[test]
fn moves_during_an_outage_are_read_from_the_log() {
    let mut board = LoneBoard::new();
    board.moves(5.0, E2, E4, 1);
    board.unplugged = vec![(Duration::from_secs(10), Duration::from_secs(30))];
    board.moves(12.0, E7, E5, 7);
    board.script.push_back((Duration::from_secs(13), Action::Log(vec![0x60, 0x59, 0x50])));
    board.moves(14.0, G1, F3, 3);
    // And one more while the log, which takes a second here, is on its way.
    board.moves(40.0, F3, G1, 3);
    let (_, records) = follow(board, SETTINGS, 60.0, None);
    let short = short(&records);
    let lost = short.iter().position(|record| record == "lost port-closed").unwrap();
    assert_eq!(
        short[lost..],
        [
            "lost port-closed",
            "found port-closed",
            "history port-closed 9",
            "Begin",
            "e2-",
            "e4P",
            "e7-",
            "e5p",
            "Right 3590",
            "g1-",
            "f3N",
            "End",
            "=rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R",
            "quiet",
            "f3-",
            "g1N",
            "quiet"
        ]
    );
}

// Users' pain: a slow or unstable radio link (lila#19463).
#[test]
fn a_slow_radio_link_with_dropouts_loses_no_move() {
    let mut board = LoneBoard::new();
    board.held_back = Duration::from_millis(400);
    board.moves(5.0, E2, E4, 1);
    // Nothing moves while it is gone for the first time, a move is made during the second.
    let second = Duration::from_secs_f64;
    board.unplugged = vec![(second(12.0), second(13.0)), (second(20.0), second(27.0))];
    board.moves(22.0, E7, E5, 7);
    board.moves(50.0, G1, F3, 3);
    let (_, records) = follow(board, SETTINGS, 60.0, None);
    assert_eq!(
        short(&records),
        [
            "board",
            STANDS,
            "clock",
            "quiet",
            "e2-",
            "e4P",
            "quiet",
            "lost port-closed",
            "found port-closed",
            "lost port-closed",
            "found port-closed",
            "history port-closed 6",
            "Begin",
            "e2-",
            "e4P",
            "e7-",
            "e5p",
            "End",
            "=rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR",
            "quiet",
            "g1-",
            "f3N",
            "quiet"
        ]
    );
}

#[test]
fn without_moves_a_pulled_cable_needs_no_log() {
    let mut board = LoneBoard::new();
    board.unplugged = vec![(Duration::from_secs(10), Duration::from_secs(30))];
    let (board, records) = follow(board, SETTINGS, 40.0, None);
    assert_eq!(short(&records)[4..], ["lost port-closed", "found port-closed"]);
    assert!(!board.asked.contains(&0x49));
}

#[test]
fn a_missed_change_is_detected_and_read_from_the_log() {
    let mut board = LoneBoard::new();
    let at = Duration::from_secs_f64;
    board.script.push_back((at(5.0), Action::Field(E2, 0)));
    board.script.push_back((at(5.5), Action::Unheard(E4, 1)));
    let (_, records) = follow(board, SETTINGS, 20.0, None);
    let short = short(&records);
    assert_eq!(short[4..], ["e2-", "history position 4", "Begin", "e2-", "e4P", "End", AFTER_E4, "quiet"]);
}

#[test]
fn a_board_without_power_is_lost_and_then_found() {
    let mut board = LoneBoard::new();
    let at = Duration::from_secs_f64;
    board.script.push_back((at(5.0), Action::Power(false)));
    board.script.push_back((at(40.0), Action::Power(true)));
    board.moves(60.0, E2, E4, 1);
    let (_, records) = follow(board, SETTINGS, 80.0, None);
    assert_eq!(short(&records)[4..], ["lost timeout", "found timeout", "e2-", "e4P", "quiet"]);
}

#[test]
fn after_a_short_loss_of_power_changes_are_published() {
    let mut board = LoneBoard::new();
    let at = Duration::from_secs_f64;
    board.script.push_back((at(5.1), Action::Power(false)));
    board.script.push_back((at(5.4), Action::Power(true)));
    board.moves(20.0, E2, E4, 1);
    let (_, records) = follow(board, SETTINGS, 30.0, None);
    assert_eq!(short(&records)[4..], ["e2-", "e4P", "quiet"]);
}

#[test]
fn a_game_in_play_is_read_from_the_log() {
    let mut board = LoneBoard::new();
    board.moves(0.0, E2, E4, 1);
    board.pause_until(1.0);
    let (_, records) = follow(board, SETTINGS, 12.0, None);
    assert_eq!(
        short(&records),
        ["board", "history watch-begins 4", "Begin", "e2-", "e4P", "End", AFTER_E4, "clock", "quiet"]
    );
}

#[test]
fn a_restarted_watch_publishes_only_new_changes() {
    let stands: Placement = AFTER_E4[1..].parse().unwrap();
    let mut board = LoneBoard::new();
    board.moves(0.0, E2, E4, 1);
    board.pause_until(1.0);
    board.moves(8.0, E7, E5, 7);
    let (_, records) = follow(board, SETTINGS, 12.0, Some(stands));
    assert_eq!(short(&records), ["board", "clock", "e7-", "e5p", "quiet"]);
}

#[test]
fn a_damaged_log_is_fetched_again() {
    let mut board = LoneBoard::new();
    board.moves(0.0, E2, E4, 1);
    board.pause_until(1.0);
    // The field of the last entry; messages of a board alone carry no checksum.
    board.spoil_log = Some((0, board.log.len() - 1));
    let (board, records) = follow(board, SETTINGS, 12.0, None);
    assert_eq!(board.asked.iter().filter(|&&command| command == 0x49).count(), 2);
    assert_eq!(short(&records)[1..5], ["history watch-begins 5", "Begin", "e2-", "e4P"]);
}

#[test]
fn a_position_that_the_log_does_not_explain_is_published() {
    let mut board = LoneBoard::new();
    board.script.push_back((Duration::from_secs(5), Action::Unlogged(E2, 0)));
    board.unplugged = vec![(Duration::from_secs(4), Duration::from_secs(6))];
    let (_, records) = follow(board, SETTINGS, 20.0, None);
    let short = short(&records);
    let found = short.iter().position(|record| record == "found port-closed").unwrap();
    assert_eq!(short[found + 1..], ["fault", "=rnbqkbnr/pppppppp/8/8/8/8/PPPP1PPP/RNBQKBNR", "quiet"]);
}

#[test]
fn only_a_board_with_a_bus_mode_gets_marks() {
    for has_bus_mode in [true, false] {
        let mut board = LoneBoard::new();
        board.has_bus_mode = has_bus_mode;
        board.moves(20.0, E2, E4, 1);
        let settings = WatchSettings { start_marks: true, ..SETTINGS };
        let (board, records) = follow(board, settings, 30.0, None);
        let marks = if has_bus_mode { 1 } else { 0 };
        assert_eq!(board.log.iter().filter(|&&byte| byte == 0x7b).count(), marks);
        let short = short(&records);
        assert_eq!(short.iter().filter(|record| *record == "Start").count(), marks);
        assert_eq!(short[short.len() - 3..], ["e2-", "e4P", "quiet"], "{short:?}");
        assert!(!short.contains(&"fault".into()));
    }
}

#[test]
fn each_game_has_a_start_mark_after_any_restart() {
    // Restarts: marked and not begun; in play; set up again and not marked; the next game begun.
    for restarted in [10.0, 22.0, 30.5, 42.0] {
        let mut board = LoneBoard::new();
        board.has_bus_mode = true;
        let game = [(E2, E4, 1), (E7, E5, 7), (G1, F3, 3)];
        for (n, (from, to, piece)) in (0..).zip(game) {
            board.moves(20.0 + f64::from(n), from, to, piece);
            board.moves(27.0 + f64::from(n), to, from, piece);
            board.moves(40.0 + f64::from(n), from, to, piece);
        }
        board.script.make_contiguous().sort_by_key(|&(at, _)| at);
        let mut journal = Vec::new();
        for until in [restarted, 50.0] {
            let mut recall = Recall::default();
            // Another board was on this cable before.
            let morning = BoardRecord::new(None, Some(7), records::position(&[0; 64]));
            for record in [&morning].into_iter().chain(&journal) {
                recall.record(crate::record::Record::Board(record.clone()));
            }
            let settings = WatchSettings {
                start_marks: true,
                seconds: Some(Duration::from_secs_f64(until)),
                ..SETTINGS
            };
            let recalled = recall.line_named(None);
            let mut watcher = Watcher::new(board, Kept::default(), settings, recalled);
            watcher.run().unwrap();
            let published;
            (board, Kept(published)) = watcher.into_parts();
            journal.extend(published);
        }
        let marks = board.log.iter().filter(|&&byte| byte == 0x7b).count();
        let short = short(&journal);
        assert_eq!(marks, 2, "started again at {restarted}: {short:?}");
        assert!(!short.iter().any(|record| record.starts_with("history position")), "{short:?}");
    }
}

#[test]
fn a_game_during_an_outage_keeps_the_next_mark() {
    let mut board = LoneBoard::new();
    board.has_bus_mode = true;
    // When it is back one piece is left to be set up.
    board.unplugged = vec![(Duration::from_secs(15), Duration::from_millis(28_700))];
    for (n, (from, to, piece)) in (0..).zip([(E2, E4, 1), (E7, E5, 7), (G1, F3, 3)]) {
        board.moves(20.0 + f64::from(n), from, to, piece);
        board.moves(27.0 + f64::from(n), to, from, piece);
    }
    let settings = WatchSettings { start_marks: true, ..SETTINGS };
    let (board, _) = follow(board, settings, 60.0, None);
    assert_eq!(board.log.iter().filter(|&&byte| byte == 0x7b).count(), 2);
}

#[test]
fn another_board_on_the_cable_starts_over() {
    let mut board = LoneBoard::new();
    board.unplugged = vec![(Duration::from_secs(10), Duration::from_secs(20))];
    let settings = WatchSettings { seconds: Some(Duration::from_secs(15)), ..SETTINGS };
    let mut watcher = Watcher::new(board, Kept::default(), settings, stood(None));
    watcher.run().unwrap();
    watcher.link_mut().address = 2054;
    watcher.until(Duration::from_secs(30));
    watcher.run().unwrap();
    let (_, Kept(records)) = watcher.into_parts();
    let boards: Vec<_> = records.iter().filter(|record| record.event.kind() == "board").collect();
    assert_eq!((boards.len(), boards[1].board), (2, Some(2054)));
    assert_eq!(records.iter().filter(|record| record.event.kind() == "position").count(), 2);
}

#[test]
fn a_board_of_100_squares_is_refused_once() {
    let mut board = LoneBoard::new();
    board.large = true;
    board.moves(5.0, E2, E4, 1);
    let (_, records) = follow(board, SETTINGS, 30.0, None);
    assert_eq!(short(&records), ["board", "fault", "clock", "e2-", "e4P"]);
}

#[test]
fn an_absent_board_is_awaited() {
    let mut board = LoneBoard::new();
    board.script.push_back((Duration::ZERO, Action::Power(false)));
    board.script.push_back((Duration::from_secs(20), Action::Power(true)));
    let (_, records) = follow(board, SETTINGS, 40.0, None);
    assert_eq!(short(&records)[..3], ["lost timeout", "board", "found timeout"]);
}

#[test]
fn single_questions_are_answered_among_updates() {
    let mut board = LoneBoard::new();
    board.clock = LEFT;
    board.moves(0.01, E2, E4, 1);
    let mut alone = BoardAlone::new(board);
    let found = alone.find(&[], &mut |_| Ok(())).unwrap();
    assert_eq!((found[0].board, found[0].version.as_deref(), found.len()), (1025, Some("1.8"), 1));
    assert!(matches!(alone.clock(1025), Ok(Some(BoardEvent::Clock(clock))) if clock.connected));
    assert!(matches!(alone.position(1025), Ok(Some(BoardEvent::Position(_)))));
    assert_eq!(alone.start(1025), Ok(None));
    let mut steps = 0;
    let history = alone.history(1025, "asked", &mut |have, of| {
        assert!(have < of);
        steps += 1;
    });
    let history = history.unwrap().unwrap();
    let head = serde_json::to_string(&history[0]).unwrap();
    assert_eq!(head, r#"{"reason":"asked","count":37,"complete":true}"#);
    assert!(steps > 60);
    assert_eq!(alone.position(2054), Ok(None));
}
