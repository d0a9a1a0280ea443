//! Records of messages, as JSON lines.

use proptest::{collection::vec, prelude::*};

use super::*;
use crate::{record::BoardRecord, wire::frame::Decoder};

/// The records of these bytes as JSON lines without quotes, so that tests hold to the contract, not to our types.
fn records(mode: Mode, bytes: &[u8]) -> Vec<String> {
    let mut recorder = Recorder::new(mode);
    let mut lines = Vec::new();
    let mut write = |board, event| {
        let mut line = Vec::new();
        BoardRecord::new(None, board, event).write(&mut line).expect("a record");
        lines.push(String::from_utf8(line).expect("text").replace('"', ""));
    };
    let mut decoder = Decoder::new(mode);
    decoder.push(bytes, |event| match event {
        Ok(frame) => recorder.record(&frame, None, &mut write),
        Err(bad) => write(None, fault(&bad)),
    });
    decoder.finish(|event| {
        if let Err(bad) = event {
            write(None, fault(&bad));
        }
    });
    recorder.finish(write);
    lines
}

fn bus(messages: &[Message<'_>]) -> Vec<String> {
    let mut bytes = Vec::new();
    assert!(messages.iter().all(|message| message.encode(Some(1025), &mut bytes)));
    records(Mode::Bus, &bytes)
}

#[test]
fn a_move_and_a_press_are_recorded_and_then_quiet() {
    let log = [0x40, 0x34, 0x51, 0x24, 0x70, 0x59, 0x58];
    let idle = Message::Changes(&[]);
    assert_eq!(
        bus(&[idle, Message::Changes(&log), idle, idle, Message::Changes(&log[4..]), idle]),
        [
            "{type:change,board:1025,square:e2,piece:null}",
            "{type:change,board:1025,square:e4,piece:P,quick:true}",
            "{type:press,board:1025,side:left,seconds:3598}",
            "{type:quiet,board:1025}",
            "{type:press,board:1025,side:left,seconds:3598}",
        ]
    );
}

#[test]
fn quiet_is_published_after_a_scan_without_changes() {
    let mut recorder = Recorder::new(Mode::Bus);
    let mut published = Vec::new();
    let packets =
        [(0, &[0x40, 0x34][..]), (65, &[]), (130, &[0x41, 0x24]), (379, &[]), (380, &[]), (900, &[])];
    for (at, log) in packets {
        let frame = Frame { id: 0x85, address: Some(1025), data: log };
        recorder.record(&frame, Some(Time(at)), |_, event| published.push((at, event.kind())));
    }
    assert_eq!(published, [(0, "change"), (130, "change"), (380, "quiet")]);
}

#[test]
fn early_quiet_is_published_a_second_time() {
    let quiet_times = |packets: &[(i64, &[u8])]| {
        let (mut recorder, mut published) = (Recorder::new(Mode::Bus), Vec::new());
        for &(at, data) in packets {
            let frame = Frame { id: 0x85, address: Some(1025), data };
            recorder.record(&frame, Some(Time(at)), |_, event| published.push((at, event.kind())));
        }
        published.retain(|(_, kind)| *kind == "quiet");
        published.into_iter().map(|(at, _)| at).collect::<Vec<_>>()
    };
    let (lift, press) = (&[0x40, 0x34][..], &[0x70, 0x59, 0x58][..]);
    assert_eq!(quiet_times(&[(0, lift), (300, &[]), (1499, &[]), (1500, &[]), (9000, &[])]), [300, 1500]);
    // Polled slowly, the board gets one record only. A press does not delay the second record, a change does.
    assert_eq!(quiet_times(&[(0, lift), (1500, &[]), (3000, &[])]), [1500]);
    assert_eq!(quiet_times(&[(0, lift), (300, &[]), (600, press), (900, &[]), (1500, &[])]), [300, 1500]);
    assert_eq!(quiet_times(&[(0, lift), (300, &[]), (1400, lift), (1700, &[]), (2899, &[])]), [300, 1700]);
}

#[test]
fn marks_state_whether_a_list_of_pieces_follows() {
    assert_eq!(
        bus(&[Message::Changes(&[0x7c, 0x7f, 0x7f, 0x7f, 0x6a, 0x7b, 0x6f, 0x7a, 0x6c, 0x6d, 0x6e, 0x6b])]),
        [
            "{type:mark,board:1025,mark:watchdog,listing:true}",
            "{type:mark,board:1025,mark:power-up,listing:true}",
            "{type:mark,board:1025,mark:start,listing:true}",
            "{type:mark,board:1025,mark:begin}",
            "{type:mark,board:1025,mark:begin-rotated}",
            "{type:mark,board:1025,mark:four-rows}",
            "{type:mark,board:1025,mark:empty}",
            "{type:mark,board:1025,mark:downloaded}",
        ]
    );
}

#[test]
fn a_packet_of_only_the_end_code_is_empty() {
    let (end, e4) = (Message::Changes(&[0x6b]), Message::Changes(&[0x41, 0x24, 0x7e, 0x48, 0x01, 0x6b]));
    assert_eq!(
        bus(&[end, e4, end, end, Message::FromStart(&[0x7b, 0x6b])]),
        [
            "{type:change,board:1025,square:e4,piece:P}",
            "{type:quiet,board:1025}",
            "{type:history,board:1025,reason:from-start,count:1,complete:true}",
            "{type:mark,board:1025,mark:start,listing:true}",
        ]
    );
}

#[test]
fn a_history_has_the_count_of_its_records() {
    assert_eq!(
        bus(&[Message::FromStart(&[0x7f, 0x7b, 0x42, 0x38, 0x7e, 0x48, 0x01, 0x40, 0x38, 0x7d])]),
        [
            "{type:history,board:1025,reason:from-start,count:3,complete:true}",
            "{type:mark,board:1025,mark:start,listing:true}",
            "{type:change,board:1025,square:a1,piece:R}",
            "{type:change,board:1025,square:a1,piece:null}",
        ]
    );
}

#[test]
fn an_overwritten_log_begins_with_its_first_whole_entry() {
    assert_eq!(
        bus(&[Message::FromStart(&[0x03, 0x59, 0x40, 0x3c])]),
        [
            "{type:history,board:1025,reason:from-start,count:1,complete:false}",
            "{type:change,board:1025,square:e1,piece:null}",
        ]
    );
    assert_eq!(
        bus(&[Message::FromStart(&[])]),
        ["{type:history,board:1025,reason:from-start,count:0,complete:false}"]
    );
}

#[test]
fn a_result_piece_becomes_the_result_of_the_position() {
    let mut codes = [0; 64];
    (codes[27], codes[4]) = (0x0e, 0x0b);
    assert_eq!(
        bus(&[Message::Board(&codes), Message::Changes(&[0x4d, 0x1b])]),
        [
            "{type:position,board:1025,placement:4k3/8/8/8/8/8/8/8,result:1-0}",
            "{type:change,board:1025,square:d5,piece:1/2-1/2}",
        ]
    );
    codes[28] = 0x0f;
    assert_eq!(bus(&[Message::Board(&codes)]), ["{type:position,board:1025,placement:4k3/8/8/8/8/8/8/8}"]);
}

#[test]
fn answers_of_boards_are_recorded_with_their_content() {
    let version = crate::wire::message::Version { main: 1, sub: 6 };
    assert_eq!(
        bus(&[Message::Ping, Message::Version(Some(version)), Message::Version(None), Message::StartWritten]),
        [
            "{type:board,board:1025,mode:bus}",
            "{type:board,board:1025,mode:bus,version:1.6}",
            "{type:board,board:1025,mode:bus}",
            "{type:mark,board:1025,mark:start}",
        ]
    );
}

#[test]
fn entries_cut_across_packets_are_recorded_whole() {
    let (to_e4, presses) = (
        "{type:change,board:1025,square:e4,piece:P,quick:true}",
        "{type:press,board:1025,side:left,seconds:3598}",
    );
    let bytes = [0x51, 0x24, 0x70, 0x59, 0x58];
    for cut in 1..bytes.len() {
        let (first, second) = bytes.split_at(cut);
        assert_eq!(bus(&[Message::Changes(first), Message::Changes(second)]), [to_e4, presses], "{cut}");
        // The log since the start mark ends where the next packet begins.
        let log = [&[0x7b], first].concat();
        let records = bus(&[Message::FromStart(&log), Message::Changes(second)]);
        assert_eq!(records[2..], [to_e4, presses], "{cut}");
    }
    // The pieces do not rest where a packet has only the beginning of an entry.
    let cut = [&bytes[..2], &[0x40], &[0x34], &[]].map(Message::Changes);
    let from_e2 = "{type:change,board:1025,square:e2,piece:null}";
    assert_eq!(bus(&cut), [to_e4, from_e2, "{type:quiet,board:1025}"]);
}

#[test]
fn entries_of_two_boards_are_not_joined() {
    let mut bytes = Vec::new();
    for (address, log) in [(1025, &[0x41][..]), (1026, &[0x40, 0x34]), (1025, &[0x24])] {
        assert!(Message::Changes(log).encode(Some(address), &mut bytes));
    }
    assert_eq!(
        records(Mode::Bus, &bytes),
        ["{type:change,board:1026,square:e2,piece:null}", "{type:change,board:1025,square:e4,piece:P}",]
    );
}

/// A packet was lost, the same packet came again, the next one was empty, or the input ended.
#[test]
fn an_entry_without_its_end_is_a_fault() {
    let fault = |bytes: &str| {
        format!("{{type:fault,board:1025,kind:corrupt,detail:no entry of a log,bytes:{bytes}}}")
    };
    let from_e2 = "{type:change,board:1025,square:e2,piece:null}".to_owned();
    let lift = [0x40, 0x34];
    let [cut_change, cut_time] = [[0x40, 0x34, 0x41], [0x40, 0x34, 0x70]];
    for (packets, expected) in [
        (&[&cut_change[..2], &[0x41], &lift][..], &[from_e2.clone(), fault("41"), from_e2.clone()][..]),
        (&[&cut_time, &cut_time], &[from_e2.clone(), fault("70"), from_e2.clone(), fault("70")]),
        (&[&[0x70, 0x59], &[]], &[fault("70 59")]),
        (&[&[0x41]], &[fault("41")]),
    ] {
        let messages: Vec<_> = packets.iter().map(|packet| Message::Changes(packet)).collect();
        assert_eq!(bus(&messages), expected);
    }
}

/// The bytes of a real board: the message in which the lever has turned already includes the increment.
#[test]
fn in_single_mode_a_turned_lever_is_a_press() {
    let bytes = [
        0x90, 0x00, 0x05, 0x08, 0x01, //
        0x8d, 0x00, 0x0a, 0x20, 0x03, 0x02, 0x20, 0x02, 0x59, 0x09, //
        0x8d, 0x00, 0x0a, 0x0a, 0x10, 0x09, 0x0a, 0x20, 0x00, 0x00, // an acknowledgement
        0x8d, 0x00, 0x0a, 0x20, 0x03, 0x02, 0x20, 0x03, 0x01, 0x13, //
        0x8d, 0x00, 0x0a, 0x20, 0x03, 0x01, 0x20, 0x03, 0x01, 0x12, // stopped
        0x8d, 0x00, 0x0a, 0x20, 0x03, 0x01, 0x20, 0x03, 0x01, 0x08, // turned while it is stopped
        0x8d, 0x00, 0x0a, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x20, // pulled out
    ];
    let clock = |left, right, running, turn| {
        format!(
            "{{type:clock,board:1025,connected:true,left:{{seconds:{left},flag:false}},\
             right:{{seconds:{right},flag:false}},running:{running},turn:{turn},low_battery:false}}"
        )
    };
    assert_eq!(
        records(Mode::Single, &bytes),
        [
            "{type:board,board:1025,mode:single}".to_owned(),
            clock(179, 182, true, "left"),
            "{type:press,board:1025,side:left,seconds:181}".to_owned(),
            clock(181, 182, true, "right"),
            clock(181, 181, false, "right"),
            clock(181, 181, false, "left"),
            "{type:clock,board:1025,connected:false}".to_owned(),
        ]
    );
}

#[test]
fn impossible_bytes_become_a_fault_that_quotes_them() {
    assert_eq!(
        records(Mode::Bus, &[0x85, 0x00, 0x06, 0x08, 0x01, 0x15]),
        [
            "{type:fault,kind:checksum,detail:a frame of 6 bytes with a wrong checksum,bytes:85 00 06 08 01 15}"
        ]
    );
    assert_eq!(
        records(Mode::Single, &[0x8d, 0x00, 0x0a, 0x2c, 0x08, 0x08, 0x20, 0x00, 0x00, 0x09]),
        ["{type:fault,kind:corrupt,detail:a clock reading that cannot be: hours above 9, or no decimal \
          digits below 60,bytes:8d 00 0a 2c 08 08 20 00 00 09}"]
    );
    assert_eq!(
        bus(&[Message::Changes(&[0x41, 0x60, 0x70, 0x59])]),
        [
            "{type:fault,board:1025,kind:corrupt,detail:field 96 is on no board of 64 squares}",
            "{type:fault,board:1025,kind:corrupt,detail:no entry of a log,bytes:70 59}",
        ]
    );
    assert_eq!(records(Mode::Bus, &[0x11; 300])[0].matches("11 ").count(), 128);
}

proptest! {
    #[test]
    fn any_bytes_are_recorded_and_histories_count_their_records(bytes in vec(any::<u8>(), 0..400)) {
        let single = records(Mode::Single, &bytes);
        prop_assert!(single.len() <= bytes.len());
        // NOPs complete the last entry.
        let log: Vec<u8> = bytes.iter().map(|byte| byte & 0x7f).chain([0x7f; 2]).collect();
        let published = bus(&[Message::FromStart(&log)]);
        let count = format!("count:{},", published.len() - 1);
        prop_assert!(published[0].contains(&count), "{:?}", published);
    }

    /// Each time is another, so that no packet is the one before again.
    #[test]
    fn a_log_is_recorded_alike_however_it_is_cut(
        kinds in vec((0..3u8, 0..64u8), 1..40),
        cuts in vec(any::<bool>(), 120),
    ) {
        let mut log = Vec::new();
        for (n, (kind, field)) in (0..).zip(kinds) {
            match kind {
                0 => log.extend([0x41, field]),
                1 => log.extend([0x70, 0x50 | (n / 10), 0x50 | (n % 10)]),
                _ => log.push(0x6f),
            }
        }
        let mut packets = vec![&log[..]];
        for at in (1..log.len()).rev().filter(|&at| cuts[at]) {
            let (first, last) = packets[0].split_at(at);
            packets.splice(..1, [first, last]);
        }
        let packets: Vec<_> = packets.into_iter().map(Message::Changes).collect();
        prop_assert_eq!(bus(&packets), bus(&[Message::Changes(&log)]));
    }
}
