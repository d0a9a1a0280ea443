//! Published records are safe on disk before their board is polled again, so a watch can be killed at any moment.

use std::{cell::Cell, rc::Rc};

use super::*;
use crate::{bus::recall::Recall, error::Error};

/// The disk: batches up to this number are safe.
struct Disk(Vec<BoardRecord>, Rc<Cell<u64>>);

impl RecordSink for Disk {
    fn put(&mut self, records: Vec<BoardRecord>) -> Result<u64> {
        self.0.extend(records);
        Ok(self.0.len() as u64)
    }

    fn safe(&self, number: u64) -> bool {
        number <= self.1.get()
    }

    fn wanted(&self) -> bool {
        true
    }
}

#[test]
fn a_board_is_not_polled_before_its_records_are_safe() {
    let mut bus = FakeBus::new([1025, 1026], 1);
    bus.boards.iter_mut().for_each(marked);
    bus.boards[0].moves(0x34, 0x24, 1, seconds(5.0));
    let safe = Rc::new(Cell::new(u64::MAX));
    let mut watch = Poller::new(bus, Disk(Vec::new(), safe.clone()), QUIET, BTreeMap::new());
    watch.find(&[1025, 1026], true).unwrap();
    let mut until = |time: f64| {
        watch.settings.seconds = Some(seconds(time));
        watch.run().unwrap();
        let polls = |low: u8| {
            let to = watch.line.link.sent.iter().filter(|(_, c)| c[0] == 0x83 && c[1..3] == [0x08, low]);
            to.count()
        };
        ([polls(1), polls(2)], watch.sink.0.len() as u64)
    };
    let (before, put) = until(4.9);
    // The disk hangs: the move is published, and its board is no longer polled.
    safe.set(put);
    let (moved, _) = until(5.5);
    let (waiting, _) = until(15.0);
    assert!(moved[0] > before[0] && waiting[0] == moved[0], "{before:?} {moved:?} {waiting:?}");
    assert!(waiting[1] > moved[1] + 100);
    safe.set(u64::MAX);
    assert!(until(16.0).0[0] > waiting[0] + 5);
    let (bus, Disk(records, _)) = watch.into_parts();
    assert_eq!(super::published(&records, 1025), logged(&bus.boards[0]));
}

/// The sink of a watch that is killed after this number of batches: the next never reaches the disk.
pub(super) struct Mortal(pub Vec<BoardRecord>, pub usize);

impl RecordSink for Mortal {
    fn put(&mut self, records: Vec<BoardRecord>) -> Result<u64> {
        self.1 = self.1.checked_sub(1).ok_or(Error::ReaderGone)?;
        self.0.extend(records);
        Ok(self.0.len() as u64)
    }

    fn safe(&self, _: u64) -> bool {
        true
    }

    fn wanted(&self) -> bool {
        true
    }
}

#[test]
fn a_killed_watch_loses_and_repeats_nothing() {
    for seed in 0..5 {
        let mut random = Random::new(seed + 50);
        let mut bus = FakeBus::new(1025..1033, seed);
        for board in &mut bus.boards {
            play(board, &mut random, 15.0, 300.0, 3.0);
        }
        let addresses: Vec<u16> = (1025..1033).collect();
        let mut journal: Vec<BoardRecord> = Vec::new();
        for life in 0..=20 {
            let mut recall = recalled(&journal);
            let batches = if life < 20 { 40 + random.below(60) as usize } else { usize::MAX };
            let settings = WatchSettings { seconds: Some(seconds(330.0)), ..SETTINGS };
            let mut watch = Poller::new(bus, Mortal(Vec::new(), batches), settings, recall.line_named(None));
            let ended = watch.find(&addresses, true).and_then(|_| watch.run());
            assert_eq!(ended.is_err(), life < 20, "seed {seed}: killed {life} times: {ended:?}");
            let published;
            (bus, Mortal(published, _)) = watch.into_parts();
            journal.extend(published);
        }
        for board in &bus.boards {
            assert_eq!(
                published(&journal, board.address),
                logged(board),
                "seed {seed}, board {}",
                board.address
            );
        }
    }
}

/// The state that a new run restores from a journal.
fn recalled(journal: &[BoardRecord]) -> Recall {
    let mut recall = Recall::default();
    for record in journal {
        recall.record(crate::record::Record::Board(record.clone()));
    }
    recall
}

/// Two games of four plies from this position, the second set up between 60 and 62 s and begun at 80 s.
fn two_games(start: [u8; 64]) -> FakeBus {
    let mut bus = FakeBus::new([1025], 1);
    let board = &mut bus.boards[0];
    board.fields = start;
    let men: Vec<u8> = (0..64).filter(|&field| start[usize::from(field)] != 0).collect();
    let last = men.len() - 1;
    let moves = [(men[last], 37), (men[0], 24), (men[last - 3], 35), (men[3], 26)];
    for (n, (from, to)) in (0..).zip(moves) {
        let (piece, n) = (start[usize::from(from)], f64::from(n));
        board.moves(from, to, piece, seconds(15.0 + 5.0 * n));
        board.moves(to, from, piece, seconds(60.0 + 0.5 * n));
        board.moves(from, to, piece, seconds(80.0 + 5.0 * n));
    }
    board.script.make_contiguous().sort_by_key(|&(at, _)| at);
    bus
}

/// The number of changes before each start mark of a board, without those of lists.
fn marks(board: &FakeBoard) -> Vec<usize> {
    let (mut marks, mut changes) = (Vec::new(), 0);
    let mut listed = 0;
    for entry in &board.log {
        match entry {
            0x7b => {
                marks.push(changes);
                listed = board.fields.iter().filter(|&&code| code != 0).count();
            }
            0x40..0x60 if listed > 0 => listed -= 1,
            0x40..0x60 => changes += 1,
            _ => {}
        }
    }
    marks
}

/// The start position of Russian draughts with disks, as its board reports it: P for White, B for Black.
const DRAUGHTS: [u8; 64] = {
    let mut fields = [0; 64];
    let mut field = 0;
    while field < 64 {
        let (row, column) = (field / 8, field % 8);
        if (row + column) % 2 == 1 && (row < 3 || row > 4) {
            fields[field] = if row < 3 { 4 } else { 1 };
        }
        field += 1;
    }
    fields
};

#[test]
fn each_game_has_a_start_mark_after_any_restart() {
    let mut turned = START;
    turned.reverse();
    for start in [START, turned, DRAUGHTS] {
        // The end and the restart of the watch: before the first mark, before the first game, during it, while the pieces are
        // set up, before the second game and during it; the last without a watch for a whole game.
        let restarts =
            [(1.0, 2.0), (10.0, 11.0), (22.0, 24.0), (40.0, 41.0), (50.0, 66.0), (60.7, 61.2), (75.0, 76.0)];
        for (killed, begun) in restarts.into_iter().chain([(92.0, 93.0), (10.0, 66.0)]) {
            let mut bus = two_games(start);
            let mut journal = Vec::new();
            for until in [killed, 110.0] {
                let settings = WatchSettings { seconds: Some(seconds(until)), ..SETTINGS };
                let recalled = recalled(&journal).line_named(None);
                let mut watch = Poller::new(bus, Kept::default(), settings, recalled);
                watch.find(&[1025], true).unwrap();
                watch.run().unwrap();
                let published;
                (bus, Kept(published)) = watch.into_parts();
                journal.extend(published);
                crate::bus::Link::pause(&mut bus, seconds(begun));
            }
            let board = &bus.boards[0];
            assert_eq!(marks(board), [0, 16], "away from {killed} to {begun} s: {:02x?}", board.log);
            assert_eq!(published(&journal, 1025), logged(board), "away from {killed} to {begun} s");
        }
    }
}

#[test]
fn a_new_journal_during_a_game_keeps_the_next_mark() {
    let mut bus = two_games(START);
    let mut journal: Vec<BoardRecord> = Vec::new();
    for until in [40.0, 45.0, 110.0] {
        let settings = WatchSettings { seconds: Some(seconds(until)), ..SETTINGS };
        let mut watch = Poller::new(bus, Kept::default(), settings, recalled(&journal).line_named(None));
        watch.find(&[1025], true).unwrap();
        watch.run().unwrap();
        let published;
        (bus, Kept(published)) = watch.into_parts();
        journal.extend(published);
        journal = recalled(&journal).standing(None, crate::record::Time(0));
    }
    assert_eq!(marks(&bus.boards[0]), [0, 16]);
}
