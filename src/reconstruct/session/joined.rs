//! A board that is switched on, or found, during a game: the game continues from its position.
//!
//! A running clock shows that a game is in play, and whose turn it is. Where the user allows games without one, the
//! side that moves first is taken to have had the move. Nothing is published before the first press, or the first move
//! without a clock, so another beginning can be tried until then: the other side to move, or a later position.
//!
//! Circle: this is a step of the session and a subject of its own.

use super::{AnyGame, Session, clock_sides};
use crate::{
    reconstruct::{
        limits,
        start::{self, HeldBack},
        update::Update,
    },
    record::{Change, Clock, EndReason, Piece, Placement, Side, TakebackReason, Time},
    rules::Colour,
};

/// The state of a game that was in play when a board was found.
#[derive(Default)]
pub struct Joined {
    /// No game was published since the board was found.
    pub is_found: bool,
    /// A square has changed since the board rested.
    pub is_moved: bool,
    /// The side whose clock runs, and when that was reported.
    turn: Option<(Side, Option<Time>)>,
    /// The position when the game was joined, and the side to move.
    from: Option<(Placement, Colour)>,
    /// The changes since, until a move explains them.
    since: Vec<(Change, Option<Time>)>,
}

impl Joined {
    /// A board without records.
    pub fn found() -> Joined {
        Joined { is_found: true, ..Joined::default() }
    }

    /// The game in play is another one.
    pub fn forget(&mut self) {
        (self.from, self.since) = (None, Vec::new());
    }

    /// Reads a change.
    pub fn change(&mut self, change: &Change, time: Option<Time>) {
        self.is_moved = true;
        if self.from.is_some() && self.since.len() < limits::UNEXPLAINED_MAX {
            self.since.push((change.clone(), time));
        }
    }

    /// Reads a report of the clock, which has the side to move.
    pub fn clock(&mut self, clock: &Clock, time: Option<Time>) {
        let runs = clock.connected && clock.running == Some(true);
        self.turn = clock.turn.filter(|_| runs).map(|side| (side, time));
    }

    /// A side has pressed the clock.
    pub fn press(&mut self, side: Side, time: Option<Time>) {
        let other = if side == Side::Left { Side::Right } else { Side::Left };
        self.turn = self.turn.map(|_| (other, time));
    }
}

impl Session {
    /// Whether the game in play was joined.
    pub(super) fn has_joined(&self) -> bool {
        self.joined.from.is_some()
    }

    /// Whether the game in play was joined and has nothing but its position.
    pub(super) fn is_joining(&self) -> bool {
        self.has_joined() && self.game.as_ref().is_some_and(|game| game.is_held_back() && game.plies() == 0)
    }

    /// A record comes at this time: a side that pressed before it without a move had moved before the game was joined.
    pub(super) fn rejoin_pressed(&mut self, time: Option<Time>) {
        if self.joined.turn.is_some_and(|(_, known)| known < time) && self.is_joining() {
            self.look_for_joined(time);
        }
    }

    /// The board rests: joins a game, if the clock runs or the user allows it.
    pub(super) fn look_for_joined(&mut self, time: Option<Time>) {
        let is_followed = self.last_game.as_ref().is_some_and(|last| last.game.is_followed());
        let may_be = self.joined.is_found && !self.joined.is_moved && !is_followed;
        if !may_be || self.options.start.is_some() || (self.joined.turn.is_none() && !self.options.midgame) {
            return;
        }
        let explains = self.game.as_ref().is_some_and(AnyGame::explains_position);
        match self.joined.from {
            _ if self.game.is_none() => self.join(None, time),
            Some((stands, turn)) if self.is_joining() => {
                let has_turn = self.joined.turn.map(|(side, _)| clock_sides::player_at(side, self.rotated));
                if explains && has_turn.is_some_and(|has_turn| has_turn != turn) {
                    self.join(None, time);
                } else if !explains {
                    self.join_as_it_stood(stands, turn.other(), time);
                }
            }
            _ => {}
        }
    }

    /// Joins the game in this position: with `turn` to move, or else the side that the clock shows, or White.
    fn join(&mut self, turn: Option<Colour>, time: Option<Time>) {
        let side = self.joined.turn.map(|(side, _)| side);
        let has_turn = |rotated| {
            turn.or(side.map(|side| clock_sides::player_at(side, rotated))).unwrap_or(Colour::White)
        };
        let Some(from) = start::marked(&self.board, &self.options, has_turn) else { return };
        let turn = has_turn(from.rotated);
        self.begin(from, time);
        let plies = if side.is_some() { limits::RESUME_MIN_PLIES } else { 1 };
        self.game.iter_mut().for_each(|game| game.hold_back(HeldBack::until(plies)));
        self.joined.from = Some((self.board, turn));
    }

    /// Tries the other side to move at the earlier position; if that fails, joins the game as it stands now.
    fn join_as_it_stood(&mut self, stood: Placement, turn: Colour, time: Option<Time>) {
        let stands = std::mem::replace(&mut self.board, stood);
        let since = std::mem::take(&mut self.joined.since);
        self.join(Some(turn), time);
        let rotated = self.rotated;
        if let Some(game) = &mut self.game {
            for (Change { square, piece, quick }, time) in since {
                let seen = if rotated { square.turned() } else { square };
                game.change(seen.field(), piece.map_or(0, Piece::code), quick, time);
                self.board.set(square, piece);
            }
            game.quiet();
        }
        let is_so = self.board == stands
            && self.game.as_ref().is_some_and(|game| game.explains_position() && game.plies() == 1);
        self.board = stands;
        if !is_so {
            self.join(None, time);
        }
    }

    /// Ends what was published of the game in play: a joined one is withdrawn, to be published again from its
    /// beginning.
    pub fn end_published(&mut self, updates: &mut Vec<Update>) {
        if self.has_joined() {
            self.withdraw_all(TakebackReason::Corrected, updates);
        } else {
            self.close_at_once(EndReason::NewGame, updates);
        }
    }
}
