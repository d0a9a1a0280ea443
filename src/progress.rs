//! Progress on standard error, for people only: nothing is drawn when standard error is not a terminal, nor while
//! another command of the pipe uses that terminal for its screen ([`is_taken`]).

use std::{
    fmt::Write as _,
    io::{self, IsTerminal, Write as _},
    sync::{LazyLock, Mutex, PoisonError},
    time::Duration,
};

use indicatif::{FormattedDuration, MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle, TermLike};
use rustix::{
    process::getpgrp,
    stdio::stderr,
    termios::{LocalModes, tcgetattr, tcgetpgrp, tcgetwinsize},
};

/// Bars are drawn up to this many times a second.
const AT_MOST: u8 = 20;

static BARS: LazyLock<MultiProgress> = LazyLock::new(|| {
    let to = match io::stderr().is_terminal() {
        true => ProgressDrawTarget::term_like_with_hz(Box::<Beside>::default(), AT_MOST),
        false => ProgressDrawTarget::hidden(),
    };
    MultiProgress::with_draw_target(to)
});

/// Whether another command of the pipe uses the terminal of standard error for its screen, as `show` and pagers do: it
/// reads keys there, not lines. So does a shell that waits for a command, but then this one is in the background.
pub fn is_taken() -> bool {
    let keys = tcgetattr(stderr()).is_ok_and(|modes| !modes.local_modes.contains(LocalModes::ICANON));
    keys && !tcgetpgrp(stderr()).is_ok_and(|front| front != getpgrp())
}

/// The terminal, for bars that are not drawn while it is taken: they appear when it is given back, since bars are
/// redrawn again and again.
#[derive(Debug, Default)]
struct Beside {
    /// One drawing, until it is written.
    drawing: Mutex<String>,
}

impl Beside {
    fn draw(&self, text: std::fmt::Arguments<'_>) -> io::Result<()> {
        let mut drawing = self.drawing.lock().unwrap_or_else(PoisonError::into_inner);
        drawing.write_fmt(text).map_err(io::Error::other)
    }

    /// Moves the cursor by this many places, if any: terminals treat 0 as 1.
    fn go(&self, places: usize, way: char) -> io::Result<()> {
        if places > 0 { self.draw(format_args!("\x1b[{places}{way}")) } else { Ok(()) }
    }
}

impl TermLike for Beside {
    fn width(&self) -> u16 {
        tcgetwinsize(stderr()).ok().map(|size| size.ws_col).filter(|&columns| columns > 0).unwrap_or(80)
    }

    fn height(&self) -> u16 {
        tcgetwinsize(stderr()).ok().map(|size| size.ws_row).filter(|&rows| rows > 0).unwrap_or(24)
    }

    fn move_cursor_up(&self, n: usize) -> io::Result<()> {
        self.go(n, 'A')
    }

    fn move_cursor_down(&self, n: usize) -> io::Result<()> {
        self.go(n, 'B')
    }

    fn move_cursor_right(&self, n: usize) -> io::Result<()> {
        self.go(n, 'C')
    }

    fn move_cursor_left(&self, n: usize) -> io::Result<()> {
        self.go(n, 'D')
    }

    fn write_line(&self, text: &str) -> io::Result<()> {
        self.draw(format_args!("{text}\n"))
    }

    fn write_str(&self, text: &str) -> io::Result<()> {
        self.draw(format_args!("{text}"))
    }

    fn clear_line(&self) -> io::Result<()> {
        self.draw(format_args!("\r\x1b[2K"))
    }

    fn flush(&self) -> io::Result<()> {
        let drawing = std::mem::take(&mut *self.drawing.lock().unwrap_or_else(PoisonError::into_inner));
        if drawing.is_empty() || is_taken() { Ok(()) } else { io::stderr().write_all(drawing.as_bytes()) }
    }
}

/// Whether the terminal can do more than print.
pub fn draws() -> bool {
    std::env::var_os("TERM").is_none_or(|t| t != "dumb")
}

/// Draws nothing from now on (`--quiet`).
pub fn silence() {
    BARS.set_draw_target(indicatif::ProgressDrawTarget::hidden());
}

/// A bar of `length` steps with a label.
pub fn bar(length: u64, label: &str) -> ProgressBar {
    let style =
        ProgressStyle::with_template("{prefix} {bar:30} {pos}/{len} {msg}").expect("a valid template");
    BARS.add(ProgressBar::new(length).with_style(style).with_prefix(label.to_owned()))
}

/// A bar of `length` bytes with a label.
pub fn bytes(length: u64, label: &str) -> ProgressBar {
    let style = ProgressStyle::with_template("{prefix} {bar:30} {bytes}/{total_bytes} {msg}")
        .expect("a valid template");
    BARS.add(ProgressBar::new(length).with_style(style).with_prefix(label.to_owned()))
}

/// A bar for something of unknown length.
pub fn spinner(label: &str) -> ProgressBar {
    let style = ProgressStyle::with_template("{spinner} {prefix} {msg}").expect("a valid template");
    let spinner = BARS.add(ProgressBar::new_spinner().with_style(style).with_prefix(label.to_owned()));
    spinner.enable_steady_tick(Duration::from_millis(120));
    spinner
}

/// A line with a status and the time since its beginning; what is too long for the terminal is cut.
pub fn status() -> ProgressBar {
    let style = ProgressStyle::with_template("{elapsed_precise}  {wide_msg}").expect("a valid template");
    let status = BARS.add(ProgressBar::new_spinner().with_style(style));
    status.enable_steady_tick(Duration::from_secs(1));
    status
}

/// The columns for the message of a [`status`].
pub fn room(status: &ProgressBar) -> usize {
    let before = FormattedDuration(status.elapsed()).to_string().len() + 2;
    usize::from(Beside::default().width()).saturating_sub(before)
}

/// Whether progress is visible.
pub fn is_shown() -> bool {
    !BARS.is_hidden()
}

/// Runs `f` with the bars out of the way, so that a line on standard error stays whole.
pub fn aside<T>(f: impl FnOnce() -> T) -> T {
    BARS.suspend(f)
}
