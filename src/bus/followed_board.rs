//! One board that is followed, on a bus or alone: what was published of it, whether it answers, and the records of it
//! that wait to be handed over.

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
    /// It does not answer, and that was published with this reason.
    lost: Option<&'static str>,
}

impl Reach {
    /// Whether it was published as lost.
    pub fn is_lost(&self) -> bool {
        self.lost.is_some()
    }

    /// It did not answer once more. Whether it counts as lost now.
    pub fn missed(&mut self) -> bool {
        self.misses += 1;
        self.is_silent()
    }

    /// It was looked for and is not there.
    pub fn absent(&mut self) {
        self.misses = retry::LOST_AFTER;
    }

    /// It answered.
    pub fn answered(&mut self) {
        self.misses = 0;
    }

    /// Whether it has been silent for as long as a lost board is.
    pub fn is_silent(&self) -> bool {
        self.misses >= retry::LOST_AFTER
    }
}

/// What is known of one board, however it is spoken to.
#[derive(Debug, Clone, Default)]
pub struct FollowedBoard {
    /// Its address; none while it was never heard of.
    pub address: Option<u16>,
    /// What was published of it, and so what stands on it.
    pub tracker: Tracker,
    /// When its next start mark is due.
    pub mark: NextMark,
    /// Whether it answers.
    pub reach: Reach,
    /// What stands on it is no game in play: it is over, or has not begun.
    pub between_games: bool,
    /// Its pieces moved, and `quiet` was not published since.
    pub quiet_due: bool,
    /// When its pieces moved last, as records have it.
    changed: Option<Time>,
    /// `quiet` was published so soon after that time that it is to be published once more.
    settles: bool,
    /// The mark behind which a list of its pieces has begun, of which nothing shows that it is whole.
    listing: Option<MarkKind>,
    /// What was published of its clock.
    clock: Option<BoardEvent>,
    out: Vec<BoardRecord>,
}

impl FollowedBoard {
    /// A board of which nothing is known but its address.
    pub fn new(address: u16) -> FollowedBoard {
        FollowedBoard { address: Some(address), ..FollowedBoard::default() }
    }

    /// Another board is to take its place: nothing is left but what waits to be handed over, and that one was lost.
    pub fn give_way(&mut self) {
        let FollowedBoard { reach, quiet_due, out, .. } = std::mem::take(self);
        *self = FollowedBoard { reach, quiet_due, out, ..FollowedBoard::default() };
    }

    /// An earlier run followed it: what stands on it by what that published, and which position has its start mark.
    pub fn go_on_from(&mut self, earlier: FollowedBoard) {
        let FollowedBoard { tracker, mark, between_games, .. } = earlier;
        *self = FollowedBoard { tracker, mark, between_games, ..std::mem::take(self) };
    }

    /// Takes entries of the board's log that are published, and draws the conclusions.
    pub fn learn(&mut self, events: &[BoardEvent]) {
        self.quiet_due |= events.iter().any(|event| matches!(event, BoardEvent::Change(_)));
        self.take_log(events);
    }

    /// Takes the board's own log since its start mark for everything that happened.
    pub fn learn_anew(&mut self, log: &[BoardEvent]) {
        self.tracker.begin_anew();
        (self.mark, self.listing) = (NextMark::default(), None);
        self.take_log(log);
        self.tracker.take_contradiction();
    }

    /// Takes what a dump shows for the truth.
    pub fn stands(&mut self, placement: Placement) {
        self.tracker.stands(placement);
        match self.listing.take() {
            Some(MarkKind::Start) => self.marked(),
            _ => self.moved(),
        }
        self.look_between();
    }

    /// The board had nothing to tell, so a list of pieces that had begun is whole.
    pub fn list_ended(&mut self) {
        if self.listing.take().is_some() {
            self.moved();
            self.look_between();
        }
    }

    /// Takes entries one by one: a packet, or a log, may begin in one game and end in the next.
    fn take_log(&mut self, events: &[BoardEvent]) {
        for event in events {
            // A list names no empty square.
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
        self.look_between();
    }

    /// The start mark is in the board's log, with what stands on it by now.
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

    fn look_between(&mut self) {
        if let Some(placement) = self.tracker.placement() {
            self.between_games = marks::is_between_games(placement);
        }
    }

    /// Publishes something of the board; it goes out with the next [`flush`](FollowedBoard::flush).
    pub fn publish(&mut self, time: Time, event: BoardEvent) {
        if matches!(event, BoardEvent::Change(_)) {
            (self.changed, self.settles) = (Some(time), false);
        }
        self.out.push(BoardRecord::new(Some(time), self.address, event));
    }

    /// Publishes what a clock message says; a clock that shows what it showed before is no news.
    pub fn clock_shows(&mut self, time: Time, message: ClockMessage) {
        if let Some(clock) = records::clock(message)
            && self.clock.as_ref() != Some(&clock)
        {
            self.clock = Some(clock.clone());
            self.publish(time, clock);
        }
    }

    /// Publishes that the pieces rest, if they moved: when that is seen first, and again when they have settled, if that is
    /// later.
    pub fn rests(&mut self, time: Time) {
        // A clock that was set back says nothing.
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

    /// Publishes that a lost board is there again, and brings why it was lost.
    pub fn find_again(&mut self, time: Time) -> Option<&'static str> {
        let reason = self.reach.lost.take()?;
        self.publish(time, BoardEvent::Found(LinkState { reason: reason.into() }));
        Some(reason)
    }

    /// What waits to be handed over.
    pub fn out(&self) -> &[BoardRecord] {
        &self.out
    }

    /// Takes what waits to be handed over.
    pub fn take_out(&mut self) -> Vec<BoardRecord> {
        std::mem::take(&mut self.out)
    }

    /// Hands over what was published. The number under which it will be safe, if there was anything.
    pub fn flush(&mut self, sink: &mut impl RecordSink) -> Result<Option<u64>> {
        if self.out.is_empty() { Ok(None) } else { sink.put(self.take_out()).map(Some) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{Piece, Square};

    /// When `quiet` is published of a board whose pieces move at these times and that is found resting at those, milliseconds.
    fn quiet(moves: &[i64], rests: &[i64]) -> Vec<i64> {
        let mut board = FollowedBoard::new(1025);
        let mut all: Vec<(i64, bool)> = moves.iter().map(|&at| (at, true)).collect();
        all.extend(rests.iter().map(|&at| (at, false)));
        all.sort();
        for (at, moves) in all {
            if moves {
                let change = Change { square: Square::from_field(52).unwrap(), piece: None, quick: None };
                board.learn(&[BoardEvent::Change(change.clone())]);
                board.publish(Time(at), BoardEvent::Change(change));
            } else {
                board.rests(Time(at));
            }
        }
        let quiet = board.out().iter().filter(|record| matches!(record.event, BoardEvent::Quiet {}));
        quiet.filter_map(|record| Some(record.time?.0)).collect()
    }

    #[test]
    fn quiet_comes_again_after_settling_unless_settled_before() {
        assert_eq!(quiet(&[0], &[300, 600, 900, 1200, 1500, 1800, 9000]), [300, 1500]);
        // Asked slowly.
        assert_eq!(quiet(&[0], &[1000, 2000, 3000]), [1000, 2000]);
        assert_eq!(quiet(&[0], &[1500, 3000, 4500]), [1500]);
        assert_eq!(quiet(&[0], &[2000, 4000]), [2000]);
        // From the last change on, and not of a rest that was over before.
        assert_eq!(quiet(&[0, 1000], &[300, 600, 1300, 1600, 2400, 2600]), [300, 1300, 2600]);
        assert!(quiet(&[], &[0, 2000]).is_empty());
    }

    /// A change of a log: the square, and what stands on it then.
    fn change(square: Square, piece: Option<Piece>) -> BoardEvent {
        BoardEvent::Change(Change { square, piece, quick: None })
    }

    /// The start mark and the list behind it.
    fn start() -> Vec<BoardEvent> {
        let mark = BoardEvent::Mark(Mark { mark: MarkKind::Start, listing: true });
        let stands = Placement::start();
        let list = Square::all().filter_map(|square| Some(change(square, Some(stands.get(square)?))));
        [mark].into_iter().chain(list).collect()
    }

    /// So many pieces are lifted, and then put back.
    fn lifted_and_back(pieces: usize) -> Vec<BoardEvent> {
        let stands = Placement::start();
        let lifted: Vec<Square> = Square::all().filter(|&s| stands.get(s).is_some()).take(pieces).collect();
        let lifts = lifted.iter().map(|&square| change(square, None));
        lifts.chain(lifted.iter().map(|&square| change(square, stands.get(square)))).collect()
    }

    #[test]
    fn repeated_start_positions_want_a_mark_in_any_order() {
        // More than two pieces must have left the marked position.
        for (pieces, wanted) in [(0, false), (2, false), (3, true), (32, true)] {
            let log = [start(), lifted_and_back(pieces)].concat();
            let mut one_by_one = FollowedBoard::new(1025);
            log.iter().for_each(|event| one_by_one.learn(std::slice::from_ref(event)));
            let mut at_once = FollowedBoard::new(1025);
            at_once.learn(&log);
            let mut anew = FollowedBoard::new(1025);
            anew.learn_anew(&log);
            for mut board in [one_by_one, at_once, anew] {
                board.list_ended();
                assert_eq!(board.mark.wants(&Placement::start()), wanted, "{pieces} pieces");
                assert!(board.between_games);
            }
        }
    }

    #[test]
    fn incomplete_listings_are_corrected_by_a_dump() {
        let mut board = FollowedBoard::new(1025);
        board.learn(&start()[..20]);
        board.stands(Placement::start());
        assert!(!board.mark.wants(&Placement::start()));
        board.learn(&lifted_and_back(3));
        assert!(board.mark.wants(&Placement::start()));
    }

    #[test]
    fn marks_on_empty_boards_belong_to_no_game() {
        let mut board = FollowedBoard::new(1025);
        board.learn(&start()[..1]);
        board.list_ended();
        board.learn(&start()[1..]);
        assert!(board.mark.wants(&Placement::start()));
    }

    #[test]
    fn clocks_put_back_do_not_delay_rests_of_boards() {
        let mut board = FollowedBoard::new(1025);
        board.quiet_due = true;
        board.changed = Some(Time(3_600_000));
        board.rests(Time(0));
        assert_eq!(board.out().len(), 1);
    }
}
