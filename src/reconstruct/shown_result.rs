//! The result that kings in the centre have shown: published once nobody will correct it.
//!
//! Players put the kings on squares of the wrong colour, and an arbiter corrects that. A closed game must not need a
//! correction, so its end is held back for a while after its moves were published. All updates of the tracked board
//! pass here.

use super::{limits, update::Update};
use crate::{
    record::{End, EndReason, GameEvent, Outcome, Placement, Time},
    rules::{Game, chess::ChessGame},
};

/// See the module.
#[derive(Default)]
pub struct ShownResult(Option<Held>);

/// The end of a game, whose result may still change.
struct Held {
    end: Update,
    /// The time of the last change of a king.
    since: Time,
    stands: Placement,
    /// The number of squares that other pieces have left or reached since.
    others: usize,
}

impl ShownResult {
    /// Reads the position at this time and the updates starting at `from`: holds back an end that kings show, and
    /// publishes a held one that is due or that other updates follow.
    pub fn pass(&mut self, now: Option<Time>, stands: &Placement, updates: &mut Vec<Update>, from: usize) {
        let shows =
            |update: &mut Update| matches!(&update.event, GameEvent::End(end) if is_shown(end, stands));
        let last = if now.is_some() && updates.len() > from { updates.pop_if(shows) } else { None };
        if let Some(held) = &mut self.0 {
            let is_over = last.is_some() || updates.len() > from || now.is_none_or(|now| now >= held.due());
            if is_over || held.are_put_away(now, stands) {
                updates.splice(from..from, self.0.take().map(|held| held.end));
            }
        }
        if let Some((end, since)) = last.zip(now) {
            self.0 = Some(Held { end, since, stands: *stands, others: 0 });
        }
    }

    /// Publishes the end that is held back: no more records of its board will come, or it was ruled.
    pub fn release(&mut self, updates: &mut Vec<Update>) {
        updates.extend(self.0.take().map(|held| held.end));
    }

    /// The time at which something is due even without a record.
    pub fn deadline(&self) -> Option<Time> {
        self.0.as_ref().map(Held::due)
    }
}

/// Whether kings have shown this end, on a board with this position; where a flag fell before, that is its reason.
fn is_shown(end: &End, stands: &Placement) -> bool {
    let by_flag = || end.reason == EndReason::Flag && ChessGame::signal(stands.codes(), 0).is_some();
    end.result.is_some() && !end.settled && (end.reason == EndReason::Kings || by_flag())
}

impl Held {
    fn due(&self) -> Time {
        self.since.after(limits::RESULT_STANDS_SECONDS)
    }

    /// Reads a position; returns whether pieces are being put away, which confirms the result.
    fn are_put_away(&mut self, now: Option<Time>, stands: &Placement) -> bool {
        let before = std::mem::replace(&mut self.stands, *stands);
        let changed: Vec<_> = before.differing(stands).collect();
        let is_king = |placement: &Placement, square| {
            placement.get(square).is_some_and(|piece| ChessGame::announces(piece.code()))
        };
        let others = changed.iter().filter(|&&at| !is_king(&before, at) && !is_king(stands, at)).count();
        self.others += others;
        if changed.len() > others {
            self.since = now.unwrap_or(self.since);
            let shown: Option<Outcome> = ChessGame::signal(stands.codes(), 0).map(|(outcome, _)| outcome);
            if let (GameEvent::End(end), Some(shown)) = (&mut self.end.event, shown) {
                end.result = Some(shown);
            }
        }
        self.others >= limits::PUT_AWAY_SQUARES
    }
}
