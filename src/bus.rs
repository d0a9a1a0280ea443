//! The master of a line, a bus of boards or one board alone: opens the port, finds the boards, asks them in turn, and
//! loses nothing they said.
//!
//! Commands call this room; it knows `wire` and `record`, and nobody else. From the cable upwards:
//!
//! * [`link`]: what a line can do (send, receive until a time); [`port`] is the real one, and the tests of this
//!   room have a scripted one whose time is simulated.
//! * [`exchange`]: one command, one answer. In bus mode a board holds a single command, so nothing is sent
//!   before the answer is there or its time is up.
//! * [`discovery`]: which boards there are.
//! * [`board`]: a board that is polled; [`tracker`]: what one board has said, and so what stands on it; [`recovery`]: what to do when an answer
//!   did not arrive whole; [`marks`]: when a game is about to begin.
//! * [`poll`]: whom to ask next; [`visit`]: what to ask it, and what to make of the answer.
//! * [`once`]: single questions, for commands that ask and end.
//! * [`single`]: one board in single-board mode, which is not asked but listened to.
//! * [`journal`]: what was told is on disk before its board is asked again; [`capture`]: every byte on record.

pub mod board;
pub mod capture;
pub mod discovery;
pub mod exchange;
pub mod journal;
pub mod link;
pub mod marks;
pub mod once;
pub mod poll;
pub mod port;
pub mod recovery;
pub mod single;
pub mod tracker;
pub mod visit;

#[cfg(test)]
mod hall;
#[cfg(test)]
mod tests;
