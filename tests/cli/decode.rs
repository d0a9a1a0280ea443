//! `boardbus decode`.

use assert_cmd::Command;
use predicates::prelude::predicate;
use tempfile::TempDir;

use super::program::{command, output_of, run};

/// Without the version, which changes.
const STREAM: &str =
    concat!(r#"{"type":"stream","records":1,"program":"boardbus "#, env!("CARGO_PKG_VERSION"), "\"}\n");

/// e2 to e4 on board 1025, then nothing, then its version.
const BUS: [u8; 24] = [
    0x85, 0x00, 0x0a, 0x08, 0x01, 0x40, 0x34, 0x41, 0x24, 0x71, // a change
    0x85, 0x00, 0x06, 0x08, 0x01, 0x14, // an idle poll
    0x89, 0x00, 0x08, 0x08, 0x01, 0x01, 0x06, 0x21, // version 1.6
];

const BUS_RECORDS: &str = r#"{"type":"change","board":1025,"square":"e2","piece":null}
{"type":"change","board":1025,"square":"e4","piece":"P"}
{"type":"quiet","board":1025}
{"type":"board","board":1025,"mode":"bus","version":"1.6"}
"#;

fn decode() -> Command {
    command("decode")
}

fn records(expected: &str) -> String {
    format!("{STREAM}{expected}")
}

#[test]
fn raw_bytes_of_a_bus_become_records() {
    decode().write_stdin(BUS).assert().success().stdout(records(BUS_RECORDS)).stderr("");
}

#[test]
fn bytes_in_hex_read_like_raw_bytes() {
    let hex = "85 00 0a 08 01 40 34 41 24 71\n850006 080114 # idle\n\n< 89 00 08 08 01 01 06 21";
    decode().write_stdin(hex).assert().success().stdout(records(BUS_RECORDS)).stderr("");
}

#[test]
fn a_capture_has_times_and_both_directions() {
    let capture = "\
# boardbus capture 1
2026-11-21T10:00:00.120Z > 83 08 01 0c
2026-11-21T10:00:00.127Z < 85 00 0a 08 01 40
2026-11-21T10:00:00.131Z < 34 41 24 71
";
    decode().args(["--line", "hall-2"]).write_stdin(capture).assert().success().stderr("").stdout(
        r#"{"type":"stream","records":1,"program":"boardbus 0.1.0","line":"hall-2"}
{"type":"change","time":"2026-11-21T10:00:00.131Z","line":"hall-2","board":1025,"square":"e2","piece":null}
{"type":"change","time":"2026-11-21T10:00:00.131Z","line":"hall-2","board":1025,"square":"e4","piece":"P"}
"#
        .replace("boardbus 0.1.0", concat!("boardbus ", env!("CARGO_PKG_VERSION"))),
    );
}

/// A rotated board alone: a dump, the clock, a pawn, the lever.
fn single() -> Vec<u8> {
    let mut bytes = vec![0x86, 0x00, 0x43, 2, 3, 4, 5, 6, 4, 3, 2];
    bytes.extend([1; 8]);
    bytes.extend([0; 32]);
    bytes.extend([7; 8]);
    bytes.extend([8, 9, 10, 11, 12, 10, 9, 8]);
    bytes.extend([0x8d, 0x00, 0x0a, 0x20, 0x03, 0x02, 0x20, 0x03, 0x02, 0x13]);
    bytes.extend([0x8e, 0x00, 0x05, 0x0b, 0x00, 0x8e, 0x00, 0x05, 0x1b, 0x01]);
    bytes.extend([0x8d, 0x00, 0x0a, 0x20, 0x03, 0x04, 0x20, 0x03, 0x02, 0x09]);
    bytes
}

const SINGLE_RECORDS: &str = concat!(
    r#"{"type":"position","placement":"RNBKQBNR/PPPPPPPP/8/8/8/8/pppppppp/rnbkqbnr"}
{"type":"clock","connected":true,"left":{"seconds":182,"flag":false},"right":{"seconds":182,"flag":false},"#,
    r#""running":true,"turn":"right","low_battery":false}
{"type":"change","square":"d7","piece":null}
{"type":"change","square":"d5","piece":"P"}
{"type":"press","side":"right","seconds":184}
{"type":"clock","connected":true,"left":{"seconds":182,"flag":false},"right":{"seconds":184,"flag":false},"#,
    r#""running":true,"turn":"left","low_battery":false}
"#
);

#[test]
fn single_mode_is_detected_and_presses_are_derived() {
    decode().write_stdin(single()).assert().success().stdout(records(SINGLE_RECORDS)).stderr("");
    decode()
        .args(["--mode", "single"])
        .write_stdin(single())
        .assert()
        .success()
        .stdout(records(SINGLE_RECORDS))
        .stderr("");
}

#[test]
fn files_of_either_mode_follow_each_other() {
    let folder = TempDir::new().expect("a folder");
    let [bus, alone] = ["bus.bin", "single.bin"].map(|name| folder.path().join(name));
    std::fs::write(&bus, BUS).expect("a file");
    std::fs::write(&alone, single()).expect("a file");
    let all = records(&[BUS_RECORDS, SINGLE_RECORDS, BUS_RECORDS].concat());
    decode().arg(&bus).arg(&alone).arg("-").write_stdin(BUS).assert().success().stdout(all).stderr("");
}

#[test]
fn wrong_checksums_are_faults_and_other_records_pass() {
    let mut bytes = vec![0x11];
    bytes.extend(BUS);
    bytes.extend([0x85, 0x00, 0x06, 0x08, 0x01, 0x15]);
    bytes.extend(BUS);
    bytes.extend([0x85, 0x00]);
    let stray = r#"{"type":"fault","kind":"framing","detail":"a byte outside any frame","bytes":"11"}"#;
    let sum = r#"{"type":"fault","kind":"checksum","detail":"a frame of 6 bytes with a wrong checksum","bytes":"85 00 06 08 01 15"}"#;
    let short =
        r#"{"type":"fault","kind":"framing","detail":"a frame that ends after 2 bytes","bytes":"85 00"}"#;
    decode()
        .write_stdin(bytes)
        .assert()
        .code(4)
        .stdout(records(&format!("{stray}\n{BUS_RECORDS}{sum}\n{BUS_RECORDS}{short}\n")))
        .stderr("boardbus decode: 3 faults in the bytes: see the fault records\n");
}

#[test]
fn strict_stops_at_the_first_fault_with_its_place() {
    let bytes = [&BUS[..], &[0x85, 0x00, 0x06, 0x08, 0x01, 0x15], &BUS].concat();
    decode()
        .arg("--strict")
        .write_stdin(bytes)
        .assert()
        .code(4)
        .stdout(records(BUS_RECORDS))
        .stderr("boardbus decode: standard input: byte 24: a frame of 6 bytes with a wrong checksum\n");
}

#[test]
fn lines_that_are_no_capture_are_reported_and_skipped() {
    let text = "85 00 0a 08 01 40 34 41 24 71\nhello\n85 00 06 08 01 14\n89 00 08 08 01 01 06 21\n";
    decode().write_stdin(text).assert().code(4).stdout(records(BUS_RECORDS)).stderr(
        "boardbus decode: standard input:2: not bytes in hex, two digits each\nboardbus decode: 1 bad line skipped\n",
    );
}

#[test]
fn overlong_lines_are_skipped_alone() {
    let idle = "85 00 06 08 01 14\n";
    let text = format!("85 00 0a 08 01 40 34 41 24 71\n{}\n{idle}oops\n", "8 ".repeat(1 << 20));
    let stderr = "boardbus decode: standard input:2: a line of over 1 MiB is none of a capture\n\
                  boardbus decode: standard input:4: not bytes in hex, two digits each\n\
                  boardbus decode: 2 bad lines skipped\n";
    let told = concat!(
        r#"{"type":"change","board":1025,"square":"e2","piece":null}"#,
        "\n",
        r#"{"type":"change","board":1025,"square":"e4","piece":"P"}"#,
        "\n",
        r#"{"type":"quiet","board":1025}"#,
        "\n"
    );
    decode().args(["--mode", "bus"]).write_stdin(text).assert().code(4).stdout(records(told)).stderr(stderr);
}

#[test]
fn nothing_in_is_no_record_out() {
    let said = "boardbus decode: no bytes in the input: nothing to do\n";
    decode().write_stdin("").assert().success().stdout(STREAM).stderr(said);
}

#[test]
fn a_file_that_is_not_there_is_named() {
    decode().arg("no-such.bin").assert().code(5).stdout(STREAM).stderr(predicate::str::starts_with(
        "boardbus decode: no-such.bin: No such file or directory (os error 2)\n",
    ));
}

/// A log of the single-board mode: what a support engineer downloads from a board.
#[test]
fn downloaded_logs_are_published_as_history() {
    let log = [
        0x7f, 0x7f, 0x7f, 0x6a, 0x41, 0x34, 0x7b, 0x41, 0x34, 0x40, 0x34, 0x41, 0x24, 0x70, 0x59, 0x58, 0x6b,
    ];
    let bytes = [&[0x8f, 0x00, 0x14][..], &log].concat();
    let expected = r#"{"type":"history","reason":"log","count":8,"complete":true}
{"type":"mark","mark":"power-up","listing":true}
{"type":"change","square":"e2","piece":"P"}
{"type":"mark","mark":"start","listing":true}
{"type":"change","square":"e2","piece":"P"}
{"type":"change","square":"e2","piece":null}
{"type":"change","square":"e4","piece":"P"}
{"type":"press","side":"left","seconds":3598}
{"type":"mark","mark":"end"}
"#;
    decode().write_stdin(bytes).assert().success().stdout(records(expected)).stderr("");
}

/// A dump of the start position, white's left hand at the connector; `moved`: after e2 to e4.
fn dump(moved: bool) -> String {
    let empty = "00 00 00 00 00 00 00 00";
    let (fourth, second) = match moved {
        true => ("00 00 00 00 01 00 00 00", "01 01 01 01 00 01 01 01"),
        false => (empty, "01 01 01 01 01 01 01 01"),
    };
    let black = "08 09 0a 0c 0b 0a 09 08 07 07 07 07 07 07 07 07";
    format!("86 00 43 {black} {empty} {empty} {fourth} {empty} {second} 02 03 04 06 05 04 03 02")
}

/// A watch asks how the board stands, writes a start mark into it as on a bus, and asks again when it was still for a second.
#[test]
fn decoding_a_single_boards_capture_gives_the_watched_records() {
    let (start, e4) = (dump(false), dump(true));
    let lines = [
        "00.000Z > 42".into(),
        format!("00.080Z < {start}"),
        "01.080Z > 42".into(),
        format!("01.160Z < {start}"),
        "02.200Z > 4a".into(),
        "02.300Z > 87 00 00 07".into(),
        "02.900Z < 87 00 06 08 01 16".into(),
        "02.901Z > 85 08 01 0e".into(),
        "02.980Z < 88 00 06 08 01 17".into(),
        "03.000Z > 40".into(),
        "03.100Z > 4b".into(),
        "03.200Z > 42".into(),
        format!("03.280Z < {start}"),
        "05.000Z < 8e 00 05 34 00".into(),
        "05.300Z < 8e 00 05 24 01".into(),
        "06.300Z > 42".into(),
        format!("06.380Z < {e4}"),
        "11.380Z > 42".into(),
        format!("11.460Z < {e4}"),
    ];
    let expected = [
        "00.080 position",
        "01.160 quiet",
        "02.900 board",
        "02.980 mark",
        "03.280 position",
        "05.000 change",
        "05.300 change",
        "06.380 quiet",
    ];
    let line = |line: &String| format!("2026-11-21T10:00:{line}\n");
    let capture = lines.iter().map(line).collect::<String>();
    // A watch that was given no mode asks first whether there is a bus.
    let pings =
        ["56.000Z", "58.000Z"].map(|time| format!("2026-11-21T09:59:{time} > 87 00 00 07\n")).concat();
    for capture in [capture.clone(), pings + &capture] {
        let (output, said, code) = run(&["decode"], capture);
        assert_eq!((&*said, code), ("", 0));
        let told = super::program::records(output);
        let told: Vec<String> = told[1..]
            .iter()
            .map(|record| format!("{} {}", &record["time"].as_str().unwrap()[17..23], record["type"]))
            .collect();
        assert_eq!(told.join("\n").replace('"', ""), expected.join("\n"));
    }
}

#[test]
fn single_board_bytes_without_times_rest_at_matching_dumps() {
    let moved = [dump(false), "8e 00 05 34 00 8e 00 05 24 01".into(), dump(true), dump(true)].join("\n");
    let told = super::program::records(output_of(&["decode"], moved));
    let told: Vec<&str> = told.iter().map(|record| record["type"].as_str().unwrap()).collect();
    assert_eq!(told, ["stream", "position", "change", "change", "position", "quiet", "position"]);
}

/// What two boards sent: a change and a time of the first are cut, with a packet of the second between the parts.
#[test]
fn entries_cut_across_packets_need_no_commands() {
    let bytes = "85 00 09 08 01 40 34 41 4c\n85 00 08 08 02 40 0c 63\n85 00 08 08 01 24 70 2a\n\
                 85 00 08 08 01 59 58 47\n85 00 06 08 01 14\n";
    let change = |board: u16, square: &str, piece: &str| {
        format!(r#"{{"type":"change","board":{board},"square":"{square}","piece":{piece}}}"#)
    };
    let expected = [
        change(1025, "e2", "null"),
        change(1026, "e7", "null"),
        change(1025, "e4", "\"P\""),
        r#"{"type":"press","board":1025,"side":"left","seconds":3598}"#.into(),
        r#"{"type":"quiet","board":1025}"#.into(),
    ];
    let expected = records(&(expected.join("\n") + "\n"));
    decode().args(["--mode", "bus"]).write_stdin(bytes).assert().success().stdout(expected).stderr("");
}
