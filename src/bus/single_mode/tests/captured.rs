//! The watch of a board alone and the capture of it give the same records: `decode` and the journal agree.

use std::time::Duration;

use super::{
    super::{
        fake_board::{Action, LoneBoard},
        overheard::OverheardBoard,
        watcher::Watcher,
    },
    E2, E4, E5, E7, F3, G1, LEFT, RIGHT, SETTINGS, short,
};
use crate::{
    bus::{
        bus_mode::tests::Kept,
        link::{Gone, Link},
        watch::{Watch as _, WatchSettings},
    },
    error::Result,
    record::{BoardEvent, BoardRecord, Mode, Time},
    wire::frame::Decoder,
};

/// A link that keeps its bytes.
struct Captured {
    board: LoneBoard,
    came: Vec<(Time, Vec<u8>)>,
}

impl Link for Captured {
    fn now(&self) -> Duration {
        self.board.now()
    }

    fn time(&self) -> Time {
        self.board.time()
    }

    fn heard(&self) -> Time {
        self.board.heard()
    }

    fn name(&self) -> &str {
        self.board.name()
    }

    fn send(&mut self, bytes: &[u8]) -> Result<(), Gone> {
        self.board.send(bytes)
    }

    fn receive(&mut self, into: &mut Vec<u8>, until: Duration) -> Result<usize, Gone> {
        let before = into.len();
        let count = self.board.receive(into, until)?;
        self.came.push((self.board.heard(), into[before..].to_vec()));
        Ok(count)
    }

    fn pause(&mut self, until: Duration) {
        self.board.pause(until);
    }

    fn reopen(&mut self) -> Result<()> {
        self.board.reopen()
    }
}

/// The records of pieces and presses, with their times, of the watch and of its captured bytes.
fn both(board: LoneBoard, until: f64) -> [Vec<(String, Option<Time>)>; 2] {
    let settings = WatchSettings { seconds: Some(Duration::from_secs_f64(until)), ..SETTINGS };
    let link = Captured { board, came: Vec::new() };
    let mut watcher = Watcher::new(link, Kept::default(), settings, Default::default());
    watcher.run().unwrap();
    let (link, Kept(watched)) = watcher.into_parts();
    let (mut overheard, mut decoder) = (OverheardBoard::default(), Decoder::new(Mode::Single));
    overheard.asked();
    let mut decoded = Vec::new();
    for (time, bytes) in link.came {
        decoder.push(&bytes, |frame| {
            overheard.record(&frame.unwrap(), Some(time), |board, time, event| {
                decoded.push(BoardRecord::new(time, board, event));
            });
        });
    }
    [watched, decoded].map(|records| {
        let of_the_board = |record: &BoardRecord| {
            !matches!(record.event, BoardEvent::Board(_) | BoardEvent::Clock(_) | BoardEvent::Answers(_))
        };
        let records: Vec<BoardRecord> = records.into_iter().filter(of_the_board).collect();
        short(&records).into_iter().zip(records.iter().map(|record| record.time)).collect()
    })
}

#[test]
fn a_capture_gives_the_records_of_the_watch() {
    for clock in [false, true] {
        let mut board = LoneBoard::new();
        board.moves(5.0, E2, E4, 1);
        board.moves(6.2, E7, E5, 7);
        board.moves(12.0, G1, F3, 3);
        // A piece is touched while a dump is on its way, and another is adjusted later.
        board.moves(13.53, F3, F3, 3);
        board.moves(40.0, E4, E4, 1);
        if clock {
            board.clock = LEFT;
            let turns = (0..80).map(|n| {
                let mut shows = if n % 7 < 4 { LEFT } else { RIGHT };
                shows[2] = (n % 10) as u8;
                (Duration::from_millis(2000 + 500 * n), Action::Clock(shows))
            });
            let mut script: Vec<_> = board.script.drain(..).chain(turns).collect();
            script.sort_by_key(|&(at, _)| at);
            board.script = script.into();
        }
        let [watched, decoded] = both(board, 60.0);
        assert_eq!(decoded, watched, "clock: {clock}");
        assert!(decoded.iter().filter(|(text, _)| text == "quiet").count() >= 4, "{decoded:?}");
        assert_eq!(decoded.iter().any(|(text, _)| text.contains("Left")), clock);
    }
}
