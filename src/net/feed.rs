//! From the thread that reads to the one that publishes: no more waits between them than there is room for.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use super::chunk::Chunk;

/// What the reader hands over.
pub(super) enum Fed {
    /// Records.
    Chunk(Chunk),
    /// What there is to read by now was read.
    Pause {
        /// To the end of all that there is.
        all: bool,
    },
}

/// How much waits, in bytes.
#[derive(Default)]
struct Waiting {
    bytes: usize,
    /// Nobody takes anything any more.
    closed: bool,
}

/// Room for what waits.
pub(super) struct Room {
    limit: usize,
    waiting: Mutex<Waiting>,
    less: Condvar,
}

impl Room {
    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// So many bytes wait no more.
    pub fn free(&self, bytes: usize) {
        let mut waiting = self.waiting();
        waiting.bytes = waiting.bytes.saturating_sub(bytes);
        self.less.notify_one();
    }
}

/// The reader's end.
pub struct Feed {
    to: UnboundedSender<Fed>,
    room: Arc<Room>,
}

/// The publisher's end.
pub struct Eaten {
    pub(super) from: UnboundedReceiver<Fed>,
    pub(super) room: Arc<Room>,
}

/// Both ends; the reader waits while more than `limit` bytes wait.
pub fn feed(limit: usize) -> (Feed, Eaten) {
    let (to, from) = unbounded_channel();
    let room = Arc::new(Room { limit, waiting: Mutex::default(), less: Condvar::new() });
    (Feed { to, room: room.clone() }, Eaten { from, room })
}

impl Feed {
    /// Hands over a chunk, as soon as there is room for it. False when nobody takes it any more.
    pub fn chunk(&self, chunk: Chunk) -> bool {
        let mut waiting = self.room.waiting();
        while waiting.bytes > self.room.limit && !waiting.closed {
            waiting = self.room.less.wait(waiting).unwrap_or_else(PoisonError::into_inner);
        }
        waiting.bytes += chunk.text.len();
        !waiting.closed && self.to.send(Fed::Chunk(chunk)).is_ok()
    }

    /// Says that nothing more is to be read by now: `all`, of a file, that its end was reached. False when nobody takes
    /// anything any more.
    pub fn pause(&self, all: bool) -> bool {
        self.to.send(Fed::Pause { all }).is_ok()
    }
}

impl Drop for Eaten {
    fn drop(&mut self) {
        self.room.waiting().closed = true;
        self.room.less.notify_one();
    }
}
