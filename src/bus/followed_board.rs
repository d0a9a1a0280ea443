//! The state of one board, on a bus or alone: the position by its published records, whether it answers, and records that
//! wait for the sink.

use super::{
    RecordSink,
    marks::{self, NextMark},
    retry,
    tracker::Tracker,
};
use crate::{
    error::Result,
    record::{BoardEvent, BoardRecord, Change, LinkState, Mark, MarkKind, Placement, Time},
    wire::{
        clock::ClockMessage,
        records::{self, SETTLED},
    },
};

/// Whether a board answers.
#[derive(Debug, Clone, Default)]
pub struct Reach {
    /// Visits in a row without a whole answer.
    pub misses: u32,
    /// The reason with which it was published as lost, while it is.
    lost: Option<&'static str>,
}

impl Reach {
    /// Whether it was published as lost.
    pub fn is_lost(&self) -> bool {
        self.lost.is_some()
    }

    /// Counts a visit without an answer. Returns whether the board counts as lost now.
    pub fn missed(&mut self) -> bool {
        self.misses += 1;
        self.is_silent()
    }

    /// Notes that a search did not find it.
    pub fn absent(&mut self) {
        self.misses = retry::LOST_AFTER;
    }

    /// Notes that it answered.
    pub fn answered(&mut self) {
        self.misses = 0;
    }

    /// Whether it has not answered in enough visits to count as lost.
    pub fn is_silent(&self) -> bool {
        self.misses >= retry::LOST_AFTER
    }
}

/// The state of one board, in any mode.
#[derive(Debug, Clone, Default)]
pub struct FollowedBoard {
    /// Its address; none before its first answer.
    pub address: Option<u16>,
    /// Its published entries, and the position that follows from them.
    pub tracker: Tracker,
    /// When its next start mark is due.
    pub mark: NextMark,
    /// Whether it answers.
    pub reach: Reach,
    /// Whether its position is not that of a game in play: the game is over, or has not begun.
    pub between_games: bool,
    /// Its pieces moved, and `quiet` was not published since.
    pub quiet_due: bool,
    /// The time of its last change, in records.
    changed: Option<Time>,
    /// `quiet` was published before the position was settled, and is to be published again.
    settles: bool,
    /// The mark after which a list of its pieces has begun, until the list is complete.
    listing: Option<MarkKind>,
    /// The last published record of its clock.
    clock: Option<BoardEvent>,
    out: Vec<BoardRecord>,
}

impl FollowedBoard {
    /// A board without any records yet.
    pub fn new(address: u16) -> FollowedBoard {
        FollowedBoard { address: Some(address), ..FollowedBoard::default() }
    }

    /// Resets the state, because another board takes the place of this one. Records that wait, and whether the place was
    /// published as lost, remain.
    pub fn start_over(&mut self) {
        let FollowedBoard { reach, quiet_due, out, .. } = std::mem::take(self);
        *self = FollowedBoard { reach, quiet_due, out, ..FollowedBoard::default() };
    }

    /// Takes the position and the start mark from the state at the end of an earlier run.
    pub fn resume_from(&mut self, earlier: FollowedBoard) {
        let FollowedBoard { tracker, mark, between_games, .. } = earlier;
        *self = FollowedBoard { tracker, mark, between_games, ..std::mem::take(self) };
    }

    /// Applies published entries of the board's log.
    pub fn apply(&mut self, events: &[BoardEvent]) {
        self.quiet_due |= events.iter().any(|event| matches!(event, BoardEvent::Change(_)));
        self.take_log(events);
    }

    /// Replaces everything published since the start mark by the board's own log.
    pub fn replace(&mut self, log: &[BoardEvent]) {
        self.tracker.restart();
        (self.mark, self.listing) = (NextMark::default(), None);
        self.take_log(log);
        self.tracker.take_contradiction();
    }

    /// Sets the position to that of a dump.
    pub fn set_placement(&mut self, placement: Placement) {
        self.tracker.set_placement(placement);
        match self.listing.take() {
            Some(MarkKind::Start) => self.marked(),
            _ => self.moved(),
        }
        self.update_between_games();
    }

    /// Ends a list of pieces that had begun: an empty poll shows that it is complete.
    pub fn list_ended(&mut self) {
        if self.listing.take().is_some() {
            self.moved();
            self.update_between_games();
        }
    }

    /// Applies entries one by one, since a packet or a log may begin in one game and end in the next.
    fn take_log(&mut self, events: &[BoardEvent]) {
        for event in events {
            // A list has no changes to empty, so this entry ends it.
            if matches!(event, BoardEvent::Change(Change { piece: None, .. })) {
                self.list_ended();
            }
            self.tracker.apply(std::slice::from_ref(event));
            if let BoardEvent::Mark(Mark { mark, listing }) = event {
                self.listing = listing.then_some(*mark).or(self.listing);
                if *mark == MarkKind::Start {
                    self.marked();
                }
            }
            match self.listing {
                None => self.moved(),
                Some(MarkKind::Start) if self.tracker.placement().is_some_and(Placement::is_start) => {
                    self.marked();
                }
                Some(_) => {}
            }
        }
        self.update_between_games();
    }

    /// Notes that the start mark is in the board's log, for the current position.
    fn marked(&mut self) {
        if let Some(placement) = self.tracker.placement() {
            self.mark.written(*placement);
        }
    }

    fn moved(&mut self) {
        if let Some(placement) = self.tracker.placement() {
            self.mark.moved(placement);
        }
    }

    fn update_between_games(&mut self) {
        if let Some(placement) = self.tracker.placement() {
            self.between_games = marks::is_between_games(placement);
        }
    }

    /// Publishes a record of the board; it waits for the next [`flush`](FollowedBoard::flush).
    pub fn publish(&mut self, time: Time, event: BoardEvent) {
        if matches!(event, BoardEvent::Change(_)) {
            (self.changed, self.settles) = (Some(time), false);
        }
        self.out.push(BoardRecord::new(Some(time), self.address, event));
    }

    /// Publishes the record of a clock message, if it differs from the last.
    pub fn publish_clock(&mut self, time: Time, message: ClockMessage) {
        if let Some(clock) = records::clock(message)
            && self.clock.as_ref() != Some(&clock)
        {
            self.clock = Some(clock.clone());
            self.publish(time, clock);
        }
    }

    /// Publishes `quiet` for pieces that moved and now rest, and a second time when the position has settled, if that is
    /// later.
    pub fn publish_quiet(&mut self, time: Time) {
        // A negative difference means that the clock was set back: the change counts as old.
        let moving = |changed: Time| (0.0..SETTLED.as_secs_f64()).contains(&changed.seconds_until(time));
        let settled = !self.changed.is_some_and(moving);
        if self.quiet_due || self.settles && settled {
            (self.quiet_due, self.settles) = (false, !settled);
            self.publish(time, BoardEvent::Quiet {});
        }
    }

    /// Publishes that the board is lost, once.
    pub fn lose(&mut self, time: Time, reason: &'static str) {
        if self.reach.lost.is_none() {
            self.reach.lost = Some(reason);
            self.publish(time, BoardEvent::Lost(LinkState { reason: reason.into() }));
        }
    }

    /// Publishes that a lost board is found. Returns the reason of its loss; none if it was not lost.
    pub fn publish_found(&mut self, time: Time) -> Option<&'static str> {
        let reason = self.reach.lost.take()?;
        self.publish(time, BoardEvent::Found(LinkState { reason: reason.into() }));
        Some(reason)
    }

    /// The records that wait for the sink.
    pub fn out(&self) -> &[BoardRecord] {
        &self.out
    }

    /// Takes the records that wait for the sink.
    pub fn take_out(&mut self) -> Vec<BoardRecord> {
        std::mem::take(&mut self.out)
    }

    /// Writes the waiting records to the sink. Returns the number of the batch; none if no records waited.
    pub fn flush(&mut self, sink: &mut impl RecordSink) -> Result<Option<u64>> {
        if self.out.is_empty() { Ok(None) } else { sink.put(self.take_out()).map(Some) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{Piece, Square};

    /// The times of `quiet` records of a board with changes at `moves` and empty polls at `rests`, in milliseconds.
    fn quiet(moves: &[i64], rests: &[i64]) -> Vec<i64> {
        let mut board = FollowedBoard::new(1025);
        let mut all: Vec<(i64, bool)> = moves.iter().map(|&at| (at, true)).collect();
        all.extend(rests.iter().map(|&at| (at, false)));
        all.sort();
        for (at, moves) in all {
            if moves {
                let change = Change { square: Square::from_field(52).unwrap(), piece: None, quick: None };
                board.apply(&[BoardEvent::Change(change.clone())]);
                board.publish(Time(at), BoardEvent::Change(change));
            } else {
                board.publish_quiet(Time(at));
            }
        }
        let quiet = board.out().iter().filter(|record| matches!(record.event, BoardEvent::Quiet {}));
        quiet.filter_map(|record| Some(record.time?.0)).collect()
    }

    #[test]
    fn early_quiet_is_published_a_second_time() {
        assert_eq!(quiet(&[0], &[300, 600, 900, 1200, 1500, 1800, 9000]), [300, 1500]);
        // Polled slowly.
        assert_eq!(quiet(&[0], &[1000, 2000, 3000]), [1000, 2000]);
        assert_eq!(quiet(&[0], &[1500, 3000, 4500]), [1500]);
        assert_eq!(quiet(&[0], &[2000, 4000]), [2000]);
        // The time counts from the last change.
        assert_eq!(quiet(&[0, 1000], &[300, 600, 1300, 1600, 2400, 2600]), [300, 1300, 2600]);
        assert!(quiet(&[], &[0, 2000]).is_empty());
    }

    /// A change in a log: the square, and the piece on it after the change.
    fn change(square: Square, piece: Option<Piece>) -> BoardEvent {
        BoardEvent::Change(Change { square, piece, quick: None })
    }

    /// The start mark and the list after it.
    fn start() -> Vec<BoardEvent> {
        let mark = BoardEvent::Mark(Mark { mark: MarkKind::Start, listing: true });
        let stands = Placement::start();
        let list = Square::all().filter_map(|square| Some(change(square, Some(stands.get(square)?))));
        [mark].into_iter().chain(list).collect()
    }

    /// This number of pieces are lifted, and then put back.
    fn lifted_and_back(pieces: usize) -> Vec<BoardEvent> {
        let stands = Placement::start();
        let lifted: Vec<Square> = Square::all().filter(|&s| stands.get(s).is_some()).take(pieces).collect();
        let lifts = lifted.iter().map(|&square| change(square, None));
        lifts.chain(lifted.iter().map(|&square| change(square, stands.get(square)))).collect()
    }

    #[test]
    fn a_board_set_up_again_wants_a_new_mark() {
        // More than two pieces must have left the marked position.
        for (pieces, wanted) in [(0, false), (2, false), (3, true), (32, true)] {
            let log = [start(), lifted_and_back(pieces)].concat();
            let mut one_by_one = FollowedBoard::new(1025);
            log.iter().for_each(|event| one_by_one.apply(std::slice::from_ref(event)));
            let mut together = FollowedBoard::new(1025);
            together.apply(&log);
            let mut replaced = FollowedBoard::new(1025);
            replaced.replace(&log);
            for mut board in [one_by_one, together, replaced] {
                board.list_ended();
                assert_eq!(board.mark.wants(&Placement::start()), wanted, "{pieces} pieces");
                assert!(board.between_games);
            }
        }
    }

    #[test]
    fn a_dump_corrects_an_incomplete_list() {
        let mut board = FollowedBoard::new(1025);
        board.apply(&start()[..20]);
        board.set_placement(Placement::start());
        assert!(!board.mark.wants(&Placement::start()));
        board.apply(&lifted_and_back(3));
        assert!(board.mark.wants(&Placement::start()));
    }

    #[test]
    fn a_mark_on_an_empty_board_does_not_count() {
        let mut board = FollowedBoard::new(1025);
        board.apply(&start()[..1]);
        board.list_ended();
        board.apply(&start()[1..]);
        assert!(board.mark.wants(&Placement::start()));
    }

    #[test]
    fn quiet_is_published_after_the_clock_was_set_back() {
        let mut board = FollowedBoard::new(1025);
        board.quiet_due = true;
        board.changed = Some(Time(3_600_000));
        board.publish_quiet(Time(0));
        assert_eq!(board.out().len(), 1);
    }
}
