//! Whole positions to records: the first one is a `position`, and what differs between two of them is a `change` with the
//! time of the later one.

use std::time::Duration;

use crate::{
    bus::followed_board::FollowedBoard,
    record::{BoardEvent, BoardPosition, Change, Placement, Square, Time},
    wire::records::SCAN,
};

use super::protocol::Said;

/// A board that was silent for so long is lost, and so is what happened meanwhile.
pub const SILENT: Duration = Duration::from_secs(3);

/// Follows a board by its reports.
#[derive(Debug, Default)]
pub struct Follower {
    /// What was published of it.
    pub followed: FollowedBoard,
    /// A position was published, and no report was missed since.
    is_known: bool,
    /// When its pieces moved last, or were seen first.
    moved: Time,
    /// Bytes that are no report came since the last report, and that was published.
    is_spoilt: bool,
}

impl Follower {
    /// Reports were missed: the next one is published as a `position`.
    pub fn missed(&mut self) {
        (self.is_known, self.is_spoilt) = (false, false);
    }

    /// Takes what the board said at a time.
    pub fn take(&mut self, said: Said, time: Time) {
        match said {
            Said::Position(placement) => self.stands(placement, time),
            Said::Unchanged => {
                if let Some(&known) = self.followed.tracker.placement().filter(|_| self.is_known) {
                    self.stands(known, time);
                }
            }
            Said::Version(_) | Said::Send(_) => {}
            Said::Again => self.missed(),
            // Whoever begins to listen in the midst of a message hears half of it.
            Said::Event(BoardEvent::Fault(_)) if self.is_spoilt || !self.is_known => {}
            Said::Event(event) => {
                self.is_spoilt |= matches!(event, BoardEvent::Fault(_));
                self.followed.publish(time, event);
            }
        }
    }

    fn stands(&mut self, placement: Placement, time: Time) {
        self.is_spoilt = false;
        let known = self.followed.tracker.placement().filter(|_| self.is_known);
        let Some(known) = known else {
            self.is_known = true;
            self.moved = time;
            self.followed.stands(placement);
            self.followed.quiet_due = true;
            let position = BoardPosition { placement, result: None };
            return self.followed.publish(time, BoardEvent::Position(position));
        };
        let mut squares: Vec<Square> = known.differing(&placement).collect();
        // A piece is lifted before it is put down.
        squares.sort_by_key(|&square| placement.get(square).is_some());
        for &square in &squares {
            let change = BoardEvent::Change(Change { square, piece: placement.get(square), quick: None });
            self.followed.learn(std::slice::from_ref(&change));
            self.followed.publish(time, change);
        }
        // A clock that was set back says nothing of how long they rest.
        let is_recent = (0.0..SCAN.as_secs_f64()).contains(&self.moved.seconds_until(time));
        if !squares.is_empty() {
            self.moved = time;
        } else if !is_recent {
            self.followed.rests(time);
        }
    }
}
