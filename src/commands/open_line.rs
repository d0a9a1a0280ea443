//! A line whose boards a command asks, and the output for their answers.

use std::sync::Arc;

use super::{arguments::Named, people};
use crate::{
    bus::{
        Driver, FoundBoard, Gone, Interrupted, Link, SearchEvent, detect,
        driver::Heard,
        ending::Ending,
        port::{NETWORK, Port},
    },
    error::{Done, Error, Result},
    format::ranges,
    progress,
    record::{BoardEvent, BoardRecord, Stream, Time},
    stdio::{self, Output},
    stop,
};

/// The line of a command; a signal ends all work on it.
pub type Line = Ending<Port>;

/// Standard output of a command that asks boards: records, or text for people.
pub struct Answers {
    /// Standard output.
    pub out: Output,
    /// Whether the output is text for people.
    pub text: bool,
    /// Addresses that two boards have, as far as a search found.
    pub twice: Vec<u16>,
    /// A search found something on the line that is no board of ours.
    pub is_foreign: bool,
    /// The boards that the user named.
    named: Named,
    /// The line's name in messages.
    pub port: String,
    name: Option<Arc<str>>,
}

impl Answers {
    /// Begins the stream of records.
    pub fn begin(port: &Line, name: Option<&str>, text: bool) -> Result<Answers> {
        let mut out = Output::live();
        if !text {
            out.record(&Stream::begin(Time::now(), name))?;
        }
        Ok(Answers {
            out,
            twice: Vec::new(),
            is_foreign: false,
            named: Named::default(),
            port: port.name().to_owned(),
            name: name.map(Into::into),
            text,
        })
    }

    /// Writes a record of a board, as text where this is wanted.
    pub fn write(&mut self, board: u16, event: BoardEvent) -> Result<()> {
        let mut record = BoardRecord::new(Some(Time::now()), Some(board), event);
        record.line = self.name.clone();
        if self.text { self.out.text(people::line(&record)) } else { self.out.record(&record) }
    }

    /// Writes that a board answers: a record, or a row of a table.
    pub fn write_found(&mut self, found: &FoundBoard) -> Result<()> {
        if self.text {
            return self.out.text(people::row(found.board, found.version.as_deref()));
        }
        self.write(found.board, found.event(&self.port))
    }

    /// Writes a message about the line to standard error.
    pub fn report(&self, what: impl std::fmt::Display) {
        stdio::say(format_args!("{}: {what}", self.port));
    }

    /// The error that the line is gone, unless a signal ended the work on it.
    fn gone(&self, gone: Gone) -> Error {
        if stop::requested().is_some() {
            return Error::Stopped;
        }
        let what_to_do = if self.port.starts_with(NETWORK) {
            "look at the serial server, and at who else is connected to it"
        } else {
            "plug it in again"
        };
        Error::port(&self.port, format_args!("{gone}: {what_to_do}"))
    }

    /// The answer of a driver, or the error that the line is gone.
    pub fn asked<T>(&self, answer: std::result::Result<T, Gone>) -> Result<T> {
        answer.map_err(|gone| self.gone(gone))
    }

    fn interrupted(&self, interrupted: Interrupted) -> Error {
        match interrupted {
            Interrupted::Ended(error) => error,
            Interrupted::Gone(gone) => self.gone(gone),
        }
    }

    /// Finds all boards, with progress, and writes each as soon as it is confirmed, if `each` are wanted. Reports when
    /// there is none.
    pub fn discover(
        &mut self,
        port: Line,
        make: Option<&str>,
        expected: &[u16],
        each: bool,
    ) -> Result<(Box<dyn Driver<Line>>, Vec<u16>)> {
        let spinner = progress::spinner("listening for boards");
        let (mut count, mut twice, mut is_foreign) = (0, Vec::new(), false);
        let found = detect::find(port, make, expected, &mut |event| match event {
            SearchEvent::Found(found) => {
                count += 1;
                spinner.set_message(format!("{count} so far"));
                if each { progress::aside(|| self.write_found(found)) } else { Ok(()) }
            }
            SearchEvent::Round(round, _) => {
                spinner.set_message(format!("round {round}, {count} so far"));
                Ok(())
            }
            SearchEvent::Twice(board) => {
                twice.push(board);
                Ok(())
            }
            SearchEvent::Heard(heard) => {
                is_foreign = !matches!(heard, Heard::Make(..));
                stdio::say(format_args!("{}: {heard}", self.port));
                Ok(())
            }
            SearchEvent::Unsettled(bytes) => {
                stdio::say(format_args!(
                    "the line does not get quiet ({bytes} bytes that are no board's): a board may be missing"
                ));
                Ok(())
            }
        });
        spinner.finish_and_clear();
        let (driver, found) = found.map_err(|interrupted| self.interrupted(interrupted))?;
        if !twice.is_empty() {
            let whose = ranges(&twice);
            self.report(format_args!("two boards have the address {whose}: take one off the line"));
        }
        (self.twice, self.is_foreign) = (twice, is_foreign);
        if found.is_empty() && self.twice.is_empty() && !is_foreign && stop::requested().is_none() {
            self.report("no board answers: are they switched on and plugged in?");
        }
        if let Some(slow) = driver.slow() {
            self.report(people::slow_line(slow, found.len()));
        }
        Ok((driver, found.into_iter().map(|found| found.board).collect()))
    }

    /// The line with the boards asked for, or with all that are found; the search writes no records.
    pub fn open(mut self, port: Line, make: Option<&str>, asked: Option<&Named>) -> Result<OpenLine> {
        let (mut boards, mut absent) = (Vec::new(), Vec::new());
        let driver = match asked {
            None => {
                let (driver, found) = self.discover(port, make, &[], false)?;
                boards = found;
                boards.sort_unstable();
                driver
            }
            Some(asked) => {
                let driver = detect::driver_for(port, make, &asked.boards);
                let mut driver = driver.map_err(|interrupted| self.interrupted(interrupted))?;
                for &board in &asked.boards {
                    match self.asked(driver.meant(board, asked.serial(board)))? {
                        Some(meant) => boards.push(meant),
                        None => absent.push(board),
                    }
                }
                self.named = asked.clone();
                driver
            }
        };
        Ok(OpenLine { answers: self, driver, boards, absent })
    }
}

/// A line whose boards a command asks.
pub struct OpenLine {
    /// Where their answers are written.
    pub answers: Answers,
    /// The driver of the boards.
    pub driver: Box<dyn Driver<Line>>,
    /// The boards to ask.
    boards: Vec<u16>,
    /// Boards that were named and are not on this line.
    absent: Vec<u16>,
}

impl OpenLine {
    /// Asks the driver of the boards.
    pub fn ask<T>(
        &mut self,
        question: impl FnOnce(&mut dyn Driver<Line>) -> std::result::Result<T, Gone>,
    ) -> Result<T> {
        self.answers.asked(question(&mut *self.driver))
    }

    /// Whether there is no board to ask.
    pub fn is_empty(&self) -> bool {
        self.boards.is_empty()
    }

    /// Calls `answers` with each board until a signal comes; it returns whether the board answered. Returns the boards
    /// that did not.
    pub fn each(&mut self, mut answers: impl FnMut(&mut OpenLine, u16) -> Result<bool>) -> Result<Vec<u16>> {
        let mut missing = self.absent.clone();
        for board in self.boards.clone() {
            if stop::requested().is_some() {
                break;
            }
            if !answers(self, board)? {
                missing.push(board);
            }
        }
        Ok(missing)
    }

    /// The result of a command that asked [`each`](OpenLine::each) board: reports the missing boards, unless a signal
    /// came before all were asked.
    pub fn done(&self, missing_message: &str, missing: &[u16]) -> Done {
        if stop::requested().is_some() || missing.is_empty() {
            return if self.boards.is_empty() { Done::No } else { Done::Yes };
        }
        self.answers.report(format_args!("{missing_message} {}", self.answers.named.list(missing)));
        Done::No
    }
}
