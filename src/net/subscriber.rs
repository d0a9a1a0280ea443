//! Reads the messages of an event in the order of the server, from the last position on.

use std::{
    collections::{HashMap, VecDeque},
    sync::Arc,
    time::{Duration, Instant},
};

use async_nats::jetstream::{
    ErrorCode,
    consumer::{
        DeliverPolicy,
        pull::{Ordered, OrderedConfig},
    },
    stream::ConsumerErrorKind,
};
use bytes::Bytes;
use futures_util::{FutureExt, StreamExt, stream::SelectAll};
use tokio::{runtime::Runtime, task::unconstrained, time::timeout};

use super::{
    connection::{Link, Server},
    place::Place,
    publisher::{runtime, signal},
    stream::{Event, EventStream, Headers},
};
use crate::error::{Error, Result};

/// The number of messages remembered to find out how much of what was read a server still has that lost its last ones.
const REMEMBERED: usize = 4096;
/// Up to this many bytes of text are handed over at once.
const LARGE: usize = 4 << 20;

/// After this time without messages the server is asked whether there are any. The consumer lives on one server of a
/// cluster; when that is down the client notices after a minute. And nothing else shows that the stream was deleted, or
/// created again, while the connection lasts.
const QUIET: Duration = Duration::from_secs(5);

/// A message that was received.
#[derive(Debug, Clone)]
pub struct Arrived {
    /// The line.
    pub line: Arc<str>,
    /// Its sequence in the stream.
    pub sequence: u64,
    /// The time at which the server stored it: together with the sequence it identifies the message.
    pub stored: String,
    /// Its records; none for a message that no publisher made, which was reported.
    pub carried: Option<Carried>,
}

/// Records in a message.
#[derive(Debug, Clone)]
pub struct Carried {
    /// Their run.
    pub run: Arc<str>,
    /// The place of the first of them.
    pub first: Place,
    /// The place of the last.
    pub last: Place,
    /// The sequence of the previous message on the line's subject, 0 for none.
    pub before: u64,
    /// The records.
    pub text: Bytes,
}

/// How far something was read.
#[derive(Debug, Default, Clone)]
pub struct Progress {
    /// The time at which the server created the stream; empty if unknown. Another time is another stream.
    pub created: String,
    /// The last messages read, the newest at the end: the sequence, and the time of storing.
    pub read: VecDeque<(u64, String)>,
}

impl Progress {
    /// A message was read.
    pub fn read(&mut self, sequence: u64, stored: &str) {
        if self.read.len() >= REMEMBERED {
            self.read.pop_front();
        }
        self.read.push_back((sequence, stored.to_owned()));
    }
}

/// A consumer: the messages of a line, or of all.
struct Part {
    /// None for all lines.
    line: Option<String>,
    progress: Progress,
}

/// A subscription to an event.
pub struct Subscription {
    runtime: Runtime,
    link: Link,
    event: Event,
    parts: Vec<Part>,
    /// The incoming messages, each with the index of its part; none while they have to be requested.
    messages: Option<SelectAll<Messages>>,
    /// The number of the connection on which they were requested.
    connection: u64,
    /// The time of the last message, or of the last check.
    heard: Instant,
    /// The last sequence of the stream when messages were missing.
    missing: u64,
    /// The last message of each line since the request.
    heads: HashMap<Arc<str>, u64>,
    /// The contract of the last games of each line.
    contracts: HashMap<Arc<str>, u32>,
}

type Messages = std::pin::Pin<Box<dyn futures_util::Stream<Item = (usize, Next)> + Send>>;
type Next =
    std::result::Result<async_nats::jetstream::Message, async_nats::jetstream::consumer::pull::OrderedError>;

impl Subscription {
    /// Connects. `parts` are the lines to read, none for all, each with its progress.
    ///
    /// # Errors
    /// [`Error::Port`] when the server or the event is absent; [`Error::Io`] when the server refuses;
    /// [`Error::Stopped`].
    pub fn open(
        server: &Server,
        event: Event,
        parts: Vec<(Option<String>, Progress)>,
    ) -> Result<Subscription> {
        let runtime = runtime()?;
        let link = runtime.block_on(async {
            let opened = async {
                let link = Link::open(server).await?;
                let stream = EventStream { link: &link, event: &event };
                if stream.info().await?.is_none() {
                    let others = stream.others().await;
                    if !others.is_empty() {
                        return Err(Error::port(
                            server.name(),
                            format_args!(
                                "no event {} there, but {}: is it the right server? The first publish makes the event",
                                event.name,
                                others.join(", ")
                            ),
                        ));
                    }
                    stream.make().await?;
                    (server.say)(&format_args!(
                        "{}: nothing was published of {} yet: waiting for it",
                        server.name(),
                        event.name
                    ));
                }
                Ok(link)
            };
            tokio::select! {
                link = opened => link,
                () = signal() => Err(Error::Stopped),
            }
        })?;
        let parts = parts.into_iter().map(|(line, progress)| Part { line, progress }).collect();
        let (heard, missing, heads, contracts) = (Instant::now(), 0, HashMap::new(), HashMap::new());
        let (messages, connection) = (None, 0);
        Ok(Subscription {
            runtime,
            link,
            event,
            parts,
            messages,
            connection,
            heard,
            missing,
            heads,
            contracts,
        })
    }

    /// The time at which the server created the current stream; empty before the first message.
    pub fn created(&self) -> &str {
        self.parts.first().map_or("", |part| &part.progress.created)
    }

    /// Waits for messages up to this time, and returns those that are there, in order.
    ///
    /// # Errors
    /// As [`Subscription::open`].
    pub fn next(&mut self, wait: Duration) -> Result<Vec<Arrived>> {
        let Subscription { runtime, link, event, parts, messages, connection, .. } = self;
        let Subscription { heard, missing, heads, contracts, .. } = self;
        runtime.block_on(async {
            let come = async {
                let now = link.connected().await;
                if *connection != now || messages.is_none() {
                    *messages = Some(ask(link, event, parts).await?);
                    *connection = now;
                    heads.clear();
                }
                let Some(waiting) = messages else { return Ok(Vec::new()) };
                // Unconstrained: after 128 messages tokio would make the next one wait for the runtime's next turn, and
                // lose it when this function leaves the runtime before that turn.
                let first = tokio::select! {
                    first = timeout(wait, unconstrained(waiting.next())) => first,
                    () = link.lost(now) => return Ok(Vec::new()),
                };
                let Ok(first) = first else {
                    if heard.elapsed() >= QUIET {
                        if let Some(last) = beyond(link, event, parts, *missing).await? {
                            (*messages, *missing) = (None, last);
                        }
                        *heard = Instant::now();
                    }
                    return Ok(Vec::new());
                };
                *heard = Instant::now();
                let mut arrived = Vec::new();
                let mut size = 0;
                let mut next = first;
                loop {
                    let Some((part, Ok(message))) = next else {
                        // The server dropped the consumer, or the like: the messages are requested again.
                        *messages = None;
                        if arrived.is_empty() {
                            link.pause().await;
                        }
                        break;
                    };
                    let message = read(link, event, &message, contracts)?;
                    let carried = message.carried.as_ref();
                    // Its predecessor is older than a message that was read: the server has lost that one, and perhaps
                    // others.
                    let head = heads.get(&message.line).copied().unwrap_or(0);
                    if carried.is_some_and(|carried| carried.before < head) {
                        *messages = None;
                        break;
                    }
                    size += carried.map_or(0, |carried| carried.text.len());
                    heads.insert(message.line.clone(), message.sequence);
                    parts[part].progress.read(message.sequence, &message.stored);
                    arrived.push(message);
                    if size >= LARGE {
                        break;
                    }
                    next = match unconstrained(waiting.next()).now_or_never() {
                        Some(next) => next,
                        None => break,
                    };
                }
                Ok(arrived)
            };
            tokio::select! {
                come = come => come,
                ended = link.ended() => ended.map(|()| Vec::new()),
            }
        })
    }
}

/// Whether everything has to be requested again: the last sequence of the stream where it has more than was received
/// and than was missing before; 0 where it is another stream, or lost its last messages.
async fn beyond(link: &Link, event: &Event, parts: &[Part], missing: u64) -> Result<Option<u64>> {
    let newest = newest(parts);
    Ok(match last_sequence(link, event, parts).await? {
        Some(last) if last > missing.max(newest) => Some(last),
        Some(last) if last >= newest => None,
        _ => Some(0),
    })
}

/// The sequence of the last message of the stream, by anybody; none if it is not the stream that is read.
async fn last_sequence(link: &Link, event: &Event, parts: &[Part]) -> Result<Option<u64>> {
    let Some(info) = (EventStream { link, event }).info().await? else { return Ok(None) };
    let created = info.created.to_string();
    Ok(parts.iter().all(|part| part.progress.created == created).then_some(info.state.last_sequence))
}

/// The sequence of the newest message that was read.
fn newest(parts: &[Part]) -> u64 {
    parts
        .iter()
        .filter_map(|part| part.progress.read.back())
        .map(|(sequence, _)| *sequence)
        .max()
        .unwrap_or(0)
}

/// Requests the messages after those that were read.
async fn ask(link: &Link, event: &Event, parts: &mut [Part]) -> Result<SelectAll<Messages>> {
    let stream = EventStream { link, event };
    let info = match stream.info().await? {
        Some(info) => info,
        None => stream.make().await?,
    };
    let created = info.created.to_string();
    let mut all = SelectAll::new();
    for (at, part) in parts.iter_mut().enumerate() {
        let progress = &mut part.progress;
        if progress.created != created {
            if !progress.created.is_empty() {
                (link.server.say)(&format_args!(
                    "{}: the log of {} was begun anew there: it is read from its beginning, what came before is dropped",
                    link.server.name(),
                    event.name
                ));
            }
            *progress = Progress { created: created.clone(), read: VecDeque::new() };
        }
        let start = behind(&stream, progress, info.state.first_sequence).await?;
        let config = OrderedConfig {
            filter_subject: event.subject(part.line.as_deref().unwrap_or("*")),
            deliver_policy: DeliverPolicy::ByStartSequence { start_sequence: start },
            ..OrderedConfig::default()
        };
        all.push(consumer(link, event, config).await?.map(move |message| (at, message)).boxed());
    }
    Ok(all)
}

async fn consumer(link: &Link, event: &Event, config: OrderedConfig) -> Result<Ordered> {
    loop {
        match link.context.create_consumer_on_stream(config.clone(), event.stream()).await {
            Ok(consumer) => {
                if let Ok(messages) = consumer.messages().await {
                    return Ok(messages);
                }
            }
            Err(error) => {
                if let ConsumerErrorKind::JetStream(e) = error.kind()
                    && e.error_code() != ErrorCode::STREAM_NOT_FOUND
                {
                    EventStream { link, event }.unless_temporary(&e, "the event cannot be read")?;
                }
            }
        }
        link.pause().await;
        link.connected().await;
    }
}

/// The sequence after the messages read that the server still has. A server that lost its last messages has others in
/// their places, or none.
async fn behind(stream: &EventStream<'_>, progress: &mut Progress, first: u64) -> Result<u64> {
    let known = progress.read.len();
    while let Some((sequence, stored)) = progress.read.back() {
        let there = stream.stored(*sequence).await?;
        if there.as_ref() == Some(stored) || (there.is_none() && *sequence < first) {
            break;
        }
        progress.read.pop_back();
    }
    let lost = known - progress.read.len();
    if lost > 0 {
        let server = &stream.link.server;
        (server.say)(&format_args!(
            "{}: it lost the last {lost} messages that were read from it: going on where it is now",
            server.name()
        ));
    }
    Ok(progress.read.back().map_or(1, |(sequence, _)| sequence + 1))
}

/// Parses a message; one by another program is reported, and so are games of another version, once for each line.
fn read(
    link: &Link,
    event: &Event,
    message: &async_nats::jetstream::Message,
    contracts: &mut HashMap<Arc<str>, u32>,
) -> Result<Arrived> {
    let info = message.info().map_err(|e| link.server.refused(e))?;
    let line = message.subject.strip_prefix(&event.subject("")).unwrap_or_default();
    let carried = match Headers::of(message.headers.as_ref()) {
        Ok(headers) => {
            let is_news = contracts.insert(line.into(), headers.contract) != Some(headers.contract);
            if let Some(other) = headers.other_version().filter(|_| event.games && is_news) {
                (link.server.say)(&format_args!(
                    "{}: line {line} is published by {other}",
                    link.server.name()
                ));
            }
            let Headers { run, first, last, before, .. } = headers;
            Some(Carried { run, first, last, before, text: message.payload.clone() })
        }
        Err(why) => {
            (link.server.say)(&format_args!(
                "{}: message {} on {} is not of boardbus ({why}): skipped",
                link.server.name(),
                info.stream_sequence,
                message.subject
            ));
            None
        }
    };
    let (sequence, stored) = (info.stream_sequence, info.published.to_string());
    Ok(Arrived { line: line.into(), sequence, stored, carried })
}
