//! The stream that a server keeps for an event: created, examined.

use std::{cmp::Ordering, str::FromStr, sync::Arc};

use async_nats::{
    HeaderMap,
    jetstream::{
        self, ErrorCode,
        stream::{Config, DiscardPolicy, Info, RawMessageErrorKind, StorageType},
    },
};
use futures_util::StreamExt;

use super::{connection::Link, place::Place};
use crate::error::Result;

/// Headers of a message: the run of its records, the places of the first and the last, and its publisher.
pub(super) const RUN: &str = "Boardbus-Run";
pub(super) const FIRST: &str = "Boardbus-First";
pub(super) const LAST: &str = "Boardbus-Last";
pub(super) const WRITER: &str = "Boardbus-Writer";
/// The contract of the games in a message: 2 where play can take an end back; 1, or a missing header, where it cannot.
pub(super) const CONTRACT: &str = "Boardbus-Contract";
/// The contract of this version.
pub(super) const OURS: u32 = 2;
/// The sequence of the previous message on the subject.
pub(super) const BEFORE: &str = "Nats-Expected-Last-Subject-Sequence";
pub(super) const ID: &str = "Nats-Msg-Id";

/// Up to this many characters of a damaged header are quoted.
const QUOTED: usize = 40;

/// An event and the layer that is transported.
#[derive(Debug, Clone)]
pub struct Event {
    /// Its name: letters, digits, - and _.
    pub name: String,
    /// Game records, not board records.
    pub games: bool,
    /// The number of servers of a cluster that store each message.
    pub replicas: usize,
    /// The size limit of its stream in bytes; none: the server's own.
    pub limit: Option<u64>,
}

impl Event {
    /// The name of its stream.
    pub fn stream(&self) -> String {
        format!("boardbus-{}", self.name)
    }

    /// The layer that is transported: a part of the subject.
    pub fn layer(&self) -> &'static str {
        if self.games { "games" } else { "records" }
    }

    /// The subject of a line; `*` for all.
    pub fn subject(&self, line: &str) -> String {
        format!("boardbus.{}.{}.{line}", self.name, self.layer())
    }

    fn config(&self) -> Config {
        Config {
            name: self.stream(),
            subjects: vec![format!("boardbus.{}.>", self.name)],
            description: Some("Records of boardbus: what is here is somebody's game".into()),
            storage: StorageType::File,
            // Refuse new messages rather than drop old ones.
            discard: DiscardPolicy::New,
            max_bytes: self.limit.and_then(|limit| limit.try_into().ok()).unwrap_or(-1),
            max_messages: -1,
            max_message_size: -1,
            max_consumers: -1,
            num_replicas: self.replicas,
            ..Config::default()
        }
    }
}

/// The headers of a message by a boardbus publisher.
#[derive(Debug, Clone)]
pub(super) struct Headers {
    pub run: Arc<str>,
    pub first: Place,
    pub last: Place,
    pub writer: String,
    pub contract: u32,
    pub id: String,
    /// The sequence of the previous message on the subject.
    pub before: u64,
}

impl Headers {
    /// The headers of a message.
    ///
    /// # Errors
    /// Why it is not by a boardbus publisher, as text for the user.
    pub fn of(headers: Option<&HeaderMap>) -> std::result::Result<Headers, String> {
        let text = |name: &str| Some(headers?.get(name)?.as_str());
        let needed = |name: &str| text(name).ok_or_else(|| format!("no header {name}"));
        Ok(Headers {
            run: needed(RUN)?.into(),
            first: parsed(FIRST, needed(FIRST)?)?,
            last: parsed(LAST, needed(LAST)?)?,
            writer: text(WRITER).unwrap_or_default().into(),
            contract: text(CONTRACT).map_or(Ok(1), |contract| parsed(CONTRACT, contract))?,
            id: text(ID).unwrap_or_default().into(),
            before: parsed(BEFORE, needed(BEFORE)?)?,
        })
    }

    /// The other version of the publisher of games, and what to do about it; none where it is this one.
    pub fn other_version(&self) -> Option<&'static str> {
        match self.contract.cmp(&OURS) {
            Ordering::Less => {
                Some("an earlier boardbus, which takes no end of a game back: install this version there too")
            }
            Ordering::Equal => None,
            Ordering::Greater => {
                Some("a later boardbus, whose games this one may misread: install that version here too")
            }
        }
    }
}

/// The value of a header, or an error that it is damaged.
fn parsed<T: FromStr>(name: &str, text: &str) -> std::result::Result<T, String> {
    text.parse().map_err(|_| {
        let quoted: String = text.chars().take(QUOTED).flat_map(char::escape_debug).collect();
        format!("`{quoted}` in header {name}")
    })
}

/// The stream of an event, on a server.
pub(super) struct EventStream<'a> {
    pub link: &'a Link,
    pub event: &'a Event,
}

impl EventStream<'_> {
    /// Creates the stream if it is missing; returns the server's information about it.
    pub async fn make(&self) -> Result<Info> {
        // Reported once.
        let mut waits = None;
        let mut overlaps = false;
        loop {
            match self.link.context.create_stream(self.event.config()).await {
                Ok(stream) => return self.looked_at(stream.cached_info().clone()),
                Err(error) => match error.kind() {
                    // It exists with another configuration, by the server's administrator; or somebody creates it at
                    // this moment.
                    jetstream::context::CreateStreamErrorKind::JetStream(e)
                        if e.error_code() == ErrorCode::STREAM_NAME_EXIST
                            || e.error_code() == ErrorCode::STREAM_SUBJECT_OVERLAP =>
                    {
                        if let Some(info) = self.info().await? {
                            return self.looked_at(info);
                        }
                        let is_others = e.error_code() == ErrorCode::STREAM_SUBJECT_OVERLAP;
                        if is_others && std::mem::replace(&mut overlaps, true) {
                            self.unless_temporary(&e, "the stream of the event cannot be made")?;
                        }
                    }
                    // After a power cut not all servers are back at once; a hall without an operator must not stop
                    // because of that.
                    jetstream::context::CreateStreamErrorKind::JetStream(e)
                        if e.error_code() == ErrorCode::CLUSTER_NO_PEERS =>
                    {
                        waits.get_or_insert_with(|| self.say_waiting(&e));
                    }
                    jetstream::context::CreateStreamErrorKind::JetStream(e) => {
                        self.unless_temporary(&e, "the stream of the event cannot be made")?;
                    }
                    jetstream::context::CreateStreamErrorKind::JetStreamUnavailable => {
                        return Err(self.no_jetstream());
                    }
                    _ => {}
                },
            }
            self.link.pause().await;
            self.link.connected().await;
        }
    }

    fn say_waiting(&self, error: &jetstream::Error) {
        (self.link.server.say)(&format_args!(
            "{}: no servers for {} copies of the event yet ({error}): waiting for them",
            self.link.server.name(),
            self.event.replicas,
        ));
    }

    /// The server's information about the stream; none when there is no stream.
    pub async fn info(&self) -> Result<Option<Info>> {
        loop {
            match self.link.context.get_stream(self.event.stream()).await {
                Ok(stream) => return Ok(Some(stream.cached_info().clone())),
                Err(error) => match error.kind() {
                    jetstream::context::GetStreamErrorKind::JetStream(e)
                        if e.error_code() == ErrorCode::STREAM_NOT_FOUND =>
                    {
                        return Ok(None);
                    }
                    jetstream::context::GetStreamErrorKind::JetStream(e) => {
                        self.unless_temporary(&e, "the stream of the event cannot be looked at")?;
                    }
                    // No JetStream there answers such requests.
                    _ if std::error::Error::source(&error)
                        .and_then(|e| e.downcast_ref::<jetstream::context::RequestError>())
                        .is_some_and(|e| e.kind() == jetstream::context::RequestErrorKind::NoResponders) =>
                    {
                        return Err(self.no_jetstream());
                    }
                    _ => {}
                },
            }
            self.link.pause().await;
            self.link.connected().await;
        }
    }

    /// The names of other events on the server.
    pub async fn others(&self) -> Vec<String> {
        let names = self.link.context.stream_names().filter_map(|name| std::future::ready(name.ok()));
        let names: Vec<String> = names.take(100).collect().await;
        let ours = self.event.stream();
        let events =
            names.iter().filter(|name| **name != ours).filter_map(|name| name.strip_prefix("boardbus-"));
        events.map(str::to_owned).collect()
    }

    /// The time at which the message of this sequence was stored, as text; none when it is not there.
    pub async fn stored(&self, sequence: u64) -> Result<Option<String>> {
        loop {
            self.link.connected().await;
            let Ok(stream) = self.link.context.get_stream_no_info(self.event.stream()).await else {
                self.link.pause().await;
                continue;
            };
            match stream.get_raw_message(sequence).await {
                Ok(message) => return Ok(Some(message.time.to_string())),
                Err(error) => match error.kind() {
                    RawMessageErrorKind::NoMessageFound => return Ok(None),
                    RawMessageErrorKind::JetStream(e) if e.error_code() == ErrorCode::NO_MESSAGE_FOUND => {
                        return Ok(None);
                    }
                    RawMessageErrorKind::JetStream(e) => {
                        self.unless_temporary(&e, "a message cannot be read")?;
                    }
                    _ => {}
                },
            }
            self.link.pause().await;
        }
    }

    fn looked_at(&self, info: Info) -> Result<Info> {
        if info.config.discard != DiscardPolicy::New || info.config.storage != StorageType::File {
            (self.link.server.say)(&format_args!(
                "{}: the stream {} was made to forget (discard {}, storage {}): boardbus makes it with discard new, storage file",
                self.link.server.name(),
                self.event.stream(),
                if info.config.discard == DiscardPolicy::New { "new" } else { "old" },
                if info.config.storage == StorageType::File { "file" } else { "memory" },
            ));
        }
        Ok(info)
    }

    fn no_jetstream(&self) -> crate::error::Error {
        self.link.server.refused("this server keeps no log: start it with JetStream (nats-server -js)")
    }

    /// Returns an error that will not change when the request is repeated.
    pub fn unless_temporary(&self, error: &jetstream::Error, what: &str) -> Result<()> {
        // A cluster without a leader, or a server that has just started: 503, except for a lack of space.
        let code = error.error_code();
        let full = code == ErrorCode::STREAM_STORE_FAILED
            || code == ErrorCode::INSUFFICIENT_RESOURCES
            || code == ErrorCode::STORAGE_RESOURCES_EXCEEDED
            || code == ErrorCode::ACCOUNT_RESOURCES_EXCEEDED;
        if full {
            return Err(self.link.server.refused(format_args!(
                "{}, the server is full ({}): nothing is lost from the journal; make room there, then start this again",
                what,
                error
            )));
        }
        if code == ErrorCode::JETSTREAM_NOT_ENABLED || code == ErrorCode::JETSTREAM_NOT_ENABLED_FOR_ACCOUNT {
            return Err(self.no_jetstream());
        }
        if error.code() == 503 || error.code() == 408 {
            return Ok(());
        }
        Err(self.link.server.refused(format_args!("{what}: {error}")))
    }
}
