//! Whom to ask next: every board in turn, those that move sooner, those that are silent later, none never. Of those
//! that may be asked it is the one whose turn came first.
//!
//! There is no pause between two exchanges while anybody is due; clocks are asked in the time that is left, and
//! now and then when none is. What a visit does is in [`visit`](super::visit).

use std::{collections::BTreeMap, ops::Range, time::Duration};

use super::{
    board::{Board, IN_PLAY, MISSES},
    discovery::{self, Rounds, Step, Tell, Trouble},
    exchange::{Line, Usage},
    link::{self, Gone, Link},
};
use crate::{
    error::Result,
    record::{BoardEvent, BoardRecord, Fault, FaultKind, Link as LinkState, Mode},
    stop,
    wire::{
        command::BusCommand,
        frame::{Decoder, Frame},
        records::hex,
    },
};

/// A board's sensors are read four times a second: asking a board more often than this brings nothing.
pub(super) const SOONEST: Duration = Duration::from_millis(50);
/// A clock is read by its board once a second.
const CLOCK_AGE: Duration = Duration::from_secs(1);
/// The clock of a board that is not in play may be so many times older.
const AT_REST: u32 = 60;
/// On a busy line a clock is asked after so many polls; while boards wait for a turn that has come, after more.
const POLLS_A_CLOCK: u32 = 8;
const POLLS_A_LATE_CLOCK: u32 = 32;
/// The first and the longest wait before a silent board is asked again.
const BACK_OFF: [Duration; 2] = [Duration::from_millis(250), Duration::from_secs(8)];
/// A visit longer than this is not followed by another such before others were asked.
const LONG: Duration = Duration::from_millis(60);
/// How often to look while no board was found at all.
const NO_BOARDS: Duration = Duration::from_secs(10);
/// Before a broadcast ping one board is silenced after so many polls, so that the others hardly wait;
const POLLS_A_SILENCE: u32 = 8;
/// on a full line that takes so long for each board.
const SILENCING: Duration = Duration::from_millis(160);
/// Bytes that are nobody's answer are told together, those of this time at once.
const STRAY: Duration = Duration::from_secs(1);

/// How to watch a line.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Write the start mark into boards that are set up for a game.
    pub start_marks: bool,
    /// How often to look for boards that were switched on since; none: never.
    pub rediscover: Option<Duration>,
    /// How long to wait for a port that went away; none: for ever.
    pub give_up: Option<Duration>,
    /// When to end; none: never.
    pub seconds: Option<Duration>,
}

impl Settings {
    /// Whether a signal, the time or the sink says that it is enough.
    pub fn is_over(&self, now: Duration, sink: &impl Sink) -> bool {
        self.seconds.is_some_and(|end| now >= end) || stop::requested().is_some() || !sink.wanted()
    }
}

/// Where the records of a line go.
pub trait Sink {
    /// Takes records in their order, and gives a number that grows with each call.
    ///
    /// # Errors
    /// [`Error::ReaderGone`](crate::error::Error::ReaderGone) when no more are wanted, or what hinders the writing.
    fn put(&mut self, records: Vec<BoardRecord>) -> Result<u64>;

    /// Whether what was put under this number is safe, so that its board may forget it.
    fn safe(&self, number: u64) -> bool;

    /// Whether more is wanted; if not, the watch ends.
    fn wanted(&self) -> bool;
}

/// Watches the boards of a line.
pub struct Poller<L, S> {
    pub(super) line: Line<L>,
    pub(super) sink: S,
    pub(super) settings: Settings,
    pub(super) boards: Vec<Board>,
    /// What earlier runs told, by board.
    recalled: BTreeMap<u16, Board>,
    polls_since_clock: u32,
    /// When the last long visit ended, how long it took, and whether it was for the board's log.
    long_ended: Duration,
    long_took: Duration,
    long_was_log: bool,
    /// When the last search for boards ended, and how far the next has come.
    looked: Duration,
    search: Option<Rounds>,
    polls_since_silence: u32,
    /// Bytes that nobody was asked for, since when there are any, and the messages in them.
    stray: Vec<u8>,
    stray_since: Option<Duration>,
    others: Decoder,
}

impl<L: Link, S: Sink> Poller<L, S> {
    /// A poller without boards yet. `recalled` is what earlier runs told of each board.
    pub fn new(link: L, sink: S, settings: Settings, recalled: BTreeMap<u16, Board>) -> Poller<L, S> {
        let looked = link.now();
        Poller {
            line: Line::new(link),
            sink,
            settings,
            boards: Vec::new(),
            recalled,
            polls_since_clock: 0,
            long_ended: Duration::ZERO,
            long_took: Duration::ZERO,
            long_was_log: false,
            looked,
            search: None,
            polls_since_silence: 0,
            stray: Vec::new(),
            stray_since: None,
            others: Decoder::new(Mode::Bus),
        }
    }

    /// How many boards are polled, those that are lost included.
    pub fn boards(&self) -> usize {
        self.boards.len()
    }

    /// The time, as the line counts it.
    pub fn now(&self) -> Duration {
        self.line.link.now()
    }

    /// Where its records go.
    pub fn sink(&self) -> &S {
        &self.sink
    }

    /// How the line was used.
    pub fn usage(&self) -> Usage {
        self.line.usage()
    }

    /// The line and the sink, when all is done.
    pub fn into_parts(self) -> (L, S) {
        (self.line.link, self.sink)
    }

    /// Finds the boards: those `expected` first, and unless `only` them all others by broadcast. Returns those
    /// of the expected that did not answer; they are polled all the same, so that they are found when they are
    /// switched on.
    pub fn find(&mut self, expected: &[u16], only: bool) -> Result<Vec<u16>> {
        loop {
            match self.try_find(expected, only) {
                Ok(missing) => return Ok(missing),
                Err(Trouble::Ended(error)) => return Err(error),
                Err(Trouble::Gone(gone)) => self.reconnect(&gone)?,
            }
        }
    }

    fn try_find(&mut self, expected: &[u16], only: bool) -> Result<Vec<u16>, Trouble> {
        let known: Vec<u16> = self.addresses().collect();
        let (found, ()) = self.telling(|line, tell| {
            if only {
                discovery::look(line, expected, tell)?;
            } else {
                discovery::discover(line, known, expected, tell)?;
            }
            Ok(())
        })?;
        self.looked = self.line.link.now();
        let missing: Vec<u16> = expected.iter().copied().filter(|board| !found.contains(board)).collect();
        self.join(&found);
        for at in self.join(&missing) {
            self.boards[at].misses = MISSES;
            self.lose(at, "timeout");
            self.flush(at)?;
        }
        Ok(missing)
    }

    /// Does a search, tells what it finds, and brings that.
    fn telling<T>(
        &mut self,
        search: impl FnOnce(&mut Line<L>, Tell) -> Result<T, Trouble>,
    ) -> Result<(Vec<u16>, T), Trouble> {
        let mut found: Vec<u16> = Vec::new();
        let mut unsettled = None;
        let (sink, line) = (&mut self.sink, &mut self.line);
        let (name, time) = (line.link.name().to_owned(), line.link.time());
        let mut tell = |step: Step| match step {
            Step::Found(board) => {
                found.push(board.board);
                let event = board.event(&name);
                sink.put(vec![BoardRecord::new(Some(time), Some(board.board), event)]).map(|_| ())
            }
            Step::Unsettled(bytes) => {
                unsettled = Some(format!("{bytes} bytes after a broadcast ping are no board's answer"));
                Ok(())
            }
            Step::Round(..) => Ok(()),
        };
        let result = search(line, &mut tell)?;
        if let Some(detail) = unsettled {
            self.tell_line(Self::fault(FaultKind::Framing, detail))?;
        }
        Ok((found, result))
    }

    fn addresses(&self) -> impl Iterator<Item = u16> {
        self.boards.iter().map(|board| board.address)
    }

    /// Polls these boards from now on; brings where those are that were not polled before.
    fn join(&mut self, addresses: &[u16]) -> Range<usize> {
        let (now, before) = (self.line.link.now(), self.boards.len());
        for &address in addresses {
            if self.addresses().all(|known| known != address) {
                let mut board = self.recalled.remove(&address).unwrap_or_else(|| Board::new(address));
                (board.asked, board.due) = (now, now);
                self.boards.push(board);
            }
        }
        before..self.boards.len()
    }

    /// Polls until a signal, the end of the time, or the end of the sink.
    pub fn run(&mut self) -> Result<()> {
        loop {
            match self.step() {
                Ok(()) => {}
                Err(Trouble::Ended(error)) => return Err(error),
                Err(Trouble::Gone(gone)) => self.reconnect(&gone)?,
            }
            if self.is_over() {
                return Ok(());
            }
        }
    }

    /// Whether a signal, the time or the sink says that it is enough.
    fn is_over(&self) -> bool {
        self.settings.is_over(self.line.link.now(), &self.sink)
    }

    /// One exchange, or a short wait when nobody is due.
    pub fn step(&mut self) -> Result<(), Trouble> {
        self.tell_stray()?;
        let now = self.line.link.now();
        if self.search.is_none() && self.search_due(now) {
            (self.search, self.polls_since_silence) = (Some(Rounds::of_new()), 0);
        }
        let next = self.next(now);
        if self.search.is_some() {
            match self.next_silent() {
                None => return self.search_round(),
                Some(at) if next.is_none() || self.polls_since_silence >= POLLS_A_SILENCE => {
                    self.polls_since_silence = 0;
                    return self.silence(at);
                }
                Some(_) => {}
            }
        }
        let late = next.is_some_and(|at| self.boards[at].turn(now) < now);
        let clock = self.next_clock(now, next.is_none(), late);
        if let Some(at) = clock {
            self.polls_since_clock = 0;
            return self.visit_clock(at);
        }
        let Some(at) = next else {
            let due = self.boards.iter().map(|board| board.due).min().unwrap_or(now + SOONEST);
            // A board whose records are not safe yet has no time of its own.
            let wait = due.saturating_sub(now).clamp(Duration::from_millis(1), SOONEST);
            return Ok(self.line.idle(now + wait)?);
        };
        self.polls_since_clock += 1;
        self.polls_since_silence += 1;
        let is_log = self.boards[at].needs_log();
        self.visit(at)?;
        let ended = self.line.link.now();
        if ended - now > LONG {
            (self.long_ended, self.long_took, self.long_was_log) = (ended, ended - now, is_log);
        }
        Ok(())
    }

    /// The board that is due and whose turn came first.
    fn next(&self, now: Duration) -> Option<usize> {
        let waiting = |board: &Board| board.due <= now && board.ticket.is_none_or(|t| self.sink.safe(t));
        let short_only = self.others_first(now);
        let may = |board: &Board| waiting(board) && !(short_only && board.needs_long());
        let due = self.boards.iter().enumerate().filter(|(_, board)| may(board));
        due.min_by_key(|(_, board)| board.turn(now)).map(|(at, _)| at)
    }

    /// Whether after a long visit the others come first: all of them, or for twice as long as it took. Between start
    /// marks and first looks only those in play, so that a hall that stands ready is soon marked.
    pub(super) fn others_first(&self, now: Duration) -> bool {
        let counts = |board: &Board| self.long_was_log || board.in_play(now, IN_PLAY);
        let ready = |board: &Board| {
            let due = board.due <= now && board.ticket.is_none_or(|ticket| self.sink.safe(ticket));
            due && board.asked < self.long_ended && !board.needs_long() && !board.lost && counts(board)
        };
        now < self.long_ended + self.long_took * 2 && self.boards.iter().any(ready)
    }

    /// The board whose clock to ask now, if the line is free or it is time.
    fn next_clock(&self, now: Duration, free: bool, late: bool) -> Option<usize> {
        let polls = if late { POLLS_A_LATE_CLOCK } else { POLLS_A_CLOCK };
        if !free && self.polls_since_clock < polls {
            return None;
        }
        let age =
            |board: &Board| board.clock_age(now) / if board.in_play(now, IN_PLAY) { 1 } else { AT_REST };
        let wanted = |board: &Board| board.introduced() && age(board) >= CLOCK_AGE;
        let wanting = self.boards.iter().enumerate().filter(|(_, board)| wanted(board));
        wanting.max_by_key(|(_, board)| age(board)).map(|(at, _)| at)
    }

    /// Whether it is time to look for new boards: a quiet moment, or soon enough before the end of the interval to
    /// silence all others one by one.
    fn search_due(&self, now: Duration) -> bool {
        let Some(every) = self.settings.rediscover else { return false };
        let every = if self.boards.is_empty() { every.min(NO_BOARDS) } else { every };
        let since = now.saturating_sub(self.looked) + SILENCING * self.boards.len() as u32;
        let quiet = || !self.boards.iter().any(|board| board.in_play(now, STRAY * 2));
        since >= every || since >= every.mul_f64(0.7) && quiet()
    }

    /// The board to silence next before all are pinged; one that does not answer cannot be.
    fn next_silent(&self) -> Option<usize> {
        self.boards.iter().position(|board| !board.silenced && board.misses < MISSES)
    }

    /// Pings all, while nobody else can be asked: it is not known what becomes of a board's answer to come when
    /// commands to others pass. Boards that are found are silenced with the rest for the next round.
    fn search_round(&mut self) -> Result<(), Trouble> {
        let Some(mut rounds) = self.search.take() else { return Ok(()) };
        let known: Vec<u16> = self.addresses().collect();
        let (found, last) = self.telling(|line, tell| discovery::round(line, known, &mut rounds, tell))?;
        self.looked = self.line.link.now();
        self.join(&found);
        for board in &mut self.boards {
            board.silenced = false;
        }
        self.search = (!last).then_some(rounds);
        Ok(())
    }

    /// The port went away: says so for every board, and opens it again when it comes back.
    fn reconnect(&mut self, gone: &Gone) -> Result<()> {
        for at in 0..self.boards.len() {
            self.lose(at, "port-closed");
            self.flush(at)?;
        }
        let (settings, sink) = (&self.settings, &self.sink);
        link::reopen(&mut self.line.link, gone, settings.give_up, |now| settings.is_over(now, sink))?;
        let now = self.line.link.now();
        for board in &mut self.boards {
            board.due = now;
        }
        Ok(())
    }

    /// Tells what belongs to the line and to no board.
    fn tell_line(&mut self, event: BoardEvent) -> Result<()> {
        let time = self.line.link.time();
        self.sink.put(vec![BoardRecord::new(Some(time), None, event)]).map(|_| ())
    }

    /// Bytes that came when nobody was asked: another program, another make's probe, or an answer too late.
    fn tell_stray(&mut self) -> Result<()> {
        let new = self.line.stray();
        let now = self.line.link.now();
        if !new.is_empty() {
            self.doubt_changes_of_others(&new);
            self.stray_since.get_or_insert(now);
            self.stray.extend(new);
        }
        if self.stray_since.is_none_or(|since| now < since + STRAY) {
            return Ok(());
        }
        self.stray_since = None;
        let bytes = std::mem::take(&mut self.stray);
        let detail = format!("{} bytes that no board was asked for", bytes.len());
        let bytes = Some(hex(&bytes));
        self.tell_line(BoardEvent::Fault(Fault { kind: FaultKind::Framing, detail, bytes }))
    }

    /// Changes that nobody here asked for were told to another program on the line, and are forgotten: a dump will show
    /// what is missing, the board's log what it was.
    fn doubt_changes_of_others(&mut self, stray: &[u8]) {
        let boards = &mut self.boards;
        self.others.push(stray, |frame| {
            if let Ok(Frame { id, address: Some(address), data: [_, ..] }) = frame
                && BusCommand::SendChanges.expects(id)
                && let Some(board) = boards.iter_mut().find(|board| board.address == address)
            {
                (board.check, board.confirmed) = (true, false);
            }
        });
    }

    /// Marks a board as lost and tells it, once.
    pub(super) fn lose(&mut self, at: usize, reason: &str) {
        self.boards[at].silenced = false;
        if !std::mem::replace(&mut self.boards[at].lost, true) {
            self.tell(at, BoardEvent::Lost(LinkState { reason: reason.into() }));
            self.boards[at].lost_because = reason.to_owned();
        }
    }

    /// How long a silent board is left alone.
    pub(super) fn back_off(misses: u32) -> Duration {
        (BACK_OFF[0] * 2u32.saturating_pow(misses.min(10))).min(BACK_OFF[1])
    }
}
