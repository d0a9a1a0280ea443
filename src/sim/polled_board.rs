//! Makes the records that a host would publish of a board that it polls, without a wire.
//!
//! For a [`PolledHall`](super::polled_hall::PolledHall), which polls many.

use std::{collections::VecDeque, time::Duration};

use super::{
    Micros, POWER_CUT, SECOND,
    board_fault::{Ailments, BoardFault},
    clock,
    marks::Marks,
    played_round::{PlayedRound, Signal},
    profile::Profile,
    random::Random,
    round::{PowerCut, Round},
    scanner::SquareChange,
    seconds,
    simulated_day::SimulatedDay,
};
use crate::{
    record::{
        Answers, BoardEvent, BoardFound, BoardPosition, BoardRecord, Change, Clock, Fault, FaultKind,
        LinkState, Mark, MarkKind, Mode, Placement, Press, Seconds, Square, Time,
    },
    wire::records::{SCAN, SETTLED},
};

/// How boards are polled, and whether they have clocks.
#[derive(Debug, Clone)]
pub struct Polling {
    /// The time of the hall's opening in the records.
    pub opening: Time,
    /// Seconds from one poll of a board to the next.
    pub every: f64,
    /// Whether there are clocks.
    pub clock: bool,
    /// Seconds of record time between two readings of a clock.
    pub clock_every: f64,
    /// Whether to make `answers` records, one a minute.
    pub answers: bool,
    /// The faults of boards.
    pub faults: Vec<BoardFault>,
    /// The random seed: the same one gives the same records.
    pub seed: u64,
}

/// When a ply landed, for measurements of the reconstruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlyLanding {
    /// The board's address.
    pub board: u16,
    /// The game on it, from 1.
    pub game: u32,
    /// The ply in it, from 1.
    pub ply: u32,
    /// When its last piece was put down.
    pub time: Time,
    /// When the clock was pressed for it, if the board detected that.
    pub pressed: Option<Time>,
}

/// The `quiet` records that a host has yet to publish: one a whole scan after the last report, and a second one when the
/// position has settled, if that is later.
#[derive(Debug, Clone, Copy, Default)]
struct DueQuiet {
    reported: Micros,
    changed: Micros,
    first: bool,
    again: bool,
}

impl DueQuiet {
    /// Notes a poll with reports: that squares `changed`, or presses alone.
    fn reported(&mut self, at: Micros, changed: bool) {
        self.reported = at;
        if changed {
            (self.changed, self.first, self.again) = (at, true, false);
        }
    }

    /// Notes an empty poll. Returns whether `quiet` is published.
    fn publishes(&mut self, at: Micros) -> bool {
        let passed = |since: Micros, wait: Duration| u128::from(at - since) >= wait.as_micros();
        let settled = passed(self.changed, SETTLED);
        let due = self.first && passed(self.reported, SCAN) || self.again && settled;
        if due {
            (self.first, self.again) = (false, !settled);
        }
        due
    }

    /// Whether none is due any more.
    fn is_over(self) -> bool {
        !self.first && !self.again
    }
}

/// The records of one board, a round at a time.
#[derive(Debug, Clone)]
pub struct PolledBoard {
    address: u16,
    polling: Polling,
    /// When it is polled first.
    phase: Micros,
    day: SimulatedDay,
    rounds: VecDeque<Round>,
    rounds_played: u32,
    marks: Marks,
    stands: Placement,
    polls: u64,
    found: bool,
    /// Records that `next` has not returned yet.
    records: VecDeque<BoardRecord>,
    landings: Vec<PlyLanding>,
    unseen: usize,
    /// An unchanged clock is not recorded again.
    last_clock: Option<Clock>,
    ailments: Ailments,
    /// When its next `answers` record is due.
    answers_due: Micros,
    random: Random,
}

impl PolledBoard {
    /// The board with this address, `n`-th of `of` on the line, on which these rounds are played.
    pub fn new(
        address: u16,
        (n, of): (usize, usize),
        profile: Profile,
        polling: Polling,
        rounds: impl IntoIterator<Item = Round>,
    ) -> PolledBoard {
        let rounds: VecDeque<Round> = rounds.into_iter().collect();
        let stands = rounds.front().map_or(Placement::EMPTY, Round::start);
        let chance = |part: u64| Random::part(polling.seed, u64::from(address) | part);
        let ailments = Ailments::of(&polling.faults, address);
        PolledBoard {
            address,
            phase: seconds(polling.every) * n as u64 / of.max(1) as u64,
            day: SimulatedDay::new(profile, polling.clock, stands, chance(0)).with(ailments.clone()),
            random: chance(1 << 21),
            rounds,
            rounds_played: 0,
            marks: Marks::default(),
            stands: ailments.seen(&stands),
            polls: 0,
            found: false,
            records: VecDeque::new(),
            landings: Vec::new(),
            unseen: 0,
            last_clock: None,
            ailments,
            answers_due: 0,
            polling,
        }
    }

    /// When the plies of the rounds played so far landed.
    pub fn landings(&self) -> &[PlyLanding] {
        &self.landings
    }

    /// How often a piece on it was not seen so far, because of a fault.
    pub fn unseen(&self) -> usize {
        self.unseen
    }

    fn time(&self, at: Micros) -> Time {
        Time(self.polling.opening.0 + (at / 1000) as i64)
    }

    fn record(&mut self, at: Micros, event: BoardEvent) {
        let time = self.time(at);
        self.records.push_back(BoardRecord::new(Some(time), Some(self.address), event));
    }

    fn record_clock(&mut self, at: Micros, round: &PlayedRound) {
        let reading = match round.clock_gone {
            Some((gone, false)) if at >= gone => return,
            Some((gone, true)) if at >= gone => Clock::default(),
            _ => clock::reading(&round.clock_faces, at),
        };
        if self.last_clock.as_ref() != Some(&reading) {
            self.last_clock = Some(reading.clone());
            self.record(at, BoardEvent::Clock(reading));
        }
    }

    fn record_position(&mut self, at: Micros) {
        self.record(at, BoardEvent::Position(BoardPosition { placement: self.stands, result: None }));
    }

    /// Records and returns the mark that the board writes by itself in this position, if any.
    fn record_mark(&mut self, at: Micros) -> Option<MarkKind> {
        let mark = self.marks.see(&self.stands)?;
        self.record(at, BoardEvent::Mark(Mark { mark, listing: false }));
        Some(mark)
    }

    /// Records a board that the host finds.
    fn record_found(&mut self, at: Micros, round: &PlayedRound) {
        let found = BoardFound::new(None, Some(Mode::Bus), Some("1.6".into()));
        self.record(at, BoardEvent::Board(found));
        self.record_position(at);
        self.record_clock(at, round);
        self.record_mark(at);
    }

    /// Records a board that has its power again, and lists its pieces in any order.
    fn record_power_up(&mut self, at: Micros) {
        self.record(at, BoardEvent::Found(LinkState { reason: "timeout".into() }));
        self.record(at, BoardEvent::Mark(Mark { mark: MarkKind::PowerUp, listing: true }));
        let mut occupied: Vec<Square> = Square::all().filter(|s| self.stands.get(*s).is_some()).collect();
        self.random.shuffle(&mut occupied);
        for square in occupied {
            let piece = self.stands.get(square);
            self.record(at, BoardEvent::Change(Change { square, piece, quick: None }));
        }
        self.marks = Marks::default();
        self.record_mark(at);
        self.record_position(at);
    }

    /// Records the reports of a poll. Returns whether the last change made a start position.
    fn record_signals(&mut self, at: Micros, signals: &[Signal]) -> bool {
        let mut begins = false;
        for signal in signals {
            match *signal {
                Signal::Change(SquareChange { square, piece, quick, .. }) => {
                    self.stands.set(square, piece);
                    self.record(
                        at,
                        BoardEvent::Change(Change { square, piece, quick: quick.then_some(true) }),
                    );
                    begins = self.record_mark(at).is_some_and(|mark| mark != MarkKind::Empty);
                }
                Signal::Press { side, seconds, .. } => {
                    self.record(at, BoardEvent::Press(Press { side, seconds: Seconds(seconds) }));
                }
            }
        }
        begins
    }

    /// Records the `answers` of the last minute, once a minute.
    fn record_answers(&mut self, at: Micros) {
        if !self.polling.answers || at < self.answers_due {
            return;
        }
        let first = self.answers_due == 0;
        self.answers_due = at + 60 * SECOND;
        if first {
            return;
        }
        let (usual, worst) = if self.ailments.is_slow() { (0.06, 0.07) } else { (0.003, 0.02) };
        let ms = |seconds: f64| Seconds((seconds * 1000.0).round() / 1000.0);
        let asked = (60.0 / self.polling.every).max(1.0);
        let answers = Answers {
            asked: asked as u32,
            missed: 0,
            spoilt: 0,
            median_seconds: ms(self.random.between((0.9 * usual, 1.1 * usual))),
            worst_seconds: ms(self.random.between((usual, worst))),
            line_seconds: ms(asked * (0.01 + usual)),
            seconds: Seconds(60.0),
        };
        self.record(at, BoardEvent::Answers(answers));
    }

    /// The next `answers` record after all its rounds, up to a time.
    pub fn answers_when_over(&mut self, until: Time) -> Option<BoardRecord> {
        let due = self.answers_due;
        if due == 0 || self.time(due) > until {
            return None;
        }
        self.record_answers(due);
        self.records.pop_front()
    }

    /// Polls a board whose address another board has too: a host detects that, and reads hardly anything else.
    fn poll_twins(&mut self, ended: Micros) {
        let every = seconds(self.polling.every).max(1);
        let fault = |kind, detail: String| BoardEvent::Fault(Fault { kind, detail, bytes: None });
        let spoilt = || fault(FaultKind::Checksum, "checksum, in answer to SEND_CHANGES".into());
        let at = self.phase + self.polls * every;
        if self.polls == 0 {
            let found = BoardFound::new(None, Some(Mode::Bus), None);
            self.record(at, BoardEvent::Board(found));
        }
        self.record(at, fault(FaultKind::Corrupt, format!("{}: take one off the line", Fault::TWO_BOARDS)));
        (0..3).for_each(|_| self.record(at, spoilt()));
        self.record(at, BoardEvent::Lost(LinkState { reason: "timeout".into() }));
        while self.phase + self.polls * every < ended {
            self.polls += 1;
            if self.polls.is_multiple_of(30) {
                self.record(self.phase + self.polls * every, spoilt());
            }
        }
    }

    /// Polls the board until a round is over and all of it is recorded. It does not answer between the two times of each
    /// of the `outages`, which are in order of time.
    fn poll(&mut self, round: &PlayedRound, found_at: Micros, mut outages: VecDeque<(Micros, Micros)>) {
        let every = seconds(self.polling.every).max(1);
        let clock_every = (self.polling.clock_every / self.polling.every).round().max(1.0) as u64;
        let mut rest = &round.signals[..];
        let (mut lost, mut due_quiet) = (false, DueQuiet::default());
        loop {
            let at = self.phase + self.polls * every;
            if !self.found && at >= found_at {
                self.found = true;
                self.record_found(at, round);
            }
            let reads_clock = self.polls.is_multiple_of(clock_every);
            self.polls += 1;
            let signals;
            (signals, rest) = rest.split_at(rest.partition_point(|signal| signal.at() <= at));
            let changes = signals.iter().filter_map(|signal| match signal {
                Signal::Change(change) => Some(change),
                Signal::Press { .. } => None,
            });
            if !self.found {
                changes.for_each(|change| self.stands.set(change.square, change.piece));
                continue;
            }
            if let Some((_, until)) = outages.front().copied().filter(|(from, _)| *from <= at) {
                if !lost {
                    self.record(at, BoardEvent::Lost(LinkState { reason: "timeout".into() }));
                }
                // Changes that were not reported before the power went are not reported later.
                changes.for_each(|change| self.stands.set(change.square, change.piece));
                (lost, due_quiet) = (true, DueQuiet::default());
                if at >= until {
                    outages.pop_front();
                    self.record_power_up(at);
                    lost = false;
                }
                continue;
            }
            self.record_answers(at);
            let changed = changes.count() > 0;
            let begins = self.record_signals(at, signals);
            if !signals.is_empty() {
                due_quiet.reported(at, changed);
            } else if due_quiet.publishes(at) {
                self.record(at, BoardEvent::Quiet {});
            }
            // Between games the clocks are not read until the pieces are set up.
            let playing = at >= round.ready && at <= round.over + 60 * SECOND;
            if begins || (playing && reads_clock) {
                self.record_clock(at, round);
            }
            if rest.is_empty() && due_quiet.is_over() && at >= round.ended {
                return;
            }
        }
    }

    /// The times of a round between which its board is without power.
    fn outages(&mut self, round: &Round, landings: &[Micros]) -> VecDeque<(Micros, Micros)> {
        let mut parts: Vec<f64> =
            (0..self.ailments.resets()).map(|_| self.random.between((0.1, 0.9))).collect();
        let mut outages: VecDeque<(Micros, Micros)> = VecDeque::new();
        match round.power_cut {
            Some(PowerCut::Brief(part)) => parts.push(part),
            Some(PowerCut::Hiding { after, plies }) => outages.extend(self.hiding(after, plies, landings)),
            None => {}
        }
        parts.sort_by(f64::total_cmp);
        for part in parts {
            if let Some((from, until)) = self.outage(part, landings)
                && outages.back().is_none_or(|last| last.1 + 30 * SECOND < from)
            {
                outages.push_back((from, until));
            }
        }
        outages
    }

    /// The times between which a board without power hides `plies` plies, from `after` plies on.
    fn hiding(&self, after: usize, plies: usize, landings: &[Micros]) -> Option<(Micros, Micros)> {
        let first = after.checked_sub(1)?;
        let rests = |n: usize| self.rest_after(n, landings).filter(|rest| *rest <= landings[n] + self.rest());
        (first..landings.len()).find_map(|n| Some((rests(n)?, rests(n + plies)?)))
    }

    /// How long after a landing all of its changes have been reported.
    fn rest(&self) -> Micros {
        seconds(self.polling.every) + SECOND
    }

    /// When the board rests after a landing: this one, or the first after it with enough time.
    fn rest_after(&self, landing: usize, landings: &[Micros]) -> Option<Micros> {
        let every = seconds(self.polling.every);
        let rests = |n: &usize| {
            landings.get(n + 1).is_none_or(|next| *next > landings[*n] + self.rest() + every + 3 * SECOND)
        };
        (landing..landings.len()).find(rests).map(|n| landings[n] + self.rest())
    }

    /// The times between which a board is without power that loses it in this part of a game.
    fn outage(&mut self, part: f64, landings: &[Micros]) -> Option<(Micros, Micros)> {
        let lasts = seconds(self.random.between(POWER_CUT));
        let first = (part * landings.len() as f64) as usize;
        // At most two plies are hidden: the reconstruction can find two, but not the order of three.
        let hides_little = |n: &usize| landings.get(n + 2).is_none_or(|next| *next > landings[*n] + lasts);
        let n = (first..landings.len()).find(hides_little)?;
        Some((landings[n], landings[n] + lasts))
    }
}

impl Iterator for PolledBoard {
    type Item = BoardRecord;

    fn next(&mut self) -> Option<BoardRecord> {
        while self.records.is_empty() {
            let round = self.rounds.pop_front()?;
            let played = self.day.play(&round);
            self.rounds_played += 1;
            self.unseen += played.unseen;
            for ((&at, &pressed), ply) in played.landings.iter().zip(&played.noticed).zip(1..) {
                let (time, pressed) = (self.time(at), pressed.map(|at| self.time(at)));
                let (board, game) = (self.address, self.rounds_played);
                self.landings.push(PlyLanding { board, game, ply, time, pressed });
            }
            if self.ailments.has_twin() {
                self.poll_twins(played.ended);
                continue;
            }
            let outages = self.outages(&round, &played.landings);
            let found_at =
                round.found_after.checked_sub(1).and_then(|n| self.rest_after(n, &played.landings));
            self.poll(&played, found_at.unwrap_or(0), outages);
        }
        self.records.pop_front()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::sim::{planned_game::chess, profile::Hands, round::Ending};

    #[test]
    fn power_cuts_and_late_discovery_hide_the_requested_plies() {
        let sans = ["e4", "e5", "Nf3", "Nc6", "Bc4", "Bc5", "O-O", "Nf6", "d3", "d6", "c3", "h6"];
        let game = Arc::new(chess::tests::planned(None, &sans, None).unwrap());
        for (seed, plies) in (0..10).flat_map(|seed| (1..5).map(move |plies| (seed, plies))) {
            let polling = Polling {
                opening: Time(0),
                every: 1.0,
                clock: true,
                clock_every: 20.0,
                answers: false,
                faults: Vec::new(),
                seed,
            };
            let board = |round: Round| {
                let profile = Hands::Classic.profile();
                let mut board = PolledBoard::new(7, (0, 1), profile, polling.clone(), [round]);
                let records: Vec<BoardRecord> = board.by_ref().collect();
                (records, board)
            };
            let round = Round::new(game.clone(), Ending::None);
            let power_cut = Some(PowerCut::Hiding { after: 3, plies });
            let (records, cut) = board(Round { power_cut, ..round.clone() });
            let at = |is: fn(&BoardEvent) -> bool| records.iter().find(|it| is(&it.event))?.time;
            let lost = at(|event| matches!(event, BoardEvent::Lost(_))).unwrap();
            let found = at(|event| matches!(event, BoardEvent::Found(_))).unwrap();
            let hidden = cut.landings().iter().filter(|it| it.time > lost && it.time < found).count();
            assert_eq!(hidden, plies, "seed {seed}");
            let (records, found) = board(Round { found_after: plies, ..round });
            let BoardEvent::Position(stands) = &records[1].event else { panic!("{:?}", records[1]) };
            let landed = found.landings().iter().filter(|it| Some(it.time) < records[1].time).count();
            assert_eq!(stands.placement, game.after(landed), "seed {seed}");
            assert!((plies..plies + 3).contains(&landed), "seed {seed}");
        }
    }

    #[test]
    fn quiet_is_published_after_a_scan_and_when_settled() {
        let quiet_times = |changes: &[Micros], presses: &[Micros], every: Micros| -> Vec<Micros> {
            let mut due_quiet = DueQuiet::default();
            let polls = (0..).map(|n| n * every).take_while(|at| *at <= 6000);
            let published = polls.filter(|at| {
                if changes.contains(at) || presses.contains(at) {
                    due_quiet.reported(at * 1000, changes.contains(at));
                    return false;
                }
                due_quiet.publishes(at * 1000)
            });
            published.collect()
        };
        assert_eq!(quiet_times(&[300], &[], 300), [600, 1800]);
        assert_eq!(quiet_times(&[300], &[600], 300), [900, 1800]);
        assert_eq!(quiet_times(&[300, 1200], &[], 300), [600, 1500, 2700]);
        assert_eq!(quiet_times(&[100], &[], 50), [350, 1600]);
        assert_eq!(quiet_times(&[1000], &[], 1000), [2000, 3000]);
        assert_eq!(quiet_times(&[2000], &[], 2000), [4000]);
        assert!(quiet_times(&[], &[300], 300).is_empty());
    }
}
