//! Pieces that rest are told of twice where the first time is soon: a hand may stop on its way.

use super::*;

/// When `quiet` is told of board 1025 after a move at 5 s, in milliseconds since its last change, up to 12 s.
fn quiet_after_a_move(set_up: impl FnOnce(&mut FakeBus)) -> Vec<i64> {
    let mut bus = FakeBus::new([1025], 1);
    marked(&mut bus.boards[0]);
    bus.boards[0].moves(0x34, 0x24, 1, seconds(5.0));
    set_up(&mut bus);
    let (_, Kept(records)) = watch(bus, QUIET, 12.0).into_parts();
    let times = |kind: &str| -> Vec<i64> {
        let own = records.iter().filter(|record| record.event.kind() == kind);
        own.filter_map(|record| record.time).map(|time| time.0).filter(|&at| at > 5000).collect()
    };
    let moved = *times("change").last().unwrap();
    times("quiet").into_iter().map(|at| at - moved).collect()
}

#[test]
fn free_lines_report_rests_and_settled_pieces_promptly() {
    let quiet = quiet_after_a_move(|_| ());
    assert_eq!(quiet.len(), 2, "{quiet:?}");
    assert!((250..320).contains(&quiet[0]) && (1500..1600).contains(&quiet[1]), "{quiet:?}");
}

#[test]
fn pieces_settled_at_their_first_rest_rest_once() {
    // The board cannot be heard for a while.
    let quiet = quiet_after_a_move(|bus| bus.answers_lost = Some((seconds(5.15), seconds(6.8))));
    assert_eq!(quiet.len(), 1, "{quiet:?}");
    assert!(quiet[0] >= 1500, "{quiet:?}");
}

#[test]
fn moving_pieces_settle_only_at_their_last_square() {
    let goes_on = |bus: &mut FakeBus| bus.boards[0].moves(0x24, 0x1c, 1, seconds(6.0));
    let quiet = quiet_after_a_move(goes_on);
    assert_eq!(quiet.len(), 3, "{quiet:?}");
    assert!(quiet[0] < 0 && (250..320).contains(&quiet[1]) && (1500..1600).contains(&quiet[2]), "{quiet:?}");
}

#[test]
fn full_lines_report_settled_pieces_by_regular_polls() {
    let (_, Kept(records)) = watch(full_line(5, 20.0, 200.0, 20.0), QUIET, 200.0).into_parts();
    let (mut settled, mut changed) = (Vec::new(), BTreeMap::new());
    for record in records.iter().filter(|record| record.time.is_some_and(|time| time.0 > 60_000)) {
        let (Some(time), Some(board)) = (record.time, record.board) else { continue };
        match record.event {
            BoardEvent::Change(_) => _ = changed.insert(board, (time.0, 0)),
            BoardEvent::Quiet {} => {
                let Some((moved, told)) = changed.get_mut(&board) else { continue };
                *told += 1;
                assert!(*told <= 2, "board {board} at {time}");
                if *told == 2 {
                    settled.push(time.0 - *moved);
                }
            }
            _ => {}
        }
    }
    settled.sort();
    let (least, late) = (settled[0], settled[settled.len() * 99 / 100]);
    println!(
        "{} times, after {least} ms at least, {} in the middle, 99 % within {late}",
        settled.len(),
        settled[settled.len() / 2]
    );
    assert!(settled.len() > 300 && least >= 1500 && late < 3000, "{least}, {late}");
}
