//! A line that a command asks, a bus of boards or one board alone, and where it writes what it hears.

use std::sync::Arc;

use super::people;
use crate::{
    bus::{
        discovery::{self, Found, Step, Trouble},
        exchange::Line,
        link::{Gone, Link},
        once,
        port::Port,
        single::{self, cable::Cable},
    },
    error::{Error, Result},
    progress,
    record::{BoardEvent, BoardRecord, Mode, Stream, Time},
    stdio::{self, Output},
};

/// A line that a command asks, and where it writes what it hears.
pub struct Talk {
    /// Standard output.
    pub out: Output,
    master: Master,
    /// The mode asked for; none: to be found out.
    mode: Option<Mode>,
    /// The board that is alone on its cable.
    alone: Option<u16>,
    port: String,
    name: Option<Arc<str>>,
    text: bool,
}

/// Who speaks to the boards.
enum Master {
    Bus(Line<Port>),
    Single(Cable<Port>),
    /// The port is on its way from one to the other.
    Nobody,
}

/// Hears how many bytes of how many have come.
pub type Progress<'a> = &'a mut dyn FnMut(usize, usize);

impl Talk {
    /// Begins the stream of records.
    pub fn begin(port: Port, mode: Option<Mode>, name: Option<&str>, text: bool) -> Result<Talk> {
        let mut out = Output::live();
        if !text {
            out.record(&Stream::begin(Time::now(), name).line())?;
        }
        let path = port.name().to_owned();
        let master = match mode {
            Some(Mode::Single) => Master::Single(Cable::new(port)),
            _ => Master::Bus(Line::new(port)),
        };
        Ok(Talk { out, master, mode, alone: None, port: path, name: name.map(Into::into), text })
    }

    /// Whether a person reads.
    pub fn is_text(&self) -> bool {
        self.text
    }

    /// The port's name, for messages.
    pub fn port(&self) -> &str {
        &self.port
    }

    /// Whether the board is alone on its cable.
    pub fn is_single(&self) -> bool {
        matches!(self.master, Master::Single(_))
    }

    /// Writes a record of a board, to people as text.
    pub fn tell(&mut self, board: u16, event: BoardEvent) -> Result<()> {
        let mut record = BoardRecord::new(Some(Time::now()), Some(board), event);
        record.line = self.name.clone();
        if self.text { self.out.text(people::line(&record)) } else { self.out.record(&record) }
    }

    /// Writes that a board answers: a record, or a row of a table.
    pub fn tell_found(&mut self, found: &Found) -> Result<()> {
        if self.text {
            return self.out.text(people::row(found.board, found.version.as_deref(), &self.port));
        }
        self.tell(found.board, found.event(&self.port))
    }

    /// What stands on a board; none without an answer, or from a board of 100 squares.
    pub fn position(&mut self, board: u16) -> Result<Option<BoardEvent>> {
        self.ask(board, |line| once::position(line, board), single::once::position)
    }

    /// What the clock of a board shows.
    pub fn clock(&mut self, board: u16) -> Result<Option<BoardEvent>> {
        self.ask(board, |line| once::clock(line, board), single::once::clock)
    }

    /// Writes the start mark into a board's log; none from a board that does not answer, or takes none.
    pub fn start(&mut self, board: u16) -> Result<Option<BoardEvent>> {
        self.ask(board, |line| once::start(line, board), single::once::start)
    }

    /// A board's log since its start mark, or the whole log of a board alone.
    pub fn history(
        &mut self,
        board: u16,
        reason: &str,
        progress: Progress<'_>,
    ) -> Result<Option<Vec<BoardEvent>>> {
        match &mut self.master {
            Master::Bus(line) => once::history(line, board, reason, progress),
            Master::Single(cable) if self.alone == Some(board) => {
                single::once::history(cable, reason, progress)
            }
            _ => Ok(None),
        }
        .map_err(|gone| self.gone(gone))
    }

    fn ask<T>(
        &mut self,
        board: u16,
        bus: impl FnOnce(&mut Line<Port>) -> Result<Option<T>, Gone>,
        single: impl FnOnce(&mut Cable<Port>) -> Result<Option<T>, Gone>,
    ) -> Result<Option<T>> {
        match &mut self.master {
            Master::Bus(line) => bus(line),
            Master::Single(cable) if self.alone == Some(board) => single(cable),
            _ => Ok(None),
        }
        .map_err(|gone| self.gone(gone))
    }

    /// The error that the line is gone.
    fn gone(&self, gone: Gone) -> Error {
        Error::port(&self.port, format_args!("{gone}: plug it in again"))
    }

    /// The boards asked for, or all that are found; none of those found is told.
    pub fn boards(&mut self, asked: Option<&[u16]>) -> Result<Vec<u16>> {
        let Some(asked) = asked else {
            let mut boards = self.discover(&[], |_, _| Ok(()))?;
            boards.sort_unstable();
            return Ok(boards);
        };
        let alone = match &mut self.master {
            Master::Single(_) => true,
            // One that answers says that this is a bus; otherwise there may be a board alone.
            Master::Bus(line) if self.mode.is_none() => {
                let mut answers = asked.iter().map(|&board| once::answers(line, board));
                let any = answers.try_fold(false, |any, answers| Ok(any || answers?));
                !any.map_err(|gone| self.gone(gone))?
            }
            _ => false,
        };
        if alone && crate::stop::requested().is_none() {
            self.greet()?;
        }
        Ok(asked.to_vec())
    }

    /// Finds all boards, with progress; `f` gets each the moment it is confirmed. Says so when there is none.
    pub fn discover(
        &mut self,
        expected: &[u16],
        mut f: impl FnMut(&mut Talk, &Found) -> Result<()>,
    ) -> Result<Vec<u16>> {
        let mut found = Vec::new();
        if let Master::Bus(_) = self.master {
            found = self.search(expected, &mut f)?;
        }
        let bus_only = self.mode == Some(Mode::Bus);
        if found.is_empty()
            && !bus_only
            && crate::stop::requested().is_none()
            && let Some(alone) = self.greet()?
        {
            f(self, &alone)?;
            found.push(alone.board);
        }
        if found.is_empty() && crate::stop::requested().is_none() {
            stdio::say(format_args!("{}: no board answers: are they switched on and plugged in?", self.port));
        }
        Ok(found)
    }

    /// Searches the bus.
    fn search(
        &mut self,
        expected: &[u16],
        f: &mut impl FnMut(&mut Talk, &Found) -> Result<()>,
    ) -> Result<Vec<u16>> {
        let Master::Bus(mut line) = std::mem::replace(&mut self.master, Master::Nobody) else {
            return Ok(Vec::new());
        };
        let spinner = progress::spinner("listening for boards");
        let mut count = 0;
        let found = discovery::discover(&mut line, [], expected, &mut |step| match step {
            Step::Found(found) => {
                count += 1;
                spinner.set_message(format!("{count} so far"));
                progress::aside(|| f(self, found))
            }
            Step::Round(round, _) => {
                spinner.set_message(format!("round {round}, {count} so far"));
                Ok(())
            }
            Step::Unsettled(bytes) => {
                stdio::say(format_args!(
                    "the line does not get quiet ({bytes} bytes that are no board's): a board may be missing"
                ));
                Ok(())
            }
        });
        spinner.finish_and_clear();
        self.master = Master::Bus(line);
        match found {
            Ok(found) => Ok(found.iter().map(|found| found.board).collect()),
            Err(Trouble::Ended(error)) => Err(error),
            Err(Trouble::Gone(gone)) => Err(self.gone(gone)),
        }
    }

    /// The board that is alone on its cable, if one is; from then on we speak to it.
    fn greet(&mut self) -> Result<Option<Found>> {
        let mut cable = match std::mem::replace(&mut self.master, Master::Nobody) {
            Master::Bus(line) => Cable::new(line.link),
            Master::Single(cable) => cable,
            Master::Nobody => return Ok(None),
        };
        let found = single::once::greet(&mut cable);
        let alone = self.mode == Some(Mode::Single) || matches!(found, Ok(Some(_)));
        self.master = if alone { Master::Single(cable) } else { Master::Bus(Line::new(cable.link)) };
        let found = found.map_err(|gone| self.gone(gone))?;
        self.alone = found.as_ref().map(|found| found.board);
        Ok(found)
    }
}
