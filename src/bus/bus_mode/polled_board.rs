//! The state of a polled board: what has to be fetched from it, whether a dump is wanted, and when it may be asked.
//!
//! Each aspect is a type of its own with all its transitions. The state of a board in any mode is in [`FollowedBoard`].

use std::time::Duration;

use super::{answer_tally::AnswerTally, recovery::Copies};
use crate::{
    bus::{followed_board::FollowedBoard, retry},
    record::{BoardEvent, BoardPosition, Mark, Placement, Time},
    wire::{eeprom::CutEntries, records::SCAN},
};

/// A damaged answer of more bytes, which takes a third of a second, is requested again only after the turns of others.
pub const LONG_ANSWER_BYTES: usize = 300;

/// When a board that reported something is polled again, for changes of the same scan.
const AFTER_REPORT: Duration = Duration::from_millis(300);
/// The time between polls of a board that [`is_active`](PolledBoard::is_active), and of any other.
const TURN: [Duration; 2] = [Duration::from_secs(1), Duration::from_secs(2)];
/// A board whose pieces moved within this time is in play.
pub const IN_PLAY: Duration = Duration::from_secs(300);

/// The reason of a `history` of a board of which nothing was published before.
pub const WATCH_BEGINS: &str = "watch-begins";

/// What has to be fetched from a board next. SEND_CHANGES is sent in the state [`Changes`](Fetch::Changes) only, since it
/// makes the board discard the packet that the other states fetch.
#[derive(Debug, Clone)]
pub enum Fetch {
    /// The board is new to this run: its last packet, and its position unless records of an earlier run are known.
    Introduction {
        /// An earlier run published records of the board.
        recalled: bool,
    },
    /// The entries since the last poll.
    Changes,
    /// The packet that SEND_CHANGES took from the board and that did not arrive whole, if there was one.
    UnconfirmedPacket(Copies),
    /// Its own log, to be compared with the published entries.
    Log {
        /// The reason, for the `history`.
        reason: &'static str,
        /// The number of visits in which it came damaged.
        visits: u32,
        /// The damaged copies.
        copies: Copies,
    },
}

impl Fetch {
    /// Fetches the board's own log, for this reason.
    pub fn log(reason: &'static str) -> Fetch {
        Fetch::Log { reason, visits: 0, copies: Copies::default() }
    }

    /// Whether the next answer may take seconds.
    pub fn is_long(&self) -> bool {
        match self {
            Fetch::Log { .. } => true,
            Fetch::UnconfirmedPacket(copies) => copies.longest() > LONG_ANSWER_BYTES,
            Fetch::Introduction { .. } | Fetch::Changes => false,
        }
    }
}

/// Whether a dump has confirmed the published position.
#[derive(Debug, Clone)]
pub enum PositionCheck {
    /// A dump is wanted when the pieces rest: the position is unknown, or in doubt.
    Wanted {
        /// The log was fetched because a dump did not agree, so the next dump is accepted.
        log_fetched: bool,
    },
    /// A dump has come. It counts when an empty poll shows that nothing moved meanwhile.
    Dumped {
        /// The position that it shows.
        dump: BoardPosition,
        /// When it came.
        at: Duration,
        /// As in [`Wanted`](PositionCheck::Wanted).
        log_fetched: bool,
        /// The dump was requested without a doubt.
        routine: bool,
    },
    /// A dump agreed, and nothing has moved since.
    Confirmed,
    /// Changes came after a dump that agreed, and none of them is contradictory.
    Assumed,
}

impl PositionCheck {
    /// Requests a dump, because the position is in doubt.
    pub fn want(&mut self) {
        match self {
            PositionCheck::Confirmed | PositionCheck::Assumed => {
                *self = PositionCheck::Wanted { log_fetched: false };
            }
            PositionCheck::Dumped { routine, .. } => *routine = false,
            PositionCheck::Wanted { .. } => {}
        }
    }

    /// Requests a dump that will be accepted, because the log did not come or does not determine the position.
    pub fn want_decisive(&mut self) {
        match self {
            PositionCheck::Wanted { log_fetched } => *log_fetched = true,
            PositionCheck::Dumped { log_fetched, routine, .. } => {
                (*log_fetched, *routine) = (true, false);
            }
            _ => *self = PositionCheck::Wanted { log_fetched: true },
        }
    }

    /// Stores a dump that has come.
    pub fn dumped(&mut self, dump: BoardPosition, at: Duration) {
        let log_fetched = matches!(self, PositionCheck::Wanted { log_fetched: true });
        let routine = matches!(self, PositionCheck::Assumed);
        *self = PositionCheck::Dumped { dump, at, log_fetched, routine };
    }

    /// Drops the stored dump: the pieces may have moved since.
    fn drop_dump(&mut self) {
        match *self {
            PositionCheck::Dumped { routine: true, .. } => *self = PositionCheck::Assumed,
            PositionCheck::Dumped { log_fetched, .. } => *self = PositionCheck::Wanted { log_fetched },
            _ => {}
        }
    }
}

/// When a board may be asked.
#[derive(Debug, Clone, Default)]
pub struct Turn {
    /// When it was asked last.
    pub asked: Duration,
    /// When it may be asked again.
    pub due: Duration,
    /// The batch of its records that must be safe before the board is asked again.
    pub batch: Option<u64>,
}

/// When the board last reported something.
#[derive(Debug, Clone, Default)]
pub struct Activity {
    /// When its pieces moved last.
    moved: Option<Duration>,
    /// The time, in records, of the last report, until a scan has passed without another.
    last_report: Option<Time>,
}

impl Activity {
    /// Notes that the board reported something now, which has this `time` in records, and whether pieces moved.
    pub fn reported(&mut self, now: Duration, time: Time, moved: bool) {
        self.last_report = Some(time);
        if moved {
            self.moved = Some(now);
        }
    }

    /// Notes an empty poll at this time in records. Returns whether a whole scan has passed since the last report. It
    /// compares times of records, since a capture has no others.
    pub fn has_rested(&mut self, time: Time) -> bool {
        // A negative difference means that the clock was set back: the report counts as old.
        let within_scan = |report: Time| (0.0..SCAN.as_secs_f64()).contains(&report.seconds_until(time));
        self.last_report = self.last_report.filter(|&report| within_scan(report));
        self.last_report.is_none()
    }

    /// Whether its pieces moved within this time.
    pub fn moved_within(&self, now: Duration, within: Duration) -> bool {
        self.moved.is_some_and(|moved| now.saturating_sub(moved) < within)
    }
}

/// Counts of a board's answers.
#[derive(Debug, Clone, Copy, Default)]
pub struct Answers {
    /// Whole answers.
    pub whole: u32,
    /// Damaged answers.
    pub spoilt: u32,
}

impl Answers {
    /// Whether more were damaged than came whole, and at least five.
    pub fn are_mostly_spoilt(&self) -> bool {
        self.spoilt > self.whole.max(4)
    }
}

/// A board that is polled.
#[derive(Debug)]
pub struct PolledBoard {
    /// Bus address.
    pub address: u16,
    /// Its published position, whether it answers, its next start mark.
    pub followed: FollowedBoard,
    /// What has to be fetched from it.
    pub fetch: Fetch,
    /// Whether its position is confirmed.
    pub check: PositionCheck,
    /// When it may be asked.
    pub turn: Turn,
    /// When it last reported something.
    pub activity: Activity,
    /// Visits in a row in which it answered a ping, but not the question for its last packet or its log.
    pub in_vain: u32,
    /// Dumps in a row that it did not send, though it answered a ping.
    pub dumps_in_vain: u32,
    /// When its clock was asked last.
    pub clock_asked: Option<Duration>,
    /// When it was asked for a dump last.
    pub dump_asked: Option<Duration>,
    /// Whether a routine dump is due, if its pieces rest after they moved.
    pub dump_due: bool,
    /// Counts of its answers since the last broadcast ping.
    pub answers: Answers,
    /// Counts and times of its answers since the last `answers` record.
    pub tally: AnswerTally,
    /// The beginning of an entry at the end of its last packet.
    pub cut: CutEntries,
    /// It was asked to ignore the next broadcast ping, and has not been reset since.
    pub silenced: bool,
}

impl PolledBoard {
    /// A board that was not asked yet, with its state from the records of earlier runs.
    pub fn new(address: u16, recalled: Option<FollowedBoard>, now: Duration) -> PolledBoard {
        PolledBoard {
            address,
            fetch: Fetch::Introduction { recalled: recalled.is_some() },
            followed: recalled.unwrap_or_else(|| FollowedBoard::new(address)),
            check: PositionCheck::Wanted { log_fetched: false },
            turn: Turn { asked: now, due: now, ..Turn::default() },
            activity: Activity::default(),
            in_vain: 0,
            dumps_in_vain: 0,
            clock_asked: None,
            dump_asked: None,
            dump_due: false,
            answers: Answers::default(),
            tally: AnswerTally::new(now),
            silenced: false,
            cut: CutEntries::default(),
        }
    }

    /// Applies published entries of the board's log, and requests a dump if they contradict the position.
    pub fn apply(&mut self, events: &[BoardEvent]) {
        let before = self.confirmed_placement();
        self.check.drop_dump();
        self.followed.apply(events);
        // A list of the pieces may repeat the confirmed position.
        let agrees = before.is_some() && before.as_ref() == self.followed.tracker.placement();
        if matches!(self.check, PositionCheck::Confirmed) && !agrees {
            self.check = PositionCheck::Assumed;
        }
        // An incomplete list would make all later positions wrong.
        let listed = events.iter().any(|event| matches!(event, BoardEvent::Mark(Mark { listing: true, .. })));
        let contradicted = self.followed.tracker.take_contradiction();
        if contradicted || self.followed.tracker.placement().is_none() || listed && !agrees {
            self.check.want();
        }
    }

    /// Replaces everything published since the start mark by the board's own log.
    pub fn replace(&mut self, log: &[BoardEvent]) {
        self.check.drop_dump();
        self.followed.replace(log);
    }

    /// Whether the board does not answer SEND_BRD.
    pub fn sends_no_dumps(&self) -> bool {
        self.dumps_in_vain >= retry::IN_VAIN
    }

    /// The position, if a dump confirmed it and nothing has moved since.
    pub fn confirmed_placement(&self) -> Option<Placement> {
        let confirmed = matches!(self.check, PositionCheck::Confirmed);
        self.followed.tracker.placement().copied().filter(|_| confirmed)
    }

    /// Compares a dump of the board at rest with the published position, and returns the dump if it is to be published.
    /// `begins`: no game is in play, so the log of a board without published records is not needed.
    pub fn compare(&mut self, dump: BoardPosition, log_fetched: bool, begins: bool) -> Option<BoardPosition> {
        let published = self.followed.tracker.placement();
        // A change was missed, or never logged. The log decides.
        let reason = match published {
            Some(placement) => (*placement != dump.placement).then_some("position"),
            None => (!begins).then_some(WATCH_BEGINS),
        };
        if let Some(reason) = reason.filter(|_| !log_fetched) {
            self.fetch = Fetch::log(reason);
            self.check = PositionCheck::Wanted { log_fetched: true };
            return None;
        }
        let is_new = published != Some(&dump.placement);
        self.check = PositionCheck::Confirmed;
        if is_new {
            self.followed.set_placement(dump.placement);
        }
        is_new.then_some(dump)
    }

    /// Publishes once that the board is lost. It may be switched off, and is then no longer silenced.
    pub fn lose(&mut self, time: Time, reason: &'static str) {
        self.silenced = false;
        self.followed.lose(time, reason);
    }

    /// Whether it answers and its first fetches are done, so that it may be asked for its clock.
    pub fn introduced(&self) -> bool {
        !self.followed.reach.is_lost()
            && matches!(self.fetch, Fetch::Changes | Fetch::UnconfirmedPacket(_))
            && (self.activity.moved.is_some() || self.followed.tracker.placement().is_some())
    }

    /// When its turn comes: without a wait while it is new or a packet is unconfirmed, and soon after a report, since its
    /// changes are complete a scan later. A turn that has come stays, so no board is skipped for ever.
    pub fn turn_comes(&self, now: Duration) -> Duration {
        let wait = match self.activity.last_report {
            _ if self.is_urgent() => Duration::ZERO,
            Some(_) => AFTER_REPORT,
            None => TURN[usize::from(!self.is_active(now))],
        };
        self.turn.due.max(self.turn.asked + wait)
    }

    /// Whether it is new, or a packet of it is unconfirmed.
    fn is_urgent(&self) -> bool {
        matches!(self.fetch, Fetch::Introduction { .. } | Fetch::UnconfirmedPacket(_))
    }

    /// Whether it is polled before boards at rest.
    pub fn is_active(&self, now: Duration) -> bool {
        !matches!(self.fetch, Fetch::Changes) || self.plays(now)
    }

    /// Whether a game is being played on it.
    pub fn plays(&self, now: Duration) -> bool {
        self.in_play(now) && !self.followed.between_games
    }

    /// Whether its pieces moved within [`IN_PLAY`].
    pub fn in_play(&self, now: Duration) -> bool {
        self.activity.moved_within(now, IN_PLAY)
    }

    /// Notes the end of a visit. A board that answers may be asked again after `soonest`, a silent one later.
    pub fn visited(&mut self, now: Duration, soonest: Duration) {
        self.turn.asked = now;
        self.turn.due = now
            + match self.followed.reach.misses {
                0 => soonest,
                misses => retry::wait(misses, retry::SILENT_BOARD),
            };
    }

    /// The time since its clock was read.
    pub fn clock_age(&self, now: Duration) -> Duration {
        self.clock_asked.map_or(Duration::MAX, |asked| now.saturating_sub(asked))
    }
}
