//! The interface of a make of board that reports whole positions.

use std::time::Duration;

use crate::record::{BoardEvent, Mode, Placement};

/// The messages and commands of a make of board that reports whole positions.
pub trait Protocol: 'static {
    /// Its mode in `board` records.
    fn mode(&self) -> Mode;

    /// The usual time between reports of a position.
    fn reports_every(&self) -> Duration;

    /// The first commands to a board, also after it was silent: they start its reports and ask for its version. None for
    /// boards that are never sent commands.
    fn start(&self) -> Vec<&'static [u8]> {
        Vec::new()
    }

    /// The commands that ask for a report, and how long after the last report or command they are sent. None: reports come
    /// without them.
    fn ask(&self) -> Option<(Vec<&'static [u8]>, Duration)> {
        None
    }

    /// Whether the commands of [`start`](Protocol::start) ask for a version.
    fn reports_version(&self) -> bool {
        false
    }

    /// From now on [`start`](Protocol::start) includes the permanent setting of the make, if it has one. Called only with the
    /// user's consent, since the setting remains in the board.
    fn configure(&mut self) {}

    /// Takes bytes that arrived (of a device with separate reports, one report) and appends their messages to `said`. A make
    /// whose sensors need a filter (against ghosts and missed pieces) applies it here: positions are accepted unchanged.
    fn take(&mut self, bytes: &[u8], said: &mut Vec<Said>);

    /// Drops an incomplete message, because the link was opened again.
    fn forget(&mut self);
}

/// A message of a board.
#[derive(Debug, Clone, PartialEq)]
pub enum Said {
    /// The position, in the board's own numbering.
    Position(Placement),
    /// The position is that of the last report.
    Unchanged,
    /// The interpretation of the same pieces has changed: the next position is published whole.
    Again,
    /// The version of its firmware.
    Version(String),
    /// A command that is to be sent to the board.
    Send(&'static [u8]),
    /// Another record to publish. Of several faults in a row only the first is published.
    Event(BoardEvent),
}
