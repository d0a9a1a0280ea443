//! Asks the boards of a bus, one after the other: [`turns`](super::turns) chooses the next board, [`visit`](super::visit)
//! its command.
//!
//! There is no pause between two exchanges while a board is due. Clocks are read while no board is due, and after every
//! [`POLLS_A_CLOCK`] polls on a busy line.

use std::{ops::Range, time::Duration};

use super::{
    discovery::{Rounds, Search},
    exchange::BusLine,
    polled_board::{Answers, PolledBoard},
    stray::StrayBytes,
    turns::{Errand, Turns},
    visit::{Brought, Visit},
};
use crate::{
    bus::{
        FirstSearch, Gone, Interrupted, Link, Recalled, RecordSink, SearchEvent, Watch, WatchSettings,
        answers,
    },
    error::Result,
    record::{BoardEvent, BoardRecord, Fault, FaultKind, LinkState},
};

/// The shortest time between visits to one board. A board reads its sensors four times a second; five polls within one
/// scan report each change soon after the scan, and more polls would not be noticed.
const SOONEST: Duration = Duration::from_millis(50);
/// The age at which a clock is read again; boards receive the clock's time once a second.
const CLOCK_AGE: Duration = Duration::from_secs(1);
/// The clock of a board that is not in play is read this many times less often.
const AT_REST_FACTOR: u32 = 60;
/// On a busy line a clock is read after this many polls;
const POLLS_A_CLOCK: u32 = 8;
/// while boards wait whose turn has come, after this many.
const POLLS_A_LATE_CLOCK: u32 = 32;
/// The time between routine dumps of a board whose pieces rest after they moved, in case a packet passed its checksum with
/// a wrong square. A dump takes 80 ms, so 64 boards in play take 9 % of a line that is not full,
const DUMP_EVERY: Duration = Duration::from_secs(60);
/// and 2 % of a full one.
const DUMP_EVERY_ON_FULL_LINE: Duration = Duration::from_secs(300);
/// The longest time between searches while no board was found at all.
const NO_BOARDS: Duration = Duration::from_secs(10);
/// Before a broadcast ping one board is silenced after this many polls, so that the others hardly wait;
const POLLS_A_SILENCE: u32 = 8;
/// on a full line that takes this long for each board.
const SILENCING: Duration = Duration::from_millis(160);
/// A hall in which nothing moved for this long is searched early.
const QUIET_HALL: Duration = Duration::from_secs(2);

/// The search for boards that were switched on since the last.
#[derive(Debug)]
struct NextSearch {
    /// When the last search ended.
    last: Duration,
    /// The rounds of the search in progress; none while there is none.
    rounds: Option<Rounds>,
    polls_since_silence: u32,
}

/// Watches the boards of a bus.
pub struct Poller<L, S> {
    pub(super) line: BusLine<L>,
    pub(super) sink: S,
    pub(super) settings: WatchSettings,
    pub(super) boards: Vec<PolledBoard>,
    recalled: Recalled,
    polls_since_clock: u32,
    turns: Turns,
    search: NextSearch,
    stray: StrayBytes,
}

impl<L: Link, S: RecordSink> Poller<L, S> {
    /// A poller without boards yet. `recalled`: the state of boards from the records of earlier runs.
    pub fn new(link: L, sink: S, settings: WatchSettings, recalled: Recalled) -> Poller<L, S> {
        let last = link.now();
        Poller {
            line: BusLine::new(link),
            sink,
            settings,
            boards: Vec::new(),
            recalled,
            polls_since_clock: 0,
            turns: Turns::default(),
            search: NextSearch { last, rounds: None, polls_since_silence: 0 },
            stray: StrayBytes::default(),
        }
    }

    /// The time on the clock of the link.
    pub(super) fn now(&self) -> Duration {
        self.line.link.now()
    }

    /// The link and the sink, after the end.
    #[cfg(test)]
    pub(super) fn into_parts(self) -> (L, S) {
        (self.line.link, self.sink)
    }

    /// Runs a search and publishes its findings. Returns the boards found and the result of the search.
    fn publishing<T>(
        &mut self,
        search: impl FnOnce(&mut Search<L>) -> Result<T, Interrupted>,
    ) -> Result<(Vec<u16>, T), Interrupted> {
        let known: Vec<u16> = self.addresses().collect();
        let mut unsettled = None;
        let (sink, line) = (&mut self.sink, &mut self.line);
        let (name, time) = (line.link.name().to_owned(), line.link.time());
        let mut report = |event: SearchEvent| match event {
            SearchEvent::Found(board) => {
                let event = board.event(&name);
                sink.put(vec![BoardRecord::new(Some(time), Some(board.board), event)]).map(|_| ())
            }
            SearchEvent::Unsettled(bytes) => {
                unsettled = Some(format!("{bytes} bytes after a broadcast ping are no board's answer"));
                Ok(())
            }
            SearchEvent::Twice(board) => {
                let detail =
                    format!("{}, and spoil each other's answers: take one off the line", Fault::TWO_BOARDS);
                let event = answers::fault(FaultKind::Corrupt, detail);
                sink.put(vec![BoardRecord::new(Some(time), Some(board), event)]).map(|_| ())
            }
            SearchEvent::Heard(_) | SearchEvent::Round(..) => Ok(()),
        };
        let mut searching = Search::new(line, known, &mut report);
        let result = search(&mut searching)?;
        let found = searching.found.iter().map(|found| found.board).collect();
        if let Some(detail) = unsettled {
            self.publish_of_line(answers::fault(FaultKind::Framing, detail))?;
        }
        Ok((found, result))
    }

    fn addresses(&self) -> impl Iterator<Item = u16> {
        self.boards.iter().map(|board| board.address)
    }

    /// Polls these boards from now on. Returns the indices of those that were not polled before.
    fn join(&mut self, addresses: &[u16]) -> Range<usize> {
        let (now, before) = (self.now(), self.boards.len());
        for &address in addresses {
            if self.addresses().all(|known| known != address) {
                let recalled = self.recalled.remove(&address);
                self.boards.push(PolledBoard::new(address, recalled, now));
            }
        }
        before..self.boards.len()
    }

    /// The board to ask next; its turn need not have come.
    fn next(&self, now: Duration) -> Option<usize> {
        self.turns.next(&self.boards, now, |board| self.is_due(board, now))
    }

    /// Whether a board may be asked: it is due, and its records are safe.
    fn is_due(&self, board: &PolledBoard, now: Duration) -> bool {
        board.turn.due <= now && board.turn.batch.is_none_or(|batch| self.sink.safe(batch))
    }

    /// The board whose clock to read now: the oldest reading that is due, if the line is free or enough polls have passed.
    fn next_clock(&self, now: Duration, free: bool, late: bool) -> Option<usize> {
        let polls = if late { POLLS_A_LATE_CLOCK } else { POLLS_A_CLOCK };
        if !free && self.polls_since_clock < polls {
            return None;
        }
        let age =
            |board: &PolledBoard| board.clock_age(now) / if board.in_play(now) { 1 } else { AT_REST_FACTOR };
        let wanted = |board: &PolledBoard| board.introduced() && age(board) >= CLOCK_AGE;
        let wanting = self.boards.iter().enumerate().filter(|(_, board)| wanted(board));
        wanting.max_by_key(|(_, board)| age(board)).map(|(at, _)| at)
    }

    /// Visits a board for its next fetch, and writes a start mark if one is due.
    fn poll(&mut self, at: usize) -> Result<(), Interrupted> {
        let began = self.now();
        let mut errand = if self.boards[at].fetch.is_long() { Errand::Log } else { Errand::Poll };
        let start_marks = self.settings.start_marks;
        let mut brought = Visit::new(&mut self.line, &mut self.boards[at], start_marks).fetch_next();
        if matches!(brought, Ok(Brought::MarkDue)) && self.may_mark() {
            errand = Errand::Mark;
            let marked = Visit::new(&mut self.line, &mut self.boards[at], start_marks).write_mark();
            brought = marked.map(|()| Brought::Packet);
        }
        let ended = self.now();
        self.boards[at].visited(ended, SOONEST);
        self.flush(at)?;
        brought?;
        self.turns.ended(errand, began, ended);
        Ok(())
    }

    /// Whether a start mark may be written now. If other boards come first, the next poll of a board is early enough for
    /// its mark.
    fn may_mark(&self) -> bool {
        let now = self.now();
        !self.turns.others_first(&self.boards, now, |board| self.is_due(board, now))
    }

    /// Visits a board outside its turn.
    fn visit(
        &mut self,
        at: usize,
        visit: impl FnOnce(&mut Visit<L>) -> Result<(), Gone>,
    ) -> Result<(), Interrupted> {
        visit(&mut Visit::new(&mut self.line, &mut self.boards[at], self.settings.start_marks))?;
        Ok(self.flush(at)?)
    }

    /// Writes the records of a board to the sink.
    fn flush(&mut self, at: usize) -> Result<()> {
        let board = &mut self.boards[at];
        // The board need not wait for `answers` records: they are not from its memory.
        let precious =
            board.followed.out().iter().any(|record| !matches!(record.event, BoardEvent::Answers(_)));
        if let Some(batch) = board.followed.flush(&mut self.sink)?
            && precious
        {
            board.turn.batch = Some(batch);
        }
        Ok(())
    }

    /// Whether a search for new boards is due: before the end of the interval, by the time that it takes to silence all
    /// boards one by one, or earlier while the hall is quiet.
    fn search_due(&self, now: Duration) -> bool {
        let Some(every) = self.settings.rediscover else { return false };
        let every = if self.boards.is_empty() { every.min(NO_BOARDS) } else { every };
        let since = now.saturating_sub(self.search.last) + SILENCING * self.boards.len() as u32;
        let quiet = || !self.boards.iter().any(|board| board.activity.moved_within(now, QUIET_HALL));
        since >= every || since >= every.mul_f64(0.7) && quiet()
    }

    /// The board to silence next before the broadcast ping. A board that does not answer cannot be silenced; one whose
    /// answers are mostly damaged may be two boards with one address, which must both answer the ping.
    fn next_to_silence(&self) -> Option<usize> {
        let silence = |board: &PolledBoard| {
            !board.silenced && !board.followed.reach.is_silent() && !board.answers.are_mostly_spoilt()
        };
        self.boards.iter().position(silence)
    }

    /// Pings all boards and waits until their answers must have come, since a command to one board might stop the answer
    /// of another. Boards that are found are silenced with the rest for the next round.
    fn search_round(&mut self) -> Result<(), Interrupted> {
        let Some(mut rounds) = self.search.rounds.take() else { return Ok(()) };
        let (found, last) = self.publishing(|search| search.round(&mut rounds))?;
        self.search.last = self.now();
        self.join(&found);
        for board in &mut self.boards {
            board.silenced = false;
            board.answers = Answers::default();
        }
        self.search.rounds = (!last).then_some(rounds);
        Ok(())
    }

    /// Publishes a record of the line, without a board.
    fn publish_of_line(&mut self, event: BoardEvent) -> Result<()> {
        let time = self.line.link.time();
        self.sink.put(vec![BoardRecord::new(Some(time), None, event)]).map(|_| ())
    }

    /// Publishes bytes that answer no command. Boards that sent changes to another program on the line have discarded
    /// them: a dump will show whether changes are missing, and the board's log which.
    fn publish_stray(&mut self) -> Result<()> {
        let (bytes, now) = (self.line.stray(), self.now());
        for address in self.stray.add(&bytes, now) {
            if let Some(board) = self.boards.iter_mut().find(|board| board.address == address) {
                board.check.want();
            }
        }
        match self.stray.fault(now) {
            Some(fault) => self.publish_of_line(fault),
            None => Ok(()),
        }
    }
}

impl<L: Link, S: RecordSink> Watch<L> for Poller<L, S> {
    fn look(&mut self, expected: &[u16], only: bool) -> Result<Option<FirstSearch>, Interrupted> {
        let (found, shared) = self.publishing(|search| {
            if only {
                search.look(expected).map(|_| ())?
            } else {
                search.all(expected)?
            }
            Ok(search.shared())
        })?;
        self.search.last = self.now();
        let missing: Vec<u16> = expected.iter().copied().filter(|board| !found.contains(board)).collect();
        self.join(&found);
        for at in self.join(&missing) {
            let board = &mut self.boards[at];
            board.followed.reach.absent();
            board.lose(self.line.link.time(), "timeout");
            self.flush(at)?;
        }
        let slow = self.line.slow();
        Ok(Some(FirstSearch { found: self.boards.len() - missing.len(), missing, shared, slow }))
    }

    /// One exchange, or a short wait when no board is due.
    fn step(&mut self) -> Result<(), Interrupted> {
        self.publish_stray()?;
        let now = self.now();
        if !self.sink.takes() {
            // A board that is not polled keeps its changes.
            return Ok(self.line.idle(now + SOONEST)?);
        }
        if self.search.rounds.is_none() && self.search_due(now) {
            (self.search.rounds, self.search.polls_since_silence) = (Some(Rounds::of_new()), 0);
        }
        let next = self.next(now);
        if self.search.rounds.is_some() {
            match self.next_to_silence() {
                None => return self.search_round(),
                Some(at) if next.is_none() || self.search.polls_since_silence >= POLLS_A_SILENCE => {
                    self.search.polls_since_silence = 0;
                    return self.visit(at, |visit| visit.silence());
                }
                Some(_) => {}
            }
        }
        let late = next.is_some_and(|at| self.boards[at].turn_comes(now) < now);
        if let Some(at) = self.next_clock(now, next.is_none(), late) {
            self.polls_since_clock = 0;
            return self.visit(at, |visit| visit.read_clock());
        }
        let Some(at) = next else {
            let due = self.boards.iter().map(|board| board.turn.due).min().unwrap_or(now + SOONEST);
            // The time at which records become safe is unknown, so the wait is short.
            let wait = due.saturating_sub(now).clamp(Duration::from_millis(1), SOONEST);
            return Ok(self.line.idle(now + wait)?);
        };
        self.polls_since_clock += 1;
        self.search.polls_since_silence += 1;
        self.boards[at].dump_due = self.boards[at].dump_asked.is_some_and(|asked| {
            now.saturating_sub(asked) >= if late { DUMP_EVERY_ON_FULL_LINE } else { DUMP_EVERY }
        });
        self.poll(at)
    }

    fn port_closed(&mut self) -> Result<()> {
        let now = self.now();
        for at in 0..self.boards.len() {
            self.boards[at].lose(self.line.link.time(), LinkState::PORT_CLOSED);
            self.boards[at].turn.due = now;
            self.flush(at)?;
        }
        Ok(())
    }

    fn parts(&mut self) -> (&mut L, &WatchSettings, &mut dyn RecordSink) {
        (&mut self.line.link, &self.settings, &mut self.sink)
    }

    fn into_link(self: Box<Self>) -> L {
        self.line.link
    }
}
