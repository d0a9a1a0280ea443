//! A watch and the capture of it give the same records.

use super::{
    same_records::{self, games},
    *,
};
use crate::{
    bus::{Link, bus_mode::overheard::Overheard, link::Gone},
    capture::Direction,
    record::Time,
};

/// A line that keeps its traffic.
struct Captured {
    bus: FakeBus,
    traffic: Vec<(Time, Direction, Vec<u8>)>,
}

impl Captured {
    fn keep(&mut self, direction: Direction, bytes: &[u8]) {
        self.traffic.push((self.bus.time(), direction, bytes.to_owned()));
    }
}

impl Link for Captured {
    fn now(&self) -> Duration {
        self.bus.now()
    }

    fn time(&self) -> Time {
        self.bus.time()
    }

    fn heard(&self) -> Time {
        self.traffic.last().map_or(self.bus.time(), |last| last.0)
    }

    fn name(&self) -> &str {
        "captured"
    }

    fn send(&mut self, bytes: &[u8]) -> Result<(), Gone> {
        self.bus.send(bytes)?;
        self.keep(Direction::ToBoards, bytes);
        Ok(())
    }

    fn receive(&mut self, into: &mut Vec<u8>, until: Duration) -> Result<usize, Gone> {
        let before = into.len();
        let n = self.bus.receive(into, until)?;
        if n > 0 {
            self.keep(Direction::FromBoards, &into[before..]);
        }
        Ok(n)
    }

    fn pause(&mut self, until: Duration) {
        self.bus.pause(until);
    }

    fn reopen(&mut self) -> Result<()> {
        self.bus.reopen()
    }
}

/// The records by board, without those of the line.
fn of_boards(records: Vec<BoardRecord>) -> BTreeMap<u16, Vec<BoardRecord>> {
    let mut boards = BTreeMap::<u16, Vec<BoardRecord>>::new();
    for record in records {
        let of_line =
            matches!(record.event, BoardEvent::Fault(_) | BoardEvent::Board(_) | BoardEvent::Answers(_));
        if let Some(board) = record.board.filter(|_| !of_line) {
            boards.entry(board).or_default().push(record);
        }
    }
    boards
}

fn both(bus: FakeBus, until: f64) -> [BTreeMap<u16, Vec<BoardRecord>>; 2] {
    let addresses: Vec<u16> = bus.boards.iter().map(|board| board.address).collect();
    let settings = WatchSettings { seconds: Some(seconds(until)), ..SETTINGS };
    let captured = Captured { bus, traffic: Vec::new() };
    let mut watch = Poller::new(captured, Kept::default(), settings, BTreeMap::new());
    watch.find(&addresses, true).unwrap();
    watch.run().unwrap();
    let (Captured { traffic, .. }, Kept(watched)) = watch.into_parts();
    let mut overheard = Overheard::default();
    for (time, direction, bytes) in traffic {
        overheard.traffic(Some(time), direction, &bytes);
    }
    overheard.finish();
    [watched, overheard.take_records()].map(of_boards)
}

fn same(what: &str, bus: FakeBus) {
    let [watched, overheard] = both(bus, 110.0);
    assert!(watched.values().flatten().filter(|r| r.event.kind() == "quiet").count() > 5, "{what}");
    for (board, watched) in watched {
        let overheard = overheard.get(&board).map_or(&[][..], |records| records);
        let [watched, overheard] = [&watched[..], overheard].map(same_records::lines);
        let differ = watched.lines().zip(overheard.lines()).position(|(a, b)| a != b);
        let at = differ.unwrap_or(watched.lines().count()).saturating_sub(3);
        let part = |records: &str| records.lines().skip(at).take(7).collect::<Vec<_>>().join("\n");
        assert!(watched == overheard, "{what}:\n{}\n\n{}", part(&watched), part(&overheard));
    }
}

#[test]
fn a_capture_gives_the_records_of_the_watch() {
    for noise in [0.0, 0.0005, 0.002, 0.01] {
        for seed in 0..8 {
            same(&format!("noise {noise}, seed {seed}"), games(6, seed, noise, 90.0));
        }
    }
    for dropped in [0.01, 0.05] {
        let mut bus = games(6, 11, 0.001, 90.0);
        bus.dropped = dropped;
        same(&format!("dropped {dropped}"), bus);
    }
}

#[test]
fn a_capture_with_resets_gives_the_records_of_the_watch() {
    // Also with start marks and polls of another program.
    let at = |board: &mut FakeBoard, time, action| {
        board.script.push_back((seconds(time), action));
        board.script.make_contiguous().sort_by_key(|&(at, _)| at);
    };
    let actions = [Action::Watchdog, Action::Mark, Action::Fetched];
    for action in actions {
        let mut bus = games(4, 5, 0.0005, 90.0);
        bus.boards.iter_mut().for_each(|board| at(board, 40.0, action.clone()));
        same(&format!("{action:?}"), bus);
    }
    let mut bus = games(4, 7, 0.0, 90.0);
    bus.marks_without_list = true;
    same("marks without lists", bus);
    let mut bus = games(4, 8, 0.0, 90.0);
    bus.answers_lost = Some((seconds(30.0), seconds(38.0)));
    same("answers lost", bus);
}
