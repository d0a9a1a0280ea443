//! Files, read one after the other, or followed all at once.

use std::{
    fs::{self, File},
    io::{self, Read, Seek, SeekFrom},
    os::fd::AsFd,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use super::{
    Output, Piece, Place, TakePiece, Then,
    at_hand::{AtHand, is_now},
    fail,
    follow::Followed,
    line::Lines,
    name_of,
    notices::{Asked, Notices},
    open::open,
    reader_has_gone,
    unpack::Unpacker,
};
use crate::{
    error::{Error, Result},
    stop::{self, Wake},
};

const BLOCK: usize = 64 * 1024;
/// How long a filter that was asked to stop still reads the last output of the command before it, which had the same
/// signal and ends a little sooner.
const LAST_WORDS: Duration = Duration::from_millis(700);
/// How often followed files are polled: changes without notices are detected within this time.
const LOOK: Duration = Duration::from_millis(100);

/// Files to read: none, or `-`, is standard input.
#[derive(Debug, Clone, Copy)]
pub struct Inputs<'a> {
    files: &'a [PathBuf],
    follow: bool,
    /// The input is followed for the reader of standard output.
    for_reader: bool,
    /// The offset in the first file, in bytes.
    from: u64,
    /// Unreadable files are not reported.
    silent: bool,
    /// How long the last output of the command before is awaited.
    last_words: Duration,
}

impl<'a> Inputs<'a> {
    /// Reads the files to their ends, one after the other.
    pub fn of(files: &'a [PathBuf]) -> Inputs<'a> {
        Inputs { files, follow: false, for_reader: false, from: 0, silent: false, last_words: LAST_WORDS }
    }

    /// With `follow` regular files have no end: all of them are polled until a signal comes. A missing one is waited
    /// for.
    pub fn following(self, follow: bool) -> Inputs<'a> {
        Inputs { follow, ..self }
    }

    /// The result goes to standard output: following ends when that has no reader any more.
    pub fn ends_with_reader(self, for_reader: bool) -> Inputs<'a> {
        Inputs { for_reader, ..self }
    }

    /// Begins at this offset in bytes of the first file, which is the beginning of a line: the part before was read.
    pub fn from(self, from: u64) -> Inputs<'a> {
        Inputs { from, ..self }
    }

    /// Does not report unreadable files: another reading of the same files does.
    pub fn in_silence(self) -> Inputs<'a> {
        Inputs { silent: true, ..self }
    }

    /// A signal ends the reading at once, without waiting for the last output of the command before, for which the
    /// terminal would have to be kept.
    pub fn to_be_left_at_once(self) -> Inputs<'a> {
        Inputs { last_words: Duration::ZERO, ..self }
    }

    /// The number of files.
    pub fn count(self) -> usize {
        self.files.len().max(1)
    }
}

/// The whole content of a file, for formats that are not read line by line.
pub fn read_whole(path: &Path) -> Result<Vec<u8>> {
    unpack_whole(path, &read_packed(path, usize::MAX)?)
}

/// The whole content of a file, packed or not. Of one with more than `most` bytes, which may have no end, at least one
/// byte more is returned.
pub fn read_packed(path: &Path, most: usize) -> Result<Vec<u8>> {
    let failed = |e| Error::io(path.display(), e);
    let mut file = stop::open(path, File::options().read(true)).map_err(failed)?;
    let (mut whole, mut block) = (Vec::new(), vec![0; BLOCK]);
    while whole.len() <= most {
        match stop::wait(Some(file.as_fd()), None).map_err(failed)? {
            Wake::Stopped => return Err(failed(io::Error::other("a signal came before it was read"))),
            Wake::TimedOut => {}
            Wake::Readable => match file.read(&mut block).map_err(failed)? {
                0 => break,
                n => whole.extend_from_slice(&block[..n]),
            },
        }
    }
    Ok(whole)
}

/// The unpacked content of a file of this name with these bytes.
pub fn unpack_whole(path: &Path, bytes: &[u8]) -> Result<Vec<u8>> {
    let (mut whole, mut unpacker, name) = (Vec::new(), Unpacker::default(), name_of(path));
    let mut take = |bytes: &[u8]| {
        whole.extend_from_slice(bytes);
        Ok(())
    };
    unpacker.push(&name, bytes, &mut take)?;
    unpacker.end(&name, &mut take)?;
    Ok(whole)
}

/// Reads block by block. `idle` is called before any read that has to wait.
pub fn each_block(
    inputs: Inputs<'_>,
    mut idle: impl FnMut() -> Result<()>,
    mut f: impl FnMut(Piece<'_>) -> Result<()>,
) -> Result<()> {
    let idle = |(): &mut ()| idle().map(|()| None);
    let take = |(): &mut (), piece: Piece<'_>| f(piece);
    blocks(inputs, &mut With { state: &mut (), idle, f: take })
}

/// Reads line by line, without the line end; `f` gets each line that is not blank with its place. `out` is flushed
/// before any read that has to wait.
pub fn each_line(
    inputs: Inputs<'_>,
    out: &mut Output,
    f: impl FnMut(&mut Output, Place<'_>, &[u8]) -> Result<()>,
) -> Result<()> {
    lines(inputs, out, |out| out.flush().map(|()| None), f)?;
    out.flush()
}

/// Reads line by line into a state. `idle` is called before any read that has to wait, and returns the longest time
/// until its next call (none: until there is input).
pub fn lines<S>(
    inputs: Inputs<'_>,
    state: &mut S,
    idle: impl FnMut(&mut S) -> Result<Option<Duration>>,
    mut f: impl FnMut(&mut S, Place<'_>, &[u8]) -> Result<()>,
) -> Result<()> {
    let mut files: Vec<Lines> = (0..inputs.count()).map(|_| Lines::saying(!inputs.silent)).collect();
    let take = |state: &mut S, piece: Piece<'_>| {
        files[piece.nth].take(&piece, &mut |place, line| f(state, place, line))
    };
    blocks(inputs, &mut With { state, idle, f: take })
}

/// Who takes what is read. One function reads for all of them: compiled for each it would be a tenth of the program.
trait Taker {
    /// Is called before any read that has to wait; the longest time until it is called again (none: until there is input).
    fn idle(&mut self) -> Result<Option<Duration>>;

    /// Takes a piece of a file.
    fn take(&mut self, piece: Piece<'_>) -> Result<()>;
}

/// A state, and what is done with it.
struct With<'a, S, I, F> {
    state: &'a mut S,
    idle: I,
    f: F,
}

impl<S, I, F> Taker for With<'_, S, I, F>
where
    I: FnMut(&mut S) -> Result<Option<Duration>>,
    F: FnMut(&mut S, Piece<'_>) -> Result<()>,
{
    fn idle(&mut self) -> Result<Option<Duration>> {
        (self.idle)(self.state)
    }

    fn take(&mut self, piece: Piece<'_>) -> Result<()> {
        (self.f)(self.state, piece)
    }
}

fn blocks(inputs: Inputs<'_>, taker: &mut dyn Taker) -> Result<()> {
    let stdin = [PathBuf::from("-")];
    let files = if inputs.files.is_empty() { &stdin[..] } else { inputs.files };
    if inputs.follow && files.iter().any(|path| is_plain(path)) {
        return follow(Inputs { files, ..inputs }, taker);
    }
    let mut block = vec![0; BLOCK];
    let mut all = true;
    for (nth, path) in files.iter().enumerate() {
        let from = if nth == 0 { inputs.from } else { 0 };
        let (last, says) = (nth + 1 == files.len(), !inputs.silent);
        let file = Whole { nth, path, from, last, says, last_words: inputs.last_words };
        let read = block_by_block(file, &mut block, taker);
        all &= read.is_ok();
        let ended = read.map_or_else(|error| is_the_end(error, path, says), |()| Ok(false))?;
        if ended || stop::requested().is_some() {
            return Ok(());
        }
    }
    if all {
        is_now(AtHand::Read);
    }
    Ok(())
}

/// Reports the error that ended the reading of a file; returns whether it ends that of the others too.
fn is_the_end(error: Error, path: &Path, says: bool) -> Result<bool> {
    let of_this_file = matches!(&error, Error::Io { what, .. } if *what == name_of(path));
    match error {
        // Nothing good is lost because of something bad: the other files are still read.
        Error::Io { .. } if of_this_file && says => fail(&error),
        Error::Io { .. } if of_this_file => {}
        // The reading ends, but the command still writes what it has read.
        Error::Data(_) => fail(&error),
        error => return Err(error),
    }
    Ok(!of_this_file)
}

/// A file that is read from an offset to its end.
struct Whole<'a> {
    nth: usize,
    path: &'a Path,
    from: u64,
    /// No other file follows it.
    last: bool,
    says: bool,
    last_words: Duration,
}

fn block_by_block(
    Whole { nth, path, from, last, says, last_words }: Whole<'_>,
    block: &mut [u8],
    taker: &mut dyn Taker,
) -> Result<()> {
    let (name, mut file) = open(path)?;
    let mut unpacker = Unpacker::saying(says);
    let failed = |e| Error::io(&name, e);
    if from > 0 {
        file.seek(SeekFrom::Start(from)).map_err(failed)?;
    }
    // The rest of a regular file is not being written: a signal ends its reading at once.
    let is_plain = file.metadata().is_ok_and(|data| data.is_file());
    let last_words = if is_plain { Duration::ZERO } else { last_words };
    if last && !is_plain {
        is_now(AtHand::Pipe);
    }
    let mut stopped: Option<Instant> = None;
    loop {
        let ready = stop::readable_within(file.as_fd(), Duration::ZERO).map_err(failed)?;
        let limit = if ready { None } else { taker.idle()? };
        let more = match stop::wait(Some(file.as_fd()), limit).map_err(failed)? {
            Wake::Stopped => {
                let left = last_words.saturating_sub(stopped.get_or_insert_with(Instant::now).elapsed());
                !left.is_zero() && stop::readable_within(file.as_fd(), left).map_err(failed)?
            }
            Wake::TimedOut => continue,
            Wake::Readable => true,
        };
        let n = if more { file.read(block) } else { Ok(0) };
        let mut pass = |bytes: &[u8]| taker.take(Piece { file: &name, nth, bytes, then: Then::More });
        match n {
            Ok(0) => {
                unpacker.end(&name, &mut pass)?;
                return taker.take(Piece { file: &name, nth, bytes: &[], then: Then::End });
            }
            Ok(n) => unpacker.push(&name, &block[..n], &mut pass)?,
            Err(e) if e.kind() == io::ErrorKind::Interrupted => continue,
            Err(e) => return Err(failed(e)),
        }
    }
}

/// Whether a path leads to a regular file, now or once it exists.
fn is_plain(path: &Path) -> bool {
    path.as_os_str() != "-"
        && fs::metadata(path).map_or_else(|e| e.kind() == io::ErrorKind::NotFound, |data| data.is_file())
}

/// A followed source.
enum Source {
    /// A file, with its watch,
    Plain(Box<Followed>, Option<Asked>),
    /// a pipe, which has an end,
    Pipe(String, File, Unpacker),
    /// or a source that has ended.
    Over,
}

impl Source {
    fn new(path: &Path, from: u64) -> Result<Source> {
        if is_plain(path) {
            return Ok(Source::Plain(Box::new(Followed::new(path).from(from)), None));
        }
        open(path).map(|(name, file)| Source::Pipe(name, file, Unpacker::default()))
    }

    /// Reads new input; returns whether there was any.
    fn look(
        &mut self,
        nth: usize,
        block: &mut [u8],
        notices: &mut Notices,
        f: TakePiece<'_>,
    ) -> Result<bool> {
        let (name, file, unpacker) = match self {
            Source::Over => return Ok(false),
            Source::Plain(file, asked) => {
                let news = file.blocks(nth, f)?;
                let other = file.is_other();
                if other {
                    *asked = notices.of(file.path(), asked.take());
                }
                // Bytes written before the watch began are read by another poll.
                return Ok(news || other);
            }
            Source::Pipe(name, file, unpacker) => (name, file, unpacker),
        };
        let failed = |e| Error::io(&*name, e);
        if !stop::readable_within(file.as_fd(), Duration::ZERO).map_err(failed)? {
            return Ok(false);
        }
        match file.read(block) {
            Ok(0) => self.end(nth, f)?,
            Ok(n) => {
                let mut pass = |bytes: &[u8]| f(Piece { file: name, nth, bytes, then: Then::More });
                unpacker.push(name, &block[..n], &mut pass)?;
            }
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            Err(e) => return Err(failed(e)),
        }
        Ok(true)
    }

    fn end(&mut self, nth: usize, f: TakePiece<'_>) -> Result<()> {
        match std::mem::replace(self, Source::Over) {
            Source::Over => Ok(()),
            Source::Plain(mut file, _) => file.end(f),
            Source::Pipe(name, _, mut unpacker) => {
                let mut pass = |bytes: &[u8]| f(Piece { file: &name, nth, bytes, then: Then::More });
                unpacker.end(&name, &mut pass)?;
                f(Piece { file: &name, nth, bytes: &[], then: Then::End })
            }
        }
    }
}

/// Polls all files until a signal comes.
fn follow(Inputs { files, from, for_reader, .. }: Inputs<'_>, taker: &mut dyn Taker) -> Result<()> {
    let mut sources: Vec<Option<Source>> = files.iter().map(|_| None).collect();
    let (mut block, mut notices) = (vec![0; BLOCK], Notices::default());
    loop {
        let mut news = false;
        for (nth, (path, source)) in files.iter().zip(&mut sources).enumerate() {
            let looked = match source {
                None => Source::new(path, if nth == 0 { from } else { 0 })
                    .map(|new| *source = Some(new))
                    .map(|()| true),
                Some(source) => source.look(nth, &mut block, &mut notices, &mut |piece| taker.take(piece)),
            };
            match looked {
                Ok(any) => news |= any,
                Err(error) => {
                    if is_the_end(error, path, true)? {
                        return Ok(());
                    }
                    *source = Some(Source::Over);
                }
            }
        }
        if stop::requested().is_some() || sources.iter().all(|source| matches!(source, Some(Source::Over))) {
            break;
        }
        if !news {
            let of_pipe = sources.iter().any(|source| matches!(source, Some(Source::Pipe(..))));
            is_now(if of_pipe { AtHand::Pipe } else { AtHand::Read });
            let limit = taker.idle()?.map_or(LOOK, |limit| limit.min(LOOK));
            // Without output no write reports that the reader has gone.
            if for_reader && reader_has_gone() {
                return Err(Error::ReaderGone);
            }
            notices.wait(limit).map_err(|e| Error::io("waiting", e))?;
        }
    }
    for (nth, source) in sources.iter_mut().enumerate() {
        source.as_mut().map_or(Ok(()), |source| source.end(nth, &mut |piece| taker.take(piece)))?;
    }
    Ok(())
}
