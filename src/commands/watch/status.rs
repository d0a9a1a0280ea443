//! The status line of a recording on the terminal: boards, changes, presses, games in play, faults.

use std::{
    collections::BTreeMap,
    sync::Arc,
    time::{Duration, Instant},
};

use indicatif::ProgressBar;

use crate::{
    progress,
    record::{BoardEvent, BoardRecord, Placement, Time},
};

/// The minimum time between two updates of the line.
const DRAW_INTERVAL: Duration = Duration::from_millis(250);
/// A board counts as in play when a square changed or its clock was pressed within this many seconds.
const IN_PLAY_SECONDS: f64 = 1800.0;

/// The status line, and its counts.
pub(super) struct Status {
    /// None where the line is not shown.
    bar: Option<ProgressBar>,
    drawn: Option<Instant>,
    counts: Counts,
}

#[derive(Debug, Default)]
struct Counts {
    boards: BTreeMap<(Option<Arc<str>>, u16), Board>,
    changes: u64,
    presses: u64,
    faults: u64,
}

#[derive(Debug, Default)]
struct Board {
    moved: Option<Time>,
    lost: bool,
    sending: Sending,
}

/// A listing or a log that a board is sending, whose changes are not play.
#[derive(Debug, Default)]
enum Sending {
    #[default]
    Nothing,
    /// The listing of its pieces, as changes onto an empty board, with those so far.
    List(Placement),
    /// Its log, with the number of records still to come.
    Log(u64),
}

impl Sending {
    /// Adds a record of the board; returns whether it is a part of the listing or log.
    fn take(&mut self, event: &BoardEvent) -> bool {
        use BoardEvent::{Change, History, Mark};
        match (&mut *self, event) {
            (Sending::Log(left @ 1..), event) if event.is_logged() => {
                *left -= 1;
                return true;
            }
            (Sending::List(stands), Change(change))
                if change.piece.is_some() && stands.get(change.square).is_none() =>
            {
                stands.set(change.square, change.piece);
                return true;
            }
            (_, History(log)) => *self = Sending::Log(log.count),
            (_, Mark(mark)) if mark.listing => *self = Sending::List(Placement::EMPTY),
            _ => *self = Sending::Nothing,
        }
        false
    }
}

impl Status {
    /// Nothing has come yet.
    pub fn begin() -> Status {
        let bar = progress::is_shown().then(progress::status);
        bar.iter().for_each(|bar| bar.set_message("listening for boards"));
        Status { bar, drawn: None, counts: Counts::default() }
    }

    /// Counts a record.
    pub fn take(&mut self, record: &BoardRecord) {
        if self.bar.is_some() {
            self.counts.take(record);
        }
    }

    /// Draws the line, if that is due.
    pub fn draw(&mut self) {
        let Some(bar) = &self.bar else { return };
        if self.drawn.is_none_or(|drawn| drawn.elapsed() >= DRAW_INTERVAL) && !self.counts.boards.is_empty() {
            self.drawn = Some(Instant::now());
            bar.set_message(self.counts.words(Time::now(), progress::room(bar)));
        }
    }

    /// Removes the line; returns its last text.
    pub fn end(&mut self) -> Option<String> {
        let bar = self.bar.take()?;
        bar.finish_and_clear();
        Some(self.counts.words(Time::now(), usize::MAX))
    }
}

impl Counts {
    fn take(&mut self, record: &BoardRecord) {
        if matches!(record.event, BoardEvent::Fault(_)) {
            self.faults += 1;
        }
        let Some(address) = record.board else { return };
        let board = self.boards.entry((record.line.clone(), address)).or_default();
        if board.sending.take(&record.event) {
            return;
        }
        match &record.event {
            BoardEvent::Change(_) => self.changes += 1,
            BoardEvent::Press(_) => self.presses += 1,
            BoardEvent::Lost(_) => board.lost = true,
            BoardEvent::Found(_) | BoardEvent::Board(_) => board.lost = false,
            _ => {}
        }
        if matches!(record.event, BoardEvent::Change(_) | BoardEvent::Press(_)) {
            board.moved = record.time.max(board.moved);
        }
    }

    /// The text of the line, in `room` columns where that is possible.
    fn words(&self, now: Time, room: usize) -> String {
        let count = |count: u64, one: &str| format!("{count} {one}{}", if count == 1 { "" } else { "s" });
        let plays =
            |board: &&Board| board.moved.is_some_and(|moved| moved.seconds_until(now) < IN_PLAY_SECONDS);
        let playing = self.boards.values().filter(plays).count();
        let mut words = format!(
            "{}, {}, {}, {playing} in play, {}",
            count(self.boards.len() as u64, "board"),
            count(self.changes, "change"),
            if self.presses == 1 { "1 press".into() } else { format!("{} presses", self.presses) },
            count(self.faults, "fault"),
        );
        let lost: Vec<String> =
            self.boards.iter().filter(|(_, board)| board.lost).map(|(name, _)| named(name)).collect();
        words.push_str(&names_of_lost(&lost, room.saturating_sub(words.chars().count())));
        words
    }
}

/// The names of boards that are lost, as many as fit, and the number of the others.
fn names_of_lost(lost: &[String], room: usize) -> String {
    let named = |count: usize| match lost.len() - count {
        0 => format!(", lost: {}", lost.join(", ")),
        more => format!(", lost: {} +{more} more", lost[..count].join(", ")),
    };
    match (1..=lost.len()).rev().map(named).find(|words| words.chars().count() <= room) {
        Some(words) => words,
        None if lost.is_empty() => String::new(),
        None => format!(", {} lost", lost.len()),
    }
}

fn named((line, board): &(Option<Arc<str>>, u16)) -> String {
    line.as_ref().map_or_else(|| board.to_string(), |line| format!("{line} {board}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{Record, parse};

    #[test]
    fn recordings_have_a_status_line() {
        let mut counts = Counts::default();
        let mut take = |rest: &str| {
            let Record::Board(record) = parse(format!("{{{rest}}}").as_bytes()).unwrap() else {
                panic!("{rest}")
            };
            counts.take(&record);
        };
        for board in [1025, 1026, 1027] {
            take(&format!(r#""type":"board","board":{board},"port":"x""#));
        }
        take(r#""type":"change","time":"2026-11-21T09:00:00Z","board":1025,"square":"e2","piece":null"#);
        take(r#""type":"change","time":"2026-11-21T10:00:00Z","board":1026,"square":"e2","piece":null"#);
        take(r#""type":"change","time":"2026-11-21T10:00:00Z","board":1026,"square":"e4","piece":"P""#);
        take(r#""type":"press","time":"2026-11-21T10:00:01Z","board":1026,"side":"left","seconds":9"#);
        take(r#""type":"fault","kind":"framing","detail":"x""#);
        take(r#""type":"lost","board":1025,"reason":"timeout""#);
        take(r#""type":"lost","line":"hall-2","board":1027,"reason":"timeout""#);
        take(r#""type":"lost","board":1026,"reason":"timeout""#);
        take(r#""type":"found","board":1026,"reason":"answer""#);
        let now = "2026-11-21T10:15:00Z".parse().unwrap();
        let words = "4 boards, 3 changes, 1 press, 1 in play, 1 fault, lost: 1025, hall-2 1027";
        assert_eq!(counts.words(now, usize::MAX), words);
        assert_eq!(counts.words(now, words.len()), words);
        // Names are never cut.
        let short = "4 boards, 3 changes, 1 press, 1 in play, 1 fault, lost: 1025 +1 more";
        assert_eq!(counts.words(now, words.len() - 1), short);
        assert_eq!(counts.words(now, short.len()), short);
        let none = "4 boards, 3 changes, 1 press, 1 in play, 1 fault, 2 lost";
        assert_eq!(counts.words(now, short.len() - 1), none);
    }

    #[test]
    fn pieces_that_are_listed_and_logs_are_no_play() {
        let words = |records: &[&str]| {
            let mut counts = Counts::default();
            for rest in records {
                let line = format!(r#"{{"time":"2026-11-21T10:00:00Z","board":1025,"type":{rest}}}"#);
                let Record::Board(record) = parse(line.as_bytes()).unwrap() else { panic!("{line}") };
                counts.take(&record);
            }
            counts.words("2026-11-21T10:00:01Z".parse().unwrap(), usize::MAX)
        };
        let list = [
            r#""mark","mark":"power-up","listing":true"#,
            r#""change","square":"e2","piece":"P""#,
            r#""change","square":"e7","piece":"p""#,
        ];
        assert_eq!(words(&list), "1 board, 0 changes, 0 presses, 0 in play, 0 faults");
        // A piece is lifted before the board was asked again.
        let lifted = [&list[..], &[r#""change","square":"e2","piece":null"#]].concat();
        assert_eq!(words(&lifted), "1 board, 1 change, 0 presses, 1 in play, 0 faults");
        let put = [&list[..], &[r#""change","square":"e7","piece":"P""#]].concat();
        assert_eq!(words(&put), "1 board, 1 change, 0 presses, 1 in play, 0 faults");
        let log = [
            r#""history","reason":"start","count":3,"complete":true"#,
            r#""mark","mark":"start""#,
            r#""change","square":"e2","piece":null"#,
            r#""press","side":"left","seconds":9"#,
        ];
        assert_eq!(words(&log), "1 board, 0 changes, 0 presses, 0 in play, 0 faults");
        let behind = [&log[..], &[r#""change","square":"e4","piece":"P""#]].concat();
        assert_eq!(words(&behind), "1 board, 1 change, 0 presses, 1 in play, 0 faults");
    }
}
