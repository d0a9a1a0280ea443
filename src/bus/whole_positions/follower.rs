//! Makes records of whole positions: the first is a `position`, and each difference between two is a `change` with the time
//! of the later one.

use std::time::Duration;

use crate::{
    bus::followed_board::FollowedBoard,
    record::{BoardEvent, BoardPosition, Change, Placement, Square, Time},
    wire::records::SCAN,
};

use super::protocol::Said;

/// A board without reports for this time is lost, with the changes meanwhile.
pub const SILENT: Duration = Duration::from_secs(3);

/// Follows a board by its reports.
#[derive(Debug, Default)]
pub struct Follower {
    /// The published state.
    pub followed: FollowedBoard,
    /// A position was published, and no report was missed since.
    is_known: bool,
    /// When its pieces moved last, or its first position came.
    moved: Time,
    /// A fault was published since the last report.
    is_spoilt: bool,
}

impl Follower {
    /// Notes that reports were missed: the next one is published as a `position`.
    pub fn missed(&mut self) {
        (self.is_known, self.is_spoilt) = (false, false);
    }

    /// Publishes the records of a message that came at a time.
    pub fn take(&mut self, said: Said, time: Time) {
        match said {
            Said::Position(placement) => self.position(placement, time),
            Said::Unchanged => {
                if let Some(&known) = self.followed.tracker.placement().filter(|_| self.is_known) {
                    self.position(known, time);
                }
            }
            Said::Version(_) | Said::Send(_) => {}
            Said::Again => self.missed(),
            // The first bytes may be the end of a message, so they are no fault. Of several faults in a row one is published.
            Said::Event(BoardEvent::Fault(_)) if self.is_spoilt || !self.is_known => {}
            Said::Event(event) => {
                self.is_spoilt |= matches!(event, BoardEvent::Fault(_));
                self.followed.publish(time, event);
            }
        }
    }

    fn position(&mut self, placement: Placement, time: Time) {
        self.is_spoilt = false;
        let known = self.followed.tracker.placement().filter(|_| self.is_known);
        let Some(known) = known else {
            self.is_known = true;
            self.moved = time;
            self.followed.set_placement(placement);
            self.followed.quiet_due = true;
            let position = BoardPosition { placement, result: None };
            return self.followed.publish(time, BoardEvent::Position(position));
        };
        let mut squares: Vec<Square> = known.differing(&placement).collect();
        // A piece is lifted before it is put down.
        squares.sort_by_key(|&square| placement.get(square).is_some());
        for &square in &squares {
            let change = BoardEvent::Change(Change { square, piece: placement.get(square), quick: None });
            self.followed.apply(std::slice::from_ref(&change));
            self.followed.publish(time, change);
        }
        // A negative difference means that the clock was set back: the change counts as old.
        let is_recent = (0.0..SCAN.as_secs_f64()).contains(&self.moved.seconds_until(time));
        if !squares.is_empty() {
            self.moved = time;
        } else if !is_recent {
            self.followed.publish_quiet(time);
        }
    }
}
