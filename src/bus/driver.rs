//! What a make of board must offer so that commands can ask its boards and watch them, and know nothing else of it.
//!
//! A [`Make`] opens a [`Driver`] on a link; a driver answers single questions, and becomes a [`Watch`] for those who
//! want to hear everything. [`detect`](super::detect) has the list of makes and finds out which of them a line is.

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

/// A make of board in one of its modes, as far as it differs on the wire from all others.
pub struct Make<L> {
    /// What a user calls it.
    pub name: &'static str,
    /// What its `board` records call it, by which a journal knows it again; none for what they have no word for.
    pub mode: Option<Mode>,
    /// What messages call what is on the port, with its article.
    pub title: &'static str,
    /// What it needs of a port, and how it is recognised there.
    pub port: PortNeeds,
    /// Speaks to the boards of this make that may be on a link, which is set up for it; sends nothing yet.
    pub open: fn(L) -> Box<dyn Driver<L>>,
}

/// What a make needs of its port, and how it is recognised on a port of which nobody knows what is on it.
#[derive(Debug, Clone, Copy)]
pub struct PortNeeds {
    /// Speed and lines.
    pub setup: PortSetup,
    /// What carries its bytes.
    pub kind: LinkKind,
    /// The USB devices that its boards or their adapters are, by vendor and product (none: all of that vendor's); empty:
    /// any. A port that is another USB device is neither listened to nor asked for this make, unless the user named it.
    pub usb: &'static [(u16, Option<u16>)],
    /// Whether a silent port may be asked for its boards: they answer only when asked, and what is asked harms no
    /// board of another make. Where this is false, a silent port that is one of its USB devices is asked for no make at
    /// all: its board may be silent for a while, and takes what is sent for a command.
    pub asks: bool,
    /// What bytes that came unasked show of it.
    pub heard: fn(&[u8]) -> Verdict,
}

/// What bytes show of a make.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// They are not of this make, as far as they go.
    No,
    /// They may be of it: it is listened to a little longer.
    Maybe,
    /// They are of it.
    Yes,
    /// They are of a board of its kind that cannot be recorded; what it is and why, a sentence without its full stop.
    Refused(&'static str),
}

/// What a port gave unasked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Heard {
    /// Nothing.
    Silence,
    /// Nothing, from a USB device that may be a board to which nothing may be sent; its title.
    SilentBoard(&'static str),
    /// A board of the make with this place in the list; its title.
    Make(usize, &'static str),
    /// A board that cannot be recorded: what it is and why.
    Refused(&'static str),
    /// Text of no board, its beginning.
    Text(String),
    /// Bytes that no make reads at its speed.
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

/// Speaks to the boards of one make on one line. No question makes a board forget anything.
pub trait Driver<L: Link> {
    /// The number of the board that is meant by a number of the user's, who may have given that of a serial number.
    fn meant(&mut self, board: u16) -> Result<u16, Gone> {
        Ok(board)
    }

    /// Whether its boards are alone, each on a port of its own.
    fn is_alone(&self) -> bool {
        true
    }

    /// Whether its boards answer at once, without a search: one of those `expected` on a bus, any board alone on its
    /// cable. Nobody answers on a line that is gone; the next question says so.
    fn answers(&mut self, expected: &[u16]) -> bool;

    /// Finds all boards, those expected first, and reports each the moment it is sure of it.
    fn find(&mut self, expected: &[u16], report: ReportSearch) -> Result<Vec<FoundBoard>, Interrupted>;

    /// What stands on a board; none without an answer, or from a board of 100 squares.
    fn position(&mut self, board: u16) -> Answered<BoardEvent>;

    /// What the clock of a board shows, up to a second ago.
    fn clock(&mut self, board: u16) -> Answered<BoardEvent>;

    /// Writes the start mark into a board's log; none from a board that does not answer, or takes none.
    fn start(&mut self, board: u16) -> Answered<BoardEvent>;

    /// What to say of boards that took no start mark, before their addresses.
    fn says_no_start(&self) -> &'static str;

    /// Restarts a board, or without one all boards of the line, as switching it off and on does; none where the make has no
    /// command for that, or the board does not know it. Whether it restarts shows when it answers again.
    fn restart(&mut self, _board: Option<u16>) -> Answered<()> {
        Ok(None)
    }

    /// Ends the bus mode of the only board on its line; none where there is no such mode.
    fn end_bus_mode(&mut self, _board: u16) -> Answered<()> {
        Ok(None)
    }

    /// What a board logged, as far as it can be asked for: a `history` and what belongs to it; none when it did not
    /// arrive whole.
    fn history(&mut self, board: u16, reason: &str, progress: Progress) -> Answered<Vec<BoardEvent>>;

    /// Watches the boards from here on. `recalled` is what earlier runs published of them.
    fn watch<'a>(
        self: Box<Self>,
        settings: WatchSettings,
        sink: &'a mut dyn RecordSink,
        recalled: Recalled,
    ) -> Box<dyn Watch<L> + 'a>;

    /// How long answers usually take, where that is longer than a cable makes it and costs time at every question.
    fn slow(&self) -> Option<Duration> {
        None
    }

    /// The link, to speak to it as to another make.
    fn into_link(self: Box<Self>) -> L;
}

/// What came of a question: none without an answer.
pub type Answered<T> = Result<Option<T>, Gone>;

/// Hears how many bytes of how many have come.
pub type Progress<'a> = &'a mut dyn FnMut(usize, usize);

/// What earlier runs published, by board.
pub type Recalled = BTreeMap<u16, FollowedBoard>;

/// A board that answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundBoard {
    /// Its address; of a board alone the bus address that it reports.
    pub board: u16,
    /// "1.6"; boards of version 1.2 and older do not say.
    pub version: Option<String>,
    /// How it was spoken to.
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

/// What a search reports while it goes on.
#[derive(Debug, PartialEq, Eq)]
pub enum SearchEvent<'a> {
    /// A board was confirmed by an answer of its own.
    Found(&'a FoundBoard),
    /// A round is over: its number from 1, and how many bytes nobody can explain.
    Round(usize, usize),
    /// This address answered twice in one round: two boards have it.
    Twice(u16),
    /// What the port gave unasked, which is no silence.
    Heard(&'a Heard),
    /// The search ended though the line carries bytes that are no board's.
    Unsettled(usize),
}

/// Who hears of it.
pub type ReportSearch<'a> = &'a mut dyn FnMut(SearchEvent) -> Result<(), Error>;
