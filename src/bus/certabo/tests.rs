//! Whole watches of a board of Certabo's, whose dumps are written from the facts alone.

use std::{cell::Cell, time::Duration};

use super::*;
use crate::{
    bus::{
        Recalled, Watch as _, WatchSettings,
        bus_mode::tests::{Kept, SETTINGS},
        detect::{self, tests::Shared},
        whole_positions::{
            fake_board::{Action, FakeReporter, Voice},
            overheard::OverheardReports,
            talk::Talk,
            watcher::Watcher,
        },
    },
    record::{BoardRecord, Time},
};

/// Dumps of a board whose fields hold the numbers of chips, 0 for none.
#[derive(Default)]
struct Dumps {
    /// Squares are misread, others in each dump.
    noisy: bool,
    dumps: Cell<u32>,
}

impl Voice for Dumps {
    fn report(&self, fields: &[u8; 64]) -> Vec<u8> {
        let dumps = self.dumps.replace(self.dumps.get() + 1);
        let mut text = String::from(":");
        for (field, &number) in (0..64).zip(fields) {
            let is_misread = self.noisy && field % 5 == dumps % 5;
            let chip = match (number, is_misread) {
                (0, false) | (1.., true) => [0; 5],
                (0, true) => [9, 200, dumps as u8, field as u8, 7],
                (number, false) => [3, 0, 84, 17, number],
            };
            chip.iter().for_each(|number| text += &format!("{number} "));
        }
        (text + "\r\n").into_bytes()
    }

    fn hear(&mut self, bytes: &[u8]) -> (Vec<u8>, bool) {
        panic!("nothing is ever sent to this make: {bytes:02x?}")
    }

    fn every(&self) -> Option<Duration> {
        Some(Duration::from_millis(250))
    }
}

/// A board in its start position: the chip on a field has the number of the field and one more.
fn board(noisy: bool) -> FakeReporter<Dumps> {
    let mut board = FakeReporter::new(Dumps { noisy, ..Dumps::default() });
    board.fields = std::array::from_fn(|field| if board.fields[field] == 0 { 0 } else { field as u8 + 1 });
    board
}

const E2: u8 = 52;
const E4: u8 = 36;

/// The records of a watch, as text.
fn watched(board: FakeReporter<Dumps>, chips: Chips, seconds: u64) -> Vec<String> {
    let settings = WatchSettings { seconds: Some(Duration::from_secs(seconds)), ..SETTINGS };
    let talk = Talk::new(board, Certabo::new(chips));
    let mut watcher = Watcher::new(talk, Kept::default(), settings, Recalled::new());
    while watcher.parts().0.now < Duration::from_secs(seconds) {
        if watcher.step().is_err() {
            watcher.port_closed().unwrap();
            let link = watcher.parts().0;
            link.now += Duration::from_secs(1);
        }
    }
    let (link, kept) = watcher.into_parts();
    assert!(link.sent.is_empty());
    kept.0.iter().map(words).collect()
}

fn words(record: &BoardRecord) -> String {
    match &record.event {
        BoardEvent::Position(position) => position.placement.to_string(),
        BoardEvent::Change(change) => format!("{} {}", change.square, change.piece.map_or("-", Piece::text)),
        BoardEvent::Calibration(calibration) => {
            let reason = serde_json::to_string(&calibration.reason).unwrap();
            format!("{} chips {reason}", calibration.chips.0.len())
        }
        event => event.kind().into(),
    }
}

const UNKNOWN: &str = "????????/????????/8/8/8/8/????????/????????";
const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";

fn without_rests(records: Vec<String>) -> Vec<String> {
    records.into_iter().filter(|record| record != "quiet").collect()
}

#[test]
fn a_start_position_names_the_chips_and_moves_follow() {
    let mut board = board(false);
    board.moves(5.0, E2, E4, E2 + 1);
    let records = without_rests(watched(board, Chips::default(), 10));
    let want = ["board", UNKNOWN, START, r#"32 chips "start-position""#, "e2 -", "e4 P"];
    assert_eq!(records, want);
}

/// The chips of the start position.
fn set() -> Chips {
    let mut kept = OverheardReports::new(Certabo::new(Chips::default()));
    let dumps = board(false).voice.report(&board(false).fields).repeat(8);
    let records = kept.push(&dumps, None);
    let chips = records.into_iter().find_map(|record| match record.event {
        BoardEvent::Calibration(calibration) => Some(calibration.chips),
        _ => None,
    });
    chips.unwrap()
}

#[test]
fn unnamed_queens_are_reported_as_unknown_pieces() {
    let mut board = board(false);
    // The pawn of e2 is taken off and a queen out of the box comes to e8, where nothing stands any more.
    board.at(3.0, Action::Field(4, 0));
    board.at(4.0, Action::Field(E2, 0));
    board.at(5.0, Action::Field(4, 99));
    let records = without_rests(watched(board, set(), 10));
    let want = ["board", START, r#"32 chips "given""#, "e8 -", "e2 -", "e8 ?", r#"1 chips "unknown""#];
    assert_eq!(records, want);
    let mut named = set();
    named.0.insert(Chip([3, 0, 84, 17, 99]), "Q".parse().unwrap());
    let mut board = self::board(false);
    board.at(3.0, Action::Field(4, 99));
    assert_eq!(without_rests(watched(board, named, 8))[3..], ["e8 Q"]);
}

#[test]
fn ghosts_and_missed_pieces_are_set_aside_and_reported() {
    let mut board = board(true);
    board.moves(30.0, E2, E4, E2 + 1);
    let records = without_rests(watched(board, set(), 70));
    assert_eq!(records[3..], ["e2 -", "e4 P", "readings"]);
}

#[test]
fn an_unplugged_board_comes_back_with_what_stands_then() {
    let mut board = board(false);
    board.unplugged.push((Duration::from_secs(5), Duration::from_secs(20)));
    board.moves(10.0, E2, E4, E2 + 1);
    let records = without_rests(watched(board, set(), 25));
    let after = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR";
    assert_eq!(records[3..5], ["lost", "found"]);
    assert_eq!(records[5..], [after, r#"32 chips "given""#]);
}

#[test]
fn its_dumps_are_recognised_without_a_byte_being_sent() {
    let board = std::rc::Rc::new(std::cell::RefCell::new(board(false)));
    let mut said = Vec::new();
    let found = detect::find(Shared(board.clone()), None, &[], &mut |event| {
        said.push(format!("{event:?}"));
        Ok(())
    });
    let (_, found) = found.unwrap_or_else(|_| panic!("the line is gone"));
    assert_eq!((found.len(), found[0].mode), (1, Some(Mode::CERTABO)));
    assert!(said[0].contains("a Certabo board"), "{said:?}");
    assert!(board.borrow().sent.is_empty() && board.borrow().now < Duration::from_secs(5));
}

#[test]
fn bytes_from_others_are_distinguished() {
    let dump = board(false).voice.report(&board(false).fields);
    assert_eq!(heard(&dump[700..]), Verdict::Maybe);
    assert_eq!(heard(&[&dump[300..], &dump, b":"].concat()), Verdict::Yes);
    assert!(
        matches!(heard(&b":255 255 0 0 0 0 255 255 \r\n".repeat(3)), Verdict::Refused(why) if why.contains("Sentio"))
    );
    assert_eq!(heard(b"$GPRMC,123519,A,4807.038,N,01131.000,E\r\n"), Verdict::No);
    assert_eq!(heard(&[0x8e, 0, 5, 52, 0, 0x8e, 0, 5, 36, 1]), Verdict::No);
}

#[test]
fn kept_dumps_are_read_with_other_names() {
    let dump = board(false).voice.report(&board(false).fields);
    let mut wrong = set();
    let (king, queen) = (Chip([3, 0, 84, 17, 61]), Chip([3, 0, 84, 17, 60]));
    wrong.learn(&Chips([(king, "Q".parse().unwrap()), (queen, "K".parse().unwrap())].into()));
    let read = |chips: Chips| {
        let mut kept = OverheardReports::new(Certabo::new(chips));
        let records: Vec<_> = (0..9).flat_map(|n| kept.push(&dump, Some(Time(n * 300)))).collect();
        records.iter().map(words).collect::<Vec<_>>()
    };
    assert_eq!(read(wrong)[0], START.replace("QK", "KQ"));
    assert_eq!(read(set())[0], START);
}
