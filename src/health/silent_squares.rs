//! Dead squares: those that never reported a piece, and those that stopped.
//!
//! The second kind is found as the first, from what was seen since the game before the current one began. It takes more
//! evidence, as every game is another chance to be wrong.

use super::{
    dead::{DeadSquares, Evidence},
    fallen_silent::FallenSilent,
    game::Expected,
    lifted::{Journey, Vanished},
    limits,
    squares::{holds, set_of},
};
use crate::record::{Placement, Square, Time};

/// The squares of a board that do not report pieces.
#[derive(Debug, Clone, Default)]
pub struct SilentSquares {
    /// The evidence from everything that was seen.
    all: DeadSquares,
    /// The evidence since the game before was set up, and since the current one was.
    recent: [DeadSquares; 2],
    /// The evidence from the plies since each square last reported a piece.
    fallen_silent: FallenSilent,
    /// When each of the two games was set up.
    since: [Option<Time>; 2],
    /// How many games were set up and begun.
    games: u32,
    /// How many changes came since the last set-up.
    changes: u64,
    /// Squares found dead at an earlier set-up that have reported nothing since, and since when they are dead.
    found_dead: Vec<(Square, Option<Time>)>,
    /// Squares that pieces left by illegal moves of this game, bit n for field n.
    left_illegally: u64,
}

impl SilentSquares {
    fn each(&mut self, mut apply: impl FnMut(&mut DeadSquares)) {
        apply(&mut self.all);
        self.recent.iter_mut().for_each(apply);
    }

    /// Takes in a whole position: each occupied square (bit n for field n) works.
    pub fn stands(&mut self, occupied: u64) {
        self.report(occupied);
        self.each(|squares| squares.stands(occupied));
    }

    /// These squares (bit n for field n) report a piece.
    fn report(&mut self, squares: u64) {
        self.fallen_silent.report(squares);
        self.found_dead.retain(|(square, _)| !holds(squares, *square));
    }

    /// A square reports a piece, so it works.
    pub fn reports(&mut self, square: Square) {
        self.report(set_of([square]));
        self.each(|squares| squares.reports(square));
    }

    /// The pieces rest.
    pub fn rests(&mut self, stands: &Placement, time: Option<Time>) {
        self.all.rests(stands, time);
        // Boards rest often. Only a board that is set up but for at most one square has one of these counts; a missing row is
        // not found in this way.
        if !matches!(stands.count(), 23 | 24 | 31 | 32) {
            return;
        }
        if self.changes >= limits::GAME_CHANGES && DeadSquares::is_set_up(stands) {
            // This drops what was seen in the game before the last.
            let found = self.verdicts().into_iter().filter(|(square, _)| self.has_reported(*square));
            self.found_dead = found.map(|(square, evidence)| (square, evidence.since)).collect();
            let [before, now] = &mut self.recent;
            *before = std::mem::take(now);
            now.stands(stands.occupied());
            self.since = [self.since[1], time];
            (self.games, self.changes) = (self.games + 1, 0);
        }
        self.recent.iter_mut().for_each(|squares| squares.rests(stands, time));
    }

    /// A square changes, which may begin a game.
    pub fn begins(&mut self, time: Option<Time>) {
        self.changes += 1;
        self.each(|squares| squares.begins(time));
    }

    /// A game begins (`None`), or goes on from an illegal position in which these squares, bit n for field n, should be
    /// occupied and are not.
    pub fn is_illegal(&mut self, missing: Option<u64>) {
        self.fallen_silent.is_illegal(missing.is_some());
        let missing = missing.map(|missing| missing & !self.left_illegally);
        // The piece of the illegal move has left one of these squares; if there are several, which one is unknown.
        self.left_illegally =
            missing.map_or(0, |new| self.left_illegally | if new.count_ones() == 1 { new } else { 0 });
    }

    /// The players withdrew many plies, as in analysis: none of these was played.
    pub fn withdraw_plies(&mut self) {
        self.fallen_silent.forget();
    }

    /// A ply was played, after which `expected` should stand, and `occupied` (bit n for field n) does.
    pub fn played(&mut self, expected: Option<Expected>, occupied: u64, time: Option<Time>) {
        let seen_or_left = occupied | self.left_illegally;
        self.all.played(expected, seen_or_left, time);
        self.fallen_silent.played(expected, occupied, time);
        // A late correction of an earlier game was played on squares that worked then.
        for (squares, since) in self.recent.iter_mut().zip(self.since) {
            if since.zip(time).is_some_and(|(since, time)| time >= since) {
                squares.played(expected, seen_or_left, time);
            }
        }
    }

    /// Squares that have never reported a piece, bit n for field n.
    pub fn silent(&self) -> u64 {
        self.all.silent()
    }

    /// Squares that have never reported a piece, and squares that stopped reporting in this game; bit n for field n.
    pub fn not_reporting(&self) -> u64 {
        self.silent() | self.fallen_silent.squares()
    }

    /// A clock was pressed: the game goes on.
    pub fn press(&mut self) {
        self.each(DeadSquares::press);
    }

    /// The pieces are set up for a game.
    pub fn set_up(&mut self, pressed: bool, time: Option<Time>) {
        self.each(|squares| squares.set_up(pressed, time));
    }

    /// The board matches its game, which explains all that it showed since then.
    pub fn explained(&mut self, since: Time) {
        self.each(|squares| squares.explained(since));
    }

    /// A piece vanished from this position.
    pub fn vanished(&mut self, piece: &Vanished, stands: &Placement) {
        self.each(|squares| squares.vanished(piece, stands));
    }

    /// A piece landed in this position.
    pub fn came_down(&mut self, journey: &Journey, stands: &Placement) {
        self.each(|squares| squares.came_down(journey, stands));
    }

    /// The last landing was that of another piece.
    pub fn did_not_come_down(&mut self) {
        self.each(DeadSquares::did_not_come_down);
    }

    /// The dead squares in field order, each with its evidence.
    pub fn verdicts(&self) -> Vec<(Square, Evidence)> {
        let mut dead = match self.games {
            0 | 1 => Vec::new(),
            _ => self.recent[0].verdicts(&limits::DEAD_RECENTLY, 0),
        };
        dead.retain(|(square, _)| self.has_reported(*square));
        let named = set_of(dead.iter().map(|(square, _)| *square));
        dead.extend(
            self.fallen_silent
                .verdicts()
                .filter(|(square, _)| self.has_reported(*square) && !holds(named, *square)),
        );
        for (square, evidence) in &mut dead {
            let found = self.found_dead.iter().find(|(found, _)| found == square);
            evidence.since = found.map_or(evidence.since, |(_, since)| *since);
        }
        let named = set_of(dead.iter().map(|(square, _)| *square));
        dead.extend(self.all.verdicts(&limits::DEAD, named));
        dead.sort_by_key(|(square, _)| *square);
        dead
    }

    /// Whether a square has ever reported a piece.
    pub fn has_reported(&self, square: Square) -> bool {
        self.all.silent() & set_of([square]) == 0
    }
}

#[cfg(test)]
mod tests {
    use crate::{
        health::{Health, tests::feed},
        record::FindingKind,
    };

    /// A knight goes out and back often enough to count as a game.
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
    fn square_missing_at_two_consecutive_starts_is_dead() {
        let start = "prnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
        for alive in [false, true] {
            let mut health = Health::new();
            feed(&mut health, &[(0.0, start)]);
            feed(&mut health, &game(10.0));
            feed(&mut health, &[(60.0, "."), (61.0, "-e2"), (62.0, ".")]);
            feed(&mut health, &game(100.0));
            feed(&mut health, &[(150.0, ".")]);
            feed(&mut health, &game(200.0));
            assert!(dead(&health).is_empty());
            let seen = if alive { [(250.0, "+Pe2"), (251.0, "-e2")] } else { [(250.0, "."), (251.0, ".")] };
            feed(&mut health, &seen);
            feed(&mut health, &[(252.0, ".")]);
            feed(&mut health, &game(300.0));
            let expected = ["e2 no longer reports a piece"];
            assert_eq!(dead(&health), if alive { &[][..] } else { &expected[..] });
        }
    }

    #[test]
    fn dead_square_keeps_the_time_of_its_first_finding() {
        let mut health = Health::new();
        feed(&mut health, &[(0.0, "prnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR")]);
        feed(&mut health, &game(10.0));
        feed(&mut health, &[(60.0, "."), (61.0, "-e2"), (62.0, ".")]);
        let mut since = Vec::new();
        for round in 1..8 {
            let second = 100.0 * f64::from(round);
            feed(&mut health, &game(second));
            since.extend(health.findings().iter().map(|found| found.since));
            feed(&mut health, &[(second + 50.0, ".")]);
        }
        assert!(since.len() > 3 && since.iter().all(|it| *it == since[0]), "{since:?}");
    }
}
