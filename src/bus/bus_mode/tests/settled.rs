//! `quiet` is published a second time if the first time was early, since a hand may pause in a move.

use super::*;

/// The times of `quiet` of board 1025 after a move at 5 s and up to 12 s, in milliseconds since its last change.
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
fn on_a_free_line_quiet_is_published_twice() {
    let quiet = quiet_after_a_move(|_| ());
    assert_eq!(quiet.len(), 2, "{quiet:?}");
    assert!((250..320).contains(&quiet[0]) && (1500..1600).contains(&quiet[1]), "{quiet:?}");
}

#[test]
fn late_quiet_is_published_once() {
    // Answers are lost until the position has settled.
    let quiet = quiet_after_a_move(|bus| bus.answers_lost = Some((seconds(5.15), seconds(6.8))));
    assert_eq!(quiet.len(), 1, "{quiet:?}");
    assert!(quiet[0] >= 1500, "{quiet:?}");
}

#[test]
fn only_the_last_position_is_published_as_settled() {
    let goes_on = |bus: &mut FakeBus| bus.boards[0].moves(0x24, 0x1c, 1, seconds(6.0));
    let quiet = quiet_after_a_move(goes_on);
    assert_eq!(quiet.len(), 3, "{quiet:?}");
    assert!(quiet[0] < 0 && (250..320).contains(&quiet[1]) && (1500..1600).contains(&quiet[2]), "{quiet:?}");
}

#[test]
fn on_a_full_line_settled_positions_need_no_more_polls() {
    let (_, Kept(records)) = watch(full_line(5, 20.0, 200.0, 20.0), QUIET, 200.0).into_parts();
    let (mut settled, mut changed) = (Vec::new(), BTreeMap::new());
    for record in records.iter().filter(|record| record.time.is_some_and(|time| time.0 > 60_000)) {
        let (Some(time), Some(board)) = (record.time, record.board) else { continue };
        match record.event {
            BoardEvent::Change(_) => _ = changed.insert(board, (time.0, 0)),
            BoardEvent::Quiet {} => {
                let Some((moved, count)) = changed.get_mut(&board) else { continue };
                *count += 1;
                assert!(*count <= 2, "board {board} at {time}");
                if *count == 2 {
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
