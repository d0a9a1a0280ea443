//! A round: one game of a board's day with all that happens around it, and the [`Habits`] by which games become rounds.
//!
//! A [`SimulatedDay`](super::simulated_day::SimulatedDay) plays it.

use std::sync::Arc;

use super::{
    planned_game::{FromTo, PlannedGame, PlannedPly},
    random::Random,
};
use crate::record::{Outcome, Placement, Square};

/// How players show the result on the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, clap::ValueEnum)]
pub enum Ending {
    /// The pieces stay as they are
    None,
    /// The kings are put in the centre
    Kings,
    /// A result piece is put on the board
    Piece,
}

/// One game of a board's day.
#[derive(Debug, Clone)]
pub struct Round {
    /// The game that is played.
    pub game: Arc<PlannedGame>,
    /// The board is turned: White sits at rank 8 of the board's own numbering, and on the clock's right.
    pub rotated: bool,
    /// How the result is shown.
    pub ending: Ending,
    /// Whether the players analyse the game afterwards.
    pub analysis: bool,
    /// When the board loses its power, if it does; only for [`PolledBoard`](super::polled_board::PolledBoard), since a line
    /// has mishaps.
    pub power_cut: Option<PowerCut>,
    /// The host finds the board when it rests after this number of plies; changes before that are not reported.
    pub found_after: usize,
    /// The interruption between two plies or after the last one, if any.
    pub interruption: Option<Interruption>,
    /// How the clock is lost in the game, if it is.
    pub clock_loss: Option<ClockLoss>,
    /// The lines that the players try after the game, when they have put the kings back.
    pub study: Option<Study>,
    /// The position that is set up at the end.
    pub set_up_next: Option<Placement>,
}

/// When a board loses its power.
#[derive(Debug, Clone, Copy)]
pub enum PowerCut {
    /// After this part of the game (0 to 1), at the first moment at which it hides at most two plies.
    Brief(f64),
    /// After a number of plies, at the first moment at which the board rests both at the beginning and at the end.
    Hiding {
        /// Plies before it, at least.
        after: usize,
        /// Plies that it hides.
        plies: usize,
    },
}

/// The clock is lost, and the game is played out without it.
#[derive(Debug, Clone, Copy)]
pub struct ClockLoss {
    /// The number of plies before it.
    pub ply: usize,
    /// How.
    pub how: LostClock,
}

/// How a clock is lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LostClock {
    /// The board reports that it is no longer connected.
    Unplugged,
    /// The board reports nothing more of it.
    Dead,
    /// It is stopped, and unplugged a while later.
    TakenAway,
}

/// An interruption between two plies, or after the last one.
#[derive(Debug, Clone)]
pub struct Interruption {
    /// The number of plies before it.
    pub ply: usize,
    /// The incident.
    pub incident: Incident,
    /// Whether the clock is stopped meanwhile.
    pub stops_clock: bool,
    /// Whether the position is restored; play continues only if it is.
    pub puts_back: bool,
}

/// The kind of an interruption.
#[derive(Debug, Clone)]
pub enum Incident {
    /// A result is shown.
    Shown {
        /// How.
        ending: Ending,
        /// What.
        result: Outcome,
        /// For how many seconds; fewer if the running clock has less time.
        lasts: f64,
    },
    /// A ply is played, pressed if there is a clock, and withdrawn after this number of seconds.
    Withdrawn(Box<PlannedPly>, f64),
    /// The flag of the side to move falls, and it gets this number of seconds.
    TimeAdded(f64),
    /// The board is shaken, and this number of pieces fall.
    Shaken(usize),
    /// The players look at the game; for no longer than a clock that runs has time.
    Studied(Study),
    /// The game is played through again, from its start to the current position.
    PlayedThrough,
    /// The side to move makes a move against the rules, and the other side takes the king.
    KingTaken {
        /// The move against the rules.
        illegal: FromTo,
        /// The square of the piece that takes the king.
        by: Square,
    },
    /// A king is put beside the board for a time.
    KingBeside {
        /// Whose.
        white: bool,
        /// Seconds.
        lasts: f64,
    },
}

/// The lines that the players try on the board after the game.
#[derive(Debug, Clone)]
pub struct Study {
    /// The lines in order; those for which the time is too short are left out.
    pub lines: Vec<Line>,
    /// The time in seconds.
    pub lasts: f64,
}

/// Plies that are tried.
#[derive(Debug, Clone)]
pub struct Line {
    /// The number of plies of the game before the line.
    pub from: usize,
    /// The plies, in order.
    pub plies: Vec<PlannedPly>,
}

impl Round {
    /// A round of a game on a board that is not turned, with nothing after it.
    pub fn new(game: Arc<PlannedGame>, ending: Ending) -> Round {
        Round {
            game,
            rotated: false,
            ending,
            analysis: false,
            power_cut: None,
            found_after: 0,
            interruption: None,
            clock_loss: None,
            study: None,
            set_up_next: None,
        }
    }

    /// The start position in the board's own numbering.
    pub fn start(&self) -> Placement {
        if self.rotated { self.game.start.turned() } else { self.game.start }
    }
}

/// How often things happen around games.
#[derive(Debug, Clone, Copy)]
pub struct Habits {
    /// How results are shown.
    pub ending: Ending,
    /// How often a board is turned for a game: 0 to 1.
    pub rotated: f64,
    /// How often players analyse their game: 0 to 1.
    pub analysis: f64,
    /// The number of games in which the board loses its power once; only for [`PolledBoard`](super::polled_board::PolledBoard).
    pub power_cuts: u32,
    /// The random seed.
    pub seed: u64,
}

impl Habits {
    /// The games as rounds.
    pub fn rounds(&self, games: impl IntoIterator<Item = Arc<PlannedGame>>) -> Vec<Round> {
        let mut random = Random::part(self.seed, 1 << 22);
        let round = |game| Round {
            rotated: random.chance(self.rotated),
            analysis: random.chance(self.analysis),
            ..Round::new(game, self.ending)
        };
        let mut rounds: Vec<Round> = games.into_iter().map(round).collect();
        for _ in 0..self.power_cuts {
            let n = random.below(rounds.len());
            if let Some(round) = rounds.get_mut(n) {
                round.power_cut = Some(PowerCut::Brief(random.between((0.1, 0.9))));
            }
        }
        rounds
    }
}
