//! Text of a game that could not be read, with its place.

use memchr::memchr_iter;

use crate::{format::words::is_long, record::AnomalyKind};

/// Something that could not be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Flaw {
    /// Its line in the whole source, from 1.
    pub line: u64,
    /// The last good ply before it.
    pub ply: u32,
    /// Its class; text that was read and looks wrong is `unexplained`.
    pub kind: AnomalyKind,
    /// The move there, and the problem.
    pub problem: String,
    /// The text that was left unread because of it; often empty.
    pub unread: String,
    /// The game and the problem, as a message to the user.
    pub message: String,
}

/// The text to report as unread: one that the problem does not quote completely.
pub(super) fn unless_quoted(text: String) -> String {
    if is_long(&text) { text } else { String::new() }
}

/// The line in the source of a byte of a game. Lines are counted only once: a text can have a problem at every byte.
pub(super) struct LineCounter {
    line: u64,
    at: usize,
}

impl LineCounter {
    /// For a text that begins in this line.
    pub fn new(line: u64) -> LineCounter {
        LineCounter { line, at: 0 }
    }

    /// The line of a byte.
    pub fn of(&mut self, text: &[u8], at: usize) -> u64 {
        let between = &text[at.min(self.at)..at.max(self.at)];
        let lines = memchr_iter(b'\n', between).count() as u64;
        self.line = if at < self.at { self.line - lines } else { self.line + lines };
        self.at = at;
        self.line
    }
}
