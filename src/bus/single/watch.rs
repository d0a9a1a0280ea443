//! Follows a board that is alone on its cable.
//!
//! UPDATE_NICE makes it tell every change as it sees it, and its clock when that changes. A dump, whenever the pieces
//! have come to rest and now and then besides, shows whether anything was missed: bytes that noise took, a cable
//! pulled out, a board that had no power. What was missed is in its log, told again as a `history`.

use std::time::Duration;

use super::{
    cable::{Cable, Said},
    once,
    story::{self, Step},
};
use crate::{
    bus::{
        discovery::Trouble,
        link::{self, Gone, Link},
        marks::{NextMark, is_start},
        poll::{Settings, Sink},
        tracker::Tracker,
    },
    error::Result,
    record::{
        BoardEvent, BoardRecord, Change, Fault, FaultKind, History, Link as LinkState, Mark, MarkKind,
        Placement, RING,
    },
    wire::{
        command::SingleCommand,
        message::Message,
        records::{self, Lever},
    },
};

/// Pieces that nobody touched for so long rest: a slow scan of a Bluetooth board takes half of it.
const REST: Duration = Duration::from_secs(1);
/// A dump that does not agree is asked for again after this.
const AGAIN: Duration = Duration::from_millis(300);
/// How often a board that has nothing to say is asked whether it is there: its cable may be out, its power gone.
const KEEP_ALIVE: Duration = Duration::from_secs(5);
/// Dumps in a row without an answer after which the board counts as lost.
const MISSES: u32 = 3;
/// How often a silent board is looked for.
const BACK_OFF: [Duration; 2] = [Duration::from_millis(500), Duration::from_secs(8)];
/// Tries to get a log that leads to what stands on the board.
const LOG_TRIES: usize = 3;

/// Follows one board.
pub struct Watcher<L, S> {
    cable: Cable<L>,
    sink: S,
    settings: Settings,
    board: Option<u16>,
    /// What was told of the board, and so what stands on it.
    tracker: Tracker,
    /// The changes told since a start position last stood at rest.
    told: Vec<Step>,
    lever: Lever,
    clock: Option<BoardEvent>,
    mark: NextMark,
    /// It tells its changes, and we know what stands on it.
    in_step: bool,
    /// When it last said anything, and when its pieces last moved.
    heard: Duration,
    moved: Duration,
    /// Its pieces moved, and `quiet` was not told since.
    restless: bool,
    /// A dump did not agree with what was told.
    doubted: bool,
    /// It has not 64 squares, and that was told.
    refused: bool,
    /// Times in a row that it did not answer.
    misses: u32,
    /// Why it was lost, if it is.
    lost: Option<String>,
    out: Vec<BoardRecord>,
}

impl<L: Link, S: Sink> Watcher<L, S> {
    /// Follows the board at the other end of a link. `recalled`: what stood on it when an earlier run ended.
    pub fn new(link: L, sink: S, settings: Settings, recalled: Option<Placement>) -> Watcher<L, S> {
        let heard = link.now();
        let mut tracker = Tracker::default();
        recalled.into_iter().for_each(|placement| tracker.stands(placement));
        Watcher {
            cable: Cable::new(link),
            sink,
            settings,
            board: None,
            tracker,
            told: Vec::new(),
            lever: Lever::default(),
            clock: None,
            mark: NextMark::default(),
            in_step: false,
            heard,
            moved: heard,
            restless: false,
            doubted: false,
            refused: false,
            misses: 0,
            lost: None,
            out: Vec::new(),
        }
    }

    /// The link, for tests to change what is at its other end.
    #[cfg(test)]
    pub(super) fn link_mut(&mut self) -> &mut L {
        &mut self.cable.link
    }

    /// Goes on until then.
    #[cfg(test)]
    pub(super) fn until(&mut self, end: Duration) {
        self.settings.seconds = Some(end);
    }

    /// The link and the sink, when all is done.
    pub fn into_parts(self) -> (L, S) {
        (self.cable.link, self.sink)
    }

    /// Follows the board until a signal, the end of the time, or the end of the sink.
    pub fn run(&mut self) -> Result<()> {
        loop {
            let went_on = if self.in_step { self.step() } else { self.fall_in() };
            match went_on {
                Ok(()) => {}
                Err(Trouble::Ended(error)) => return Err(error),
                Err(Trouble::Gone(gone)) => self.reconnect(&gone)?,
            }
            self.flush()?;
            if self.settings.is_over(self.now(), &self.sink) {
                return Ok(());
            }
        }
    }

    fn now(&self) -> Duration {
        self.cable.link.now()
    }

    fn reconnect(&mut self, gone: &Gone) -> Result<()> {
        self.lose("port-closed");
        self.flush()?;
        let (settings, sink) = (&self.settings, &self.sink);
        link::reopen(&mut self.cable.link, gone, settings.give_up, |now| settings.is_over(now, sink))
    }

    /// Finds the board, lets it tell its changes, and finds out what was missed.
    fn fall_in(&mut self) -> Result<(), Trouble> {
        let Some(found) = once::greet(&mut self.cable)? else {
            return Ok(self.wait_for_it()?);
        };
        let before = self.board.replace(found.board);
        let another = before.is_some_and(|before| before != found.board);
        if before.is_none() || another {
            if another {
                (self.tracker, self.mark) = (Tracker::default(), NextMark::default());
                (self.lever, self.clock) = (Lever::default(), None);
                self.told.clear();
            }
            let event = found.event(self.cable.link.name());
            self.tell(event);
        }
        let reason = self.lost.take();
        if let Some(reason) = &reason {
            self.tell(BoardEvent::Found(LinkState { reason: reason.clone() }));
        }
        self.catch_up(reason.as_deref().unwrap_or("watch-begins"))
    }

    /// The board is silent: some time passes before it is looked for again.
    fn wait_for_it(&mut self) -> Result<()> {
        self.lose("timeout");
        self.flush()?;
        let wait = (BACK_OFF[0] * 2u32.saturating_pow(self.misses.min(10))).min(BACK_OFF[1]);
        self.misses += 1;
        let until = self.now() + wait;
        self.cable.link.pause(self.settings.seconds.map_or(until, |end| end.min(until)));
        Ok(())
    }

    /// From here on the board tells its changes. A dump tells whether those told so far are all.
    fn catch_up(&mut self, reason: &str) -> Result<(), Trouble> {
        self.cable.tell(SingleCommand::UpdateNice)?;
        let asked = self.cable.ask(SingleCommand::SendBoard)?;
        // Changes told before the dump are in it; the clock is not.
        let clocks: Vec<Said> = asked.before.into_iter().filter(is_clock).collect();
        self.heard = self.now();
        let Some(data) = asked.answer else { return Ok(self.wait_for_it()?) };
        (self.in_step, self.doubted, self.misses) = (true, false, 0);
        match (position(&data), self.tracker.placement()) {
            (None, _) => self.refuse(data.len()),
            (Some((stands, _)), Some(&placement)) if placement == stands => {}
            // Where no game goes on the log is of yesterday.
            (Some((stands, dump)), None) if is_start(&stands) || stands == Placement::EMPTY => {
                self.stands(stands);
                self.tell(dump);
            }
            (Some((stands, _)), _) => self.fetch_log(reason, stands)?,
        }
        clocks.into_iter().for_each(|said| self.hear(&said));
        Ok(())
    }

    /// Listens, until it is time to look whether all is well.
    fn step(&mut self) -> Result<(), Trouble> {
        let wants_mark = self.settings.start_marks
            && self.tracker.placement().is_some_and(|placement| self.mark.wants(placement));
        let look = match (self.restless, wants_mark) {
            (true, _) => self.moved + REST,
            (false, true) => self.heard + REST,
            (false, false) => self.heard + KEEP_ALIVE,
        };
        let until = self.settings.seconds.map_or(look, |end| end.min(look));
        // A clock that runs says something every second, and must not put off the look at a board at rest.
        if (!self.restless || self.now() < look)
            && let Some(said) = self.cable.next(until)?
        {
            self.hear(&said);
            return Ok(());
        }
        if self.now() >= look { self.look() } else { Ok(()) }
    }

    /// A dump, against what was told.
    fn look(&mut self) -> Result<(), Trouble> {
        if !self.restless {
            // A board that was switched off and on tells nothing unless it is asked to again.
            self.cable.tell(SingleCommand::UpdateNice)?;
        }
        let asked = self.cable.ask(SingleCommand::SendBoard)?;
        asked.before.iter().for_each(|said| self.hear(said));
        let Some(data) = asked.answer else {
            self.misses += 1;
            self.moved = self.now();
            if self.misses >= MISSES {
                self.lose("timeout");
            }
            return Ok(());
        };
        let now = self.now();
        (self.misses, self.heard) = (0, now);
        let Some((stands, _)) = position(&data) else {
            self.refuse(data.len());
            return Ok(());
        };
        if self.tracker.placement() == Some(&stands) {
            self.doubted = false;
            return self.agrees(now, &stands);
        }
        if std::mem::replace(&mut self.doubted, true) {
            self.doubted = false;
            return self.fetch_log("position", stands);
        }
        // Perhaps the dump itself was spoilt.
        (self.restless, self.moved) = (true, (now + AGAIN).saturating_sub(REST));
        Ok(())
    }

    /// The board stands as was told.
    fn agrees(&mut self, now: Duration, stands: &Placement) -> Result<(), Trouble> {
        if self.restless && now >= self.moved + REST {
            self.restless = false;
            self.tell(BoardEvent::Quiet {});
        }
        if self.restless {
            return Ok(());
        }
        if is_start(stands) {
            self.told.clear();
        }
        if self.mark.rested(now, stands) && self.settings.start_marks {
            self.write_mark(*stands)
        } else {
            Ok(())
        }
    }

    /// Writes the start mark into a board that stands set up for a game, if it knows how.
    fn write_mark(&mut self, stands: Placement) -> Result<(), Trouble> {
        let mark = once::start(&mut self.cable)?;
        // A board that knows no bus is not asked again while this position stands.
        self.mark.written(stands);
        self.catch_up("answer-lost")?;
        if mark.is_some() && self.tracker.placement() == Some(&stands) {
            self.tell(BoardEvent::Mark(Mark { mark: MarkKind::Start, listing: false }));
            self.tell(records::position(stands.codes()));
        }
        Ok(())
    }

    /// SEND_EE_MOVES: what the board logged of this game, where that leads to what stands on it.
    fn fetch_log(&mut self, reason: &str, mut stands: Placement) -> Result<(), Trouble> {
        for _ in 0..LOG_TRIES {
            let asked = self.cable.ask(SingleCommand::SendLog)?;
            self.heard = self.now();
            // What moved between the dump and the log is in the log.
            for said in &asked.before {
                if let Some(Ok(Message::Field(field, piece))) = said.message()
                    && let Some(BoardEvent::Change(change)) = records::change(field, piece, false)
                {
                    stands.set(change.square, change.piece);
                }
            }
            let Some(log) = asked.answer else { break };
            let story = story::read(&log, &self.told);
            if story.placement.is_none_or(|placement| placement == stands) {
                self.told.clear();
                let (count, complete) = (story.events.len() as u64, story.complete);
                self.tell(BoardEvent::History(History { reason: reason.into(), count, complete }));
                for event in story.events {
                    self.keep(&event);
                    self.tell(event);
                }
                // Its presses were told with it.
                self.lever = Lever::default();
                self.believe(stands);
                return Ok(());
            }
            let asked = self.cable.ask(SingleCommand::SendBoard)?;
            match asked.answer.as_deref().and_then(position) {
                Some((placement, _)) => stands = placement,
                None => break,
            }
        }
        let detail = "the board's log does not lead to its position: what was missed is not told";
        self.tell(fault(FaultKind::Corrupt, detail));
        self.believe(stands);
        Ok(())
    }

    /// A dump that records cannot hold, which is told once.
    fn refuse(&mut self, squares: usize) {
        self.restless = false;
        if !std::mem::replace(&mut self.refused, true) {
            self.tell(fault(FaultKind::Corrupt, format!("a dump of {squares} squares: records hold 64")));
        }
    }

    /// Takes what stands on the board for the truth, and tells it.
    fn believe(&mut self, stands: Placement) {
        self.stands(stands);
        self.tell(records::position(stands.codes()));
    }

    fn stands(&mut self, stands: Placement) {
        self.tracker.stands(stands);
        self.mark.moved(&stands);
        (self.restless, self.moved) = (true, self.now());
    }

    /// What the board tells unasked.
    fn hear(&mut self, said: &Said) {
        self.heard = self.now();
        match said.message() {
            Some(Ok(Message::Field(field, piece))) => match records::change(field, piece, false) {
                Some(event) => {
                    self.tracker.take(std::slice::from_ref(&event));
                    self.keep(&event);
                    if let Some(placement) = self.tracker.placement() {
                        self.mark.moved(placement);
                    }
                    (self.restless, self.moved) = (true, self.now());
                    self.tell(event);
                }
                None => self
                    .tell(fault(FaultKind::Corrupt, format!("field {field} is on no board of 64 squares"))),
            },
            Some(Ok(Message::Clock(message))) => {
                self.lever.turn(message).into_iter().for_each(|press| self.tell(press));
                if let Some(clock) = records::clock(message)
                    && self.clock.as_ref() != Some(&clock)
                {
                    self.clock = Some(clock.clone());
                    self.tell(clock);
                }
            }
            Some(Err(bad)) => self.tell(fault(FaultKind::Corrupt, bad.to_string())),
            Some(Ok(_)) => {}
            None => {
                if let Said::Fault(event) = said {
                    self.tell(event.clone());
                }
            }
        }
    }

    /// Remembers a change, to know the game again in the board's log.
    fn keep(&mut self, event: &BoardEvent) {
        if let BoardEvent::Change(Change { square, piece, .. }) = event {
            if self.told.len() == RING {
                self.told.drain(..RING / 2);
            }
            self.told.push((*square, *piece));
        }
    }

    fn lose(&mut self, reason: &str) {
        self.in_step = false;
        if self.lost.is_none() {
            self.lost = Some(reason.to_owned());
            self.tell(BoardEvent::Lost(LinkState { reason: reason.into() }));
        }
    }

    fn tell(&mut self, event: BoardEvent) {
        let time = self.cable.link.time();
        self.out.push(BoardRecord::new(Some(time), self.board, event));
    }

    fn flush(&mut self) -> Result<()> {
        if !self.out.is_empty() {
            self.sink.put(std::mem::take(&mut self.out))?;
        }
        Ok(())
    }
}

fn is_clock(said: &Said) -> bool {
    matches!(said.message(), Some(Ok(Message::Clock(_))))
}

/// What stands on a board by a dump; none from a board of 100 squares.
fn position(data: &[u8]) -> Option<(Placement, BoardEvent)> {
    let event = records::position(data.try_into().ok()?);
    match &event {
        BoardEvent::Position(position) => Some((position.placement, event)),
        _ => None,
    }
}

fn fault(kind: FaultKind, detail: impl Into<String>) -> BoardEvent {
    BoardEvent::Fault(Fault { kind, detail: detail.into(), bytes: None })
}
