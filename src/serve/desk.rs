//! Answers calls, and sends changes of boards to the feeds: LiveChess's interface without sockets.

use std::{collections::BTreeMap, time::Duration};

use serde_json::Value;
use tungstenite::Utf8Bytes;

use super::{
    feeds::{Feed, Messages, Outbox},
    hall::{Board, EClock, Hall, News},
    json::compact,
    livechess::{self, Call, FeedBoard, FeedGame},
    routes::View,
    tracker::Tracker,
};
use crate::record::{BoardRecord, ByLine, Stream, Time};

/// The greatest number of feeds of a client.
const FEEDS_MAX: usize = 1024;

/// The state of LiveChess's interface.
#[derive(Default)]
pub struct Desk {
    pub hall: Hall,
    /// For this many seconds at least a move has stood before it is published.
    certain_after: f64,
    /// The feeds of each board.
    feeds: Vec<Vec<Feed>>,
    /// The clock of each board as last sent to feeds.
    clocks: Vec<Option<EClock>>,
    trackers: BTreeMap<u32, Tracker>,
    next_tracker: u32,
    /// The time of the last record of each line, in the line's own time and in the server's.
    lines: ByLine<Option<[Time; 2]>>,
    /// The same times for each board.
    came: Vec<Option<[Time; 2]>>,
    /// The server's time at which trackers have to be checked.
    due: Option<Time>,
}

impl Desk {
    /// Without boards. A move has stood for `certain_after` seconds at least before it is published, and each record
    /// comes later than its time by `delay`.
    pub fn new(certain_after: f64, delay: Duration) -> Desk {
        let mut desk = Desk { certain_after, ..Desk::default() };
        desk.hall.delay_ms = delay.as_millis() as i64;
        desk
    }

    /// Adds a stream record.
    pub fn stream(&mut self, stream: &Stream, now: Time, out: &mut Outbox) {
        for at in self.hall.stream(stream) {
            self.send(at, now, out);
        }
        let boards = &self.hall.boards;
        let of_line =
            self.trackers.values_mut().filter(|tracker| boards[tracker.board].name.0 == stream.line);
        of_line.for_each(|tracker| tracker.stream(stream));
    }

    /// Ends the input.
    pub fn end(&mut self, now: Time, out: &mut Outbox) {
        for at in self.hall.end() {
            self.send(at, now, out);
        }
    }

    /// Adds a record of a board.
    pub fn record(&mut self, record: &BoardRecord, now: Time, out: &mut Outbox) {
        let line = self.lines.number(&record.line, || None);
        self.lines[line] = record.time.map(|time| [time, now]).or(self.lines[line]);
        let (at, news) = self.hall.record(record);
        self.feeds.resize_with(self.hall.boards.len(), Vec::new);
        self.clocks.resize(self.hall.boards.len(), None);
        self.came.resize(self.hall.boards.len(), None);
        self.came[at] = record.time.map(|time| [time, now]).or(self.came[at]);
        for tracker in self.trackers.values_mut().filter(|tracker| tracker.board == at) {
            tracker.record(record);
        }
        if news != News::Nothing {
            self.send(at, now, out);
        }
        let of_board: Vec<u32> = self
            .trackers
            .iter()
            .filter(|(_, tracker)| tracker.board == at)
            .map(|(&number, _)| number)
            .collect();
        of_board.into_iter().for_each(|number| self.publish(number, now, out));
    }

    /// Publishes the moves that have become certain; returns the milliseconds until the next check, if one is due.
    pub fn check(&mut self, now: Time, out: &mut Outbox) -> Option<i64> {
        if self.due.is_some_and(|due| due <= now) {
            self.due = None;
            let all: Vec<u32> = self.trackers.keys().copied().collect();
            all.into_iter().for_each(|number| self.publish(number, now, out));
        }
        self.due.map(|due| (due.0 - now.0).max(1))
    }

    /// The server's time `now` in the clock of a board's line.
    fn record_time(&mut self, at: usize, now: Time) -> Time {
        let line = self.lines.find(&self.hall.boards[at].name.0);
        // Records of other boards of the line may come late, or from another clock.
        let last = [line.and_then(|line| self.lines[line]), self.came.get(at).copied().flatten()];
        let goes_on = |[time, came]: [Time; 2]| Time(time.0 + (now.0 - came.0).max(0));
        last.into_iter().flatten().map(goes_on).max().unwrap_or(now)
    }

    /// Publishes the moves of a tracker that are certain, each in a message of its own.
    fn publish(&mut self, number: u32, now: Time, out: &mut Outbox) {
        let Some(at) = self.trackers.get(&number).map(|tracker| tracker.board) else { return };
        let record_time = self.record_time(at, now);
        loop {
            let Some(tracker) = self.trackers.get_mut(&number) else { return };
            match tracker.publish(&self.hall.boards[at], self.certain_after, record_time) {
                Ok(()) => {
                    let feeds = self.feeds[at].iter().filter(|feed| feed.setup == Some(number));
                    let mut made = Messages::new(now, |feed| {
                        content(&self.hall.boards[at], feed, self.trackers.get(&number), None)
                    });
                    out.extend(feeds.map(|feed| (feed.client, made.message(feed))));
                }
                Err(due) => {
                    let due = due.map(|due| Time(now.0 + (due.0 - record_time.0)));
                    self.due = self.due.into_iter().chain(due).min();
                    return;
                }
            }
        }
    }

    /// Sends the current state of a board to all its feeds.
    fn send(&mut self, at: usize, now: Time, out: &mut Outbox) {
        let (board, trackers) = (&self.hall.boards[at], &self.trackers);
        let Some(feeds) = self.feeds.get(at) else { return };
        let clock = board.clock();
        let clock_sent = (self.clocks[at] != clock).then_some(clock);
        self.clocks[at] = clock;
        let tracker = |feed: &Feed| feed.setup.and_then(|number| trackers.get(&number));
        let mut made = Messages::new(now, |feed| content(board, feed, tracker(feed), clock_sent));
        out.extend(feeds.iter().map(|feed| (feed.client, made.message(feed))));
    }

    /// Answers a message of a client that sees these boards.
    pub fn call(&mut self, client: u64, view: &View, text: &[u8], now: Time, out: &mut Outbox) {
        let (id, call) = livechess::read(text);
        let mut after = Vec::new();
        let answer = call.and_then(|call| self.answer(client, view, call, &id, now, &mut after));
        let answer = answer.unwrap_or_else(|problem| livechess::error(&id, &problem, now));
        out.push((client, answer.into()));
        out.extend(after.into_iter().map(|text| (client, Utf8Bytes::from(text))));
    }

    fn answer(
        &mut self,
        client: u64,
        view: &View,
        call: Call,
        id: &Value,
        now: Time,
        after: &mut Vec<String>,
    ) -> Result<String, String> {
        match call {
            Call::EBoards => {
                let boards: Vec<_> = view.boards(&self.hall).map(|(_, board)| board.as_eboard()).collect();
                return Ok(livechess::answer(id, boards, now));
            }
            Call::Sources => return Ok(livechess::answer(id, self.hall.sources(), now)),
            Call::Subscribe { feed, serial } => self.subscribe(client, view, feed, &serial, now, after)?,
            Call::Unsubscribe { feed } => {
                let (at, nth) = self.find(client, &feed)?;
                self.drop_feed(at, nth);
            }
            Call::Setup { feed, fen } => self.set_up(client, &feed, &fen, now, after)?,
            Call::Flip { feed, flip } => {
                let (at, nth) = self.find(client, &feed)?;
                self.feeds[at][nth].flip = Some(flip);
                after.push(self.sent_alone(at, nth, None, now));
            }
        }
        Ok(livechess::answer(id, Value::Null, now))
    }

    fn subscribe(
        &mut self,
        client: u64,
        view: &View,
        feed: Value,
        serial: &str,
        now: Time,
        after: &mut Vec<String>,
    ) -> Result<(), String> {
        let at = self.hall.find(serial).filter(|&at| view.has(&self.hall, at));
        let at = at.ok_or_else(|| format!("unknown eboard {serial}"))?;
        match self.find(client, &feed) {
            // The client subscribes to it again.
            Ok((before, nth)) => self.drop_feed(before, nth),
            Err(_) => {
                let own = self.feeds.iter().flatten().filter(|feed| feed.client == client).count();
                if own >= FEEDS_MAX {
                    return Err(format!("more than {FEEDS_MAX} feeds"));
                }
            }
        }
        self.feeds[at].push(Feed { client, id: compact(&feed).into(), setup: None, flip: None });
        let clock = self.hall.boards[at].clock();
        after.push(self.sent_alone(at, self.feeds[at].len() - 1, Some(clock), now));
        Ok(())
    }

    /// The message for one feed alone.
    fn sent_alone(&self, at: usize, nth: usize, clock: Option<Option<EClock>>, now: Time) -> String {
        let feed = &self.feeds[at][nth];
        let tracker = feed.setup.and_then(|number| self.trackers.get(&number));
        livechess::feed(&feed.id, &content(&self.hall.boards[at], feed, tracker, clock), now)
    }

    fn set_up(
        &mut self,
        client: u64,
        feed: &Value,
        fen: &str,
        now: Time,
        after: &mut Vec<String>,
    ) -> Result<(), String> {
        let (at, nth) = self.find(client, feed)?;
        let board = &self.hall.boards[at];
        let may_share = |(_, tracker): &(&u32, &Tracker)| {
            tracker.board == at && tracker.fen == fen && tracker.may_be_shared(board)
        };
        let number = match self.trackers.iter().find(may_share) {
            Some((&number, _)) => number,
            None => {
                let tracker = Tracker::new(at, board, fen)?;
                self.next_tracker = self.next_tracker.wrapping_add(1);
                self.trackers.insert(self.next_tracker, tracker);
                self.next_tracker
            }
        };
        // Before the feed leaves its tracker, which may be this one.
        if let Some(tracker) = self.trackers.get_mut(&number) {
            tracker.feeds += 1;
        }
        self.leave(at, nth);
        self.feeds[at][nth].setup = Some(number);
        after.push(self.sent_alone(at, nth, None, now));
        // The moves that are already on the board are published after the answer.
        self.due = Some(now);
        Ok(())
    }

    fn find(&self, client: u64, feed: &Value) -> Result<(usize, usize), String> {
        let id = compact(feed);
        let is_it = |feed: &Feed| feed.client == client && *feed.id == *id;
        let found =
            self.feeds.iter().enumerate().find_map(|(at, feeds)| Some((at, feeds.iter().position(is_it)?)));
        found.ok_or_else(|| format!("unknown feed {id}"))
    }

    fn drop_feed(&mut self, at: usize, nth: usize) {
        self.leave(at, nth);
        self.feeds[at].swap_remove(nth);
    }

    /// Removes a feed from its tracker, and a tracker without feeds.
    fn leave(&mut self, at: usize, nth: usize) {
        let Some(number) = self.feeds[at][nth].setup.take() else { return };
        if let Some(tracker) = self.trackers.get_mut(&number) {
            tracker.feeds -= 1;
            if tracker.feeds == 0 {
                self.trackers.remove(&number);
            }
        }
    }

    /// Removes a client.
    pub fn remove_client(&mut self, client: u64) {
        for at in 0..self.feeds.len() {
            while let Some(nth) = self.feeds[at].iter().position(|feed| feed.client == client) {
                self.drop_feed(at, nth);
            }
        }
    }
}

/// The message of a feed about its board.
fn content(board: &Board, feed: &Feed, tracker: Option<&Tracker>, clock: Option<Option<EClock>>) -> String {
    let game = tracker.map(|tracker| FeedGame {
        start: &tracker.fen,
        san: &tracker.san,
        matches: tracker.matches(board),
    });
    let flipped = feed.flip.unwrap_or(board.flipped);
    compact(&FeedBoard {
        serialnr: &board.serial,
        flipped,
        board: board.shown(flipped).to_string(),
        clock,
        game,
    })
}
