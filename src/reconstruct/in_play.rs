//! The game in play on a board, of whichever rules.
//!
//! Each kind has a search of its own type, so that neither pays for the other; this passes on what a session asks,
//! and reads the codes of a draughts board by its set.

use super::{
    Options, Update,
    history::Lines,
    play::Play,
    start::{Standing, Start},
};
use crate::{
    record::{End, Outcome, Placement, Time},
    rules::{
        Colour,
        chess::ChessGame,
        russian::{RussianGame, sets::Set},
    },
};

/// See the module.
pub enum InPlay {
    Chess(Play<ChessGame>),
    Russian(Play<RussianGame>, Set),
}

use InPlay::{Chess, Russian};

/// Asks the play, of whichever kind.
macro_rules! ask {
    ($in_play:expr, $play:ident => $what:expr) => {
        match $in_play {
            Chess($play) => $what,
            Russian($play, _) => $what,
        }
    };
}

impl InPlay {
    /// A game with this number that may begin from here.
    pub fn new(from: Standing, number: u32, time: Option<Time>) -> InPlay {
        let Standing { start, rotated, set } = from;
        match start {
            Start::Chess(game) => Chess(Play::new(game, rotated, number, time)),
            Start::Russian(game) => Russian(Play::new(game, rotated, number, time), set),
        }
    }

    /// A square changed: its field and its code, as the players see it.
    pub fn change(&mut self, field: u8, code: u8, quick: Option<bool>, time: Option<Time>) {
        match self {
            Chess(play) => play.change(field, code, quick, time),
            Russian(play, set) => play.change(field, set.read(code), quick, time),
        }
    }

    /// The board was found to stand so: changes were missed.
    pub fn jump(&mut self, placement: &Placement, time: Option<Time>) {
        match self {
            Chess(play) => play.jump(placement, time),
            Russian(play, set) => play.jump(&set.read_all(placement), time),
        }
    }

    /// See [`Play::replace`].
    pub fn replace(&mut self, other: InPlay, updates: &mut Vec<Update>) {
        match (self, other) {
            (Chess(play), Chess(other)) => play.replace(other, updates),
            (Russian(play, set), Russian(other, better)) => {
                play.replace(other, updates);
                *set = better;
            }
            // A log that tells of another game than the one told so far.
            (this, other) => *this = other,
        }
    }

    /// See [`Play::lines`].
    pub fn lines(&self) -> Lines {
        ask!(self, play => play.lines())
    }

    /// See [`Play::plies`].
    pub fn plies(&self) -> u32 {
        ask!(self, play => play.plies())
    }

    /// See [`Play::can_win`].
    pub fn can_win(&self, side: Colour) -> bool {
        ask!(self, play => play.can_win(side))
    }

    /// See [`Play::explains_board`].
    pub fn explains_board(&self) -> bool {
        ask!(self, play => play.explains_board())
    }

    /// See [`Play::barely_begun`].
    pub fn barely_begun(&self) -> bool {
        ask!(self, play => play.barely_begun())
    }

    /// See [`Play::is_another_position`].
    pub fn is_another_position(&self) -> bool {
        ask!(self, play => play.is_another_position())
    }

    /// See [`Play::untouched`].
    pub fn untouched(&self) -> bool {
        ask!(self, play => play.untouched())
    }

    /// See [`Play::sides_swapped`].
    pub fn sides_swapped(&self) -> bool {
        ask!(self, play => play.sides_swapped())
    }

    /// See [`Play::expect_sides_swapped`].
    pub fn expect_sides_swapped(&mut self, swapped: bool) {
        ask!(self, play => play.expect_sides_swapped(swapped));
    }

    /// See [`Play::press`].
    pub fn press(&mut self, side: Colour, seconds: f64, time: Option<Time>) {
        ask!(self, play => play.press(side, seconds, time));
    }

    /// See [`Play::quiet`].
    pub fn quiet(&mut self) {
        ask!(self, play => play.quiet());
    }

    /// See [`Play::lose`].
    pub fn lose(&mut self) {
        ask!(self, play => play.lose());
    }

    /// See [`Play::announce`].
    pub fn announce(&mut self, result: Outcome) {
        ask!(self, play => play.announce(result));
    }

    /// See [`Play::tell_again`].
    pub fn tell_again(&mut self, number: u32, updates: &mut Vec<Update>) {
        ask!(self, play => play.tell_again(number, updates));
    }

    /// See [`Play::complete_from`].
    pub fn complete_from<'a>(
        self,
        game: impl Iterator<Item = &'a Update>,
        end: End,
        updates: &mut Vec<Update>,
    ) {
        ask!(self, play => play.complete_from(game, end, updates));
    }

    /// See [`Play::hear`].
    pub fn hear(&mut self, now: Option<Time>) {
        ask!(self, play => play.hear(now));
    }

    /// See [`Play::had_rested`].
    pub fn had_rested(&mut self, now: Option<Time>) -> bool {
        ask!(self, play => play.had_rested(now))
    }

    /// See [`Play::advance`].
    pub fn advance(&mut self, now: Option<Time>, options: &Options, updates: &mut Vec<Update>) {
        ask!(self, play => play.advance(now, options, updates));
    }

    /// See [`Play::look_for_anomaly`].
    pub fn look_for_anomaly(&mut self, options: &Options, updates: &mut Vec<Update>) {
        ask!(self, play => play.look_for_anomaly(options, updates));
    }

    /// See [`Play::deadline`].
    pub fn deadline(&self) -> Option<Time> {
        ask!(self, play => play.deadline())
    }

    /// See [`Play::over`].
    pub fn over(&self, waits: bool) -> Option<End> {
        ask!(self, play => play.over(waits))
    }

    /// See [`Play::close`].
    pub fn close(self, end: End, updates: &mut Vec<Update>) -> Option<Lines> {
        ask!(self, play => play.close(end, updates))
    }
}
