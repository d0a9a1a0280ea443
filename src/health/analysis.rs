//! Whether the moves on a board are played, or the players analyse a game that is over.
//!
//! The reports on games use this: nothing found during analysis needs attention.

use super::limits;
use crate::record::Time;

/// What distinguishes play from analysis.
#[derive(Debug, Clone, Default)]
pub struct Analysis {
    /// The last ply of the game that was played with a press.
    pressed_ply: u32,
    /// How many plies without a press preceded the game.
    unpressed_before: u32,
    /// When each ply of the game was played, as far as known.
    times: Vec<Option<Time>>,
    /// How many plies were taken back and played again.
    replayed: u32,
    /// The first of these.
    first_replayed: Option<u32>,
    /// The board differs from the game on more squares than a move changes.
    is_rearranged: bool,
}

impl Analysis {
    /// A game begins.
    pub fn begins(&mut self) {
        self.unpressed_before = self.unpressed();
        self.pressed_ply = 0;
        self.times.clear();
        (self.replayed, self.first_replayed, self.is_rearranged) = (0, None, false);
    }

    /// Sets whether the position on the board is rearranged: no move explains it, and it differs from the game on many
    /// squares.
    pub fn set_rearranged(&mut self, is_rearranged: bool) {
        self.is_rearranged = is_rearranged;
    }

    /// A clock was pressed: the moves are play.
    pub fn press(&mut self) {
        self.unpressed_before = 0;
        self.pressed_ply = self.furthest();
    }

    /// The last ply of the game so far.
    fn furthest(&self) -> u32 {
        self.times.len().saturating_sub(1) as u32
    }

    /// How many plies in a row were reported without a press.
    fn unpressed(&self) -> u32 {
        self.unpressed_before + self.furthest().saturating_sub(self.pressed_ply)
    }

    /// A ply was reported. `pressed`: its clock was pressed; `time`: when it was played.
    pub fn played(&mut self, ply: u32, pressed: bool, time: Option<Time>) {
        if pressed {
            self.pressed_ply = self.pressed_ply.max(ply);
        }
        let at = ply as usize;
        if at >= limits::MAX_PLIES {
            return;
        }
        if at >= self.times.len() {
            self.times.resize(at + 1, None);
        }
        let before = self.times[at].zip(time).map(|(before, time)| before.seconds_until(time));
        // A correction is published with the time at which its ply was played.
        if before.is_some_and(|seconds| seconds >= limits::SETTLED_SECONDS) {
            self.replayed += 1;
            self.first_replayed = Some(self.first_replayed.map_or(ply, |first| first.min(ply)));
        }
        self.times[at] = time;
    }

    /// The ply from which a game without a clock is analysis; none if it is not.
    pub fn since_ply(&self) -> Option<u32> {
        self.first_replayed.filter(|_| self.is_analysis(false))
    }

    /// Whether the moves are analysis: with a clock, nobody presses it; without one, plies were replayed or pieces
    /// rearranged.
    pub fn is_analysis(&self, with_clock: bool) -> bool {
        match with_clock {
            true => self.unpressed() > limits::ANALYSED_PLIES,
            false => self.is_rearranged || self.replayed >= limits::ANALYSED_PLIES,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(second: i64) -> Option<Time> {
        Some(Time(second * 1000))
    }

    #[test]
    fn corrected_move_is_not_a_replayed_one() {
        let mut game = Analysis::default();
        for second in 0..4 {
            game.played(1, false, at(second));
            game.played(2, false, at(second + 60));
        }
        assert!(!game.is_analysis(false));
        game.played(1, false, at(80));
        game.played(2, false, at(90));
        game.played(1, false, at(100));
        assert!(!game.is_analysis(false));
        assert_eq!(game.since_ply(), None);
        game.played(2, false, at(110));
        assert!(game.is_analysis(false));
        assert_eq!(game.since_ply(), Some(1));
        game.begins();
        assert!(!game.is_analysis(false));
    }

    #[test]
    fn pressed_game_is_not_analysis() {
        let mut game = Analysis::default();
        (1..=20).for_each(|ply| game.played(ply, ply <= 18, None));
        assert!(!game.is_analysis(true));
        // A correction carries no reading of the clock.
        (5..=20).for_each(|ply| game.played(ply, false, None));
        assert!(!game.is_analysis(true));
        (21..=23).for_each(|ply| game.played(ply, false, None));
        assert!(game.is_analysis(true) && !game.is_analysis(false));
        // The state carries over to the next game until somebody presses.
        game.begins();
        assert!(game.is_analysis(true));
        game.press();
        assert!(!game.is_analysis(true));
    }
}
