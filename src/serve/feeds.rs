//! Who follows which board, and what each gets: a message is made once for all who get the same.

use std::rc::Rc;

use tungstenite::Utf8Bytes;

use super::livechess;
use crate::record::Time;

/// Messages that wait to be sent, each with the client that gets it.
pub type Outbox = Vec<(u64, Utf8Bytes)>;

/// A feed of a board.
#[derive(Debug)]
pub struct Feed {
    /// Who follows it.
    pub client: u64,
    /// The id that the client chose, as JSON.
    pub id: Rc<str>,
    /// The tracker of the game that is set up on it.
    pub setup: Option<u32>,
    /// Which way round the client wants the board.
    pub flip: Option<bool>,
}

/// The messages that were made of one event.
pub struct Made<'a, F: FnMut(&Feed) -> String> {
    now: Time,
    /// What a feed gets, by what makes it differ from others.
    content: F,
    made: Vec<(&'a Feed, Utf8Bytes)>,
}

impl<'a, F: FnMut(&Feed) -> String> Made<'a, F> {
    /// None yet; `content` makes what a feed gets, without its id.
    pub fn new(now: Time, content: F) -> Self {
        Made { now, content, made: Vec::new() }
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
