//! Two boards that are exchanged for each other in the midst of their games, and nobody says so.
//!
//! A board that comes back and stands as another one's game does, and not as its own, may have been put in that one's place;
//! or it has come to that position in its own game, as openings go. What the other shows when it comes back decides: where it
//! stands as the first one's game did, one of them would have gone back to where the other was before. Until then
//! nothing is made of what the first says, for guesses that bridge two games are moves that nobody played.
//!
//! For [`Reconstructor`], whose records pass here before anything is made of them.
//!
//! Circle: whose a record is shows in the games of all boards, which only the reconstructor has.

use std::sync::Arc;

use super::{Reconstructor, handover::Whose, limits};
use crate::record::{BoardEvent, BoardRecord, GameRecord, Placement};

/// Boards that may have been exchanged for others.
#[derive(Default)]
pub struct Exchanges {
    held: Vec<Held>,
    /// Those that were, and nobody had said so.
    unasked: Vec<[u16; 2]>,
}

/// A board of which it is not known yet whose game it plays.
struct Held {
    /// What it says since.
    records: Vec<BoardRecord>,
    /// The board that stood so, and where its game stands, in [`Reconstructor::boards`].
    other: u16,
    game: usize,
    /// How that one stands: should it go on from there it is where it was.
    stood: Placement,
}

impl Held {
    /// That it stands as the other's game does.
    fn first(&self) -> &BoardRecord {
        &self.records[0]
    }

    fn is_of(&self, record: &BoardRecord) -> bool {
        (&self.first().line, self.first().board) == (&record.line, record.board)
    }
}

impl Exchanges {
    /// The boards that were exchanged for each other and of which nobody had said so, in the order in which that was seen.
    pub fn unasked(&self) -> &[[u16; 2]] {
        &self.unasked
    }
}

impl Reconstructor {
    /// Takes in a record, or keeps it until it is known whose it is.
    pub(super) fn sort_out<E>(
        &mut self,
        record: &BoardRecord,
        publish: &mut impl FnMut(GameRecord) -> Result<(), E>,
    ) -> Result<(), E> {
        if !self.exchanges.held.is_empty() {
            self.let_go(publish, |games, held| {
                held.first().line == record.line && games.is_no_exchange(held, record)
            })?;
            let mut held = self.exchanges.held.iter_mut();
            if let Some(held) = held.find(|held| held.is_of(record)) {
                held.records.push(record.clone());
                return Ok(());
            }
            if let Some(at) = self.exchanges.held.iter().position(|held| self.is_exchange(held, record)) {
                let held = self.exchanges.held.swap_remove(at);
                return self.exchange(held, record, publish);
            }
        }
        if let Some(held) = self.may_be_exchanged(record) {
            self.exchanges.held.push(held);
            return Ok(());
        }
        self.take_in(record, publish)
    }

    /// Nothing will tell any more whose records are kept: they are those of the boards that said them.
    pub(super) fn let_all_go<E>(
        &mut self,
        publish: &mut impl FnMut(GameRecord) -> Result<(), E>,
    ) -> Result<(), E> {
        self.let_go(publish, |_, _| true)
    }

    /// The same of the boards of a line.
    pub(super) fn let_line_go<E>(
        &mut self,
        line: &Option<Arc<str>>,
        publish: &mut impl FnMut(GameRecord) -> Result<(), E>,
    ) -> Result<(), E> {
        self.let_go(publish, |_, held| held.first().line == *line)
    }

    fn let_go<E>(
        &mut self,
        publish: &mut impl FnMut(GameRecord) -> Result<(), E>,
        which: impl Fn(&Reconstructor, &Held) -> bool,
    ) -> Result<(), E> {
        while let Some(at) = self.exchanges.held.iter().position(|held| which(self, held)) {
            let held = self.exchanges.held.remove(at);
            held.records.iter().try_for_each(|record| self.take_in(record, publish))?;
        }
        Ok(())
    }

    /// The position of a board as the game for which it speaks has it, and where that game stands.
    fn position_in_game(&self, record: &BoardRecord) -> Option<(Placement, usize)> {
        let rewritten = match self.handovers.whose(record) {
            Whose::Own => None,
            Whose::First(rewritten) => Some(rewritten),
            Whose::Replaced => return None,
        };
        let of = rewritten.as_ref().unwrap_or(record);
        let BoardEvent::Position(position) = &of.event else { return None };
        let own = self.boards.iter().position(|board| board.name.0 == of.line && board.name.1 == of.board)?;
        Some((position.placement, own))
    }

    /// Whether a board stands as another one's game does, and not as its own.
    fn may_be_exchanged(&self, record: &BoardRecord) -> Option<Held> {
        let BoardEvent::Position(position) = &record.event else { return None };
        // What was asked for needs no second board that shows it, unless that has a game of its own.
        let is_asked = !self.handovers.expected_on(record).is_empty();
        if is_asked && !self.handovers.goes_on(record) {
            return None;
        }
        let (placement, own) = self.position_in_game(record)?;
        let board = &self.boards[own];
        if !board.tracked.is_in_play() || board.tracked.goes_on_from(&placement).is_some() {
            return None;
        }
        let is_far = board.tracked.stands_far_from(&placement);
        let game = self.lines[board.line].boards.iter().copied().find(|&game| {
            let other = &self.boards[game];
            // One that answers is where it was, unless nothing else explains this.
            let may_be = is_asked || other.lost || is_far;
            game != own && may_be && other.tracked.goes_on_from(&position.placement).is_some()
        })?;
        let other = self.handovers.board_of(record, self.boards[game].name.1?);
        let stood = self.boards[game].tracked.stands();
        Some(Held { records: vec![record.clone()], other, game, stood })
    }

    /// Whether by this record, and the time that it tells, the boards were not exchanged.
    fn is_no_exchange(&self, held: &Held, record: &BoardRecord) -> bool {
        let waited = held.first().time.zip(record.time).map(|(since, now)| since.seconds_until(now));
        let goes_on = self.boards[held.game].tracked.stands() != held.stood
            || Some(held.other) == record.board
                && match &record.event {
                    BoardEvent::Press(_) => true,
                    BoardEvent::Position(_) => !self.is_exchange(held, record),
                    _ => false,
                };
        let is_full = held.records.len() >= limits::HELD_AT_MOST;
        goes_on || is_full || waited.is_some_and(|waited| waited > limits::EXCHANGED_WITHIN)
    }

    /// Whether the other board stands now as the game of the first does.
    fn is_exchange(&self, held: &Held, record: &BoardRecord) -> bool {
        let BoardEvent::Position(position) = &record.event else { return false };
        let is_other = held.first().line == record.line && Some(held.other) == record.board;
        let own = self.position_in_game(held.first()).filter(|_| is_other);
        own.is_some_and(|(_, own)| self.boards[own].tracked.goes_on_from(&position.placement).is_some())
            && self.boards[held.game].tracked.goes_on_from(&position.placement).is_none()
    }

    /// From now on each of two boards speaks for the other's game.
    fn exchange<E>(
        &mut self,
        held: Held,
        record: &BoardRecord,
        publish: &mut impl FnMut(GameRecord) -> Result<(), E>,
    ) -> Result<(), E> {
        let Some((_, own)) = self.position_in_game(held.first()) else { return Ok(()) };
        let Some(board) = held.first().board else { return Ok(()) };
        if self.handovers.expected_on(record).is_empty() {
            self.exchanges.unasked.push([board, held.other]);
        }
        for (game, from) in [(held.game, held.first()), (own, record)] {
            let BoardEvent::Position(position) = &from.event else { continue };
            let stands = position.placement;
            let time = from.time.map(|time| self.lines[self.boards[game].line].clock.of(time));
            let tracked = &mut self.boards[game].tracked;
            let Some(turned) = tracked.goes_on_from(&stands) else { continue };
            tracked.go_on(if turned { stands.turned() } else { stands }, time, &mut self.updates);
            if let Some(begun_on) = self.boards[game].name.1 {
                self.handovers.exchange(from, begun_on, turned);
            }
            self.pass_on(game, publish)?;
        }
        held.records[1..].iter().try_for_each(|record| self.take_in(record, publish))
    }
}
