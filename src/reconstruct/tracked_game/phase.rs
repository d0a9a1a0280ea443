//! The phase of a game, and the state of the clock beside it. The transitions of each are in one place, and everything
//! that depends on them asks here.
//!
//! ```text
//!                  begun             the clock is stopped            hands are at the board
//!  being set up ----------> in play ----------------------> interrupted -----------------> analysis
//!                            |                                   |                          |
//!                            | <--- the clock runs, is pressed --+--------------------------+
//!                            | <--- moves in a row, as slow as the game's ------------------+
//!                            | ---- the board goes back far, without a clock ---------------> analysis
//!
//!  any ---- the end is published ----> over ---- play goes on, pressed ----> in play
//!                                       |
//!                                       +---- without a clock ----> resumed ---- for long ----> in play
//! ```
//!
//! A game that is interrupted, resumed, won and analysed, in the notation of this room's tests:
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
//! // Moves that were tried while the clock was stopped, or after the end, are not published.
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
//! A game is over for good when the next one begins: the session drops it then.

use std::rc::Rc;

use crate::{
    reconstruct::{start::HeldBack, tree::node::Node},
    record::{End, EndReason, TakebackReason, Time},
    rules::Game,
};

/// The phase of a game.
#[derive(Default)]
pub enum Phase<G: Game> {
    /// Its pieces are being set up, or are not quite at a start: it may never begin. Nothing is published.
    BeingSetUp(HeldBack),
    /// Moves are played, and published.
    #[default]
    InPlay,
    /// The clock was stopped at this time, or that was reported then. A change soon after may still belong to a move.
    Interrupted { since: Option<Time> },
    /// Hands have been at the board since the clock was stopped, or the players have gone back far without one: nothing
    /// of it is published.
    Analysis(Stopped<G>),
    /// Its end was published. The board may be followed, and nothing is published.
    Over(Ended<G>),
    /// Its end was taken back because play went on without a clock: moves are published, but may be analysis.
    Resumed(Ended<G>),
}

/// The evidence that moves a game from one phase to another.
pub enum Evidence<G: Game> {
    /// The position from which it begins may be no start.
    MayNotBegin(HeldBack),
    /// A move was surely played.
    Begun,
    /// The clock was stopped at this time.
    ClockStops(Option<Time>),
    /// The clock runs, is pressed, or is not known to be stopped.
    ClockRuns,
    /// A piece was touched while the clock was stopped.
    Touched(Stopped<G>),
    /// Without a clock, the board went back many moves.
    WentBack(Stopped<G>),
    /// The end was published.
    Ended(Ended<G>),
    /// Moves were played after the end, with a clock or without.
    PlaysOn { clock: bool },
    /// So many moves followed that this is no analysis.
    WentOnForLong,
}

/// The game when its clock was stopped, or before its players went back far.
pub struct Stopped<G: Game> {
    /// The time of that, or of its report.
    pub since: Option<Time>,
    /// The last position that was played.
    pub stood: Rc<Node<G>>,
    /// The last board at rest that was examined.
    pub examined: Option<[u8; 64]>,
    /// Without a clock, the moves in a row since something was taken back.
    pub run: Option<Run<G>>,
}

/// Moves that follow each other.
pub struct Run<G: Game> {
    /// The node where they began,
    pub from: Rc<Node<G>>,
    /// and the node they have reached.
    pub to: Rc<Node<G>>,
}

/// The end of a game, and what followed.
pub struct Ended<G: Game> {
    /// Its last position.
    pub last: Rc<Node<G>>,
    /// How it ended.
    pub end: End,
    /// The search follows the board, which showed the last position, and what followed makes sense.
    pub is_followed: bool,
    /// The number of the last change when the search began to follow the board.
    pub index: u32,
    /// The furthest node that moves have reached from the last position.
    pub furthest: Rc<Node<G>>,
    /// Some of these moves were taken back: the players analyse the game.
    pub is_analysed: bool,
}

impl<G: Game> Phase<G> {
    /// The phase after this evidence; evidence that means nothing in a phase leaves it unchanged.
    pub fn after(self, evidence: Evidence<G>) -> Phase<G> {
        use Phase::{Analysis, BeingSetUp, InPlay, Interrupted, Over, Resumed};
        match (self, evidence) {
            (InPlay, Evidence::MayNotBegin(held_back)) => BeingSetUp(held_back),
            (BeingSetUp(_), Evidence::Begun) => InPlay,
            (InPlay | Resumed(_), Evidence::ClockStops(since)) => Interrupted { since },
            (Interrupted { .. }, Evidence::Touched(stopped)) | (InPlay, Evidence::WentBack(stopped)) => {
                Analysis(stopped)
            }
            (Interrupted { .. } | Analysis(_), Evidence::ClockRuns) => InPlay,
            (_, Evidence::Ended(ended)) => Over(ended),
            (Over(_), Evidence::PlaysOn { clock: true }) => InPlay,
            (Resumed(_) | Analysis(_), Evidence::WentOnForLong) => InPlay,
            (Over(ended), Evidence::PlaysOn { clock: false }) => Resumed(ended),
            (phase, _) => phase,
        }
    }

    /// Whether new results are published.
    pub fn is_published(&self) -> bool {
        matches!(self, Phase::InPlay | Phase::Interrupted { .. } | Phase::Resumed(_))
    }

    /// The game when its clock was stopped, if hands have been at the board since.
    pub fn stopped(&self) -> Option<&Stopped<G>> {
        if let Phase::Analysis(stopped) = self { Some(stopped) } else { None }
    }

    /// The reason for which moves are withdrawn when the game is over for reason `over`.
    pub fn why_withdrawn(&self, over: EndReason) -> TakebackReason {
        match (self, over) {
            (Phase::Analysis(_) | Phase::Resumed(_), _) => TakebackReason::LookedAt,
            (_, EndReason::NewGame) => TakebackReason::SetUp,
            _ => TakebackReason::Corrected,
        }
    }

    /// The published end, taken back or not.
    pub fn ended(&self) -> Option<&Ended<G>> {
        match self {
            Phase::Over(ended) | Phase::Resumed(ended) => Some(ended),
            _ => None,
        }
    }
}

/// The clock beside a board, as far as this game has evidence of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ClockState {
    /// No clock was reported, or not whether it runs.
    #[default]
    Unknown,
    /// It is stopped, and has not run in this game so far.
    NotStarted,
    /// It runs.
    Runs,
    /// It has run in this game, and is stopped.
    Stopped,
    /// It was removed while it ran: nothing can be pressed.
    Unplugged,
    /// It was removed when it was stopped.
    PutAway,
}

impl ClockState {
    /// The state after a report of whether it is there and whether it runs. `used`: it was pressed in this game.
    pub fn after_report(self, connected: bool, running: Option<bool>, used: bool) -> ClockState {
        match (connected, running) {
            (false, _) if self.is_stopped() || self == ClockState::PutAway => ClockState::PutAway,
            (false, _) if used => ClockState::Unplugged,
            (true, Some(true)) if used => ClockState::Runs,
            (true, Some(false)) if self.has_run() => ClockState::Stopped,
            (true, Some(false)) => ClockState::NotStarted,
            (true, None) if self.has_run() => ClockState::Runs,
            _ => ClockState::Unknown,
        }
    }

    /// The state after a press.
    pub fn pressed(self) -> ClockState {
        if self.has_run() { ClockState::Runs } else { ClockState::Unknown }
    }

    /// Whether it is stopped.
    pub fn is_stopped(self) -> bool {
        matches!(self, ClockState::NotStarted | ClockState::Stopped)
    }

    /// Whether it was seen to run in this game.
    pub fn has_run(self) -> bool {
        matches!(self, ClockState::Runs | ClockState::Stopped)
    }
}
