//! The game that is tracked on a board, under either rules.
//!
//! Chess and draughts have searches of their own types, so that neither slows the other; this forwards the calls of a
//! session, and reads the codes of a draughts board by its set.

use std::rc::Rc;

use super::{
    dead_square::{OnBoard, Senses},
    game_line::GameLine,
    options::{Options, Start},
    rulings::GameRulings,
    start::{HeldBack, Standing},
    tracked_game::TrackedGame,
    update::Update,
};
use crate::{
    record::{End, GameEvent, GameStart, Move, Outcome, Placement, TakebackReason, Time},
    rules::{
        Colour, Squares,
        chess::ChessGame,
        russian::{RussianGame, sets::Set},
    },
};

/// See the module.
pub enum AnyGame {
    Chess(TrackedGame<OnBoard<ChessGame>>),
    Russian(TrackedGame<OnBoard<RussianGame>>, Set),
}

use AnyGame::{Chess, Russian};

/// A game that was published and is over.
pub struct Closed {
    /// Its line, to recognise it.
    pub line: GameLine,
    /// The number of its plies.
    pub plies: u32,
    /// Its last position, and the set of pieces that stand for the men of draughts.
    pub stands: (Start, Set),
    /// Whether a clock was in use.
    pub clock: bool,
    /// Its end.
    pub end: End,
}

/// Methods of [`TrackedGame`], which documents them, that are the same for both rules.
macro_rules! pass_on {
    ($(fn $name:ident($self:ident: $me:ty $(, $argument:ident: $type:ty)*) $(-> $answer:ty)?;)*) => {
        impl AnyGame {
            $(
                #[doc = concat!("See [`TrackedGame::", stringify!($name), "`].")]
                pub fn $name($self: $me $(, $argument: $type)*) $(-> $answer)? {
                    match $self {
                        Chess(game) => game.$name($($argument),*),
                        Russian(game, _) => game.$name($($argument),*),
                    }
                }
            )*
        }
    };
}

pass_on! {
    fn beginning(self: &Self) -> &GameStart;
    fn line(self: &Self) -> GameLine;
    fn plies(self: &Self) -> u32;
    fn published_moves(self: &Self) -> Vec<Move>;
    fn now(self: &Self) -> Option<Time>;
    fn rank(self: &Self) -> f32;
    fn take_impossible(self: &mut Self) -> Option<u32>;
    fn explains_position(self: &Self) -> bool;
    fn can_win(self: &Self, side: Colour) -> bool;
    fn explains_board(self: &Self) -> bool;
    fn barely_begun(self: &Self) -> bool;
    fn is_another_position(self: &Self) -> bool;
    fn stands_otherwise(self: &Self, occupied: Squares) -> bool;
    fn is_unpublished(self: &Self) -> bool;
    fn hold_back(self: &mut Self, held_back: HeldBack);
    fn is_being_replayed(self: &Self) -> bool;
    fn was_pressed(self: &Self) -> bool;
    fn moved_after(self: &Self, moment: Time) -> bool;
    fn withdraw_all(self: &mut Self, why: TakebackReason, updates: &mut Vec<Update>) -> bool;
    fn is_held_back(self: &Self) -> bool;
    fn sides_swapped(self: &Self) -> bool;
    fn began(self: &Self) -> Option<Time>;
    fn deadline(self: &Self) -> Option<Time>;
    fn over(self: &Self, waits: bool) -> Option<End>;
    fn mark_reported(self: &mut Self, squares: Squares);
    fn dead(self: &Self) -> Squares;
    fn takes_for_dead(self: &Self) -> Squares;
    fn expect_clock(self: &mut Self, swapped: bool, stands: bool);
    fn press(self: &mut Self, side: Colour, seconds: f64, time: Option<Time>);
    fn clock(self: &mut Self, connected: bool, running: Option<bool>, shows: [Option<f64>; 2], time: Option<Time>);
    fn quiet(self: &mut Self);
    fn note_lost(self: &mut Self);
    fn announce(self: &mut Self, result: Option<Outcome>);
    fn announce_on(self: &mut Self, field: u8, result: Outcome);
    fn note_record(self: &mut Self, now: Option<Time>);
    fn poll_over_before(self: &Self, now: Option<Time>) -> Option<Time>;
    fn rested_before(self: &mut Self, now: Option<Time>) -> bool;
    fn advance(self: &mut Self, now: Option<Time>, updates: &mut Vec<Update>);
    fn look_for_anomaly(self: &mut Self, updates: &mut Vec<Update>);
    fn publish_again(self: &mut Self, number: u32, updates: &mut Vec<Update>);
    fn is_followed(self: &Self) -> bool;
    fn look_for_result(self: &mut Self, waits: bool, updates: &mut Vec<Update>) -> Option<End>;
    fn plays_on(self: &Self) -> bool;
    fn play_on(self: &mut Self, updates: &mut Vec<Update>);
    fn complete_from(self: Self, logged: &[Update], end: End, updates: &mut Vec<Update>);
}

impl AnyGame {
    /// A game with this number that may begin from here, bound by its rulings.
    pub fn new(
        from: Standing,
        number: u32,
        options: &Options,
        rulings: &Rc<GameRulings>,
        senses: Senses,
        time: Option<Time>,
    ) -> AnyGame {
        let Standing { start, rotated, set } = from;
        let Senses { dead, reported } = if rotated { senses.turned() } else { senses };
        let mut game = match start {
            Start::Chess(game) => {
                Chess(TrackedGame::new(OnBoard::new(game, dead), rotated, number, options, rulings, time))
            }
            Start::Russian(game) => {
                let game = OnBoard::new(game, dead);
                Russian(TrackedGame::new(game, rotated, number, options, rulings, time), set)
            }
        };
        game.mark_reported(reported);
        game
    }

    /// See [`TrackedGame::close`].
    pub fn close(&mut self, end: End, by_flag: bool, updates: &mut Vec<Update>) -> Option<Closed> {
        let clock = self.was_pressed();
        let (line, plies, stands) = match self {
            Chess(game) => {
                let last = game.close(end, by_flag, updates)?;
                (GameLine::of(&last), last.ply, (Start::Chess(last.game.on_sound_board()), Set::Disks))
            }
            Russian(game, set) => {
                let last = game.close(end, by_flag, updates)?;
                (GameLine::of(&last), last.ply, (Start::Russian(last.game.on_sound_board()), *set))
            }
        };
        let GameEvent::End(end) = updates.last()?.event.clone() else { return None };
        Some(Closed { line, plies, stands, clock, end })
    }

    /// A square changed: its field and its code, as the players see it.
    pub fn change(&mut self, field: u8, code: u8, quick: Option<bool>, time: Option<Time>) {
        match self {
            Chess(game) => game.change(field, code, quick, time),
            Russian(game, set) => game.change(field, set.read(code), quick, time),
        }
    }

    /// The board shows this position: changes were missed.
    pub fn jump(&mut self, placement: &Placement, time: Option<Time>) {
        match self {
            Chess(game) => game.jump(placement, time),
            Russian(game, set) => game.jump(&set.read_all(placement), time),
        }
    }

    /// Whether this is the last published position.
    pub fn stands_as_published(&self, placement: &Placement) -> bool {
        match self {
            Chess(game) => game.stands_as_published(placement),
            Russian(game, set) => game.stands_as_published(&set.read_all(placement)),
        }
    }

    /// The board shows this position: the game continues from there, from its last published position.
    pub fn continue_as_published(&mut self, placement: &Placement, time: Option<Time>) {
        match self {
            Chess(game) => game.continue_as_published(placement, time),
            Russian(game, set) => game.continue_as_published(&set.read_all(placement), time),
        }
    }

    /// See [`TrackedGame::follow`].
    pub fn follow(&mut self, placement: &Placement, time: Option<Time>) -> bool {
        match self {
            Chess(game) => game.follow(placement, time),
            Russian(game, set) => game.follow(&set.read_all(placement), time),
        }
    }

    /// Whether it begins from this start.
    pub fn begins_from(&self, start: &GameStart) -> bool {
        let own = self.beginning();
        (own.rules, &own.fen) == (start.rules, &start.fen)
    }

    /// See [`TrackedGame::continue_from`]; both games must begin from the same start.
    pub fn continue_from(&mut self, logged: AnyGame, updates: &mut Vec<Update>) {
        match (self, logged) {
            (Chess(game), Chess(logged)) => game.continue_from(logged, updates),
            (Russian(game, set), Russian(logged, better)) => {
                game.continue_from(logged, updates);
                *set = better;
            }
            // Impossible: the two would begin from different starts.
            (Chess(_), Russian(..)) | (Russian(..), Chess(_)) => {}
        }
    }
}
