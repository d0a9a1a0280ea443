//! One error type for all rooms, with its message and its exit code.
//!
//! Every message contains the file, line, board or port, what was wrong and, where there is something to do, what to
//! do.

use std::{fmt, io};

/// Why a command could not do, or not finish, its job.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The command line asks for something impossible (exit code 2).
    #[error("{0}")]
    Usage(String),
    /// A serial port is absent, busy, forbidden or gone for good: worth a retry (exit code 3).
    #[error("{port}: {problem}")]
    Port {
        /// Path of the port as the user wrote it.
        port: String,
        /// What is wrong with it and what to do.
        problem: String,
    },
    /// Bad input after which it makes no sense to continue (exit code 4).
    #[error("{0}")]
    Data(String),
    /// Any other failure to read or write (exit code 5).
    #[error("{what}: {source}")]
    Io {
        /// The file or stream.
        what: String,
        /// The system's error.
        source: io::Error,
    },
    /// The reader of standard output has gone: a quiet end (exit code 0).
    #[error("the reader of standard output has gone")]
    ReaderGone,
    /// A signal came; it will end the process (exit code 0, which is not seen).
    #[error("a signal came")]
    Stopped,
}

/// The result of a command that ends without an [`Error`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Done {
    /// Everything was done.
    Yes,
    /// Everything was done and the answer is no: a board is missing, `check` found trouble.
    No,
    /// Some input was bad; it was reported and skipped, the rest was done.
    BadData,
}

impl Done {
    /// The result of two parts of a command: the more serious one.
    pub fn and(self, other: Done) -> Done {
        match (self, other) {
            (Done::BadData, _) | (_, Done::BadData) => Done::BadData,
            (Done::No, _) | (_, Done::No) => Done::No,
            (Done::Yes, Done::Yes) => Done::Yes,
        }
    }
}

impl Error {
    /// The process's exit code, as README lists them.
    pub fn exit_code(&self) -> u8 {
        match self {
            Error::ReaderGone | Error::Stopped => 0,
            Error::Usage(_) => 2,
            Error::Port { .. } => 3,
            Error::Data(_) => 4,
            Error::Io { .. } => 5,
        }
    }

    /// An I/O failure on `what`, a file name or the name of a stream.
    pub fn io(what: impl fmt::Display, source: io::Error) -> Error {
        Error::Io { what: what.to_string(), source }
    }

    /// Trouble with the serial port `port`.
    pub fn port(port: impl fmt::Display, problem: impl fmt::Display) -> Error {
        Error::Port { port: port.to_string(), problem: problem.to_string() }
    }
}

impl Done {
    /// The process's exit code, as README lists them.
    pub fn exit_code(self) -> u8 {
        match self {
            Done::Yes => 0,
            Done::No => 1,
            Done::BadData => 4,
        }
    }
}

/// The result of anything that can fail.
pub type Result<T, E = Error> = std::result::Result<T, E>;
