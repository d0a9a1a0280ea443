//! Signals to one flag: SIGINT, SIGTERM and SIGHUP ask the process to finish what is in hand and end; SIGHUP not where it was
//! started to outlive its terminal, as `nohup` does it.
//!
//! The first signal ends every command within a second, so nothing may wait where a signal is not heard. Anybody may
//! ask [`requested`]. Whoever waits for input waits in [`wait`], whoever hands something to a reader in
//! [`until_writable`], and whoever opens what may be a named pipe does it with [`open`]. A second signal of the same kind
//! ends the process at once.

use std::{
    fs::{self, File, OpenOptions},
    io,
    os::{
        fd::{AsFd, BorrowedFd},
        unix::{
            fs::{FileTypeExt, OpenOptionsExt},
            net::UnixStream,
        },
    },
    path::Path,
    sync::{
        Arc, OnceLock,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use rustix::{
    event::{PollFd, PollFlags, Timespec, poll},
    fs::OFlags,
    io::{Errno, ioctl_fionbio},
};
use signal_hook::{
    SigId,
    consts::{SIGHUP, SIGINT, SIGTERM},
};

struct Stop {
    signal: Arc<AtomicUsize>,
    woken: UnixStream,
    /// What SIGHUP does.
    on_hangup: Vec<SigId>,
}

/// What SIGHUP means to a process that keeps files.
struct Hangup {
    came: Arc<AtomicBool>,
    /// Whether it was started on a terminal, and ends with it.
    terminal: bool,
}

static STOP: OnceLock<Stop> = OnceLock::new();
static HANGUP: OnceLock<Hangup> = OnceLock::new();
/// When somebody who writes first heard of the signal.
static HEARD: OnceLock<Instant> = OnceLock::new();

/// How long a reader that does not read is waited for when a signal has come.
const LAST_WRITES: Duration = Duration::from_millis(500);
/// How often a named pipe is looked at that nobody reads yet.
const LOOK: Duration = Duration::from_millis(50);

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
    let mut stop = Stop { signal: Arc::new(AtomicUsize::new(0)), woken, on_hangup: Vec::new() };
    for signal in [SIGINT, SIGTERM, SIGHUP] {
        if signal == SIGHUP && is_ignored(signal) {
            continue;
        }
        let again = Arc::new(AtomicBool::new(false));
        // Handlers run in the order of registration: the first signal finds `again` still false.
        let ids = [
            signal_hook::flag::register_conditional_default(signal, again.clone())?,
            signal_hook::flag::register(signal, again)?,
            signal_hook::flag::register_usize(signal, stop.signal.clone(), signal as usize)?,
            signal_hook::low_level::pipe::register(signal, waker.try_clone()?)?,
        ];
        if signal == SIGHUP {
            stop.on_hangup.extend(ids);
        }
    }
    let _ = STOP.set(stop);
    Ok(())
}

/// From now on SIGHUP asks for new files, which [`new_files_wanted`] tells; it stops the process only where the terminal
/// has gone on which that was started.
pub fn keep_files() -> io::Result<()> {
    let came = Arc::new(AtomicBool::new(false));
    // It was started to outlive its terminal, or on none.
    let terminal = !is_ignored(SIGHUP) && has_terminal();
    signal_hook::flag::register(SIGHUP, came.clone())?;
    for &id in STOP.get().iter().flat_map(|stop| &stop.on_hangup) {
        signal_hook::low_level::unregister(id);
    }
    let _ = HANGUP.set(Hangup { came, terminal });
    Ok(())
}

/// Whether a signal is ignored by now, where the system says so (proc(5)).
fn is_ignored(signal: i32) -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.and_then(|bits| u64::from_str_radix(bits.trim(), 16).ok());
    ignored.is_some_and(|bits| bits >> (signal - 1) & 1 != 0)
}

/// Whether SIGHUP came since this was last asked.
pub fn new_files_wanted() -> bool {
    let Some(hangup) = HANGUP.get().filter(|hangup| hangup.came.swap(false, Ordering::Relaxed)) else {
        return false;
    };
    if hangup.terminal && !has_terminal() {
        if let Some(stop) = STOP.get() {
            stop.signal.store(SIGHUP as usize, Ordering::Relaxed);
        }
        return false;
    }
    true
}

fn has_terminal() -> bool {
    File::open("/dev/tty").is_ok()
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
    wait_for_any(fd.as_slice(), timeout)
}

/// The same for the first of several that can be read.
pub fn wait_for_any(fds: &[BorrowedFd<'_>], timeout: Option<Duration>) -> io::Result<Wake> {
    if requested().is_some() {
        return Ok(Wake::Stopped);
    }
    let mut fds: Vec<_> = fds.iter().map(|&fd| PollFd::from_borrowed_fd(fd, PollFlags::IN)).collect();
    if let Some(stop) = STOP.get() {
        fds.push(PollFd::from_borrowed_fd(stop.woken.as_fd(), PollFlags::IN));
    }
    let timeout = timeout.map(timespec);
    match poll(&mut fds, timeout.as_ref()) {
        Ok(0) => Ok(Wake::TimedOut),
        Ok(_) if requested().is_some() => Ok(Wake::Stopped),
        Ok(_) => Ok(Wake::Readable),
        Err(Errno::INTR) if requested().is_some() => Ok(Wake::Stopped),
        Err(Errno::INTR) => Ok(Wake::TimedOut),
        Err(errno) => Err(errno.into()),
    }
}

/// Whether `fd` can be read within `timeout`, whatever signals say.
pub fn readable_within(fd: BorrowedFd<'_>, timeout: Duration) -> io::Result<bool> {
    let mut fds = [PollFd::from_borrowed_fd(fd, PollFlags::IN)];
    loop {
        match poll(&mut fds, Some(&timespec(timeout))) {
            Err(Errno::INTR) => continue,
            result => return Ok(result? > 0),
        }
    }
}

/// Waits until something can be written to `fd`, or its reader has gone, which a write will tell.
///
/// # Errors
/// [`io::ErrorKind::BrokenPipe`] when a signal has come and the reader still does not read half a second later.
pub fn until_writable(fd: BorrowedFd<'_>) -> io::Result<()> {
    loop {
        let mut fds = vec![PollFd::from_borrowed_fd(fd, PollFlags::OUT)];
        let left = match requested() {
            Some(_) => Some(LAST_WRITES.saturating_sub(HEARD.get_or_init(Instant::now).elapsed())),
            None => {
                fds.extend(
                    STOP.get().map(|stop| PollFd::from_borrowed_fd(stop.woken.as_fd(), PollFlags::IN)),
                );
                None
            }
        };
        match poll(&mut fds, left.map(timespec).as_ref()) {
            Ok(0) => return Err(io::ErrorKind::BrokenPipe.into()),
            Ok(_) if !fds[0].revents().is_empty() => return Ok(()),
            Ok(_) | Err(Errno::INTR) => {}
            Err(errno) => return Err(errno.into()),
        }
    }
}

/// Opens a file. A named pipe whose other end nobody has opened yet is waited for until a signal comes: for writing
/// here, for reading in [`wait`].
///
/// # Errors
/// [`io::ErrorKind::Interrupted`] when a signal came first; what the system says.
pub fn open(path: &Path, options: &OpenOptions) -> io::Result<File> {
    if !fs::metadata(path).is_ok_and(|data| data.file_type().is_fifo()) {
        return options.open(path);
    }
    let mut options = options.clone();
    options.custom_flags(OFlags::NONBLOCK.bits() as i32);
    loop {
        match options.open(path) {
            // Nobody reads it yet.
            Err(e) if e.raw_os_error() == Some(Errno::NXIO.raw_os_error()) => {
                if wait(None, Some(LOOK))? == Wake::Stopped {
                    let why = "a signal came before anybody opened it to read";
                    return Err(io::Error::new(io::ErrorKind::Interrupted, why));
                }
            }
            opened => {
                let file = opened?;
                ioctl_fionbio(&file, false)?;
                return Ok(file);
            }
        }
    }
}

fn timespec(duration: Duration) -> Timespec {
    Timespec { tv_sec: duration.as_secs() as _, tv_nsec: duration.subsec_nanos() as _ }
}
