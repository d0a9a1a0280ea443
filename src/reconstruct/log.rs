//! A board's own log while it is being sent, and where it joins what was already read.
//!
//! The tracked board merges it. A log holds changes, presses and marks, nothing else.

use std::collections::VecDeque;

use super::{limits, listing::Listing};
use crate::record::{BoardEvent, BoardRecord, History, Piece, Placement, Press, Square};

/// A log that is being sent.
pub struct IncomingLog {
    /// The number of records still to come.
    left: u64,
    /// It begins with the start mark.
    complete: bool,
    /// The records so far.
    pub records: Vec<BoardRecord>,
}

impl IncomingLog {
    /// A log of as many records as announced; none where that is 0.
    pub fn announced(history: &History) -> Option<IncomingLog> {
        let left = history.count.min(crate::record::RING as u64);
        (left > 0).then(|| IncomingLog { left, complete: history.complete, records: Vec::new() })
    }

    /// Adds a record; returns false if it belongs to no log, and this log is incomplete.
    pub fn take(&mut self, record: &BoardRecord) -> bool {
        let belongs = record.event.is_logged();
        if belongs {
            self.left -= 1;
            self.records.push(record.clone());
        }
        belongs
    }

    /// Whether all of it was received.
    pub fn is_received(&self) -> bool {
        self.left == 0
    }

    /// Whether everything since the start mark was received.
    pub fn is_whole(&self) -> bool {
        self.complete && self.is_received()
    }
}

/// The last events of a board, to find where a log without its beginning joins.
#[derive(Default)]
pub struct LastSeen {
    changes: VecDeque<(Square, Option<Piece>)>,
    /// The presses since the last of the changes.
    presses: Vec<Press>,
}

impl LastSeen {
    /// Adds a change.
    pub fn change(&mut self, square: Square, piece: Option<Piece>) {
        if self.changes.len() == limits::LOG_RECENT_EVENTS {
            self.changes.pop_front();
        }
        self.changes.push_back((square, piece));
        self.presses.clear();
    }

    /// Whether there was any change.
    pub fn any_change(&self) -> bool {
        !self.changes.is_empty()
    }

    /// Adds a press.
    pub fn press(&mut self, press: &Press) {
        if self.presses.len() < limits::LOG_RECENT_EVENTS {
            self.presses.push(press.clone());
        }
    }

    /// The records of a log that come after these events; none where it does not join, since the position after it will
    /// show what is missing. Presses that were seen are left out once.
    pub fn unseen<'a>(&mut self, records: &'a [BoardRecord]) -> &'a [BoardRecord] {
        let change = |(at, record): (usize, &BoardRecord)| match &record.event {
            BoardEvent::Change(change) => Some((at, (change.square, change.piece))),
            _ => None,
        };
        let changes: Vec<_> = records.iter().enumerate().filter_map(change).collect();
        let joins = |&end: &usize| {
            let run = self.changes.len().min(end + 1);
            let mut pairs = changes[..=end].iter().rev().zip(self.changes.iter().rev());
            run >= limits::LOG_JOINT_CHANGES && pairs.all(|((_, logged), seen)| logged == seen)
        };
        let Some(end) = (0..changes.len()).rev().find(joins) else { return &[] };
        let (new, presses) = (&records[changes[end].0 + 1..], std::mem::take(&mut self.presses));
        let pressed = |(record, press): &(&BoardRecord, &Press)| matches!(&record.event, BoardEvent::Press(logged) if logged == *press);
        &new[new.iter().zip(&presses).take_while(pressed).count()..]
    }
}

/// The position after the list of pieces with which a log begins.
pub fn listed(records: &[BoardRecord]) -> Placement {
    let Some((BoardEvent::Mark(mark), rest)) =
        records.split_first().map(|(first, rest)| (&first.event, rest))
    else {
        return Placement::EMPTY;
    };
    let mut listing = Listing::of(mark.mark);
    for record in rest {
        match &record.event {
            BoardEvent::Change(change) if listing.takes(change) => {}
            _ => break,
        }
    }
    listing.pieces
}
