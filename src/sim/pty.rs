//! The end of the line: a pseudo-terminal that programs open like a serial port.
//!
//! Clients come and go. The simulator holds a slave end itself, so that the line never hangs up, and removes the exclusive
//! mode that a killed client leaves on it. The only part of `sim` with the machine's time, and with `hid_socket` the only one
//! with I/O.

use std::{
    fs, io,
    os::{
        fd::{AsFd, BorrowedFd, OwnedFd},
        unix::{ffi::OsStringExt, fs::symlink},
    },
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use rustix::{
    io::Errno,
    pty::{OpenptFlags, grantpt, ioctl_tiocgptpeer, openpt, ptsname, unlockpt},
    termios::{OptionalActions, ioctl_tiocnxcl, tcgetattr, tcsetattr},
};

use super::{Micros, hid_socket::HidSocket, shared_line::SharedLine};
use crate::{
    error::{Error, Result},
    stop::{self, Wake},
};

/// How often the exclusive mode of killed clients is removed, and the longest single wait.
const TICK: Duration = Duration::from_millis(10);

/// A pseudo-terminal, and a symbolic link to it if one was asked for.
#[derive(Debug)]
pub struct Pty {
    master: OwnedFd,
    slave: OwnedFd,
    path: PathBuf,
    link: Option<PathBuf>,
}

impl Pty {
    /// Opens a pseudo-terminal in raw mode, and makes `link` point to it. An existing link is replaced, a file is not.
    pub fn open(link: Option<&Path>) -> Result<Pty> {
        let (master, slave, path) = pair().map_err(|e| Error::io("pseudo-terminal", e))?;
        if let Some(link) = link {
            if fs::symlink_metadata(link).is_ok_and(|there| there.file_type().is_symlink()) {
                fs::remove_file(link).map_err(|e| Error::io(link.display(), e))?;
            }
            symlink(&path, link).map_err(|e| Error::io(link.display(), e))?;
        }
        Ok(Pty { master, slave, path, link: link.map(Path::to_owned) })
    }

    /// The device.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The path that clients open: the link, or the device.
    pub fn name(&self) -> &Path {
        self.link.as_deref().unwrap_or(&self.path)
    }

    /// Sends to the client; bytes that it does not take are lost, as on a wire.
    fn write(&self, mut bytes: &[u8]) -> Result<()> {
        while !bytes.is_empty() {
            match rustix::io::write(&self.master, bytes) {
                Ok(n) => bytes = &bytes[n..],
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => return Ok(()),
                Err(e) => return Err(Error::io(self.path.display(), e.into())),
            }
        }
        Ok(())
    }

    /// Takes the bytes that the client has sent.
    fn read(&self) -> Result<Vec<u8>> {
        let mut buffer = [0; 4096];
        match rustix::io::read(&self.master, &mut buffer) {
            Ok(n) => Ok(buffer[..n].to_vec()),
            Err(Errno::INTR | Errno::AGAIN | Errno::IO) => Ok(Vec::new()),
            Err(e) => Err(Error::io(self.path.display(), e.into())),
        }
    }

    /// The speed that the client has set.
    fn speed(&self) -> Option<u32> {
        tcgetattr(&self.slave).ok().map(|settings| settings.output_speed())
    }

    /// Removes the exclusive mode, which a killed client may have left.
    fn tick(&self) {
        // If this fails, clients find the port busy, as a real one may be.
        let _ = ioctl_tiocnxcl(&self.slave);
    }
}

impl Drop for Pty {
    fn drop(&mut self) {
        // A link that another program made meanwhile is not removed.
        if let Some(link) = &self.link
            && fs::read_link(link).is_ok_and(|to| to == self.path)
        {
            let _ = fs::remove_file(link);
        }
    }
}

fn pair() -> io::Result<(OwnedFd, OwnedFd, PathBuf)> {
    let flags = OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC;
    let master = openpt(flags)?;
    grantpt(&master)?;
    unlockpt(&master)?;
    let path = PathBuf::from(std::ffi::OsString::from_vec(ptsname(&master, Vec::new())?.into_bytes()));
    let slave = ioctl_tiocgptpeer(&master, flags)?;
    let mut termios = tcgetattr(&slave)?;
    termios.make_raw();
    // The speed of a serial port before any program sets it.
    termios.set_speed(9600)?;
    tcsetattr(&slave, OptionalActions::Now, &termios)?;
    rustix::io::ioctl_fionbio(&master, true)?;
    Ok((master, slave, path))
}

/// How late a turn of the line may be without consequences for the host. Of its time-out of 80 ms boards take up to 20 ms; a
/// late turn may delay the command and then the answer.
const LATE: Micros = 20_000;

/// The end of the line for a host.
#[derive(Debug)]
pub enum Outlet {
    /// A pseudo-terminal.
    Terminal(Pty),
    /// A socket in place of a hidraw device.
    Reports(HidSocket),
}

impl Outlet {
    /// Opens the end that this line needs, at that link; a socket needs a path.
    fn open(line: &SharedLine, link: Option<&Path>) -> Result<Outlet> {
        match (line.speed(), link) {
            (0, Some(path)) => HidSocket::open(path).map(Outlet::Reports),
            (0, None) => Err(Error::Usage("a board whose device carries reports: give --link PATH".into())),
            _ => Pty::open(link).map(Outlet::Terminal),
        }
    }

    /// The path that clients open.
    pub fn name(&self) -> &Path {
        match self {
            Outlet::Terminal(pty) => pty.name(),
            Outlet::Reports(socket) => socket.path(),
        }
    }

    /// Writes the bytes or reports of the line.
    fn write(&mut self, line: &mut SharedLine, bytes: &[u8]) -> Result<()> {
        match self {
            Outlet::Terminal(pty) => pty.write(bytes)?,
            Outlet::Reports(socket) => {
                while let Some(report) = line.next_report() {
                    socket.write(&report);
                }
            }
        }
        Ok(())
    }

    fn read(&mut self) -> Result<Vec<u8>> {
        match self {
            Outlet::Terminal(pty) => pty.read(),
            Outlet::Reports(socket) => Ok(socket.read()),
        }
    }

    /// Removes the exclusive mode, and updates the speed of the host.
    fn tick(&mut self, line: &mut SharedLine) {
        match self {
            Outlet::Terminal(pty) => {
                pty.tick();
                line.host_reads_at(pty.speed());
            }
            Outlet::Reports(socket) => {
                if socket.is_read() {
                    line.host_reads_at(None);
                }
            }
        }
    }

    fn fd(&self) -> BorrowedFd<'_> {
        match self {
            Outlet::Terminal(pty) => pty.master.as_fd(),
            Outlet::Reports(socket) => socket.fd(),
        }
    }
}

/// Plays a line on its outlet until `done` returns true or a signal comes.
///
/// `done` is called at every turn with the line, its time, and by how much the turn was late, if it was later than [`LATE`].
/// `unplugged` are the times at which the adapter is pulled out and put back.
pub fn serve(
    line: &mut SharedLine,
    link: Option<&Path>,
    unplugged: &[(Micros, Micros)],
    mut opened: impl FnMut(&Outlet),
    mut done: impl FnMut(&mut SharedLine, Micros, Option<Micros>) -> Result<bool>,
) -> Result<()> {
    let began = Instant::now();
    let now = || Micros::try_from(began.elapsed().as_micros()).unwrap_or(Micros::MAX);
    let mut outlet = Some(Outlet::open(line, link)?);
    outlet.iter().for_each(&mut opened);
    let mut ticked = Instant::now();
    let mut due = Micros::MAX;
    loop {
        let time = now();
        let late = time.checked_sub(due).filter(|late| *late > LATE);
        let out = unplugged.iter().any(|(from, to)| (*from..*to).contains(&time));
        match (&outlet, out) {
            (Some(_), true) => {
                outlet = None;
                line.unplug();
            }
            (None, false) => {
                outlet = Some(Outlet::open(line, link)?);
                outlet.iter().for_each(&mut opened);
            }
            _ => {}
        }
        let bytes = line.step(time);
        if let Some(outlet) = &mut outlet {
            outlet.write(line, &bytes)?;
        }
        if done(line, time, late)? {
            return Ok(());
        }
        if ticked.elapsed() >= TICK {
            outlet.iter_mut().for_each(|outlet| outlet.tick(line));
            ticked = Instant::now();
        }
        // Measured from the beginning of this turn, so that delays within the turn, as by a busy disk, count.
        due = line.next_at().unwrap_or(Micros::MAX).min(time + TICK.as_micros() as Micros);
        let wait = Duration::from_micros(due.saturating_sub(now()));
        let fd = outlet.as_ref().map(Outlet::fd);
        match stop::wait(fd, Some(wait)).map_err(|e| Error::io("pseudo-terminal", e))? {
            Wake::Readable => {
                if let Some(outlet) = &mut outlet {
                    outlet.tick(line);
                    let bytes = outlet.read()?;
                    line.host_sends(now(), &bytes);
                }
            }
            Wake::TimedOut => {}
            Wake::Stopped => return Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::{random::Random, shared_line::LineFaults};

    #[test]
    fn a_long_turn_counts_as_late() {
        let mut line = SharedLine::new(Vec::new(), 9600, LineFaults::default(), Random::part(1, 0));
        let mut turns = Vec::new();
        let slow = |_: &mut SharedLine, _, late| {
            turns.push(late);
            if turns.len() == 1 {
                // The delay of a busy disk.
                std::thread::sleep(Duration::from_millis(60));
            }
            Ok(turns.len() == 2)
        };
        serve(&mut line, None, &[], |_| (), slow).unwrap();
        assert!(turns[1].is_some_and(|late| late >= 50_000), "{turns:?}");
    }
}
