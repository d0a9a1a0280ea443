//! The boards of a hall as LiveChess lists them: whether they answer, their positions, their clocks.

use std::{collections::HashMap, path::Path};

use serde::Serialize;

use crate::record::{
    BoardEvent, BoardFound, BoardName, BoardRecord, Clock, Placement, ShownClock, Side, Stream, Time,
};

/// A board in LiveChess's format.
#[derive(Debug, Serialize)]
pub struct EBoard<'a> {
    pub serialnr: &'a str,
    pub source: Option<&'a str>,
    pub state: &'static str,
    pub battery: Option<&'a str>,
    pub comment: Option<&'a str>,
    pub board: String,
    pub flipped: bool,
    pub clock: Option<EClock>,
}

/// A clock in LiveChess's format: whole seconds, and when they were read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct EClock {
    pub white: i64,
    pub black: i64,
    /// The side whose clock runs: true for White; none where it is stopped.
    pub run: Option<bool>,
    pub time: i64,
}

/// The device to which boards are connected, in LiveChess's format.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub struct Source<'a> {
    #[serde(rename = "type")]
    kind: &'static str,
    device: &'a str,
    name: Option<&'a str>,
    present: bool,
    active: bool,
    status: Option<&'static str>,
}

/// What a record changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum News {
    /// Nothing that a feed reports.
    Nothing,
    /// The pieces.
    Pieces,
    /// The clock, or whether the board answers.
    Clock,
}

/// One board.
#[derive(Debug)]
pub struct Board {
    /// Its line and address.
    pub name: BoardName,
    /// The serial number by which programs address it.
    pub serial: String,
    found: Option<BoardFound>,
    answers: bool,
    /// Its position, as the board reports it.
    pub stands: Placement,
    /// It is turned, as its last start position showed.
    pub flipped: bool,
    clock: ShownClock,
    clock_time: Option<Time>,
    /// How much later than its time each record comes, in milliseconds.
    delay_ms: i64,
    /// The time of the last record.
    pub time: Option<Time>,
    /// The time of the last change.
    pub changed: Option<Time>,
    /// A poll without changes followed that change.
    pub rests: bool,
    /// How many records of its own log are still to come: they report the past.
    in_log: u64,
    /// The board is listing its pieces.
    listing: bool,
}

/// The boards, in the order of their first records.
#[derive(Debug, Default)]
pub struct Hall {
    pub boards: Vec<Board>,
    places: HashMap<BoardName, usize>,
    serials: HashMap<String, usize>,
    /// The input has ended.
    pub has_ended: bool,
    /// How much later than its time each record comes, in milliseconds.
    pub delay_ms: i64,
}

impl Hall {
    /// Adds a record; returns its board, and what it changed.
    pub fn record(&mut self, record: &BoardRecord) -> (usize, News) {
        let name = (record.line.clone(), record.board);
        let at = match self.places.get(&name) {
            Some(&at) => at,
            None => self.add(name),
        };
        (at, self.boards[at].record(record))
    }

    /// Adds a stream record: all its boards begin again. Returns the boards that do not answer until their next record.
    pub fn stream(&mut self, stream: &Stream) -> Vec<usize> {
        self.silence(|board| board.name.0 == stream.line)
    }

    /// Ends the input. Returns the boards that count as not answering from now on.
    pub fn end(&mut self) -> Vec<usize> {
        self.has_ended = true;
        self.silence(|_| true)
    }

    fn silence(&mut self, of: impl Fn(&Board) -> bool) -> Vec<usize> {
        let silent = (0..self.boards.len()).filter(|&at| self.boards[at].answers && of(&self.boards[at]));
        let silent: Vec<usize> = silent.collect();
        silent.iter().for_each(|&at| self.boards[at].answers = false);
        silent
    }

    fn add(&mut self, name: BoardName) -> usize {
        let at = self.boards.len();
        let address = name.1.unwrap_or_default();
        let mut serial = address.to_string();
        // Boards of two lines may share an address: the serial number of the second begins with its line's name.
        for number in 1.. {
            if !self.serials.contains_key(&serial) {
                break;
            }
            let line = name.0.as_deref().unwrap_or_default();
            serial =
                if number == 1 { format!("{line}-{address}") } else { format!("{line}-{address}-{number}") };
        }
        self.serials.insert(serial.clone(), at);
        self.places.insert(name.clone(), at);
        self.boards.push(Board { delay_ms: self.delay_ms, ..Board::new(name, serial) });
        at
    }

    /// The board with this serial number.
    pub fn find(&self, serial: &str) -> Option<usize> {
        self.serials.get(serial).copied()
    }

    /// The board of this name.
    pub fn place(&self, name: &BoardName) -> Option<usize> {
        self.places.get(name).copied()
    }

    /// All boards, those that answer first.
    pub fn in_order(&self) -> impl Iterator<Item = (usize, &Board)> {
        let of =
            |answers: bool| self.boards.iter().enumerate().filter(move |(_, board)| board.answers == answers);
        of(true).chain(of(false))
    }

    /// The devices to which the boards are connected.
    pub fn sources(&self) -> Vec<Source<'_>> {
        let mut sources: Vec<Source<'_>> = Vec::new();
        for board in &self.boards {
            let device = board.device();
            match sources.iter_mut().find(|known| known.device == device) {
                Some(known) => {
                    known.present |= board.answers;
                    known.active |= board.answers;
                }
                None => sources.push(Source {
                    kind: "SERIAL",
                    device,
                    name: board.name.0.as_deref(),
                    present: board.answers,
                    active: board.answers,
                    status: None,
                }),
            }
        }
        sources
    }
}

impl Board {
    fn new(name: BoardName, serial: String) -> Board {
        Board {
            name,
            serial,
            found: None,
            answers: false,
            stands: Placement::EMPTY,
            flipped: false,
            clock: ShownClock::default(),
            clock_time: None,
            delay_ms: 0,
            time: None,
            changed: None,
            rests: false,
            in_log: 0,
            listing: false,
        }
    }

    /// The board in LiveChess's format.
    pub fn as_eboard(&self) -> EBoard<'_> {
        EBoard {
            serialnr: &self.serial,
            source: self.answers.then(|| self.device()),
            state: if self.answers { "ACTIVE" } else { "NOTRESPONDING" },
            battery: None,
            comment: None,
            board: self.shown(self.flipped).to_string(),
            flipped: self.flipped,
            clock: self.clock(),
        }
    }

    /// Its position, turned if `flipped`.
    pub fn shown(&self, flipped: bool) -> Placement {
        if flipped { self.stands.turned() } else { self.stands }
    }

    /// Whether it answers.
    pub fn answers(&self) -> bool {
        self.answers
    }

    /// Its clock when it was last read; none if the board does not answer. Programs count on from its time: of records
    /// that come late, this is the time at which they come.
    pub fn clock(&self) -> Option<EClock> {
        if !self.answers || self.clock.connected != Some(true) {
            return None;
        }
        let time = self.clock_time;
        let [white, black] = if self.flipped { [Side::Right, Side::Left] } else { [Side::Left, Side::Right] };
        let shows = |side| self.clock.shown(side, time).map(|seconds| seconds.round() as i64);
        let run = self.clock.runs().map(|side| side == white);
        let time = time.map_or(0, |time| time.0 + self.delay_ms);
        Some(EClock { white: shows(white)?, black: shows(black)?, run, time })
    }

    /// The last part of the path of its port.
    fn device(&self) -> &str {
        let port = self.found.as_ref().and_then(|found| found.port.as_deref());
        match port {
            Some(port) if port.contains("://") => port,
            Some(port) => Path::new(port).file_name().and_then(|name| name.to_str()).unwrap_or(port),
            None => self.name.0.as_deref().unwrap_or("records"),
        }
    }

    fn record(&mut self, record: &BoardRecord) -> News {
        self.time = record.time.or(self.time);
        let (stood, showed) = (self.stands, (self.answers, self.clock()));
        let was_listed = self.listing || self.in_log > 0;
        let of_log = self.in_log > 0 && record.event.is_logged();
        self.in_log = if of_log { self.in_log - 1 } else { 0 };
        // A journal that is read again from its start repeats, after other records of a board, that the board is lost.
        self.answers |= !matches!(record.event, BoardEvent::Fault(_));
        let listed = self.listing;
        self.listing = false;
        match &record.event {
            BoardEvent::Board(found) => self.found = Some(found.clone()),
            BoardEvent::Position(position) => self.stands = position.placement,
            BoardEvent::Change(change) => {
                self.listing = listed && change.piece.is_some() && self.stands.get(change.square).is_none();
                self.stands.set(change.square, change.piece);
                (self.changed, self.rests) = (self.time, false);
            }
            BoardEvent::Press(press) if !of_log => {
                self.clock_is(self.time, |clock, time| clock.press(press, time))
            }
            BoardEvent::Clock(clock) => self.clock_reported(clock),
            BoardEvent::Mark(mark) => {
                self.stands = mark.mark.stands().unwrap_or(self.stands);
                if mark.listing {
                    (self.stands, self.listing) = (Placement::EMPTY, true);
                }
            }
            BoardEvent::History(history) => (self.stands, self.in_log) = (Placement::EMPTY, history.count),
            BoardEvent::Lost(_) => self.answers = false,
            BoardEvent::Quiet {} => self.rests = true,
            BoardEvent::Press(_)
            | BoardEvent::Found(_)
            | BoardEvent::Fault(_)
            | BoardEvent::Answers(_)
            | BoardEvent::Calibration(_)
            | BoardEvent::Readings(_) => {}
        }
        if self.listing || self.in_log > 0 {
            return News::Nothing;
        }
        self.turn();
        if self.stands != stood || was_listed {
            News::Pieces
        } else if (self.answers, self.clock()) != showed {
            News::Clock
        } else {
            News::Nothing
        }
    }

    fn clock_reported(&mut self, reported: &Clock) {
        self.clock_is(self.time, |clock, time| clock.read(reported, time));
    }

    fn clock_is(&mut self, time: Option<Time>, change: impl FnOnce(&mut ShownClock, Option<Time>)) {
        change(&mut self.clock, time);
        self.clock_time = time;
    }

    /// Finds from a start position whether the board is turned.
    fn turn(&mut self) {
        if self.stands == Placement::start() {
            self.flipped = false;
        } else if self.stands.turned() == Placement::start() {
            self.flipped = true;
        }
    }
}
