//! The line on the terminal that says how a recording goes: boards, changes, presses, who plays, what is wrong.

use std::{
    collections::BTreeMap,
    sync::Arc,
    time::{Duration, Instant},
};

use indicatif::ProgressBar;

use crate::{
    progress,
    record::{BoardEvent, BoardRecord, Time},
};

/// No oftener than that is the line drawn anew.
const DRAWN: Duration = Duration::from_millis(250);
/// A board is in play, for this line, when something moved on it or its clock was pressed in so many seconds.
const IN_PLAY: f64 = 1800.0;

/// The line, and what it counts.
pub(super) struct Status {
    /// None where nobody sees it.
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
        if self.drawn.is_none_or(|drawn| drawn.elapsed() >= DRAWN) && !self.counts.boards.is_empty() {
            self.drawn = Some(Instant::now());
            bar.set_message(self.counts.words(Time::now()));
        }
    }

    /// Takes the line away; gives its last words.
    pub fn end(&mut self) -> Option<String> {
        let bar = self.bar.take()?;
        bar.finish_and_clear();
        Some(self.counts.words(Time::now()))
    }
}

impl Counts {
    fn take(&mut self, record: &BoardRecord) {
        if matches!(record.event, BoardEvent::Fault(_)) {
            self.faults += 1;
        }
        let Some(address) = record.board else { return };
        let board = self.boards.entry((record.line.clone(), address)).or_default();
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

    fn words(&self, now: Time) -> String {
        let count = |count: u64, one: &str| format!("{count} {one}{}", if count == 1 { "" } else { "s" });
        let plays = |board: &&Board| board.moved.is_some_and(|moved| moved.seconds_until(now) < IN_PLAY);
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
        if !lost.is_empty() {
            words.push_str(&format!(", lost: {}", lost.join(", ")));
        }
        words
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
    fn a_recording_is_told_in_a_line() {
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
        assert_eq!(counts.words(now), words);
    }
}
