//! Boards in bus mode: many on one line, each with an address, polled in turn.
//!
//! From the wire upwards: [`exchange`] sends one command and receives its answer, [`answer_time`] measures how long answers
//! take, [`answer_tally`] counts them for the `answers` records; [`recovery`] interprets repeated and damaged answers;
//! [`discovery`] finds the boards. [`poll`] visits the boards, [`turns`] chooses the next one, [`visit`] chooses its command
//! and evaluates the answer, [`polled_board`] is the state of a board. [`stray`] collects bytes that answer no command.
//! [`overheard`] makes the records of a watch from a capture. This file implements [`Driver`] for single questions.

pub mod answer_tally;
pub mod answer_time;
pub mod discovery;
pub mod exchange;
pub mod overheard;
pub mod poll;
pub mod polled_board;
pub mod recovery;
pub mod stray;
pub mod turns;
pub mod visit;

use std::time::Duration;

use super::{
    Answered, Driver, FoundBoard, Interrupted, Link, Progress, Recalled, RecordSink, ReportSearch, Watch,
    WatchSettings, answers, retry,
};
use crate::{
    record::BoardEvent,
    stop,
    wire::{
        command::{BROADCAST, BusCommand},
        records,
    },
};
use discovery::Search;
use exchange::{Answer, BusLine};
use poll::Poller;
use recovery::Copies;

impl<L: Link> Driver<L> for BusLine<L> {
    fn is_alone(&self) -> bool {
        false
    }

    fn answers(&mut self, expected: &[u16]) -> bool {
        let mut answers = |&board| self.ask_until_whole(BusCommand::Ping, board, retry::QUESTION);
        expected.iter().any(|board| matches!(answers(board), Ok(Some(_))))
    }

    fn find(&mut self, expected: &[u16], report: ReportSearch) -> Result<Vec<FoundBoard>, Interrupted> {
        let mut search = Search::new(self, [], report);
        search.all(expected)?;
        Ok(search.found)
    }

    fn position(&mut self, board: u16) -> Answered<BoardEvent> {
        let data = self.ask_until_whole(BusCommand::SendBoard, board, retry::QUESTION)?;
        Ok(data.and_then(|data| answers::dump(&data)).map(BoardEvent::Position))
    }

    fn clock(&mut self, board: u16) -> Answered<BoardEvent> {
        let data = self.ask_until_whole(BusCommand::SendClock, board, retry::QUESTION)?;
        Ok(data.and_then(|data| records::clock(answers::clock(&data)?)))
    }

    /// The list of pieces after the mark is part of the board's next changes, which the next watch will fetch.
    fn start(&mut self, board: u16) -> Answered<BoardEvent> {
        let written = self.ask_until_whole(BusCommand::SetStartGame, board, retry::QUESTION)?;
        Ok(written.map(|_| answers::start_mark()))
    }

    fn restart(&mut self, board: Option<u16>) -> Answered<()> {
        self.link.send(&BusCommand::Reset.encode(board.unwrap_or(BROADCAST)))?;
        Ok(Some(()))
    }

    fn end_bus_mode(&mut self, board: u16) -> Answered<()> {
        self.link.send(&BusCommand::EndBusMode.encode(board))?;
        Ok(Some(()))
    }

    fn no_start_message(&self) -> &'static str {
        "no answer from"
    }

    /// The log since the start mark.
    fn history(&mut self, board: u16, reason: &str, progress: Progress) -> Answered<Vec<BoardEvent>> {
        let mut copies = Copies::default();
        for _ in 0..retry::LONG_QUESTION {
            let log = match self.ask_with_progress(BusCommand::SendFromStart, board, progress)? {
                Answer::Whole(log) => Some(log),
                Answer::Garbled(bytes) => copies.add(bytes, board, BusCommand::SendFromStart),
                Answer::Silence
                    if copies.count() == 0
                        && self.ask_until_whole(BusCommand::Ping, board, retry::QUESTION)?.is_none() =>
                {
                    break;
                }
                Answer::Silence => None,
            };
            if let Some(log) = log {
                return Ok(Some(answers::history(&log, false, reason)));
            }
            if stop::requested().is_some() {
                break;
            }
        }
        Ok(None)
    }

    fn watch<'a>(
        self: Box<Self>,
        settings: WatchSettings,
        sink: &'a mut dyn RecordSink,
        recalled: Recalled,
    ) -> Box<dyn Watch<L> + 'a> {
        Box::new(Poller::new(self.link, sink, settings, recalled))
    }

    fn slow(&self) -> Option<Duration> {
        self.slow()
    }

    fn into_link(self: Box<Self>) -> L {
        self.link
    }
}

#[cfg(test)]
pub(super) mod fake_bus;
#[cfg(test)]
pub(super) mod tests;
