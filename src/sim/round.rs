//! A round: one game of a board's day with what goes with it, and the [`Habits`] by which games become rounds.
//!
//! Made by whoever simulates; played by a [`SimulatedDay`](super::simulated_day::SimulatedDay).

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
    /// What is played.
    pub game: Arc<PlannedGame>,
    /// The board stands turned: White sits at rank 8 of the board's own numbering, and on the clock's right.
    pub rotated: bool,
    /// How the result is shown.
    pub ending: Ending,
    /// Whether the players look at the game again afterwards.
    pub analysis: bool,
    /// When the board loses its power, where it does; for [`PolledBoard`](super::polled_board::PolledBoard), a line has
    /// mishaps of its own.
    pub power_cut: Option<PowerCut>,
    /// After so many plies, as soon as the board rests then, it is found on the line by those who poll it: nothing that
    /// came before is reported.
    pub found_after: usize,
    /// What comes between two plies, or behind the last one.
    pub interruption: Option<Interruption>,
    /// How the clock is lost in the game, where it is.
    pub clock_loss: Option<ClockLoss>,
    /// The lines that the players try when the game is over, after they have put the kings back.
    pub study: Option<Study>,
    /// What is set up when all of this is over.
    pub set_up_next: Option<Placement>,
}

/// When a board loses its power.
#[derive(Debug, Clone, Copy)]
pub enum PowerCut {
    /// From this part of the game (0 to 1) on, as soon as that hides one ply at most.
    Brief(f64),
    /// After so many plies, as soon as the board rests both when it goes and when it comes back so many plies later.
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
    /// After so many plies.
    pub ply: usize,
    /// How.
    pub how: LostClock,
}

/// How a clock is lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LostClock {
    /// The board reports that it is not connected any more.
    Unplugged,
    /// Nothing more is reported of it.
    Dead,
    /// It is stopped, and unplugged a while later.
    TakenAway,
}

/// Something comes between two plies, or behind the last one.
#[derive(Debug, Clone)]
pub struct Interruption {
    /// After so many plies.
    pub ply: usize,
    /// What it is.
    pub incident: Incident,
    /// Whether the clock is stopped meanwhile.
    pub stops_clock: bool,
    /// Whether the pieces are put back as they stood; play goes on only where they are.
    pub puts_back: bool,
}

/// What comes between two plies.
#[derive(Debug, Clone)]
pub enum Incident {
    /// A result is shown.
    Shown {
        /// How.
        ending: Ending,
        /// What.
        result: Outcome,
        /// For how many seconds; fewer where the clock runs and has not so many.
        lasts: f64,
    },
    /// A ply is played, pressed where there is a clock, and withdrawn after so many seconds.
    Withdrawn(Box<PlannedPly>, f64),
    /// The flag of the side to move falls; it is given so many seconds more.
    TimeAdded(f64),
    /// The board is shaken, and so many pieces fall.
    Shaken(usize),
    /// The players look at the game; for no longer than a clock that runs has time.
    Studied(Study),
    /// The game is played through again, from its start to where it stands.
    PlayedThrough,
    /// The side to move makes a move against the rules, and the other side takes the king.
    KingTaken {
        /// The move against the rules.
        illegal: FromTo,
        /// Where the piece that takes the king stands.
        by: Square,
    },
    /// A king is set down beside the board, for so many seconds.
    KingBeside {
        /// Whose.
        white: bool,
        /// Seconds.
        lasts: f64,
    },
}

/// What the players try on the board when the game is over.
#[derive(Debug, Clone)]
pub struct Study {
    /// In order; the rest is left out when the time is over.
    pub lines: Vec<Line>,
    /// For how many seconds they look.
    pub lasts: f64,
}

/// Plies that are tried.
#[derive(Debug, Clone)]
pub struct Line {
    /// After so many plies of the game.
    pub from: usize,
    /// They follow one another.
    pub plies: Vec<PlannedPly>,
}

impl Round {
    /// A game on a board that is not turned, with nothing after it.
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

/// What befalls games beside their moves.
#[derive(Debug, Clone, Copy)]
pub struct Habits {
    /// How results are shown.
    pub ending: Ending,
    /// How often a board stands turned for a game: 0 to 1.
    pub rotated: f64,
    /// How often players look at their game again: 0 to 1.
    pub analysis: f64,
    /// How many of the games lose their board's power once; for [`PolledBoard`](super::polled_board::PolledBoard).
    pub power_cuts: u32,
    /// What all chance follows from.
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
