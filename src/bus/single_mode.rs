//! One board in single-board mode: alone on its cable, mostly USB or Bluetooth, it reports unasked.
//!
//! Such a board reports each change when it sees it (UPDATE_NICE), in messages without address and checksum. Changes that
//! were not received are in its log, as on a bus, and its position shows whether there were any.
//!
//! * [`cable`]: sends commands, and finds their answers among the other messages.
//! * [`log_excerpt`]: the entries of a log that belong to the game in play.
//! * [`watcher`]: follows the board; [`rest`]: when its pieces rest.
//! * [`overheard`]: the same from the bytes in a capture.
//!
//! This file implements [`Driver`] for single questions.

pub mod cable;
pub mod log_excerpt;
pub mod overheard;
mod rest;
pub mod watcher;

use super::{
    Answered, Driver, FoundBoard, Gone, Interrupted, Link, Progress, Recalled, RecordSink, ReportSearch,
    SearchEvent, Watch, WatchSettings, answers, driver::Heard, retry,
};
use crate::{
    record::BoardEvent,
    wire::{command::SingleCommand, records},
};
use cable::Cable;
use watcher::Watcher;

/// The board that is alone on a cable.
pub struct BoardAlone<L> {
    cable: Cable<L>,
    /// The board that answered the greeting, if any; none before the greeting.
    greeting: Option<Option<FoundBoard>>,
}

impl<L: Link> BoardAlone<L> {
    /// The board on this link.
    pub fn new(link: L) -> BoardAlone<L> {
        BoardAlone { cable: Cable::new(link), greeting: None }
    }

    fn greet(&mut self) -> Result<&Option<FoundBoard>, Gone> {
        let found = self.cable.greet()?;
        Ok(self.greeting.insert(found))
    }

    /// Asks the board at the end of the cable, if it has this number.
    fn ask<T>(&mut self, board: u16, question: impl FnOnce(&mut Cable<L>) -> Answered<T>) -> Answered<T> {
        if self.greeting.is_none() {
            self.greet()?;
        }
        let is_it = self.greeting.iter().flatten().any(|found| found.board == board);
        if is_it { question(&mut self.cable) } else { Ok(None) }
    }
}

impl<L: Link> Driver<L> for BoardAlone<L> {
    /// The user may also give the number that follows from the serial number.
    fn meant(&mut self, board: u16, serial: Option<&str>) -> Answered<u16> {
        if self.greeting.is_none() {
            self.greet()?;
        }
        let found = self.greeting.iter().flatten().next();
        let Some((found, own)) = found.and_then(|found| Some((found, found.serial.as_deref()?))) else {
            return Ok(Some(board));
        };
        // Another board may have a serial number with the same last digits.
        if serial.is_some_and(|serial| serial != own) {
            return Ok(None);
        }
        let is_it = answers::number_of_serial(own) == Some(board);
        Ok(Some(if is_it { found.board } else { board }))
    }

    fn answers(&mut self, _: &[u16]) -> bool {
        matches!(self.greet(), Ok(Some(_)))
    }

    fn find(&mut self, _: &[u16], report: ReportSearch) -> Result<Vec<FoundBoard>, Interrupted> {
        let found: Vec<FoundBoard> = self.greet()?.iter().cloned().collect();
        if !found.is_empty() {
            let reply = self.cable.ask(SingleCommand::SendBoard)?;
            if reply.answer.is_some_and(|data| answers::is_occupancy(&data)) {
                report(SearchEvent::Heard(&Heard::Refused(answers::OCCUPANCY)))?;
                self.greeting = Some(None);
                return Ok(Vec::new());
            }
        }
        found.iter().try_for_each(|board| report(SearchEvent::Found(board)))?;
        Ok(found)
    }

    fn position(&mut self, board: u16) -> Answered<BoardEvent> {
        let data = self.ask(board, |cable| cable.ask_until_answered(SingleCommand::SendBoard))?;
        Ok(data.and_then(|data| answers::dump(&data)).map(BoardEvent::Position))
    }

    fn clock(&mut self, board: u16) -> Answered<BoardEvent> {
        let data = self.ask(board, |cable| cable.ask_until_answered(SingleCommand::SendClock))?;
        Ok(data.and_then(|data| records::clock(answers::clock(&data)?)))
    }

    fn start(&mut self, board: u16) -> Answered<BoardEvent> {
        self.ask(board, Cable::start)
    }

    /// Only boards that have a bus mode can be restarted.
    fn restart(&mut self, _: Option<u16>) -> Answered<()> {
        self.cable.restart()
    }

    fn no_start_message(&self) -> &'static str {
        "no start mark from a board that knows no bus"
    }

    /// The whole log, since single-board mode has no command for a part of it.
    fn history(&mut self, board: u16, reason: &str, progress: Progress) -> Answered<Vec<BoardEvent>> {
        let mut ask = |cable: &mut Cable<L>| cable.ask_with_progress(SingleCommand::SendLog, progress);
        let log = self.ask(board, |cable| retry::until_answered(retry::ALONE, || Ok(ask(cable)?.answer)))?;
        Ok(log.map(|log| answers::history(&log, true, reason)))
    }

    fn watch<'a>(
        self: Box<Self>,
        settings: WatchSettings,
        sink: &'a mut dyn RecordSink,
        recalled: Recalled,
    ) -> Box<dyn Watch<L> + 'a> {
        Box::new(Watcher::new(self.cable.link, sink, settings, recalled))
    }

    fn into_link(self: Box<Self>) -> L {
        self.cable.link
    }
}

#[cfg(test)]
pub(super) mod fake_board;
#[cfg(test)]
pub(super) mod tests;
