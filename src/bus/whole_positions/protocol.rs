//! What a make of board must offer that reports whole positions.

use std::time::Duration;

use crate::record::{BoardEvent, Mode, Placement};

/// How a make of board speaks that reports whole positions.
pub trait Protocol: 'static {
    /// What its `board` records call it.
    fn mode(&self) -> Mode;

    /// How often its boards report a position when nothing hinders them.
    fn reports_every(&self) -> Duration;

    /// What is sent to a board that was not spoken to before, or was silent: what starts its reports, and what asks for its
    /// version. Nothing for boards that are not written to.
    fn start(&self) -> Vec<&'static [u8]> {
        Vec::new()
    }

    /// What asks for a report, and how long after the last report or command it is sent. None: nothing is ever asked.
    fn ask(&self) -> Option<(Vec<&'static [u8]>, Duration)> {
        None
    }

    /// Whether an answer to what was sent at the [`start`](Protocol::start) reports a version.
    fn reports_version(&self) -> bool {
        false
    }

    /// From here on what is sent at the [`start`](Protocol::start) also sets the board up for good, where the make has such a
    /// setting. Never without the user's consent: it stays in the board.
    fn configure(&mut self) {}

    /// Takes bytes that arrived, one report of a device that keeps their borders, and adds what they say. A make that must
    /// filter what its sensors see (ghosts, pieces that were missed) does so here: a position is believed as it is given.
    fn take(&mut self, bytes: &[u8], said: &mut Vec<Said>);

    /// Forgets a message that has begun: the link has been opened again.
    fn forget(&mut self);
}

/// What bytes of a board say.
#[derive(Debug, Clone, PartialEq)]
pub enum Said {
    /// What stands on the board, in the board's own numbering.
    Position(Placement),
    /// What stood on it when it reported last stands there still.
    Unchanged,
    /// What stands is read otherwise from now on, and stood so before: the next position is published whole.
    Again,
    /// The version of its firmware.
    Version(String),
    /// This is to be sent to the board.
    Send(&'static [u8]),
    /// Anything else that is to be published. Of several faults in a row the first one is.
    Event(BoardEvent),
}
