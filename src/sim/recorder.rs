//! What a host would tell of boards that it polls: board records, without any wire.

use std::collections::VecDeque;

use super::{
    Instant,
    clock::{self, Face},
    marks::{Marks, mark_of},
    profile::Profile,
    random::Random,
    scanner::Seen,
    seconds,
    table::{Round, Session, Table, What},
};
use crate::record::{
    BoardEvent, BoardFound, BoardRecord, Change, Clock, Link, Mark, MarkKind, Mode, Placement, Position,
    Press, Seconds, Square, Time,
};

/// How a hall is polled and what stands in it.
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
    /// Chance's seed: the same one gives the same records.
    pub seed: u64,
}

/// When a ply landed, for those who judge: board, game (1, 2, … on that board), ply (1, 2, …).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Landing {
    /// The board's address.
    pub board: u16,
    /// The game on it, from 1.
    pub game: u32,
    /// The ply in it, from 1.
    pub ply: u32,
    /// When its last piece stood.
    pub time: Time,
}

/// Tells the records of one board, a round at a time.
#[derive(Debug, Clone)]
pub struct Recorder {
    board: u16,
    polling: Polling,
    phase: Instant,
    table: Table,
    rounds: VecDeque<Round>,
    played: u32,
    marks: Marks,
    stands: Placement,
    polls: u64,
    queue: VecDeque<BoardRecord>,
    landings: Vec<Landing>,
    /// The last clock told: an unchanged one is not told again.
    told: Option<Clock>,
    random: Random,
}

/// How far a loss of power has been told.
#[derive(Debug, Clone, Copy)]
enum Outage {
    /// It is to come, from one time to another.
    Ahead(Instant, Instant),
    /// The board does not answer until then.
    Lost(Instant),
}

impl Recorder {
    /// The board with this address, `n`-th of `of` on the line, on which these rounds are played.
    pub fn new(
        board: u16,
        (n, of): (usize, usize),
        profile: Profile,
        polling: Polling,
        rounds: impl IntoIterator<Item = Round>,
    ) -> Recorder {
        let rounds: VecDeque<Round> = rounds.into_iter().collect();
        let stands = rounds.front().map_or(Placement::EMPTY, Round::start);
        let table = Table::new(profile, polling.clock, stands, Random::part(polling.seed, board.into()));
        let polling_seed = polling.seed;
        let phase = seconds(polling.every) * n as u64 / of.max(1) as u64;
        Recorder {
            board,
            polling,
            phase,
            table,
            rounds,
            played: 0,
            marks: Marks::default(),
            stands,
            polls: 0,
            queue: VecDeque::new(),
            landings: Vec::new(),
            told: None,
            random: Random::part(polling_seed, u64::from(board) | 1 << 21),
        }
    }

    /// When the plies told so far landed.
    pub fn landings(&self) -> &[Landing] {
        &self.landings
    }

    fn time(&self, at: Instant) -> Time {
        Time(self.polling.opening.0 + (at / 1000) as i64)
    }

    fn tell(&mut self, at: Instant, event: BoardEvent) {
        let time = self.time(at);
        self.queue.push_back(BoardRecord::new(Some(time), Some(self.board), event));
    }

    fn tell_clock(&mut self, at: Instant, faces: &[Face]) {
        let reading = clock::reading(faces, at);
        if self.told.as_ref() != Some(&reading) {
            self.told = Some(reading.clone());
            self.tell(at, BoardEvent::Clock(reading));
        }
    }

    /// What a host learns of a board it meets.
    fn meet(&mut self, at: Instant, faces: &[Face]) {
        let found = BoardFound { port: None, mode: Some(Mode::Bus), version: Some("1.6".into()) };
        self.tell(at, BoardEvent::Board(found));
        self.tell(at, BoardEvent::Position(Position { placement: self.stands, result: None }));
        self.tell_clock(at, faces);
        if mark_of(&self.stands).is_some()
            && let Some(mark) = self.marks.see(&self.stands)
        {
            self.tell(at, BoardEvent::Mark(Mark { mark, listing: false }));
        }
    }

    fn see(&mut self, at: Instant, Seen { square, piece, quick, .. }: Seen) {
        self.stands.set(square, piece);
        self.tell(at, BoardEvent::Change(Change { square, piece, quick: quick.then_some(true) }));
        if let Some(mark) = self.marks.see(&self.stands) {
            self.tell(at, BoardEvent::Mark(Mark { mark, listing: false }));
        }
    }

    /// A board that has its power again lists its pieces in any order.
    fn come_back(&mut self, at: Instant) {
        self.tell(at, BoardEvent::Found(Link { reason: "timeout".into() }));
        self.tell(at, BoardEvent::Mark(Mark { mark: MarkKind::PowerUp, listing: true }));
        let mut stand: Vec<Square> = Square::all().filter(|s| self.stands.get(*s).is_some()).collect();
        self.random.shuffle(&mut stand);
        for square in stand {
            let piece = self.stands.get(square);
            self.tell(at, BoardEvent::Change(Change { square, piece, quick: None }));
        }
        self.marks = Marks::default();
        if let Some(mark) = self.marks.see(&self.stands) {
            self.tell(at, BoardEvent::Mark(Mark { mark, listing: false }));
        }
        self.tell(at, BoardEvent::Position(Position { placement: self.stands, result: None }));
    }

    /// Tells all polls of a session.
    fn poll(&mut self, session: &Session, mut outage: Option<Outage>) {
        let every = seconds(self.polling.every).max(1);
        let clock_every = (self.polling.clock_every / self.polling.every).round().max(1.0) as u64;
        let mut entries = session.entries.iter().peekable();
        let mut moved = false;
        loop {
            let at = self.phase + self.polls * every;
            if self.polls == 0 {
                self.meet(at, &session.faces);
            }
            match outage {
                Some(Outage::Ahead(from, to)) if from <= at => {
                    outage = Some(Outage::Lost(to));
                    self.tell(at, BoardEvent::Lost(Link { reason: "timeout".into() }));
                }
                _ => {}
            }
            if let Some(Outage::Lost(to)) = outage {
                // What was not told before the power went is not told after it: the board has forgotten.
                while let Some(entry) = entries.next_if(|entry| entry.at <= at) {
                    if let What::Seen(seen) = entry.what {
                        self.stands.set(seen.square, seen.piece);
                    }
                }
                if at >= to {
                    outage = None;
                    self.come_back(at);
                }
                moved = false;
                self.polls += 1;
                continue;
            }
            let mut empty = true;
            let mut begins = false;
            while let Some(entry) = entries.next_if(|entry| entry.at <= at) {
                empty = false;
                match entry.what {
                    What::Seen(seen) => {
                        self.see(at, seen);
                        begins = matches!(
                            self.queue.back().map(|record| &record.event),
                            Some(BoardEvent::Mark(mark)) if mark.mark != MarkKind::Empty
                        );
                        moved = true;
                    }
                    What::Press(side, shown) => {
                        self.tell(at, BoardEvent::Press(Press { side, seconds: Seconds(shown) }));
                    }
                }
            }
            if empty && moved {
                moved = false;
                self.tell(at, BoardEvent::Quiet {});
            }
            // Between games the clocks are of no interest until the pieces stand again.
            let playing = at >= session.ready && at <= session.over + 60 * super::SECOND;
            if begins || (playing && self.polls.is_multiple_of(clock_every)) {
                self.tell_clock(at, &session.faces);
            }
            self.polls += 1;
            if entries.peek().is_none() && !moved && at >= session.ended {
                return;
            }
        }
    }
}

impl Iterator for Recorder {
    type Item = BoardRecord;

    fn next(&mut self) -> Option<BoardRecord> {
        while self.queue.is_empty() {
            let round = self.rounds.pop_front()?;
            let session = self.table.play(&round);
            self.played += 1;
            let (board, game) = (self.board, self.played);
            let landed = session.landings.iter().zip(1..);
            let landings: Vec<Landing> =
                landed.map(|(&at, ply)| Landing { board, game, ply, time: self.time(at) }).collect();
            self.landings.extend(landings);
            let outage = round.power_cut.and_then(|part| {
                let lasts = seconds(self.random.between(super::hall::POWER_CUT));
                let landings = &session.landings;
                let first = (part * landings.len() as f64) as usize;
                // Two plies that nobody saw may be known, three in either order.
                let hides_little =
                    |n: &usize| landings.get(n + 2).is_none_or(|next| *next > landings[*n] + lasts);
                let n = (first..landings.len()).find(hides_little)?;
                Some(Outage::Ahead(landings[n], landings[n] + lasts))
            });
            self.poll(&session, outage);
        }
        self.queue.pop_front()
    }
}

/// The records of many boards in order of time.
#[derive(Debug, Clone)]
pub struct Hall {
    /// Each board with its next record.
    boards: Vec<(Recorder, Option<BoardRecord>)>,
}

impl Hall {
    /// A hall whose board `i` has address `addresses[i]` and plays the rounds `i`, `i + N`, `i + 2N`, … of N boards.
    pub fn new(addresses: &[u16], rounds: &[Round], profile: &Profile, polling: &Polling) -> Hall {
        let of = addresses.len();
        let boards = addresses.iter().enumerate().map(|(n, &board)| {
            let own = rounds.iter().skip(n).step_by(of.max(1)).cloned();
            let mut recorder = Recorder::new(board, (n, of), profile.clone(), polling.clone(), own);
            let first = recorder.next();
            (recorder, first)
        });
        Hall { boards: boards.collect() }
    }

    /// When the plies of all rounds begun so far landed, board by board: what those compare with who judge.
    pub fn landings(&self) -> impl Iterator<Item = &Landing> {
        self.boards.iter().flat_map(|(recorder, _)| recorder.landings())
    }
}

impl Iterator for Hall {
    type Item = BoardRecord;

    fn next(&mut self) -> Option<BoardRecord> {
        let times =
            self.boards.iter().enumerate().filter_map(|(n, (_, next))| Some((next.as_ref()?.time, n)));
        let (_, n) = times.min()?;
        let (recorder, next) = &mut self.boards[n];
        std::mem::replace(next, recorder.next())
    }
}
