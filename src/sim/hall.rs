//! A hall on a line: seats for addresses and rounds, with the trouble that was asked for.

use std::sync::Arc;

use super::{
    Instant,
    board::Board,
    game::Game,
    line::{Faults, Line},
    profile::Profile,
    random::Random,
    seat::{Mishap, Seat, Start},
    seconds,
    table::{Ending, Round, Table},
};
use crate::{record::Placement, wire::message::Version};

/// How long the power is gone, in seconds.
pub(super) const POWER_CUT: (f64, f64) = (3.0, 8.0);

/// What befalls games beside their moves.
#[derive(Debug, Clone, Copy)]
pub struct Habits {
    /// How results are shown.
    pub ending: Ending,
    /// How often a board stands turned for a game: 0 to 1.
    pub rotated: f64,
    /// How often players look at their game again: 0 to 1.
    pub analysis: f64,
    /// How many of the games lose their board's power once; for a [`recorder`](super::recorder).
    pub power_cuts: u32,
    /// What all chance follows from.
    pub seed: u64,
}

impl Habits {
    /// The games as rounds.
    pub fn rounds(&self, games: impl IntoIterator<Item = Arc<Game>>) -> Vec<Round> {
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

/// How a hall on a line is set up.
#[derive(Debug, Clone)]
pub struct Setup {
    /// Whose hands play.
    pub profile: Profile,
    /// Whether there are clocks.
    pub clock: bool,
    /// How many times faster than in life the tables go.
    pub speed: f64,
    /// Bits a second on the wire; 0: it takes no time, and boards answer at once.
    pub baud: u32,
    /// The boards' firmware.
    pub version: Version,
    /// The boards know no bus: there should be one.
    pub alone: bool,
    /// When play begins.
    pub start: Start,
    /// What is wrong with the line.
    pub faults: Faults,
    /// How often a board loses its power for some seconds, all boards together.
    pub power_cuts: u32,
    /// How often a board's watchdog resets it while nothing moves.
    pub watchdogs: u32,
    /// What all chance follows from.
    pub seed: u64,
}

impl Setup {
    /// A line whose board `i` has address `addresses[i]` and plays the rounds `i`, `i + N`, `i + 2N`, … of N boards.
    pub fn line(&self, addresses: &[u16], rounds: &[Round]) -> Line {
        // Parts of the seed above all addresses, which are 14 bits.
        let part = |n: u64| Random::part(self.seed, 1 << 20 | n);
        let mut mishaps = self.mishaps(addresses.len(), &mut part(0));
        let seats = addresses.iter().zip(0..).map(|(&address, n)| {
            let own: Vec<Round> = rounds.iter().skip(n).step_by(addresses.len().max(1)).cloned().collect();
            let stands = own.first().map_or(Placement::start(), Round::start);
            let table =
                Table::new(self.profile.clone(), self.clock, stands, Random::part(self.seed, address.into()));
            let board =
                Board::new(address, self.version, *stands.codes(), part(1 << 16 | u64::from(address)));
            let board = if self.alone { board.alone() } else { board };
            let board = if self.baud == 0 { board.without_latency() } else { board };
            Seat::new(board, table, own, self.speed, self.start, std::mem::take(&mut mishaps[n]))
        });
        Line::new(seats.collect(), self.baud, self.faults, part(1))
    }

    /// Which seat suffers what, at which part of its first game.
    fn mishaps(&self, seats: usize, random: &mut Random) -> Vec<Vec<(f64, Mishap)>> {
        let mut mishaps = vec![Vec::new(); seats];
        for n in 0..self.power_cuts + self.watchdogs {
            let mishap = if n < self.power_cuts {
                Mishap::PowerCut(seconds(random.between(POWER_CUT)))
            } else {
                Mishap::Watchdog
            };
            let part = random.between((0.1, 0.9));
            if let Some(seat) = mishaps.get_mut(random.below(seats)) {
                seat.push((part, mishap));
            }
        }
        mishaps
    }
}

/// How far a hall on a line is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// Plies landed.
    pub plies: usize,
    /// Plies landed and to come.
    pub of: usize,
    /// Since when everything has been played and read by the host, if it has.
    pub over: Option<Instant>,
}

impl Line {
    /// How far the hall is.
    pub fn progress(&self, now: Instant) -> Progress {
        let seats = self.seats();
        let over = seats.iter().map(Seat::over).try_fold(0, |last, over| Some(last.max(over?)));
        Progress {
            plies: seats.iter().map(|seat| seat.plies(now)).sum(),
            of: seats.iter().map(Seat::plies_in_all).sum(),
            over,
        }
    }
}
