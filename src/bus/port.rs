//! The port of a line: a serial port or a hidraw device of this machine, or a port that a serial server offers on the network.
//!
//! Errors of the system about a port that is absent, busy, forbidden or gone become one line with advice. [`serial`],
//! [`network`] and [`reports`] implement the three kinds; [`adapters`] finds adapters by their chips. This file has the common
//! part: time, the capture, and waits that signals can end.

use std::{
    fs,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use super::{
    Gone, Link,
    capture::Capture,
    link::{Levels, LinkKind, PortSetup, UsbId},
};
use crate::{
    capture::Direction,
    error::{Error, Result},
    record::{Chips, Time},
    stop,
};

mod adapters;
mod device;
mod hidraw;
mod network;
mod reports;
mod serial;
mod usb;

pub use adapters::{Adapter, all_adapters, lasting_name, only_adapter};
use device::Device;

/// The longest single wait: another thread may receive the signal, which then does not end a wait here.
const PIECE: Duration = Duration::from_millis(100);

/// The prefix of a port on the network: `tcp://host:port`.
pub const NETWORK: &str = "tcp://";

/// The settings with which a port is opened, before its make is known.
const LISTENING: PortSetup = PortSetup { baud: 9600, lines: Levels::Low };

/// A port.
pub struct Port {
    path: PathBuf,
    name: String,
    /// The time-out of answers, if the user set it.
    patience: Option<Duration>,
    device: Option<Box<dyn Device>>,
    /// The settings of its make.
    setup: PortSetup,
    /// The levels that the user gave.
    lines: Option<Levels>,
    usb_id: Option<UsbId>,
    /// Where the system describes its devices: `/sys`.
    system: PathBuf,
    /// The lasting names of a hidraw device.
    hidraw: Option<hidraw::Names>,
    /// The identity of the device that is open, and that of the device that was listened to last.
    identity: Option<String>,
    settled: Option<String>,
    /// The numbers of boards alone, by port or serial number.
    numbers: Vec<(String, u16)>,
    /// The pieces of chips that the user gave.
    pieces: Chips,
    began: Instant,
    /// When the last bytes were received or sent.
    heard: Time,
    capture: Option<Capture>,
}

impl Port {
    /// Opens it for exclusive use.
    ///
    /// # Errors
    /// [`Error::Port`] when it is absent, busy, forbidden or no serial port.
    pub fn opened(mut self) -> Result<Port> {
        self.reopen()?;
        Ok(self)
    }

    /// A port that is not open yet: [`Gone`] until it is [reopened](Link::reopen). `capture` receives every byte in both
    /// directions.
    pub fn closed(path: &Path, patience: Option<Duration>, capture: Option<Capture>) -> Port {
        let name = path.display().to_string();
        Port {
            path: path.to_owned(),
            name,
            patience,
            device: None,
            setup: LISTENING,
            lines: None,
            usb_id: None,
            system: "/sys".into(),
            hidraw: None,
            identity: None,
            settled: None,
            numbers: Vec::new(),
            pieces: Chips::default(),
            began: Instant::now(),
            heard: Time::now(),
            capture,
        }
    }

    /// Keeps DTR and RTS at these levels for every make.
    pub fn with_lines(mut self, lines: Option<Levels>) -> Port {
        self.lines = lines;
        self
    }

    /// Sets the numbers that the user gave boards alone: each with its port, or its serial number.
    pub fn with_numbers(mut self, numbers: Vec<(String, u16)>) -> Port {
        self.numbers = numbers;
        self
    }

    /// Sets the pieces of known chips, for boards that report chips.
    pub fn with_pieces(mut self, pieces: Chips) -> Port {
        self.pieces = pieces;
        self
    }

    /// The path of the device: a hidraw device that was there before may have another number now. A link leads to it anyway.
    fn path_now(&mut self) -> Result<PathBuf, String> {
        let is_link = fs::symlink_metadata(&self.path).is_ok_and(|path| path.is_symlink());
        match self.hidraw.as_mut().filter(|_| !is_link) {
            Some(names) => names.device(&self.system, &self.path),
            None => Ok(self.path.clone()),
        }
    }

    fn wanted(&self) -> PortSetup {
        PortSetup { lines: self.lines.unwrap_or(self.setup.lines), ..self.setup }
    }

    fn device(&mut self) -> Result<&mut (dyn Device + 'static), Gone> {
        self.device.as_deref_mut().ok_or_else(|| Gone("closed".into()))
    }

    fn keep(&mut self, direction: Direction, bytes: &[u8]) {
        self.heard = Time::now();
        if let Some(capture) = &mut self.capture {
            capture.keep(self.heard, direction, bytes);
        }
    }
}

impl Link for Port {
    fn now(&self) -> Duration {
        self.began.elapsed()
    }

    fn time(&self) -> Time {
        Time::now()
    }

    fn heard(&self) -> Time {
        self.heard
    }

    fn name(&self) -> &str {
        &self.name
    }

    fn patience(&self) -> Option<Duration> {
        self.patience
    }

    /// A port may be named by any of the links to its device, a hidraw device by what the system calls its place and board.
    fn number(&self, serial: Option<&str>) -> Option<u16> {
        let same = |name: &str| {
            let device = fs::canonicalize(&self.path).ok();
            let names = self.hidraw.as_ref();
            name == self.name
                || names.is_some_and(|names| names.contain(name))
                || device.is_some() && fs::canonicalize(name).ok() == device
        };
        let named = |name: &str| serial.is_some_and(|serial| serial == name) || same(name);
        self.numbers.iter().find(|(name, _)| named(name)).map(|&(_, number)| number)
    }

    fn kind(&self) -> LinkKind {
        self.device.as_ref().map_or(LinkKind::Stream, |device| device.kind())
    }

    fn usb_id(&self) -> Option<UsbId> {
        self.usb_id
    }

    fn is_another_device(&self) -> bool {
        self.identity.is_some() && self.identity != self.settled
    }

    fn settle(&mut self) {
        self.settled = self.identity.clone();
    }

    fn pieces(&self) -> Chips {
        self.pieces.clone()
    }

    fn set_up(&mut self, setup: PortSetup) -> Result<(), Gone> {
        self.setup = setup;
        let wanted = self.wanted();
        self.device()?.set_up(wanted)
    }

    fn send(&mut self, bytes: &[u8]) -> Result<(), Gone> {
        let mut rest = bytes;
        let device = self.device()?;
        while !rest.is_empty() {
            rest = &rest[device.send(rest)?..];
        }
        self.keep(Direction::ToBoards, bytes);
        Ok(())
    }

    fn receive(&mut self, into: &mut Vec<u8>, until: Duration) -> Result<usize, Gone> {
        let mut block = [0; 512];
        loop {
            let left = until.saturating_sub(self.now());
            let n = self.device()?.receive(&mut block, left)?;
            if n > 0 {
                into.extend_from_slice(&block[..n]);
                self.keep(Direction::FromBoards, &block[..n]);
                return Ok(n);
            }
            if self.now() >= until {
                return Ok(0);
            }
        }
    }

    fn pause(&mut self, until: Duration) {
        while stop::requested().is_none() {
            let left = until.saturating_sub(self.now());
            if left.is_zero() || stop::wait(None, Some(left.min(PIECE))).is_err() {
                return;
            }
        }
    }

    fn reopen(&mut self) -> Result<()> {
        // Closed first, or our own lock would make a device busy that came back under its old name.
        self.device = None;
        let path = self.path_now().map_err(|problem| Error::port(&self.name, problem))?;
        let name = path.to_string_lossy();
        let opened = match name.strip_prefix(NETWORK) {
            Some(server) => network::open(server),
            None if reports::are_read_from(&path) => reports::open(&path),
            None => serial::open(&path, self.wanted()),
        };
        self.device = Some(opened.map_err(|problem| Error::port(&self.name, problem))?);
        self.usb_id = usb::id(&self.system, &path);
        self.identity = usb::identity(&self.system, &path);
        self.hidraw = hidraw::Names::of(&self.system, &path);
        Ok(())
    }
}
