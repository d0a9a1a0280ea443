//! The answer to SEND_CHANGES comes only once: tests of each rule that keeps its entries.

use super::*;

/// The commands that a board was sent after a time.
fn sent(bus: &FakeBus, board: u16, from: f64) -> Vec<u8> {
    let address = [(board >> 7) as u8, (board & 0x7f) as u8];
    let to = bus.sent.iter().filter(|(at, command)| *at >= seconds(from) && command[1..3] == address);
    to.map(|(_, command)| command[0]).collect()
}

fn text(records: &[BoardRecord], kind: &str) -> Vec<String> {
    let of = records.iter().filter(|record| record.event.kind() == kind);
    of.map(|record| serde_json::to_string(record).unwrap()).collect()
}

#[test]
fn a_damaged_packet_is_repeated_before_the_next_poll() {
    let mut bus = FakeBus::new([1025], 1);
    marked(&mut bus.boards[0]);
    bus.boards[0].moves(0x34, 0x24, 1, seconds(5.0));
    bus.spoil_first_changes = true;
    let (bus, Kept(records)) = watch(bus, QUIET, 20.0).into_parts();
    assert_eq!(published(&records, 1025), logged(&bus.boards[0]));
    assert!(text(&records, "fault")[0].contains("a wrong checksum, in answer to SEND_CHANGES"));
    let sent = sent(&bus, 1025, 5.0);
    let precious: Vec<u8> = sent.iter().copied().filter(|command| matches!(command, 0x83 | 0x84)).collect();
    let again = precious.iter().position(|&command| command == 0x84).unwrap();
    assert_eq!(precious[again - 1..again + 2], [0x83, 0x84, 0x83]);
    assert!(!sent.contains(&0x86));
}

#[test]
fn a_missing_packet_is_repeated_and_compared_with_the_last() {
    for deaf in [false, true] {
        let mut bus = FakeBus::new([1025], 1);
        marked(&mut bus.boards[0]);
        bus.boards[0].moves(0x34, 0x24, 1, seconds(5.0));
        let moment = Some((seconds(5.0), seconds(5.06)));
        if deaf {
            bus.commands_lost = moment
        } else {
            bus.answers_lost = moment
        }
        let (bus, Kept(records)) = watch(bus, QUIET, 20.0).into_parts();
        assert_eq!(published(&records, 1025), logged(&bus.boards[0]), "deaf {deaf}");
        assert!(sent(&bus, 1025, 5.0).contains(&0x84));
        assert!(!sent(&bus, 1025, 5.0).contains(&0x86));
    }
}

#[test]
fn changes_that_contradict_the_position_request_the_log() {
    let mut bus = FakeBus::new([1025], 1);
    marked(&mut bus.boards[0]);
    bus.boards[0].moves(0x34, 0x24, 1, seconds(5.0));
    bus.boards[0].script.push_back((seconds(5.0), Action::Fetched));
    // The pawn moves on from e4, where it was never reported.
    bus.boards[0].moves(0x24, 0x1c, 1, seconds(9.0));
    let (bus, Kept(records)) = watch(bus, QUIET, 30.0).into_parts();
    assert_eq!(published(&records, 1025), logged(&bus.boards[0]));
    // The first history is that of the beginning of a watch with a game in play.
    let histories = text(&records, "history");
    assert!(histories[1].contains(r#""reason":"position""#) && histories.len() == 2, "{histories:?}");
}

#[test]
fn a_dump_that_agrees_resolves_a_contradiction() {
    let mut bus = FakeBus::new([1025], 1);
    marked(&mut bus.boards[0]);
    bus.boards[0].moves(0x34, 0x24, 1, seconds(5.0));
    // The board overwrites the last entry of a field that changes rapidly: the pawn leaves e2 twice and never returns.
    bus.boards[0].script.push_back((seconds(9.0), Action::Log(vec![0x40, 0x34])));
    let (bus, Kept(records)) = watch(bus, QUIET, 30.0).into_parts();
    assert_eq!(published(&records, 1025), logged(&bus.boards[0]));
    // One history at the beginning of the watch, with a game in play.
    assert_eq!(text(&records, "history").len(), 1);
    assert!(!sent(&bus, 1025, 9.0).contains(&0x86) && sent(&bus, 1025, 9.0).contains(&0x82));
}

#[test]
fn others_wait_for_at_most_one_long_answer() {
    let mut bus = FakeBus::new(1025..1033, 3);
    bus.noise = 0.001;
    let mut random = Random::new(4);
    for board in &mut bus.boards[1..] {
        play(board, &mut random, 20.0, 100.0, 3.0);
    }
    let board = &mut bus.boards[0];
    marked(board);
    for n in 0..1000u16 {
        board.log.extend([0x41, (n % 63) as u8, 0x40, (n % 63) as u8]);
    }
    board.pending = board.log.len();
    board.fields[0x34] = 0;
    let whole = Duration::from_micros(1042) * (board.log.len() as u32 + 10);
    let (bus, Kept(records)) = watch(bus, QUIET, 110.0).into_parts();
    let logs = bus.sent.iter().filter(|(_, command)| command[0] == 0x86).count();
    assert!(logs > 1, "the first came whole");
    assert!(
        text(&records, "history").iter().any(|history| history.contains(r#""count":2033,"complete":true"#))
    );
    for board in &bus.boards[1..] {
        assert_eq!(published(&records, board.address), logged(board), "board {}", board.address);
        let address = [(board.address >> 7) as u8, (board.address & 0x7f) as u8];
        let times: Vec<_> = bus.sent.iter().filter(|(_, c)| c[1..3] == address).map(|(at, _)| *at).collect();
        let longest = times.windows(2).map(|pair| pair[1] - pair[0]).max().unwrap();
        // One long answer, and a short one of each of the others.
        assert!(longest < whole + seconds(1.0), "board {}: {longest:?} against {whole:?}", board.address);
    }
}

#[test]
fn a_second_start_mark_replaces_the_first() {
    let mut bus = FakeBus::new([1025], 1);
    marked(&mut bus.boards[0]);
    bus.boards[0].moves(0x34, 0x24, 1, seconds(5.0));
    bus.boards[0].script.push_back((seconds(8.0), Action::Mark));
    bus.boards[0].moves(0x0c, 0x1c, 7, seconds(9.0));
    // The next packet is lost, and a reset follows: the log since the second mark has its entries.
    bus.boards[0].moves(0x3e, 0x2d, 3, seconds(12.0));
    bus.answers_lost = Some((seconds(12.0), seconds(13.0)));
    bus.boards[0].script.push_back((seconds(12.9), Action::Watchdog));
    let (bus, Kept(records)) = watch(bus, QUIET, 30.0).into_parts();
    assert_eq!(bus.boards[0].start, Some(1 + 64 + 4));
    assert_eq!(published(&records, 1025), logged(&bus.boards[0]));
    assert_eq!(kinds(&records, 1025).iter().filter(|&&kind| kind == "lost").count(), 0);
}

#[test]
fn a_board_that_falls_into_single_mode_loses_no_change() {
    let mut bus = FakeBus::new([1025], 1);
    marked(&mut bus.boards[0]);
    for at in [5.0, 8.0, 11.0] {
        bus.boards[0].script.push_back((seconds(at), Action::Single));
        bus.boards[0].moves(0x34, 0x34, 1, seconds(at));
        bus.boards[0].moves(0x3e, 0x2d, 3, seconds(at + 1.0));
        bus.boards[0].moves(0x2d, 0x3e, 3, seconds(at + 2.0));
    }
    let (bus, Kept(records)) = watch(bus, QUIET, 30.0).into_parts();
    assert_eq!(published(&records, 1025), logged(&bus.boards[0]));
    assert_eq!(kinds(&records, 1025).iter().filter(|&&kind| kind == "lost").count(), 0);
}

#[test]
fn a_board_without_a_version_is_recorded() {
    let mut bus = FakeBus::new([1025], 1);
    bus.boards[0].version = None;
    play(&mut bus.boards[0], &mut Random::new(1), 10.0, 40.0, 2.0);
    let (bus, Kept(records)) = watch(bus, SETTINGS, 50.0).into_parts();
    assert_eq!(published(&records, 1025), logged(&bus.boards[0]));
    assert!(!text(&records, "board")[0].contains("version"));
    assert_eq!(faults(&records), 0);
}

#[test]
fn a_wrong_square_with_a_right_checksum_is_corrected() {
    for full in [false, true] {
        let mut bus = FakeBus::new(1025..if full { 1089 } else { 1026 }, 1);
        let mut random = Random::new(2);
        for board in &mut bus.boards {
            marked(board);
        }
        for board in &mut bus.boards[1..] {
            play(board, &mut random, 10.0, 700.0, 1.0);
        }
        // e2 arrives as a2.
        bus.boards[0].moves(0x34, 0x24, 1, seconds(5.0));
        bus.forged = Some((seconds(5.0), 0x34, 0x30));
        bus.boards[0].moves(0x0c, 0x1c, 7, seconds(20.0));
        let (bus, Kept(records)) = watch(bus, QUIET, if full { 340.0 } else { 80.0 }).into_parts();
        assert_eq!(bus.forged, None);
        assert_eq!(published(&records, 1025), logged(&bus.boards[0]), "on a full line: {full}");
        let histories = text(&records, "history");
        assert!(histories.iter().any(|history| history.contains(r#""board":1025,"reason":"position""#)));
    }
}

#[test]
fn routine_dumps_take_little_of_the_line() {
    let (bus, Kept(records)) = watch(full_line(1, 10.0, 620.0, 4.0), QUIET, 620.0).into_parts();
    let dumps = bus.sent.iter().filter(|(at, c)| *at > seconds(20.0) && c[0] == 0x82).count();
    println!("{dumps} dumps of 64 boards in play in ten minutes");
    // Nine and a half minutes of play: none of them twice in a minute.
    assert!((64..=10 * 64).contains(&dumps));
    assert_eq!(faults(&records), 0);
    for board in &bus.boards {
        assert_eq!(published(&records, board.address), logged(board), "board {}", board.address);
    }
}
