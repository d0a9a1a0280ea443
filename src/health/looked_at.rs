//! Whether what moves on a board is played, or the players look at a game that is over.
//!
//! For the games on a board: what is found while they look at one is nothing that needs a hand.

use super::limits;
use crate::record::Time;

/// What tells players from those who look at their game.
#[derive(Debug, Clone, Default)]
pub struct LookedAt {
    /// Up to which ply of the game somebody pressed a clock,
    pressed: u32,
    /// and how many plies nobody did before the game began.
    before: u32,
    /// When each ply of the game was played, as far as that is known.
    times: Vec<Option<Time>>,
    /// How many were taken back and played otherwise,
    played_again: u32,
    /// and the first of those.
    first_again: Option<u32>,
    /// Much stands otherwise than the game, and came of no move.
    is_rearranged: bool,
}

impl LookedAt {
    /// A game begins.
    pub fn begins(&mut self) {
        self.before = self.unpressed();
        self.pressed = 0;
        self.times.clear();
        (self.played_again, self.first_again, self.is_rearranged) = (0, None, false);
    }

    /// No move explains what stands, whether that is much; or it stands as the game again.
    pub fn stands_rearranged(&mut self, is_rearranged: bool) {
        self.is_rearranged = is_rearranged;
    }

    /// A clock was pressed.
    pub fn press(&mut self) {
        self.before = 0;
        self.pressed = self.furthest();
    }

    /// How far the game came.
    fn furthest(&self) -> u32 {
        self.times.len().saturating_sub(1) as u32
    }

    /// So many plies were told that nobody pressed.
    fn unpressed(&self) -> u32 {
        self.before + self.furthest().saturating_sub(self.pressed)
    }

    /// A ply was told that was played then; whether it is one that was pressed.
    pub fn played(&mut self, ply: u32, pressed: bool, time: Option<Time>) {
        if pressed {
            self.pressed = self.pressed.max(ply);
        }
        let at = ply as usize;
        if at >= limits::PLIES {
            return;
        }
        if at >= self.times.len() {
            self.times.resize(at + 1, None);
        }
        let before = self.times[at].zip(time).map(|(before, time)| before.seconds_until(time));
        // One that is only put right was played when it was.
        if before.is_some_and(|seconds| seconds >= limits::PLAYED_AGAIN.0) {
            self.played_again += 1;
            self.first_again = Some(self.first_again.map_or(ply, |first| first.min(ply)));
        }
        self.times[at] = time;
    }

    /// From which ply on the game is looked at without a clock, as far as that is known.
    pub fn since(&self) -> Option<u32> {
        self.first_again.filter(|_| self.is_so(false))
    }

    /// Whether it is a game that is looked at: beside a clock nobody presses it, without one the pieces went back and
    /// forth, or were put elsewhere.
    pub fn is_so(&self, with_clock: bool) -> bool {
        match with_clock {
            true => self.unpressed() > limits::PLIES_UNPRESSED,
            false => self.is_rearranged || self.played_again >= limits::PLAYED_AGAIN.1,
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
    fn a_move_that_is_put_right_was_not_taken_back_by_players() {
        let mut game = LookedAt::default();
        for second in 0..4 {
            game.played(1, false, at(second));
            game.played(2, false, at(second + 60));
        }
        assert!(!game.is_so(false));
        game.played(1, false, at(80));
        game.played(2, false, at(90));
        game.played(1, false, at(100));
        assert!(!game.is_so(false));
        assert_eq!(game.since(), None);
        game.played(2, false, at(110));
        assert!(game.is_so(false));
        assert_eq!(game.since(), Some(1));
        game.begins();
        assert!(!game.is_so(false));
    }

    #[test]
    fn beside_a_clock_a_game_is_played_that_is_pressed() {
        let mut game = LookedAt::default();
        (1..=20).for_each(|ply| game.played(ply, ply <= 18, None));
        assert!(!game.is_so(true));
        // Put right, and told again without what the clock showed.
        (5..=20).for_each(|ply| game.played(ply, false, None));
        assert!(!game.is_so(true));
        (21..=23).for_each(|ply| game.played(ply, false, None));
        assert!(game.is_so(true) && !game.is_so(false));
        // Who looks on at the start of a game looks at that.
        game.begins();
        assert!(game.is_so(true));
        game.press();
        assert!(!game.is_so(true));
    }
}
