//! `boardbus watch`: poll boards and report every change.

mod expected;
mod ports;
mod status;
mod to_writer;
mod writer;

use std::{
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64},
        mpsc::sync_channel,
    },
    thread,
    time::Duration,
};

use super::{
    arguments::{FormatArgs, Named, span_above_0},
    line::{self, ModeArgs, PatienceArgs},
    open_line::Line,
    people,
    pieces::PiecesArgs,
    port_words::PortWords,
    ready,
};
use crate::{
    bus::{
        FirstSearch, Link, Recalled, WatchSettings,
        detect::{self, Beginning, WatchPlan},
        driver::Heard,
        ending::Ending,
        journal::{Holds, Journal},
        port::Port,
        recall::Recall,
        watch::wait_for_port,
    },
    error::{Done, Error, Result},
    record::{Mode, Record},
    stdio::{self, Bad, Output},
    stop,
};
use expected::Expected;
use ports::Ports;
use status::Status;
use to_writer::{Lines, Owners, ToWriter};
use writer::{Printer, Writer};

/// How many batches may wait to be written; a reader slower than that slows the polling down, and the boards keep their
/// data meanwhile.
const WAITING_BATCHES: usize = 1024;

/// Poll boards and report every change
///
/// Finds the boards, then repeatedly asks each in turn for what it logged. A board that has been set up for a game
/// and is not touched gets the start mark, so that its own log always begins with the game in play. A port that goes
/// away is waited for, and so is one of several ports that does not exist at the beginning. Each record is a line,
/// numbered from 1, and is written immediately. With --journal `watch` continues to record when standard output is
/// closed.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  boardbus watch --port /dev/ttyUSB0 --journal round3.jsonl | boardbus reconstruct | boardbus to-pgn --output games.pgn
  boardbus watch --port /dev/ttyUSB0 --journal round3.jsonl | boardbus reconstruct > games.jsonl
  boardbus watch --port /dev/ttyUSB0 --port /dev/ttyUSB1 --line hall-1 --line hall-2")]
pub struct Watch {
    /// Serial port of a line, a pseudo-terminal, or a serial server, tcp://host:port; once for each line [default:
    /// all USB adapters and boards]
    #[arg(short, long, env = "BOARDBUS_PORT", value_name = "PATH")]
    port: Vec<PathBuf>,

    /// The name of the line, which every record gets; once for each port, or once for all [default with several
    /// ports: a bus has the name of its port, boards alone have none]
    #[arg(long, value_name = "NAME")]
    line: Vec<String>,

    /// The number of the board alone on this port, or with this serial number: /dev/ttyACM0=5, 3000147740=6; may be
    /// given again
    #[arg(long, value_name = "PORT=NUMBER", value_parser = ports::name)]
    name: Vec<(String, u16)>,

    /// Only these boards, and no search: 1025-1060,2054; a number above 16383 is the serial number of a board alone; once for
    /// each port, in their order
    #[arg(short, long, visible_alias = "boards", value_name = "LIST", conflicts_with = "expect")]
    board: Vec<Named>,

    /// Boards that must be there, asked first; those missing are named and waited for; once for each port, in their order, or
    /// once for boards that may be on any of them
    #[arg(long, value_name = "LIST")]
    expect: Vec<Named>,

    /// Write no start marks; `boardbus start` writes them by hand
    #[arg(long)]
    no_start_marks: bool,

    /// Set a Millennium board to report only changes, which it keeps in its EEPROM; without this option nothing is
    /// written into one
    #[arg(long)]
    configure: bool,

    /// How often to look for boards that were switched on since: 90s, 1.5m, 1h; a bare number is seconds
    #[arg(long, value_name = "TIME", default_value = "5m", value_parser = span_above_0)]
    rediscover: Duration,

    /// How long to wait for a port that went away [default: for ever]: 90s, 1.5m, 1h; a bare number is seconds
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

    /// Append every byte, in both directions, to this file: a new one or an existing capture; with several ports the
    /// number of the port is added to its name
    #[arg(long, value_name = "FILE")]
    capture: Option<PathBuf>,

    #[command(flatten)]
    patience: PatienceArgs,

    #[command(flatten)]
    mode: ModeArgs,

    #[command(flatten)]
    pieces: PiecesArgs,

    #[command(flatten)]
    format: FormatArgs,
}

/// A line that is watched.
struct Watched {
    port: Line,
    /// The port did not exist at the beginning.
    absent: bool,
    lines: Lines,
    recalled: Recalled,
    /// The mode of its boards in an earlier run.
    mode: Option<Mode>,
}

impl Watch {
    /// Runs the command.
    pub fn run(self) -> Result<Done> {
        let ports = Ports::new(&self.port, &self.line, &self.name)?;
        expected::check(&self.board, &self.expect, ports.paths.len())?;
        let pieces = self.pieces.open()?;
        let open = self.open(&ports.paths)?;
        let text = self.format.is_text();
        let mut printer =
            Printer { out: Some(Output::live()), text, aside: stdio::person_reads(), failed: None };
        let (mut recall, mut recorded, mut journal) = (Recall::default(), Recall::default(), None);
        if let Some(path) = &self.journal {
            let each = |line: &[u8], record| {
                recorded.record(Record::clone(&record));
                recall.record(record);
                if !text {
                    printer.print(line);
                }
                Ok(())
            };
            let mut bad = Bad::new(false);
            let damaged = |line, what: &str| {
                // It is not strict, so it returns no error.
                let _ = bad.report(format_args!("{}:{line}", path.display()), what);
            };
            journal = Some(Journal::open(path, Holds::Boards, each, damaged)?);
            bad.done("line");
            stop::keep_files().map_err(|error| Error::io("signals", error))?;
        }
        let chips = pieces.beside(recall.chips());
        let lines: Vec<Watched> = open
            .into_iter()
            .zip(&ports.lines)
            .map(|((port, absent), lines)| {
                let (recalled, mode) = ports.recalled(&mut recall, lines, port.name());
                let port = port.map(|port| port.with_pieces(chips.clone()));
                Watched { port, absent, lines: lines.clone(), recalled, mode }
            })
            .collect();
        let writer = Writer {
            printer,
            journal,
            status: Status::begin(),
            pieces,
            result: Ok(()),
            lines: Vec::new(),
            head: Vec::new(),
            safe: lines.iter().map(|_| Arc::new(AtomicU64::new(0))).collect(),
            ended: Arc::new(AtomicBool::new(false)),
            stuck: Arc::new(AtomicBool::new(false)),
            recorded,
            new_files: false,
            seq: 0,
            left: self.count,
        };
        self.watch(lines, ports.begun, writer)
    }

    /// Opens the ports. One that does not exist does not delay the others: it is waited for, which is reported.
    fn open(&self, ports: &[PathBuf]) -> Result<Vec<(Line, bool)>> {
        let (mut lines, mut absent) = (Vec::new(), Vec::new());
        for (n, path) in ports.iter().enumerate() {
            let capture = self.capture.as_ref().map(|file| {
                let number = if n == 0 { String::new() } else { format!(".{}", n + 1) };
                PathBuf::from(format!("{}{number}", file.display()))
            });
            let port = Port::closed(path, self.patience.patience, line::capture(capture.as_deref())?);
            let mut port = port.with_lines(self.mode.lines()).with_numbers(self.name.clone());
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
            let rest = if none { "" } else { ": it is waited for, the other lines continue" };
            stdio::say(format_args!("{error}{rest}"));
        }
        last.map_or(Ok(lines), Err)
    }

    /// Runs a thread for each line; this thread writes.
    fn watch(&self, lines: Vec<Watched>, begun: Vec<Option<Arc<str>>>, mut writer: Writer) -> Result<Done> {
        writer.begin(begun)?;
        let (to, from) = sync_channel(WAITING_BATCHES);
        let several = lines.len() > 1;
        let owners = Arc::<Owners>::default();
        let expected = match &self.expect[..] {
            [one] if several => Some(Arc::new(Expected::new(one.clone(), lines.len()))),
            _ => None,
        };
        thread::scope(|scope| {
            let watching: Vec<_> = lines
                .into_iter()
                .enumerate()
                .map(|(n, line)| {
                    let (safe, ended) = (writer.safe[n].clone(), writer.ended.clone());
                    let (to, stuck) = (to.clone(), writer.stuck.clone());
                    let name: Arc<str> = line.port.name().into();
                    let (words, owners) = (PortWords::about(&name), owners.clone());
                    let expected = expected.clone();
                    let (lines, line_now) = (line.lines.clone(), line.lines.bus.clone());
                    let sink = ToWriter {
                        port: n,
                        name,
                        lines,
                        line: line_now,
                        owners,
                        expected,
                        is_alone: false,
                        words,
                        number: 0,
                        to,
                        safe,
                        ended,
                        stuck,
                    };
                    scope.spawn(move || {
                        let result = self.line(line, sink);
                        if let (Err(error @ Error::Port { .. }), true) = (&result, several) {
                            stdio::say(format_args!("{error}: the other lines continue"));
                        }
                        result
                    })
                })
                .collect();
            drop(to);
            let written = writer.run(&from);
            // Pending batches are dropped, so that no poller waits to send one.
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
        let lists = if self.board.is_empty() { &self.expect } else { &self.board };
        let expected = sink.expected.clone();
        // Boards that may be on any port are expected on none: each is missing on all ports but one.
        let named = lists.get(sink.port).filter(|_| expected.is_none()).cloned().unwrap_or_default();
        let port = sink.port;
        let plan = WatchPlan {
            make: self.mode.asked().map(Into::into),
            last: line.mode,
            expected: named.boards.clone(),
            only: !self.board.is_empty(),
            settings: WatchSettings {
                configure: self.configure,
                start_marks: !self.no_start_marks,
                rediscover: self.board.is_empty().then_some(self.rediscover),
                give_up: self.give_up,
                seconds: self.seconds,
            },
        };
        let searched = || expected.iter().for_each(|expected| expected.searched(port));
        if line.absent {
            searched();
            wait_for_port(&mut line.port, &plan.settings, &sink)?;
        }
        let mut reported_empty = false;
        let name = line.port.name().to_owned();
        detect::watch(line.port, &mut sink, plan, line.recalled, &mut |beginning| match beginning {
            Beginning::Nobody if std::mem::replace(&mut reported_empty, true) => {}
            Beginning::Nobody => {
                searched();
                ready::notify();
                found(0, "");
            }
            Beginning::Heard(heard) => {
                if !matches!(heard, Heard::Make(..)) {
                    searched();
                }
                ready::notify();
                stdio::say(format_args!("{name}: {heard}"));
            }
            Beginning::Watching(search) => {
                ready::notify();
                if let Some(FirstSearch { found: count, missing, shared, slow }) = search {
                    searched();
                    // Boards that share an address are reported by records.
                    if count + missing.len() > 0 || shared == 0 {
                        found(count, &named.list(&missing));
                    }
                    slow.into_iter().for_each(|slow| stdio::say(people::slow_line(slow, count)));
                }
            }
        })
    }
}

/// Reports what the first search found.
fn found(count: usize, missing: &str) {
    let plural = if count == 1 { "" } else { "s" };
    match (count, missing) {
        (0, "") => stdio::say("no board answers: are they switched on? Looking for them again and again"),
        (_, "") => stdio::say(format_args!("{count} board{plural} found")),
        (_, missing) => {
            stdio::say(format_args!(
                "{count} board{plural} found, no answer from {missing}: waiting for them"
            ));
        }
    }
}
