//! What a watch told is safe before its board is asked for more, so a watch can be killed at any moment.

use std::{cell::Cell, rc::Rc};

use super::*;
use crate::{bus::recall::Recall, error::Error};

/// The disk: what was put is safe up to this number.
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
fn a_board_is_not_asked_for_more_before_what_it_told_is_on_disk() {
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
    // The disk hangs: the move is told, and its board left alone.
    safe.set(put);
    let (told, _) = until(5.5);
    let (waiting, _) = until(15.0);
    assert!(told[0] > before[0] && waiting[0] == told[0], "{before:?} {told:?} {waiting:?}");
    assert!(waiting[1] > told[1] + 100);
    safe.set(u64::MAX);
    assert!(until(16.0).0[0] > waiting[0] + 5);
    let (bus, Disk(records, _)) = watch.into_parts();
    assert_eq!(super::told(&records, 1025), logged(&bus.boards[0]));
}

/// A watch that is killed when it has put so many batches: the next never reaches the disk.
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
fn a_watch_killed_twenty_times_with_answers_in_its_hands_loses_and_doubles_nothing() {
    for seed in 0..5 {
        let mut random = Random::new(seed + 50);
        let mut bus = FakeBus::new(1025..1033, seed);
        for board in &mut bus.boards {
            play(board, &mut random, 15.0, 300.0, 3.0);
        }
        let addresses: Vec<u16> = (1025..1033).collect();
        let mut journal: Vec<BoardRecord> = Vec::new();
        for life in 0..=20 {
            let mut recall = Recall::default();
            for record in &journal {
                recall.record(crate::record::Record::Board(record.clone()));
            }
            let batches = if life < 20 { 40 + random.below(60) as usize } else { usize::MAX };
            let settings = WatchSettings { seconds: Some(seconds(330.0)), ..SETTINGS };
            let mut watch =
                Poller::new(bus, Mortal(Vec::new(), batches), settings, recall.line_named(None).0);
            let ended = watch.find(&addresses, true).and_then(|_| watch.run());
            assert_eq!(ended.is_err(), life < 20, "seed {seed}: killed {life} times: {ended:?}");
            let told;
            (bus, Mortal(told, _)) = watch.into_parts();
            journal.extend(told);
        }
        for board in &bus.boards {
            assert_eq!(told(&journal, board.address), logged(board), "seed {seed}, board {}", board.address);
        }
    }
}
