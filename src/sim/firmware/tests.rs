//! Tests of the rules of the makers' header, each with literal bytes.

use super::*;
use crate::{record::Piece, wire::message::Version};

/// Board 1025 (08 01) with the start position, after its power-up list was fetched.
fn board() -> Firmware {
    let mut board = fresh(Version { main: 1, sub: 6 }, *Placement::start().codes());
    assert_eq!(ask(&mut board, 0, "83 08 01 0c").len(), 1);
    board
}

fn fresh(version: Version, stands: [u8; 64]) -> Firmware {
    Firmware::new(1025, version, stands, Random::new(1))
}

fn bytes(hex: &str) -> Vec<u8> {
    hex.split_whitespace().map(|byte| u8::from_str_radix(byte, 16).unwrap()).collect()
}

fn hex(bytes: &[u8]) -> String {
    crate::wire::records::hex(bytes)
}

/// The board's messages within ten seconds after these bytes, each with its delay in microseconds.
fn answers(board: &mut Firmware, now: Micros, heard: &str) -> Vec<(Micros, String)> {
    board.receive(now, &bytes(heard));
    let mut said = Vec::new();
    let until = now + 10 * SECOND;
    while let Some(at) = board.next_at().filter(|at| *at <= until) {
        board.advance(at);
        while let Some(reply) = board.send(at) {
            said.push((reply.at - now, hex(&reply.bytes)));
        }
        assert!(said.len() < 100);
    }
    said
}

fn ask(board: &mut Firmware, now: Micros, heard: &str) -> Vec<String> {
    answers(board, now, heard).into_iter().map(|(_, said)| said).collect()
}

fn see(board: &mut Firmware, now: Micros, square: &str, piece: Option<u8>, quick: bool) {
    let piece = piece.and_then(Piece::from_letter);
    let square = square.parse().unwrap();
    board.signal(now, &Signal::Change(SquareChange { at: now, square, piece, quick }));
}

fn press(board: &mut Firmware, now: Micros, side: Side, seconds: f64) {
    board.signal(now, &Signal::Press { at: now, side, seconds });
}

#[test]
fn a_board_starts_in_bus_mode_with_a_list() {
    let mut stands = [0; 64];
    stands[52] = 1;
    let mut board = fresh(Version { main: 1, sub: 6 }, stands);
    assert_eq!(ask(&mut board, 0, "83 08 01 0c"), ["85 00 0c 08 01 7f 7f 7f 6a 41 34 76"]);
    assert_eq!(ask(&mut board, SECOND, "83 08 01 0c"), ["85 00 06 08 01 14"], "nothing more");
}

#[test]
fn the_start_position_is_marked_after_the_list() {
    let mut board = fresh(Version { main: 1, sub: 6 }, *Placement::start().codes());
    let packet = ask(&mut board, 0, "83 08 01 0c").remove(0);
    assert!(
        packet.starts_with("85 00 4b 08 01 7f 7f 7f 6a 4") && packet[..packet.len() - 3].ends_with(" 6f")
    );
}

#[test]
fn a_ping_is_answered_by_the_addressed_board() {
    let mut board = board();
    assert_eq!(ask(&mut board, SECOND, "87 08 01 10"), ["87 00 06 08 01 16"]);
    assert_eq!(ask(&mut board, SECOND, "87 10 06 1d"), [] as [&str; 0], "2054 is another board");
    assert_eq!(ask(&mut board, SECOND, "87 08 01 11"), [] as [&str; 0], "the checksum is wrong");
}

#[test]
fn replies_are_slower_while_the_eeprom_is_written() {
    let mut board = board();
    let (mut quiet, mut writing) = (Vec::new(), Vec::new());
    for n in 1..200 {
        let now = n * 20 * SECOND;
        quiet.push(answers(&mut board, now, "83 08 01 0c")[0].0);
        see(
            &mut board,
            now + SECOND,
            if n % 2 == 0 { "e2" } else { "d2" },
            (n % 4 < 2).then_some(b'P'),
            false,
        );
        writing.push(answers(&mut board, now + SECOND, "83 08 01 0c")[0].0);
    }
    assert!(quiet.iter().all(|late| (1_000..=4_000).contains(late)));
    assert!(writing.iter().all(|late| (1_000..=20_000).contains(late)));
    assert!(writing.iter().any(|late| *late > 10_000));
}

#[test]
fn a_broadcast_ping_is_answered_once_within_1100_ms() {
    let mut board = board();
    let late: Vec<Micros> = (0..200)
        .map(|n| {
            let said = answers(&mut board, n * 20 * SECOND, "87 00 00 07");
            assert_eq!(said.len(), 1);
            assert_eq!(said[0].1, "87 00 06 08 01 16");
            said[0].0
        })
        .collect();
    assert!(late.iter().all(|late| *late <= 1_100_000));
    assert!(late.iter().any(|late| *late < 100_000) && late.iter().any(|late| *late > 1_000_000));
}

#[test]
fn ignore_next_ping_silences_one_broadcast_ping() {
    let mut board = board();
    let said = answers(&mut board, SECOND, "8a 08 01 13");
    assert!(said[0].0 <= 20_000 && said[0].1 == "87 00 06 08 01 16", "{said:?}");
    assert_eq!(ask(&mut board, 2 * SECOND, "87 08 01 10").len(), 1, "an addressed ping is answered");
    assert_eq!(ask(&mut board, 20 * SECOND, "87 00 00 07").len(), 0);
    assert_eq!(ask(&mut board, 40 * SECOND, "87 00 00 07").len(), 1);
}

#[test]
fn changes_are_sent_once_and_repeated_on_request() {
    let mut board = board();
    see(&mut board, SECOND, "e2", None, false);
    see(&mut board, SECOND, "e4", Some(b'P'), false);
    press(&mut board, SECOND, Side::Left, 3598.0);
    let packet = "85 00 0d 08 01 40 34 41 24 70 59 58 15";
    assert_eq!(ask(&mut board, 2 * SECOND, "83 08 01 0c"), [packet]);
    assert_eq!(ask(&mut board, 3 * SECOND, "84 08 01 0d"), [packet]);
    see(&mut board, 4 * SECOND, "e7", None, true);
    assert_eq!(ask(&mut board, 5 * SECOND, "84 08 01 0d"), [packet], "unchanged");
    assert_eq!(ask(&mut board, 6 * SECOND, "83 08 01 0c"), ["85 00 08 08 01 50 0c 72"]);
    assert_eq!(ask(&mut board, 7 * SECOND, "83 08 01 0c"), ["85 00 06 08 01 14"]);
    assert_eq!(ask(&mut board, 8 * SECOND, "84 08 01 0d"), ["85 00 06 08 01 14"]);
}

#[test]
fn a_start_mark_is_confirmed_after_70_ms() {
    let mut stands = [0; 64];
    (stands[4], stands[60]) = (11, 5);
    let mut board = fresh(Version { main: 1, sub: 6 }, stands);
    ask(&mut board, 0, "83 08 01 0c");
    assert_eq!(answers(&mut board, SECOND, "85 08 01 0e"), [(70_000, "88 00 06 08 01 17".to_owned())]);
    assert_eq!(board.start_marked(), Some(SECOND));
    assert_eq!(ask(&mut board, 2 * SECOND, "86 08 01 0f"), ["86 00 06 08 01 15"], "all of it is pending");
    assert_eq!(ask(&mut board, 3 * SECOND, "83 08 01 0c"), ["85 00 0b 08 01 7b 4b 04 45 3c 64"]);
    see(&mut board, 4 * SECOND, "e1", None, false);
    assert_eq!(ask(&mut board, 5 * SECOND, "86 08 01 0f"), ["86 00 0b 08 01 7b 4b 04 45 3c 65"]);
    ask(&mut board, 6 * SECOND, "83 08 01 0c");
    assert_eq!(ask(&mut board, 7 * SECOND, "86 08 01 0f"), ["86 00 0d 08 01 7b 4b 04 45 3c 40 3c 63"]);
}

#[test]
fn only_boards_above_1_2_send_their_version() {
    assert_eq!(ask(&mut board(), SECOND, "8b 08 01 14"), ["89 00 08 08 01 01 06 21"]);
    let mut old = fresh(Version { main: 1, sub: 2 }, [0; 64]);
    assert_eq!(ask(&mut old, SECOND, "8b 08 01 14"), ["89 00 06 08 01 18"]);
}

#[test]
fn the_position_is_dumped_field_0_first() {
    let dump = ask(&mut board(), SECOND, "82 08 01 0b").remove(0);
    assert!(dump.starts_with("83 00 46 08 01 08 09 0a 0c 0b 0a 09 08 07 07"), "{dump}");
    assert!(dump.ends_with("01 01 02 03 04 06 05 04 03 02 7c"), "{dump}");
}

#[test]
fn clock_messages_are_like_those_of_real_boards() {
    let mut board = board();
    assert_eq!(ask(&mut board, SECOND, "81 08 01 0a"), ["84 00 0d 08 01 00 00 00 00 00 00 20 3a"], "none");
    let reading =
        crate::sim::clock::ClockFace { since: 0, left: 304.0, right: 309.0, turn: Side::Left, running: true };
    board.show_clock(2 * SECOND, clock_message(&reading.at(0)));
    assert_eq!(ask(&mut board, 3 * SECOND, "81 08 01 0a"), ["84 00 0d 08 01 00 05 09 00 05 04 09 3a"]);
}

#[test]
fn send_all_is_answered_with_three_messages() {
    let said = ask(&mut board(), SECOND, "8d 08 01 16");
    let ids: Vec<&str> = said.iter().map(|said| &said[..2]).collect();
    assert_eq!(ids, ["85", "84", "83"]);
}

#[test]
fn a_single_board_command_switches_and_is_executed() {
    let mut board = board();
    assert_eq!(ask(&mut board, SECOND, "46"), ["90 00 05 08 01"]);
    assert_eq!(ask(&mut board, SECOND, "45"), ["91 00 08 30 31 30 32 35"]);
    assert_eq!(ask(&mut board, SECOND, "4d"), ["93 00 05 01 06"]);
    assert!(ask(&mut board, SECOND, "42")[0].starts_with("86 00 43 08 09 0a 0c"));
}

#[test]
fn the_first_bus_command_only_switches_the_mode() {
    let mut board = board();
    ask(&mut board, SECOND, "40");
    assert_eq!(ask(&mut board, 2 * SECOND, "87 08 01 10"), [] as [&str; 0]);
    assert_eq!(ask(&mut board, 3 * SECOND, "87 08 01 10"), ["87 00 06 08 01 16"]);
}

#[test]
fn bus_mode_switches_immediately_both_ways() {
    let mut board = board();
    ask(&mut board, SECOND, "40");
    ask(&mut board, SECOND, "4a");
    assert_eq!(ask(&mut board, 2 * SECOND, "87 08 01 10"), ["87 00 06 08 01 16"]);
    assert_eq!(ask(&mut board, 3 * SECOND, "88 00 00 08"), [] as [&str; 0]);
    assert_eq!(ask(&mut board, 4 * SECOND, "87 08 01 10"), [] as [&str; 0], "it was in single-board mode");
}

#[test]
fn update_modes_send_updates_until_idle() {
    let mut board = board();
    ask(&mut board, SECOND, "44");
    see(&mut board, 20 * SECOND, "e2", None, true);
    assert_eq!(ask(&mut board, 20 * SECOND, ""), ["8e 00 05 34 00"]);
    ask(&mut board, 30 * SECOND, "40");
    see(&mut board, 40 * SECOND, "e2", Some(b'P'), false);
    assert_eq!(ask(&mut board, 40 * SECOND, ""), [] as [&str; 0]);

    assert_eq!(ask(&mut board, 50 * SECOND, "4b"), ["8d 00 0a 00 00 00 00 00 00 20"], "nice: once");
    let clock = ask(&mut board, 70 * SECOND, "43").len();
    assert!((10..=12).contains(&clock), "every second for ten seconds: {clock}");
}

#[test]
fn the_whole_log_has_0x1f00_bytes_and_an_end_mark() {
    let mut board = board();
    board.receive(SECOND, &[0x49]);
    let reply = board.send(10 * SECOND).unwrap();
    assert_eq!(reply.bytes.len(), 0x1f03);
    assert_eq!((&reply.bytes[..3], reply.bytes[0x1f02]), (&[0x8f, 0x3e, 0x03][..], 0x6b));
    board.receive(20 * SECOND, &[0x49]);
    let again = board.send(30 * SECOND).unwrap();
    assert_eq!(again.bytes[0x1f01..], [0x6e, 0x6b]);
}

#[test]
fn a_board_stores_one_command_in_bus_mode() {
    let mut board = board();
    assert_eq!(ask(&mut board, SECOND, "87 08 01 10 8b 08 01 14"), ["87 00 06 08 01 16"]);
}

#[test]
fn a_watchdog_reset_lists_the_pieces_again() {
    let mut stands = [0; 64];
    stands[60] = 5;
    let mut board = fresh(Version { main: 1, sub: 6 }, stands);
    ask(&mut board, 0, "83 08 01 0c");
    board.watchdog(SECOND);
    assert_eq!(ask(&mut board, 2 * SECOND, "83 08 01 0c"), ["85 00 0d 08 01 7c 7f 7f 7f 6a 45 3c 7f"]);
}

#[test]
fn after_a_power_cut_the_pieces_are_listed() {
    let mut stands = [0; 64];
    stands[60] = 5;
    let mut board = fresh(Version { main: 1, sub: 6 }, stands);
    ask(&mut board, 0, "83 08 01 0c");
    board.power_off();
    see(&mut board, SECOND, "e1", None, false);
    see(&mut board, SECOND, "e2", Some(b'K'), false);
    assert_eq!(ask(&mut board, 2 * SECOND, "87 08 01 10"), [] as [&str; 0]);
    board.power_on(3 * SECOND);
    assert_eq!(ask(&mut board, 3 * SECOND, "87 08 01 10"), [] as [&str; 0], "it takes seconds to start");
    assert_eq!(ask(&mut board, 20 * SECOND, "83 08 01 0c"), ["85 00 0c 08 01 7f 7f 7f 6a 45 34 7a"]);
}

#[test]
fn a_broadcast_reset_takes_seconds_without_an_answer() {
    let mut board = board();
    board.receive(SECOND, &bytes("89 00 00 09"));
    board.receive(2 * SECOND, &bytes("87 08 01 10"));
    assert_eq!(board.send(2 * SECOND + SECOND / 2), None);
    let mut later = ask(&mut board, 20 * SECOND, "");
    later.extend(ask(&mut board, 30 * SECOND, "83 08 01 0c"));
    assert_eq!(later.len(), 1);
    assert!(later[0].starts_with("85 00 4b 08 01 7f 7f 7f 6a"), "{later:?}");
}

#[test]
fn pending_entries_at_a_reset_remain_in_the_log() {
    let mut board = board();
    ask(&mut board, SECOND, "85 08 01 0e");
    see(&mut board, 2 * SECOND, "e2", None, false);
    board.watchdog(3 * SECOND);
    let packet = ask(&mut board, 4 * SECOND, "83 08 01 0c").remove(0);
    assert!(packet.starts_with("85 00 49 08 01 7c 7f 7f 7f 6a"), "{packet}");
    let log = ask(&mut board, 5 * SECOND, "86 08 01 0f").remove(0);
    assert!(log.contains(" 40 34 7c 7f 7f 7f 6a "), "{log}");
}

#[test]
fn logged_entries_are_final_after_flickers() {
    let mut board = board();
    board.take_logged();
    for piece in [None, Some(b'P'), None, Some(b'P')] {
        see(&mut board, SECOND, "e2", piece, false);
    }
    let count = |board: &mut Firmware| board.take_logged().len();
    assert_eq!(count(&mut board), 1, "the last may still be written over");
    ask(&mut board, 2 * SECOND, "83 08 01 0c");
    assert_eq!(count(&mut board), 1);
}

#[test]
fn a_broadcast_question_for_the_version_is_answered() {
    let mut board = board();
    assert_eq!(ask(&mut board, SECOND, "8b 00 00 0b"), ["89 00 08 08 01 01 06 21"]);
    // The first commands of LiveChess: single-board mode, and back to the bus.
    assert_eq!(ask(&mut board, 20 * SECOND, "40 40 40 4a 8b 00 00 0b"), ["89 00 08 08 01 01 06 21"]);
}

/// A board alone with one oddity.
fn odd(oddity: Oddity) -> Firmware {
    fresh(Version { main: 1, sub: 8 }, *Placement::start().codes()).without_bus().with(vec![oddity])
}

#[test]
fn stale_frames_come_before_the_first_answer() {
    let mut board = odd(Oddity::StaleFrames);
    let stale = [
        "8e 00 05 24 01".into(),
        "8d 00 0a 00 00 00 00 00 00 20".into(),
        format!("86 00 43{}", " 00".repeat(64)),
    ];
    for n in 0..2 {
        let now = n * 60 * SECOND;
        assert_eq!(ask(&mut board, now, "40"), [] as [&str; 0]);
        assert_eq!(ask(&mut board, now, "4d"), [&stale[..], &["93 00 05 01 08".into()]].concat());
        assert_eq!(ask(&mut board, now, "4d"), ["93 00 05 01 08"]);
        board.unplugged();
    }
}

#[test]
fn answers_in_any_order_are_whole_and_late() {
    let orders: std::collections::BTreeSet<Vec<String>> = (0..20)
        .map(|n| {
            let mut board = odd(Oddity::AnyOrder);
            board.random = Random::new(n);
            let said = answers(&mut board, SECOND, "46 4d 41");
            assert!(said.iter().all(|(late, _)| (100_000..=374_000).contains(late)), "{said:?}");
            said.into_iter().map(|(_, said)| said).collect()
        })
        .collect();
    let mut said = orders.first().unwrap().clone();
    said.sort();
    assert_eq!(said, ["8d 00 0a 00 00 00 00 00 00 20", "90 00 05 08 01", "93 00 05 01 08"]);
    assert_eq!(orders.len(), 6, "all orders of three answers");
}

/// A dump that was asked for before a change comes before it.
#[test]
fn messages_about_squares_keep_their_order() {
    let mut board = odd(Oddity::AnyOrder);
    board.receive(SECOND, &bytes("4b 42"));
    see(&mut board, SECOND, "e2", None, false);
    let said = ask(&mut board, SECOND, "");
    let ids: Vec<_> = said.iter().map(|said| &said[..2]).collect();
    assert!(ids.iter().position(|id| *id == "86") < ids.iter().position(|id| *id == "8e"), "{said:?}");
}

#[test]
fn an_empty_log_is_its_end_mark() {
    assert_eq!(ask(&mut odd(Oddity::EmptyLog), SECOND, "49"), ["8f 00 04 6b"]);
}
