//! Files or standard input in, lines out: when to flush, what to do when the reader has gone, how to report.
//!
//! Commands read with [`each_line`], [`each_block`] or [`lines`] and write through an [`Output`].
//! Filters so write out exactly when their input runs empty: live in a pipe, in blocks in bulk.

use std::{
    fmt,
    fs::{self, File},
    io::{self, BufWriter, IsTerminal, Read, Write},
    os::{fd::AsFd, unix::fs::MetadataExt},
    path::{Path, PathBuf},
    sync::{
        OnceLock,
        atomic::{AtomicU8, Ordering},
    },
    time::{Duration, Instant},
};

use serde::Serialize;

use crate::{
    error::{Error, Result},
    progress,
    stop::{self, Wake},
};

mod bad;
mod published;
mod seldom;
mod to_reader;

pub use bad::Bad;
pub use published::Published;
pub use seldom::Seldom;
use to_reader::ToReader;

/// What some editors put in front of UTF-8.
const BOM: &[u8] = b"\xef\xbb\xbf";
const BLOCK: usize = 64 * 1024;
/// A line longer than this is no record: 16 MiB, far above any game.
const LONGEST_LINE: usize = 16 << 20;
/// How long a filter that was asked to stop listens for the last words of the command before it, which had the same
/// signal and ends a little sooner.
const LAST_WORDS: Duration = Duration::from_millis(700);

static COMMAND: OnceLock<String> = OnceLock::new();
static FAILED: AtomicU8 = AtomicU8::new(0);

/// Names the command in front of every message; `main` calls it once.
pub fn name_command(name: &str) {
    let _ = COMMAND.set(name.to_owned());
}

/// One line to a person, on standard error: `boardbus watch: …`.
pub fn say(message: impl fmt::Display) {
    let command = COMMAND.get().map_or("", String::as_str);
    let space = if command.is_empty() { "" } else { " " };
    // Input quoted in a message must not forge a line or steer a terminal.
    let mut line = format!("boardbus{space}{command}: ");
    for c in message.to_string().chars() {
        if c.is_control() { line.extend(c.escape_default()) } else { line.push(c) }
    }
    line.push('\n');
    // A closed standard error is nobody's trouble.
    progress::aside(|| drop(ToReader::new(rustix::stdio::stderr()).write_all(line.as_bytes())));
}

/// Where in the input a thing stood.
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

/// Standard output or a file, buffered.
pub struct Output {
    writer: BufWriter<Box<dyn Write + Send>>,
    what: String,
    is_stdout: bool,
    each: bool,
    /// Room for a record's line, which is made of many small parts.
    line: Vec<u8>,
}

impl Output {
    fn new(writer: BufWriter<Box<dyn Write + Send>>, what: String, is_stdout: bool) -> Output {
        Output { writer, what, is_stdout, each: false, line: Vec::new() }
    }

    /// Standard output, written out when the input runs empty.
    pub fn stdout() -> Output {
        let writer = BufWriter::with_capacity(
            BLOCK,
            Box::new(ToReader::new(rustix::stdio::stdout())) as Box<dyn Write + Send>,
        );
        Output::new(writer, "standard output".into(), true)
    }

    /// Standard output, written out after each record: for commands that tell what happens now.
    pub fn live() -> Output {
        Output { each: true, ..Output::stdout() }
    }

    /// A file made anew.
    pub fn create(path: &Path) -> Result<Output> {
        let anew = File::options().write(true).create(true).truncate(true).clone();
        let file = stop::open(path, &anew).map_err(|e| Error::io(path.display(), e))?;
        let writer = BufWriter::with_capacity(BLOCK, Box::new(ToReader::new(file)) as Box<dyn Write + Send>);
        Ok(Output::new(writer, path.display().to_string(), false))
    }

    /// Writes one record as a line of JSON.
    pub fn record(&mut self, record: &impl Serialize) -> Result<()> {
        self.line.clear();
        serde_json::to_writer(&mut self.line, record).map_err(|e| self.failed(e.into()))?;
        self.line.push(b'\n');
        let line = std::mem::take(&mut self.line);
        let done = self.text(&line);
        self.line = line;
        done
    }

    /// Writes text or bytes as they are.
    pub fn text(&mut self, text: impl AsRef<[u8]>) -> Result<()> {
        self.writer.write_all(text.as_ref()).map_err(|e| self.failed(e))?;
        if self.each && text.as_ref().ends_with(b"\n") { self.flush() } else { Ok(()) }
    }

    /// Writes out what is in hand.
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

/// All of a file, for those that are not read line by line.
pub fn read_whole(path: &Path) -> Result<Vec<u8>> {
    let read = || {
        let mut file = stop::open(path, File::options().read(true))?;
        let (mut whole, mut block) = (Vec::new(), vec![0; BLOCK]);
        loop {
            match stop::wait(Some(file.as_fd()), None)? {
                Wake::Stopped => return Err(io::Error::other("a signal came before it was read")),
                Wake::TimedOut => {}
                Wake::Readable => match file.read(&mut block)? {
                    0 => return Ok(whole),
                    n => whole.extend_from_slice(&block[..n]),
                },
            }
        }
    };
    read().map_err(|e| Error::io(path.display(), e))
}

/// Whether standard output is a terminal, and so a person reads it.
pub fn person_reads() -> bool {
    io::stdout().is_terminal()
}

/// Whether to colour standard output: a terminal that can, and NO_COLOR empty or unset.
pub fn colour() -> bool {
    person_reads()
        && std::env::var_os("NO_COLOR").is_none_or(|v| v.is_empty())
        && std::env::var_os("TERM").is_none_or(|t| t != "dumb")
}

/// Reads the files (none, or `-`: standard input) block by block; `f` gets the source's name, the bytes and
/// whether the source ends here. `idle` is called before any read that has to wait.
pub fn each_block(
    files: &[PathBuf],
    mut idle: impl FnMut() -> Result<()>,
    mut f: impl FnMut(&str, &[u8], bool) -> Result<()>,
) -> Result<()> {
    blocks(files, &mut (), |()| idle().map(|()| None), |(), name, bytes, end| f(name, bytes, end))
}

/// Reads the files (none, or `-`: standard input) line by line, without the line's end; `f` gets each line
/// that is not blank with its place. `out` is written out before any read that has to wait.
pub fn each_line(
    files: &[PathBuf],
    out: &mut Output,
    f: impl FnMut(&mut Output, Place<'_>, &[u8]) -> Result<()>,
) -> Result<()> {
    lines(files, out, |out| out.flush().map(|()| None), f)?;
    out.flush()
}

/// Reads the files (none, or `-`: standard input) line by line into a state. `idle` is called before any read
/// that has to wait, and says how long at most until it is called again (none: until there is input).
pub fn lines<S>(
    files: &[PathBuf],
    state: &mut S,
    idle: impl FnMut(&mut S) -> Result<Option<Duration>>,
    mut f: impl FnMut(&mut S, Place<'_>, &[u8]) -> Result<()>,
) -> Result<()> {
    let mut rest: Vec<u8> = Vec::new();
    let mut number = 0;
    // In a line that is longer than any record: its end is looked for.
    let mut skipping = false;
    let mut take = |state: &mut S, name: &str, number: &mut u64, line: &[u8]| {
        *number += 1;
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        let line = if *number == 1 { line.strip_prefix(BOM).unwrap_or(line) } else { line };
        if line.iter().all(u8::is_ascii_whitespace) {
            return Ok(());
        }
        f(state, Place { file: name, line: *number }, line)
    };
    blocks(files, state, idle, |state, name, bytes, end| {
        let mut bytes = bytes;
        while let Some(at) = memchr::memchr(b'\n', bytes) {
            let (line, tail) = bytes.split_at(at);
            bytes = &tail[1..];
            if std::mem::take(&mut skipping) {
                number += 1;
            } else if rest.is_empty() {
                take(state, name, &mut number, line)?;
            } else {
                rest.extend_from_slice(line);
                if rest.len() > LONGEST_LINE {
                    number += 1;
                    fail(&too_long(name, number));
                } else {
                    take(state, name, &mut number, &rest)?;
                }
                rest.clear();
            }
        }
        if !skipping {
            rest.extend_from_slice(bytes);
        }
        if rest.len() > LONGEST_LINE {
            fail(&too_long(name, number + 1));
            rest = Vec::new();
            skipping = true;
        }
        if end {
            skipping = false;
            if !rest.is_empty() {
                take(state, name, &mut number, &rest)?;
                rest.clear();
            }
            number = 0;
        }
        Ok(())
    })
}

fn too_long(name: &str, line: u64) -> Error {
    Error::Data(format!("{name}:{line}: a line of over 16 MiB is no record: it is skipped"))
}

fn blocks<S>(
    files: &[PathBuf],
    state: &mut S,
    mut idle: impl FnMut(&mut S) -> Result<Option<Duration>>,
    mut f: impl FnMut(&mut S, &str, &[u8], bool) -> Result<()>,
) -> Result<()> {
    let stdin = [PathBuf::from("-")];
    let files = if files.is_empty() { &stdin[..] } else { files };
    let mut block = vec![0; BLOCK];
    for path in files {
        let read = block_by_block(path, &mut block, state, &mut idle, &mut f);
        match read {
            Ok(()) => {}
            // Nothing good is lost because of something bad: the other files are still to be read.
            Err(error @ Error::Io { .. }) if is_input(&error, path) => fail(&error),
            // The end of the reading, not of what was read: the command still writes what it has in hand.
            Err(error @ Error::Data(_)) => {
                fail(&error);
                break;
            }
            Err(error) => return Err(error),
        }
        if stop::requested().is_some() {
            break;
        }
    }
    Ok(())
}

/// Whether the error is about this file of the input.
fn is_input(error: &Error, path: &Path) -> bool {
    matches!(error, Error::Io { what, .. } if *what == name_of(path))
}

/// Says what ended the reading, or a part of it, and keeps its exit code for the end.
fn fail(error: &Error) {
    say(error);
    FAILED.fetch_max(error.exit_code(), Ordering::Relaxed);
}

/// The exit code of what went wrong in the reading, 0 for nothing; `main` asks when a command has ended well.
pub fn failed() -> u8 {
    FAILED.load(Ordering::Relaxed)
}

fn block_by_block<S>(
    path: &Path,
    block: &mut [u8],
    state: &mut S,
    idle: &mut impl FnMut(&mut S) -> Result<Option<Duration>>,
    f: &mut impl FnMut(&mut S, &str, &[u8], bool) -> Result<()>,
) -> Result<()> {
    let (name, mut file) = open(path)?;
    let failed = |e| Error::io(&name, e);
    // Nobody is about to write the rest of a plain file: a signal ends the reading of one at once.
    let last_words =
        if file.metadata().is_ok_and(|data| data.is_file()) { Duration::ZERO } else { LAST_WORDS };
    let mut stopped: Option<Instant> = None;
    loop {
        let ready = stop::readable_within(file.as_fd(), Duration::ZERO).map_err(failed)?;
        let limit = if ready { None } else { idle(state)? };
        let more = match stop::wait(Some(file.as_fd()), limit).map_err(failed)? {
            Wake::Stopped => {
                let left = last_words.saturating_sub(stopped.get_or_insert_with(Instant::now).elapsed());
                !left.is_zero() && stop::readable_within(file.as_fd(), left).map_err(failed)?
            }
            Wake::TimedOut => continue,
            Wake::Readable => true,
        };
        let n = if more { file.read(block) } else { Ok(0) };
        match n {
            Ok(0) => return f(state, &name, &[], true),
            Ok(n) => f(state, &name, &block[..n], false)?,
            Err(e) if e.kind() == io::ErrorKind::Interrupted => continue,
            Err(e) => return Err(failed(e)),
        }
    }
}

/// Whether standard output goes into this very file: what is read there would never end.
fn is_our_output(file: &File) -> bool {
    let output = io::stdout().as_fd().try_clone_to_owned().map(File::from);
    match (file.metadata(), output.and_then(|output| output.metadata())) {
        (Ok(file), Ok(output)) => file.is_file() && (file.dev(), file.ino()) == (output.dev(), output.ino()),
        _ => false,
    }
}

/// A file as messages name it.
pub fn name_of(path: &Path) -> String {
    if path.as_os_str() == "-" { "standard input".into() } else { path.display().to_string() }
}

/// Refuses an output that is one of the inputs (none, or `-`: standard input): it would be gone before it is read.
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

/// Opens a file, or standard input for `-`; a terminal there gets a word, so that nobody waits unknowing.
fn open(path: &Path) -> Result<(String, File)> {
    if path.as_os_str() != "-" {
        let name = path.display().to_string();
        let file = stop::open(path, File::options().read(true)).map_err(|e| Error::io(&name, e))?;
        if is_our_output(&file) {
            return Err(Error::Usage(format!("{name} is read and written to at once: name another file")));
        }
        return Ok((name, file));
    }
    let stdin = io::stdin();
    if stdin.is_terminal() {
        say("reading from the terminal; give a file name or a pipe, or end with Ctrl-D");
    }
    let fd = stdin.as_fd().try_clone_to_owned().map_err(|e| Error::io("standard input", e))?;
    Ok(("standard input".into(), fd.into()))
}
