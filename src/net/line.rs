//! A published line: its records as messages, one of which is in flight at a time.

use std::{
    collections::VecDeque,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use async_nats::jetstream::{context::PublishErrorKind, message::PublishMessage};
use tokio::sync::mpsc::UnboundedReceiver;

use super::{
    chunk::Chunk,
    connection::{Link, causes},
    feed::{Fed, Room},
    finding::{Finding, Older},
    last::{Last, Ours},
    place::Place,
    stream::{CONTRACT, Event, EventStream, FIRST, Headers, LAST, OURS, RUN, WRITER},
};
use crate::error::{Error, Result};

/// A message with this many bytes of records is large enough.
const LARGE: usize = 256 << 10;
/// On a network too slow for those, messages are made smaller down to this size.
const SMALL: usize = 4 << 10;
/// The part of the server's message limit that is kept for headers, in bytes.
const FOR_HEADERS: usize = 4 << 10;
/// Input that seems older than the last record on the server is taken to be so when that record is not found within
/// this time.
const PASSED: Duration = Duration::from_secs(30);
/// Up to this many bytes of stored messages are kept, for all lines together, in case the server turns out to have lost
/// its last ones.
const KEPT: usize = 64 << 20;

/// The data shared by all lines.
pub(super) struct Shared {
    pub link: Link,
    pub event: Event,
    /// A name that no other publisher has.
    pub writer: String,
    /// A line may continue though the server has records of it that are not in the input.
    pub take_over: bool,
    /// None if the input can be read again from its beginning; otherwise its name in messages.
    pub rereadable: bool,
    pub source: String,
    pub room: Arc<Room>,
    pub lines: AtomicUsize,
    /// The number of lines that look for their last record, or are about to.
    pub looking: AtomicUsize,
}

/// Why a line cannot continue.
pub(super) enum Stop {
    Error(Error),
    /// The server lost so much that the input must be read again.
    Again,
}

impl From<Error> for Stop {
    fn from(error: Error) -> Stop {
        Stop::Error(error)
    }
}

/// A message: its records and the id by which the server recognises it.
struct Message {
    chunk: Chunk,
    id: String,
}

/// A published line.
pub(super) struct Line {
    shared: Arc<Shared>,
    name: Arc<str>,
    finding: Finding,
    /// Whether it is counted among the lines that look for a record.
    looks: bool,
    /// The time since when the input seems older than the server's records, or ended without the one looked for.
    passed: Option<Instant>,
    /// Chunks that are in no message yet.
    pending: VecDeque<Chunk>,
    /// Stored messages, the newest last.
    kept: VecDeque<Message>,
    kept_bytes: usize,
    /// The id of the message before the oldest one kept; none when there was none.
    before_kept: Option<String>,
    /// The message in flight.
    sending: Option<Message>,
    /// The size limit of the next message, in bytes.
    large: usize,
    /// The sequence of the subject's last message, 0 for none.
    head: u64,
    /// Messages of other programs were reported up to this sequence.
    foreign: u64,
    /// The number of the connection on which that was read.
    connection: u64,
    /// The last message of another publisher, which was in flight when this one began, arrived.
    straggler: bool,
}

impl Line {
    pub fn new(shared: Arc<Shared>, name: Arc<str>) -> Line {
        shared.lines.fetch_add(1, Ordering::Relaxed);
        shared.looking.fetch_add(1, Ordering::Relaxed);
        Line {
            shared,
            name,
            finding: Finding::default(),
            looks: true,
            passed: None,
            pending: VecDeque::new(),
            kept: VecDeque::new(),
            kept_bytes: 0,
            before_kept: None,
            sending: None,
            large: LARGE,
            head: 0,
            foreign: 0,
            connection: 0,
            straggler: false,
        }
    }

    /// Publishes the input of the line to its end.
    pub async fn run(mut self, mut from: UnboundedReceiver<Fed>) -> Result<(), Stop> {
        self.begin().await?;
        loop {
            if self.pending.is_empty() && self.sending.is_none() {
                let Some(fed) = from.recv().await else { break };
                self.take(fed)?;
            }
            while let Ok(fed) = from.try_recv() {
                self.take(fed)?;
            }
            self.send().await?;
        }
        // The whole input was read, and the server's last record is not in it.
        let rest = self.finding.all_read().map_err(|Older| self.older())?;
        self.publish_next(rest);
        while !self.pending.is_empty() {
            self.send().await?;
        }
        Ok(())
    }

    fn stream(&self) -> EventStream<'_> {
        EventStream { link: &self.shared.link, event: &self.shared.event }
    }

    /// Reads the last messages on the server.
    async fn begin(&mut self) -> Result<(), Stop> {
        self.connection = self.shared.link.connected().await;
        let last = self.look().await?;
        self.head = last.head;
        if let Some(Ours { headers, .. }) = last.ours {
            // Records published by an earlier version are continued as usual.
            if self.shared.event.games
                && headers.contract > OURS
                && let Some(other) = headers.other_version()
            {
                let server = &self.shared.link.server;
                (server.say)(&format_args!("{}: line {} was published by {other}", server.name(), self.name));
            }
            self.before_kept = Some(headers.id);
            self.finding.look_for(headers.run, headers.last, self.shared.take_over);
        }
        self.count_looking();
        Ok(())
    }

    /// Reads the last messages on the server; messages by other programs are reported once.
    async fn look(&mut self) -> Result<Last, Stop> {
        let last = self.stream().last(&self.name).await?;
        if let Some(foreign) = last.foreign.as_ref().filter(|_| last.head > self.foreign) {
            (self.shared.link.server.say)(foreign);
            self.foreign = last.head;
        }
        Ok(last)
    }

    /// Counts this line among those that look for a record, or not any more.
    fn count_looking(&mut self) {
        let looks = self.finding.is_looking();
        if !looks {
            self.passed = None;
        }
        match (std::mem::replace(&mut self.looks, looks), looks) {
            (false, true) => drop(self.shared.looking.fetch_add(1, Ordering::Relaxed)),
            (true, false) => drop(self.shared.looking.fetch_sub(1, Ordering::Relaxed)),
            _ => {}
        }
    }

    /// Takes an item of the queue.
    fn take(&mut self, fed: Fed) -> Result<(), Stop> {
        let next = match fed {
            Fed::Chunk(chunk) => {
                let bytes = chunk.text.len();
                let next = self.finding.take(chunk);
                if let Some((last, first)) = self.finding.begins_behind() {
                    self.begins_behind(last, first)?;
                }
                let published: usize = next.iter().map(|chunk| chunk.text.len()).sum();
                // Chunks held back free their room too: they are read once, and the room is not given twice.
                self.shared.room.free(bytes.saturating_sub(published));
                if self.finding.has_passed() {
                    let rest = self.in_vain()?;
                    self.publish_next(rest);
                }
                next
            }
            Fed::Pause { all: false } => {
                let next = self.finding.pause();
                // A pipe has no end to wait for: its user has to be informed in time.
                if self.finding.has_begun_in_vain() { self.in_vain()? } else { next }
            }
            Fed::Pause { all: true } => self.finding.all_read().map_err(|Older| self.older())?,
        };
        self.publish_next(next);
        self.count_looking();
        Ok(())
    }

    /// The server's last record was not found so far: after a while the search ends.
    fn in_vain(&mut self) -> Result<Vec<Chunk>, Stop> {
        if self.passed.get_or_insert_with(Instant::now).elapsed() <= PASSED {
            return Ok(Vec::new());
        }
        self.finding.all_read().map_err(|Older| self.older())
    }

    fn publish_next(&mut self, next: Vec<Chunk>) {
        self.pending.extend(next);
    }

    /// The input begins with this record, after the server's last one: the records between were in a journal that was
    /// removed before it was published.
    fn begins_behind(&self, last: u64, first: u64) -> Result<(), Stop> {
        let what = format!(
            "{}: the server has line {} up to record {last} of this run, and here it begins with {first}",
            self.shared.source, self.name
        );
        // Several lines of a watch share their numbers.
        let alone = self.shared.lines.load(Ordering::Relaxed) == 1;
        if alone && !self.shared.take_over {
            return Err(Stop::Error(Error::Data(format!(
                "{what}: publish the journal before this one first (--take-over leaves out what is between)"
            ))));
        }
        (self.shared.link.server.say)(&format_args!(
            "{what}: what is between was not published, if it is of this line"
        ));
        Ok(())
    }

    fn older(&self) -> Stop {
        Stop::Error(Error::Data(format!(
            "{}: the server has records of line {} that are not in it, and it is no newer: is it an old journal? \
             If the line moved to this machine, publish it with --take-over",
            self.shared.source, self.name
        )))
    }

    /// Makes the next message from the pending chunks.
    fn next_message(&mut self) -> Option<Message> {
        // Messages are cut where the server accepts less at once.
        let large = self.large.min(self.shared.link.client().max_payload().saturating_sub(FOR_HEADERS));
        let (first, rest) = self.pending.pop_front()?.cut(large);
        if let Some(rest) = rest {
            self.pending.push_front(rest);
        }
        let run = first.run.clone();
        let (mut size, mut chunks) = (first.text.len(), vec![first]);
        while let Some(next) = self.pending.front() {
            if next.run != run || size + next.text.len() > large {
                break;
            }
            size += next.text.len();
            chunks.extend(self.pending.pop_front());
        }
        let chunk = Chunk::joined(chunks)?;
        let id = format!("{}.{}/{run}/{}", self.shared.event.layer(), self.name, chunk.last());
        Some(Message { chunk, id })
    }

    /// Sends the next message, until the server has stored it.
    async fn send(&mut self) -> Result<(), Stop> {
        if self.sending.is_none() {
            self.sending = self.next_message();
        }
        while let Some(message) = &self.sending {
            let link = &self.shared.link;
            let connection = link.connected().await;
            if connection != self.connection {
                self.connection = connection;
                self.look_again().await?;
                continue;
            }
            let chunk = &message.chunk;
            let publish = PublishMessage::build()
                .payload(chunk.text.clone())
                .header(RUN, &*chunk.run)
                .header(FIRST, chunk.first().to_string().as_str())
                .header(LAST, chunk.last().to_string().as_str())
                .header(WRITER, self.shared.writer.as_str())
                .header(CONTRACT, OURS.to_string().as_str())
                .message_id(&message.id)
                .expected_last_subject_sequence(self.head);
            let subject = self.shared.event.subject(&self.name);
            let answer = async { link.context.send_publish(subject, publish).await?.await };
            let answer = tokio::select! {
                answer = answer => answer,
                () = link.lost(connection) => {
                    self.smaller();
                    continue;
                }
            };
            let error = match answer {
                Ok(ack) if ack.duplicate => {
                    self.known_already().await?;
                    continue;
                }
                Ok(ack) => {
                    self.head = ack.sequence;
                    self.large = (self.large + self.large / 8).min(LARGE);
                    self.stored();
                    break;
                }
                Err(error) => error,
            };
            match error.kind() {
                // A late answer means nothing: a message that is not there is sent again, and the server recognises it
                // if it comes twice.
                PublishErrorKind::WrongLastSequence | PublishErrorKind::TimedOut => self.look_again().await?,
                PublishErrorKind::BrokenPipe | PublishErrorKind::MaxAckPending => {}
                PublishErrorKind::StreamNotFound => {
                    self.stream().make().await?;
                    self.shared.link.pause().await;
                    self.look_again().await?;
                }
                PublishErrorKind::MaxPayloadExceeded => {
                    let limit = self.shared.link.client().max_payload();
                    return Err(Stop::Error(self.shared.link.server.refused(format_args!(
                        "it takes messages of {limit} bytes at most (max_payload), too little for records of line {}",
                        self.name
                    ))));
                }
                _ => self.refused(&error).await?,
            }
        }
        Ok(())
    }

    /// The server reports that it recognises the message in flight. It remembers ids for two minutes, even those of
    /// lost messages: such a message is sent with another id.
    async fn known_already(&mut self) -> Result<(), Stop> {
        let known = self.sending.as_ref().map(|message| message.id.clone());
        self.look_again().await?;
        if let Some(message) = self.sending.as_mut().filter(|message| Some(&message.id) == known.as_ref()) {
            message.id.push('+');
        }
        Ok(())
    }

    /// The connection was lost before the message in flight got through: the network may be too slow for it.
    fn smaller(&mut self) {
        self.large = (self.large / 2).max(SMALL);
        if let Some(message) = self.sending.take_if(|message| message.chunk.text.len() > self.large) {
            self.pending.push_front(message.chunk);
            self.sending = self.next_message();
        }
    }

    /// The server answered that it does not store a message.
    async fn refused(&self, error: &async_nats::jetstream::context::PublishError) -> Result<(), Stop> {
        let server = std::error::Error::source(error);
        match server.and_then(|e| e.downcast_ref::<async_nats::jetstream::Error>()) {
            Some(e) => self.stream().unless_temporary(e, &format!("line {} is not published", self.name))?,
            None => {
                let why = causes(error);
                return Err(Stop::Error(self.shared.link.server.refused(why)));
            }
        }
        self.shared.link.pause().await;
        Ok(())
    }

    /// The message in flight is stored.
    fn stored(&mut self) {
        let Some(message) = self.sending.take() else { return };
        self.shared.room.free(message.chunk.text.len());
        self.kept_bytes += message.chunk.text.len();
        self.kept.push_back(message);
        let limit = KEPT / self.shared.lines.load(Ordering::Relaxed).max(1);
        while self.kept_bytes > limit
            && let Some(oldest) = self.kept.pop_front()
        {
            self.kept_bytes -= oldest.chunk.text.len();
            self.before_kept = Some(oldest.id);
        }
    }

    /// Reads the subject's last message, and corrects what is to be sent next.
    async fn look_again(&mut self) -> Result<(), Stop> {
        let Last { head, ours, .. } = self.look().await?;
        let id = ours.as_ref().map(|ours| ours.headers.id.clone());
        if id.is_some() && self.sending.as_ref().map(|message| &message.id) == id.as_ref() {
            self.head = head;
            self.stored();
            return Ok(());
        }
        // If the last stored message is the last one, nothing happened; otherwise it is lost, and an older one is the
        // last.
        let known = match (&id, &self.before_kept) {
            (id, before) if id == before => Some(0),
            (Some(id), _) => self.kept.iter().position(|message| message.id == *id).map(|at| at + 1),
            _ => None,
        };
        if let Some(known) = known {
            self.head = head;
            self.send_again_from(known);
            return Ok(());
        }
        match ours {
            Some(ours) if ours.sequence > self.head => self.somebody_else(ours, head),
            _ if self.shared.rereadable => Err(Stop::Again),
            _ => Err(Stop::Error(self.shared.link.server.refused(format_args!(
                "it lost records of line {} that it had stored, more than are kept here: publish the journal, it has them all",
                self.name
            )))),
        }
    }

    /// The server lost the kept messages from this one on: they are sent again.
    fn send_again_from(&mut self, known: usize) {
        if known == self.kept.len() {
            return;
        }
        (self.shared.link.server.say)(&format_args!(
            "{}: it lost {} messages of line {} that it had stored: they are sent again",
            self.shared.link.server.name(),
            self.kept.len() - known,
            self.name
        ));
        let sending = self.sending.take();
        let again: Vec<Message> = self.kept.drain(known..).chain(sending).collect();
        self.kept_bytes = self.kept.iter().map(|message| message.chunk.text.len()).sum();
        for message in again.into_iter().rev() {
            self.pending.push_front(message.chunk);
        }
        self.sending = self.next_message();
    }

    /// The last message is none of those sent in their present form. It may be one of ours before it was made smaller,
    /// or by another publisher, one of whose messages may have been in flight when it was killed, before this one
    /// began. Then its records are in our input, and those after them are still to be published. A second such message
    /// is an error.
    fn somebody_else(&mut self, last: Ours, head: u64) -> Result<(), Stop> {
        let Headers { run, last: place, id, writer, .. } = last.headers;
        let ours = writer == self.shared.writer;
        let read = self.finding.read(&run);
        if read.is_none() || !ours && std::mem::replace(&mut self.straggler, true) {
            return Err(Stop::Error(self.shared.link.server.refused(format_args!(
                "somebody else publishes line {} too: one of the two must stop",
                self.name
            ))));
        }
        self.head = head;
        self.kept.clear();
        self.kept_bytes = 0;
        self.before_kept = Some(id);
        let sending = self.sending.take().map(|message| message.chunk);
        for chunk in sending.into_iter().chain(std::mem::take(&mut self.pending)) {
            let bytes = chunk.text.len();
            let behind = if chunk.run == run { chunk.behind(place) } else { Some(chunk) };
            let left = behind.as_ref().map_or(0, |chunk| chunk.text.len());
            self.shared.room.free(bytes - left);
            self.pending.extend(behind);
        }
        if read.is_some_and(|read: Place| read < place) {
            self.finding.look_for(run, place, false);
        }
        self.sending = self.next_message();
        Ok(())
    }
}
