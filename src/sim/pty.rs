//! The end of the line: a pseudo-terminal that programs open as if it were a serial port.
//!
//! Clients come and go; the simulator holds a slave end of its own, so that the line never hangs up, and takes back
//! the exclusive use that a killed client leaves on it. The only room of `sim` with I/O and the machine's time.

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

/// How often the exclusive use of clients that were killed is taken back, and how long a wait is at most.
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
    /// Opens one, raw, and makes `link` point to it; a link that is there already is replaced, a file is not.
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

    /// What clients are to open: the link, or the device.
    pub fn name(&self) -> &Path {
        self.link.as_deref().unwrap_or(&self.path)
    }

    /// Sends to the client; what it does not take is lost, as on a wire.
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

    /// What the client has sent; empty when it has sent nothing.
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

    /// Lets everybody open it, whoever was killed while using it alone.
    fn tick(&self) {
        // Nothing is lost where this cannot be done: clients then find the port busy, as on a real one.
        let _ = ioctl_tiocnxcl(&self.slave);
    }
}

impl Drop for Pty {
    fn drop(&mut self) {
        // Somebody else's link, made in the meantime, is left alone.
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
    // That of a serial port that nobody has set up.
    termios.set_speed(9600)?;
    tcsetattr(&slave, OptionalActions::Now, &termios)?;
    rustix::io::ioctl_fionbio(&master, true)?;
    Ok((master, slave, path))
}

/// How late a turn of the line may come before the host can notice. A host waits 80 ms, and boards take up to 20 of
/// them; of the rest a late turn can take a part twice, before the command is read and before it is answered.
const LATE: Micros = 20_000;

/// What a line is played on.
#[derive(Debug)]
pub enum Outlet {
    /// A pseudo-terminal.
    Terminal(Pty),
    /// A socket that stands for a hidraw device.
    Reports(HidSocket),
}

impl Outlet {
    /// Opens what this line needs, with that link; a socket cannot be without one.
    fn open(line: &SharedLine, link: Option<&Path>) -> Result<Outlet> {
        match (line.speed(), link) {
            (0, Some(path)) => HidSocket::open(path).map(Outlet::Reports),
            (0, None) => Err(Error::Usage("a board whose device carries reports: give --link PATH".into())),
            _ => Pty::open(link).map(Outlet::Terminal),
        }
    }

    /// What clients are to open.
    pub fn name(&self) -> &Path {
        match self {
            Outlet::Terminal(pty) => pty.name(),
            Outlet::Reports(socket) => socket.path(),
        }
    }

    /// Hands over what the line brings now.
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

    /// Now and then: who may open it, and how it is read.
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

/// Plays a line on a pseudo-terminal, or what else it needs, until `done` says so or a signal asks to stop.
///
/// `done` is asked at every turn with the line, its time, and how long a machine that was busy elsewhere kept the
/// line waiting, where that was too long. `unplugged` are the times at which the adapter is pulled out and put back.
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
        // Counted from the beginning of this turn, or what a busy disk kept it waiting for would be nobody's fault.
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
    fn long_turns_are_late_too() {
        let mut line = SharedLine::new(Vec::new(), 9600, LineFaults::default(), Random::part(1, 0));
        let mut turns = Vec::new();
        let slow = |_: &mut SharedLine, _, late| {
            turns.push(late);
            if turns.len() == 1 {
                // As a disk that is busy may take.
                std::thread::sleep(Duration::from_millis(60));
            }
            Ok(turns.len() == 2)
        };
        serve(&mut line, None, &[], |_| (), slow).unwrap();
        assert!(turns[1].is_some_and(|late| late >= 50_000), "{turns:?}");
    }
}
