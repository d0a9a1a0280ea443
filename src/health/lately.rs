//! Squares that are dead: those that never spoke, and those that spoke once and do so no more.
//!
//! The second are found as the first, by what is known since the game before this one began. As there are as many times to
//! be wrong as there are games, it takes more.

use super::{
    dead::{DeadSquares, Evidence},
    game::Expected,
    lifted::{Journey, Vanished},
    limits,
    squares::{holds, set_of},
    unheard::Unheard,
};
use crate::record::{Placement, Square, Time};

/// What is known of the squares of a board, all the time and lately.
#[derive(Debug, Clone, Default)]
pub struct SilentSquares {
    all: DeadSquares,
    /// Since the game before was set up, and since this one was.
    lately: [DeadSquares; 2],
    /// Since each of them spoke last.
    unheard: Unheard,
    /// When they were set up.
    since: [Option<Time>; 2],
    /// So many games were set up and begun.
    games: u32,
    /// So many changes came since the last one was set up.
    changes: u64,
    /// Squares that were found dead when a game was set up, have said nothing since, and since when they are.
    found: Vec<(Square, Option<Time>)>,
    /// The squares that illegal moves of this game have left.
    left: u64,
}

impl SilentSquares {
    fn each(&mut self, mut tell: impl FnMut(&mut DeadSquares)) {
        tell(&mut self.all);
        self.lately.iter_mut().for_each(tell);
    }

    /// All of this stands, so these squares are alive.
    pub fn stands(&mut self, occupied: u64) {
        self.heard(occupied);
        self.each(|squares| squares.stands(occupied));
    }

    /// These squares say that something stands there.
    fn heard(&mut self, squares: u64) {
        self.unheard.speak(squares);
        self.found.retain(|(square, _)| !holds(squares, *square));
    }

    /// Something stands on a square, so it is alive.
    pub fn speaks(&mut self, square: Square) {
        self.heard(set_of([square]));
        self.each(|squares| squares.speaks(square));
    }

    /// The pieces rest.
    pub fn rests(&mut self, stands: &Placement, time: Option<Time>) {
        self.all.rests(stands, time);
        // Boards rest often; one that is set up, or would be but for a square, has so many pieces. A row that is missing is
        // nothing that is found so.
        if !matches!(stands.count(), 23 | 24 | 31 | 32) {
            return;
        }
        if self.changes >= limits::CHANGES && DeadSquares::is_set_up(stands) {
            // What is known of the game before the last is forgotten now.
            let found = self.verdicts().into_iter().filter(|(square, _)| self.has_spoken(*square));
            self.found = found.map(|(square, evidence)| (square, evidence.since)).collect();
            let [before, now] = &mut self.lately;
            *before = std::mem::take(now);
            now.stands(stands.occupied());
            self.since = [self.since[1], time];
            (self.games, self.changes) = (self.games + 1, 0);
        }
        self.lately.iter_mut().for_each(|squares| squares.rests(stands, time));
    }

    /// A square changes, and a game may begin with it.
    pub fn begins(&mut self, time: Option<Time>) {
        self.changes += 1;
        self.each(|squares| squares.begins(time));
    }

    /// A game begins, or goes on from an illegal position, in which more is told to stand than does: on these squares.
    pub fn is_illegal(&mut self, missing: Option<u64>) {
        self.unheard.is_illegal(missing.is_some());
        let missing = missing.map(|missing| missing & !self.left);
        // That of the illegal move has been left; of several nobody knows which that was.
        self.left = missing.map_or(0, |new| self.left | if new.count_ones() == 1 { new } else { 0 });
    }

    /// The players went back through many plies: what those said of squares was of none that was played.
    pub fn went_back(&mut self) {
        self.unheard.forget();
    }

    /// A ply was played, after which this should stand, and this does.
    pub fn played(&mut self, expected: Option<Expected>, occupied: u64, time: Option<Time>) {
        let seen_or_left = occupied | self.left;
        self.all.played(expected, seen_or_left, time);
        self.unheard.played(expected, occupied, time);
        // One of an earlier game, told late, was played on squares that spoke then.
        for (squares, since) in self.lately.iter_mut().zip(self.since) {
            if since.zip(time).is_some_and(|(since, time)| time >= since) {
                squares.played(expected, seen_or_left, time);
            }
        }
    }

    /// Squares that have never said anything, bit n for field n.
    pub fn silent(&self) -> u64 {
        self.all.silent()
    }

    /// The same, and squares that say nothing any more.
    pub fn unheard(&self) -> u64 {
        self.silent() | self.unheard.squares()
    }

    /// A clock was pressed: the game goes on.
    pub fn press(&mut self) {
        self.each(DeadSquares::press);
    }

    /// The pieces are set up for a game.
    pub fn set_up(&mut self, pressed: bool, time: Option<Time>) {
        self.each(|squares| squares.set_up(pressed, time));
    }

    /// The board stands as its game does, which explains all that it showed since then.
    pub fn explained(&mut self, since: Time) {
        self.each(|squares| squares.explained(since));
    }

    /// A piece vanished from a board that stands so.
    pub fn vanished(&mut self, piece: &Vanished, stands: &Placement) {
        self.each(|squares| squares.vanished(piece, stands));
    }

    /// A piece came down, and the board stands so.
    pub fn came_down(&mut self, journey: &Journey, stands: &Placement) {
        self.each(|squares| squares.came_down(journey, stands));
    }

    /// It was another that came down.
    pub fn did_not_come_down(&mut self) {
        self.each(DeadSquares::did_not_come_down);
    }

    /// The squares that are dead, with what speaks for it.
    pub fn verdicts(&self) -> Vec<(Square, Evidence)> {
        let mut dead = match self.games {
            0 | 1 => Vec::new(),
            _ => self.lately[0].verdicts(&limits::DEAD_LATELY, 0),
        };
        dead.retain(|(square, _)| self.has_spoken(*square));
        let named = set_of(dead.iter().map(|(square, _)| *square));
        dead.extend(
            self.unheard.verdicts().filter(|(square, _)| self.has_spoken(*square) && !holds(named, *square)),
        );
        for (square, evidence) in &mut dead {
            let found = self.found.iter().find(|(found, _)| found == square);
            evidence.since = found.map_or(evidence.since, |(_, since)| *since);
        }
        let lately = set_of(dead.iter().map(|(square, _)| *square));
        dead.extend(self.all.verdicts(&limits::DEAD, lately));
        dead.sort_by_key(|(square, _)| *square);
        dead
    }

    /// Whether a square said at some time that something stands there.
    pub fn has_spoken(&self, square: Square) -> bool {
        self.all.silent() & set_of([square]) == 0
    }
}

#[cfg(test)]
mod tests {
    use crate::{
        health::{Health, tests::hear},
        record::FindingKind,
    };

    /// A knight goes out and back so often that this was a game.
    fn game(from: f64) -> Vec<(f64, &'static str)> {
        let steps = ["-g1", "+Nf3", "-f3", "+Ng1"];
        (0..48).map(|n| (from + n as f64, steps[n % 4])).collect()
    }

    fn dead(health: &Health) -> Vec<String> {
        let dead = |kind| kind == FindingKind::DeadSquare;
        let found = health.findings();
        found.into_iter().filter(|found| dead(found.kind)).map(|found| found.detail).collect()
    }

    #[test]
    fn a_square_that_spoke_and_is_missing_when_two_games_in_a_row_begin_is_dead() {
        let start = "prnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
        for alive in [false, true] {
            let mut health = Health::new();
            hear(&mut health, &[(0.0, start)]);
            hear(&mut health, &game(10.0));
            hear(&mut health, &[(60.0, "."), (61.0, "-e2"), (62.0, ".")]);
            hear(&mut health, &game(100.0));
            hear(&mut health, &[(150.0, ".")]);
            hear(&mut health, &game(200.0));
            assert!(dead(&health).is_empty());
            let seen = if alive { [(250.0, "+Pe2"), (251.0, "-e2")] } else { [(250.0, "."), (251.0, ".")] };
            hear(&mut health, &seen);
            hear(&mut health, &[(252.0, ".")]);
            hear(&mut health, &game(300.0));
            let expected = ["e2 says no more that anything stands on it"];
            assert_eq!(dead(&health), if alive { &[][..] } else { &expected[..] });
        }
    }

    #[test]
    fn a_square_is_dead_since_it_was_first_so_however_many_games_begin_without_it() {
        let mut health = Health::new();
        hear(&mut health, &[(0.0, "prnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR")]);
        hear(&mut health, &game(10.0));
        hear(&mut health, &[(60.0, "."), (61.0, "-e2"), (62.0, ".")]);
        let mut since = Vec::new();
        for round in 1..8 {
            let second = 100.0 * f64::from(round);
            hear(&mut health, &game(second));
            since.extend(health.findings().iter().map(|found| found.since));
            hear(&mut health, &[(second + 50.0, ".")]);
        }
        assert!(since.len() > 3 && since.iter().all(|it| *it == since[0]), "{since:?}");
    }
}
