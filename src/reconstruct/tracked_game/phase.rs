//! What a game is doing, and the clock beside it: two values. Each has what moves it on in one place, and what depends on one
//! asks it.
//!
//! ```text
//!                  begun             the clock is stopped            hands are at the board
//!  being set up ----------> in play ----------------------> interrupted -----------------> looked at
//!                            |                                   |                          |
//!                            | <--- the clock runs, is pressed --+--------------------------+
//!                            | <--- moves in a row, as slow as the game's ------------------+
//!                            | ---- the board goes back far, without a clock ---------------> looked at
//!
//!  any ---- the end is published ----> over ---- play goes on, pressed ----> in play
//!                                       |
//!                                       +---- without a clock ----> resumed ---- for long ----> in play
//! ```
//!
//! A game that is interrupted, resumed, won and looked at, in the words of the tests of this room:
//!
//! ```
//! # use boardbus::{reconstruct::{Options, Reconstructor}, record::{GameEvent, GameRecord, Record, parse}};
//! let day = "
//!     +4 -e2 Pe4 L900 +2 . +9 -e7 pe5 R900 +2 . clock
//!     +9 stopped +9 -g1 Nf3 +2 . +4 -b8 nc6 +2 . +4
//!     -c6 nb8 +2 . +4 -f3 Ng1 +2 . +4 clock
//!     +5 -f1 Bc4 L870 +2 . +9
//!     -e1 Ke4 +2 -e8 kd5 +2 . +20 .
//!     +5 -e4 Ke1 -d5 ke8 Pe4 +2 . +4 -d8 qh4 +2 . +20 .";
//! // What was tried while the clock stood is nothing, nor is what was tried after the end.
//! let published = ["game", "e4", "e5", "Bc4", "end 1-0"];
//! # let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
//! # let mut lines = vec![format!(r#""type":"position","placement":"{start}","time":"2026-11-21T10:00:00Z""#)];
//! # let mut now = 0;
//! # for word in day.split_whitespace() {
//! #     let (first, rest) = word.split_at(1);
//! #     let (piece, square) = word.split_at(word.len().saturating_sub(2));
//! #     let press = |side| format!(r#""type":"press","side":"{side}","seconds":{rest}"#);
//! #     let clock = |runs| format!(r#""type":"clock","connected":true,"running":{runs}"#);
//! #     let event = match first {
//! #         _ if word == "clock" => clock(true),
//! #         _ if word == "stopped" => clock(false),
//! #         "+" => { now += rest.parse::<u32>().unwrap(); continue }
//! #         "." => r#""type":"quiet""#.to_owned(),
//! #         "L" => press("left"),
//! #         "R" if rest.parse::<u32>().is_ok() => press("right"),
//! #         "-" => format!(r#""type":"change","square":"{square}","piece":null"#),
//! #         _ => format!(r#""type":"change","square":"{square}","piece":"{piece}""#),
//! #     };
//! #     lines.push(format!(r#"{event},"time":"2026-11-21T10:{:02}:{:02}Z""#, now / 60, now % 60));
//! # }
//! let mut reconstructor = Reconstructor::new(Options::default());
//! let mut words = Vec::new();
//! for line in lines {
//!     let Record::Board(record) = parse(format!(r#"{{"board":1,{line}}}"#).as_bytes())? else { unreachable!() };
//!     reconstructor.record(&record, |published: GameRecord| {
//!         words.push(match published.event {
//!             GameEvent::Game(_) => "game".to_owned(),
//!             GameEvent::Move(mv) => mv.san.unwrap(),
//!             GameEvent::End(end) => format!("end {}", end.result.unwrap()),
//!             other => format!("{other:?}"),
//!         });
//!         Ok::<(), std::convert::Infallible>(())
//!     })?;
//! }
//! assert_eq!(words, published);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A game is over for good when the next one begins: the session lets go of it then.

use std::rc::Rc;

use crate::{
    reconstruct::{start::HeldBack, tree::node::Node},
    record::{End, EndReason, TakebackReason, Time},
    rules::Game,
};

/// What a game is doing.
#[derive(Default)]
pub enum Phase<G: Game> {
    /// Its pieces are still set up, or stand not quite as at a start: it may never begin. Nothing is published.
    BeingSetUp(HeldBack),
    /// Moves are played, and published.
    #[default]
    InPlay,
    /// The clock was stopped then, or that became known then. What changes soon after may still be a move.
    Interrupted { since: Option<Time> },
    /// Hands have been at the board since the clock was stopped, or the players have gone back far without one: nothing of it is
    /// published.
    LookedAt(Stopped<G>),
    /// Its end was published. What stands may be followed, and nothing is published.
    Over(Ended<G>),
    /// Its end was taken back because play went on without a clock: moves are published, but may be analysis.
    Resumed(Ended<G>),
}

/// What moves a game from one phase to another.
pub enum Evidence<G: Game> {
    /// The position from which it begins may be no start.
    MayNotBegin(HeldBack),
    /// A move was surely played.
    Begun,
    /// The clock stopped at this time.
    ClockStops(Option<Time>),
    /// The clock runs, is pressed, or is not known to stand.
    ClockRuns,
    /// Something was touched while the clock stood.
    Touched(Stopped<G>),
    /// Without a clock, the board went back through many moves.
    WentBack(Stopped<G>),
    /// The end was published.
    Ended(Ended<G>),
    /// Moves were played after the end, with a clock or without.
    PlaysOn { clock: bool },
    /// So many moves followed that nobody analyses like that.
    WentOnForLong,
}

/// Where a game stood when its clock was stopped, or before its players went back far.
pub struct Stopped<G: Game> {
    /// When that was, or became known.
    pub since: Option<Time>,
    /// The last position that was played.
    pub stood: Rc<Node<G>>,
    /// The board at rest that was looked at last.
    pub examined: Option<[u8; 64]>,
    /// Without a clock, how far moves have followed each other since something was taken back.
    pub run: Option<Run<G>>,
}

/// Moves that follow each other.
pub struct Run<G: Game> {
    /// Where they began,
    pub from: Rc<Node<G>>,
    /// and where they have come to.
    pub to: Rc<Node<G>>,
}

/// How a game ended, and what came after that.
pub struct Ended<G: Game> {
    /// Its last position.
    pub last: Rc<Node<G>>,
    /// How it ended.
    pub end: End,
    /// The search follows what stands: the board stood as at the end, and what came after that makes sense.
    pub is_followed: bool,
    /// The number of the last change before the board was followed.
    pub index: u32,
    /// How far moves led from the last position.
    pub furthest: Rc<Node<G>>,
    /// Some of these were taken back: the players look at the game.
    pub is_looked_at: bool,
}

impl<G: Game> Phase<G> {
    /// The phase after this evidence; what is no evidence in a phase leaves it as it is.
    pub fn after(self, evidence: Evidence<G>) -> Phase<G> {
        use Phase::{BeingSetUp, InPlay, Interrupted, LookedAt, Over, Resumed};
        match (self, evidence) {
            (InPlay, Evidence::MayNotBegin(held_back)) => BeingSetUp(held_back),
            (BeingSetUp(_), Evidence::Begun) => InPlay,
            (InPlay | Resumed(_), Evidence::ClockStops(since)) => Interrupted { since },
            (Interrupted { .. }, Evidence::Touched(stopped)) | (InPlay, Evidence::WentBack(stopped)) => {
                LookedAt(stopped)
            }
            (Interrupted { .. } | LookedAt(_), Evidence::ClockRuns) => InPlay,
            (_, Evidence::Ended(ended)) => Over(ended),
            (Over(_), Evidence::PlaysOn { clock: true }) => InPlay,
            (Resumed(_) | LookedAt(_), Evidence::WentOnForLong) => InPlay,
            (Over(ended), Evidence::PlaysOn { clock: false }) => Resumed(ended),
            (phase, _) => phase,
        }
    }

    /// Whether what is found out is published.
    pub fn is_published(&self) -> bool {
        matches!(self, Phase::InPlay | Phase::Interrupted { .. } | Phase::Resumed(_))
    }

    /// Where the game stood when its clock was stopped, if hands have been at the board since.
    pub fn stopped(&self) -> Option<&Stopped<G>> {
        if let Phase::LookedAt(stopped) = self { Some(stopped) } else { None }
    }

    /// Why what stands no more is withdrawn when the game is over for this reason.
    pub fn why_withdrawn(&self, over: EndReason) -> TakebackReason {
        match (self, over) {
            (Phase::LookedAt(_) | Phase::Resumed(_), _) => TakebackReason::LookedAt,
            (_, EndReason::NewGame) => TakebackReason::SetUp,
            _ => TakebackReason::Corrected,
        }
    }

    /// The end that was published, be it taken back or not.
    pub fn ended(&self) -> Option<&Ended<G>> {
        match self {
            Phase::Over(ended) | Phase::Resumed(ended) => Some(ended),
            _ => None,
        }
    }
}

/// The clock beside a board, as far as the game that is played there knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ClockState {
    /// Nothing is known of one, or not whether it runs.
    #[default]
    Unknown,
    /// It stands, as it has done in this game so far.
    NotStarted,
    /// It runs.
    Runs,
    /// It has run in this game, and stands.
    Stopped,
    /// It went while it ran: nothing can be pressed.
    Unplugged,
    /// It went when it stood.
    PutAway,
}

impl ClockState {
    /// What it is after it said whether it is there and whether it runs. `used`: it has been pressed in this game.
    pub fn says(self, connected: bool, running: Option<bool>, used: bool) -> ClockState {
        match (connected, running) {
            (false, _) if self.stands() || self == ClockState::PutAway => ClockState::PutAway,
            (false, _) if used => ClockState::Unplugged,
            (true, Some(true)) if used => ClockState::Runs,
            (true, Some(false)) if self.has_run() => ClockState::Stopped,
            (true, Some(false)) => ClockState::NotStarted,
            (true, None) if self.has_run() => ClockState::Runs,
            _ => ClockState::Unknown,
        }
    }

    /// What it is after it was pressed.
    pub fn pressed(self) -> ClockState {
        if self.has_run() { ClockState::Runs } else { ClockState::Unknown }
    }

    /// Whether it stands.
    pub fn stands(self) -> bool {
        matches!(self, ClockState::NotStarted | ClockState::Stopped)
    }

    /// Whether it was seen to run in this game.
    pub fn has_run(self) -> bool {
        matches!(self, ClockState::Runs | ClockState::Stopped)
    }
}
