//! Whole watches of a board of an invented make that reports whole positions.

use std::time::Duration;

use super::{
    Protocol, ReportingBoard, Said,
    fake_board::{Action, FakeReporter, Voice},
    follower::Follower,
    overheard::OverheardReports,
    talk::Talk,
    watcher::Watcher,
};
use crate::{
    bus::{
        Driver as _, Recalled, Watch as _, WatchSettings, answers,
        bus_mode::tests::{Kept, SETTINGS},
    },
    record::{BoardEvent, BoardRecord, FaultKind, Mode, Placement, Time},
};

const E2: u8 = 0x34;
const E4: u8 = 0x24;
const D7: u8 = 0x0b;
const D5: u8 = 0x1b;

/// The invented protocol. A report is `#`, 64 piece codes with 32 added, and their sum in a byte; reports begin after the
/// command `?`, which is also answered with a version.
#[derive(Default)]
struct Toy(Vec<u8>);

impl Protocol for Toy {
    fn mode(&self) -> Mode {
        Mode::MILLENNIUM
    }

    fn reports_every(&self) -> Duration {
        Duration::from_millis(100)
    }

    fn start(&self) -> Vec<&'static [u8]> {
        vec![b"?"]
    }

    fn ask(&self) -> Option<(Vec<&'static [u8]>, Duration)> {
        Some((vec![b"?"], Duration::from_secs(1)))
    }

    fn reports_version(&self) -> bool {
        true
    }

    fn take(&mut self, bytes: &[u8], said: &mut Vec<Said>) {
        for &byte in bytes {
            match (byte, self.0.is_empty()) {
                (b'V', true) => said.push(Said::Version("7".into())),
                (b'#', true) | (_, false) => self.0.push(byte),
                _ => said.push(Said::Event(answers::fault(FaultKind::Framing, "no report"))),
            }
            let Some((codes, sum)) = self.0[1.min(self.0.len())..].split_first_chunk::<64>() else {
                continue;
            };
            let Some(&sum) = sum.first() else { continue };
            said.push(if codes.iter().fold(0u8, |sum, &code| sum.wrapping_add(code)) == sum {
                Said::Position(Placement::from_codes(codes.map(|code| code - 32)))
            } else {
                Said::Event(answers::fault(FaultKind::Checksum, "a wrong sum"))
            });
            self.0.clear();
        }
    }

    fn forget(&mut self) {
        self.0.clear();
    }
}

/// The board's side of the protocol.
#[derive(Default)]
struct ToyVoice {
    started: bool,
    /// It reports only when it is asked.
    is_asked_only: bool,
}

impl Voice for ToyVoice {
    fn report(&self, fields: &[u8; 64]) -> Vec<u8> {
        let sum = fields.iter().fold(0u8, |sum, &code| sum.wrapping_add(code + 32));
        [&b"#"[..], &fields.map(|code| code + 32), &[sum]].concat()
    }

    fn hear(&mut self, bytes: &[u8]) -> (Vec<u8>, bool) {
        assert_eq!(bytes, b"?");
        self.started = true;
        (b"V".to_vec(), self.is_asked_only)
    }

    fn every(&self) -> Option<Duration> {
        (self.started && !self.is_asked_only).then_some(Duration::from_millis(100))
    }

    fn switched_on(&mut self) {
        self.started = false;
    }
}

fn board() -> FakeReporter<ToyVoice> {
    FakeReporter::new(ToyVoice::default())
}

/// The records of a watch of `until` seconds in short form, each with its second; and the board afterwards.
fn watched(board: FakeReporter<ToyVoice>, until: f64) -> (Vec<(f64, String)>, FakeReporter<ToyVoice>) {
    let settings = WatchSettings { seconds: Some(Duration::from_secs_f64(until)), ..SETTINGS };
    let talk = Talk::new(board, Toy::default());
    let mut watcher = Watcher::new(talk, Kept::default(), settings, Recalled::new());
    watcher.run().unwrap();
    let (board, Kept(records)) = watcher.into_parts();
    assert!(records.iter().all(|record| record.board == Some(1)));
    (records.iter().map(short).collect(), board)
}

fn short(record: &BoardRecord) -> (f64, String) {
    let text = match &record.event {
        BoardEvent::Change(change) => {
            format!("{}{}", change.square, change.piece.map_or("-".into(), |piece| piece.to_string()))
        }
        BoardEvent::Board(found) => format!("board {}", found.version.as_deref().unwrap_or("-")),
        BoardEvent::Lost(link) | BoardEvent::Found(link) => {
            format!("{} {}", record.event.kind(), link.reason)
        }
        event => event.kind().to_owned(),
    };
    (record.time.map_or(-1.0, |time| time.0 as f64 / 1000.0), text)
}

fn texts(records: &[(f64, String)]) -> Vec<&str> {
    records.iter().map(|(_, text)| text.as_str()).collect()
}

#[test]
fn differences_become_changes_with_their_reports_time() {
    let mut board = board();
    board.moves(4.03, E2, E4, 1);
    let (records, _) = watched(board, 8.0);
    let want = ["board 7", "position", "quiet", "e2-", "quiet", "e4P", "quiet", "quiet"];
    assert_eq!(texts(&records), want);
    let seconds: Vec<f64> = records[3..].iter().map(|(at, _)| *at).collect();
    // `quiet` after the first scan without changes, and when the position has settled.
    assert_eq!(seconds, [4.1, 4.4, 4.6, 4.9, 6.1]);
}

#[test]
fn squares_are_emptied_first_within_one_report() {
    let mut board = board();
    for (field, code) in [(E4, 1), (E2, 0), (D5, 7), (D7, 0)] {
        board.at(4.05, Action::Field(field, code));
    }
    let (records, _) = watched(board, 5.0);
    assert_eq!(texts(&records)[3..7], ["d7-", "e2-", "d5p", "e4P"]);
}

#[test]
fn silent_boards_are_lost_and_started_again() {
    let mut board = board();
    board.at(4.0, Action::Power(false));
    board.at(10.0, Action::Power(true));
    board.moves(12.0, E2, E4, 1);
    let (records, board) = watched(board, 15.0);
    let want =
        ["lost timeout", "found timeout", "position", "quiet", "e2-", "quiet", "e4P", "quiet", "quiet"];
    assert_eq!(texts(&records)[3..], want);
    let (lost, found) = (records[3].0, records[4].0);
    assert!((6.8..7.2).contains(&lost) && (10.0..11.5).contains(&found), "{lost} {found}");
    // No command is sent while reports come.
    assert!(board.sent.iter().all(|(at, _)| !(1.0..4.0).contains(&at.as_secs_f64())));
}

#[test]
fn moves_without_cable_show_in_a_position() {
    let mut board = board();
    board.unplugged.push((Duration::from_secs(4), Duration::from_secs(9)));
    board.moves(5.0, E2, E4, 1);
    let (records, _) = watched(board, 12.0);
    let want = ["lost port-closed", "found port-closed", "position", "quiet"];
    assert_eq!(texts(&records)[3..], want);
}

#[test]
fn boards_that_report_only_when_asked_are_asked() {
    let mut board = FakeReporter::new(ToyVoice { is_asked_only: true, ..ToyVoice::default() });
    board.at(4.2, Action::Field(E2, 0));
    let (records, _) = watched(board, 8.0);
    assert_eq!(texts(&records), ["board 7", "position", "quiet", "e2-", "quiet", "quiet"]);
}

#[test]
fn one_fault_is_published_of_a_row() {
    let mut board = board();
    board.piece = 7;
    board.at(4.0, Action::Spoil(3));
    board.at(5.0, Action::Bytes(b"garbage".to_vec()));
    board.at(6.0, Action::Field(E2, 0));
    let (records, _) = watched(board, 7.0);
    assert_eq!(texts(&records)[3..6], ["fault", "fault", "e2-"]);
}

#[test]
fn questions_are_answered_from_a_report() {
    let mut driver = ReportingBoard::new(board(), Toy::default());
    let mut reported = 0;
    let found = driver
        .find(&[], &mut |_| {
            reported += 1;
            Ok(())
        })
        .unwrap_or_default();
    assert_eq!((found.len(), reported, found[0].version.as_deref()), (1, 1, Some("7")));
    let Some(BoardEvent::Position(position)) = driver.position(1).unwrap() else { panic!("no position") };
    assert_eq!(position.placement, Placement::start());
    assert_eq!(driver.position(2).unwrap(), None);
    assert_eq!((driver.clock(1).unwrap(), driver.start(1).unwrap()), (None, None));
    let mut off = board();
    off.at(0.0, Action::Power(false));
    assert!(!ReportingBoard::new(off, Toy::default()).answers(&[]));
}

#[test]
fn captured_bytes_give_the_records_of_the_watch() {
    let report = |fields: &[u8; 64]| ToyVoice::default().report(fields);
    let mut fields = *Placement::start().codes();
    let mut bytes = report(&fields).repeat(10);
    fields[usize::from(E2)] = 0;
    bytes.extend(report(&fields).repeat(20));
    // Without times ten reports count as a second.
    let records = OverheardReports::new(Toy::default()).push(&bytes, None);
    let records: Vec<(f64, String)> = records.iter().map(short).collect();
    assert_eq!(texts(&records), ["position", "quiet", "e2-", "quiet", "quiet"]);
    assert!(records.iter().all(|(time, _)| *time == -1.0));
    // The times show how long no report came.
    let mut overheard = OverheardReports::new(Toy::default());
    let mut kinds = Vec::new();
    for at in [0, 100, 9000] {
        let records = overheard.push(&report(&fields), Some(Time(at)));
        kinds.extend(records.iter().map(short));
    }
    assert_eq!(kinds, [(0.0, "position".into()), (9.0, "position".into())]);
}

#[test]
fn quiet_is_published_after_the_clock_was_set_back() {
    let mut follower = Follower::default();
    for at in [3_600_000, 0] {
        follower.take(Said::Position(Placement::start()), Time(at));
    }
    assert_eq!(follower.followed.out().len(), 2);
}
