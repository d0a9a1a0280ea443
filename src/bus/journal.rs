//! The journal of a watch or of a subscription: records are on disk before they are printed and before their board is polled
//! again.
//!
//! A journal is the stream of records as it was printed, and it is evidence: no complete line is ever removed. After a
//! killed run or a power cut it may end in half a line or in NULs; these were neither printed nor confirmed to the board, so
//! they are cut off and fetched again. Damaged lines stay and are reported. If the file is taken away while it is written
//! to, another is begun at its path.

use std::{
    fs::{self, File},
    io::{self, BufRead, BufReader, Read, Write},
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
};

use rustix::fs::{CWD, FlockOperation, RenameFlags, flock, renameat_with};

use crate::{
    error::{Error, Result},
    record::{self, BadRecord, Record},
    stop,
};

/// The longest record in bytes: 1 MiB.
const LONGEST_LINE: usize = 1 << 20;
/// A file that begins with this many lines that are no records is no journal.
const FOREIGN_LINES: u64 = 100;
/// The byte order mark that some editors write before UTF-8.
const BOM: &[u8] = b"\xef\xbb\xbf";

/// The kind of records in a journal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Holds {
    /// Board records.
    Boards,
    /// Game records.
    Games,
}

/// A change of a journal by another program.
pub struct Checked {
    /// The message about it.
    pub said: String,
    /// Records are missing in the file at its path: it was cut, or another file was begun.
    pub has_lost: bool,
}

/// An open journal.
pub struct Journal {
    holds: Holds,
    file: File,
    path: PathBuf,
    /// The length of the file in bytes, unless another program writes to it.
    length: u64,
    /// The first lines of this run, which are also the first lines of a journal that is begun again.
    head: Vec<u8>,
    /// It could not be begun again at its path, and that was reported.
    is_unrestored: bool,
    /// Another program made it shorter, and that is still to be reported.
    was_cut: bool,
    /// It was cut to nothing: the head must be written before the next records.
    needs_head: bool,
}

impl Journal {
    /// Opens or begins a journal. `each` receives the records in it, each with its line; `damaged` receives the number of
    /// each other line and its error.
    ///
    /// # Errors
    /// [`Error::Io`] if it cannot be read and written, or another watch has it open; [`Error::Data`] if it is no journal.
    pub fn open(
        path: &Path,
        holds: Holds,
        each: impl FnMut(&[u8], Record) -> Result<()>,
        damaged: impl FnMut(u64, &str),
    ) -> Result<Journal> {
        let name = path.display().to_string();
        let failed = |error| Error::io(&name, error);
        let file = File::options().read(true).append(true).create(true).open(path).map_err(failed)?;
        flock(&file, FlockOperation::NonBlockingLockExclusive).map_err(|e| {
            let busy = e == rustix::io::Errno::WOULDBLOCK;
            let e = if busy { io::Error::other("another boardbus writes to it") } else { e.into() };
            Error::io(&name, e)
        })?;
        if !file.metadata().map_err(failed)?.is_file() {
            return Err(failed(io::Error::other("is no plain file, and would keep nothing")));
        }
        let reading = Reading { name: &name, holds, each, damaged, proven: false, unread: Vec::new() };
        let mut length = reading.all(&file)?;
        if length.is_torn {
            file.set_len(length.whole).map_err(failed)?;
        } else if length.unended {
            (&file).write_all(b"\n").map_err(failed)?;
            length.whole += 1;
        }
        let path = path.to_owned();
        Ok(Journal {
            holds,
            file,
            path,
            length: length.whole,
            head: Vec::new(),
            is_unrestored: false,
            was_cut: false,
            needs_head: false,
        })
    }

    /// Its path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The name of the file in messages.
    pub fn name(&self) -> impl std::fmt::Display {
        self.path.display()
    }

    /// Sets the first lines of this run. The caller also appends them, like all others.
    pub fn head(&mut self, lines: Vec<u8>) {
        self.head = lines;
    }

    /// Appends whole lines; when this returns they are on disk. After an error none of them is in the file, if it can still
    /// be cut, and the caller may try again.
    pub fn append(&mut self, lines: &[u8]) -> Result<()> {
        self.note_cut();
        if !self.needs_head {
            return self.write(lines);
        }
        self.write(&[&self.head, lines].concat())?;
        self.needs_head = false;
        Ok(())
    }

    /// Notes whether another program has made the file shorter.
    fn note_cut(&mut self) {
        let Ok(ours) = self.file.metadata() else { return };
        let is_cut = ours.len() < self.length;
        self.was_cut |= is_cut;
        self.needs_head |= is_cut && ours.len() == 0;
        self.length = ours.len();
    }

    fn write(&mut self, lines: &[u8]) -> Result<()> {
        if let Err(error) = self.file.write_all(lines).and_then(|()| self.file.sync_data()) {
            // The system may have taken some of the bytes, though they are not on disk.
            let _ = self.file.set_len(self.length);
            return Err(Error::io(self.path.display(), error));
        }
        self.length += lines.len() as u64;
        Ok(())
    }

    /// Begins a new file at its path, and puts this word into the name of the old one, unless it was taken away already.
    /// Returns the new name of the old file.
    ///
    /// # Errors
    /// The error of the file system; the old file then remains in use.
    pub fn rotate(&mut self, word: &str) -> Result<Option<PathBuf>> {
        let kept = if self.is_there() { Some(renamed(&self.path, word)?) } else { None };
        let begun = self.begin_again();
        if let (Err(_), Some(kept)) = (&begun, &kept) {
            // If this fails too, no record is lost: the file is open.
            let _ = rename(kept, &self.path);
        }
        *self = begun?;
        Ok(kept)
    }

    /// Whether the file at its path is this one.
    fn is_there(&self) -> bool {
        let file = |data: fs::Metadata| (data.dev(), data.ino());
        let there = fs::metadata(&self.path).map(file);
        there.is_ok_and(|there| self.file.metadata().is_ok_and(|ours| file(ours) == there))
    }

    /// Begins another file at its path, with the head.
    fn begin_again(&self) -> Result<Journal> {
        let mut journal = Journal::open(&self.path, self.holds, |_, _| Ok(()), |_, _| ())?;
        journal.append(&self.head)?;
        journal.head(self.head.clone());
        Ok(journal)
    }

    /// Checks whether the file is still at its path; if it was removed, renamed or compressed, another is begun there.
    pub fn check(&mut self) -> Option<Checked> {
        let said = self.restored()?;
        Some(Checked { said, has_lost: !self.is_unrestored })
    }

    /// Does the work of [`Journal::check`]; returns the message about it.
    fn restored(&mut self) -> Option<String> {
        let name = self.path.display().to_string();
        self.note_cut();
        if self.is_there() {
            self.is_unrestored = false;
            if self.needs_head {
                // An error here comes again with the next records, and is reported then.
                let _ = self.append(&[]);
            }
            return std::mem::take(&mut self.was_cut).then(|| {
                format!("{name}: was made shorter by another program: what it cut is lost, the rest is recorded on")
            });
        }
        match self.begin_again() {
            Ok(journal) => {
                let said = format!(
                    "{name}: was moved, removed or replaced by another program: begun again there; what was recorded \
                     before is in the file that was moved"
                );
                *self = journal;
                Some(said)
            }
            Err(_) if std::mem::replace(&mut self.is_unrestored, true) => None,
            Err(error) => Some(format!(
                "{name}: was moved or removed and cannot be begun again ({error}): recording on into the file that was \
                 moved"
            )),
        }
    }
}

/// Renames a file, and never over another.
fn rename(from: &Path, to: &Path) -> io::Result<()> {
    Ok(renameat_with(CWD, from, CWD, to, RenameFlags::NOREPLACE)?)
}

/// Puts a word into the name of a file, before its extension, and returns the new name.
fn renamed(path: &Path, word: &str) -> Result<PathBuf> {
    let ending = path.extension().map(|ending| format!(".{}", ending.display())).unwrap_or_default();
    let mut number = String::new();
    for n in 2_u64.. {
        let name = path.with_extension(format!("{word}{number}{ending}"));
        match rename(path, &name) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => number = format!("-{n}"),
            Err(error) => return Err(Error::io(path.display(), error)),
            Ok(()) => return Ok(name),
        }
    }
    Err(Error::io(path.display(), io::ErrorKind::AlreadyExists.into()))
}

/// The whole lines of a file.
struct Length {
    /// Their length in bytes.
    whole: u64,
    /// An incomplete record, left by a kill or a power cut, follows them.
    is_torn: bool,
    /// The last of them has no line end.
    unended: bool,
}

/// The reading of a journal.
struct Reading<'a, E, D> {
    name: &'a str,
    holds: Holds,
    each: E,
    damaged: D,
    /// A record of the right kind was in it: it is a journal.
    proven: bool,
    /// Lines before that record that are no records, each with its error.
    unread: Vec<(u64, &'static str)>,
}

impl<E: FnMut(&[u8], Record) -> Result<()>, D: FnMut(u64, &str)> Reading<'_, E, D> {
    fn all(mut self, file: &File) -> Result<Length> {
        let mut reader = BufReader::with_capacity(1 << 16, file);
        let mut length = Length { whole: 0, is_torn: false, unended: false };
        let (mut line, mut number) = (Vec::new(), 0);
        loop {
            let bytes = next_line(&mut reader, &mut line).map_err(|error| Error::io(self.name, error))?;
            if bytes == 0 {
                break;
            }
            if stop::requested().is_some() {
                return Err(Error::Stopped);
            }
            number += 1;
            let ended = line.last() == Some(&b'\n');
            let text = record_of(&line, number == 1);
            if !ended && self.is_torn(text) {
                length.is_torn = true;
                if line.contains(&0) {
                    (self.damaged)(number, "NULs, as a power cut leaves them: cut off");
                }
                break;
            }
            length.whole += bytes;
            length.unended = !ended;
            self.line(number, text)?;
        }
        match self.unread.first() {
            Some(&(line, what)) => Err(self.foreign(line, what)),
            None => Ok(length),
        }
    }

    /// Whether the text after the last line end is an incomplete record. In a file that is not proven to be a journal it must
    /// begin like our records.
    fn is_torn(&self, text: &[u8]) -> bool {
        const BEGINS: &[u8] = b"{\"type\":\"";
        let like_ours = text.starts_with(BEGINS) || BEGINS.starts_with(text);
        text.len() < LONGEST_LINE && (like_ours || self.proven && text.starts_with(b"{"))
    }

    fn line(&mut self, number: u64, text: &[u8]) -> Result<()> {
        if text.is_empty() {
            return Ok(());
        }
        let what = match record::parse(text) {
            Ok(Record::Game(_)) if self.holds == Holds::Boards => "a record of a game, not of a board",
            Ok(record) => {
                self.proven |= match self.holds {
                    Holds::Boards => matches!(record, Record::Board(_)),
                    Holds::Games => matches!(record, Record::Game(_)),
                };
                if self.proven {
                    for (line, what) in std::mem::take(&mut self.unread) {
                        (self.damaged)(line, &format!("is {what}: left as it is, and skipped"));
                    }
                }
                return (self.each)(&[text, b"\n"].concat(), record);
            }
            Err(error @ BadRecord::Version(_)) => {
                return Err(Error::Data(format!("{}:{number}: {error}", self.name)));
            }
            Err(BadRecord::Json(_)) => "no record",
        };
        if self.proven {
            (self.damaged)(number, &format!("is {what}: left as it is, and skipped"));
            return Ok(());
        }
        self.unread.push((number, what));
        // A file of games or of anything else is recognised by its first lines.
        let games = what != "no record";
        if games || self.unread.len() as u64 >= FOREIGN_LINES {
            Err(self.foreign(number, what))
        } else {
            Ok(())
        }
    }

    /// The error about a file that is no journal: it is not changed.
    fn foreign(&self, line: u64, what: &str) -> Error {
        let line = if what == "no record" { self.unread.first().map_or(line, |first| first.0) } else { line };
        Error::Data(format!("{}:{line}: is {what}: give --journal a file of its own", self.name))
    }
}

/// Reads a line with its end and returns its length in bytes; of a line that is too long only the beginning and the line end
/// are kept.
fn next_line(reader: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<u64> {
    line.clear();
    let mut bytes = reader.by_ref().take(LONGEST_LINE as u64).read_until(b'\n', line)? as u64;
    while line.len() >= LONGEST_LINE && line.last() != Some(&b'\n') {
        let (rest, ended) = match reader.fill_buf()? {
            [] => break,
            buffer => match buffer.iter().position(|&byte| byte == b'\n') {
                Some(at) => (at + 1, true),
                None => (buffer.len(), false),
            },
        };
        reader.consume(rest);
        bytes += rest as u64;
        if ended {
            line.push(b'\n');
        }
    }
    Ok(bytes)
}

/// The part of a line that should be a record: without blanks, NULs that a power cut left, and a byte order mark.
fn record_of(line: &[u8], first: bool) -> &[u8] {
    let line = if first { line.strip_prefix(BOM).unwrap_or(line) } else { line };
    let blank = |byte: &u8| *byte == 0 || byte.is_ascii_whitespace();
    let from = line.iter().position(|byte| !blank(byte)).unwrap_or(line.len());
    let to = line.iter().rposition(|byte| !blank(byte)).map_or(from, |last| last + 1);
    &line[from..to]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A journal that was opened by a test.
    #[derive(Debug)]
    struct Opened {
        journal: Result<Journal>,
        lines: Vec<String>,
        damaged: Vec<String>,
    }

    impl std::fmt::Debug for Journal {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            write!(f, "{} of {} bytes", self.path.display(), self.length)
        }
    }

    fn open(path: &Path) -> Opened {
        let (mut lines, mut damaged) = (Vec::new(), Vec::new());
        let journal = Journal::open(
            path,
            Holds::Boards,
            |line, _| {
                lines.push(String::from_utf8(line.to_owned()).unwrap());
                Ok(())
            },
            |line, what| damaged.push(format!("{line}: {what}")),
        );
        Opened { journal, lines, damaged }
    }

    const QUIET: &str = "{\"type\":\"quiet\"}\n";

    #[test]
    fn a_torn_last_line_is_cut_off() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal.jsonl");
        fs::write(&path, format!("{QUIET}{{\"type\":\"qui")).unwrap();
        let Opened { journal, lines, damaged } = open(&path);
        let mut journal = journal.unwrap();
        assert_eq!((lines, damaged), (vec![QUIET.to_owned()], vec![]));
        journal.append(b"{\"type\":\"lost\"}\n").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), format!("{QUIET}{{\"type\":\"lost\"}}\n"));
        let error = open(&path).journal.unwrap_err();
        assert!(error.to_string().ends_with("another boardbus writes to it"), "{error}");
    }

    #[test]
    fn nuls_of_a_power_cut_are_removed_or_skipped() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal.jsonl");
        let nuls = "\0".repeat(5000);
        for tail in [nuls.clone(), format!("{{\"type\":\"qu{nuls}")] {
            fs::write(&path, format!("{QUIET}{tail}")).unwrap();
            let Opened { journal, lines, damaged } = open(&path);
            journal.unwrap().append(QUIET.as_bytes()).unwrap();
            assert_eq!(lines, [QUIET]);
            assert_eq!(damaged, ["2: NULs, as a power cut leaves them: cut off"]);
            assert_eq!(fs::read_to_string(&path).unwrap(), [QUIET, QUIET].concat());
        }
        fs::write(&path, &nuls).unwrap();
        open(&path).journal.unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"");
        // NULs before a record are ignored.
        fs::write(&path, format!("{QUIET}{nuls}{QUIET}")).unwrap();
        assert_eq!(open(&path).lines, [QUIET, QUIET]);
    }

    #[test]
    fn damaged_lines_of_a_journal_stay_and_are_reported() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal.jsonl");
        let game = "{\"type\":\"game\",\"rules\":\"chess\",\"fen\":\"-\",\"board\":1,\"game\":1}";
        let long = "x".repeat(3 << 20);
        let content =
            format!("\u{feff}x{QUIET}  {QUIET}\n{{\"type\":\"chan\u{1}\n{game}\n{QUIET}{long}\n{QUIET}e2e4");
        fs::write(&path, &content).unwrap();
        let Opened { journal, lines, damaged } = open(&path);
        assert_eq!(lines, [QUIET, QUIET, QUIET]);
        assert_eq!(damaged.len(), 5, "{damaged:?}");
        assert_eq!(damaged[0], "1: is no record: left as it is, and skipped");
        assert_eq!(damaged[2], "5: is a record of a game, not of a board: left as it is, and skipped");
        journal.unwrap().append(QUIET.as_bytes()).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), format!("{content}\n{QUIET}"));
    }

    #[test]
    fn a_byte_order_mark_and_blanks_are_ignored() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal.jsonl");
        fs::write(&path, format!("\u{feff}{QUIET} \t{QUIET}\r\n")).unwrap();
        let Opened { journal, lines, damaged } = open(&path);
        journal.unwrap();
        assert_eq!((lines, damaged), (vec![QUIET.to_owned(); 2], vec![]));
    }

    #[test]
    fn a_removed_journal_is_begun_again() {
        let folder = tempfile::tempdir().unwrap();
        let (path, moved) = (folder.path().join("journal.jsonl"), folder.path().join("old.jsonl"));
        let mut journal = open(&path).journal.unwrap();
        let head = "{\"type\":\"stream\",\"records\":1}\n";
        journal.head(head.into());
        journal.append(head.as_bytes()).unwrap();
        journal.append(QUIET.as_bytes()).unwrap();
        assert!(journal.check().is_none());
        fs::rename(&path, &moved).unwrap();
        let Checked { said, has_lost } = journal.check().unwrap();
        assert!(has_lost && said.contains("begun again there"), "{said}");
        journal.append(QUIET.as_bytes()).unwrap();
        assert!(journal.check().is_none());
        for path in [&path, &moved] {
            assert_eq!(fs::read_to_string(path).unwrap(), [head, QUIET].concat());
        }
        // The new file is locked too.
        assert!(open(&path).journal.is_err());
        fs::write(&path, "").unwrap();
        assert!(journal.check().unwrap().said.contains("made shorter"));
        // Also if a record comes before the check.
        fs::write(&path, "").unwrap();
        journal.append(QUIET.as_bytes()).unwrap();
        assert!(journal.check().unwrap().said.contains("made shorter"));
        assert!(journal.check().is_none());
        assert_eq!(fs::read_to_string(&path).unwrap(), [head, QUIET].concat());
        fs::remove_file(&path).unwrap();
        fs::create_dir(&path).unwrap();
        assert!(journal.check().unwrap().said.contains("cannot be begun again"));
        assert!(journal.check().is_none());
        journal.append(QUIET.as_bytes()).unwrap();
    }

    #[test]
    fn a_file_of_games_is_no_journal() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.jsonl");
        let games = "{\"type\":\"stream\",\"records\":1}\n\
                     {\"type\":\"game\",\"board\":1,\"game\":1,\"rules\":\"chess\",\"fen\":\"-\"}\n";
        fs::write(&path, games).unwrap();
        let error = open(&path).journal.unwrap_err().to_string();
        assert!(error.contains("games.jsonl:2: is a record of a game"), "{error}");
        assert_eq!(fs::read_to_string(&path).unwrap(), games);
    }

    #[test]
    fn a_file_that_is_no_journal_is_unchanged() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.pgn");
        let games = "[Event \"Somebody's only copy\"]\n\n1. e4 e5 *".to_owned();
        let binary = "x".repeat(3 << 20);
        let unended = "{\"a\": 1}".to_owned();
        let long = format!("[Event \"?\"]\n{}", "1. e4 *\n".repeat(1 << 20));
        for content in [games, binary, unended, long] {
            fs::write(&path, &content).unwrap();
            let error = open(&path).journal.unwrap_err().to_string();
            assert!(
                error.ends_with("games.pgn:1: is no record: give --journal a file of its own"),
                "{error}"
            );
            assert_eq!(fs::read_to_string(&path).unwrap(), content);
        }
    }
}
