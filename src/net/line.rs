//! A line that is published: its records made into messages, one of which is on its way at a time.

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

/// A message that has this many bytes of records is large enough.
const LARGE: usize = 256 << 10;
/// On a way that is too slow for those no message is made smaller.
const SMALL: usize = 4 << 10;
/// What of a message the server's limit is not for records.
const FOR_HEADERS: usize = 4 << 10;
/// Records that seem older than what the server has are believed to be when what it has does not follow within this time.
const PASSED: Duration = Duration::from_secs(30);
/// So many bytes of messages that are stored are kept, of all lines together, should the server turn out to have lost its
/// last ones.
const KEPT: usize = 64 << 20;

/// What all lines share.
pub(super) struct Shared {
    pub link: Link,
    pub event: Event,
    /// A name that no other publisher has.
    pub writer: String,
    /// A line may go on though the server has records of it that are not here.
    pub take_over: bool,
    /// What is read can be read again from its beginning; otherwise how messages name it.
    pub rereadable: bool,
    pub source: String,
    pub room: Arc<Room>,
    pub lines: AtomicUsize,
    /// How many lines look for what the server has last, or are about to.
    pub looking: AtomicUsize,
}

/// Why a line cannot go on.
pub(super) enum Stop {
    Error(Error),
    /// The server lost so much that all must be read again.
    Again,
}

impl From<Error> for Stop {
    fn from(error: Error) -> Stop {
        Stop::Error(error)
    }
}

/// A message: what it holds and the name by which the server knows it again.
struct Message {
    chunk: Chunk,
    id: String,
}

/// A line.
pub(super) struct Line {
    shared: Arc<Shared>,
    name: Arc<str>,
    finding: Finding,
    /// Whether it is counted among those that look for something.
    looks: bool,
    /// Since when what was read seems older than what the server has, or all that there is for now was read in vain.
    passed: Option<Instant>,
    /// What is to be published and in no message yet.
    pending: VecDeque<Chunk>,
    /// Messages that are stored, the newest last.
    kept: VecDeque<Message>,
    kept_bytes: usize,
    /// The id of the message before the oldest that is kept; none when there was none.
    before_kept: Option<String>,
    /// The message that is on its way.
    sending: Option<Message>,
    /// How large the next one may be.
    large: usize,
    /// The sequence of the subject's last message, 0 for none.
    head: u64,
    /// Up to this sequence it was said which messages are of somebody else who is no publisher.
    foreign: u64,
    /// The number of the connection on which that was read.
    connection: u64,
    /// The last message of another publisher, which had been on its way when this one began, came in.
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

    /// Publishes what is read of the line until there is no more.
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
        // All was read, and what the server has last is not there.
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

    /// Looks what the server has last.
    async fn begin(&mut self) -> Result<(), Stop> {
        self.connection = self.shared.link.connected().await;
        let last = self.look().await?;
        self.head = last.head;
        if let Some(Ours { headers, .. }) = last.ours {
            // What an earlier one published before is gone on with as ever.
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

    /// Reads what the server has last; messages that no publisher made are said once.
    async fn look(&mut self) -> Result<Last, Stop> {
        let last = self.stream().last(&self.name).await?;
        if let Some(foreign) = last.foreign.as_ref().filter(|_| last.head > self.foreign) {
            (self.shared.link.server.say)(foreign);
            self.foreign = last.head;
        }
        Ok(last)
    }

    /// Counts this line among those that look for something, or no more.
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

    /// Takes what was read.
    fn take(&mut self, fed: Fed) -> Result<(), Stop> {
        let next = match fed {
            Fed::Chunk(chunk) => {
                let bytes = chunk.text.len();
                let next = self.finding.take(chunk);
                if let Some((last, first)) = self.finding.begins_behind() {
                    self.begins_behind(last, first)?;
                }
                let published: usize = next.iter().map(|chunk| chunk.text.len()).sum();
                // What is put by waits no more either: it was read once, and room for it is not given twice.
                self.shared.room.free(bytes.saturating_sub(published));
                if self.finding.has_passed() {
                    let rest = self.in_vain()?;
                    self.publish_next(rest);
                }
                next
            }
            Fed::Pause { all: false } => {
                let next = self.finding.pause();
                // A pipe has no end that is waited for: what its reader would have to be told is told in time.
                if self.finding.has_begun_in_vain() { self.in_vain()? } else { next }
            }
            Fed::Pause { all: true } => self.finding.all_read().map_err(|Older| self.older())?,
        };
        self.publish_next(next);
        self.count_looking();
        Ok(())
    }

    /// What the server has last was not met so far: after a while it is believed that it will not be.
    fn in_vain(&mut self) -> Result<Vec<Chunk>, Stop> {
        if self.passed.get_or_insert_with(Instant::now).elapsed() <= PASSED {
            return Ok(Vec::new());
        }
        self.finding.all_read().map_err(|Older| self.older())
    }

    fn publish_next(&mut self, next: Vec<Chunk>) {
        self.pending.extend(next);
    }

    /// What is read begins with this record, and the last one that the server has stands further before it: what is between
    /// was in a journal that was put away before it was published.
    fn begins_behind(&self, last: u64, first: u64) -> Result<(), Stop> {
        let what = format!(
            "{}: the server has line {} up to record {last} of this run, and here it begins with {first}",
            self.shared.source, self.name
        );
        // Several lines of a watch are numbered together.
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

    /// Makes the next message of what is pending.
    fn next_message(&mut self) -> Option<Message> {
        // Records of a line are cut where the server takes less at once.
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
                // An answer that does not come in time says nothing: if the message is not there it is sent again, and the
                // server knows it should it come twice.
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

    /// The server says that it knows the message on its way. It remembers names for two minutes, whatever became of the
    /// messages: one that is gone is sent by another name.
    async fn known_already(&mut self) -> Result<(), Stop> {
        let known = self.sending.as_ref().map(|message| message.id.clone());
        self.look_again().await?;
        if let Some(message) = self.sending.as_mut().filter(|message| Some(&message.id) == known.as_ref()) {
            message.id.push('+');
        }
        Ok(())
    }

    /// The message on its way did not get through before the connection was lost: the way may be too slow for it.
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

    /// The message on its way is stored.
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

    /// Reads the subject's last message, and puts right what is to be sent next.
    async fn look_again(&mut self) -> Result<(), Stop> {
        let Last { head, ours, .. } = self.look().await?;
        let id = ours.as_ref().map(|ours| ours.headers.id.clone());
        if id.is_some() && self.sending.as_ref().map(|message| &message.id) == id.as_ref() {
            self.head = head;
            self.stored();
            return Ok(());
        }
        // What was stored last is last: nothing happened. Or it is gone, and an older one is last again.
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

    /// The server lost the messages that are kept from this one on: they are to be sent again.
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

    /// A message is last that is none of those that were sent as they are now. It may be one of ours before it was made
    /// smaller, or of another publisher: one of his may have been on its way when he was killed, before this one began. Its
    /// records are ours then, and what stands behind them is still to be published. A second one of his is no straggler.
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
