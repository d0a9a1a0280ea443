//! `boardbus subscribe`: records of halls from a server.

use std::path::PathBuf;

use super::server::{self, ServerArgs};
#[cfg(not(feature = "nats"))]
use crate::error::{Done, Result};

/// Write the records that halls publish on a server
///
/// Reads an event in the order in which the server has it, for all lines or some, and writes each record once. With
/// --journal it first prints that file and then continues where it ends, as watch does.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  boardbus subscribe --server nats://office:4222 --event open2026 --journal event.jsonl | boardbus reconstruct | boardbus to-html --output site
  boardbus subscribe --server nats://office:4222 --event open2026 --games | boardbus to-pgn --output games.pgn")]
pub struct Subscribe {
    #[command(flatten)]
    server: ServerArgs,

    /// Only these lines: hall-2,hall-3 [default: all of the event]
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = server::name)]
    line: Vec<String>,

    /// Game records, as publish --games carries them, instead of board records
    #[arg(long)]
    games: bool,

    /// Append every record to this file before it is printed, and print first what is in it
    #[arg(long, value_name = "FILE")]
    journal: Option<PathBuf>,
}

#[cfg(not(feature = "nats"))]
impl Subscribe {
    /// Runs the command.
    pub fn run(self) -> Result<Done> {
        let Subscribe { server: _, line: _, games: _, journal: _ } = self;
        Err(server::not_built())
    }
}

#[cfg(feature = "nats")]
mod subscribed {
    use std::{collections::BTreeMap, path::Path, time::Duration};

    use serde::Serialize;

    use super::Subscribe;
    use crate::{
        bus::journal::{Holds, Journal},
        error::{Done, Error, Result},
        net::{Arrived, NewRecords, Progress, Received, Subscription},
        record::{BoardEvent, BoardRecord, Delivery, Fault, FaultKind},
        stdio::{self, Bad, Output},
        stop,
    };

    /// The interval at which the journal and signals are checked.
    const CHECK_INTERVAL: Duration = Duration::from_millis(100);
    /// The beginning of records of how far the event was read.
    const DELIVERY: &[u8] = b"{\"type\":\"delivery\"";

    /// How far the event was read, according to a journal.
    struct Recalled {
        /// The lines that are read now, none for all, with the progress of each.
        parts: Vec<(Option<String>, Progress)>,
        received: Received,
        /// The last header of the journal: its event and lines.
        head: Delivery,
    }

    impl Recalled {
        /// Adds a delivery record; an error reports that it is of another event.
        fn delivery(
            &mut self,
            delivery: Delivery,
            event: &str,
            layer: &str,
        ) -> std::result::Result<(), String> {
            if let Some(of) = &delivery.event {
                let of_layer = delivery.layer.as_deref().unwrap_or_default();
                if of != event || of_layer != layer {
                    return Err(format!(
                        "holds the {of_layer} of event {of}: give --journal a file of its own"
                    ));
                }
                if delivery.created != self.head.created {
                    self.received.restart();
                }
                for (_, progress) in &mut self.parts {
                    if delivery.created.as_ref() != Some(&progress.created) {
                        let created = delivery.created.clone().unwrap_or_default();
                        *progress = Progress { created, ..Progress::default() };
                    }
                }
                self.head = delivery;
                return Ok(());
            }
            let (Some(line), Some(sequence), Some(stored)) =
                (delivery.line, delivery.sequence, delivery.stored)
            else {
                return Ok(());
            };
            self.received.recall_sequence(&line, sequence);
            if self.head.lines.is_empty() {
                self.received.recall_all(sequence);
            }
            for (part, progress) in &mut self.parts {
                // Where all lines were read together, each counts as read up to here.
                if self.head.lines.is_empty() || part.as_deref() == Some(&*line) {
                    progress.read(sequence, &stored);
                }
            }
            Ok(())
        }
    }

    impl Subscribe {
        /// Runs the command.
        pub fn run(self) -> Result<Done> {
            let server = self.server.server()?;
            let event = self.server.event(self.games);
            let parts: Vec<Option<String>> =
                if self.line.is_empty() { vec![None] } else { self.line.iter().cloned().map(Some).collect() };
            let mut recalled = Recalled {
                parts: parts.into_iter().map(|line| (line, Progress::default())).collect(),
                received: Received::default(),
                head: Delivery::default(),
            };
            let mut out = Some(Output::live());
            let journal = match &self.journal {
                Some(path) => Some(self.recall(path, event.layer(), &mut recalled, &mut out)?),
                None => None,
            };
            let Recalled { parts, received, head } = recalled;
            let layer = event.layer();
            let subscription = Subscription::open(&server, event, parts)?;
            let runs = received.runs();
            let mut writer = Writer { journal, out, received, head, runs, result: Ok(()) };
            writer.write_all(subscription, &self, layer)
        }

        /// Prints the journal, and reads from it how far the event was read.
        fn recall(
            &self,
            path: &Path,
            layer: &str,
            recalled: &mut Recalled,
            out: &mut Option<Output>,
        ) -> Result<Journal> {
            let each = |line: &[u8], _| {
                if !line.starts_with(DELIVERY) {
                    if recalled.head.event.is_none() {
                        return Err(Error::Data(format!(
                            "{}: does not begin with what event it is of: give --journal a file of its own",
                            path.display()
                        )));
                    }
                    recalled.received.recall(line);
                    return print(out, line, true);
                }
                let wrong = |what: String| Error::Data(format!("{}: {what}", path.display()));
                let delivery = serde_json::from_slice(line).map_err(|e| wrong(e.to_string()))?;
                recalled.delivery(delivery, &self.server.event, layer).map_err(wrong)
            };
            let mut bad = Bad::new(false);
            let damaged = |line, what: &str| {
                // It is not strict, so it returns no error.
                let _ = bad.report(format_args!("{}:{line}", path.display()), what);
            };
            let holds = if self.games { Holds::Games } else { Holds::Boards };
            let journal = Journal::open(path, holds, each, damaged)?;
            bad.done("line");
            Ok(journal)
        }
    }

    /// Prints until the reader has gone. With a journal the command continues without a reader.
    fn print(out: &mut Option<Output>, text: &[u8], goes_on: bool) -> Result<()> {
        match out.as_mut().map(|out| out.text(text)) {
            Some(Err(error)) if goes_on => {
                *out = None;
                if stop::requested().is_none() {
                    stdio::say(format_args!("{error}: what comes is written to the journal"));
                }
                if matches!(error, Error::ReaderGone) { Ok(()) } else { Err(error) }
            }
            Some(done) => done,
            None => Ok(()),
        }
    }

    /// Writes the records of the event.
    struct Writer {
        journal: Option<Journal>,
        out: Option<Output>,
        received: Received,
        /// The header of the journal: its event and lines.
        head: Delivery,
        /// The number of runs in the header of a journal that begins now.
        runs: u64,
        /// The error of standard output.
        result: Result<()>,
    }

    impl Writer {
        fn write_all(&mut self, mut subscription: Subscription, of: &Subscribe, layer: &str) -> Result<Done> {
            while stop::requested().is_none() {
                let arrived = subscription.next(CHECK_INTERVAL)?;
                let checked = self.journal.as_mut().and_then(Journal::check);
                checked.iter().for_each(|checked| stdio::say(&checked.said));
                if arrived.is_empty() {
                    continue;
                }
                let mut kept = Vec::new();
                if self.head.created.as_deref() != Some(subscription.created()) || self.head.lines != of.line
                {
                    if self.head.created.is_some()
                        && self.head.created.as_deref() != Some(subscription.created())
                    {
                        self.received.restart();
                    }
                    self.head = Delivery {
                        event: Some(of.server.event.clone()),
                        layer: Some(layer.into()),
                        created: Some(subscription.created().into()),
                        lines: of.line.clone(),
                        ..Delivery::default()
                    };
                    push_line(&mut kept, &self.head)?;
                    self.runs = u64::MAX;
                }
                self.write(&arrived, kept)?;
                self.write_header()?;
            }
            std::mem::replace(&mut self.result, Ok(())).map(|()| Done::Yes)
        }

        /// Writes the header of a journal that begins now, because the file was taken away.
        fn write_header(&mut self) -> Result<()> {
            if let Some(journal) = self.journal.as_mut().filter(|_| self.runs != self.received.runs()) {
                let mut head = Vec::new();
                push_line(&mut head, &self.head)?;
                self.received.standing().try_for_each(|stream| push_line(&mut head, &stream))?;
                journal.head(head);
                self.runs = self.received.runs();
            }
            Ok(())
        }

        fn write(&mut self, arrived: &[Arrived], mut kept: Vec<u8>) -> Result<()> {
            let mut shown = Vec::new();
            let mut last: BTreeMap<&str, &Arrived> = BTreeMap::new();
            for message in arrived {
                let NewRecords { text, gap } = self.received.take(message);
                if let Some((from, to)) = gap {
                    push_line(&mut shown, &gap_record(message, from, to))?;
                }
                shown.extend_from_slice(&text);
                last.insert(&message.line, message);
            }
            if let Some(journal) = &mut self.journal {
                kept.extend_from_slice(&shown);
                // In the order of the stream, since readers take the last of them for the progress of all lines.
                let mut last: Vec<&Arrived> = last.into_values().collect();
                last.sort_by_key(|message| message.sequence);
                for message in last {
                    let delivery = Delivery {
                        line: Some(message.line.clone()),
                        sequence: Some(message.sequence),
                        stored: Some(message.stored.clone()),
                        ..Delivery::default()
                    };
                    push_line(&mut kept, &delivery)?;
                }
                journal.append(&kept)?;
            }
            let goes_on = self.journal.is_some();
            match print(&mut self.out, &shown, goes_on) {
                Err(error) if goes_on => self.result = Err(error),
                done => done?,
            }
            Ok(())
        }
    }

    /// The record about messages that the server no longer has.
    fn gap_record(message: &Arrived, from: u64, to: u64) -> BoardRecord {
        let detail = format!(
            "records between message {from} and {} of the server are missing: it has message {to} no more",
            message.sequence
        );
        stdio::say(format_args!("line {}: {detail}", message.line));
        let fault = BoardEvent::Fault(Fault { kind: FaultKind::Gap, detail, bytes: None });
        // Without a time, since the line has a clock of its own.
        BoardRecord { line: Some(message.line.clone()), ..BoardRecord::new(None, None, fault) }
    }

    fn push_line(lines: &mut Vec<u8>, record: &impl Serialize) -> Result<()> {
        serde_json::to_writer(&mut *lines, record).map_err(|e| Error::io("a record", e.into()))?;
        lines.push(b'\n');
        Ok(())
    }
}
