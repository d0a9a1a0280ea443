//! What a make of board must offer so that commands can ask its boards and watch them: all that they depend on.
//!
//! A [`Make`] opens a [`Driver`] on a link; a driver answers single questions, and becomes a [`Watch`], which publishes
//! every change. [`detect`](super::detect) has the list of makes and detects which of them is on a line.

use std::{collections::BTreeMap, fmt, time::Duration};

use super::{
    Gone, Interrupted, Link, RecordSink, Watch, WatchSettings,
    followed_board::FollowedBoard,
    link::{LinkKind, PortSetup},
};
use crate::{
    error::{Error, Result},
    record::{BoardEvent, BoardFound, Mode},
};

/// A make of board in one of its modes, with everything that differs on the wire from all others.
pub struct Make<L> {
    /// Its name in `--make`.
    pub name: &'static str,
    /// Its mode in `board` records, by which it is recognised in a journal; none if records have no value for it.
    pub mode: Option<Mode>,
    /// The words, with an article, for its board in messages.
    pub title: &'static str,
    /// The properties of its port, and how it is recognised there.
    pub port: PortNeeds,
    /// Opens the driver on a link that is set up for this make; sends nothing yet.
    pub open: fn(L) -> Box<dyn Driver<L>>,
}

/// The port that a make needs, and how its boards are recognised on an unknown port.
#[derive(Debug, Clone, Copy)]
pub struct PortNeeds {
    /// Its speed, and the levels of its lines.
    pub setup: PortSetup,
    /// How it transfers bytes.
    pub kind: LinkKind,
    /// The USB devices of its boards or their adapters: vendor and product (none: all products of that vendor); empty:
    /// any device. A port with another one is neither listened to nor asked for this make, unless the user named it.
    pub usb: &'static [(u16, Option<u16>)],
    /// Whether its boards may be searched for on a silent port: they answer only commands, and these harm no board of
    /// another make. If false, a silent port with one of its USB devices is asked for no make at all: its board may be
    /// silent for a while, and would execute what is sent as a command.
    pub asks: bool,
    /// Recognises its boards by bytes that came without a command.
    pub heard: fn(&[u8]) -> Verdict,
}

/// The verdict of a make on bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// They are not of this make, as far as they were received.
    No,
    /// They may be of this make: the port is listened to for longer.
    Maybe,
    /// They are of this make.
    Yes,
    /// They are of a board that cannot be recorded; the reason, a sentence without its full stop.
    Refused(&'static str),
}

/// What was received on a port before anything was sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Heard {
    /// Nothing.
    Silence,
    /// Nothing, but the USB device may be a board to which nothing may be sent; its title.
    SilentBoard(&'static str),
    /// Messages of the make at this index of the list; its title.
    Make(usize, &'static str),
    /// Messages of a board that cannot be recorded; the reason.
    Refused(&'static str),
    /// Text that is of no board; its beginning.
    Text(String),
    /// Bytes that no make recognises at its speed.
    OtherSpeed,
    /// No make is read from such a port.
    NoMake,
}

impl fmt::Display for Heard {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        const NAME_IT: &str = "nothing is sent to it; give --make if a board is there all the same";
        match self {
            Heard::Silence => write!(f, "silent"),
            Heard::SilentBoard(title) => write!(
                f,
                "silent, and its adapter is such as {title} has: nothing is sent to it; give --make if another \
                 board is there"
            ),
            Heard::Make(_, title) => write!(f, "{title}"),
            Heard::Refused(why) => write!(f, "{why}"),
            Heard::Text(text) => write!(f, "something that is no board reports `{text}`: {NAME_IT}"),
            Heard::OtherSpeed => write!(f, "something at another speed, or no board: {NAME_IT}"),
            Heard::NoMake => write!(f, "no make of board that was asked for is read from such a port"),
        }
    }
}

/// Answers questions about the boards of one make on one line. No question makes a board discard anything.
pub trait Driver<L: Link> {
    /// The number of the board that the user means by a number, which may follow from the serial number that was given;
    /// none where the board has another serial number.
    fn meant(&mut self, board: u16, _serial: Option<&str>) -> Answered<u16> {
        Ok(Some(board))
    }

    /// Whether its boards are alone, each on a port of its own.
    fn is_alone(&self) -> bool {
        true
    }

    /// Whether its boards answer at once, without a search: one of those `expected` on a bus, any board alone on its
    /// cable. False also on a line that is gone; the next question returns the error.
    fn answers(&mut self, expected: &[u16]) -> bool;

    /// Finds all boards, those expected first, and reports each as soon as it is confirmed.
    fn find(&mut self, expected: &[u16], report: ReportSearch) -> Result<Vec<FoundBoard>, Interrupted>;

    /// The position of a board; none without an answer, or from a board of 100 squares.
    fn position(&mut self, board: u16) -> Answered<BoardEvent>;

    /// The reading of a board's clock, up to a second old.
    fn clock(&mut self, board: u16) -> Answered<BoardEvent>;

    /// Writes the start mark into a board's log; none from a board that does not answer, or has no start mark.
    fn start(&mut self, board: u16) -> Answered<BoardEvent>;

    /// The message about boards that have no start mark, before their addresses.
    fn no_start_message(&self) -> &'static str;

    /// Restarts a board, or without one all boards of the line, as switching it off and on does; none where the make has no
    /// command for that, or the board does not know it. Whether it restarts shows when it answers again.
    fn restart(&mut self, _board: Option<u16>) -> Answered<()> {
        Ok(None)
    }

    /// Ends the bus mode of the only board on its line; none where there is no such mode.
    fn end_bus_mode(&mut self, _board: u16) -> Answered<()> {
        Ok(None)
    }

    /// The log of a board, as far as the make has a command for it: a `history` and its entries; none if it did not
    /// arrive whole.
    fn history(&mut self, board: u16, reason: &str, progress: Progress) -> Answered<Vec<BoardEvent>>;

    /// Watches the boards from now on. `recalled`: the state of boards from the records of earlier runs.
    fn watch<'a>(
        self: Box<Self>,
        settings: WatchSettings,
        sink: &'a mut dyn RecordSink,
        recalled: Recalled,
    ) -> Box<dyn Watch<L> + 'a>;

    /// The usual time of answers, if it is longer than on a cable and so delays every question.
    fn slow(&self) -> Option<Duration> {
        None
    }

    /// The link, to use it for another make.
    fn into_link(self: Box<Self>) -> L;
}

/// The answer to a question; none without an answer.
pub type Answered<T> = Result<Option<T>, Gone>;

/// Is called with the number of bytes that have come, and of those expected.
pub type Progress<'a> = &'a mut dyn FnMut(usize, usize);

/// The state of boards from the records of earlier runs.
pub type Recalled = BTreeMap<u16, FollowedBoard>;

/// A board that answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundBoard {
    /// Its address; of a board alone the bus address that it reports.
    pub board: u16,
    /// Its version, such as "1.6"; none of boards of version 1.2 and older, which do not report it.
    pub version: Option<String>,
    /// The mode in which it answered.
    pub mode: Option<Mode>,
    /// The serial number of a board alone, as it sends it.
    pub serial: Option<String>,
}

impl FoundBoard {
    /// The record that it answers on this port.
    pub fn event(&self, port: &str) -> BoardEvent {
        let (port, version, serial) = (Some(port.to_owned()), self.version.clone(), self.serial.clone());
        BoardEvent::Board(BoardFound { serial, ..BoardFound::new(port, self.mode, version) })
    }
}

/// A report of a search.
#[derive(Debug, PartialEq, Eq)]
pub enum SearchEvent<'a> {
    /// A board was confirmed by an answer of its own.
    Found(&'a FoundBoard),
    /// A round is over: its number, from 1, and the number of unexplained bytes.
    Round(usize, usize),
    /// This address answered twice in one round: two boards have it.
    Twice(u16),
    /// What was received before anything was sent, unless that is nothing.
    Heard(&'a Heard),
    /// The search ended although the line carries bytes that are of no board; their number.
    Unsettled(usize),
}

/// Receives the reports of a search.
pub type ReportSearch<'a> = &'a mut dyn FnMut(SearchEvent) -> Result<(), Error>;
