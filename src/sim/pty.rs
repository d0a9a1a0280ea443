//! The end of the line: a pseudo-terminal that programs open as if it were a serial port.
//!
//! Clients come and go; the simulator holds a slave end of its own, so that the line never hangs up, and takes back
//! the exclusive use that a killed client leaves on it. The only room of `sim` with I/O and the machine's time.

use std::{
    fs, io,
    os::{
        fd::{AsFd, OwnedFd},
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

use super::{Micros, shared_line::SharedLine};
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
    tcsetattr(&slave, OptionalActions::Now, &termios)?;
    rustix::io::ioctl_fionbio(&master, true)?;
    Ok((master, slave, path))
}

/// How late a turn of the line may come before the host can notice. A host waits 80 ms, and boards take up to 20 of
/// them; of the rest a late turn can take a part twice, before the command is read and before it is answered.
const LATE: Micros = 20_000;

/// Plays a line on a pseudo-terminal until `done` says so or a signal asks to stop.
///
/// `done` is asked at every turn with the line, its time, and how long a machine that was busy elsewhere kept the
/// line waiting, where that was too long. `unplugged` are the times at which the adapter is pulled out and put back.
pub fn serve(
    line: &mut SharedLine,
    link: Option<&Path>,
    unplugged: &[(Micros, Micros)],
    mut opened: impl FnMut(&Pty),
    mut done: impl FnMut(&mut SharedLine, Micros, Option<Micros>) -> Result<bool>,
) -> Result<()> {
    let began = Instant::now();
    let now = || Micros::try_from(began.elapsed().as_micros()).unwrap_or(Micros::MAX);
    let mut pty = Some(Pty::open(link)?);
    pty.iter().for_each(&mut opened);
    let mut ticked = Instant::now();
    let mut due = Micros::MAX;
    loop {
        let time = now();
        let late = time.checked_sub(due).filter(|late| *late > LATE);
        let out = unplugged.iter().any(|(from, to)| (*from..*to).contains(&time));
        match (&pty, out) {
            (Some(_), true) => {
                pty = None;
                line.unplug();
            }
            (None, false) => {
                pty = Some(Pty::open(link)?);
                pty.iter().for_each(&mut opened);
            }
            _ => {}
        }
        let bytes = line.step(time);
        if let Some(pty) = &pty {
            pty.write(&bytes)?;
        }
        if done(line, time, late)? {
            return Ok(());
        }
        if ticked.elapsed() >= TICK {
            pty.iter().for_each(Pty::tick);
            ticked = Instant::now();
        }
        // Counted from the beginning of this turn, or what a busy disk kept it waiting for would be nobody's fault.
        due = line.next_at().unwrap_or(Micros::MAX).min(time + TICK.as_micros() as Micros);
        let wait = Duration::from_micros(due.saturating_sub(now()));
        let fd = pty.as_ref().map(|pty| pty.master.as_fd());
        match stop::wait(fd, Some(wait)).map_err(|e| Error::io("pseudo-terminal", e))? {
            Wake::Readable => {
                if let Some(pty) = &pty {
                    let bytes = pty.read()?;
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
    fn a_turn_that_took_long_itself_is_late_as_well() {
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
