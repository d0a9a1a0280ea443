//! Signals to one flag: SIGINT, SIGTERM and SIGHUP ask the process to finish what is in hand and end.
//!
//! Anybody may ask [`requested`]. Whoever waits for input waits in [`wait`], so that a signal ends the wait.
//! A second signal of the same kind ends the process at once.

use std::{
    io,
    os::{
        fd::{AsFd, BorrowedFd},
        unix::net::UnixStream,
    },
    sync::{
        Arc, OnceLock,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::Duration,
};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

struct Stop {
    signal: Arc<AtomicUsize>,
    woken: UnixStream,
}

static STOP: OnceLock<Stop> = OnceLock::new();

/// What ended a [`wait`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wake {
    /// The descriptor can be read (or its other end has gone, which a read will tell).
    Readable,
    /// A signal asks to stop.
    Stopped,
    /// The time is over.
    TimedOut,
}

/// Installs the handlers; `main` calls it once.
pub fn install() -> io::Result<()> {
    let (woken, waker) = UnixStream::pair()?;
    let stop = Stop { signal: Arc::new(AtomicUsize::new(0)), woken };
    for signal in [SIGINT, SIGTERM, SIGHUP] {
        let again = Arc::new(AtomicBool::new(false));
        // Handlers run in the order of registration: the first signal finds `again` still false.
        signal_hook::flag::register_conditional_default(signal, again.clone())?;
        signal_hook::flag::register(signal, again)?;
        signal_hook::flag::register_usize(signal, stop.signal.clone(), signal as usize)?;
        signal_hook::low_level::pipe::register(signal, waker.try_clone()?)?;
    }
    let _ = STOP.set(stop);
    Ok(())
}

/// The signal that asked this process to stop, if one did.
pub fn requested() -> Option<i32> {
    let signal = STOP.get()?.signal.load(Ordering::Relaxed);
    (signal != 0).then_some(signal as i32)
}

/// Ends the process by `signal`, as if it had never been handled.
pub fn end_by(signal: i32) -> ! {
    let _ = signal_hook::low_level::emulate_default_handler(signal);
    std::process::exit(128 + signal)
}

/// Waits until `fd` can be read, a signal asks to stop, or `timeout` is over (none: for ever).
/// With no `fd` it is a sleep that a signal ends.
pub fn wait(fd: Option<BorrowedFd<'_>>, timeout: Option<Duration>) -> io::Result<Wake> {
    if requested().is_some() {
        return Ok(Wake::Stopped);
    }
    let mut fds = Vec::with_capacity(2);
    fds.extend(fd.map(|fd| PollFd::from_borrowed_fd(fd, PollFlags::IN)));
    if let Some(stop) = STOP.get() {
        fds.push(PollFd::from_borrowed_fd(stop.woken.as_fd(), PollFlags::IN));
    }
    let timeout = timeout.map(timespec);
    match poll(&mut fds, timeout.as_ref()) {
        Ok(0) => Ok(Wake::TimedOut),
        Ok(_) if requested().is_some() => Ok(Wake::Stopped),
        Ok(_) => Ok(Wake::Readable),
        Err(rustix::io::Errno::INTR) if requested().is_some() => Ok(Wake::Stopped),
        Err(rustix::io::Errno::INTR) => Ok(Wake::TimedOut),
        Err(errno) => Err(errno.into()),
    }
}

/// Whether `fd` can be read within `timeout`, whatever signals say.
pub fn readable_within(fd: BorrowedFd<'_>, timeout: Duration) -> io::Result<bool> {
    let mut fds = [PollFd::from_borrowed_fd(fd, PollFlags::IN)];
    loop {
        match poll(&mut fds, Some(&timespec(timeout))) {
            Err(rustix::io::Errno::INTR) => continue,
            result => return Ok(result? > 0),
        }
    }
}

fn timespec(duration: Duration) -> Timespec {
    Timespec { tv_sec: duration.as_secs() as _, tv_nsec: duration.subsec_nanos() as _ }
}
