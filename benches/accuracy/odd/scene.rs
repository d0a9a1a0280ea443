//! What the days of the table are made of: games, hands, clocks, random numbers; and what a day is.

use std::sync::Arc;

use super::judge::Truth;
use crate::driver::polling;
use boardbus::{
    record::{BoardRecord, Placement, Time},
    sim::{
        planned_game::PlannedGame,
        polled_board::{PlyLanding, Polling},
        polled_hall::PolledHall,
        profile::Hands,
        random::Random,
        round::{Ending, Round},
    },
};

/// The address of the board.
pub const BOARD: u16 = 1025;
/// The share of boards that stand turned.
const TURNED: f64 = 0.25;

/// What a day is made of.
pub struct Scene<'a> {
    /// The odd game.
    pub game: Arc<PlannedGame>,
    /// Other games, for the next one.
    pub games: &'a [Arc<PlannedGame>],
    /// Games that end in mate.
    pub mated: &'a [Arc<PlannedGame>],
    /// The games are of draughts.
    pub draughts: bool,
    /// There is a clock.
    pub clock: bool,
    /// The hands that play.
    pub hands: Hands,
    /// Seconds between two polls.
    pub poll: f64,
    /// The seed of the board.
    pub seed: u64,
    /// Random numbers for the odd event.
    pub random: Random,
}

/// A board's day.
pub struct Day {
    /// Its records.
    pub records: Vec<BoardRecord>,
    /// The truth about it; several if more than one is right.
    pub truths: Vec<Vec<Truth>>,
    /// When its plies landed.
    pub landings: Vec<PlyLanding>,
}

/// Makes a day; none if the game has no place for the odd event.
pub type Make = Box<dyn Fn(&mut Scene<'_>) -> Option<Day> + Sync>;

/// A row's cell.
pub struct Cell {
    /// The number of the row.
    pub row: u8,
    /// The odd event.
    pub what: String,
    /// There is a clock.
    pub clock: bool,
    /// Makes its days.
    pub make: Make,
}

impl Cell {
    /// A cell of a row.
    pub fn new(
        row: u8,
        what: impl Into<String>,
        clock: bool,
        make: impl Fn(&mut Scene<'_>) -> Option<Day> + Sync + 'static,
    ) -> Cell {
        Cell { row, what: what.into(), clock, make: Box::new(make) }
    }
}

impl Scene<'_> {
    /// How the board is polled.
    pub fn polling(&self) -> Polling {
        polling(self.poll, self.clock, self.seed)
    }

    /// A round of this game, on a board that may stand turned.
    pub fn round(&mut self, game: PlannedGame, ending: Ending) -> Round {
        let rotated = self.random.chance(TURNED);
        Round { rotated, ..Round::new(Arc::new(game), self.shown(ending)) }
    }

    /// How a result is shown: draughts have no kings to put in the centre.
    fn shown(&self, ending: Ending) -> Ending {
        if ending == Ending::Kings && self.draughts { Ending::Piece } else { ending }
    }

    /// The next game, whose result is shown at its end.
    pub fn next(&mut self) -> Option<Round> {
        let ending = self.shown(Ending::Kings);
        self.random.pick(self.games).map(|next| Round::new(next.clone(), ending))
    }

    /// The first plies of the game, without a result.
    pub fn first(&self, plies: usize) -> PlannedGame {
        let mut game = PlannedGame { result: None, ..PlannedGame::clone(&self.game) };
        game.plies.truncate(plies);
        game
    }

    /// A random ply of the game with at least this many plies before and after it.
    pub fn any_ply(&mut self, before: usize, after: usize) -> Option<usize> {
        let room = (self.game.plies.len() + 1).checked_sub(before + after).filter(|room| *room > 0)?;
        Some(before + self.random.below(room))
    }

    /// Plays rounds; the truth is their planned games.
    pub fn play(&self, rounds: &[Round]) -> Day {
        self.play_polled(rounds, &self.polling())
    }

    /// The same with other polling.
    pub fn play_polled(&self, rounds: &[Round], polling: &Polling) -> Day {
        let mut hall = PolledHall::new(&[BOARD], rounds, &self.hands.profile(), polling);
        let records: Vec<BoardRecord> = hall.by_ref().collect();
        let landings = hall.landings().copied().collect();
        let truths = rounds.iter().map(|round| Truth::of(&round.game, round.game.result)).collect();
        Day { records, truths: vec![truths], landings }
    }
}

impl Day {
    /// When a ply of the first game, counted from 1, landed.
    pub fn landed(&self, ply: usize) -> Option<Time> {
        let landing = self.landings.iter().find(|it| it.game == 1 && it.ply as usize == ply);
        landing.map(|landing| landing.time)
    }

    /// How many plies of the first game had landed by then.
    pub fn plies_at(&self, time: Time) -> usize {
        self.landings.iter().filter(|it| it.game == 1 && it.time <= time).count()
    }

    /// Adds the report of the board's log.
    pub fn insert(&mut self, log: Vec<BoardRecord>) {
        let due = log.first().and_then(|record| record.time);
        let at = self.records.partition_point(|record| record.time <= due);
        self.records.splice(at..at, log);
    }

    /// The day with another truth about its first game.
    pub fn with_first(mut self, of: impl FnOnce(Truth) -> Truth) -> Day {
        let first = self.truths[0].remove(0);
        self.truths[0].insert(0, of(first));
        self
    }
}

/// The placement as the players see it.
pub fn seen(placement: Placement, round: &Round) -> Placement {
    if round.rotated { placement.turned() } else { placement }
}
