//! Publishes the records queued for it, each line by itself.

use std::{
    collections::HashMap,
    sync::{Arc, atomic::Ordering},
};

use tokio::{
    runtime,
    sync::mpsc::{UnboundedSender, unbounded_channel},
    task::JoinSet,
};

use super::{
    connection::{Link, Server},
    feed::{Eaten, Fed},
    line::{Line, Shared, Stop},
    stream::{Event, EventStream},
};
use crate::error::{Error, Result};

/// The configuration of a publisher.
pub struct Publishing {
    /// The server.
    pub server: Server,
    /// The event.
    pub event: Event,
    /// A name that no other publisher has.
    pub writer: String,
    /// A line may continue though the server has records of it that are not in the input.
    pub take_over: bool,
    /// The input can be read again from its beginning.
    pub rereadable: bool,
    /// The name of the input in messages.
    pub source: String,
}

/// The end of publishing, if not an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Published {
    /// Everything was stored, or a signal came.
    All,
    /// The server lost stored messages: the input must be read again from its beginning.
    ReadAgain,
}

/// A runtime of one thread, which runs while it is waited for.
pub(super) fn runtime() -> Result<runtime::Runtime> {
    runtime::Builder::new_current_thread().enable_all().build().map_err(|e| Error::io("the network", e))
}

/// Publishes everything queued, and returns when it is stored.
///
/// # Errors
/// [`Error::Port`] when the server is absent for longer than the limit, [`Error::Data`] when the input is older than
/// what was published, [`Error::Io`] when the server refuses something.
pub fn publish(publishing: Publishing, fed: Eaten) -> Result<Published> {
    let runtime = runtime()?;
    let done = runtime.block_on(async {
        let Publishing { server, event, writer, take_over, rereadable, source } = publishing;
        let link = Link::open(&server);
        let link = tokio::select! {
            link = link => link?,
            () = signal() => return Err(Error::Stopped),
        };
        let room = fed.room.clone();
        let (lines, looking) = Default::default();
        let shared =
            Arc::new(Shared { link, event, writer, take_over, rereadable, source, room, lines, looking });
        tokio::select! {
            done = all_lines(&shared, fed) => done,
            ended = shared.link.ended() => ended.map(|()| Published::All),
        }
    });
    // The remaining work of the client is not awaited.
    runtime.shutdown_background();
    done
}

/// Waits for a signal.
pub(super) async fn signal() {
    while crate::stop::requested().is_none() {
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
}

async fn all_lines(shared: &Arc<Shared>, mut fed: Eaten) -> Result<Published> {
    EventStream { link: &shared.link, event: &shared.event }.make().await?;
    let mut lines: HashMap<Arc<str>, UnboundedSender<Fed>> = HashMap::new();
    let mut working: JoinSet<Result<(), Stop>> = JoinSet::new();
    let mut reading = true;
    loop {
        let ended = tokio::select! {
            next = fed.from.recv(), if reading => {
                match next {
                    Some(Fed::Chunk(chunk)) => {
                        let line = lines.entry(chunk.line.clone()).or_insert_with_key(|name| {
                            let (to, from) = unbounded_channel();
                            working.spawn(Line::new(shared.clone(), name.clone()).run(from));
                            to
                        });
                        // A line that takes nothing any more has failed; its error is returned below.
                        let _ = line.send(Fed::Chunk(chunk));
                    }
                    Some(Fed::Pause { all }) if shared.looking.load(Ordering::Relaxed) > 0 => {
                        lines.values().for_each(|line| drop(line.send(Fed::Pause { all })));
                    }
                    Some(Fed::Pause { .. }) => {}
                    None => {
                        reading = false;
                        lines.clear();
                    }
                }
                continue;
            }
            ended = working.join_next(), if !working.is_empty() => ended,
            else => return Ok(Published::All),
        };
        match ended {
            Some(Ok(Err(Stop::Again))) => return Ok(Published::ReadAgain),
            Some(Ok(Err(Stop::Error(error)))) => return Err(error),
            Some(Err(panic)) if panic.is_panic() => std::panic::resume_unwind(panic.into_panic()),
            _ => {}
        }
    }
}
