//! Signals as one flag: SIGINT, SIGTERM and SIGHUP ask the process to finish its work and end; SIGHUP not where the
//! process was started to outlive its terminal, as with `nohup`.
//!
//! The first signal ends every command within a second, so nothing may wait without checking for signals. Any room may
//! call [`requested`]. Code that waits for input uses [`wait`], code that writes to a reader [`until_writable`], and
//! code that opens a possible named pipe [`open`]. A second signal of the same kind ends the process at once.

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
    /// The handlers of SIGHUP.
    on_hangup: Vec<SigId>,
}

/// The meaning of SIGHUP for a process that keeps files.
struct Hangup {
    came: Arc<AtomicBool>,
    /// Whether it was started on a terminal, and ends with it.
    terminal: bool,
}

static STOP: OnceLock<Stop> = OnceLock::new();
static HANGUP: OnceLock<Hangup> = OnceLock::new();
/// The time at which a writer first detected the signal.
static HEARD: OnceLock<Instant> = OnceLock::new();

/// How long to wait for a reader that does not read after a signal.
const LAST_WRITES: Duration = Duration::from_millis(500);
/// How often to try a named pipe without a reader.
const LOOK: Duration = Duration::from_millis(50);

/// What ended a [`wait`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wake {
    /// The descriptor can be read (or its other end has gone, which a read will show).
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

/// From now on SIGHUP asks for new files, see [`new_files_wanted`]; it stops the process only if the terminal on which
/// that was started has gone.
pub fn keep_files() -> io::Result<()> {
    let came = Arc::new(AtomicBool::new(false));
    // It was started to outlive its terminal, or without one.
    let terminal = !is_ignored(SIGHUP) && has_terminal();
    signal_hook::flag::register(SIGHUP, came.clone())?;
    for &id in STOP.get().iter().flat_map(|stop| &stop.on_hangup) {
        signal_hook::low_level::unregister(id);
    }
    let _ = HANGUP.set(Hangup { came, terminal });
    Ok(())
}

/// Whether a signal is ignored at present, where the system shows that (proc(5)).
fn is_ignored(signal: i32) -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.and_then(|bits| u64::from_str_radix(bits.trim(), 16).ok());
    ignored.is_some_and(|bits| bits >> (signal - 1) & 1 != 0)
}

/// Whether SIGHUP came since the last call.
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

/// The same for the first readable one of several.
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

/// Whether `fd` can be read within `timeout`, regardless of signals.
pub fn readable_within(fd: BorrowedFd<'_>, timeout: Duration) -> io::Result<bool> {
    let mut fds = [PollFd::from_borrowed_fd(fd, PollFlags::IN)];
    loop {
        match poll(&mut fds, Some(&timespec(timeout))) {
            Err(Errno::INTR) => continue,
            result => return Ok(result? > 0),
        }
    }
}

/// Waits until `fd` can be written to, or its reader has gone, which a write will show.
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

/// Opens a file. A named pipe without another end is waited for until a signal comes: for writing here, for reading in
/// [`wait`].
///
/// # Errors
/// [`io::ErrorKind::Interrupted`] when a signal came first; otherwise the system's error.
pub fn open(path: &Path, options: &OpenOptions) -> io::Result<File> {
    if !fs::metadata(path).is_ok_and(|data| data.file_type().is_fifo()) {
        return options.open(path);
    }
    let mut options = options.clone();
    options.custom_flags(OFlags::NONBLOCK.bits() as i32);
    loop {
        match options.open(path) {
            // It has no reader yet.
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
