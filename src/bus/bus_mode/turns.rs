//! Whose turn it is: of those that may be asked the one whose turn came first, boards that matter before those at rest.
//!
//! A board's turn comes so long after it was asked last: at once while it is new or owes a packet, soon when it told
//! something, later when it rests. A turn that has come stays, and every visit to another brings that board's next turn
//! behind it; so while one waits no other is asked more than twice, however many there are, however bad the line and
//! whatever they tell. Boards at rest are due when they wait twice as long as the one that matters and waits longest: on a
//! full line they come half as often, and no other is asked more than three times while one waits.
//!
//! Long answers are no part of that: a board's log takes seconds. Behind one come all others whose turn has come, once
//! each, but for no more than twice as long as it took; so boards that wait for their logs have a third of the line at
//! least, and the others are heard between. Behind a start mark it is half as long as it took: a hall that stands ready is
//! soon marked, and whoever begins to play meanwhile is soon heard.

use std::time::Duration;

use super::polled_board::PolledBoard;

/// The last visit after which others come first.
#[derive(Debug, Clone, Copy, Default)]
struct LongVisit {
    ended: Duration,
    took: Duration,
    /// It was for a board's log, not for a start mark.
    was_log: bool,
}

/// What a visit was for, as far as it concerns the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Errand {
    /// A question or two.
    Poll,
    /// A start mark was written.
    Mark,
    /// A long answer was asked for.
    Log,
}

/// See the module.
#[derive(Debug, Default)]
pub struct Turns {
    long: LongVisit,
}

impl Turns {
    /// The board to ask next of those that `may` be asked; its turn need not have come.
    pub fn next(
        &self,
        boards: &[PolledBoard],
        now: Duration,
        may: impl Fn(&PolledBoard) -> bool,
    ) -> Option<usize> {
        let others_first = self.others_first(boards, now, &may);
        let candidate = |board: &PolledBoard| may(board) && !(others_first && self.gives_way(board));
        let candidates = boards.iter().enumerate().filter(|(_, board)| candidate(board));
        let key = |(at, board): (usize, &PolledBoard)| (board.turn_comes(now), board.matters(now), at);
        let keyed: Vec<_> = candidates.map(key).collect();
        let waits = |&&(turn, matters, _): &&(Duration, bool, usize)| matters && turn < now;
        let longest = keyed.iter().filter(waits).map(|&(turn, ..)| now - turn).max().unwrap_or_default();
        let patient =
            |&(turn, matters, _): &(Duration, bool, usize)| if matters { turn } else { turn + longest };
        keyed.iter().min_by_key(|keyed| patient(keyed)).map(|&(.., at)| at)
    }

    /// A visit has ended.
    pub fn ended(&mut self, errand: Errand, began: Duration, ended: Duration) {
        if errand != Errand::Poll {
            self.long = LongVisit { ended, took: ended - began, was_log: errand == Errand::Log };
        }
    }

    /// Whether after the last long visit others come first, each once: those whose turn has come, and that do not have
    /// to give way themselves.
    pub fn others_first(
        &self,
        boards: &[PolledBoard],
        now: Duration,
        may: impl Fn(&PolledBoard) -> bool,
    ) -> bool {
        let LongVisit { ended, took, was_log } = self.long;
        let ready = |board: &PolledBoard| {
            may(board)
                && board.turn.asked < ended
                && board.turn_comes(now) <= now
                && !board.followed.reach.is_lost()
                && !self.gives_way(board)
        };
        let most = if was_log { took * 2 } else { took / 2 };
        now < ended + most && boards.iter().any(ready)
    }

    /// Whether a board gives way after the last long visit: it waits for its own log, or stands still for its start mark.
    fn gives_way(&self, board: &PolledBoard) -> bool {
        board.fetch.is_long() || !self.long.was_log && board.followed.mark.is_due()
    }
}
