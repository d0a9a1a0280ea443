//! Tests of ports that come back as another device than the one that was listened to.

use std::{cell::RefCell, rc::Rc};

use super::{tests::Shared, *};
use crate::{
    bus::{
        bus_mode::tests::{Kept, SETTINGS},
        single_mode::fake_board::LoneBoard,
        whole_positions::fake_board::{FakeReporter, Voice},
    },
    record::{BoardEvent, Time},
};

const SECOND: Duration = Duration::from_secs(1);

/// A board of Certabo's, to which nothing may be sent.
struct Chips;

impl Voice for Chips {
    fn report(&self, fields: &[u8; 64]) -> Vec<u8> {
        let numbers = |(field, &code): (usize, &u8)| {
            if code == 0 { "0 0 0 0 0 ".into() } else { format!("3 0 84 7 {field} ") }
        };
        let text: String = fields.iter().enumerate().map(numbers).collect();
        format!(":{text}\r\n").into_bytes()
    }

    fn hear(&mut self, bytes: &[u8]) -> (Vec<u8>, bool) {
        panic!("nothing is ever sent to this make: {bytes:02x?}")
    }

    fn every(&self) -> Option<Duration> {
        Some(Duration::from_millis(250))
    }
}

/// A port that goes away after ten seconds, and five later is another device.
struct Swapped<L> {
    first: LoneBoard,
    second: L,
    is_second: bool,
    settled: Option<bool>,
    /// When the second device was sent something first.
    sent: Option<Duration>,
}

impl<L: Link> Swapped<L> {
    fn new(second: L) -> Swapped<L> {
        let mut first = LoneBoard::new();
        first.has_bus_mode = false;
        first.unplugged.push((10 * SECOND, 3600 * SECOND));
        Swapped { first, second, is_second: false, settled: None, sent: None }
    }

    fn now_there(&mut self) -> &mut dyn Link {
        if self.is_second { &mut self.second } else { &mut self.first }
    }
}

impl<L: Link> Link for Swapped<L> {
    fn now(&self) -> Duration {
        if self.is_second { self.second.now() } else { self.first.now() }
    }

    fn time(&self) -> Time {
        Time(self.now().as_millis() as i64)
    }

    fn heard(&self) -> Time {
        self.time()
    }

    fn name(&self) -> &str {
        "desk"
    }

    fn is_another_device(&self) -> bool {
        self.settled != Some(self.is_second)
    }

    fn settle(&mut self) {
        self.settled = Some(self.is_second);
    }

    fn send(&mut self, bytes: &[u8]) -> Result<(), Gone> {
        if self.is_second {
            self.sent.get_or_insert(self.second.now());
        }
        self.now_there().send(bytes)
    }

    fn receive(&mut self, into: &mut Vec<u8>, until: Duration) -> Result<usize, Gone> {
        self.now_there().receive(into, until)
    }

    fn pause(&mut self, until: Duration) {
        self.now_there().pause(until);
    }

    fn reopen(&mut self) -> Result<()> {
        if !self.is_second && self.first.now() >= 15 * SECOND {
            self.is_second = true;
            self.second.pause(self.first.now());
            let mut stale = Vec::new();
            let _ = self.second.drain(&mut stale);
        }
        self.now_there().reopen()
    }
}

/// What a watch of 40 s reports of its beginnings, its records, and when the second device was sent something first.
fn watched<L: Link>(second: L) -> (Vec<String>, Vec<BoardEvent>, Option<Duration>) {
    let link = Rc::new(RefCell::new(Swapped::new(second)));
    let (mut kept, mut beginnings) = (Kept::default(), Vec::new());
    let settings = WatchSettings { seconds: Some(40 * SECOND), ..SETTINGS };
    let plan = WatchPlan { make: None, last: None, expected: Vec::new(), only: false, settings };
    watch(Shared(link.clone()), &mut kept, plan, Recalled::new(), &mut |beginning| {
        beginnings.push(match beginning {
            Beginning::Nobody => "nobody".into(),
            Beginning::Heard(heard) => heard.to_string(),
            Beginning::Watching(_) => "watching".into(),
        });
    })
    .unwrap();
    let sent = link.borrow().sent;
    (beginnings, kept.0.into_iter().map(|record| record.event).collect(), sent)
}

#[test]
fn nothing_is_sent_to_another_make_that_comes_back() {
    let (beginnings, events, sent) = watched(FakeReporter::new(Chips));
    assert_eq!(sent, None);
    assert_eq!(beginnings, ["watching", "a Certabo board", "watching"]);
    let boards: Vec<Option<Mode>> = events
        .iter()
        .filter_map(|event| match event {
            BoardEvent::Board(board) => Some(board.spoken()),
            _ => None,
        })
        .collect();
    assert_eq!(boards, [Some(Mode::Single), Some(Mode::CERTABO)]);
    // Its chips are named by the start position.
    assert!(events.iter().any(|event| event.kind() == "calibration"));
}

#[test]
fn another_board_of_the_make_is_watched_on() {
    let mut second = LoneBoard::new();
    second.has_bus_mode = false;
    let (beginnings, events, sent) = watched(second);
    assert!(sent.is_some_and(|sent| sent > 15 * SECOND + Duration::from_millis(1200)), "{sent:?}");
    assert_eq!(beginnings, ["watching"]);
    let kinds: Vec<&str> = events.iter().map(BoardEvent::kind).collect();
    assert!(kinds.contains(&"lost") && kinds.contains(&"found"), "{kinds:?}");
}
