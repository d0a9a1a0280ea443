//! Two boards that are exchanged for each other during their games, without notice.
//!
//! A board that comes back may show the position of another board's game instead of its own. Either it was put in that
//! board's place, or its own game has reached that position, as in a common opening. The other board decides: if it
//! comes back with the position of the first board's game, the two were exchanged. Until then the records of the first
//! board are buffered, since a guess that bridges two games contains moves that nobody played.
//!
//! Every record of [`Reconstructor`] passes here first.
//!
//! Circle: the board to which a record belongs depends on the games of all boards, which only the reconstructor has.

use std::sync::Arc;

use super::{Reconstructor, handover::Whose, limits};
use crate::record::{BoardEvent, BoardRecord, GameRecord, Placement};

/// Boards that may have been exchanged, and those that were.
#[derive(Default)]
pub struct Exchanges {
    held: Vec<Held>,
    /// The boards that were exchanged without notice.
    unannounced: Vec<[u16; 2]>,
}

/// A board whose game is not certain yet.
struct Held {
    /// Its records since it showed the position of another game.
    records: Vec<BoardRecord>,
    /// The address of the board with that position, and the index of its game in [`Reconstructor::boards`].
    other: u16,
    game: usize,
    /// The position of that game: if it changes, that board was not moved.
    stood: Placement,
}

impl Held {
    /// The record with the position of the other board's game.
    fn first(&self) -> &BoardRecord {
        &self.records[0]
    }

    fn is_of(&self, record: &BoardRecord) -> bool {
        (&self.first().line, self.first().board) == (&record.line, record.board)
    }
}

impl Exchanges {
    /// The boards that were exchanged without notice, in the order of detection.
    pub fn unannounced(&self) -> &[[u16; 2]] {
        &self.unannounced
    }
}

impl Reconstructor {
    /// Reads a record, or buffers it until its board is certain.
    pub(super) fn buffer_or_read<E>(
        &mut self,
        record: &BoardRecord,
        publish: &mut impl FnMut(GameRecord) -> Result<(), E>,
    ) -> Result<(), E> {
        if !self.exchanges.held.is_empty() {
            self.release(publish, |games, held| {
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
        if let Some(held) = self.exchange_candidate(record) {
            self.exchanges.held.push(held);
            return Ok(());
        }
        self.read_record(record, publish)
    }

    /// Nothing can decide any more: the buffered records belong to the boards that sent them.
    pub(super) fn release_all<E>(
        &mut self,
        publish: &mut impl FnMut(GameRecord) -> Result<(), E>,
    ) -> Result<(), E> {
        self.release(publish, |_, _| true)
    }

    /// The same for the boards of a line.
    pub(super) fn release_line<E>(
        &mut self,
        line: &Option<Arc<str>>,
        publish: &mut impl FnMut(GameRecord) -> Result<(), E>,
    ) -> Result<(), E> {
        self.release(publish, |_, held| held.first().line == *line)
    }

    fn release<E>(
        &mut self,
        publish: &mut impl FnMut(GameRecord) -> Result<(), E>,
        which: impl Fn(&Reconstructor, &Held) -> bool,
    ) -> Result<(), E> {
        while let Some(at) = self.exchanges.held.iter().position(|held| which(self, held)) {
            let held = self.exchanges.held.remove(at);
            held.records.iter().try_for_each(|record| self.read_record(record, publish))?;
        }
        Ok(())
    }

    /// The position of a board as the game played on it has it, and the index of that game.
    fn position_in_game(&self, record: &BoardRecord) -> Option<(Placement, usize)> {
        let rewritten = match self.handovers.board_for(record) {
            Whose::Own => None,
            Whose::First(rewritten) => Some(rewritten),
            Whose::Replaced => return None,
        };
        let of = rewritten.as_ref().unwrap_or(record);
        let BoardEvent::Position(position) = &of.event else { return None };
        let own = self.boards.iter().position(|board| board.name.0 == of.line && board.name.1 == of.board)?;
        Some((position.placement, own))
    }

    /// The buffer for a board that shows the position of another board's game, and not its own.
    fn exchange_candidate(&self, record: &BoardRecord) -> Option<Held> {
        let BoardEvent::Position(position) = &record.event else { return None };
        // A handover that the user asked for needs no second board as confirmation, unless this board has a game of its
        // own.
        let is_asked = !self.handovers.expected_on(record).is_empty();
        if is_asked && !self.handovers.is_to_continue_elsewhere(record) {
            return None;
        }
        let (placement, own) = self.position_in_game(record)?;
        let board = &self.boards[own];
        if !board.tracked.is_in_play() || board.tracked.continues_from(&placement).is_some() {
            return None;
        }
        let is_far = board.tracked.stands_far_from(&placement);
        let game = self.lines[board.line].boards().iter().copied().find(|&game| {
            let other = &self.boards[game];
            // A board that still answers was not moved, unless nothing else explains the position.
            let may_be = is_asked || other.lost || is_far;
            game != own && may_be && other.tracked.continues_from(&position.placement).is_some()
        })?;
        let other = self.handovers.board_of(record, self.boards[game].name.1?);
        let stood = self.boards[game].tracked.board_position();
        Some(Held { records: vec![record.clone()], other, game, stood })
    }

    /// Whether this record, or its time, shows that the boards were not exchanged.
    fn is_no_exchange(&self, held: &Held, record: &BoardRecord) -> bool {
        let waited = held.first().time.zip(record.time).map(|(since, now)| since.seconds_until(now));
        let play_continued = self.boards[held.game].tracked.board_position() != held.stood
            || Some(held.other) == record.board
                && match &record.event {
                    BoardEvent::Press(_) => true,
                    BoardEvent::Position(_) => !self.is_exchange(held, record),
                    _ => false,
                };
        let is_full = held.records.len() >= limits::EXCHANGE_MAX_BUFFERED;
        play_continued || is_full || waited.is_some_and(|waited| waited > limits::EXCHANGED_WITHIN_SECONDS)
    }

    /// Whether the other board now shows the position of the first board's game.
    fn is_exchange(&self, held: &Held, record: &BoardRecord) -> bool {
        let BoardEvent::Position(position) = &record.event else { return false };
        let is_other = held.first().line == record.line && Some(held.other) == record.board;
        let own = self.position_in_game(held.first()).filter(|_| is_other);
        own.is_some_and(|(_, own)| self.boards[own].tracked.continues_from(&position.placement).is_some())
            && self.boards[held.game].tracked.continues_from(&position.placement).is_none()
    }

    /// From now on each of the two boards plays the other's game.
    fn exchange<E>(
        &mut self,
        held: Held,
        record: &BoardRecord,
        publish: &mut impl FnMut(GameRecord) -> Result<(), E>,
    ) -> Result<(), E> {
        let Some((_, own)) = self.position_in_game(held.first()) else { return Ok(()) };
        let Some(board) = held.first().board else { return Ok(()) };
        if self.handovers.expected_on(record).is_empty() {
            self.exchanges.unannounced.push([board, held.other]);
        }
        for (game, from) in [(held.game, held.first()), (own, record)] {
            let BoardEvent::Position(position) = &from.event else { continue };
            let stands = position.placement;
            let time = from.time.map(|time| self.lines[self.boards[game].line].clock.steady(time));
            let tracked = &mut self.boards[game].tracked;
            let Some(turned) = tracked.continues_from(&stands) else { continue };
            tracked.continue_at(if turned { stands.turned() } else { stands }, time, &mut self.updates);
            if let Some(begun_on) = self.boards[game].name.1 {
                self.handovers.exchange(from, begun_on, turned);
            }
            self.publish_valid(game, publish)?;
        }
        held.records[1..].iter().try_for_each(|record| self.read_record(record, publish))
    }
}
