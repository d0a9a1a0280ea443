//! The terminal: raw and on its alternate screen while boards are shown, restored afterwards however that ends. For
//! [`show`] and [`dump`].
//!
//! [`show`]: super::show
//! [`dump`]: super::dump
//!
//! ratatui-core draws and finds the cells that changed; this file writes them, and reads keys.

mod keys;

use std::{
    fs::File,
    io::{self, IsTerminal, Read},
    os::{
        fd::{AsFd, OwnedFd},
        unix::net::UnixStream,
    },
    panic,
    sync::{
        Arc, Mutex, Once, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use ratatui_core::{
    buffer::{Buffer, Cell},
    layout::Rect,
    style::{Color, Modifier, Style},
};
use rustix::{
    event::{PollFd, PollFlags, Timespec, poll},
    termios::{LocalModes, OptionalActions, SpecialCodeIndex, Termios, tcgetattr, tcsetattr},
};
use signal_hook::{
    consts::{SIGABRT, SIGCONT, SIGQUIT, SIGTSTP},
    low_level::emulate_default_handler,
};

use self::keys::Typed;
use crate::{
    error::{Error, Result},
    screen::{Key, columns},
    stdio,
    stop::{self, Wake},
};

/// Switches to the alternate screen without a cursor and clears it; and back.
const ENTER: &str = "\x1b[?1049h\x1b[?25l\x1b[2J";
const LEAVE: &str = "\x1b[0m\x1b[?25h\x1b[?1049l";

/// Clears the screen, without colours.
const CLEAR: &str = "\x1b[0m\x1b[2J";
/// The key with which users redraw a screen on which another program wrote.
const CTRL_L: u8 = 0x0c;

/// The state of the terminal before; the first to end the display restores it.
static BEFORE: Mutex<Option<(OwnedFd, Termios)>> = Mutex::new(None);
static HOOK: Once = Once::new();

/// The terminal while a hall is shown.
pub struct Screen {
    keys: OwnedFd,
    typed: Typed,
    raw: Termios,
    /// The picture on the screen.
    shown: Buffer,
    /// SIGTSTP was received, from Ctrl-Z or another process.
    pause: Arc<AtomicBool>,
    /// The process was stopped, and continues.
    continued: Arc<AtomicBool>,
    /// SIGQUIT or SIGABRT was received, which by default would leave the terminal as it is.
    quit: Arc<AtomicBool>,
    /// Ends a wait for keys: see [`Screen::woken_by`].
    bell: Option<UnixStream>,
}

impl Screen {
    /// Takes over the terminal.
    ///
    /// # Errors
    /// [`Error::Io`] when there is none to read keys from.
    pub fn open() -> Result<Screen> {
        let failed = |e: io::Error| Error::io("the terminal", e);
        let stdin = io::stdin();
        let keys: OwnedFd = if stdin.is_terminal() {
            stdin.as_fd().try_clone_to_owned().map_err(failed)?
        } else {
            // Records come from standard input, so keys are read from the terminal itself.
            File::options().read(true).open("/dev/tty").map_err(failed)?.into()
        };
        let before = tcgetattr(&keys).map_err(|e| failed(e.into()))?;
        let mut raw = before.clone();
        // Ctrl-C stays a signal, which ends every command in the same way, and Ctrl-Z too, before which the screen is
        // restored. Ctrl-\ would leave the screen as it is.
        raw.local_modes -= LocalModes::ICANON | LocalModes::ECHO | LocalModes::IEXTEN;
        raw.special_codes[SpecialCodeIndex::VQUIT] = 0;
        raw.special_codes[SpecialCodeIndex::VMIN] = 0;
        raw.special_codes[SpecialCodeIndex::VTIME] = 0;
        let own = keys.try_clone().map_err(failed)?;
        *BEFORE.lock().unwrap_or_else(PoisonError::into_inner) = Some((own, before));
        HOOK.call_once(|| {
            let usual = panic::take_hook();
            panic::set_hook(Box::new(move |panic| {
                restore();
                usual(panic);
            }));
        });
        tcsetattr(&keys, OptionalActions::Now, &raw).map_err(|e| failed(e.into()))?;
        stdio::hold_words();
        let pause = Arc::new(AtomicBool::new(false));
        signal_hook::flag::register(SIGTSTP, pause.clone()).map_err(failed)?;
        let continued = Arc::new(AtomicBool::new(false));
        signal_hook::flag::register(SIGCONT, continued.clone()).map_err(failed)?;
        let quit = Arc::new(AtomicBool::new(false));
        for signal in [SIGQUIT, SIGABRT] {
            signal_hook::flag::register(signal, quit.clone()).map_err(failed)?;
        }
        let (typed, shown) = (Typed::default(), Buffer::empty(Rect::ZERO));
        let screen = Screen { keys, typed, raw, shown, pause, continued, quit, bell: None };
        write(ENTER.as_bytes())?;
        Ok(screen)
    }

    /// From now on a write to the other end of this socket ends a wait for keys: there is something new to draw.
    pub fn woken_by(&mut self, bell: UnixStream) -> Result<()> {
        bell.set_nonblocking(true).map_err(|e| Error::io("the terminal", e))?;
        self.bell = Some(bell);
        Ok(())
    }

    /// The current number of columns and rows.
    pub fn size(&self) -> Rect {
        window().unwrap_or(Rect::new(0, 0, 80, 24))
    }

    /// Whether the picture on the screen was drawn for another size.
    pub fn is_resized(&self, area: Rect) -> bool {
        *self.shown.area() != area
    }

    /// Whether the terminal has taken all output. Otherwise it gets nothing more: the next picture includes it.
    pub fn is_ready(&self) -> bool {
        let mut fds = [PollFd::from_borrowed_fd(rustix::stdio::stdout(), PollFlags::OUT)];
        let now = Timespec { tv_sec: 0, tv_nsec: 0 };
        poll(&mut fds, Some(&now)) != Ok(0)
    }

    /// Draws the whole picture again, since another program wrote on the screen.
    fn draw_again(&self) -> Result<()> {
        let mut text = String::from(CLEAR);
        changes(&Buffer::empty(*self.shown.area()), &self.shown, &mut text);
        write(text.as_bytes())
    }

    /// Writes the cells that changed.
    pub fn draw(&mut self, picture: Buffer) -> Result<()> {
        let mut text = String::new();
        if self.shown.area() != picture.area() {
            self.shown = Buffer::empty(*picture.area());
            text.push_str(CLEAR);
        }
        changes(&self.shown, &picture, &mut text);
        self.shown = picture;
        if text.is_empty() { Ok(()) } else { write(text.as_bytes()) }
    }

    /// Waits for keys, the bell, a signal, or this time; returns the keys. After the process was stopped, takes over
    /// the terminal again and draws the whole picture.
    pub fn keys(&mut self, wait: Duration) -> Result<Vec<Key>> {
        let failed = |e: io::Error| Error::io("the terminal", e);
        if self.pause.swap(false, Ordering::Relaxed) {
            put_back(BEFORE.lock().unwrap_or_else(PoisonError::into_inner).as_ref());
            // The process stops here until it gets SIGCONT.
            emulate_default_handler(SIGTSTP).map_err(failed)?;
            self.continued.store(true, Ordering::Relaxed);
        }
        if self.continued.swap(false, Ordering::Relaxed) {
            tcsetattr(&self.keys, OptionalActions::Now, &self.raw).map_err(|e| failed(e.into()))?;
            write(ENTER.as_bytes())?;
            self.draw_again()?;
        }
        if self.quit.load(Ordering::Relaxed) {
            return Ok(keys::QUIT.to_vec());
        }
        let fds: Vec<_> =
            [self.keys.as_fd()].into_iter().chain(self.bell.as_ref().map(AsFd::as_fd)).collect();
        let wait = self.typed.patience(Instant::now()).map_or(wait, |patience| wait.min(patience));
        match stop::wait_for_any(&fds, Some(wait)).map_err(failed)? {
            Wake::Stopped => return Err(Error::Stopped),
            Wake::TimedOut => return Ok(self.typed.no_more(Instant::now())),
            Wake::Readable if self.has_rung() => return Ok(self.typed.no_more(Instant::now())),
            Wake::Readable => {}
        }
        let mut bytes = [0; 256];
        match rustix::io::read(&self.keys, &mut bytes) {
            // The window was closed.
            Ok(0) | Err(rustix::io::Errno::IO) => Err(Error::ReaderGone),
            Ok(n) => {
                if bytes[..n].contains(&CTRL_L) {
                    self.draw_again()?;
                }
                Ok(self.typed.more(&bytes[..n], Instant::now()))
            }
            Err(rustix::io::Errno::INTR | rustix::io::Errno::AGAIN) => Ok(Vec::new()),
            Err(e) => Err(failed(e.into())),
        }
    }

    /// Whether the bell was rung since the last call, or is closed, and no key was pressed: reading keys would return
    /// nothing only where the window was closed.
    fn has_rung(&self) -> bool {
        let mut rung = [0; 64];
        let has_rung = self.bell.as_ref().is_some_and(|mut bell| bell.read(&mut rung).is_ok());
        has_rung && !stop::readable_within(self.keys.as_fd(), Duration::ZERO).unwrap_or(true)
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        restore();
    }
}

/// The columns and rows of the terminal on standard output, if it is one.
pub fn window() -> Option<Rect> {
    stdio::window().map(|(columns, rows)| Rect::new(0, 0, columns, rows))
}

/// Restores the terminal, once, and prints the messages that were delayed meanwhile.
fn restore() {
    let before = BEFORE.lock().unwrap_or_else(PoisonError::into_inner).take();
    if before.is_some() {
        put_back(before.as_ref());
        stdio::release_words();
    }
}

/// Leaves the alternate screen, and restores the terminal's state.
fn put_back(before: Option<&(OwnedFd, Termios)>) {
    if let Some((keys, before)) = before {
        let _ = write(LEAVE.as_bytes());
        let _ = tcsetattr(keys, OptionalActions::Now, before);
    }
}

fn write(bytes: &[u8]) -> Result<()> {
    let mut out = stdio::Output::stdout();
    out.text(bytes)?;
    out.flush()
}

/// Appends the text that changes a terminal from picture `from` to picture `to`.
fn changes(from: &Buffer, to: &Buffer, text: &mut String) {
    let (mut at, mut style) = (None, String::new());
    for (x, y, cell) in from.diff(to) {
        if at != Some((x, y)) {
            text.push_str(&format!("\x1b[{};{}H", y + 1, x + 1));
        }
        let now = rendition(cell.style());
        if style != now {
            text.push_str(&now);
            style = now;
        }
        text.push_str(cell.symbol());
        at = Some((x + 1, y));
    }
    if !style.is_empty() && style != PLAIN {
        text.push_str(PLAIN);
    }
}

/// Resets colours and bold.
const PLAIN: &str = "\x1b[0m";

/// A style as an escape sequence.
fn rendition(style: Style) -> String {
    let mut text = String::from("\x1b[0");
    for (modifier, code) in [(Modifier::BOLD, ";1"), (Modifier::REVERSED, ";7")] {
        if style.add_modifier.contains(modifier) {
            text.push_str(code);
        }
    }
    for (colour, ground) in [(style.fg, 38), (style.bg, 48)] {
        if let Some(Color::Indexed(n)) = colour {
            text.push_str(&format!(";{ground};5;{n}"));
        }
    }
    text.push('m');
    text
}

/// The picture as lines, without blanks at their ends and blank lines below.
pub fn text(cells: &Buffer, styled: bool) -> String {
    let area = cells.area();
    let mut lines = Vec::new();
    for y in area.top()..area.bottom() {
        let row: Vec<_> = (area.left()..area.right()).filter_map(|x| cells.cell((x, y))).collect();
        let is_blank = |cell: &Cell| cell.symbol() == " " && (!styled || cell.bg == Color::Reset);
        let end = row.iter().rposition(|cell| !is_blank(cell)).map_or(0, |last| last + 1);
        let (mut line, mut style) = (String::new(), None);
        // A wide sign covers the cell after it.
        let mut covered = 0;
        for cell in &row[..end] {
            if covered > 0 {
                covered -= 1;
                continue;
            }
            covered = columns(cell.symbol()).saturating_sub(1);
            if styled && style != Some(cell.style()) {
                style = Some(cell.style());
                line.push_str(&rendition(cell.style()));
            }
            line.push_str(cell.symbol());
        }
        if styled && style.is_some() {
            line.push_str("\x1b[0m");
        }
        lines.push(line);
    }
    let end = lines.iter().rposition(|line| !line.is_empty()).map_or(0, |last| last + 1);
    lines[..end].iter().map(|line| format!("{line}\n")).collect()
}

#[cfg(test)]
mod tests {
    use std::{
        io::Write,
        process::{Command, Stdio},
    };

    use rustix::pty::{OpenptFlags, grantpt, ioctl_tiocgptpeer, openpt, unlockpt};

    use super::*;

    /// A pseudo-terminal: its other end, and itself.
    fn terminal() -> (OwnedFd, OwnedFd) {
        let flags = OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC;
        let master = openpt(flags).unwrap();
        grantpt(&master).unwrap();
        unlockpt(&master).unwrap();
        let slave = ioctl_tiocgptpeer(&master, flags).unwrap();
        (master, slave)
    }

    #[test]
    fn signs_of_two_columns_get_no_space_in_text() {
        let mut cells = Buffer::empty(ratatui_core::layout::Rect::new(0, 0, 12, 1));
        cells.set_string(0, 0, "李超 a", Style::new());
        cells.set_string(8, 0, "|", Style::new());
        let shown = text(&cells, false);
        assert_eq!(shown, "李超 a  |\n");
        assert_eq!(columns(shown.trim_end()), 9);
    }

    #[test]
    fn news_ends_the_wait_for_keys() {
        const FOR_EVER: Duration = Duration::from_secs(3600);
        let (master, keys) = terminal();
        let mut raw = tcgetattr(&keys).unwrap();
        raw.make_raw();
        raw.special_codes[SpecialCodeIndex::VMIN] = 0;
        tcsetattr(&keys, OptionalActions::Now, &raw).unwrap();
        let (typed, pause, continued, quit, shown) = Default::default();
        let mut screen = Screen { keys, typed, raw, shown, pause, continued, quit, bell: None };
        let (mut bell, rung) = UnixStream::pair().unwrap();
        screen.woken_by(rung).unwrap();
        bell.write_all(&[0; 3]).unwrap();
        assert_eq!(screen.keys(FOR_EVER).unwrap(), []);
        bell.write_all(&[0]).unwrap();
        rustix::io::write(&master, b"/").unwrap();
        assert_eq!(screen.keys(FOR_EVER).unwrap(), [Key::Letter('/')]);
        // The bell is closed, but the window is open.
        drop(bell);
        assert_eq!(screen.keys(FOR_EVER).unwrap(), []);
    }

    #[test]
    fn panics_restore_the_terminal_and_are_printed_there() {
        // A panic restores the terminal of its process, so it is tried in another process of this same test.
        const PANICS: &str = "BOARDBUS_TEST_PANICS_ON_ITS_SCREEN";
        if std::env::var_os(PANICS).is_some() {
            let mut screen = Screen::open().unwrap();
            screen.draw(Buffer::empty(screen.size())).unwrap();
            stdio::say("a word that was held back");
            panic!("a board fell off the table");
        }
        let (master, slave) = terminal();
        let end = || Stdio::from(slave.try_clone().unwrap());
        let mut command = Command::new(std::env::current_exe().unwrap());
        let name = "commands::terminal::tests::panics_restore_the_terminal_and_are_printed_there";
        command.args(["--exact", name, "--nocapture"]).env(PANICS, "1");
        let status = command.stdin(end()).stdout(end()).stderr(end()).status().unwrap();
        assert!(!status.success());
        rustix::io::ioctl_fionbio(&master, true).unwrap();
        let (mut master, mut bytes) = (File::from(master), Vec::new());
        // The read ends with the error of a closed terminal.
        let _ = master.read_to_end(&mut bytes);
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let at = |what: &str| text.find(what).unwrap_or_else(|| panic!("{what:?} in {text:?}"));
        assert!(at(ENTER) < at(LEAVE) && at(LEAVE) < at("a board fell off the table"), "{text:?}");
        assert!(at(LEAVE) < at("a word that was held back"), "{text:?}");
        let modes = tcgetattr(&slave).unwrap().local_modes;
        assert!(modes.contains(LocalModes::ICANON | LocalModes::ECHO));
    }

    #[test]
    fn only_what_has_changed_is_written() {
        let (mut from, mut to) =
            (Buffer::empty(Rect::new(0, 0, 40, 3)), Buffer::empty(Rect::new(0, 0, 40, 3)));
        from.set_string(0, 1, "1:29:44", Style::new());
        to.set_string(0, 1, "1:29:43", Style::new());
        let mut text = String::new();
        changes(&from, &to, &mut text);
        assert_eq!(text, "\x1b[2;7H\x1b[0m3");
        let mut text = String::new();
        changes(&to, &to.clone(), &mut text);
        assert_eq!(text, "");
    }
}
