//! Whole watches of a board of Millennium's, written from the makers' text alone.

use std::time::Duration;

use super::Millennium;
use crate::{
    bus::{
        Recalled, SearchEvent, Watch as _, WatchSettings,
        bus_mode::tests::{Kept, SETTINGS},
        detect::{self, WatchPlan},
        link::Link,
        whole_positions::{
            fake_board::{Action, FakeReporter, Voice},
            talk::Talk,
            watcher::Watcher,
        },
    },
    record::{BoardEvent, BoardRecord, Make},
};

const E2: u8 = 0x34;
const E4: u8 = 0x24;

/// The board's side. Its registers stay without power.
struct Board {
    /// What register 02 holds: 0 each scan, 1 never, 3 on changes.
    reports: u8,
    written: usize,
    /// It keeps no parity, and answers nothing but `S`.
    is_plain: bool,
    /// Its register 00 is 1: it sends no checksums, and expects none.
    is_bare: bool,
    command: String,
}

fn board(reports: u8) -> FakeReporter<Board> {
    FakeReporter::new(Board { reports, written: 0, is_plain: false, is_bare: false, command: String::new() })
}

impl Board {
    fn send(&self, text: &str) -> Vec<u8> {
        let sum = format!("{:02X}", text.bytes().fold(0, |sum, code| sum ^ code));
        let sum = if self.is_bare { String::new() } else { sum };
        let odd = |code: u8| if code.count_ones().is_multiple_of(2) { code + 128 } else { code };
        text.bytes().chain(sum.bytes()).map(|code| if self.is_plain { code } else { odd(code) }).collect()
    }
}

impl Voice for Board {
    fn report(&self, fields: &[u8; 64]) -> Vec<u8> {
        let letter = |&code: &u8| char::from(b".PRNBKQprnbkq"[usize::from(code)]);
        let squares: String = fields.iter().rev().map(letter).collect();
        self.send(&format!("s{squares}"))
    }

    fn hear(&mut self, bytes: &[u8]) -> (Vec<u8>, bool) {
        for &byte in bytes {
            assert_eq!(byte.count_ones() % 2, 1, "odd parity");
            self.command.push(char::from(byte & 0x7f));
        }
        let command = std::mem::take(&mut self.command);
        match &command[..] {
            "S53" => (Vec::new(), true),
            _ if self.is_plain => (Vec::new(), false),
            "V56" => (self.send("v0104"), false),
            "R0250" => (self.send(&format!("r02{:02X}", self.reports)), false),
            "W020356" => {
                (self.reports, self.written) = (3, self.written + 1);
                (self.send("w0203"), false)
            }
            other => panic!("{other} was sent"),
        }
    }

    fn every(&self) -> Option<Duration> {
        (self.reports == 0).then_some(Duration::from_millis(41))
    }
}

fn watched<L: Link>(board: L, configure: bool, until: f64) -> (Vec<BoardRecord>, L) {
    let seconds = Some(Duration::from_secs_f64(until));
    let settings = WatchSettings { configure, seconds, ..SETTINGS };
    let mut talk = Talk::new(board, Millennium::default());
    if configure {
        talk.configure();
    }
    let mut watcher = Watcher::new(talk, Kept::default(), settings, Recalled::new());
    watcher.run().unwrap();
    let (board, Kept(records)) = watcher.into_parts();
    (records, board)
}

fn kinds(records: &[BoardRecord]) -> Vec<&'static str> {
    records.iter().map(|record| record.event.kind()).collect()
}

fn changes(records: &[BoardRecord]) -> Vec<(f64, String)> {
    let of = |record: &BoardRecord| match &record.event {
        BoardEvent::Change(change) => {
            let piece = change.piece.map_or("-".into(), |piece| piece.to_string());
            Some((record.time?.0 as f64 / 1000.0, format!("{}{piece}", change.square)))
        }
        _ => None,
    };
    records.iter().filter_map(of).collect()
}

#[test]
fn moves_are_seen_however_it_reports() {
    for reports in [0, 1, 3] {
        let mut board = board(reports);
        board.moves(3.0, E2, E4, 1);
        let (records, board) = watched(board, false, 6.0);
        let changes = changes(&records);
        let squares: Vec<&str> = changes.iter().map(|(_, change)| change.as_str()).collect();
        assert_eq!(squares, ["e2-", "e4P"], "{reports}");
        let late = if reports == 0 { 0.041 } else { 0.25 };
        assert!((3.0..3.0 + late + 0.001).contains(&changes[0].0), "{changes:?}");
        assert_eq!(board.voice.written, 0);
        let BoardEvent::Board(found) = &records[0].event else { panic!("{records:?}") };
        assert_eq!((found.make, found.version.as_deref()), (Some(Make::Millennium), Some("1.4")));
        assert_eq!(kinds(&records)[1..3], ["position", "quiet"]);
    }
}

#[test]
fn boards_that_report_by_themselves_are_not_asked() {
    let (_, board) = watched(board(0), false, 10.0);
    let sent: Vec<&[u8]> = board.sent.iter().map(|(_, bytes)| &bytes[..]).collect();
    assert_eq!(sent, [[0xd6, 0xb5, 0xb6]], "the version alone");
}

#[test]
fn eeprom_is_written_with_consent_and_once() {
    let (_, first) = watched(board(0), true, 5.0);
    assert_eq!((first.voice.reports, first.voice.written), (3, 1));
    let (records, again) = watched(board(3), true, 5.0);
    assert_eq!((again.voice.reports, again.voice.written), (3, 0));
    assert_eq!(kinds(&records), ["board", "position", "quiet"]);
}

#[test]
fn boards_without_parity_and_version_are_read() {
    let mut board = board(0);
    board.voice.is_plain = true;
    board.moves(3.0, E2, E4, 1);
    let (records, _) = watched(board, false, 6.0);
    assert_eq!((changes(&records).len(), kinds(&records).contains(&"fault")), (2, false));
}

#[test]
fn boards_without_checksums_are_read_however_they_report() {
    for reports in [0, 1, 3] {
        let mut board = board(reports);
        board.voice.is_bare = true;
        board.moves(3.0, E2, E4, 1);
        board.at(3.3, Action::Spoil(1));
        let (records, _) = watched(board, false, 8.0);
        let changes = changes(&records);
        let squares: Vec<&str> = changes.iter().map(|(_, change)| change.as_str()).collect();
        assert_eq!(squares, ["e2-", "e4P"], "{reports}: {records:?}");
        let BoardEvent::Board(found) = &records[0].event else { panic!("{records:?}") };
        assert_eq!(found.version.as_deref(), Some("1.4"), "{reports}");
    }
}

#[test]
fn boards_without_checksums_are_found_by_listening() {
    for reports in [0, 1] {
        let mut board = board(reports);
        board.voice.is_bare = true;
        let mut found = 0;
        let make = (reports == 1).then_some("millennium");
        let _ = detect::find(board, make, &[], &mut |event| {
            found += usize::from(matches!(event, SearchEvent::Found(_)));
            Ok(())
        });
        assert_eq!(found, 1, "{reports}");
    }
}

#[test]
fn power_and_cable_that_come_back_lose_no_board() {
    let mut board = board(0);
    board.at(3.0, Action::Power(false));
    board.at(33.0, Action::Power(true));
    board.unplugged.push((Duration::from_secs(40), Duration::from_secs(70)));
    board.moves(50.0, E2, E4, 1);
    let (records, _) = watched(board, false, 80.0);
    let want = ["lost", "found", "position", "quiet"];
    assert_eq!(kinds(&records)[3..], [want, want].concat());
}

#[test]
fn damaged_reports_are_one_fault_without_changes() {
    let mut board = board(0);
    board.piece = 16;
    board.at(3.0, Action::Spoil(4));
    let (records, _) = watched(board, false, 5.0);
    assert_eq!(kinds(&records)[3..], ["fault"]);
    assert!(changes(&records).is_empty());
}

#[test]
fn it_is_found_by_listening() {
    // The fake panics at a command that is not of the make.
    let mut kept = Kept::default();
    let settings = WatchSettings { seconds: Some(Duration::from_secs(8)), ..SETTINGS };
    let plan = WatchPlan { make: None, last: None, expected: Vec::new(), only: false, settings };
    detect::watch(board(0), &mut kept, plan, Recalled::new(), &mut |_| ()).unwrap();
    assert_eq!(kinds(&kept.0), ["board", "position", "quiet"]);
}
