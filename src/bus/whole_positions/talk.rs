//! Sends commands to a board that reports whole positions, at the right times, and receives its reports.

use std::{collections::VecDeque, time::Duration};

use super::{
    follower::SILENT,
    protocol::{Protocol, Said},
};
use crate::{
    bus::{FoundBoard, Gone, Link},
    stop,
};

/// The time between two commands, as in the programs of the makers of Chessnut boards.
const SPACING: Duration = Duration::from_millis(200);
/// The longest wait for the version, which some firmware does not send.
const VERSION: Duration = Duration::from_millis(700);
/// The shortest time between commands to a lost board.
const ASK_LOST: Duration = Duration::from_secs(1);
/// The longest single wait, after which signals are checked.
const PIECE: Duration = Duration::from_millis(100);

/// A link to a board that reports whole positions.
pub struct Talk<L, P> {
    /// The link that carries it.
    pub link: L,
    protocol: P,
    /// The commands that wait to be sent.
    commands: VecDeque<&'static [u8]>,
    /// When the last command was sent, or the talk began.
    sent: Duration,
    /// When the talk began.
    began: Duration,
    /// When the last report came, or the talk began.
    reported: Duration,
    /// The version of its firmware, if it came.
    version: Option<String>,
}

impl<L: Link, P: Protocol> Talk<L, P> {
    /// The board on this link; nothing is sent yet.
    pub fn new(link: L, protocol: P) -> Talk<L, P> {
        let now = link.now();
        let commands = VecDeque::new();
        Talk { link, protocol, commands, sent: now, began: now, reported: now, version: None }
    }

    /// Starts again: drops bytes that have come, and sends the first commands of the protocol.
    pub fn begin(&mut self) -> Result<(), Gone> {
        self.link.drain(&mut Vec::new())?;
        self.protocol.forget();
        self.commands = self.protocol.start().into();
        let now = self.link.now();
        (self.began, self.reported) = (now, now);
        self.sent = now.saturating_sub(SPACING);
        self.version = None;
        Ok(())
    }

    /// Allows permanent settings in the board.
    pub fn configure(&mut self) {
        self.protocol.configure();
    }

    /// Sends the first commands again, to a board that was switched off and on.
    pub fn start_again(&mut self) {
        self.commands = self.protocol.start().into();
    }

    /// When the last report came, or the talk began.
    pub fn reported(&self) -> Duration {
        self.reported
    }

    /// Until when the version is awaited for the record of the board; none if it is not awaited.
    pub fn waits_for_version(&self) -> Option<Duration> {
        let until = self.began + VERSION;
        let waits = self.protocol.reports_version() && self.version.is_none() && self.link.now() < until;
        waits.then_some(until)
    }

    /// The board that reports.
    pub fn found(&self) -> FoundBoard {
        let board = self.link.number(None).unwrap_or(NUMBER);
        FoundBoard { board, version: self.version.clone(), mode: Some(self.protocol.mode()), serial: None }
    }

    /// Sends commands that are due, and appends the board's messages to `said`. Returns whether any came before `until` or a
    /// signal.
    pub fn next(&mut self, until: Duration, said: &mut Vec<Said>) -> Result<bool, Gone> {
        let mut bytes = Vec::new();
        loop {
            let due = self.due();
            let now = self.link.now();
            if due.is_some_and(|due| due <= now) {
                self.send()?;
                continue;
            }
            if now >= until || stop::requested().is_some() {
                return Ok(false);
            }
            let wake = until.min(now + PIECE);
            bytes.clear();
            if self.link.receive(&mut bytes, due.map_or(wake, |due| due.min(wake)))? == 0 {
                continue;
            }
            let before = said.len();
            self.protocol.take(&bytes, said);
            for said in &said[before..] {
                match said {
                    Said::Position(_) | Said::Unchanged => self.reported = self.link.now(),
                    Said::Version(version) => self.version = Some(version.clone()),
                    Said::Send(command) => self.commands.push_back(command),
                    Said::Again | Said::Event(_) => {}
                }
            }
            if said.len() > before {
                return Ok(true);
            }
        }
    }

    /// When the next command is to be sent.
    fn due(&self) -> Option<Duration> {
        if !self.commands.is_empty() {
            return Some(self.sent + SPACING);
        }
        let (_, after) = self.protocol.ask()?;
        // A lost board is asked less often.
        let is_lost = self.sent >= self.reported + SILENT;
        Some(self.reported.max(self.sent) + if is_lost { after.max(ASK_LOST) } else { after })
    }

    fn send(&mut self) -> Result<(), Gone> {
        if self.commands.is_empty() {
            self.commands.extend(self.protocol.ask().into_iter().flat_map(|(commands, _)| commands));
        }
        if let Some(command) = self.commands.pop_front() {
            self.link.send(command)?;
        }
        self.sent = self.link.now();
        Ok(())
    }
}

/// The number of a board to which the user gave none.
const NUMBER: u16 = 1;
