//! Whole watches of a board of Chessnut's, written from the makers' text alone.

use std::time::Duration;

use super::Chessnut;
use crate::{
    bus::{
        Driver as _, Gone, Link, Recalled, WatchSettings,
        bus_mode::tests::{Kept, SETTINGS},
        detect::{self, WatchPlan},
        link::LinkKind,
        whole_positions::{
            ReportingBoard,
            fake_board::{Action, FakeReporter, Voice},
        },
    },
    record::{BoardEvent, BoardRecord, Make, Time},
};

const E2: u8 = 0x34;
const E4: u8 = 0x24;

/// The board's side.
#[derive(Default)]
struct Board {
    reports: bool,
    /// How many bytes its reports are filled up to.
    length: usize,
}

impl Board {
    fn send(&self, report: &[u8]) -> Vec<u8> {
        let mut report = report.to_vec();
        report.resize(self.length.max(report.len()), 0);
        report
    }
}

impl Voice for Board {
    fn report(&self, fields: &[u8; 64]) -> Vec<u8> {
        // P R N B K Q p r n b k q of DGT, as the makers number them.
        let codes = [0, 7, 6, 10, 9, 12, 11, 4, 8, 5, 3, 2, 1];
        let mut report = vec![0x01, 0x3d];
        for rank in fields.chunks(8) {
            for pair in rank.rchunks(2) {
                report.push(codes[usize::from(pair[1])] | codes[usize::from(pair[0])] << 4);
            }
        }
        report.resize(63, 0);
        self.send(&report)
    }

    fn hear(&mut self, bytes: &[u8]) -> (Vec<u8>, bool) {
        match bytes {
            [0x21, 0x01, 0x00] => self.reports = true,
            [0x29, 0x01, 0x00] => return (self.send(&[0x2a, 2, 80, 0]), false),
            [0x27, 0x01, 0x01] => return (self.send(b"\x28\x12\x01CNAIRP_00_240516\0"), false),
            other => panic!("{other:x?} was sent"),
        }
        (Vec::new(), false)
    }

    fn every(&self) -> Option<Duration> {
        self.reports.then_some(Duration::from_millis(200))
    }

    fn switched_on(&mut self) {
        self.reports = false;
    }
}

/// Its device, which keeps the borders of reports.
struct Device(FakeReporter<Board>);

impl Link for Device {
    fn now(&self) -> Duration {
        self.0.now()
    }

    fn time(&self) -> Time {
        self.0.time()
    }

    fn heard(&self) -> Time {
        self.0.heard()
    }

    fn name(&self) -> &str {
        "hidraw"
    }

    fn kind(&self) -> LinkKind {
        LinkKind::Reports
    }

    fn send(&mut self, bytes: &[u8]) -> Result<(), Gone> {
        self.0.send(bytes)
    }

    fn receive(&mut self, into: &mut Vec<u8>, until: Duration) -> Result<usize, Gone> {
        self.0.receive(into, until)
    }

    fn pause(&mut self, until: Duration) {
        self.0.pause(until)
    }

    fn reopen(&mut self) -> crate::error::Result<()> {
        self.0.reopen()
    }
}

fn board(length: usize) -> FakeReporter<Board> {
    FakeReporter::new(Board { length, ..Board::default() })
}

/// What a watch publishes where nobody named the make.
fn watched(board: FakeReporter<Board>, until: f64) -> Vec<BoardRecord> {
    let mut kept = Kept::default();
    let settings = WatchSettings { seconds: Some(Duration::from_secs_f64(until)), ..SETTINGS };
    let plan = WatchPlan { make: None, last: None, expected: Vec::new(), only: false, settings };
    detect::watch(Device(board), &mut kept, plan, Recalled::new(), &mut |_| ()).unwrap();
    kept.0
}

fn kinds(records: &[BoardRecord]) -> Vec<&'static str> {
    records.iter().map(|record| record.event.kind()).collect()
}

#[test]
fn it_is_found_and_its_moves_are_seen() {
    // A report as it is, filled up to that of the device, and as Windows counts it.
    for length in [0, 64, 65] {
        let mut board = board(length);
        board.moves(6.0, E2, E4, 1);
        let records = watched(board, 9.0);
        let BoardEvent::Board(found) = &records[0].event else { panic!("{records:?}") };
        assert_eq!((found.make, found.version.as_deref()), (Some(Make::Chessnut), Some("CNAIRP_00_240516")));
        let want = ["board", "position", "quiet", "change", "quiet", "change", "quiet", "quiet"];
        assert_eq!(kinds(&records), want);
        let BoardEvent::Position(position) = &records[1].event else { panic!("{records:?}") };
        assert!(position.placement.is_start());
    }
}

#[test]
fn it_is_asked_again_after_it_was_off() {
    let mut board = board(64);
    board.at(6.0, Action::Power(false));
    // Its USB side goes on to send short reports.
    (0..20).for_each(|n| board.at(6.2 + f64::from(n) / 5.0, Action::Bytes(vec![0x01, 0x00])));
    board.at(12.0, Action::Power(true));
    board.moves(16.0, E2, E4, 1);
    let records = watched(board, 19.0);
    let want = ["lost", "found", "position", "quiet", "change", "quiet", "change", "quiet", "quiet"];
    assert_eq!(kinds(&records)[3..], want);
}

#[test]
fn reports_with_unknown_pieces_are_dropped() {
    let mut board = board(64);
    let mut report = Board::default().report(&board.fields);
    report[10] = 0xfe;
    board.at(6.0, Action::Bytes(report));
    assert_eq!(kinds(&watched(board, 8.0))[3..], ["fault"]);
}

/// A board that reports when something changed, once, and does not answer what is asked of its version.
#[derive(Default)]
struct OnChanges(Board);

impl Voice for OnChanges {
    fn report(&self, fields: &[u8; 64]) -> Vec<u8> {
        self.0.report(fields)
    }

    fn hear(&mut self, bytes: &[u8]) -> (Vec<u8>, bool) {
        let first = !std::mem::replace(&mut self.0.reports, true);
        let battery = if bytes == [0x29, 0x01, 0x00] { vec![0x2a, 2, 80, 0] } else { Vec::new() };
        (battery, first)
    }

    fn every(&self) -> Option<Duration> {
        None
    }
}

#[test]
fn boards_that_report_changes_alone_are_not_lost() {
    let mut board = FakeReporter::new(OnChanges::default());
    board.at(20.0, Action::Field(E2, 0));
    let mut fields = board.fields;
    fields[usize::from(E2)] = 0;
    let lifted = board.voice.report(&fields);
    board.at(20.0, Action::Bytes(lifted));
    let mut kept = Kept::default();
    let settings = WatchSettings { seconds: Some(Duration::from_secs(25)), ..SETTINGS };
    let watch = Box::new(ReportingBoard::new(board, Chessnut::default()));
    watch.watch(settings, &mut kept, Recalled::new()).run().unwrap();
    assert_eq!(kinds(&kept.0), ["board", "position", "quiet", "change", "quiet", "quiet"]);
}
