//! The cable of a board alone is pulled out at every moment of a game, in simulated time: no logged change is lost. With
//! BOARDBUS_TIMES=10 at ten times as many moments.

use std::time::Duration;

use super::{super::fake_board::LoneBoard, SETTINGS, follow};
use crate::record::{BoardEvent, BoardRecord, MarkKind};

/// The moves of a Spanish game, one every two seconds from 5 s on; no position comes twice.
const MOVES: [(u8, u8, u8); 10] = [
    (0x34, 0x24, 1),
    (0x0c, 0x1c, 7),
    (0x3e, 0x2d, 3),
    (0x01, 0x12, 9),
    (0x3d, 0x19, 4),
    (0x08, 0x10, 7),
    (0x19, 0x20, 4),
    (0x06, 0x15, 9),
    (0x33, 0x2b, 1),
    (0x0b, 0x13, 7),
];
/// The times in seconds when the last move has been made, and when the watch ends.
const OVER: f64 = 26.0;
const END: f64 = 70.0;

fn game() -> LoneBoard {
    let mut board = LoneBoard::new();
    for (n, (from, to, piece)) in (0..).zip(MOVES) {
        board.moves(5.0 + 2.0 * f64::from(n), from, to, piece);
    }
    board
}

/// The published changes of the game; a history replaces those before it.
fn published(records: &[BoardRecord]) -> Vec<String> {
    let mut changes = Vec::new();
    for record in records {
        match &record.event {
            BoardEvent::Mark(mark) if mark.mark == MarkKind::Begin => changes.clear(),
            BoardEvent::Change(change) => changes.push(format!("{}{:?}", change.square, change.piece)),
            _ => {}
        }
    }
    changes
}

#[test]
fn a_cable_pulled_out_at_any_moment_loses_no_change() {
    let (_, undisturbed) = follow(game(), SETTINGS, END, None);
    let all = published(&undisturbed);
    assert_eq!(all.len(), 2 * MOVES.len());
    let times: u32 = std::env::var("BOARDBUS_TIMES").map_or(1, |times| times.parse().unwrap());
    let (mut pulled, mut from_log) = (0, 0);
    // The cable is out for a moment, for a move, for several moves, and for most of the game.
    for length in [0.05, 1.5, 6.0, 15.0] {
        let between = 0.11 / f64::from(times);
        let moments = (0..).map(|n| f64::from(n) * between).take_while(|&out| out < OVER + 3.0);
        for out in moments {
            let mut board = game();
            board.unplugged = vec![(Duration::from_secs_f64(out), Duration::from_secs_f64(out + length))];
            let (board, records) = follow(board, SETTINGS, END, None);
            assert_eq!(published(&records), all, "out at {out} for {length}");
            pulled += 1;
            from_log += usize::from(board.asked.contains(&0x49));
        }
    }
    assert!(from_log * 3 > pulled, "{from_log} of {pulled}");
    println!("pulled {pulled} times, {from_log} times read from the log");
}

#[test]
fn a_cable_pulled_out_during_the_log_loses_no_change() {
    let (_, undisturbed) = follow(game(), SETTINGS, END, None);
    let all = published(&undisturbed);
    // It is back at 12 s; then the board's number, a dump and its log are fetched.
    for n in 0..200 {
        let again = 12.0 + f64::from(n) * 0.0131;
        let second = Duration::from_secs_f64;
        let mut board = game();
        board.unplugged = vec![(second(8.0), second(12.0)), (second(again), second(again + 2.3))];
        let (_, records) = follow(board, SETTINGS, END, None);
        assert_eq!(published(&records), all, "out again at {again}");
    }
}
