//! Boards that do not answer every command, or answer in an unusual way, are recorded like any other.

use super::*;

/// Two boards that ignore some commands, and one game played on each.
fn hall(change: impl Fn(&mut FakeBoard)) -> FakeBus {
    let mut bus = FakeBus::new([1025, 1026], 1);
    let mut random = Random::new(2);
    for board in &mut bus.boards {
        change(board);
        play(board, &mut random, 15.0, 60.0, 3.0);
    }
    bus
}

#[test]
fn a_board_that_cannot_repeat_an_empty_packet_is_recorded() {
    for ignores in [vec![], vec![0x82], vec![0x86], vec![0x84, 0x86], vec![0x82, 0x84, 0x86]] {
        let bus = hall(|board| {
            board.repeats_no_nothing = true;
            board.ignores = ignores.clone();
        });
        let (bus, Kept(records)) = watch(bus, SETTINGS, 90.0).into_parts();
        for board in &bus.boards {
            assert!(board.log.len() > 50);
            let published = published(&records, board.address);
            assert_eq!(published, logged(board), "silent to {ignores:02x?}");
            assert!(!kinds(&records, board.address).contains(&"lost"));
        }
        let first = bus.sent.iter().find(|(_, command)| command[0] == 0x83).unwrap();
        assert!(first.0 < seconds(5.0), "silent to {ignores:02x?}: first asked for changes at {:?}", first.0);
    }
}

#[test]
fn entries_cut_across_two_packets_are_read_whole() {
    let mut bus = hall(|board| board.cuts_entries = true);
    for board in &mut bus.boards {
        // Entries of three bytes (times) are cut as well.
        board.script.push_back((seconds(70.0), Action::Log(vec![0x60, 0x59, 0x58])));
        board.script.push_back((seconds(72.0), Action::Log(vec![0x70, 0x58, 0x57])));
    }
    let (bus, Kept(records)) = watch(bus, SETTINGS, 90.0).into_parts();
    for board in &bus.boards {
        assert!(board.log.len() > 50);
        assert_eq!(published(&records, board.address), logged(board));
        assert!(!kinds(&records, board.address).contains(&"fault"));
    }
}

#[test]
fn without_repeats_losses_are_read_from_the_log() {
    let mut bus = hall(|board| board.ignores = vec![0x84]);
    bus.answers_lost = Some((seconds(30.0), seconds(30.5)));
    let (bus, Kept(records)) = watch(bus, SETTINGS, 90.0).into_parts();
    for board in &bus.boards {
        assert_eq!(published(&records, board.address), logged(board));
    }
}

#[test]
fn without_repeats_and_log_a_loss_is_reported() {
    let mut bus = FakeBus::new([1025], 1);
    let board = &mut bus.boards[0];
    board.ignores = vec![0x84, 0x86];
    board.moves(0x34, 0x24, 1, seconds(10.0));
    board.moves(0x0c, 0x1c, 7, seconds(20.0));
    board.moves(0x3e, 0x2d, 3, seconds(40.0));
    bus.answers_lost = Some((seconds(20.0), seconds(24.0)));
    let (bus, Kept(records)) = watch(bus, SETTINGS, 60.0).into_parts();
    let lines: Vec<String> = records.iter().map(|record| serde_json::to_string(record).unwrap()).collect();
    assert!(lines.iter().any(|line| line.contains("the board does not send its log")));
    let (published, logged) = (published(&records, 1025), logged(&bus.boards[0]));
    let lost = logged.len() - 8;
    assert_eq!(published, [&logged[..lost], &logged[lost + 4..]].concat());
    // The position is published all the same.
    assert!(lines.iter().any(|line| line.contains("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR")));
}

#[test]
fn an_interrupted_log_is_fetched_when_the_board_is_back() {
    let mut bus = FakeBus::new([1025], 1);
    marked(&mut bus.boards[0]);
    bus.boards[0].moves(0x34, 0x24, 1, seconds(5.0));
    bus.boards[0].script.push_back((seconds(5.0), Action::Fetched));
    bus.boards[0].moves(0x24, 0x1c, 1, seconds(9.0));
    // A dump that does not agree has come, and before the log the cable is out for three minutes.
    let (from, until) = (seconds(9.4), seconds(190.0));
    (bus.answers_lost, bus.commands_lost) = (Some((from, until)), None);
    let (bus, Kept(records)) = watch(bus, QUIET, 240.0).into_parts();
    assert_eq!(published(&records, 1025), logged(&bus.boards[0]));
}

#[test]
fn packets_with_an_end_code_do_not_prevent_a_mark() {
    let bus = hall(|board| board.ends_packets = true);
    let (bus, Kept(records)) = watch(bus, SETTINGS, 90.0).into_parts();
    assert_eq!(faults(&records), 0);
    for board in &bus.boards {
        let kinds = kinds(&records, board.address);
        assert_eq!(kinds[..4], ["board", "position", "clock", "mark"]);
        assert!(kinds.iter().filter(|&&kind| kind == "quiet").count() > 5);
        assert_eq!(kinds.iter().filter(|&&kind| kind == "mark").count(), 1);
        assert_eq!(published(&records, board.address), logged(board));
        assert_eq!(kinds.last(), Some(&"quiet"));
    }
}

#[test]
fn a_board_without_dumps_is_marked_by_its_list() {
    // Its log has the mark of a power-up before the list, or the begin mark after it.
    for (before, after) in [(&[0x7f, 0x7f, 0x7f, 0x6a][..], &[][..]), (&[], &[0x6f])] {
        let bus = hall(|board| {
            board.ignores = vec![0x82];
            board.log = before.to_vec();
            board.list();
            board.log.extend(after);
        });
        let (bus, Kept(records)) = watch(bus, SETTINGS, 90.0).into_parts();
        for board in &bus.boards {
            let asked = |command| board.asked.iter().filter(|&&asked| asked == command).count();
            assert_eq!(asked(0x85), 1);
            assert!(
                (3..8).contains(&asked(0x82)),
                "asked {} times for a dump that it never sends",
                asked(0x82)
            );
            assert_eq!(published(&records, board.address), logged(board));
        }
    }
}

#[test]
fn a_packet_that_never_arrives_is_read_from_the_log() {
    let mut bus = FakeBus::new([1025], 1);
    let board = &mut bus.boards[0];
    board.miscounts = true;
    board.log = vec![0x6a];
    board.list();
    board.start = Some(board.log.len());
    board.log.push(0x7b);
    board.list();
    board.moves(0x34, 0x24, 1, seconds(40.0));
    let (bus, Kept(records)) = watch(bus, QUIET, 60.0).into_parts();
    assert_eq!(published(&records, 1025), logged(&bus.boards[0]));
    assert!(!kinds(&records, 1025).contains(&"lost"));
}
