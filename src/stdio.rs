//! Input from files or standard input, output of lines: when to flush, what to do when the reader has gone, how to
//! report.
//!
//! Commands read [`Inputs`] with [`each_line`], [`each_block`] or [`lines`] and write through an [`Output`]. So filters
//! flush exactly when their input runs empty: live in a pipe, in blocks in bulk. Packed input is unpacked, and a
//! growing file can be followed, alone by a [`Followed`].

use std::{
    fmt,
    fs::{self, File},
    io::{self, BufWriter, IsTerminal, Write},
    os::{fd::AsFd, unix::fs::MetadataExt},
    path::{Path, PathBuf},
    sync::atomic::{AtomicU8, Ordering},
};

use anstyle::Style;
use rustix::{
    event::{PollFd, PollFlags, Timespec, poll},
    termios::tcgetwinsize,
};
use serde::Serialize;

use crate::{
    error::{Error, Result},
    stop,
};

mod at_hand;
mod bad;
mod follow;
mod line;
mod notices;
mod open;
mod published;
mod read;
mod seldom;
mod to_reader;
mod unpack;
mod words;

pub use crate::progress::draws;
pub use at_hand::{AtHand, at_hand};
pub use bad::Bad;
pub use follow::Followed;
pub use published::{Published, Written};
pub use read::{Inputs, each_block, each_line, lines, read_packed, read_whole, unpack_whole};
pub use seldom::Seldom;
use to_reader::ToReader;
pub use words::{hold_words, last_held_word, last_words, name_command, release_words, say, sum_up};

const BLOCK: usize = 64 * 1024;

static FAILED: AtomicU8 = AtomicU8::new(0);
/// A place in the input.
#[derive(Debug, Clone, Copy)]
pub struct Place<'a> {
    /// The file's name, or `standard input`.
    pub file: &'a str,
    /// Line number, from 1.
    pub line: u64,
}

impl fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file, self.line)
    }
}

/// Takes bytes of a file, unpacked.
type TakeBytes<'a> = &'a mut dyn FnMut(&[u8]) -> Result<()>;
/// Takes a piece of a file.
type TakePiece<'a> = &'a mut dyn FnMut(Piece<'_>) -> Result<()>;
/// Takes a line with its place.
type TakeLine<'a> = &'a mut dyn FnMut(Place<'_>, &[u8]) -> Result<()>;

/// A piece of a file.
#[derive(Debug, Clone, Copy)]
pub struct Piece<'a> {
    /// The file's name, or `standard input`.
    pub file: &'a str,
    /// The index of the file, from 0.
    pub nth: usize,
    /// Its next bytes, unpacked.
    pub bytes: &'a [u8],
    /// What follows it.
    pub then: Then,
}

/// What follows a piece of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Then {
    /// More, or the end: unknown so far.
    More,
    /// Another line than the one that was begun, which the file does not contain any more.
    Torn,
    /// Nothing: the file has ended. A followed one may begin again.
    End,
}

/// Converts lines of records to lines for people.
type Shown = Box<dyn FnMut(&[u8]) -> String + Send>;

/// Standard output or a file, buffered.
pub struct Output {
    writer: BufWriter<Box<dyn Write + Send>>,
    what: String,
    is_stdout: bool,
    each: bool,
    shown: Option<Shown>,
    /// A buffer for a record's line, which is built from many small parts.
    line: Vec<u8>,
}

impl Output {
    fn new(writer: BufWriter<Box<dyn Write + Send>>, what: String, is_stdout: bool) -> Output {
        Output { writer, what, is_stdout, each: false, shown: None, line: Vec::new() }
    }

    /// Standard output, flushed when the input runs empty.
    pub fn stdout() -> Output {
        let writer = BufWriter::with_capacity(
            BLOCK,
            Box::new(ToReader::new(rustix::stdio::stdout())) as Box<dyn Write + Send>,
        );
        Output::new(writer, "standard output".into(), true)
    }

    /// Standard output, flushed after each record: for live commands.
    pub fn live() -> Output {
        Output { each: true, ..Output::stdout() }
    }

    /// Writes each line as converted by `shown`.
    pub fn shown_by(self, shown: impl FnMut(&[u8]) -> String + Send + 'static) -> Output {
        Output { shown: Some(Box::new(shown)), ..self }
    }

    /// A new file.
    pub fn create(path: &Path) -> Result<Output> {
        let anew = File::options().write(true).create(true).truncate(true).clone();
        let file = stop::open(path, &anew).map_err(|e| Error::io(path.display(), e))?;
        let writer = BufWriter::with_capacity(BLOCK, Box::new(ToReader::new(file)) as Box<dyn Write + Send>);
        Ok(Output::new(writer, path.display().to_string(), false))
    }

    /// Writes one record as a line of JSON.
    pub fn record(&mut self, record: &impl Serialize) -> Result<()> {
        self.line(|line| serde_json::to_writer(line, record))
    }

    /// Writes one record as the line of JSON that `write` makes.
    pub fn line(&mut self, write: impl FnOnce(&mut Vec<u8>) -> serde_json::Result<()>) -> Result<()> {
        self.line.clear();
        write(&mut self.line).map_err(|e| self.failed(e.into()))?;
        self.line.push(b'\n');
        let line = std::mem::take(&mut self.line);
        let done = self.text(&line);
        self.line = line;
        done
    }

    /// Writes text or bytes unchanged.
    pub fn text(&mut self, text: impl AsRef<[u8]>) -> Result<()> {
        let written = match &mut self.shown {
            None => self.writer.write_all(text.as_ref()),
            Some(shown) => {
                let mut each = text.as_ref().split_inclusive(|&byte| byte == b'\n');
                each.try_for_each(|line| self.writer.write_all(shown(line).as_bytes()))
            }
        };
        written.map_err(|e| self.failed(e))?;
        if self.each && text.as_ref().ends_with(b"\n") { self.flush() } else { Ok(()) }
    }

    /// Flushes the buffer.
    pub fn flush(&mut self) -> Result<()> {
        self.writer.flush().map_err(|e| self.failed(e))
    }

    fn failed(&self, error: io::Error) -> Error {
        if self.is_stdout && error.kind() == io::ErrorKind::BrokenPipe {
            return Error::ReaderGone;
        }
        Error::io(&self.what, error)
    }
}

/// Whether standard output is a terminal, and so is read by a person.
pub fn person_reads() -> bool {
    io::stdout().is_terminal()
}

/// Whether the reader of standard output has gone.
pub fn reader_has_gone() -> bool {
    let mut fds = [PollFd::from_borrowed_fd(rustix::stdio::stdout(), PollFlags::empty())];
    let now = Timespec { tv_sec: 0, tv_nsec: 0 };
    poll(&mut fds, Some(&now)).is_ok() && fds[0].revents().intersects(PollFlags::ERR | PollFlags::HUP)
}

/// The columns and rows of the terminal that is standard output, if it is one and reports them; 0 counts as none.
pub fn window() -> Option<(u16, u16)> {
    let size = tcgetwinsize(rustix::stdio::stdout()).ok()?;
    (size.ws_col > 0 && size.ws_row > 0).then_some((size.ws_col, size.ws_row))
}

/// Whether to colour standard output: a capable terminal, and NO_COLOR empty or unset.
pub fn colour() -> bool {
    person_reads() && std::env::var_os("NO_COLOR").is_none_or(|v| v.is_empty()) && draws()
}

/// A style, or none where colours are not wanted.
pub fn coloured(style: Style) -> Style {
    if colour() { style } else { Style::new() }
}

/// Reports an error that ended the reading, or a part of it, and keeps its exit code for the end.
fn fail(error: &Error) {
    say(error);
    FAILED.fetch_max(error.exit_code(), Ordering::Relaxed);
}

/// The exit code of errors during the reading, 0 for none; `main` uses it when a command has ended well.
pub fn failed() -> u8 {
    FAILED.load(Ordering::Relaxed)
}

/// The name of a file in messages.
pub fn name_of(path: &Path) -> String {
    if path.as_os_str() == "-" { "standard input".into() } else { path.display().to_string() }
}

/// Whether only ASCII should be written: the user's locale supports nothing else.
pub fn plain_signs() -> bool {
    let set = ["LC_ALL", "LC_CTYPE", "LANG"]
        .into_iter()
        .find_map(|name| std::env::var(name).ok().filter(|v| !v.is_empty()));
    !set.is_some_and(|locale| ["UTF-8", "UTF8"].iter().any(|name| locale.to_uppercase().contains(name)))
}

/// Refuses an output that is one of the inputs (none, or `-`: standard input): it would be overwritten before it is
/// read.
///
/// # Errors
/// [`Error::Usage`].
pub fn refuse_same(files: &[PathBuf], output: &Path) -> Result<()> {
    let Ok(output_file) = fs::metadata(output) else { return Ok(()) };
    let stdin = [PathBuf::from("-")];
    let files = if files.is_empty() { &stdin[..] } else { files };
    let found = |path: &PathBuf| {
        if path.as_os_str() == "-" {
            let file = io::stdin().as_fd().try_clone_to_owned().map(File::from);
            return file.and_then(|file| file.metadata());
        }
        fs::metadata(path)
    };
    let same = |file: &&PathBuf| {
        found(file).is_ok_and(|file| (file.dev(), file.ino()) == (output_file.dev(), output_file.ino()))
    };
    match files.iter().find(same) {
        Some(_) => Err(Error::Usage(format!(
            "{} is read and would be replaced: name another file",
            output.display()
        ))),
        None => Ok(()),
    }
}
