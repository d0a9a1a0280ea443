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

/// The interval at which the journal is checked for changes by others while no records come.
const JOURNAL_CHECK_INTERVAL: Duration = Duration::from_millis(500);
/// The message where the time zone of the games is not known.
const WITHOUT_ZONE: &str = "this machine's time zone has no name, so games are dated in UTC: start with \
    TZ=Europe/Berlin, or give to-pgn --timezone Europe/Berlin";

/// Records that belong together, from one port.
pub(super) struct Batch {
    /// Which port.
    pub port: usize,
    /// The line of its boards.
    pub line: Option<Arc<str>>,
    /// The number of the batch, which grows for each port.
    pub number: u64,
    /// The records, without line and number.
    pub records: Vec<BoardRecord>,
}

/// Standard output, as long as it can be written.
pub(super) struct Printer {
    /// Standard output; none after an error.
    pub out: Option<Output>,
    /// Whether the output is text for people.
    pub text: bool,
    /// Whether it is a terminal.
    pub aside: bool,
    /// The error of standard output, until it was reported.
    pub failed: Option<Error>,
}

impl Printer {
    /// Prints bytes.
    pub fn print(&mut self, bytes: &[u8]) {
        let Some(out) = &mut self.out else { return };
        // The output is on the terminal with the status line.
        let printed = if self.aside { progress::aside(|| out.text(bytes)) } else { out.text(bytes) };
        if let Err(error) = printed {
            (self.out, self.failed) = (None, Some(error));
        }
    }

    /// Checks whether the reader has gone, which shows only in a write, and no writes come while the boards report
    /// nothing.
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
    /// The calibrated chips, and their file.
    pub pieces: Pieces,
    /// The error of standard output, which is returned at the end.
    pub result: Result<()>,
    /// The lines that have a stream record, in its order.
    pub lines: Vec<Option<Arc<str>>>,
    /// The stream records, which are also written at the beginning of a new journal.
    pub head: Vec<u8>,
    /// The number of the last safe batch of each port.
    pub safe: Vec<Arc<AtomicU64>>,
    /// No more records are wanted.
    pub ended: Arc<AtomicBool>,
    /// The journal cannot be written at the moment.
    pub stuck: Arc<AtomicBool>,
    /// What the boards reported, for a new journal.
    pub recorded: Recall,
    /// A signal asked for a new journal, which begins when the current one can be written.
    pub new_files: bool,
    /// The number of the last record.
    pub seq: u64,
    /// The number of records that are still wanted, if not all are.
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

    /// Writes until all pollers have ended. After the reader has gone, their last batches are still written.
    pub fn run(&mut self, from: &Receiver<Batch>) -> Result<()> {
        loop {
            self.new_files |= stop::new_files_wanted();
            if std::mem::take(&mut self.new_files) {
                self.rotate()?;
            }
            let (taken, wanted) = match from.recv_timeout(JOURNAL_CHECK_INTERVAL) {
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

    /// Reports what others did to the journal. Writes the current positions into a journal that was cut or begun again.
    fn check_journal(&mut self) -> Result<()> {
        let Some(checked) = self.journal.as_mut().and_then(Journal::check) else { return Ok(()) };
        stdio::say(checked.said);
        if checked.has_lost { self.write_positions(Time::now()) } else { Ok(()) }
    }

    /// The current positions of the boards, for a journal that begins in the midst of a round.
    fn write_positions(&mut self, now: Time) -> Result<()> {
        for line in self.lines.clone() {
            let standing = self.recorded.standing(line.as_deref(), now);
            self.write(line, standing)?;
        }
        Ok(())
    }

    /// Begins a new journal with the current positions of the boards; the numbers continue.
    fn rotate(&mut self) -> Result<()> {
        let (Some(journal), now) = (&mut self.journal, Time::now()) else { return Ok(()) };
        match journal.rotate(&now.compact()) {
            Ok(Some(kept)) => {
                stdio::say(format_args!("{}: begun again; kept as {}", journal.name(), kept.display()))
            }
            Ok(None) => stdio::say(format_args!("{}: begun again", journal.name())),
            Err(error) => {
                stdio::say(format_args!("{error}: no new journal, recording continues in the same file"));
                return Ok(());
            }
        }
        self.write_positions(now)
    }

    /// Writes records, after the stream record of their line. Returns whether more are wanted.
    fn take(&mut self, line: Option<Arc<str>>, records: Vec<BoardRecord>) -> Result<bool> {
        if !self.lines.contains(&line) {
            self.begin(vec![line.clone()])?;
        }
        self.write(line, records)
    }

    /// Writes records. Returns whether more are wanted.
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

    /// Writes lines to the journal, and waits until that is possible: meanwhile no board is asked, since it would
    /// delete its data.
    ///
    /// # Errors
    /// When a signal came first: the error of the journal.
    fn keep(&mut self, lines: &[u8]) -> Result<()> {
        while let Some(Err(error)) = self.journal.as_mut().map(|journal| journal.append(lines)) {
            if !self.stuck.swap(true, Ordering::Relaxed) {
                stdio::say(format_args!("{error}: no board is asked until the journal can be written again"));
            }
            self.new_files |= stop::new_files_wanted();
            if stop::requested().is_some() {
                return Err(error);
            }
            stop::wait(None, Some(JOURNAL_CHECK_INTERVAL)).map_err(|error| Error::io("signals", error))?;
            // The current positions of the boards would come before the lines that are waiting.
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

    /// Prints text. After the reader has gone the recording ends only where there is no journal.
    fn show(&mut self, shown: &[u8]) -> Result<()> {
        self.printer.print(shown);
        let Some(error) = self.printer.failed.take() else { return Ok(()) };
        // A reader that stopped because of the signal is not reported.
        let is_news = stop::requested().is_none();
        match &self.journal {
            Some(journal) => {
                if is_news {
                    stdio::say(format_args!("{error}: recording continues in {}", journal.name()));
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
