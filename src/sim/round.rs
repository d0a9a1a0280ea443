//! A round: one game of a board's day with what goes with it, and the [`Habits`] by which games become rounds.
//!
//! Made by whoever simulates; played by a [`SimulatedDay`](super::simulated_day::SimulatedDay).

use std::sync::Arc;

use super::{
    planned_game::{PlannedGame, PlannedPly},
    random::Random,
};
use crate::record::{Outcome, Placement};

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
    /// From which part of the game (0 to 1) on the board loses its power, where it does, as soon as that hides one
    /// ply at most; for [`PolledBoard`](super::polled_board::PolledBoard), a line has mishaps of its own.
    pub power_cut: Option<f64>,
    /// A result that is shown while the game goes on, and put back.
    pub interruption: Option<Interruption>,
    /// The lines that the players try when the game is over, after they have put the kings back.
    pub study: Option<Study>,
}

/// A result is shown on the board, the pieces are put back as they stood, and the game goes on.
#[derive(Debug, Clone, Copy)]
pub struct Interruption {
    /// After so many plies.
    pub ply: usize,
    /// How it is shown.
    pub ending: Ending,
    /// What is shown.
    pub result: Outcome,
    /// For how many seconds; fewer where the clock runs and has not so many.
    pub lasts: f64,
    /// Whether the clock is stopped meanwhile.
    pub stops_clock: bool,
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
            interruption: None,
            study: None,
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
                round.power_cut = Some(random.between((0.1, 0.9)));
            }
        }
        rounds
    }
}
