//! Chooses the next board: of those that may be asked the one whose turn came first, active boards before those at rest.
//!
//! A board's turn comes some time after it was asked last ([`PolledBoard::turn_comes`]): without a wait while it is new or
//! has an unconfirmed packet, soon after a report, later when it rests. A turn that has come stays, and a visit to another
//! board puts that board's next turn after it. So while one board waits no other is asked more than twice, on any line and
//! with any number of boards. A board at rest is chosen when it has waited twice as long as the active board that waits
//! longest: on a full line it is asked half as often, and no other is asked more than three times while it waits.
//!
//! Long answers are excepted: the log of a board takes seconds. After one, all others whose turn has come are asked once
//! each, but for no more than twice as long as it took. So boards that wait for their logs get at least a third of the line.
//! After a start mark the others get half as long as it took: a hall that is set up is marked soon, and boards on which play
//! begins meanwhile are polled soon.

use std::time::Duration;

use super::polled_board::PolledBoard;

/// The last visit after which others come first.
#[derive(Debug, Clone, Copy, Default)]
struct LongVisit {
    ended: Duration,
    took: Duration,
    /// Whether it fetched a log; otherwise it wrote a start mark.
    was_log: bool,
}

/// The purpose of a visit, as far as it concerns other boards.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Errand {
    /// A poll, with one or two commands.
    Poll,
    /// Writing a start mark.
    Mark,
    /// Fetching a long answer.
    Log,
}

/// The order of visits, as the module describes it.
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
        let key = |(at, board): (usize, &PolledBoard)| (board.turn_comes(now), board.is_active(now), at);
        let keyed: Vec<_> = candidates.map(key).collect();
        let waits = |&&(turn, is_active, _): &&(Duration, bool, usize)| is_active && turn < now;
        let longest = keyed.iter().filter(waits).map(|&(turn, ..)| now - turn).max().unwrap_or_default();
        let patient =
            |&(turn, is_active, _): &(Duration, bool, usize)| if is_active { turn } else { turn + longest };
        keyed.iter().min_by_key(|keyed| patient(keyed)).map(|&(.., at)| at)
    }

    /// Notes the end of a visit.
    pub fn ended(&mut self, errand: Errand, began: Duration, ended: Duration) {
        if errand != Errand::Poll {
            self.long = LongVisit { ended, took: ended - began, was_log: errand == Errand::Log };
        }
    }

    /// Whether other boards come first after the last long visit, each once: boards whose turn has come, and which do not
    /// give way themselves.
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

    /// Whether a board gives way after the last long visit, because it waits for its own log or start mark.
    fn gives_way(&self, board: &PolledBoard) -> bool {
        board.fetch.is_long() || !self.long.was_log && board.followed.mark.is_due()
    }
}
