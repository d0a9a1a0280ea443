//! `boardbus watch`: poll boards and tell every change.

mod status;

use std::{
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
        mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel},
    },
    thread,
    time::Duration,
};

use super::{
    arguments::{Boards, FormatArgs, span_above_0},
    line::{self, ModeArgs, PatienceArgs},
    open_line::Line,
    people,
    port_words::PortWords,
    ready,
    summary::name_and_size,
};
use crate::{
    bus::{
        FirstSearch, Gone, Link, Recalled, RecordSink, WatchSettings,
        detect::{self, Beginning, WatchPlan},
        ending::Ending,
        journal::{Holds, Journal},
        port::Port,
        recall::Recall,
        watch::wait_for_port,
    },
    error::{Done, Error, Result},
    format::ranges,
    progress,
    record::{BoardRecord, Mode, Record, Stream, Time},
    stdio::{self, Bad, Output},
    stop,
};
use status::Status;

/// Batches that may wait to be written; a reader slower than that slows the polling down, and the boards keep
/// what they have.
const WAITING: usize = 1024;
/// How soon it is noticed, while nothing comes, that somebody took the journal away.
const JOURNAL_CHECKED: Duration = Duration::from_millis(500);
/// What is said where nobody knows in which zone the games are played.
const WITHOUT_ZONE: &str = "this machine's time zone has no name, so games are dated in UTC: start with \
    TZ=Europe/Berlin, or give to-pgn --timezone Europe/Berlin";

/// Poll boards and report every change
///
/// Finds the boards, then asks each in turn for what it logged, for ever. A board that has been set up for a game and
/// stands still gets the start mark, so that its own log always begins with the game in play. A port that goes away
/// is waited for; of several ports so are those that are not there at the beginning. One record a line, numbered from 1,
/// written out at once. With --journal it continues to record when nobody reads them any more.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  boardbus watch --port /dev/ttyUSB0 --journal round3.jsonl | boardbus reconstruct | boardbus to-pgn --output games.pgn
  boardbus watch --port /dev/ttyUSB0 --journal round3.jsonl | boardbus reconstruct > games.jsonl
  boardbus watch --port /dev/ttyUSB0 --port /dev/ttyUSB1 --line hall-1 --line hall-2")]
pub struct Watch {
    /// Serial port of a line, a pseudo-terminal, or a serial server, tcp://host:port; once for each line [default: the one
    /// USB adapter there is]
    #[arg(short, long, env = "BOARDBUS_PORT", value_name = "PATH")]
    port: Vec<PathBuf>,

    /// A name for the line, put on every record; once for each port [default with several ports: the port]
    #[arg(long, value_name = "NAME")]
    line: Vec<String>,

    /// Only these boards, and no search: 1025-1060,2054
    #[arg(short, long, visible_alias = "boards", value_name = "LIST", conflicts_with = "expect")]
    board: Option<Boards>,

    /// Boards that must be there, asked first; those missing are named and waited for
    #[arg(long, value_name = "LIST")]
    expect: Option<Boards>,

    /// Write no start marks: `boardbus start` does
    #[arg(long)]
    no_start_marks: bool,

    /// How often to look for boards that were switched on since: 90s, 1.5m, 1h; a bare number is seconds
    #[arg(long, value_name = "TIME", default_value = "5m", value_parser = span_above_0)]
    rediscover: Duration,

    /// How long to wait for a port that went away, for ever without it: 90s, 1.5m, 1h; a bare number is seconds
    #[arg(long, value_name = "TIME", value_parser = span_above_0)]
    give_up: Option<Duration>,

    /// End after this many records of boards
    #[arg(short = 'n', long, value_name = "N")]
    count: Option<u64>,

    /// End after this time: 500ms, 90s, 1.5m, 1h; a bare number is seconds
    #[arg(long, value_name = "TIME", value_parser = span_above_0)]
    seconds: Option<Duration>,

    /// Append every record to this file before it is printed, and print first what is in it
    #[arg(long, value_name = "FILE")]
    journal: Option<PathBuf>,

    /// Append every byte, both ways, to this file, a new one or a capture; with several ports the port's number is added to its name
    #[arg(long, value_name = "FILE")]
    capture: Option<PathBuf>,

    #[command(flatten)]
    patience: PatienceArgs,

    #[command(flatten)]
    mode: ModeArgs,

    #[command(flatten)]
    format: FormatArgs,
}

/// A line that is watched.
struct Watched {
    port: Line,
    /// The port was not there at the beginning.
    absent: bool,
    name: Option<String>,
    recalled: Recalled,
    /// How its boards were spoken to in an earlier run.
    mode: Option<Mode>,
}

/// Records that belong together, from one line.
struct Batch {
    line: usize,
    number: u64,
    records: Vec<BoardRecord>,
}

/// The way from a poller to the writer.
struct ToWriter {
    line: usize,
    words: PortWords,
    number: u64,
    to: SyncSender<Batch>,
    safe: Arc<AtomicU64>,
    ended: Arc<AtomicBool>,
    stuck: Arc<AtomicBool>,
}

impl RecordSink for ToWriter {
    fn put(&mut self, records: Vec<BoardRecord>) -> Result<u64> {
        self.number += 1;
        records.iter().for_each(|record| self.words.take(record));
        let batch = Batch { line: self.line, number: self.number, records };
        // Sent even when nobody reads any more: the journal still wants what the boards have forgotten.
        self.to.send(batch).map_err(|_| Error::ReaderGone)?;
        if self.ended.load(Ordering::Relaxed) { Err(Error::ReaderGone) } else { Ok(self.number) }
    }

    fn safe(&self, number: u64) -> bool {
        self.safe.load(Ordering::Acquire) >= number
    }

    fn wanted(&self) -> bool {
        !self.ended.load(Ordering::Relaxed)
    }

    fn takes(&self) -> bool {
        !self.stuck.load(Ordering::Relaxed)
    }

    fn port_gone(&mut self, gone: &Gone) {
        self.words.gone(gone);
    }
}

/// Standard output, as long as it takes anything.
struct Printer {
    out: Option<Output>,
    /// Whether a person reads.
    text: bool,
    /// Whether it is a terminal.
    aside: bool,
    /// Why it takes no more, until that was said.
    failed: Option<Error>,
}

impl Printer {
    fn print(&mut self, bytes: &[u8]) {
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

/// Numbers, keeps and prints the records of all lines.
struct Writer {
    printer: Printer,
    journal: Option<Journal>,
    status: Status,
    /// What could not be printed, when all else is done.
    result: Result<()>,
    names: Vec<Option<Arc<str>>>,
    safe: Vec<Arc<AtomicU64>>,
    ended: Arc<AtomicBool>,
    /// The journal cannot be written by now.
    stuck: Arc<AtomicBool>,
    /// What the boards told, for a journal that is begun anew.
    told: Recall,
    /// A new journal was asked for by a signal; it is begun when this one can be written.
    new_files: bool,
    seq: u64,
    left: Option<u64>,
}

impl Watch {
    /// Runs the command.
    pub fn run(self) -> Result<Done> {
        let ports = if self.port.is_empty() { vec![line::only_adapter()?] } else { self.port.clone() };
        if !self.line.is_empty() && self.line.len() != ports.len() {
            return Err(Error::Usage(format!("{} ports and {} --line names", ports.len(), self.line.len())));
        }
        if ports.len() > 1 && (self.board.is_some() || self.expect.is_some()) {
            return Err(Error::Usage("--board and --expect say nothing with several ports".into()));
        }
        let names: Vec<Option<String>> = match (&self.line[..], &ports[..]) {
            ([], [_]) => vec![None],
            ([], many) => many.iter().map(|port| Some(port.display().to_string())).collect(),
            (names, _) => names.iter().cloned().map(Some).collect(),
        };
        let open = self.open(&ports)?;
        let text = self.format.is_text();
        let mut printer =
            Printer { out: Some(Output::live()), text, aside: stdio::person_reads(), failed: None };
        let (mut recall, mut told, mut journal) = (Recall::default(), Recall::default(), None);
        if let Some(path) = &self.journal {
            let each = |line: &[u8], record| {
                told.record(Record::clone(&record));
                recall.record(record);
                if !text {
                    printer.print(line);
                }
                Ok(())
            };
            let mut bad = Bad::new(false);
            let damaged = |line, what: &str| {
                // It is not strict: nothing is refused.
                let _ = bad.report(format_args!("{}:{line}", path.display()), what);
            };
            journal = Some(Journal::open(path, Holds::Boards, each, damaged)?);
            bad.done("line");
            stop::keep_files().map_err(|error| Error::io("signals", error))?;
        }
        let lines: Vec<Watched> = open
            .into_iter()
            .zip(names)
            .map(|((port, absent), name)| {
                let (recalled, mode) = recall.line_named(name.as_deref());
                Watched { port, absent, name, recalled, mode }
            })
            .collect();
        let count = lines.len();
        let writer = Writer {
            printer,
            journal,
            status: Status::begin(),
            result: Ok(()),
            names: lines.iter().map(|line| line.name.as_deref().map(Into::into)).collect(),
            safe: (0..count).map(|_| Arc::new(AtomicU64::new(0))).collect(),
            ended: Arc::new(AtomicBool::new(false)),
            stuck: Arc::new(AtomicBool::new(false)),
            told,
            new_files: false,
            seq: 0,
            left: self.count,
        };
        self.watch(lines, writer)
    }

    /// Opens the ports. One that is not there does not keep the others waiting: it will be waited for, which is said.
    fn open(&self, ports: &[PathBuf]) -> Result<Vec<(Line, bool)>> {
        let (mut lines, mut absent) = (Vec::new(), Vec::new());
        for (n, path) in ports.iter().enumerate() {
            let capture = self.capture.as_ref().map(|file| {
                let number = if n == 0 { String::new() } else { format!(".{}", n + 1) };
                PathBuf::from(format!("{}{number}", file.display()))
            });
            let mut port = Port::closed(path, self.patience.patience, line::capture(capture.as_deref())?);
            let opened = port.reopen();
            lines.push((Ending::new(port, self.seconds), opened.is_err()));
            match opened {
                Ok(()) => {}
                Err(error @ Error::Port { .. }) => absent.push(error),
                Err(error) => return Err(error),
            }
        }
        let none = absent.len() == lines.len();
        let last = if none { absent.pop() } else { None };
        for error in absent {
            let rest = if none { "" } else { ": it is waited for, the other lines go on" };
            stdio::say(format_args!("{error}{rest}"));
        }
        last.map_or(Ok(lines), Err)
    }

    /// A thread for each line; this one writes.
    fn watch(&self, lines: Vec<Watched>, mut writer: Writer) -> Result<Done> {
        writer.begin()?;
        let (to, from) = sync_channel(WAITING);
        let several = lines.len() > 1;
        thread::scope(|scope| {
            let watching: Vec<_> = lines
                .into_iter()
                .enumerate()
                .map(|(n, line)| {
                    let (safe, ended) = (writer.safe[n].clone(), writer.ended.clone());
                    let (to, stuck) = (to.clone(), writer.stuck.clone());
                    let words = PortWords::about(line.port.name());
                    let sink = ToWriter { line: n, words, number: 0, to, safe, ended, stuck };
                    scope.spawn(move || {
                        let result = self.line(line, sink);
                        if let (Err(error @ Error::Port { .. }), true) = (&result, several) {
                            stdio::say(format_args!("{error}: the other lines go on"));
                        }
                        result
                    })
                })
                .collect();
            drop(to);
            let written = writer.run(&from);
            // What is still on its way has nowhere to go; a poller that waits to hand it over must not wait.
            drop(from);
            let ended = watching.into_iter().map(|line| match line.join() {
                Ok(Ok(())) | Ok(Err(Error::ReaderGone)) => Ok(()),
                Ok(Err(error)) => Err(error),
                Err(panic) => std::panic::resume_unwind(panic),
            });
            let ended: Result<()> = ended.collect();
            written.and(ended).map(|()| Done::Yes)
        })
    }

    /// Watches a line.
    fn line(&self, mut line: Watched, mut sink: ToWriter) -> Result<()> {
        let plan = WatchPlan {
            make: self.mode.asked().map(Into::into),
            last: line.mode,
            expected: self.board.as_ref().or(self.expect.as_ref()).cloned().unwrap_or_default().0,
            only: self.board.is_some(),
            settings: WatchSettings {
                start_marks: !self.no_start_marks,
                rediscover: self.board.is_none().then_some(self.rediscover),
                give_up: self.give_up,
                seconds: self.seconds,
            },
        };
        if line.absent {
            wait_for_port(&mut line.port, &plan.settings, &sink)?;
        }
        let mut said = false;
        let name = line.port.name().to_owned();
        detect::watch(line.port, &mut sink, plan, line.recalled, &mut |beginning| match beginning {
            Beginning::Nobody if std::mem::replace(&mut said, true) => {}
            Beginning::Nobody => {
                ready::tell();
                found(0, &[]);
            }
            Beginning::Heard(heard) => {
                ready::tell();
                stdio::say(format_args!("{name}: {heard}"));
            }
            Beginning::Watching(search) => {
                ready::tell();
                if let Some(FirstSearch { found: count, missing, shared, slow }) = search {
                    // A record says of those that share their address what they are.
                    if count + missing.len() > 0 || shared == 0 {
                        found(count, &missing);
                    }
                    slow.into_iter().for_each(|slow| stdio::say(people::slow_line(slow, count)));
                }
            }
        })
    }
}

/// Says what the first search found.
fn found(count: usize, missing: &[u16]) {
    let plural = if count == 1 { "" } else { "s" };
    match (count, missing) {
        (0, []) => stdio::say("no board answers: are they switched on? Looking for them again and again"),
        (_, []) => stdio::say(format_args!("{count} board{plural} found")),
        (_, missing) => {
            let missing = ranges(missing);
            stdio::say(format_args!(
                "{count} board{plural} found, no answer from {missing}: waiting for them"
            ));
        }
    }
}

impl Writer {
    /// The stream record of each line.
    fn begin(&mut self) -> Result<()> {
        let now = Time::now();
        let (mut lines, mut without_zone) = (Vec::new(), false);
        for name in &self.names {
            let stream = Stream::begin(now, name.as_deref());
            without_zone |= stream.zone.is_none();
            push_line(&mut lines, &stream)?;
        }
        if without_zone {
            stdio::say(WITHOUT_ZONE);
        }
        if let Some(journal) = &mut self.journal {
            journal.head(lines.clone());
            journal.append(&lines)?;
        }
        self.show(if self.printer.text { &[] } else { &lines })
    }

    /// Writes until all pollers have ended. When the reader has gone, what they hand over is still taken.
    fn run(&mut self, from: &Receiver<Batch>) -> Result<()> {
        loop {
            self.new_files |= stop::new_files_wanted();
            if std::mem::take(&mut self.new_files) {
                self.rotate()?;
            }
            let (taken, wanted) = match from.recv_timeout(JOURNAL_CHECKED) {
                Ok(Batch { line, number, records }) => (Some((line, number)), self.write(line, records)),
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
            if let Some((line, number)) = taken {
                self.safe[line].store(number, Ordering::Release);
            }
        }
        if let Some(mut words) = self.status.end() {
            words.extend(self.journal.iter().map(|journal| name_and_size("journal ", journal.path())));
            stdio::sum_up(words);
        }
        std::mem::replace(&mut self.result, Ok(()))
    }

    /// Says what others did to the journal. One that was cut or had to be begun again is told what stands on the boards.
    fn check_journal(&mut self) -> Result<()> {
        let Some(checked) = self.journal.as_mut().and_then(Journal::check) else { return Ok(()) };
        stdio::say(checked.said);
        if checked.has_lost { self.tell_standing(Time::now()) } else { Ok(()) }
    }

    /// What stands on the boards, for a journal that begins in the midst of a round.
    fn tell_standing(&mut self, now: Time) -> Result<()> {
        for (line, name) in self.names.clone().iter().enumerate() {
            let standing = self.told.standing(name.as_deref(), now);
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

    /// Whether more is wanted.
    fn write(&mut self, line: usize, records: Vec<BoardRecord>) -> Result<bool> {
        self.check_journal()?;
        let (mut lines, mut shown) = (Vec::new(), Vec::new());
        let mut print = self.left != Some(0);
        for mut record in records {
            self.seq += 1;
            record.seq = Some(self.seq);
            record.line = self.names[line].clone();
            self.status.take(&record);
            let begin = lines.len();
            push_line(&mut lines, &record)?;
            match (print, self.printer.text) {
                (true, true) => shown.extend_from_slice(people::line(&record).as_bytes()),
                (true, false) => shown.extend_from_slice(&lines[begin..]),
                (false, _) => {}
            }
            if self.journal.is_some() {
                self.told.record(Record::Board(record));
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
