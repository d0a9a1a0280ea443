//! A board that is polled: what has to be fetched from it, whether a dump of it is wanted, and when it may be asked.
//!
//! Each state is a type of its own here with all its transitions, and says what may be asked next. What holds for a
//! board in any mode is in [`FollowedBoard`].

use std::time::Duration;

use super::{answer_tally::AnswerTally, recovery::Copies};
use crate::{
    bus::{followed_board::FollowedBoard, retry},
    record::{BoardEvent, BoardPosition, Mark, Placement, Time},
    wire::{eeprom, records::SCAN},
};

/// An answer of more bytes, which takes a third of a second, is asked for again only when others had their turn.
pub const LONG: usize = 300;

/// When a board that told something is asked for the rest of it.
const LOOK: Duration = Duration::from_millis(300);
/// When a board has its next turn that matters now, and any other.
const TURN: [Duration; 2] = [Duration::from_secs(1), Duration::from_secs(2)];
/// A board that moved so recently is in play.
pub const IN_PLAY: Duration = Duration::from_secs(300);

/// Why the log of a board is fetched of which nothing was published.
pub const WATCH_BEGINS: &str = "watch-begins";

/// What has to be fetched from a board next. SEND_CHANGES is sent in the state [`Changes`](Fetch::Changes) and in no
/// other, since it makes the board forget what it is asked for in the others.
#[derive(Debug, Clone)]
pub enum Fetch {
    /// Its last packet, and unless an earlier run published what it told a first look at its position: it is new to this
    /// run.
    Introduction {
        /// An earlier run published what it told.
        recalled: bool,
    },
    /// What it logged since it was asked last.
    Changes,
    /// The packet that SEND_CHANGES took from the board and nobody has seen whole, or whether there was one.
    UnconfirmedPacket(Copies),
    /// Its own log, to be compared with what was published.
    Log {
        /// Why, as the `history` will say.
        reason: &'static str,
        /// How often it was asked for in vain.
        visits: u32,
        /// What came instead.
        copies: Copies,
    },
}

impl Fetch {
    /// The board's own log, for this reason.
    pub fn log(reason: &'static str) -> Fetch {
        Fetch::Log { reason, visits: 0, copies: Copies::default() }
    }

    /// Whether the next answer may take seconds.
    pub fn is_long(&self) -> bool {
        match self {
            Fetch::Log { .. } => true,
            Fetch::UnconfirmedPacket(copies) => copies.longest() > LONG,
            Fetch::Introduction { .. } | Fetch::Changes => false,
        }
    }
}

/// How sure it is that the pieces stand as was published.
#[derive(Debug, Clone)]
pub enum PositionCheck {
    /// A dump is wanted when the pieces rest: the position is unknown, or in doubt.
    Wanted {
        /// The log was fetched because a dump did not agree, so the next dump is believed.
        log_fetched: bool,
    },
    /// A dump has come. It counts when an empty poll shows that nothing moved meanwhile.
    Dumped {
        /// What it shows.
        dump: BoardPosition,
        /// When it came.
        at: Duration,
        /// As in [`Wanted`](PositionCheck::Wanted).
        log_fetched: bool,
        /// There was no doubt: it is looked at now and then.
        by_the_way: bool,
    },
    /// A dump agreed, and nothing has moved since.
    Confirmed,
    /// Changes came after a dump that agreed, and nothing speaks against them.
    Assumed,
}

impl PositionCheck {
    /// There is doubt: a dump is wanted, if none is on its way.
    pub fn want(&mut self) {
        match self {
            PositionCheck::Confirmed | PositionCheck::Assumed => {
                *self = PositionCheck::Wanted { log_fetched: false };
            }
            PositionCheck::Dumped { by_the_way, .. } => *by_the_way = false,
            PositionCheck::Wanted { .. } => {}
        }
    }

    /// The log did not come, or will not help: the next dump is believed.
    pub fn want_last(&mut self) {
        match self {
            PositionCheck::Wanted { log_fetched } => *log_fetched = true,
            PositionCheck::Dumped { log_fetched, by_the_way, .. } => {
                (*log_fetched, *by_the_way) = (true, false);
            }
            _ => *self = PositionCheck::Wanted { log_fetched: true },
        }
    }

    /// A dump has come.
    pub fn dumped(&mut self, dump: BoardPosition, at: Duration) {
        let log_fetched = matches!(self, PositionCheck::Wanted { log_fetched: true });
        let by_the_way = matches!(self, PositionCheck::Assumed);
        *self = PositionCheck::Dumped { dump, at, log_fetched, by_the_way };
    }

    /// A dump that had come says nothing any more.
    fn forget_dump(&mut self) {
        match *self {
            PositionCheck::Dumped { by_the_way: true, .. } => *self = PositionCheck::Assumed,
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
    /// The batch of its records that has to be safe before.
    pub batch: Option<u64>,
}

/// When the board last had something to tell.
#[derive(Debug, Clone, Default)]
pub struct Activity {
    /// When its pieces moved last.
    moved: Option<Duration>,
    /// When it told something of which the rest may be still to come, as records have it.
    told: Option<Time>,
}

impl Activity {
    /// It told something now, which has this time in records, and that pieces moved or not.
    pub fn tells(&mut self, now: Duration, heard: Time, moved: bool) {
        self.told = Some(heard);
        if moved {
            self.moved = Some(now);
        }
    }

    /// It had nothing to tell at this time of records. Whether a whole scan has passed since it last had; it is the time of
    /// records that says so, for a capture has no other.
    pub fn rests(&mut self, heard: Time) -> bool {
        // A clock that was set back says nothing.
        let unscanned = |told: Time| (0.0..SCAN.as_secs_f64()).contains(&told.seconds_until(heard));
        self.told = self.told.filter(|&told| unscanned(told));
        self.told.is_none()
    }

    /// Whether its pieces moved within this time.
    pub fn moved_within(&self, now: Duration, within: Duration) -> bool {
        self.moved.is_some_and(|moved| now.saturating_sub(moved) < within)
    }
}

/// How a board's answers came.
#[derive(Debug, Clone, Copy, Default)]
pub struct Answers {
    /// Whole ones.
    pub whole: u32,
    /// Those that came spoilt.
    pub spoilt: u32,
}

impl Answers {
    /// Whether more were spoilt than came whole, and not by chance.
    pub fn are_mostly_spoilt(&self) -> bool {
        self.spoilt > self.whole.max(4)
    }
}

/// A board that is polled.
#[derive(Debug)]
pub struct PolledBoard {
    /// Bus address.
    pub address: u16,
    /// What was published of it, whether it answers, its next start mark.
    pub followed: FollowedBoard,
    /// What has to be fetched from it.
    pub fetch: Fetch,
    /// How sure its position is.
    pub check: PositionCheck,
    /// When it may be asked.
    pub turn: Turn,
    /// When it had something to tell.
    pub activity: Activity,
    /// Visits in a row without a whole answer to the question for its last packet or its log, though it was there.
    pub in_vain: u32,
    /// Dumps in a row that it was asked for in vain, though it answered a ping.
    pub dumps_in_vain: u32,
    /// When its clock was asked last.
    pub clock_asked: Option<Duration>,
    /// When it was asked for a dump last.
    pub looked: Option<Duration>,
    /// It is time for another, if its pieces rest after they moved.
    pub look_due: bool,
    /// How its answers came since all boards were pinged.
    pub answers: Answers,
    /// The same, and how long they took, since that was last told.
    pub tally: AnswerTally,
    /// The beginning of an entry at the end of its last packet: the rest comes with the next one.
    pub cut_off: Vec<u8>,
    /// It was told to ignore the next broadcast ping, and nothing says that it forgot.
    pub silenced: bool,
}

impl PolledBoard {
    /// A board that nobody asked yet, with what earlier runs published of it.
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
            looked: None,
            look_due: false,
            answers: Answers::default(),
            tally: AnswerTally::new(now),
            silenced: false,
            cut_off: Vec::new(),
        }
    }

    /// The whole entries of its log in this packet, with the beginning from the packet before where this one follows it; the
    /// beginning of an entry at the end is kept.
    pub fn whole_entries(&mut self, told: &[u8], follows: bool) -> Vec<u8> {
        let mut log = std::mem::take(&mut self.cut_off);
        if !follows {
            log.clear();
        }
        log.extend_from_slice(told);
        // Where nothing follows, the rest of it is not to come.
        let cut = if told.is_empty() { 0 } else { eeprom::cut_off(&log) };
        self.cut_off = log.split_off(log.len() - cut);
        log
    }

    /// Takes entries of the board's log that are published, and draws the conclusions.
    pub fn learn(&mut self, events: &[BoardEvent]) {
        let before = self.confirmed_placement();
        self.check.forget_dump();
        self.followed.learn(events);
        // A list of the pieces says again what stands there.
        let agrees = before.is_some() && before.as_ref() == self.followed.tracker.placement();
        if matches!(self.check, PositionCheck::Confirmed) && !agrees {
            self.check = PositionCheck::Assumed;
        }
        // A list that is not whole would spoil all that follows.
        let listed = events.iter().any(|event| matches!(event, BoardEvent::Mark(Mark { listing: true, .. })));
        let contradicted = self.followed.tracker.take_contradiction();
        if contradicted || self.followed.tracker.placement().is_none() || listed && !agrees {
            self.check.want();
        }
    }

    /// Takes the board's own log since its start mark for everything that happened.
    pub fn learn_anew(&mut self, log: &[BoardEvent]) {
        self.check.forget_dump();
        self.followed.learn_anew(log);
    }

    /// Whether it is a board that leaves SEND_BRD unanswered.
    pub fn sends_no_dumps(&self) -> bool {
        self.dumps_in_vain >= retry::IN_VAIN
    }

    /// What stands on the board, where a dump says so and nothing has moved since.
    pub fn confirmed_placement(&self) -> Option<Placement> {
        let confirmed = matches!(self.check, PositionCheck::Confirmed);
        self.followed.tracker.placement().copied().filter(|_| confirmed)
    }

    /// A dump and what was published do not agree, or do: the board at rest shows which. Brings a dump to publish.
    /// `begins`: where nothing was published so far, no game can be in play that the board's log would tell.
    pub fn compare(&mut self, dump: BoardPosition, log_fetched: bool, begins: bool) -> Option<BoardPosition> {
        let published = self.followed.tracker.placement();
        // Something was missed, or never logged. The log knows.
        let reason = match published {
            Some(placement) => (*placement != dump.placement).then_some("position"),
            None => (!begins).then_some(WATCH_BEGINS),
        };
        if let Some(reason) = reason.filter(|_| !log_fetched) {
            self.fetch = Fetch::log(reason);
            self.check = PositionCheck::Wanted { log_fetched: true };
            return None;
        }
        let news = published != Some(&dump.placement);
        self.check = PositionCheck::Confirmed;
        if news {
            self.followed.stands(dump.placement);
        }
        news.then_some(dump)
    }

    /// It is lost, which is published once; a board that is gone may have forgotten that it was silenced.
    pub fn lose(&mut self, time: Time, reason: &'static str) {
        self.silenced = false;
        self.followed.lose(time, reason);
    }

    /// Whether it answers and is known well enough to be asked for its clock.
    pub fn introduced(&self) -> bool {
        !self.followed.reach.is_lost()
            && matches!(self.fetch, Fetch::Changes | Fetch::UnconfirmedPacket(_))
            && (self.activity.moved.is_some() || self.followed.tracker.placement().is_some())
    }

    /// When it is its turn to be asked: at once while it is new or owes a packet, soon after it told something, for then
    /// a scan later all of it is known. None is forgotten, since a turn that has come stays.
    pub fn turn_comes(&self, now: Duration) -> Duration {
        let wait = match self.activity.told {
            _ if self.owes() => Duration::ZERO,
            Some(_) => LOOK,
            None => TURN[usize::from(!self.matters(now))],
        };
        self.turn.due.max(self.turn.asked + wait)
    }

    /// Whether nobody knows yet what it has to tell, or a packet of it is unconfirmed.
    fn owes(&self) -> bool {
        matches!(self.fetch, Fetch::Introduction { .. } | Fetch::UnconfirmedPacket(_))
    }

    /// Whether it comes before boards at rest.
    pub fn matters(&self, now: Duration) -> bool {
        !matches!(self.fetch, Fetch::Changes) || self.plays(now)
    }

    /// Whether a game is being played on it.
    pub fn plays(&self, now: Duration) -> bool {
        self.in_play(now) && !self.followed.between_games
    }

    /// Whether its pieces moved lately.
    pub fn in_play(&self, now: Duration) -> bool {
        self.activity.moved_within(now, IN_PLAY)
    }

    /// A visit has ended: when the next may be. `soonest` is as good of a board that answers as any time before.
    pub fn visited(&mut self, now: Duration, soonest: Duration) {
        self.turn.asked = now;
        self.turn.due = now
            + match self.followed.reach.misses {
                0 => soonest,
                misses => retry::wait(misses, retry::SILENT_BOARD),
            };
    }

    /// How old our knowledge of its clock is.
    pub fn clock_age(&self, now: Duration) -> Duration {
        self.clock_asked.map_or(Duration::MAX, |asked| now.saturating_sub(asked))
    }
}
