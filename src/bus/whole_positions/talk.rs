//! Commands out, reports in, for any make that reports whole positions: when what is sent, and what came.

use std::{collections::VecDeque, time::Duration};

use super::{
    follower::SILENT,
    protocol::{Protocol, Said},
};
use crate::{
    bus::{FoundBoard, Gone, Link},
    stop,
};

/// Boards are left so long between two commands: the makers of Chessnut's do the same.
const SPACING: Duration = Duration::from_millis(200);
/// How long the answer with the version is waited for; not every firmware gives one.
const VERSION: Duration = Duration::from_millis(700);
/// A board that is lost is asked this often at most.
const ASK_LOST: Duration = Duration::from_secs(1);
/// Signals are looked at so often.
const PIECE: Duration = Duration::from_millis(100);

/// A link to a board that reports whole positions.
pub struct Talk<L, P> {
    /// The link under it.
    pub link: L,
    protocol: P,
    /// What waits to be sent.
    commands: VecDeque<&'static [u8]>,
    /// When something was sent, or the talk began.
    sent: Duration,
    /// When the talk began.
    began: Duration,
    /// When the last report came, or the talk began.
    reported: Duration,
    /// What the board reported of its firmware.
    version: Option<String>,
}

impl<L: Link, P: Protocol> Talk<L, P> {
    /// Whoever is on this link; nothing is sent yet.
    pub fn new(link: L, protocol: P) -> Talk<L, P> {
        let now = link.now();
        let commands = VecDeque::new();
        Talk { link, protocol, commands, sent: now, began: now, reported: now, version: None }
    }

    /// Speaks to the board from the beginning.
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

    /// From here on the board may be set up for good.
    pub fn configure(&mut self) {
        self.protocol.configure();
    }

    /// The board has lost what it was sent, and is there again.
    pub fn start_again(&mut self) {
        self.commands = self.protocol.start().into();
    }

    /// When the last report came, or the talk began.
    pub fn reported(&self) -> Duration {
        self.reported
    }

    /// Until when a version may still come, which is to be in the record of the board.
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

    /// Sends what is due and adds what the board says. Whether it said something before `until`, or a signal came.
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
        // A board that is lost is asked less often.
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
