//! The feeds of boards, and their messages: a message is made once for all feeds that get the same.

use std::rc::Rc;

use tungstenite::Utf8Bytes;

use super::livechess;
use crate::record::Time;

/// Messages to send, each with its client.
pub type Outbox = Vec<(u64, Utf8Bytes)>;

/// A feed of a board.
#[derive(Debug)]
pub struct Feed {
    /// The client that follows the board.
    pub client: u64,
    /// The id that the client chose, as JSON.
    pub id: Rc<str>,
    /// The tracker of the game that was set up on it.
    pub setup: Option<u32>,
    /// Whether the client wants the board turned.
    pub flip: Option<bool>,
}

/// The messages about one event.
pub struct Messages<'a, F: FnMut(&Feed) -> String> {
    now: Time,
    /// Makes the content for a feed, for each combination of the properties on which it depends.
    content: F,
    made: Vec<(&'a Feed, Utf8Bytes)>,
}

impl<'a, F: FnMut(&Feed) -> String> Messages<'a, F> {
    /// No messages yet; `content` makes what a feed gets, without its id.
    pub fn new(now: Time, content: F) -> Self {
        Messages { now, content, made: Vec::new() }
    }

    /// The message for a feed.
    pub fn message(&mut self, feed: &'a Feed) -> Utf8Bytes {
        let same = |(other, _): &&(&Feed, Utf8Bytes)| {
            other.id == feed.id && other.setup == feed.setup && other.flip == feed.flip
        };
        if let Some((_, message)) = self.made.iter().rev().find(same) {
            return message.clone();
        }
        let message = Utf8Bytes::from(livechess::feed(&feed.id, &(self.content)(feed), self.now));
        self.made.push((feed, message.clone()));
        message
    }
}
