//! Records carried between halls over JetStream (nats-server): `publish` and `subscribe`.
//!
//! JetStream keeps a log of messages for each event, a **stream** named `boardbus-EVENT`. Each line has a subject in it
//! for its board records, `boardbus.EVENT.records.LINE`, and one for its game records, `boardbus.EVENT.games.LINE`. A
//! message has the lines of one poll, or of many while a publisher catches up; its headers contain the run and the
//! numbers of its records.
//!
//! # How nothing is lost or doubled
//!
//! * The journal of a hall is the buffer, and its records have numbers. So a publisher keeps no state: it reads the
//!   last message of its subject, finds that record in its input, and continues after it (`finding`). It repeats that
//!   after every reconnect.
//! * A line has one message in flight at a time (`line`). The message names the sequence of the previous one, which the
//!   server compares: a message that is sent twice, late or by another publisher is refused, and then the subject's last
//!   message shows what happened. Where that is not from boardbus, the last one before it that is decides (`last`).
//!   Records that arrive meanwhile go into the next message, so that a slow network carries large ones.
//! * A subscriber reads in the order of the stream (`subscriber`), and its own journal has, besides the records, its
//!   position in the stream. A server that lost its last messages in a power cut numbers new ones from there: so the last
//!   message read is compared before later ones are read. Repeated records are dropped by line, run and number
//!   (`received`), and each message names the previous one of its line, so that a missing one is detected.
//!
//! The order is that of the numbers, never of times: a clock may be wrong by hours.
//!
//! This is the only room with an asynchronous runtime, of one thread, which callers do not see: [`publish`] and
//! [`Subscription::next`] block like other functions.

mod chunk;
mod connection;
mod feed;
mod finding;
mod last;
mod line;
mod place;
mod publisher;
mod received;
mod stream;
mod subscriber;

pub use chunk::{Chunk, Chunks};
pub use connection::Server;
pub use feed::{Eaten, Feed, feed};
pub use place::Place;
pub use publisher::{Published, Publishing, publish};
pub use received::{NewRecords, Received};
pub use stream::Event;
pub use subscriber::{Arrived, Carried, Progress, Subscription};
