//! A growing file, followed as by `tail -F`.
//!
//! The file is polled: not every file system reports changes (`notices`), but all of them report a length. A poll costs
//! two system calls.
//!
//! Whatever happens to the file, its content is read once: if it is renamed or compressed and begun again at its path,
//! the old one is read to its end first; if it was made shorter or rewritten, it is read again from its beginning; if
//! only an unfinished line is gone, as after a power cut, reading continues with the rest.

use std::{
    fs::{self, File, Metadata},
    io,
    os::unix::fs::{FileExt, MetadataExt},
    path::{Path, PathBuf},
};

use super::{Piece, Place, TakePiece, Then, line::Lines, open::open, say, unpack::Unpacker};
use crate::{
    error::{Error, Result},
    stop,
};

const BLOCK: usize = 64 * 1024;
/// The number of bytes compared to find out whether a file is still the one that was read.
const KNOWN: usize = 64;
/// The number of bytes remembered of an unfinished line: 1 MiB.
const LONGEST: usize = 1 << 20;
/// The message about a file that does not contain any more what was read of it.
const ANEW: &str = "was made shorter or written anew by another program: read again from its beginning";

/// A regular file that may grow, or not exist yet.
pub struct Followed {
    path: PathBuf,
    name: String,
    open: Option<Open>,
    /// Its absence was reported.
    missed: bool,
    lines: Lines,
    /// Where reading begins.
    from: u64,
    /// Another file was opened since the last [`Followed::is_other`].
    other: bool,
}

impl Followed {
    /// Nothing is read yet.
    pub fn new(path: &Path) -> Followed {
        let (path, name) = (path.to_owned(), super::name_of(path));
        Followed { path, name, open: None, missed: false, lines: Lines::default(), from: 0, other: false }
    }

    /// Begins at this offset in bytes, which is the beginning of a line.
    pub fn from(self, from: u64) -> Followed {
        Followed { from, ..self }
    }

    /// Its path.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Whether another file was opened at the path since the last call.
    pub(super) fn is_other(&mut self) -> bool {
        std::mem::take(&mut self.other)
    }

    /// Passes each complete new line to `f`, without its end, with its place; returns whether there were any.
    ///
    /// # Errors
    /// The errors of `f`; [`Error::Io`] when the file cannot be read.
    pub fn lines(&mut self, mut f: impl FnMut(Place<'_>, &[u8]) -> Result<()>) -> Result<bool> {
        let mut lines = std::mem::take(&mut self.lines);
        let looked = self.blocks(0, &mut |piece| lines.take(&piece, &mut f));
        self.lines = lines;
        looked
    }

    /// The same with blocks of bytes.
    pub(super) fn blocks(&mut self, nth: usize, f: TakePiece<'_>) -> Result<bool> {
        let mut news = false;
        loop {
            let there = self.there()?;
            let next = there.as_ref().map(|there| (id(there), there.len()));
            let Some(open) = &mut self.open else {
                if next.is_some() {
                    self.open = Open::new(&self.path, nth, std::mem::take(&mut self.from))?;
                    self.other = self.open.is_some();
                }
                if self.open.is_none() {
                    self.miss("is not there yet: waiting for it");
                    return Ok(news);
                }
                continue;
            };
            // A writer begins the next file before it leaves this one: once the next one has content, this one is
            // complete.
            let complete = next.is_some_and(|(id, length)| id != open.id && length > 0);
            news |= open.read(&self.name, f)?;
            if !complete || stop::requested().is_some() {
                if next.is_none() {
                    self.miss("was moved or removed: waiting for it to be begun again");
                } else {
                    self.missed = false;
                }
                return Ok(news);
            }
            say(format_args!("{}: another file is there now: read on in that", self.name));
            open.end(&self.name, f)?;
            self.open = None;
        }
    }

    /// Ends the following: what was read is everything.
    pub(super) fn end(&mut self, f: TakePiece<'_>) -> Result<()> {
        self.open.take().map_or(Ok(()), |mut open| open.end(&self.name, f))
    }

    fn miss(&mut self, what: &str) {
        if !std::mem::replace(&mut self.missed, true) {
            say(format_args!("{}: {what}", self.name));
        }
    }

    fn there(&self) -> Result<Option<Metadata>> {
        match fs::metadata(&self.path) {
            Ok(there) => Ok(Some(there)),
            Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(None),
            // An open file can be read, whatever became of its path.
            Err(_) if self.open.is_some() => Ok(None),
            Err(e) => Err(Error::io(&self.name, e)),
        }
    }
}

/// Identifies a file, whatever its name.
fn id(data: &Metadata) -> (u64, u64) {
    (data.dev(), data.ino())
}

/// The file being read.
struct Open {
    file: File,
    id: (u64, u64),
    nth: usize,
    /// Its length and its modification time at the last poll.
    seen: Option<(u64, (i64, i64))>,
    /// The number of bytes read.
    offset: u64,
    /// The bytes before the unfinished line, as far as remembered, and that line.
    before: Vec<u8>,
    line: Vec<u8>,
    unpacker: Unpacker,
}

impl Open {
    /// None when it does not exist after all.
    fn new(path: &Path, nth: usize, offset: u64) -> Result<Option<Open>> {
        let (name, file) = match open(path) {
            Err(Error::Io { source, .. }) if source.kind() == io::ErrorKind::NotFound => return Ok(None),
            opened => opened?,
        };
        let failed = |e| Error::io(&name, e);
        let id = id(&file.metadata().map_err(failed)?);
        // The bytes before the beginning are recognised later, like those that were read.
        let known = KNOWN.min(offset as usize);
        let mut before = vec![0; known];
        let (offset, before) = match file.read_exact_at(&mut before, offset - known as u64) {
            Ok(()) => (offset, before),
            Err(e) if e.kind() == io::ErrorKind::UnexpectedEof => {
                say(format_args!("{name}: {ANEW}"));
                (0, Vec::new())
            }
            Err(e) => return Err(failed(e)),
        };
        let (line, unpacker) = Default::default();
        Ok(Some(Open { file, id, nth, seen: None, offset, before, line, unpacker }))
    }

    /// Reads new bytes; returns whether there were any.
    fn read(&mut self, name: &str, f: TakePiece<'_>) -> Result<bool> {
        let failed = |e| Error::io(name, e);
        let data = self.file.metadata().map_err(failed)?;
        let now = (data.len(), (data.mtime(), data.mtime_nsec()));
        let mut news = false;
        if self.seen.is_some_and(|seen| seen != now) {
            news = self.look_back(name, f)?;
        }
        self.seen = Some(now);
        let mut block = vec![0; if data.len() > self.offset { BLOCK } else { 0 }];
        while !block.is_empty() && stop::requested().is_none() {
            let n = match self.file.read_at(&mut block, self.offset) {
                Ok(0) => break,
                Err(e) if e.kind() == io::ErrorKind::Interrupted => continue,
                read => read.map_err(failed)?,
            };
            news = true;
            self.offset += n as u64;
            self.remember(&block[..n]);
            let nth = self.nth;
            let mut pass = |bytes: &[u8]| f(Piece { file: name, nth, bytes, then: Then::More });
            self.unpacker.push(name, &block[..n], &mut pass)?;
        }
        Ok(news)
    }

    fn end(&mut self, name: &str, f: TakePiece<'_>) -> Result<()> {
        let nth = self.nth;
        let mut pass = |bytes: &[u8]| f(Piece { file: name, nth, bytes, then: Then::More });
        self.unpacker.end(name, &mut pass)?;
        f(Piece { file: name, nth, bytes: &[], then: Then::End })
    }

    /// After a change of the file: checks whether the bytes read are still there, and goes back as far as necessary.
    fn look_back(&mut self, name: &str, f: TakePiece<'_>) -> Result<bool> {
        let line = self.offset - self.line.len() as u64;
        let torn = !self.stands(&self.line, self.offset);
        if !self.stands(&self.before, line) || torn && self.unpacker.is_packed() {
            say(format_args!("{name}: {ANEW}"));
            self.end(name, f)?;
            self.offset = 0;
            (self.before, self.line) = Default::default();
        } else if torn {
            self.offset = line;
            self.line.clear();
            f(Piece { file: name, nth: self.nth, bytes: &[], then: Then::Torn })?;
        } else {
            return Ok(false);
        }
        Ok(true)
    }

    /// Whether the file has these bytes up to the offset `end`.
    fn stands(&self, bytes: &[u8], end: u64) -> bool {
        let mut there = vec![0; bytes.len()];
        self.file.read_exact_at(&mut there, end - bytes.len() as u64).is_ok() && there == bytes
    }

    fn remember(&mut self, bytes: &[u8]) {
        self.line.extend_from_slice(bytes);
        let line = match memchr::memrchr(b'\n', &self.line) {
            Some(at) => at + 1,
            None if self.line.len() > LONGEST => self.line.len(),
            None => return,
        };
        self.before.extend(self.line.drain(..line));
        self.before.drain(..self.before.len().saturating_sub(KNOWN));
    }
}
