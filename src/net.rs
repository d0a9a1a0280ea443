//! Records carried between halls over JetStream (nats-server): `publish` and `subscribe`.
//!
//! JetStream keeps a log of messages for each event, a **stream** named `boardbus-EVENT`. Each line has a subject in it for
//! its board records, `boardbus.EVENT.records.LINE`, and one for its game records, `boardbus.EVENT.games.LINE`. A message
//! is the lines of one poll, or of many when there is something to catch up with; its headers say which run and which
//! numbers they are of.
//!
//! # How nothing is lost and nothing doubled
//!
//! * The journal of a hall is the buffer, and its records have numbers. So a publisher keeps no state: it reads the last
//!   message of its subject, finds that record again in what it reads, and goes on behind it (`finding`). It does so anew after
//!   every reconnect.
//! * A line has one message on its way at a time (`line`). It names the sequence of the one before it, which the server
//!   compares: whatever is sent twice, late or by somebody else is refused, and then the subject's last message tells what
//!   happened. Where that is none of boardbus, the last one before it that is does (`last`). What gathers meanwhile is the next
//!   message, so that a slow way carries large ones.
//! * A subscriber reads in the order of the stream (`subscriber`), and its own journal holds, beside the records, how far it is. A
//!   server that lost its last messages in a power cut counts them anew: so the message that was read last is compared
//!   before anything is read behind it. Records that came before are dropped by line, run and number (`heard`), and each
//!   message names the one before it of its line, so that one that is missing is noticed.
//!
//! Order is that of numbers, never of times: a clock may be wrong by hours.
//!
//! The only room with an asynchronous runtime, of one thread: nothing outside sees it. [`publish`] and
//! [`Subscription::next`] wait as any other function does.

mod chunk;
mod connection;
mod feed;
mod finding;
mod heard;
mod last;
mod line;
mod place;
mod publisher;
mod stream;
mod subscriber;

pub use chunk::{Chunk, Chunks};
pub use connection::Server;
pub use feed::{Eaten, Feed, feed};
pub use heard::{Heard, Told};
pub use place::Place;
pub use publisher::{Published, Publishing, publish};
pub use stream::Event;
pub use subscriber::{Arrived, Carried, Progress, Subscription};
