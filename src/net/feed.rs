//! The bounded queue from the reading thread to the publishing one.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use super::chunk::Chunk;

/// An item of the queue.
pub(super) enum Fed {
    /// Records.
    Chunk(Chunk),
    /// All input available by now was read.
    Pause {
        /// Whether that was the end of the input.
        all: bool,
    },
}

/// The size of the queued records, in bytes.
#[derive(Default)]
struct Waiting {
    bytes: usize,
    /// The publisher has ended.
    closed: bool,
}

/// Room in the queue.
pub(super) struct Room {
    limit: usize,
    waiting: Mutex<Waiting>,
    less: Condvar,
}

impl Room {
    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Frees the room of this many bytes.
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

/// Both ends; the reader blocks while more than `limit` bytes are queued.
pub fn feed(limit: usize) -> (Feed, Eaten) {
    let (to, from) = unbounded_channel();
    let room = Arc::new(Room { limit, waiting: Mutex::default(), less: Condvar::new() });
    (Feed { to, room: room.clone() }, Eaten { from, room })
}

impl Feed {
    /// Queues a chunk, as soon as there is room. Returns false when the publisher has ended.
    pub fn chunk(&self, chunk: Chunk) -> bool {
        let mut waiting = self.room.waiting();
        while waiting.bytes > self.room.limit && !waiting.closed {
            waiting = self.room.less.wait(waiting).unwrap_or_else(PoisonError::into_inner);
        }
        waiting.bytes += chunk.text.len();
        !waiting.closed && self.to.send(Fed::Chunk(chunk)).is_ok()
    }

    /// Queues a pause of the input: `all` at the end of a file. Returns false when the publisher has ended.
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
