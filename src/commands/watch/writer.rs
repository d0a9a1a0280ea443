//! Numbers, keeps and prints the records of all ports that are watched.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
        mpsc::{Receiver, RecvTimeoutError},
    },
    time::Duration,
};

use super::status::Status;
use crate::{
    bus::{journal::Journal, recall::Recall},
    commands::{people, pieces::Pieces, summary::name_and_size},
    error::{Error, Result},
    progress,
    record::{BoardRecord, Record, Stream, Time},
    stdio::{self, Output},
    stop,
};

/// How soon it is noticed, while nothing comes, that somebody took the journal away.
const JOURNAL_CHECKED: Duration = Duration::from_millis(500);
/// What is said where nobody knows in which zone the games are played.
const WITHOUT_ZONE: &str = "this machine's time zone has no name, so games are dated in UTC: start with \
    TZ=Europe/Berlin, or give to-pgn --timezone Europe/Berlin";

/// Records that belong together, from one port.
pub(super) struct Batch {
    /// Which port.
    pub port: usize,
    /// The line that its boards are on.
    pub line: Option<Arc<str>>,
    /// Grows with each batch of the port.
    pub number: u64,
    /// The records, without line and number.
    pub records: Vec<BoardRecord>,
}

/// Standard output, as long as it takes anything.
pub(super) struct Printer {
    /// Standard output, until it takes no more.
    pub out: Option<Output>,
    /// Whether a person reads.
    pub text: bool,
    /// Whether it is a terminal.
    pub aside: bool,
    /// Why it takes no more, until that was reported.
    pub failed: Option<Error>,
}

impl Printer {
    /// Prints bytes.
    pub fn print(&mut self, bytes: &[u8]) {
        let Some(out) = &mut self.out else { return };
        // On one terminal with the status line.
        let printed = if self.aside { progress::aside(|| out.text(bytes)) } else { out.text(bytes) };
        if let Err(error) = printed {
            (self.out, self.failed) = (None, Some(error));
        }
    }

    /// Looks whether its reader has gone, which nothing else tells while boards say nothing.
    fn look(&mut self) {
        if self.out.is_some() && stdio::reader_has_gone() {
            (self.out, self.failed) = (None, Some(Error::ReaderGone));
        }
    }
}

/// Numbers, keeps and prints the records of all ports.
pub(super) struct Writer {
    /// Standard output.
    pub printer: Printer,
    /// The journal, if there is one.
    pub journal: Option<Journal>,
    /// The line on the terminal.
    pub status: Status,
    /// The chips that are known, and the file of them.
    pub pieces: Pieces,
    /// What could not be printed, when all else is done.
    pub result: Result<()>,
    /// The lines that have a stream record, in its order.
    pub lines: Vec<Option<Arc<str>>>,
    /// The stream records, with which a journal that is begun again begins too.
    pub head: Vec<u8>,
    /// Of each port the number of the last batch that is safe.
    pub safe: Vec<Arc<AtomicU64>>,
    /// No more is wanted.
    pub ended: Arc<AtomicBool>,
    /// The journal cannot be written by now.
    pub stuck: Arc<AtomicBool>,
    /// What the boards reported, for a journal that is begun again.
    pub recorded: Recall,
    /// A new journal was asked for by a signal; it is begun when this one can be written.
    pub new_files: bool,
    /// The number of the last record.
    pub seq: u64,
    /// How many records are still wanted, if not all are.
    pub left: Option<u64>,
}

impl Writer {
    /// Writes the stream records of these lines.
    pub fn begin(&mut self, lines: Vec<Option<Arc<str>>>) -> Result<()> {
        let (now, mut without_zone, begin) = (Time::now(), false, self.head.len());
        for name in &lines {
            let stream = Stream::begin(now, name.as_deref());
            without_zone |= stream.zone.is_none();
            push_line(&mut self.head, &stream)?;
        }
        if without_zone && self.lines.is_empty() {
            stdio::say(WITHOUT_ZONE);
        }
        self.lines.extend(lines);
        if let Some(journal) = &mut self.journal {
            journal.head(self.head.clone());
        }
        let streams = self.head[begin..].to_vec();
        self.keep(&streams)?;
        self.show(if self.printer.text { &[] } else { &streams })
    }

    /// Writes until all pollers have ended. When the reader has gone, what they hand over is still taken.
    pub fn run(&mut self, from: &Receiver<Batch>) -> Result<()> {
        loop {
            self.new_files |= stop::new_files_wanted();
            if std::mem::take(&mut self.new_files) {
                self.rotate()?;
            }
            let (taken, wanted) = match from.recv_timeout(JOURNAL_CHECKED) {
                Ok(Batch { port, line, number, records }) => (Some((port, number)), self.take(line, records)),
                Err(RecvTimeoutError::Timeout) => {
                    self.check_journal()?;
                    self.printer.look();
                    (None, self.show(&[]).map(|()| true))
                }
                Err(RecvTimeoutError::Disconnected) => break,
            };
            self.status.draw();
            if !matches!(wanted, Ok(true)) {
                self.ended.store(true, Ordering::Relaxed);
            }
            match wanted {
                Ok(_) => {}
                Err(Error::ReaderGone) => self.result = Err(Error::ReaderGone),
                Err(error) => return Err(error),
            }
            if let Some((port, number)) = taken {
                self.safe[port].store(number, Ordering::Release);
            }
        }
        if let Some(mut words) = self.status.end() {
            words.extend(self.journal.iter().map(|journal| name_and_size("journal ", journal.path())));
            stdio::sum_up(words);
        }
        std::mem::replace(&mut self.result, Ok(()))
    }

    /// Reports what others did to the journal. Into one that was cut or begun again the writer puts what stands on the boards.
    fn check_journal(&mut self) -> Result<()> {
        let Some(checked) = self.journal.as_mut().and_then(Journal::check) else { return Ok(()) };
        stdio::say(checked.said);
        if checked.has_lost { self.tell_standing(Time::now()) } else { Ok(()) }
    }

    /// What stands on the boards, for a journal that begins in the midst of a round.
    fn tell_standing(&mut self, now: Time) -> Result<()> {
        for line in self.lines.clone() {
            let standing = self.recorded.standing(line.as_deref(), now);
            self.write(line, standing)?;
        }
        Ok(())
    }

    /// Begins a new journal, with what stands on the boards; numbers go on.
    fn rotate(&mut self) -> Result<()> {
        let (Some(journal), now) = (&mut self.journal, Time::now()) else { return Ok(()) };
        match journal.rotate(&now.compact()) {
            Ok(Some(kept)) => {
                stdio::say(format_args!("{}: begun anew; kept as {}", journal.name(), kept.display()))
            }
            Ok(None) => stdio::say(format_args!("{}: begun anew", journal.name())),
            Err(error) => {
                stdio::say(format_args!("{error}: not begun anew, recording goes on in the same file"));
                return Ok(());
            }
        }
        self.tell_standing(now)
    }

    /// Writes what came, behind the stream record of its line. Whether more is wanted.
    fn take(&mut self, line: Option<Arc<str>>, records: Vec<BoardRecord>) -> Result<bool> {
        if !self.lines.contains(&line) {
            self.begin(vec![line.clone()])?;
        }
        self.write(line, records)
    }

    /// Whether more is wanted.
    fn write(&mut self, line: Option<Arc<str>>, records: Vec<BoardRecord>) -> Result<bool> {
        self.check_journal()?;
        let (mut lines, mut shown) = (Vec::new(), Vec::new());
        let mut print = self.left != Some(0);
        for mut record in records {
            self.seq += 1;
            record.seq = Some(self.seq);
            record.line = line.clone();
            self.status.take(&record);
            self.pieces.take(&record)?;
            let begin = lines.len();
            push_line(&mut lines, &record)?;
            match (print, self.printer.text) {
                (true, true) => shown.extend_from_slice(people::line(&record).as_bytes()),
                (true, false) => shown.extend_from_slice(&lines[begin..]),
                (false, _) => {}
            }
            if self.journal.is_some() {
                self.recorded.record(Record::Board(record));
            }
            if let Some(left) = &mut self.left {
                *left = left.saturating_sub(1);
                print &= *left > 0;
            }
        }
        self.keep(&lines)?;
        self.show(&shown)?;
        Ok(self.left != Some(0))
    }

    /// Puts lines into the journal, however long it takes until that can be written: meanwhile no board is asked that would
    /// forget.
    ///
    /// # Errors
    /// When a signal came first: what hinders the writing.
    fn keep(&mut self, lines: &[u8]) -> Result<()> {
        while let Some(Err(error)) = self.journal.as_mut().map(|journal| journal.append(lines)) {
            if !self.stuck.swap(true, Ordering::Relaxed) {
                stdio::say(format_args!("{error}: no board is asked until the journal can be written again"));
            }
            self.new_files |= stop::new_files_wanted();
            if stop::requested().is_some() {
                return Err(error);
            }
            stop::wait(None, Some(JOURNAL_CHECKED)).map_err(|error| Error::io("signals", error))?;
            // What stands on the boards by now would come before what is to be written.
            self.journal
                .as_mut()
                .and_then(Journal::check)
                .iter()
                .for_each(|checked| stdio::say(&checked.said));
        }
        if let (Some(journal), true) = (&self.journal, self.stuck.swap(false, Ordering::Relaxed)) {
            stdio::say(format_args!("{}: written again, and boards are asked again", journal.name()));
        }
        Ok(())
    }

    /// Prints what is to be shown. A reader that has gone ends the recording only where there is no journal.
    fn show(&mut self, shown: &[u8]) -> Result<()> {
        self.printer.print(shown);
        let Some(error) = self.printer.failed.take() else { return Ok(()) };
        // One that did not read when a signal came is no news.
        let is_news = stop::requested().is_none();
        match &self.journal {
            Some(journal) => {
                if is_news {
                    stdio::say(format_args!("{error}: recording goes on in {}", journal.name()));
                }
                if !matches!(error, Error::ReaderGone) {
                    self.result = Err(error);
                }
                Ok(())
            }
            None => {
                if is_news && matches!(error, Error::ReaderGone) {
                    stdio::say(format_args!("{error}, and there is no --journal to record on in: this ends"));
                }
                Err(error)
            }
        }
    }
}

fn push_line(lines: &mut Vec<u8>, record: &impl serde::Serialize) -> Result<()> {
    serde_json::to_writer(&mut *lines, record).map_err(|e| Error::io("a record", e.into()))?;
    lines.push(b'\n');
    Ok(())
}
