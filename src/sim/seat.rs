//! A board on the line with the table it stands on: brings the table's day into the line's time.
//!
//! `speed` makes the day pass faster, hands, scanner and clocks alike, so that a board logs the same whatever the
//! speed; the line keeps its own time.

use std::collections::VecDeque;

use super::{
    Instant, SECOND,
    board::{Board, Reply, clock_message},
    clock, seconds,
    table::{Round, Session, Table},
};

/// The clock's data on a board are so old at most when asked for.
const CLOCK_AGE: Instant = SECOND / 2;

/// When play begins.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Start {
    /// Play begins this long after the start mark was written into the board.
    pub delay: Instant,
    /// Without a start mark play begins at this time; none: it waits for the mark.
    pub at_latest: Option<Instant>,
}

/// What can happen to a board.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Mishap {
    /// The power goes for this long.
    PowerCut(Instant),
    /// The watchdog resets it.
    Watchdog,
}

/// A board, its table and what is left of its day.
#[derive(Debug)]
pub struct Seat {
    board: Board,
    table: Table,
    rounds: VecDeque<Round>,
    speed: f64,
    start: Start,
    session: Session,
    /// The next entry of the session.
    next: usize,
    /// The line's and the table's time when the session began; none while the start is waited for.
    began: Option<(Instant, Instant)>,
    clock_read: Option<Instant>,
    mishaps: Vec<(f64, Mishap)>,
    /// What is still to happen in this session, in the line's time, the last first.
    due: Vec<(Instant, Happening)>,
    last_entry: Instant,
    plies_before: usize,
}

#[derive(Debug, Clone, Copy)]
enum Happening {
    PowerOff,
    PowerOn,
    Watchdog,
}

impl Seat {
    /// A seat whose board and table show the same; `mishaps` happen at these fractions of the first round.
    pub fn new(
        board: Board,
        mut table: Table,
        rounds: impl IntoIterator<Item = Round>,
        speed: f64,
        start: Start,
        mishaps: Vec<(f64, Mishap)>,
    ) -> Seat {
        let mut rounds: VecDeque<Round> = rounds.into_iter().collect();
        let session = rounds.pop_front().map(|round| table.play(&round)).unwrap_or_default();
        Seat {
            board,
            table,
            rounds,
            speed,
            start,
            session,
            next: 0,
            began: None,
            clock_read: None,
            mishaps,
            due: Vec::new(),
            last_entry: 0,
            plies_before: 0,
        }
    }

    /// Its board.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Its board, for what is logged to be taken.
    pub fn board_mut(&mut self) -> &mut Board {
        &mut self.board
    }

    /// How many plies have landed.
    pub fn plies(&self, now: Instant) -> usize {
        let here = self.table_time(now);
        self.plies_before
            + here.map_or(0, |here| self.session.landings.partition_point(|landed| *landed <= here))
    }

    /// How many plies are still to come, those of later rounds included.
    pub fn plies_in_all(&self) -> usize {
        let later: usize = self.rounds.iter().map(|round| round.game.plies.len()).sum();
        self.plies_before + self.session.landings.len() + later
    }

    /// Since when everything has happened and been read, if it has.
    pub fn over(&self) -> Option<Instant> {
        let begun = self.began.is_some() || self.session.entries.is_empty();
        let done = self.rounds.is_empty() && self.next == self.session.entries.len() && self.due.is_empty();
        let read = self.board.read_out().filter(|_| begun && done)?;
        Some(read.max(self.last_entry))
    }

    /// When it next does something by itself.
    pub fn next(&self) -> Option<Instant> {
        let begins = match (self.began, self.board.started()) {
            (Some(_), _) => None,
            (None, Some(started)) => Some(started + self.start.delay),
            (None, None) => self.start.at_latest,
        };
        let entry = self.session.entries.get(self.next).and_then(|entry| self.line_time(entry.at));
        let ends = match (entry, self.rounds.is_empty()) {
            (None, false) => self.line_time(self.session.ended),
            _ => None,
        };
        let clock = self.board.streams_clock().then(|| self.clock_read.map_or(0, |at| at + CLOCK_AGE / 2));
        let due = self.due.last().map(|(at, _)| *at);
        [self.board.next(), begins, entry, ends, clock, due].into_iter().flatten().min()
    }

    /// Bytes arrive at the board.
    pub fn hear(&mut self, now: Instant, bytes: &[u8]) {
        if self.clock_read.is_none_or(|read| now >= read + CLOCK_AGE) {
            self.read_clock(now);
        }
        self.board.hear(now, bytes);
    }

    /// What the board begins to send up to `now`.
    pub fn say(&mut self, now: Instant) -> Option<Reply> {
        self.board.say(now)
    }

    /// Everything that happens at the table up to `now`.
    pub fn wake(&mut self, now: Instant) {
        if self.began.is_none() {
            let mark = self.board.started().is_some_and(|started| started + self.start.delay <= now);
            if mark || self.start.at_latest.is_some_and(|at| at <= now) {
                self.begin(now, 0);
            }
        }
        self.suffer(now);
        while let Some(entry) = self.session.entries.get(self.next)
            && self.line_time(entry.at).is_some_and(|at| at <= now)
        {
            self.board.notice(now, entry);
            self.next += 1;
            self.last_entry = now;
        }
        let ended = self.line_time(self.session.ended).is_some_and(|ended| ended <= now);
        if self.next == self.session.entries.len()
            && ended
            && let Some(round) = self.rounds.pop_front()
        {
            let table_time = self.session.ended;
            self.plies_before += self.session.landings.len();
            self.session = self.table.play(&round);
            self.next = 0;
            self.begin(now, table_time);
        }
        if self.board.streams_clock() && self.clock_read.is_none_or(|read| now >= read + CLOCK_AGE / 2) {
            self.read_clock(now);
        }
        self.board.wake(now);
    }

    fn begin(&mut self, now: Instant, table_time: Instant) {
        self.began = Some((now, table_time));
        for (part, mishap) in std::mem::take(&mut self.mishaps) {
            let Some(at) = self.moment(part, mishap) else { continue };
            match mishap {
                Mishap::Watchdog => self.due.push((at, Happening::Watchdog)),
                Mishap::PowerCut(long) => {
                    self.due.push((at, Happening::PowerOff));
                    self.due.push((at + long, Happening::PowerOn));
                }
            }
        }
        self.due.sort_by_key(|(at, _)| std::cmp::Reverse(*at));
    }

    /// When a mishap at this fraction of the session happens: a watchdog bites while nothing moves.
    fn moment(&self, part: f64, mishap: Mishap) -> Option<Instant> {
        let entries = &self.session.entries;
        let from = (part * entries.len() as f64) as usize;
        let gaps = entries.windows(2).skip(from).take(20);
        match mishap {
            Mishap::PowerCut(_) => self.line_time(entries.get(from)?.at + 1),
            Mishap::Watchdog => {
                let longest = gaps.max_by_key(|pair| pair[1].at - pair[0].at)?;
                self.line_time(longest[0].at.midpoint(longest[1].at))
            }
        }
    }

    fn suffer(&mut self, now: Instant) {
        while let Some(&(at, happening)) = self.due.last()
            && at <= now
        {
            self.due.pop();
            match happening {
                Happening::PowerOff => self.board.power_off(),
                Happening::PowerOn => self.board.power_on(now),
                Happening::Watchdog => self.board.watchdog(now),
            }
        }
    }

    fn read_clock(&mut self, now: Instant) {
        self.clock_read = Some(now);
        let shown = clock::reading(&self.session.faces, self.table_time(now).unwrap_or(0));
        self.board.show(now, clock_message(&shown));
    }

    /// The table's time at a time of the line's, once play has begun.
    fn table_time(&self, now: Instant) -> Option<Instant> {
        let (line, table) = self.began?;
        Some(table + seconds(now.saturating_sub(line) as f64 * self.speed / SECOND as f64))
    }

    /// The line's time at a time of the table's, once play has begun.
    fn line_time(&self, at: Instant) -> Option<Instant> {
        let (line, table) = self.began?;
        Some(line + seconds(at.saturating_sub(table) as f64 / self.speed / SECOND as f64))
    }
}
