//! The last message of a line by a boardbus publisher, and later ones by others.

use std::time::Duration;

use async_nats::jetstream::{
    ErrorCode, Message,
    consumer::{AckPolicy, DeliverPolicy, PullConsumer, pull},
    stream::ConsumerErrorKind,
};
use futures_util::StreamExt;
use tokio::time::timeout;

use super::{
    connection::ANSWER,
    stream::{EventStream, Headers},
};
use crate::error::Result;

/// The server drops a consumer after this time without requests.
const FORGOTTEN: Duration = Duration::from_secs(10);
/// Before a message by somebody else this many sequences of the stream are searched first, and each time without a
/// message of ours [`FURTHER`] times as many: the work is proportional to what others published.
const NEAR: u64 = 256;
const FURTHER: u64 = 4;
/// The number of messages requested at once.
const AT_ONCE: usize = 1000;

/// The last messages of a line on the server.
#[derive(Debug, Default)]
pub(super) struct Last {
    /// The sequence of the subject's last message by anybody, 0 for none: the next message has to name it.
    pub head: u64,
    /// The last message by a boardbus publisher, if any.
    pub ours: Option<Ours>,
    /// A message to the user about later messages of others.
    pub foreign: Option<String>,
}

/// A message by a boardbus publisher.
#[derive(Debug)]
pub(super) struct Ours {
    pub sequence: u64,
    pub headers: Headers,
}

impl EventStream<'_> {
    /// Reads the last messages of a line on the server.
    pub async fn last(&self, line: &str) -> Result<Last> {
        let Some(newest) = self.newest(line).await? else { return Ok(Last::default()) };
        let head = self.sequence(&newest)?;
        let why = match Headers::of(newest.headers.as_ref()) {
            Ok(headers) => {
                return Ok(Last { head, ours: Some(Ours { sequence: head, headers }), foreign: None });
            }
            Err(why) => why,
        };
        let (ours, others) = self.ours_before(line, head).await?;
        let before = match others {
            0 => String::new(),
            others => format!(", nor is what stands before it ({others} more)"),
        };
        let done = match &ours {
            Some(ours) => format!("going on behind it with what follows message {}", ours.sequence),
            None => format!("none there is of boardbus, so line {line} is published from its beginning"),
        };
        let (server, subject) = (self.link.server.name(), self.event.subject(line));
        let foreign =
            Some(format!("{server}: message {head} on {subject} is not of boardbus ({why}){before}: {done}"));
        Ok(Last { head, ours, foreign })
    }

    /// The subject's last message.
    async fn newest(&self, line: &str) -> Result<Option<Message>> {
        loop {
            if let Some(consumer) = self.reader(line, DeliverPolicy::LastPerSubject).await? {
                if consumer.cached_info().num_pending == 0 {
                    return Ok(None);
                }
                let asked = consumer.fetch().max_messages(1).expires(ANSWER).messages().await;
                if let Ok(mut asked) = asked
                    && let Ok(Some(Ok(message))) = timeout(ANSWER, asked.next()).await
                {
                    return Ok(Some(message));
                }
            }
            self.link.pause().await;
        }
    }

    /// The last message of ours on a line before this sequence, and the number of others in between.
    async fn ours_before(&self, line: &str, sequence: u64) -> Result<(Option<Ours>, u64)> {
        let (mut end, mut span, mut others) = (sequence, NEAR, 0);
        while end > 1 {
            let start = end.saturating_sub(span).max(1);
            let (ours, between) = loop {
                if let Some(looked) = self.ours_between(line, start, end).await? {
                    break looked;
                }
                self.link.pause().await;
            };
            others += between;
            if ours.is_some() {
                return Ok((ours, others));
            }
            (end, span) = (start, span.saturating_mul(FURTHER));
        }
        Ok((None, others))
    }

    /// The same from one sequence to before another; none when the server did not answer completely.
    async fn ours_between(&self, line: &str, start: u64, end: u64) -> Result<Option<(Option<Ours>, u64)>> {
        let policy = DeliverPolicy::ByStartSequence { start_sequence: start };
        let Some(consumer) = self.reader(line, policy).await? else { return Ok(None) };
        let mut looked = (None, 0);
        let mut pending = consumer.cached_info().num_pending;
        while pending > 0 {
            let Ok(mut asked) = consumer.fetch().max_messages(AT_ONCE).expires(ANSWER).messages().await
            else {
                return Ok(None);
            };
            let before = pending;
            while pending > 0
                && let Ok(Some(Ok(message))) = timeout(ANSWER, asked.next()).await
            {
                let sequence = self.sequence(&message)?;
                if sequence >= end {
                    return Ok(Some(looked));
                }
                match Headers::of(message.headers.as_ref()) {
                    Ok(headers) => looked = (Some(Ours { sequence, headers }), 0),
                    Err(_) => looked.1 += 1,
                }
                pending = message.info().map_err(|e| self.link.server.refused(e))?.pending;
            }
            if pending == before {
                return Ok(None);
            }
        }
        Ok(Some(looked))
    }

    /// Makes the server send messages of a line without their records, which would take long on a slow network. None
    /// when it cannot for now.
    async fn reader(&self, line: &str, deliver_policy: DeliverPolicy) -> Result<Option<PullConsumer>> {
        let config = pull::Config {
            filter_subject: self.event.subject(line),
            deliver_policy,
            ack_policy: AckPolicy::None,
            headers_only: true,
            inactive_threshold: FORGOTTEN,
            memory_storage: true,
            num_replicas: 1,
            ..pull::Config::default()
        };
        self.link.connected().await;
        match self.link.context.create_consumer_on_stream(config, self.event.stream()).await {
            Ok(consumer) => return Ok(Some(consumer)),
            Err(error) => match error.kind() {
                ConsumerErrorKind::JetStream(e) if e.error_code() == ErrorCode::STREAM_NOT_FOUND => {
                    self.make().await?;
                }
                ConsumerErrorKind::JetStream(e) => {
                    self.unless_temporary(&e, "the last message of the line cannot be read")?;
                }
                _ => {}
            },
        }
        Ok(None)
    }

    fn sequence(&self, message: &Message) -> Result<u64> {
        Ok(message.info().map_err(|e| self.link.server.refused(e))?.stream_sequence)
    }
}
