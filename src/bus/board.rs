//! A board that is polled: what it told, what it has to be asked, and when.

use std::time::Duration;

use super::{marks::NextMark, recovery::Copies, tracker::Tracker};
use crate::record::{BoardEvent, BoardRecord, Mark, MarkKind};

/// Visits in a row without an answer after which a board counts as lost.
pub(super) const MISSES: u32 = 3;

/// An answer of more bytes, which takes a third of a second, is asked for again only when others had their turn.
pub(super) const LONG: usize = 300;

/// A board reads all its sensors in so long: what has not changed since stands.
const SCAN: Duration = Duration::from_millis(250);
/// When a board that told something is asked for the rest of it.
const LOOK: Duration = Duration::from_millis(300);
/// How long a board in play may wait for its turn, and one that rests.
const TURN: [Duration; 2] = [Duration::from_secs(1), Duration::from_secs(2)];
/// A board that moved so recently is in play.
pub(super) const IN_PLAY: Duration = Duration::from_secs(300);

/// What a board has to be asked before its next changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Need {
    /// Nothing.
    Nothing,
    /// Its last packet and its position: it is new to this run.
    Introduction,
    /// Its own log, for this reason.
    Log(&'static str),
}

/// A board that is polled.
#[derive(Debug)]
pub struct Board {
    /// Bus address.
    pub address: u16,
    /// What it told.
    pub tracker: Tracker,
    /// An earlier run told of it.
    pub recalled: bool,
    /// What it has to be asked first.
    pub need: Need,
    /// When it was asked last.
    pub asked: Duration,
    /// When it may be asked again.
    pub due: Duration,
    /// Visits in a row without a whole answer.
    pub misses: u32,
    /// It does not answer, and that was told.
    pub lost: bool,
    /// Why it was lost.
    pub lost_because: String,
    /// The batch of its records that has to be safe before it may be asked again.
    pub ticket: Option<u64>,
    /// A packet was sent and did not arrive, or may have been.
    pub owed: bool,
    /// Spoilt copies of the answer that is wanted.
    pub copies: Copies,
    /// How often its log was asked for in vain.
    pub log_tries: u32,
    /// It was told to ignore the next broadcast ping, and nothing says that it forgot.
    pub silenced: bool,
    /// When its pieces moved last.
    pub moved: Option<Duration>,
    /// They moved, and `quiet` was not told since.
    pub restless: bool,
    /// When it last told something of which the rest may be still to come.
    pub told: Option<Duration>,
    /// A list of pieces has begun and the board has not been silent since.
    listing: bool,
    /// A dump is wanted when the pieces rest: the position is unknown, or in doubt.
    pub check: bool,
    /// A dump agreed with what was told, and nothing moved since.
    pub confirmed: bool,
    /// What the dump said, until an empty poll shows that nothing moved meanwhile.
    pub dumped: Option<BoardEvent>,
    /// The log was fetched because of a dump that did not agree.
    pub doubted: bool,
    /// When its next start mark is due.
    pub mark: NextMark,
    /// When its clock was asked last,
    pub clock_asked: Option<Duration>,
    /// and what was told of it.
    pub clock: Option<BoardEvent>,
    /// What this visit tells.
    pub out: Vec<BoardRecord>,
}

impl Board {
    /// A board of which nothing is known.
    pub fn new(address: u16) -> Board {
        Board {
            address,
            tracker: Tracker::default(),
            recalled: false,
            need: Need::Introduction,
            asked: Duration::ZERO,
            due: Duration::ZERO,
            misses: 0,
            lost: false,
            lost_because: String::new(),
            ticket: None,
            owed: false,
            copies: Copies::default(),
            log_tries: 0,
            silenced: false,
            moved: None,
            restless: false,
            told: None,
            listing: false,
            check: true,
            confirmed: false,
            dumped: None,
            doubted: false,
            mark: NextMark::default(),
            clock_asked: None,
            clock: None,
            out: Vec::new(),
        }
    }

    /// Takes events of the board's log that are told, and draws the conclusions.
    pub fn learn(&mut self, events: &[BoardEvent]) {
        let before = match self.dumped.take() {
            Some(BoardEvent::Position(dump)) => Some(dump.placement),
            _ => self.tracker.placement().copied().filter(|_| self.confirmed),
        };
        self.tracker.take(events);
        // A list of the pieces says again what a dump said.
        self.confirmed = before.is_some() && before.as_ref() == self.tracker.placement();
        self.check |= self.tracker.take_odd() || self.tracker.placement().is_none();
        self.restless |= events.iter().any(|event| matches!(event, BoardEvent::Change(_)));
        for event in events {
            if let BoardEvent::Mark(Mark { mark, listing }) = event {
                self.listing |= listing;
                // A list that is not whole would spoil all that follows.
                self.check |= *listing && !self.confirmed;
                if *mark == MarkKind::Start
                    && let Some(placement) = self.tracker.placement()
                {
                    self.mark.written(*placement);
                }
            }
        }
        if !self.listing
            && let Some(placement) = self.tracker.placement()
        {
            self.mark.moved(placement);
        }
    }

    /// The board had nothing to tell, so a list of pieces that had begun is whole.
    pub fn list_ended(&mut self) {
        if std::mem::take(&mut self.listing)
            && let Some(placement) = self.tracker.placement()
        {
            self.mark.moved(placement);
        }
    }

    /// Takes the board's own log since its start mark for the whole story.
    pub fn relearn(&mut self, log: &[BoardEvent]) {
        self.tracker.history(log);
        (self.dumped, self.confirmed) = (None, false);
        if let Some(placement) = self.tracker.placement() {
            self.mark.written(*placement);
        }
    }

    /// Whether its next answer may take seconds.
    pub fn needs_log(&self) -> bool {
        matches!(self.need, Need::Log(_)) || self.copies.longest() > LONG
    }

    /// Whether the next visit to it will take longer than a poll: its log, or a first look at it.
    pub fn needs_long(&self) -> bool {
        self.needs_log() || self.need == Need::Introduction
    }

    /// Whether it answers and is known well enough to be asked for its clock.
    pub fn introduced(&self) -> bool {
        !self.lost
            && self.need == Need::Nothing
            && (self.moved.is_some() || self.tracker.placement().is_some())
    }

    /// When it is its turn to be asked: soon after it told something, for then a scan later all of it is known. None is
    /// forgotten, since a turn that has come stays.
    pub fn turn(&self, now: Duration) -> Duration {
        match self.told {
            Some(told) => told + LOOK,
            None => self.asked + TURN[usize::from(!self.in_play(now, IN_PLAY))],
        }
    }

    /// The board had nothing to tell. Whether a whole scan has passed since it last had.
    pub fn stands(&mut self, now: Duration) -> bool {
        let stands = self.told.is_none_or(|told| now >= told + SCAN);
        if stands {
            self.told = None;
        }
        stands
    }

    /// Whether its pieces moved within this time.
    pub fn in_play(&self, now: Duration, within: Duration) -> bool {
        self.moved.is_some_and(|moved| now.saturating_sub(moved) < within)
    }

    /// How old our knowledge of its clock is.
    pub fn clock_age(&self, now: Duration) -> Duration {
        self.clock_asked.map_or(Duration::MAX, |asked| now.saturating_sub(asked))
    }
}
