//! One board that reports whole positions several times a second, as most makes other than DGT do.
//!
//! Such a board has no log, no clock and no address, and changes between two reports are not seen. This module has the parts
//! that are the same for all of these makes: the differences of two reports become changes, equal reports show that the
//! pieces rest, a board without reports is lost. The messages of a make are its [`protocol`].
//!
//! * [`follower`]: makes records of whole positions; [`talk`]: sends commands and receives reports.
//! * [`watcher`]: follows the board; [`overheard`]: the same from the bytes in a capture.
//!
//! This file implements [`Driver`] for single questions.

pub mod follower;
pub mod overheard;
pub mod protocol;
pub mod talk;
pub mod watcher;

use std::time::Duration;

use super::{
    Answered, Driver, FoundBoard, Gone, Interrupted, Link, Progress, Recalled, RecordSink, ReportSearch,
    SearchEvent, Watch, WatchSettings,
};
use crate::{
    record::{BoardEvent, BoardPosition, Placement},
    stop,
};
pub use protocol::{Protocol, Said};
use talk::Talk;
use watcher::Watcher;

/// The longest wait for the first report of a board: a make that takes the majority of three reports needs more than a
/// second.
const FIRST_REPORT: Duration = Duration::from_millis(2500);

/// The board that reports whole positions on a link.
pub struct ReportingBoard<L, P> {
    talk: Talk<L, P>,
    /// The board that answered the greeting, if any; none before the greeting.
    greeting: Option<Option<FoundBoard>>,
}

impl<L: Link, P: Protocol> ReportingBoard<L, P> {
    /// The board on this link.
    pub fn new(link: L, protocol: P) -> ReportingBoard<L, P> {
        ReportingBoard { talk: Talk::new(link, protocol), greeting: None }
    }

    /// Starts the reports and waits for the first; none if no board reports.
    fn greet(&mut self) -> Result<Option<FoundBoard>, Gone> {
        self.talk.begin()?;
        let position = self.first_position()?;
        let found = position.map(|_| self.talk.found());
        self.greeting = Some(found.clone());
        Ok(found)
    }

    fn first_position(&mut self) -> Result<Option<Placement>, Gone> {
        let until = self.talk.link.now() + FIRST_REPORT + self.talk.link.patience().unwrap_or_default();
        let (mut said, mut position) = (Vec::new(), None);
        loop {
            let waits = self.talk.waits_for_version();
            let is_over = self.talk.link.now() >= until || stop::requested().is_some();
            if is_over || position.is_some() && waits.is_none() {
                return Ok(position);
            }
            self.talk.next(waits.unwrap_or(until), &mut said)?;
            let last = said.drain(..).rev().find_map(|said| match said {
                Said::Position(placement) => Some(placement),
                _ => None,
            });
            position = last.or(position);
        }
    }
}

impl<L: Link, P: Protocol> Driver<L> for ReportingBoard<L, P> {
    fn answers(&mut self, _: &[u16]) -> bool {
        matches!(self.greet(), Ok(Some(_)))
    }

    fn find(&mut self, _: &[u16], report: ReportSearch) -> Result<Vec<FoundBoard>, Interrupted> {
        let found: Vec<FoundBoard> = self.greet()?.into_iter().collect();
        found.iter().try_for_each(|board| report(SearchEvent::Found(board)))?;
        Ok(found)
    }

    fn position(&mut self, board: u16) -> Answered<BoardEvent> {
        if self.greeting.is_none() {
            self.greet()?;
        }
        if !self.greeting.iter().flatten().any(|found| found.board == board) {
            return Ok(None);
        }
        let position = self.first_position()?;
        Ok(position.map(|placement| BoardEvent::Position(BoardPosition { placement, result: None })))
    }

    fn clock(&mut self, _: u16) -> Answered<BoardEvent> {
        Ok(None)
    }

    fn start(&mut self, _: u16) -> Answered<BoardEvent> {
        Ok(None)
    }

    fn no_start_message(&self) -> &'static str {
        "no start mark from a board that keeps no log"
    }

    fn history(&mut self, _: u16, _: &str, _: Progress) -> Answered<Vec<BoardEvent>> {
        Ok(None)
    }

    fn watch<'a>(
        self: Box<Self>,
        settings: WatchSettings,
        sink: &'a mut dyn RecordSink,
        recalled: Recalled,
    ) -> Box<dyn Watch<L> + 'a> {
        let mut talk = self.talk;
        if settings.configure {
            talk.configure();
        }
        Box::new(Watcher::new(talk, sink, settings, recalled))
    }

    fn into_link(self: Box<Self>) -> L {
        self.talk.link
    }
}

#[cfg(test)]
pub(super) mod fake_board;
#[cfg(test)]
mod tests;
