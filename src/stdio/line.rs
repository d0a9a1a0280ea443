//! Blocks of a file, cut into lines.

use super::{Piece, Place, TakeLine, Then, fail};
use crate::error::{Error, Result};

/// The mark that some editors put before UTF-8.
const BOM: &[u8] = b"\xef\xbb\xbf";
/// A line longer than this is no record: 16 MiB, far above any game.
const LONGEST: usize = 16 << 20;

/// The lines of one file.
#[derive(Default)]
pub struct Lines {
    /// The unfinished line.
    rest: Vec<u8>,
    /// The number of complete lines.
    number: u64,
    /// In a line that is longer than any record: its end is awaited.
    skipping: bool,
    /// Problems are reported by another reader.
    silent: bool,
}

impl Lines {
    /// Lines of a file whose problems are reported here, or by another reading of it.
    pub fn saying(says: bool) -> Lines {
        Lines { silent: !says, ..Lines::default() }
    }

    /// Reads a piece of the file; `f` gets each line in it that is not blank with its place, without the line end.
    pub fn take(&mut self, piece: &Piece<'_>, f: TakeLine<'_>) -> Result<()> {
        let mut bytes = piece.bytes;
        while let Some(at) = memchr::memchr(b'\n', bytes) {
            let (line, tail) = bytes.split_at(at);
            bytes = &tail[1..];
            if std::mem::take(&mut self.skipping) {
                self.number += 1;
            } else if self.rest.is_empty() {
                self.line(piece.file, line, f)?;
            } else {
                let mut whole = std::mem::take(&mut self.rest);
                whole.extend_from_slice(line);
                if whole.len() > LONGEST {
                    self.number += 1;
                    self.too_long(piece.file, self.number);
                } else {
                    self.line(piece.file, &whole, f)?;
                    whole.clear();
                    self.rest = whole;
                }
            }
        }
        if !self.skipping {
            self.rest.extend_from_slice(bytes);
        }
        if self.rest.len() > LONGEST {
            self.too_long(piece.file, self.number + 1);
            self.rest = Vec::new();
            self.skipping = true;
        }
        match piece.then {
            Then::More => return Ok(()),
            Then::Torn => self.rest.clear(),
            Then::End => {
                let rest = std::mem::take(&mut self.rest);
                if !rest.is_empty() {
                    self.line(piece.file, &rest, f)?;
                }
                self.number = 0;
            }
        }
        self.skipping = false;
        Ok(())
    }

    fn too_long(&self, name: &str, line: u64) {
        if !self.silent {
            let what = "a line of over 16 MiB is no record: it is skipped";
            fail(&Error::Data(format!("{name}:{line}: {what}")));
        }
    }

    fn line(&mut self, file: &str, line: &[u8], f: TakeLine<'_>) -> Result<()> {
        self.number += 1;
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        let line = if self.number == 1 { line.strip_prefix(BOM).unwrap_or(line) } else { line };
        if line.iter().all(u8::is_ascii_whitespace) {
            return Ok(());
        }
        f(Place { file, line: self.number }, line)
    }
}
