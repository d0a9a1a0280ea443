//! When a game begins on a board: it shows a start position, or nearly.
//!
//! The session asks at every change.
//!
//! Circle: this is a step of the session and a subject of its own.

use super::{AnyGame, Session};
use crate::{
    reconstruct::{
        limits,
        options::Start,
        start::{self, HeldBack, Standing},
    },
    rules::Squares,
};

/// A start position from which a game may begin.
pub struct Beginning {
    pub from: Standing,
    /// The squares newly taken for dead.
    pub dead: Squares,
    /// The squares on which pieces are missing.
    pub missing: Squares,
    /// Set where some pieces are missing or on each other's squares: they are still being placed, or misplaced.
    pub nearly: Option<HeldBack>,
}

impl Beginning {
    /// A complete start position.
    fn whole(from: Standing) -> Beginning {
        Beginning { from, dead: 0, missing: 0, nearly: None }
    }
}

impl Session {
    /// Whether the game in play has no move yet, and the board shows its start, or another one.
    pub fn stands_at_start(&self) -> bool {
        self.game.as_ref().is_some_and(|game| game.plies() == 0)
            && (self.seen_at_start == Some(self.board) || self.start_that_stands(true).is_some())
    }

    /// The start position on the board, or one that lacks pieces on dead squares or some others.
    pub(super) fn start_that_stands(&self, marked: bool) -> Option<Beginning> {
        if let Some(from) = start::standing(&self.board, marked, &self.options) {
            return Some(Beginning::whole(from));
        }
        if let Some(known) = &self.marked
            && let Some(from) = start::shown(&known.start, known.set, &self.board)
        {
            return Some(Beginning::whole(from));
        }
        // During a game a missing piece is one that somebody holds.
        let occupied = self.board.occupied();
        let occupied = if self.rotated { occupied.reverse_bits() } else { occupied };
        let is_completed = self.is_completed();
        let is_over = is_completed || self.game.as_ref().is_none_or(|game| game.stands_otherwise(occupied));
        if !is_over && !marked && self.senses.dead == 0 {
            return None;
        }
        let may_be = match (is_over, marked) {
            (true, _) => !0,
            (false, true) => !self.senses.reported,
            (false, false) => 0,
        };
        let known = self.senses.dead | if is_over && !is_completed { self.dead_of_game() } else { 0 };
        let begun = HeldBack::until(limits::PLAY_PLIES);
        let without = |most| {
            let (filled, missing) = start::filled(&self.board, known, may_be, most)?;
            let whole = start::standing(&filled, marked, &self.options)?;
            let lacking = |missing| start::lacking(&whole, missing, &self.options);
            let assumes = self.assumes_unseen && self.game.is_none();
            // No game begins without its kings: these stand there unseen.
            let gone = missing & !start::kings(&whole);
            let dead = if assumes || lacking(gone).is_none() { missing } else { missing & !gone };
            let is_whole = missing == dead;
            let publish_from_ply = if is_whole { 0 } else { limits::WRONG_START_NOTICED_PLIES };
            let nearly = (most > 1 || !is_whole).then_some(HeldBack { publish_from_ply, ..begun.clone() });
            let from = if is_whole { whole } else { lacking(gone)? };
            Some(Beginning { from, dead, missing, nearly })
        };
        let nearly = is_over && !marked;
        // In draughts, men captured in the game in play leave as many squares empty.
        let surely = |begins: &Beginning| matches!(begins.from.start, Start::Chess(_)) || self.game.is_none();
        let not_placed = || without(limits::NOT_PLACED_MAX_PIECES).filter(|begins| nearly && surely(begins));
        without(1).or_else(not_placed).or_else(|| {
            let from = start::exchanged(&self.board, &self.options).filter(|_| nearly)?;
            let publish_from_ply = if self.board.is_start() { 0 } else { limits::WRONG_START_NOTICED_PLIES };
            Some(Beginning { nearly: Some(HeldBack { publish_from_ply, ..begun }), ..Beginning::whole(from) })
        })
    }

    /// Whether pieces come that were missing from the start, before any move.
    fn is_completed(&self) -> bool {
        self.missing != 0
            && self.board.occupied() & self.missing != 0
            && self.game.as_ref().is_some_and(|game| game.plies() == 0 && game.is_unpublished())
    }

    /// The same session, in which missing pieces are taken to stand there unseen.
    pub fn with_unseen(self) -> Session {
        Session { assumes_unseen: true, ..self }
    }

    /// Whether missing pieces may stand there unseen, or came late: nothing else explains the board, or a piece seems
    /// to have gone to a square where one was missing.
    pub fn may_stand_unseen(&self) -> bool {
        let missing = if self.rotated { self.missing.reverse_bits() } else { self.missing };
        let asks =
            |game: &AnyGame| !game.explains_position() || game.takes_for_dead() & !game.dead() & missing != 0;
        missing != 0 && !self.assumes_unseen && self.game.as_ref().is_some_and(asks)
    }

    /// The squares of the board that the game in play has shown to be dead.
    pub(super) fn dead_of_game(&self) -> Squares {
        let dead = self.game.as_ref().map_or(0, AnyGame::dead);
        if self.rotated { dead.reverse_bits() } else { dead }
    }
}
